// fuzz_open.c: any bytes: open, verify, decode, walk, deform. Nothing may crash, read outside its memory, or show a
// vertex that is not finite.
//
// build:   make fuzz
// run:     build/fuzz/tests/fuzz/fuzz_open -max_len=20000 NEW_FOLDER tests/fuzz/corpus/open
// replay:  tests/unit/test_fuzz_replay.c, in every test run
//
// Random changes would die at the first hash, so the mutator repairs: it changes raw bytes and makes sizes and hashes
// right again, or takes a sound pack apart, changes the decoded bytes or the length of a chunk, and writes it anew. It
// wraps packs, and changes the expanded stream of wrapped ones.
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pack.h"
#include "tests/support/mt_walk.h"
#include "tests/support/mt_wrapped.h"

#define FUZZ_MAX_DECODED_BYTES (UINT64_C(8) << 20)
#define FUZZ_MOST_DELTAS       20000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mt_walk walk = mt_walk_bytes(data, size, FUZZ_MAX_DECODED_BYTES);
  if (!walk.is_finite) abort();
  return 0;
}

static uint32_t fuzz_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

/// Can mt_pack_parse take it apart: sound, not large, no compressed chunk of an unknown kind?
static bool fuzz_is_sound(const mt_image *image) {
  mt_walk walk = mt_walk_aligned(image->bytes, image->byte_count, FUZZ_MAX_DECODED_BYTES);
  if (walk.open_result != MPAK_OK || walk.decode_result != MPAK_OK) return false;
  mpak_header header;
  memcpy(&header, image->bytes, sizeof header);
  if (header.chunk_count > MT_PACK_MAX_CHUNKS) return false;
  const mpak_chunk_entry *chunks = (const mpak_chunk_entry *)(image->bytes + header.table_offset);
  for (uint32_t i = 0; i < header.chunk_count; i++) {
    if (chunks[i].encoding > MPAK_ENCODING_INDEX) return false;
    if (chunks[i].encoding != MPAK_ENCODING_STORE && chunks[i].frame_bytes == 0) return false;
    if (chunks[i].kind == MPAK_KIND_MPAY && chunks[i].count > FUZZ_MOST_DELTAS) return false;
  }
  return true;
}

/// Changes one chunk of a sound pack: its bytes, or sometimes its number of records.
static void fuzz_change_chunk(mt_image *image, uint32_t *state) {
  mt_pack pack;
  mt_pack_parse(&pack, image);
  mt_chunk *chunk = &pack.chunks[fuzz_random(state) % pack.chunk_count];
  size_t byte_count = (size_t)chunk->entry.stride * chunk->entry.count;
  if (fuzz_random(state) % 8 == 0 && !chunk->frames) {
    uint32_t count = chunk->entry.count + fuzz_random(state) % 3 - 1;
    if (count > 0 && mt_pack_find(&pack, chunk->entry.kind) == chunk) mt_pack_resize(&pack, chunk->entry.kind, count);
  } else {
    size_t window = byte_count < 64 ? byte_count : 64, at = fuzz_random(state) % (byte_count - window + 1);
    LLVMFuzzerMutate(chunk->bytes + at, window, window);
  }
  mt_image changed = mt_pack_write(&pack);
  mt_pack_free(&pack);
  mt_image_free(image);
  *image = changed;
}

/// Changes the stream of a wrapped pack, or what stands behind it, and wraps it anew. False: it is none.
static bool fuzz_change_wrapped(mt_image *image, uint32_t *state) {
  mt_wrapped wrapped;
  if (!mt_wrapped_parse(&wrapped, image)) return false;
  const bool is_behind = wrapped.behind_bytes > 0 && fuzz_random(state) % 4 == 0;
  uint8_t *bytes = is_behind ? wrapped.behind : wrapped.stream;
  const size_t byte_count = (size_t)(is_behind ? wrapped.behind_bytes : wrapped.stream_bytes);
  const size_t window = byte_count < 64 ? byte_count : 64, at = fuzz_random(state) % (byte_count - window + 1);
  LLVMFuzzerMutate(bytes + at, window, window);
  mt_image_free(image);
  *image = mt_wrapped_write(&wrapped);
  mt_wrapped_free(&wrapped);
  return true;
}

/// Makes a wrapped pack of a sound pack.
static void fuzz_wrap(mt_image *image) {
  mt_wrapped wrapped;
  mt_wrapped_make(&wrapped, image);
  mt_image_free(image);
  *image = mt_wrapped_write(&wrapped);
  mt_wrapped_free(&wrapped);
}

/// Changes raw bytes, then makes the file's size and all hashes right.
static void fuzz_change_raw(mt_image *image, size_t max_size) {
  uint8_t *bytes = malloc(max_size);
  memcpy(bytes, image->bytes, image->byte_count);
  size_t size = LLVMFuzzerMutate(bytes, image->byte_count, max_size);
  mt_image changed = mt_image_copy(bytes, size);
  free(bytes);
  mt_image_free(image);
  *image = changed;
  if (size < sizeof(mpak_header)) return;
  if (mpak_is_wrapped(image->bytes, size)) {
    memcpy(image->bytes + offsetof(mpak_wrapped_header, file_bytes), &image->byte_count, 8);
    return;
  }
  mpak_header header;
  memcpy(&header, image->bytes, sizeof header);
  header.file_bytes = size;
  if (header.chunk_count <= (size - sizeof header) / sizeof(mpak_chunk_entry))
    header.table_offset = size - header.chunk_count * sizeof(mpak_chunk_entry);
  memcpy(image->bytes, &header, sizeof header);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
  uint32_t state = seed | 1;
  mt_image image = mt_image_copy(data, size);
  const bool is_raw = fuzz_random(&state) % 4 == 0;
  if (is_raw || (!fuzz_change_wrapped(&image, &state) && !fuzz_is_sound(&image)))
    fuzz_change_raw(&image, max_size);
  else if (!mpak_is_wrapped(image.bytes, image.byte_count) && fuzz_random(&state) % 16 == 0)
    fuzz_wrap(&image);
  else if (!mpak_is_wrapped(image.bytes, image.byte_count))
    fuzz_change_chunk(&image, &state);
  mt_image_rehash(&image);
  size_t written = image.byte_count <= max_size ? (size_t)image.byte_count : size;
  if (image.byte_count <= max_size) memcpy(data, image.bytes, written);
  mt_image_free(&image);
  return written;
}
