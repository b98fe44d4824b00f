// bench_error: how far the vertices of one character are from those of another, posed. For `make bench-size`, which
// asks it about packs and about what other tools made of the same model.
//
//   bench_error SOURCE.mpak OTHER.mpak
//
// Both are packs (what is not one was cooked losslessly before). Vertices are matched at rest, in scene space: for each
// of SOURCE's the candidates are OTHER's within 1/500 of the size, and of these the one that follows it best over all
// poses counts, so that programs which reorder, merge or split vertices are treated alike. Poses: the rest, frames of
// every clip, controls at weight 1. Prints
//
//   SIZE_M LARGEST_M RMS_M LARGEST_NORMAL_DEGREES RMS_NORMAL_DEGREES VERTICES POSES UNMATCHED
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/mpak_pose.h"
#include "tests/support/mt_wrapped.h"

#define RADIUS_SHARE    0.002
#define POSED_VERTICES  4000000u
#define POSES_OF_A_CLIP 24u
#define MOST_CONTROLS   100u

typedef struct side {
  mpak_mapping file;
  mpak_pack pack;
  mpak_model *model;
  mpak_character *character;
  uint32_t vertex_count;
} side;

typedef struct pose {
  uint32_t clip;
  double share;
  uint32_t mesh, control;
} pose;

typedef struct vertex {
  float position[3], normal[3];
} vertex;

static void *need(void *memory) {
  if (memory == NULL) {
    fprintf(stderr, "bench_error: out of memory\n");
    exit(6);
  }
  return memory;
}

static void open_side(const char *path, side *s) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  if (mpak_map_file(path, &s->file) != MPAK_OK || mt_unwrap_mapping(&s->file, NULL) != MPAK_OK ||
      mpak_open(s->file.bytes, s->file.byte_count, &options, &s->pack, NULL) != MPAK_OK ||
      mpak_model_create(&s->pack, NULL, &s->model, NULL) != MPAK_OK ||
      mpak_character_create(s->model, NULL, &s->character) != MPAK_OK) {
    fprintf(stderr, "bench_error: %s cannot be opened\n", path);
    exit(5);
  }
  for (uint32_t i = 0; i < s->character->output_count; i++) {
    const mpak_part *part = &s->pack.parts[s->character->outputs[i].part];
    if (part->lod == 0) s->vertex_count += part->vertex_count;
  }
}

static void set_pose(side *s, const pose *p, vertex *out) {
  mpak_character *c = s->character;
  mpak_pose_rest(&c->pose);
  if (p->clip != MPAK_NONE && p->clip < s->pack.clip_count) {
    const mpak_clip *clip = &s->pack.clips[p->clip];
    const double length = (double)clip->end_s - (double)clip->start_s;
    mpak_pose_sample(&c->pose, &s->model->clips, p->clip, (double)clip->start_s + p->share * length);
  }
  for (uint32_t i = 0; i < s->pack.instance_count; i++) {
    const mpak_instance *instance = &s->pack.instances[i];
    const mpak_mesh *mesh = &s->pack.meshes[instance->mesh];
    if (mesh->control_count == 0) continue;
    float *weights = c->pose.weights + c->pose.first_weight[i];
    if (p->control < mesh->control_count) weights[p->control] = 1;
    mpak_scene_morph_pose_set_weights(&c->morph_pose, instance->node, weights, mesh->control_count);
  }
  mpak_pose_changed(&c->pose);
  mpak_character_deform(c);
  uint32_t at = 0;
  for (uint32_t i = 0; i < c->output_count; i++) {
    const mpak_part *part = &s->pack.parts[c->outputs[i].part];
    if (part->lod != 0) continue;
    for (uint32_t v = 0; v < part->vertex_count; v++, at++) {
      memcpy(out[at].position, c->outputs[i].vertices[v].position, sizeof out[at].position);
      memcpy(out[at].normal, c->outputs[i].vertices[v].normal, sizeof out[at].normal);
    }
  }
}

static uint32_t list_poses(const mpak_pack *pack, uint32_t vertex_count, pose *poses) {
  uint32_t count = 0, most_controls = 0;
  const uint32_t affordable = POSED_VERTICES / (vertex_count == 0 ? 1 : vertex_count) + 1;
  poses[count++] = (pose){MPAK_NONE, 0, MPAK_NONE, MPAK_NONE};
  uint32_t each = pack->clip_count == 0 ? 0 : affordable / pack->clip_count;
  if (each > POSES_OF_A_CLIP) each = POSES_OF_A_CLIP;
  if (each < 2) each = 2;
  for (uint32_t clip = 0; clip < pack->clip_count; clip++)
    for (uint32_t i = 0; i < each; i++) poses[count++] = (pose){clip, (double)i / (each - 1), MPAK_NONE, MPAK_NONE};
  for (uint32_t m = 0; m < pack->mesh_count; m++)
    if (pack->meshes[m].control_count > most_controls) most_controls = pack->meshes[m].control_count;
  for (uint32_t c = 0; c < most_controls && c < MOST_CONTROLS; c++) poses[count++] = (pose){MPAK_NONE, 0, MPAK_NONE, c};
  return count;
}

// -- Matching ---------------------------------------------------------------------------------------------------------

/// A hash grid over points: cells as wide as the radius.
typedef struct grid {
  double cell;
  uint32_t mask;
  uint32_t *first, *next;
} grid;

