// test_unwrap.c: wrapped packs through the calls that a game makes: what mpak_unwrap asks of its caller, and that the
// pack comes back byte by byte. Refusals of broken ones: test_open_rules.c, test_open_hostile.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/mpak.h"
#include "tests/support/mt_wrapped.h"

typedef struct unwrap_case {
  mt_image pack, file;
  mpak_open_options options;
  mpak_unwrapped_sizes sizes;
  uint8_t *dst; ///< sizes.pack_bytes, 64-byte aligned
  void *scratch;
} unwrap_case;

static void case_begin_pack(unwrap_case *c, mt_pack *pack) {
  mt_wrapped wrapped;
  c->options = (mpak_open_options){.decoder = mpak_zstd_decoder()};
  c->pack = mt_pack_write(pack);
  mt_wrapped_make(&wrapped, &c->pack);
  c->file = mt_wrapped_write(&wrapped);
  mt_wrapped_free(&wrapped);
  mt_pack_free(pack);
  assert_int_equal(mpak_unwrap_sizes(c->file.bytes, c->file.byte_count, &c->options, &c->sizes, NULL), MPAK_OK);
  assert_int_equal(posix_memalign((void **)&c->dst, 64, c->sizes.pack_bytes), 0);
  c->scratch = malloc(c->sizes.scratch_bytes);
}

static void case_begin(unwrap_case *c) {
  mt_pack pack;
  mt_pack_character(&pack, &(mt_character){.layout = MT_BLK64, .is_compressed = true, .is_skinned = true});
  case_begin_pack(c, &pack);
}

static void case_end(unwrap_case *c) {
  mt_image_free(&c->pack);
  mt_image_free(&c->file);
  free(c->dst);
  free(c->scratch);
}

static mpak_result case_run(unwrap_case *c, mpak_fault *fault) {
  return mpak_unwrap(c->file.bytes, c->file.byte_count, &c->options, c->dst, c->sizes.pack_bytes, c->scratch,
                     c->sizes.scratch_bytes, fault);
}

static void test_unwrap_gives_the_pack_back(void **state) {
  (void)state;
  unwrap_case c;
  mpak_pack pack;
  mpak_fault fault = {.rule = "from before"};
  case_begin(&c);
  assert_true(mpak_is_wrapped(c.file.bytes, c.file.byte_count));
  assert_false(mpak_is_wrapped(c.pack.bytes, c.pack.byte_count));
  assert_false(mpak_is_wrapped(c.file.bytes, 7));
  assert_false(mpak_is_wrapped(NULL, 100));
  assert_int_equal(c.sizes.pack_bytes, c.pack.byte_count);
  memset(c.dst, 0xA5, c.sizes.pack_bytes);
  assert_int_equal(case_run(&c, &fault), MPAK_OK);
  assert_null(fault.rule);
  assert_memory_equal(c.dst, c.pack.bytes, c.pack.byte_count);
  assert_int_equal(mpak_open(c.dst, c.sizes.pack_bytes, &c.options, &pack, NULL), MPAK_OK);
  case_end(&c);
}

/// Wrapped bytes may come from the middle of an archive.
static void test_unwrap_bytes_need_no_alignment(void **state) {
  (void)state;
  unwrap_case c;
  case_begin(&c);
  for (size_t shift = 1; shift < 8; shift += 3) {
    uint8_t *shifted = malloc(c.file.byte_count + shift);
    memcpy(shifted + shift, c.file.bytes, c.file.byte_count);
    assert_int_equal(mpak_unwrap(shifted + shift, c.file.byte_count, &c.options, c.dst, c.sizes.pack_bytes, c.scratch,
                                 c.sizes.scratch_bytes, NULL),
                     MPAK_OK);
    assert_memory_equal(c.dst, c.pack.bytes, c.pack.byte_count);
    free(shifted);
  }
  case_end(&c);
}

/// A chunk of an unknown kind that makes the stream longer than three frames.
static void test_unwrap_stream_of_several_frames(void **state) {
  (void)state;
  const uint32_t byte_count = 3500000;
  uint8_t *bytes = malloc(byte_count);
  for (uint32_t i = 0; i < byte_count; i++) bytes[i] = (uint8_t)(i * i >> 7);
  mt_pack pack;
  mt_pack_begin(&pack);
  mt_pack_add(&pack, MPAK_FOURCC('X', 'Y', 'Z', 'W'), MPAK_NONE, 7, byte_count / 7, bytes);
  mt_pack_find(&pack, MPAK_FOURCC('X', 'Y', 'Z', 'W'))->entry.flags = 0;
  unwrap_case c;
  case_begin_pack(&c, &pack);
  assert_true(c.sizes.scratch_bytes > 3 * 1048576);
  assert_int_equal(case_run(&c, NULL), MPAK_OK);
  assert_memory_equal(c.dst, c.pack.bytes, c.pack.byte_count);
  case_end(&c);
  free(bytes);
}

