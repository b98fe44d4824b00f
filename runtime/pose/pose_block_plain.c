/// pose_block_plain.c: compressed tracks, eight at a time, without vector instructions of a certain processor.
#include <math.h>

#include "runtime/pose/pose_block.h"
#include "runtime/pose/pose_slerp.h"

/// Eight tracks: by component, then track.
typedef struct plain_group {
  float values[4][ANIM_GROUP];
} plain_group;

/// Numbers of one row as floats. Returns the bit behind the group.
static uint32_t plain_unpack(const uint8_t *row, uint32_t bit, const anim_list *list, uint32_t first, uint32_t count,
                             uint32_t components, plain_group *group) {
  for (uint32_t c = 0; c < components; ++c) {
    const uint32_t *column = list->words + (uint64_t)(c + 1) * list->count + first;
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t width = anim_width_of(column[k]);
      int32_t number = anim_base_of(column[k]) + (int32_t)anim_read_bits(row, bit, width);
      group->values[c][k] = (float)number * anim_step_of(anim_code_of(list->words[first + k]));
      bit += width;
    }
  }
  return bit;
}

static void plain_add_roots(plain_group *group, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    float x = group->values[0][k], y = group->values[1][k], z = group->values[2][k];
    float rest = 1 - (x * x + y * y + z * z);
    group->values[3][k] = sqrtf(rest > 0 ? rest : 0);
  }
}

static void plain_slerp(const anim_slerp *slerp, const plain_group *a, const plain_group *b, uint32_t count,
                        plain_group *out) {
  for (uint32_t k = 0; k < count; ++k) {
    float cosine = (a->values[0][k] * b->values[0][k] + a->values[1][k] * b->values[1][k]) +
                   (a->values[2][k] * b->values[2][k] + a->values[3][k] * b->values[3][k]);
    float sign = cosine < 0 ? -1.0f : 1.0f, size = cosine * sign;
    float right = anim_slerp_fraction(slerp, size), left = 1 - right, square = 0, value[4];
    right = right * sign;
    for (int c = 0; c < 4; ++c) value[c] = left * a->values[c][k] + right * b->values[c][k];
    square = (value[0] * value[0] + value[1] * value[1]) + (value[2] * value[2] + value[3] * value[3]);
    float scale = 1 / sqrtf(square);
    for (int c = 0; c < 4; ++c) out->values[c][k] = value[c] * scale;
  }
}

static void plain_lerp(float fraction, const plain_group *a, const plain_group *b, uint32_t count, plain_group *out) {
  for (int c = 0; c < 3; ++c) {
    for (uint32_t k = 0; k < count; ++k) {
      out->values[c][k] = a->values[c][k] + fraction * (b->values[c][k] - a->values[c][k]);
    }
  }
}

static void plain_store(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t first,
                        uint32_t count, const plain_group *group) {
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t info = list->words[first + k], node = pose_rows_node(rows, anim_node_of(info));
    if (node == MPAK_NONE) continue;
    mpak_transform *local = &rows->locals[node];
    const float kept[4] = {group->values[0][k], group->values[1][k], group->values[2][k], group->values[3][k]};
    if (kind == ANIM_ROTATIONS || kind == ANIM_FULL_ROTATIONS) {
      pose_place_components(kind == ANIM_FULL_ROTATIONS ? 3 : anim_dropped_of(info), kept, kept[3], local->rotation);
    } else {
      memcpy(kind == ANIM_SCALES ? local->scale : local->translation, kept, 3 * sizeof *kept);
    }
  }
}

uint32_t pose_sample_list_plain(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit) {
  const uint32_t components = anim_list_components(kind);
  plain_group a = {{{0}}}, b = {{{0}}}, out = {{{0}}};
  for (uint32_t first = 0; first < list->count; first += ANIM_GROUP) {
    uint32_t count = list->count - first < ANIM_GROUP ? list->count - first : ANIM_GROUP;
    plain_unpack(rows->row, bit, list, first, count, components, &a);
    bit = plain_unpack(rows->next_row, bit, list, first, count, components, &b);
    if (kind == ANIM_ROTATIONS) {
      plain_add_roots(&a, count);
      plain_add_roots(&b, count);
    }
    if (kind == ANIM_ROTATIONS || kind == ANIM_FULL_ROTATIONS) {
      plain_slerp(&rows->slerp, &a, &b, count, &out);
    } else {
      plain_lerp(rows->slerp.fraction, &a, &b, count, &out);
    }
    plain_store(rows, list, kind, first, count, &out);
  }
  return bit;
}

// -- Constants -------------------------------------------------------------------------------------------------------

void pose_place_constant(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t track) {
  const float *columns = (const float *)(const void *)(list->words + list->count);
  const uint32_t info = list->words[track], node = pose_rows_node(rows, anim_node_of(info));
  if (node == MPAK_NONE) return;
  mpak_transform *local = &rows->locals[node];
  const float value[3] = {columns[track], columns[(uint64_t)list->count + track],
                          columns[2 * (uint64_t)list->count + track]};
  if (kind == ANIM_CONSTANT_ROTATIONS) {
    float left = 1 - (value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
    pose_place_components(anim_dropped_of(info), value, sqrtf(left > 0 ? left : 0), local->rotation);
    if (left < 0) pose_normalise_quaternion(local->rotation);
  } else {
    memcpy(kind == ANIM_CONSTANT_SCALES ? local->scale : local->translation, value, sizeof value);
  }
}

void pose_place_constants_plain(const pose_rows *rows, const anim_list *list, anim_list_kind kind) {
  for (uint32_t i = 0; i < list->count; ++i) pose_place_constant(rows, list, kind, i);
}
