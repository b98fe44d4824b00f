// Every GL call and every allocation of the GL runtime fails once: a creation, a frame, an extraction then says so or
// succeeds, crashes and leaks nothing, and works when it is done again.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_gl_case.h"
#include "tests/support/mt_gl_draw.h"

#define FAILURES_MOST_ITEMS 64u
#define FAILURES_MOST_CALLS 5000u

/// How the runtime is used.
typedef struct failures_way {
  mpak_gl_options options;
  mpak_gl_crowd_options crowd;
} failures_way;

static const failures_way ways[] = {
    {.crowd = {.keep_previous = true, .hooks = {.after_morph = "position.x += uHook[0].x;"}}},
    {.options = {.technique = MPAK_GL_INLINE, .without_vertex_storage = true},
     .crowd = {.output = MPAK_GL_OUTPUT_INTERLEAVED}},
    {.options = {.technique = MPAK_GL_CPU, .without_buffer_storage = true}, .crowd = {.output = MPAK_GL_OUTPUT_24}},
};
#define WAY_COUNT (sizeof ways / sizeof ways[0])

static mt_gl_case hero;
static mt_memory memory;

typedef struct failures_scene {
  mpak_gl *gl;
  mpak_gl_model *model;
  mpak_gl_crowd *crowd;
  mpak_gl_item items[FAILURES_MOST_ITEMS];
  uint32_t item_count;
} failures_scene;

static void failures_assert_nothing_left(void) {
  assert_int_equal(mt_seen.buffers, 0);
  assert_int_equal(mt_seen.vertex_arrays, 0);
  assert_int_equal(mt_seen.textures, 0);
  assert_int_equal(mt_seen.programs, 0);
  assert_int_equal(mt_seen.shaders, 0);
  assert_true(memory.held == 0);
}

/// mpak's account of its objects against what is alive.
static void failures_assert_account(const mpak_gl *gl) {
  const mpak_gl_objects *objects = mpak_gl_device_objects(gl);
  assert_int_equal(objects->buffers, mt_seen.buffers);
  assert_int_equal(objects->vertex_arrays, mt_seen.vertex_arrays);
  assert_int_equal(objects->textures, mt_seen.textures);
  assert_int_equal(objects->programs, mt_seen.programs);
  assert_int_equal(objects->shaders, mt_seen.shaders);
}

/// What a call that failed has not put back.
static void failures_clear_state(void) {
  mt_real.UseProgram(0);
  mt_real.BindVertexArray(0);
  mt_real.BindBuffer(GL_ARRAY_BUFFER_, 0);
  mt_real.BindBuffer(GL_COPY_READ_BUFFER_, 0);
  mt_real.BindBuffer(GL_COPY_WRITE_BUFFER_, 0);
  mt_real.BindTexture(GL_TEXTURE_BUFFER_, 0);
  for (gl_uint i = 0; i < 8; ++i) mt_real.BindBufferBase(GL_SHADER_STORAGE_BUFFER_, i, 0);
  while (mt_real.GetError() != GL_NO_ERROR_) continue;
}

static uint64_t failing; ///< number of the call that fails

static mpak_result failures_check(mpak_result result) {
  assert_true(result == MPAK_OK || result == MPAK_ERROR_GL || result == MPAK_ERROR_OUT_OF_MEMORY);
  return result;
}

/// What is done again must work.
static void failures_require(const failures_scene *scene, const char *what, mpak_result result) {
  if (result == MPAK_OK) return;
  fail_msg("call %llu fails; %s again: %d %s", (unsigned long long)failing, what, (int)result,
           scene->gl ? mpak_gl_error_text(scene->gl) : "");
}

