// The glTF reader on damaged files and without memory: every byte changed, every length, every allocation refused. The
// files are copied into memory of exactly their size, so a sanitizer sees each step outside.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_cook.h"
#include "tests/support/mt_gltf_case.h"

static uint8_t *damage_character(mt_gltf_form form, uint64_t *byte_count) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  uint8_t *bytes = form == MT_GLB ? mt_gltf_to_glb(gltf, byte_count) : mt_gltf_to_embedded(gltf, byte_count);
  mt_gltf_free(gltf);
  return bytes;
}

// -- Damage ----------------------------------------------------------------------------------------------------------

typedef struct damage_counts {
  uint64_t read, refused;
  double sum; ///< of all that was read: reading is the test
} damage_counts;

/// Adds up everything that a stage would read, so that nothing behind the scene's pointers is missing.
static double damage_sum_primitive(const cook_primitive *primitive) {
  double sum = 0;
  for (uint32_t i = 0; i < primitive->index_count; i++) sum += primitive->positions[primitive->indices[i]][0];
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    if (primitive->normals != NULL) sum += primitive->normals[v][2];
    if (primitive->tangents != NULL) sum += primitive->tangents[v][3];
    for (int set = 0; set < 4; set++) sum += primitive->texcoords[set] != NULL ? primitive->texcoords[set][v][1] : 0;
    for (uint32_t k = 0; k < primitive->influence_count; k++)
      sum += primitive->weights[v * primitive->influence_count + k] +
             primitive->joints[v * primitive->influence_count + k];
    for (uint32_t t = 0; t < primitive->target_count; t++)
      sum += primitive->targets[t].position_deltas != NULL ? primitive->targets[t].position_deltas[v][2] : 0;
  }
  return sum;
}

static double damage_sum(const cook_scene *scene) {
  double sum = 0;
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++)
      sum += damage_sum_primitive(&scene->meshes[m].primitives[p]);
  for (uint32_t c = 0; c < scene->clip_count; c++)
    for (uint32_t t = 0; t < scene->clips[c].track_count; t++) {
      const cook_track *track = &scene->clips[c].tracks[t];
      assert_true(track->node < scene->node_count);
      for (uint64_t i = 0; i < track->value_count; i++) sum += track->values[i];
    }
  return sum;
}

/// A refused file has an issue and an exit code for content, files, parsing or limits.
static void damage_read(const uint8_t *bytes, uint64_t byte_count, damage_counts *counts) {
  cook_job *job = job_begin(NULL, &(cook_limits){.memory_bytes = 64 << 20, .dense_bytes = 16 << 20});
  const cook_scene *scene = mt_gltf_import(job, "damaged.glb", bytes, byte_count);
  const int code = job_exit_code(job);
  if (scene != NULL) {
    counts->sum += damage_sum(scene);
    counts->read++;
    assert_int_equal(code, 0);
  } else {
    counts->refused++;
    assert_true(job_issue_count(job) != 0);
    assert_true(code == 1 || code == 3 || code == 4 || code == 6);
  }
  job_end(job);
}

/// step 1 changes each byte; the text form, which is mostly base64, takes every fifth.
static void damage_each_byte(uint8_t *bytes, uint64_t byte_count, uint64_t step, damage_counts *counts) {
  for (uint64_t i = 0; i < byte_count; i += step) {
    const uint8_t kept = bytes[i];
    const uint8_t others[] = {0, 255, (uint8_t)(kept + 1), (uint8_t)(kept - 1), (uint8_t)(kept ^ 0x80), '9'};
    for (size_t o = 0; o < sizeof others; o++) {
      bytes[i] = others[o];
      damage_read(bytes, byte_count, counts);
    }
    bytes[i] = kept;
  }
}

static void test_gltf_damage_each_byte_changed(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    uint64_t byte_count = 0;
    uint8_t *bytes = damage_character((mt_gltf_form)form, &byte_count);
    damage_counts counts = {0};
    damage_each_byte(bytes, byte_count, form == MT_GLB ? 1 : 5, &counts);
    print_message("%llu changed files: %llu read, %llu refused\n", (unsigned long long)(counts.read + counts.refused),
                  (unsigned long long)counts.read, (unsigned long long)counts.refused);
    assert_true(counts.refused > 1000);
    free(bytes);
  }
}

static void test_gltf_damage_each_length(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    uint64_t byte_count = 0;
    uint8_t *bytes = damage_character((mt_gltf_form)form, &byte_count);
    damage_counts counts = {0};
    for (uint64_t length = 0; length < byte_count; length++) damage_read(bytes, length, &counts);
    assert_int_equal(counts.read, 0); // no shorter one is whole
    free(bytes);
  }
}

// -- Memory ----------------------------------------------------------------------------------------------------------

/// Refuses one allocation, or all from there on. Returns whether the file was read.
static bool damage_read_with(uint64_t refuse_at, bool refuse_on, const uint8_t *bytes, uint64_t byte_count,
                             uint64_t *calls) {
  mt_memory memory = {.refuse_at = refuse_at, .refuse_on = refuse_on};
  const mpak_allocator allocator = mt_allocator(&memory);
  cook_job *job = job_begin(&allocator, NULL);
  bool is_read = false;
  if (job != NULL) {
    is_read = mt_gltf_import(job, "memory.glb", bytes, byte_count) != NULL;
    assert_int_equal(job_exit_code(job), is_read ? 0 : 6);
    job_end(job);
  }
  assert_int_equal(memory.held, 0);
  *calls = memory.calls;
  return is_read;
}

/// A model large enough to need many blocks of memory: 60 sparse targets of 22,000 vertices, and 3,000 nodes.
static uint8_t *damage_large(uint64_t *byte_count) {
  static const float positions[3 * 22000];
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_floats(gltf, "VEC3", positions, 22000);
  mt_gltf_add(gltf, "accessors",
              "{'componentType':5126,'count':22000,'type':'VEC3','sparse':{'count':1,'indices':{'bufferView':0,"
              "'componentType':5125},'values':{'bufferView':0}}}");
  char targets[2048] = "{'POSITION':1}";
  for (int t = 1; t < 60; t++) strcat(targets, ",{'POSITION':1}");
  mt_gltf_add(gltf, "meshes", "{'primitives':[{'attributes':{'POSITION':0},'mode':5,'targets':[%s]}]}", targets);
  for (int i = 0; i < 3000; i++) mt_gltf_add(gltf, "nodes", "{'name':'a node with a long name, number %d'}", i);
  uint8_t *bytes = mt_gltf_to_glb(gltf, byte_count);
  mt_gltf_free(gltf);
  return bytes;
}

static void test_gltf_damage_each_allocation_refused(void **state) {
  (void)state;
  uint64_t byte_count = 0, calls = 0;
  uint8_t *bytes = damage_large(&byte_count);
  assert_true(damage_read_with(0, false, bytes, byte_count, &calls));
  const uint64_t all = calls;
  for (uint64_t n = 1; n <= all; n++) {
    assert_false(damage_read_with(n, false, bytes, byte_count, &calls));
    assert_false(damage_read_with(n, true, bytes, byte_count, &calls));
  }
  print_message("%llu allocations, each refused once and for ever\n", (unsigned long long)all);
  assert_true(all > 60);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_damage_each_byte_changed),
      cmocka_unit_test(test_gltf_damage_each_length),
      cmocka_unit_test(test_gltf_damage_each_allocation_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
