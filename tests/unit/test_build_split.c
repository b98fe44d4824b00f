// Splitting by a bone limit: what stays one section, how few there are, that nothing is lost, doubled or changed, and
// what is refused. Small meshes by hand, and hundreds made by lot against a greedy split of the test's own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/bone_limit.h"
#include "cooker/build/remap.h"
#include "cooker/build/split.h"
#include "runtime/mpak.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_cook.h"

// -- Meshes -----------------------------------------------------------------------------------------------------------

/// A skinned primitive of triangle_count triangles with vertices of their own, each in another place: corner c of
/// triangle t is moved by the bones first_bones[t] + 4c … + 4c + 3 (4 influences, a quarter each).
static cook_scene *islands(cook_job *job, const uint32_t *first_bones, uint32_t triangle_count) {
  const uint32_t vertex_count = 3 * triangle_count;
  float(*positions)[3] = job_alloc(job, vertex_count, sizeof *positions);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, vertex_count);
  for (uint32_t v = 0; v < vertex_count; v++) {
    positions[v][v % 3] = 1 + (float)v;
    indices[v] = v;
  }
  cook_scene *scene = mt_one_primitive(job, (const float(*)[3])positions, vertex_count, indices, vertex_count);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = 4;
  primitive->joints = JOB_ARRAY(job, uint16_t, 4 * vertex_count);
  primitive->weights = JOB_ARRAY(job, float, 4 * vertex_count);
  for (uint32_t i = 0; i < 4 * vertex_count; i++) {
    primitive->joints[i] = (uint16_t)(first_bones[i / 12] + i % 12);
    primitive->weights[i] = 0.25f;
  }
  return scene;
}

/// The next number below limit.
static uint32_t lot(uint64_t *state, uint32_t limit) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % limit;
}

/// A sheet of cells x cells squares, or with is_torn a heap of single triangles, whose vertices have 1 to 4 bones of
/// bone_count: near ones, and with is_wild any. Two targets, all streams filled by lot.
static cook_scene *sheet(cook_job *job, uint64_t seed, uint32_t cells, uint32_t bone_count, bool is_torn,
                         bool is_wild) {
  const uint32_t side = cells + 1, index_count = 6 * cells * cells;
  const uint32_t vertex_count = is_torn ? index_count : side * side;
  float(*positions)[3] = job_alloc(job, vertex_count, sizeof *positions);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, index_count), *places = JOB_ARRAY(job, uint32_t, vertex_count);
  for (uint32_t i = 0; i < index_count; i++) {
    static const uint32_t right[6] = {0, 1, 1, 0, 1, 0}, down[6] = {0, 0, 1, 0, 1, 1};
    const uint32_t cell = i / 6, place = (cell / cells + down[i % 6]) * side + cell % cells + right[i % 6];
    indices[i] = is_torn ? i : place;
    places[indices[i]] = place;
  }
  for (uint32_t v = 0; v < vertex_count; v++) {
    positions[v][0] = (float)(places[v] % side);
    positions[v][1] = (float)(places[v] / side);
  }
  cook_scene *scene = mt_one_primitive(job, (const float(*)[3])positions, vertex_count, indices, index_count);
  mt_add_targets(job, scene, 2);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = 4;
  primitive->colour_format = MPAK_FORMAT_UNORM8X4;
  for (uint32_t s = REMAP_NORMALS; s < remap_stream_count(primitive); s++) {
    float *data = job_alloc(job, vertex_count, remap_stream_bytes(primitive, s));
    for (uint32_t i = 0; i < vertex_count * remap_stream_bytes(primitive, s) / 4; i++)
      data[i] = (float)lot(&seed, 1000) / 1000;
    remap_stream_set(primitive, s, data);
  }
  for (uint32_t v = 0; v < vertex_count; v++) {
    const uint32_t used = 1 + lot(&seed, 4), near = places[v] * bone_count / (side * side);
    for (uint32_t k = 0; k < 4; k++) {
      primitive->joints[4 * v + k] = (uint16_t)(is_wild ? lot(&seed, bone_count) : (near + lot(&seed, 6)) % bone_count);
      primitive->weights[4 * v + k] = k < used ? 1.0f / (float)used : 0;
    }
  }
  return scene;
}

