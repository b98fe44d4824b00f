// Frames of the GL runtime: nothing is done while nothing changes, and exactly what changed otherwise; the caller's
// state comes back; a lost context is survived; hooks take part; and which technique is chosen.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/gl/gl_private.h"
#include "tests/support/mt_gl_case.h"
#include "tests/support/mt_gl_draw.h"
#include "tests/support/mt_pose.h"

#define FRAMES_MOST_ITEMS 64u

/// A case on the GPU: one crowd.
typedef struct frames_scene {
  mt_gl_case hero;
  mpak_gl *gl;
  mpak_gl_model *model;
  mpak_gl_crowd *crowd;
} frames_scene;

static void frames_open_crowd(frames_scene *scene, const mpak_gl_options *options, uint32_t count,
                              const mpak_gl_crowd_options *crowd) {
  mpak_gl_options own = options ? *options : (mpak_gl_options){0};
  own.getproc = mt_gl_getproc;
  assert_int_equal(mpak_gl_create(&own, &scene->gl), MPAK_OK);
  assert_int_equal(mpak_gl_model_create(scene->gl, scene->hero.model->pack, NULL, &scene->model, NULL), MPAK_OK);
  assert_int_equal(mpak_gl_crowd_create(scene->model, count, crowd, &scene->crowd), MPAK_OK);
}

static void frames_open(frames_scene *scene, const char *path, const mpak_gl_options *options, uint32_t count,
                        const mpak_gl_crowd_options *crowd) {
  memset(scene, 0, sizeof *scene);
  assert_true(mt_gl_case_make(&scene->hero, mt_path(path), &(cook_options){0}));
  frames_open_crowd(scene, options, count, crowd);
}

/// Everything of the GL must be gone then, by mpak's account and by the driver's.
static void frames_close(frames_scene *scene) {
  mpak_gl_crowd_destroy(scene->crowd);
  mpak_gl_model_destroy(scene->model);
  const mpak_gl_objects *objects = mpak_gl_device_objects(scene->gl);
  assert_int_equal(objects->buffers + objects->vertex_arrays + objects->textures + objects->shaders, 0);
  assert_true(objects->buffer_bytes == 0);
  mpak_gl_destroy(scene->gl);
  mt_gl_draw_end(false);
  assert_int_equal(mt_seen.buffers + mt_seen.vertex_arrays + mt_seen.textures + mt_seen.programs + mt_seen.shaders, 0);
  assert_int_equal(mt_seen.errors, 0);
  mt_gl_case_free(&scene->hero);
}

static void frames_show(frames_scene *scene, uint32_t individual) {
  const mpak_character *hero = scene->hero.hero;
  assert_int_equal(mpak_gl_crowd_show(scene->crowd, individual, &hero->pose, &hero->morph_states, 0), MPAK_OK);
}

static void frames_frame(frames_scene *scene) {
  if (mpak_gl_crowd_deform(scene->crowd) != MPAK_OK) fail_msg("%s", mpak_gl_error_text(scene->gl));
  mpak_gl_make_writes_visible(scene->gl);
}

/// What grew since `before`.
static mpak_gl_counters frames_grown(const frames_scene *scene, const mpak_gl_counters *before) {
  const mpak_gl_counters *now = mpak_gl_device_counters(scene->gl);
  return (mpak_gl_counters){.frames = now->frames - before->frames,
                            .weight_uploads = now->weight_uploads - before->weight_uploads,
                            .palette_uploads = now->palette_uploads - before->palette_uploads,
                            .vertex_uploads = now->vertex_uploads - before->vertex_uploads,
                            .upload_bytes = now->upload_bytes - before->upload_bytes,
                            .dispatches = now->dispatches - before->dispatches,
                            .barriers = now->barriers - before->barriers,
                            .skipped = now->skipped - before->skipped,
                            .cpu_morphs = now->cpu_morphs - before->cpu_morphs};
}

static void frames_assert_work(const frames_scene *scene, const mpak_gl_counters *before, uint64_t weights,
                               uint64_t palettes, uint64_t dispatches) {
  const mpak_gl_counters grown = frames_grown(scene, before);
  assert_int_equal(grown.weight_uploads, weights);
  assert_int_equal(grown.palette_uploads, palettes);
  assert_int_equal(grown.dispatches, dispatches);
  assert_int_equal(grown.barriers, dispatches > 0);
  assert_int_equal(grown.vertex_uploads, 0);
  assert_int_equal(grown.upload_bytes > 0, weights + palettes > 0);
}

// -- Nothing changes -------------------------------------------------------------------------------------------------

