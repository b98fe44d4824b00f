/// mt_inbetween.h: test support: the scene of mt_scene.h with four controls for five shapes.
///
///   control 0 Smile   shapes 0 (reached at 1) and 2 (reached at 0.5)
///   control 1 Brow    no shape
///   control 2 Blink   shapes 1 (reached at 1) and 3 (reached at -1)
///   control 3 Jaw     shape 4, no rule
/// Both primitives of Body have all shapes. Clip Idle moves the controls: 0 s all 0; 0.5 s 1.5, 0.5, -1, 1; 1 s -0.5,
/// 0, 1, 0; straight lines between. So the ranges are Smile [-0.5, 1.5], Blink [-1, 1], the others [0, 1]. Default of
/// Smile: 0.25.
#ifndef MT_INBETWEEN_H
#define MT_INBETWEEN_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

#define MT_INBETWEEN_CONTROLS 4
#define MT_INBETWEEN_SHAPES   5

cook_scene *mt_inbetween_scene(cook_job *job);

/// The weight of a shape, written down from the list above and not from any rule.
double mt_inbetween_weight(uint32_t shape, const double controls[MT_INBETWEEN_CONTROLS]);

#endif
