// test_fuzz_replay.c: every file of tests/fuzz/corpus/open goes through what the fuzzer does with it: open, verify,
// decode, walk, deform. What a fuzzing run finds is kept there under a name that says its cause.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mt_cook.h"
#include "tests/support/mt_walk.h"

#define REPLAY_LEAST_FILES 20

static void replay_file(const char *name, uint32_t *accepted) {
  char path[512];
  uint64_t byte_count = 0;
  snprintf(path, sizeof path, "tests/fuzz/corpus/open/%s", name);
  uint8_t *bytes = mt_read(mt_path(path), &byte_count);
  assert_non_null(bytes);
  mt_walk walk = mt_walk_bytes(bytes, byte_count, UINT64_C(8) << 20);
  if (!walk.is_finite) fprintf(stderr, "%s shows a vertex that is not finite\n", name);
  assert_true(walk.is_finite);
  *accepted += walk.open_result == MPAK_OK && walk.decode_result == MPAK_OK;
  free(bytes);
}

static void test_replay_corpus_of_fuzz_open(void **state) {
  (void)state;
  uint32_t files = 0, accepted = 0;
  DIR *folder = opendir(mt_path("tests/fuzz/corpus/open"));
  assert_non_null(folder);
  for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    replay_file(entry->d_name, &accepted);
    files++;
  }
  closedir(folder);
  printf("print: corpus of fuzz_open: %u files, %u accepted\n", files, accepted);
  assert_true(files >= REPLAY_LEAST_FILES);
  assert_true(accepted > 0 && accepted < files);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay_corpus_of_fuzz_open)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
