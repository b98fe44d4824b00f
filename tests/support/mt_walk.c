// mt_walk.c: see mt_walk.h. Every index that is followed here is one that a game would follow without a check.
#include "tests/support/mt_walk.h"

#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/morph_payload.h"
#include "runtime/mpak_pose.h"
#include "tests/support/mt_pack.h"

typedef struct walker {
  const mpak_pack *pack;
  void *scratch;
  uint64_t scratch_bytes;
  mt_walk *found;
} walker;

static void walk_mix(walker *w, uint64_t value) { w->found->digest = (w->found->digest ^ value) * 0x9E3779B97F4A7C15u; }
static void walk_float(walker *w, float value) { walk_mix(w, bytes_bits_of_float(value)); }
static void walk_text(walker *w, uint32_t offset) { walk_mix(w, strlen(mpak_string(w->pack, offset))); }

/// Remembers the first refusal. Returns whether the call succeeded.
static bool walk_passed(walker *w, mpak_result result, const mpak_fault *fault) {
  if (result == MPAK_OK) return true;
  if (w->found->decode_result == MPAK_OK) {
    w->found->decode_result = result;
    w->found->fault = *fault;
  }
  return false;
}

/// Memory of exactly this size; NULL for 0.
static void *walk_memory(uint64_t byte_count) {
  void *memory = NULL;
  if (byte_count == 0) return NULL;
  if (posix_memalign(&memory, 16, (size_t)byte_count)) abort();
  return memory;
}

// -- Tables ----------------------------------------------------------------------------------------------------------

static void walk_nodes(walker *w) {
  const mpak_pack *pack = w->pack;
  for (uint32_t i = 0; i < pack->node_count; i++) {
    const mpak_node *node = &pack->nodes[i];
    walk_text(w, node->name);
    walk_text(w, node->key);
    for (uint32_t up = i; up != MPAK_NONE; up = pack->nodes[up].parent) walk_float(w, pack->nodes[up].rest[0]);
  }
  for (uint32_t i = 0; i < pack->skin_count; i++) {
    const mpak_skin *skin = &pack->skins[i];
    walk_text(w, skin->key);
    for (uint32_t j = 0; j < skin->joint_count; j++)
      walk_mix(w, pack->nodes[pack->joints[skin->first_joint + j].node].key);
  }
}

static void walk_instances(walker *w) {
  const mpak_pack *pack = w->pack;
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const mpak_instance *instance = &pack->instances[i];
    const mpak_mesh *mesh = &pack->meshes[instance->mesh];
    walk_mix(w, pack->nodes[instance->node].key + (mpak_find_instance(pack, instance->node) == i));
    for (uint32_t k = 0; k < mesh->control_count && instance->first_weight != MPAK_NONE; k++)
      walk_float(w, pack->instance_weights[instance->first_weight + k]);
    if (instance->skin == MPAK_NONE) continue;
    const mpak_joint *joints = pack->joints + pack->skins[instance->skin].first_joint;
    for (uint32_t p = 0; p < mesh->part_count; p++) {
      const mpak_part *part = &pack->parts[mesh->first_part + p];
      for (uint32_t s = 0; s < part->section_count; s++) {
        const mpak_section *section = &pack->sections[part->first_section + s];
        for (uint32_t b = 0; b < section->bone_count; b++)
          walk_float(w, joints[pack->bones[section->first_bone + b].joint].inverse_bind[3]);
      }
    }
  }
}

static void walk_meshes(walker *w) {
  const mpak_pack *pack = w->pack;
  for (uint32_t m = 0; m < pack->mesh_count; m++) {
    const mpak_mesh *mesh = &pack->meshes[m];
    walk_text(w, mesh->name);
    walk_mix(w, mpak_find_mesh(pack, mpak_string(pack, mesh->key)));
    for (uint32_t i = 0; i < mesh->control_count; i++) {
      const mpak_control *control = &pack->controls[mesh->first_control + i];
      walk_mix(w, mpak_find_control(pack, m, mpak_string(pack, control->key)));
    }
    for (uint32_t i = 0; i < mesh->lod_count; i++) {
      const mpak_lod *lod = &pack->lods[mesh->first_lod + i];
      for (uint32_t k = 0; k < lod->required_count; k++)
        walk_mix(w, pack->nodes[pack->required_bones[lod->first_required + k]].key);
    }
  }
  for (uint32_t i = 0; i < pack->shape_count; i++) walk_text(w, pack->controls[pack->shapes[i].control].name);
}

