// Models and characters of really cooked packs: against the double-precision reference over clips and times, in both
// layouts; allocations that fail; random weights; frames that cost nothing.
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

#include "cooker/profile.h"
#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_pose.h"

#define CLIPS_MOST     6
#define POSITION_BOUND 2e-6 ///< of the extent: a float in scene space has no more digits far from the origin
#define NORMAL_BOUND   1e-3 ///< rad

static const char *const samples[5] = {"samples/assets/custom_normals.glb", "samples/assets/face60.glb",
                                       "samples/assets/face_anim.glb", "samples/assets/head_parts.glb",
                                       "samples/assets/japanese_names.glb"};

/// A cooked pack in aligned memory of its own.
typedef struct cooked {
  void *bytes;
  uint64_t byte_count;
  mpak_pack pack;
} cooked;

/// False when the file does not cook.
static bool cook_with(const char *path, const cook_options *options, cooked *out) {
  cook_job *job = job_begin(NULL, NULL);
  cook_product product = {0};
  bool is_cooked = mt_cook_file(job, path, options, &product) == 0;
  if (is_cooked) {
    out->byte_count = product.byte_count;
    out->bytes = aligned_alloc(64, (product.byte_count + 63) & ~(uint64_t)63);
    memcpy(out->bytes, product.bytes, product.byte_count);
    const mpak_open_options open = {.decoder = mpak_zstd_decoder()};
    assert_int_equal(mpak_open(out->bytes, out->byte_count, &open, &out->pack, NULL), MPAK_OK);
  }
  job_end(job);
  return is_cooked;
}

static bool cook(const char *path, cook_layout layout, cooked *out) {
  const cook_options options = {.layout = layout};
  return cook_with(path, &options, out);
}

// -- Against the reference -------------------------------------------------------------------------------------------

typedef struct differences {
  double position; ///< of the extent
  double normal;   ///< rad
} differences;

/// The largest coordinate of any vertex, which is at least half the size.
static double extent_of(const double (*positions)[3], uint32_t count) {
  double extent = 0;
  for (uint32_t v = 0; v < count; ++v) {
    for (int i = 0; i < 3; ++i) extent = fmax(extent, fabs(positions[v][i]));
  }
  return extent > 0 ? extent : 1;
}

static double angle_between(const float *a, const double *b) {
  double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return atan2(sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]), dot);
}

static void compare_output(const mpak_ref_pose *pose, const mpak_character_output *output, differences *largest) {
  uint32_t count = pose->pack->parts[output->part].vertex_count;
  double(*positions)[3] = malloc(count * sizeof *positions), (*normals)[3] = malloc(count * sizeof *normals);
  const mpak_ref_vertices vertices = {positions, normals, NULL};
  mpak_ref_deform(pose, output->instance, output->part, output->data, false, &vertices);
  double extent = extent_of((const double(*)[3])positions, count);
  for (uint32_t v = 0; v < count; ++v) {
    for (int i = 0; i < 3; ++i) {
      double difference = fabs(output->vertices[v].position[i] - positions[v][i]) / extent;
      largest->position = fmax(largest->position, difference);
    }
    largest->normal = fmax(largest->normal, angle_between(output->vertices[v].normal, normals[v]));
  }
  free(positions);
  free(normals);
}

/// Plays a clip to a time in both worlds. The player leaves weights that no clip animates alone, as does the reference.
static void compare_frame(mpak_character *hero, mpak_ref_pose *pose, void *memory, uint32_t clip, double time_s,
                          differences *largest) {
  const mpak_pack *pack = hero->model->pack;
  assert_int_equal(mpak_ref_pose_init(pack, memory, mpak_ref_pose_bytes(pack), pose), MPAK_OK);
  if (clip != MPAK_NONE) mpak_ref_sample(pose, &hero->model->clips, clip, time_s);
  mpak_ref_component(pose);
  assert_int_equal(mpak_animation_player_play(&hero->player, clip, MPAK_PLAY_CLAMP), MPAK_OK);
  mpak_animation_player_seek(&hero->player, time_s);
  mpak_character_update(hero, 0);
  for (uint32_t i = 0; i < hero->output_count; ++i) compare_output(pose, &hero->outputs[i], largest);
}

