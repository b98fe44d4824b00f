// bench_cpu: morphing and skinning on one core, in nanoseconds a vertex. For `make bench-cpu`.
//
//   bench_cpu FOLDER FACE.glb [ROUNDS]      FOLDER has characters/run.glb; FACE.glb is what gen_face wrote
//
// Morph: all parts with shapes of a file, in csr64 and in each payload of blk64 (as the qualities choose it), with all
// shapes active and with one in ten. Skin: positions, normals and tangents of 24,000 vertices and 60 joints. Contenders
// take turns, and the least time of many short turns counts, so the ratios hold on a machine that does other things.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cooker/cook.h"
#include "runtime/deform/deform_private.h"

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *bench_memory(uint64_t bytes) {
  void *memory = aligned_alloc(4096, (size_t)((bytes + 8191) & ~UINT64_C(4095)));
  if (!memory) exit(6);
  memset(memory, 0, bytes);
  return memory;
}

static uint64_t bench_random_state = 1;

static double bench_random(void) {
  bench_random_state = bench_random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(bench_random_state >> 11) / 9007199254740992.0;
}

static const char *const level_names[DEFORM_LEVEL_COUNT] = {"plain", "SSE2", "AVX2"};

// -- Morph -----------------------------------------------------------------------------------------------------------

/// A file cooked in one way, loaded.
typedef struct bench_file {
  cook_job *job;
  cook_product product;
  const char *path;
  cook_options options;
  mpak_pack pack;
  mpak_part_data *parts;
  uint64_t vertex_count, delta_count, entry_count; ///< of parts with shapes
  uint32_t most_shapes;
} bench_file;

static void bench_cook(cook_job *job, void *user) {
  bench_file *file = user;
  cook_file(job, file->path, &file->options, &file->product);
}

/// false: the file does not cook.
static bool bench_load(bench_file *file, const char *path, cook_layout layout, cook_quality quality) {
  *file = (bench_file){.job = job_begin(NULL, NULL), .path = path};
  file->options =
      (cook_options){.layout = layout, .quality = quality, .compress = COOK_COMPRESS_LOAD, .in_process = true};
  if (!file->job || !job_run(file->job, bench_cook, file)) return false;
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  if (mpak_open(file->product.bytes, file->product.byte_count, &options, &file->pack, NULL) != MPAK_OK) exit(5);
  const uint64_t scratch_bytes = mpak_scratch_bytes(&file->pack);
  void *scratch = bench_memory(scratch_bytes);
  file->parts = bench_memory(file->pack.part_count * sizeof *file->parts);
  for (uint32_t p = 0; p < file->pack.part_count; p++) {
    const uint64_t bytes = mpak_part_bytes(&file->pack, p);
    const mpak_part *part = &file->pack.parts[p];
    mpak_part_data *data = &file->parts[p];
    if (mpak_load_part(&file->pack, p, bench_memory(bytes), bytes, scratch, scratch_bytes, data, NULL) != MPAK_OK)
      exit(5);
    if (part->shape_count == 0) continue;
    file->vertex_count += part->vertex_count;
    file->delta_count += part->delta_count;
    file->entry_count += part->entry_count;
    if (part->shape_count > file->most_shapes) file->most_shapes = part->shape_count;
  }
  free(scratch);
  return true;
}

static void bench_morph(const bench_file *file, deform_level level, const float *weights, mpak_base_vertex *out) {
  for (uint32_t p = 0; p < file->pack.part_count; p++) {
    if (file->pack.parts[p].shape_count == 0) continue;
    deform_morph_vertices(deform_kernels_of(level), &file->pack, p, &file->parts[p], weights, out);
    out += file->pack.parts[p].vertex_count;
  }
}

#define BENCH_FILES 5

/// Shapes all active, or one in ten of them.
#define BENCH_SHARES 2

typedef struct bench_table {
  bench_file files[BENCH_FILES]; ///< csr64, then blk64: lossless, high, default, compact
  float *weights[BENCH_SHARES];
  mpak_base_vertex *out;
  double least[BENCH_FILES][DEFORM_LEVEL_COUNT][BENCH_SHARES]; ///< seconds
} bench_table;

