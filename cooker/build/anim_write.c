// anim_write.c: a compressed clip as words (format/anim_block.h).
#include <math.h>
#include <string.h>

#include "cooker/build/anim.h"

#define WRITE_LEAST_COMPONENT 1e-12 ///< of a constant rotation: squares of less are denormal floats, which are slow

typedef struct write_run {
  const anim_clip *clip;
  uint32_t *words;
  uint32_t counts[ANIM_LIST_COUNT];
  uint32_t *lists[ANIM_LIST_COUNT]; ///< first word
  uint32_t next[ANIM_LIST_COUNT];   ///< tracks written so far
  const anim_track **field_tracks[ANIM_LIST_COUNT];
  uint32_t *field_controls; ///< of ANIM_WEIGHTS
} write_run;

static anim_list_kind write_list_of(const anim_track *track) {
  const bool is_constant = track->form == ANIM_FORM_CONSTANT;
  switch (track->source->path) {
  case MPAK_PATH_TRANSLATION: return is_constant ? ANIM_CONSTANT_TRANSLATIONS : ANIM_TRANSLATIONS;
  case MPAK_PATH_SCALE: return is_constant ? ANIM_CONSTANT_SCALES : ANIM_SCALES;
  case MPAK_PATH_ROTATION: break;
  default: return ANIM_WEIGHT_TRACKS;
  }
  if (is_constant) return ANIM_CONSTANT_ROTATIONS;
  return track->is_full_rotation ? ANIM_FULL_ROTATIONS : ANIM_ROTATIONS;
}

static float write_default_weight(const cook_scene *scene, uint32_t node, uint32_t control) {
  const cook_node *record = &scene->nodes[node];
  const cook_mesh *mesh = &scene->meshes[record->mesh];
  if (record->weights != NULL) return record->weights[control];
  return mesh->has_default_weights && mesh->default_weights != NULL ? mesh->default_weights[control] : 0;
}

/// ANIM_WEIGHTS, ANIM_CONSTANT_WEIGHTS, or ANIM_LIST_COUNT for a weight at its default.
static uint32_t write_list_of_weight(const write_run *run, const anim_track *track, uint32_t control) {
  if (track->weight_steps[control] > 0) return ANIM_WEIGHTS;
  const float weight = write_default_weight(run->clip->skeleton->scene, track->source->node, control);
  return track->constant_weights[control] == weight ? ANIM_LIST_COUNT : ANIM_CONSTANT_WEIGHTS;
}

static void write_count(write_run *run) {
  for (uint32_t t = 0; t < run->clip->track_count; t++) {
    const anim_track *track = &run->clip->tracks[t];
    if (track->form == ANIM_FORM_KEYS || track->form == ANIM_FORM_REST) continue;
    const anim_list_kind list = write_list_of(track);
    run->counts[list]++;
    for (uint32_t c = 0; list == ANIM_WEIGHT_TRACKS && c < track->source->width; c++) {
      const uint32_t single = write_list_of_weight(run, track, c);
      if (single < ANIM_LIST_COUNT) run->counts[single]++;
    }
  }
}

static void write_put(write_run *run, uint32_t list, uint32_t column, uint32_t word) {
  run->lists[list][(uint64_t)column * run->counts[list] + run->next[list]] = word;
}

static uint32_t write_component(int64_t low, int64_t high) {
  uint32_t width = 0;
  while (((uint64_t)(high - low) >> width) != 0) width++;
  return (uint32_t)(int32_t)low << 5 | width;
}

/// The number of a value on a step.
static int64_t write_number(float value, double step) { return (int64_t)floor((double)value / step + 0.5); }

/// The component of a rotation that stored component k is.
static uint32_t write_kept(const anim_track *track, uint32_t k) {
  if (track->source->path != MPAK_PATH_ROTATION || track->is_full_rotation) return k;
  return k < track->dropped ? k : k + 1;
}

static void write_samples(write_run *run, const anim_track *track, anim_list_kind list) {
  const uint32_t dropped = list == ANIM_ROTATIONS ? track->dropped : 0;
  const double step = (double)anim_step_of(track->code);
  write_put(run, list, 0, track->source->node | dropped << 16 | track->code << 22);
  run->field_tracks[list][run->next[list]] = track;
  for (uint32_t k = 0; k < anim_list_components(list); k++) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint32_t i = 0; i < run->clip->sample_count; i++) {
      const int64_t number = write_number(track->samples[i][write_kept(track, k)], step);
      if (number < low) low = number;
      if (number > high) high = number;
    }
    write_put(run, list, k + 1, write_component(low, high));
  }
}

static void write_constant(write_run *run, const anim_track *track, anim_list_kind list) {
  uint32_t dropped = 0;
  double sign = 1;
  if (list == ANIM_CONSTANT_ROTATIONS) {
    for (uint32_t c = 1; c < 4; c++)
      if (fabs(track->constant[c]) > fabs(track->constant[dropped])) dropped = c;
    if (track->constant[dropped] < 0) sign = -1;
  }
  write_put(run, list, 0, track->source->node | dropped << 16);
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t c = list == ANIM_CONSTANT_ROTATIONS && k >= dropped ? k + 1 : k;
    double value = sign * track->constant[c];
    if (list == ANIM_CONSTANT_ROTATIONS && fabs(value) < WRITE_LEAST_COMPONENT) value = 0;
    write_put(run, list, k + 1, bytes_bits_of_float((float)value));
  }
}

