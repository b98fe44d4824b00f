// Every level of vector code on really cooked packs, bit for bit the plain code: all qualities, both layouts, several
// sections a part; and sections against the reference in double precision.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/deform/deform_private.h"
#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_pose.h"

#define POSITION_BOUND 1e-5 ///< of the extent
#define NORMAL_BOUND   1e-3 ///< rad

static const cook_options variants[] = {
    {.layout = COOK_LAYOUT_CSR64},     {.quality = COOK_QUALITY_LOSSLESS},
    {.quality = COOK_QUALITY_HIGH},    {.quality = COOK_QUALITY_DEFAULT},
    {.quality = COOK_QUALITY_COMPACT}, {.quality = COOK_QUALITY_DEFAULT, .max_influences = 4, .max_bones = 12},
};
#define VARIANT_COUNT (sizeof variants / sizeof variants[0])

/// What was seen over all files.
typedef struct assets_seen {
  uint32_t file_count, split_count; ///< split: packs with a part of several sections
  uint32_t payload_counts[MPAK_PAYLOAD_CSR64 + 1];
  uint32_t influence_counts[MPAK_MAX_INFLUENCES + 1];
  double position, normal; ///< largest differences from the reference
} assets_seen;

static mpak_base_vertex *assets_vertices(uint32_t count) {
  mpak_base_vertex *vertices = malloc(((size_t)count + 1) * sizeof *vertices);
  assert_non_null(vertices);
  return vertices;
}

/// Morphs and moves output `i` of a character as mpak_character_deform does, at one level.
static void assets_deform(mpak_character *hero, uint32_t i, deform_level level, mpak_base_vertex *out) {
  const mpak_pack *pack = hero->model->pack;
  const mpak_character_output *output = &hero->outputs[i];
  const mpak_instance *instance = &pack->instances[output->instance];
  const mpak_part *part = &pack->parts[output->part];
  const deform_kernels *kernels = deform_kernels_of(level);
  deform_morph_vertices(kernels, pack, output->part, output->data, hero->morph_states.states[i].shape_weights, out);
  if (instance->skin == MPAK_NONE || part->influence_count == 0) {
    kernels->move(&hero->pose.components[instance->node], part->vertex_count, out, out);
  } else {
    mpak_pose_skin_palette(&hero->pose, instance->skin, hero->palette);
    deform_skin_vertices(kernels, pack, output->part, output->data, hero->palette, out, out);
  }
}

static void assets_compare_levels(mpak_character *hero, uint32_t i, const char *path) {
  const mpak_character_output *output = &hero->outputs[i];
  const uint32_t count = hero->model->pack->parts[output->part].vertex_count;
  mpak_base_vertex *plain = assets_vertices(count), *other = assets_vertices(count);
  assets_deform(hero, i, DEFORM_PLAIN, plain);
  if (memcmp(plain, output->vertices, count * sizeof *plain) != 0) fail_msg("%s: the character's vertices", path);
  for (int level = 1; level <= (int)deform_best_level(); ++level) {
    assets_deform(hero, i, (deform_level)level, other);
    if (memcmp(plain, other, count * sizeof *plain) != 0) fail_msg("%s: part %u, level %d", path, output->part, level);
  }
  free(plain);
  free(other);
}

static double assets_angle(const float *a, const double *b) {
  const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return atan2(sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]), dot);
}

/// What the character shows against the reference.
static void assets_compare_reference(const mpak_ref_pose *pose, const mpak_character_output *output,
                                     assets_seen *seen) {
  const uint32_t count = pose->pack->parts[output->part].vertex_count;
  double(*positions)[3] = malloc(count * sizeof *positions), (*normals)[3] = malloc(count * sizeof *normals);
  double extent = 0;
  assert_true(positions && normals);
  mpak_ref_deform(pose, output->instance, output->part, output->data, false,
                  &(mpak_ref_vertices){positions, normals, NULL});
  for (uint32_t v = 0; v < count; ++v)
    for (int i = 0; i < 3; ++i) extent = fmax(extent, fabs(positions[v][i]));
  for (uint32_t v = 0; v < count; ++v) {
    for (int i = 0; i < 3 && extent > 0; ++i)
      seen->position = fmax(seen->position, fabs(output->vertices[v].position[i] - positions[v][i]) / extent);
    seen->normal = fmax(seen->normal, assets_angle(output->vertices[v].normal, normals[v]));
  }
  free(positions);
  free(normals);
}

/// The reference with the character's own matrices and weights, so that nothing but the deformation differs.
static void assets_pose_reference(const mpak_character *hero, void *memory, mpak_ref_pose *pose) {
  const mpak_pack *pack = hero->model->pack;
  assert_int_equal(mpak_ref_pose_init(pack, memory, mpak_ref_pose_bytes(pack), pose), MPAK_OK);
  for (uint32_t n = 0; n < pack->node_count; ++n)
    for (int i = 0; i < 12; ++i) pose->component[n][i] = hero->pose.components[n].m[i];
  for (uint32_t i = 0; i < hero->output_count; ++i) {
    const mpak_morph_state *state = &hero->morph_states.states[i];
    for (uint32_t c = 0; c < state->control_count; ++c)
      pose->weights[pose->first_weight[state->instance] + c] = state->weights[c];
  }
}

