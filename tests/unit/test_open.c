// test_open.c: mpak_open's contract, look-ups, file mapping. Rules and hostile bytes: test_open_rules.c,
// test_open_hostile.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/mpak.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_pack.h"

/// A character with everything, compressed.
static mt_image open_character(mt_pack *pack, mt_layout layout, bool is_compressed) {
  mt_character character = {
      .layout = layout, .is_compressed = is_compressed, .is_skinned = true, .has_clips = true, .has_source_map = true};
  mt_pack_character(pack, &character);
  return mt_pack_write(pack);
}

static bool is_all_zero(const void *bytes, size_t byte_count) {
  for (size_t i = 0; i < byte_count; i++)
    if (((const uint8_t *)bytes)[i]) return false;
  return true;
}

static void test_open_sound_pack_gives_all_views(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_BLK64, true);
  mpak_pack pack;
  mpak_fault fault = {"old", 7, 7};
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  assert_null(fault.rule);
  assert_int_equal(fault.chunk, MPAK_NONE);
  assert_int_equal(pack.node_count, 5);
  assert_int_equal(pack.instance_count, 2);
  assert_int_equal(pack.instance_weight_count, 3);
  assert_int_equal(pack.skin_count, 1);
  assert_int_equal(pack.joint_count, 3);
  assert_int_equal(pack.mesh_count, 2);
  assert_int_equal(pack.part_count, 3);
  assert_int_equal(pack.control_count, 3);
  assert_int_equal(pack.shape_count, 3);
  assert_int_equal(pack.section_count, 4);
  assert_int_equal(pack.bone_count, 6);
  assert_int_equal(pack.lod_count, 2);
  assert_int_equal(pack.required_bone_count, 8);
  assert_int_equal(pack.material_count, 2);
  assert_int_equal(pack.clip_count, 2);
  assert_int_equal(pack.track_count, 5);
  assert_int_equal(pack.error_count, 2);
  assert_int_equal(pack.meta_count, 2);
  assert_string_equal(mpak_string(&pack, pack.nodes[3].name), "\xE3\x81\x82");
  assert_string_equal(mpak_string(&pack, 0), "");
  assert_memory_equal(pack.parts, mt_pack_find(&source, MPAK_KIND_PART)->bytes, 3 * sizeof(mpak_part));
  assert_int_equal(pack.chunks[pack.key_time_chunk].kind, MPAK_KIND_KEYT);
  assert_int_equal(pack.chunks[pack.key_value_chunk].kind, MPAK_KIND_KEYV);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_open_wrong_arguments_are_refused(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(NULL, 128, NULL, &pack, &fault), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, NULL, &fault), MPAK_ERROR_ARGUMENT);
  memset(&pack, 0xAA, sizeof pack);
  assert_int_equal(mpak_open(image.bytes + 32, image.byte_count - 32, NULL, &pack, &fault), MPAK_ERROR_ALIGNMENT);
  assert_true(is_all_zero(&pack, sizeof pack));
  memset(&pack, 0xAA, sizeof pack);
  assert_int_equal(mpak_open(image.bytes, image.byte_count - 1, NULL, &pack, NULL), MPAK_ERROR_TRUNCATED);
  assert_true(is_all_zero(&pack, sizeof pack));
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_open_failure_after_the_views_zeroes_the_pack(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  mt_image_free(&image);
  mt_pack_patch_u32(&source, MPAK_KIND_NODE, 1, offsetof(mpak_node, parent), 4);
  image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_ERROR_CORRUPT);
  assert_string_equal(fault.rule, "NODE: parent is not below its child");
  assert_int_equal(fault.chunk, mt_pack_find_number(&source, MPAK_KIND_NODE));
  assert_int_equal(fault.item, 1);
  assert_true(is_all_zero(&pack, sizeof pack));
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_open_limit_is_what_the_pack_decodes_to(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  mpak_pack pack;
  mpak_fault fault;
  mpak_header header;
  memcpy(&header, image.bytes, sizeof header);
  mpak_open_options options = {.max_decoded_bytes = header.decoded_bytes};
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_OK);
  options.max_decoded_bytes--;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_ERROR_LIMIT);
  mt_image_free(&image);
  mt_pack_free(&source);
}

