// quantise.c: floats become numbers of a grid, and stay floats; weld and packer then lose nothing more (SPEC.md).
#include "cooker/build/quantise_base.h"
#include "cooker/build/quantise_deltas.h"

void build_quantise(cook_job *job, cook_scene *scene, const cook_options *options) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_precision precision =
        cook_precision_finer(options->quality, scene->meshes[m].fineness, scene->meshes[m].normal_fineness);
    // deltas first: their step is a share of the size that the source's positions have
    if (options->layout != COOK_LAYOUT_CSR64) quantise_deltas(job, &scene->meshes[m], &precision); // csr64: floats
    quantise_base(job, &scene->meshes[m], &precision);
  }
}
