// check_scene beyond its codes: limits at their edges, tolerances, source facts, hostile names, failing memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cooker/base/utf8.h"
#include "cooker/check/check.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

typedef void (*scene_change)(cook_job *job, cook_scene *scene);

static void step_check_changed(cook_job *job, void *user) {
  const scene_change *change = user;
  cook_scene *scene = mt_scene_make(job, NULL);
  if (*change != NULL) (*change)(job, scene);
  check_scene(job, scene);
}

/// The codes of all issues, in order, separated by blanks.
static void assert_codes(scene_change change, const cook_limits *limits, int exit_code, const char *expected) {
  cook_job *job = mt_job(limits);
  assert_true(job_run(job, step_check_changed, &change));
  char codes[256] = "";
  for (uint32_t i = 0; i < job_issue_count(job) && strlen(codes) < sizeof codes - 8; i++) {
    if (i != 0) strcat(codes, " ");
    strcat(codes, mpak_issue_get(job_issue_at(job, i)->id)->code + 5);
  }
  assert_string_equal(codes, expected);
  assert_int_equal(job_exit_code(job), exit_code);
  job_end(job);
}

// -- UTF-8 ------------------------------------------------------------------------------------------------------------

static void test_utf8_takes_what_rfc_3629_takes(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is_valid;
  } cases[] = {
      {"", true},
      {"plain \x01\x7F", true},
      {"\xC2\x80 \xDF\xBF", true},         // U+0080, U+07FF
      {"\xE0\xA0\x80 \xEF\xBF\xBF", true}, // U+0800, U+FFFF
      {"\xED\x9F\xBF \xEE\x80\x80", true}, // the neighbours of the surrogates
      {"\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF", true},
      {"\xE3\x81\x82\xE3\x81\x84", true}, // two kana
      {"\x80", false},                    // a tail without a head
      {"\xC0\x80", false},                // overlong zero
      {"\xC1\xBF", false},
      {"\xE0\x9F\xBF", false},     // overlong
      {"\xF0\x8F\xBF\xBF", false}, // overlong
      {"\xED\xA0\x80", false},     // a surrogate
      {"\xED\xBF\xBF", false},
      {"\xF4\x90\x80\x80", false}, // beyond U+10FFFF
      {"\xF5\x80\x80\x80", false},
      {"\xFF", false},
      {"\xC2", false}, // cut off
      {"\xE3\x81", false},
      {"\xF0\x90\x80", false},
      {"\xC2x", false},
      {"\x82\xA0", false}, // kana in Shift-JIS
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (utf8_is_valid(cases[i].text) != cases[i].is_valid) fail_msg("case %zu", i);
}

// -- Limits -----------------------------------------------------------------------------------------------------------

static void test_check_limits_hold_at_one_less_equal_and_one_more(void **state) {
  (void)state;
  // what the sound scene has, by its header and source
  static const struct {
    size_t offset;
    size_t bytes;
    uint64_t count;
    const char *codes;
  } cases[] = {
      {offsetof(cook_limits, targets), 4, 2, "M023"},    {offsetof(cook_limits, nodes), 4, 6, "N017"},
      {offsetof(cook_limits, joints), 4, 2, "S001"},     {offsetof(cook_limits, clips), 4, 2, "A001"},
      {offsetof(cook_limits, depth), 4, 4, "N016"},      {offsetof(cook_limits, vertices), 8, 27, "M024"},
      {offsetof(cook_limits, name_bytes), 4, 8, "N002"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int off = -1; off <= 1; off++) {
      cook_limits limits = {0};
      const uint64_t limit = cases[i].count + (uint64_t)(int64_t)off;
      memcpy((char *)&limits + cases[i].offset, &limit, cases[i].bytes);
      assert_codes(NULL, &limits, off < 0 ? 6 : 0, off < 0 ? cases[i].codes : "");
    }
  }
}

// -- Tolerances -------------------------------------------------------------------------------------------------------

static float *first_weights(cook_scene *scene) { return scene->meshes[0].primitives[0].weights; }

