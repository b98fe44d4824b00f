#include "tests/support/mt_pose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *mt_pose_memory(uint64_t byte_count) {
  size_t size = (size_t)(byte_count + 16) & ~(size_t)15;
  void *memory = aligned_alloc(16, size);
  if (!memory) abort();
  memset(memory, 0, size);
  return memory;
}

mt_pose_scene *mt_pose_make(void) {
  mt_pose_scene *scene = mt_pose_memory(sizeof *scene);
  scene->pack = (mpak_pack){.strings = scene->strings,
                            .string_bytes = 1,
                            .nodes = scene->nodes,
                            .instances = scene->instances,
                            .instance_weights = scene->instance_weights,
                            .skins = scene->skins,
                            .joints = scene->joints,
                            .meshes = scene->meshes,
                            .parts = scene->parts,
                            .controls = scene->controls,
                            .shapes = scene->shapes,
                            .rules = scene->rules,
                            .rule_points = scene->rule_points,
                            .sections = scene->sections,
                            .bones = scene->bones,
                            .clips = scene->clip_records,
                            .tracks = scene->tracks,
                            .key_time_chunk = MPAK_NONE,
                            .key_value_chunk = MPAK_NONE};
  scene->clips = (mpak_clips){.times = scene->times, .values = scene->values};
  return scene;
}

static uint32_t mt_pose_string(mt_pose_scene *scene, const char *text) {
  uint32_t offset = scene->pack.string_bytes;
  size_t bytes = strlen(text) + 1;
  assert(offset + bytes <= sizeof scene->strings);
  memcpy(scene->strings + offset, text, bytes);
  scene->pack.string_bytes += (uint32_t)bytes;
  return offset;
}

static uint32_t mt_pose_next(uint32_t *count) {
  assert(*count < MT_POSE_MOST);
  return (*count)++;
}

