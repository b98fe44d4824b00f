/// diff.h: what two packs say differently: findings, one after the other, from what an author changed to bytes.
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include "cooker/cli/options.h"
#include "cooker/cli/pack_file.h"
#include "cooker/export/morph_table.h"
#include "cooker/report/json_out.h"

/// One of the two packs, with all its data.
typedef struct diff_side {
  const char *path;
  bool is_pack; ///< a pack's own bytes, not those of a model cooked in memory
  pack_file file;
  const mpak_pack *pack;
  mpak_part_data *parts;           ///< by part
  const uint32_t **pack_of_source; ///< by part; NULL without a source map
  morph_table *deltas;             ///< by part
  mpak_clips clips;
} diff_side;

typedef enum diff_change { DIFF_REMOVED, DIFF_ADDED, DIFF_RENAMED, DIFF_CHANGED } diff_change;

/// One thing that differs. Absent members are NULL, MPAK_NONE or negative.
typedef struct diff_finding {
  const char *kind; ///< "node", "mesh", "primitive", "target", "skin", "material", "clip"
  diff_change change;
  const char *name; ///< key in A; in B where it was added
  const char *now;  ///< renamed: key in B
  const char *mesh; ///< key of the mesh that a target or primitive belongs to
  uint32_t primitive;
  uint32_t lod;
  double largest_mm; ///< how far a vertex moved; negative: not measured
  const char *detail;
} diff_finding;

#define DIFF_FINDING(kind_, change_)                                                                                   \
  ((diff_finding){.kind = (kind_), .change = (change_), .primitive = MPAK_NONE, .largest_mm = -1})

/// A primitive that both have, and the vertex of B that each vertex of A is, MPAK_NONE where there is none.
typedef struct diff_pair {
  uint32_t part[2];
  uint32_t *b_of_a;
} diff_pair;

typedef struct diff_state {
  cook_job *job;
  diff_side sides[2];
  double tolerance_mm; ///< movements up to this are none
  diff_pair *pairs;
  uint32_t pair_count;
  diff_finding *findings;
  uint64_t finding_count, finding_capacity;
} diff_state;

void diff_add(diff_state *state, const diff_finding *finding);

/// Does a movement count?
static inline bool diff_is_moved(const diff_state *state, double distance_m) {
  return distance_m * 1000 > state->tolerance_mm;
}

/// Is any of count floats another number?
static inline bool diff_has_other_floats(const float *a, const float *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i]) return true;
  return false;
}

/// details joined by ", "; before may be NULL.
const char *diff_join(cook_job *job, const char *before, const char *detail);

/// Names of an array by key: adds findings for what only one side has. other[i]: the number in B of element i of A, or
/// MPAK_NONE. key: the key of an element.
typedef const char *(*diff_key)(const mpak_pack *pack, uint32_t number);
uint32_t *diff_match(diff_state *state, const char *kind, uint32_t count_a, uint32_t count_b, diff_key key);

/// Nodes, skins and materials (diff_scene.c).
void diff_scene(diff_state *state);

/// Meshes and primitives; fills the pairs (diff_mesh.c).
void diff_meshes(diff_state *state);

/// The vertices of part[1] that those of part[0] are (diff_vertices.c).
uint32_t *diff_match_vertices(diff_state *state, const uint32_t part[2]);

/// Targets of a mesh that both have (diff_targets.c).
void diff_targets(diff_state *state, const uint32_t mesh[2]);

/// Clips (diff_clips.c).
void diff_clips(diff_state *state);

void diff_put_text(text_out *text, const diff_state *state);
void diff_put_json(json_out *json, const diff_state *state);

#endif
