/// weld_group.h: which vertices agree. The one place where vertices are compared, for welding, tangents and smoothing.
#ifndef COOK_WELD_GROUP_H
#define COOK_WELD_GROUP_H

#include "cooker/base/job.h"

typedef enum weld_compare {
  WELD_BITS,      ///< equal bits
  WELD_FLOATS,    ///< equal bits, with -0 the same as +0
  WELD_DIRECTION, ///< three floats: as WELD_FLOATS, or two unit vectors within WELD_ANGLE_RAD; at most one such stream
} weld_compare;

/// Two unit normals closer than this are one direction where a source has no exact ones (FBX).
#define WELD_ANGLE_RAD 1e-4

/// One attribute that has to agree.
typedef struct weld_stream {
  const void *data;
  uint32_t element_bytes; ///< multiple of 4
  weld_compare compare;
} weld_stream;

/// Puts each vertex in the group of the lowest vertex it agrees with in every stream.
///
/// Directions are grouped around that lowest vertex, in ascending order, so the result depends on nothing else. Time is
/// linear in the vertices.
///
/// lowest_of_vertex  vertex_count numbers, written: the lowest vertex of each one's group
/// largest_change    NULL, or set to the largest distance of a direction from its group's
void weld_group(cook_job *job, const weld_stream *streams, uint32_t stream_count, uint32_t vertex_count,
                uint32_t *lowest_of_vertex, double *largest_change);

#endif
