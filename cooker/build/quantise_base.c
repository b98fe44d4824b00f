// quantise_base.c: see quantise_base.h. Every value is replaced by that of the nearest number of its grid, as the
// runtime will compute it (format/quantised.h), so that the packer finds the number again and nothing more is lost.
#include "cooker/build/quantise_base.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "format/quantised.h"

static void quantise_note_vector(cook_error *error, const float *before, const float *after, int count) {
  for (int i = 0; i < count; i++) cook_error_add(error, (double)after[i] - (double)before[i]);
}

// -- Grids of numbers from an origin ----------------------------------------------------------------------------------

static uint32_t grid_nearest(float value, float origin, float step, uint32_t largest) {
  if (!(step > 0)) return 0;
  const double number = floor(((double)value - (double)origin) / (double)step + 0.5);
  return number <= 0 ? 0 : number >= (double)largest ? largest : (uint32_t)number;
}

uint32_t quantise_grid_number(float value, float origin, float step) {
  const uint32_t nearest = grid_nearest(value, origin, step, 65535);
  if (mpak_grid_value(origin, step, nearest) == value) return nearest;
  if (nearest > 0 && mpak_grid_value(origin, step, nearest - 1) == value) return nearest - 1;
  return nearest < 65535 ? nearest + 1 : nearest;
}

static void grid_snap(float *value, float origin, float step, uint32_t largest, cook_error *error) {
  const float snapped = mpak_grid_value(origin, step, grid_nearest(*value, origin, step, largest));
  cook_error_add(error, (double)snapped - (double)*value);
  *value = snapped;
}

/// The step that lays largest + 1 numbers over a range.
static float grid_step(double range, uint32_t largest) {
  float step = (float)(range / largest);
  if ((double)step * largest < range) step = nextafterf(step, FLT_MAX); // the last number reaches the end
  return step;
}

// -- Positions --------------------------------------------------------------------------------------------------------

/// In floats, as the grid is.
static float positions_size(const cook_mesh *mesh, float origin[3]) {
  float max[3], size = 0;
  build_mesh_box(mesh, origin, max);
  for (int axis = 0; axis < 3; axis++)
    if (max[axis] - origin[axis] > size) size = max[axis] - origin[axis];
  return size;
}

static void quantise_positions(cook_primitive *primitive, const float origin[3], float step, uint32_t largest) {
  cook_error *error = &primitive->errors[MPAK_STREAM_POSITION];
  memcpy(primitive->grid.position_origin, origin, sizeof primitive->grid.position_origin);
  primitive->grid.position_step = step;
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    for (int axis = 0; axis < 3; axis++) grid_snap(&primitive->positions[v][axis], origin[axis], step, largest, error);
}

// -- Normals ----------------------------------------------------------------------------------------------------------

static double octahedral_distance(const double normal[3], int32_t a, int32_t b, int32_t largest) {
  float value[3];
  double sum = 0;
  mpak_octahedral_value(a, b, largest, value);
  for (int i = 0; i < 3; i++) sum += (normal[i] - (double)value[i]) * (normal[i] - (double)value[i]);
  return sum;
}

/// Where a direction stands on the square: numbers that are not whole yet.
static void octahedral_place(const double normal[3], uint32_t largest, double place[2]) {
  const double sum = fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]);
  double x = normal[0] / sum, y = normal[1] / sum;
  if (normal[2] < 0) {
    const double folded_x = (1 - fabs(y)) * (x < 0 ? -1 : 1), folded_y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
    x = folded_x;
    y = folded_y;
  }
  place[0] = x * largest;
  place[1] = y * largest;
}

/// The best of the numbers around the place, the first of equals; reach 0: the four corners, 1: sixteen.
static void octahedral_nearest(const double normal[3], uint32_t bits, int reach, int16_t numbers[2]) {
  const int32_t largest = mpak_octahedral_largest(bits);
  double place[2], least = INFINITY;
  octahedral_place(normal, (uint32_t)largest, place);
  for (int i = -reach; i <= 1 + reach; i++) {
    for (int k = -reach; k <= 1 + reach; k++) {
      const int32_t a = (int32_t)floor(place[0]) + i, b = (int32_t)floor(place[1]) + k;
      if (a < -largest || a > largest || b < -largest || b > largest) continue;
      const double distance = octahedral_distance(normal, a, b, largest);
      if (!(distance < least)) continue;
      least = distance;
      numbers[0] = (int16_t)a;
      numbers[1] = (int16_t)b;
    }
  }
}

