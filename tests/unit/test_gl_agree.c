// One face, four ways: the reference in double precision, the CPU, morph in compute with skinning in the vertex shader,
// and the skin cache show the same vertices of the same pack; with every output, payload and kind of palette, in pieces
// and four individuals at once. What is compared is what a draw through the item's vertex array sees.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_gl_case.h"
#include "tests/support/mt_gl_draw.h"
#include "tests/support/mt_pose.h"

#define AGREE_POSITION    1e-5 ///< of the extent
#define AGREE_DIRECTION   1e-3 ///< rad
#define AGREE_INDIVIDUALS 6u
#define AGREE_MOST_ITEMS  256u

/// A way of moving and showing.
typedef struct agree_way {
  const char *name;
  mpak_gl_options options;
  mpak_gl_model_options model;
  mpak_gl_output_format output;
  bool keep_previous;
} agree_way;

static const agree_way ways[] = {
    {.name = "skin cache"},
    {.name = "inline", .options = {.technique = MPAK_GL_INLINE}},
    {.name = "inline, palette texture", .options = {.technique = MPAK_GL_INLINE, .without_vertex_storage = true}},
    {.name = "document's kernel", .options = {.technique = MPAK_GL_INLINE}, .model = {.document_kernel = true}},
    {.name = "skin cache, 24 bytes", .output = MPAK_GL_OUTPUT_24},
    {.name = "skin cache, interleaved", .output = MPAK_GL_OUTPUT_INTERLEAVED},
    {.name = "inline, interleaved", .options = {.technique = MPAK_GL_INLINE}, .output = MPAK_GL_OUTPUT_INTERLEAVED},
    {.name = "skin cache, pieces",
     .options = {.lower = {.max_storage_block_bytes = 64 << 10, .max_work_groups = {7, 3, 2}},
                 .without_buffer_storage = true}},
    {.name = "skin cache, two buffers", .keep_previous = true},
    {.name = "CPU", .options = {.technique = MPAK_GL_CPU}},
    {.name = "CPU, 24 bytes", .options = {.without_compute = true}, .output = MPAK_GL_OUTPUT_24},
};
#define WAY_COUNT (sizeof ways / sizeof ways[0])

/// Largest differences of a way, and how much was compared.
typedef struct agree_seen {
  double position, normal, tangent; ///< from the CPU
  double reference_position, reference_normal;
  uint64_t vertices, items;
  uint32_t techniques[4]; ///< parts moved by each
  uint64_t dispatches;
} agree_seen;

// -- What must be shown ----------------------------------------------------------------------------------------------

/// Vertices of one part of one instance at one moment, by the CPU and by the reference.
typedef struct agree_expected {
  uint32_t instance, part, vertex_count;
  mpak_base_vertex *vertices;
  double (*positions)[3], (*normals)[3];
  double extent;
} agree_expected;

/// The reference with the character's own matrices and weights, so that nothing but the deformation differs.
static void agree_pose_reference(const mpak_character *hero, void *memory, mpak_ref_pose *pose) {
  const mpak_pack *pack = hero->model->pack;
  assert_int_equal(mpak_ref_pose_init(pack, memory, mpak_ref_pose_bytes(pack), pose), MPAK_OK);
  for (uint32_t n = 0; n < pack->node_count; ++n)
    for (int i = 0; i < 12; ++i) pose->component[n][i] = (double)hero->pose.components[n].m[i];
  for (uint32_t i = 0; i < hero->output_count; ++i) {
    const mpak_morph_state *state = &hero->morph_states.states[i];
    for (uint32_t c = 0; c < state->control_count; ++c)
      pose->weights[pose->first_weight[state->instance] + c] = (double)state->weights[c];
  }
}

static agree_expected *agree_expect(const mt_gl_case *made) {
  const mpak_character *hero = made->hero;
  agree_expected *expected = calloc(hero->output_count + 1, sizeof *expected);
  void *memory = mt_pose_memory(mpak_ref_pose_bytes(&made->pack));
  mpak_ref_pose pose;
  assert_non_null(expected);
  agree_pose_reference(hero, memory, &pose);
  for (uint32_t o = 0; o < hero->output_count; ++o) {
    const mpak_character_output *output = &hero->outputs[o];
    agree_expected *one = &expected[o];
    one->instance = output->instance;
    one->part = output->part;
    one->vertex_count = made->pack.parts[output->part].vertex_count;
    one->vertices = malloc((one->vertex_count + 1) * sizeof *one->vertices);
    one->positions = malloc((one->vertex_count + 1) * sizeof *one->positions);
    one->normals = malloc((one->vertex_count + 1) * sizeof *one->normals);
    assert_true(one->vertices && one->positions && one->normals);
    memcpy(one->vertices, output->vertices, one->vertex_count * sizeof *one->vertices);
    mpak_ref_deform(&pose, one->instance, one->part, output->data, false,
                    &(mpak_ref_vertices){one->positions, one->normals, NULL});
    for (uint32_t v = 0; v < one->vertex_count; ++v)
      for (int i = 0; i < 3; ++i) one->extent = fmax(one->extent, fabs(one->positions[v][i]));
  }
  free(memory);
  return expected;
}

