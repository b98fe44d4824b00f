/// mt_morph.h: test support: primitives with random shapes, and a random source that is the same everywhere.
#ifndef MT_MORPH_H
#define MT_MORPH_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

/// xorshift64*; the seed must not be 0.
typedef struct mt_random {
  uint64_t state;
} mt_random;

uint64_t mt_random_next(mt_random *random);
/// Uniform in [low, high).
float mt_random_float(mt_random *random, float low, float high);
uint32_t mt_random_below(mt_random *random, uint32_t limit);

typedef enum mt_morph_streams { MT_MORPH_POSITIONS = 1, MT_MORPH_NORMALS = 2, MT_MORPH_TANGENTS = 4 } mt_morph_streams;

/// A primitive of vertex_count vertices with normals, tangents and target_count targets. streams: the delta streams
/// that targets have (mt_morph_streams). Of 100 vertices a target changes about moved_percent. One triangle per vertex.
cook_primitive *mt_morph_primitive(cook_job *job, uint32_t vertex_count, uint32_t target_count, int streams,
                                   uint32_t moved_percent, uint64_t seed);

/// The dense delta of a target's stream (0 position, 1 normal, 2 tangent) at a vertex; zero for a missing stream.
const float *mt_morph_delta(const cook_primitive *primitive, uint32_t target, uint32_t stream, uint32_t vertex);

#endif