static bool normal_is_absent(const float normal[3]) { return normal[0] == 0 && normal[1] == 0 && normal[2] == 0; }

void quantise_octahedral_numbers(const float normal[3], uint32_t bits, int16_t numbers[2]) {
  numbers[0] = MPAK_NO_NORMAL;
  numbers[1] = 0;
  if (normal_is_absent(normal)) return;
  const double wanted[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
  octahedral_nearest(wanted, bits, 1, numbers);
}

static void quantise_normals(cook_primitive *primitive, uint32_t bits) {
  primitive->grid.normal_bits = bits;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    float *normal = primitive->normals[v], snapped[3] = {0, 0, 0};
    double wanted[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
    const double length = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    if (length > 0) {
      int16_t numbers[2] = {0, 0};
      for (int i = 0; i < 3; i++) wanted[i] /= length;
      octahedral_nearest(wanted, bits, 0, numbers);
      mpak_octahedral_value(numbers[0], numbers[1], mpak_octahedral_largest(bits), snapped);
    }
    quantise_note_vector(&primitive->errors[MPAK_STREAM_NORMAL], normal, snapped, 3);
    memcpy(normal, snapped, sizeof snapped);
  }
}

// -- Tangents ---------------------------------------------------------------------------------------------------------

static double tangent_distance(const float normal[3], const float tangent[3], uint32_t number, uint32_t bits) {
  float value[3];
  double sum = 0;
  mpak_tangent_value(normal, number, 1u << bits, value);
  for (int i = 0; i < 3; i++) sum += ((double)tangent[i] - (double)value[i]) * ((double)tangent[i] - (double)value[i]);
  return sum;
}

uint32_t quantise_tangent_number(const float normal[3], const float tangent[3], uint32_t bits) {
  const uint32_t count = 1u << bits;
  float first[3], second[3];
  double c = 0, s = 0, least = INFINITY;
  uint32_t best = 0;
  mpak_tangent_frame(normal, first, second);
  for (int i = 0; i < 3; i++) {
    c += (double)first[i] * (double)tangent[i];
    s += (double)second[i] * (double)tangent[i];
  }
  const double sum = fabs(c) + fabs(s);
  if (!(sum > 0)) return 0;
  const double place = c >= 0 ? s / sum : 2 - s / sum;
  const uint32_t below = (uint32_t)floor((place + 1) * count / 4) + count;
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t number = (below + i - 1) % count;
    const double distance = tangent_distance(normal, tangent, number, bits);
    if (!(distance < least)) continue;
    least = distance;
    best = number;
  }
  return best;
}

static void quantise_tangents(cook_primitive *primitive, uint32_t bits) {
  primitive->grid.tangent_bits = bits;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    float *tangent = primitive->tangents[v], snapped[3];
    const uint32_t number = quantise_tangent_number(primitive->normals[v], tangent, bits);
    mpak_tangent_value(primitive->normals[v], number, 1u << bits, snapped);
    quantise_note_vector(&primitive->errors[MPAK_STREAM_TANGENT], tangent, snapped, 3);
    memcpy(tangent, snapped, sizeof snapped);
  }
}

// -- Texture coordinates ----------------------------------------------------------------------------------------------

/// As many numbers over the range of the set as keep the step at 1 / 2^bits, from 2^bits on and up to 2^16.
static void quantise_texcoords(cook_primitive *primitive, uint32_t slot, uint32_t bits) {
  float(*texcoords)[2] = primitive->texcoords[slot];
  for (int axis = 0; axis < 2; axis++) {
    float low = FLT_MAX, high = -FLT_MAX;
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
      if (texcoords[v][axis] < low) low = texcoords[v][axis];
      if (texcoords[v][axis] > high) high = texcoords[v][axis];
    }
    const double range = low <= high ? (double)high - (double)low : 0;
    uint32_t most = bits;
    while (most < 16 && range > (double)(1u << (most - bits))) most++;
    const uint32_t largest = (1u << most) - 1;
    primitive->grid.texcoord_origin[slot][axis] = low <= high ? low : 0;
    primitive->grid.texcoord_step[slot][axis] = range > 0 ? grid_step(range, largest) : 1;
    for (uint32_t v = 0; v < primitive->vertex_count; v++)
      grid_snap(&texcoords[v][axis], primitive->grid.texcoord_origin[slot][axis],
                primitive->grid.texcoord_step[slot][axis], largest, &primitive->errors[MPAK_STREAM_TEXCOORD]);
  }
}