/// F100: a thousand frames of the same expression, by mpak's counters and by the GL calls themselves.
static void test_gl_still_face_costs_nothing(void **state) {
  (void)state;
  frames_scene scene;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 2, NULL);
  mt_gl_case_pose(&scene.hero, 1);
  for (uint32_t i = 0; i < 2; ++i) frames_show(&scene, i);
  frames_frame(&scene);
  const mpak_gl_counters before = *mpak_gl_device_counters(scene.gl);
  const uint64_t calls = mt_seen.calls;
  assert_true(before.dispatches > 0 && before.weight_uploads > 0 && before.barriers == 1);
  for (int frame = 0; frame < 1000; ++frame) {
    mpak_character_update(scene.hero.hero, 0);
    for (uint32_t i = 0; i < 2; ++i) frames_show(&scene, i);
    frames_frame(&scene);
  }
  frames_assert_work(&scene, &before, 0, 0, 0);
  assert_int_equal(frames_grown(&scene, &before).frames, 1000);
  assert_true(frames_grown(&scene, &before).skipped > 0);
  assert_int_equal(mt_seen.calls, calls); // not one GL call
  frames_close(&scene);
}

static uint32_t frames_instance_with_shapes(const mpak_pack *pack, uint32_t *part) {
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    for (*part = mesh->first_part; *part < mesh->first_part + mesh->part_count; ++*part)
      if (pack->parts[*part].shape_count > 0) return i;
  }
  fail_msg("no shapes");
  return 0;
}

static mpak_morph_state *frames_state(frames_scene *scene) {
  uint32_t part;
  const uint32_t instance = frames_instance_with_shapes(&scene->hero.pack, &part);
  for (uint32_t s = 0;; ++s) {
    mpak_morph_state *found = &scene->hero.hero->morph_states.states[s];
    if (found->instance == instance && found->part == part) return found;
  }
}

/// F101: one primitive, one upload, one dispatch; F103: a weight that is no number changes nothing for ever.
static void test_gl_one_changed_primitive_is_one_upload_and_one_dispatch(void **state) {
  (void)state;
  frames_scene scene;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 1, NULL);
  frames_show(&scene, 0);
  frames_frame(&scene);
  mpak_morph_state *changed = frames_state(&scene);
  for (int round = 0; round < 3; ++round) {
    mpak_gl_counters before = *mpak_gl_device_counters(scene.gl);
    assert_int_equal(mpak_morph_state_set_weight(changed, 0, 0.25f * (float)(round + 1)), MPAK_OK);
    frames_show(&scene, 0);
    frames_frame(&scene);
    frames_assert_work(&scene, &before, 1, 0, 1);
  }
  mpak_gl_counters before = *mpak_gl_device_counters(scene.gl);
  for (int frame = 0; frame < 10; ++frame) {
    assert_int_equal(mpak_morph_state_set_weight(changed, 0, NAN), MPAK_OK);
    frames_show(&scene, 0);
    frames_frame(&scene);
  }
  frames_assert_work(&scene, &before, 1, 0, 1); // to 0 once
  frames_close(&scene);
}

/// The number of outputs that are skinned.
static uint32_t frames_skinned(const mpak_pack *pack) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    for (uint32_t p = 0; p < mesh->part_count && pack->instances[i].skin != MPAK_NONE; ++p)
      count += pack->parts[mesh->first_part + p].influence_count > 0 && pack->parts[mesh->first_part + p].lod == 0;
  }
  return count;
}

/// A moved bone: one palette upload, one dispatch for each skinned output; inline: no dispatch at all.
static void frames_check_pose(mpak_gl_technique technique) {
  frames_scene scene;
  frames_open(&scene, "samples/assets/head_parts.glb", &(mpak_gl_options){.technique = technique}, 1, NULL);
  mpak_pose *pose = &scene.hero.hero->pose;
  frames_show(&scene, 0);
  frames_frame(&scene);
  const uint32_t skinned = frames_skinned(&scene.hero.pack);
  assert_true(skinned > 0);
  for (int round = 0; round < 3; ++round) {
    mpak_gl_counters before = *mpak_gl_device_counters(scene.gl);
    for (uint32_t n = 0; n < scene.hero.pack.node_count; ++n) pose->locals[n].translation[1] += 0.125f;
    mpak_pose_changed(pose);
    mpak_character_deform(scene.hero.hero);
    frames_show(&scene, 0);
    frames_frame(&scene);
    frames_assert_work(&scene, &before, 0, 1, technique == MPAK_GL_INLINE ? 0 : skinned);
    before = *mpak_gl_device_counters(scene.gl);
    mpak_pose_changed(pose); // says so, but nothing did
    mpak_character_deform(scene.hero.hero);
    frames_show(&scene, 0);
    frames_frame(&scene);
    frames_assert_work(&scene, &before, 0, 0, 0);
  }
  frames_close(&scene);
}

static void test_gl_moved_bones_are_one_palette_upload(void **state) {
  (void)state;
  frames_check_pose(MPAK_GL_AUTO);
  frames_check_pose(MPAK_GL_INLINE);
}

