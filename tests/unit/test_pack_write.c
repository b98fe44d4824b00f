// pack_write: places, padding, hashes, filters and frames, read back by a plain decoder that is written here from
// SPEC.md and shares nothing with the cooker or the runtime but the record layouts.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "cooker/pack/pack.h"
#include "format/checksum.h"
#include "tests/support/mt_morph.h"
#include "tests/support/mt_scene.h"

// -- A plain decoder -------------------------------------------------------------------------------------------------

static uint32_t load_u32(const uint8_t *at) { return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24; }

/// Bytes of records from byte planes of blocks of floor(131072 / stride) & ~15 records.
static void undo_planes(const uint8_t *coded, uint64_t byte_count, uint32_t stride, uint8_t *records) {
  uint64_t block_records = 131072 / stride / 16 * 16, record_count = byte_count / stride;
  for (uint64_t first = 0; first < record_count; first += block_records) {
    uint64_t count = record_count - first < block_records ? record_count - first : block_records;
    for (uint32_t b = 0; b < stride; ++b) {
      for (uint64_t r = 0; r < count; ++r) {
        records[(first + r) * stride + b] = coded[first * stride + b * count + r];
      }
    }
  }
}

/// The entries of a payload as SPEC.md orders them: block, then shape. Only what decoding needs.
typedef struct plain_entry {
  uint32_t shape, lanes;
  uint64_t offset;
} plain_entry;

static int compare_by_shape(const void *a, const void *b) {
  const plain_entry *x = a, *y = b;
  if (x->shape != y->shape) return x->shape < y->shape ? -1 : 1;
  return x->offset < y->offset ? -1 : 1; // stable: memory order
}

/// One frame of MPAY: streams of all entries by shape, dwords as byte planes, modes undone.
static void undo_morph_frame(const uint8_t *coded, plain_entry *entries, uint32_t entry_count, uint32_t components,
                             uint32_t lane_modes, uint32_t *payload) {
  uint32_t count = 0;
  for (uint32_t e = 0; e < entry_count; ++e) count += entries[e].lanes;
  qsort(entries, entry_count, sizeof *entries, compare_by_shape);
  for (uint32_t s = 0; s < components; ++s) {
    const uint8_t *planes = coded + (size_t)s * count * 4;
    uint32_t at = 0, previous = 0;
    for (uint32_t e = 0; e < entry_count; ++e) {
      for (uint32_t lane = 0; lane < entries[e].lanes; ++lane, ++at) {
        uint32_t word = planes[at] | planes[count + at] << 8 | planes[2 * count + at] << 16 |
                        (uint32_t)planes[3 * count + at] << 24;
        if ((lane_modes >> (2 * s) & 3) == 3) word = previous + ((word >> 1) ^ (word & 1 ? 0xFFFFFFFFu : 0));
        previous = word;
        payload[entries[e].offset + (uint64_t)s * entries[e].lanes + lane] = word;
      }
    }
  }
}

/// Widths of the parts of 4 bytes, by lane mode.
static const uint32_t lane_widths[4] = {0, 1, 2, 4};

static uint64_t load_part(const uint8_t *at, uint32_t width) {
  uint64_t value = 0;
  for (uint32_t b = width; b-- > 0;) value = value << 8 | at[b];
  return value;
}

/// Filter 2 of a frame, after its planes are records again, or (to_codes) before they become planes.
static void change_lanes(uint8_t *records, uint64_t byte_count, uint32_t stride, uint32_t lane_modes, bool to_codes) {
  uint64_t block_bytes = 131072 / stride / 16 * 16 * (uint64_t)stride;
  for (uint32_t byte = 0; byte < stride; ++byte) {
    uint32_t width = lane_widths[lane_modes >> (byte / 4 * 2) & 3];
    if (width == 0 || byte % width != 0) continue;
    uint64_t size = UINT64_C(1) << 8 * width, value = 0;
    for (uint64_t at = byte; at < byte_count; at += stride) {
      if (at % block_bytes == byte) value = 0;
      uint64_t x = load_part(records + at, width), code = (x + size - value) % size;
      if (to_codes && width > 1) code = code < size / 2 ? 2 * code : 2 * (size - code) - 1;
      if (!to_codes) code = (value + (width == 1 ? x : x % 2 ? size - (x + 1) / 2 : x / 2)) % size;
      value = to_codes ? x : code;
      for (uint32_t b = 0; b < width; ++b) records[at + b] = (uint8_t)(code >> 8 * b);
    }
  }
}

