// test_wrap.c: what `--compress size` writes: a loose pack, wrapped where that saves enough. Unwrapped it holds what
// the pack held.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cooker/pack/loosen.h"
#include "cooker/pack/wrap.h"
#include "runtime/mpak.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_walk.h"
#include "tests/support/mt_wrapped.h"

typedef struct wrap_case {
  cook_job *job;
  cook_product product;
} wrap_case;

static void case_begin(wrap_case *c, const char *source, cook_compress compress, uint32_t thread_count) {
  c->job = job_begin(NULL, NULL);
  const cook_options options = {.quality = COOK_QUALITY_DEFAULT, .compress = compress, .thread_count = thread_count};
  assert_int_equal(mt_cook_file(c->job, mt_path(source), &options, &c->product), 0);
}

static const mpak_header *header_of(const uint8_t *bytes) { return (const mpak_header *)(const void *)bytes; }

static const mpak_chunk_entry *chunks_of(const uint8_t *bytes) {
  return (const mpak_chunk_entry *)(const void *)(bytes + header_of(bytes)->table_offset);
}

/// The pack in a wrapped file; malloc'ed.
static uint8_t *unwrap(const uint8_t *file, uint64_t file_bytes, uint64_t *byte_count) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_unwrapped_sizes sizes;
  void *pack = NULL;
  assert_int_equal(mpak_unwrap_sizes(file, file_bytes, &options, &sizes, NULL), MPAK_OK);
  assert_int_equal(posix_memalign(&pack, 64, sizes.pack_bytes), 0);
  void *scratch = malloc(sizes.scratch_bytes);
  assert_int_equal(mpak_unwrap(file, file_bytes, &options, pack, sizes.pack_bytes, scratch, sizes.scratch_bytes, NULL),
                   MPAK_OK);
  free(scratch);
  *byte_count = sizes.pack_bytes;
  return pack;
}

/// Every chunk of both packs says and decodes to the same; only how it is stored may differ.
static void assert_same_content(const uint8_t *a, const uint8_t *b) {
  assert_int_equal(header_of(a)->content_id, header_of(b)->content_id);
  assert_int_equal(header_of(a)->decoded_bytes, header_of(b)->decoded_bytes);
  assert_int_equal(header_of(a)->chunk_count, header_of(b)->chunk_count);
  for (uint32_t i = 0; i < header_of(a)->chunk_count; i++) {
    assert_int_equal(chunks_of(a)[i].kind, chunks_of(b)[i].kind);
    assert_int_equal(chunks_of(a)[i].hash_decoded, chunks_of(b)[i].hash_decoded);
  }
}

static void test_wrap_size_is_smaller_and_holds_the_pack(void **state) {
  (void)state;
  static const char *const sources[] = {"samples/assets/custom_normals.glb", "samples/assets/face_anim.glb",
                                        "samples/assets/head_parts.glb", "samples/assets/japanese_names.glb"};
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    wrap_case c;
    uint64_t byte_count = 0;
    case_begin(&c, sources[i], COOK_COMPRESS_SIZE, 1);
    assert_true(mpak_is_wrapped(c.product.file, c.product.file_bytes));
    assert_true(c.product.file_bytes <= c.product.byte_count - c.product.byte_count / WRAP_LEAST_SAVING);
    assert_int_equal(c.product.stats.pack_bytes, c.product.file_bytes);
    uint8_t *pack = unwrap(c.product.file, c.product.file_bytes, &byte_count);
    assert_same_content(pack, c.product.bytes);
    const mt_walk walk = mt_walk_aligned(pack, byte_count, 0),
                  tight = mt_walk_aligned(c.product.bytes, c.product.byte_count, 0);
    assert_int_equal(walk.open_result, MPAK_OK);
    assert_int_equal(walk.decode_result, MPAK_OK);
    assert_int_equal(walk.digest, tight.digest);
    free(pack);
    job_end(c.job);
  }
}