static void walk_other_tables(walker *w) {
  const mpak_pack *pack = w->pack;
  for (uint32_t i = 0; i < pack->material_count; i++) {
    const uint32_t *texts = &pack->materials[i].base_texture;
    for (int k = 0; k < 5; k++) walk_text(w, texts[k]);
  }
  for (uint32_t i = 0; i < pack->section_count; i++)
    if (pack->sections[i].material != MPAK_NONE) walk_text(w, pack->materials[pack->sections[i].material].key);
  for (uint32_t i = 0; i < pack->meta_count; i++) walk_text(w, pack->metas[i].key), walk_text(w, pack->metas[i].value);
  for (uint32_t i = 0; i < pack->error_count; i++) walk_mix(w, pack->parts[pack->errors[i].part].mesh);
  walk_mix(w, mpak_max_bones_per_section(pack, 0) + mpak_find_node(pack, "no such node") + mpak_find_skin(pack, "rig"));
}

// -- Vertices --------------------------------------------------------------------------------------------------------

static float walk_csr_vertex(const mpak_morph *morph, uint32_t vertex, const float *weights) {
  float sum = 0;
  for (uint32_t i = morph->vertex_offsets[vertex]; i < morph->vertex_offsets[vertex + 1]; i++)
    sum += weights[morph->deltas[i].metadata[0]] * (morph->deltas[i].position[0] + morph->deltas[i].tangent[2]);
  return sum;
}

static void walk_blocks(const mpak_morph *morph, const float *weights, float *moved) {
  for (uint32_t b = 0; b < morph->block_count; b++) {
    const mpak_morph_block *block = &morph->blocks[b];
    for (uint32_t e = block->first_entry; e < morph->blocks[b + 1].first_entry; e++) {
      const mpak_morph_entry *entry = &morph->entries[e];
      uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
      uint32_t count = (uint32_t)__builtin_popcountll(lanes);
      const uint32_t *words = morph->payload_words + entry->payload_offset;
      for (uint32_t i = 0; i < count; i++, lanes &= lanes - 1) {
        float *vertex = &moved[block->first_vertex + (uint32_t)__builtin_ctzll(lanes)];
        float delta[9];
        mpak_lane_delta(morph->payload, morph->components, entry, words, count, i, delta);
        for (uint32_t c = 0; c < morph->components; c++) *vertex += weights[entry->shape] * delta[c];
      }
    }
  }
}

/// Morphs and sums with weights that come from the shape's number.
static void walk_move(walker *w, uint32_t number, const mpak_part_data *data, float scale) {
  const mpak_part *part = &w->pack->parts[number];
  float *weights = calloc((size_t)part->shape_count + 1, 4), *moved = calloc(part->vertex_count, 4);
  for (uint32_t s = 0; s < part->shape_count; s++) weights[s] = scale * (float)(s % 7) - 0.5f;
  if (data->morph.payload == MPAK_PAYLOAD_CSR64)
    for (uint32_t v = 0; v < part->vertex_count; v++) moved[v] = walk_csr_vertex(&data->morph, v, weights);
  if (mpak_payload_is_blk64(data->morph.payload)) walk_blocks(&data->morph, weights, moved);
  for (uint32_t v = 0; v < part->vertex_count; v++) walk_float(w, moved[v] + data->base[v].position[0]);
  free(weights);
  free(moved);
}

static void walk_triangles(walker *w, uint32_t number, const mpak_part_data *data) {
  const mpak_pack *pack = w->pack;
  const mpak_part *part = &pack->parts[number];
  for (uint32_t i = 0; i < part->index_count; i++) walk_float(w, data->base[mpak_index(data, i)].normal[2]);
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    const mpak_bone *bones = pack->bones ? pack->bones + section->first_bone : NULL;
    for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++)
      for (uint32_t i = 0; i < part->influence_count; i++) {
        size_t at = (size_t)v * part->influence_count + i;
        walk_float(w, bones[data->joints[at]].box_min[0] * data->weights[at]);
      }
  }
  for (int slot = 0; slot < 4; slot++)
    for (uint32_t i = 0; data->texcoords[slot] && i < 2 * part->vertex_count; i++)
      walk_float(w, data->texcoords[slot][i]);
}

