#include "cooker/import/fbx_curve.h"

#include <math.h>

#include "cooker/import/fbx_extrapolation.h"
#include "format/bytes.h"

// Bits of KeyAttrFlags, as Autodesk's SDK names them.
#define KEY_CONSTANT         0x2u
#define KEY_LINEAR           0x4u
#define KEY_CUBIC            0x8u
#define KEY_CONSTANT_NEXT    0x100u ///< of a constant key
#define KEY_TCB              0x200u ///< of a cubic key: tension, continuity and bias instead of slopes
#define KEY_USER             0x400u ///< the slopes are stated
#define KEY_CLAMP            0x1000u
#define KEY_TIME_INDEPENDENT 0x2000u
#define KEY_PROGRESSIVE      0x4000u ///< an automatic slope does not overshoot its neighbours
#define KEY_WEIGHTED_RIGHT   0x1000000u
#define KEY_WEIGHTED_LEFT    0x2000000u
#define KEY_VELOCITY         0x30000000u ///< of the right, or of the next key's left

#define WEIGHT_UNITS   10000.0 ///< weights are stored as whole numbers
#define WEIGHT_PLAIN   (1.0 / 3.0)
#define VERSION_PACKED 7200u ///< text: from here on the floats of KeyAttrDataFloat stand as their bits
#define HALVINGS       60    ///< of the way along a Bezier curve

// -- Reading ----------------------------------------------------------------------------------------------------------

/// The arrays of a curve. Attributes are stored once for a run of keys that share them.
typedef struct curve_arrays {
  uint32_t time_count, value_count, flag_count, data_count, run_count;
  const double *times, *values, *flags, *data, *runs;
  bool are_bits; ///< data is integers that are the bits of floats
} curve_arrays;

/// What a key's attributes say.
typedef struct key_attributes {
  uint32_t flags;
  double data[2];   ///< slopes, or tension and continuity
  double bias;      ///< TCB: the third number
  uint32_t weights; ///< two whole numbers
} key_attributes;

static uint32_t float_bits(const curve_arrays *arrays, uint64_t index) {
  if (arrays->are_bits) return (uint32_t)(int64_t)arrays->data[index];
  return bytes_bits_of_float((float)arrays->data[index]);
}

static double float_value(const curve_arrays *arrays, uint64_t index) {
  return arrays->are_bits ? (double)bytes_float_of_bits(float_bits(arrays, index)) : arrays->data[index];
}

static key_attributes attributes_of(const curve_arrays *arrays, uint32_t run) {
  key_attributes attributes = {.flags = (uint32_t)(int64_t)arrays->flags[run]};
  const uint64_t first = 4ull * run;
  if (first + 4 > arrays->data_count) return attributes;
  for (uint64_t i = 0; i < 2; i++) attributes.data[i] = float_value(arrays, first + i);
  attributes.bias = float_value(arrays, first + 2);
  attributes.weights = float_bits(arrays, first + 2);
  return attributes;
}

/// The whole numbers of a curve must be ones that fit.
static bool are_whole(const double *numbers, uint32_t count, double low, double high) {
  for (uint32_t i = 0; i < count; i++)
    if (!(numbers[i] >= low && numbers[i] <= high)) return false;
  return true;
}

static bool read_arrays(const fbx_facts *facts, uint32_t object, curve_arrays *arrays) {
  arrays->times = fbx_child_array(facts, object, "KeyTime", &arrays->time_count);
  arrays->values = fbx_child_array(facts, object, "KeyValueFloat", &arrays->value_count);
  arrays->flags = fbx_child_array(facts, object, "KeyAttrFlags", &arrays->flag_count);
  arrays->data = fbx_child_array(facts, object, "KeyAttrDataFloat", &arrays->data_count);
  arrays->runs = fbx_child_array(facts, object, "KeyAttrRefCount", &arrays->run_count);
  arrays->are_bits = facts->records->is_text && facts->records->version >= VERSION_PACKED;
  if (arrays->time_count != arrays->value_count || arrays->flag_count != arrays->run_count) return false;
  for (uint32_t k = 0; k < arrays->time_count; k++) {
    if (!isfinite(arrays->times[k]) || !isfinite(arrays->values[k])) return false;
    if (k > 0 && arrays->times[k] < arrays->times[k - 1]) return false;
  }
  return are_whole(arrays->flags, arrays->flag_count, INT32_MIN, UINT32_MAX) &&
         are_whole(arrays->runs, arrays->run_count, 0, UINT32_MAX) &&
         (!arrays->are_bits || are_whole(arrays->data, arrays->data_count, INT32_MIN, UINT32_MAX));
}

// -- Slopes -----------------------------------------------------------------------------------------------------------

/// A key between two others, for the rules that make its slopes of them.
typedef struct key_corner {
  double before_s, after_s;         ///< how long the ways to it and from it take
  double before_value, after_value; ///< how far the value goes on them
  double before_weight, after_weight;
} key_corner;

/// The largest slope at which a tangent of that weight stays within the values of its way.
static double largest_slope(double change, double seconds, double weight, double sign) {
  const double largest = sign * change / (weight * seconds);
  return largest > 0.0 ? largest : 0.0; // also when it is no number
}

