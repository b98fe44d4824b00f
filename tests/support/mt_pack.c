// mt_pack.c: see mt_pack.h.
#include "tests/support/mt_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "format/checksum.h"
#include "tests/support/mt_pack_morph.h"

static void mt_pack_die(const char *what) {
  fprintf(stderr, "mt_pack: %s\n", what);
  abort();
}

static void *mt_pack_memory(size_t byte_count) {
  void *memory = calloc(byte_count ? byte_count : 1, 1);
  if (!memory) mt_pack_die("out of memory");
  return memory;
}

// -- What SPEC.md says of kinds --------------------------------------------------------------------------------------

typedef struct mt_kind {
  const char *text;
  uint32_t flags;
  uint8_t format;
} mt_kind;

static const mt_kind mt_kinds[] = {
    {"STRS", 1, 0}, {"NODE", 1, 0}, {"INST", 1, 0}, {"IWGT", 1, 0}, {"SKIN", 1, 0},  {"JONT", 1, 0}, {"MESH", 1, 0},
    {"PART", 1, 0}, {"CTRL", 1, 0}, {"SHAP", 1, 0}, {"RULE", 1, 0}, {"RPTS", 1, 0},  {"SECT", 1, 0}, {"BMAP", 1, 0},
    {"LODS", 0, 0}, {"RBON", 0, 0}, {"MATL", 0, 0}, {"CLIP", 1, 0}, {"TRAK", 1, 0},  {"ERRS", 0, 0}, {"META", 0, 0},
    {"QUAN", 1, 0}, {"KEYT", 1, 0}, {"KEYV", 1, 0}, {"ANIM", 1, 0}, {"VBAS", 3, 1},  {"INDX", 3, 2}, {"JNTS", 3, 2},
    {"WGTS", 3, 4}, {"TEXC", 3, 5}, {"COLR", 3, 8}, {"MOFF", 3, 3}, {"MDEL", 3, 12}, {"MGRP", 1, 0}, {"MRUN", 1, 0},
    {"MPAY", 3, 4}, {"PKOS", 0, 0}, {"SRCP", 0, 0}, {"VQNT", 1, 0}, {"TEXQ", 1, 0},  {"CLTH", 1, 0},
};

static const mt_kind *mt_kind_of(uint32_t kind) {
  for (size_t i = 0; i < sizeof mt_kinds / sizeof mt_kinds[0]; i++)
    if (memcmp(&kind, mt_kinds[i].text, 4) == 0) return &mt_kinds[i];
  return NULL;
}

static bool mt_kind_is_table(uint32_t kind) {
  const mt_kind *known = mt_kind_of(kind);
  return !known || known < mt_kind_of(MPAK_KIND_KEYT);
}

// -- Chunk by chunk --------------------------------------------------------------------------------------------------

void mt_pack_begin(mt_pack *pack) {
  memset(pack, 0, sizeof *pack);
  memcpy(pack->header.magic, "\x89MPAK\r\n\x1a", 8);
  pack->header.format_major = MPAK_FORMAT_MAJOR;
  pack->header.format_minor = MPAK_FORMAT_MINOR;
  pack->header.header_bytes = 128;
  pack->header.endian_tag = 0x01020304;
  pack->header.chunk_entry_bytes = 80;
  pack->header.chunk_alignment = 64;
  pack->header.content_id = 42;
  mt_pack_add(pack, MPAK_KIND_STRS, MPAK_NONE, 1, 1, "");
}

static void mt_chunk_free(mt_chunk *chunk) {
  free(chunk->bytes);
  free(chunk->frozen);
  if (chunk->frames) mt_morph_frames_free(chunk->frames);
  free(chunk->frames);
}

void mt_pack_free(mt_pack *pack) {
  for (uint32_t i = 0; i < pack->chunk_count; i++) mt_chunk_free(&pack->chunks[i]);
  pack->chunk_count = 0;
}

