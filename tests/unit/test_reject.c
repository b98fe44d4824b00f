// test_reject.c: tests/reject/<issue>_<fixture>_<what>.mpak are packs that must be refused for ever, each with one
// result and rule. tests/cli/check_reject.py gives the same files to `mpak validate`. UPDATE=1 writes them anew.
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
#include "tests/support/mt_rules.h"
#include "tests/support/mt_walk.h"

typedef struct reject_file {
  const char *name;
  mpak_result result;
  const char *rule;
} reject_file;

static const reject_file reject_files[] = {
    {"P001_not_a_pack_magic.mpak", MPAK_ERROR_NOT_A_PACK, "header: the magic is another one"},
    {"P002_pack_version_major.mpak", MPAK_ERROR_VERSION, "header: another format version"},
    {"P003_pack_feature_header_bit.mpak", MPAK_ERROR_FEATURE, "header: unknown required feature"},
    {"P003_pack_feature_required_kind.mpak", MPAK_ERROR_FEATURE, "chunk: unknown required kind"},
    {"P004_pack_endianness_swapped.mpak", MPAK_ERROR_ENDIANNESS, "header: not little-endian"},
    {"P005_pack_truncated_last_byte.mpak", MPAK_ERROR_TRUNCATED, "header: file_bytes is not the file's size"},
    {"P006_pack_checksum_header.mpak", MPAK_ERROR_CHECKSUM, "header: its hash is another one"},
    {"P006_pack_checksum_table.mpak", MPAK_ERROR_CHECKSUM, "header: the table's hash is another one"},
    {"P006_pack_checksum_chunk.mpak", MPAK_ERROR_CHECKSUM, "chunk: its hash is another one"},
    {"P007_pack_corrupt_parent.mpak", MPAK_ERROR_CORRUPT, "NODE: parent is not below its child"},
    {"P007_pack_corrupt_string.mpak", MPAK_ERROR_CORRUPT, "STRS: not UTF-8"},
    {"P007_pack_corrupt_overlap.mpak", MPAK_ERROR_CORRUPT, "chunk: offset is not the next aligned place"},
    {"P007_pack_corrupt_joints.mpak", MPAK_ERROR_CORRUPT, "INST: the skin lacks joints of the mesh's bone maps"},
    {"P007_pack_corrupt_index.mpak", MPAK_ERROR_CORRUPT, "INDX: an index is outside its section's vertices"},
    {"P007_pack_corrupt_weights.mpak", MPAK_ERROR_CORRUPT, "WGTS: weights do not sum to 1"},
    {"P007_pack_corrupt_shape_order.mpak", MPAK_ERROR_CORRUPT, "MDEL: shapes of a vertex do not ascend"},
    {"P007_pack_corrupt_run_end.mpak", MPAK_ERROR_CORRUPT, "MRUN: a run ends past the vertices"},
    {"P007_pack_corrupt_frame.mpak", MPAK_ERROR_CORRUPT, "frames: a frame does not decompress to its size"},
    {"P007_pack_corrupt_frame_count.mpak", MPAK_ERROR_CORRUPT, "MPAY: more frames than the entries make"},
    {"P007_pack_corrupt_key_times.mpak", MPAK_ERROR_CORRUPT, "KEYT: times of a track do not ascend"},
    {"P007_pack_corrupt_triangles.mpak", MPAK_ERROR_CORRUPT, "INDX: its stream ends early"},
    {"P007_pack_corrupt_wrapped_chunk.mpak", MPAK_ERROR_CORRUPT, "wrapped: a chunk does not fit into the pack"},
    {"P008_pack_limit_wrapped.mpak", MPAK_ERROR_LIMIT, "wrapped: the pack is larger than the caller allows"},
};

#define REJECT_FILE_COUNT (sizeof reject_files / sizeof reject_files[0])

static const char *reject_path(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "tests/reject/%s", name);
  return mt_path(path);
}

/// The first crafted pack that breaks the rule.
static const mt_rule_case *reject_find_case(const char *rule) {
  for (uint32_t i = 0; i < MT_RULES_LIST_COUNT; i++) {
    mt_rule_list list = mt_rules_list_at(i);
    for (uint32_t k = 0; k < list.count; k++)
      if (strcmp(list.cases[k].rule, rule) == 0) return &list.cases[k];
  }
  return NULL;
}

static void reject_write(const reject_file *file) {
  const mt_rule_case *rule_case = reject_find_case(file->rule);
  assert_non_null(rule_case);
  mt_image image = mt_rule_make(rule_case);
  assert_true(mt_write(reject_path(file->name), image.bytes, image.byte_count));
  mt_image_free(&image);
}

static void test_reject_files_are_refused_by_their_rule(void **state) {
  (void)state;
  for (size_t i = 0; i < REJECT_FILE_COUNT; i++) {
    uint64_t byte_count = 0;
    if (getenv("UPDATE")) reject_write(&reject_files[i]);
    uint8_t *bytes = mt_read(reject_path(reject_files[i].name), &byte_count);
    if (!bytes) fprintf(stderr, "%s is missing\n", reject_files[i].name);
    assert_non_null(bytes);
    mt_walk walk = mt_walk_bytes(bytes, byte_count, 0);
    assert_int_equal(walk.open_result != MPAK_OK ? walk.open_result : walk.decode_result, reject_files[i].result);
    assert_string_equal(walk.fault.rule, reject_files[i].rule);
    free(bytes);
  }
}

static void test_reject_folder_holds_no_other_pack(void **state) {
  (void)state;
  uint32_t files = 0;
  DIR *folder = opendir(mt_path("tests/reject"));
  assert_non_null(folder);
  for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    files += strstr(entry->d_name, ".mpak") != NULL;
  closedir(folder);
  assert_int_equal(files, REJECT_FILE_COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reject_files_are_refused_by_their_rule),
      cmocka_unit_test(test_reject_folder_holds_no_other_pack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