static void agree_forget(const mt_gl_case *made, agree_expected *expected) {
  for (uint32_t o = 0; o < made->hero->output_count; ++o) {
    free(expected[o].vertices);
    free(expected[o].positions);
    free(expected[o].normals);
  }
  free(expected);
}

// -- Comparison ------------------------------------------------------------------------------------------------------

static bool agree_is_zero(const float v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static void agree_compare_vertex(const agree_expected *expected, const mt_gl_vertex *vertex, uint32_t index,
                                 agree_seen *seen) {
  const mpak_base_vertex *want = &expected->vertices[index];
  const double *position = expected->positions[index], *normal = expected->normals[index];
  const float normal_float[3] = {(float)normal[0], (float)normal[1], (float)normal[2]};
  assert_true(mt_pose_all_finite(vertex->position, 13));
  for (int i = 0; i < 3 && expected->extent > 0; ++i) {
    const double difference = fabs((double)want->position[i] - (double)vertex->position[i]) / expected->extent;
    seen->position = fmax(seen->position, difference);
    seen->reference_position =
        fmax(seen->reference_position, fabs(position[i] - (double)vertex->position[i]) / expected->extent);
  }
  ++seen->vertices;
  if (agree_is_zero(want->normal)) return;
  seen->normal = fmax(seen->normal, mt_gl_angle(want->normal, vertex->normal));
  seen->reference_normal = fmax(seen->reference_normal, mt_gl_angle(normal_float, vertex->normal));
  if (agree_is_zero(want->tangent)) return;
  seen->tangent = fmax(seen->tangent, mt_gl_angle(want->tangent, vertex->tangent));
  assert_true(want->tangent[3] == vertex->tangent[3]);
}

/// Parts that are not skinned come in the space of their node; the CPU has moved them already.
static void agree_move(const mpak_gl_item *item, mt_gl_vertex *vertex) {
  mpak_base_vertex moved = {.position = {0, 0, 0, 1}};
  memcpy(moved.position, vertex->position, 12);
  memcpy(moved.normal, vertex->normal, 12);
  memcpy(moved.tangent, vertex->tangent, 16);
  mpak_move_vertices(&item->component_from_vertices, 1, &moved, &moved);
  memcpy(vertex->position, moved.position, 12);
  memcpy(vertex->normal, moved.normal, 12);
  memcpy(vertex->tangent, moved.tangent, 16);
}

static void agree_compare_item(const mt_gl_case *made, const mpak_gl *gl, const agree_way *way,
                               const mpak_gl_item *item, const agree_expected *expected, agree_seen *seen) {
  const mpak_part_data *data = &made->model->parts[item->part];
  const mpak_section *section = &made->pack.sections[item->section];
  const bool is_skinned = made->pack.instances[item->instance].skin != MPAK_NONE && data->joints;
  mt_gl_vertex *vertices = mt_gl_draw(gl, item, way->output);
  assert_int_equal(item->index_count, section->index_count);
  assert_int_equal(item->material, section->material);
  for (uint32_t i = 0; i < item->index_count; ++i) {
    const uint32_t index = mpak_index(data, section->first_index + i);
    assert_int_equal(vertices[i].index, index);
    if (!is_skinned) agree_move(item, &vertices[i]);
    agree_compare_vertex(expected, &vertices[i], index, seen);
    for (int k = 0; k < 3; ++k) { // bounds hold what is drawn
      const float slack = (float)expected->extent * 1e-5f;
      assert_true(vertices[i].position[k] >= item->bounds_min[k] - slack);
      assert_true(vertices[i].position[k] <= item->bounds_max[k] + slack);
    }
  }
  free(vertices);
  ++seen->items;
}

static void agree_compare_individual(const mt_gl_case *made, const mpak_gl *gl, const agree_way *way,
                                     mpak_gl_crowd *crowd, uint32_t individual, const agree_expected *expected,
                                     agree_seen *seen) {
  static mpak_gl_item items[AGREE_MOST_ITEMS];
  const uint32_t count = mpak_gl_crowd_extract(crowd, individual, items, AGREE_MOST_ITEMS);
  assert_true(count <= AGREE_MOST_ITEMS);
  assert_int_equal(count, mpak_gl_crowd_extract(crowd, individual, NULL, 0));
  uint32_t wanted = 0;
  for (uint32_t o = 0; o < made->hero->output_count; ++o)
    if (made->pack.parts[expected[o].part].lod == 0) wanted += made->pack.parts[expected[o].part].section_count;
  assert_int_equal(count, wanted);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t o = 0;
    while (expected[o].instance != items[i].instance || expected[o].part != items[i].part) ++o;
    agree_compare_item(made, gl, way, &items[i], &expected[o], seen);
  }
}

