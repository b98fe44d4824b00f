/// refine.h: finer steps for what missed the promise of --quality, and floats where no step is fine enough.
#ifndef COOK_REFINE_H
#define COOK_REFINE_H

#include "cooker/measure/posed.h"

/// Lets the measurement note which vertices miss: has_missed_normal of all primitives with targets, in the job's arena.
void refine_prepare(cook_job *job, cook_scene *scene);

/// Halves the steps of what missed its bound; where that is only while a clip plays, those of the clips first. False
/// when nothing missed.
bool refine_missed(cook_scene *scene, const measure_posed *posed);

/// The most halvings of anything in the scene.
uint32_t refine_most(const cook_scene *scene);

/// Says what is stored as floats since no step was fine enough (C057).
void refine_report_floats(cook_job *job, const cook_scene *scene, const cook_options *options);

#endif
