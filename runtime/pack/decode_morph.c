// decode_morph.c: the sparse deltas of a part. csr64: offsets and deltas. blk64: groups and runs become blocks and
// entries (format/morph_blocks.c), and the frames of the payload are put into memory order by them.
#include "runtime/pack/pack_internal.h"

#include <assert.h>

#include "format/morph_blocks.h"

#define MORPH_ALIGNMENT 64u

// -- Memory ----------------------------------------------------------------------------------------------------------

static uint64_t morph_block_bytes(const mpak_part *part) {
  return bytes_align(((uint64_t)part->block_count + 1) * sizeof(mpak_morph_block), MORPH_ALIGNMENT);
}

static uint64_t morph_entry_bytes(const mpak_part *part) {
  return bytes_align((uint64_t)part->entry_count * sizeof(mpak_morph_entry), MORPH_ALIGNMENT);
}

uint64_t mpak_morph_bytes(const mpak_pack *pack, uint32_t number) {
  if (number >= pack->part_count) return 0;
  const mpak_part *part = &pack->parts[number];
  if (part->payload == MPAK_PAYLOAD_NONE) return 0;
  if (!pack_is_morphed_by_blocks(part)) {
    return bytes_align(pack_decoded_memory(pack, part->morph_chunk[0]), MORPH_ALIGNMENT) +
           bytes_align(pack_decoded_memory(pack, part->morph_chunk[1]), MORPH_ALIGNMENT);
  }
  return morph_block_bytes(part) + morph_entry_bytes(part) +
         bytes_align(pack_decoded_memory(pack, part->morph_chunk[2]), MORPH_ALIGNMENT);
}

static uint64_t morph_cursor_bytes(const mpak_part *part) {
  return bytes_align(4 * ((uint64_t)part->shape_count + 1), MORPH_ALIGNMENT);
}

/// The streams of the longest frame.
static uint64_t morph_stream_bytes(const mpak_pack *pack, const mpak_part *part) {
  if (pack_decoded_memory(pack, part->morph_chunk[2]) == 0) return 0;
  uint32_t lanes = MPAK_MORPH_FRAME_BYTES / (4 * mpak_payload_words(part->payload, part->components));
  if (part->delta_count < lanes) lanes = part->delta_count;
  return 4 * (uint64_t)lanes * mpak_payload_streams(part->payload, part->components);
}

uint64_t pack_morph_scratch_bytes(const mpak_pack *pack, uint32_t number) {
  const mpak_part *part = &pack->parts[number];
  if (part->payload == MPAK_PAYLOAD_NONE) return 0;
  if (!pack_is_morphed_by_blocks(part)) return morph_cursor_bytes(part);
  return morph_cursor_bytes(part) + bytes_align(morph_stream_bytes(pack, part), MORPH_ALIGNMENT) +
         bytes_align(pack_decoded_memory(pack, part->morph_chunk[0]), MORPH_ALIGNMENT) +
         bytes_align(pack_decoded_memory(pack, part->morph_chunk[1]), MORPH_ALIGNMENT);
}

/// What one decode works with: the call's parameters, and memory that is still free.
typedef struct morph_work {
  const mpak_pack *pack;
  const mpak_part *part;
  pack_span memory;       ///< of the result
  void *frame_scratch;    ///< pack_frame_scratch_bytes
  pack_span scratch;      ///< beyond that
  uint32_t *shape_counts; ///< shape_count + 1, from scratch
} morph_work;

/// Decodes a chunk into a span, or views it; a part without the chunk gets NULL.
static mpak_result morph_decode_chunk(morph_work *work, uint32_t chunk, pack_span *span, const void **view,
                                      mpak_fault *fault) {
  *view = NULL;
  if (chunk == MPAK_NONE) return MPAK_OK;
  uint64_t needed = pack_decoded_memory(work->pack, chunk);
  void *dst = needed ? pack_take(span, needed, MORPH_ALIGNMENT) : NULL;
  return pack_decode_bytes(work->pack, chunk, dst, work->frame_scratch, view, fault);
}

// -- csr64 -----------------------------------------------------------------------------------------------------------