// -- What must hold ---------------------------------------------------------------------------------------------------

/// Bones of one triangle, as a set of up to 512.
typedef struct bone_set {
  uint64_t bits[8];
} bone_set;

static void set_add_vertex(bone_set *set, const cook_primitive *primitive, uint32_t vertex) {
  for (uint32_t k = 0; k < primitive->influence_count; k++) {
    const uint32_t joint = primitive->joints[vertex * primitive->influence_count + k];
    if (primitive->weights[vertex * primitive->influence_count + k] > 0)
      set->bits[joint / 64] |= UINT64_C(1) << joint % 64;
  }
}

static uint32_t set_size(const bone_set *set) {
  uint32_t size = 0;
  for (int w = 0; w < 8; w++) size += (uint32_t)__builtin_popcountll(set->bits[w]);
  return size;
}

static uint32_t greedy_count(const cook_primitive *primitive, uint32_t limit) {
  uint32_t count = 1;
  bone_set held = {0};
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    bone_set with = held;
    for (uint32_t c = 0; c < 3; c++) set_add_vertex(&with, primitive, primitive->indices[i + c]);
    if (set_size(&with) > limit) {
      count++;
      with = (bone_set){0};
      for (uint32_t c = 0; c < 3; c++) set_add_vertex(&with, primitive, primitive->indices[i + c]);
    }
    held = with;
  }
  return count;
}

/// Ranges tile triangles and vertices, indices stay inside, every vertex is used, and bones are within the limit.
static void check_ranges(const cook_primitive *primitive, uint32_t limit) {
  uint32_t index_end = 0, vertex_end = 0;
  bool *is_used = calloc(primitive->vertex_count, sizeof *is_used);
  assert_non_null(is_used);
  for (uint32_t s = 0; s < primitive->section_count; s++) {
    const cook_section_range *range = &primitive->sections[s];
    assert_int_equal(range->first_index, index_end);
    assert_int_equal(range->first_vertex, vertex_end);
    assert_true(range->index_count > 0 && range->index_count % 3 == 0);
    bone_set set = {0};
    for (uint32_t i = index_end; i < index_end + range->index_count; i++) {
      const uint32_t vertex = primitive->indices[i];
      assert_in_range(vertex, vertex_end, vertex_end + range->vertex_count - 1);
      is_used[vertex] = true;
      set_add_vertex(&set, primitive, vertex);
    }
    assert_in_range(set_size(&set), 1, limit);
    index_end += range->index_count;
    vertex_end += range->vertex_count;
  }
  assert_int_equal(index_end, primitive->index_count);
  assert_int_equal(vertex_end, primitive->vertex_count);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) assert_true(is_used[v]);
  free(is_used);
}

static int compare_triples(const void *left, const void *right) { return memcmp(left, right, 12); }

/// Triangles as triples of source vertices, sorted.
static uint32_t (*source_triples(cook_job *job, const cook_primitive *primitive))[3] {
  uint32_t(*triples)[3] = job_alloc(job, primitive->index_count / 3, sizeof *triples);
  for (uint32_t i = 0; i < primitive->index_count; i++) {
    const uint32_t vertex = primitive->indices[i];
    triples[i / 3][i % 3] = primitive->source_of_vertex != NULL ? primitive->source_of_vertex[vertex] : vertex;
  }
  for (uint32_t t = 0; t < primitive->index_count / 3; t++) { // turned so that the lowest comes first
    uint32_t *c = triples[t], turn = c[1] < c[0] && c[1] <= c[2] ? 1 : c[2] < c[0] && c[2] <= c[1] ? 2 : 0;
    const uint32_t turned[3] = {c[turn], c[(turn + 1) % 3], c[(turn + 2) % 3]};
    memcpy(c, turned, sizeof turned);
  }
  qsort(triples, primitive->index_count / 3, sizeof *triples, compare_triples);
  return triples;
}

