#include "cooker/import/fbx_extrapolation.h"

#include <math.h>

// -- Reading ----------------------------------------------------------------------------------------------------------

/// The letter of a Type: a bare word in text, a byte in binary files.
static char type_letter(fbx_value value) {
  if (value.kind == FBX_VALUE_TEXT && value.byte_count == 1) return (char)value.bytes[0];
  if (value.kind == FBX_VALUE_INTEGER && value.number > 0 && value.number < 128) return (char)value.number;
  return 'C';
}

static fbx_beyond_mode mode_of(char letter) {
  switch (letter) {
  case 'R': return FBX_BEYOND_REPEAT;
  case 'M': return FBX_BEYOND_MIRROR;
  case 'A': return FBX_BEYOND_REPEAT_ON;
  case 'K': return FBX_BEYOND_SLOPE;
  default: return FBX_BEYOND_HOLD;
  }
}

static fbx_beyond read_beyond(const fbx_facts *facts, uint32_t object, const char *name) {
  fbx_beyond beyond = {.count = (double)INFINITY};
  const fbx_records *records = facts->records;
  const uint32_t record = fbx_child(records, facts->objects[object].record, name, FBX_NONE);
  if (record == FBX_NONE) return beyond;
  const uint32_t type = fbx_child(records, record, "Type", FBX_NONE);
  const uint32_t count = fbx_child(records, record, "Repetition", FBX_NONE);
  if (type != FBX_NONE) beyond.mode = mode_of(type_letter(fbx_value_at(records, type, 0)));
  const fbx_value number = fbx_value_at(records, count, 0); // none where there is no such record
  if (number.kind == FBX_VALUE_INTEGER && number.number >= 0) beyond.count = number.number;
  return beyond;
}

static double way_seconds(const fbx_key *key) { return (key[1].ticks - key->ticks) / FBX_TICKS_PER_SECOND; }

static double line_slope(const fbx_key *key) {
  return key[1].ticks > key->ticks ? (key[1].value - key->value) / way_seconds(key) : 0.0;
}

/// The slope with which the first way begins.
static double first_slope(const fbx_curve *curve) {
  const fbx_key *key = &curve->keys[0];
  if (key->way == FBX_WAY_CUBIC) return key->right_slope;
  return key->way == FBX_WAY_LINEAR && curve->key_count > 1 ? line_slope(key) : 0.0;
}

/// The slope that a cubic last key states for what follows; else the one with which the last way ends.
static double last_slope(const fbx_curve *curve) {
  const fbx_key *last = &curve->keys[curve->key_count - 1];
  if (last->way == FBX_WAY_CUBIC) return last->right_slope;
  if (last->way != FBX_WAY_LINEAR || curve->key_count < 2) return 0.0;
  if (last[-1].way == FBX_WAY_CUBIC) return last[-1].next_left_slope;
  return last[-1].way == FBX_WAY_LINEAR ? line_slope(last - 1) : 0.0;
}

void fbx_extrapolation_read(const fbx_facts *facts, uint32_t object, fbx_curve *curve) {
  if (curve->key_count == 0) return;
  curve->before = read_beyond(facts, object, "Pre-Extrapolation");
  curve->after = read_beyond(facts, object, "Post-Extrapolation");
  curve->before.slope = first_slope(curve);
  curve->after.slope = last_slope(curve);
}

// -- Places -----------------------------------------------------------------------------------------------------------

/// Which repeat a time is in, counted from the keys outwards, and how far from where that one begins.
typedef struct repeat_at {
  double number;
  double ticks;
} repeat_at;

/// distance: from the keys. At the border of two repeats is_outer says which one.
static repeat_at find_repeat(double distance, double length, double count, bool is_outer) {
  repeat_at at = {.number = floor(distance / length)};
  at.ticks = distance - at.number * length;
  if (at.ticks <= 0.0 && !is_outer && at.number > 0.0) at = (repeat_at){at.number - 1.0, length};
  if (at.number >= count) at = (repeat_at){count - 1.0, length};
  return at;
}