uint32_t mt_pack_string(mt_pack *pack, const char *text) {
  mt_chunk *strings = &pack->chunks[0];
  uint32_t at = strings->entry.count, length = (uint32_t)strlen(text) + 1;
  if (length == 1) return 0;
  uint8_t *bytes = mt_pack_memory(at + length);
  memcpy(bytes, strings->bytes, at);
  memcpy(bytes + at, text, length);
  free(strings->bytes);
  strings->bytes = bytes;
  strings->entry.count = at + length;
  return at;
}

uint32_t mt_pack_add(mt_pack *pack, uint32_t kind, uint32_t owner, uint32_t stride, uint32_t count, const void *bytes) {
  const mt_kind *known = mt_kind_of(kind);
  if (pack->chunk_count == MT_PACK_MAX_CHUNKS) mt_pack_die("too many chunks");
  mt_chunk *chunk = &pack->chunks[pack->chunk_count];
  memset(chunk, 0, sizeof *chunk);
  chunk->entry.kind = kind;
  chunk->entry.kind_version = 1;
  chunk->entry.owner = owner;
  chunk->entry.stride = stride;
  chunk->entry.count = count;
  chunk->entry.flags = known ? known->flags : 0;
  chunk->entry.format = known ? known->format : 0;
  if (kind == MPAK_KIND_INDX && stride == 4) chunk->entry.format = MPAK_FORMAT_U32;
  chunk->bytes = mt_pack_memory((size_t)stride * count);
  if (bytes) memcpy(chunk->bytes, bytes, (size_t)stride * count);
  return pack->chunk_count++;
}

static void mt_chunk_plan(mt_pack *pack, mt_chunk *chunk) {
  chunk->frames = mt_pack_memory(sizeof *chunk->frames);
  mt_morph_frames_make(pack, chunk->entry.owner, chunk->frames);
}

void mt_pack_compress(mt_pack *pack) {
  for (uint32_t i = 0; i < pack->chunk_count; i++) {
    mpak_chunk_entry *entry = &pack->chunks[i].entry;
    if (mt_kind_is_table(entry->kind)) continue;
    entry->encoding = entry->kind == MPAK_KIND_INDX ? 2 : 1;
    entry->filter = entry->kind == MPAK_KIND_JNTS || entry->kind == MPAK_KIND_INDX ? 0 : 1;
    if (entry->kind == MPAK_KIND_WGTS || entry->kind == MPAK_KIND_VBAS) {
      entry->filter = 2;
      entry->lane_modes = entry->kind == MPAK_KIND_WGTS ? 2 : 1 | 2 << 2 | 3 << 4 | 3 << 22;
    }
    if (entry->kind != MPAK_KIND_MPAY) continue;
    entry->filter = 4;
    entry->lane_modes = entry->format == MPAK_FORMAT_F32 ? 3 | 3 << 2 | 3 << 4 : 0;
    mt_chunk_plan(pack, &pack->chunks[i]);
  }
}

uint32_t mt_pack_find_number(const mt_pack *pack, uint32_t kind) {
  for (uint32_t i = 0; i < pack->chunk_count; i++)
    if (pack->chunks[i].entry.kind == kind) return i;
  return MPAK_NONE;
}

mt_chunk *mt_pack_find(mt_pack *pack, uint32_t kind) {
  uint32_t number = mt_pack_find_number(pack, kind);
  return number == MPAK_NONE ? NULL : &pack->chunks[number];
}

void mt_pack_remove(mt_pack *pack, uint32_t number) {
  mt_chunk_free(&pack->chunks[number]);
  pack->chunk_count--;
  memmove(&pack->chunks[number], &pack->chunks[number + 1], (pack->chunk_count - number) * sizeof pack->chunks[0]);
  mt_chunk *parts = mt_pack_find(pack, MPAK_KIND_PART);
  for (uint32_t i = 0; parts && i < parts->entry.count; i++) {
    uint32_t *reference = &((mpak_part *)parts->bytes)[i].base_chunk;
    for (int k = 0; k < 14; k++)
      if (reference[k] != MPAK_NONE && reference[k] > number) reference[k]--;
  }
}