/// Individuals that change together are one dispatch; a hidden one costs nothing and shows nothing.
static void test_gl_individuals_share_a_dispatch(void **state) {
  (void)state;
  frames_scene scene;
  frames_open(&scene, "samples/assets/face_anim.glb", &(mpak_gl_options){.technique = MPAK_GL_INLINE}, 40, NULL);
  uint32_t part;
  const uint32_t instance = frames_instance_with_shapes(&scene.hero.pack, &part);
  for (uint32_t i = 0; i < 40; ++i) {
    mt_gl_case_pose(&scene.hero, i % 6);
    frames_show(&scene, i);
  }
  frames_frame(&scene);
  assert_int_equal(mpak_gl_device_counters(scene.gl)->dispatches, mpak_gl_device_counters(scene.gl)->weight_uploads);
  mpak_gl_crowd_hide(scene.crowd, 7);
  mpak_gl_output output;
  assert_int_equal(mpak_gl_crowd_output(scene.crowd, 7, instance, part, &output), MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_gl_crowd_extract(scene.crowd, 7, NULL, 0), 0);
  assert_true(mpak_gl_crowd_extract(scene.crowd, 8, NULL, 0) > 0);
  frames_close(&scene);
}

static uint32_t frames_draw_all(frames_scene *scene, mt_gl_vertex **vertices);

/// Previous positions are what the frame before showed; after a frame without change, what is shown.
static void test_gl_previous_positions_are_the_frames_before(void **state) {
  (void)state;
  frames_scene scene;
  mt_gl_vertex *before = NULL, *now;
  uint32_t moved = 0;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 2, &(mpak_gl_crowd_options){.keep_previous = true});
  for (uint32_t round = 0; round < 12; ++round) {
    const bool is_still = round % 4 == 3;
    if (!is_still) mt_gl_case_pose(&scene.hero, round + 1);
    frames_show(&scene, 0);
    if (round == 5) frames_show(&scene, 1); // another individual changes the buffers' turns
    frames_frame(&scene);
    const uint32_t count = frames_draw_all(&scene, &now);
    assert_true(count > 0);
    for (uint32_t v = 0; v < count && before; ++v) {
      assert_memory_equal(now[v].previous, before[v].position, 12);
      moved += memcmp(now[v].position, before[v].position, 12) != 0;
    }
    free(before);
    before = now;
  }
  free(before);
  assert_true(moved > 0);
  frames_close(&scene);
}

// -- Wrong arguments -------------------------------------------------------------------------------------------------

static void test_gl_refuses_what_does_not_belong(void **state) {
  (void)state;
  frames_scene scene, other;
  mpak_gl *gl;
  mpak_gl_crowd *crowd;
  assert_int_equal(mpak_gl_create(NULL, &gl), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_gl_create(&(mpak_gl_options){0}, &gl), MPAK_ERROR_ARGUMENT);
  assert_null(gl);
  frames_open(&scene, "samples/assets/face_anim.glb", NULL, 1, NULL);
  memset(&other, 0, sizeof other);
  assert_true(mt_gl_case_make(&other.hero, mt_path("samples/assets/head_parts.glb"), &(cook_options){0}));
  const mpak_character *hero = scene.hero.hero, *stranger = other.hero.hero;
  assert_int_equal(mpak_gl_crowd_create(scene.model, 0, NULL, &crowd), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_gl_crowd_create(scene.model, 65536, NULL, &crowd), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_gl_crowd_show(scene.crowd, 1, &hero->pose, &hero->morph_states, 0), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_gl_crowd_show(scene.crowd, 0, &stranger->pose, NULL, 0), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_gl_crowd_show(scene.crowd, 0, &hero->pose, &stranger->morph_states, 0), MPAK_ERROR_ARGUMENT);
  mpak_pose_changed(&scene.hero.hero->pose);
  assert_int_equal(mpak_gl_crowd_show(scene.crowd, 0, &hero->pose, &hero->morph_states, 0), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_gl_crowd_extract(scene.crowd, 0, NULL, 0), 0);
  frames_close(&scene);
  mt_gl_case_free(&other.hero);
}

// -- The caller's state ----------------------------------------------------------------------------------------------

enum { FRAMES_BINDINGS = 8, FRAMES_TEXTURE_BINDING_BUFFER = 0x8C2C, FRAMES_ELEMENT_BINDING = 0x8895 };

/// All that mpak may have touched.
typedef struct frames_state_of_gl {
  gl_int program, array, element, general, vertex_array, texture, copy_read, copy_write;
  gl_int buffers[FRAMES_BINDINGS];
  int64_t starts[FRAMES_BINDINGS], sizes[FRAMES_BINDINGS];
} frames_state_of_gl;

static frames_state_of_gl frames_read_state(void) {
  frames_state_of_gl read;
  memset(&read, 0, sizeof read);
  mt_real.GetIntegerv(GL_CURRENT_PROGRAM_, &read.program);
  mt_real.GetIntegerv(GL_ARRAY_BUFFER_BINDING_, &read.array);
  mt_real.GetIntegerv(FRAMES_ELEMENT_BINDING, &read.element);
  mt_real.GetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING_, &read.general);
  mt_real.GetIntegerv(GL_VERTEX_ARRAY_BINDING_, &read.vertex_array);
  mt_real.GetIntegerv(FRAMES_TEXTURE_BINDING_BUFFER, &read.texture);
  mt_real.GetIntegerv(GL_COPY_READ_BUFFER_, &read.copy_read);
  mt_real.GetIntegerv(GL_COPY_WRITE_BUFFER_, &read.copy_write);
  for (gl_uint i = 0; i < FRAMES_BINDINGS; ++i) {
    mt_real.GetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING_, i, &read.buffers[i]);
    mt_real.GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START_, i, &read.starts[i]);
    mt_real.GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE_, i, &read.sizes[i]);
  }
  return read;
}