/// Every vertex has the streams of its source, and every source knows its first vertex.
static void check_streams(const cook_primitive *found, const cook_primitive *source) {
  for (uint32_t v = 0; v < found->vertex_count; v++) {
    const uint32_t from = found->source_of_vertex[v];
    for (uint32_t s = 0; s < remap_stream_count(source); s++) {
      const uint32_t bytes = remap_stream_bytes(source, s);
      const uint8_t *a = remap_stream_get(found, s), *b = remap_stream_get(source, s);
      if (b != NULL) assert_memory_equal(a + (size_t)v * bytes, b + (size_t)from * bytes, bytes);
    }
    assert_true(found->vertex_of_source[from] <= v);
    assert_int_equal(found->source_of_vertex[found->vertex_of_source[from]], from);
  }
}

// -- Not exceeded -----------------------------------------------------------------------------------------------------

static void step_not_exceeded(cook_job *job, void *user) {
  (void)user;
  const uint32_t first_bones[2] = {0, 12};
  cook_scene *scene = islands(job, first_bones, 2);
  const uint32_t *indices = mt_primitive(scene)->indices;
  build_split(job, scene, &(cook_options){.max_bones = 24});
  assert_int_equal(mt_primitive(scene)->section_count, 0);
  assert_ptr_equal(mt_primitive(scene)->indices, indices);
  assert_int_equal(job_issue_count(job), 0);
  build_split(job, scene, &(cook_options){0}); // no limit but the format's
  assert_int_equal(mt_primitive(scene)->section_count, 0);
  build_split(job, scene, &(cook_options){.max_bones = 23});
  assert_int_equal(mt_primitive(scene)->section_count, 2);
}

static void test_split_needs_an_exceeded_limit(void **state) {
  (void)state;
  mt_in_job(step_not_exceeded, NULL, 0);
}

// -- Few sections -----------------------------------------------------------------------------------------------------

/// Triangles of two bone groups take turns: a greedy split in their order needs one section each.
static void step_turns(cook_job *job, void *user) {
  (void)user;
  const uint32_t first_bones[8] = {0, 50, 0, 50, 1, 51, 1, 51};
  cook_scene *scene = islands(job, first_bones, 8);
  assert_int_equal(greedy_count(mt_primitive(scene), 13), 8);
  build_split(job, scene, &(cook_options){.max_bones = 13});
  const cook_primitive *primitive = mt_primitive(scene);
  assert_int_equal(primitive->section_count, 2);
  check_ranges(primitive, 13);
  const uint32_t sources[24] = {0, 1, 2, 6, 7,  8,  12, 13, 14, 18, 19, 20, // triangles 0, 2, 4, 6
                                3, 4, 5, 9, 10, 11, 15, 16, 17, 21, 22, 23};
  assert_memory_equal(primitive->source_of_vertex, sources, sizeof sources);
}

static void test_split_gathers_what_belongs_together(void **state) {
  (void)state;
  mt_in_job(step_turns, NULL, 0);
}

/// Shells of 12 and 8 bones whose unions of the right pairs are exactly full: 0-11 with 12-19, 30-41 with 42-49.
static void step_shells(cook_job *job, void *user) {
  (void)user;
  const uint32_t first_bones[4] = {0, 30, 8, 38}; // 8 … 19 and 38 … 49
  cook_scene *scene = islands(job, first_bones, 4);
  assert_int_equal(greedy_count(mt_primitive(scene), 20), 4);
  build_split(job, scene, &(cook_options){.max_bones = 20});
  const cook_primitive *primitive = mt_primitive(scene);
  assert_int_equal(primitive->section_count, 2);
  check_ranges(primitive, 20);
  for (uint32_t i = 0; i < 6; i++) assert_true(primitive->source_of_vertex[primitive->indices[i]] / 3 % 2 == 0);
}