/// The steps of a scene, each one done again once where it fails. failed: how many did.
static void failures_run(const failures_way *way, failures_scene *scene, uint32_t *failed) {
  const mpak_allocator allocator = mt_allocator(&memory);
  mpak_gl_options options = way->options;
  options.getproc = mt_gl_getproc;
  options.allocator = &allocator;
  memset(scene, 0, sizeof *scene);
  if (failures_check(mpak_gl_create(&options, &scene->gl)) != MPAK_OK) {
    ++*failed;
    assert_null(scene->gl);
    failures_require(scene, "device", mpak_gl_create(&options, &scene->gl));
  }
  const mpak_gl_model_options model = {.decoded = hero.model};
  if (failures_check(mpak_gl_model_create(scene->gl, &hero.pack, &model, &scene->model, NULL)) != MPAK_OK) {
    ++*failed;
    assert_null(scene->model);
    failures_assert_account(scene->gl);
    assert_int_equal(mt_seen.buffers, 0);
    failures_require(scene, "model", mpak_gl_model_create(scene->gl, &hero.pack, &model, &scene->model, NULL));
  }
  if (failures_check(mpak_gl_crowd_create(scene->model, 2, &way->crowd, &scene->crowd)) != MPAK_OK) {
    ++*failed;
    assert_null(scene->crowd);
    failures_require(scene, "crowd", mpak_gl_crowd_create(scene->model, 2, &way->crowd, &scene->crowd));
  }
  for (uint32_t i = 0; i < 2; ++i)
    assert_int_equal(mpak_gl_crowd_show(scene->crowd, i, &hero.hero->pose, &hero.hero->morph_states, 0), MPAK_OK);
  if (failures_check(mpak_gl_crowd_deform(scene->crowd)) != MPAK_OK) {
    ++*failed;
    failures_assert_account(scene->gl);
    failures_require(scene, "deform", mpak_gl_crowd_deform(scene->crowd));
  }
  mpak_gl_make_writes_visible(scene->gl);
}

/// Nothing to draw is no error (the text tells); the next time there is.
static void failures_extract(failures_scene *scene, uint32_t wanted) {
  scene->item_count = mpak_gl_crowd_extract(scene->crowd, 1, scene->items, FAILURES_MOST_ITEMS);
  assert_true(scene->item_count <= wanted);
  scene->item_count = mpak_gl_crowd_extract(scene->crowd, 1, scene->items, FAILURES_MOST_ITEMS);
  if (scene->item_count != wanted)
    fail_msg("call %llu fails; %u items: %s", (unsigned long long)failing, scene->item_count,
             mpak_gl_error_text(scene->gl));
  for (uint32_t i = 0; i < wanted; ++i) {
    assert_true(scene->items[i].vertex_array != 0);
    assert_true(!scene->items[i].is_skinned_inline || scene->items[i].palette_buffer ||
                scene->items[i].palette_texture);
  }
}

static void failures_end(failures_scene *scene) {
  failures_assert_account(scene->gl);
  mpak_gl_crowd_destroy(scene->crowd);
  mpak_gl_model_destroy(scene->model);
  mpak_gl_destroy(scene->gl);
  failures_assert_nothing_left();
  failures_clear_state();
}

/// Runs the way until its nth call (of GL, or of the allocator) is beyond its end. Returns how many there are.
static uint64_t failures_try_all(const failures_way *way, bool is_memory) {
  static failures_scene scene;
  uint32_t failed = 0, wanted = 0;
  uint64_t nth = 0;
  mt_gl_fail_at(0);
  memory = (mt_memory){0};
  memset(&mt_seen, 0, sizeof mt_seen);
  failures_run(way, &scene, &failed);
  wanted = mpak_gl_crowd_extract(scene.crowd, 1, NULL, 0);
  assert_int_equal(mpak_gl_crowd_extract(scene.crowd, 1, scene.items, FAILURES_MOST_ITEMS), wanted);
  assert_int_equal(mt_seen.errors, 0);
  failures_end(&scene);
  assert_int_equal(failed, 0);
  for (bool was_reached = true; was_reached && nth < FAILURES_MOST_CALLS;) {
    failing = ++nth;
    mt_gl_fail_at(is_memory ? 0 : nth);
    memory = (mt_memory){.refuse_at = is_memory ? nth : 0};
    failures_run(way, &scene, &failed);
    failures_extract(&scene, wanted);
    was_reached = is_memory ? memory.calls >= nth : mt_seen.has_failed;
    mt_gl_fail_at(0);
    memory.refuse_at = 0;
    failures_end(&scene);
  }
  assert_true(nth < FAILURES_MOST_CALLS);
  assert_true(failed > 0);
  return nth - 1;
}

