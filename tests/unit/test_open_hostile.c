// test_open_hostile.c: small packs with every byte changed and every length cut, each as it is and with all hashes made
// right again; inside compressed chunks the decoded bytes are changed and encoded again. As it is a mutant must be
// refused when it is opened. With right hashes it is refused, or everything that it offers can be read and moved
// without a report of AddressSanitizer or UndefinedBehaviorSanitizer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mt_pack.h"
#include "tests/support/mt_rules.h"
#include "tests/support/mt_walk.h"
#include "tests/support/mt_wrapped.h"

#define HOSTILE_LEAST_VERIFIER_REFUSALS 1000
#define HOSTILE_MAX_BYTES               (UINT64_C(64) << 20)

/// How the mutants of one pack ended.
typedef struct hostile_counts {
  uint64_t by_hash;     ///< refused by a hash
  uint64_t by_verifier; ///< refused by any other rule
  uint64_t accepted;
  uint64_t wrongly_accepted; ///< as it is, and opened
  uint64_t wild;             ///< accepted, and a vertex was not finite
} hostile_counts;

static void hostile_count(const mt_walk *walk, hostile_counts *counts) {
  mpak_result result = walk->open_result != MPAK_OK ? walk->open_result : walk->decode_result;
  counts->wild += !walk->is_finite;
  if (result == MPAK_OK)
    counts->accepted++;
  else if (result == MPAK_ERROR_CHECKSUM)
    counts->by_hash++;
  else
    counts->by_verifier++;
}

/// As it is: must not open.
static void hostile_try_raw(const mt_image *image, hostile_counts *counts) {
  mpak_open_options options = {.max_decoded_bytes = HOSTILE_MAX_BYTES};
  mpak_pack pack;
  mt_walk walk = {.is_finite = true};
  if (mpak_is_wrapped(image->bytes, image->byte_count))
    walk = mt_walk_aligned(image->bytes, image->byte_count, HOSTILE_MAX_BYTES);
  else
    walk.open_result = mpak_open(image->bytes, image->byte_count, &options, &pack, &walk.fault);
  hostile_count(&walk, counts);
  if (walk.open_result == MPAK_OK) counts->wrongly_accepted++;
}

/// The twelve bytes that a byte is changed to.
#define HOSTILE_CHANGES 12
static uint8_t hostile_change(uint8_t byte, uint32_t change) {
  switch (change) {
  case 0: return 0;
  case 1: return 255;
  case 2: return (uint8_t)(byte + 1);
  case 3: return (uint8_t)(byte - 1);
  default: return (uint8_t)(byte ^ (1u << (change - 4)));
  }
}

/// Is the change none, or the same as an earlier one?
static bool hostile_is_repeat(uint8_t byte, uint32_t change) {
  uint8_t changed = hostile_change(byte, change);
  for (uint32_t i = 0; i < change; i++)
    if (hostile_change(byte, i) == changed) return true;
  return changed == byte;
}

static void hostile_change_bytes(const mt_image *sound, hostile_counts *raw, hostile_counts *rehashed) {
  mt_image raw_image = mt_image_copy(sound->bytes, sound->byte_count);
  for (uint64_t at = 0; at < sound->byte_count; at++) {
    for (uint32_t change = 0; change < HOSTILE_CHANGES; change++) {
      if (hostile_is_repeat(sound->bytes[at], change)) continue;
      raw_image.bytes[at] = hostile_change(sound->bytes[at], change);
      hostile_try_raw(&raw_image, raw);
      mt_image image = mt_image_copy(raw_image.bytes, raw_image.byte_count);
      mt_image_rehash(&image);
      mt_walk walk = mt_walk_aligned(image.bytes, image.byte_count, HOSTILE_MAX_BYTES);
      hostile_count(&walk, rehashed);
      mt_image_free(&image);
    }
    raw_image.bytes[at] = sound->bytes[at];
  }
  mt_image_free(&raw_image);
}

/// Makes file_bytes right, where the file is long enough to have it.
static void hostile_set_length(mt_image *image) {
  const bool is_wrapped = mpak_is_wrapped(image->bytes, image->byte_count);
  const size_t at = is_wrapped ? offsetof(mpak_wrapped_header, file_bytes) : offsetof(mpak_header, file_bytes);
  if (image->byte_count >= at + 8) memcpy(image->bytes + at, &image->byte_count, 8);
}

