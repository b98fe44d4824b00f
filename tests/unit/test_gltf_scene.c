// What a glTF says beyond numbers: nodes, scenes, skins, targets, materials, clips. The character of mt_gltf.h is the
// sound file that the tests vary; expected values are those its builder wrote.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "tests/support/mt_gltf_case.h"

static mt_gltf *scene_character(void) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  return gltf;
}

/// The character with one place changed.
static cook_scene *scene_read_patched(cook_job *job, const char *from, const char *to) {
  mt_gltf *gltf = scene_character();
  mt_gltf_patch(gltf, from, to);
  return mt_gltf_read(job, gltf, MT_GLB);
}

static cook_job *scene_job(void) {
  cook_job *job = job_begin(NULL, NULL);
  assert_non_null(job);
  return job;
}

static void assert_near(const float *found, const double *expected, size_t count, double tolerance) {
  for (size_t i = 0; i < count; i++) {
    const double error = found[i] - expected[i];
    if (!(error <= tolerance && -error <= tolerance))
      fail_msg("value %zu is %.9g, not %.9g", i, (double)found[i], expected[i]);
  }
}

// -- The whole character ---------------------------------------------------------------------------------------------

static void scene_check_mesh(const cook_scene *scene) {
  const cook_mesh *mesh = &scene->meshes[0];
  const cook_primitive *primitive = &mesh->primitives[0];
  assert_int_equal(scene->mesh_count, 1);
  assert_string_equal(mesh->name, "Face");
  assert_int_equal(mesh->primitive_count, 1);
  assert_int_equal(mesh->target_count, 2);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Blink");
  assert_true(mesh->has_default_weights);
  assert_true(mesh->default_weights[0] == 0.25f && mesh->default_weights[1] == 0);
  assert_int_equal(primitive->vertex_count, 4);
  assert_int_equal(primitive->index_count, 6);
  assert_int_equal(primitive->material, 0);
  assert_int_equal(primitive->influence_count, 4);
  assert_true(primitive->positions[2][1] == 2 && primitive->tangents[3][3] == 1 && primitive->texcoords[0][1][1] == 1);
  assert_true(primitive->joints[4 * 3 + 1] == 1 && primitive->weights[4 * 3 + 1] == 0.75f);
  assert_true(primitive->targets[0].position_deltas[3][2] == -0.25f);
  assert_true(primitive->targets[0].normal_deltas[0][1] == 0.5f);
  assert_true(primitive->targets[1].position_deltas[2][1] == -1);
  assert_null(primitive->targets[0].tangent_deltas);
  assert_null(primitive->targets[1].normal_deltas);
}

static void scene_check_clip(const cook_scene *scene) {
  const cook_clip *clip = &scene->clips[0];
  assert_int_equal(scene->clip_count, 1);
  assert_string_equal(clip->name, "Idle");
  assert_true(clip->start_s == 0.5f && clip->end_s == 2);
  assert_int_equal(clip->track_count, 2);
  assert_int_equal(clip->source_node_tracks, 1);
  assert_int_equal(clip->source_weight_tracks, 1);
  const cook_track *rotation = &clip->tracks[0], *weights = &clip->tracks[1];
  assert_true(rotation->node == 2 && rotation->path == MPAK_PATH_ROTATION && rotation->interpolation == MPAK_LINEAR);
  assert_true(rotation->width == 4 && rotation->key_count == 3 && rotation->value_count == 12);
  assert_true(rotation->values[6] == 0.6f && rotation->times[1] == 1);
  assert_true(weights->node == 3 && weights->path == MPAK_PATH_WEIGHTS && weights->interpolation == MPAK_STEP);
  assert_true(weights->width == 2 && weights->key_count == 3 && weights->value_count == 6);
  assert_true(weights->values[3] == -0.5f && weights->values[5] == 2); // neither clamped nor sorted
}

static void scene_check_material(const cook_scene *scene) {
  const cook_material *material = &scene->materials[0];
  assert_int_equal(scene->material_count, 1);
  assert_string_equal(material->name, "Skin");
  assert_true(material->is_double_sided && material->alpha_mode == MPAK_ALPHA_MASK && material->alpha_cutoff == 0.5f);
  assert_true(material->base_colour[1] == 0.5f && material->base_colour[3] == 1);
  assert_string_equal(material->base_texture, "skin%20a.png");
  assert_null(material->normal_texture);
  assert_false(material->has_normal_texture);
}

