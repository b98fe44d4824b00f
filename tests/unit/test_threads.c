// One pack, one model, eight threads: opening, decoding, sampling, setting weights, morphing and skinning at once.
// Built with ThreadSanitizer too (make config=thread), which fails the run on any unordered access.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/mpak_pose.h"
#include "tests/support/mt_cook.h"

#define THREADS 8
#define FRAMES  24

typedef struct shared_world {
  uint8_t *bytes;
  uint64_t byte_count;
  mpak_pack pack;
  mpak_model *model;
} shared_world;

typedef struct thread_result {
  const shared_world *world;
  uint32_t number;
  uint64_t hash; ///< of all vertices after the last frame
  int mistakes;
} thread_result;

static uint64_t hash_of(const void *bytes, size_t byte_count, uint64_t hash) {
  for (size_t i = 0; i < byte_count; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
  return hash;
}

/// A whole life of one thread: its own pack handle, its own model, its own character on the shared model.
static void *live(void *user) {
  thread_result *result = user;
  const shared_world *world = result->world;
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_pack own;
  mpak_model *own_model = NULL;
  mpak_character *hero = NULL;
  result->mistakes += mpak_open(world->bytes, world->byte_count, &options, &own, NULL) != MPAK_OK;
  result->mistakes += mpak_model_create(&own, NULL, &own_model, NULL) != MPAK_OK;
  result->mistakes += mpak_character_create(world->model, NULL, &hero) != MPAK_OK;
  if (result->mistakes != 0) return NULL;
  result->mistakes += mpak_animation_player_play(&hero->player, 0, MPAK_PLAY_LOOP) != MPAK_OK;
  for (int frame = 0; frame < FRAMES; frame++) {
    mpak_character_animate(hero, 1.0 / 30);
    const uint32_t node = world->pack.instances[0].node;
    mpak_scene_morph_pose_set_weight(&hero->morph_pose, node, 0, (float)frame / FRAMES);
    mpak_character_deform(hero);
  }
  result->hash = 14695981039346656037u;
  for (uint32_t i = 0; i < hero->output_count; i++) {
    const mpak_character_output *output = &hero->outputs[i];
    const size_t bytes = world->pack.parts[output->part].vertex_count * sizeof(mpak_base_vertex);
    result->hash = hash_of(output->vertices, bytes, result->hash);
  }
  mpak_character_destroy(hero);
  mpak_model_destroy(own_model);
  return NULL;
}

static void test_threads_share_a_pack_and_agree(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  cook_product product = {0};
  assert_int_equal(mt_cook_file(job, mt_path("samples/assets/face_anim.glb"), &(cook_options){0}, &product), 0);
  shared_world world = {.byte_count = product.byte_count};
  world.bytes = aligned_alloc(64, (product.byte_count + 63) & ~UINT64_C(63));
  memcpy(world.bytes, product.bytes, product.byte_count);
  job_end(job);
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  assert_int_equal(mpak_open(world.bytes, world.byte_count, &options, &world.pack, NULL), MPAK_OK);
  assert_int_equal(mpak_model_create(&world.pack, NULL, &world.model, NULL), MPAK_OK);

  pthread_t threads[THREADS];
  thread_result results[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    results[i] = (thread_result){.world = &world, .number = i};
    assert_int_equal(pthread_create(&threads[i], NULL, live, &results[i]), 0);
  }
  for (uint32_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < THREADS; i++) {
    assert_int_equal(results[i].mistakes, 0);
    assert_true(results[i].hash == results[0].hash);
  }
  mpak_model_destroy(world.model);
  free(world.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_share_a_pack_and_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