/// blk64: 32 bytes for each entry and 12 for each block and one more are part of the limit.
static void test_open_limit_counts_blocks_and_entries(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_BLK64, true);
  mpak_pack pack;
  mpak_fault fault;
  mpak_header header;
  memcpy(&header, image.bytes, sizeof header);
  const mpak_part *part = (const mpak_part *)mt_pack_find(&source, MPAK_KIND_PART)->bytes;
  uint64_t needed = header.decoded_bytes + 32 * (uint64_t)part->entry_count + 12 * ((uint64_t)part->block_count + 1);
  mpak_open_options options = {.max_decoded_bytes = needed};
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_OK);
  options.max_decoded_bytes--;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_ERROR_LIMIT);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_open_skipped_chunk_hashes_leave_all_other_checks(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  mpak_pack pack;
  mpak_fault fault;
  mpak_open_options options = {.skip_chunk_hashes = true};
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_OK);
  mpak_node *nodes = (mpak_node *)(image.bytes + ((const uint8_t *)pack.nodes - image.bytes));
  nodes[0].source_index ^= 1; // any value is right: only the hash tells
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_ERROR_CHECKSUM);
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_OK);
  nodes[0].zero = 1;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_ERROR_CORRUPT);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_open_unknown_optional_chunk_is_skipped(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  mt_image_free(&image);
  mt_pack_add(&source, MPAK_FOURCC('X', 'T', 'R', 'A'), 12345, 3, 5, "fifteen bytes..");
  source.chunks[source.chunk_count - 1].entry.kind_version = 9;
  image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  const void *view = NULL;
  assert_int_equal(mpak_decode(&pack, pack.chunk_count - 1, NULL, 0, NULL, 0, &view, &fault), MPAK_OK);
  assert_memory_equal(view, "fifteen bytes..", 15);
  mt_image_free(&image);
  mt_pack_free(&source);
}

/// Every table, and the two chunks of keys, occur once.
static void test_open_repeated_table_of_any_kind_is_refused(void **state) {
  (void)state;
  uint32_t refused = 0;
  for (uint32_t i = 0; i < MT_PACK_MAX_CHUNKS; i++) {
    mt_pack source;
    mt_image image = open_character(&source, MT_BLK64, false);
    mt_image_free(&image);
    bool is_once = i < source.chunk_count && source.chunks[i].entry.owner == MPAK_NONE;
    if (is_once) {
      const mpak_chunk_entry *entry = &source.chunks[i].entry;
      uint32_t copy = mt_pack_add(&source, entry->kind, MPAK_NONE, entry->stride, entry->count, source.chunks[i].bytes);
      image = mt_pack_write(&source);
      mpak_pack pack;
      mpak_fault fault;
      assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_ERROR_CORRUPT);
      assert_string_equal(fault.rule, "chunk: its kind occurs twice");
      assert_int_equal(fault.chunk, copy);
      mt_image_free(&image);
      refused++;
    }
    mt_pack_free(&source);
  }
  assert_int_equal(refused, 21); // 19 tables without rules, KEYT, KEYV
}

