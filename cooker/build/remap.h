/// remap.h: the streams of a primitive by number, so that whoever moves or compares vertices sees all of them.
///
/// A stream is one array with one element per vertex: 0 positions, 1 normals, 2 tangents, 3..6 texture coordinates,
/// 7 colours, 8 joints, 9 weights, then three for each target: position, normal and tangent deltas.
#ifndef COOK_REMAP_H
#define COOK_REMAP_H

#include "cooker/build/build.h"

#define REMAP_POSITIONS 0u
#define REMAP_NORMALS   1u
#define REMAP_TANGENTS  2u
#define REMAP_TEXCOORDS 3u
#define REMAP_COLOURS   7u
#define REMAP_JOINTS    8u
#define REMAP_WEIGHTS   9u
#define REMAP_TARGETS   10u

/// Number of streams, absent ones counted.
uint32_t remap_stream_count(const cook_primitive *primitive);

/// The array of a stream, or NULL when it is absent.
void *remap_stream_get(const cook_primitive *primitive, uint32_t stream);

/// Puts another array, of the same element, in its place.
void remap_stream_set(cook_primitive *primitive, uint32_t stream, void *data);

/// Bytes of one element, a multiple of 4; 0 for joints and weights without influences.
uint32_t remap_stream_bytes(const cook_primitive *primitive, uint32_t stream);

/// Does a stream consist of floats (so that -0 equals +0)?
bool remap_stream_is_float(const cook_primitive *primitive, uint32_t stream);

/// Gives corners vertices of their own where their class differs: corners of one vertex with equal class share one.
/// The first class met at a vertex keeps its number, the others are appended in the order of corners.
///
/// class_of_corner  index_count numbers; NULL: every corner is a class of its own
///
/// Changes indices and all streams. Fails the job (C015) when there would be too many vertices.
void remap_split_corners(cook_job *job, cook_primitive *primitive, const uint32_t *class_of_corner);

#endif
