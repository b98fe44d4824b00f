// gen_face: writes a GLB with one dense morph mesh, for benchmarks and tests of size.
//
//   gen_face OUT.glb [SIDE [TARGETS]]     SIDE * SIDE vertices (default 245: 60,025) and TARGETS targets (default 52)
//
// The surface is a bulged grid; every target lifts a smooth cap of its own centre, radius and direction, so that
// roughly three vertices in ten move. Every target stores dense POSITION and NORMAL deltas, as DCC exporters do. Same
// bytes each run.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vec3 {
  float x, y, z;
} vec3;

static uint32_t random_state = 12345;

/// The next number in [0, 1).
static float random_unit(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (float)(random_state >> 8) / 16777216.0f;
}

static vec3 base_point(uint32_t i, uint32_t j, uint32_t side) {
  const float u = (float)i / (float)(side - 1) * 2 - 1, v = (float)j / (float)(side - 1) * 2 - 1;
  const vec3 p = {u * 0.1f, v * 0.12f, 0.08f * (1 - u * u) * (1 - v * v)};
  return p;
}

/// Unit normals of a grid by central differences.
static void grid_normals(const vec3 *points, uint32_t side, vec3 *normals) {
  for (uint32_t j = 0; j < side; j++) {
    for (uint32_t i = 0; i < side; i++) {
      const uint32_t left = i > 0 ? i - 1 : i, right = i + 1 < side ? i + 1 : i;
      const uint32_t low = j > 0 ? j - 1 : j, high = j + 1 < side ? j + 1 : j;
      const vec3 a = points[j * side + left], b = points[j * side + right], c = points[low * side + i],
                 d = points[high * side + i];
      const vec3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {d.x - c.x, d.y - c.y, d.z - c.z};
      const vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
      const float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
      normals[j * side + i] = (vec3){n.x / length, n.y / length, n.z / length};
    }
  }
}

/// Moves a cap of the surface; deltas become target minus base.
static void target_deltas(const vec3 *points, const vec3 *normals, uint32_t side, vec3 *moved, vec3 *deltas) {
  const uint32_t count = side * side;
  const vec3 centre = points[(uint32_t)(random_unit() * (float)count)];
  const float radius = 0.05f + 0.06f * random_unit();
  const vec3 by = {0.02f * (random_unit() - 0.5f), 0.02f * (random_unit() - 0.5f), 0.02f * (random_unit() - 0.5f)};
  for (uint32_t v = 0; v < count; v++) {
    const vec3 p = points[v];
    const float x = p.x - centre.x, y = p.y - centre.y, z = p.z - centre.z;
    const float t = 1 - sqrtf(x * x + y * y + z * z) / radius;
    const float w = t > 0 ? t * t * (3 - 2 * t) : 0;
    moved[v] = (vec3){p.x + w * by.x, p.y + w * by.y, p.z + w * by.z};
    deltas[v] = (vec3){moved[v].x - p.x, moved[v].y - p.y, moved[v].z - p.z};
  }
  grid_normals(moved, side, deltas + count);
  for (uint32_t v = 0; v < count; v++) {
    vec3 *d = &deltas[count + v];
    const vec3 n = normals[v];
    *d = (vec3){d->x - n.x, d->y - n.y, d->z - n.z};
  }
}

/// A growing JSON text.
static char json[1 << 20];
static size_t json_length;
#define JSON(...) json_length += (size_t)snprintf(json + json_length, sizeof json - json_length, __VA_ARGS__)

static void write_json(uint32_t side, uint32_t target_count) {
  const uint32_t vertices = side * side, indices = (side - 1) * (side - 1) * 6;
  const size_t stream = (size_t)vertices * 12;
  JSON("{\"asset\":{\"version\":\"2.0\",\"generator\":\"gen_face\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],");
  JSON("\"nodes\":[{\"name\":\"Face\",\"mesh\":0}],\"meshes\":[{\"name\":\"Face\",\"extras\":{\"targetNames\":[");
  for (uint32_t t = 0; t < target_count; t++) JSON("%s\"shape_%02u\"", t ? "," : "", t);
  JSON("]},\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2,\"targets\":[");
  for (uint32_t t = 0; t < target_count; t++)
    JSON("%s{\"POSITION\":%u,\"NORMAL\":%u}", t ? "," : "", 3 + 2 * t, 4 + 2 * t);
  JSON("]}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",", vertices);
  JSON("\"min\":[-0.1,-0.12,0],\"max\":[0.1,0.12,0.08]},");
  JSON("{\"bufferView\":1,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},", vertices);
  JSON("{\"bufferView\":2,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}", indices);
  for (uint32_t t = 0; t < target_count * 2; t++)
    JSON(",{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}", 3 + t, vertices);
  JSON("],\"bufferViews\":[");
  size_t at = 0;
  for (uint32_t view = 0; view < 3 + target_count * 2; view++) {
    const size_t bytes = view == 2 ? (size_t)indices * 4 : stream;
    JSON("%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", view ? "," : "", at, bytes);
    at += bytes;
  }
  JSON("],\"buffers\":[{\"byteLength\":%zu}]}", at);
  while (json_length % 4 != 0) JSON(" ");
}

static void write_u32(FILE *file, uint32_t value) { fwrite(&value, 4, 1, file); }

static void write_indices(FILE *file, uint32_t side) {
  for (uint32_t j = 0; j + 1 < side; j++) {
    for (uint32_t i = 0; i + 1 < side; i++) {
      const uint32_t a = j * side + i, corners[6] = {a, a + 1, a + side, a + 1, a + side + 1, a + side};
      fwrite(corners, 4, 6, file);
    }
  }
}

static void write_glb(FILE *file, uint32_t side, uint32_t target_count) {
  const uint32_t count = side * side;
  vec3 *points = malloc(count * sizeof(vec3) * 5);
  if (points == NULL) exit(6);
  vec3 *normals = points + count, *moved = points + 2 * count, *deltas = points + 3 * count;
  for (uint32_t v = 0; v < count; v++) points[v] = base_point(v % side, v / side, side);
  grid_normals(points, side, normals);
  write_json(side, target_count);
  const uint32_t binary = count * 24 + (side - 1) * (side - 1) * 24 + target_count * count * 24;
  write_u32(file, 0x46546C67u);
  write_u32(file, 2);
  write_u32(file, (uint32_t)(12 + 8 + json_length + 8 + binary));
  write_u32(file, (uint32_t)json_length);
  write_u32(file, 0x4E4F534Au);
  fwrite(json, 1, json_length, file);
  write_u32(file, binary);
  write_u32(file, 0x004E4942u);
  fwrite(points, sizeof(vec3), count, file);
  fwrite(normals, sizeof(vec3), count, file);
  write_indices(file, side);
  for (uint32_t t = 0; t < target_count; t++) {
    target_deltas(points, normals, side, moved, deltas);
    fwrite(deltas, sizeof(vec3), (size_t)count * 2, file);
  }
  free(points);
}

int main(int argc, char **argv) {
  const long side = argc > 2 ? strtol(argv[2], NULL, 10) : 245, targets = argc > 3 ? strtol(argv[3], NULL, 10) : 52;
  if (argc < 2 || side < 2 || side > 1000 || targets < 0 || targets > 1000) {
    fprintf(stderr, "usage: gen_face OUT.glb [SIDE 2..1000 [TARGETS 0..1000]]\n");
    return 2;
  }
  FILE *file = fopen(argv[1], "wb");
  if (file == NULL) return 3;
  write_glb(file, (uint32_t)side, (uint32_t)targets);
  return fclose(file) == 0 ? 0 : 3;
}
