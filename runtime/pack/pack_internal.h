/// pack_internal.h: what the files of runtime/pack share: the verifier's parts, and decoding without content checks.
#ifndef MPAK_PACK_INTERNAL_H
#define MPAK_PACK_INTERNAL_H

#include "format/bytes.h"
#include "format/layout.h"
#include "format/morph_payload.h"
#include "runtime/mpak.h"

// -- Verifying tables (mpak_open) ------------------------------------------------------------------------------------

/// Refuses the pack because of a record of the table of this kind. Finds the chunk's number.
mpak_result pack_refuse(const mpak_pack *pack, mpak_fault *fault, uint32_t kind, const char *rule, uint64_t item);

/// Leaves the calling function, which has parameters `pack` and `fault`, when a record of a table breaks a rule.
#define PACK_REQUIRE(condition, kind, rule, item)                                                                      \
  do {                                                                                                                 \
    if (!(condition)) return pack_refuse(pack, fault, (kind), (rule), (item));                                         \
  } while (0)

/// Each checks some tables against what was checked before, in this order. Linear, no memory.
mpak_result pack_verify_strings(const mpak_pack *pack, mpak_fault *fault);
mpak_result pack_verify_scene(const mpak_pack *pack, mpak_fault *fault);     ///< NODE, SKIN, JONT, MATL, META
mpak_result pack_verify_meshes(const mpak_pack *pack, mpak_fault *fault);    ///< MESH, CTRL, LODS, RBON
mpak_result pack_verify_rules(const mpak_pack *pack, mpak_fault *fault);     ///< RULE, RPTS
mpak_result pack_verify_parts(const mpak_pack *pack, mpak_fault *fault);     ///< PART, SHAP, SECT, BMAP, ERRS
mpak_result pack_verify_chunks(const mpak_pack *pack, mpak_fault *fault);    ///< parts and data chunks fit one another
mpak_result pack_verify_quantised(const mpak_pack *pack, mpak_fault *fault); ///< QUAN
mpak_result pack_verify_instances(const mpak_pack *pack, mpak_fault *fault); ///< INST, IWGT
mpak_result pack_verify_clips(const mpak_pack *pack, mpak_fault *fault);     ///< CLIP, TRAK

/// Is offset 0 or the start of a string?
static inline bool pack_is_string(const mpak_pack *pack, uint32_t offset) {
  return offset == 0 || (offset < pack->string_bytes && pack->strings[offset - 1] == 0);
}

/// Is it the start of a string that is not empty?
static inline bool pack_is_key(const mpak_pack *pack, uint32_t offset) {
  return pack_is_string(pack, offset) && pack->strings[offset] != 0;
}

static inline bool pack_is_index_or_none(uint32_t index, uint32_t count) { return index < count || index == MPAK_NONE; }

/// Are count floats finite? By bits and without branches.
bool pack_floats_are_finite(const float *floats, uint64_t count);

/// Finite, and min <= max on each axis?
bool pack_is_box(const float min[3], const float max[3]);

/// Can this quaternion be normalised: finite, its length between 2^-20 and 2^20?
bool pack_is_rotation(const float quaternion[4]);

static inline bool pack_is_morphed_by_blocks(const mpak_part *part) { return mpak_payload_is_blk64(part->payload); }

// -- Decoding --------------------------------------------------------------------------------------------------------

/// Space for a caller's memory that is handed out from its front.
typedef struct pack_span {
  uint8_t *at;
  uint64_t byte_count;
} pack_span;

/// Takes byte_count bytes and moves on to the next multiple of alignment (counted from the start of the memory). The
/// caller has compared sizes before; asking for more than is left returns NULL.
void *pack_take(pack_span *span, uint64_t byte_count, uint64_t alignment);

/// Is memory there, aligned and long enough? MPAK_OK, _ARGUMENT, _ALIGNMENT or _BUFFER_TOO_SMALL.
mpak_result pack_check_memory(const void *memory, uint64_t byte_count, uint64_t needed_bytes, mpak_fault *fault);

/// Scratch that decoding of frames needs: the decoder's own and one decoded frame.
uint64_t pack_frame_scratch_bytes(const mpak_pack *pack);

/// Prepares the decoder in the scratch, once for each public call that decodes. Nothing to do when nothing is
/// compressed.
mpak_result pack_prepare(const mpak_pack *pack, void *scratch, mpak_fault *fault);

/// mpak_decode and mpak_decode_morph with a decoder that is prepared.
mpak_result pack_decode_chunk(const mpak_pack *pack, uint32_t chunk, void *dst, void *scratch, const void **view,
                              mpak_fault *fault);
mpak_result pack_decode_morph(const mpak_pack *pack, uint32_t part, void *dst, uint64_t dst_bytes, void *scratch,
                              uint64_t scratch_bytes, mpak_morph *morph, mpak_fault *fault);