static differences compare_pack(const mpak_pack *pack) {
  mpak_model *model;
  mpak_character *hero;
  differences largest = {0, 0};
  assert_int_equal(mpak_model_create(pack, NULL, &model, NULL), MPAK_OK);
  assert_int_equal(mpak_character_create(model, NULL, &hero), MPAK_OK);
  void *memory = mt_pose_memory(mpak_ref_pose_bytes(pack));
  mpak_ref_pose pose;
  compare_frame(hero, &pose, memory, MPAK_NONE, 0, &largest);
  for (uint32_t clip = 0; clip < pack->clip_count && clip < CLIPS_MOST; ++clip) {
    double start_s = pack->clips[clip].start_s, duration_s = pack->clips[clip].end_s - start_s;
    const double places[5] = {0, 0.173, 0.5, 0.871, 1};
    for (int i = 0; i < 5; ++i) compare_frame(hero, &pose, memory, clip, start_s + places[i] * duration_s, &largest);
  }
  free(memory);
  mpak_character_destroy(hero);
  mpak_model_destroy(model);
  return largest;
}

static void compare_file(const char *path, differences *largest, uint32_t *file_count) {
  for (int layout = COOK_LAYOUT_BLK64; layout <= COOK_LAYOUT_CSR64; ++layout) {
    cooked product;
    if (!cook(path, (cook_layout)layout, &product)) return;
    differences here = compare_pack(&product.pack);
    if (here.position > POSITION_BOUND || here.normal > NORMAL_BOUND) {
      fail_msg("%s, layout %d: %.3g of the extent, normals %.3g rad", path, layout, here.position, here.normal);
    }
    largest->position = fmax(largest->position, here.position);
    largest->normal = fmax(largest->normal, here.normal);
    free(product.bytes);
  }
  ++*file_count;
}

static void test_characters_agree_with_the_reference(void **state) {
  (void)state;
  differences largest = {0, 0};
  uint32_t file_count = 0;
  for (int i = 0; i < 5; ++i) compare_file(mt_path(samples[i]), &largest, &file_count);
  assert_int_equal(file_count, 5);
  printf("print: samples, float against double: %.2g of the extent, normals %.2g rad\n", largest.position,
         largest.normal);
}

static bool is_gltf(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0 || strcmp(dot, ".vrm") == 0);
}

static void test_shared_characters_agree_with_the_reference(void **state) {
  (void)state;
  static const char *const folders[6] = {"characters", "khronos", "morph", "skin", "assetgen", "sparse"};
  const char *shared = getenv("MPAK_SHARED") ? getenv("MPAK_SHARED") : "../shared";
  differences largest = {0, 0};
  uint32_t file_count = 0;
  for (int i = 0; i < 6; ++i) {
    char path[8192];
    snprintf(path, sizeof path, "%s/assets/%s", shared, folders[i]);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
      if (!is_gltf(entry->d_name)) continue;
      snprintf(path, sizeof path, "%s/assets/%s/%s", shared, folders[i], entry->d_name);
      compare_file(path, &largest, &file_count);
    }
    if (folder) closedir(folder);
  }
  if (file_count == 0) {
    printf("not run: 1 comparison of shared characters with the reference\n");
    skip();
  }
  printf("print: %u shared files, float against double: %.2g of the extent, normals %.2g rad\n", file_count,
         largest.position, largest.normal);
  assert_true(file_count >= 30);
}

// -- Allocations -----------------------------------------------------------------------------------------------------

/// Model and character with one allocator; what was made is given back again.
static mpak_result create_and_destroy(const mpak_pack *pack, mt_memory *memory) {
  const mpak_allocator allocator = mt_allocator(memory);
  mpak_model *model = NULL;
  mpak_character *hero = NULL;
  mpak_result result = mpak_model_create(pack, &allocator, &model, NULL);
  assert_true((result == MPAK_OK) == (model != NULL));
  if (result != MPAK_OK) return result;
  result = mpak_character_create(model, &allocator, &hero);
  assert_true((result == MPAK_OK) == (hero != NULL));
  mpak_character_destroy(hero);
  mpak_model_destroy(model);
  return result;
}