static void test_open_optional_tables_may_be_absent(void **state) {
  (void)state;
  static const uint32_t kinds[] = {MPAK_KIND_LODS, MPAK_KIND_RBON, MPAK_KIND_MATL, MPAK_KIND_ERRS, MPAK_KIND_META};
  mt_pack source;
  mt_image image = open_character(&source, MT_BLK64, true);
  mt_image_free(&image);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    mt_pack_remove(&source, mt_pack_find_number(&source, kinds[i]));
  mpak_mesh *meshes = (mpak_mesh *)mt_pack_find(&source, MPAK_KIND_MESH)->bytes;
  mpak_part *parts = (mpak_part *)mt_pack_find(&source, MPAK_KIND_PART)->bytes;
  mpak_section *sections = (mpak_section *)mt_pack_find(&source, MPAK_KIND_SECT)->bytes;
  for (int i = 0; i < 2; i++) meshes[i].first_lod = meshes[i].lod_count = 0;
  for (int i = 0; i < 3; i++) parts[i].material = MPAK_NONE;
  for (int i = 0; i < 4; i++) sections[i].material = MPAK_NONE;
  image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  assert_int_equal(pack.lod_count + pack.required_bone_count + pack.material_count + pack.error_count + pack.meta_count,
                   0);
  mt_image_free(&image);
  mt_pack_free(&source);
}

/// A LOD may require no bone.
static void test_open_lods_without_required_bones_are_accepted(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_NO_SHAPES, false);
  mt_image_free(&image);
  mt_pack_remove(&source, mt_pack_find_number(&source, MPAK_KIND_RBON));
  mpak_lod *lods = (mpak_lod *)mt_pack_find(&source, MPAK_KIND_LODS)->bytes;
  for (int i = 0; i < 2; i++) lods[i].first_required = lods[i].required_count = 0;
  image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  mt_image_free(&image);
  mt_pack_free(&source);
}

/// Stored upload chunks stand at multiples of 256, from 64 KiB on of 4,096.
static void test_open_large_stored_streams_are_page_aligned(void **state) {
  (void)state;
  mt_pack source;
  mt_pack_character(&source, &(mt_character){.layout = MT_CSR64, .vertex_count = 1500});
  mt_image image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  assert_true(pack.chunks[pack.parts[0].base_chunk].stored_bytes >= 65536);
  assert_int_equal(pack.chunks[pack.parts[0].base_chunk].offset % 4096, 0);
  assert_int_equal(pack.chunks[pack.parts[1].base_chunk].offset % 256, 0);
  mt_image_free(&image);
  mt_pack_free(&source);
}

