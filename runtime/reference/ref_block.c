/// ref_block.c: the compressed tracks of a clip in double precision, by SPEC.md's words: decode two samples, slerp or
/// lerp between them.
#include "runtime/reference/ref_block.h"

#include <string.h>

#include "format/anim_block.h"
#include "runtime/reference/ref_math.h"

typedef struct ref_rows {
  const uint8_t *rows[2];
  double fraction;
} ref_rows;

/// Components of one track in one row; bits[c]: where component c starts.
static void ref_unpack(const uint8_t *row, const anim_list *list, uint32_t track, uint32_t components,
                       const uint32_t *bits, double values[4]) {
  double step = (double)anim_step_of(anim_code_of(list->words[track]));
  for (uint32_t c = 0; c < components; ++c) {
    uint32_t component = list->words[(uint64_t)(c + 1) * list->count + track];
    double number = anim_base_of(component);
    number += anim_read_bits(row, bits[c], anim_width_of(component));
    values[c] = number * step;
  }
}

/// Three kept components and the root of what is left become xyzw.
static void ref_add_root(uint32_t dropped, double values[4]) {
  double kept[3] = {values[0], values[1], values[2]};
  double left = 1 - ref_dot3(kept, kept);
  for (uint32_t c = 0, k = 0; c < 4; ++c) values[c] = c == dropped ? sqrt(left > 0 ? left : 0) : kept[k++];
  ref_normalise(values, 4, 0);
}

static void ref_block_slerp(const double a[4], const double b[4], double fraction, double out[4]) {
  double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = cosine < 0 ? -1 : 1;
  double left = 1 - fraction, right = fraction;
  cosine *= sign;
  if (cosine < 1 - 1e-9) {
    double angle = acos(cosine);
    left = sin(left * angle) / sin(angle);
    right = sin(right * angle) / sin(angle);
  }
  for (int i = 0; i < 4; ++i) out[i] = left * a[i] + right * sign * b[i];
  ref_normalise(out, 4, 0);
}

static void ref_put(mpak_ref_pose *pose, uint32_t node, anim_list_kind kind, const double values[4]) {
  switch (kind) {
  case ANIM_CONSTANT_ROTATIONS:
  case ANIM_ROTATIONS:
  case ANIM_FULL_ROTATIONS: memcpy(pose->rotation[node], values, 4 * sizeof *values); break;
  case ANIM_CONSTANT_SCALES:
  case ANIM_SCALES: memcpy(pose->scale[node], values, 3 * sizeof *values); break;
  default: memcpy(pose->translation[node], values, 3 * sizeof *values); break;
  }
}

static void ref_sample_block_track(mpak_ref_pose *pose, const ref_rows *rows, const anim_list *list,
                                   anim_list_kind kind, uint32_t track, const uint32_t *bits, uint32_t node) {
  double values[2][4] = {{0}}, out[4] = {0, 0, 0, 0};
  const uint32_t components = anim_list_components(kind);
  if (node == MPAK_NONE) return;
  for (int side = 0; side < 2; ++side) {
    ref_unpack(rows->rows[side], list, track, components, bits, values[side]);
    if (kind == ANIM_ROTATIONS) ref_add_root(anim_dropped_of(list->words[track]), values[side]);
    if (kind == ANIM_FULL_ROTATIONS) ref_normalise(values[side], 4, 0);
  }
  if (kind == ANIM_ROTATIONS || kind == ANIM_FULL_ROTATIONS) {
    ref_block_slerp(values[0], values[1], rows->fraction, out);
  } else {
    for (int i = 0; i < 3; ++i) out[i] = values[0][i] + (values[1][i] - values[0][i]) * rows->fraction;
  }
  ref_put(pose, node, kind, out);
}

static uint32_t ref_node(const mpak_ref_clip_source *source, uint32_t node) {
  return source->node_of ? source->node_of[node] : node;
}

/// All tracks of a list with fields; returns the bit behind them.
static uint32_t ref_sample_fields(mpak_ref_pose *pose, const mpak_ref_clip_source *source, const ref_rows *rows,
                                  const anim_list *list, anim_list_kind kind, uint32_t bit) {
  const uint32_t components = anim_list_components(kind);
  for (uint32_t first = 0; first < list->count; first += ANIM_GROUP) {
    uint32_t count = list->count - first < ANIM_GROUP ? list->count - first : ANIM_GROUP;
    uint32_t bits[ANIM_GROUP][4];
    for (uint32_t c = 0; c < components; ++c) {
      for (uint32_t k = 0; k < count; ++k) {
        bits[k][c] = bit;
        bit += anim_width_of(list->words[(uint64_t)(c + 1) * list->count + first + k]);
      }
    }
    for (uint32_t k = 0; k < count; ++k) {
      ref_sample_block_track(pose, rows, list, kind, first + k, bits[k],
                             ref_node(source, anim_node_of(list->words[first + k])));
    }
  }
  return bit;
}

static void ref_sample_constants(mpak_ref_pose *pose, const mpak_ref_clip_source *source, const anim_list *list,
                                 anim_list_kind kind) {
  for (uint32_t i = 0; i < list->count; ++i) {
    uint32_t node = ref_node(source, anim_node_of(list->words[i]));
    double values[4] = {0, 0, 0, 0};
    for (uint32_t c = 0; c < 3; ++c) {
      values[c] = (double)bytes_float_of_bits(list->words[(uint64_t)(c + 1) * list->count + i]);
    }
    if (kind == ANIM_CONSTANT_ROTATIONS) ref_add_root(anim_dropped_of(list->words[i]), values);
    if (node != MPAK_NONE) ref_put(pose, node, kind, values);
  }
}