/// Offsets start at 0, never fall, and end with the deltas.
static mpak_result csr_check_offsets(const mpak_part *part, const uint32_t *offsets, mpak_fault *fault) {
  const uint32_t chunk = part->morph_chunk[0];
  uint32_t falls = 0, vertices = part->vertex_count;
  assert(offsets != NULL); // mpak_open refuses such a part without MOFF
  LAYOUT_REQUIRE(offsets[0] == 0, MPAK_ERROR_CORRUPT, "MOFF: the first offset is not 0", chunk, 0);
  for (uint32_t i = 0; i < vertices; i++) falls |= offsets[i + 1] < offsets[i];
  LAYOUT_REQUIRE(falls == 0, MPAK_ERROR_CORRUPT, "MOFF: offsets fall", chunk, 0);
  LAYOUT_REQUIRE(offsets[vertices] == part->delta_count, MPAK_ERROR_CORRUPT, "MOFF: the last offset is not delta_count",
                 chunk, vertices);
  return MPAK_OK;
}

enum { CSR_SHAPE = 1, CSR_WILD = 2, CSR_PADDING = 4, CSR_UNFLAGGED = 8 };

/// What the flags of a part rule out: masks over the bits of normals and tangents.
typedef struct csr_masks {
  uint64_t normal, tangent;
} csr_masks;

#define CSR_LOW       UINT64_C(0x00000000FFFFFFFF)
#define CSR_EXPONENTS UINT64_C(0x7F8000007F800000) // two floats at once, as in pack_floats_are_finite
#define CSR_CARRY     UINT64_C(0x0080000000800000)
#define CSR_SIGNS     UINT64_C(0x8000000080000000)

/// Bits of many deltas, gathered: whatever must be zero, and the largest shape.
typedef struct csr_bits {
  uint64_t exponents; ///< CSR_SIGNS of it: a float is not finite
  uint64_t padding, unflagged;
  uint32_t most_shape;
} csr_bits;

/// A delta is eight words of two numbers: px py | pz 0 | nx ny | nz 0 | tx ty | tz 0 | shape 0 | 0 0.
static inline void csr_gather(const mpak_csr_delta *delta, csr_masks masks, csr_bits *bits) {
  uint64_t w[8];
  memcpy(w, delta, sizeof w);
  for (int i = 0; i < 6; i++) bits->exponents |= (w[i] & CSR_EXPONENTS) + CSR_CARRY;
  bits->padding |= ((w[1] | w[3] | w[5] | w[6]) & ~CSR_LOW) | w[7];
  bits->unflagged |= ((w[2] | w[3]) & masks.normal) | ((w[4] | w[5]) & masks.tangent);
  uint32_t shape = (uint32_t)w[6];
  bits->most_shape = shape > bits->most_shape ? shape : bits->most_shape;
}

static uint32_t csr_faults(const csr_bits *bits, uint32_t shape_count) {
  return (bits->most_shape >= shape_count ? CSR_SHAPE : 0) | (bits->exponents & CSR_SIGNS ? CSR_WILD : 0) |
         (bits->padding ? CSR_PADDING : 0) | (bits->unflagged ? CSR_UNFLAGGED : 0);
}

static const char *csr_rule(uint32_t faults) {
  if (faults & CSR_SHAPE) return "MDEL: shape is past the part's shapes";
  if (faults & CSR_WILD) return "MDEL: a number is not finite";
  if (faults & CSR_PADDING) return "MDEL: padding is not zero";
  return "MDEL: a normal or tangent that the part's flags rule out";
}

/// A walk over all deltas. Where the shape does not rise, a vertex must start: if as many falls are found at the starts
/// of vertices as in the whole list, none is elsewhere.
typedef struct csr_walk {
  const mpak_part *part;
  const uint32_t *offsets;
  const mpak_csr_delta *deltas;
  uint32_t *shape_counts; ///< shape_count + 1; the last counts what is past the shapes
  csr_masks masks;
  csr_bits bits;
  uint32_t falls, falls_at_starts;
} csr_walk;

