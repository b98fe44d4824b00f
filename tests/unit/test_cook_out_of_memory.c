// Allocation n = 1, 2, 3 … fails, once and for ever after, over the whole cook with the exact reader in this process:
// exit code 6 or success, and nothing is leaked.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/mt_cook.h"

#define FAILURES_AT_LEAST 100

/// What is cooked.
typedef struct memory_case {
  const char *source;
  const char *clip_file; ///< whose clips are added, or NULL
  cook_layout layout;
  bool clips_only;
  uint32_t lods;   ///< --lods
  uint32_t stride; ///< every how many allocations are refused behind the first 400; 0: 7
  cook_quality quality;
  cook_compress compress;
} memory_case;

/// Exit code of a cook whose memory is refused from or at call n. Every arena allocation is a call of its own.
static int cook_with(mt_memory *memory, const memory_case *asked, uint64_t *pack_bytes) {
  const mpak_allocator allocator = mt_allocator(memory);
  const cook_limits limits = {.block_bytes = 1};
  cook_job *job = job_begin(&allocator, &limits);
  if (job == NULL) return 6;
  const char *clip_file = asked->clip_file != NULL ? mt_path(asked->clip_file) : NULL;
  const cook_options options = {.layout = asked->layout,
                                .quality = asked->quality,
                                .compress = asked->compress,
                                .source_map = true,
                                .clip_files = &clip_file,
                                .clip_file_count = clip_file != NULL,
                                .clips_only = asked->clips_only,
                                .lods = asked->lods};
  cook_product product = {0};
  const int code = mt_cook_file(job, mt_path(asked->source), &options, &product);
  *pack_bytes = code == 0 ? product.file_bytes : 0;
  job_end(job);
  return code;
}

static void fail_each(const memory_case *asked) {
  mt_memory sound = {0};
  uint64_t expected_bytes = 0;
  assert_int_equal(cook_with(&sound, asked, &expected_bytes), 0);
  assert_int_equal(sound.held, 0);
  uint64_t failures = 0;
  const uint64_t stride = asked->stride != 0 ? asked->stride : 7;
  for (uint64_t n = 1; n <= sound.calls; n += n < 400 ? 1 : stride) {
    for (int on = 0; on < 2; on++) {
      mt_memory memory = {.refuse_at = n, .refuse_on = on == 1};
      uint64_t pack_bytes = 0;
      const int code = cook_with(&memory, asked, &pack_bytes);
      if (memory.held != 0 || (code != 6 && code != 0))
        fail_msg("allocation %llu refused: exit %d, %lld held", (unsigned long long)n, code, (long long)memory.held);
      assert_true(code == 6 || pack_bytes == expected_bytes);
      failures += code == 6;
    }
  }
  printf("print: %s: %llu allocations, %llu injected failures ended cleanly\n", asked->source,
         (unsigned long long)sound.calls, (unsigned long long)failures);
  assert_true(failures >= FAILURES_AT_LEAST);
}

static void test_cook_refused_allocations_end_cleanly_blk64(void **state) {
  (void)state;
  fail_each(&(memory_case){.source = "samples/assets/custom_normals.glb"});
}

static void test_cook_refused_allocations_end_cleanly_csr64_skin_and_clips(void **state) {
  (void)state;
  fail_each(&(memory_case){.source = "samples/assets/face_anim.glb", .layout = COOK_LAYOUT_CSR64});
}

static void test_cook_refused_allocations_end_cleanly_clip_files(void **state) {
  (void)state;
  const char *face = "samples/assets/face_anim.glb";
  fail_each(&(memory_case){.source = face, .clips_only = true});
  fail_each(&(memory_case){.source = face, .clip_file = face});
}

static void test_cook_refused_allocations_end_cleanly_levels_of_detail(void **state) {
  (void)state;
  fail_each(&(memory_case){.source = "samples/assets/custom_normals.glb", .lods = 2, .stride = 61});
}

static void test_cook_refused_allocations_end_cleanly_quantised(void **state) {
  (void)state;
  fail_each(&(memory_case){.source = "samples/assets/custom_normals.glb", .quality = COOK_QUALITY_DEFAULT});
}

static void test_cook_refused_allocations_end_cleanly_wrapped(void **state) {
  (void)state;
  fail_each(
      &(memory_case){.source = "samples/assets/custom_normals.glb", .compress = COOK_COMPRESS_SIZE, .stride = 11});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cook_refused_allocations_end_cleanly_blk64),
      cmocka_unit_test(test_cook_refused_allocations_end_cleanly_csr64_skin_and_clips),
      cmocka_unit_test(test_cook_refused_allocations_end_cleanly_clip_files),
      cmocka_unit_test(test_cook_refused_allocations_end_cleanly_wrapped),
      cmocka_unit_test(test_cook_refused_allocations_end_cleanly_levels_of_detail),
      cmocka_unit_test(test_cook_refused_allocations_end_cleanly_quantised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
