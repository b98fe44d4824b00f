/// deform_private.h: what the files of runtime/deform share: the levels of vector code, the kernels that each level
/// has, and the plain code that all of them fall back to. Tests and benchmarks use it to force a level.
///
/// Every level does the same operations in the same order on each vertex, without fused multiply-add and without
/// estimates, so that all give the same bits. test_deform_levels.c proves it.
#ifndef MPAK_DEFORM_PRIVATE_H
#define MPAK_DEFORM_PRIVATE_H

#include "runtime/mpak_pose.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define DEFORM_HAS_VECTORS 1
#else
#define DEFORM_HAS_VECTORS 0
#endif

#define DEFORM_BLOCK_LANES 64u

/// What code runs. Ascending: a processor that has one has those before it.
typedef enum deform_level { DEFORM_PLAIN = 0, DEFORM_SSE2 = 1, DEFORM_AVX2 = 2, DEFORM_LEVEL_COUNT = 3 } deform_level;

/// Sums of the deltas of up to 64 vertices, by plane as a payload has them: position, normal, tangent.
typedef struct deform_sums {
  _Alignas(64) float planes[9][DEFORM_BLOCK_LANES]; ///< never -0: they start at 0
  uint64_t touched;                                 ///< bit l: an active shape moves lane l
} deform_sums;

/// A matrix of a section's own palette: a power of two in size, one cache line.
typedef struct deform_bone {
  _Alignas(64) mpak_matrix matrix;
} deform_bone;

/// How vertices of a section are skinned: by its own palette, or where that is NULL, by the skin's through its BoneMap.
typedef struct deform_skinning {
  const deform_bone *own; ///< by joint of the section
  const mpak_matrix *palette;
  const mpak_bone *bones;
  const uint16_t *joints; ///< influence_count for each vertex of the part
  const float *weights;
  uint32_t influence_count; ///< 4, 8 or 12
} deform_skinning;

/// The same for a few vertices, while their matrices are blended.
typedef struct lanes_influence {
  const deform_bone *own; ///< or NULL, as above
  const mpak_matrix *palette;
  const mpak_bone *bones;
  const uint16_t *joints; ///< of the first vertex
  const float *weights;
  size_t stride;  ///< of a vertex
  uint32_t count; ///< that may have a weight, a multiple of 4
} lanes_influence;

static inline const mpak_matrix *deform_bone_matrix(const deform_bone *own, const mpak_matrix *palette,
                                                    const mpak_bone *bones, uint32_t joint) {
  return own ? &own[joint].matrix : &palette[bones[joint].joint];
}

/// The inner loops of a level.
typedef struct deform_kernels {
  /// Adds the deltas of entries [first_entry, end_entry), all of one block, whose shapes have a weight. blk64.
  void (*add_entries)(const mpak_morph *morph, uint32_t first_entry, uint32_t end_entry, const float *shape_weights,
                      deform_sums *sums);
  /// Adds the deltas of vertex_count <= 64 vertices from first_vertex on. csr64.
  void (*add_rows)(const mpak_morph *morph, uint32_t first_vertex, uint32_t vertex_count, const float *shape_weights,
                   deform_sums *sums);
  /// out = base + sums for vertex_count <= 64 vertices. reorthogonalises: tangents have no deltas and follow the
  /// normal.
  void (*finish)(const mpak_base_vertex *base, const deform_sums *sums, uint32_t vertex_count, bool reorthogonalises,
                 mpak_base_vertex *out);
  /// Skins vertices [first_vertex, first_vertex + vertex_count). in, out: of the part; may be the same.
  void (*skin)(const deform_skinning *skinning, uint32_t first_vertex, uint32_t vertex_count,
               const mpak_base_vertex *in, mpak_base_vertex *out);
  /// Moves all vertices by one matrix. in, out may be the same.
  void (*move)(const mpak_matrix *matrix, uint32_t vertex_count, const mpak_base_vertex *in, mpak_base_vertex *out);
} deform_kernels;

/// The best level of this processor. A look at a flag, no CPUID.
deform_level deform_best_level(void);

/// The kernels of a level, which must not be above deform_best_level.
const deform_kernels *deform_kernels_of(deform_level level);

// -- The public functions, with kernels of a chosen level ------------------------------------------------------------

void deform_morph_vertices(const deform_kernels *kernels, const mpak_pack *pack, uint32_t part,
                           const mpak_part_data *data, const float *shape_weights, mpak_base_vertex *out);
void deform_skin_vertices(const deform_kernels *kernels, const mpak_pack *pack, uint32_t part,
                          const mpak_part_data *data, const mpak_matrix *skin_palette, const mpak_base_vertex *in,
                          mpak_base_vertex *out);

// -- Plain code, for any vertex --------------------------------------------------------------------------------------

/// One entry, any payload.
void deform_add_entry(const mpak_morph *morph, const mpak_morph_entry *entry, float weight, deform_sums *sums);
/// Lanes [first_lane, end_lane) of a block.
void deform_finish_lanes(const mpak_base_vertex *base, const deform_sums *sums, uint32_t first_lane, uint32_t end_lane,
                         bool reorthogonalises, mpak_base_vertex *out);
void deform_skin_plain(const deform_skinning *skinning, uint32_t first_vertex, uint32_t vertex_count,
                       const mpak_base_vertex *in, mpak_base_vertex *out);
void deform_move_plain(const mpak_matrix *matrix, uint32_t vertex_count, const mpak_base_vertex *in,
                       mpak_base_vertex *out);

extern const deform_kernels deform_kernels_plain;
#if DEFORM_HAS_VECTORS
extern const deform_kernels deform_kernels_sse2;
extern const deform_kernels deform_kernels_avx2;
#endif

#endif