static void test_unwrap_refuses_unsuitable_memory(void **state) {
  (void)state;
  unwrap_case c;
  mpak_fault fault;
  case_begin(&c);
  const mpak_unwrapped_sizes sizes = c.sizes;
  c.sizes.pack_bytes--;
  assert_int_equal(case_run(&c, &fault), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(fault.item, sizes.pack_bytes);
  c.sizes = sizes;
  c.sizes.scratch_bytes--;
  assert_int_equal(case_run(&c, &fault), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(fault.item, sizes.scratch_bytes);
  c.sizes = sizes;
  c.dst += 16;
  assert_int_equal(case_run(&c, NULL), MPAK_ERROR_ALIGNMENT);
  c.dst -= 16;
  uint8_t *scratch = c.scratch;
  c.scratch = scratch + 8;
  assert_int_equal(case_run(&c, NULL), MPAK_ERROR_ALIGNMENT);
  c.scratch = NULL;
  assert_int_equal(case_run(&c, NULL), MPAK_ERROR_ARGUMENT);
  c.scratch = scratch;
  c.options.decoder = NULL;
  assert_int_equal(case_run(&c, NULL), MPAK_ERROR_NO_DECODER);
  case_end(&c);
}

static void test_unwrap_sizes_refuses_what_is_none(void **state) {
  (void)state;
  unwrap_case c;
  mpak_unwrapped_sizes sizes = {1, 1};
  case_begin(&c);
  assert_int_equal(mpak_unwrap_sizes(NULL, 100, &c.options, &sizes, NULL), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_unwrap_sizes(c.file.bytes, c.file.byte_count, &c.options, NULL, NULL), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_unwrap_sizes(c.pack.bytes, c.pack.byte_count, &c.options, &sizes, NULL), MPAK_ERROR_NOT_A_PACK);
  assert_int_equal(sizes.pack_bytes + sizes.scratch_bytes, 0);
  assert_int_equal(mpak_unwrap_sizes(c.file.bytes, 7, &c.options, &sizes, NULL), MPAK_ERROR_NOT_A_PACK);
  case_end(&c);
}

/// 1 GiB without a limit of the caller's, and never more than that limit: before any memory is asked for.
static void test_unwrap_declared_size_is_held_against_the_limit(void **state) {
  (void)state;
  unwrap_case c;
  mpak_unwrapped_sizes sizes;
  mpak_fault fault;
  case_begin(&c);
  c.options.max_decoded_bytes = c.pack.byte_count;
  assert_int_equal(mpak_unwrap_sizes(c.file.bytes, c.file.byte_count, &c.options, &sizes, NULL), MPAK_OK);
  c.options.max_decoded_bytes = c.pack.byte_count - 1;
  assert_int_equal(mpak_unwrap_sizes(c.file.bytes, c.file.byte_count, &c.options, &sizes, &fault), MPAK_ERROR_LIMIT);
  assert_string_equal(fault.rule, "wrapped: the pack is larger than the caller allows");
  assert_int_equal(case_run(&c, NULL), MPAK_ERROR_LIMIT);
  c.options.max_decoded_bytes = 0;
  uint64_t declared = UINT64_C(1) << 30;
  memcpy(c.file.bytes + offsetof(mpak_wrapped_header, pack_bytes), &declared, 8);
  assert_int_equal(mpak_unwrap_sizes(c.file.bytes, c.file.byte_count, NULL, &sizes, NULL), MPAK_OK);
  declared++;
  memcpy(c.file.bytes + offsetof(mpak_wrapped_header, pack_bytes), &declared, 8);
  assert_int_equal(mpak_unwrap_sizes(c.file.bytes, c.file.byte_count, NULL, &sizes, NULL), MPAK_ERROR_LIMIT);
  case_end(&c);
}

static void test_unwrap_can_skip_the_hash(void **state) {
  (void)state;
  unwrap_case c;
  case_begin(&c);
  c.file.bytes[offsetof(mpak_wrapped_header, hash)] ^= 1;
  assert_int_equal(case_run(&c, NULL), MPAK_ERROR_CHECKSUM);
  c.options.skip_chunk_hashes = true;
  assert_int_equal(case_run(&c, NULL), MPAK_OK);
  assert_memory_equal(c.dst, c.pack.bytes, c.pack.byte_count);
  case_end(&c);
}

static void test_open_says_that_a_pack_is_wrapped(void **state) {
  (void)state;
  unwrap_case c;
  mpak_pack pack;
  mpak_fault fault;
  case_begin(&c);
  assert_int_equal(mpak_open(c.file.bytes, c.file.byte_count, NULL, &pack, &fault), MPAK_ERROR_WRAPPED);
  assert_string_equal(fault.rule, "header: the pack is wrapped");
  assert_string_equal(mpak_result_name(MPAK_ERROR_WRAPPED), "MPAK_ERROR_WRAPPED");
  case_end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unwrap_gives_the_pack_back),
      cmocka_unit_test(test_unwrap_bytes_need_no_alignment),
      cmocka_unit_test(test_unwrap_stream_of_several_frames),
      cmocka_unit_test(test_unwrap_refuses_unsuitable_memory),
      cmocka_unit_test(test_unwrap_sizes_refuses_what_is_none),
      cmocka_unit_test(test_unwrap_declared_size_is_held_against_the_limit),
      cmocka_unit_test(test_unwrap_can_skip_the_hash),
      cmocka_unit_test(test_open_says_that_a_pack_is_wrapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