static void walk_part(walker *w, uint32_t number) {
  uint64_t byte_count = mpak_part_bytes(w->pack, number);
  void *memory = walk_memory(byte_count);
  mpak_part_data data;
  mpak_fault fault;
  if (walk_passed(w, mpak_load_part(w->pack, number, memory, byte_count, w->scratch, w->scratch_bytes, &data, &fault),
                  &fault)) {
    walk_triangles(w, number, &data);
    walk_move(w, number, &data, 0);
    walk_move(w, number, &data, 0.25f);
  }
  free(memory);
}

// -- Keys and single chunks ------------------------------------------------------------------------------------------

/// Compressed tracks at some times, before the clip and behind it too; all numbers must be finite.
static void walk_samples(walker *w, const mpak_clips *clips) {
  const mpak_pack *pack = w->pack;
  uint64_t byte_count = mpak_pose_bytes(pack);
  void *memory = walk_memory(byte_count);
  mpak_pose pose;
  if (mpak_pose_init(pack, memory, byte_count, &pose) != MPAK_OK) abort();
  for (uint32_t c = 0; c < pack->clip_count; c++) {
    const double start_s = pack->clips[c].start_s, length_s = (double)pack->clips[c].end_s - start_s;
    for (uint32_t i = 0; i < 5 && pack->clips[c].word_count > 0; i++) {
      mpak_pose_sample(&pose, clips, c, start_s + length_s * (0.4 * i - 0.3));
      const float *floats = (const float *)pose.locals;
      for (uint32_t k = 0; k < 12 * pack->node_count; k++) {
        if (!bytes_float_is_finite(floats[k])) abort();
        walk_float(w, floats[k]);
      }
    }
  }
  free(memory);
}

static void walk_clips(walker *w) {
  const mpak_pack *pack = w->pack;
  uint64_t byte_count = mpak_clips_bytes(pack);
  void *memory = walk_memory(byte_count);
  mpak_clips clips;
  mpak_fault fault;
  if (walk_passed(w, mpak_load_clips(pack, memory, byte_count, w->scratch, w->scratch_bytes, &clips, &fault), &fault)) {
    for (uint32_t i = 0; i < pack->track_count; i++) {
      const mpak_track *track = &pack->tracks[i];
      uint32_t floats = track->key_count * track->width * (track->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
      for (uint32_t k = 0; k < track->key_count; k++) walk_float(w, clips.times[track->first_time + k]);
      for (uint32_t k = 0; k < floats; k++) walk_float(w, clips.values[track->first_value + k]);
      walk_text(w, pack->clips[track->clip].name);
    }
    if (clips.words) walk_samples(w, &clips);
  }
  free(memory);
}

/// Is the chunk decoded with its part or with the clips?
static bool walk_is_loaded(uint32_t kind) {
  static const uint32_t kinds[] = {MPAK_KIND_VBAS, MPAK_KIND_INDX, MPAK_KIND_JNTS, MPAK_KIND_WGTS, MPAK_KIND_TEXC,
                                   MPAK_KIND_COLR, MPAK_KIND_KEYT, MPAK_KIND_KEYV, MPAK_KIND_ANIM};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (kinds[i] == kind) return true;
  return false;
}

/// A chunk that no other call decodes, into memory of its own.
static void walk_chunk(walker *w, uint32_t number) {
  const mpak_chunk_entry *chunk = &w->pack->chunks[number];
  if (walk_is_loaded(chunk->kind)) return;
  void *memory = walk_memory(chunk->decoded_bytes);
  const void *view = NULL;
  mpak_fault fault;
  mpak_result result =
      mpak_decode(w->pack, number, memory, chunk->decoded_bytes, w->scratch, w->scratch_bytes, &view, &fault);
  if (result != MPAK_ERROR_ARGUMENT && walk_passed(w, result, &fault)) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < chunk->decoded_bytes; i++) sum += ((const uint8_t *)view)[i];
    walk_mix(w, sum);
  }
  free(memory);
}

