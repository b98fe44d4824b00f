/// mpak.h: open, verify and decode packs. The first half of the runtime core; mpak_pose.h is the second.
///
/// What it does: checks any byte range whether it is a sound pack, gives typed views into it, and decodes its
/// compressed chunks into memory of the caller. It makes no copy that was not asked for, allocates nothing, keeps no
/// global state, and needs no library: decompression is a function pointer (mpak_zstd_decoder in its own file gives
/// zstd's). What it does not: talk to a GPU (runtime/gl), or import source files (the cooker).
///
/// Use, without error handling:
///
///     mpak_mapping file;
///     mpak_map_file("hero.mpak", &file);
///     mpak_open_options options = {.decoder = mpak_zstd_decoder()};
///     mpak_pack pack;
///     mpak_open(file.bytes, file.byte_count, &options, &pack, NULL);
///     void *scratch = malloc(mpak_scratch_bytes(&pack)), *memory = malloc(mpak_part_bytes(&pack, 0));
///     mpak_part_data part;
///     mpak_load_part(&pack, 0, memory, mpak_part_bytes(&pack, 0), scratch, mpak_scratch_bytes(&pack), &part);
///     // part.base, part.indices, part.morph … are ready for upload
///
/// Trust: mpak_open and the decode calls are the security boundary. Bytes may come from anyone; after MPAK_OK every
/// index, offset and count in a view is inside its bounds and every float that shapes a vertex is finite. A pack whose
/// bytes change while it is open (a file that is rewritten in place) is outside that promise: replace files by rename.
///
/// Threads: an opened pack is never changed, and any number of threads may use it at once, each with its own memory.
#ifndef MPAK_H
#define MPAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/mpak_format.h"
#include "format/mpak_result.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Decompression ---------------------------------------------------------------------------------------------------

/// How compressed frames are decoded.
typedef struct mpak_decoder {
  /// Decodes one zstd frame of src_bytes into exactly dst_bytes. MPAK_OK, or MPAK_ERROR_CORRUPT when the frame is
  /// broken, declares another size, or needs a window above 1 MiB. Must not allocate; scratch is the caller's.
  mpak_result (*decompress)(void *user, void *dst, size_t dst_bytes, const void *src, size_t src_bytes, void *scratch,
                            size_t scratch_bytes);
  /// Scratch that decompress needs, 16-byte aligned.
  size_t scratch_bytes;
  void *user;
  /// Called once at the start of each decode call on this pack, before its frames, which then get the same scratch,
  /// otherwise untouched; or NULL. (zstd asks the processor what it is whenever it makes a context, which is slow in a
  /// virtual machine.)
  mpak_result (*prepare)(void *user, void *scratch, size_t scratch_bytes);
} mpak_decoder;

/// zstd's decoder. Static; lives in a file of its own, so that a program that stores everything need not link zstd.
const mpak_decoder *mpak_zstd_decoder(void);

// -- Opening ---------------------------------------------------------------------------------------------------------

/// Zeroed means defaults.
typedef struct mpak_open_options {
  const mpak_decoder *decoder; ///< NULL: only stored chunks can be decoded
  uint64_t max_decoded_bytes;  ///< packs that decode to more are refused; 0 = 1 GiB
  bool skip_chunk_hashes;      ///< trust the storage: do not hash chunks. All other checks stay
} mpak_open_options;

