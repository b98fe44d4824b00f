// pack_scene: a built scene becomes a pack that opens, and whose tables say what the scene said.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/pack/measure.h"
#include "cooker/pack/tables.h"
#include "format/checksum.h"
#include "runtime/mpak.h"
#include "tests/support/mt_scene.h"

// -- Cooking a made scene --------------------------------------------------------------------------------------------

/// A scene on its way through the build stages and the packer.
typedef struct scene_cook {
  cook_job *job;
  cook_scene *scene;
  cook_options options;
  cook_product product;
  mpak_pack pack;
} scene_cook;

static void build_and_pack(cook_job *job, void *user) {
  scene_cook *cook = user;
  build_nodes(job, cook->scene);
  build_influences(job, cook->scene, &cook->options);
  build_weld(job, cook->scene, &cook->options);
  build_order(job, cook->scene, &cook->options);
  build_ranges(job, cook->scene, &cook->options);
  pack_scene(job, cook->scene, &cook->options, &cook->product);
}

static void begin_cook(scene_cook *cook, const mt_scene_knobs *knobs) {
  *cook = (scene_cook){.job = mt_job(NULL)};
  cook->scene = mt_scene_make(cook->job, knobs);
}

static void run_cook(scene_cook *cook) {
  if (!job_run(cook->job, build_and_pack, cook)) {
    for (uint32_t i = 0; i < job_issue_count(cook->job); ++i) print_error("%s\n", job_issue_at(cook->job, i)->message);
    fail_msg("the cook failed with exit code %d", job_exit_code(cook->job));
  }
  mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_fault fault = {0};
  mpak_result result = mpak_open(cook->product.bytes, cook->product.byte_count, &options, &cook->pack, &fault);
  if (result != MPAK_OK) fail_msg("%s: %s", mpak_result_name(result), fault.rule);
}

static void end_cook(scene_cook *cook) { job_end(cook->job); }

static const char *text_at(const scene_cook *cook, uint32_t offset) { return mpak_string(&cook->pack, offset); }

// -- Tables against the scene ----------------------------------------------------------------------------------------

static void check_nodes(const scene_cook *cook) {
  const cook_scene *scene = cook->scene;
  assert_int_equal(cook->pack.node_count, scene->node_count);
  for (uint32_t i = 0; i < scene->node_count; ++i) {
    const mpak_node *node = &cook->pack.nodes[i];
    assert_string_equal(text_at(cook, node->name), scene->nodes[i].name);
    assert_string_equal(text_at(cook, node->key), scene->nodes[i].name);
    assert_int_equal(node->parent, scene->nodes[i].parent);
    assert_int_equal(node->source_index, scene->nodes[i].source_index);
    assert_memory_equal(node->rest, scene->nodes[i].translation, 12);
    assert_memory_equal(node->rest + 3, scene->nodes[i].rotation, 16);
    assert_memory_equal(node->rest + 7, scene->nodes[i].scale, 12);
  }
}

static void check_skin_and_instances(const scene_cook *cook) {
  const mpak_pack *pack = &cook->pack;
  assert_int_equal(pack->skin_count, 1);
  assert_string_equal(text_at(cook, pack->skins[0].key), "Rig");
  assert_int_equal(pack->joint_count, 2);
  for (uint32_t j = 0; j < 2; ++j) {
    assert_int_equal(pack->joints[j].node, cook->scene->skins[0].joints[j]);
    assert_memory_equal(pack->joints[j].inverse_bind, cook->scene->skins[0].inverse_binds[j], 48);
  }
  const mpak_instance expected[2] = {{MT_BODY, 0, 0, MPAK_NONE}, {MT_HAT, 1, MPAK_NONE, MPAK_NONE}};
  assert_int_equal(pack->instance_count, 2);
  assert_memory_equal(pack->instances, expected, sizeof expected);
}