/// The first clip, a third into it, or the rest pose.
static void assets_show(mpak_character *hero, const mpak_pack *pack, const char *path, assets_seen *seen) {
  const uint32_t clip = pack->clip_count > 0 ? 0 : MPAK_NONE;
  const double time_s = clip == 0 ? pack->clips[0].start_s + (pack->clips[0].end_s - pack->clips[0].start_s) / 3.0 : 0;
  void *memory = mt_pose_memory(mpak_ref_pose_bytes(pack));
  mpak_ref_pose pose;
  assert_int_equal(mpak_animation_player_play(&hero->player, clip, MPAK_PLAY_CLAMP), MPAK_OK);
  mpak_animation_player_seek(&hero->player, time_s);
  mpak_character_update(hero, 0);
  assets_pose_reference(hero, memory, &pose);
  for (uint32_t i = 0; i < hero->output_count; ++i) {
    assets_compare_levels(hero, i, path);
    assets_compare_reference(&pose, &hero->outputs[i], seen);
  }
  free(memory);
}

/// Two sets of weights: all shapes, and few of them.
static void assets_weigh(mpak_character *hero, const char *path) {
  uint64_t seed = 3;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < hero->output_count; ++i) {
      mpak_morph_state *state = &hero->morph_states.states[i];
      for (uint32_t c = 0; c < state->control_count; ++c) {
        const float weight = mt_pose_random(&seed, -1, 1);
        const bool is_left_out = round == 1 && mt_pose_random(&seed, 0, 10) > 2;
        assert_int_equal(mpak_morph_state_set_weight(state, c, is_left_out ? 0 : weight), MPAK_OK);
      }
    }
    mpak_character_deform(hero);
    for (uint32_t i = 0; i < hero->output_count; ++i) assets_compare_levels(hero, i, path);
  }
}

static void assets_count(const mpak_pack *pack, assets_seen *seen) {
  bool is_split = false;
  for (uint32_t p = 0; p < pack->part_count; ++p) {
    ++seen->payload_counts[pack->parts[p].payload];
    ++seen->influence_counts[pack->parts[p].influence_count];
    is_split |= pack->parts[p].section_count > 1 && pack->parts[p].influence_count > 0;
  }
  seen->split_count += is_split;
}

/// false: the file does not cook.
static bool assets_check(const char *path, const cook_options *options, assets_seen *seen) {
  cook_job *job = job_begin(NULL, NULL);
  cook_product product = {0};
  const bool is_cooked = mt_cook_file(job, path, options, &product) == 0;
  if (is_cooked) {
    mpak_pack pack;
    mpak_model *model;
    mpak_character *hero;
    uint8_t *bytes = aligned_alloc(64, (product.byte_count + 63) & ~(uint64_t)63);
    assert_non_null(bytes);
    memcpy(bytes, product.bytes, product.byte_count);
    const mpak_open_options open = {.decoder = mpak_zstd_decoder()};
    assert_int_equal(mpak_open(bytes, product.byte_count, &open, &pack, NULL), MPAK_OK);
    assert_int_equal(mpak_model_create(&pack, NULL, &model, NULL), MPAK_OK);
    assert_int_equal(mpak_character_create(model, NULL, &hero), MPAK_OK);
    assets_count(&pack, seen);
    assets_show(hero, &pack, path, seen);
    assets_weigh(hero, path);
    mpak_character_destroy(hero);
    mpak_model_destroy(model);
    free(bytes);
  }
  job_end(job);
  return is_cooked;
}

static void assets_check_file(const char *path, assets_seen *seen) {
  uint32_t cooked = 0;
  for (size_t i = 0; i < VARIANT_COUNT; ++i) cooked += assets_check(path, &variants[i], seen);
  seen->file_count += cooked > 0;
}

static void assets_assert_bounds(const assets_seen *seen) {
  printf("print: %u files, the best level against double: %.2g of the extent, normals %.2g rad; packs with parts of "
         "several sections: %u\n",
         seen->file_count, seen->position, seen->normal, seen->split_count);
  assert_true(seen->position <= POSITION_BOUND);
  assert_true(seen->normal <= NORMAL_BOUND);
}

static void test_levels_agree_on_the_samples(void **state) {
  (void)state;
  static const char *const samples[6] = {"samples/assets/custom_normals.glb", "samples/assets/face60.glb",
                                         "samples/assets/face_anim.glb",      "samples/assets/head_parts.glb",
                                         "samples/assets/japanese_names.glb", "tests/data/models/mirrored.glb"};
  assets_seen seen = {0};
  for (int i = 0; i < 6; ++i) assets_check_file(mt_path(samples[i]), &seen);
  assets_assert_bounds(&seen);
  assert_int_equal(seen.file_count, 6);
  for (int payload = MPAK_PAYLOAD_P8; payload <= MPAK_PAYLOAD_CSR64; ++payload)
    assert_true(seen.payload_counts[payload] > 0);
}

static bool assets_is_gltf(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0 || strcmp(dot, ".vrm") == 0);
}

static void test_levels_agree_on_shared_characters(void **state) {
  (void)state;
  static const char *const folders[6] = {"characters", "khronos", "morph", "skin", "assetgen", "sparse"};
  const char *shared = getenv("MPAK_SHARED") ? getenv("MPAK_SHARED") : "../shared";
  assets_seen seen = {0};
  for (int i = 0; i < 6; ++i) {
    char path[8192];
    snprintf(path, sizeof path, "%s/assets/%s", shared, folders[i]);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
      if (!assets_is_gltf(entry->d_name)) continue;
      snprintf(path, sizeof path, "%s/assets/%s/%s", shared, folders[i], entry->d_name);
      assets_check_file(path, &seen);
    }
    if (folder) closedir(folder);
  }
  if (seen.file_count == 0) {
    printf("not run: 1 comparison of levels on shared characters\n");
    skip();
  }
  assets_assert_bounds(&seen);
  assert_true(seen.file_count >= 30 && seen.split_count >= 3);
  assert_true(seen.influence_counts[4] > 0 && seen.influence_counts[8] > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_levels_agree_on_the_samples),
      cmocka_unit_test(test_levels_agree_on_shared_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
