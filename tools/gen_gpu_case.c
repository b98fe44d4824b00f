// gen_gpu_case: writes a GLB with one dense morph mesh of sparse targets, for benchmarks of the size of a GPU's work.
//
//   gen_gpu_case OUT.glb [--vertices N] [--targets N] [--active-share X] [--joints N] [--seed N]
//
// The surface is a lumpy torus of N vertices, row by row (N must have a divisor that makes a grid of it). Every target
// moves one disc of it, as large as X of all vertices on average, along one direction; its normals follow exactly. The
// targets are sparse accessors that name the moved vertices only. With joints, each vertex follows four neighbours of a
// ring of them. Another seed is another character of the same size. Prints one line: what the file holds.
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_METRES  0.12 ///< from the torus's centre to the middle of its tube
#define TUBE_METRES  0.07
#define SHARE_MAX    0.6 ///< a larger disc would meet itself around the torus
#define TARGETS_MAX  4096
#define JOINTS_MAX   4096
#define VERTICES_MAX 100000000
#define TURN         6.283185307179586
#define PLAIN_VIEWS  6 ///< positions, normals, joints, weights, inverse binds, indices

typedef struct vec3 {
  double x, y, z;
} vec3;

/// A disc in the plane of both angles, each counted in turns.
typedef struct gen_disc {
  double u, v, radius; ///< centre and radius in turns
  vec3 by;             ///< how far the centre moves, metres
  uint32_t moved_count;
  float low[3], high[3]; ///< of its position deltas
} gen_disc;

typedef struct gen_case {
  uint32_t columns, rows, target_count, joint_count;
  double active_share;
  uint64_t random_state;
  double lump_phase[2];
  gen_disc *discs;
  float low[3], high[3];    ///< of the base positions
  uint64_t binary_bytes[2]; ///< of the plain views, of all
} gen_case;

/// A vertex with both derivatives of its place, from which its normal follows.
typedef struct gen_point {
  vec3 place, along_u, along_v;
} gen_point;

// -- Numbers ----------------------------------------------------------------------------------------------------------

/// The next number in [0, 1): a 64-bit congruential generator, upper bits.
static double random_unit(gen_case *it) {
  it->random_state = it->random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(it->random_state >> 33) / 2147483648.0;
}

