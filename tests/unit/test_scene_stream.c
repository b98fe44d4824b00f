// The scene as a byte stream: what goes in comes out, and nothing that a hostile worker can send gets through.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/import.h"
#include "cooker/import/scene_stream.h"
#include "format/bytes.h"
#include "format/checksum.h"
#include "tests/support/mt_import.h"
#include "tests/support/mt_scene.h"

static cook_job *job;
static cook_scene *scene;

static int begin_cells(uint32_t cells) {
  job = job_begin(NULL, NULL);
  if (job == NULL) return -1;
  const mt_scene_knobs knobs = {.cells = cells};
  scene = mt_scene_make(job, &knobs);
  static const char *files[] = {"body.gltf", "body.bin"};
  scene->dependencies = files;
  scene->dependency_count = 2;
  return 0;
}

static int begin(void **state) {
  (void)state;
  return begin_cells(1);
}

/// With vertices enough for several runs.
static int begin_wide(void **state) {
  (void)state;
  return begin_cells(3);
}

static int end(void **state) {
  (void)state;
  job_end(job);
  return 0;
}

// -- Reading in a job of its own --------------------------------------------------------------------------------------

/// One reading: its bytes, and the scene that came of it.
typedef struct reading {
  const uint8_t *bytes;
  uint64_t byte_count;
  cook_scene *scene;
} reading;

static void read_step(cook_job *own, void *user) {
  reading *input = user;
  input->scene = scene_read(own, input->bytes, input->byte_count);
}

/// Reads bytes from a heap block of exactly their size, so that AddressSanitizer sees a read past them.
static cook_scene *read_in(cook_job *own, const uint8_t *bytes, uint64_t byte_count) {
  uint8_t *exact = malloc(byte_count == 0 ? 1 : byte_count);
  assert_non_null(exact);
  memcpy(exact, bytes, byte_count);
  reading input = {exact, byte_count, NULL};
  const bool returned = job_run(own, read_step, &input);
  free(exact);
  return returned ? input.scene : NULL;
}

/// The bytes with their hash made right again.
static void rehash(uint8_t *bytes, uint64_t byte_count) {
  const uint64_t hash = checksum_of(bytes, byte_count - 8);
  memcpy(bytes + byte_count - 8, &hash, 8);
}

// -- What goes in comes out -------------------------------------------------------------------------------------------

#define SAME(a, b, member) assert_memory_equal(&(a)->member, &(b)->member, sizeof(a)->member)

static void same_text(const char *a, const char *b) {
  assert_int_equal(a == NULL, b == NULL);
  if (a != NULL) assert_string_equal(a, b);
}

static void same_array(const void *a, const void *b, size_t byte_count) {
  assert_int_equal(a == NULL, b == NULL);
  if (a != NULL) assert_true(a != b);
  if (a != NULL) assert_memory_equal(a, b, byte_count);
}

static void same_node(const cook_node *a, const cook_node *b) {
  same_text(a->name, b->name);
  SAME(a, b, parent);
  SAME(a, b, source_index);
  SAME(a, b, is_cooked);
  SAME(a, b, is_matrix);
  SAME(a, b, translation);
  SAME(a, b, rotation);
  SAME(a, b, scale);
  SAME(a, b, matrix);
  SAME(a, b, mesh);
  SAME(a, b, skin);
  SAME(a, b, weight_count);
  same_array(a->weights, b->weights, a->weight_count * sizeof(float));
}

static size_t bytes_of_colour(uint8_t format) {
  static const size_t sizes[12] = {
      [MPAK_FORMAT_F32X3] = 12,   [MPAK_FORMAT_F32X4] = 16,    [MPAK_FORMAT_UNORM8X3] = 4,
      [MPAK_FORMAT_UNORM8X4] = 4, [MPAK_FORMAT_UNORM16X3] = 8, [MPAK_FORMAT_UNORM16X4] = 8};
  return sizes[format];
}