static void walk_all(walker *w) {
  walk_nodes(w);
  walk_instances(w);
  walk_meshes(w);
  walk_other_tables(w);
  w->scratch_bytes = mpak_scratch_bytes(w->pack);
  w->scratch = walk_memory(w->scratch_bytes);
  for (uint32_t i = 0; i < w->pack->part_count; i++) walk_part(w, i);
  walk_clips(w);
  for (uint32_t i = 0; i < w->pack->chunk_count; i++) walk_chunk(w, i);
  free(w->scratch);
  if (w->found->decode_result == MPAK_OK) w->found->is_finite = mt_walk_deform(w->pack);
}

// -- A decoder that keeps its context --------------------------------------------------------------------------------

/// Making a context costs more than all else in a walk, so one is made and kept. What the runtime's decode calls give
/// as scratch must still be there: its ends are written.
static mpak_result walk_prepare(void *user, void *scratch, size_t scratch_bytes) {
  (void)user;
  ((uint8_t *)scratch)[0] = ((uint8_t *)scratch)[scratch_bytes - 1] = 0;
  return MPAK_OK;
}

static mpak_result walk_decompress(void *user, void *dst, size_t dst_bytes, const void *src, size_t src_bytes,
                                   void *scratch, size_t scratch_bytes) {
  static void *kept;
  const mpak_decoder *decoder = mpak_zstd_decoder();
  (void)scratch;
  if (!kept) {
    kept = walk_memory(scratch_bytes);
    if (decoder->prepare(NULL, kept, scratch_bytes) != MPAK_OK) abort();
  }
  return decoder->decompress(user, dst, dst_bytes, src, src_bytes, kept, scratch_bytes);
}

static mt_walk walk_pack(const uint8_t *bytes, uint64_t byte_count, const mpak_open_options *options) {
  mt_walk found = {.is_finite = true};
  mpak_pack pack;
  found.open_result = mpak_open(bytes, byte_count, options, &pack, &found.fault);
  if (found.open_result == MPAK_OK) walk_all(&(walker){.pack = &pack, .found = &found});
  return found;
}

/// The pack in a wrapped file, in memory of exactly its size; the walk goes on with it.
static mt_walk walk_wrapped(const uint8_t *bytes, uint64_t byte_count, const mpak_open_options *options) {
  mt_walk found = {.is_finite = true};
  mpak_unwrapped_sizes sizes;
  void *memory = NULL;
  found.open_result = mpak_unwrap_sizes(bytes, byte_count, options, &sizes, &found.fault);
  if (found.open_result != MPAK_OK) return found;
  void *scratch = walk_memory(sizes.scratch_bytes);
  if (posix_memalign(&memory, 64, (size_t)sizes.pack_bytes)) abort();
  found.open_result =
      mpak_unwrap(bytes, byte_count, options, memory, sizes.pack_bytes, scratch, sizes.scratch_bytes, &found.fault);
  free(scratch);
  if (found.open_result == MPAK_OK) found = walk_pack(memory, sizes.pack_bytes, options);
  free(memory);
  return found;
}

mt_walk mt_walk_aligned(const uint8_t *bytes, uint64_t byte_count, uint64_t max_bytes) {
  const mpak_decoder decoder = {walk_decompress, mpak_zstd_decoder()->scratch_bytes, NULL, walk_prepare};
  const mpak_open_options options = {.decoder = &decoder, .max_decoded_bytes = max_bytes};
  if (mpak_is_wrapped(bytes, byte_count)) return walk_wrapped(bytes, byte_count, &options);
  return walk_pack(bytes, byte_count, &options);
}

mt_walk mt_walk_bytes(const uint8_t *bytes, uint64_t byte_count, uint64_t max_bytes) {
  mt_image image = mt_image_copy(bytes, byte_count);
  mt_walk found = mt_walk_aligned(image.bytes, image.byte_count, max_bytes);
  mt_image_free(&image);
  return found;
}
