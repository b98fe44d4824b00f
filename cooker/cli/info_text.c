#include "cooker/cli/info.h"

#include <string.h>

#include "cooker/cli/summary.h"
#include "cooker/report/number.h"

// -- What both forms use ---------------------------------------------------------------------------------------------

const char *info_layout_name(const mpak_part *part) {
  if (part->payload == MPAK_PAYLOAD_NONE) return "none";
  return part->payload == MPAK_PAYLOAD_CSR64 ? "csr64" : "blk64";
}

const char *info_cooker_version(cook_job *job, const mpak_pack *pack) {
  const uint64_t version = pack->header->cooker_version;
  return job_format(job, "%u.%u.%u", (unsigned)(version >> 48 & 0xFFFF), (unsigned)(version >> 32 & 0xFFFF),
                    (unsigned)(version >> 16 & 0xFFFF));
}

const char *info_stream_name(uint32_t stream) {
  static const char *const names[] = {"position",       "normal",         "tangent",      "texcoord",
                                      "weight",         "delta_position", "delta_normal", "delta_tangent",
                                      "posed_position", "posed_normal"};
  return stream < sizeof names / sizeof names[0] ? names[stream] : "other";
}

// -- Text ------------------------------------------------------------------------------------------------------------

static void info_text_name(text_out *text, const mpak_pack *pack, uint32_t key) {
  text_put_char(text, '"');
  text_put_escaped(text, mpak_string(pack, key), true);
  text_put_char(text, '"');
}

static void info_text_float(text_out *text, const char *before, float value) {
  char number[NUMBER_BYTES];
  number_format(number, value, 6);
  text_printf(text, "%s%s", before, number);
}

static void info_text_box(text_out *text, const char *label, const float *low, const float *high) {
  text_put(text, label);
  for (int i = 0; i < 3; i++) info_text_float(text, i == 0 ? "" : " ", low[i]);
  text_put(text, " … ");
  for (int i = 0; i < 3; i++) info_text_float(text, i == 0 ? "" : " ", high[i]);
  text_put_char(text, '\n');
}

static void info_text_part(text_out *text, const mpak_pack *pack, const mpak_part *part) {
  cook_job *job = text->job;
  text_put(text, "  ");
  if (pack->meshes[part->mesh].lod_count > 1) text_printf(text, "level %u ", part->lod);
  text_printf(text, "primitive %u: %s vertices", part->source_primitive, summary_count(job, part->vertex_count));
  text_printf(text, " from %s, ", summary_count(job, part->source_vertex_count));
  text_printf(text, "%s triangles", summary_count(job, part->index_count / 3));
  if (part->material != MPAK_NONE) {
    text_put(text, ", material ");
    info_text_name(text, pack, pack->materials[part->material].key);
  }
  if (part->influence_count != 0) text_printf(text, ", %u influences", part->influence_count);
  text_printf(text, ", layout %s, %s deltas\n", info_layout_name(part), summary_count(job, part->delta_count));
  info_text_box(text, "    bounds        ", part->bounds_min, part->bounds_max);
  info_text_box(text, "    conservative  ", part->conservative_min, part->conservative_max);
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++)
    text_printf(text, "    section %u: %u vertices, %u bones, %u influences at most\n", s - part->first_section,
                pack->sections[s].vertex_count, pack->sections[s].bone_count, pack->sections[s].max_influences);
}

static void info_text_levels(text_out *text, const mpak_pack *pack, const mpak_mesh *mesh) {
  for (uint32_t k = 0; k < mesh->lod_count && mesh->lod_count > 1; k++) {
    const mpak_lod *lod = &pack->lods[mesh->first_lod + k];
    text_printf(text, "  level %u: %u required bones", k, lod->required_count);
    if (lod->screen_size > 0) info_text_float(text, ", from a screen size of ", lod->screen_size);
    if (lod->error_m > 0) info_text_float(text, ", error in mm ", lod->error_m * 1000);
    text_put_char(text, '\n');
  }
}

static uint64_t info_text_deltas(const mpak_pack *pack, const mpak_mesh *mesh, uint32_t control) {
  uint64_t sum = 0;
  for (uint32_t p = mesh->first_part; p < mesh->first_part + mesh->part_count; p++)
    for (uint32_t s = 0; s < pack->parts[p].shape_count; s++)
      if (pack->shapes[pack->parts[p].first_shape + s].control == control)
        sum += pack->shapes[pack->parts[p].first_shape + s].delta_count;
  return sum;
}