static void scene_check_nodes(const cook_scene *scene) {
  assert_int_equal(scene->node_count, 4);
  const uint32_t parents[4] = {MPAK_NONE, 0, 1, 0};
  for (uint32_t i = 0; i < 4; i++) {
    const cook_node *node = &scene->nodes[i];
    assert_int_equal(node->parent, parents[i]);
    assert_int_equal(node->source_index, i);
    assert_true(node->is_cooked && !node->is_matrix);
    assert_true(node->rotation[3] == 1 && node->scale[0] == 1 && node->scale[2] == 1);
    assert_int_equal(node->mesh, i == 3 ? 0 : MPAK_NONE);
    assert_int_equal(node->skin, i == 3 ? 0 : MPAK_NONE);
  }
  assert_true(scene->nodes[1].translation[1] == 1);
  assert_null(scene->nodes[3].weights);
  assert_string_equal(scene->nodes[2].name, "Spine");
}

static void test_gltf_scene_character_arrives_whole(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    cook_job *job = scene_job();
    const cook_scene *scene = mt_gltf_read(job, scene_character(), (mt_gltf_form)form);
    assert_int_equal(job_issue_count(job), 0);
    assert_int_equal(scene->source_kind, COOK_SOURCE_GLTF);
    scene_check_nodes(scene);
    scene_check_mesh(scene);
    scene_check_clip(scene);
    scene_check_material(scene);
    assert_int_equal(scene->skin_count, 1);
    assert_int_equal(scene->skins[0].joint_count, 2);
    assert_true(scene->skins[0].joints[0] == 1 && scene->skins[0].joints[1] == 2);
    // glTF's matrices stand column by column: the translation is in elements 12 to 14, ours in 3, 7 and 11.
    assert_true(scene->skins[0].inverse_binds[1][7] == -2 && scene->skins[0].inverse_binds[1][5] == 1);
    assert_int_equal(scene->dependency_count, 1);
    job_end(job);
  }
}

// -- Default scene ---------------------------------------------------------------------------------------------------

/// Which nodes are cooked, as bits.
static unsigned scene_cooked(const cook_scene *scene) {
  unsigned bits = 0;
  for (uint32_t i = 0; i < scene->node_count; i++) bits |= scene->nodes[i].is_cooked ? 1u << i : 0;
  return bits;
}

static void test_gltf_scene_without_default_cooks_all_roots(void **state) {
  (void)state;
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_patch(gltf, ",'scene':0", "");
  mt_gltf_patch(gltf, "'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':[1]}]");
  assert_int_equal(scene_cooked(mt_gltf_read(job, gltf, MT_GLB)), 0xF);
  job_end(job);
}

static void test_gltf_scene_cooks_only_the_default_one(void **state) {
  (void)state;
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_add(gltf, "nodes", "{'name':'Elsewhere','mesh':0}");
  mt_gltf_add(gltf, "nodes", "{'name':'Lonely'}");
  mt_gltf_add(gltf, "scenes", "{'nodes':[4,5]}");
  mt_gltf_patch(gltf, "'scene':0", "'scene':1");
  assert_int_equal(scene_cooked(mt_gltf_read(job, gltf, MT_GLB)), 0x30);
  job_end(job);
}

/// Joints outside of the scene come along with their ancestors, but what hangs there is not drawn (glTF draws only what
/// the scene lists).
static void test_gltf_scene_takes_joints_from_elsewhere_undrawn(void **state) {
  (void)state;
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_patch(gltf, "'name':'Root','children':[1,3]", "'name':'Root','children':[1]");
  mt_gltf_patch(gltf, "'name':'Hips'", "'name':'Hips','mesh':0,'weights':[1,1]");
  mt_gltf_patch(gltf, "'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':[3]}]");
  mt_gltf_patch(gltf, "'channels':[", "'channels':[{'sampler':1,'target':{'node':1,'path':'weights'}},");
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  assert_int_equal(scene_cooked(scene), 0xF);
  assert_int_equal(scene->nodes[1].mesh, MPAK_NONE);
  assert_null(scene->nodes[1].weights);
  assert_int_equal(scene->nodes[3].mesh, 0);
  assert_int_equal(scene->clips[0].track_count, 2);
  assert_int_equal(scene->clips[0].source_weight_tracks, 2); // as the source has them
  job_end(job);
}

// -- Matrices --------------------------------------------------------------------------------------------------------

/// 90 degrees about z, scaled by 2, 3, 4 and mirrored along the turned x axis, moved to 5, 6, 7: column by column.
static void test_gltf_scene_matrix_becomes_trs(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_scene *scene =
      scene_read_patched(job, "'name':'Hips','children':[2],'translation':[0,1,0]",
                         "'name':'Hips','children':[2],'matrix':[0,-2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]");
  const cook_node *node = &scene->nodes[1];
  assert_int_equal(job_issue_count(job), 0);
  assert_false(node->is_matrix);
  assert_near(node->translation, (double[3]){5, 6, 7}, 3, 0);
  assert_near(node->rotation, (double[4]){0, 0, 0.70710678118654752, 0.70710678118654752}, 4, 1e-7);
  assert_near(node->scale, (double[3]){-2, 3, 4}, 3, 1e-6);
  job_end(job);
}