static gl_uint frames_objects[6];

/// A program, buffers, a vertex array and a texture of the caller's, bound everywhere.
static frames_state_of_gl frames_bind_own(void) {
  static const char *const source = "#version 430\nlayout(local_size_x = 1) in; void main() {}\n";
  gl_uint shader = mt_real.CreateShader(GL_COMPUTE_SHADER_);
  gl_uint *o = frames_objects;
  o[0] = mt_real.CreateProgram();
  mt_real.ShaderSource(shader, 1, &source, NULL);
  mt_real.CompileShader(shader);
  mt_real.AttachShader(o[0], shader);
  mt_real.LinkProgram(o[0]);
  mt_real.DeleteShader(shader);
  mt_real.GenBuffers(2, &o[1]);
  mt_real.GenVertexArrays(1, &o[3]);
  mt_real.GenTextures(1, &o[4]);
  mt_real.UseProgram(o[0]);
  mt_real.BindVertexArray(o[3]);
  mt_real.BindBuffer(GL_ARRAY_BUFFER_, o[1]);
  mt_real.BufferData(GL_ARRAY_BUFFER_, 4096, NULL, GL_STATIC_DRAW_);
  mt_real.BindBuffer(GL_ELEMENT_ARRAY_BUFFER_, o[2]);
  mt_real.BindBuffer(GL_COPY_READ_BUFFER_, o[1]);
  mt_real.BindBuffer(GL_COPY_WRITE_BUFFER_, o[2]);
  mt_real.BindTexture(GL_TEXTURE_BUFFER_, o[4]);
  mt_real.BindBufferBase(GL_SHADER_STORAGE_BUFFER_, 1, o[1]); // 0 stays free, 1 is whole, the others are ranges
  for (gl_uint i = 2; i < FRAMES_BINDINGS; ++i)
    mt_real.BindBufferRange(GL_SHADER_STORAGE_BUFFER_, i, o[1], 256 * (gl_size)i, 16 * (gl_size)i);
  mt_real.BindBuffer(GL_SHADER_STORAGE_BUFFER_, o[2]);
  return frames_read_state();
}

static void frames_unbind_own(void) {
  gl_uint *o = frames_objects;
  mt_real.UseProgram(0);
  mt_real.BindVertexArray(0);
  mt_real.DeleteProgram(o[0]);
  mt_real.DeleteBuffers(2, &o[1]);
  mt_real.DeleteVertexArrays(1, &o[3]);
  mt_real.DeleteTextures(1, &o[4]);
}

static void frames_check_state(const mpak_gl_options *options, mpak_gl_output_format format) {
  static mpak_gl_item items[FRAMES_MOST_ITEMS];
  frames_scene scene;
  const frames_state_of_gl own = frames_bind_own();
  frames_open(&scene, "samples/assets/head_parts.glb", options, 2, &(mpak_gl_crowd_options){.output = format});
  frames_state_of_gl now = frames_read_state();
  assert_memory_equal(&now, &own, sizeof now);
  for (uint32_t round = 0; round < 2; ++round) {
    mt_gl_case_pose(&scene.hero, round + 1);
    frames_show(&scene, 1);
    frames_frame(&scene);
    now = frames_read_state();
    assert_memory_equal(&now, &own, sizeof now);
    assert_true(mpak_gl_crowd_extract(scene.crowd, 1, items, FRAMES_MOST_ITEMS) > 0);
    now = frames_read_state();
    assert_memory_equal(&now, &own, sizeof now);
  }
  frames_close(&scene);
  now = frames_read_state();
  assert_memory_equal(&now, &own, sizeof now);
  frames_unbind_own();
}

static void test_gl_gives_the_callers_state_back(void **state) {
  (void)state;
  frames_check_state(NULL, MPAK_GL_OUTPUT_48);
  frames_check_state(&(mpak_gl_options){.technique = MPAK_GL_INLINE, .without_vertex_storage = true},
                     MPAK_GL_OUTPUT_INTERLEAVED);
  frames_check_state(&(mpak_gl_options){.technique = MPAK_GL_CPU}, MPAK_GL_OUTPUT_24);
}

// -- A lost context --------------------------------------------------------------------------------------------------