// -- A run -----------------------------------------------------------------------------------------------------------

/// Six moments as six individuals of a crowd, in one deform; then other moments, three of them only.
static void agree_run_crowd(mt_gl_case *made, mpak_gl *gl, const agree_way *way, mpak_gl_crowd *crowd,
                            agree_seen *seen) {
  agree_expected *expected[AGREE_INDIVIDUALS] = {NULL};
  for (uint32_t turn = 0; turn < 2; ++turn) {
    for (uint32_t i = 0; i < AGREE_INDIVIDUALS; i += 1 + turn) {
      mt_gl_case_pose(made, (i + 2 * turn) % AGREE_INDIVIDUALS);
      if (expected[i]) agree_forget(made, expected[i]);
      expected[i] = agree_expect(made);
      assert_int_equal(mpak_gl_crowd_show(crowd, i, &made->hero->pose, &made->hero->morph_states, 0), MPAK_OK);
    }
    if (mpak_gl_crowd_deform(crowd) != MPAK_OK) fail_msg("%s: %s", way->name, mpak_gl_error_text(gl));
    mpak_gl_make_writes_visible(gl);
    for (uint32_t i = 0; i < AGREE_INDIVIDUALS; ++i)
      agree_compare_individual(made, gl, way, crowd, i, expected[i], seen);
  }
  for (uint32_t i = 0; i < AGREE_INDIVIDUALS; ++i) agree_forget(made, expected[i]);
}

static void agree_run(mt_gl_case *made, mpak_gl *gl, const agree_way *way, agree_seen *seen) {
  const mpak_gl_crowd_options options = {.output = way->output, .keep_previous = way->keep_previous};
  mpak_gl_model *model;
  mpak_gl_crowd *crowd;
  agree_seen own = {0};
  if (mpak_gl_model_create(gl, &made->pack, &way->model, &model, NULL) != MPAK_OK)
    fail_msg("%s: %s", made->name, mpak_gl_error_text(gl));
  assert_int_equal(mpak_gl_crowd_create(model, AGREE_INDIVIDUALS, &options, &crowd), MPAK_OK);
  agree_run_crowd(made, gl, way, crowd, &own);
  for (uint32_t p = 0; p < made->pack.part_count; ++p) ++seen->techniques[mpak_gl_model_technique(model, p)];
  mpak_gl_crowd_destroy(crowd);
  mpak_gl_model_destroy(model);
  assert_int_equal(mt_seen.errors, 0);
  if (own.position > AGREE_POSITION || own.normal > AGREE_DIRECTION || own.tangent > AGREE_DIRECTION ||
      own.reference_position > AGREE_POSITION || own.reference_normal > AGREE_DIRECTION)
    fail_msg("%s, %s: %.2g, normals %.2g, tangents %.2g; from the reference %.2g, %.2g", made->name, way->name,
             own.position, own.normal, own.tangent, own.reference_position, own.reference_normal);
  seen->position = fmax(seen->position, own.position);
  seen->normal = fmax(seen->normal, own.normal);
  seen->tangent = fmax(seen->tangent, own.tangent);
  seen->reference_position = fmax(seen->reference_position, own.reference_position);
  seen->reference_normal = fmax(seen->reference_normal, own.reference_normal);
  seen->vertices += own.vertices;
  seen->items += own.items;
}