/// Decompresses one frame after looking at its header: content size declared, no checksum, window at most 1 MiB.
static uint8_t *inflate_frame(const uint8_t *frame, uint32_t stored_bytes, uint64_t decoded_bytes) {
  assert_int_equal(load_u32(frame), 0xFD2FB528);
  assert_int_equal(frame[4] & 4, 0); // checksum flag
  assert_int_equal(ZSTD_getFrameContentSize(frame, stored_bytes), decoded_bytes);
  uint8_t *bytes = malloc(decoded_bytes);
  assert_int_equal(ZSTD_decompress(bytes, decoded_bytes, frame, stored_bytes), decoded_bytes);
  return bytes;
}

static void decode_plain_frames(const uint8_t *stored, const mpak_chunk_entry *entry, uint8_t *decoded) {
  uint64_t frame_bytes = 2 * (131072 / entry->stride / 16 * 16) * (uint64_t)entry->stride,
           sum = 4 * (uint64_t)entry->frame_count;
  assert_int_equal(entry->frame_bytes, frame_bytes);
  assert_int_equal(entry->frame_count, (entry->decoded_bytes + frame_bytes - 1) / frame_bytes);
  for (uint32_t f = 0; f < entry->frame_count; ++f) {
    uint64_t first = f * frame_bytes, left = entry->decoded_bytes - first,
             bytes = left < frame_bytes ? left : frame_bytes;
    uint32_t stored_bytes = load_u32(stored + 4 * (size_t)f);
    uint8_t *frame = inflate_frame(stored + sum, stored_bytes, bytes);
    if (entry->filter == MPAK_FILTER_NONE)
      memcpy(decoded + first, frame, bytes);
    else
      undo_planes(frame, bytes, entry->stride, decoded + first);
    if (entry->filter == MPAK_FILTER_LANE_DELTA)
      change_lanes(decoded + first, bytes, entry->stride, entry->lane_modes, false);
    free(frame);
    sum += stored_bytes;
  }
  assert_int_equal(sum, entry->stored_bytes);
}

static void decode_morph_frames(const uint8_t *stored, const mpak_chunk_entry *entry, const cook_blocks *blocks,
                                uint8_t *decoded) {
  uint32_t components = entry->stride / 4, at = 0;
  uint64_t sum = 4 * (uint64_t)entry->frame_count, offset = 0;
  plain_entry *entries = malloc(blocks->entry_count * sizeof *entries);
  assert_int_equal(entry->frame_bytes, 524288);
  for (uint32_t f = 0; f < entry->frame_count; ++f) {
    uint32_t count = 0;
    uint64_t bytes = 0;
    for (; at < blocks->entry_count; ++at) { // cut before the entry that goes above 524,288 bytes
      uint32_t lanes = (uint32_t)__builtin_popcountll((uint64_t)blocks->entries[at].lanes_high << 32 |
                                                      blocks->entries[at].lanes_low);
      uint64_t entry_bytes = (uint64_t)lanes * components * 4;
      if (count > 0 && bytes + entry_bytes > 524288) break;
      entries[count++] = (plain_entry){blocks->entries[at].shape, lanes, offset};
      bytes += entry_bytes;
      offset += (uint64_t)lanes * components;
    }
    uint32_t stored_bytes = load_u32(stored + 4 * (size_t)f);
    uint8_t *frame = inflate_frame(stored + sum, stored_bytes, bytes);
    undo_morph_frame(frame, entries, count, components, entry->lane_modes, (uint32_t *)decoded);
    free(frame);
    sum += stored_bytes;
  }
  assert_int_equal(at, blocks->entry_count);
  assert_int_equal(sum, entry->stored_bytes);
  free(entries);
}