static void test_refused_allocations_end_cleanly(void **state) {
  (void)state;
  uint64_t failures = 0;
  for (int i = 0; i < 5; ++i) {
    for (int layout = COOK_LAYOUT_BLK64; layout <= COOK_LAYOUT_CSR64; ++layout) {
      cooked product;
      assert_true(cook(mt_path(samples[i]), (cook_layout)layout, &product));
      mt_memory sound = {0};
      assert_int_equal(create_and_destroy(&product.pack, &sound), MPAK_OK);
      assert_true(sound.held == 0);
      for (uint64_t n = 1; n <= sound.calls; ++n) {
        mt_memory memory = {.refuse_at = n};
        assert_int_equal(create_and_destroy(&product.pack, &memory), MPAK_ERROR_OUT_OF_MEMORY);
        assert_true(memory.held == 0);
        ++failures;
      }
      free(product.bytes);
    }
  }
  printf("print: runtime with an allocator: %llu injected failures ended cleanly\n", (unsigned long long)failures);
  assert_true(failures >= 100);
}

static void test_model_without_decoder_is_refused_and_leaks_nothing(void **state) {
  (void)state;
  cooked product;
  mpak_pack pack;
  mpak_model *model;
  mpak_fault fault = {0};
  mt_memory memory = {0};
  const mpak_allocator allocator = mt_allocator(&memory);
  assert_true(cook(mt_path("samples/assets/face60.glb"), COOK_LAYOUT_BLK64, &product));
  assert_int_equal(mpak_open(product.bytes, product.byte_count, NULL, &pack, NULL), MPAK_OK);
  assert_int_equal(mpak_model_create(&pack, &allocator, &model, &fault), MPAK_ERROR_NO_DECODER);
  assert_null(model);
  assert_true(memory.held == 0 && memory.calls > 0);
  mpak_model_destroy(NULL);
  mpak_character_destroy(NULL);
  free(product.bytes);
}

// -- Frames ----------------------------------------------------------------------------------------------------------

typedef struct stage {
  cooked product;
  mpak_model *model;
  mpak_character *hero;
} stage;

static void stage_begin_with(stage *s, const char *sample, const cook_options *options) {
  assert_true(cook_with(mt_path(sample), options, &s->product));
  assert_int_equal(mpak_model_create(&s->product.pack, NULL, &s->model, NULL), MPAK_OK);
  assert_int_equal(mpak_character_create(s->model, NULL, &s->hero), MPAK_OK);
}

static void stage_begin(stage *s, const char *sample) {
  const cook_options options = {.layout = COOK_LAYOUT_BLK64};
  stage_begin_with(s, sample, &options);
}

static void stage_end(stage *s) {
  mpak_character_destroy(s->hero);
  mpak_model_destroy(s->model);
  free(s->product.bytes);
}

static void test_still_frames_cost_nothing(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, "samples/assets/head_parts.glb");
  mpak_character_update(s.hero, 0.016);
  uint64_t skinned = s.hero->skinned_count;
  mpak_morph_counters before = s.hero->morph_states.counters;
  for (int i = 0; i < 100; ++i) mpak_character_update(s.hero, 0.016);
  assert_true(s.hero->skinned_count == skinned);
  assert_true(s.hero->morph_states.counters.dispatches == before.dispatches);
  assert_true(s.hero->morph_states.counters.nodes_visited == before.nodes_visited);
  // one weight of one mesh: that part is morphed and skinned, no other
  uint32_t node = s.product.pack.instances[0].node;
  const mpak_control *control =
      &s.product.pack.controls[s.product.pack.meshes[s.product.pack.instances[0].mesh].first_control];
  mpak_scene_morph_pose_set_weight(&s.hero->morph_pose, node, 0, control->range_max);
  mpak_character_deform(s.hero);
  assert_true(s.hero->skinned_count == skinned + 1);
  assert_true(s.hero->morph_states.counters.dispatches == before.dispatches + 1);
  stage_end(&s);
}

/// A character shows parts of its level only, of a mesh with fewer levels the last one's.
static void test_levels_of_detail(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, "samples/assets/face_anim.glb");
  mpak_lod levels[2] = {s.product.pack.lods[0], s.product.pack.lods[0]};
  uint64_t skinned = s.hero->skinned_count;
  s.hero->lod = 1;
  mpak_pose_changed(&s.hero->pose);
  mpak_character_deform(s.hero);
  assert_true(s.hero->skinned_count == skinned + 1); // one mesh of one level
  s.product.pack.lods = levels;
  s.product.pack.lod_count = 2;
  ((mpak_mesh *)s.product.pack.meshes)[0].lod_count = 2; // level 1 has no part
  mpak_pose_changed(&s.hero->pose);
  mpak_character_deform(s.hero);
  assert_true(s.hero->skinned_count == skinned + 1);
  s.hero->lod = 0;
  mpak_character_deform(s.hero);
  assert_true(s.hero->skinned_count == skinned + 2);
  ((mpak_mesh *)s.product.pack.meshes)[0].lod_count = 1;
  stage_end(&s);
}