/// An opened pack: pointers into the caller's bytes. Read freely; change nothing.
typedef struct mpak_pack {
  const uint8_t *bytes;
  uint64_t byte_count;
  const mpak_header *header;
  const mpak_chunk_entry *chunks;
  uint32_t chunk_count;
  const char *strings; ///< STRS; zero-terminated at its end
  uint32_t string_bytes;
  const mpak_node *nodes;
  uint32_t node_count;
  const mpak_instance *instances; ///< ascending by node; a node occurs at most once
  uint32_t instance_count;
  const float *instance_weights; ///< IWGT
  uint32_t instance_weight_count;
  const mpak_skin *skins;
  uint32_t skin_count;
  const mpak_joint *joints;
  uint32_t joint_count;
  const mpak_mesh *meshes;
  uint32_t mesh_count;
  const mpak_part *parts;
  uint32_t part_count;
  const mpak_control *controls;
  uint32_t control_count;
  const mpak_shape *shapes;
  uint32_t shape_count;
  const mpak_rule *rules; ///< from controls to shapes; most packs have none
  uint32_t rule_count;
  const mpak_rule_point *rule_points; ///< RPTS
  uint32_t rule_point_count;
  const mpak_section *sections;
  uint32_t section_count;
  const mpak_bone *bones; ///< BMAP
  uint32_t bone_count;
  const mpak_quantisation *quantisations; ///< QUAN: grids of quantised streams, by part and stream
  uint32_t quantisation_count;
  const mpak_lod *lods;
  uint32_t lod_count;
  const uint32_t *required_bones; ///< RBON
  uint32_t required_bone_count;
  const mpak_material *materials;
  uint32_t material_count;
  const mpak_clip *clips;
  uint32_t clip_count;
  const mpak_track *tracks;
  uint32_t track_count;
  const mpak_measured_error *errors;
  uint32_t error_count;
  const mpak_meta *metas;
  uint32_t meta_count;
  uint32_t key_time_chunk;  ///< KEYT, or MPAK_NONE
  uint32_t key_value_chunk; ///< KEYV, or MPAK_NONE
  uint32_t animation_chunk; ///< ANIM, or MPAK_NONE
  mpak_decoder decoder;     ///< decompress is NULL without one
} mpak_pack;

/// Opens a pack in memory: checks header, chunk table, stored hashes, chunk bounds and all small tables.
///
/// bytes    byte_count bytes, 64-byte aligned (a mapped file is); they must outlive the pack
/// options  or NULL
/// pack     filled on success, zeroed on failure
/// fault    or NULL; says which rule was broken
///
/// Returns MPAK_OK or any of the 1x, 3x, 4x results. Time is linear in byte_count, besides at most 1,024 steps up the
/// tree for each node. Allocates nothing.
mpak_result mpak_open(const void *bytes, uint64_t byte_count, const mpak_open_options *options, mpak_pack *pack,
                      mpak_fault *fault);

/// A file mapped for reading.
typedef struct mpak_mapping {
  const void *bytes;
  uint64_t byte_count;
} mpak_mapping;

/// Maps a whole file. MPAK_OK or MPAK_ERROR_FILE (errno tells); mapping is zeroed on failure.
mpak_result mpak_map_file(const char *path, mpak_mapping *mapping);

/// Unmaps; every pack opened on it is then invalid. A zeroed mapping is fine.
void mpak_unmap_file(mpak_mapping *mapping);

// -- Wrapped packs ---------------------------------------------------------------------------------------------------
//
// What `mpak cook --compress size` writes may be wrapped: smaller, and no pack yet. Expand it, then open the result:
//
//     mpak_unwrapped_sizes sizes;
//     mpak_unwrap_sizes(file.bytes, file.byte_count, &options, &sizes, NULL);
//     void *memory = aligned_alloc(64, (sizes.pack_bytes + 63) / 64 * 64), *scratch = malloc(sizes.scratch_bytes);
//     mpak_unwrap(file.bytes, file.byte_count, &options, memory, sizes.pack_bytes, scratch, sizes.scratch_bytes, NULL);
//     mpak_open(memory, sizes.pack_bytes, &options, &pack, NULL);
//
// mpak_open stays the boundary: what mpak_unwrap gives is only memory-safe, and as untrusted as any file.

/// Is it a wrapped pack? Looks at the first 8 bytes; mpak_open says the same with MPAK_ERROR_WRAPPED.
bool mpak_is_wrapped(const void *bytes, uint64_t byte_count);

/// Memory that mpak_unwrap needs.
typedef struct mpak_unwrapped_sizes {
  uint64_t pack_bytes;    ///< of the pack; the memory must be 64-byte aligned
  uint64_t scratch_bytes; ///< 16-byte aligned; not needed any more afterwards
} mpak_unwrapped_sizes;

