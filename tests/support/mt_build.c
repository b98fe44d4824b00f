#include "tests/support/mt_build.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

void mt_in_job(void (*step)(cook_job *job, void *user), void *user, int expected_exit_code) {
  cook_job *job = job_begin(NULL, NULL);
  assert_non_null(job);
  const bool returned = job_run(job, step, user);
  assert_int_equal(job_exit_code(job), expected_exit_code);
  assert_true(returned || expected_exit_code != 0);
  job_end(job);
}

const cook_issue *mt_find_issue(const cook_job *job, const char *code) {
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    if (strcmp(mpak_issue_get(job_issue_at(job, i)->id)->code, code) == 0) return job_issue_at(job, i);
  return NULL;
}

uint32_t mt_count_issues(const cook_job *job, const char *code) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    if (strcmp(mpak_issue_get(job_issue_at(job, i)->id)->code, code) == 0) count++;
  return count;
}

cook_scene *mt_one_primitive(cook_job *job, const float (*positions)[3], uint32_t vertex_count, const uint32_t *indices,
                             uint32_t index_count) {
  cook_scene *scene = JOB_ARRAY(job, cook_scene, 1);
  scene->source_kind = COOK_SOURCE_GLTF;
  scene->node_count = 1;
  scene->nodes = JOB_ARRAY(job, cook_node, 1);
  scene->nodes[0] = (cook_node){.name = "Node",
                                .parent = MPAK_NONE,
                                .is_cooked = true,
                                .rotation = {0, 0, 0, 1},
                                .scale = {1, 1, 1},
                                .mesh = 0,
                                .skin = MPAK_NONE};
  scene->mesh_count = 1;
  scene->meshes = JOB_ARRAY(job, cook_mesh, 1);
  scene->meshes[0] = (cook_mesh){.name = "Mesh", .primitive_count = 1};
  cook_primitive *primitive = scene->meshes[0].primitives = JOB_ARRAY(job, cook_primitive, 1);
  *primitive = (cook_primitive){.material = MPAK_NONE,
                                .vertex_count = vertex_count,
                                .index_count = index_count,
                                .source_vertex_count = vertex_count,
                                .source_index_count = index_count};
  primitive->positions = MT_COPY(job, positions, vertex_count);
  primitive->indices = MT_COPY(job, indices, index_count);
  return scene;
}

cook_primitive *mt_primitive(const cook_scene *scene) { return &scene->meshes[0].primitives[0]; }

void mt_add_targets(cook_job *job, cook_scene *scene, uint32_t target_count) {
  cook_mesh *mesh = &scene->meshes[0];
  mesh->control_count = mesh->target_count = mesh->primitives[0].target_count = target_count;
  mesh->control_names = JOB_ARRAY(job, const char *, target_count);
  for (uint32_t t = 0; t < target_count; t++) mesh->control_names[t] = job_format(job, "T%u", t);
  mesh->primitives[0].targets = JOB_ARRAY(job, cook_target, target_count);
}

void mt_add_skin(cook_job *job, cook_scene *scene, uint32_t joint_count) {
  scene->skin_count = 1;
  scene->skins = JOB_ARRAY(job, cook_skin, 1);
  cook_skin *skin = &scene->skins[0];
  *skin = (cook_skin){.name = "Skin", .joint_count = joint_count, .joints = JOB_ARRAY(job, uint32_t, joint_count)};
  skin->inverse_binds = job_alloc(job, joint_count, sizeof *skin->inverse_binds);
  for (uint32_t j = 0; j < joint_count; j++)
    for (int row = 0; row < 3; row++) skin->inverse_binds[j][5 * row] = 1;
  scene->nodes[0].skin = 0;
}

double mt_angle(const float *a, const float *b) {
  double dot = 0, cross_square = 0;
  for (int k = 0; k < 3; k++) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    const double cross = (double)a[l] * b[m] - (double)a[m] * b[l];
    dot += (double)a[k] * b[k];
    cross_square += cross * cross;
  }
  return atan2(sqrt(cross_square), dot);
}