/// The deltas of vertices first … end - 1, all read once, without a branch that depends on them.
static void csr_walk_vertices(csr_walk *walk, uint32_t first, uint32_t end) {
  const uint32_t *offsets = walk->offsets, shape_count = walk->part->shape_count;
  uint32_t last = offsets[first] > 0 ? walk->deltas[offsets[first] - 1].metadata[0] : 0, falls = 0;
  csr_bits bits = walk->bits;
  for (uint32_t i = offsets[first]; i < offsets[end]; i++) {
    uint32_t shape = walk->deltas[i].metadata[0];
    csr_gather(&walk->deltas[i], walk->masks, &bits);
    falls += i > 0 && shape <= last;
    walk->shape_counts[shape < shape_count ? shape : shape_count]++;
    last = shape;
  }
  walk->bits = bits;
  walk->falls += falls;
  for (uint32_t v = first; v < end; v++) {
    uint32_t start = offsets[v];
    if (start == offsets[v + 1] || start == 0) continue; // no delta, or the first of all
    walk->falls_at_starts += walk->deltas[start].metadata[0] <= walk->deltas[start - 1].metadata[0];
  }
}

/// Says which delta is wrong.
static mpak_result csr_fail_delta(const csr_walk *walk, mpak_fault *fault) {
  for (uint32_t i = 0;; i++) {
    csr_bits one = {0};
    csr_gather(&walk->deltas[i], walk->masks, &one);
    uint32_t faults = csr_faults(&one, walk->part->shape_count);
    if (faults) return layout_fail(fault, MPAK_ERROR_CORRUPT, csr_rule(faults), walk->part->morph_chunk[1], i);
  }
}

/// Says where the shapes of a vertex do not ascend.
static mpak_result csr_fail_order(const csr_walk *walk, mpak_fault *fault) {
  uint32_t item = 0;
  for (uint32_t v = 0; v < walk->part->vertex_count && item == 0; v++)
    for (uint32_t i = walk->offsets[v] + 1; i < walk->offsets[v + 1] && item == 0; i++)
      if (walk->deltas[i].metadata[0] <= walk->deltas[i - 1].metadata[0]) item = i;
  return layout_fail(fault, MPAK_ERROR_CORRUPT, "MDEL: shapes of a vertex do not ascend", walk->part->morph_chunk[1],
                     item);
}

#define CSR_BATCH_VERTICES 256u // their deltas are still in the cache when the starts are looked at

static mpak_result csr_check_deltas(csr_walk *walk, mpak_fault *fault) {
  const mpak_part *part = walk->part;
  if (walk->deltas == NULL) return MPAK_OK; // a part without deltas has no MDEL
  walk->masks.normal = part->flags & MPAK_PART_MORPH_NORMALS ? 0 : UINT64_MAX;
  walk->masks.tangent = part->flags & MPAK_PART_MORPH_TANGENTS ? 0 : UINT64_MAX;
  for (uint32_t v = 0; v < part->vertex_count; v += CSR_BATCH_VERTICES) {
    uint32_t left = part->vertex_count - v;
    csr_walk_vertices(walk, v, v + (left < CSR_BATCH_VERTICES ? left : CSR_BATCH_VERTICES));
  }
  if (csr_faults(&walk->bits, part->shape_count)) return csr_fail_delta(walk, fault);
  return walk->falls == walk->falls_at_starts ? MPAK_OK : csr_fail_order(walk, fault);
}

/// Each shape has as many deltas as its record says.
static mpak_result morph_check_shape_counts(const morph_work *work, uint32_t chunk, mpak_fault *fault) {
  const mpak_shape *shapes = work->pack->shapes + work->part->first_shape;
  for (uint32_t s = 0; s < work->part->shape_count; s++) {
    LAYOUT_REQUIRE(work->shape_counts[s] == shapes[s].delta_count, MPAK_ERROR_CORRUPT,
                   "SHAP: delta_count is not the number of its deltas", chunk, s);
  }
  return MPAK_OK;
}

static mpak_result morph_decode_csr(morph_work *work, mpak_morph *morph, mpak_fault *fault) {
  const mpak_part *part = work->part;
  const void *offsets, *deltas;
  LAYOUT_TRY(morph_decode_chunk(work, part->morph_chunk[0], &work->memory, &offsets, fault));
  LAYOUT_TRY(morph_decode_chunk(work, part->morph_chunk[1], &work->memory, &deltas, fault));
  LAYOUT_TRY(csr_check_offsets(part, offsets, fault));
  csr_walk walk = {.part = part, .offsets = offsets, .deltas = deltas, .shape_counts = work->shape_counts};
  LAYOUT_TRY(csr_check_deltas(&walk, fault));
  LAYOUT_TRY(morph_check_shape_counts(work, part->morph_chunk[0], fault));
  morph->vertex_offsets = offsets;
  morph->deltas = deltas;
  return MPAK_OK;
}