static void test_gl_every_call_may_fail(void **state) {
  (void)state;
  for (size_t w = 0; w < WAY_COUNT; ++w)
    printf("print: way %zu: each of %llu GL calls failed\n", w, (unsigned long long)failures_try_all(&ways[w], false));
}

static void test_gl_every_allocation_may_fail(void **state) {
  (void)state;
  for (size_t w = 0; w < WAY_COUNT; ++w)
    printf("print: way %zu: each of %llu allocations failed\n", w,
           (unsigned long long)failures_try_all(&ways[w], true));
}

/// A context that lacks a function of GL 3.3 is refused by name; one that lacks GL 4.3's takes the CPU.
static const char *missing_name;
static mpak_gl_function failures_getproc(void *user, const char *name) {
  return strcmp(name, missing_name) == 0 ? NULL : mt_gl_getproc(user, name);
}

static void test_gl_missing_functions(void **state) {
  (void)state;
  mpak_gl *gl;
  const mpak_gl_options options = {.getproc = failures_getproc};
#define MISSING_NEEDED(result, name, parameters)                                                                       \
  missing_name = "gl" #name;                                                                                           \
  assert_int_equal(mpak_gl_create(&options, &gl), MPAK_ERROR_GL);                                                      \
  assert_null(gl);
  GL_FUNCTIONS_NEEDED(MISSING_NEEDED)
#define MISSING_COMPUTE(result, name, parameters)                                                                      \
  missing_name = "gl" #name;                                                                                           \
  assert_int_equal(mpak_gl_create(&options, &gl), MPAK_OK);                                                            \
  assert_false(mpak_gl_device_limits(gl)->has_compute);                                                                \
  mpak_gl_destroy(gl);
  GL_FUNCTIONS_COMPUTE(MISSING_COMPUTE)
  missing_name = "glBufferStorage";
  assert_int_equal(mpak_gl_create(&options, &gl), MPAK_OK);
  assert_true(mpak_gl_device_limits(gl)->has_compute);
  mpak_gl_destroy(gl);
}

/// Restoring fails at every call, and then works.
static void test_gl_restoring_may_fail(void **state) {
  (void)state;
  static failures_scene scene;
  uint32_t failed = 0;
  memory = (mt_memory){0};
  failures_run(&ways[0], &scene, &failed);
  failures_extract(&scene, mpak_gl_crowd_extract(scene.crowd, 1, NULL, 0));
  const uint32_t wanted = scene.item_count;
  for (uint64_t nth = 1, was_reached = 1; was_reached; ++nth) {
    mpak_gl_context_lost(scene.gl);
    assert_true(mt_gl_open_again());
    failing = nth;
    mt_gl_fail_at(nth);
    if (failures_check(mpak_gl_restore(scene.gl)) != MPAK_OK) {
      ++failed;
      failures_assert_account(scene.gl);
      failures_require(&scene, "restore", mpak_gl_restore(scene.gl));
    }
    was_reached = mt_seen.has_failed;
    mt_gl_fail_at(0);
    assert_int_equal(mpak_gl_crowd_deform(scene.crowd), MPAK_OK);
    mpak_gl_make_writes_visible(scene.gl);
    failures_extract(&scene, wanted);
  }
  assert_true(failed > 0);
  failures_end(&scene);
}

static int failures_set_up(void **state) {
  (void)state;
  if (!mt_gl_case_make(&hero, mt_path("samples/assets/head_parts.glb"), &(cook_options){0})) return -1;
  mt_gl_case_pose(&hero, 1);
  return 0;
}

static int failures_tear_down(void **state) {
  (void)state;
  mt_gl_case_free(&hero);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gl_missing_functions),
      cmocka_unit_test(test_gl_every_call_may_fail),
      cmocka_unit_test(test_gl_every_allocation_may_fail),
      cmocka_unit_test(test_gl_restoring_may_fail),
  };
  return mt_gl_open() ? cmocka_run_group_tests(tests, failures_set_up, failures_tear_down) : 0;
}
