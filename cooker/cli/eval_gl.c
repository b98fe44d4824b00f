// eval_gl.c: evaluates the way a game with a GPU does: posed by the runtime, moved by runtime/gl in an OpenGL context
// without a display, and read back.
#include "cooker/cli/eval.h"
#include "cooker/cli/view_source.h"
#include "samples/viewer/vertex_capture.h"

/// Room for the vertices of every part that is shown.
static void gl_allot(eval_scene *scene) {
  const mpak_pack *pack = &scene->file.pack;
  scene->gpu_vertices = JOB_ARRAY(scene->job, mpak_base_vertex *, scene->cpu_morphs.state_count);
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    mpak_base_vertex **vertices = scene->gpu_vertices + scene->cpu_morphs.first_state[i];
    for (uint32_t p = 0; p < mesh->part_count; p++)
      if (eval_shows(scene, mesh->first_part + p))
        vertices[p] = JOB_ARRAY(scene->job, mpak_base_vertex, pack->parts[mesh->first_part + p].vertex_count);
  }
}

void eval_gl_run(eval_scene *scene) {
  gl_allot(scene);
  const vertex_capture capture = {.pose = &scene->cpu_pose,
                                  .states = &scene->cpu_morphs,
                                  .lod = cli_lod(scene->arguments),
                                  .technique = (mpak_gl_technique)scene->arguments->technique,
                                  .is_before_skin = scene->arguments->space == 1,
                                  .vertices = scene->gpu_vertices};
  viewer_outcome *outcome = JOB_ARRAY(scene->job, viewer_outcome, 1);
  vertex_capture_run(&capture, outcome);
  view_source_fail(scene->job, outcome);
}