/// All that individual 0 shows, one behind another. Returns the count.
static uint32_t frames_draw_all(frames_scene *scene, mt_gl_vertex **vertices) {
  static mpak_gl_item items[FRAMES_MOST_ITEMS];
  const uint32_t item_count = mpak_gl_crowd_extract(scene->crowd, 0, items, FRAMES_MOST_ITEMS);
  uint32_t count = 0, at = 0;
  for (uint32_t i = 0; i < item_count; ++i) count += items[i].index_count;
  *vertices = malloc((count + 1) * sizeof **vertices);
  assert_non_null(*vertices);
  for (uint32_t i = 0; i < item_count; ++i) {
    mt_gl_vertex *drawn = mt_gl_draw(scene->gl, &items[i], MPAK_GL_OUTPUT_48);
    memcpy(*vertices + at, drawn, items[i].index_count * sizeof *drawn);
    at += items[i].index_count;
    free(drawn);
  }
  return count;
}

static void test_gl_survives_a_lost_context(void **state) {
  (void)state;
  frames_scene scene;
  mt_gl_vertex *before, *after;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 2, NULL);
  mt_gl_case_pose(&scene.hero, 2);
  frames_show(&scene, 0);
  frames_frame(&scene);
  const uint32_t count = frames_draw_all(&scene, &before);
  assert_true(count > 0);
  const uint64_t calls = mt_seen.calls;
  mt_gl_draw_end(true);
  mpak_gl_context_lost(scene.gl);
  assert_int_equal(mt_seen.calls, calls);
  assert_int_equal(mpak_gl_device_objects(scene.gl)->buffers, 0);
  assert_int_equal(mpak_gl_crowd_deform(scene.crowd), MPAK_ERROR_GL);
  assert_int_equal(mpak_gl_crowd_extract(scene.crowd, 0, NULL, 0), 0);
  mpak_gl_make_writes_visible(scene.gl);
  assert_int_equal(mt_seen.calls, calls);
  assert_true(mt_gl_open_again());
  assert_int_equal(mpak_gl_restore(scene.gl), MPAK_OK);
  frames_frame(&scene);
  assert_int_equal(frames_draw_all(&scene, &after), count);
  assert_memory_equal(after, before, count * sizeof *after);
  free(before);
  free(after);
  frames_close(&scene);
}

/// Everything may be destroyed while the context is gone, without a GL call.
static void test_gl_ends_in_a_lost_context(void **state) {
  (void)state;
  frames_scene scene;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 1, NULL);
  frames_show(&scene, 0);
  frames_frame(&scene);
  mpak_gl_context_lost(scene.gl);
  assert_true(mt_gl_open_again());
  frames_close(&scene);
  assert_int_equal(mt_seen.calls, 0);
}

// -- The choice of a technique ---------------------------------------------------------------------------------------

