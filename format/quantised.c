#include "format/quantised.h"

#include <stddef.h>
#include <string.h>

const mpak_quantisation *mpak_quantisation_find(const mpak_quantisation *records, uint32_t count, uint32_t part,
                                                uint32_t stream) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const mpak_quantisation *record = &records[middle];
    if (record->part < part || (record->part == part && record->stream < stream))
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && records[low].part == part && records[low].stream == stream ? &records[low] : NULL;
}

void mpak_quantised_vertex_value(const mpak_quantised_vertex *vertex, const mpak_quantisation *position,
                                 const mpak_quantisation *normal, const mpak_quantisation *tangent,
                                 mpak_base_vertex *out) {
  const mpak_quantised_vertex in = *vertex; // out may lie over it
  memset(out, 0, sizeof *out);
  for (int i = 0; i < 3; i++)
    out->position[i] = mpak_grid_value(position->origin[i], position->step[i], in.position[i]);
  out->position[3] = 1;
  if (in.normal[0] != MPAK_NO_NORMAL) mpak_octahedral_value(in.normal[0], in.normal[1], normal->step[0], out->normal);
  if (tangent == NULL) return;
  mpak_tangent_value(out->normal, (uint32_t)in.tangent >> 1, (uint32_t)tangent->step[0], out->tangent);
  out->tangent[3] = in.tangent & 1 ? -1.0f : 1.0f;
}

int32_t mpak_quantised_direction(float step, bool is_tangent) {
  for (uint32_t bits = is_tangent ? 6 : 8; bits <= (is_tangent ? 15u : 16u); bits++) {
    const int32_t number = is_tangent ? (int32_t)(1u << bits) : mpak_octahedral_largest(bits);
    if (step == (float)number) return number;
  }
  return 0;
}