/// The most shapes that the control moves in a part: more than one are in-betweens.
static uint32_t info_text_shapes(const mpak_pack *pack, const mpak_mesh *mesh, uint32_t control) {
  uint32_t most = 0;
  for (uint32_t p = mesh->first_part; p < mesh->first_part + mesh->part_count; p++) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < pack->parts[p].shape_count; s++)
      count += pack->shapes[pack->parts[p].first_shape + s].control == control;
    if (count > most) most = count;
  }
  return most;
}

static void info_text_controls(text_out *text, const mpak_pack *pack, const mpak_mesh *mesh) {
  for (uint32_t c = 0; c < mesh->control_count; c++) {
    const mpak_control *control = &pack->controls[mesh->first_control + c];
    text_printf(text, "  target #%u ", c);
    info_text_name(text, pack, control->key);
    info_text_float(text, ": default ", control->default_weight);
    info_text_float(text, ", range ", control->range_min);
    info_text_float(text, " … ", control->range_max);
    const uint32_t shape_count = info_text_shapes(pack, mesh, mesh->first_control + c);
    if (shape_count > 1) text_printf(text, ", %u shapes", shape_count);
    text_printf(text, ", %s deltas\n", summary_count(text->job, info_text_deltas(pack, mesh, mesh->first_control + c)));
  }
}

static void info_text_meshes(text_out *text, const mpak_pack *pack) {
  for (uint32_t m = 0; m < pack->mesh_count; m++) {
    const mpak_mesh *mesh = &pack->meshes[m];
    text_put(text, "mesh ");
    info_text_name(text, pack, mesh->key);
    text_put(text, " drawn by");
    for (uint32_t i = 0; i < pack->instance_count; i++) {
      if (pack->instances[i].mesh != m) continue;
      text_put_char(text, ' ');
      info_text_name(text, pack, pack->nodes[pack->instances[i].node].key);
    }
    text_put_char(text, '\n');
    for (uint32_t p = 0; p < mesh->part_count; p++) info_text_part(text, pack, &pack->parts[mesh->first_part + p]);
    info_text_levels(text, pack, mesh);
    info_text_controls(text, pack, mesh);
  }
}

static void info_text_scene(text_out *text, const mpak_pack *pack) {
  for (uint32_t s = 0; s < pack->skin_count; s++) {
    text_put(text, "skin ");
    info_text_name(text, pack, pack->skins[s].key);
    text_printf(text, ": %u joints\n", pack->skins[s].joint_count);
  }
  text_printf(text, "nodes: %u\n", pack->node_count);
  for (uint32_t c = 0; c < pack->clip_count; c++) {
    const mpak_clip *clip = &pack->clips[c];
    text_printf(text, "clip #%u ", c);
    info_text_name(text, pack, clip->key);
    info_text_float(text, ": ", clip->start_s);
    info_text_float(text, " … ", clip->end_s);
    text_printf(text, " s, %u node tracks, %u weight tracks\n", clip->source_node_tracks, clip->source_weight_tracks);
  }
}

static void info_text_chunks(text_out *text, const mpak_pack *pack) {
  text_put(text, "chunk  encoding        stored       decoded\n");
  for (uint32_t c = 0; c < pack->chunk_count; c++) {
    const mpak_chunk_entry *chunk = &pack->chunks[c];
    char kind[5] = {0};
    memcpy(kind, &chunk->kind, 4);
    text_printf(text, "%-5s  %-8s  %12s", kind, chunk->encoding == MPAK_ENCODING_STORE ? "store" : "zstd",
                summary_count(text->job, chunk->stored_bytes));
    text_printf(text, "  %12s\n", summary_count(text->job, chunk->decoded_bytes));
  }
}

void info_put_text(text_out *text, const pack_file *file) {
  const mpak_pack *pack = &file->pack;
  if (pack->part_count == 0 && pack->clip_count != 0) text_put(text, "clip pack, ");
  text_printf(text, "format %u.%u, cooker %s, ", pack->header->format_major, pack->header->format_minor,
              info_cooker_version(text->job, pack));
  text_printf(text, "%s bytes, ", summary_count(text->job, file->file_bytes));
  if (file->is_wrapped) text_printf(text, "wrapped, %s unwrapped, ", summary_count(text->job, pack->byte_count));
  text_printf(text, "%s decoded\n", summary_count(text->job, pack->header->decoded_bytes));
  info_text_meshes(text, pack);
  info_text_scene(text, pack);
  info_text_chunks(text, pack);
  for (uint32_t m = 0; m < pack->meta_count; m++) {
    text_put_escaped(text, mpak_string(pack, pack->metas[m].key), false);
    text_put(text, " = ");
    text_put_escaped(text, mpak_string(pack, pack->metas[m].value), false);
    text_put_char(text, '\n');
  }
}