// -- Checks of a whole pack ------------------------------------------------------------------------------------------

static void check_chunk(const uint8_t *bytes, const mpak_chunk_entry *entry, const pack_chunk *chunk) {
  uint64_t decoded_bytes = (uint64_t)chunk->stride * chunk->count;
  assert_int_equal(entry->kind, chunk->kind);
  assert_int_equal(entry->owner, chunk->owner);
  assert_int_equal(entry->decoded_bytes, decoded_bytes);
  assert_true(entry->hash_stored == checksum_of(bytes + entry->offset, entry->stored_bytes));
  assert_int_equal(entry->hash_decoded, (uint32_t)checksum_of(chunk->bytes, decoded_bytes));
  if (entry->encoding == MPAK_ENCODING_STORE) {
    assert_int_equal(entry->stored_bytes, decoded_bytes);
    assert_true(entry->filter == 0 && entry->frame_bytes == 0 && entry->frame_count == 0 && entry->lane_modes == 0);
    assert_memory_equal(bytes + entry->offset, chunk->bytes, decoded_bytes);
    return;
  }
  assert_false(chunk->is_table);
  assert_true(entry->stored_bytes < decoded_bytes);
  uint8_t *decoded = malloc(decoded_bytes);
  if (chunk->blocks)
    decode_morph_frames(bytes + entry->offset, entry, chunk->blocks, decoded);
  else
    decode_plain_frames(bytes + entry->offset, entry, decoded);
  assert_memory_equal(decoded, chunk->bytes, decoded_bytes);
  free(decoded);
}

static void assert_zeros(const uint8_t *bytes, uint64_t from, uint64_t to) {
  for (; from < to; ++from) assert_int_equal(bytes[from], 0);
}

/// Alignment, order and padding, by the numbers of SPEC.md.
static uint64_t check_place(const uint8_t *bytes, const mpak_chunk_entry *entry, uint64_t end) {
  uint64_t alignment = 64;
  if (entry->encoding == MPAK_ENCODING_STORE && entry->flags & MPAK_CHUNK_UPLOAD) {
    alignment = entry->stored_bytes >= 65536 ? 4096 : 256;
  }
  assert_int_equal(entry->offset % alignment, 0);
  assert_true(entry->offset >= end && entry->offset - end < alignment);
  assert_zeros(bytes, end, entry->offset);
  return entry->offset + entry->stored_bytes;
}

static void check_header(const uint8_t *bytes, uint64_t byte_count, uint32_t chunk_count, uint64_t content_id) {
  mpak_header header;
  memcpy(&header, bytes, sizeof header);
  assert_memory_equal(header.magic, "\x89MPAK\r\n\x1a", 8);
  assert_int_equal(header.format_major, 1);
  assert_int_equal(header.format_minor, 0);
  assert_int_equal(header.header_bytes, 128);
  assert_int_equal(header.endian_tag, 0x01020304);
  assert_int_equal(header.chunk_count, chunk_count);
  assert_int_equal(header.chunk_entry_bytes, 80);
  assert_int_equal(header.file_bytes, byte_count);
  assert_int_equal(header.table_offset % 8, 0);
  assert_int_equal(header.table_offset + 80 * (uint64_t)chunk_count, byte_count);
  assert_int_equal(header.chunk_alignment, 64);
  assert_true(header.content_id == content_id);
  assert_true(header.table_hash == checksum_of(bytes + header.table_offset, 80 * (size_t)chunk_count));
  assert_true(header.header_hash == checksum_of(bytes, 120));
  assert_zeros(header.reserved, 0, 16);
}

static void check_sums(const uint8_t *bytes, uint32_t chunk_count) {
  mpak_header header;
  memcpy(&header, bytes, sizeof header);
  uint64_t sum = 0, largest = 0, frame = 0;
  for (uint32_t i = 0; i < chunk_count; ++i) {
    mpak_chunk_entry entry;
    memcpy(&entry, bytes + header.table_offset + 80 * (size_t)i, sizeof entry);
    sum += entry.decoded_bytes;
    if (entry.decoded_bytes > largest) largest = entry.decoded_bytes;
    uint64_t bound = entry.frame_bytes < entry.decoded_bytes ? entry.frame_bytes : entry.decoded_bytes;
    if (bound > frame) frame = bound;
  }
  assert_int_equal(header.decoded_bytes, sum);
  assert_int_equal(header.max_chunk_decoded, largest);
  assert_int_equal(header.max_frame_decoded, frame);
}