/// A way over all cases, with one mpak_gl, so that programs are compiled once.
static void agree_run_way(const agree_way *way, mt_gl_case *cases, uint32_t case_count, agree_seen *seen) {
  mpak_gl_options options = way->options;
  mpak_gl *gl;
  options.getproc = mt_gl_getproc;
  assert_int_equal(mpak_gl_create(&options, &gl), MPAK_OK);
  memset(seen, 0, sizeof *seen);
  for (uint32_t c = 0; c < case_count; ++c) agree_run(&cases[c], gl, way, seen);
  seen->dispatches = mpak_gl_device_counters(gl)->dispatches;
  mpak_gl_destroy(gl);
  mt_gl_draw_end(false);
  assert_int_equal(mt_seen.buffers + mt_seen.vertex_arrays + mt_seen.textures + mt_seen.programs + mt_seen.shaders, 0);
  printf(
      "print: %s: %llu vertices, %.2g of the extent, normals %.2g, tangents %.2g rad; from the reference %.2g, %.2g\n",
      way->name, (unsigned long long)seen->vertices, seen->position, seen->normal, seen->tangent,
      seen->reference_position, seen->reference_normal);
}

// -- Tests -----------------------------------------------------------------------------------------------------------

static const cook_options qualities[] = {
    {.quality = COOK_QUALITY_DEFAULT, .max_influences = 4, .max_bones = 12},
    {.quality = COOK_QUALITY_LOSSLESS},
    {.layout = COOK_LAYOUT_CSR64},
    {.quality = COOK_QUALITY_COMPACT},
    {.quality = COOK_QUALITY_HIGH},
};
#define QUALITY_COUNT (sizeof qualities / sizeof qualities[0])
static const char *const samples[] = {"samples/assets/custom_normals.glb", "samples/assets/face_anim.glb",
                                      "samples/assets/head_parts.glb",     "samples/assets/japanese_names.glb",
                                      "tests/data/models/mirrored.glb",    "samples/assets/face60.glb"};
#define SAMPLE_COUNT (sizeof samples / sizeof samples[0])

static void test_gl_agrees_on_the_samples(void **state) {
  (void)state;
  static mt_gl_case cases[QUALITY_COUNT * SAMPLE_COUNT];
  agree_seen seen, whole = {0};
  for (uint32_t i = 0; i < QUALITY_COUNT * SAMPLE_COUNT; ++i)
    assert_true(mt_gl_case_make(&cases[i], mt_path(samples[i / QUALITY_COUNT]), &qualities[i % QUALITY_COUNT]));
  for (uint32_t w = 0; w < WAY_COUNT; ++w) {
    const mpak_gl_technique forced = ways[w].options.technique;
    agree_run_way(&ways[w], cases, QUALITY_COUNT * SAMPLE_COUNT, &seen);
    assert_true(seen.items > 0);
    if (w == 0) whole = seen;
    if (ways[w].options.lower.max_storage_block_bytes) assert_true(seen.dispatches > whole.dispatches + 20);
    assert_true(seen.techniques[ways[w].options.without_compute ? MPAK_GL_CPU : forced ? forced : MPAK_GL_SKIN_CACHE]);
  }
  for (uint32_t i = 0; i < QUALITY_COUNT * SAMPLE_COUNT; ++i) mt_gl_case_free(&cases[i]);
}

static bool agree_is_gltf(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0 || strcmp(dot, ".vrm") == 0);
}

/// Cooks what the folders hold, the qualities by turns. Returns how many.
static uint32_t agree_cook_shared(mt_gl_case *cases, uint32_t capacity) {
  static const char *const folders[] = {"characters", "khronos", "morph", "skin", "assetgen", "sparse"};
  const char *shared = getenv("MPAK_SHARED") ? getenv("MPAK_SHARED") : "../shared";
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i) {
    char path[8192];
    snprintf(path, sizeof path, "%s/assets/%s", shared, folders[i]);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) && count < capacity;) {
      if (!agree_is_gltf(entry->d_name)) continue;
      snprintf(path, sizeof path, "%s/assets/%s/%s", shared, folders[i], entry->d_name);
      count += mt_gl_case_make(&cases[count], path, &qualities[count % QUALITY_COUNT]);
    }
    if (folder) closedir(folder);
  }
  return count;
}

static void test_gl_agrees_on_shared_characters(void **state) {
  (void)state;
  static mt_gl_case cases[200];
  agree_seen seen;
  const uint32_t count = agree_cook_shared(cases, sizeof cases / sizeof cases[0]);
  if (count == 0) {
    printf("not run: 1 comparison with the GPU on shared characters\n");
    skip();
  }
  assert_true(count >= 30);
  for (uint32_t w = 0; w < 2; ++w) agree_run_way(&ways[w], cases, count, &seen);
  for (uint32_t i = 0; i < count; ++i) mt_gl_case_free(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gl_agrees_on_the_samples),
      cmocka_unit_test(test_gl_agrees_on_shared_characters),
  };
  if (!mt_gl_open()) return 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