/// The first node that hangs below another one and is no node of the level; at least one is asked for.
static uint32_t node_outside(const mpak_pack *pack, const mpak_lod *level) {
  const uint32_t *required = pack->required_bones + level->first_required;
  uint32_t i = 0;
  for (uint32_t n = 0; n < pack->node_count; ++n) {
    if (i < level->required_count && required[i] == n)
      ++i;
    else if (pack->nodes[n].parent != MPAK_NONE)
      return n;
  }
  fail_msg("the level needs all nodes");
  return MPAK_NONE;
}

static bool same_vertices(const mpak_character *a, const mpak_character *b, uint32_t index) {
  const mpak_pack *pack = a->model->pack;
  return memcmp(a->outputs[index].vertices, b->outputs[index].vertices,
                pack->parts[a->outputs[index].part].vertex_count * sizeof(mpak_base_vertex)) == 0;
}

static void move_nodes(mpak_character *hero, float by) {
  for (uint32_t n = 0; n < hero->model->pack->node_count; ++n) hero->pose.locals[n].translation[0] += by;
  mpak_pose_changed(&hero->pose);
}

/// Level 1 drops bones: they keep their matrices while the rest moves, and the vertices are those of a character that
/// has posed every node. Back at level 0 they are posed again, though the pose has not changed.
static void test_levels_pose_only_what_they_need(void **state) {
  (void)state;
  stage s;
  mpak_character *full;
  cook_profile_lod lods[2] = {{.screen_size = 1, .max_bone_depth = MPAK_NONE},
                              {.screen_size = 0.5f, .error_mm = 500, .max_bone_depth = 1}};
  const cook_profile profile = {.lods = lods, .lod_count = 2};
  const cook_options options = {.lods = 2, .profile = &profile};
  stage_begin_with(&s, "samples/assets/face_anim.glb", &options);
  const mpak_pack *pack = &s.product.pack;
  assert_int_equal(mpak_character_create(s.model, NULL, &full), MPAK_OK);
  assert_int_equal(pack->meshes[0].lod_count, 2);
  const uint32_t outside = node_outside(pack, &pack->lods[1]);
  const mpak_matrix before = s.hero->pose.components[outside];
  s.hero->lod = full->lod = 1;
  move_nodes(s.hero, 0.25f);
  move_nodes(full, 0.25f);
  mpak_pose_compute_components(&full->pose, NULL, 0);
  mpak_character_deform(s.hero);
  mpak_character_deform(full);
  assert_memory_equal(&s.hero->pose.components[outside], &before, sizeof before);
  assert_true(memcmp(&full->pose.components[outside], &before, sizeof before) != 0);
  uint32_t shown = 0;
  for (uint32_t o = 0; o < full->output_count; ++o) {
    if (pack->parts[full->outputs[o].part].lod != 1) continue;
    assert_true(same_vertices(s.hero, full, o));
    ++shown;
  }
  assert_true(shown > 0);
  s.hero->lod = full->lod = 0;
  mpak_character_deform(s.hero);
  mpak_character_deform(full);
  assert_memory_equal(&s.hero->pose.components[outside], &full->pose.components[outside], sizeof before);
  for (uint32_t o = 0; o < full->output_count; ++o) assert_true(same_vertices(s.hero, full, o));
  mpak_character_destroy(full);
  stage_end(&s);
}

static void test_locals_written_by_the_game_move_vertices(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, "samples/assets/face_anim.glb");
  const mpak_pack *pack = &s.product.pack;
  uint32_t root = pack->joints[pack->skins[0].first_joint].node; // every joint hangs below the first one's root
  while (pack->nodes[root].parent != MPAK_NONE) root = pack->nodes[root].parent;
  mpak_base_vertex before = s.hero->outputs[0].vertices[0];
  s.hero->pose.locals[root].translation[0] += 2;
  mpak_pose_changed(&s.hero->pose);
  mpak_character_deform(s.hero);
  assert_float_equal(s.hero->outputs[0].vertices[0].position[0], before.position[0] + 2, 1e-5);
  assert_float_equal(s.hero->outputs[0].vertices[0].position[1], before.position[1], 1e-5);
  stage_end(&s);
}