/// The slope of an automatic key: along the line between its neighbours, or a mean of the two ways' slopes, the
/// shorter way counting more.
static double automatic_slope(const key_corner *corner, uint32_t flags) {
  if ((flags & KEY_CLAMP) != 0 && (corner->before_value == 0.0 || corner->after_value == 0.0)) return 0.0;
  const double span_s = corner->before_s + corner->after_s;
  double slope = (corner->before_value + corner->after_value) / span_s;
  if ((flags & KEY_TIME_INDEPENDENT) == 0) {
    const double along = corner->before_s / span_s;
    slope = (1.0 - along) * (corner->before_value / corner->before_s) + along * (corner->after_value / corner->after_s);
  }
  if ((flags & KEY_PROGRESSIVE) == 0) return slope;
  const double sign = slope < 0.0 ? -1.0 : 1.0;
  double size = sign * slope;
  const double before = largest_slope(corner->before_value, corner->before_s, corner->before_weight, sign);
  const double after = largest_slope(corner->after_value, corner->after_s, corner->after_weight, sign);
  if (size > before) size = before;
  if (size > after) size = after;
  return sign * size;
}

/// Kochanek and Bartels: slopes of tension, continuity and bias.
static void tcb_slopes(const key_corner *corner, const key_attributes *attributes, double *left, double *right) {
  const double before = corner->before_value / corner->before_s, after = corner->after_value / corner->after_s;
  const double t = attributes->data[0], c = attributes->data[1], b = attributes->bias;
  *left = 0.5 * ((1 - t) * (1 + b) * (1 - c) * before + (1 - t) * (1 - b) * (1 + c) * after);
  *right = 0.5 * ((1 - t) * (1 + b) * (1 + c) * before + (1 - t) * (1 - b) * (1 - c) * after);
}

static bool is_cubic(uint32_t flags) { return (flags & (KEY_CUBIC | KEY_CONSTANT)) == KEY_CUBIC; }

/// The slopes on both sides of a cubic key that does not state them. Those of an end are 0.
static void fit_slopes(const fbx_curve *curve, uint32_t k, const key_attributes *attributes) {
  if (!is_cubic(attributes->flags) || (attributes->flags & KEY_USER) != 0) return;
  double left = 0.0, right = 0.0;
  fbx_key *key = &curve->keys[k];
  if (k > 0 && k + 1 < curve->key_count && key[-1].ticks < key->ticks && key->ticks < key[1].ticks) {
    const key_corner corner = {(key->ticks - key[-1].ticks) / FBX_TICKS_PER_SECOND,
                               (key[1].ticks - key->ticks) / FBX_TICKS_PER_SECOND,
                               key->value - key[-1].value,
                               key[1].value - key->value,
                               key[-1].next_left_weight,
                               key->right_weight};
    if ((attributes->flags & KEY_TCB) != 0)
      tcb_slopes(&corner, attributes, &left, &right);
    else
      left = right = automatic_slope(&corner, attributes->flags);
  }
  key->right_slope = right;
  if (k > 0) key[-1].next_left_slope = left;
}

static fbx_way way_of(uint32_t flags) {
  if ((flags & KEY_CONSTANT) != 0) return (flags & KEY_CONSTANT_NEXT) != 0 ? FBX_WAY_CONSTANT_NEXT : FBX_WAY_CONSTANT;
  return (flags & KEY_CUBIC) != 0 ? FBX_WAY_CUBIC : FBX_WAY_LINEAR;
}

static void fill_key(fbx_key *key, const key_attributes *attributes) {
  key->way = way_of(attributes->flags);
  key->right_weight = key->next_left_weight = WEIGHT_PLAIN;
  if (key->way != FBX_WAY_CUBIC) return;
  if ((attributes->flags & KEY_TCB) == 0) {
    if ((attributes->flags & KEY_WEIGHTED_RIGHT) != 0)
      key->right_weight = (attributes->weights & 0xFFFFu) / WEIGHT_UNITS;
    if ((attributes->flags & KEY_WEIGHTED_LEFT) != 0)
      key->next_left_weight = (attributes->weights >> 16) / WEIGHT_UNITS;
  }
  if ((attributes->flags & KEY_USER) == 0) return;
  key->right_slope = attributes->data[0];
  key->next_left_slope = attributes->data[1];
}

/// Does the key say more than is known how to follow?
static bool is_guessed(const key_attributes *attributes) {
  const uint32_t flags = attributes->flags;
  if (!is_cubic(flags)) return false;
  const bool is_automatic = (flags & (KEY_USER | KEY_TCB)) == 0;
  return (flags & KEY_VELOCITY) != 0 || (is_automatic && (attributes->data[0] != 0.0 || attributes->data[1] != 0.0));
}

static bool is_sound(const fbx_key *key) {
  return isfinite(key->right_slope) && isfinite(key->next_left_slope) && key->right_weight <= 1.0 &&
         key->next_left_weight <= 1.0;
}

