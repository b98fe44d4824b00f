// Numbers of accessors: every component type, normalised or not, sparse, interleaved, absent; triangles of all modes.
// Expected values come from the formulas of glTF 2.0, sections 3.6.2.2 (integers), 3.6.2.3 (sparse) and 3.7.2.1
// (modes).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mt_gltf_case.h"

/// A file with one mesh of one primitive; attributes and more are JSON text.
static void values_mesh(mt_gltf *gltf, const char *attributes, const char *more) {
  mt_gltf_add(gltf, "meshes", "{'primitives':[{'attributes':{%s}%s}]}", attributes, more);
  mt_gltf_add(gltf, "nodes", "{'mesh':0}");
}

static const float square[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

static void assert_floats(const float *found, const float *expected, size_t count) {
  assert_non_null(found);
  for (size_t i = 0; i < count; i++)
    if (memcmp(&found[i], &expected[i], sizeof found[i]) != 0)
      fail_msg("value %zu is %.9g, not %.9g", i, (double)found[i], (double)expected[i]);
}

// -- Integers --------------------------------------------------------------------------------------------------------

typedef struct integer_case {
  int component;
  bool is_normalized;
  uint8_t bytes[12];
  uint32_t byte_count;
  float expected[3]; ///< the first three values
} integer_case;

static const integer_case integer_cases[] = {
    {5120, false, {0x80, 0x7F, 0xFF}, 3, {-128, 127, -1}},
    {5120, true, {0x80, 0x81, 0x40}, 3, {-1, -1, 64 / 127.0f}},
    {5121, false, {0, 0xFF, 0x80}, 3, {0, 255, 128}},
    {5121, true, {0, 0xFF, 0x01}, 3, {0, 1, 1 / 255.0f}},
    {5122, false, {0x00, 0x80, 0xFF, 0x7F, 0xFF, 0xFF}, 6, {-32768, 32767, -1}},
    {5122, true, {0x00, 0x80, 0x01, 0x80, 0x00, 0x40}, 6, {-1, -1, 16384 / 32767.0f}},
    {5123, false, {0x00, 0x80, 0xFF, 0xFF, 0x01, 0x00}, 6, {32768, 65535, 1}},
    {5123, true, {0x00, 0x80, 0xFF, 0xFF, 0x01, 0x00}, 6, {32768 / 65535.0f, 1, 1 / 65535.0f}},
    {5126, false, {0, 0, 0x80, 0x3F, 0, 0, 0, 0x80, 0, 0, 0xC0, 0xFF}, 12, {1, -0.0f, 0}},
};

/// The element stands three times in the view, 4-byte aligned, as vertices of one triangle.
static void values_check_integer(const integer_case *checked) {
  uint8_t bytes[36] = {0};
  const uint32_t stride = (checked->byte_count + 3) & ~3u;
  for (uint32_t v = 0; v < 3; v++) memcpy(bytes + v * stride, checked->bytes, checked->byte_count);
  char more[64];
  snprintf(more, sizeof more, ",'byteStride':%u", stride);
  mt_gltf *gltf = mt_gltf_new();
  const uint32_t view = mt_gltf_view(gltf, bytes, 3 * stride, more);
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':%d,'count':3,'type':'VEC3'%s}", view,
              checked->component, checked->is_normalized ? ",'normalized':true" : "");
  mt_gltf_add(gltf, "extensionsRequired", "'KHR_mesh_quantization'");
  values_mesh(gltf, "'POSITION':0", "");
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  assert_int_equal(job_issue_count(job), 0);
  // The last float of the float row is a NaN: values arrive as they are, and check/ judges them.
  const size_t compared = checked->component == 5126 ? 2 : 3;
  for (uint32_t v = 0; v < 3; v++)
    assert_floats(scene->meshes[0].primitives[0].positions[v], checked->expected, compared);
  if (compared == 2) assert_memory_equal(&scene->meshes[0].primitives[0].positions[0][2], checked->bytes + 8, 4);
  job_end(job);
}

static void test_gltf_values_of_every_component_type(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof integer_cases / sizeof integer_cases[0]; i++) values_check_integer(&integer_cases[i]);
}

