/// lods_surface.h: a mesh as one surface of triangles, and how far a surface with fewer of its vertices is from it.
///
/// The measure, in every pose: where a vertex stands, against the place on the smaller surface that is nearest to it at
/// rest among the triangles around it. That is never less than the distance of the vertex from the surface, and counts
/// what slides along it too.
#ifndef COOK_LODS_SURFACE_H
#define COOK_LODS_SURFACE_H

#include "cooker/build/build.h"

/// Parts are primitives; vertices, triangles and indices of all stand one behind the other. Vertices at one position
/// make a place.
typedef struct lods_surface {
  uint32_t part_count;
  const uint32_t *first_vertex; ///< part_count + 1
  const uint32_t *first_index;  ///< part_count + 1
  const float (*rest)[3];       ///< by vertex, mesh space; no -0
  const uint32_t *indices;
  uint32_t pose_count;
  const float (*before)[3]; ///< pose_count * vertices, metres in the scene: as the vertices are to move
  const float (*after)[3];  ///< as they move in the level at hand, which may do without some joints and targets
  // made by lods_surface_join
  uint32_t place_count;
  uint32_t *place;            ///< by vertex
  bool *is_shared;            ///< by place: several parts meet there
  uint32_t *neighbour_starts; ///< place_count + 1
  uint32_t *neighbours;       ///< places that an edge leads to, repeated
} lods_surface;

static inline uint32_t lods_vertex_count(const lods_surface *surface) {
  return surface->first_vertex[surface->part_count];
}

static inline uint32_t lods_index_count(const lods_surface *surface) {
  return surface->first_index[surface->part_count];
}

/// Finds the places and who is next to whom.
void lods_surface_join(cook_job *job, lods_surface *surface);

/// Shares of the corners a, b, c at the triangle's place nearest to a point; returns the squared distance.
double lods_triangle_nearest(const float *a, const float *b, const float *c, const float *point, double shares[3]);

/// How far a smaller surface of these triangles is from it.
///
/// errors  by vertex: the largest distance over all poses between it and the smaller surface, metres in the scene;
///         INFINITY where the smaller surface has nothing near
/// where   by place, or NULL: the first corner, in indices, of the triangle that was compared; MPAK_NONE where a vertex
///         of the place is left, or nothing is near
void lods_surface_measure(cook_job *job, const lods_surface *surface, const uint32_t *indices, uint32_t index_count,
                          float *errors, uint32_t *where);

#endif
