// EXT_meshopt_compression: what the library's encoders write comes out of the reader, through every mode and filter.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_gltf_case.h"

#define COUNT 24u

/// A grid of vertices that no filter rounds: small whole numbers.
static void meshopt_positions(float positions[COUNT][3]) {
  for (uint32_t v = 0; v < COUNT; v++) {
    positions[v][0] = (float)(v % 6);
    positions[v][1] = (float)(v / 6);
    positions[v][2] = (float)(v * v % 7) - 3;
  }
}

/// Adds compressed bytes, and a view that decodes to count elements of stride bytes in a buffer that is only a
/// fallback.
static uint32_t meshopt_view(mt_gltf *gltf, const uint8_t *bytes, size_t byte_count, uint32_t count, uint32_t stride,
                             const char *mode, const char *filter) {
  const uint32_t raw = mt_gltf_view(gltf, bytes, (uint32_t)byte_count, "");
  char offset_text[32];
  uint64_t buffer_bytes = 0;
  const uint8_t *buffer = mt_gltf_buffer(gltf, &buffer_bytes);
  snprintf(offset_text, sizeof offset_text, "%zu", (size_t)(mt_gltf_view_bytes(gltf, raw) - buffer));
  return mt_gltf_add(
      gltf, "bufferViews",
      "{'buffer':1,'byteOffset':0,'byteLength':%u,'byteStride':%u,'extensions':{"
      "'EXT_meshopt_compression':{'buffer':0,'byteOffset':%s,'byteLength':%zu,'byteStride':%u,'count':%u,"
      "'mode':'%s','filter':'%s'}}}",
      count * stride, stride, offset_text, byte_count, stride, count, mode, filter);
}

static uint32_t meshopt_vertices(mt_gltf *gltf, const void *vertices, uint32_t count, uint32_t stride,
                                 const char *filter) {
  uint8_t bytes[8192];
  const size_t byte_count = meshopt_encodeVertexBuffer(bytes, sizeof bytes, vertices, count, stride);
  assert_true(byte_count != 0);
  return meshopt_view(gltf, bytes, byte_count, count, stride, "ATTRIBUTES", filter);
}

/// Two buffers: the second has no data at all, as gltfpack -c writes it.
static cook_scene *meshopt_read(cook_job *job, mt_gltf *gltf) {
  mt_gltf_add(gltf, "extensionsUsed", "'EXT_meshopt_compression'");
  mt_gltf_add(gltf, "extensionsRequired", "'EXT_meshopt_compression'");
  mt_gltf_add(gltf, "extensionsRequired", "'KHR_mesh_quantization'");
  mt_gltf_patch(gltf, "}],'bufferViews'",
                "},{'byteLength':65536,'extensions':{'EXT_meshopt_compression':{'fallback':true}}}],'bufferViews'");
  cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  assert_int_equal(job_issue_count(job), 0);
  return scene;
}

static void meshopt_mesh(mt_gltf *gltf, const char *attributes, const char *more) {
  mt_gltf_add(gltf, "meshes", "{'primitives':[{'attributes':{%s}%s}]}", attributes, more);
}

// -- Modes -----------------------------------------------------------------------------------------------------------

static uint32_t meshopt_add_positions(mt_gltf *gltf) {
  float positions[COUNT][3];
  meshopt_positions(positions);
  const uint32_t view = meshopt_vertices(gltf, positions, COUNT, 12, "NONE");
  return mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':5126,'count':24,'type':'VEC3'}", view);
}

static void test_gltf_meshopt_attributes_decode(void **state) {
  (void)state;
  float positions[COUNT][3];
  meshopt_positions(positions);
  mt_gltf *gltf = mt_gltf_new();
  meshopt_add_positions(gltf);
  meshopt_mesh(gltf, "'POSITION':0", "");
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = meshopt_read(job, gltf);
  assert_memory_equal(scene->meshes[0].primitives[0].positions, positions, sizeof positions);
  job_end(job);
}