static void check_meshes(const scene_cook *cook) {
  const mpak_pack *pack = &cook->pack;
  assert_int_equal(pack->mesh_count, 2);
  assert_int_equal(pack->part_count, 3);
  assert_string_equal(text_at(cook, pack->meshes[0].key), "Body");
  assert_int_equal(pack->meshes[0].part_count, 2);
  assert_int_equal(pack->meshes[0].control_count, 2);
  assert_int_equal(pack->meshes[1].part_count, 1);
  assert_int_equal(pack->meshes[1].control_count, 0);
  const char *names[2] = {"Smile", "Blink"};
  for (uint32_t c = 0; c < 2; ++c) {
    const mpak_control *control = &pack->controls[c];
    assert_string_equal(text_at(cook, control->key), names[c]);
    assert_true(control->default_weight == (c == 0 ? 0.25f : 0.0f));
    assert_true(control->range_min == 0 && control->range_max == 1);
  }
  assert_int_equal(pack->shape_count, 4);
  for (uint32_t s = 0; s < 4; ++s) {
    assert_int_equal(pack->shapes[s].part, s / 2);
    assert_int_equal(pack->shapes[s].control, s % 2);
    assert_int_equal(pack->shapes[s].delta_count, 3); // each target moves every third of nine vertices
  }
}

static void check_sections_and_lods(const scene_cook *cook) {
  const mpak_pack *pack = &cook->pack;
  assert_int_equal(pack->section_count, 3);
  for (uint32_t s = 0; s < 3; ++s) {
    assert_int_equal(pack->sections[s].part, s);
    assert_int_equal(pack->sections[s].index_count, 24);
    assert_int_equal(pack->sections[s].bone_count, s < 2 ? 2 : 0);
    assert_int_equal(pack->sections[s].first_bone, s < 2 ? 2 * s : 4);
    assert_int_equal(pack->sections[s].max_influences, s < 2 ? 2 : 0);
  }
  const uint32_t required[8] = {MT_ROOT, MT_HIPS, MT_SPINE, MT_BODY, MT_ROOT, MT_HIPS, MT_SPINE, MT_HAT};
  assert_int_equal(pack->required_bone_count, 8);
  assert_memory_equal(pack->required_bones, required, sizeof required);
  const mpak_lod lods[2] = {{.mesh = 0, .required_count = 4}, {.mesh = 1, .first_required = 4, .required_count = 4}};
  assert_memory_equal(pack->lods, lods, sizeof lods);
}

static void check_clips(const scene_cook *cook) {
  const mpak_pack *pack = &cook->pack;
  const mpak_track expected[5] = {
      {0, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 3, 0, 0},
      {0, MT_SPINE, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 3, 0, 9},
      {0, MT_SPINE, MPAK_PATH_SCALE, MPAK_STEP, 3, 2, 3, 21},
      {0, MT_BODY, MPAK_PATH_WEIGHTS, MPAK_CUBICSPLINE, 2, 3, 0, 27},
      {1, MT_HIPS, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 4, 5, 45},
  };
  assert_int_equal(pack->clip_count, 2);
  assert_int_equal(pack->track_count, 5);
  assert_memory_equal(pack->tracks, expected, sizeof expected); // three tracks share their times
  assert_int_equal(pack->chunks[pack->key_time_chunk].count, 3 + 2 + 4);
  assert_string_equal(text_at(cook, pack->clips[1].key), "Wave");
  assert_true(pack->clips[1].end_s == 1.5f);
}

static void test_pack_scene_tables_say_what_the_scene_says(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    scene_cook cook;
    begin_cook(&cook, NULL);
    cook.options.layout = (cook_layout)layout;
    run_cook(&cook);
    check_nodes(&cook);
    check_skin_and_instances(&cook);
    check_meshes(&cook);
    check_sections_and_lods(&cook);
    check_clips(&cook);
    assert_int_equal(cook.pack.material_count, 2);
    assert_string_equal(text_at(&cook, cook.pack.materials[1].key), "Felt");
    end_cook(&cook);
  }
}