static void test_wrap_other_profiles_are_not_wrapped(void **state) {
  (void)state;
  const cook_compress others[] = {COOK_COMPRESS_DEFAULT, COOK_COMPRESS_LOAD};
  for (int i = 0; i < 2; i++) {
    wrap_case c;
    case_begin(&c, "samples/assets/face_anim.glb", others[i], 1);
    assert_ptr_equal(c.product.file, c.product.bytes);
    assert_int_equal(c.product.file_bytes, c.product.byte_count);
    job_end(c.job);
  }
}

static void test_wrap_same_bytes_whatever_the_threads(void **state) {
  (void)state;
  wrap_case one, four;
  case_begin(&one, "samples/assets/face_anim.glb", COOK_COMPRESS_SIZE, 1);
  case_begin(&four, "samples/assets/face_anim.glb", COOK_COMPRESS_SIZE, 4);
  assert_int_equal(one.product.file_bytes, four.product.file_bytes);
  assert_memory_equal(one.product.file, four.product.file, one.product.file_bytes);
  job_end(one.job);
  job_end(four.job);
}

// -- Loose packs -----------------------------------------------------------------------------------------------------

/// A frame of raw blocks (RFC 8878): single segment with a content size of 4 bytes, blocks of type 0 that sum to it.
static void assert_is_raw_frame(const uint8_t *frame, uint32_t byte_count) {
  uint32_t magic, content_bytes, sum = 0, block = 0;
  memcpy(&magic, frame, 4);
  memcpy(&content_bytes, frame + 5, 4);
  assert_int_equal(magic, 0xFD2FB528);
  assert_int_equal(frame[4], 0xA0);
  uint32_t at = 9;
  while (!(block & 1)) {
    block = frame[at] | frame[at + 1] << 8 | (uint32_t)frame[at + 2] << 16;
    assert_int_equal(block >> 1 & 3, 0);
    sum += block >> 3;
    at += 3 + (block >> 3);
  }
  assert_int_equal(sum, content_bytes);
  assert_int_equal(at, byte_count);
}

static void check_loose_chunk(const uint8_t *loose, const mpak_chunk_entry *chunk) {
  const uint8_t *sizes = loose + chunk->offset;
  uint64_t at = (chunk->encoding == MPAK_ENCODING_INDEX ? 8 : 4) * (uint64_t)chunk->frame_count;
  for (uint32_t f = 0; f < chunk->frame_count; f++) {
    uint32_t size;
    memcpy(&size, sizes + 4 * (size_t)f, 4);
    assert_is_raw_frame(sizes + at, size);
    at += size;
  }
  assert_int_equal(at, chunk->stored_bytes);
}

static void step_loosen(cook_job *job, void *user) {
  wrap_case *c = user;
  const uint8_t *tight = c->product.bytes;
  bool is_loose[64];
  uint64_t byte_count = 0;
  uint32_t loose_count = 0, tight_count = 0;
  const uint8_t *loose = pack_loosen(job, tight, is_loose, &byte_count);
  assert_same_content(loose, tight);
  assert_int_equal(mt_walk_aligned(loose, byte_count, 0).digest,
                   mt_walk_aligned(tight, c->product.byte_count, 0).digest);
  for (uint32_t i = 0; i < header_of(tight)->chunk_count; i++) {
    const mpak_chunk_entry *was = &chunks_of(tight)[i], *is = &chunks_of(loose)[i];
    assert_int_equal(is_loose[i], was->encoding != MPAK_ENCODING_STORE && was->stored_bytes < LOOSEN_BELOW_BYTES);
    if (is_loose[i])
      check_loose_chunk(loose, is);
    else
      assert_memory_equal(loose + is->offset, tight + was->offset, was->stored_bytes);
    loose_count += is_loose[i];
    tight_count += !is_loose[i] && was->encoding != MPAK_ENCODING_STORE;
  }
  assert_true(loose_count > 3 && tight_count > 0);
}