static void change_sum_just_kept(cook_job *job, cook_scene *scene) {
  (void)job;
  first_weights(scene)[1] = 0.25f + 8.94069672e-07f; // 15 steps of 2^-24 above 1
}
static void change_sum_just_off(cook_job *job, cook_scene *scene) {
  (void)job;
  first_weights(scene)[1] = 0.25f + 1.07288361e-06f; // 18 steps
}
static void change_sum_just_near(cook_job *job, cook_scene *scene) {
  (void)job;
  first_weights(scene)[1] = 0.2599f;
}
static void change_sum_just_far(cook_job *job, cook_scene *scene) {
  (void)job;
  first_weights(scene)[1] = 0.2399f;
}
static void change_normal_within_tolerance(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[0].normals[0][2] = 1.0099f;
  scene->meshes[0].primitives[1].normals[0][2] = 0.9901f;
}
static void change_normal_outside_tolerance(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[0].normals[0][2] = 1.0101f;
  scene->meshes[0].primitives[1].normals[0][2] = 0.9899f;
}
static void change_values_at_the_largest(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[0].positions[0][0] = 1e12f;
  scene->meshes[0].primitives[0].targets[0].position_deltas[0][0] = -1e12f;
  scene->nodes[MT_HIPS].translation[0] = 1e12f;
  scene->clips[0].tracks[0].values[0] = -1e12f;
}
static void change_weights_at_the_range(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].default_weights[0] = 1;
  scene->meshes[0].default_weights[1] = 0;
}

static void test_check_tolerances_are_those_of_the_design(void **state) {
  (void)state;
  assert_codes(change_sum_just_kept, NULL, 0, "");
  assert_codes(change_sum_just_off, NULL, 0, "S010");
  assert_codes(change_sum_just_near, NULL, 0, "S010");
  assert_codes(change_sum_just_far, NULL, 0, "S011");
  assert_codes(change_normal_within_tolerance, NULL, 0, "");
  assert_codes(change_normal_outside_tolerance, NULL, 0, "M017 M017");
  assert_codes(change_values_at_the_largest, NULL, 0, "");
  assert_codes(change_weights_at_the_range, NULL, 0, "");
}

// -- What belongs to which object -------------------------------------------------------------------------------------

static void change_faults_in_both_primitives(cook_job *job, cook_scene *scene) {
  (void)job;
  for (uint32_t p = 0; p < 2; p++)
    for (uint32_t v = 0; v < 9; v++) scene->meshes[0].primitives[p].positions[v][p] = NAN;
}

static void change_faults_outside_the_scene(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_OFFSTAGE].scale[0] = -1;
  scene->nodes[MT_OFFSTAGE].rotation[3] = 3;
  scene->nodes[MT_OFFSTAGE].name = "Body";
  scene->nodes[MT_OFFSTAGE].skin = 0;
}

static void change_nan_outside_the_scene(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_OFFSTAGE].scale[0] = NAN;
}

/// A second skin, with one joint only, moves Body at the node Root.
static void change_second_skin_is_shorter(cook_job *job, cook_scene *scene) {
  cook_skin *skins = JOB_ARRAY(job, cook_skin, 2);
  skins[0] = skins[1] = scene->skins[0];
  skins[1].name = "Short";
  skins[1].joint_count = 1;
  scene->skins = skins;
  scene->skin_count = 2;
  scene->nodes[MT_ROOT].mesh = 0;
  scene->nodes[MT_ROOT].skin = 1;
}

static void change_no_target_names_at_all(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].control_names = NULL;
}

static void change_target_moves_one_primitive_only(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[1].targets[0] = (cook_target){0};
  scene->meshes[0].primitives[0].target_count = 2;
  scene->meshes[0].primitives[1].targets[1] = (cook_target){0};
}

static void change_primitive_has_no_targets(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[1].target_count = 0;
  scene->meshes[0].primitives[1].targets = NULL;
}

static void test_check_counts_faults_by_object(void **state) {
  (void)state;
  assert_codes(change_faults_in_both_primitives, NULL, 1, "M004 M004");
  assert_codes(change_faults_outside_the_scene, NULL, 0, "");
  assert_codes(change_nan_outside_the_scene, NULL, 1, "N010");
  assert_codes(change_second_skin_is_shorter, NULL, 1, "S006 S006");
  assert_codes(change_no_target_names_at_all, NULL, 0, "N008");
  assert_codes(change_target_moves_one_primitive_only, NULL, 0, "");
  assert_codes(change_primitive_has_no_targets, NULL, 0, "");
}

// -- Clips ------------------------------------------------------------------------------------------------------------