// -- Layouts and chunks ----------------------------------------------------------------------------------------------

/// Kinds of the file in order, "STRS NODE …".
static void list_kinds(const scene_cook *cook, char *text) {
  *text = 0;
  for (uint32_t i = 0; i < cook->pack.chunk_count; ++i) {
    char kind[6] = " ";
    memcpy(kind + 1, &cook->pack.chunks[i].kind, 4);
    strcat(text, i ? kind : kind + 1);
  }
}

static void test_pack_scene_chunks_stand_in_the_order_of_the_spec(void **state) {
  (void)state;
  static const char *const morphs[2] = {"MGRP MRUN MPAY", "MOFF MDEL"};
  for (int layout = 0; layout < 2; ++layout) {
    scene_cook cook;
    char kinds[1024], expected[1024];
    begin_cook(&cook, NULL);
    cook.options = (cook_options){.layout = (cook_layout)layout, .source_map = layout == 1};
    cook.scene->nodes[MT_BODY].weights = JOB_ARRAY(cook.job, float, 2);
    cook.scene->nodes[MT_BODY].weight_count = 2;
    run_cook(&cook);
    list_kinds(&cook, kinds);
    const char *part = "VBAS TEXC COLR", *map = layout ? " PKOS SRCP" : "";
    snprintf(expected, sizeof expected,
             "STRS NODE INST IWGT SKIN JONT MESH PART CTRL SHAP SECT BMAP LODS RBON MATL CLIP TRAK ERRS META "
             "%s JNTS WGTS INDX %s%s %s JNTS WGTS INDX %s%s %s INDX%s KEYT KEYV",
             part, morphs[layout], map, part, morphs[layout], map, part, map);
    assert_string_equal(kinds, expected);
    end_cook(&cook);
  }
}

static void test_pack_scene_without_skin_targets_and_clips_leaves_their_chunks_out(void **state) {
  (void)state;
  scene_cook cook;
  char kinds[1024];
  begin_cook(&cook, &(mt_scene_knobs){.primitive_count = 1, .no_targets = true, .no_skin = true, .no_clips = true});
  run_cook(&cook);
  list_kinds(&cook, kinds);
  assert_string_equal(kinds,
                      "STRS NODE INST MESH PART SECT LODS RBON MATL ERRS META VBAS TEXC COLR INDX VBAS TEXC COLR INDX");
  assert_int_equal(cook.pack.parts[0].payload, MPAK_PAYLOAD_NONE);
  end_cook(&cook);
}

static void test_pack_scene_indices_are_16_bits_up_to_65535_vertices(void **state) {
  (void)state;
  for (uint32_t cells = 254; cells <= 255; ++cells) { // 65,025 and 65,536 vertices
    scene_cook cook;
    begin_cook(&cook, &(mt_scene_knobs){.cells = cells, .primitive_count = 1, .no_targets = true, .no_clips = true});
    cook.scene->nodes[MT_HAT].mesh = MPAK_NONE;
    run_cook(&cook);
    const mpak_chunk_entry *chunk = &cook.pack.chunks[cook.pack.parts[0].index_chunk];
    assert_int_equal(cook.pack.parts[0].vertex_count, (cells + 1) * (cells + 1));
    assert_int_equal(chunk->stride, cells == 254 ? 2 : 4);
    assert_int_equal(chunk->format, cells == 254 ? MPAK_FORMAT_U16 : MPAK_FORMAT_U32);
    end_cook(&cook);
  }
}