/// Every length, once as it is and once with the header's file_bytes and hash made right.
static void hostile_cut(const mt_image *sound, hostile_counts *raw, hostile_counts *rehashed) {
  for (uint64_t length = 0; length < sound->byte_count; length++) {
    mt_image image = mt_image_copy(sound->bytes, length);
    hostile_try_raw(&image, raw);
    hostile_set_length(&image);
    mt_image_rehash(&image);
    mt_walk walk = mt_walk_aligned(image.bytes, image.byte_count, HOSTILE_MAX_BYTES);
    hostile_count(&walk, rehashed);
    mt_image_free(&image);
  }
}

/// Decoded bytes of compressed chunks, encoded again.
static void hostile_change_decoded(const mt_image *sound, hostile_counts *counts) {
  mt_pack pack;
  mt_pack_parse(&pack, sound);
  mt_pack_freeze(&pack);
  for (uint32_t c = 0; c < pack.chunk_count; c++) {
    mt_chunk *chunk = &pack.chunks[c];
    if (chunk->entry.encoding == MPAK_ENCODING_STORE) continue;
    for (uint64_t at = 0; at < chunk->entry.decoded_bytes; at++) {
      uint8_t byte = chunk->bytes[at];
      for (uint32_t change = 0; change < HOSTILE_CHANGES; change++) {
        if (hostile_is_repeat(byte, change)) continue;
        chunk->bytes[at] = hostile_change(byte, change);
        mt_image image = mt_pack_write_changed(&pack, c);
        mt_walk walk = mt_walk_aligned(image.bytes, image.byte_count, HOSTILE_MAX_BYTES);
        hostile_count(&walk, counts);
        mt_image_free(&image);
      }
      chunk->bytes[at] = byte;
    }
  }
  mt_pack_free(&pack);
}

static uint64_t hostile_print(const char *name, const char *what, const hostile_counts *counts) {
  printf("print: %s, %s: %llu refused by hash, %llu refused by the verifier, %llu accepted\n", name, what,
         (unsigned long long)counts->by_hash, (unsigned long long)counts->by_verifier,
         (unsigned long long)counts->accepted);
  return counts->by_verifier;
}

/// Frees the pack.
static void hostile_run_pack(const char *name, mt_pack *pack, bool is_compressed) {
  hostile_counts raw = {0}, rehashed = {0}, decoded = {0};
  mt_image sound = mt_pack_write(pack);
  mt_walk walk = mt_walk_aligned(sound.bytes, sound.byte_count, HOSTILE_MAX_BYTES);
  assert_int_equal(walk.open_result, MPAK_OK);
  assert_int_equal(walk.decode_result, MPAK_OK);
  hostile_change_bytes(&sound, &raw, &rehashed);
  hostile_cut(&sound, &raw, &rehashed);
  hostile_change_decoded(&sound, &decoded);
  hostile_print(name, "as it is", &raw);
  uint64_t refusals = hostile_print(name, "hashes made right", &rehashed);
  if (is_compressed) refusals += hostile_print(name, "decoded bytes changed", &decoded);
  assert_int_equal(raw.accepted, 0);
  assert_int_equal(raw.wrongly_accepted, 0);
  assert_int_equal(raw.wild + rehashed.wild + decoded.wild, 0);
  assert_true(refusals >= HOSTILE_LEAST_VERIFIER_REFUSALS);
  mt_image_free(&sound);
  mt_pack_free(pack);
}

// -- Wrapped packs ---------------------------------------------------------------------------------------------------

/// Bytes of the stream, compressed again: the pack in it is another one, with hashes that are right.
static void hostile_change_stream(const mt_image *sound, hostile_counts *counts) {
  mt_wrapped wrapped;
  assert_true(mt_wrapped_parse(&wrapped, sound));
  for (uint64_t at = 0; at < wrapped.stream_bytes; at++) {
    const uint8_t byte = wrapped.stream[at];
    for (uint32_t change = 0; change < HOSTILE_CHANGES; change++) {
      if (hostile_is_repeat(byte, change)) continue;
      wrapped.stream[at] = hostile_change(byte, change);
      mt_image image = mt_wrapped_write(&wrapped);
      mt_walk walk = mt_walk_aligned(image.bytes, image.byte_count, HOSTILE_MAX_BYTES);
      hostile_count(&walk, counts);
      mt_image_free(&image);
    }
    wrapped.stream[at] = byte;
  }
  mt_wrapped_free(&wrapped);
}