static void test_split_merges_shells_while_their_bones_fit(void **state) {
  (void)state;
  mt_in_job(step_shells, NULL, 0);
}

// -- By lot -----------------------------------------------------------------------------------------------------------

typedef struct lot_sums {
  uint32_t ours, greedy;
} lot_sums;

static void lot_check(cook_job *job, uint64_t seed, lot_sums *sums) {
  static const uint32_t limits[5] = {12, 16, 24, 30, 75};
  const uint32_t cells = 2 + (uint32_t)(seed % 13), bone_count = 20 + (uint32_t)(seed * 37 % 200);
  const uint32_t limit = limits[seed % 5];
  const bool is_torn = seed % 3 == 1, is_wild = seed % 7 == 3, keeps_order = seed % 2 == 1;
  cook_scene *scenes[3];
  for (int i = 0; i < 3; i++) scenes[i] = sheet(job, seed, cells, bone_count, is_torn, is_wild);
  const cook_primitive *source = mt_primitive(scenes[0]), *found = mt_primitive(scenes[1]),
                       *again = mt_primitive(scenes[2]);
  for (int i = 1; i < 3; i++) {
    const cook_options options = {.max_bones = limit,
                                  .vertex_order = keeps_order ? COOK_ORDER_SOURCE : COOK_ORDER_STRIPS};
    build_split(job, scenes[i], &options);
    build_order(job, scenes[i], &options);
  }
  const uint32_t greedy = greedy_count(source, limit), ours = found->section_count == 0 ? 1 : found->section_count;
  assert_in_range(ours, 1, greedy);
  sums->ours += ours;
  sums->greedy += greedy;
  if (found->section_count == 0) return;
  check_ranges(found, limit);
  check_streams(found, source);
  assert_int_equal(found->index_count, source->index_count);
  assert_memory_equal(source_triples(job, found), source_triples(job, source), source->index_count * sizeof(uint32_t));
  assert_int_equal(again->section_count, found->section_count);
  assert_memory_equal(again->indices, found->indices, found->index_count * sizeof(uint32_t));
  assert_memory_equal(again->source_of_vertex, found->source_of_vertex, found->vertex_count * sizeof(uint32_t));
}

static void step_by_lot(cook_job *job, void *user) {
  lot_sums *sums = user;
  for (uint64_t seed = 0; seed < 200; seed++) {
    const cook_mark mark = job_mark(job);
    lot_check(job, seed, sums);
    job_release(job, mark);
  }
}

static void test_split_by_lot_loses_nothing_and_beats_greedy(void **state) {
  (void)state;
  lot_sums sums = {0, 0};
  mt_in_job(step_by_lot, &sums, 0);
  print_message("sections over 200 meshes: %u, greedy %u\n", sums.ours, sums.greedy);
  assert_true(sums.ours < sums.greedy);
}

// -- Border vertices and vertices without triangles -------------------------------------------------------------------

/// Two triangles share an edge; the third vertices of each need 8 more bones. The edge is made for both sections, the
/// vertex that no triangle uses (and whose bone would be too much) goes.
static void step_border(cook_job *job, void *user) {
  (void)user;
  const float positions[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {9, 9, 9}};
  const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
  cook_scene *scene = mt_one_primitive(job, positions, 5, indices, 6);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = 4;
  const uint16_t joints[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 99, 0, 0, 0};
  const float weights[20] = {0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f,
                             0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 1};
  primitive->joints = MT_COPY(job, joints, 20);
  primitive->weights = MT_COPY(job, weights, 20);
  build_split(job, scene, &(cook_options){.max_bones = 12});
  const uint32_t sources[6] = {0, 1, 2, 1, 2, 3}, vertices[5] = {0, 1, 2, 5, MPAK_NONE}, made[6] = {0, 1, 2, 4, 3, 5};
  assert_int_equal(primitive->section_count, 2);
  assert_int_equal(primitive->vertex_count, 6);
  assert_memory_equal(primitive->source_of_vertex, sources, sizeof sources);
  assert_memory_equal(primitive->vertex_of_source, vertices, sizeof vertices);
  assert_memory_equal(primitive->indices, made, sizeof made);
  check_ranges(primitive, 12);
}