static void test_pack_scene_targets_that_move_nothing_keep_their_shapes(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    scene_cook cook;
    begin_cook(&cook, NULL);
    cook.options.layout = (cook_layout)layout;
    for (uint32_t t = 0; t < 2; ++t) cook.scene->meshes[0].primitives[1].targets[t] = (cook_target){0};
    run_cook(&cook);
    const mpak_part *part = &cook.pack.parts[1];
    assert_int_equal(part->payload, layout ? MPAK_PAYLOAD_CSR64 : MPAK_PAYLOAD_P36);
    assert_int_equal(part->shape_count, 2);
    assert_int_equal(part->delta_count, 0);
    assert_int_equal(part->morph_chunk[0] == MPAK_NONE, layout == 0);
    assert_int_equal(part->morph_chunk[1], MPAK_NONE);
    end_cook(&cook);
  }
}

static void test_pack_scene_primitive_whose_triangles_all_went_has_no_part(void **state) {
  (void)state;
  scene_cook cook;
  begin_cook(&cook, NULL);
  for (int m = 0; m < 2; ++m) { // the first of Body's two, and Hat's only one
    cook_primitive *primitive = &cook.scene->meshes[m].primitives[0];
    memset(primitive->indices, 0, primitive->index_count * sizeof *primitive->indices);
  }
  run_cook(&cook);
  assert_int_equal(cook.pack.part_count, 1);
  assert_int_equal(cook.pack.mesh_count, 1); // the weld has dropped Hat as a whole
  assert_int_equal(cook.pack.meshes[0].part_count, 1);
  assert_int_equal(cook.pack.parts[0].source_primitive, 1); // the source's number stays
  end_cook(&cook);
}

static void test_pack_scene_node_weights_are_the_instance_s_defaults(void **state) {
  (void)state;
  scene_cook cook;
  float weights[2] = {0.5f, -1};
  begin_cook(&cook, NULL);
  cook.scene->nodes[MT_BODY].weights = job_copy(cook.job, weights, sizeof weights);
  cook.scene->nodes[MT_BODY].weight_count = 2;
  run_cook(&cook);
  assert_int_equal(cook.pack.instances[0].first_weight, 0);
  assert_int_equal(cook.pack.instance_weight_count, 2);
  assert_memory_equal(cook.pack.instance_weights, weights, sizeof weights);
  assert_true(cook.pack.controls[1].range_min == -1); // build_ranges widens by node weights
  end_cook(&cook);
}

static void test_pack_scene_source_map_goes_both_ways(void **state) {
  (void)state;
  scene_cook cook;
  begin_cook(&cook, NULL);
  cook.options.source_map = true;
  run_cook(&cook);
  void *scratch = job_alloc(cook.job, mpak_scratch_bytes(&cook.pack), 1);
  for (uint32_t p = 0; p < cook.pack.part_count; ++p) {
    uint32_t maps[2][9];
    const uint32_t chunks[2] = {cook.pack.parts[p].pack_of_source_chunk, cook.pack.parts[p].source_of_pack_chunk};
    for (int way = 0; way < 2; ++way) {
      const void *view;
      assert_int_equal(mpak_decode(&cook.pack, chunks[way], NULL, 0, NULL, 0, &view, NULL), MPAK_ERROR_ARGUMENT);
      assert_int_equal(mpak_decode(&cook.pack, chunks[way], job_alloc(cook.job, 36, 1), 36, scratch,
                                   mpak_scratch_bytes(&cook.pack), &view, NULL),
                       MPAK_OK);
      memcpy(maps[way], view, sizeof maps[way]);
    }
    for (uint32_t v = 0; v < 9; ++v) assert_int_equal(maps[1][maps[0][v]], v); // nothing was welded
  }
  end_cook(&cook);
}

// -- Options, content id, determinism --------------------------------------------------------------------------------

static const char *meta_of(const scene_cook *cook, const char *key) {
  for (uint32_t i = 0; i < cook->pack.meta_count; ++i) {
    if (strcmp(text_at(cook, cook->pack.metas[i].key), key) == 0) return text_at(cook, cook->pack.metas[i].value);
  }
  return NULL;
}