static mpak_chunk_entry entry_of(const uint8_t *bytes, uint32_t number) {
  mpak_header header;
  mpak_chunk_entry entry;
  memcpy(&header, bytes, sizeof header);
  memcpy(&entry, bytes + header.table_offset + 80 * (size_t)number, sizeof entry);
  return entry;
}

static void check_pack(const uint8_t *bytes, uint64_t byte_count, const pack_chunk *chunks, uint32_t chunk_count,
                       uint64_t content_id) {
  check_header(bytes, byte_count, chunk_count, content_id);
  check_sums(bytes, chunk_count);
  uint64_t end = 128;
  for (uint32_t i = 0; i < chunk_count; ++i) {
    mpak_chunk_entry entry = entry_of(bytes, i);
    end = check_place(bytes, &entry, end);
    check_chunk(bytes, &entry, &chunks[i]);
  }
  uint64_t table_offset = byte_count - 80 * (uint64_t)chunk_count;
  assert_true(table_offset >= end && table_offset - end < 8);
  assert_zeros(bytes, end, table_offset);
}

// -- Chunks to write -------------------------------------------------------------------------------------------------

typedef enum test_data { DATA_NOISE, DATA_CONSTANT, DATA_WAVE, DATA_REPEATS } test_data;

static uint8_t *make_data(cook_job *job, uint64_t byte_count, test_data data, uint64_t seed) {
  mt_random random = {seed};
  uint8_t *bytes = job_alloc(job, byte_count + 8, 1);
  for (uint64_t i = 0; i < byte_count; ++i) {
    if (data == DATA_NOISE) bytes[i] = (uint8_t)(mt_random_next(&random) >> 56);
    if (data == DATA_CONSTANT) bytes[i] = 42;
    if (data == DATA_REPEATS) bytes[i] = (uint8_t)(i % 48 * i % 48 * 5 + i % 7);
  }
  for (uint64_t i = 0; data == DATA_WAVE && i < byte_count / 4; ++i) {
    float value = (float)i * 0.001f + 1;
    memcpy(bytes + 4 * i, &value, 4);
  }
  return bytes;
}

static pack_chunk make_chunk(cook_job *job, uint32_t stride, uint32_t count, uint32_t flags, test_data data,
                             bool is_table) {
  static uint32_t seed = 1;
  return (pack_chunk){.kind = is_table ? MPAK_KIND_NODE : MPAK_KIND_VBAS,
                      .owner = is_table ? MPAK_NONE : 0,
                      .flags = flags,
                      .stride = stride,
                      .count = count,
                      .bytes = make_data(job, (uint64_t)stride * count, data, ++seed),
                      .is_table = is_table};
}

#define CHUNKS_MAX 40

/// Strides, lengths around block and frame bounds, and data of every kind.
static uint32_t make_chunks(cook_job *job, pack_chunk *chunks) {
  uint32_t n = 0;
  const uint32_t flags[2] = {MPAK_CHUNK_REQUIRED, MPAK_CHUNK_REQUIRED | MPAK_CHUNK_UPLOAD};
  chunks[n++] = make_chunk(job, 72, 5, flags[0], DATA_CONSTANT, true);
  chunks[n++] = make_chunk(job, 1, 1, flags[0], DATA_NOISE, true);
  const uint32_t block = 131072 / 48 / 16 * 16; // 2,720 records of 48 bytes
  const uint32_t counts[] = {1, block - 1, block, block + 1, 2 * block, 2 * block + 1, 5 * block + 7};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
    chunks[n++] = make_chunk(job, 48, counts[i], flags[1], i % 2 ? DATA_WAVE : DATA_REPEATS, false);
  }
  for (uint32_t stride = 1; stride <= 64; stride *= 2) {
    chunks[n++] = make_chunk(job, stride, 300000 / stride, flags[1], DATA_WAVE, false);
  }
  chunks[n++] = make_chunk(job, 64, 1000, flags[1], DATA_NOISE, false); // stored, below 65,536 bytes
  chunks[n++] = make_chunk(job, 64, 1024, flags[1], DATA_NOISE, false); // stored, exactly 65,536 bytes: a page
  chunks[n++] = make_chunk(job, 7, 13000, flags[0], DATA_NOISE, false); // stored, not for upload
  chunks[n++] = make_chunk(job, 12, 30000, flags[1], DATA_CONSTANT, false);
  chunks[n++] = make_chunk(job, 8192, 40, flags[0], DATA_WAVE, false); // the longest record
  return n;
}