static void change_times_equal(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->clips[0].tracks[0].times[2] = scene->clips[0].tracks[0].times[1];
}
static void change_one_key(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->clips[1].tracks[0].key_count = 1;
  scene->clips[1].tracks[0].value_count = 4;
}
static void change_width_that_overflows(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].control_count = 0x80000001u; // times 3 is 0x80000003 in 32 bits
  scene->meshes[0].control_names = NULL;
  scene->clips[0].tracks[3].width = 0x80000001u;
}
/// Tangents of a spline are rates: any length, any size within reason.
static void change_spline_tangents(cook_job *job, cook_scene *scene) {
  cook_track *track = &scene->clips[1].tracks[0];
  float *values = JOB_ARRAY(job, float, 12 * track->key_count);
  for (uint32_t k = 0; k < track->key_count; k++) {
    memcpy(values + 12 * k + 4, track->values + 4 * k, 4 * sizeof(float));
    values[12 * k + 8] = 50;
  }
  track->interpolation = MPAK_CUBICSPLINE;
  track->values = values;
  track->value_count = 12 * track->key_count;
  scene->clips[0].tracks[3].values[0] = -20;
}

static void step_check_wide(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  scene->meshes[0].primitive_count = 0; // nothing has so many targets
  scene->meshes[0].has_default_weights = false;
  change_width_that_overflows(job, scene);
  check_scene(job, scene);
}

static void test_check_clips_at_the_edges(void **state) {
  (void)state;
  assert_codes(change_times_equal, NULL, 1, "A005");
  assert_codes(change_one_key, NULL, 0, "");
  assert_codes(change_spline_tangents, NULL, 0, "");
  cook_job *job = mt_job(&(cook_limits){.memory_bytes = (uint64_t)4 << 30});
  assert_true(job_run(job, step_check_wide, NULL));
  bool is_found = false;
  for (uint32_t i = 0; i < job_issue_count(job); i++) is_found |= job_issue_at(job, i)->id == MPAK_A009;
  assert_true(is_found);
  job_end(job);
}

// -- Source facts -----------------------------------------------------------------------------------------------------

static void step_check_facts(cook_job *job, void *user) {
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_target *targets = scene->meshes[0].primitives[0].targets;
  static const float deltas[9][3] = {{0, 0, 0},     {-0.0f, 0, -0.0f},  {3, 4, 12},
                                     {0, -0.0f, 0}, {0, 1e-40f, 0},     {-3, 4, -11.75f},
                                     {0, 0, 0},     {0.5f, 0.5f, 0.5f}, {0, 0, 0}};
  memcpy(targets[0].position_deltas, deltas, sizeof deltas);
  targets[1].position_deltas = NULL;
  targets[1].source_moved_count = 77; // whatever stood there before
  targets[1].source_max_delta = 77;
  check_scene(job, scene);
  *(cook_target **)user = targets;
}

static void test_check_fills_the_facts_of_the_source(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_target *targets = NULL;
  assert_true(job_run(job, step_check_facts, &targets));
  assert_int_equal(targets[0].source_moved_count, 4);
  assert_float_equal(targets[0].source_max_delta, 13, 0); // 3, 4, 12
  assert_int_equal(targets[1].source_moved_count, 0);
  assert_float_equal(targets[1].source_max_delta, 0, 0);
  job_end(job);
}

// -- Hostile names ----------------------------------------------------------------------------------------------------

#define CHAIN_LENGTH 5000u

/// A chain of nodes with long names, and a fault at its end.
static void step_check_long_path(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_node *nodes = JOB_ARRAY(job, cook_node, MT_NODE_COUNT + CHAIN_LENGTH);
  memcpy(nodes, scene->nodes, sizeof(cook_node) * MT_NODE_COUNT);
  for (uint32_t n = 0; n < CHAIN_LENGTH; n++) {
    cook_node *node = &nodes[MT_NODE_COUNT + n];
    *node = nodes[MT_ROOT];
    node->name = job_format(job, "%0200u", (unsigned)n);
    // stored child before parent
    node->parent = n + 1 < CHAIN_LENGTH ? MT_NODE_COUNT + n + 1 : MT_ROOT;
  }
  nodes[MT_NODE_COUNT].translation[0] = NAN;
  scene->nodes = nodes;
  scene->node_count += CHAIN_LENGTH;
  check_scene(job, scene);
}

static void test_check_long_paths_stay_short_in_messages(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  assert_true(job_run(job, step_check_long_path, NULL));
  assert_int_equal(job_issue_count(job), 2);
  assert_int_equal(job_issue_at(job, 0)->id, MPAK_N016);
  assert_int_equal(job_issue_at(job, 0)->where.more, CHAIN_LENGTH + 1 - 1024 - 1);
  const cook_issue *issue = job_issue_at(job, 1);
  assert_int_equal(issue->id, MPAK_N010);
  const size_t length = strlen(issue->where.node);
  assert_in_range(length, 1000, 4096);
  assert_string_equal(issue->where.node + length - 10, "0000000000");
  assert_memory_equal(issue->where.node, "\xE2\x80\xA6", 3);
  job_end(job);
}