// -- blk64: who moves ------------------------------------------------------------------------------------------------

static void morph_count_runs(const mpak_blocks_input *input, uint32_t *shape_counts) {
  const mpak_morph_run *run = input->runs;
  if (run == NULL || input->groups == NULL) return; // a part without deltas
  for (uint32_t g = 0; g < input->group_count; g++)
    for (uint32_t r = 0; r < input->groups[g].run_count; r++, run++)
      shape_counts[input->groups[g].shape] += run->length;
}

static mpak_result morph_make_entries(morph_work *work, mpak_morph *morph, mpak_fault *fault) {
  const mpak_part *part = work->part;
  const void *groups, *runs;
  LAYOUT_TRY(morph_decode_chunk(work, part->morph_chunk[0], &work->scratch, &groups, fault));
  LAYOUT_TRY(morph_decode_chunk(work, part->morph_chunk[1], &work->scratch, &runs, fault));
  mpak_blocks_input input = {work->pack->sections + part->first_section,
                             part->section_count,
                             part->vertex_count,
                             part->shape_count,
                             part->payload,
                             mpak_payload_words(part->payload, part->components),
                             part->step,
                             part->normal_step,
                             groups,
                             part->group_count,
                             runs,
                             part->run_count,
                             part->entry_count,
                             part->delta_count};
  mpak_blocks_counts counts;
  mpak_blocks_fault broken;
  mpak_morph_block *blocks = pack_take(&work->memory, morph_block_bytes(part), MORPH_ALIGNMENT);
  mpak_morph_entry *entries = pack_take(&work->memory, morph_entry_bytes(part), MORPH_ALIGNMENT);
  if (!mpak_blocks_count(&input, blocks, part->block_count, &counts, &broken)) {
    uint32_t chunk = broken.kind == MPAK_KIND_MRUN ? part->morph_chunk[1] : part->morph_chunk[0];
    return layout_fail(fault, MPAK_ERROR_CORRUPT, broken.rule, chunk, broken.item);
  }
  LAYOUT_REQUIRE(counts.entry_count == part->entry_count, MPAK_ERROR_CORRUPT, "MRUN: fewer entries than stated",
                 part->morph_chunk[1], counts.entry_count);
  LAYOUT_REQUIRE(counts.delta_count == part->delta_count, MPAK_ERROR_CORRUPT, "MRUN: fewer deltas than stated",
                 part->morph_chunk[1], counts.delta_count);
  morph_count_runs(&input, work->shape_counts);
  LAYOUT_TRY(morph_check_shape_counts(work, part->morph_chunk[0], fault));
  mpak_blocks_fill(&input, blocks, part->block_count, entries);
  uint32_t overlap = mpak_blocks_find_overlap(blocks, part->block_count, entries);
  LAYOUT_REQUIRE(overlap == part->entry_count, MPAK_ERROR_CORRUPT, "MRUN: two groups of a shape move one vertex",
                 part->morph_chunk[1], overlap);
  morph->blocks = blocks;
  morph->entries = entries;
  return MPAK_OK;
}

// -- blk64: payload --------------------------------------------------------------------------------------------------

/// The lanes of an entry are few: a call or a string instruction for each plane would take longer than the copy.
static inline void payload_copy_plane(uint32_t *dst, const uint32_t *src, uint32_t count) {
  for (; count >= 4; count -= 4, dst += 4, src += 4) memcpy(dst, src, 4 * sizeof *dst);
  if (count & 2) memcpy(dst, src, 2 * sizeof *dst);
  if (count & 1) dst[count & 2] = src[count & 2];
}

/// One frame of streams to memory order. words: the frame's streams one after the other; cursors: where the lanes of
/// each shape start in a stream.
static void payload_scatter_frame(const mpak_morph_entry *entries, const mpak_morph_frame *frame, uint32_t lane_words,
                                  const uint32_t *words, uint32_t *cursors, uint32_t *payload) {
  uint32_t *dst = payload + frame->first_word;
  for (uint32_t e = frame->first_entry; e < frame->entry_end; e++) {
    uint32_t lanes = mpak_entry_lanes(&entries[e]), *cursor = &cursors[entries[e].shape];
    const uint32_t *src = words + *cursor;
    *cursor += lanes;
    for (uint32_t plane = 0; plane < lane_words; plane++, dst += lanes, src += frame->delta_count)
      payload_copy_plane(dst, src, lanes);
  }
}

