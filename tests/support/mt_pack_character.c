// mt_pack_character.c: the ready character of mt_pack.h, record by record.
//
//   nodes   0 root; 1 body under 0; 2 hips under 0; 3 spine under 2; 4 hat under 3, with a matrix
//   meshes  0 body: parts 0 (sections of two thirds and one third) and 1; 1 hat: part 2
//   shapes  part 0 has three; see character_moves
#include "tests/support/mt_pack.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pack_morph.h"

#define PARTS  3
#define SHAPES 3

typedef struct character {
  mt_pack *pack;
  mt_character options;
  uint32_t vertices[PARTS];
  mpak_part parts[PARTS];
  mpak_section sections[4];
  mpak_bone bones[6];
  mpak_shape shapes[SHAPES];
  uint32_t bone_count;
} character;

static uint32_t character_add(character *c, uint32_t kind, uint32_t stride, uint32_t count, const void *bytes) {
  return mt_pack_add(c->pack, kind, MPAK_NONE, stride, count, bytes);
}

#define CHARACTER_TABLE(kind, array)                                                                                   \
  character_add(c, (kind), (uint32_t)sizeof(array)[0], (uint32_t)(sizeof(array) / sizeof(array)[0]), (array))

// -- Scene -----------------------------------------------------------------------------------------------------------

static mpak_node character_node(character *c, const char *name, uint32_t parent, uint32_t number, float x) {
  uint32_t text = mt_pack_string(c->pack, name);
  return (mpak_node){text, text, parent, number, 0, 0, {x, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0}};
}

