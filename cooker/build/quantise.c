// quantise.c: floats become numbers of a grid, and stay floats; weld and packer then lose nothing more (SPEC.md).
#include "cooker/build/build.h"
#include "cooker/build/quantise_deltas.h"

static void quantise_mesh(cook_job *job, cook_mesh *mesh, const cook_precision *precision,
                          const cook_options *options) {
  if (options->layout != COOK_LAYOUT_CSR64) quantise_deltas(job, mesh, precision); // csr64 is always floats
}

void build_quantise(cook_job *job, cook_scene *scene, const cook_options *options) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_precision precision = cook_precision_finer(options->quality, scene->meshes[m].fineness);
    quantise_mesh(job, &scene->meshes[m], &precision, options);
  }
}