static void test_pack_scene_meta_holds_resolved_options_in_a_fixed_order(void **state) {
  (void)state;
  static const char *const expected[16][3] = {{"cooker", "mpak 1.0.0", "mpak 1.0.0"},
                                              {"quality", "lossless", "lossless"},
                                              {"layout", "blk64", "csr64"},
                                              {"compress", "default", "size"},
                                              {"tangents", "auto", "none"},
                                              {"morph-normals", "auto", "recompute"},
                                              {"max-influences", "12", "4"},
                                              {"vertex-order", "auto", "source"},
                                              {"weld", "auto", "none"},
                                              {"source-map", "no", "yes"},
                                              {"weight-range", "none", "-1.5,2.1"},
                                              {"importer", "gltf", "assimp"},
                                              {"unit", "metre", "source"},
                                              {"up", "y", "source"},
                                              {"generator", "tool 7", "tool 7"},
                                              {"zstd", "1.5.4", "1.5.4"}};
  const cook_options other = {.layout = COOK_LAYOUT_CSR64,
                              .compress = COOK_COMPRESS_SIZE,
                              .tangents = COOK_TANGENTS_NONE,
                              .morph_normals = COOK_MORPH_NORMALS_RECOMPUTE,
                              .importer = COOK_IMPORTER_ASSIMP,
                              .up = COOK_UP_SOURCE,
                              .unit = COOK_UNIT_SOURCE,
                              .max_influences = 4,
                              .vertex_order = COOK_ORDER_SOURCE,
                              .no_weld = true,
                              .source_map = true,
                              .has_weight_range = true,
                              .weight_range = {-1.5f, 2.1f},
                              .thread_count = 1};
  for (int column = 1; column <= 2; ++column) {
    scene_cook cook;
    begin_cook(&cook, NULL);
    cook.scene->generator = "tool 7";
    if (column == 2) cook.options = other;
    run_cook(&cook);
    assert_int_equal(cook.pack.meta_count, 16);
    for (uint32_t i = 0; i < 16; ++i) {
      assert_string_equal(text_at(&cook, cook.pack.metas[i].key), expected[i][0]);
      if (strcmp(expected[i][0], "zstd") == 0) continue; // the library's own version
      assert_string_equal(text_at(&cook, cook.pack.metas[i].value), expected[i][column]);
    }
    assert_non_null(strchr(meta_of(&cook, "zstd"), '.'));
    end_cook(&cook);
  }
}

static uint64_t content_id_of(const cook_options *options, uint64_t source_hash) {
  scene_cook cook;
  begin_cook(&cook, NULL);
  cook.options = *options;
  cook.scene->source_hash = source_hash;
  run_cook(&cook);
  uint64_t id = cook.pack.header->content_id;
  end_cook(&cook);
  return id;
}

static void test_pack_scene_content_id_depends_on_source_and_options_only(void **state) {
  (void)state;
  const cook_options plain = {0}, threads = {.thread_count = 3, .in_process = true},
                     layout = {.layout = COOK_LAYOUT_CSR64}, resolved = {.max_influences = 12},
                     map = {.source_map = true};
  uint64_t id = content_id_of(&plain, 1);
  assert_true(content_id_of(&plain, 1) == id);
  assert_true(content_id_of(&threads, 1) == id);
  assert_true(content_id_of(&resolved, 1) == id);
  assert_true(content_id_of(&plain, 2) != id);
  assert_true(content_id_of(&layout, 1) != id);
  assert_true(content_id_of(&map, 1) != id);
}

static void test_pack_scene_bytes_do_not_depend_on_threads(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    scene_cook first, again;
    const mt_scene_knobs knobs = {.cells = 60, .target_count = 20};
    begin_cook(&first, &knobs);
    first.options = (cook_options){.layout = (cook_layout)layout, .thread_count = 1};
    run_cook(&first);
    for (uint32_t threads = 2; threads <= 3; ++threads) {
      begin_cook(&again, &knobs);
      again.options = (cook_options){.layout = (cook_layout)layout, .thread_count = threads};
      run_cook(&again);
      assert_int_equal(again.product.byte_count, first.product.byte_count);
      assert_memory_equal(again.product.bytes, first.product.bytes, first.product.byte_count);
      end_cook(&again);
    }
    end_cook(&first);
  }
}