/// Decompresses frame `number` of a chunk, decoded_bytes long, into dst. at: the frame's first stored byte.
mpak_result pack_decode_frame(const mpak_pack *pack, uint32_t chunk, uint32_t number, const uint8_t *at,
                              uint32_t stored_bytes, void *dst, uint32_t decoded_bytes, void *scratch,
                              mpak_fault *fault);

/// Gives the decoded bytes of a chunk with encoding 0, or 1 and filter 0, 1 or 2, or 2, without looking at them.
/// dst NULL: a view of a stored chunk. scratch: pack_frame_scratch_bytes.
mpak_result pack_decode_bytes(const mpak_pack *pack, uint32_t chunk, void *dst, void *scratch, const void **view,
                              mpak_fault *fault);

/// Memory of a chunk's decoded bytes: 0 when it is stored, since the pack's own bytes serve.
uint64_t pack_decoded_memory(const mpak_pack *pack, uint32_t chunk);

/// Bytes that a chunk's stream takes when a part is loaded; 0: it is not quantised and stays as it is decoded.
uint64_t pack_expanded_bytes(const mpak_pack *pack, uint32_t chunk);

/// Makes floats and joints of a quantised stream that was checked. numbers may be the end of out.
void pack_expand(const mpak_pack *pack, uint32_t chunk, const void *numbers, void *out);

/// The front of streams some records at a time, with the bits of one at a time. Return how many records; the caller
/// does the rest. numbers may be the end of out.
uint32_t pack_expand_vertices_bulk(const mpak_quantised_vertex *numbers, uint32_t count,
                                   const mpak_quantisation *position, float largest_normal, mpak_base_vertex *out);
uint64_t pack_expand_joints_bulk(const uint8_t *numbers, uint64_t count, uint16_t *out);
uint64_t pack_expand_weights_bulk(const void *numbers, bool is_small, uint64_t count, float *out);

/// Undoes filters 1 and 2 for one frame: from byte planes of blocks of records to records. lane_modes: 0 for filter 1.
void pack_unplane(uint8_t *records, const uint8_t *planes, uint64_t byte_count, uint32_t stride, uint32_t lane_modes);

/// Makes indices of the stream of a frame of encoding 2. Returns the rule that it breaks, or NULL.
///
/// indices  3 * triangle_count numbers of stride (2 or 4) bytes
const char *pack_decode_triangles(void *indices, uint32_t stride, uint32_t triangle_count, const uint8_t *stream,
                                  uint32_t byte_count);

/// Undoes the coding of one stream of filter 4: count words from 1 … 4 planes; bytes that have no plane are 0.
void pack_unplane_words(uint32_t *words, const uint8_t *planes, uint32_t count, uint32_t plane_count,
                        mpak_stream_code code);

/// The streams of a frame, count words each, become the planes of its lanes in memory, in place. Returns false when a
/// number does not fit the bits that it has there.
bool pack_join_streams(uint32_t payload, uint32_t components, uint32_t *streams, uint32_t count);

/// Are the bits of an entry's payload that hold nothing 0?
bool pack_unused_bits_are_zero(const mpak_morph *morph, const mpak_morph_entry *entry);

/// Checks what a chunk (no morph chunk) holds.
mpak_result pack_check_content(const mpak_pack *pack, uint32_t chunk, const void *bytes, mpak_fault *fault);

/// Words of the compressed blocks of all clips, as CLIP says.
uint64_t pack_clip_words(const mpak_pack *pack);

/// Scratch for ANIM, beyond pack_frame_scratch_bytes: its decoded bytes.
uint64_t pack_clips_scratch_bytes(const mpak_pack *pack);

/// Makes the block of one clip from the next bytes of ANIM, and checks all of it.
///
/// stream  bytes of ANIM that are left; moved on
/// words   word_count of the clip
mpak_result pack_decode_block(const mpak_pack *pack, uint32_t clip, pack_span *stream, uint32_t *words,
                              mpak_fault *fault);

/// Checks what a block holds: tables and sizes first (rows may still be missing), then the rows.
mpak_result pack_check_block_tables(const mpak_pack *pack, uint32_t clip, const uint32_t *words, mpak_fault *fault);
mpak_result pack_check_block_rows(const mpak_pack *pack, uint32_t clip, const uint32_t *words, mpak_fault *fault);
/// The same for a quantised stream.
mpak_result pack_check_numbers(const mpak_pack *pack, const mpak_part *part, uint32_t chunk, const void *bytes,
                               mpak_fault *fault);

/// Scratch for the morph chunks of one part, beyond pack_frame_scratch_bytes.
uint64_t pack_morph_scratch_bytes(const mpak_pack *pack, uint32_t part);

#endif