static void test_split_makes_border_vertices_for_both_sides(void **state) {
  (void)state;
  mt_in_job(step_border, NULL, 0);
}

// -- Issues -----------------------------------------------------------------------------------------------------------

static void step_too_low(cook_job *job, void *user) {
  (void)user;
  const uint32_t first_bones[2] = {0, 12};
  cook_scene *scene = islands(job, first_bones, 2);
  build_split(job, scene, &(cook_options){.max_bones = 11});
}

static void test_split_limit_below_three_times_the_influences_is_issue_c030(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  assert_false(job_run(job, step_too_low, NULL));
  assert_int_equal(job_exit_code(job), 1);
  assert_string_equal(mt_find_issue(job, "MPAK-C030")->where.value, "4");
  assert_string_equal(mt_find_issue(job, "MPAK-C030")->where.limit, "11");
  job_end(job);
}

static void step_reported(cook_job *job, void *user) {
  (void)user;
  const uint32_t first_bones[3] = {0, 12, 24};
  build_split(job, islands(job, first_bones, 3), &(cook_options){.max_bones = 25});
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mt_find_issue(job, "MPAK-C031")->where.value, "36 bones became 2 sections");
}

static void test_split_is_reported_as_issue_c031(void **state) {
  (void)state;
  mt_in_job(step_reported, NULL, 0);
}

// -- The search and its end -------------------------------------------------------------------------------------------

/// With no steps left the search gives up and the greedy split stands.
static void step_budget(cook_job *job, void *user) {
  (void)user;
  const cook_scene *scene = sheet(job, 5, 8, 60, false, false);
  uint32_t bone_of_joint[60];
  for (uint32_t j = 0; j < 60; j++) bone_of_joint[j] = j;
  const split_pieces sets = split_sets(job, mt_primitive(scene), bone_of_joint, 60);
  split_plan plan;
  assert_false(split_merge(job, &sets, 16, &(split_budget){10}, &plan));
  assert_true(split_merge(job, &sets, 16, &(split_budget){1 << 20}, &plan));
  uint32_t *greedy = JOB_ARRAY(job, uint32_t, sets.triangle_count);
  assert_int_equal(split_greedy(job, &sets, 16, greedy), greedy_count(mt_primitive(scene), 16));
}

static void test_split_search_has_an_end(void **state) {
  (void)state;
  mt_in_job(step_budget, NULL, 0);
}

// -- Memory -----------------------------------------------------------------------------------------------------------

static void step_memory(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = sheet(job, 9, 4, 50, false, false);
  const cook_options options = {.max_bones = 16};
  build_split(job, scene, &options);
  build_order(job, scene, &options);
  assert_true(mt_primitive(scene)->section_count > 1);
}

/// Every allocation is refused once; each ends the job cleanly.
static void test_split_refused_allocations_end_cleanly(void **state) {
  (void)state;
  uint64_t calls = 1, failures = 0;
  for (uint64_t n = 0; n <= calls; n += n < 300 ? 1 : 13) { // 0: none
    mt_memory memory = {.refuse_at = n, .refuse_on = n % 2 == 0};
    const mpak_allocator allocator = mt_allocator(&memory);
    cook_job *job = job_begin(&allocator, &(cook_limits){.block_bytes = 1});
    if (job != NULL) {
      const bool is_through = job_run(job, step_memory, NULL);
      assert_int_equal(job_exit_code(job), is_through ? 0 : 6);
      failures += !is_through;
      job_end(job);
    }
    assert_int_equal(memory.held, 0);
    if (n == 0) calls = memory.calls;
  }
  print_message("%llu allocations, %llu refusals ended cleanly\n", (unsigned long long)calls,
                (unsigned long long)failures);
  assert_true(failures > 100);
}