static void test_hostile_wrapped_packs_are_refused_or_harmless(void **state) {
  (void)state;
  hostile_counts raw = {0}, rehashed = {0}, stream = {0};
  mt_pack pack;
  mt_wrapped wrapped;
  mt_pack_character(&pack, &(mt_character){.layout = MT_BLK64, .is_compressed = true, .is_skinned = true});
  mt_image inner = mt_pack_write(&pack);
  mt_wrapped_make(&wrapped, &inner);
  mt_image sound = mt_wrapped_write(&wrapped);
  assert_int_equal(mt_walk_aligned(sound.bytes, sound.byte_count, HOSTILE_MAX_BYTES).decode_result, MPAK_OK);
  hostile_change_bytes(&sound, &raw, &rehashed);
  hostile_cut(&sound, &raw, &rehashed);
  hostile_change_stream(&sound, &stream);
  hostile_print("wrapped", "as it is", &raw);
  const uint64_t refusals = hostile_print("wrapped", "hash made right", &rehashed);
  assert_true(refusals + hostile_print("wrapped", "stream changed", &stream) >= HOSTILE_LEAST_VERIFIER_REFUSALS);
  assert_int_equal(raw.accepted + raw.wild + rehashed.wild + stream.wild, 0);
  mt_image_free(&sound);
  mt_image_free(&inner);
  mt_wrapped_free(&wrapped);
  mt_pack_free(&pack);
}

static void hostile_run(const char *name, const mt_character *character) {
  mt_pack pack;
  mt_pack_character(&pack, character);
  hostile_run_pack(name, &pack, character->is_compressed);
}

static void test_hostile_clip_packs_are_refused_or_harmless(void **state) {
  (void)state;
  mt_pack pack;
  mt_pack_clips(&pack);
  hostile_run_pack("clip pack", &pack, false);
  mt_pack_clips(&pack);
  mt_pack_compress(&pack);
  hostile_run_pack("clip pack compressed", &pack, true);
}

static void test_hostile_csr64_is_refused_or_harmless(void **state) {
  (void)state;
  hostile_run("csr64 stored", &(mt_character){.layout = MT_CSR64, .has_rules = true});
}

static void test_hostile_blk64_compressed_is_refused_or_harmless(void **state) {
  (void)state;
  hostile_run("blk64 compressed", &(mt_character){.layout = MT_BLK64, .is_compressed = true, .has_source_map = true});
}

static void test_hostile_skin_and_clips_are_refused_or_harmless(void **state) {
  (void)state;
  hostile_run("skin and clips",
              &(mt_character){.layout = MT_BLK64, .is_skinned = true, .has_clips = true, .has_colours = true});
}

static void test_hostile_quantised_deltas_are_refused_or_harmless(void **state) {
  (void)state;
  hostile_run("P8 compressed",
              &(mt_character){.layout = MT_BLK64, .is_compressed = true, .components = 6, .payload = MPAK_PAYLOAD_P8});
  hostile_run("P16 stored", &(mt_character){.layout = MT_BLK64, .payload = MPAK_PAYLOAD_P16});
}

static void test_hostile_quantised_streams_are_refused_or_harmless(void **state) {
  (void)state;
  mt_pack pack;
  mt_pack_character(&pack, &(mt_character){.layout = MT_BLK64, .is_skinned = true});
  mt_pack_quantise(&pack);
  hostile_run_pack("quantised streams", &pack, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hostile_csr64_is_refused_or_harmless),
      cmocka_unit_test(test_hostile_blk64_compressed_is_refused_or_harmless),
      cmocka_unit_test(test_hostile_quantised_deltas_are_refused_or_harmless),
      cmocka_unit_test(test_hostile_quantised_streams_are_refused_or_harmless),
      cmocka_unit_test(test_hostile_clip_packs_are_refused_or_harmless),
      cmocka_unit_test(test_hostile_skin_and_clips_are_refused_or_harmless),
      cmocka_unit_test(test_hostile_wrapped_packs_are_refused_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