// -- Layout ----------------------------------------------------------------------------------------------------------

static void test_gltf_values_interleaved_with_offsets(void **state) {
  (void)state;
  struct {
    float pad, normal[3], position[3];
    uint16_t texcoord[2];
  } vertices[3];
  memset(vertices, 0x55, sizeof vertices);
  for (int v = 0; v < 3; v++) {
    memcpy(vertices[v].position, square + 3 * v, sizeof vertices[v].position);
    memcpy(vertices[v].normal, (float[3]){0, 0, (float)(v + 1)}, sizeof vertices[v].normal);
    memcpy(vertices[v].texcoord, (uint16_t[2]){65535, (uint16_t)(v * 13107)}, sizeof vertices[v].texcoord);
  }
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_view(gltf, "before", 6, "");
  // The last element need not be followed by a whole stride: the view ends with its texture coordinate.
  const uint32_t view = mt_gltf_view(gltf, vertices, sizeof vertices, ",'byteStride':32");
  assert_int_equal(sizeof vertices[0], 32);
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'byteOffset':16,'componentType':5126,'count':3,'type':'VEC3'}",
              view);
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'byteOffset':4,'componentType':5126,'count':3,'type':'VEC3'}", view);
  mt_gltf_add(gltf, "accessors",
              "{'bufferView':%u,'byteOffset':28,'componentType':5123,'normalized':true,'count':3,'type':'VEC2'}", view);
  values_mesh(gltf, "'POSITION':0,'NORMAL':1,'TEXCOORD_3':2", "");
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_EMBEDDED);
  const cook_primitive *primitive = &scene->meshes[0].primitives[0];
  assert_int_equal(job_issue_count(job), 0);
  assert_floats(primitive->positions[0], square, 9);
  assert_floats(primitive->normals[0], (float[9]){0, 0, 1, 0, 0, 2, 0, 0, 3}, 9);
  assert_null(primitive->texcoords[0]);
  assert_floats(primitive->texcoords[3][0], (float[6]){1, 0, 1, 13107 / 65535.0f, 1, 26214 / 65535.0f}, 6);
  job_end(job);
}

/// sparse: JSON text of the sparse member for target 0's POSITION; has_base: it replaces elements of `square`.
static void values_check_sparse(const void *indices, uint32_t index_bytes, int component, bool has_base) {
  static const float values[6] = {7, 8, 9, -1, -2, -3};
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_floats(gltf, "VEC3", square, 4);
  const uint32_t index_view = mt_gltf_view(gltf, indices, index_bytes, "");
  const uint32_t value_view = mt_gltf_view(gltf, values, sizeof values, "");
  mt_gltf_add(gltf, "accessors",
              "{%s'componentType':5126,'count':4,'type':'VEC3','sparse':{'count':2,'indices':{'bufferView':%u,"
              "'componentType':%d},'values':{'bufferView':%u}}}",
              has_base ? "'bufferView':0," : "", index_view, component, value_view);
  values_mesh(gltf, "'POSITION':0", ",'mode':5,'targets':[{'POSITION':1}]");
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  assert_int_equal(job_issue_count(job), 0);
  const float with_base[12] = {0, 0, 0, 7, 8, 9, 0, 1, 0, -1, -2, -3};
  const float without[12] = {0, 0, 0, 7, 8, 9, 0, 0, 0, -1, -2, -3};
  assert_floats(scene->meshes[0].primitives[0].targets[0].position_deltas[0], has_base ? with_base : without, 12);
  assert_floats(scene->meshes[0].primitives[0].positions[0], square, 12);
  job_end(job);
}

static void test_gltf_values_sparse_with_and_without_base(void **state) {
  (void)state;
  static const uint8_t bytes[2] = {1, 3};
  static const uint16_t shorts[2] = {1, 3};
  static const uint32_t words[2] = {1, 3};
  for (int has_base = 0; has_base < 2; has_base++) {
    values_check_sparse(bytes, sizeof bytes, 5121, has_base);
    values_check_sparse(shorts, sizeof shorts, 5123, has_base);
    values_check_sparse(words, sizeof words, 5125, has_base);
  }
}