// -- Names -----------------------------------------------------------------------------------------------------------

static void test_pack_scene_names_stay_and_keys_are_unique(void **state) {
  (void)state;
  scene_cook cook;
  begin_cook(&cook, &(mt_scene_knobs){.target_count = 4});
  cook.scene->nodes[MT_SPINE].name = "Hips";
  cook.scene->nodes[MT_HAT].name = NULL;
  const char *targets[4] = {"\xE3\x81\x82", NULL, "\xE3\x81\x82", ""};
  for (int t = 0; t < 4; ++t) cook.scene->meshes[0].control_names[t] = targets[t];
  run_cook(&cook);
  assert_string_equal(text_at(&cook, cook.pack.nodes[MT_SPINE].name), "Hips");
  assert_string_equal(text_at(&cook, cook.pack.nodes[MT_SPINE].key), "Hips~2");
  assert_int_equal(cook.pack.nodes[MT_HAT].name, 0);
  assert_string_equal(text_at(&cook, cook.pack.nodes[MT_HAT].key), "node_4");
  const char *keys[4] = {"\xE3\x81\x82", "target_1", "\xE3\x81\x82~2", "target_3"};
  for (uint32_t c = 0; c < 4; ++c) {
    assert_string_equal(text_at(&cook, cook.pack.controls[c].name), targets[c] ? targets[c] : "");
    assert_string_equal(text_at(&cook, cook.pack.controls[c].key), keys[c]);
    assert_int_equal(mpak_find_control(&cook.pack, 0, keys[c]), c);
  }
  end_cook(&cook);
}

// -- Measured errors and faults --------------------------------------------------------------------------------------

static void test_pack_scene_measured_errors_are_zero_for_every_stream(void **state) {
  (void)state;
  scene_cook cook;
  begin_cook(&cook, NULL);
  run_cook(&cook);
  const uint32_t streams[20] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3};
  assert_int_equal(cook.pack.error_count, 20); // two skinned parts with targets, one without either
  for (uint32_t i = 0; i < 20; ++i) {
    const mpak_measured_error expected = {.part = i / 8, .stream = streams[i]};
    assert_memory_equal(&cook.pack.errors[i], &expected, sizeof expected);
  }
  assert_true(cook.product.stats.largest_error_m == 0);
  assert_int_equal(cook.product.stats.delta_count, 12);
  assert_int_equal(cook.product.stats.triangle_count, 24);
  end_cook(&cook);
}

/// COLOR_0 in each element format: bytes per vertex, and which of them a component beyond the third has for itself.
typedef struct colour_case {
  mpak_element_format format;
  uint32_t bytes;
  uint32_t full_from; ///< bytes from here on are 255
} colour_case;

static const colour_case colour_cases[] = {
    {MPAK_FORMAT_F32X3, 12, 12},  {MPAK_FORMAT_F32X4, 16, 16},   {MPAK_FORMAT_UNORM8X3, 4, 3},
    {MPAK_FORMAT_UNORM8X4, 4, 4}, {MPAK_FORMAT_UNORM16X3, 8, 6}, {MPAK_FORMAT_UNORM16X4, 8, 8},
};

static void put_colours(scene_cook *cook, const colour_case *c) {
  cook_primitive *primitive = &cook->scene->meshes[1].primitives[0];
  primitive->colour_format = c->format;
  primitive->colours = job_alloc(cook->job, primitive->vertex_count, c->bytes);
  for (uint32_t i = 0; i < primitive->vertex_count * c->bytes; ++i)
    primitive->colours[i] = i % c->bytes >= c->full_from ? 255 : (uint8_t)(i * 7 % 64); // small floats, too
}