/// 1,024 nodes in a row are the most that is allowed.
static void test_open_deepest_tree_is_accepted(void **state) {
  (void)state;
  mt_pack source;
  mt_pack_character(&source, &(mt_character){.layout = MT_NO_SHAPES});
  mt_pack_resize(&source, MPAK_KIND_NODE, 5 + 1023);
  mpak_node *nodes = (mpak_node *)mt_pack_find(&source, MPAK_KIND_NODE)->bytes;
  for (uint32_t i = 5; i < 5 + 1023; i++) {
    nodes[i] = nodes[0];
    nodes[i].parent = i == 5 ? 0 : i - 1;
  }
  mt_image image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_open_longest_name_is_accepted(void **state) {
  (void)state;
  mt_pack source;
  mt_pack_character(&source, &(mt_character){.layout = MT_NO_SHAPES});
  char *name = malloc(65536);
  memset(name, 'n', 65535);
  name[65535] = 0;
  mt_pack_patch_u32(&source, MPAK_KIND_NODE, 0, offsetof(mpak_node, key), mt_pack_string(&source, name));
  mt_image image = mt_pack_write(&source);
  mpak_pack pack;
  mpak_fault fault;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  assert_int_equal(mpak_find_node(&pack, name), 0);
  free(name);
  mt_image_free(&image);
  mt_pack_free(&source);
}

// -- Looking up ------------------------------------------------------------------------------------------------------

static void test_find_by_key_gives_numbers_or_none(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  mpak_pack pack;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, NULL), MPAK_OK);
  assert_int_equal(mpak_find_node(&pack, "hips"), 2);
  assert_int_equal(mpak_find_node(&pack, "\xE3\x81\x82"), 3);
  assert_int_equal(mpak_find_node(&pack, "hip"), MPAK_NONE);
  assert_int_equal(mpak_find_node(&pack, ""), MPAK_NONE);
  assert_int_equal(mpak_find_mesh(&pack, "hat"), 1);
  assert_int_equal(mpak_find_mesh(&pack, "hats"), MPAK_NONE);
  assert_int_equal(mpak_find_skin(&pack, "rig"), 0);
  assert_int_equal(mpak_find_skin(&pack, "Rig"), MPAK_NONE);
  assert_int_equal(mpak_find_clip(&pack, "wave"), 1);
  assert_int_equal(mpak_find_clip(&pack, "run"), MPAK_NONE);
  assert_int_equal(mpak_find_control(&pack, 0, "frown"), 2);
  assert_int_equal(mpak_find_control(&pack, 1, "frown"), MPAK_NONE);
  assert_int_equal(mpak_find_control(&pack, 2, "frown"), MPAK_NONE);
  assert_int_equal(mpak_find_instance(&pack, 1), 0);
  assert_int_equal(mpak_find_instance(&pack, 4), 1);
  assert_int_equal(mpak_find_instance(&pack, 0), MPAK_NONE);
  assert_int_equal(mpak_find_instance(&pack, 5), MPAK_NONE);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_find_in_empty_tables_gives_none(void **state) {
  (void)state;
  mt_pack source;
  mt_pack_begin(&source);
  mt_image image = mt_pack_write(&source);
  mpak_pack pack;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, NULL), MPAK_OK);
  assert_int_equal(mpak_find_node(&pack, "a"), MPAK_NONE);
  assert_int_equal(mpak_find_mesh(&pack, "a"), MPAK_NONE);
  assert_int_equal(mpak_find_skin(&pack, "a"), MPAK_NONE);
  assert_int_equal(mpak_find_clip(&pack, "a"), MPAK_NONE);
  assert_int_equal(mpak_find_instance(&pack, 0), MPAK_NONE);
  assert_int_equal(mpak_max_bones_per_section(&pack, 0), 0);
  assert_int_equal(mpak_scratch_bytes(&pack), 0);
  assert_int_equal(mpak_clips_bytes(&pack), 0);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_find_of_a_repeated_key_gives_the_first(void **state) {
  (void)state;
  mt_pack source;
  mt_pack_character(&source, &(mt_character){.layout = MT_NO_SHAPES});
  const mpak_node *nodes = (const mpak_node *)mt_pack_find(&source, MPAK_KIND_NODE)->bytes;
  mt_pack_patch_u32(&source, MPAK_KIND_NODE, 3, offsetof(mpak_node, key), nodes[2].key);
  mt_image image = mt_pack_write(&source);
  mpak_pack pack;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, NULL), MPAK_OK);
  assert_int_equal(mpak_find_node(&pack, "hips"), 2);
  mt_image_free(&image);
  mt_pack_free(&source);
}

/// Sections of body have 2, 3 and 1 bones at LOD 0; a second LOD is made of the part with one.
static void test_max_bones_counts_sections_from_a_lod_on(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_NO_SHAPES, false);
  mt_image_free(&image);
  mpak_mesh *meshes = (mpak_mesh *)mt_pack_find(&source, MPAK_KIND_MESH)->bytes;
  mpak_lod *lods = (mpak_lod *)mt_pack_find(&source, MPAK_KIND_LODS)->bytes;
  ((mpak_part *)mt_pack_find(&source, MPAK_KIND_PART)->bytes)[1].lod = 1;
  meshes[0].lod_count = 2;
  meshes[1].first_lod = 2;
  meshes[1].lod_count = 0;
  lods[1].mesh = 0;
  lods[1].level = 1;
  image = mt_pack_write(&source);
  mpak_pack pack;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, NULL), MPAK_OK);
  assert_int_equal(mpak_max_bones_per_section(&pack, 0), 3);
  assert_int_equal(mpak_max_bones_per_section(&pack, 1), 1);
  assert_int_equal(mpak_max_bones_per_section(&pack, 2), 0);
  mt_image_free(&image);
  mt_pack_free(&source);
}