/// Half turns are where the quaternion's w is 0: one case for each axis.
static void test_gltf_scene_half_turns_become_trs(void **state) {
  (void)state;
  static const char *const nodes[3] = {"'name':'Hips','children':[2],'matrix':[1,0,0,0,0,-1,0,0,0,0,-1,0,0,0,0,1]",
                                       "'name':'Hips','children':[2],'matrix':[-1,0,0,0,0,1,0,0,0,0,-1,0,0,0,0,1]",
                                       "'name':'Hips','children':[2],'matrix':[-1,0,0,0,0,-1,0,0,0,0,1,0,0,0,0,1]"};
  for (int axis = 0; axis < 3; axis++) {
    cook_job *job = scene_job();
    const cook_node *node =
        &scene_read_patched(job, "'name':'Hips','children':[2],'translation':[0,1,0]", nodes[axis])->nodes[1];
    assert_false(node->is_matrix);
    for (int i = 0; i < 4; i++) assert_true(node->rotation[i] == (i == axis ? 1 : 0));
    job_end(job);
  }
}

static void test_gltf_scene_sheared_matrix_is_kept(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_scene *scene =
      scene_read_patched(job, "'name':'Hips','children':[2],'translation':[0,1,0]",
                         "'name':'Hips','children':[2],'matrix':[1,0.5,0,0,0,1,0,0,0,0,1,0,5,6,7,1]");
  const cook_node *node = &scene->nodes[1];
  assert_int_equal(job_issue_count(job), 0);
  assert_true(node->is_matrix);
  assert_near(node->matrix, (double[12]){1, 0, 0, 5, 0.5, 1, 0, 6, 0, 0, 1, 7}, 12, 0);
  job_end(job);
}

// -- Skins -----------------------------------------------------------------------------------------------------------