static void test_gltf_values_absent_view_is_zeros(void **state) {
  (void)state;
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_floats(gltf, "VEC3", square, 3);
  mt_gltf_add(gltf, "accessors", "{'componentType':5126,'count':3,'type':'VEC3'}");
  values_mesh(gltf, "'POSITION':0,'NORMAL':1", ",'targets':[{'POSITION':1},{'POSITION':0,'NORMAL':1}]");
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  const cook_primitive *primitive = &scene->meshes[0].primitives[0];
  assert_floats(primitive->normals[0], (float[9]){0}, 9);
  assert_null(primitive->targets[0].position_deltas); // a stream of zeros need not be there
  assert_null(primitive->targets[1].normal_deltas);
  assert_floats(primitive->targets[1].position_deltas[0], square, 9);
  job_end(job);
}

// -- Triangles -------------------------------------------------------------------------------------------------------

typedef struct mode_case {
  int mode;
  const char *component; ///< of the indices; NULL: none
  uint32_t source_count;
  uint32_t expected[12];
  uint32_t expected_count;
} mode_case;

static const mode_case mode_cases[] = {
    {4, NULL, 6, {0, 1, 2, 3, 4, 5}, 6},
    {4, "5121", 6, {5, 4, 3, 2, 1, 0}, 6},
    {5, NULL, 6, {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4}, 12},
    {5, "5123", 6, {5, 4, 3, 4, 2, 3, 3, 2, 1, 2, 0, 1}, 12},
    {6, NULL, 6, {1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0}, 12},
    {6, "5125", 6, {4, 3, 5, 3, 2, 5, 2, 1, 5, 1, 0, 5}, 12},
};

static void values_check_mode(const mode_case *checked) {
  static const float positions[18] = {0};
  static const uint8_t bytes[6] = {5, 4, 3, 2, 1, 0};
  static const uint16_t shorts[6] = {5, 4, 3, 2, 1, 0};
  static const uint32_t words[6] = {5, 4, 3, 2, 1, 0};
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_floats(gltf, "VEC3", positions, 6);
  char more[64];
  snprintf(more, sizeof more, ",'mode':%d%s", checked->mode, checked->component != NULL ? ",'indices':1" : "");
  if (checked->component != NULL && checked->component[3] == '1')
    mt_gltf_accessor(gltf, bytes, sizeof bytes, 5121, "SCALAR", 6, "");
  else if (checked->component != NULL && checked->component[3] == '3')
    mt_gltf_accessor(gltf, shorts, sizeof shorts, 5123, "SCALAR", 6, "");
  else if (checked->component != NULL)
    mt_gltf_accessor(gltf, words, sizeof words, 5125, "SCALAR", 6, "");
  values_mesh(gltf, "'POSITION':0", more);
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  const cook_primitive *primitive = &scene->meshes[0].primitives[0];
  assert_int_equal(primitive->source_index_count, checked->source_count);
  assert_int_equal(primitive->source_vertex_count, 6);
  assert_int_equal(primitive->index_count, checked->expected_count);
  assert_memory_equal(primitive->indices, checked->expected, checked->expected_count * sizeof(uint32_t));
  job_end(job);
}

static void test_gltf_values_lists_strips_and_fans(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mode_cases / sizeof mode_cases[0]; i++) values_check_mode(&mode_cases[i]);
}

// -- Colours and influences -------------------------------------------------------------------------------------------

typedef struct colour_case {
  int component;
  const char *type;
  uint8_t source[16];
  uint32_t source_bytes;
  uint8_t format;
  uint8_t expected[16];
  uint32_t expected_bytes;
} colour_case;