void mt_pack_patch(mt_pack *pack, uint32_t kind, uint32_t record, size_t offset, const void *bytes, size_t byte_count) {
  mt_chunk *chunk = mt_pack_find(pack, kind);
  if (!chunk || record >= chunk->entry.count) mt_pack_die("nothing to patch");
  size_t at = (size_t)record * chunk->entry.stride + offset;
  if (at + byte_count > (size_t)chunk->entry.count * chunk->entry.stride) mt_pack_die("patch past the chunk");
  memcpy(chunk->bytes + at, bytes, byte_count);
}

void mt_pack_patch_u32(mt_pack *pack, uint32_t kind, uint32_t record, size_t offset, uint32_t value) {
  mt_pack_patch(pack, kind, record, offset, &value, sizeof value);
}

void mt_pack_resize(mt_pack *pack, uint32_t kind, uint32_t count) {
  mt_chunk *chunk = mt_pack_find(pack, kind);
  if (!chunk) mt_pack_die("nothing to resize");
  uint32_t kept = count < chunk->entry.count ? count : chunk->entry.count;
  uint8_t *bytes = mt_pack_memory((size_t)count * chunk->entry.stride);
  memcpy(bytes, chunk->bytes, (size_t)kept * chunk->entry.stride);
  free(chunk->bytes);
  chunk->bytes = bytes;
  chunk->entry.count = count;
}

// -- Filters ---------------------------------------------------------------------------------------------------------

/// Record at i, byte b of a filter block to or from its place in the planes.
static void mt_planes(uint8_t *records, uint8_t *planes, size_t byte_count, size_t stride, bool to_planes) {
  size_t block = (131072 / stride / 16 * 16) * stride;
  for (size_t start = 0; start < byte_count; start += block) {
    size_t length = byte_count - start < block ? byte_count - start : block, count = length / stride;
    for (size_t i = 0; i < count; i++)
      for (size_t b = 0; b < stride; b++) {
        uint8_t *record = &records[start + i * stride + b], *plane = &planes[start + b * count + i];
        if (to_planes) *plane = *record;
        if (!to_planes) *record = *plane;
      }
  }
}

/// The parts of a word of a lane mode: 4 of 8 bits, 2 of 16, 1 of 32.
static uint32_t mt_lane_word(uint32_t word, uint32_t before, uint32_t mode, bool to_code) {
  uint32_t bits = 4u << mode, result = 0;
  if (mode == 0) return word;
  for (uint32_t first = 0; first < 32; first += bits) {
    uint64_t size = UINT64_C(1) << bits, x = (word >> first) % size, last = (before >> first) % size;
    uint64_t d = to_code ? (x + size - last) % size : bits == 8 ? x : x % 2 == 0 ? x / 2 : size - (x + 1) / 2;
    if (to_code && bits > 8) d = d < size / 2 ? 2 * d : 2 * (size - d) - 1;
    result |= (uint32_t)((to_code ? d : d + last) % size) << first;
  }
  return result;
}

/// Differences of filter 2, record by record, within each block; the planes are made besides.
static void mt_lanes(uint8_t *records, size_t byte_count, const mpak_chunk_entry *entry, bool to_codes) {
  size_t stride = entry->stride, block = (131072 / stride / 16 * 16) * stride;
  for (size_t group = 0; group < stride / 4; group++) {
    uint32_t mode = entry->lane_modes >> (2 * group) & 3, before = 0;
    for (size_t at = 4 * group; at < byte_count; at += stride) {
      uint32_t word, changed;
      if (at % block == 4 * group) before = 0;
      memcpy(&word, records + at, 4);
      changed = mt_lane_word(word, before, mode, to_codes);
      before = to_codes ? word : changed;
      memcpy(records + at, &changed, 4);
    }
  }
}

// -- Triangles -------------------------------------------------------------------------------------------------------

