// tables_quantised.c: QUAN, VQNT, TEXQ, and the narrow forms of JNTS and WGTS: the numbers of streams that
// build/quantise put on grids.
#include <string.h>

#include "cooker/build/quantise_base.h"
#include "cooker/pack/tables.h"
#include "format/quantised.h"

// -- Numbers ----------------------------------------------------------------------------------------------------------

static void quantised_number_vertex(const cook_primitive *primitive, uint32_t v, mpak_quantised_vertex *out) {
  const cook_grid *grid = &primitive->grid;
  for (int axis = 0; axis < 3; ++axis) {
    out->position[axis] =
        (uint16_t)quantise_grid_number(primitive->positions[v][axis], grid->position_origin[axis], grid->position_step);
  }
  out->normal[0] = MPAK_NO_NORMAL;
  if (primitive->normals) quantise_octahedral_numbers(primitive->normals[v], grid->normal_bits, out->normal);
  if (!primitive->tangents) return;
  const float *tangent = primitive->tangents[v];
  const uint32_t place = quantise_tangent_number(primitive->normals[v], tangent, grid->tangent_bits);
  out->tangent = (uint16_t)(place << 1 | (tangent[3] < 0));
}

uint32_t tables_add_quantised_base(pack_tables *tables, uint32_t number) {
  const cook_primitive *primitive = tables->part_sources[number].primitive;
  const uint32_t count = primitive->vertex_count;
  if (!(primitive->grid.position_step > 0)) return MPAK_NONE;
  mpak_quantised_vertex *vertices = JOB_ARRAY(tables->job, mpak_quantised_vertex, count);
  for (uint32_t v = 0; v < count; ++v) quantised_number_vertex(primitive, v, &vertices[v]);
  return tables_add_chunk(tables, MPAK_KIND_VQNT, number, sizeof *vertices, count, vertices);
}

uint32_t tables_add_quantised_texcoords(pack_tables *tables, uint32_t number, uint32_t slot) {
  const cook_primitive *primitive = tables->part_sources[number].primitive;
  const float *origin = primitive->grid.texcoord_origin[slot], *step = primitive->grid.texcoord_step[slot];
  if (!primitive->texcoords[slot] || !(step[0] > 0)) return MPAK_NONE;
  uint16_t *numbers = JOB_ARRAY(tables->job, uint16_t, 2 * (uint64_t)primitive->vertex_count);
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    for (int axis = 0; axis < 2; ++axis) {
      numbers[2 * (size_t)v + (size_t)axis] =
          (uint16_t)quantise_grid_number(primitive->texcoords[slot][v][axis], origin[axis], step[axis]);
    }
  }
  return tables_add_chunk(tables, MPAK_KIND_TEXQ, number, 2 * sizeof *numbers, primitive->vertex_count, numbers);
}

static bool quantised_has_few_bones(const cook_sections *sections) {
  for (uint32_t s = 0; s < sections->section_count; ++s) {
    if (sections->sections[s].bone_count > 256) return false;
  }
  return true;
}

uint32_t tables_add_quantised_joints(pack_tables *tables, uint32_t number) {
  const pack_part *source = &tables->part_sources[number];
  const uint32_t influences = source->primitive->influence_count;
  const uint64_t count = (uint64_t)source->primitive->vertex_count * influences;
  if (source->primitive->grid.weight_bits == 0 || !quantised_has_few_bones(&source->sections)) return MPAK_NONE;
  uint8_t *joints = JOB_ARRAY(tables->job, uint8_t, count);
  for (uint64_t i = 0; i < count; ++i) joints[i] = (uint8_t)source->sections.local_joints[i];
  const uint32_t chunk =
      tables_add_chunk(tables, MPAK_KIND_JNTS, number, influences, source->primitive->vertex_count, joints);
  tables->chunks[chunk].format = MPAK_FORMAT_U8;
  return chunk;
}

uint32_t tables_add_quantised_weights(pack_tables *tables, uint32_t number) {
  const cook_primitive *primitive = tables->part_sources[number].primitive;
  const uint32_t influences = primitive->influence_count, bits = primitive->grid.weight_bits;
  const uint64_t count = (uint64_t)primitive->vertex_count * influences;
  if (bits == 0) return MPAK_NONE;
  uint8_t *bytes = job_alloc(tables->job, count, bits / 8);
  for (uint64_t i = 0; i < count; ++i) { // exact: the weights are numbers of this grid
    const uint32_t weight_number = (uint32_t)(primitive->weights[i] * (bits == 8 ? 255.0f : 65535.0f) + 0.5f);
    bytes[i * bits / 8] = (uint8_t)weight_number;
    if (bits == 16) bytes[2 * i + 1] = (uint8_t)(weight_number >> 8);
  }
  const uint32_t chunk =
      tables_add_chunk(tables, MPAK_KIND_WGTS, number, influences * bits / 8, primitive->vertex_count, bytes);
  tables->chunks[chunk].format = bits == 8 ? MPAK_FORMAT_UNORM8 : MPAK_FORMAT_UNORM16;
  return chunk;
}

// -- QUAN -------------------------------------------------------------------------------------------------------------

static void quantised_add_record(pack_tables *tables, mpak_quantisation record) {
  tables->quantisations[tables->quantisation_count++] = record;
}

static void quantised_add_part(pack_tables *tables, uint32_t part) {
  const cook_primitive *primitive = tables->part_sources[part].primitive;
  const cook_grid *grid = &primitive->grid;
  const float step = grid->position_step;
  if (step > 0) {
    mpak_quantisation position = {.part = part, .stream = MPAK_STREAM_POSITION, .step = {step, step, step}};
    memcpy(position.origin, grid->position_origin, sizeof position.origin);
    quantised_add_record(tables, position);
    // a part without normals has only the number that says so; its grid is any
    const float largest = (float)mpak_octahedral_largest(primitive->normals ? grid->normal_bits : 8);
    quantised_add_record(tables, (mpak_quantisation){part, MPAK_STREAM_NORMAL, {0}, {largest, 0, 0}});
  }
  if (step > 0 && primitive->tangents) {
    const float places = (float)(1u << grid->tangent_bits);
    quantised_add_record(tables, (mpak_quantisation){part, MPAK_STREAM_TANGENT, {0}, {places, 0, 0}});
  }
  for (uint32_t slot = 0; slot < 4; ++slot) {
    const float *origin = grid->texcoord_origin[slot], *steps = grid->texcoord_step[slot];
    if (!primitive->texcoords[slot] || !(steps[0] > 0)) continue;
    quantised_add_record(
        tables,
        (mpak_quantisation){part, MPAK_QUANTISED_TEXCOORD(slot), {origin[0], origin[1], 0}, {steps[0], steps[1], 0}});
  }
}

void tables_make_quantisations(pack_tables *tables) {
  tables->quantisations = JOB_ARRAY(tables->job, mpak_quantisation, 7 * (uint64_t)tables->part_count);
  for (uint32_t p = 0; p < tables->part_count; ++p) quantised_add_part(tables, p);
}