static void bench_weights(bench_table *table) {
  const uint32_t count = table->files[0].most_shapes;
  for (int share = 0; share < BENCH_SHARES; share++) table->weights[share] = bench_memory(count * sizeof(float));
  for (uint32_t s = 0; s < count; s++) {
    table->weights[0][s] = (float)(0.25 + 0.5 * bench_random());
    table->weights[1][s] = s % 10 == 5 || (count <= 5 && s == 0) ? 0.5f : 0;
  }
}

static void bench_turn(bench_table *table, uint32_t f, deform_level level, int share) {
  const uint64_t vertex_count = table->files[f].vertex_count;
  uint32_t batch = vertex_count < 20000 ? (uint32_t)(20000 / vertex_count) + 1 : 1;
  const double start_s = seconds_now();
  for (uint32_t i = 0; i < batch; i++) bench_morph(&table->files[f], level, table->weights[share], table->out);
  const double spent_s = (seconds_now() - start_s) / batch / (double)vertex_count;
  if (spent_s < table->least[f][level][share]) table->least[f][level][share] = spent_s;
}

static const char *payload_name(const bench_file *file) {
  static const char *const names[] = {"none", "P8", "P12", "P16", "P36", "csr64"};
  for (uint32_t p = 0; p < file->pack.part_count; p++)
    if (file->pack.parts[p].shape_count > 0) return names[file->pack.parts[p].payload];
  return names[0];
}

static void bench_print(const bench_table *table, const char *name, const double goals[BENCH_SHARES]) {
  const deform_level best = deform_best_level();
  const bench_file *rows = &table->files[0];
  printf("%s: %llu vertices, %u shapes, %.1f deltas a vertex; ns a vertex, all active / one in ten\n", name,
         (unsigned long long)rows->vertex_count, rows->most_shapes,
         (double)rows->delta_count / (double)rows->vertex_count);
  for (uint32_t f = 0; f < BENCH_FILES; f++) {
    const bench_file *file = &table->files[f];
    printf("  %-6s", payload_name(file));
    for (int level = 0; level <= (int)best; level++)
      printf(" %s %5.1f / %5.1f ", level_names[level], table->least[f][level][0] * 1e9,
             table->least[f][level][1] * 1e9);
    if (f > 0) {
      printf("%4.1f lanes an entry; csr64 / this: %.2f, %.2f", (double)file->delta_count / (double)file->entry_count,
             table->least[0][best][0] / table->least[f][best][0], table->least[0][best][1] / table->least[f][best][1]);
      if (file->options.quality == COOK_QUALITY_DEFAULT) printf("  [goal >= %g, %g]", goals[0], goals[1]);
    }
    printf("\n");
  }
}

static void bench_morphs(const char *name, const char *path, uint32_t rounds, const double goals[BENCH_SHARES]) {
  static const cook_quality qualities[BENCH_FILES] = {COOK_QUALITY_LOSSLESS, COOK_QUALITY_LOSSLESS, COOK_QUALITY_HIGH,
                                                      COOK_QUALITY_DEFAULT, COOK_QUALITY_COMPACT};
  bench_table table;
  for (uint32_t f = 0; f < BENCH_FILES; f++) {
    if (!bench_load(&table.files[f], path, f == 0 ? COOK_LAYOUT_CSR64 : COOK_LAYOUT_BLK64, qualities[f])) {
      printf("%s: not here or does not cook, not measured\n", name);
      return;
    }
    for (int level = 0; level < DEFORM_LEVEL_COUNT; level++)
      for (int share = 0; share < BENCH_SHARES; share++) table.least[f][level][share] = INFINITY;
  }
  uint64_t most = 0;
  for (uint32_t f = 0; f < BENCH_FILES; f++)
    if (table.files[f].vertex_count > most) most = table.files[f].vertex_count;
  table.out = bench_memory(most * sizeof *table.out);
  bench_weights(&table);
  for (uint32_t round = 0; round < rounds; round++)
    for (int share = 0; share < BENCH_SHARES; share++)
      for (uint32_t f = 0; f < BENCH_FILES; f++)
        for (int level = 0; level <= (int)deform_best_level(); level++)
          bench_turn(&table, f, (deform_level)level, share);
  bench_print(&table, name, goals);
}

// -- Skin ------------------------------------------------------------------------------------------------------------

#define BENCH_VERTICES 24000u
#define BENCH_JOINTS   60u