#define MT_FRAME_TRIANGLES 16384u

static uint32_t mt_index(const mpak_chunk_entry *entry, const uint8_t *bytes, size_t number) {
  uint32_t index = 0;
  memcpy(&index, bytes + number * entry->stride, entry->stride);
  return index;
}

/// A stream that writes every corner out: next 0, codes FF, then for each triangle FF and three numbers.
static size_t mt_triangles_code(const mpak_chunk_entry *entry, const uint8_t *bytes, size_t first, size_t count,
                                uint8_t *stream) {
  uint32_t last = 0;
  size_t at = 1 + count;
  stream[0] = 0;
  memset(stream + 1, 0xFF, count);
  for (size_t i = 0; i < 3 * count; i++) {
    uint32_t index = mt_index(entry, bytes, 3 * first + i), step = index - last;
    uint32_t number = step < 0x80000000 ? 2 * step : ~(2 * step);
    if (i % 3 == 0) stream[at++] = 0xFF;
    for (; number > 127; number /= 128) stream[at++] = (uint8_t)(number % 128 + 128);
    stream[at++] = (uint8_t)number;
    last = index;
  }
  return at;
}

/// What a stream is read into: every edge and vertex that was pushed, not the last 16 alone.
typedef struct mt_triangles {
  const uint8_t *data;
  uint32_t next, last;
  uint32_t *edges, *vertices; ///< pairs; both start with 16 of zeros
  size_t edge_count, vertex_count;
} mt_triangles;

static uint32_t mt_triangles_number(mt_triangles *in) {
  uint32_t number = 0, place = 0;
  do number |= (uint32_t)(*in->data & 127) << (7 * place++);
  while (*in->data++ >= 128);
  return number;
}

static uint32_t mt_triangles_written(mt_triangles *in) {
  uint32_t number = mt_triangles_number(in);
  return in->last += number % 2 ? ~(number / 2) : number / 2;
}

static void mt_push_edge(mt_triangles *in, uint32_t from, uint32_t to) {
  in->edges[2 * in->edge_count] = from;
  in->edges[2 * in->edge_count++ + 1] = to;
}

/// Code F0 … FF: table as in SPEC.md.
static void mt_triangles_free_one(mt_triangles *in, uint32_t code, uint32_t t[3]) {
  static const uint8_t table[14] = {0x00, 0x01, 0x02, 0x03, 0x10, 0x20, 0x30, 0x12, 0x21, 0x13, 0x31, 0x04, 0x40, 0x05};
  uint32_t pair = code < 0xFE ? table[code - 0xF0] : *in->data++,
           how[3] = {code == 0xFF ? 15 : 0, pair / 16, pair % 16};
  for (int i = 0; i < 3; i++)
    t[i] = how[i] == 0 ? in->next++ : how[i] < 15 ? in->vertices[in->vertex_count - how[i]] : 0;
  for (int i = 0; i < 3; i++)
    if (how[i] == 15) t[i] = mt_triangles_written(in);
  for (int i = 0; i < 3; i++)
    if (how[i] == 0 || how[i] == 15) in->vertices[in->vertex_count++] = t[i];
  mt_push_edge(in, t[1], t[0]);
}

static void mt_triangles_edge_one(mt_triangles *in, uint32_t code, uint32_t t[3]) {
  const uint32_t *edge = in->edges + 2 * (in->edge_count - 1 - code / 16), how = code % 16;
  t[0] = edge[0];
  t[1] = edge[1];
  t[2] = how == 0    ? in->next++
         : how < 13  ? in->vertices[in->vertex_count - 1 - how]
         : how == 13 ? --in->last
         : how == 14 ? ++in->last
                     : mt_triangles_written(in);
  if (how == 0 || how > 12) in->vertices[in->vertex_count++] = t[2];
}