static void same_primitive(const cook_primitive *a, const cook_primitive *b) {
  SAME(a, b, source_primitive);
  SAME(a, b, material);
  SAME(a, b, vertex_count);
  SAME(a, b, index_count);
  SAME(a, b, influence_count);
  SAME(a, b, source_vertex_count);
  SAME(a, b, source_index_count);
  SAME(a, b, target_count);
  const size_t count = a->vertex_count;
  same_array(a->positions, b->positions, count * 12);
  same_array(a->normals, b->normals, count * 12);
  same_array(a->tangents, b->tangents, count * 16);
  for (int set = 0; set < 4; set++) same_array(a->texcoords[set], b->texcoords[set], count * 8);
  same_array(a->colours, b->colours, count * bytes_of_colour(a->colour_format));
  if (a->colours != NULL) SAME(a, b, colour_format);
  same_array(a->joints, b->joints, count * a->influence_count * 2);
  same_array(a->weights, b->weights, count * a->influence_count * 4);
  same_array(a->indices, b->indices, a->index_count * sizeof(uint32_t));
  for (uint32_t t = 0; t < a->target_count; t++) {
    same_array(a->targets[t].position_deltas, b->targets[t].position_deltas, count * 12);
    same_array(a->targets[t].normal_deltas, b->targets[t].normal_deltas, count * 12);
    same_array(a->targets[t].tangent_deltas, b->targets[t].tangent_deltas, count * 12);
  }
}

static void same_rule(const cook_shape_rule *a, const cook_shape_rule *b) {
  same_text(a->name, b->name);
  SAME(a, b, control);
  SAME(a, b, point_count);
  same_array(a->points, b->points, a->point_count * sizeof *a->points);
}

static void same_mesh(const cook_mesh *a, const cook_mesh *b) {
  same_text(a->name, b->name);
  SAME(a, b, source_index);
  SAME(a, b, primitive_count);
  SAME(a, b, control_count);
  SAME(a, b, target_count);
  SAME(a, b, has_default_weights);
  same_array(a->default_weights, b->default_weights, a->control_count * sizeof(float));
  for (uint32_t c = 0; c < a->control_count; c++) same_text(a->control_names[c], b->control_names[c]);
  assert_true((a->rules == NULL) == (b->rules == NULL));
  for (uint32_t t = 0; a->rules != NULL && t < a->target_count; t++) same_rule(&a->rules[t], &b->rules[t]);
  for (uint32_t p = 0; p < a->primitive_count; p++) same_primitive(&a->primitives[p], &b->primitives[p]);
}

static void same_material(const cook_material *a, const cook_material *b) {
  same_text(a->name, b->name);
  SAME(a, b, source_index);
  SAME(a, b, alpha_mode);
  SAME(a, b, is_double_sided);
  SAME(a, b, alpha_cutoff);
  SAME(a, b, base_colour);
  same_text(a->base_texture, b->base_texture);
  same_text(a->normal_texture, b->normal_texture);
  same_text(a->metal_rough_texture, b->metal_rough_texture);
  same_text(a->occlusion_texture, b->occlusion_texture);
  same_text(a->emissive_texture, b->emissive_texture);
  SAME(a, b, has_normal_texture);
}

static void same_clip(const cook_clip *a, const cook_clip *b) {
  same_text(a->name, b->name);
  SAME(a, b, source_index);
  SAME(a, b, start_s);
  SAME(a, b, end_s);
  SAME(a, b, track_count);
  SAME(a, b, source_node_tracks);
  SAME(a, b, source_weight_tracks);
  for (uint32_t t = 0; t < a->track_count; t++) {
    const cook_track *from = &a->tracks[t], *to = &b->tracks[t];
    SAME(from, to, node);
    SAME(from, to, path);
    SAME(from, to, interpolation);
    SAME(from, to, width);
    SAME(from, to, key_count);
    SAME(from, to, value_count);
    same_array(from->times, to->times, from->key_count * sizeof(float));
    same_array(from->values, to->values, from->value_count * sizeof(float));
  }
}

