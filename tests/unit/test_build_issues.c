// Each issue of the build stages (C001 to C049) has a scene that shows exactly it, under the name that issues.def
// gives.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_build.h"
#include "tests/support/mt_fixtures.h"
#include "tests/support/mt_scene.h"

typedef struct build_case {
  const char *code;
  const char *name; ///< of the fixture in issues.def
  const char *also; ///< a code that cannot but come along, or NULL
  void (*spoil)(cook_job *job, cook_scene *scene);
  cook_options options;
  mt_scene_knobs knobs;
  const char *message;
} build_case;

static cook_primitive *first(const cook_scene *scene) { return &scene->meshes[0].primitives[0]; }

// -- Fixtures ---------------------------------------------------------------------------------------------------------

static void cook_nothing_to_cook(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_BODY].mesh = scene->nodes[MT_HAT].mesh = MPAK_NONE;
}

static void cook_clip_pack(cook_job *job, cook_scene *scene) {
  (void)job;
  for (uint32_t m = 0; m < scene->mesh_count; m++) scene->meshes[m].primitive_count = 0;
}

/// Vertex 2 gets five influences, by two joint sets over more joints.
static void spoil_influences(cook_job *job, cook_scene *scene, float smallest) {
  cook_skin *skin = &scene->skins[0];
  skin->joints = JOB_ARRAY(job, uint32_t, 5);
  skin->inverse_binds = job_alloc(job, 5, sizeof *skin->inverse_binds);
  skin->joint_count = 5;
  cook_primitive *primitive = first(scene);
  for (uint32_t i = 0; i < 5; i++) {
    primitive->joints[2 * primitive->influence_count + i] = (uint16_t)i;
    primitive->weights[2 * primitive->influence_count + i] = i == 4 ? smallest : (1 - smallest) / 4;
  }
}

/// Each of the 9 vertices gets 4 bones of its own: each of the 8 triangles needs 12, and shares them with no other.
static void spoil_bones(cook_scene *scene) {
  for (uint32_t i = 0; i < 4 * first(scene)->vertex_count; i++) {
    first(scene)->joints[i] = (uint16_t)i;
    first(scene)->weights[i] = 0.25f;
  }
}
static void cook_bone_limit_too_low(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_bones(scene);
}
static void cook_split_by_bones(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_bones(scene);
}

static void cook_influences_cut_little(cook_job *job, cook_scene *scene) { spoil_influences(job, scene, 0.0078125f); }
static void cook_influences_cut_much(cook_job *job, cook_scene *scene) { spoil_influences(job, scene, 0.125f); }

static void cook_flat_normals(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_primitive *primitive = first(scene);
  primitive->normals = NULL;
  primitive->tangents = NULL;
  for (uint32_t t = 0; t < primitive->target_count; t++)
    primitive->targets[t].normal_deltas = primitive->targets[t].tangent_deltas = NULL;
}

static void cook_tangents_without_normals(cook_job *job, cook_scene *scene) {
  (void)job;
  first(scene)->normals = NULL;
}

static void cook_normals_of_length_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  memset(first(scene)->normals[3], 0, 12);
}

static void cook_tangents_generated(cook_job *job, cook_scene *scene) {
  (void)job;
  first(scene)->tangents = NULL;
  scene->materials[0].has_normal_texture = true;
}

static void cook_tangents_not_possible(cook_job *job, cook_scene *scene) {
  cook_tangents_generated(job, scene);
  first(scene)->texcoords[0] = NULL;
}

static void cook_tangents_repaired(cook_job *job, cook_scene *scene) {
  (void)job;
  first(scene)->tangents[5][3] = 0.5f;
}

static void cook_triangles_repeat_vertex(cook_job *job, cook_scene *scene) {
  (void)job;
  first(scene)->indices[7] = first(scene)->indices[6];
}