static void mt_triangles_decode(const mpak_chunk_entry *entry, const uint8_t *stream, size_t count, uint8_t *bytes) {
  mt_triangles in = {.data = stream, .edge_count = 16, .vertex_count = 16};
  in.edges = mt_pack_memory(8 * (16 + 3 * count));
  in.vertices = mt_pack_memory(4 * (16 + 3 * count));
  in.next = mt_triangles_number(&in);
  const uint8_t *codes = in.data;
  in.data += count;
  for (size_t i = 0; i < count; i++) {
    uint32_t t[3];
    (codes[i] < 0xF0 ? mt_triangles_edge_one : mt_triangles_free_one)(&in, codes[i], t);
    mt_push_edge(&in, t[2], t[1]);
    mt_push_edge(&in, t[0], t[2]);
    for (size_t k = 0; k < 3; k++) memcpy(bytes + (3 * i + k) * entry->stride, &t[k], entry->stride);
  }
  free(in.edges);
  free(in.vertices);
}

// -- Writing ---------------------------------------------------------------------------------------------------------

/// Stored bytes of a chunk while a pack is written.
typedef struct mt_stored {
  uint8_t *bytes;
  size_t byte_count, room;
} mt_stored;

static void mt_store(mt_stored *stored, const void *bytes, size_t byte_count) {
  if (byte_count == 0) return;
  if (stored->byte_count + byte_count > stored->room) {
    stored->room = (stored->byte_count + byte_count) * 2;
    stored->bytes = realloc(stored->bytes, stored->room);
    if (!stored->bytes) mt_pack_die("out of memory");
  }
  memcpy(stored->bytes + stored->byte_count, bytes, byte_count);
  stored->byte_count += byte_count;
}

/// Appends one compressed frame and writes its size into the frame table.
static void mt_store_frame(mt_stored *stored, uint32_t number, const void *bytes, size_t byte_count) {
  size_t bound = ZSTD_compressBound(byte_count);
  uint8_t *frame = mt_pack_memory(bound);
  static ZSTD_CCtx *context; // kept: a new one costs more than most frames here
  if (!context) context = ZSTD_createCCtx();
  size_t written = ZSTD_compressCCtx(context, frame, bound, bytes, byte_count, 1);
  if (ZSTD_isError(written)) mt_pack_die("zstd");
  mt_store(stored, frame, written);
  uint32_t size = (uint32_t)written;
  memcpy(stored->bytes + 4 * (size_t)number, &size, 4);
  free(frame);
}

static void mt_store_plain_frames(mpak_chunk_entry *entry, const uint8_t *bytes, mt_stored *stored) {
  size_t total = (size_t)entry->decoded_bytes;
  entry->frame_bytes = 2 * (131072 / entry->stride / 16 * 16) * entry->stride;
  entry->frame_count = (uint32_t)((total + entry->frame_bytes - 1) / entry->frame_bytes);
  uint8_t *table = mt_pack_memory(4 * (size_t)entry->frame_count), *planes = mt_pack_memory(entry->frame_bytes);
  mt_store(stored, table, 4 * (size_t)entry->frame_count);
  for (uint32_t f = 0; f < entry->frame_count; f++) {
    size_t at = (size_t)f * entry->frame_bytes;
    size_t length = total - at < entry->frame_bytes ? total - at : entry->frame_bytes;
    memcpy(planes, bytes + at, length);
    uint8_t *records = mt_pack_memory(length);
    memcpy(records, bytes + at, length);
    if (entry->filter == 2) mt_lanes(records, length, entry, true);
    if (entry->filter != 0) mt_planes(records, planes, length, entry->stride, true);
    free(records);
    mt_store_frame(stored, f, planes, length);
  }
  free(table);
  free(planes);
}