static fbx_place place_in_repeat(const fbx_curve *curve, const fbx_beyond *beyond, repeat_at at, bool is_behind,
                                 bool is_before) {
  const fbx_key *first = &curve->keys[0], *last = &curve->keys[curve->key_count - 1];
  const bool is_mirrored = beyond->mode == FBX_BEYOND_MIRROR && fmod(at.number, 2.0) == 0.0;
  const bool is_from_first = is_behind != is_mirrored;
  fbx_place place = {is_from_first ? first->ticks + at.ticks : last->ticks - at.ticks, is_before != is_mirrored, 0.0};
  if (beyond->mode == FBX_BEYOND_REPEAT_ON)
    place.offset = (is_behind ? 1.0 : -1.0) * (at.number + 1.0) * (last->value - first->value);
  return place;
}

fbx_place fbx_extrapolation_place(const fbx_curve *curve, double ticks, bool is_before) {
  const fbx_place own = {ticks, is_before, 0.0};
  const fbx_key *first = &curve->keys[0], *last = &curve->keys[curve->key_count - 1];
  const bool is_ahead = ticks < first->ticks || (ticks == first->ticks && is_before);
  const bool is_behind = ticks > last->ticks + 1.0 || (ticks == last->ticks + 1.0 && !is_before);
  const fbx_beyond *beyond = is_behind ? &curve->after : &curve->before;
  if ((!is_ahead && !is_behind) || beyond->mode == FBX_BEYOND_HOLD) return own;
  const double distance = is_behind ? ticks - last->ticks : first->ticks - ticks;
  if (beyond->mode == FBX_BEYOND_SLOPE) {
    const double rise = beyond->slope * distance / FBX_TICKS_PER_SECOND;
    return (fbx_place){is_behind ? last->ticks : first->ticks, false, is_behind ? rise : -rise};
  }
  const double length = last->ticks - first->ticks;
  if (!(length > 0.0) || beyond->count <= 0.0) return own;
  const repeat_at at = find_repeat(distance, length, beyond->count, is_behind != is_before);
  return place_in_repeat(curve, beyond, at, is_behind, is_before);
}

// -- Corners ----------------------------------------------------------------------------------------------------------

/// Times, growing; ticks NULL only counts.
typedef struct place_list {
  double from, to;
  double *ticks;
  uint32_t count;
} place_list;

static void list_time(place_list *list, double ticks) {
  if (!(ticks >= list->from && ticks <= list->to)) return;
  if (list->ticks != NULL) list->ticks[list->count] = ticks;
  list->count++;
}

/// The keys of all repeats on one side, up to the border of what is wanted.
static void list_repeats(const fbx_curve *curve, const fbx_beyond *beyond, bool is_behind, place_list *list) {
  const double first = curve->keys[0].ticks, last = curve->keys[curve->key_count - 1].ticks, length = last - first;
  const double distance = is_behind ? list->to - last : first - list->from;
  if (!(length > 0.0) || !(distance > 0.0)) return;
  double repeats = ceil(distance / length);
  if (repeats > beyond->count) repeats = beyond->count;
  if (repeats > floor((double)FBX_REPEATED_KEYS_MAX / curve->key_count))
    repeats = floor((double)FBX_REPEATED_KEYS_MAX / curve->key_count);
  for (uint32_t i = 0; i < (uint32_t)repeats; i++) {
    const bool is_mirrored = beyond->mode == FBX_BEYOND_MIRROR && i % 2 == 0;
    const double n = (double)i;
    for (uint32_t k = 0; k < curve->key_count; k++) {
      const double ticks = curve->keys[k].ticks;
      const double along = is_behind != is_mirrored ? ticks - first : last - ticks;
      list_time(list, is_behind ? last + n * length + along : first - n * length - along);
    }
  }
}

uint32_t fbx_extrapolation_corners(const fbx_curve *curve, double from, double to, double *ticks) {
  place_list list = {from, to, ticks, 0};
  for (int side = 0; side < 2 && curve->key_count != 0; side++) {
    const fbx_beyond *beyond = side == 0 ? &curve->before : &curve->after;
    if (beyond->mode == FBX_BEYOND_HOLD) continue;
    list_time(&list, side == 0 ? from : to);
    if (side == 1) list_time(&list, curve->keys[curve->key_count - 1].ticks + 1.0);
    if (beyond->mode != FBX_BEYOND_SLOPE) list_repeats(curve, beyond, side == 1, &list);
  }
  return list.count;
}