static void test_pack_scene_keeps_colours_in_every_format(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof colour_cases / sizeof *colour_cases; ++i) {
    scene_cook cook;
    begin_cook(&cook, NULL);
    put_colours(&cook, &colour_cases[i]);
    cook.options.compress = COOK_COMPRESS_LOAD;
    run_cook(&cook);
    const uint32_t chunk = cook.pack.parts[2].colour_chunk;
    assert_int_equal(cook.pack.chunks[chunk].format, colour_cases[i].format);
    assert_int_equal(cook.pack.chunks[chunk].stride, colour_cases[i].bytes);
    const void *view = NULL;
    void *scratch = test_malloc(mpak_scratch_bytes(&cook.pack) + 1);
    assert_int_equal(mpak_decode(&cook.pack, chunk, NULL, 0, scratch, mpak_scratch_bytes(&cook.pack), &view, NULL),
                     MPAK_OK);
    const cook_primitive *primitive = &cook.scene->meshes[1].primitives[0];
    assert_memory_equal(view, primitive->colours, (size_t)primitive->vertex_count * colour_cases[i].bytes);
    test_free(scratch);
    end_cook(&cook);
  }
}

/// Where a scene is changed after its pack was written.
typedef struct differ_case {
  scene_cook *cook;
  uint32_t number;
} differ_case;

static void change_scene(cook_scene *scene, uint32_t number) {
  cook_primitive *primitive = &scene->meshes[0].primitives[1];
  float *floats[] = {primitive->positions[3], primitive->normals[8], primitive->tangents[0], primitive->texcoords[0][4],
                     primitive->weights};
  if (number < 5) floats[number][1] += 0x1p-20f;
  if (number == 5) primitive->indices[7] ^= 1;
  if (number == 6) primitive->colours[9] ^= 1;
  if (number == 7) primitive->joints[0] ^= 1;
  float(*deltas[3])[3] = {primitive->targets[1].position_deltas, primitive->targets[1].normal_deltas,
                          primitive->targets[1].tangent_deltas};
  for (uint32_t v = 0; number >= 8 && number < 11 && v < primitive->vertex_count; ++v) {
    if (deltas[0][v][0] != 0) deltas[number - 8][v][2] += 0x1p-20f;
  }
}

static void pack_and_differ(cook_job *job, void *user) {
  differ_case *differ = user;
  scene_cook *cook = differ->cook;
  pack_tables *tables = JOB_ARRAY(job, pack_tables, 1);
  *tables = (pack_tables){.job = job, .scene = cook->scene, .options = &cook->options};
  build_nodes(job, cook->scene);
  build_weld(job, cook->scene, &cook->options);
  build_ranges(job, cook->scene, &cook->options);
  tables_make_all(tables);
  uint64_t byte_count;
  uint8_t *bytes = pack_write(job, tables->chunks, tables->chunk_count, COOK_COMPRESS_LOAD, 1, 0, &byte_count);
  change_scene(cook->scene, differ->number);
  pack_measure(tables, bytes, byte_count);
}

static void test_pack_scene_that_differs_from_its_pack_is_issue_c051(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    for (uint32_t number = 0; number <= 11; ++number) {
      scene_cook cook;
      begin_cook(&cook, NULL);
      cook.options.layout = (cook_layout)layout;
      differ_case differ = {&cook, number};
      bool agrees = job_run(cook.job, pack_and_differ, &differ);
      assert_int_equal(agrees, number == 11); // 11 changes nothing
      if (!agrees) {
        assert_string_equal(mpak_issue_get(job_issue_at(cook.job, 0)->id)->code, "MPAK-C051");
        assert_int_equal(job_exit_code(cook.job), 7);
      }
      end_cook(&cook);
    }
  }
}