static void mt_store_triangles(const mt_chunk *chunk, mpak_chunk_entry *entry, mt_stored *stored) {
  size_t triangles = entry->count / 3, frames = (triangles + MT_FRAME_TRIANGLES - 1) / MT_FRAME_TRIANGLES;
  entry->frame_bytes = 3 * MT_FRAME_TRIANGLES * entry->stride;
  entry->frame_count = (uint32_t)frames;
  uint8_t *table = mt_pack_memory(8 * frames), *coded = mt_pack_memory(1 + 17 * (size_t)MT_FRAME_TRIANGLES);
  mt_store(stored, table, 8 * frames);
  for (size_t f = 0; f < frames; f++) {
    size_t first = f * MT_FRAME_TRIANGLES, left = triangles - first;
    size_t length =
        mt_triangles_code(entry, chunk->bytes, first, left < MT_FRAME_TRIANGLES ? left : MT_FRAME_TRIANGLES, coded);
    if (chunk->stream) length = chunk->stream_bytes;
    mt_store_frame(stored, (uint32_t)f, chunk->stream ? chunk->stream : coded, length);
    uint32_t size = (uint32_t)length;
    memcpy(stored->bytes + 4 * (frames + f), &size, 4);
  }
  free(table);
  free(coded);
}

static void mt_store_morph_frames(const mt_chunk *chunk, mpak_chunk_entry *entry, mt_stored *stored) {
  const mt_morph_frames *frames = chunk->frames;
  size_t total = 0;
  for (uint32_t f = 0; f < frames->count; f++) total += 4 * (size_t)frames->frame_deltas[f] * frames->words;
  if (total != (size_t)entry->decoded_bytes) mt_pack_die("the payload's size has changed");
  entry->frame_bytes = 524288;
  entry->frame_count = frames->count;
  uint8_t *table = mt_pack_memory(4 * (size_t)frames->count + 1);
  mt_store(stored, table, 4 * (size_t)frames->count);
  for (uint32_t f = 0; f < frames->count; f++) {
    size_t length = mt_morph_frame_bytes(frames, f);
    uint8_t *coded = mt_pack_memory(length);
    mt_morph_frame_code(frames, f, entry->lane_modes, (uint32_t *)chunk->bytes, coded, true);
    mt_store_frame(stored, f, coded, length);
    free(coded);
  }
  free(table);
}

static mt_stored mt_encode(const mt_chunk *chunk, mpak_chunk_entry *entry) {
  mt_stored stored = {0};
  *entry = chunk->entry;
  entry->decoded_bytes = (uint64_t)entry->stride * entry->count;
  if (entry->encoding == 0)
    mt_store(&stored, chunk->bytes, (size_t)entry->decoded_bytes);
  else if (entry->encoding == 2)
    mt_store_triangles(chunk, entry, &stored);
  else if (entry->filter == 4)
    mt_store_morph_frames(chunk, entry, &stored);
  else
    mt_store_plain_frames(entry, chunk->bytes, &stored);
  entry->stored_bytes = stored.byte_count;
  entry->hash_decoded = (uint32_t)checksum_of(chunk->bytes, (size_t)entry->decoded_bytes);
  return stored;
}

static uint64_t mt_align(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

static uint64_t mt_alignment_of(const mpak_chunk_entry *entry) {
  if (entry->encoding != 0 || !(entry->flags & 2)) return 64;
  return entry->stored_bytes >= 65536 ? 4096 : 256;
}

/// Sums and largest values of the header over the finished entries.
static void mt_sum_up(mpak_header *header, const mpak_chunk_entry *entries, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t decoded = entries[i].decoded_bytes, frame = entries[i].frame_bytes;
    header->decoded_bytes += decoded;
    if (decoded > header->max_chunk_decoded) header->max_chunk_decoded = decoded;
    if (frame > decoded) frame = decoded;
    if (entries[i].encoding == 2) frame = 5 + 17 * (frame / (3 * entries[i].stride));
    if (entries[i].kind == MPAK_KIND_MPAY && entries[i].format == MPAK_FORMAT_P8) frame = frame * 3 / 2;
    if (entries[i].kind == MPAK_KIND_MPAY && entries[i].format == MPAK_FORMAT_P16) frame = frame * 9 / 8;
    if (frame > header->max_frame_decoded) header->max_frame_decoded = (uint32_t)frame;
  }
}