static void change_name_of_shift_jis(cook_job *job, cook_scene *scene) {
  char *name = job_alloc(job, 70001, 1);
  memset(name, '\x82', 70000);
  scene->meshes[0].control_names[1] = name;
}

static void test_check_long_broken_names_stay_short_in_messages(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  scene_change change = change_name_of_shift_jis;
  assert_true(job_run(job, step_check_changed, &change));
  assert_int_equal(job_issue_count(job), 2);
  for (uint32_t i = 0; i < 2; i++) {
    const cook_issue *issue = job_issue_at(job, i);
    assert_int_equal(issue->id, i == 0 ? MPAK_N001 : MPAK_N002);
    assert_true(utf8_is_valid(issue->where.target) && utf8_is_valid(issue->message));
    assert_in_range(strlen(issue->where.target), 100, 1100);
  }
  job_end(job);
}

/// Many equal names, and names that differ only at their end.
static void change_many_target_names(cook_job *job, cook_scene *scene) {
  cook_mesh *mesh = &scene->meshes[0];
  mesh->control_count = mesh->target_count = 3000;
  mesh->control_names = JOB_ARRAY(job, const char *, 3000);
  mesh->has_default_weights = false;
  for (uint32_t t = 0; t < 3000; t++) mesh->control_names[t] = job_format(job, "a long name %u", t < 1000 ? 0 : t);
  mesh->primitive_count = 0;
  scene->nodes[MT_BODY].skin = MPAK_NONE;
  scene->clips[0].track_count = 3;
}

static void test_check_repeated_names_are_counted(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  scene_change change = change_many_target_names;
  assert_true(job_run(job, step_check_changed, &change));
  const cook_issue *issue = job_issue_at(job, 0);
  assert_int_equal(issue->id, MPAK_N007);
  assert_int_equal(issue->where.index, 1);
  assert_int_equal(issue->where.more, 998);
  job_end(job);
}

// -- Failing memory ---------------------------------------------------------------------------------------------------

/// Checks every spoiled scene within one allocator that refuses call n. Returns whether nothing was refused.
static bool check_with_refusal(const mt_spoil_case *spoil, uint64_t n) {
  mt_memory memory = {.refuse_at = n, .refuse_on = true};
  const mpak_allocator allocator = mt_allocator(&memory);
  cook_job *job = job_begin(&allocator, &spoil->limits);
  if (job == NULL) {
    assert_int_equal(memory.held, 0);
    return false;
  }
  scene_change change = spoil->spoil;
  const bool returned = job_run(job, step_check_changed, &change);
  if (!returned) assert_int_equal(job_exit_code(job), 6);
  job_end(job);
  assert_int_equal(memory.held, 0);
  return memory.calls < n;
}

static void test_check_every_refused_allocation_ends_cleanly(void **state) {
  (void)state;
  uint64_t refused = 0;
  for (uint32_t i = 0; i < MT_SPOIL_LIST_COUNT; i++) {
    const mt_spoil_list list = mt_spoil_list_at(i);
    for (uint32_t k = 0; k < list.count; k++) {
      uint64_t n = 1;
      while (!check_with_refusal(&list.cases[k], n)) n++;
      refused += n - 1;
    }
  }
  print_message("print: %llu refused allocations\n", (unsigned long long)refused);
  assert_true(refused >= 2 * 79); // the job itself and its first block, at the least
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_utf8_takes_what_rfc_3629_takes),
      cmocka_unit_test(test_check_limits_hold_at_one_less_equal_and_one_more),
      cmocka_unit_test(test_check_tolerances_are_those_of_the_design),
      cmocka_unit_test(test_check_counts_faults_by_object),
      cmocka_unit_test(test_check_clips_at_the_edges),
      cmocka_unit_test(test_check_fills_the_facts_of_the_source),
      cmocka_unit_test(test_check_long_paths_stay_short_in_messages),
      cmocka_unit_test(test_check_long_broken_names_stay_short_in_messages),
      cmocka_unit_test(test_check_repeated_names_are_counted),
      cmocka_unit_test(test_check_every_refused_allocation_ends_cleanly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