static void ref_sample_rest(mpak_ref_pose *pose, const mpak_ref_clip_source *source, const anim_block *block) {
  for (uint32_t n = 0; n < source->pack->node_count; ++n) {
    const mpak_node *record = &source->pack->nodes[n];
    const uint32_t node = ref_node(source, n);
    if (node == MPAK_NONE || record->flags & MPAK_NODE_MATRIX) continue;
    for (uint32_t path = 0; path < 3; ++path) {
      static const uint8_t starts[3] = {0, 3, 7};
      uint32_t bit = 3 * n + path;
      double values[4];
      if (!(block->rest_bits[bit / 32] >> (bit % 32) & 1u)) continue;
      for (int i = 0; i < (path == MPAK_PATH_ROTATION ? 4 : 3); ++i) values[i] = (double)record->rest[starts[path] + i];
      if (path == MPAK_PATH_ROTATION) ref_normalise(values, 4, 0);
      ref_put(pose, node,
              path == MPAK_PATH_ROTATION ? ANIM_ROTATIONS
              : path == MPAK_PATH_SCALE  ? ANIM_SCALES
                                         : ANIM_TRANSLATIONS,
              values);
    }
  }
}

// -- Weights ---------------------------------------------------------------------------------------------------------

static void ref_set_weight(mpak_ref_pose *pose, const mpak_ref_clip_source *source, uint32_t node, uint32_t control,
                           double weight) {
  uint32_t instance = mpak_find_instance(source->pack, node);
  if (source->instance_of) {
    control = source->control_of[source->first_control[instance] + control];
    instance = source->instance_of[instance];
  }
  if (instance == MPAK_NONE || control == MPAK_NONE) return;
  if (control >= pose->pack->meshes[pose->pack->instances[instance].mesh].control_count) return;
  pose->weights[pose->first_weight[instance] + control] = weight;
}

static void ref_set_default_weights(mpak_ref_pose *pose, const mpak_ref_clip_source *source, uint32_t node) {
  const mpak_pack *pack = source->pack;
  const mpak_instance *record = &pack->instances[mpak_find_instance(pack, node)];
  const mpak_mesh *mesh = &pack->meshes[record->mesh];
  for (uint32_t c = 0; c < mesh->control_count; ++c) {
    float weight = record->first_weight != MPAK_NONE ? pack->instance_weights[record->first_weight + c]
                                                     : pack->controls[mesh->first_control + c].default_weight;
    ref_set_weight(pose, source, node, c, (double)weight);
  }
}

static void ref_sample_block_weights(mpak_ref_pose *pose, const mpak_ref_clip_source *source, const ref_rows *rows,
                                     const anim_block *block, uint32_t bit) {
  const anim_list *tracks = &block->lists[ANIM_WEIGHT_TRACKS], *constants = &block->lists[ANIM_CONSTANT_WEIGHTS];
  const anim_list *animated = &block->lists[ANIM_WEIGHTS];
  for (uint32_t i = 0; i < tracks->count; ++i) ref_set_default_weights(pose, source, tracks->words[i]);
  for (uint32_t i = 0; i < constants->count; ++i) {
    ref_set_weight(pose, source, anim_node_of(constants->words[i]), anim_control_of(constants->words[i]),
                   (double)bytes_float_of_bits(constants->words[constants->count + i]));
  }
  for (uint32_t i = 0; i < animated->count; ++i) {
    uint32_t component = animated->words[animated->count + i], width = anim_width_of(component);
    double step = (double)bytes_float_of_bits(animated->words[2 * (uint64_t)animated->count + i]);
    double left = anim_read_bits(rows->rows[0], bit, width), right = anim_read_bits(rows->rows[1], bit, width);
    double number = anim_base_of(component) + left + (right - left) * rows->fraction;
    ref_set_weight(pose, source, anim_node_of(animated->words[i]), anim_control_of(animated->words[i]), number * step);
    bit += width;
  }
}

void ref_sample_block(mpak_ref_pose *pose, const mpak_ref_clip_source *source, const mpak_clip *clip, double time_s) {
  if (clip->word_count == 0) return;
  const anim_block block = anim_block_of(source->clips->words + clip->first_word, source->pack->node_count);
  const double start_s = (double)clip->start_s, end_s = (double)clip->end_s, last = (double)block.sample_count - 1;
  double at = end_s > start_s ? (time_s - start_s) / (end_s - start_s) * last : 0;
  at = at > 0 ? (at < last ? at : last) : 0;
  const uint64_t row = (uint64_t)at, next = row + 1 < block.sample_count ? row + 1 : row;
  const ref_rows rows = {{block.rows + row * block.row_bytes, block.rows + next * block.row_bytes}, at - (double)row};
  uint32_t bit = 0;
  ref_sample_rest(pose, source, &block);
  for (uint32_t l = ANIM_CONSTANT_ROTATIONS; l <= ANIM_CONSTANT_SCALES; ++l) {
    ref_sample_constants(pose, source, &block.lists[l], l);
  }
  for (uint32_t l = ANIM_ROTATIONS; l <= ANIM_SCALES; ++l) {
    bit = ref_sample_fields(pose, source, &rows, &block.lists[l], l, bit);
  }
  ref_sample_block_weights(pose, source, &rows, &block, bit);
}
