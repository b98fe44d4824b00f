/// gl_blocks.c: the blocks that work groups take, and how a part is cut where its buffers exceed what a device binds.
#include "format/bytes.h"
#include "format/morph_blocks.h"
#include "format/morph_payload.h"
#include "runtime/gl/gl_private.h"

// -- Blocks ----------------------------------------------------------------------------------------------------------

/// Bones of the sections before: where each section's palette starts in the part's.
static uint32_t blocks_first_bone(const mpak_pack *pack, uint32_t part, uint32_t section) {
  uint32_t bones = 0;
  for (uint32_t s = 0; s < section; ++s) bones += pack->sections[pack->parts[part].first_section + s].bone_count;
  return bones;
}

/// Records of four words (see "Block" in mpak_gpu_layout.h), block after block of every section.
static void blocks_fill(const mpak_pack *pack, uint32_t part, const mpak_morph *morph, uint32_t *words) {
  const mpak_part *record = &pack->parts[part];
  const bool has_entries = mpak_payload_is_blk64(morph->payload);
  uint32_t b = 0;
  for (uint32_t s = 0; s < record->section_count; ++s) {
    const mpak_section *section = &pack->sections[record->first_section + s];
    const uint32_t first_bone = blocks_first_bone(pack, part, s);
    for (uint32_t v = 0; v < section->vertex_count; v += MPAK_BLOCK_LANES, ++b, words += 4) {
      const uint32_t left = section->vertex_count - v;
      words[0] = section->first_vertex + v;
      words[1] = has_entries ? morph->blocks[b].first_entry : 0;
      words[2] = left < MPAK_BLOCK_LANES ? left : MPAK_BLOCK_LANES;
      words[3] = first_bone;
    }
  }
  words[0] = record->vertex_count;
  words[1] = has_entries ? morph->entry_count : 0;
  words[2] = words[3] = 0;
}

mpak_result gl_part_make_blocks(mpak_gl_model *model, uint32_t part, const mpak_part_data *data, uint32_t **blocks,
                                uint32_t *block_records) {
  const mpak_pack *pack = model->pack;
  const mpak_part *record = &pack->parts[part];
  const uint64_t count = mpak_block_count(pack->sections + record->first_section, record->section_count);
  *block_records = (uint32_t)count + 1; // at most one for each vertex
  mpak_result result = gl_allocate(model->gl, count + 1, 4 * sizeof **blocks, blocks);
  if (result != MPAK_OK) return result;
  blocks_fill(pack, part, &data->morph, *blocks);
  model->parts[part].block_count = (uint32_t)count;
  return MPAK_OK;
}

// -- Pieces ----------------------------------------------------------------------------------------------------------

/// Byte of the delta buffer where the deltas of block b start; the end for b = block_count.
static uint64_t piece_delta_start(const mpak_morph *morph, const uint32_t *blocks, uint32_t b) {
  if (morph->payload == MPAK_PAYLOAD_CSR64) {
    return (uint64_t)morph->vertex_offsets[blocks[4 * (size_t)b]] * sizeof(mpak_csr_delta);
  }
  if (!mpak_payload_is_blk64(morph->payload)) return 0;
  const uint32_t entry = blocks[4 * (size_t)b + 1];
  return 4 * (entry < morph->entry_count ? (uint64_t)morph->entries[entry].payload_offset : morph->payload_word_count);
}

static uint64_t piece_max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static gl_piece piece_of(const mpak_morph *morph, const uint32_t *blocks, uint32_t first, uint32_t end) {
  const uint64_t entry_bytes = mpak_payload_is_blk64(morph->payload) ? sizeof(mpak_morph_entry) : 0;
  gl_piece piece = {.first_block = first, .block_count = end - first};
  piece.first_vertex = blocks[4 * (size_t)first];
  piece.vertex_count = blocks[4 * (size_t)end] - piece.first_vertex;
  piece.delta_start = piece_delta_start(morph, blocks, first);
  piece.delta_bytes = piece_delta_start(morph, blocks, end) - piece.delta_start;
  piece.entry_start = blocks[4 * (size_t)first + 1] * entry_bytes;
  piece.entry_bytes = blocks[4 * (size_t)end + 1] * entry_bytes - piece.entry_start;
  return piece;
}

/// What a part's vertices take at most in a buffer that a dispatch binds: the base, or interleaved output with its
/// skin.
static uint32_t piece_vertex_bytes(const mpak_part *record) {
  return (uint32_t)sizeof(mpak_base_vertex) + record->influence_count / 4 * 4 * MPAK_SKIN_FULL_WORDS;
}

/// How pieces of a part are cut.
typedef struct piece_cut {
  const mpak_morph *morph;
  const uint32_t *blocks;
  uint32_t block_count;
  uint32_t vertex_bytes;
  uint32_t alignment;
  uint32_t limit;
} piece_cut;

/// The largest range that a piece binds, with what rounding its start down to the device's alignment adds.
static uint64_t piece_bytes(const piece_cut *cut, const gl_piece *piece) {
  const uint64_t vertex_bytes = (uint64_t)piece->vertex_count * cut->vertex_bytes;
  return cut->alignment + piece_max(vertex_bytes, piece_max(piece->delta_bytes, piece->entry_bytes));
}

/// The most blocks from first on that fit; at least one.
static uint32_t piece_end(const piece_cut *cut, uint32_t first) {
  uint32_t low = first + 1, high = cut->block_count; // low fits, or there is no less
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    const gl_piece piece = piece_of(cut->morph, cut->blocks, first, middle);
    if (piece_bytes(cut, &piece) <= cut->limit)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static uint32_t pieces_walk(const piece_cut *cut, gl_piece *pieces, uint64_t *largest_bytes) {
  uint32_t count = 0;
  *largest_bytes = 0;
  for (uint32_t first = 0; first < cut->block_count; ++count) {
    const uint32_t end = piece_end(cut, first);
    const gl_piece piece = piece_of(cut->morph, cut->blocks, first, end);
    *largest_bytes = piece_max(*largest_bytes, piece_bytes(cut, &piece));
    if (pieces) pieces[count] = piece;
    first = end;
  }
  return count;
}

mpak_result gl_part_cut(mpak_gl_model *model, uint32_t part, const mpak_part_data *data, const uint32_t *blocks,
                        uint64_t *largest_bytes) {
  gl_part *made = &model->parts[part];
  const mpak_part *record = &model->pack->parts[part];
  const piece_cut cut = {.morph = &data->morph,
                         .blocks = blocks,
                         .block_count = made->block_count,
                         .vertex_bytes = piece_vertex_bytes(record),
                         .alignment = model->gl->limits.storage_alignment_bytes,
                         .limit = model->gl->limits.max_storage_block_bytes};
  const uint32_t count = pieces_walk(&cut, NULL, largest_bytes);
  mpak_result result = gl_allocate(model->gl, count, sizeof *made->pieces, &made->pieces);
  if (result != MPAK_OK) return result;
  made->piece_count = count;
  pieces_walk(&cut, made->pieces, largest_bytes);
  const uint64_t whole_bytes = 16 * ((uint64_t)made->block_count + 1); // bound whole: blocks, offsets
  *largest_bytes = piece_max(*largest_bytes, piece_max(whole_bytes, 4 * ((uint64_t)record->vertex_count + 1)));
  return MPAK_OK;
}