static mt_image mt_image_new(uint64_t byte_count) {
  mt_image image = {NULL, byte_count};
  if (posix_memalign((void **)&image.bytes, 64, byte_count ? (size_t)byte_count : 1)) mt_pack_die("out of memory");
  memset(image.bytes, 0, (size_t)byte_count);
  return image;
}

/// Lays out encoded chunks.
static mt_image mt_assemble(const mpak_header *source, mpak_chunk_entry *entries, uint8_t *const *stored,
                            uint32_t count) {
  mpak_header header = *source;
  uint64_t end = 128;
  for (uint32_t i = 0; i < count; i++) {
    entries[i].offset = mt_align(end, mt_alignment_of(&entries[i]));
    end = entries[i].offset + entries[i].stored_bytes;
  }
  header.chunk_count = count;
  header.table_offset = mt_align(end, 8);
  header.file_bytes = header.table_offset + 80 * (uint64_t)count;
  mt_sum_up(&header, entries, count);
  mt_image image = mt_image_new(header.file_bytes);
  memcpy(image.bytes, &header, 128);
  memcpy(image.bytes + header.table_offset, entries, 80 * (size_t)count);
  for (uint32_t i = 0; i < count; i++)
    if (entries[i].stored_bytes) memcpy(image.bytes + entries[i].offset, stored[i], (size_t)entries[i].stored_bytes);
  mt_image_rehash(&image);
  return image;
}

mt_image mt_pack_write(const mt_pack *pack) {
  mpak_chunk_entry entries[MT_PACK_MAX_CHUNKS];
  uint8_t *stored[MT_PACK_MAX_CHUNKS];
  for (uint32_t i = 0; i < pack->chunk_count; i++) stored[i] = mt_encode(&pack->chunks[i], &entries[i]).bytes;
  mt_image image = mt_assemble(&pack->header, entries, stored, pack->chunk_count);
  for (uint32_t i = 0; i < pack->chunk_count; i++) free(stored[i]);
  return image;
}

void mt_pack_freeze(mt_pack *pack) {
  for (uint32_t i = 0; i < pack->chunk_count; i++) {
    free(pack->chunks[i].frozen);
    pack->chunks[i].frozen = mt_encode(&pack->chunks[i], &pack->chunks[i].frozen_entry).bytes;
  }
}

mt_image mt_pack_write_changed(const mt_pack *pack, uint32_t changed) {
  mpak_chunk_entry entries[MT_PACK_MAX_CHUNKS];
  uint8_t *stored[MT_PACK_MAX_CHUNKS];
  for (uint32_t i = 0; i < pack->chunk_count; i++) {
    entries[i] = pack->chunks[i].frozen_entry;
    stored[i] = pack->chunks[i].frozen;
  }
  stored[changed] = mt_encode(&pack->chunks[changed], &entries[changed]).bytes;
  mt_image image = mt_assemble(&pack->header, entries, stored, pack->chunk_count);
  free(stored[changed]);
  return image;
}

// -- Files in memory -------------------------------------------------------------------------------------------------

mt_image mt_image_copy(const uint8_t *bytes, uint64_t byte_count) {
  mt_image image = mt_image_new(byte_count);
  memcpy(image.bytes, bytes, (size_t)byte_count);
  return image;
}

void mt_image_free(mt_image *image) {
  free(image->bytes);
  *image = (mt_image){NULL, 0};
}