static void test_pack_scene_curve_of_wrong_length_is_issue_c054(void **state) {
  (void)state;
  scene_cook cook;
  begin_cook(&cook, NULL);
  cook.scene->clips[0].tracks[1].value_count--;
  assert_false(job_run(cook.job, build_and_pack, &cook));
  assert_string_equal(mpak_issue_get(job_issue_at(cook.job, 0)->id)->code, "MPAK-C054");
  assert_int_equal(job_exit_code(cook.job), 7);
  end_cook(&cook);
}

// -- Memory ----------------------------------------------------------------------------------------------------------

typedef struct refusing_memory {
  uint64_t calls, refuse_at;
  int64_t held;
} refusing_memory;

static void *refusing_allocate(void *user, size_t byte_count) {
  refusing_memory *memory = user;
  if (++memory->calls == memory->refuse_at) return NULL;
  memory->held++;
  return malloc(byte_count);
}

static void refusing_release(void *user, void *pointer, size_t byte_count) {
  (void)byte_count;
  ((refusing_memory *)user)->held--;
  free(pointer);
}

/// Packs the default scene with every arena allocation a call of its own. Returns the exit code, or -1 without a job.
static int pack_with(refusing_memory *memory, cook_layout layout) {
  const mpak_allocator allocator = {refusing_allocate, refusing_release, memory};
  scene_cook cook = {.job = job_begin(&allocator, &(cook_limits){.block_bytes = 1})};
  if (!cook.job) return -1;
  cook_job *scene_job = mt_job(NULL); // the scene is not what is tested
  cook.scene = mt_scene_make(scene_job, NULL);
  cook.options = (cook_options){.layout = layout, .thread_count = 2, .source_map = true};
  int code = job_run(cook.job, build_and_pack, &cook) ? 0 : job_exit_code(cook.job);
  job_end(cook.job);
  job_end(scene_job);
  return code;
}

static void test_pack_scene_each_refused_allocation_ends_with_exit_6_and_no_leak(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    refusing_memory sound = {0};
    assert_int_equal(pack_with(&sound, (cook_layout)layout), 0);
    assert_int_equal(sound.held, 0);
    assert_true(sound.calls > 100);
    for (uint64_t n = 2; n <= sound.calls; ++n) {
      refusing_memory memory = {.refuse_at = n};
      assert_int_equal(pack_with(&memory, (cook_layout)layout), 6);
      assert_int_equal(memory.held, 0);
    }
    print_message("%llu allocations refused, one at a time\n", (unsigned long long)sound.calls - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pack_scene_tables_say_what_the_scene_says),
      cmocka_unit_test(test_pack_scene_chunks_stand_in_the_order_of_the_spec),
      cmocka_unit_test(test_pack_scene_without_skin_targets_and_clips_leaves_their_chunks_out),
      cmocka_unit_test(test_pack_scene_indices_are_16_bits_up_to_65535_vertices),
      cmocka_unit_test(test_pack_scene_targets_that_move_nothing_keep_their_shapes),
      cmocka_unit_test(test_pack_scene_primitive_whose_triangles_all_went_has_no_part),
      cmocka_unit_test(test_pack_scene_node_weights_are_the_instance_s_defaults),
      cmocka_unit_test(test_pack_scene_source_map_goes_both_ways),
      cmocka_unit_test(test_pack_scene_meta_holds_resolved_options_in_a_fixed_order),
      cmocka_unit_test(test_pack_scene_content_id_depends_on_source_and_options_only),
      cmocka_unit_test(test_pack_scene_bytes_do_not_depend_on_threads),
      cmocka_unit_test(test_pack_scene_names_stay_and_keys_are_unique),
      cmocka_unit_test(test_pack_scene_measured_errors_are_zero_for_every_stream),
      cmocka_unit_test(test_pack_scene_keeps_colours_in_every_format),
      cmocka_unit_test(test_pack_scene_that_differs_from_its_pack_is_issue_c051),
      cmocka_unit_test(test_pack_scene_curve_of_wrong_length_is_issue_c054),
      cmocka_unit_test(test_pack_scene_each_refused_allocation_ends_with_exit_6_and_no_leak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
