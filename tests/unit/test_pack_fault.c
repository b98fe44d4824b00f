// A zstd that fails: this file takes the place of cooker/pack/compress.c, so that every frame fails.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cooker/pack/compress.h"
#include "cooker/pack/pack.h"
#include "tests/support/mt_scene.h"

size_t compress_workspace_bytes(int level) { return (size_t)level; }
size_t compress_bound(size_t byte_count) { return byte_count; }
uint32_t compress_version_number(void) { return 0; }
uint64_t compress_content_bytes(const void *frame, size_t byte_count) { return frame ? byte_count : 0; }
size_t compress_frame(int level, void *workspace, size_t workspace_bytes, void *dst, size_t dst_bytes, const void *src,
                      size_t byte_count) {
  (void)level, (void)workspace, (void)workspace_bytes, (void)dst, (void)dst_bytes, (void)src, (void)byte_count;
  return 0;
}

static void write_one_chunk(cook_job *job, void *user) {
  const pack_chunk chunk = {
      .kind = MPAK_KIND_KEYT, .owner = MPAK_NONE, .stride = 4, .count = 100, .bytes = job_alloc(job, 400, 1)};
  uint64_t byte_count;
  pack_write(job, &chunk, 1, *(const cook_compress *)user, 2, 0, &byte_count);
}

static void test_pack_write_failing_compression_is_issue_c053(void **state) {
  (void)state;
  cook_compress compress = COOK_COMPRESS_DEFAULT;
  cook_job *job = mt_job(NULL);
  assert_false(job_run(job, write_one_chunk, &compress));
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mpak_issue_get(job_issue_at(job, 0)->id)->code, "MPAK-C053");
  assert_int_equal(job_exit_code(job), 7);
  job_end(job);
}

static void test_pack_write_without_compression_needs_no_zstd(void **state) {
  (void)state;
  cook_compress compress = COOK_COMPRESS_LOAD;
  cook_job *job = mt_job(NULL);
  assert_true(job_run(job, write_one_chunk, &compress));
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pack_write_failing_compression_is_issue_c053),
      cmocka_unit_test(test_pack_write_without_compression_needs_no_zstd),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