static void test_characters_of_one_model_are_independent(void **state) {
  (void)state;
  stage s;
  mpak_character *other;
  stage_begin(&s, "samples/assets/face_anim.glb");
  assert_int_equal(mpak_character_create(s.model, NULL, &other), MPAK_OK);
  size_t byte_count = s.product.pack.parts[0].vertex_count * sizeof(mpak_base_vertex);
  assert_memory_equal(other->outputs[0].vertices, s.hero->outputs[0].vertices, byte_count);
  mpak_animation_player_play(&other->player, 0, MPAK_PLAY_LOOP);
  mpak_character_update(other, 0.4);
  mpak_character_update(s.hero, 0.4);
  assert_true(memcmp(other->outputs[0].vertices, s.hero->outputs[0].vertices, byte_count) != 0);
  assert_true(other->outputs[0].data->base == s.hero->outputs[0].data->base); // shared, not copied
  mpak_character_destroy(other);
  stage_end(&s);
}

// -- Random weights --------------------------------------------------------------------------------------------------

/// Any float: inside the ranges, far outside, infinite, NaN.
static float any_weight(uint64_t *seed) {
  float pick = mt_pose_random(seed, 0, 20);
  if (pick < 1) return NAN;
  if (pick < 2) return pick < 1.5f ? INFINITY : -INFINITY;
  return mt_pose_random(seed, -3, 3) * (pick < 3 ? 1e30f : 1);
}

static void check_output(const mpak_character *hero, uint32_t index) {
  const mpak_character_output *output = &hero->outputs[index];
  const mpak_part *part = &hero->model->pack->parts[output->part];
  const mpak_base_vertex *morphed = output->morphed ? output->morphed : output->data->base;
  float min[3], max[3];
  mpak_pose_part_bounds(&hero->pose, output->instance, output->part, hero->palette, min, max);
  assert_true(mt_pose_all_finite(output->vertices[0].position, part->vertex_count * 12));
  for (uint32_t v = 0; v < part->vertex_count; ++v) {
    for (int i = 0; i < 3; ++i) {
      float slack = 1e-6f * (fabsf(min[i]) + fabsf(max[i]));
      assert_true(morphed[v].position[i] >= part->conservative_min[i] - slack);
      assert_true(morphed[v].position[i] <= part->conservative_max[i] + slack);
      assert_true(output->vertices[v].position[i] >= min[i] - slack);
      assert_true(output->vertices[v].position[i] <= max[i] + slack);
    }
  }
}

static void test_random_weights_stay_finite_and_in_bounds(void **state) {
  (void)state;
  uint64_t seed = 9, checked = 0;
  for (int i = 0; i < 5; ++i) {
    stage s;
    stage_begin(&s, samples[i]);
    const mpak_pack *pack = &s.product.pack;
    if (pack->clip_count > 0) mpak_animation_player_play(&s.hero->player, 0, MPAK_PLAY_LOOP);
    for (int round = 0; round < 200; ++round) {
      mpak_character_animate(s.hero, 0.037);
      for (uint32_t n = 0; n < pack->instance_count; ++n) {
        uint32_t controls = pack->meshes[pack->instances[n].mesh].control_count;
        for (uint32_t c = 0; c < controls; ++c, ++checked) {
          mpak_scene_morph_pose_set_weight(&s.hero->morph_pose, pack->instances[n].node, c, any_weight(&seed));
        }
      }
      mpak_character_deform(s.hero);
      // one skin in each sample: its palette is still in the character's work space
      for (uint32_t o = 0; o < s.hero->output_count; ++o) check_output(s.hero, o);
    }
    stage_end(&s);
  }
  printf("print: %llu random weights\n", (unsigned long long)checked);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_characters_agree_with_the_reference),
      cmocka_unit_test(test_shared_characters_agree_with_the_reference),
      cmocka_unit_test(test_refused_allocations_end_cleanly),
      cmocka_unit_test(test_model_without_decoder_is_refused_and_leaks_nothing),
      cmocka_unit_test(test_still_frames_cost_nothing),
      cmocka_unit_test(test_levels_of_detail),
      cmocka_unit_test(test_levels_pose_only_what_they_need),
      cmocka_unit_test(test_locals_written_by_the_game_move_vertices),
      cmocka_unit_test(test_characters_of_one_model_are_independent),
      cmocka_unit_test(test_random_weights_stay_finite_and_in_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