uint32_t mt_pose_add_node(mt_pose_scene *scene, const char *key, uint32_t parent, const float *t, const float *q,
                          const float *s) {
  static const float zero[3] = {0, 0, 0}, identity[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
  uint32_t number = mt_pose_next(&scene->pack.node_count), text = mt_pose_string(scene, key);
  mpak_node *node = &scene->nodes[number];
  *node = (mpak_node){.name = text, .key = text, .parent = parent, .source_index = number};
  memcpy(node->rest, t ? t : zero, sizeof zero);
  memcpy(node->rest + 3, q ? q : identity, sizeof identity);
  memcpy(node->rest + 7, s ? s : one, sizeof one);
  return number;
}

uint32_t mt_pose_add_matrix_node(mt_pose_scene *scene, const char *key, uint32_t parent, const float matrix[12]) {
  uint32_t number = mt_pose_add_node(scene, key, parent, NULL, NULL, NULL);
  scene->nodes[number].flags = MPAK_NODE_MATRIX;
  memcpy(scene->nodes[number].rest, matrix, sizeof scene->nodes[number].rest);
  return number;
}

uint32_t mt_pose_add_skin(mt_pose_scene *scene, const char *key) {
  uint32_t number = mt_pose_next(&scene->pack.skin_count), text = mt_pose_string(scene, key);
  scene->skins[number] = (mpak_skin){.name = text, .key = text, .first_joint = scene->pack.joint_count};
  return number;
}

uint32_t mt_pose_add_joint(mt_pose_scene *scene, uint32_t node, const float *inverse_bind) {
  static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  mpak_joint *joint = &scene->joints[mt_pose_next(&scene->pack.joint_count)];
  joint->node = node;
  memcpy(joint->inverse_bind, inverse_bind ? inverse_bind : identity, sizeof identity);
  return scene->skins[scene->pack.skin_count - 1].joint_count++;
}

uint32_t mt_pose_add_mesh(mt_pose_scene *scene, const char *key) {
  uint32_t number = mt_pose_next(&scene->pack.mesh_count), text = mt_pose_string(scene, key);
  scene->meshes[number] = (mpak_mesh){
      .name = text, .key = text, .first_part = scene->pack.part_count, .first_control = scene->pack.control_count};
  return number;
}

uint32_t mt_pose_add_control(mt_pose_scene *scene, const char *key, float default_weight, float min, float max) {
  uint32_t mesh = scene->pack.mesh_count - 1, text = mt_pose_string(scene, key);
  scene->controls[mt_pose_next(&scene->pack.control_count)] = (mpak_control){
      .mesh = mesh, .name = text, .key = text, .default_weight = default_weight, .range_min = min, .range_max = max};
  return scene->meshes[mesh].control_count++;
}

uint32_t mt_pose_add_part(mt_pose_scene *scene, uint32_t vertex_count, const float (*positions)[3]) {
  uint32_t number = mt_pose_next(&scene->pack.part_count);
  mpak_mesh *mesh = &scene->meshes[scene->pack.mesh_count - 1];
  mpak_part *part = &scene->parts[number];
  mt_pose_part *storage = &scene->storage[number];
  assert(number < 4 && vertex_count <= MT_POSE_MOST_VERTICES);
  *part = (mpak_part){.mesh = scene->pack.mesh_count - 1,
                      .vertex_count = vertex_count,
                      .first_shape = scene->pack.shape_count,
                      .shape_count = mesh->control_count,
                      .flags = MPAK_PART_TANGENTS};
  for (uint32_t s = 0; s < mesh->control_count; ++s) {
    scene->shapes[mt_pose_next(&scene->pack.shape_count)] =
        (mpak_shape){.part = number, .control = mesh->first_control + s, .rule = MPAK_NONE};
  }
  for (uint32_t v = 0; v < vertex_count; ++v) {
    const float *p = positions[v];
    storage->base[v] = (mpak_base_vertex){{p[0], p[1], p[2], 1}, {0, 0, 1, 0}, {1, 0, 0, 1}};
  }
  ++mesh->part_count;
  scene->data[number] = (mpak_part_data){.base = storage->base, .joints = storage->joints, .weights = storage->weights};
  scene->data[number].morph.vertex_count = vertex_count;
  mt_pose_set_sections(scene, number, &vertex_count, 1);
  return number;
}

void mt_pose_set_rule(mt_pose_scene *scene, uint32_t shape, const float (*points)[2], uint32_t point_count) {
  const uint32_t rule = mt_pose_next(&scene->pack.rule_count);
  scene->shapes[shape].rule = rule;
  scene->rules[rule] =
      (mpak_rule){scene->shapes[shape].control, MPAK_RULE_POLYLINE, scene->pack.rule_point_count, point_count};
  for (uint32_t i = 0; i < point_count; ++i)
    scene->rule_points[mt_pose_next(&scene->pack.rule_point_count)] = (mpak_rule_point){points[i][0], points[i][1]};
}

uint32_t mt_pose_add_instance(mt_pose_scene *scene, uint32_t node, uint32_t mesh, uint32_t skin) {
  uint32_t number = mt_pose_next(&scene->pack.instance_count);
  scene->instances[number] = (mpak_instance){.node = node, .mesh = mesh, .skin = skin, .first_weight = MPAK_NONE};
  return number;
}

uint32_t mt_pose_add_clip(mt_pose_scene *scene, const char *key, float start_s, float end_s) {
  uint32_t number = mt_pose_next(&scene->pack.clip_count), text = mt_pose_string(scene, key);
  scene->clip_records[number] = (mpak_clip){
      .name = text, .key = text, .first_track = scene->pack.track_count, .start_s = start_s, .end_s = end_s};
  return number;
}

static uint32_t mt_pose_track_width(const mt_pose_scene *scene, uint32_t node, mpak_track_path path) {
  if (path == MPAK_PATH_ROTATION) return 4;
  if (path != MPAK_PATH_WEIGHTS) return 3;
  for (uint32_t i = 0; i < scene->pack.instance_count; ++i) {
    if (scene->instances[i].node == node) return scene->meshes[scene->instances[i].mesh].control_count;
  }
  abort();
}

uint32_t mt_pose_add_track(mt_pose_scene *scene, uint32_t node, mpak_track_path path, mpak_interpolation interpolation,
                           uint32_t key_count, const float *times, const float *values) {
  uint32_t number = mt_pose_next(&scene->pack.track_count), width = mt_pose_track_width(scene, node, path);
  uint32_t value_count = key_count * width * (interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  assert(scene->time_count + key_count <= MT_POSE_MOST_FLOATS);
  assert(scene->value_count + value_count <= MT_POSE_MOST_FLOATS);
  scene->tracks[number] = (mpak_track){.clip = scene->pack.clip_count - 1,
                                       .node = node,
                                       .path = path,
                                       .interpolation = interpolation,
                                       .width = width,
                                       .key_count = key_count,
                                       .first_time = scene->time_count,
                                       .first_value = scene->value_count};
  memcpy(scene->times + scene->time_count, times, key_count * sizeof *times);
  memcpy(scene->values + scene->value_count, values, value_count * sizeof *values);
  scene->time_count += key_count;
  scene->value_count += value_count;
  ++scene->clip_records[scene->pack.clip_count - 1].track_count;
  return number;
}

void mt_pose_set_csr(mt_pose_scene *scene, uint32_t part, const mt_pose_delta *deltas, uint32_t count) {
  mt_pose_part *storage = &scene->storage[part];
  uint32_t vertex_count = scene->parts[part].vertex_count, next = 0;
  assert(count <= MT_POSE_MOST_DELTAS);
  for (uint32_t v = 0; v < vertex_count; ++v) {
    storage->offsets[v] = next;
    for (; next < count && deltas[next].vertex == v; ++next) {
      mpak_csr_delta *delta = &storage->deltas[next];
      *delta = (mpak_csr_delta){.metadata = {deltas[next].shape}};
      memcpy(delta->position, deltas[next].position, sizeof deltas[next].position);
      memcpy(delta->normal, deltas[next].normal, sizeof deltas[next].normal);
      memcpy(delta->tangent, deltas[next].tangent, sizeof deltas[next].tangent);
    }
  }
  assert(next == count);
  storage->offsets[vertex_count] = next;
  scene->parts[part].payload = MPAK_PAYLOAD_CSR64;
  scene->data[part].morph = (mpak_morph){.payload = MPAK_PAYLOAD_CSR64,
                                         .vertex_count = vertex_count,
                                         .shape_count = scene->parts[part].shape_count,
                                         .delta_count = count,
                                         .vertex_offsets = storage->offsets,
                                         .deltas = storage->deltas};
}

/// Writes the entry of one shape in one block, if any of its vertices moves.
static void mt_pose_add_entry(mt_pose_part *storage, mpak_morph *morph, const mpak_morph_block *block, uint32_t shape,
                              const mt_pose_delta *deltas, uint32_t count) {
  uint64_t lanes = 0;
  for (uint32_t d = 0; d < count; ++d) {
    uint32_t lane = deltas[d].vertex - block->first_vertex;
    if (deltas[d].shape == shape && deltas[d].vertex >= block->first_vertex && lane < block->vertex_count) {
      lanes |= (uint64_t)1 << lane;
    }
  }
  if (lanes == 0) return;
  storage->entries[morph->entry_count++] = (mpak_morph_entry){.shape = shape,
                                                              .payload_offset = (uint32_t)morph->payload_word_count,
                                                              .lanes_low = (uint32_t)lanes,
                                                              .lanes_high = (uint32_t)(lanes >> 32),
                                                              .position_scale = 1,
                                                              .normal_scale = 1,
                                                              .tangent_scale = 1};
  for (uint32_t plane = 0; plane < 9; ++plane) {
    for (uint32_t d = 0; d < count; ++d) {
      uint32_t lane = deltas[d].vertex - block->first_vertex;
      if (deltas[d].shape != shape || deltas[d].vertex < block->first_vertex || lane >= block->vertex_count) continue;
      const float *streams[3] = {deltas[d].position, deltas[d].normal, deltas[d].tangent};
      memcpy(&storage->payload[morph->payload_word_count++], &streams[plane / 3][plane % 3], sizeof(float));
    }
  }
}

void mt_pose_set_blocks(mt_pose_scene *scene, uint32_t part, const mt_pose_delta *deltas, uint32_t count) {
  mt_pose_part *storage = &scene->storage[part];
  const mpak_part *record = &scene->parts[part];
  mpak_morph morph = {.payload = MPAK_PAYLOAD_P36,
                      .vertex_count = record->vertex_count,
                      .shape_count = record->shape_count,
                      .components = 9,
                      .delta_count = count,
                      .blocks = storage->blocks,
                      .entries = storage->entries,
                      .payload_words = storage->payload};
  for (uint32_t s = 0; s < record->section_count; ++s) {
    const mpak_section *section = &scene->sections[record->first_section + s];
    for (uint32_t first = 0; first < section->vertex_count; first += 64) {
      uint32_t left = section->vertex_count - first;
      mpak_morph_block *block = &storage->blocks[morph.block_count++];
      *block = (mpak_morph_block){.first_vertex = section->first_vertex + first,
                                  .first_entry = morph.entry_count,
                                  .vertex_count = (uint16_t)(left < 64 ? left : 64),
                                  .section = (uint16_t)s};
      for (uint32_t t = 0; t < record->shape_count; ++t) mt_pose_add_entry(storage, &morph, block, t, deltas, count);
    }
  }
  storage->blocks[morph.block_count] =
      (mpak_morph_block){.first_vertex = record->vertex_count, .first_entry = morph.entry_count};
  scene->parts[part].payload = MPAK_PAYLOAD_P36;
  scene->data[part].morph = morph;
}

void mt_pose_set_sections(mt_pose_scene *scene, uint32_t part, const uint32_t *vertex_counts, uint32_t section_count) {
  mpak_part *record = &scene->parts[part];
  uint32_t first_vertex = 0;
  record->first_section = scene->pack.section_count;
  record->section_count = section_count;
  for (uint32_t s = 0; s < section_count; ++s) {
    scene->sections[mt_pose_next(&scene->pack.section_count)] = (mpak_section){.part = part,
                                                                               .material = MPAK_NONE,
                                                                               .first_vertex = first_vertex,
                                                                               .vertex_count = vertex_counts[s],
                                                                               .cloth = MPAK_NONE};
    first_vertex += vertex_counts[s];
  }
  assert(first_vertex == record->vertex_count);
}

void mt_pose_set_bones(mt_pose_scene *scene, uint32_t part, uint32_t section, const uint32_t *joints, uint32_t count) {
  mpak_section *record = &scene->sections[scene->parts[part].first_section + section];
  record->first_bone = scene->pack.bone_count;
  record->bone_count = count;
  for (uint32_t b = 0; b < count; ++b) {
    scene->bones[mt_pose_next(&scene->pack.bone_count)] =
        (mpak_bone){.joint = joints[b], .box_min = {1, 1, 1}, .box_max = {-1, -1, -1}};
  }
}

void mt_pose_set_influences(mt_pose_scene *scene, uint32_t part, uint32_t vertex, const uint16_t *joints,
                            const float *weights, uint32_t count) {
  uint32_t per_vertex = scene->parts[part].influence_count;
  assert(count <= per_vertex);
  for (uint32_t k = 0; k < per_vertex; ++k) {
    scene->storage[part].joints[vertex * per_vertex + k] = k < count ? joints[k] : 0;
    scene->storage[part].weights[vertex * per_vertex + k] = k < count ? weights[k] : 0;
  }
}

float mt_pose_random(uint64_t *state, float low, float high) {
  // xorshift64*, Vigna 2016
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  uint32_t bits = (uint32_t)((*state * 0x2545F4914F6CDD1DULL) >> 40);
  return low + (high - low) * ((float)bits / 16777216.0f);
}

bool mt_pose_all_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!(values[i] - values[i] == 0)) return false;
  }
  return true;
}
