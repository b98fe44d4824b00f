#include "cooker/build/lods_corners.h"

#include <math.h>

#include "cooker/build/remap.h"
#include "cooker/build/weld_group.h"

static bool corners_is_direction(uint32_t stream) {
  if (stream >= REMAP_TARGETS) return (stream - REMAP_TARGETS) % 3 != 0;
  return stream == REMAP_NORMALS || stream == REMAP_TANGENTS;
}

uint32_t *lods_corners_join(cook_job *job, const cook_primitive *primitive) {
  uint32_t *lowest = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  const cook_mark mark = job_mark(job);
  const uint32_t stream_count = remap_stream_count(primitive);
  weld_stream *streams = JOB_ARRAY(job, weld_stream, stream_count);
  uint32_t count = 0;
  for (uint32_t s = 0; s < stream_count; s++) {
    const void *data = remap_stream_get(primitive, s);
    if (data == NULL || corners_is_direction(s)) continue;
    streams[count++] = (weld_stream){data, remap_stream_bytes(primitive, s),
                                     remap_stream_is_float(primitive, s) ? WELD_FLOATS : WELD_BITS};
  }
  double change = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) lowest[v] = v;
  weld_group(job, streams, count, primitive->vertex_count, lowest, &change);
  job_release(job, mark);
  return lowest;
}

/// Vertices in a ring: from each the next one of its group, from the last the lowest.
static uint32_t *corners_link(cook_job *job, const uint32_t *lowest, uint32_t count) {
  uint32_t *next = JOB_ARRAY(job, uint32_t, count);
  for (uint32_t v = 0; v < count; v++) next[v] = v;
  for (uint32_t v = 0; v < count; v++) {
    if (lowest[v] == v) continue;
    next[v] = next[lowest[v]];
    next[lowest[v]] = v;
  }
  return next;
}

static void corners_normal(const cook_primitive *primitive, const uint32_t *corners, double normal[3]) {
  const float *a = primitive->positions[corners[0]], *b = primitive->positions[corners[1]],
              *c = primitive->positions[corners[2]];
  for (int axis = 0; axis < 3; axis++) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    normal[axis] = ((double)b[y] - (double)a[y]) * ((double)c[z] - (double)a[z]) -
                   ((double)b[z] - (double)a[z]) * ((double)c[y] - (double)a[y]);
  }
}

static uint32_t corners_choose(const cook_primitive *primitive, const uint32_t *next, uint32_t first,
                               const double normal[3]) {
  uint32_t best = first;
  double best_fit = -INFINITY;
  uint32_t v = first;
  do {
    const float *own = primitive->normals[v];
    const double fit = (double)own[0] * normal[0] + (double)own[1] * normal[1] + (double)own[2] * normal[2];
    if (fit > best_fit || (fit == best_fit && v < best)) {
      best = v;
      best_fit = fit;
    }
    v = next[v];
  } while (v != first);
  return best;
}

void lods_corners_part(cook_job *job, const cook_primitive *primitive, const uint32_t *lowest, uint32_t *indices,
                       uint32_t index_count) {
  if (primitive->normals == NULL) return;
  const cook_mark mark = job_mark(job);
  const uint32_t *next = corners_link(job, lowest, primitive->vertex_count);
  for (uint32_t i = 0; i < index_count; i += 3) {
    double normal[3];
    corners_normal(primitive, indices + i, normal);
    for (uint32_t k = i; k < i + 3; k++) indices[k] = corners_choose(primitive, next, indices[k], normal);
  }
  job_release(job, mark);
}