static void test_gltf_scene_skin_without_matrices_has_identities(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_scene *scene = scene_read_patched(job, ",'inverseBindMatrices':11", "");
  for (int j = 0; j < 2; j++)
    assert_near(scene->skins[0].inverse_binds[j], (double[12]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 12, 0);
  job_end(job);
}

// -- Targets ---------------------------------------------------------------------------------------------------------

static void test_gltf_scene_target_names_of_a_primitive_count(void **state) {
  (void)state;
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_patch(gltf, ",'extras':{'targetNames':['Smile','Blink']}", "");
  mt_gltf_patch(gltf, "'indices':7", "'indices':7,'extras':{'targetNames':['あ','']}");
  const cook_mesh *mesh = &mt_gltf_read(job, gltf, MT_GLB)->meshes[0];
  assert_string_equal(mesh->control_names[0], "あ");
  assert_string_equal(mesh->control_names[1], "");
  job_end(job);
}

static void test_gltf_scene_missing_target_names_are_null(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_mesh *mesh = &scene_read_patched(job, "['Smile','Blink']", "['Smile']")->meshes[0];
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_null(mesh->control_names[1]);
  job_end(job);
}

static void test_gltf_scene_primitives_keep_their_numbers(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_mesh *mesh =
      &scene_read_patched(job, "'primitives':[", "'primitives':[{'attributes':{'POSITION':0},'mode':0},")->meshes[0];
  assert_int_equal(mesh->primitive_count, 1);
  assert_int_equal(mesh->primitives[0].source_primitive, 1);
  assert_int_equal(mesh->target_count, 2); // the dropped one has none, which does not matter
  assert_int_equal(job_issue_count(job), 1);
  job_end(job);
}

static void test_gltf_scene_node_weights_are_read(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_node *node = &scene_read_patched(job, "'mesh':0,'skin':0", "'mesh':0,'skin':0,'weights':[-1,2]")->nodes[3];
  assert_int_equal(node->weight_count, 2);
  assert_near(node->weights, (double[2]){-1, 2}, 2, 0);
  job_end(job);
}

// -- Materials -------------------------------------------------------------------------------------------------------

static void test_gltf_scene_embedded_normal_texture_is_known(void **state) {
  (void)state;
  static const char *const images[2] = {"{'uri':'data:image/png;base64,AAAA'}",
                                        "{'bufferView':0,'mimeType':'image/png'}"};
  for (int i = 0; i < 2; i++) {
    cook_job *job = scene_job();
    mt_gltf *gltf = scene_character();
    mt_gltf_add(gltf, "images", "%s", images[i]);
    mt_gltf_add(gltf, "textures", "{'source':1}");
    mt_gltf_patch(gltf, "'name':'Skin'", "'name':'Skin','normalTexture':{'index':1}");
    const cook_material *material = &mt_gltf_read(job, gltf, MT_GLB)->materials[0];
    assert_true(material->has_normal_texture);
    assert_null(material->normal_texture);
    job_end(job);
  }
}

static void test_gltf_scene_texture_of_an_extension_is_found(void **state) {
  (void)state;
  cook_job *job = scene_job();
  const cook_scene *scene = scene_read_patched(job, "'textures':[{'source':0}]",
                                               "'textures':[{'extensions':{'EXT_texture_webp':{'source':0}}}]");
  assert_string_equal(scene->materials[0].base_texture, "skin%20a.png");
  job_end(job);
}

// -- Clips -----------------------------------------------------------------------------------------------------------

static void test_gltf_scene_cubic_spline_has_three_values_per_key(void **state) {
  (void)state;
  static const float keys[2] = {-1, 3};
  float values[2 * 3 * 3];
  for (int i = 0; i < 18; i++) values[i] = (float)i;
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_floats(gltf, "SCALAR", keys, 2);
  mt_gltf_floats(gltf, "VEC3", values, 6);
  mt_gltf_add(gltf, "animations",
              "{'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}],"
              "'samplers':[{'input':15,'output':16,'interpolation':'CUBICSPLINE'}]}");
  const cook_scene *scene = mt_gltf_read(job, gltf, MT_GLB);
  const cook_track *track = &scene->clips[1].tracks[0];
  assert_int_equal(job_issue_count(job), 0);
  assert_null(scene->clips[1].name);
  assert_int_equal(track->interpolation, MPAK_CUBICSPLINE);
  assert_true(track->width == 3 && track->key_count == 2 && track->value_count == 18 && track->values[17] == 17);
  assert_true(scene->clips[1].start_s == -1 && scene->clips[1].end_s == 3);
  job_end(job);
}

/// 0x8001 is -32767 / 32767 = -1, and -32768 is clamped to it.
static void test_gltf_scene_integer_rotation_keys_are_normalised(void **state) {
  (void)state;
  static const int16_t keys[12] = {0, 0, 0, 32767, -32768, 0, 0, 0, 0, 16384, 0, -32767};
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_accessor(gltf, keys, sizeof keys, 5122, "VEC4", 3, ",'normalized':true");
  mt_gltf_patch(gltf, "'input':12,'output':13", "'input':12,'output':15");
  const cook_track *track = &mt_gltf_read(job, gltf, MT_GLB)->clips[0].tracks[0];
  assert_near(track->values, (double[12]){0, 0, 0, 1, -1, 0, 0, 0, 0, 16384 / 32767.0, 0, -1}, 12, 1e-7);
  job_end(job);
}

static void test_gltf_scene_later_channel_replaces_earlier(void **state) {
  (void)state;
  static const float keys[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  cook_job *job = scene_job();
  mt_gltf *gltf = scene_character();
  mt_gltf_floats(gltf, "VEC4", keys, 3);
  mt_gltf_patch(gltf, "'samplers':[", "'samplers':[{'input':12,'output':15},");
  mt_gltf_patch(gltf, "{'sampler':1,'target':{'node':3,",
                "{'sampler':1,'target':{'node':2,'path':'rotation'}},{'sampler':2,'target':{'node':3,");
  const cook_clip *clip = &mt_gltf_read(job, gltf, MT_GLB)->clips[0];
  assert_int_equal(clip->track_count, 2);
  assert_int_equal(clip->source_node_tracks, 2);
  assert_true(clip->tracks[0].values[3] == 1); // sampler 1 is the rotation that the character came with
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_scene_character_arrives_whole),
      cmocka_unit_test(test_gltf_scene_without_default_cooks_all_roots),
      cmocka_unit_test(test_gltf_scene_cooks_only_the_default_one),
      cmocka_unit_test(test_gltf_scene_takes_joints_from_elsewhere_undrawn),
      cmocka_unit_test(test_gltf_scene_matrix_becomes_trs),
      cmocka_unit_test(test_gltf_scene_half_turns_become_trs),
      cmocka_unit_test(test_gltf_scene_sheared_matrix_is_kept),
      cmocka_unit_test(test_gltf_scene_skin_without_matrices_has_identities),
      cmocka_unit_test(test_gltf_scene_target_names_of_a_primitive_count),
      cmocka_unit_test(test_gltf_scene_missing_target_names_are_null),
      cmocka_unit_test(test_gltf_scene_primitives_keep_their_numbers),
      cmocka_unit_test(test_gltf_scene_node_weights_are_read),
      cmocka_unit_test(test_gltf_scene_embedded_normal_texture_is_known),
      cmocka_unit_test(test_gltf_scene_texture_of_an_extension_is_found),
      cmocka_unit_test(test_gltf_scene_cubic_spline_has_three_values_per_key),
      cmocka_unit_test(test_gltf_scene_integer_rotation_keys_are_normalised),
      cmocka_unit_test(test_gltf_scene_later_channel_replaces_earlier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