static void same_scene(const cook_scene *a, const cook_scene *b) {
  SAME(a, b, source_kind);
  same_text(a->generator, b->generator);
  SAME(a, b, source_hash);
  SAME(a, b, node_count);
  SAME(a, b, mesh_count);
  SAME(a, b, skin_count);
  SAME(a, b, material_count);
  SAME(a, b, clip_count);
  SAME(a, b, dependency_count);
  for (uint32_t i = 0; i < a->node_count; i++) same_node(&a->nodes[i], &b->nodes[i]);
  for (uint32_t i = 0; i < a->mesh_count; i++) same_mesh(&a->meshes[i], &b->meshes[i]);
  for (uint32_t i = 0; i < a->skin_count; i++) {
    same_text(a->skins[i].name, b->skins[i].name);
    SAME(&a->skins[i], &b->skins[i], source_index);
    SAME(&a->skins[i], &b->skins[i], joint_count);
    same_array(a->skins[i].joints, b->skins[i].joints, a->skins[i].joint_count * sizeof(uint32_t));
    same_array(a->skins[i].inverse_binds, b->skins[i].inverse_binds, a->skins[i].joint_count * 48);
  }
  for (uint32_t i = 0; i < a->material_count; i++) same_material(&a->materials[i], &b->materials[i]);
  for (uint32_t i = 0; i < a->clip_count; i++) same_clip(&a->clips[i], &b->clips[i]);
  for (uint32_t i = 0; i < a->dependency_count; i++) same_text(a->dependencies[i], b->dependencies[i]);
}

/// Every member of the scene gets a value that no default would give it.
static void fill_all_members(void) {
  static float weights[2] = {0.5f, -1.5f};
  static uint8_t colours[4096];
  static float points[3][2] = {{-0.5f, 2}, {0, 0}, {1, 1}};
  static cook_shape_rule rules[2] = {{"a shape", 1, 3, points}, {NULL, 0, 0, NULL}};
  scene->source_kind = COOK_SOURCE_FBX;
  scene->generator = "a generator";
  scene->source_hash = 0x0123456789ABCDEFu;
  cook_node *node = &scene->nodes[MT_BODY];
  node->source_index = 77;
  node->weights = weights;
  node->weight_count = 2;
  scene->nodes[MT_HAT].is_matrix = true;
  for (int i = 0; i < 12; i++) scene->nodes[MT_HAT].matrix[i] = (float)i;
  scene->nodes[MT_SPINE].name = NULL;
  scene->nodes[MT_HIPS].name = "not \xFF UTF-8"; // check/ reports that, so it must arrive
  cook_primitive *primitive = &scene->meshes[0].primitives[0];
  for (size_t i = 0; i < sizeof colours; i++) colours[i] = (uint8_t)(i * 7);
  primitive->colours = colours;
  primitive->colour_format = MPAK_FORMAT_UNORM8X3;
  primitive->texcoords[3] = primitive->texcoords[0];
  primitive->targets[0].tangent_deltas = primitive->targets[0].position_deltas;
  primitive->positions[0][1] = bytes_float_of_bits(0x7FC12345u); // NaN arrives as it is
  scene->meshes[0].control_names[1] = "";
  scene->meshes[0].rules = rules;
  cook_material *material = &scene->materials[0];
  material->alpha_mode = MPAK_ALPHA_BLEND;
  material->is_double_sided = true;
  material->alpha_cutoff = 0.125f;
  material->base_texture = "base.png";
  material->normal_texture = "normal.png";
  material->metal_rough_texture = "mr.png";
  material->occlusion_texture = "ao.png";
  material->emissive_texture = "light.png";
  material->has_normal_texture = true;
  scene->clips[0].source_node_tracks = 5;
  scene->clips[0].source_weight_tracks = 6;
}

static void test_scene_stream_gives_back_every_member(void **state) {
  (void)state;
  fill_all_members();
  uint64_t byte_count, again_count;
  const uint8_t *bytes = scene_write(job, scene, &byte_count);
  cook_job *own = job_begin(NULL, NULL);
  const cook_scene *back = read_in(own, bytes, byte_count);
  assert_non_null(back);
  same_scene(scene, back);
  const uint8_t *again = scene_write(own, back, &again_count);
  assert_int_equal(again_count, byte_count);
  assert_memory_equal(again, bytes, byte_count);
  job_end(own);
}

