// turn.c: which corner of a triangle comes first does not change it, but how well it is coded (format/triangles.h).
#include "cooker/build/build.h"
#include "format/triangles.h"

static void turn_frame(uint32_t *indices, uint32_t index_count) {
  mpak_triangle_state state = {.next = mpak_triangles_first(indices, index_count)};
  for (uint32_t i = 0; i < index_count; i += 3) {
    uint32_t *t = indices + i;
    const uint32_t turn = mpak_triangle_turn(&state, t);
    const uint32_t turned[3] = {t[turn], t[(turn + 1) % 3], t[(turn + 2) % 3]};
    for (int k = 0; k < 3; k++) t[k] = turned[k];
    mpak_triangle_encode(&state, t);
  }
}

void build_turn_triangles(uint32_t *indices, uint32_t index_count) {
  const uint32_t frame_indices = 3 * MPAK_FRAME_TRIANGLES;
  for (uint32_t first = 0; first < index_count; first += frame_indices) {
    const uint32_t left = index_count - first;
    turn_frame(indices + first, left < frame_indices ? left : frame_indices);
    if (left <= frame_indices) return;
  }
}