// -- Weights ----------------------------------------------------------------------------------------------------------

/// Whole numbers of one vertex that sum to the largest number; what rounding left goes to the first of the largest.
/// With fewer bits than 16 in a grid of 16, all others end in zeros, which cost nothing when packed.
static void weights_round(const float *weights, uint32_t count, uint32_t bits, uint32_t *numbers) {
  const uint32_t one = bits == 8 ? 255 : 65535, unit = bits == 8 ? 1 : 1u << (16 - bits);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    numbers[i] = (uint32_t)floor((double)weights[i] * one / unit + 0.5) * unit;
    if (numbers[i] > one) numbers[i] = one;
    sum += numbers[i];
  }
  while (sum - numbers[0] > one) { // many small ones were rounded up: the last of them goes
    uint32_t last = count - 1;
    while (numbers[last] == 0) last--;
    sum -= numbers[last];
    numbers[last] = 0;
  }
  numbers[0] = one - (sum - numbers[0]);
}

/// Falling again: the first one may have become smaller than its followers.
static void weights_sort(uint32_t *numbers, uint16_t *joints, uint32_t count) {
  for (uint32_t i = 0; i + 1 < count && numbers[i] < numbers[i + 1]; i++) {
    const uint32_t number = numbers[i];
    const uint16_t joint = joints[i];
    numbers[i] = numbers[i + 1];
    joints[i] = joints[i + 1];
    numbers[i + 1] = number;
    joints[i + 1] = joint;
  }
}

static void quantise_weights(cook_primitive *primitive, uint32_t bits) {
  const uint32_t count = primitive->influence_count;
  const float one = bits == 8 ? 255.0f : 65535.0f;
  primitive->grid.weight_bits = bits == 8 ? 8 : 16;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    float *weights = primitive->weights + (uint64_t)v * count;
    uint16_t *joints = primitive->joints + (uint64_t)v * count;
    uint32_t numbers[MPAK_MAX_INFLUENCES] = {0};
    weights_round(weights, count, bits, numbers);
    for (uint32_t i = 0; i < count; i++) {
      const double difference = (double)numbers[i] / (double)one - (double)weights[i];
      cook_error_add(&primitive->errors[MPAK_STREAM_WEIGHT], difference);
    }
    weights_sort(numbers, joints, count);
    for (uint32_t i = 0; i < count; i++) {
      weights[i] = (float)numbers[i] / one;
      if (numbers[i] == 0) joints[i] = 0;
    }
  }
}

// -- All --------------------------------------------------------------------------------------------------------------

static void quantise_primitive(cook_primitive *primitive, const cook_precision *precision) {
  if (primitive->normals != NULL) quantise_normals(primitive, precision->normal_bits);
  if (primitive->tangents != NULL) quantise_tangents(primitive, precision->tangent_bits);
  for (uint32_t slot = 0; slot < 4; slot++)
    if (primitive->texcoords[slot] != NULL) quantise_texcoords(primitive, slot, precision->texcoord_bits);
  if (primitive->influence_count != 0) quantise_weights(primitive, precision->weight_bits);
}

void quantise_base(cook_job *job, cook_mesh *mesh, const cook_precision *precision) {
  (void)job;
  if (precision->position_bits == 0) return; // floats
  float origin[3];
  const uint32_t largest = (1u << precision->position_bits) - 1;
  const float size = positions_size(mesh, origin), step = grid_step((double)size, largest);
  if (!(step > FLT_MIN * 65536)) return; // a point, or next to one: floats are as small
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    quantise_positions(&mesh->primitives[p], origin, step, largest);
    quantise_primitive(&mesh->primitives[p], precision);
  }
}