static void cook_normals_merged(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->source_kind = COOK_SOURCE_FBX;
  cook_primitive *hat = &scene->meshes[1].primitives[0]; // vertex 1 becomes vertex 0 but for a rounded normal
  memcpy(hat->positions[1], hat->positions[0], 12);
  memcpy(hat->texcoords[0][1], hat->texcoords[0][0], 8);
  memcpy(hat->tangents[1], hat->tangents[0], 16);
  memcpy(hat->colours + 4, hat->colours, 4);
  memcpy(hat->normals[1], hat->normals[0], 12);
  hat->normals[1][0] += 5e-5f;
}

static void cook_tracks_outside_scene(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->clips[0].tracks[2].node = MT_OFFSTAGE;
}

static void cook_primitive_collapsed(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_primitive *primitive = first(scene);
  for (uint32_t i = 0; i < primitive->index_count; i += 3) primitive->indices[i + 1] = primitive->indices[i];
}

/// A lie about counts, so that no memory is needed to reach the limit.
static void cook_too_many_vertices(cook_job *job, cook_scene *scene) {
  cook_flat_normals(job, scene);
  first(scene)->vertex_count = 0xFFFFFFF0u;
  first(scene)->influence_count = 0;
}

static void cook_morph_normals_recomputed(cook_job *job, cook_scene *scene) {
  (void)job;
  first(scene)->targets[1].normal_deltas = NULL;
}

// -- The table --------------------------------------------------------------------------------------------------------

