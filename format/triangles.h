/// triangles.h: the triangle codec of INDX, encoding 2 (SPEC.md, section 7): what its two sides share, and the
/// encoder's step. The decoder is runtime/pack/decode_triangles.c.
///
/// A frame codes up to MPAK_FRAME_TRIANGLES triangles on its own. Its stream is: the first value of `next` as a number
/// of 7-bit groups, one code byte for each triangle, then what the codes need besides.
#ifndef MPAK_TRIANGLES_H
#define MPAK_TRIANGLES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPAK_FRAME_TRIANGLES    16384u
#define MPAK_TRIANGLE_MAX_BYTES 17u ///< of a stream for one triangle: a code, a byte for b and c, three numbers
#define MPAK_NUMBER_MAX_BYTES   5u  ///< of a number of 7-bit groups

/// The most bytes that the stream of so many triangles has.
static inline uint32_t mpak_triangles_bound(uint32_t triangle_count) {
  return MPAK_NUMBER_MAX_BYTES + MPAK_TRIANGLE_MAX_BYTES * triangle_count;
}

/// What both sides know before each triangle. All zero at the start of a frame but for `next`.
typedef struct mpak_triangle_state {
  uint32_t edges[16][2]; ///< the last edges and vertices; number k of the frame is at k modulo 16
  uint32_t vertices[16];
  uint32_t edge_count, vertex_count; ///< so far in the frame
  uint32_t next;                     ///< the vertex that should come up next for the first time
  uint32_t last;                     ///< the last vertex that was written as a difference
} mpak_triangle_state;

static inline void mpak_triangle_push_edge(mpak_triangle_state *state, uint32_t a, uint32_t b) {
  uint32_t *edge = state->edges[state->edge_count++ & 15];
  edge[0] = a;
  edge[1] = b;
}

static inline void mpak_triangle_push_vertex(mpak_triangle_state *state, uint32_t vertex) {
  state->vertices[state->vertex_count++ & 15] = vertex;
}

/// The vertex that was pushed `age` pushes before the last one, age 0 … 15.
static inline uint32_t mpak_triangle_vertex(const mpak_triangle_state *state, uint32_t age) {
  return state->vertices[(state->vertex_count - 1 - age) & 15];
}

static inline const uint32_t *mpak_triangle_edge(const mpak_triangle_state *state, uint32_t age) {
  return state->edges[(state->edge_count - 1 - age) & 15];
}

/// How b and c of codes F0 … FD are found: the byte that codes FE and FF have in the stream. The 14 most frequent ones.
extern const uint8_t mpak_triangle_pairs[14];

// -- Encoding --------------------------------------------------------------------------------------------------------

/// What one triangle adds to the stream.
typedef struct mpak_triangle_code {
  uint8_t code;
  uint8_t byte_count;
  uint8_t bytes[MPAK_TRIANGLE_MAX_BYTES - 1];
} mpak_triangle_code;

/// The value of `next` that suits the triangles of a frame: where the longest run of vertices begins that each are the
/// one after the largest before.
uint32_t mpak_triangles_first(const uint32_t *indices, uint32_t index_count);

/// By how many corners (0, 1, 2) a triangle should be turned so that it takes the fewest bytes.
uint32_t mpak_triangle_turn(const mpak_triangle_state *state, const uint32_t triangle[3]);

/// Codes one triangle as it is, and moves the state on.
mpak_triangle_code mpak_triangle_encode(mpak_triangle_state *state, const uint32_t triangle[3]);

/// Writes a number in groups of 7 bits, the lowest first, bit 7 set in all but the last. Returns how many bytes.
uint32_t mpak_triangle_write_number(uint32_t number, uint8_t bytes[MPAK_NUMBER_MAX_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