static void test_scene_stream_carries_issues_with_all_their_places(void **state) {
  (void)state;
  job_set_file(job, "source.gltf");
  const cook_where where = {.node = "Root/Hips",
                            .mesh = "Body",
                            .primitive = 1,
                            .target = "Smile",
                            .skin = "Rig",
                            .clip = "Idle",
                            .material = "Skin",
                            .stream = "POSITION",
                            .element = "vertex",
                            .index = 1ull << 40,
                            .more = 3,
                            .value = "nan",
                            .limit = "finite"};
  job_issue(job, MPAK_I028, where);
  job_issue(job, MPAK_I012, COOK_WHERE);
  uint64_t byte_count;
  const uint8_t *bytes = scene_write(job, scene, &byte_count);
  cook_job *own = job_begin(NULL, NULL);
  job_set_file(own, "as/the/user/says.gltf");
  assert_non_null(read_in(own, bytes, byte_count));
  assert_int_equal(job_issue_count(own), 2);
  const cook_issue *issue = job_issue_at(own, 0);
  assert_int_equal(issue->id, MPAK_I028);
  assert_string_equal(issue->file, "as/the/user/says.gltf");
  assert_string_equal(issue->message, job_issue_at(job, 0)->message);
  const char *const expected[] = {where.node,     where.mesh,   where.target,  where.skin,  where.clip,
                                  where.material, where.stream, where.element, where.value, where.limit};
  const char *const found[] = {issue->where.node,  issue->where.mesh,     issue->where.target, issue->where.skin,
                               issue->where.clip,  issue->where.material, issue->where.stream, issue->where.element,
                               issue->where.value, issue->where.limit};
  for (size_t i = 0; i < sizeof found / sizeof *found; i++) same_text(expected[i], found[i]);
  assert_int_equal(issue->where.primitive, 1);
  assert_int_equal(issue->where.index, 1ull << 40);
  assert_int_equal(issue->where.more, 3);
  job_end(own);
}

// -- Deltas -----------------------------------------------------------------------------------------------------------

/// Sets the position deltas of the first target to zeros but for those of some vertices; returns the number of
/// vertices.
static uint32_t set_deltas(const uint32_t *moved, uint32_t moved_count) {
  cook_primitive *primitive = &scene->meshes[0].primitives[0];
  float(*deltas)[3] = primitive->targets[0].position_deltas;
  memset(deltas, 0, sizeof *deltas * primitive->vertex_count);
  for (uint32_t i = 0; i < moved_count; i++) deltas[moved[i]][i % 3] = 1234.5f;
  return primitive->vertex_count;
}

/// Bytes of the stream; the scene that comes of it must be the same.
static uint64_t bytes_of_scene(void) {
  uint64_t byte_count;
  const uint8_t *bytes = scene_write(job, scene, &byte_count);
  cook_job *own = job_begin(NULL, NULL);
  const cook_scene *back = read_in(own, bytes, byte_count);
  assert_non_null(back);
  same_scene(scene, back);
  job_end(own);
  return byte_count;
}

/// Two words a run and twelve bytes a delta; zeros behind the last run are a run of their own.
static void test_scene_stream_zeros_of_deltas_take_no_room(void **state) {
  (void)state;
  const uint32_t count = set_deltas(NULL, 0);
  assert_true(count > 7);
  const uint64_t none = bytes_of_scene(); // one empty run
  const uint32_t last = count - 1;
  set_deltas((const uint32_t[]){0}, 1);
  assert_int_equal(bytes_of_scene() - none, 8 + 12);
  set_deltas(&last, 1);
  assert_int_equal(bytes_of_scene() - none, 12);
  set_deltas((const uint32_t[]){1, 2, 4}, 3);
  assert_int_equal(bytes_of_scene() - none, 2 * 8 + 3 * 12);
  set_deltas(NULL, 0);
  scene->meshes[0].primitives[0].targets[0].position_deltas[3][1] = -0.0f; // arrives as it is
  assert_int_equal(bytes_of_scene() - none, 8 + 12);
}

/// Where the run of the one delta of vertex 3 begins: (3, 1) before its bytes.
static uint64_t find_run(const uint8_t *bytes, uint64_t byte_count) {
  static const uint32_t run[] = {3, 1, 0x449A5000u}; // 1234.5
  for (uint64_t at = 0; at + sizeof run <= byte_count; at += 4)
    if (memcmp(bytes + at, run, sizeof run) == 0) return at;
  fail_msg("no run");
  return 0;
}

