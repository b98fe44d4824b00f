/// mt_rules.h: test support: for every rule that the reader knows, a pack that is right in all but that line.
///
/// A case takes a sound character (mt_pack.h), changes one thing, makes all sizes, places and hashes right again where
/// the change is not about them, and names the rule that must then refuse it.
#ifndef MT_RULES_H
#define MT_RULES_H

#include "format/mpak_result.h"
#include "tests/support/mt_pack.h"

/// Which character a case starts from; all have skin, clips, colours and source map.
typedef enum mt_rules_base {
  MT_RULES_BLK64 = 0,
  MT_RULES_CSR64 = 1,
  MT_RULES_P12 = 2,
  MT_RULES_BASE_COUNT = 3
} mt_rules_base;

/// BLK64: compressed, 75 vertices, so that both sections make one block each. P12: the same with that payload instead
/// of P36. CSR64: stored.
void mt_rules_base_pack(mt_rules_base base, mt_pack *pack);

typedef struct mt_rule_case {
  const char *rule; ///< exactly the text of mpak_fault
  mpak_result result;
  mt_rules_base base;
  void (*change)(mt_pack *pack);  ///< before the pack is written; NULL: nothing
  void (*spoil)(mt_image *image); ///< the written file; hashes are made right afterwards. NULL: nothing
  bool keep_hashes;               ///< do not make them right
  uint64_t max_decoded_bytes; ///< the caller's limit; 0: the default; MT_RULES_EXACT_LIMIT: the header's decoded_bytes
  // a number to overwrite; kind 0: none
  uint32_t kind; ///< first chunk of this kind, or MT_RULES_HEADER; see is_entry
  bool is_entry; ///< not a record of the chunk, but its line in the chunk table
  uint32_t record;
  uint32_t offset, byte_count;
  uint64_t value; ///< little-endian
} mt_rule_case;

#define MT_RULES_HEADER      1u
#define MT_RULES_EXACT_LIMIT UINT64_MAX

typedef struct mt_rule_list {
  const mt_rule_case *cases;
  uint32_t count;
} mt_rule_list;

mt_rule_list mt_rules_header(void); ///< header
mt_rule_list mt_rules_chunks(void); ///< chunk table, padding, frames
mt_rule_list mt_rules_scene(void);  ///< STRS NODE INST IWGT SKIN JONT MATL META
mt_rule_list mt_rules_meshes(void); ///< MESH CTRL LODS RBON SHAP SECT BMAP
mt_rule_list mt_rules_parts(void);  ///< PART ERRS and its chunks
mt_rule_list mt_rules_clips(void);  ///< CLIP TRAK KEYT KEYV
mt_rule_list mt_rules_blocks(void); ///< ANIM and what CLIP says of it
mt_rule_list mt_rules_data(void);   ///< what decoding checks
/// Puts the streams of the first part of a stored character with texture coordinates, skin and tangents on grids.
void mt_pack_quantise(mt_pack *pack);

mt_rule_list mt_rules_quantised(void); ///< QUAN, VQNT, TEXQ

/// What unwrapping checks: the packs of the cases are wrapped, then spoilt.
mt_rule_list mt_rules_wrapped(void);

#define MT_RULES_LIST_COUNT 10
mt_rule_list mt_rules_list_at(uint32_t i);

/// The file of a case.
mt_image mt_rule_make(const mt_rule_case *rule_case);

// -- Lines of the tables: the number of a member, of the header, of a chunk's line; a function -----------------------

#define MT_SIZE_OF(type, member) (uint32_t)sizeof(((type *)0)->member)
#define MT_CORRUPT               MPAK_ERROR_CORRUPT
#define MT_RECORD(text, base_, kind_, record_, type, member, value_)                                                   \
  {                                                                                                                    \
    .rule = text, .result = MT_CORRUPT, .base = base_, .kind = kind_, .record = record_,                               \
    .offset = offsetof(type, member), .byte_count = MT_SIZE_OF(type, member), .value = value_                          \
  }
/// Element number of an array of 4-byte words.
#define MT_WORD(text, base_, kind_, record_, offset_, value_)                                                          \
  {                                                                                                                    \
    .rule = text, .result = MT_CORRUPT, .base = base_, .kind = kind_, .record = record_, .offset = offset_,            \
    .byte_count = 4, .value = value_                                                                                   \
  }
#define MT_HEADER(text, result_, member, value_)                                                                       \
  {                                                                                                                    \
    .rule = text, .result = result_, .kind = MT_RULES_HEADER, .offset = offsetof(mpak_header, member),                 \
    .byte_count = MT_SIZE_OF(mpak_header, member), .value = value_                                                     \
  }
#define MT_ENTRY(text, result_, base_, kind_, member, value_)                                                          \
  {                                                                                                                    \
    .rule = text, .result = result_, .base = base_, .kind = kind_, .is_entry = true,                                   \
    .offset = offsetof(mpak_chunk_entry, member), .byte_count = MT_SIZE_OF(mpak_chunk_entry, member), .value = value_  \
  }
#define MT_CHANGE(text, base_, function)                                                                               \
  { .rule = text, .result = MT_CORRUPT, .base = base_, .change = function }
#define MT_SPOIL_FILE(text, result_, base_, function)                                                                  \
  { .rule = text, .result = result_, .base = base_, .spoil = function }

#define MT_NAN      0x7FC00000u
#define MT_INFINITY 0x7F800000u
#define MT_MINUS_1  0xBF800000u
#define MT_TEN      0x41200000u

#endif