/// Undoes the coding of one frame. Returns false when a number does not fit.
static bool payload_decode_streams(const mpak_part *part, uint32_t lane_modes, const uint8_t *planes, uint32_t count,
                                   uint32_t *words) {
  for (uint32_t s = 0; s < mpak_payload_streams(part->payload, part->components); s++) {
    uint32_t plane_count = mpak_payload_stream_bytes(part->payload, part->components, s);
    pack_unplane_words(words + (size_t)s * count, planes, count, plane_count,
                       mpak_payload_stream_code(part->payload, s, lane_modes));
    planes += (size_t)plane_count * count;
  }
  return pack_join_streams(part->payload, part->components, words, count);
}

static mpak_result payload_decode_frames(morph_work *work, const mpak_morph *morph, uint32_t *payload,
                                         mpak_fault *fault) {
  const mpak_part *part = work->part;
  const uint32_t number = part->morph_chunk[2], lane_words = mpak_payload_words(part->payload, part->components);
  const uint32_t lane_bytes = mpak_payload_frame_bytes(part->payload, part->components);
  const mpak_chunk_entry *chunk = &work->pack->chunks[number];
  const uint8_t *sizes = work->pack->bytes + chunk->offset, *at = sizes + 4 * (size_t)chunk->frame_count;
  uint8_t *planes = (uint8_t *)work->frame_scratch + bytes_align(work->pack->decoder.scratch_bytes, 64);
  uint32_t *words = pack_take(&work->scratch, 0, MORPH_ALIGNMENT), frames = 0;
  mpak_morph_frame frame = {0};
  while (mpak_morph_frame_next(morph->entries, part->entry_count, lane_words, &frame)) {
    LAYOUT_REQUIRE(frames < chunk->frame_count, MPAK_ERROR_CORRUPT, "MPAY: fewer frames than the entries make", number,
                   frames);
    uint32_t stored = bytes_load_u32(sizes + 4 * (size_t)frames);
    LAYOUT_TRY(pack_decode_frame(work->pack, number, frames, at, stored, planes, lane_bytes * frame.delta_count,
                                 work->frame_scratch, fault));
    LAYOUT_REQUIRE(payload_decode_streams(part, chunk->lane_modes, planes, frame.delta_count, words),
                   MPAK_ERROR_CORRUPT, "MPAY: a number does not fit its bits", number, frames);
    mpak_morph_frame_cursors(morph->entries, &frame, part->shape_count, work->shape_counts);
    payload_scatter_frame(morph->entries, &frame, lane_words, words, work->shape_counts, payload);
    at += stored;
    frames++;
  }
  LAYOUT_REQUIRE(frames == chunk->frame_count, MPAK_ERROR_CORRUPT, "MPAY: more frames than the entries make", number,
                 frames);
  return MPAK_OK;
}

/// What a stored payload may hold: finite floats, or numbers, any of them, with nothing around.
static mpak_result payload_check(const morph_work *work, const mpak_morph *morph, mpak_fault *fault) {
  const uint32_t number = work->part->morph_chunk[2];
  if (morph->payload == MPAK_PAYLOAD_P36) {
    LAYOUT_REQUIRE(pack_floats_are_finite((const float *)(const void *)morph->payload_words, morph->payload_word_count),
                   MPAK_ERROR_CORRUPT, "MPAY: a number is not finite", number, 0);
    return MPAK_OK;
  }
  if (work->pack->chunks[number].encoding != MPAK_ENCODING_STORE) return MPAK_OK; // what has no place has no stream
  for (uint32_t e = 0; e < work->part->entry_count; e++)
    LAYOUT_REQUIRE(pack_unused_bits_are_zero(morph, &morph->entries[e]), MPAK_ERROR_CORRUPT,
                   "MPAY: unused bits are not zero", number, e);
  return MPAK_OK;
}

static mpak_result morph_decode_payload(morph_work *work, mpak_morph *morph, mpak_fault *fault) {
  const uint32_t number = work->part->morph_chunk[2];
  if (number == MPAK_NONE) return MPAK_OK;
  const mpak_chunk_entry *chunk = &work->pack->chunks[number];
  const void *payload = work->pack->bytes + chunk->offset;
  if (chunk->encoding != MPAK_ENCODING_STORE) {
    uint32_t *decoded = pack_take(&work->memory, chunk->decoded_bytes, MORPH_ALIGNMENT);
    LAYOUT_TRY(payload_decode_frames(work, morph, decoded, fault));
    payload = decoded;
  }
  morph->payload_words = payload;
  morph->payload_word_count = chunk->decoded_bytes / 4;
  return payload_check(work, morph, fault);
}