static void test_pack_write_round_trips_chunks_of_every_length_and_stride(void **state) {
  (void)state;
  const cook_compress profiles[] = {COOK_COMPRESS_DEFAULT, COOK_COMPRESS_LOAD, COOK_COMPRESS_SIZE};
  for (int p = 0; p < 3; ++p) {
    cook_job *job = mt_job(NULL);
    pack_chunk chunks[CHUNKS_MAX];
    uint32_t count = make_chunks(job, chunks), compressed = 0;
    uint64_t byte_count;
    uint8_t *bytes = pack_write(job, chunks, count, profiles[p], 1, 0x1234567890ABCDEF, &byte_count);
    assert_int_equal((uintptr_t)bytes % 64, 0);
    check_pack(bytes, byte_count, chunks, count, 0x1234567890ABCDEF);
    for (uint32_t i = 0; i < count; ++i) compressed += entry_of(bytes, i).encoding == MPAK_ENCODING_ZSTD;
    assert_int_equal(compressed > 0, profiles[p] != COOK_COMPRESS_LOAD);
    job_end(job);
  }
}

static void test_pack_write_takes_the_smallest_filter_and_stores_noise(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  pack_chunk chunks[3] = {make_chunk(job, 4, 20000, 0, DATA_WAVE, false),
                          make_chunk(job, 48, 2000, 0, DATA_REPEATS, false),
                          make_chunk(job, 16, 2000, 0, DATA_NOISE, false)};
  uint64_t byte_count;
  uint8_t *bytes = pack_write(job, chunks, 3, COOK_COMPRESS_DEFAULT, 1, 0, &byte_count);
  for (uint32_t i = 0; i < 3; ++i) { // what the level's zstd makes of all forms, computed here
    uint64_t size = (uint64_t)chunks[i].stride * chunks[i].count, best = size, form = 4;
    uint8_t *records = malloc(size), *planes = malloc(size), *out = malloc(ZSTD_compressBound(size));
    mpak_chunk_entry entry = entry_of(bytes, i);
    for (uint64_t way = 0; way < 4; ++way) { // as it is, planes, all u16 as differences, and what was guessed
      uint32_t all_u16 = chunks[i].stride == 64 ? 0xAAAAAAAA : 0xAAAAAAAA & ((1u << chunks[i].stride / 2) - 1);
      if (way == 3 && (entry.filter != MPAK_FILTER_LANE_DELTA || entry.lane_modes == all_u16)) continue;
      memcpy(records, chunks[i].bytes, size);
      if (way > 1) change_lanes(records, size, chunks[i].stride, way == 2 ? all_u16 : entry.lane_modes, true);
      for (uint64_t r = 0; r < chunks[i].count; ++r) {
        for (uint32_t b = 0; b < chunks[i].stride; ++b) {
          planes[b * chunks[i].count + r] = records[r * chunks[i].stride + b];
        }
      }
      size_t made = ZSTD_compress(out, ZSTD_compressBound(size), way ? planes : records, size, 3) + 4;
      if (made < best) best = made, form = way;
    }
    assert_int_equal(entry.encoding, form < 4);
    assert_int_equal(entry.filter, form == 4 ? 0 : form < 2 ? form : MPAK_FILTER_LANE_DELTA);
    assert_int_equal(entry.stored_bytes, best);
    free(records);
    free(planes);
    free(out);
  }
  assert_int_equal(entry_of(bytes, 0).filter, MPAK_FILTER_LANE_DELTA);
  assert_int_equal(entry_of(bytes, 2).encoding, MPAK_ENCODING_STORE);
  job_end(job);
}