static int32_t cell_of(const grid *g, float at) { return (int32_t)floor((double)at / g->cell); }

static uint32_t slot_of(const grid *g, int32_t x, int32_t y, int32_t z) {
  return ((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u) & g->mask;
}

static grid make_grid(const vertex *points, uint32_t count, double cell) {
  grid g = {.cell = cell, .mask = 1};
  while (g.mask < count * 2) g.mask = g.mask * 2 + 1;
  g.first = need(malloc(((size_t)g.mask + 1) * sizeof *g.first));
  g.next = need(malloc((count + (size_t)1) * sizeof *g.next));
  memset(g.first, 0xFF, ((size_t)g.mask + 1) * sizeof *g.first);
  for (uint32_t i = 0; i < count; i++) {
    const float *p = points[i].position;
    const uint32_t slot = slot_of(&g, cell_of(&g, p[0]), cell_of(&g, p[1]), cell_of(&g, p[2]));
    g.next[i] = g.first[slot];
    g.first[slot] = i;
  }
  return g;
}

static double distance(const float *a, const float *b) {
  const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1], z = (double)a[2] - (double)b[2];
  return sqrt(x * x + y * y + z * z);
}

static double turned_degrees(const float *a, const float *b) {
  const double half_chord = distance(a, b) / 2; // of unit vectors; exact where the angle is small, unlike the cosine
  return 2 * asin(half_chord < 1 ? half_chord : 1) * 57.29577951308232;
}

typedef struct result {
  double largest, square_sum, largest_normal, normal_square_sum;
  uint64_t count, unmatched;
} result;

/// The candidate that follows vertex v best.
static uint32_t match(const grid *g, vertex *const *a, vertex *const *b, uint32_t pose_count, uint32_t v,
                      double radius) {
  const float *p = a[0][v].position;
  uint32_t best = MPAK_NONE;
  double least = INFINITY;
  for (int cell = 0; cell < 27; cell++) {
    const uint32_t slot = slot_of(g, cell_of(g, p[0]) + cell % 3 - 1, cell_of(g, p[1]) + cell / 3 % 3 - 1,
                                  cell_of(g, p[2]) + cell / 9 - 1);
    for (uint32_t c = g->first[slot]; c != MPAK_NONE; c = g->next[c]) {
      if (distance(p, b[0][c].position) > radius) continue;
      double sum = 0;
      for (uint32_t i = 0; i < pose_count && sum < least; i++) {
        const double apart = distance(a[i][v].position, b[i][c].position);
        const double turned =
            distance(a[i][v].normal, b[i][c].normal) * radius * 0.01; // equal places: the nearer normal
        sum += apart * apart + turned * turned;
      }
      if (sum < least) {
        least = sum;
        best = c;
      }
    }
  }
  return best;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: bench_error SOURCE.mpak OTHER.mpak\n");
    return 2;
  }
  side source = {0}, other = {0};
  open_side(argv[1], &source);
  open_side(argv[2], &other);
  pose *poses =
      need(malloc((1 + (size_t)source.pack.clip_count * (POSES_OF_A_CLIP + 1) + MOST_CONTROLS) * sizeof *poses));
  const uint32_t pose_count = list_poses(&source.pack, source.vertex_count, poses);
  vertex **a = need(malloc(pose_count * sizeof *a)), **b = need(malloc(pose_count * sizeof *b));
  for (uint32_t i = 0; i < pose_count; i++) {
    a[i] = need(malloc((source.vertex_count + (size_t)1) * sizeof **a));
    b[i] = need(malloc((other.vertex_count + (size_t)1) * sizeof **b));
    set_pose(&source, &poses[i], a[i]);
    set_pose(&other, &poses[i], b[i]);
  }
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double size = 0;
  for (uint32_t v = 0; v < source.vertex_count; v++)
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = fminf(low[axis], a[0][v].position[axis]);
      high[axis] = fmaxf(high[axis], a[0][v].position[axis]);
    }
  for (int axis = 0; axis < 3; axis++) size = fmax(size, (double)high[axis] - (double)low[axis]);
  const double radius = size * RADIUS_SHARE;
  const grid g = make_grid(b[0], other.vertex_count, radius > 0 ? radius : 1);
  result r = {0};
  for (uint32_t v = 0; v < source.vertex_count; v++) {
    const uint32_t c = match(&g, a, b, pose_count, v, radius);
    if (c == MPAK_NONE) {
      r.unmatched++;
      continue;
    }
    for (uint32_t i = 0; i < pose_count; i++) {
      const double apart = distance(a[i][v].position, b[i][c].position);
      const double turned = turned_degrees(a[i][v].normal, b[i][c].normal);
      r.largest = fmax(r.largest, apart);
      r.square_sum += apart * apart;
      r.largest_normal = fmax(r.largest_normal, turned);
      r.normal_square_sum += turned * turned;
      r.count++;
    }
  }
  const double count = r.count == 0 ? 1 : (double)r.count;
  printf("%.6g %.4g %.4g %.4g %.4g %u %u %llu\n", size, r.largest, sqrt(r.square_sum / count), r.largest_normal,
         sqrt(r.normal_square_sum / count), source.vertex_count, pose_count, (unsigned long long)r.unmatched);
  return 0;
}