/// Indices of both modes and both sizes. The codec for triangles may turn a triangle round its corners.
static void meshopt_check_indices(bool is_triangles, uint32_t stride) {
  static const uint32_t indices[12] = {0, 1, 6, 6, 1, 7, 1, 2, 7, 7, 2, 8};
  uint8_t bytes[1024];
  const size_t byte_count = is_triangles ? meshopt_encodeIndexBuffer(bytes, sizeof bytes, indices, 12)
                                         : meshopt_encodeIndexSequence(bytes, sizeof bytes, indices, 12);
  mt_gltf *gltf = mt_gltf_new();
  meshopt_add_positions(gltf);
  const uint32_t view =
      meshopt_view(gltf, bytes, byte_count, 12, stride, is_triangles ? "TRIANGLES" : "INDICES", "NONE");
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':%d,'count':12,'type':'SCALAR'}", view,
              stride == 2 ? 5123 : 5125);
  meshopt_mesh(gltf, "'POSITION':0", ",'indices':1");
  cook_job *job = job_begin(NULL, NULL);
  const cook_primitive *primitive = &meshopt_read(job, gltf)->meshes[0].primitives[0];
  assert_int_equal(primitive->index_count, 12);
  for (uint32_t t = 0; t < 4; t++) {
    const uint32_t *found = primitive->indices + 3 * t, *expected = indices + 3 * t;
    bool is_same = false;
    for (uint32_t turn = 0; turn < 3; turn++)
      is_same = is_same || (found[turn] == expected[0] && found[(turn + 1) % 3] == expected[1] &&
                            found[(turn + 2) % 3] == expected[2]);
    assert_true(is_same);
    if (!is_triangles) assert_memory_equal(found, expected, 3 * sizeof *found);
  }
  job_end(job);
}

static void test_gltf_meshopt_indices_decode(void **state) {
  (void)state;
  for (uint32_t stride = 2; stride <= 4; stride += 2) {
    meshopt_check_indices(true, stride);
    meshopt_check_indices(false, stride);
  }
}

// -- Filters ---------------------------------------------------------------------------------------------------------

/// Directions all over the sphere; the filters keep 8 or 16 bits of them.
static void meshopt_directions(float directions[COUNT][4]) {
  for (uint32_t v = 0; v < COUNT; v++) {
    const float x = (float)(v % 5) - 2, y = (float)(v % 7) - 3, z = (float)(v % 3) - 0.9f;
    const float length = sqrtf(x * x + y * y + z * z);
    directions[v][0] = x / length;
    directions[v][1] = y / length;
    directions[v][2] = z / length;
    directions[v][3] = v % 2 == 0 ? 1.0f : -1.0f;
  }
}

static void meshopt_check_octahedral(uint32_t stride) {
  const int bits = stride == 4 ? 8 : 16;
  float directions[COUNT][4];
  uint8_t encoded[COUNT * 8];
  meshopt_directions(directions);
  meshopt_encodeFilterOct(encoded, COUNT, stride, bits, directions[0]);
  mt_gltf *gltf = mt_gltf_new();
  meshopt_add_positions(gltf);
  const uint32_t view = meshopt_vertices(gltf, encoded, COUNT, stride, "OCTAHEDRAL");
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':%d,'normalized':true,'count':24,'type':'VEC4'}",
              view, stride == 4 ? 5120 : 5122);
  meshopt_mesh(gltf, "'POSITION':0,'TANGENT':1", "");
  cook_job *job = job_begin(NULL, NULL);
  const cook_primitive *primitive = &meshopt_read(job, gltf)->meshes[0].primitives[0];
  const double tolerance = bits == 8 ? 0.02 : 1e-4;
  for (uint32_t v = 0; v < COUNT; v++)
    for (int c = 0; c < 4; c++) assert_true(fabs((double)primitive->tangents[v][c] - directions[v][c]) < tolerance);
  job_end(job);
}

static void test_gltf_meshopt_octahedral_filter(void **state) {
  (void)state;
  meshopt_check_octahedral(4);
  meshopt_check_octahedral(8);
}

static void meshopt_clip(mt_gltf *gltf, const char *path) {
  float times[COUNT];
  for (uint32_t k = 0; k < COUNT; k++) times[k] = (float)k;
  const uint32_t input = mt_gltf_floats(gltf, "SCALAR", times, COUNT);
  mt_gltf_add(gltf, "nodes", "{'name':'moved'}");
  mt_gltf_add(gltf, "animations",
              "{'channels':[{'sampler':0,'target':{'node':0,'path':'%s'}}],'samplers':[{'input':%u,'output':0}]}", path,
              input);
}