static vec3 cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec3 add_scaled(vec3 a, double scale, vec3 b) {
  return (vec3){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static vec3 unit(vec3 a) {
  const double length = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  return (vec3){a.x / length, a.y / length, a.z / length};
}

static void to_floats(vec3 from, float to[3]) { to[0] = (float)from.x, to[1] = (float)from.y, to[2] = (float)from.z; }

/// The short way round, in turns.
static double wrapped(double turns) { return turns - floor(turns + 0.5); }

static void widen(float low[3], float high[3], const float value[3]) {
  for (int c = 0; c < 3; c++) {
    low[c] = fminf(low[c], value[c]);
    high[c] = fmaxf(high[c], value[c]);
  }
}

// -- The surface ------------------------------------------------------------------------------------------------------

static gen_point surface_at(const gen_case *it, uint32_t column, uint32_t row) {
  const double u = TURN * column / it->columns, v = TURN * row / it->rows;
  const double a = 3 * u + it->lump_phase[0], b = 2 * v + it->lump_phase[1], lump = 0.1 * TUBE_METRES;
  const double tube = TUBE_METRES + lump * sin(a) * cos(b);
  const double tube_u = 3 * lump * cos(a) * cos(b), tube_v = -2 * lump * sin(a) * sin(b);
  const double out = RING_METRES + tube * cos(v), out_u = tube_u * cos(v), out_v = tube_v * cos(v) - tube * sin(v);
  return (gen_point){{out * cos(u), out * sin(u), tube * sin(v)},
                     {out_u * cos(u) - out * sin(u), out_u * sin(u) + out * cos(u), tube_u * sin(v)},
                     {out_v * cos(u), out_v * sin(u), tube_v * sin(v) + tube * cos(v)}};
}

static vec3 normal_of(const gen_point *point) { return unit(cross(point->along_u, point->along_v)); }

/// The point as the disc moves it by height * disc->by, where height = (1 - q)^2 and q is the square of the distance
/// from the centre in radii. False outside.
static bool disc_move(const gen_case *it, const gen_disc *disc, uint32_t column, uint32_t row, gen_point *point) {
  const double du = wrapped((double)column / it->columns - disc->u), dv = wrapped((double)row / it->rows - disc->v);
  const double square = disc->radius * disc->radius, rest = 1 - (du * du + dv * dv) / square;
  if (rest <= 0) return false;
  const double slope = -4 * rest / square / TURN; // height's derivative by an angle is slope times the distance
  point->place = add_scaled(point->place, rest * rest, disc->by);
  point->along_u = add_scaled(point->along_u, slope * du, disc->by);
  point->along_v = add_scaled(point->along_v, slope * dv, disc->by);
  return true;
}

// -- Targets ----------------------------------------------------------------------------------------------------------

/// Two neighbours share one random number with opposite signs, so that an even number of discs keeps the mean exactly.
static void discs_choose(gen_case *it) {
  double spread = 0;
  for (uint32_t t = 0; t < it->target_count; t++) {
    gen_disc *disc = &it->discs[t];
    spread = t % 2 == 0 ? 0.3 * random_unit(it) : -spread;
    disc->radius = sqrt(it->active_share * (1 + spread) / (TURN / 2));
    disc->u = random_unit(it);
    disc->v = random_unit(it);
    const vec3 way = {random_unit(it) - 0.5, random_unit(it) - 0.5, random_unit(it) - 0.5};
    disc->by = add_scaled((vec3){0, 0, 0}, 0.01 + 0.01 * random_unit(it), unit(way));
  }
}

/// Calls visit for each vertex that the disc moves, in ascending order.
static void disc_walk(const gen_case *it, gen_disc *disc, void (*visit)(gen_disc *, uint32_t, const float[3], void *),
                      bool with_normals, void *user) {
  for (uint32_t row = 0; row < it->rows; row++) {
    if (fabs(wrapped((double)row / it->rows - disc->v)) >= disc->radius) continue;
    for (uint32_t column = 0; column < it->columns; column++) {
      if (fabs(wrapped((double)column / it->columns - disc->u)) >= disc->radius) continue;
      const gen_point base = surface_at(it, column, row);
      gen_point moved = base;
      if (!disc_move(it, disc, column, row, &moved)) continue;
      float delta[3];
      to_floats(with_normals ? add_scaled(normal_of(&moved), -1, normal_of(&base))
                             : add_scaled(moved.place, -1, base.place),
                delta);
      visit(disc, row * it->columns + column, delta, user);
    }
  }
}

static void visit_measure(gen_disc *disc, uint32_t vertex, const float delta[3], void *user) {
  (void)vertex, (void)user;
  if (disc->moved_count++ == 0) memcpy(disc->low, delta, 12), memcpy(disc->high, delta, 12);
  widen(disc->low, disc->high, delta);
}

static void visit_write_index(gen_disc *disc, uint32_t vertex, const float delta[3], void *user) {
  (void)disc, (void)delta;
  fwrite(&vertex, 4, 1, user);
}

static void visit_write_delta(gen_disc *disc, uint32_t vertex, const float delta[3], void *user) {
  (void)disc, (void)vertex;
  fwrite(delta, 4, 3, user);
}

static void case_measure(gen_case *it) {
  to_floats(surface_at(it, 0, 0).place, it->low);
  memcpy(it->high, it->low, sizeof it->high);
  for (uint32_t row = 0; row < it->rows; row++) {
    for (uint32_t column = 0; column < it->columns; column++) {
      float place[3];
      to_floats(surface_at(it, column, row).place, place);
      widen(it->low, it->high, place);
    }
  }
  for (uint32_t t = 0; t < it->target_count; t++) disc_walk(it, &it->discs[t], visit_measure, false, NULL);
}

// -- JSON -------------------------------------------------------------------------------------------------------------

static void json_bounds(FILE *json, const float low[3], const float high[3]) {
  fprintf(json, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0], (double)low[1], (double)low[2],
          (double)high[0], (double)high[1], (double)high[2]);
}

/// Bytes of the views that every case has; none where there are no joints.
static void plain_views(const gen_case *it, uint64_t bytes[PLAIN_VIEWS]) {
  const uint64_t vertices = (uint64_t)it->columns * it->rows;
  bytes[0] = bytes[1] = vertices * 12;
  bytes[2] = it->joint_count != 0 ? vertices * 8 : 0;
  bytes[3] = it->joint_count != 0 ? vertices * 16 : 0;
  bytes[4] = (uint64_t)it->joint_count * 64;
  bytes[5] = vertices * 24;
}

/// Three views a target: which vertices, position deltas, normal deltas. Numbers of views and accessors are the same
/// with and without joints; what is not there has no accessor that anyone names, and a view of 4 bytes.
static void json_views(gen_case *it, FILE *json) {
  uint64_t bytes[PLAIN_VIEWS], at = 0;
  plain_views(it, bytes);
  fprintf(json, ",\"bufferViews\":[");
  for (uint32_t i = 0; i < PLAIN_VIEWS; i++) {
    if (bytes[i] == 0) bytes[i] = 4;
    fprintf(json, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", i != 0 ? "," : "", (unsigned long long)at,
            (unsigned long long)bytes[i]);
    at += bytes[i];
  }
  it->binary_bytes[0] = at;
  for (uint32_t t = 0; t < it->target_count; t++) {
    const uint64_t count = it->discs[t].moved_count;
    for (int part = 0; part < 3; part++) {
      const uint64_t length = count * (part == 0 ? 4 : 12);
      fprintf(json, ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", (unsigned long long)at,
              (unsigned long long)length);
      at += length;
    }
  }
  it->binary_bytes[1] = at;
  fprintf(json, "],\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)at);
}

static void json_accessors(const gen_case *it, FILE *json) {
  const uint32_t count = it->columns * it->rows;
  fprintf(json, ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"", count);
  json_bounds(json, it->low, it->high);
  fprintf(json, "},{\"bufferView\":1,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}", count);
  fprintf(json, ",{\"bufferView\":5,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}", count * 6);
  for (uint32_t t = 0; t < it->target_count; t++) {
    const gen_disc *disc = &it->discs[t];
    for (uint32_t part = 1; part < 3; part++) {
      fprintf(json, ",{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"", count);
      const float zero[3] = {0, 0, 0};
      float low[3], high[3];
      memcpy(low, disc->low, sizeof low), memcpy(high, disc->high, sizeof high);
      widen(low, high, zero); // vertices at rest count, too
      if (part == 1) json_bounds(json, low, high);
      fprintf(json,
              ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,\"componentType\":5125},"
              "\"values\":{\"bufferView\":%u}}}",
              disc->moved_count, PLAIN_VIEWS + 3 * t, PLAIN_VIEWS + 3 * t + part);
    }
  }
  if (it->joint_count != 0) {
    fprintf(json, ",{\"bufferView\":2,\"componentType\":5123,\"count\":%u,\"type\":\"VEC4\"}", count);
    fprintf(json, ",{\"bufferView\":3,\"componentType\":5126,\"count\":%u,\"type\":\"VEC4\"}", count);
    fprintf(json, ",{\"bufferView\":4,\"componentType\":5126,\"count\":%u,\"type\":\"MAT4\"}", it->joint_count);
  }
  fprintf(json, "]");
}

/// Joint j stands in the middle of the tube, at j turns of the joint count.
static void joint_place(const gen_case *it, uint32_t joint, float place[2]) {
  place[0] = (float)(RING_METRES * cos(TURN * joint / it->joint_count));
  place[1] = (float)(RING_METRES * sin(TURN * joint / it->joint_count));
}

static void json_nodes(const gen_case *it, FILE *json) {
  const uint32_t joints = it->joint_count;
  const bool skinned = joints != 0;
  fprintf(json, "\"scenes\":[{\"nodes\":[0%s]}],\"nodes\":[{\"name\":\"Body\",\"mesh\":0%s}", skinned ? ",1" : "",
          skinned ? ",\"skin\":0" : "");
  if (skinned) fprintf(json, ",{\"name\":\"Root\",\"children\":[");
  for (uint32_t j = 0; j < joints; j++) fprintf(json, "%s%u", j != 0 ? "," : "", j + 2);
  if (skinned) fprintf(json, "]}");
  for (uint32_t j = 0; j < joints; j++) {
    float place[2];
    joint_place(it, j, place);
    fprintf(json, ",{\"name\":\"joint_%03u\",\"translation\":[%.9g,%.9g,0]}", j, (double)place[0], (double)place[1]);
  }
  fprintf(json, "]");
  if (!skinned) return;
  fprintf(json, ",\"skins\":[{\"name\":\"Ring\",\"inverseBindMatrices\":%u,\"joints\":[", 5 + 2 * it->target_count);
  for (uint32_t j = 0; j < joints; j++) fprintf(json, "%s%u", j != 0 ? "," : "", j + 2);
  fprintf(json, "]}]");
}

static void json_mesh(const gen_case *it, FILE *json) {
  const uint32_t after_targets = 3 + 2 * it->target_count;
  fprintf(json, ",\"meshes\":[{\"name\":\"Body\",\"extras\":{\"targetNames\":[");
  for (uint32_t t = 0; t < it->target_count; t++) fprintf(json, "%s\"shape_%03u\"", t != 0 ? "," : "", t);
  fprintf(json, "]},\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1");
  if (it->joint_count != 0) fprintf(json, ",\"JOINTS_0\":%u,\"WEIGHTS_0\":%u", after_targets, after_targets + 1);
  fprintf(json, "},\"indices\":2");
  for (uint32_t t = 0; t < it->target_count; t++)
    fprintf(json, "%s{\"POSITION\":%u,\"NORMAL\":%u}", t == 0 ? ",\"targets\":[" : ",", 3 + 2 * t, 4 + 2 * t);
  fprintf(json, "%s}]}]", it->target_count != 0 ? "]" : "");
}

/// The whole document, padded to a multiple of 4. The caller frees it.
static char *json_text(gen_case *it, size_t *byte_count) {
  char *text = NULL;
  FILE *json = open_memstream(&text, byte_count);
  if (json == NULL) return NULL;
  fprintf(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"gen_gpu_case\"},\"scene\":0,");
  json_nodes(it, json);
  json_mesh(it, json);
  json_accessors(it, json);
  json_views(it, json);
  while (ftell(json) % 4 != 0) fputc(' ', json);
  return fclose(json) == 0 ? text : NULL;
}

// -- Bytes ------------------------------------------------------------------------------------------------------------

static void write_u32(FILE *file, uint32_t value) { fwrite(&value, 4, 1, file); }

/// Positions or normals.
static void write_base(const gen_case *it, FILE *file, bool normals) {
  for (uint32_t row = 0; row < it->rows; row++) {
    for (uint32_t column = 0; column < it->columns; column++) {
      const gen_point point = surface_at(it, column, row);
      float value[3];
      to_floats(normals ? normal_of(&point) : point.place, value);
      fwrite(value, 4, 3, file);
    }
  }
}

/// A vertex between joints j and j + 1 follows j - 1 to j + 2 by the uniform cubic B-spline, whose weights add to 1.
static void vertex_influences(const gen_case *it, uint32_t column, uint16_t joints[4], float weights[4]) {
  const double at = (double)column * it->joint_count / it->columns, t = at - floor(at);
  for (uint32_t k = 0; k < 4; k++) joints[k] = (uint16_t)(((uint32_t)at + it->joint_count + k - 1) % it->joint_count);
  weights[0] = (float)((1 - t) * (1 - t) * (1 - t) / 6);
  weights[1] = (float)((3 * t * t * t - 6 * t * t + 4) / 6);
  weights[2] = (float)((-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6);
  weights[3] = (float)(t * t * t / 6);
}

static void write_influences(const gen_case *it, FILE *file, bool weights) {
  for (uint32_t row = 0; row < it->rows; row++) {
    for (uint32_t column = 0; column < it->columns; column++) {
      uint16_t joints[4];
      float weight[4];
      vertex_influences(it, column, joints, weight);
      fwrite(weights ? (const void *)weight : joints, weights ? sizeof weight : sizeof joints, 1, file);
    }
  }
}

static void write_skin(const gen_case *it, FILE *file) {
  if (it->joint_count == 0) {
    for (int view = 2; view < 5; view++) write_u32(file, 0);
    return;
  }
  write_influences(it, file, false);
  write_influences(it, file, true);
  for (uint32_t j = 0; j < it->joint_count; j++) {
    float matrix[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1}, place[2];
    joint_place(it, j, place);
    matrix[12] = -place[0];
    matrix[13] = -place[1];
    fwrite(matrix, sizeof matrix, 1, file);
  }
}

static void write_indices(const gen_case *it, FILE *file) {
  for (uint32_t row = 0; row < it->rows; row++) {
    for (uint32_t column = 0; column < it->columns; column++) {
      const uint32_t next_column = (column + 1) % it->columns, next_row = (row + 1) % it->rows;
      const uint32_t a = row * it->columns + column, b = row * it->columns + next_column,
                     c = next_row * it->columns + column, d = next_row * it->columns + next_column;
      const uint32_t corners[6] = {a, b, d, a, d, c};
      fwrite(corners, 4, 6, file);
    }
  }
}

static bool write_glb(gen_case *it, FILE *file, uint64_t *file_bytes) {
  size_t json_bytes;
  char *json = json_text(it, &json_bytes);
  if (json == NULL) return false;
  *file_bytes = 12 + 8 + json_bytes + 8 + it->binary_bytes[1];
  if (*file_bytes > UINT32_MAX) fprintf(stderr, "gen_gpu_case: a GLB holds 4 GiB\n");
  if (*file_bytes > UINT32_MAX) return free(json), false;
  const uint32_t head[5] = {0x46546C67u, 2, (uint32_t)*file_bytes, (uint32_t)json_bytes, 0x4E4F534Au};
  fwrite(head, sizeof head, 1, file);
  fwrite(json, 1, json_bytes, file);
  free(json);
  write_u32(file, (uint32_t)it->binary_bytes[1]);
  write_u32(file, 0x004E4942u);
  write_base(it, file, false);
  write_base(it, file, true);
  write_skin(it, file);
  write_indices(it, file);
  for (uint32_t t = 0; t < it->target_count; t++) {
    disc_walk(it, &it->discs[t], visit_write_index, false, file);
    disc_walk(it, &it->discs[t], visit_write_delta, false, file);
    disc_walk(it, &it->discs[t], visit_write_delta, true, file);
  }
  return ferror(file) == 0;
}

// -- The command line -------------------------------------------------------------------------------------------------

/// The most square grid of exactly this many vertices; false when no grid of at least 3 rows has them.
static bool choose_grid(gen_case *it, uint32_t vertex_count) {
  uint32_t rows = (uint32_t)sqrt((double)vertex_count);
  while (rows > 2 && vertex_count % rows != 0) rows--;
  it->rows = rows;
  it->columns = rows > 0 ? vertex_count / rows : 0;
  return rows > 2;
}

/// A number from low to high; leaves the program for anything else.
static double read_number(const char *name, const char *text, double low, double high) {
  char *end;
  errno = 0;
  const double value = text != NULL ? strtod(text, &end) : -1;
  if (text != NULL && end != text && *end == 0 && errno == 0 && value >= low && value <= high) return value;
  fprintf(stderr, "gen_gpu_case: %s needs a number from %g to %g\n", name, low, high);
  exit(2);
}

static void read_arguments(gen_case *it, int argc, char **argv) {
  uint32_t vertex_count = 24000;
  for (int i = 2; i < argc; i += 2) {
    const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(name, "--vertices") == 0)
      vertex_count = (uint32_t)read_number(name, text, 9, VERTICES_MAX);
    else if (strcmp(name, "--targets") == 0)
      it->target_count = (uint32_t)read_number(name, text, 0, TARGETS_MAX);
    else if (strcmp(name, "--active-share") == 0)
      it->active_share = read_number(name, text, 0, SHARE_MAX);
    else if (strcmp(name, "--joints") == 0)
      it->joint_count = (uint32_t)read_number(name, text, 0, JOINTS_MAX);
    else if (strcmp(name, "--seed") == 0)
      it->random_state = (uint64_t)read_number(name, text, 0, UINT32_MAX);
    else
      fprintf(stderr, "gen_gpu_case: there is no option %s\n", name), exit(2);
  }
  if (!choose_grid(it, vertex_count)) fprintf(stderr, "gen_gpu_case: no grid has %u vertices\n", vertex_count), exit(2);
  if (it->joint_count > 0 && it->joint_count < 4) fprintf(stderr, "gen_gpu_case: at least 4 joints\n"), exit(2);
}

int main(int argc, char **argv) {
  if (argc < 2 || argv[1][0] == '-') {
    fprintf(stderr,
            "usage: gen_gpu_case OUT.glb [--vertices N] [--targets N] [--active-share X] [--joints N] [--seed N]\n");
    return 2;
  }
  gen_case it = {.target_count = 52, .active_share = 0.25, .random_state = 1};
  read_arguments(&it, argc, argv);
  for (int i = 0; i < 4; i++) random_unit(&it); // neighbouring seeds part
  for (int i = 0; i < 2; i++) it.lump_phase[i] = TURN * random_unit(&it);
  it.discs = calloc(it.target_count + 1, sizeof *it.discs);
  FILE *file = it.discs != NULL ? fopen(argv[1], "wb") : NULL;
  if (file == NULL) return 3;
  discs_choose(&it);
  case_measure(&it);
  uint64_t deltas = 0, bytes = 0;
  for (uint32_t t = 0; t < it.target_count; t++) deltas += it.discs[t].moved_count;
  const bool is_written = write_glb(&it, file, &bytes);
  free(it.discs);
  if (fclose(file) != 0 || !is_written) return 3;
  printf("vertices %u targets %u deltas %llu joints %u bytes %llu\n", it.columns * it.rows, it.target_count,
         (unsigned long long)deltas, it.joint_count, (unsigned long long)bytes);
  return 0;
}
