/// mt_pose.h: test support: packs put together by hand, table by table, for tests of poses and deformers.
///
/// The result is what mpak_open and mpak_load_part would give; nothing was cooked, encoded or verified, so that
/// expected values can be worked out on paper.
#ifndef MT_POSE_H
#define MT_POSE_H

#include "runtime/mpak_pose.h"

#define MT_POSE_MOST          64   ///< records of any table
#define MT_POSE_MOST_VERTICES 256  ///< of one part
#define MT_POSE_MOST_DELTAS   1024 ///< of one part
#define MT_POSE_MOST_FLOATS   4096 ///< key times, key values

/// Everything that one part's data points to.
typedef struct mt_pose_part {
  mpak_base_vertex base[MT_POSE_MOST_VERTICES];
  uint16_t joints[MT_POSE_MOST_VERTICES * MPAK_MAX_INFLUENCES];
  float weights[MT_POSE_MOST_VERTICES * MPAK_MAX_INFLUENCES];
  uint32_t offsets[MT_POSE_MOST_VERTICES + 1];
  mpak_csr_delta deltas[MT_POSE_MOST_DELTAS];
  mpak_morph_block blocks[MT_POSE_MOST_VERTICES / 64 + MT_POSE_MOST + 1];
  mpak_morph_entry entries[MT_POSE_MOST_DELTAS];
  uint32_t payload[MT_POSE_MOST_DELTAS * 9]; ///< bits of floats
} mt_pose_part;

typedef struct mt_pose_scene {
  mpak_pack pack;
  mpak_clips clips;
  mpak_part_data data[4]; ///< by part
  // storage
  char strings[2048];
  mpak_node nodes[MT_POSE_MOST];
  mpak_instance instances[MT_POSE_MOST];
  float instance_weights[MT_POSE_MOST];
  mpak_skin skins[MT_POSE_MOST];
  mpak_joint joints[MT_POSE_MOST];
  mpak_mesh meshes[MT_POSE_MOST];
  mpak_part parts[MT_POSE_MOST];
  mpak_control controls[MT_POSE_MOST];
  mpak_shape shapes[MT_POSE_MOST];
  mpak_rule rules[MT_POSE_MOST];
  mpak_rule_point rule_points[MT_POSE_MOST];
  mpak_section sections[MT_POSE_MOST];
  mpak_bone bones[MT_POSE_MOST];
  mpak_clip clip_records[MT_POSE_MOST];
  mpak_track tracks[MT_POSE_MOST];
  float times[MT_POSE_MOST_FLOATS];
  float values[MT_POSE_MOST_FLOATS];
  uint32_t time_count;
  uint32_t value_count;
  mt_pose_part storage[4];
} mt_pose_scene;

/// One delta of a part. Lists are ordered by vertex, then shape.
typedef struct mt_pose_delta {
  uint32_t vertex;
  uint32_t shape;
  float position[3];
  float normal[3];
  float tangent[3];
} mt_pose_delta;

/// A new empty scene; free() gives it back.
mt_pose_scene *mt_pose_make(void);

// Each adds one record and returns its number. Records of a mesh, skin or clip go to the one that was added last.

/// t, q, s: NULL for 0 0 0, 0 0 0 1, 1 1 1.
uint32_t mt_pose_add_node(mt_pose_scene *scene, const char *key, uint32_t parent, const float *t, const float *q,
                          const float *s);
uint32_t mt_pose_add_matrix_node(mt_pose_scene *scene, const char *key, uint32_t parent, const float matrix[12]);
uint32_t mt_pose_add_skin(mt_pose_scene *scene, const char *key);
/// inverse_bind NULL: identity.
uint32_t mt_pose_add_joint(mt_pose_scene *scene, uint32_t node, const float *inverse_bind);
uint32_t mt_pose_add_mesh(mt_pose_scene *scene, const char *key);
uint32_t mt_pose_add_control(mt_pose_scene *scene, const char *key, float default_weight, float min, float max);
/// A part with one shape per control of the mesh, one section over all vertices, no bones. Normals +z, tangents +x.
uint32_t mt_pose_add_part(mt_pose_scene *scene, uint32_t vertex_count, const float (*positions)[3]);
/// A shape of the table follows its control by a polyline from now on. points: weight of the control, of the shape.
void mt_pose_set_rule(mt_pose_scene *scene, uint32_t shape, const float (*points)[2], uint32_t point_count);
uint32_t mt_pose_add_instance(mt_pose_scene *scene, uint32_t node, uint32_t mesh, uint32_t skin);
uint32_t mt_pose_add_clip(mt_pose_scene *scene, const char *key, float start_s, float end_s);
/// values: key_count * width of the path (three times that for CUBICSPLINE).
uint32_t mt_pose_add_track(mt_pose_scene *scene, uint32_t node, mpak_track_path path, mpak_interpolation interpolation,
                           uint32_t key_count, const float *times, const float *values);

/// Gives the deltas of a part in csr64, or in blk64 with 9 components.
void mt_pose_set_csr(mt_pose_scene *scene, uint32_t part, const mt_pose_delta *deltas, uint32_t count);
void mt_pose_set_blocks(mt_pose_scene *scene, uint32_t part, const mt_pose_delta *deltas, uint32_t count);

/// Cuts a part into sections of vertex_counts[0], [1] … vertices, which sum to the part's.
void mt_pose_set_sections(mt_pose_scene *scene, uint32_t part, const uint32_t *vertex_counts, uint32_t section_count);
/// Gives a section of the part its BoneMap; sections in order, each once.
void mt_pose_set_bones(mt_pose_scene *scene, uint32_t part, uint32_t section, const uint32_t *joints, uint32_t count);
/// Sets one vertex's influences; the rest of the part's influence_count are joint 0, weight 0.
void mt_pose_set_influences(mt_pose_scene *scene, uint32_t part, uint32_t vertex, const uint16_t *joints,
                            const float *weights, uint32_t count);

/// 16-byte aligned zeroed memory of at least one byte, which the test frees.
void *mt_pose_memory(uint64_t byte_count);

/// A repeatable pseudo-random number: uniform in [low, high).
float mt_pose_random(uint64_t *state, float low, float high);

/// Are all values finite?
bool mt_pose_all_finite(const float *values, size_t count);

#define MT_POSE_NEAR(actual, expected, tolerance)                                                                      \
  do {                                                                                                                 \
    double mt_actual = (actual), mt_expected = (expected);                                                             \
    double mt_difference = mt_actual - mt_expected;                                                                    \
    if (!(mt_difference <= (tolerance) && -mt_difference <= (tolerance)))                                              \
      fail_msg("%s is %.9g, not %.9g", #actual, mt_actual, mt_expected);                                               \
  } while (0)

#endif