// -- In a pack --------------------------------------------------------------------------------------------------------

static void step_pack(cook_job *job, void *user) {
  (void)user;
  const uint32_t first_bones[3] = {0, 5, 40}; // 0 … 16 (17 bones), 40 … 51
  cook_scene *scene = islands(job, first_bones, 3);
  mt_add_skin(job, scene, 52);
  cook_product product = {0};
  cook_scene_to_pack(job, scene, &(cook_options){.max_bones = 20}, &product);
  mpak_pack pack;
  assert_int_equal(
      mpak_open(product.bytes, product.byte_count, &(mpak_open_options){.decoder = mpak_zstd_decoder()}, &pack, NULL),
      MPAK_OK);
  assert_int_equal(pack.section_count, 2);
  assert_int_equal(pack.sections[0].bone_count, 17);
  assert_int_equal(pack.sections[1].bone_count, 12);
  assert_int_equal(pack.sections[1].first_bone, 17);
  for (uint32_t b = 0; b < 29; b++) assert_int_equal(pack.bones[b].joint, b < 17 ? b : b - 17 + 40);
  assert_int_equal(mpak_max_bones_per_section(&pack, 0), 17);
  assert_int_equal(mpak_max_bones_per_section(&pack, 1), 0); // there is no such level of detail
}

static void test_split_in_a_pack_has_a_bone_map_for_each_section(void **state) {
  (void)state;
  mt_in_job(step_pack, NULL, 0);
}

// -- The limit of a platform ------------------------------------------------------------------------------------------

static void test_bone_limit_is_resolved_by_the_rules(void **state) {
  (void)state;
  static const struct {
    bone_limit_rules rules;
    uint32_t limit;
  } cases[] = {
      {{0, 0, false}, 65536},     // nothing said
      {{0, 0, true}, 256},        // joint numbers of 8 bits
      {{65536, 0, false}, 65536}, // desktop
      {{256, 0, true}, 256},      // mobile
      {{75, 0, false}, 75},       // as the profile says
      {{75, 30, false}, 30},      // a legacy cap lowers
      {{30, 75, false}, 30},      // and never raises
      {{4, 0, false}, 12},        // not below 12
      {{100, 1, false}, 12},      // whoever says so
      {{257, 0, true}, 256},      // 8 bits
      {{257, 0, false}, 257},     // 16 bits
      {{70000, 0, false}, 65536}, // hard cap
      {{UINT32_MAX, 66000, false}, 65536},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(bone_limit_resolve(&cases[i].rules), cases[i].limit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_split_needs_an_exceeded_limit),
      cmocka_unit_test(test_split_gathers_what_belongs_together),
      cmocka_unit_test(test_split_merges_shells_while_their_bones_fit),
      cmocka_unit_test(test_split_by_lot_loses_nothing_and_beats_greedy),
      cmocka_unit_test(test_split_makes_border_vertices_for_both_sides),
      cmocka_unit_test(test_split_limit_below_three_times_the_influences_is_issue_c030),
      cmocka_unit_test(test_split_is_reported_as_issue_c031),
      cmocka_unit_test(test_split_search_has_an_end),
      cmocka_unit_test(test_split_refused_allocations_end_cleanly),
      cmocka_unit_test(test_split_in_a_pack_has_a_bone_map_for_each_section),
      cmocka_unit_test(test_bone_limit_is_resolved_by_the_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
