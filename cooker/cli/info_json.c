#include "cooker/cli/info.h"

#include <string.h>

static const char *pack_material_key(const mpak_pack *pack, uint32_t material) {
  return material != MPAK_NONE ? mpak_string(pack, pack->materials[material].key) : NULL;
}

static const char *pack_node_key(const mpak_pack *pack, uint32_t node) {
  return node != MPAK_NONE ? mpak_string(pack, pack->nodes[node].key) : NULL;
}

static void info_json_box(json_out *json, const char *key, const float *low, const float *high) {
  write_json_key(json, key);
  write_json_object_inline(json);
  write_json_key(json, "min");
  write_json_floats(json, low, 3);
  write_json_key(json, "max");
  write_json_floats(json, high, 3);
  write_json_close(json);
}

// -- Meshes ----------------------------------------------------------------------------------------------------------

static void info_json_source_target(json_out *json, const mpak_pack *pack, uint32_t control, const mpak_shape *shape) {
  write_json_object_inline(json);
  write_json_member_string(json, "name", mpak_string(pack, pack->controls[control].name));
  write_json_member_count(json, "moved_count", shape != NULL ? shape->source_moved_count : 0);
  write_json_member_float(json, "max_delta", shape != NULL ? shape->source_max_delta : 0);
  write_json_close(json);
}

/// One line for each shape of a control: more than one where it has in-betweens, and one of zeros where the part has
/// none.
static void info_json_source_targets(json_out *json, const mpak_pack *pack, const mpak_part *part, uint32_t control) {
  bool has_shape = false;
  for (uint32_t s = part->first_shape; s < part->first_shape + part->shape_count; s++) {
    if (pack->shapes[s].control != control) continue;
    info_json_source_target(json, pack, control, &pack->shapes[s]);
    has_shape = true;
  }
  if (!has_shape) info_json_source_target(json, pack, control, NULL);
}

/// What the source said about each target: all that is known without decoding.
static void info_json_source(json_out *json, const mpak_pack *pack, const mpak_part *part) {
  const mpak_mesh *mesh = &pack->meshes[part->mesh];
  write_json_key(json, "source");
  write_json_object(json);
  write_json_member_count(json, "vertex_count", part->source_vertex_count);
  write_json_member_count(json, "index_count", part->source_index_count);
  write_json_key(json, "targets");
  write_json_array(json);
  for (uint32_t c = 0; c < mesh->control_count; c++)
    info_json_source_targets(json, pack, part, mesh->first_control + c);
  write_json_close(json);
  write_json_close(json);
}

/// Deltas of all shapes of the part that the control moves.
static uint64_t info_delta_count(const mpak_pack *pack, const mpak_part *part, uint32_t control) {
  uint64_t sum = 0;
  for (uint32_t s = 0; s < part->shape_count; s++)
    if (pack->shapes[part->first_shape + s].control == control) sum += pack->shapes[part->first_shape + s].delta_count;
  return sum;
}

/// part: NULL for a mesh that has none.
static void info_json_targets(json_out *json, const mpak_pack *pack, const mpak_mesh *mesh, const mpak_part *part) {
  write_json_key(json, "targets");
  write_json_array(json);
  for (uint32_t c = mesh->first_control; c < mesh->first_control + mesh->control_count; c++) {
    const mpak_control *control = &pack->controls[c];
    const float range[2] = {control->range_min, control->range_max};
    write_json_object_inline(json);
    write_json_member_string(json, "name", mpak_string(pack, control->name));
    write_json_member_string(json, "key", mpak_string(pack, control->key));
    write_json_member_float(json, "default_weight", control->default_weight);
    write_json_key(json, "range");
    write_json_floats(json, range, 2);
    if (part != NULL) write_json_member_count(json, "delta_count", info_delta_count(pack, part, c));
    write_json_close(json);
  }
  write_json_close(json);
}

static void info_json_sections(json_out *json, const mpak_pack *pack, const mpak_part *part) {
  write_json_key(json, "sections");
  write_json_array(json);
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    write_json_object(json);
    write_json_member_string(json, "material", pack_material_key(pack, section->material));
    write_json_member_count(json, "index_count", section->index_count);
    write_json_member_count(json, "vertex_count", section->vertex_count);
    write_json_key(json, "bone_map");
    write_json_array_inline(json);
    for (uint32_t b = 0; b < section->bone_count; b++)
      write_json_count(json, pack->bones[section->first_bone + b].joint);
    write_json_close(json);
    write_json_member_count(json, "max_influences", section->max_influences);
    write_json_close(json);
  }
  write_json_close(json);
}