static void test_gl_technique_by_the_documents_table(void **state) {
  (void)state;
  const mpak_gl_limits desktop = {.version = 45,
                                  .has_compute = true,
                                  .has_vertex_storage = true,
                                  .max_storage_block_bytes = 128u << 20,
                                  .max_bones_per_section = 65536};
  mpak_gl_limits small = desktop, old = desktop;
  small.is_small = true;
  small.max_bones_per_section = 256;
  old.has_compute = false;
  const struct {
    const mpak_gl_limits *limits;
    mpak_gl_technique forced;
    mpak_gl_part_facts facts;
    mpak_gl_technique expected;
  } rows[] = {
      {&desktop, MPAK_GL_AUTO, {.vertex_count = 1000, .is_skinned = true}, MPAK_GL_SKIN_CACHE},
      {&desktop, MPAK_GL_AUTO, {.vertex_count = 21846, .is_skinned = true}, MPAK_GL_SKIN_CACHE},
      {&desktop, MPAK_GL_AUTO, {.vertex_count = 1000}, MPAK_GL_INLINE},
      {&small, MPAK_GL_AUTO, {.vertex_count = 21845, .is_skinned = true}, MPAK_GL_SKIN_CACHE}, // F83: 65,535
      {&small, MPAK_GL_AUTO, {.vertex_count = 21846, .is_skinned = true}, MPAK_GL_INLINE},     // 65,538 >= 65,536
      {&small, MPAK_GL_AUTO, {.vertex_count = 4000000000u, .is_skinned = true}, MPAK_GL_INLINE},
      {&small, MPAK_GL_AUTO, {10, true, 256, 0}, MPAK_GL_SKIN_CACHE}, // F150
      {&small, MPAK_GL_AUTO, {10, true, 257, 0}, MPAK_GL_CPU},
      {&small, MPAK_GL_INLINE, {10, true, 257, 0}, MPAK_GL_CPU},
      {&small, MPAK_GL_SKIN_CACHE, {10, true, 257, 0}, MPAK_GL_CPU},
      {&desktop, MPAK_GL_AUTO, {10, true, 10, 128u << 20}, MPAK_GL_SKIN_CACHE},
      {&desktop, MPAK_GL_AUTO, {10, true, 10, (128u << 20) + 1}, MPAK_GL_CPU},
      {&desktop, MPAK_GL_INLINE, {10, true, 10, 0}, MPAK_GL_INLINE},
      {&desktop, MPAK_GL_CPU, {10, true, 10, 0}, MPAK_GL_CPU},
      {&old, MPAK_GL_AUTO, {10, true, 10, 0}, MPAK_GL_CPU},
      {&old, MPAK_GL_SKIN_CACHE, {10, false, 0, 0}, MPAK_GL_CPU},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    assert_int_equal(mpak_gl_choose_technique(rows[i].limits, rows[i].forced, &rows[i].facts), rows[i].expected);
}

/// F151: a desktop pack of 500 bones, 81 to 218 in a section, on a device that takes 100: the CPU moves three parts,
/// the GPU one, and both show the same vertices as a desktop.
static void test_gl_a_desktop_pack_on_a_small_device(void **state) {
  (void)state;
  static frames_scene big, small;
  char path[4096], command[9000];
  snprintf(path, sizeof path, "%s/big_character.glb", mt_scratch());
  snprintf(command, sizeof command, "python3 %s %s", mt_path("tests/support/big_character.py"), path);
  if (system(command) != 0) {
    printf("not run: 1 character of 500 bones needs python3\n");
    skip();
  }
  memset(&small, 0, sizeof small);
  assert_true(mt_gl_case_make(&small.hero, path, &(cook_options){0}));
  assert_true(mpak_max_bones_per_section(&small.hero.pack, 0) > 200);
  const mpak_gl_options options = {.lower = {.max_bones_per_section = 100}};
  frames_open_crowd(&small, &options, 1, NULL);
  big.hero = small.hero;
  frames_open_crowd(&big, NULL, 1, NULL);
  mt_gl_case_pose(&small.hero, 1);
  uint32_t cpu_parts = 0;
  for (uint32_t p = 0; p < small.hero.pack.part_count; ++p) {
    cpu_parts += mpak_gl_model_technique(small.model, p) == MPAK_GL_CPU;
    assert_int_equal(mpak_gl_model_technique(big.model, p), MPAK_GL_SKIN_CACHE);
  }
  assert_int_equal(cpu_parts, 3);
  mt_gl_vertex *vertices[2];
  frames_show(&small, 0);
  frames_show(&big, 0);
  frames_frame(&small);
  frames_frame(&big);
  const uint32_t count = frames_draw_all(&small, &vertices[0]);
  assert_int_equal(frames_draw_all(&big, &vertices[1]), count);
  assert_true(count > 0);
  double extent = 0, difference = 0;
  for (uint32_t v = 0; v < count; ++v) {
    for (int i = 0; i < 3; ++i) {
      extent = fmax(extent, fabs((double)vertices[0][v].position[i]));
      difference = fmax(difference, fabs((double)vertices[0][v].position[i] - (double)vertices[1][v].position[i]));
    }
    assert_true(mt_gl_angle(vertices[0][v].normal, vertices[1][v].normal) <= 1e-3);
  }
  assert_true(difference <= 1e-5 * extent);
  free(vertices[0]);
  free(vertices[1]);
  mpak_gl_crowd_destroy(big.crowd);
  mpak_gl_model_destroy(big.model);
  mpak_gl_destroy(big.gl);
  frames_close(&small);
}

// -- Hooks -----------------------------------------------------------------------------------------------------------

/// CPU vertices of the case's output `o`, through the steps one by one with a hook between them.
typedef void (*frames_hook)(mpak_base_vertex *vertex, uint32_t index);

static void frames_expect_hook(frames_scene *scene, uint32_t o, frames_hook after_morph, frames_hook skin,
                               frames_hook after_skin, mpak_base_vertex *out) {
  const mpak_pack *pack = &scene->hero.pack;
  const mpak_character_output *output = &scene->hero.hero->outputs[o];
  const uint32_t count = pack->parts[output->part].vertex_count, skin_number = pack->instances[output->instance].skin;
  mpak_morph_vertices(pack, output->part, output->data, scene->hero.hero->morph_states.states[o].shape_weights, out);
  for (uint32_t v = 0; after_morph && v < count; ++v) after_morph(&out[v], v);
  if (skin) {
    for (uint32_t v = 0; v < count; ++v) skin(&out[v], v);
  } else {
    mpak_pose_skin_palette(&scene->hero.hero->pose, skin_number, scene->hero.hero->palette);
    mpak_skin_vertices(pack, output->part, output->data, scene->hero.hero->palette, out, out);
  }
  for (uint32_t v = 0; after_skin && v < count; ++v) after_skin(&out[v], v);
}

/// A wave that travels along x: uHook[0] is {height, waves a metre, phase}.
static const char wave_text[] = "position.y += uHook[0].x * sin(uHook[0].y * position.x + uHook[0].z);";
static const float wave_values[8][4] = {{0.05f, 7, 1.5f, 0}, {0.25f, 0.5f, -0.75f, 0}};
static void wave_apply(mpak_base_vertex *vertex, uint32_t index) {
  (void)index;
  vertex->position[1] += 0.05f * sinf(7 * vertex->position[0] + 1.5f);
}

/// A skin that swaps axes: a quarter turn about z, and directions that are not unit.
static const char turn_text[] = "position = vec3(-position.y, position.x, position.z);\n"
                                "normal = 3.0 * vec3(-normal.y, normal.x, normal.z);\n"
                                "tangent.xyz = vec3(-tangent.y, tangent.x, tangent.z);";
static void turn_apply(mpak_base_vertex *vertex, uint32_t index) {
  (void)index;
  float *streams[3] = {vertex->position, vertex->normal, vertex->tangent};
  for (int i = 0; i < 3; ++i) {
    const float x = streams[i][0];
    streams[i][0] = -streams[i][1];
    streams[i][1] = x;
  }
}

/// Cloth: every third vertex is drawn halfway to a simulated place.
static const char cloth_text[] = "if (vertex % 3u == 0u) position = mix(position, uHook[1].xyz, 0.5);";
static void cloth_apply(mpak_base_vertex *vertex, uint32_t index) {
  for (int i = 0; i < 3 && index % 3 == 0; ++i)
    vertex->position[i] = 0.5f * vertex->position[i] + 0.5f * wave_values[1][i];
}

static void frames_check_hooks(const mpak_gl_hooks *hooks, frames_hook after_morph, frames_hook skin,
                               frames_hook after_skin) {
  frames_scene scene;
  static mpak_gl_item items[FRAMES_MOST_ITEMS];
  frames_open(&scene, "samples/assets/face_anim.glb", NULL, 1, &(mpak_gl_crowd_options){.hooks = *hooks});
  mpak_gl_crowd_set_hook_values(scene.crowd, wave_values);
  mt_gl_case_pose(&scene.hero, 3);
  frames_show(&scene, 0);
  frames_frame(&scene);
  const uint32_t item_count = mpak_gl_crowd_extract(scene.crowd, 0, items, FRAMES_MOST_ITEMS);
  uint32_t compared = 0;
  for (uint32_t i = 0; i < item_count; ++i) {
    const mpak_character_output *output = mt_gl_case_output(&scene.hero, items[i].instance, items[i].part);
    if (!output->data->joints) continue;
    const uint32_t o = (uint32_t)(output - scene.hero.hero->outputs);
    mpak_base_vertex *expected = malloc((scene.hero.pack.parts[items[i].part].vertex_count + 1) * sizeof *expected);
    assert_non_null(expected);
    frames_expect_hook(&scene, o, after_morph, skin, after_skin, expected);
    mt_gl_vertex *drawn = mt_gl_draw(scene.gl, &items[i], MPAK_GL_OUTPUT_48);
    for (uint32_t v = 0; v < items[i].index_count; ++v, ++compared) {
      const mpak_base_vertex *want = &expected[drawn[v].index];
      for (int k = 0; k < 3; ++k) MT_POSE_NEAR((double)drawn[v].position[k], (double)want->position[k], 1e-5);
      assert_true(mt_gl_angle(drawn[v].normal, want->normal) <= 1e-3);
      const float *n = drawn[v].normal;
      MT_POSE_NEAR((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-5);
    }
    free(drawn);
    free(expected);
  }
  assert_true(compared > 0);
  frames_close(&scene);
}

static void test_gl_hooks_take_part(void **state) {
  (void)state;
  frames_check_hooks(&(mpak_gl_hooks){.after_morph = wave_text}, wave_apply, NULL, NULL);
  frames_check_hooks(&(mpak_gl_hooks){.skin = turn_text}, NULL, turn_apply, NULL);
  frames_check_hooks(&(mpak_gl_hooks){.after_skin = cloth_text}, NULL, NULL, cloth_apply);
  frames_check_hooks(&(mpak_gl_hooks){wave_text, turn_text, cloth_text}, wave_apply, turn_apply, cloth_apply);
}

/// Hook values make dirty what differs, and only then; a hook that does not compile is an error with the compiler's
/// words.
static void test_gl_hook_values_and_faults(void **state) {
  (void)state;
  frames_scene scene;
  frames_open(&scene, "samples/assets/face_anim.glb", NULL, 1,
              &(mpak_gl_crowd_options){.hooks = {.after_morph = wave_text}});
  frames_show(&scene, 0);
  frames_frame(&scene);
  mpak_gl_counters before = *mpak_gl_device_counters(scene.gl);
  mpak_gl_crowd_set_hook_values(scene.crowd, wave_values);
  frames_frame(&scene);
  assert_true(frames_grown(&scene, &before).dispatches > 0);
  before = *mpak_gl_device_counters(scene.gl);
  mpak_gl_crowd_set_hook_values(scene.crowd, wave_values);
  frames_frame(&scene);
  frames_assert_work(&scene, &before, 0, 0, 0);
  mpak_gl_crowd_destroy(scene.crowd);
  const mpak_gl_crowd_options broken = {.hooks = {.after_morph = "position = no_such_name;"}};
  assert_int_equal(mpak_gl_crowd_create(scene.model, 1, &broken, &scene.crowd), MPAK_OK);
  frames_show(&scene, 0);
  assert_int_equal(mpak_gl_crowd_deform(scene.crowd), MPAK_ERROR_GL);
  assert_non_null(strstr(mpak_gl_error_text(scene.gl), "no_such_name"));
  mpak_gl_make_writes_visible(scene.gl);
  frames_close(&scene);
}

static void test_gl_a_crowd_of_a_lost_context_is_refused(void **state) {
  (void)state;
  frames_scene scene;
  mpak_gl_crowd *born;
  frames_open(&scene, "samples/assets/face60.glb", NULL, 1, NULL);
  mt_gl_draw_end(true);
  mpak_gl_context_lost(scene.gl);
  assert_int_equal(mpak_gl_crowd_create(scene.model, 1, NULL, &born), MPAK_ERROR_GL);
  assert_null(born);
  assert_true(mt_gl_open_again());
  assert_int_equal(mpak_gl_restore(scene.gl), MPAK_OK);
  frames_show(&scene, 0);
  frames_frame(&scene);
  frames_close(&scene);
}

/// The context that comes back has no compute shaders: the CPU takes over what they did.
static void test_gl_survives_in_a_lesser_context(void **state) {
  (void)state;
  frames_scene scene;
  mt_gl_vertex *before, *after;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 2, NULL);
  mt_gl_case_pose(&scene.hero, 2);
  frames_show(&scene, 0);
  frames_frame(&scene);
  const uint32_t count = frames_draw_all(&scene, &before);
  mt_gl_draw_end(true);
  mpak_gl_context_lost(scene.gl);
  assert_true(mt_gl_open_again());
  scene.gl->options.without_compute = true;
  assert_int_equal(mpak_gl_restore(scene.gl), MPAK_OK);
  frames_frame(&scene);
  assert_true(mpak_gl_device_counters(scene.gl)->cpu_morphs > 0);
  assert_int_equal(frames_draw_all(&scene, &after), count);
  for (uint32_t v = 0; v < count; ++v) {
    for (int c = 0; c < 3; ++c) assert_true(fabsf(after[v].position[c] - before[v].position[c]) < 1e-5f);
  }
  free(before);
  free(after);
  frames_close(&scene);
}

/// A slot that changes hands shows nothing of the one before: neither its vertices nor where it was.
static void test_gl_a_slot_given_to_another_starts_anew(void **state) {
  (void)state;
  frames_scene scene;
  mt_gl_vertex *drawn;
  frames_open(&scene, "samples/assets/head_parts.glb", NULL, 2, &(mpak_gl_crowd_options){.keep_previous = true});
  for (uint32_t round = 1; round < 3; ++round) {
    mt_gl_case_pose(&scene.hero, round);
    frames_show(&scene, 0);
    frames_frame(&scene);
  }
  mpak_gl_crowd_hide(scene.crowd, 0);
  mt_gl_case_pose(&scene.hero, 4);
  frames_show(&scene, 0);
  assert_int_equal(mpak_gl_crowd_extract(scene.crowd, 0, NULL, 0), 0);
  frames_frame(&scene);
  const uint32_t count = frames_draw_all(&scene, &drawn);
  assert_true(count > 0);
  for (uint32_t v = 0; v < count; ++v) assert_memory_equal(drawn[v].previous, drawn[v].position, 12);
  free(drawn);
  frames_close(&scene);
}

/// What the game's own calls got wrong is neither mpak's failure nor reported as one.
static void test_gl_is_not_blamed_for_errors_of_the_caller(void **state) {
  (void)state;
  frames_scene scene;
  frames_open(&scene, "samples/assets/face60.glb", NULL, 1, NULL);
  for (uint32_t round = 0; round < 3; ++round) {
    mt_gl_case_pose(&scene.hero, round);
    frames_show(&scene, 0);
    mt_real.BindBuffer(0x1234, 0); // no such target
    frames_frame(&scene);
  }
  assert_true(mt_seen.errors > 0);
  mt_seen.errors = 0;
  frames_close(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gl_technique_by_the_documents_table),
      cmocka_unit_test(test_gl_still_face_costs_nothing),
      cmocka_unit_test(test_gl_one_changed_primitive_is_one_upload_and_one_dispatch),
      cmocka_unit_test(test_gl_moved_bones_are_one_palette_upload),
      cmocka_unit_test(test_gl_individuals_share_a_dispatch),
      cmocka_unit_test(test_gl_previous_positions_are_the_frames_before),
      cmocka_unit_test(test_gl_refuses_what_does_not_belong),
      cmocka_unit_test(test_gl_gives_the_callers_state_back),
      cmocka_unit_test(test_gl_survives_a_lost_context),
      cmocka_unit_test(test_gl_ends_in_a_lost_context),
      cmocka_unit_test(test_gl_a_crowd_of_a_lost_context_is_refused),
      cmocka_unit_test(test_gl_survives_in_a_lesser_context),
      cmocka_unit_test(test_gl_a_slot_given_to_another_starts_anew),
      cmocka_unit_test(test_gl_is_not_blamed_for_errors_of_the_caller),
      cmocka_unit_test(test_gl_a_desktop_pack_on_a_small_device),
      cmocka_unit_test(test_gl_hooks_take_part),
      cmocka_unit_test(test_gl_hook_values_and_faults),
  };
  return mt_gl_open() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