/// Says how much memory a wrapped pack needs, after a look at its header alone. sizes is zeroed on failure.
///
/// bytes    byte_count bytes of any alignment
/// options  its decoder, and max_decoded_bytes: a pack that declares to be larger is MPAK_ERROR_LIMIT
///
/// Returns MPAK_OK, MPAK_ERROR_ARGUMENT, _LIMIT, _NOT_A_PACK, _VERSION, _TRUNCATED or _CORRUPT.
mpak_result mpak_unwrap_sizes(const void *bytes, uint64_t byte_count, const mpak_open_options *options,
                              mpak_unwrapped_sizes *sizes, mpak_fault *fault);

/// Expands a wrapped pack into dst, whose first pack_bytes bytes are then the pack. Linear time; allocates nothing; any
/// bytes are safe. skip_chunk_hashes skips the hash of the file here; without it, mpak_open may skip those of chunks
/// afterwards, which were made from the bytes just now.
///
/// Returns what mpak_unwrap_sizes does, and MPAK_ERROR_BUFFER_TOO_SMALL, _ALIGNMENT, _NO_DECODER or _CHECKSUM. dst's
/// content is undefined after a failure.
mpak_result mpak_unwrap(const void *bytes, uint64_t byte_count, const mpak_open_options *options, void *dst,
                        uint64_t dst_bytes, void *scratch, uint64_t scratch_bytes, mpak_fault *fault);

// -- Looking up ------------------------------------------------------------------------------------------------------

/// The text at a string offset of a record. Never null.
static inline const char *mpak_string(const mpak_pack *pack, uint32_t offset) { return pack->strings + offset; }

/// Numbers by key; MPAK_NONE when there is none. Linear in the number of objects: look up once, keep the number.
uint32_t mpak_find_node(const mpak_pack *pack, const char *key);
uint32_t mpak_find_mesh(const mpak_pack *pack, const char *key);
uint32_t mpak_find_skin(const mpak_pack *pack, const char *key);
uint32_t mpak_find_clip(const mpak_pack *pack, const char *key);
/// A control of a mesh: number within the mesh (0 … control_count - 1).
uint32_t mpak_find_control(const mpak_pack *pack, uint32_t mesh, const char *key);
/// The instance that a node draws, or MPAK_NONE.
uint32_t mpak_find_instance(const mpak_pack *pack, uint32_t node);

/// GetMaxBonesPerSection: the largest BoneMap of all sections whose part has lod >= min_lod.
uint32_t mpak_max_bones_per_section(const mpak_pack *pack, uint32_t min_lod);

/// The level of detail that a mesh shows where `lod` is asked for: a mesh with fewer levels shows its last one.
static inline uint32_t mpak_shown_level(const mpak_pack *pack, uint32_t mesh, uint32_t lod) {
  const uint32_t lod_count = pack->meshes[mesh].lod_count;
  const uint32_t last = lod_count == 0 ? 0 : lod_count - 1;
  return lod < last ? lod : last;
}

/// Does a part belong to what its mesh shows at `lod`?
static inline bool mpak_part_is_shown(const mpak_pack *pack, uint32_t part, uint32_t lod) {
  return pack->parts[part].lod == mpak_shown_level(pack, pack->parts[part].mesh, lod);
}

// -- Decoding --------------------------------------------------------------------------------------------------------

/// Scratch that any decode call on this pack needs, 16-byte aligned memory.
uint64_t mpak_scratch_bytes(const mpak_pack *pack);

/// Decodes one chunk and checks its contents (every index, joint, weight, key, float).
///
/// Not for the morph chunks (MOFF, MDEL, MGRP, MRUN, MPAY), which only mpak_decode_morph can check together, nor for
/// ANIM, which becomes something else in memory: mpak_load_clips.
///
/// dst  at least decoded_bytes of the chunk, 16-byte aligned. NULL for a stored, unfiltered chunk: *view then points
///      into the pack's own bytes
/// view receives the decoded bytes; or NULL
///
/// Returns MPAK_OK, MPAK_ERROR_ARGUMENT, MPAK_ERROR_BUFFER_TOO_SMALL, MPAK_ERROR_ALIGNMENT, MPAK_ERROR_NO_DECODER,
/// MPAK_ERROR_CORRUPT. dst's content is undefined after a failure.
mpak_result mpak_decode(const mpak_pack *pack, uint32_t chunk, void *dst, uint64_t dst_bytes, void *scratch,
                        uint64_t scratch_bytes, const void **view, mpak_fault *fault);