static const colour_case colour_cases[] = {
    {5121, "VEC3", {1, 2, 3}, 3, MPAK_FORMAT_UNORM8X3, {1, 2, 3, 255}, 4},
    {5121, "VEC4", {1, 2, 3, 4}, 4, MPAK_FORMAT_UNORM8X4, {1, 2, 3, 4}, 4},
    {5123, "VEC3", {1, 2, 3, 4, 5, 6}, 6, MPAK_FORMAT_UNORM16X3, {1, 2, 3, 4, 5, 6, 255, 255}, 8},
    {5123, "VEC4", {1, 2, 3, 4, 5, 6, 7, 8}, 8, MPAK_FORMAT_UNORM16X4, {1, 2, 3, 4, 5, 6, 7, 8}, 8},
    {5126, "VEC3", {0, 0, 0x80, 0x3F}, 12, MPAK_FORMAT_F32X3, {0, 0, 0x80, 0x3F}, 12},
    {5126, "VEC4", {0, 0, 0x80, 0x3F}, 16, MPAK_FORMAT_F32X4, {0, 0, 0x80, 0x3F}, 16},
};

static void values_check_colour(const colour_case *checked) {
  uint8_t bytes[48];
  for (uint32_t v = 0; v < 3; v++) memcpy(bytes + v * checked->source_bytes, checked->source, checked->source_bytes);
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_floats(gltf, "VEC3", square, 3);
  mt_gltf_accessor(gltf, bytes, 3 * checked->source_bytes, checked->component, checked->type, 3,
                   checked->component == 5126 ? "" : ",'normalized':true");
  values_mesh(gltf, "'POSITION':0,'COLOR_0':1", "");
  cook_job *job = job_begin(NULL, NULL);
  const cook_primitive *primitive = &mt_gltf_read(job, gltf, MT_GLB)->meshes[0].primitives[0];
  assert_int_equal(primitive->colour_format, checked->format);
  for (uint32_t v = 0; v < 3; v++)
    assert_memory_equal(primitive->colours + v * checked->expected_bytes, checked->expected, checked->expected_bytes);
  job_end(job);
}

static void test_gltf_values_colours_keep_their_type(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof colour_cases / sizeof colour_cases[0]; i++) values_check_colour(&colour_cases[i]);
}

static void test_gltf_values_three_joint_sets_side_by_side(void **state) {
  (void)state;
  static const uint8_t set0[12] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
  static const uint16_t set1[12] = {500, 6, 7, 8, 500, 6, 7, 8, 500, 6, 7, 8};
  static const uint8_t set2[12] = {9, 10, 11, 12, 9, 10, 11, 12, 9, 10, 11, 12};
  static const uint8_t weights[12] = {255, 0, 51, 0, 255, 0, 51, 0, 255, 0, 51, 0};
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_floats(gltf, "VEC3", square, 3);
  mt_gltf_accessor(gltf, set0, sizeof set0, 5121, "VEC4", 3, "");
  mt_gltf_accessor(gltf, set1, sizeof set1, 5123, "VEC4", 3, "");
  mt_gltf_accessor(gltf, set2, sizeof set2, 5121, "VEC4", 3, "");
  mt_gltf_accessor(gltf, weights, sizeof weights, 5121, "VEC4", 3, ",'normalized':true");
  values_mesh(gltf, "'WEIGHTS_2':4,'JOINTS_2':3,'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':4,'JOINTS_1':2,'WEIGHTS_1':4",
              "");
  cook_job *job = job_begin(NULL, NULL);
  const cook_primitive *primitive = &mt_gltf_read(job, gltf, MT_GLB)->meshes[0].primitives[0];
  static const uint16_t joints[12] = {1, 2, 3, 4, 500, 6, 7, 8, 9, 10, 11, 12};
  static const float expected[12] = {1, 0, 0.2f, 0, 1, 0, 0.2f, 0, 1, 0, 0.2f, 0};
  assert_int_equal(primitive->influence_count, 12);
  for (uint32_t v = 0; v < 3; v++) {
    assert_memory_equal(primitive->joints + 12 * v, joints, sizeof joints);
    assert_floats(primitive->weights + 12 * v, expected, 12);
  }
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_values_of_every_component_type),
      cmocka_unit_test(test_gltf_values_interleaved_with_offsets),
      cmocka_unit_test(test_gltf_values_sparse_with_and_without_base),
      cmocka_unit_test(test_gltf_values_absent_view_is_zeros),
      cmocka_unit_test(test_gltf_values_lists_strips_and_fans),
      cmocka_unit_test(test_gltf_values_colours_keep_their_type),
      cmocka_unit_test(test_gltf_values_three_joint_sets_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