static void test_scene_stream_with_runs_that_do_not_fit_is_refused(void **state) {
  (void)state;
  const uint32_t count = set_deltas((const uint32_t[]){3}, 1), rest = count - 4;
  uint64_t byte_count;
  uint8_t *bytes = scene_write(job, scene, &byte_count);
  const uint64_t at = find_run(bytes, byte_count);
  assert_int_equal(bytes_load_u32(bytes + at + 20), rest);
  const uint32_t wrong[][3] = {{0, count + 1, 0}, {0, 0xFFFFFFFFu, 0}, {0, 3, count - 2}, {0, 3, 0xFFFFFFFFu},
                               {0, 3, 0},         {20, rest + 1, 0},   {20, rest - 1, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    uint8_t kept[8];
    memcpy(kept, bytes + at + wrong[i][0], 8);
    bytes_store_u32(bytes + at + wrong[i][0], wrong[i][1]);
    bytes_store_u32(bytes + at + wrong[i][0] + 4, wrong[i][2]);
    rehash(bytes, byte_count);
    cook_job *own = job_begin(NULL, NULL);
    assert_null(read_in(own, bytes, byte_count));
    assert_string_equal(mt_codes(own, true), "I004");
    assert_non_null(strstr(job_issue_at(own, 0)->message, "deltas that are no runs"));
    job_end(own);
    memcpy(bytes + at + wrong[i][0], kept, 8);
  }
}

/// Zeros cost the sender nothing, so the reader's limit bounds what they become.
static void test_scene_stream_limit_holds_for_zeros(void **state) {
  (void)state;
  uint64_t dense_bytes = 0, byte_count;
  const cook_primitive *primitive = &scene->meshes[0].primitives[0];
  for (uint32_t t = 0; t < primitive->target_count; t++) {
    dense_bytes += primitive->targets[t].position_deltas != NULL ? primitive->vertex_count * 12 : 0;
    dense_bytes += primitive->targets[t].normal_deltas != NULL ? primitive->vertex_count * 12 : 0;
    dense_bytes += primitive->targets[t].tangent_deltas != NULL ? primitive->vertex_count * 12 : 0;
  }
  const uint8_t *bytes = scene_write(job, scene, &byte_count);
  const cook_limits limits = {.dense_bytes = dense_bytes - 1};
  cook_job *own = job_begin(NULL, &limits);
  assert_null(read_in(own, bytes, byte_count));
  assert_string_equal(mt_codes(own, true), "I004");
  assert_non_null(strstr(job_issue_at(own, 0)->message, "deltas that are too long"));
  job_end(own);
}

// -- Without a scene --------------------------------------------------------------------------------------------------

static void test_scene_stream_without_scene_leaves_with_the_writers_errors(void **state) {
  (void)state;
  job_issue(job, MPAK_F007, COOK_WHERE);
  uint64_t byte_count;
  const uint8_t *bytes = scene_write(job, NULL, &byte_count);
  cook_job *own = job_begin(NULL, NULL);
  assert_null(read_in(own, bytes, byte_count));
  assert_string_equal(mt_codes(own, true), "F007");
  assert_int_equal(job_exit_code(own), 4);
  job_end(own);
}

static void test_scene_stream_with_neither_scene_nor_error_is_refused(void **state) {
  (void)state;
  uint64_t byte_count;
  uint8_t *bytes = scene_write(job, NULL, &byte_count);
  for (uint32_t exit_code = 0; exit_code <= 6; exit_code += 6) {
    bytes_store_u32(bytes + 16, exit_code); // scene_stream_head.exit_code; 6 without an error: out of memory
    rehash(bytes, byte_count);
    cook_job *own = job_begin(NULL, NULL);
    assert_null(read_in(own, bytes, byte_count));
    assert_string_equal(mt_codes(own, true), exit_code == 6 ? "I003" : "I004");
    job_end(own);
  }
}

// -- Damage -----------------------------------------------------------------------------------------------------------

/// Reads damaged bytes. The scene must be refused with I004, or, where it may pass, be sound: scene_check is part of
/// scene_read, and every array is touched here.
static bool survives(const uint8_t *bytes, uint64_t byte_count) {
  cook_job *own = job_begin(NULL, NULL);
  const cook_scene *back = read_in(own, bytes, byte_count);
  const bool is_refused = back == NULL;
  uint64_t again_count = 0;
  if (is_refused)
    assert_true(job_exit_code(own) != 0);
  else
    scene_write(own, back, &again_count);
  job_end(own);
  return !is_refused;
}

static void test_scene_stream_cut_anywhere_is_refused(void **state) {
  (void)state;
  uint64_t byte_count;
  const uint8_t *bytes = scene_write(job, scene, &byte_count);
  uint8_t *cut = malloc(byte_count);
  for (uint64_t length = 0; length < byte_count; length++) {
    memcpy(cut, bytes, length);
    assert_false(survives(cut, length));
    if (length >= 8) rehash(cut, length);
    assert_false(survives(cut, length));
  }
  free(cut);
}

static void test_scene_stream_with_any_byte_changed_is_refused_by_its_hash(void **state) {
  (void)state;
  uint64_t byte_count;
  uint8_t *bytes = scene_write(job, scene, &byte_count);
  for (uint64_t i = 0; i < byte_count; i++) {
    bytes[i] ^= 0x40;
    assert_false(survives(bytes, byte_count));
    bytes[i] ^= 0x40;
  }
  assert_true(survives(bytes, byte_count));
}

static void test_scene_stream_with_any_byte_changed_and_a_right_hash_is_harmless(void **state) {
  (void)state;
  job_issue(job, MPAK_I028, COOK_WHERE);
  uint64_t byte_count;
  uint8_t *bytes = scene_write(job, scene, &byte_count);
  uint64_t refused = 0, accepted = 0;
  static const uint8_t values[] = {0x00, 0x01, 0x7F, 0xFF};
  for (uint64_t i = 0; i + 8 < byte_count; i++) {
    const uint8_t kept = bytes[i];
    for (size_t v = 0; v < sizeof values; v++) {
      bytes[i] = values[v];
      rehash(bytes, byte_count);
      *(survives(bytes, byte_count) ? &accepted : &refused) += 1;
    }
    bytes[i] = kept;
  }
  print_message("print: %llu changed streams refused, %llu accepted\n", (unsigned long long)refused,
                (unsigned long long)accepted);
  assert_true(refused > 1000);
  assert_true(accepted > 1000); // values are not looked at here
}

// -- Scenes that break scene.h's promises -----------------------------------------------------------------------------

static void spoil_parent(void) { scene->nodes[1].parent = scene->node_count; }
static void spoil_cycle(void) { scene->nodes[MT_ROOT].parent = MT_SPINE; }
static void spoil_self(void) { scene->nodes[MT_ROOT].parent = MT_ROOT; }
static void spoil_node_mesh(void) { scene->nodes[MT_BODY].mesh = scene->mesh_count; }
static void spoil_node_skin(void) { scene->nodes[MT_BODY].skin = scene->skin_count; }
static void spoil_node_weights(void) { scene->nodes[MT_BODY].weight_count = 1; }
static void spoil_material(void) { scene->meshes[0].primitives[0].material = scene->material_count; }
static void spoil_positions(void) { scene->meshes[0].primitives[0].positions = NULL; }
static void spoil_joints(void) { scene->meshes[0].primitives[0].joints = NULL; }
static void spoil_weights(void) { scene->meshes[0].primitives[0].weights = NULL; }
static void spoil_triangles(void) { scene->meshes[0].primitives[0].index_count--; }
static void spoil_indices(void) { scene->meshes[0].primitives[0].indices = NULL; }
static void spoil_index(void) {
  scene->meshes[0].primitives[0].indices[4] = scene->meshes[0].primitives[0].vertex_count;
}
static void spoil_targets(void) { scene->meshes[0].target_count = 1; }
static void spoil_controls(void) { scene->meshes[0].control_count = 1; }
static void spoil_rule(cook_shape_rule rule) {
  static cook_shape_rule rules[2];
  rules[0] = rule;
  scene->meshes[0].rules = rules;
}
static float rising[2][2] = {{0, 0}, {1, 1}}, level[2][2] = {{1, 0}, {1, 1}}, infinite[2][2] = {{0, 0}, {1, INFINITY}};
static void spoil_rule_control(void) {
  spoil_rule((cook_shape_rule){.control = 2, .point_count = 2, .points = rising});
}
static void spoil_rule_point_count(void) { spoil_rule((cook_shape_rule){.point_count = 1, .points = rising}); }
static void spoil_rule_points(void) { spoil_rule((cook_shape_rule){.point_count = 2}); }
static void spoil_rule_order(void) { spoil_rule((cook_shape_rule){.point_count = 2, .points = level}); }
static void spoil_rule_value(void) { spoil_rule((cook_shape_rule){.point_count = 2, .points = infinite}); }
static void spoil_names(void) { scene->meshes[0].control_names = NULL; }
static void spoil_default_weights(void) { scene->meshes[0].default_weights = NULL; }
static void spoil_joint(void) { scene->skins[0].joints[1] = scene->node_count; }
static void spoil_inverse_binds(void) { scene->skins[0].inverse_binds = NULL; }
static void spoil_track_node(void) { scene->clips[0].tracks[0].node = scene->node_count; }
static void spoil_times(void) { scene->clips[0].tracks[0].times = NULL; }
static void spoil_values(void) { scene->clips[0].tracks[0].values = NULL; }
static void spoil_dependencies(void) { scene->dependency_count = 0; }

static void check_step(cook_job *own, void *user) { scene_check(own, user); }

static void test_scene_check_refuses_each_broken_promise(void **state) {
  static void (*const spoilers[])(void) = {
      spoil_parent,          spoil_cycle,        spoil_self,          spoil_node_mesh,    spoil_node_skin,
      spoil_node_weights,    spoil_material,     spoil_positions,     spoil_joints,       spoil_weights,
      spoil_triangles,       spoil_indices,      spoil_index,         spoil_targets,      spoil_names,
      spoil_default_weights, spoil_joint,        spoil_inverse_binds, spoil_track_node,   spoil_times,
      spoil_values,          spoil_dependencies, spoil_controls,      spoil_rule_control, spoil_rule_point_count,
      spoil_rule_points,     spoil_rule_order,   spoil_rule_value};
  for (size_t i = 0; i < sizeof spoilers / sizeof *spoilers; i++) {
    end(state);
    assert_int_equal(begin(state), 0);
    assert_true(job_run(job, check_step, scene));
    spoilers[i]();
    if (job_run(job, check_step, scene)) print_error("spoiler %zu passed\n", i);
    assert_string_equal(mt_codes(job, true), "I004");
    assert_int_equal(job_exit_code(job), 4);
  }
}

/// Limits at one less than needed, and exactly.
static void test_scene_check_keeps_the_limits_of_the_job(void **state) {
  (void)state;
  uint64_t vertex_count = 0, byte_count;
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++)
      vertex_count += scene->meshes[m].primitives[p].vertex_count;
  const uint8_t *bytes = scene_write(job, scene, &byte_count);
  for (uint32_t less = 0; less < 2; less++) {
    const cook_limits limits[] = {
        {.nodes = MT_NODE_COUNT - less}, {.depth = 4 - less}, // Root, Hips, Spine, Hat
        {.targets = 2 - less},           {.joints = 2 - less}, {.clips = 2 - less}, {.vertices = vertex_count - less}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
      cook_job *own = job_begin(NULL, &limits[i]);
      const cook_scene *back = read_in(own, bytes, byte_count);
      if ((back == NULL) != (less == 1)) print_error("limit %zu, less %u\n", i, less);
      assert_int_equal(back == NULL, less == 1);
      job_end(own);
    }
  }
}

#define UNIT(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT(test_scene_stream_gives_back_every_member),
      UNIT(test_scene_stream_carries_issues_with_all_their_places),
      cmocka_unit_test_setup_teardown(test_scene_stream_zeros_of_deltas_take_no_room, begin_wide, end),
      cmocka_unit_test_setup_teardown(test_scene_stream_with_runs_that_do_not_fit_is_refused, begin_wide, end),
      UNIT(test_scene_stream_limit_holds_for_zeros),
      UNIT(test_scene_stream_without_scene_leaves_with_the_writers_errors),
      UNIT(test_scene_stream_with_neither_scene_nor_error_is_refused),
      UNIT(test_scene_stream_cut_anywhere_is_refused),
      UNIT(test_scene_stream_with_any_byte_changed_is_refused_by_its_hash),
      UNIT(test_scene_stream_with_any_byte_changed_and_a_right_hash_is_harmless),
      UNIT(test_scene_check_refuses_each_broken_promise),
      UNIT(test_scene_check_keeps_the_limits_of_the_job),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