static mpak_result morph_decode_blocks(morph_work *work, mpak_morph *morph, mpak_fault *fault) {
  morph->components = work->part->components;
  LAYOUT_TRY(morph_make_entries(work, morph, fault));
  morph->block_count = work->part->block_count;
  morph->entry_count = work->part->entry_count;
  return morph_decode_payload(work, morph, fault);
}

// -- mpak_decode_morph -----------------------------------------------------------------------------------------------

static bool morph_needs_decoder(const mpak_pack *pack, const mpak_part *part) {
  for (int i = 0; i < 3; i++)
    if (pack_decoded_memory(pack, part->morph_chunk[i]) > 0) return true;
  return false;
}

static mpak_result morph_check_arguments(const mpak_pack *pack, uint32_t number, const void *dst, uint64_t dst_bytes,
                                         const void *scratch, uint64_t scratch_bytes, mpak_fault *fault) {
  LAYOUT_REQUIRE(number < pack->part_count, MPAK_ERROR_ARGUMENT, "no such part", MPAK_NONE, number);
  LAYOUT_TRY(pack_check_memory(dst, dst_bytes, mpak_morph_bytes(pack, number), fault));
  LAYOUT_REQUIRE(pack->decoder.decompress || !morph_needs_decoder(pack, &pack->parts[number]), MPAK_ERROR_NO_DECODER,
                 "a compressed chunk, and no decoder", MPAK_NONE, number);
  uint64_t needed = pack_frame_scratch_bytes(pack) + pack_morph_scratch_bytes(pack, number);
  if (pack->parts[number].payload == MPAK_PAYLOAD_NONE) needed = 0;
  return pack_check_memory(scratch, scratch_bytes, needed, fault);
}

static mpak_result morph_decode(const mpak_pack *pack, uint32_t number, pack_span memory, pack_span scratch,
                                mpak_morph *morph, mpak_fault *fault) {
  const mpak_part *part = &pack->parts[number];
  morph->payload = (mpak_payload)part->payload;
  morph->vertex_count = part->vertex_count;
  morph->shape_count = part->shape_count;
  morph->delta_count = part->delta_count;
  if (part->payload == MPAK_PAYLOAD_NONE) return MPAK_OK;
  morph_work work = {.pack = pack, .part = part, .memory = memory};
  work.frame_scratch = pack_take(&scratch, pack_frame_scratch_bytes(pack), MORPH_ALIGNMENT);
  work.shape_counts = pack_take(&scratch, morph_cursor_bytes(part), MORPH_ALIGNMENT);
  memset(work.shape_counts, 0, 4 * ((size_t)part->shape_count + 1));
  work.scratch = scratch;
  return pack_is_morphed_by_blocks(part) ? morph_decode_blocks(&work, morph, fault)
                                         : morph_decode_csr(&work, morph, fault);
}

mpak_result pack_decode_morph(const mpak_pack *pack, uint32_t part, void *dst, uint64_t dst_bytes, void *scratch,
                              uint64_t scratch_bytes, mpak_morph *morph, mpak_fault *fault) {
  mpak_result result =
      morph_decode(pack, part, (pack_span){dst, dst_bytes}, (pack_span){scratch, scratch_bytes}, morph, fault);
  if (result != MPAK_OK) *morph = (mpak_morph){0};
  return result;
}

mpak_result mpak_decode_morph(const mpak_pack *pack, uint32_t part, void *dst, uint64_t dst_bytes, void *scratch,
                              uint64_t scratch_bytes, mpak_morph *morph, mpak_fault *fault) {
  *morph = (mpak_morph){0};
  LAYOUT_TRY(morph_check_arguments(pack, part, dst, dst_bytes, scratch, scratch_bytes, fault));
  if (morph_needs_decoder(pack, &pack->parts[part])) LAYOUT_TRY(pack_prepare(pack, scratch, fault));
  return pack_decode_morph(pack, part, dst, dst_bytes, scratch, scratch_bytes, morph, fault);
}