static void test_gltf_meshopt_quaternion_filter(void **state) {
  (void)state;
  float rotations[COUNT][4];
  uint8_t encoded[COUNT * 8];
  meshopt_directions(rotations);
  for (uint32_t k = 0; k < COUNT; k++)
    for (int c = 0; c < 4; c++) rotations[k][c] *= 0.70710678f; // length 1 with the fourth component +-1 before
  meshopt_encodeFilterQuat(encoded, COUNT, 8, 12, rotations[0]);
  mt_gltf *gltf = mt_gltf_new();
  const uint32_t view = meshopt_vertices(gltf, encoded, COUNT, 8, "QUATERNION");
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':5122,'normalized':true,'count':24,'type':'VEC4'}",
              view);
  meshopt_clip(gltf, "rotation");
  cook_job *job = job_begin(NULL, NULL);
  const cook_track *track = &meshopt_read(job, gltf)->clips[0].tracks[0];
  for (uint32_t k = 0; k < COUNT; k++) {
    double dot = 0;
    for (int c = 0; c < 4; c++) dot += (double)track->values[4 * k + (uint32_t)c] * rotations[k][c];
    assert_true(fabs(dot) > 0.9999); // 12 bits a component; q and -q turn alike
  }
  job_end(job);
}

static void test_gltf_meshopt_exponential_filter(void **state) {
  (void)state;
  float positions[COUNT][3];
  uint8_t encoded[COUNT * 12];
  meshopt_positions(positions);
  for (uint32_t k = 0; k < COUNT; k++) positions[k][0] *= 1000.5f;
  meshopt_encodeFilterExp(encoded, COUNT, 12, 15, positions[0]);
  mt_gltf *gltf = mt_gltf_new();
  const uint32_t view = meshopt_vertices(gltf, encoded, COUNT, 12, "EXPONENTIAL");
  mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':5126,'count':24,'type':'VEC3'}", view);
  meshopt_clip(gltf, "translation");
  cook_job *job = job_begin(NULL, NULL);
  const cook_track *track = &meshopt_read(job, gltf)->clips[0].tracks[0];
  for (uint32_t k = 0; k < COUNT; k++)
    for (uint32_t c = 0; c < 3; c++) assert_true(fabs((double)track->values[3 * k + c] - positions[k][c]) <= 1.0);
  job_end(job);
}

// -- Cut off ----------------------------------------------------------------------------------------------------------

/// Every shorter length of a stream is refused with the issue for it.
static void test_gltf_meshopt_cut_streams_are_refused(void **state) {
  (void)state;
  float positions[COUNT][3];
  uint8_t bytes[8192];
  meshopt_positions(positions);
  const size_t whole = meshopt_encodeVertexBuffer(bytes, sizeof bytes, positions, COUNT, 12);
  for (size_t length = 0; length < whole; length++) {
    mt_gltf *gltf = mt_gltf_new();
    mt_gltf_view(gltf, "....", 4, ""); // so that the buffer is never empty
    const uint32_t view = meshopt_view(gltf, bytes, length, COUNT, 12, "ATTRIBUTES", "NONE");
    mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':5126,'count':24,'type':'VEC3'}", view);
    meshopt_mesh(gltf, "'POSITION':0", "");
    mt_gltf_patch(gltf, "}],'bufferViews'", "},{'byteLength':65536}],'bufferViews'");
    uint64_t byte_count = 0;
    uint8_t *file = mt_gltf_to_glb(gltf, &byte_count);
    mt_gltf_free(gltf);
    cook_job *job = job_begin(NULL, NULL);
    assert_null(mt_gltf_import(job, "cut.glb", file, byte_count));
    assert_int_equal(job_issue_at(job, 0)->id, MPAK_F030);
    job_end(job);
    free(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_meshopt_attributes_decode),
      cmocka_unit_test(test_gltf_meshopt_indices_decode),
      cmocka_unit_test(test_gltf_meshopt_octahedral_filter),
      cmocka_unit_test(test_gltf_meshopt_quaternion_filter),
      cmocka_unit_test(test_gltf_meshopt_exponential_filter),
      cmocka_unit_test(test_gltf_meshopt_cut_streams_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
