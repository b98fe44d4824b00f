/// inbetween.h: the shapes of one control that are reached on the way: from their full weights to the rules of scene.h.
///
/// An author gives each shape of a control its full weight, the weight of the control at which that shape alone stands
/// there (1 is the usual end of the way; at 0 there is none). Between two such places the one shape fades into the
/// other in a straight line; beyond the first and the last the lines go on as they come, which is what DCCs do.
#ifndef COOK_INBETWEEN_H
#define COOK_INBETWEEN_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

/// Fills the rules of the shapes of one control; their names stay as they are.
///
/// where         names the mesh and the target, for an issue
/// control       number of the control in its mesh
/// full_weights  of the shapes, in any order, negative ones too; 1 is 100 percent
/// rules         of the same shapes. A single shape at 1 gets no points: it simply follows its control
///
/// Fails the job with I029 when a full weight is (almost) 0, absurdly large, or the same as another's.
void scene_make_inbetweens(cook_job *job, cook_where where, uint32_t control, const double *full_weights,
                           uint32_t shape_count, cook_shape_rule *rules);

#endif