static void test_loosen_small_chunks_become_raw_frames(void **state) {
  (void)state;
  wrap_case c;
  case_begin(&c, "samples/assets/face60.glb", COOK_COMPRESS_DEFAULT, 1);
  assert_true(job_run(c.job, step_loosen, &c));
  job_end(c.job);
}

/// Blocks hold at most 128 KiB: a frame of zeros of three blocks is small before and stays right.
static void step_loosen_zeros(cook_job *job, void *user) {
  (void)user;
  const uint32_t count = 65536;
  const pack_chunk chunks[] = {
      {.kind = MPAK_KIND_STRS,
       .owner = MPAK_NONE,
       .flags = MPAK_CHUNK_REQUIRED,
       .stride = 1,
       .count = 1,
       .bytes = "",
       .is_table = true},
      {.kind = MPAK_KIND_SRCP, .owner = 0, .stride = 4, .count = count, .bytes = job_alloc(job, count, 4)}};
  bool is_loose[2];
  uint64_t byte_count = 0;
  const uint8_t *tight = pack_write(job, chunks, 2, COOK_COMPRESS_DEFAULT, 1, 0, &byte_count);
  const uint8_t *loose = pack_loosen(job, tight, is_loose, &byte_count);
  assert_true(is_loose[1]);
  check_loose_chunk(loose, &chunks_of(loose)[1]);
  uint8_t *content = job_alloc(job, 4 * count, 1), *scratch = job_alloc(job, mpak_zstd_decoder()->scratch_bytes, 1);
  const uint8_t *frame = loose + chunks_of(loose)[1].offset + 4;
  const mpak_decoder *decoder = mpak_zstd_decoder();
  memset(content, 1, 4 * count);
  assert_int_equal(decoder->prepare(NULL, scratch, decoder->scratch_bytes), MPAK_OK);
  assert_int_equal(decoder->decompress(NULL, content, 4 * count, frame, chunks_of(loose)[1].stored_bytes - 4, scratch,
                                       decoder->scratch_bytes),
                   MPAK_OK);
  for (uint32_t i = 0; i < 4 * count; i++) assert_int_equal(content[i], 0);
}

static void test_loosen_frames_of_several_blocks(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  assert_true(job_run(job, step_loosen_zeros, NULL));
  job_end(job);
}

// -- Is it worth it? -------------------------------------------------------------------------------------------------

/// A pack of noise in one chunk: wrapping wins next to nothing, and the pack stays as it is.
static void step_wrap_noise(cook_job *job, void *user) {
  (void)user;
  const uint32_t count = 20000;
  uint32_t *noise = JOB_ARRAY(job, uint32_t, count), seed = 1;
  for (uint32_t i = 0; i < count; i++) noise[i] = seed = seed * 1664525u + 1013904223u;
  const pack_chunk chunks[] = {{.kind = MPAK_KIND_STRS,
                                .owner = MPAK_NONE,
                                .flags = MPAK_CHUNK_REQUIRED,
                                .stride = 1,
                                .count = 1,
                                .bytes = "",
                                .is_table = true},
                               {.kind = MPAK_KIND_SRCP, .owner = 0, .stride = 4, .count = count, .bytes = noise}};
  uint64_t byte_count = 0;
  const uint8_t *pack = pack_write(job, chunks, 2, COOK_COMPRESS_SIZE, 1, 0, &byte_count);
  const uint64_t before = byte_count;
  assert_ptr_equal(pack_wrap(job, pack, &byte_count), pack);
  assert_int_equal(byte_count, before);
}

static void test_wrap_what_saves_little_is_left_alone(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  assert_true(job_run(job, step_wrap_noise, NULL));
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrap_size_is_smaller_and_holds_the_pack),
      cmocka_unit_test(test_wrap_other_profiles_are_not_wrapped),
      cmocka_unit_test(test_wrap_same_bytes_whatever_the_threads),
      cmocka_unit_test(test_loosen_small_chunks_become_raw_frames),
      cmocka_unit_test(test_loosen_frames_of_several_blocks),
      cmocka_unit_test(test_wrap_what_saves_little_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
