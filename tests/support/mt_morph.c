#include "tests/support/mt_morph.h"

uint64_t mt_random_next(mt_random *random) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return random->state * 0x2545F4914F6CDD1Du;
}

float mt_random_float(mt_random *random, float low, float high) {
  double unit = (double)(mt_random_next(random) >> 40) / (double)(1 << 24);
  return (float)((double)low + unit * ((double)high - (double)low));
}

uint32_t mt_random_below(mt_random *random, uint32_t limit) { return (uint32_t)(mt_random_next(random) >> 33) % limit; }

static void morph_fill_vertices(cook_primitive *primitive, mt_random *random) {
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      primitive->positions[v][axis] = mt_random_float(random, -2, 2);
      primitive->normals[v][axis] = axis == (int)(v % 3) ? 1.0f : 0.0f;
      primitive->tangents[v][axis] = axis == (int)((v + 1) % 3) ? 1.0f : 0.0f;
    }
    primitive->tangents[v][3] = v % 2 ? 1.0f : -1.0f;
    for (uint32_t corner = 0; corner < 3; ++corner) {
      primitive->indices[3 * v + corner] = (v + corner) % primitive->vertex_count;
    }
  }
}

static void morph_fill_target(const cook_primitive *primitive, cook_target *target, uint32_t moved_percent,
                              mt_random *random) {
  float(*const streams[3])[3] = {target->position_deltas, target->normal_deltas, target->tangent_deltas};
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    if (mt_random_below(random, 100) >= moved_percent) continue;
    for (int s = 0; s < 3; ++s) {
      if (!streams[s]) continue;
      for (int axis = 0; axis < 3; ++axis) streams[s][v][axis] = mt_random_float(random, -1, 1);
    }
  }
}

cook_primitive *mt_morph_primitive(cook_job *job, uint32_t vertex_count, uint32_t target_count, int streams,
                                   uint32_t moved_percent, uint64_t seed) {
  mt_random random = {seed};
  cook_primitive *primitive = JOB_ARRAY(job, cook_primitive, 1);
  primitive->material = MPAK_NONE;
  primitive->vertex_count = primitive->source_vertex_count = vertex_count;
  primitive->positions = job_alloc(job, vertex_count, sizeof *primitive->positions);
  primitive->normals = job_alloc(job, vertex_count, sizeof *primitive->normals);
  primitive->tangents = job_alloc(job, vertex_count, sizeof *primitive->tangents);
  primitive->index_count = primitive->source_index_count = 3 * vertex_count;
  primitive->indices = JOB_ARRAY(job, uint32_t, primitive->index_count);
  morph_fill_vertices(primitive, &random);
  primitive->target_count = target_count;
  primitive->targets = JOB_ARRAY(job, cook_target, target_count);
  for (uint32_t t = 0; t < target_count; ++t) {
    cook_target *target = &primitive->targets[t];
    if (streams & MT_MORPH_POSITIONS) target->position_deltas = job_alloc(job, vertex_count, 3 * sizeof(float));
    if (streams & MT_MORPH_NORMALS) target->normal_deltas = job_alloc(job, vertex_count, 3 * sizeof(float));
    if (streams & MT_MORPH_TANGENTS) target->tangent_deltas = job_alloc(job, vertex_count, 3 * sizeof(float));
    morph_fill_target(primitive, target, moved_percent, &random);
  }
  return primitive;
}

const float *mt_morph_delta(const cook_primitive *primitive, uint32_t target, uint32_t stream, uint32_t vertex) {
  static const float zero[3] = {0, 0, 0};
  const cook_target *from = &primitive->targets[target];
  float(*deltas)[3] = stream == 0 ? from->position_deltas : stream == 1 ? from->normal_deltas : from->tangent_deltas;
  return deltas ? deltas[vertex] : zero;
}