static void bench_skin_tables(uint32_t influence_count, mpak_base_vertex *in, uint16_t *joints, float *weights) {
  for (uint32_t v = 0; v < BENCH_VERTICES; v++) {
    const double angle = 6.28 * bench_random();
    in[v] = (mpak_base_vertex){{(float)bench_random(), (float)bench_random(), (float)bench_random(), 1},
                               {(float)cos(angle), (float)sin(angle), 0, 0},
                               {(float)-sin(angle), (float)cos(angle), 0, 1}};
    float sum = 0;
    for (uint32_t k = 0; k < influence_count; k++) {
      const size_t at = (size_t)v * influence_count + k;
      joints[at] =
          (uint16_t)((v * BENCH_JOINTS / BENCH_VERTICES + k * 7 + (uint32_t)(4 * bench_random())) % BENCH_JOINTS);
      weights[at] = (float)(influence_count - k) + (float)(0.5 * bench_random());
      sum += weights[at];
    }
    for (uint32_t k = 0; k < influence_count; k++) weights[(size_t)v * influence_count + k] /= sum;
  }
}

static void bench_palette(mpak_matrix *palette) {
  for (uint32_t j = 0; j < BENCH_JOINTS; j++) {
    const float c = (float)cos(0.3 * j), s = (float)sin(0.3 * j);
    palette[j] = (mpak_matrix){{c, -s, 0, (float)bench_random(), s, c, 0, 0.5f, 0, 0, 1, (float)bench_random()}};
  }
}

static void bench_skin(uint32_t influence_count, uint32_t rounds) {
  static mpak_base_vertex in[BENCH_VERTICES], out[BENCH_VERTICES];
  static uint16_t joints[BENCH_VERTICES * MPAK_MAX_INFLUENCES];
  static float weights[BENCH_VERTICES * MPAK_MAX_INFLUENCES];
  mpak_matrix palette[BENCH_JOINTS];
  mpak_bone bones[BENCH_JOINTS];
  double least[DEFORM_LEVEL_COUNT] = {INFINITY, INFINITY, INFINITY};
  bench_skin_tables(influence_count, in, joints, weights);
  bench_palette(palette);
  for (uint32_t j = 0; j < BENCH_JOINTS; j++) bones[j] = (mpak_bone){.joint = BENCH_JOINTS - 1 - j};
  const mpak_section section = {.vertex_count = BENCH_VERTICES, .bone_count = BENCH_JOINTS};
  const mpak_part part = {.vertex_count = BENCH_VERTICES, .section_count = 1, .influence_count = influence_count};
  const mpak_pack pack = {.parts = &part, .sections = &section, .bones = bones};
  const mpak_part_data data = {.joints = joints, .weights = weights};
  for (uint32_t round = 0; round < rounds; round++) {
    for (int level = 0; level <= (int)deform_best_level(); level++) {
      const double start_s = seconds_now();
      deform_skin_vertices(deform_kernels_of((deform_level)level), &pack, 0, &data, palette, in, out);
      least[level] = fmin(least[level], (seconds_now() - start_s) / BENCH_VERTICES);
    }
  }
  printf("  %2u influences:", influence_count);
  for (int level = 0; level <= (int)deform_best_level(); level++)
    printf(" %s %5.2f ", level_names[level], least[level] * 1e9);
  printf("%s\n", influence_count == 4 ? "(ozz-animation 6.4, SSE2 7.6, on such a machine)  [goal <= 4.5]" : "");
}

// -- Everything ------------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    fprintf(stderr, "usage: bench_cpu FOLDER FACE.glb [ROUNDS]\n");
    return 2;
  }
  static const double dense_goals[BENCH_SHARES] = {2, 5}, real_goals[BENCH_SHARES] = {1, 2.5};
  const uint32_t rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 200;
  char path[4096];
  printf("skin, positions + normals + tangents, %u vertices, %u joints; ns a vertex\n", BENCH_VERTICES, BENCH_JOINTS);
  for (uint32_t count = 4; count <= 12; count += 4) bench_skin(count, rounds * 5);
  bench_morphs("face60", "samples/assets/face60.glb", rounds, real_goals);
  snprintf(path, sizeof path, "%s/characters/run.glb", argv[1]);
  bench_morphs("run", path, rounds, real_goals);
  bench_morphs("generated face", argv[2], rounds / 5 + 1, dense_goals);
  return 0;
}
