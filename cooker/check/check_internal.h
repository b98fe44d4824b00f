/// check_internal.h: what the check_*.c files share: the place of a fault, how faults of one kind are counted, and how
/// they become one issue.
///
/// Every rule walks its elements and adds the faulty ones to a tally; a tally becomes exactly one issue per object and
/// code, which names the first element and says how many more there are.
#ifndef COOK_CHECK_INTERNAL_H
#define COOK_CHECK_INTERNAL_H

#include "cooker/check/check.h"
#include "format/bytes.h"

/// Coordinates, deltas and key values beyond this are no model any more (metres; a million million). Below it, sums and
/// squares of all that a pack holds stay far inside float.
#define CHECK_LARGEST_VALUE 1e12f

/// Weights beyond this are no weights any more. Together with the limit on deltas it keeps bounds inside float.
#define CHECK_LARGEST_WEIGHT 1e6f

/// Seconds; beyond this a float cannot tell a minute from the next.
#define CHECK_LARGEST_TIME 1e9f

/// Lengths of directions and rotations may be off 1 by this much without a word: 8-bit normalised data are off by
/// 0.008.
#define CHECK_UNIT_TOLERANCE 1e-2

/// Rotations shorter than the one or longer than the other cannot be normalised (SPEC.md allows 2^-20 to 2^20).
#define CHECK_SHORTEST_ROTATION 1e-6
#define CHECK_LONGEST_ROTATION  1e6

typedef struct check_context {
  cook_job *job;
  cook_scene *scene;
  uint32_t *node_of_mesh; ///< by mesh: the first cooked node that draws it, else the first node, else MPAK_NONE
  uint32_t *skin_of_mesh; ///< by mesh: the skin with the fewest joints that moves it, or MPAK_NONE
} check_context;

/// The object that a rule looks at; absent members are MPAK_NONE or NULL (see CHECK_NOWHERE).
typedef struct check_place {
  uint32_t node;
  uint32_t mesh;
  uint32_t primitive; ///< index in the mesh's primitives
  uint32_t control;   ///< number in the mesh's controls
  uint32_t target;    ///< number in the mesh's targets: a shape
  uint32_t skin;
  uint32_t clip;
  uint32_t material;
  const char *stream;
} check_place;

#define CHECK_NOWHERE                                                                                                  \
  ((check_place){MPAK_NONE, MPAK_NONE, MPAK_NONE, MPAK_NONE, MPAK_NONE, MPAK_NONE, MPAK_NONE, MPAK_NONE, NULL})

/// Faulty elements of one object under one rule.
typedef struct check_tally {
  const char *element; ///< kind of element, or NULL when the object itself is faulty
  const char *limit;   ///< what is expected, or NULL
  const char *text;    ///< the value found; NULL: number
  uint64_t count;
  uint64_t first;
  double number; ///< the first element's value
} check_tally;

static inline void check_tally_add(check_tally *tally, uint64_t index, double number) {
  if (tally->count++ != 0) return;
  tally->first = index;
  tally->number = number;
}

/// One issue when the tally is not empty, none otherwise.
void check_report(const check_context *context, mpak_issue_id id, const check_place *place, const check_tally *tally);

/// One issue for an object that is faulty as a whole. value, limit: NULL or texts.
void check_report_object(const check_context *context, mpak_issue_id id, const check_place *place, const char *value,
                         const char *limit);

/// "NaN", "infinity", "-infinity", or eight digits.
const char *check_number_text(cook_job *job, double number);
/// A count in digits.
const char *check_count_text(cook_job *job, uint64_t count);

/// text for messages: bytes that are no UTF-8 as \xNN, cut after about a thousand bytes.
const char *check_printable(cook_job *job, const char *text);
/// Names joined by "/" from the root; a very long path keeps its end.
const char *check_node_path(const check_context *context, uint32_t node);

/// The largest magnitude of count floats, as the bits of the float: 0 when all are zero, at least CHECK_BITS_INFINITE
/// when one is not finite. One pass that costs next to nothing beside reading the memory.
uint32_t check_largest_bits(const float *values, uint64_t count);
#define CHECK_BITS_INFINITE 0x7F800000u

/// Reports under id the elements (width floats each) that are not finite. Returns whether all are finite.
bool check_all_finite(const check_context *context, mpak_issue_id id, const check_place *place, const char *element,
                      const float *values, uint64_t element_count, uint32_t width);
/// Reports under id the elements of which a component is not finite, or beyond limit in size. Returns whether there is
/// none.
bool check_none_beyond(const check_context *context, mpak_issue_id id, const check_place *place, const char *element,
                       const float *values, uint64_t element_count, uint32_t width, float limit);
/// Reports weights outside [0, 1]; all are finite.
void check_default_range(const check_context *context, mpak_issue_id id, const check_place *place, const float *weights,
                         uint32_t weight_count);

/// Can it be normalised to a rotation?
static inline bool check_is_rotation_length(double length) {
  return length >= CHECK_SHORTEST_ROTATION && length <= CHECK_LONGEST_ROTATION;
}
double check_length(const float *values, uint32_t width);
/// The determinant of the left 3x3 of a 3x4 matrix.
double check_determinant(const float matrix[12]);

// -- The topics, in the order of check_scene -------------------------------------------------------------------------

void check_names(const check_context *context);
void check_names_text(const check_context *context); ///< the part of check_names about single names
void check_nodes(const check_context *context);
void check_node_poses(const check_context *context); ///< the part of check_nodes that makes rest poses comparable
void check_meshes(const check_context *context);
void check_targets(const check_context *context);
void check_skins(const check_context *context);
void check_clips(const check_context *context);

#endif