static void info_json_part(json_out *json, const mpak_pack *pack, const mpak_part *part) {
  write_json_object(json);
  write_json_member_count(json, "lod", part->lod);
  write_json_member_string(json, "material", pack_material_key(pack, part->material));
  info_json_source(json, pack, part);
  write_json_member_count(json, "vertex_count", part->vertex_count);
  write_json_member_count(json, "index_count", part->index_count);
  info_json_box(json, "bounds", part->bounds_min, part->bounds_max);
  info_json_box(json, "conservative_bounds", part->conservative_min, part->conservative_max);
  write_json_member_float(json, "max_position_delta", part->max_position_delta);
  info_json_targets(json, pack, &pack->meshes[part->mesh], part);
  info_json_sections(json, pack, part);
  write_json_close(json);
}

static void info_json_meshes(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "meshes");
  write_json_array(json);
  for (uint32_t m = 0; m < pack->mesh_count; m++) {
    const mpak_mesh *mesh = &pack->meshes[m];
    write_json_object(json);
    write_json_member_string(json, "name", mpak_string(pack, mesh->name));
    write_json_member_string(json, "key", mpak_string(pack, mesh->key));
    write_json_key(json, "nodes");
    write_json_array_inline(json);
    for (uint32_t i = 0; i < pack->instance_count; i++)
      if (pack->instances[i].mesh == m) write_json_string(json, pack_node_key(pack, pack->instances[i].node));
    write_json_close(json);
    write_json_key(json, "primitives");
    write_json_array(json);
    for (uint32_t p = 0; p < mesh->part_count; p++) info_json_part(json, pack, &pack->parts[mesh->first_part + p]);
    write_json_close(json);
    if (mesh->part_count == 0) info_json_targets(json, pack, mesh, NULL); // a clip pack's: nothing else names them
    write_json_close(json);
  }
  write_json_close(json);
}

// -- Skins, nodes, clips ---------------------------------------------------------------------------------------------

static void info_json_skins(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "skins");
  write_json_array(json);
  for (uint32_t s = 0; s < pack->skin_count; s++) {
    const mpak_skin *skin = &pack->skins[s];
    write_json_object(json);
    write_json_member_string(json, "name", mpak_string(pack, skin->name));
    write_json_member_count(json, "joint_count", skin->joint_count);
    write_json_key(json, "joints");
    write_json_array_inline(json);
    for (uint32_t j = 0; j < skin->joint_count; j++)
      write_json_string(json, pack_node_key(pack, pack->joints[skin->first_joint + j].node));
    write_json_close(json);
    write_json_close(json);
  }
  write_json_close(json);
}

static void info_json_nodes(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "nodes");
  write_json_array(json);
  for (uint32_t n = 0; n < pack->node_count; n++) {
    write_json_object_inline(json);
    write_json_member_string(json, "name", mpak_string(pack, pack->nodes[n].name));
    write_json_member_string(json, "key", mpak_string(pack, pack->nodes[n].key));
    write_json_member_string(json, "parent", pack_node_key(pack, pack->nodes[n].parent));
    write_json_close(json);
  }
  write_json_close(json);
}

static void info_json_clips(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "clips");
  write_json_array(json);
  for (uint32_t c = 0; c < pack->clip_count; c++) {
    const mpak_clip *clip = &pack->clips[c];
    write_json_object_inline(json);
    write_json_member_string(json, "name", mpak_string(pack, clip->name));
    write_json_member_float(json, "start_s", clip->start_s);
    write_json_member_float(json, "end_s", clip->end_s);
    write_json_member_real(json, "duration_s", (double)clip->end_s - (double)clip->start_s);
    write_json_member_count(json, "node_tracks", clip->source_node_tracks);
    write_json_member_count(json, "weight_tracks", clip->source_weight_tracks);
    if (clip->word_count > 0) write_json_member_float(json, "error_m", clip->error_m);
    write_json_close(json);
  }
  write_json_close(json);
}