/// The sparse deltas of a part, in either layout, ready for a GPU or the CPU deformer.
typedef struct mpak_morph {
  mpak_payload payload; ///< MPAK_PAYLOAD_NONE (no shapes), _CSR64, or one of blk64
  uint32_t vertex_count;
  uint32_t shape_count;
  uint32_t components; ///< blk64: 3, 6 or 9 numbers of a lane
  uint32_t delta_count;
  // csr64: vertex v owns deltas [vertex_offsets[v], vertex_offsets[v + 1]), shapes strictly ascending
  const uint32_t *vertex_offsets;
  const mpak_csr_delta *deltas;
  // blk64
  const mpak_morph_block *blocks; ///< block_count + 1
  uint32_t block_count;
  const mpak_morph_entry *entries; ///< of block b: [blocks[b].first_entry, blocks[b + 1].first_entry), shapes ascending
  uint32_t entry_count;
  const uint32_t *payload_words; ///< entry e: planes of popcount(lanes) words at payload_offset (morph_payload.h)
  uint64_t payload_word_count;
} mpak_morph;

/// Memory that mpak_decode_morph fills for a part. 0 without shapes.
uint64_t mpak_morph_bytes(const mpak_pack *pack, uint32_t part);

/// Decodes and checks the morph chunks of a part together. dst: mpak_morph_bytes, 16-byte aligned.
mpak_result mpak_decode_morph(const mpak_pack *pack, uint32_t part, void *dst, uint64_t dst_bytes, void *scratch,
                              uint64_t scratch_bytes, mpak_morph *morph, mpak_fault *fault);

/// Everything of one part that a deformer or an upload reads.
typedef struct mpak_part_data {
  const mpak_base_vertex *base; ///< vertex_count
  const void *indices;          ///< index_count of index_bytes each
  uint32_t index_bytes;         ///< 2 or 4
  const uint16_t *joints;       ///< vertex_count * influence_count, section-local; NULL when not skinned
  const float *weights;         ///< the same; fall along a vertex, sum to 1
  const float *texcoords[4];    ///< 2 * vertex_count, or NULL
  const void *colours;          ///< or NULL
  mpak_element_format colour_format;
  mpak_morph morph;
} mpak_part_data;

/// Memory that mpak_load_part fills: each buffer inside starts at a multiple of 256 bytes from its start. Chunks that
/// are stored take none; the views of them point into the pack's own bytes.
uint64_t mpak_part_bytes(const mpak_pack *pack, uint32_t part);

/// Decodes all buffers of a part (its source map excepted). dst: mpak_part_bytes, 16-byte aligned.
mpak_result mpak_load_part(const mpak_pack *pack, uint32_t part, void *dst, uint64_t dst_bytes, void *scratch,
                           uint64_t scratch_bytes, mpak_part_data *data, mpak_fault *fault);

/// The index at position i of a part's triangle list.
static inline uint32_t mpak_index(const mpak_part_data *data, uint32_t i) {
  return data->index_bytes == 2 ? ((const uint16_t *)data->indices)[i] : ((const uint32_t *)data->indices)[i];
}

/// All clips, decoded: keys of the tracks that TRAK lists, and compressed tracks.
typedef struct mpak_clips {
  const float *times;
  const float *values;
  const uint32_t *words; ///< compressed blocks of the clips (format/anim_block.h); NULL without
} mpak_clips;

/// Memory that mpak_load_clips fills; 0 without clips.
uint64_t mpak_clips_bytes(const mpak_pack *pack);

/// Decodes and checks keys and compressed tracks of all clips. dst: mpak_clips_bytes, 16-byte aligned.
mpak_result mpak_load_clips(const mpak_pack *pack, void *dst, uint64_t dst_bytes, void *scratch, uint64_t scratch_bytes,
                            mpak_clips *clips, mpak_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