static void test_pack_write_load_profile_stores_everything(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  pack_chunk chunks[CHUNKS_MAX];
  uint32_t count = make_chunks(job, chunks);
  uint64_t byte_count;
  uint8_t *bytes = pack_write(job, chunks, count, COOK_COMPRESS_LOAD, 1, 0, &byte_count);
  for (uint32_t i = 0; i < count; ++i) assert_int_equal(entry_of(bytes, i).encoding, MPAK_ENCODING_STORE);
  assert_int_equal(((const mpak_header *)bytes)->flags, 1);
  job_end(job);
}

// -- MPAY ------------------------------------------------------------------------------------------------------------

static pack_chunk make_payload_chunk(cook_job *job, const cook_primitive *primitive, cook_blocks *blocks) {
  cook_gpu_morph morph;
  float *low = JOB_ARRAY(job, float, primitive->target_count), *high = JOB_ARRAY(job, float, primitive->target_count);
  const mpak_section section = {.vertex_count = primitive->vertex_count};
  build_morph_facts(job, primitive, low, high, &morph);
  build_blocks(job, primitive, &morph, &section, 1, blocks);
  return (pack_chunk){.kind = MPAK_KIND_MPAY,
                      .flags = MPAK_CHUNK_REQUIRED | MPAK_CHUNK_UPLOAD,
                      .stride = 4 * blocks->components,
                      .count = blocks->delta_count,
                      .bytes = blocks->payload_words,
                      .blocks = blocks};
}

/// Deltas that change so slowly that differences of their bits are small; positions only, or normals too.
static void smooth_deltas(cook_primitive *primitive, bool normals_too) {
  for (uint32_t t = 0; t < primitive->target_count; ++t) {
    for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        primitive->targets[t].position_deltas[v][axis] = 1.0f + (float)v * 0x1p-20f + (float)axis;
        if (normals_too) primitive->targets[t].normal_deltas[v][axis] = 1.5f + (float)v * 0x1p-21f;
      }
    }
  }
}

static uint32_t lane_modes_of(cook_job *job, const cook_primitive *primitive, cook_compress compress,
                              uint32_t *frame_count) {
  cook_blocks blocks;
  uint64_t byte_count;
  pack_chunk chunk = make_payload_chunk(job, primitive, &blocks);
  uint8_t *bytes = pack_write(job, &chunk, 1, compress, 1, 7, &byte_count);
  check_pack(bytes, byte_count, &chunk, 1, 7);
  mpak_chunk_entry entry = entry_of(bytes, 0);
  assert_int_equal(entry.encoding, MPAK_ENCODING_ZSTD);
  assert_int_equal(entry.filter, MPAK_FILTER_MORPH_FRAMES);
  *frame_count = entry.frame_count;
  return entry.lane_modes;
}

static void test_pack_write_payload_of_several_frames_round_trips_in_each_lane_mode(void **state) {
  (void)state;
  enum { NOISE, SMOOTH_POSITIONS, SMOOTH_ALL };
  const uint32_t expected_modes[3] = {0, 0x3F, 0xFFF}; // two bits a stream: 3 is 32-bit difference
  for (int kind = NOISE; kind <= SMOOTH_ALL; ++kind) {
    cook_job *job = mt_job(NULL);
    // 9,000 vertices x 8 shapes x 24 bytes = 1.7 MB: four frames, too few to be sampled
    cook_primitive *primitive = mt_morph_primitive(job, 9000, 8, MT_MORPH_POSITIONS | MT_MORPH_NORMALS, 100, 5);
    if (kind != NOISE) smooth_deltas(primitive, kind == SMOOTH_ALL);
    uint32_t frames;
    assert_int_equal(lane_modes_of(job, primitive, COOK_COMPRESS_DEFAULT, &frames), expected_modes[kind]);
    assert_int_equal(frames, 4);
    job_end(job);
  }
}