static void character_scene(character *c) {
  static const float matrix[12] = {1, 0.5f, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0};
  mpak_node nodes[5] = {
      character_node(c, "root", MPAK_NONE, 0, 0), character_node(c, "body_node", 0, 3, 0.25f),
      character_node(c, "hips", 0, 1, 1),         character_node(c, "\xE3\x81\x82", 2, 2, 0.5f),
      character_node(c, "hat_node", 3, 4, 0),
  };
  nodes[4].flags = MPAK_NODE_MATRIX;
  memcpy(nodes[4].rest, matrix, sizeof matrix);
  CHARACTER_TABLE(MPAK_KIND_NODE, nodes);
  bool has_shapes = c->options.layout != MT_NO_SHAPES;
  mpak_instance instances[2] = {{1, 0, c->options.is_skinned ? 0 : MPAK_NONE, has_shapes ? 0 : MPAK_NONE},
                                {4, 1, MPAK_NONE, MPAK_NONE}};
  CHARACTER_TABLE(MPAK_KIND_INST, instances);
  float weights[SHAPES] = {0.5f, 0, 0.25f};
  if (has_shapes) CHARACTER_TABLE(MPAK_KIND_IWGT, weights);
  if (!c->options.is_skinned) return;
  uint32_t rig = mt_pack_string(c->pack, "rig");
  mpak_skin skins[1] = {{rig, rig, 0, 0, 3, 0}};
  mpak_joint joints[3] = {{2, {1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0}},
                          {3, {1, 0, 0, -1.5f, 0, 1, 0, 0, 0, 0, 1, 0}},
                          {0, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
  CHARACTER_TABLE(MPAK_KIND_SKIN, skins);
  CHARACTER_TABLE(MPAK_KIND_JONT, joints);
}

// -- Meshes ----------------------------------------------------------------------------------------------------------

/// Shapes keep these numbers when they are filled in.
static void character_rules(character *c) {
  if (!c->options.has_rules) return;
  static const mpak_rule rules[2] = {{0, MPAK_RULE_POLYLINE, 0, 3}, {2, MPAK_RULE_POLYLINE, 3, 2}};
  static const mpak_rule_point points[5] = {{0, 0}, {0.5f, 1}, {1, -0.25f}, {0, 0}, {0.5f, 1}};
  c->shapes[0].rule = 0;
  c->shapes[2].rule = 1;
  CHARACTER_TABLE(MPAK_KIND_RULE, rules);
  CHARACTER_TABLE(MPAK_KIND_RPTS, points);
}

static void character_meshes(character *c) {
  uint32_t controls = c->options.layout == MT_NO_SHAPES ? 0 : SHAPES;
  uint32_t body = mt_pack_string(c->pack, "body"), hat = mt_pack_string(c->pack, "hat");
  mpak_mesh meshes[2] = {{body, body, 0, 0, 2, 0, controls, 0, 1, 0, {0, -1, 0}, {9, 1, 1}},
                         {hat, hat, 1, 2, 1, controls, 0, 1, 1, 0, {0, 0, 0}, {3, 1, 1}}};
  CHARACTER_TABLE(MPAK_KIND_MESH, meshes);
  CHARACTER_TABLE(MPAK_KIND_PART, c->parts); // filled in at the end
  if (controls == 0) return;
  uint32_t smile = mt_pack_string(c->pack, "smile"), blink = mt_pack_string(c->pack, "blink");
  uint32_t frown = mt_pack_string(c->pack, "frown");
  mpak_control records[SHAPES] = {
      {0, smile, smile, 0, 0.5f, 0, 1, 0}, {0, blink, blink, 1, 0, -1.5f, 2.5f, 0}, {0, frown, frown, 2, 0, 0, 1, 0}};
  CHARACTER_TABLE(MPAK_KIND_CTRL, records);
  for (uint32_t s = 0; s < SHAPES; s++) {
    c->shapes[s] = (mpak_shape){0, s, MPAK_NONE, 0, 3, 0.125f, {-1, -1, -1}, {1, 1, 1}};
  }
  CHARACTER_TABLE(MPAK_KIND_SHAP, c->shapes);
  character_rules(c);
}

static void character_bone(character *c, uint32_t section, uint32_t joint) {
  mpak_bone *bone = &c->bones[c->bone_count++];
  *bone = (mpak_bone){joint, {0, 0, 0}, {1, 1, 1}};
  if (joint == 2) *bone = (mpak_bone){joint, {1, 1, 1}, {-1, -1, -1}}; // moves nothing
  c->sections[section].bone_count++;
}

static void character_sections(character *c) {
  uint32_t first = c->vertices[0] * 2 / 3, rest = c->vertices[0] - first;
  c->sections[0] = (mpak_section){0, 0, 0, 3 * (first - 2), 0, first, 0, 0, 0, MPAK_NONE};
  c->sections[1] = (mpak_section){0, 1, 3 * (first - 2), 3 * (rest - 2), first, rest, 0, 0, 0, MPAK_NONE};
  c->sections[2] = (mpak_section){1, MPAK_NONE, 0, 3 * (c->vertices[1] - 2), 0, c->vertices[1], 0, 0, 0, MPAK_NONE};
  c->sections[3] = (mpak_section){2, 1, 0, 3 * (c->vertices[2] - 2), 0, c->vertices[2], 0, 0, 0, MPAK_NONE};
  if (c->options.is_skinned) {
    static const uint8_t maps[6][2] = {{0, 0}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 1}};
    for (int i = 0; i < 6; i++) character_bone(c, maps[i][0], maps[i][1]);
    c->sections[1].first_bone = 2;
    c->sections[2].first_bone = 5;
    c->sections[0].max_influences = 2;
    c->sections[1].max_influences = 4;
    c->sections[2].max_influences = 1;
  }
  c->sections[3].first_bone = c->bone_count;
  CHARACTER_TABLE(MPAK_KIND_SECT, c->sections);
  if (c->bone_count) CHARACTER_TABLE(MPAK_KIND_BMAP, c->bones);
}

static void character_rest_of_tables(character *c) {
  mpak_lod lods[2] = {{0, 0, 0, 0, 0, 4}, {1, 0, 0, 0, 4, 4}};
  uint32_t required[8] = {0, 1, 2, 3, 0, 2, 3, 4};
  uint32_t skin = mt_pack_string(c->pack, "skin"), felt = mt_pack_string(c->pack, "felt");
  mpak_material materials[2] = {{skin, skin, 0, MPAK_ALPHA_OPAQUE, 0, 0.5f, {1, 0.5f, 0.25f, 1}, 0, 0, 0, 0, 0},
                                {felt, felt, 1, MPAK_ALPHA_MASK, 1, 0.5f, {1, 1, 1, 1}, 0, 0, 0, 0, 0}};
  materials[0].base_texture = mt_pack_string(c->pack, "skin.png");
  CHARACTER_TABLE(MPAK_KIND_LODS, lods);
  CHARACTER_TABLE(MPAK_KIND_RBON, required);
  CHARACTER_TABLE(MPAK_KIND_MATL, materials);
  mpak_measured_error errors[2] = {{0, MPAK_STREAM_POSITION, 0, 0}, {2, MPAK_STREAM_NORMAL, 0.5f, 0.25f}};
  mpak_meta metas[2] = {{mt_pack_string(c->pack, "cooker"), mt_pack_string(c->pack, "0.1.0")},
                        {mt_pack_string(c->pack, "quality"), mt_pack_string(c->pack, "lossless")}};
  CHARACTER_TABLE(MPAK_KIND_ERRS, errors);
  CHARACTER_TABLE(MPAK_KIND_META, metas);
}

// -- Clips -----------------------------------------------------------------------------------------------------------

static void character_clips(character *c) {
  bool has_shapes = c->options.layout != MT_NO_SHAPES;
  uint32_t walk = mt_pack_string(c->pack, "walk"), wave = mt_pack_string(c->pack, "wave"), n = 0, v = 0;
  mpak_track tracks[5];
  tracks[n++] = (mpak_track){0, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 3, 0, v};
  v += 9;
  if (has_shapes) tracks[n++] = (mpak_track){0, 1, MPAK_PATH_WEIGHTS, MPAK_LINEAR, SHAPES, 2, 3, v}, v += 6;
  tracks[n++] = (mpak_track){0, 2, MPAK_PATH_ROTATION, MPAK_CUBICSPLINE, 4, 2, 3, v};
  v += 24;
  tracks[n++] = (mpak_track){0, 3, MPAK_PATH_SCALE, MPAK_STEP, 3, 1, 1, v};
  v += 3;
  tracks[n++] = (mpak_track){1, 3, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 2, 3, v};
  v += 8;
  mpak_clip clips[2] = {{walk, walk, 0, 0, n - 1, 0, 1, 3, 1, 0, 0, 0},
                        {wave, wave, 1, n - 1, 1, 0.5f, 2, 1, 0, 0, 0, 0}};
  CHARACTER_TABLE(MPAK_KIND_CLIP, clips);
  character_add(c, MPAK_KIND_TRAK, sizeof tracks[0], n, tracks);
}

static void character_keys(character *c) {
  static const float times[5] = {0, 0.5f, 1, 0.25f, 2};
  static const float spin[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0.6f, 0, 0.8f, 0, 0, 0, 0};
  static const float wave[8] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
  float values[64] = {0, 0, 0, 0, 0.5f, 0, 0, 1, 0};
  uint32_t v = 9;
  if (c->options.layout != MT_NO_SHAPES) {
    static const float weights[6] = {0, 1, -1.5f, 1, 0, 2};
    memcpy(values + v, weights, sizeof weights);
    v += 6;
  }
  memcpy(values + v, spin, sizeof spin);
  v += 24;
  for (int i = 0; i < 3; i++) values[v++] = 1.5f;
  memcpy(values + v, wave, sizeof wave);
  v += 8;
  CHARACTER_TABLE(MPAK_KIND_KEYT, times);
  character_add(c, MPAK_KIND_KEYV, 4, v, values);
}

// -- Streams of a part -----------------------------------------------------------------------------------------------

static uint32_t character_stream(character *c, uint32_t part, uint32_t kind, uint32_t stride, uint32_t count,
                                 const void *bytes) {
  return mt_pack_add(c->pack, kind, part, stride, count, bytes);
}

static void character_base(character *c, uint32_t part) {
  uint32_t count = c->vertices[part];
  mpak_base_vertex *base = calloc(count, sizeof *base);
  float *texcoords = calloc(count, 8);
  for (uint32_t v = 0; v < count; v++) {
    base[v] = (mpak_base_vertex){{(float)v * 0.125f, v % 2 ? 0.75f : -0.25f, 0.5f, 1}, {0, 0, 1, 0}, {0, 0, 0, 0}};
    if (part == 0) base[v].tangent[0] = 1, base[v].tangent[3] = v % 2 ? 1.0f : -1.0f;
    texcoords[2 * v] = (float)v / (float)count;
  }
  mpak_part *record = &c->parts[part];
  record->base_chunk = character_stream(c, part, MPAK_KIND_VBAS, 48, count, base);
  for (uint32_t slot = 0; slot < (part == 0 ? 4u : 1u); slot += 2) {
    record->texcoord_chunk[slot] = character_stream(c, part, MPAK_KIND_TEXC, 8, count, texcoords);
    c->pack->chunks[record->texcoord_chunk[slot]].entry.slot = (uint8_t)slot;
  }
  free(base);
  free(texcoords);
}

static void character_colours(character *c, uint32_t part) {
  if (!c->options.has_colours || part > 1) return;
  uint32_t count = c->vertices[part], stride = part == 0 ? 4 : 16;
  uint8_t *bytes = calloc(count, stride);
  for (uint32_t v = 0; v < count; v++) {
    if (part == 0) bytes[4 * v] = (uint8_t)v, bytes[4 * v + 3] = 255;
    float colour[4] = {0.5f, 0.25f, (float)v, 1};
    if (part == 1) memcpy(bytes + (size_t)16 * v, colour, 16);
  }
  c->parts[part].colour_chunk = character_stream(c, part, MPAK_KIND_COLR, stride, count, bytes);
  if (part == 1) c->pack->chunks[c->parts[part].colour_chunk].entry.format = MPAK_FORMAT_F32X4;
  free(bytes);
}

static void character_skin(character *c, uint32_t part) {
  uint32_t count = c->vertices[part], influences = part == 0 ? 4 : 8, first = c->sections[0].vertex_count;
  if (!c->options.is_skinned || part > 1) return;
  uint16_t *joints = calloc(count, 2 * influences);
  float *weights = calloc(count, 4 * influences);
  for (uint32_t v = 0; v < count; v++) {
    static const float two[4] = {0.75f, 0.25f, 0, 0}, four[4] = {0.4f, 0.3f, 0.2f, 0.1f}, one[4] = {1, 0, 0, 0};
    static const uint16_t two_joints[4] = {1, 0, 0, 0}, four_joints[4] = {2, 0, 1, 0};
    bool is_first = v < first;
    memcpy(weights + (size_t)v * influences, part == 1 ? one : is_first ? two : four, 16);
    if (part == 0) memcpy(joints + (size_t)v * influences, is_first ? two_joints : four_joints, 8);
  }
  c->parts[part].influence_count = influences;
  c->parts[part].joint_chunk = character_stream(c, part, MPAK_KIND_JNTS, 2 * influences, count, joints);
  c->parts[part].weight_chunk = character_stream(c, part, MPAK_KIND_WGTS, 4 * influences, count, weights);
  free(joints);
  free(weights);
}

/// A fan over each section; part 1 with 32-bit indices.
static void character_indices(character *c, uint32_t part) {
  uint32_t stride = part == 1 ? 4 : 2, count = 0;
  uint8_t *bytes = calloc(3 * (size_t)c->vertices[part], stride);
  for (int s = 0; s < 4; s++) {
    const mpak_section *section = &c->sections[s];
    for (uint32_t i = 0; section->part == part && i < section->index_count; i++, count++) {
      uint32_t index = section->first_vertex + (i % 3 == 0 ? 0 : i / 3 + i % 3);
      memcpy(bytes + (size_t)count * stride, &index, stride);
    }
  }
  c->parts[part].index_count = count;
  c->parts[part].index_chunk = character_stream(c, part, MPAK_KIND_INDX, stride, count, bytes);
  free(bytes);
}

// -- Shapes ----------------------------------------------------------------------------------------------------------

/// Does shape s move vertex v of part 0?
static bool character_moves(uint32_t s, uint32_t v, uint32_t vertex_count) {
  return s == 0 ? v % 3 != 0 : s == 1 ? v < vertex_count / 2 + 1 : v == 0 || v == 2 || v + 1 == vertex_count;
}

static float character_delta(uint32_t s, uint32_t v, uint32_t component) {
  return ((float)((s * 31 + v * 7 + component * 3) % 11) - 5) * 0.015625f + 0.001953125f;
}

static void character_csr(character *c) {
  uint32_t vertices = c->vertices[0], count = 0;
  uint32_t *offsets = calloc(vertices + 1, 4);
  mpak_csr_delta *deltas = calloc((size_t)vertices * SHAPES, sizeof *deltas);
  for (uint32_t v = 0; v < vertices; v++) {
    for (uint32_t s = 0; s < SHAPES; s++) {
      if (!character_moves(s, v, vertices)) continue;
      float *groups[3] = {deltas[count].position, deltas[count].normal, deltas[count].tangent};
      for (uint32_t i = 0; i < c->options.components; i++) groups[i / 3][i % 3] = character_delta(s, v, i);
      deltas[count++].metadata[0] = s;
    }
    offsets[v + 1] = count;
  }
  mpak_part *part = &c->parts[0];
  part->payload = MPAK_PAYLOAD_CSR64;
  part->delta_count = count;
  part->morph_chunk[0] = character_stream(c, 0, MPAK_KIND_MOFF, 4, vertices + 1, offsets);
  part->morph_chunk[1] = character_stream(c, 0, MPAK_KIND_MDEL, 64, count, deltas);
  free(offsets);
  free(deltas);
}

/// Groups and runs of all shapes.
static void character_runs(character *c, mpak_morph_group *groups, mpak_morph_run *runs) {
  mpak_part *part = &c->parts[0];
  for (uint32_t s = 0; s < SHAPES; s++) {
    uint32_t skip = 0;
    groups[s].shape = s;
    for (uint32_t v = 0; v < part->vertex_count; v++) {
      bool moves = character_moves(s, v, part->vertex_count);
      bool starts = moves && (v == 0 || !character_moves(s, v - 1, part->vertex_count));
      if (starts) runs[part->run_count++] = (mpak_morph_run){skip, 0}, groups[s].run_count++, skip = 0;
      if (moves) runs[part->run_count - 1].length++, part->delta_count++;
      if (!moves) skip++;
    }
  }
}

static uint32_t character_number(uint32_t payload, uint32_t s, uint32_t v, uint32_t component) {
  float delta = character_delta(s, v, component);
  uint32_t bits;
  memcpy(&bits, &delta, sizeof bits);
  return payload == MPAK_PAYLOAD_P36 ? bits : (s * 31 + v * 7 + component * 3) % 11 - 5;
}

/// The numbers of a lane of an entry: of which vertex, the block tells.
static void character_payload(character *c, const mt_morph_frames *frames, uint32_t *payload) {
  uint32_t first_blocks = (c->sections[0].vertex_count + 63) / 64;
  for (uint32_t e = 0; e < frames->entry_count; e++) {
    const mt_morph_entry *entry = &frames->entries[e];
    uint32_t first = entry->block < first_blocks ? entry->block * 64
                                                 : c->sections[1].first_vertex + (entry->block - first_blocks) * 64;
    uint32_t *lane_words = payload + entry->payload_word;
    for (uint32_t lane = 0; lane < 64; lane++) {
      if (!(entry->lanes >> lane & 1)) continue;
      for (uint32_t k = 0; k < frames->components; k++)
        mt_lane_put(frames->payload, lane_words, entry->lane_count, k,
                    character_number(frames->payload, entry->shape, first + lane, k));
      lane_words++;
    }
  }
}

static void character_blocks(character *c) {
  mpak_part *part = &c->parts[0];
  mpak_morph_group groups[SHAPES] = {{0}};
  mpak_morph_run *runs = calloc((size_t)part->vertex_count * SHAPES, sizeof *runs);
  mt_morph_frames frames;
  part->payload = c->options.payload ? c->options.payload : MPAK_PAYLOAD_P36;
  part->components = c->options.components;
  part->step = part->normal_step = part->payload == MPAK_PAYLOAD_P36 ? 1 : 0.015625f;
  part->group_count = SHAPES;
  character_runs(c, groups, runs);
  part->morph_chunk[0] = character_stream(c, 0, MPAK_KIND_MGRP, 12, SHAPES, groups);
  part->morph_chunk[1] = character_stream(c, 0, MPAK_KIND_MRUN, 8, part->run_count, runs);
  mt_pack_patch(c->pack, MPAK_KIND_PART, 0, 0, part, sizeof *part);
  mt_morph_frames_make(c->pack, 0, &frames);
  uint32_t words = mt_lane_words(part->payload, part->components);
  uint32_t *payload = calloc((size_t)part->delta_count * words, 4);
  character_payload(c, &frames, payload);
  part->block_count = frames.block_count;
  part->entry_count = frames.entry_count;
  part->morph_chunk[2] = character_stream(c, 0, MPAK_KIND_MPAY, 4 * words, part->delta_count, payload);
  static const uint8_t formats[] = {0, MPAK_FORMAT_P8, MPAK_FORMAT_P12, MPAK_FORMAT_P16, MPAK_FORMAT_F32};
  c->pack->chunks[part->morph_chunk[2]].entry.format = formats[part->payload];
  mt_morph_frames_free(&frames);
  free(payload);
  free(runs);
}

static void character_shapes(character *c) {
  mpak_part *part = &c->parts[0];
  if (c->options.layout == MT_NO_SHAPES) return;
  part->shape_count = SHAPES;
  if (c->options.components > 3) part->flags |= MPAK_PART_MORPH_NORMALS;
  if (c->options.components > 6) part->flags |= MPAK_PART_MORPH_TANGENTS;
  c->parts[1].first_shape = c->parts[2].first_shape = SHAPES;
  if (c->options.layout == MT_CSR64) character_csr(c);
  if (c->options.layout == MT_BLK64) character_blocks(c);
  for (uint32_t s = 0; s < SHAPES; s++)
    for (uint32_t v = 0; v < c->vertices[0]; v++) c->shapes[s].delta_count += character_moves(s, v, c->vertices[0]);
  mt_pack_patch(c->pack, MPAK_KIND_SHAP, 0, 0, c->shapes, sizeof c->shapes);
}

static void character_source_map(character *c, uint32_t part) {
  mpak_part *record = &c->parts[part];
  uint32_t count = c->vertices[part];
  record->source_vertex_count = count + 1;
  if (!c->options.has_source_map) return;
  uint32_t *map = calloc(count + 1, 4);
  for (uint32_t v = 0; v < count; v++) map[v] = v;
  map[count] = MPAK_NONE;
  record->pack_of_source_chunk = character_stream(c, part, MPAK_KIND_PKOS, 4, count + 1, map);
  record->source_of_pack_chunk = character_stream(c, part, MPAK_KIND_SRCP, 4, count, map);
  free(map);
}

// -- All -------------------------------------------------------------------------------------------------------------

static void character_part_record(character *c, uint32_t part) {
  static const uint32_t meshes[PARTS] = {0, 0, 1}, sections[PARTS] = {2, 1, 1}, first_sections[PARTS] = {0, 2, 3};
  mpak_part *record = &c->parts[part];
  memset(&record->base_chunk, 0xFF, 14 * sizeof record->base_chunk);
  record->mesh = meshes[part];
  record->source_primitive = part == 1;
  record->material = part == 1 ? MPAK_NONE : 0;
  record->vertex_count = c->vertices[part];
  record->first_section = first_sections[part];
  record->section_count = sections[part];
  record->flags = part == 0 ? MPAK_PART_TANGENTS : 0;
  record->bounds_max[0] = record->conservative_max[0] = 9;
  record->conservative_min[1] = -2;
  record->max_position_delta = 0.5f;
}

static void character_part(character *c, uint32_t part) {
  character_base(c, part);
  character_colours(c, part);
  character_skin(c, part);
  character_indices(c, part);
  if (part == 0) character_shapes(c);
  character_source_map(c, part);
  c->parts[part].source_index_count = c->parts[part].index_count;
}

void mt_pack_character(mt_pack *pack, const mt_character *options) {
  character all = {.pack = pack, .options = *options, .vertices = {options->vertex_count, 4, 3}}, *c = &all;
  if (c->vertices[0] == 0) c->vertices[0] = 9;
  if (c->options.components == 0) c->options.components = 9;
  mt_pack_begin(pack);
  character_scene(c);
  for (uint32_t part = 0; part < PARTS; part++) character_part_record(c, part);
  character_meshes(c);
  character_sections(c);
  character_rest_of_tables(c);
  if (options->has_clips) character_clips(c);
  for (uint32_t part = 0; part < PARTS; part++) character_part(c, part);
  if (options->has_clips) character_keys(c);
  mt_pack_patch(pack, MPAK_KIND_PART, 0, 0, c->parts, sizeof c->parts);
  if (options->is_compressed) mt_pack_compress(pack);
}
