// The reader of FBX records and the pre-pass on damaged files: each ends with a tree that can be written and read
// again, or with a coded issue. MPAK_SOAK in the environment makes it ten times as long.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/fbx_emit.h"
#include "cooker/import/fbx_prepass.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_fbx.h"

/// A damaged file and what came of it.
typedef struct damage_step {
  const uint8_t *bytes;
  uint64_t byte_count;
  bool is_text;
} damage_step;

static void run_damaged(cook_job *job, void *user) {
  const damage_step *step = user;
  fbx_records *records = step->is_text ? fbx_text_read(job, step->bytes, step->byte_count)
                                       : fbx_records_read(job, step->bytes, step->byte_count);
  if (records->version < 7100) return;
  fbx_prepass(records);
  uint64_t byte_count;
  const uint8_t *again = fbx_emit(records, &byte_count);
  const fbx_records *read = fbx_records_read(job, again, byte_count);
  if (read->version != records->version) fail_msg("version %u became %u", records->version, read->version);
}

/// Bytes are copied to where nothing but the reader's own care keeps it inside.
static bool survives(const uint8_t *bytes, uint64_t byte_count, bool is_text) {
  cook_job *job = job_begin(NULL, NULL);
  uint8_t *exact = malloc(byte_count + 1);
  assert_non_null(exact);
  memcpy(exact, bytes, byte_count);
  exact[byte_count] = 0;
  damage_step step = {exact, byte_count, is_text};
  const bool is_read = job_run(job, run_damaged, &step);
  if (!is_read) assert_true(job_exit_code(job) == 4 || job_exit_code(job) == 6);
  free(exact);
  job_end(job);
  return is_read;
}

/// A real file, and what stands in for it where the shared folder is missing.
typedef struct damage_file {
  const char *shared, *sample; ///< sample NULL: the made ASCII file
  bool is_text;
} damage_file;

static const damage_file damage_files[] = {
    {"fbx_ufbx/maya_instanced_skin_7700_binary", "head_parts", false},
    {"fbx_ufbx/max_transformed_skin_7500_binary", "face_anim", false},
    {"fbx_ufbx/blender440_shape_weight_anim_7400_binary", "japanese_names", false},
    {"fbx_ufbx/zbrush_d20_7500_binary", "custom_normals", false},
    {"fbx_ozz/jog", "face60", false}, // MotionBuilder's
    {"fbx_ufbx/maya_blend_shape_cube_7700_ascii", NULL, true},
};
#define FILE_COUNT (int)(sizeof damage_files / sizeof *damage_files)

static uint8_t *damage_read(const damage_file *file, uint64_t *byte_count) {
  char path[4096];
  const char *shared = getenv("MPAK_SHARED") != NULL ? getenv("MPAK_SHARED") : "../shared";
  snprintf(path, sizeof path, "%s/assets/%s.fbx", shared, file->shared);
  uint8_t *bytes = mt_read(path, byte_count);
  if (bytes != NULL) return bytes;
  print_message("not run: 1 %s.fbx, another one instead\n", file->shared);
  snprintf(path, sizeof path, "samples/assets/%s.fbx", file->sample);
  bytes = mt_read(file->sample == NULL ? mt_fbx_file("damage", NULL) : mt_path(path), byte_count);
  assert_non_null(bytes);
  return bytes;
}

static uint32_t damage_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static void mutate_file(const damage_file *file, uint32_t count, uint32_t *read_count) {
  uint64_t byte_count, state = 77 + (uint64_t)(file - damage_files);
  uint8_t *bytes = damage_read(file, &byte_count);
  uint8_t *changed = malloc(byte_count);
  assert_non_null(changed);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(changed, bytes, byte_count);
    for (uint32_t n = 1u << damage_random(&state) % 5; n > 0; n--) // 1 to 16, mostly few
      changed[damage_random(&state) % byte_count] = (uint8_t)damage_random(&state);
    *read_count += survives(changed, byte_count, file->is_text);
  }
  free(changed);
  free(bytes);
}

static void test_fbx_damage_mutations_end_well(void **state) {
  (void)state;
  const uint32_t count = getenv("MPAK_SOAK") != NULL ? 100000 / FILE_COUNT : 10000 / FILE_COUNT;
  uint32_t read_count = 0;
  for (int number = 0; number < FILE_COUNT; number++) mutate_file(&damage_files[number], count, &read_count);
  assert_true(read_count > count / 10); // else the mutations never get behind the first records
  print_message("%u of %u damaged files read\n", read_count, count * FILE_COUNT);
}

static void test_fbx_damage_truncations_end_well(void **state) {
  (void)state;
  const uint64_t stride = getenv("MPAK_SOAK") != NULL ? 64 : 1024;
  for (int number = 0; number < FILE_COUNT; number++) {
    uint64_t byte_count;
    uint8_t *bytes = damage_read(&damage_files[number], &byte_count);
    for (uint64_t length = 0; length < byte_count; length += stride)
      survives(bytes, length, damage_files[number].is_text);
    free(bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_damage_mutations_end_well),
      cmocka_unit_test(test_fbx_damage_truncations_end_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
