/// mt_pack.h: test support: packs made chunk by chunk, from SPEC.md and not from the cooker, so that a test can make
/// one that is right in all but one place.
///
///     mt_pack pack;
///     mt_pack_character(&pack, &(mt_character){.layout = MT_BLK64, .is_compressed = true});
///     mt_pack_patch_u32(&pack, MPAK_KIND_NODE, 0, offsetof(mpak_node, parent), 7);
///     mt_image image = mt_pack_write(&pack);   // sizes, places, frames and hashes are all right
///     … mpak_open(image.bytes, image.byte_count, …) …
///     mt_image_free(&image); mt_pack_free(&pack);
///
/// Everything is malloc'ed to its exact size, so that AddressSanitizer sees the first byte too far.
#ifndef MT_PACK_H
#define MT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/mpak_format.h"

/// One chunk with its decoded bytes. Of entry the members kind, kind_version, encoding, flags, owner, stride, count,
/// filter, format, slot and lane_modes are used; the others are computed when the pack is written.
typedef struct mt_chunk {
  mpak_chunk_entry entry;
  uint8_t *bytes;  ///< stride * count
  uint8_t *frozen; ///< stored bytes, see mt_pack_freeze
  mpak_chunk_entry frozen_entry;
  struct mt_morph_frames *frames; ///< compressed MPAY: how it is cut and sorted, whatever happens to other chunks later
  const uint8_t *stream;          ///< encoding 2: what stands in its only frame; NULL: made from bytes. Not owned
  uint32_t stream_bytes;
} mt_chunk;

#define MT_PACK_MAX_CHUNKS 96

typedef struct mt_pack {
  mpak_header header; ///< magic, versions, flags and content_id are used
  mt_chunk chunks[MT_PACK_MAX_CHUNKS];
  uint32_t chunk_count;
} mt_pack;

/// A file in memory: 64-byte aligned, exactly byte_count bytes.
typedef struct mt_image {
  uint8_t *bytes;
  uint64_t byte_count;
} mt_image;

// -- Chunk by chunk --------------------------------------------------------------------------------------------------

/// An empty pack with an empty STRS.
void mt_pack_begin(mt_pack *pack);
void mt_pack_free(mt_pack *pack);

/// Appends a text to STRS; its offset. "" is 0.
uint32_t mt_pack_string(mt_pack *pack, const char *text);

/// Appends a stored chunk with the flags and format of its kind (of INDX by stride); its number.
uint32_t mt_pack_add(mt_pack *pack, uint32_t kind, uint32_t owner, uint32_t stride, uint32_t count, const void *bytes);

/// Encodes every data chunk with zstd: filter 1 (0 for JNTS and WGTS), 4 for MPAY with differences in the first three
/// streams.
void mt_pack_compress(mt_pack *pack);

/// The first chunk of a kind; NULL when there is none.
mt_chunk *mt_pack_find(mt_pack *pack, uint32_t kind);
/// Its number, or MPAK_NONE.
uint32_t mt_pack_find_number(const mt_pack *pack, uint32_t kind);
/// Removes a chunk; numbers above it fall by one, those in PART too.
void mt_pack_remove(mt_pack *pack, uint32_t number);

/// Overwrites bytes of a record of the first chunk of a kind.
void mt_pack_patch(mt_pack *pack, uint32_t kind, uint32_t record, size_t offset, const void *bytes, size_t byte_count);
void mt_pack_patch_u32(mt_pack *pack, uint32_t kind, uint32_t record, size_t offset, uint32_t value);

/// Gives a chunk another number of records; new ones are zero.
void mt_pack_resize(mt_pack *pack, uint32_t kind, uint32_t count);

/// Lays out, encodes and hashes.
mt_image mt_pack_write(const mt_pack *pack);

/// The same, quickly, for a pack of which only one chunk has changed since mt_pack_freeze: the stored bytes of all
/// others are kept.
void mt_pack_freeze(mt_pack *pack);
mt_image mt_pack_write_changed(const mt_pack *pack, uint32_t changed);

/// The way back: chunks of a sound pack, decoded here and not by the runtime. Fails the process on anything odd.
void mt_pack_parse(mt_pack *pack, const mt_image *image);

// -- Files in memory -------------------------------------------------------------------------------------------------

mt_image mt_image_copy(const uint8_t *bytes, uint64_t byte_count);
void mt_image_free(mt_image *image);

/// Makes the hashes of chunks, table and header right again, as far as the offsets allow; of a wrapped pack its hash.
void mt_image_rehash(mt_image *image);

// -- A ready character -----------------------------------------------------------------------------------------------

typedef enum mt_layout { MT_NO_SHAPES = 0, MT_CSR64 = 1, MT_BLK64 = 2 } mt_layout;

/// A scene of five nodes and two meshes. Mesh 0 (key "body") has part 0 in two sections with three shapes and part 1
/// without shapes; mesh 1 ("hat") has one part. Every kind of chunk that the options ask for is there.
typedef struct mt_character {
  mt_layout layout;
  bool is_compressed;
  bool is_skinned; ///< three joints, four influences; BoneMaps of two and three joints
  bool has_clips;  ///< two clips with every path and interpolation
  bool has_source_map;
  bool has_rules;        ///< shapes 0 and 2 follow their controls by polylines of three and two points
  bool has_colours;      ///< part 0: UNORM8X3, part 1: F32X4
  uint32_t components;   ///< of the deltas: 3, 6 or 9; 0 = 9
  mpak_payload payload;  ///< of blk64; 0 = P36. The others: whole numbers of -5 … 5, steps 1/64, exponents 0
  uint32_t vertex_count; ///< of part 0; 0 = 9. Its first section has two thirds
} mt_character;

void mt_pack_character(mt_pack *pack, const mt_character *character);

/// A clip pack: nodes "root", "hips", "face_node", of which the last draws a mesh without parts, controls Smile and
/// Blink; clip "Run" moves the hips, "Talk" the weights.
void mt_pack_clips(mt_pack *pack);

#endif