bool fbx_curve_read(const fbx_facts *facts, uint32_t object, fbx_curve *curve) {
  *curve = (fbx_curve){0};
  curve_arrays arrays;
  if (!read_arrays(facts, object, &arrays)) return false;
  curve->keys = JOB_ARRAY(facts->records->job, fbx_key, arrays.time_count);
  key_attributes *attributes = JOB_ARRAY(facts->records->job, key_attributes, arrays.time_count);
  double run_end = arrays.run_count == 0 ? 0.0 : arrays.runs[0];
  for (uint32_t k = 0, run = 0; k < arrays.time_count; k++) {
    while (run < arrays.run_count && run_end <= (double)k)
      if (++run < arrays.run_count) run_end += arrays.runs[run];
    if (run >= arrays.run_count) return false;
    attributes[k] = attributes_of(&arrays, run);
    curve->keys[k] = (fbx_key){.ticks = arrays.times[k], .value = arrays.values[k]};
    fill_key(&curve->keys[k], &attributes[k]);
    curve->is_guessed = curve->is_guessed || is_guessed(&attributes[k]);
  }
  curve->key_count = arrays.time_count;
  for (uint32_t k = 0; k < curve->key_count; k++) fit_slopes(curve, k, &attributes[k]);
  for (uint32_t k = 0; k < curve->key_count; k++)
    if (!is_sound(&curve->keys[k])) return false;
  fbx_extrapolation_read(facts, object, curve);
  return true;
}

// -- Between keys -----------------------------------------------------------------------------------------------------

/// A cubic Bezier curve from 0 to 1 with these inner points.
static double bezier(double first, double second, double t) {
  const double u = 1.0 - t;
  return 3.0 * u * u * t * first + 3.0 * u * t * t * second + t * t * t;
}

/// Where a Bezier curve reaches x: by halving, since it ascends (its inner points lie within 0 and 1).
static double bezier_parameter(double first, double second, double x) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = (low + high) / 2;
    if (bezier(first, second, middle) <= x)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static double cubic_at(const fbx_key *key, double along) {
  const double seconds = (key[1].ticks - key->ticks) / FBX_TICKS_PER_SECOND;
  const bool is_plain = key->right_weight == WEIGHT_PLAIN && key->next_left_weight == WEIGHT_PLAIN;
  const double t = is_plain ? along : bezier_parameter(key->right_weight, 1.0 - key->next_left_weight, along);
  const double u = 1.0 - t;
  const double first = key->value + key->right_slope * key->right_weight * seconds;
  const double second = key[1].value - key->next_left_slope * key->next_left_weight * seconds;
  return u * u * u * key->value + 3.0 * u * u * t * first + 3.0 * u * t * t * second + t * t * t * key[1].value;
}

/// The last key at or before a time; with is_before, the last one before it. key_count when there is none.
static uint32_t key_at(const fbx_curve *curve, double ticks, bool is_before) {
  uint32_t low = 0, high = curve->key_count; // the first key behind the time
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_before ? curve->keys[middle].ticks < ticks : curve->keys[middle].ticks <= ticks)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? curve->key_count : low - 1;
}

static double value_among_keys(const fbx_curve *curve, double ticks, bool is_before) {
  const uint32_t k = key_at(curve, ticks, is_before);
  if (k == curve->key_count) return curve->keys[0].value;
  const fbx_key *key = &curve->keys[k];
  if (k + 1 == curve->key_count) return key->value;
  const double along = (ticks - key->ticks) / (key[1].ticks - key->ticks);
  switch (key->way) {
  case FBX_WAY_CONSTANT: return key->value;
  case FBX_WAY_CONSTANT_NEXT: return key[1].value;
  case FBX_WAY_LINEAR: return key->value + along * (key[1].value - key->value);
  default: return along >= 1.0 ? key[1].value : along <= 0.0 ? key->value : cubic_at(key, along);
  }
}

double fbx_curve_at(const fbx_curve *curve, double ticks, bool is_before) {
  if (curve->key_count == 0) return 0.0;
  const fbx_place place = fbx_extrapolation_place(curve, ticks, is_before);
  return value_among_keys(curve, place.ticks, place.is_before) + place.offset;
}

/// Does the way from a key hold one value up to the next key?
static bool is_level(const fbx_key *key) {
  return key->value == key[1].value &&
         (key->way != FBX_WAY_CUBIC || (key->right_slope == 0.0 && key->next_left_slope == 0.0));
}

bool fbx_curve_is_straight(const fbx_curve *curve) {
  for (uint32_t k = 0; k + 1 < curve->key_count; k++)
    if (curve->keys[k].way == FBX_WAY_CUBIC && !is_level(&curve->keys[k])) return false;
  return true;
}

bool fbx_curve_is_constant(const fbx_curve *curve) {
  for (uint32_t k = 0; k + 1 < curve->key_count; k++)
    if (!is_level(&curve->keys[k])) return false;
  return (curve->before.mode != FBX_BEYOND_SLOPE || curve->before.slope == 0.0) &&
         (curve->after.mode != FBX_BEYOND_SLOPE || curve->after.slope == 0.0);
}