#define BUILD_CASE(code_text, function, ...)                                                                           \
  { .code = (code_text), .name = #function, .spoil = (function), __VA_ARGS__ }

static const build_case build_cases[] = {
    BUILD_CASE("MPAK-C001", cook_nothing_to_cook,
               .message = "nothing to cook: no node of the default scene draws a triangle; its meshes are empty, have "
                          "only lines or points, or are not in the scene"),
    BUILD_CASE("MPAK-C017", cook_clip_pack, .message = "there is nothing to draw; the 2 clips become a clip pack"),
    BUILD_CASE("MPAK-C002", cook_influences_cut_little, .knobs = {.joint_sets = 2}, .options = {.max_influences = 4},
               .message =
                   "more than 4 influences at vertex 2; the largest weight lost is 0.00781, the largest movement 0 mm"),
    BUILD_CASE("MPAK-C003", cook_influences_cut_much, .knobs = {.joint_sets = 2}, .options = {.max_influences = 4},
               .message =
                   "more than 4 influences at vertex 2; the largest weight lost is 0.125, the largest movement 0 mm"),
    BUILD_CASE("MPAK-C004", cook_flat_normals, .message = "there are no normals; flat ones were made"),
    BUILD_CASE("MPAK-C005", cook_tangents_without_normals, .also = "MPAK-C004",
               .message = "the tangents were ignored, since there are no normals"),
    BUILD_CASE("MPAK-C006", cook_normals_of_length_zero,
               .message = "normals of length zero were made anew from the triangles around them: vertex 3"),
    BUILD_CASE("MPAK-C007", cook_tangents_generated, .message = "tangents were generated from TEXCOORD_0"),
    BUILD_CASE("MPAK-C008", cook_tangents_not_possible,
               .message = "tangents are wanted but cannot be made: there is no TEXCOORD_0"),
    BUILD_CASE("MPAK-C009", cook_tangents_repaired,
               .message = "tangents of length zero, or whose w is neither +1 nor -1, were repaired: vertex 5"),
    BUILD_CASE("MPAK-C010", cook_triangles_repeat_vertex,
               .message = "triangles with two corners at one vertex were dropped: triangle 2"),
    BUILD_CASE("MPAK-C011", cook_normals_merged, .also = "MPAK-C010",
               .message = "vertices whose normals differ by rounding were merged; the largest change is 5e-05 rad "
                          "(limit 1e-04 rad)"),
    BUILD_CASE("MPAK-C012", cook_tracks_outside_scene,
               .message = "1 of 4 tracks move nodes that are not cooked and were dropped"),
    BUILD_CASE("MPAK-C014", cook_primitive_collapsed,
               .message = "every triangle has two corners at one vertex; the primitive was dropped"),
    BUILD_CASE("MPAK-C015", cook_too_many_vertices, .also = "MPAK-C004",
               .message = "splitting corners would make more vertices than a part can hold"),
    BUILD_CASE("MPAK-C030", cook_bone_limit_too_low, .options = {.max_bones = 11},
               .message = "a section may have 11 bones, which is below three times the 4 influences of a vertex"),
    BUILD_CASE("MPAK-C031", cook_split_by_bones, .options = {.max_bones = 12},
               .message = "36 bones became 8 sections, since a section may have at most 12"),
    BUILD_CASE("MPAK-C016", cook_morph_normals_recomputed, .message = "normals of 1 of 2 targets were recomputed"),
};
#define BUILD_CASE_COUNT (sizeof build_cases / sizeof *build_cases)

static void step_build(cook_job *job, void *user) {
  const build_case *c = user;
  cook_scene *scene = mt_scene_make(job, &c->knobs);
  if (c->spoil != NULL) c->spoil(job, scene);
  const bool is_a_lie = first(scene)->vertex_count > 0xFFFFFF00u; // build_nodes would copy what is not there
  if (!is_a_lie) build_nodes(job, scene);
  if (!is_a_lie) build_influences(job, scene, &c->options);
  build_normals(job, scene, &c->options);
  build_tangents(job, scene, &c->options);
  build_morph_normals(job, scene, &c->options);
  build_weld(job, scene, &c->options);
  build_split(job, scene, &c->options);
  build_order(job, scene, &c->options);
  build_ranges(job, scene, &c->options);
}

static void check_case(const build_case *c) {
  cook_job *job = job_begin(NULL, NULL);
  job_run(job, step_build, (void *)c);
  const cook_issue *issue = mt_find_issue(job, c->code);
  if (issue == NULL) fail_msg("%s: not reported", c->name);
  assert_string_equal(issue->message, c->message);
  const mpak_issue_info *info = mpak_issue_get(issue->id);
  assert_int_equal(job_exit_code(job), info->severity == MPAK_ERROR ? info->exit_code : 0);
  for (uint32_t i = 0; i < job_issue_count(job); i++) {
    const char *code = mpak_issue_get(job_issue_at(job, i)->id)->code;
    if (strcmp(code, c->code) != 0 && (c->also == NULL || strcmp(code, c->also) != 0))
      fail_msg("%s: %s comes along: %s", c->name, code, job_issue_at(job, i)->message);
  }
  job_end(job);
}

static void test_build_issues_each_by_its_fixture(void **state) {
  (void)state;
  for (size_t i = 0; i < BUILD_CASE_COUNT; i++) check_case(&build_cases[i]);
}

/// The scene that the fixtures spoil gives no issue.
static void test_build_issues_none_for_a_sound_scene(void **state) {
  (void)state;
  const build_case sound = {0};
  cook_job *job = job_begin(NULL, NULL);
  assert_true(job_run(job, step_build, (void *)&sound));
  assert_int_equal(job_issue_count(job), 0);
  job_end(job);
}

static void test_build_issues_have_all_a_fixture(void **state) {
  (void)state;
  size_t expected = 0;
  for (mpak_issue_id id = 0; id < MPAK_ISSUE_COUNT; id++) {
    const char *code = mpak_issue_get(id)->code, *fixture = mt_fixture_of(id);
    if (code[5] != 'C' || atoi(code + 6) >= 40) continue; // levels of detail and packing have tests of their own
    size_t found = 0;
    for (size_t i = 0; i < BUILD_CASE_COUNT; i++)
      found += strcmp(build_cases[i].code, code) == 0 && strcmp(build_cases[i].name, fixture) == 0;
    if (found != 1) fail_msg("%s %s has no fixture", code, fixture);
    expected++;
  }
  assert_int_equal(expected, BUILD_CASE_COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_build_issues_each_by_its_fixture),
      cmocka_unit_test(test_build_issues_none_for_a_sound_scene),
      cmocka_unit_test(test_build_issues_have_all_a_fixture),
  };
  return cmocka_run_group_tests_name("build_issues", tests, NULL, NULL);
}