// -- Files -----------------------------------------------------------------------------------------------------------

static void test_map_file_gives_the_bytes_of_the_file(void **state) {
  (void)state;
  mt_pack source;
  mt_image image = open_character(&source, MT_CSR64, false);
  char path[4096];
  snprintf(path, sizeof path, "%s/a pack.mpak", mt_scratch());
  assert_true(mt_write(path, image.bytes, image.byte_count));
  mpak_mapping file;
  mpak_pack pack;
  assert_int_equal(mpak_map_file(path, &file), MPAK_OK);
  assert_int_equal(file.byte_count, image.byte_count);
  assert_memory_equal(file.bytes, image.bytes, image.byte_count);
  assert_int_equal(mpak_open(file.bytes, file.byte_count, NULL, &pack, NULL), MPAK_OK);
  mpak_unmap_file(&file);
  assert_null(file.bytes);
  mpak_unmap_file(&file);
  mt_image_free(&image);
  mt_pack_free(&source);
}

static void test_map_file_empty_file_is_mapped_and_no_pack(void **state) {
  (void)state;
  char path[4096];
  snprintf(path, sizeof path, "%s/empty", mt_scratch());
  assert_true(mt_write(path, "", 0));
  mpak_mapping file;
  mpak_pack pack;
  assert_int_equal(mpak_map_file(path, &file), MPAK_OK);
  assert_int_equal(file.byte_count, 0);
  assert_int_equal(mpak_open(file.bytes, file.byte_count, NULL, &pack, NULL), MPAK_ERROR_NOT_A_PACK);
  mpak_unmap_file(&file);
}

static void test_map_file_missing_file_and_folder_are_errors(void **state) {
  (void)state;
  mpak_mapping file = {"x", 1};
  char path[4096];
  snprintf(path, sizeof path, "%s/not there", mt_scratch());
  errno = 0;
  assert_int_equal(mpak_map_file(path, &file), MPAK_ERROR_FILE);
  assert_int_equal(errno, ENOENT);
  assert_null(file.bytes);
  assert_int_equal(file.byte_count, 0);
  assert_int_equal(mpak_map_file(mt_scratch(), &file), MPAK_ERROR_FILE);
  assert_int_equal(errno, EISDIR);
  assert_int_equal(mpak_map_file("/dev/null", &file), MPAK_ERROR_FILE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_open_sound_pack_gives_all_views),
      cmocka_unit_test(test_open_wrong_arguments_are_refused),
      cmocka_unit_test(test_open_failure_after_the_views_zeroes_the_pack),
      cmocka_unit_test(test_open_limit_is_what_the_pack_decodes_to),
      cmocka_unit_test(test_open_limit_counts_blocks_and_entries),
      cmocka_unit_test(test_open_skipped_chunk_hashes_leave_all_other_checks),
      cmocka_unit_test(test_open_unknown_optional_chunk_is_skipped),
      cmocka_unit_test(test_open_repeated_table_of_any_kind_is_refused),
      cmocka_unit_test(test_open_optional_tables_may_be_absent),
      cmocka_unit_test(test_open_lods_without_required_bones_are_accepted),
      cmocka_unit_test(test_open_large_stored_streams_are_page_aligned),
      cmocka_unit_test(test_open_deepest_tree_is_accepted),
      cmocka_unit_test(test_open_longest_name_is_accepted),
      cmocka_unit_test(test_find_by_key_gives_numbers_or_none),
      cmocka_unit_test(test_find_in_empty_tables_gives_none),
      cmocka_unit_test(test_find_of_a_repeated_key_gives_the_first),
      cmocka_unit_test(test_max_bones_counts_sections_from_a_lod_on),
      cmocka_unit_test(test_map_file_gives_the_bytes_of_the_file),
      cmocka_unit_test(test_map_file_empty_file_is_mapped_and_no_pack),
      cmocka_unit_test(test_map_file_missing_file_and_folder_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