static void write_weights(write_run *run, const anim_track *track) {
  const uint32_t node = track->source->node;
  write_put(run, ANIM_WEIGHT_TRACKS, 0, node);
  for (uint32_t c = 0; c < track->source->width; c++) {
    const uint32_t list = write_list_of_weight(run, track, c);
    if (list == ANIM_LIST_COUNT) continue;
    write_put(run, list, 0, node | c << 16);
    if (list == ANIM_CONSTANT_WEIGHTS) {
      write_put(run, list, 1, bytes_bits_of_float(track->constant_weights[c]));
    } else {
      const float *samples = track->weight_samples + (uint64_t)c * run->clip->sample_count;
      int64_t low = INT64_MAX, high = INT64_MIN;
      for (uint32_t i = 0; i < run->clip->sample_count; i++) {
        const int64_t number = write_number(samples[i], (double)track->weight_steps[c]);
        if (number < low) low = number;
        if (number > high) high = number;
      }
      write_put(run, list, 1, write_component(low, high));
      write_put(run, list, 2, bytes_bits_of_float(track->weight_steps[c]));
      run->field_tracks[list][run->next[list]] = track;
      run->field_controls[run->next[list]] = c;
    }
    run->next[list]++;
  }
}

static void write_lists(write_run *run) {
  uint32_t *rest_bits = run->words + ANIM_HEADER_WORDS;
  for (uint32_t t = 0; t < run->clip->track_count; t++) {
    const anim_track *track = &run->clip->tracks[t];
    const uint32_t bit = 3 * track->source->node + (uint32_t)track->source->path;
    if (track->form == ANIM_FORM_KEYS) continue;
    if (track->form == ANIM_FORM_REST) {
      rest_bits[bit / 32] |= 1u << bit % 32;
      continue;
    }
    const anim_list_kind list = write_list_of(track);
    if (list == ANIM_WEIGHT_TRACKS)
      write_weights(run, track);
    else if (track->form == ANIM_FORM_CONSTANT)
      write_constant(run, track, list);
    else
      write_samples(run, track, list);
    run->next[list]++;
  }
}

/// The number of a field in a row.
static uint32_t write_field_number(const write_run *run, const anim_field *field, uint32_t row) {
  const anim_track *track = run->field_tracks[field->list][field->track];
  float value;
  double step;
  if (field->list == ANIM_WEIGHTS) {
    const uint32_t control = run->field_controls[field->track];
    value = track->weight_samples[(uint64_t)control * run->clip->sample_count + row];
    step = (double)track->weight_steps[control];
  } else {
    value = track->samples[row][write_kept(track, field->column - 1)];
    step = (double)anim_step_of(track->code);
  }
  return (uint32_t)(write_number(value, step) - anim_base_of(field->component));
}

static void write_rows(const write_run *run, uint8_t *rows) {
  const anim_block block = anim_block_of(run->words, run->clip->skeleton->node_count);
  anim_field field = {0};
  while (anim_field_next(&block, &field)) {
    if (anim_width_of(field.component) == 0) continue;
    uint8_t *at = rows + (field.bit >> 3);
    for (uint32_t i = 0; i < block.sample_count; i++, at += block.row_bytes) {
      const uint32_t number = write_field_number(run, &field, i);
      bytes_store_u32(at, bytes_load_u32(at) | number << (field.bit & 7));
    }
  }
}

static void write_header(const write_run *run, uint32_t *header) {
  header[0] = run->clip->sample_count;
  for (uint32_t l = 0; l < ANIM_LIST_COUNT; l++) {
    if (l < 8)
      header[2 + l / 2] |= run->counts[l] << (l % 2 * 16);
    else
      header[l - 2] = run->counts[l];
  }
}

static uint32_t write_row_bytes(const uint32_t *words, uint32_t node_count) {
  const anim_block block = anim_block_of(words, node_count);
  anim_field field = {0};
  while (anim_field_next(&block, &field)) continue;
  return (field.bit + 7) / 8;
}

void anim_write_block(const anim_clip *clip, cook_clip_block *block) {
  const uint32_t node_count = clip->skeleton->node_count;
  write_run run = {.clip = clip};
  uint32_t header[ANIM_HEADER_WORDS] = {0};
  write_count(&run);
  write_header(&run, header);
  const uint64_t table_words = anim_table_words(header, node_count);
  run.words = JOB_ARRAY(clip->job, uint32_t, table_words);
  memcpy(run.words, header, sizeof header);
  const anim_block layout = anim_block_of(run.words, node_count);
  for (uint32_t l = 0; l < ANIM_LIST_COUNT; l++) {
    run.lists[l] = run.words + (layout.lists[l].words - run.words);
    run.field_tracks[l] = JOB_ARRAY(clip->job, const anim_track *, run.counts[l]);
  }
  run.field_controls = JOB_ARRAY(clip->job, uint32_t, run.counts[ANIM_WEIGHTS]);
  write_lists(&run);
  run.words[1] = write_row_bytes(run.words, node_count);
  const uint64_t row_words = anim_row_words(run.words);
  block->word_count = (uint32_t)(table_words + row_words);
  block->words = JOB_ARRAY(clip->job, uint32_t, block->word_count);
  memcpy(block->words, run.words, (size_t)table_words * sizeof *run.words);
  run.words = block->words;
  write_rows(&run, (uint8_t *)(block->words + table_words));
}