static void test_pack_write_sampled_payload_chooses_like_the_exhaustive_one(void **state) {
  (void)state;
  for (int smooth = 0; smooth < 2; ++smooth) {
    cook_job *job = mt_job(NULL);
    // 40,000 x 10 x 24 = 9.6 MB: 19 frames, sampled by default; the size profile tries all
    cook_primitive *primitive = mt_morph_primitive(job, 40000, 10, MT_MORPH_POSITIONS | MT_MORPH_NORMALS, 100, 6);
    if (smooth) smooth_deltas(primitive, false);
    uint32_t frames;
    assert_int_equal(lane_modes_of(job, primitive, COOK_COMPRESS_DEFAULT, &frames), smooth ? 0x3F : 0);
    assert_true(frames >= 16);
    job_end(job);
  }
}

static void test_pack_write_payload_edges_round_trip(void **state) {
  (void)state;
  const uint32_t vertices[] = {1, 63, 64, 65, 700};
  for (size_t i = 0; i < sizeof vertices / sizeof vertices[0]; ++i) {
    for (int streams = 1; streams <= 7; streams += 2) { // positions, + normals, + tangents, all
      for (int compress = 0; compress < 3; ++compress) {
        cook_job *job = mt_job(NULL);
        cook_blocks blocks;
        uint64_t byte_count;
        cook_primitive *primitive = mt_morph_primitive(job, vertices[i], 4, streams, 70, 9 + i);
        primitive->targets[0].position_deltas[0][0] = 1; // at least one delta
        pack_chunk chunk = make_payload_chunk(job, primitive, &blocks);
        uint8_t *bytes = pack_write(job, &chunk, 1, (cook_compress)compress, 1, 7, &byte_count);
        check_pack(bytes, byte_count, &chunk, 1, 7);
        job_end(job);
      }
    }
  }
}

// -- Threads ---------------------------------------------------------------------------------------------------------

static void test_pack_write_bytes_do_not_depend_on_threads(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  pack_chunk chunks[CHUNKS_MAX];
  uint32_t count = make_chunks(job, chunks);
  cook_blocks blocks[2];
  chunks[count++] = make_payload_chunk(
      job, mt_morph_primitive(job, 9000, 8, MT_MORPH_POSITIONS | MT_MORPH_NORMALS, 40, 5), &blocks[0]);
  chunks[count++] = make_payload_chunk(job, mt_morph_primitive(job, 40000, 20, MT_MORPH_POSITIONS, 100, 5), &blocks[1]);
  uint64_t byte_count[2];
  uint8_t *first = pack_write(job, chunks, count, COOK_COMPRESS_DEFAULT, 1, 3, &byte_count[0]);
  check_pack(first, byte_count[0], chunks, count, 3);
  const uint32_t threads[] = {0, 1, 2, 3, 7, 1000};
  for (size_t i = 0; i < sizeof threads / sizeof threads[0]; ++i) {
    cook_mark mark = job_mark(job);
    uint8_t *again = pack_write(job, chunks, count, COOK_COMPRESS_DEFAULT, threads[i], 3, &byte_count[1]);
    assert_int_equal(byte_count[1], byte_count[0]);
    assert_memory_equal(again, first, byte_count[0]);
    job_release(job, mark);
  }
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pack_write_round_trips_chunks_of_every_length_and_stride),
      cmocka_unit_test(test_pack_write_takes_the_smallest_filter_and_stores_noise),
      cmocka_unit_test(test_pack_write_load_profile_stores_everything),
      cmocka_unit_test(test_pack_write_payload_of_several_frames_round_trips_in_each_lane_mode),
      cmocka_unit_test(test_pack_write_sampled_payload_chooses_like_the_exhaustive_one),
      cmocka_unit_test(test_pack_write_payload_edges_round_trip),
      cmocka_unit_test(test_pack_write_bytes_do_not_depend_on_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