void mt_image_rehash(mt_image *image) {
  mpak_header header;
  if (image->byte_count >= 40 && memcmp(image->bytes, MPAK_WRAPPED_MAGIC, 8) == 0) {
    const uint64_t hash = checksum_of(image->bytes + 16, (size_t)image->byte_count - 16);
    memcpy(image->bytes + 8, &hash, 8);
    return;
  }
  if (image->byte_count < 128) return;
  memcpy(&header, image->bytes, 128);
  uint64_t table_bytes = 80 * (uint64_t)header.chunk_count;
  if (header.table_offset <= image->byte_count && table_bytes <= image->byte_count - header.table_offset) {
    uint8_t *table = image->bytes + header.table_offset;
    for (uint32_t i = 0; i < header.chunk_count; i++) {
      mpak_chunk_entry entry;
      memcpy(&entry, table + 80 * (size_t)i, 80);
      if (entry.offset > image->byte_count || entry.stored_bytes > image->byte_count - entry.offset) continue;
      entry.hash_stored = checksum_of(image->bytes + entry.offset, (size_t)entry.stored_bytes);
      memcpy(table + 80 * (size_t)i + offsetof(mpak_chunk_entry, hash_stored), &entry.hash_stored, 8);
    }
    header.table_hash = checksum_of(table, (size_t)table_bytes);
  }
  memcpy(image->bytes, &header, 128);
  header.header_hash = checksum_of(image->bytes, 120);
  memcpy(image->bytes, &header, 128);
}

// -- The way back ----------------------------------------------------------------------------------------------------

static void mt_decode_frames(mt_chunk *chunk, const uint8_t *stored) {
  const mpak_chunk_entry *entry = &chunk->entry;
  const uint8_t *at = stored + (entry->encoding == 2 ? 8 : 4) * (size_t)entry->frame_count;
  size_t done = 0;
  for (uint32_t f = 0; f < entry->frame_count; f++) {
    uint32_t size;
    memcpy(&size, stored + 4 * (size_t)f, 4);
    size_t left = (size_t)entry->decoded_bytes - done, length = left < entry->frame_bytes ? left : entry->frame_bytes;
    if (chunk->frames) length = mt_morph_frame_bytes(chunk->frames, f);
    uint32_t coded_bytes = (uint32_t)length;
    if (entry->encoding == 2) memcpy(&coded_bytes, stored + 4 * ((size_t)entry->frame_count + f), 4);
    uint8_t *coded = mt_pack_memory(coded_bytes);
    if (ZSTD_decompress(coded, coded_bytes, at, size) != coded_bytes) mt_pack_die("a frame does not decode");
    if (entry->encoding == 2) mt_triangles_decode(entry, coded, length / (3 * entry->stride), chunk->bytes + done);
    if (entry->encoding == 1 && entry->filter == 0) memcpy(chunk->bytes + done, coded, length);
    if (entry->filter == 1 || entry->filter == 2) mt_planes(chunk->bytes + done, coded, length, entry->stride, false);
    if (entry->filter == 2) mt_lanes(chunk->bytes + done, length, entry, false);
    if (chunk->frames) mt_morph_frame_code(chunk->frames, f, entry->lane_modes, (uint32_t *)chunk->bytes, coded, false);
    free(coded);
    at += size;
    done += length;
  }
}

void mt_pack_parse(mt_pack *pack, const mt_image *image) {
  memset(pack, 0, sizeof *pack);
  memcpy(&pack->header, image->bytes, 128);
  uint32_t count = pack->header.chunk_count;
  if (count > MT_PACK_MAX_CHUNKS) mt_pack_die("too many chunks");
  pack->header.decoded_bytes = pack->header.max_chunk_decoded = pack->header.max_frame_decoded = 0;
  pack->chunk_count = count;
  for (uint32_t i = 0; i < count; i++) {
    mt_chunk *chunk = &pack->chunks[i];
    memcpy(&chunk->entry, image->bytes + pack->header.table_offset + 80 * (size_t)i, 80);
    chunk->bytes = mt_pack_memory((size_t)chunk->entry.decoded_bytes);
    if (chunk->entry.filter == 4) mt_chunk_plan(pack, chunk);
    if (chunk->entry.encoding == 0)
      memcpy(chunk->bytes, image->bytes + chunk->entry.offset, (size_t)chunk->entry.decoded_bytes);
    else
      mt_decode_frames(chunk, image->bytes + chunk->entry.offset);
  }
}