static void info_json_lods(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "lods");
  write_json_array(json);
  for (uint32_t l = 0; l < pack->lod_count; l++) {
    const mpak_lod *lod = &pack->lods[l];
    write_json_object(json);
    write_json_member_string(json, "mesh", mpak_string(pack, pack->meshes[lod->mesh].key));
    write_json_member_count(json, "level", lod->level);
    write_json_member_float(json, "screen_size", lod->screen_size);
    write_json_member_float(json, "error_m", lod->error_m);
    write_json_key(json, "required_bones");
    write_json_array_inline(json);
    for (uint32_t r = 0; r < lod->required_count; r++)
      write_json_string(json, pack_node_key(pack, pack->required_bones[lod->first_required + r]));
    write_json_close(json);
    write_json_close(json);
  }
  write_json_close(json);
}

// -- The file itself -------------------------------------------------------------------------------------------------

static void info_json_chunks(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "chunks");
  write_json_array(json);
  for (uint32_t c = 0; c < pack->chunk_count; c++) {
    const mpak_chunk_entry *chunk = &pack->chunks[c];
    char kind[5] = {0};
    memcpy(kind, &chunk->kind, 4);
    write_json_object_inline(json);
    write_json_member_string(json, "kind", kind);
    write_json_member_string(json, "encoding", chunk->encoding == MPAK_ENCODING_STORE ? "store" : "zstd");
    write_json_member_count(json, "stored_bytes", chunk->stored_bytes);
    write_json_member_count(json, "decoded_bytes", chunk->decoded_bytes);
    write_json_close(json);
  }
  write_json_close(json);
}

/// The largest over all parts first, then each part and stream.
static void info_json_errors(json_out *json, const mpak_pack *pack) {
  float largest_m = 0;
  for (uint32_t e = 0; e < pack->error_count; e++) {
    const mpak_measured_error *error = &pack->errors[e];
    const bool is_metres = error->stream == MPAK_STREAM_POSITION || error->stream == MPAK_STREAM_DELTA_POSITION ||
                           error->stream == MPAK_STREAM_POSED_POSITION;
    if (is_metres && error->largest > largest_m) largest_m = error->largest;
  }
  write_json_key(json, "errors");
  write_json_object(json);
  write_json_member_float(json, "largest_m", largest_m);
  write_json_key(json, "streams");
  write_json_array(json);
  for (uint32_t e = 0; e < pack->error_count; e++) {
    const mpak_measured_error *error = &pack->errors[e];
    const mpak_part *part = &pack->parts[error->part];
    write_json_object_inline(json);
    write_json_member_string(json, "mesh", mpak_string(pack, pack->meshes[part->mesh].key));
    write_json_member_count(json, "primitive", part->source_primitive);
    write_json_member_count(json, "lod", part->lod);
    write_json_member_string(json, "stream", info_stream_name(error->stream));
    write_json_member_float(json, "largest", error->largest);
    write_json_member_float(json, "rms", error->rms);
    write_json_close(json);
  }
  write_json_close(json);
  write_json_close(json);
}

static void info_json_cooker(json_out *json, const mpak_pack *pack) {
  write_json_key(json, "cooker");
  write_json_object(json);
  write_json_member_string(json, "version", info_cooker_version(json->text->job, pack));
  write_json_key(json, "options");
  write_json_object(json);
  for (uint32_t m = 0; m < pack->meta_count; m++)
    write_json_member_string(json, mpak_string(pack, pack->metas[m].key), mpak_string(pack, pack->metas[m].value));
  write_json_close(json);
  write_json_close(json);
}

static void info_json_file(json_out *json, const pack_file *file) {
  write_json_key(json, "file");
  write_json_object_inline(json);
  write_json_member_count(json, "bytes", file->file_bytes);
  write_json_key(json, "is_wrapped");
  write_json_bool(json, file->is_wrapped);
  write_json_member_count(json, "pack_bytes", file->pack.byte_count);
  write_json_close(json);
}

void info_put_json(json_out *json, const pack_file *file) {
  const mpak_pack *pack = &file->pack;
  write_json_object(json);
  info_json_meshes(json, pack);
  info_json_skins(json, pack);
  info_json_nodes(json, pack);
  info_json_clips(json, pack);
  info_json_lods(json, pack);
  info_json_chunks(json, pack);
  info_json_errors(json, pack);
  info_json_cooker(json, pack);
  info_json_file(json, file);
  write_json_close(json);
  write_json_end(json);
}
