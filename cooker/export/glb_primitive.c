// glb_primitive.c: one part of a mesh as a primitive: attributes, triangles, material (glTF 2.0, section 3.7.2).
#include <math.h>
#include <string.h>

#include "cooker/export/glb.h"

/// glTF asks for unit vectors; what is this near to it stays bit for bit.
#define PRIMITIVE_UNIT_KEPT 1e-4

// -- Vertices --------------------------------------------------------------------------------------------------------

/// A unit vector. One without length becomes `instead`; returns whether it was.
static bool primitive_make_unit(float vector[3], const float instead[3]) {
  const double square = (double)vector[0] * vector[0] + (double)vector[1] * vector[1] + (double)vector[2] * vector[2];
  if (fabs(square - 1) <= PRIMITIVE_UNIT_KEPT) return false;
  if (!(square > 0)) {
    memcpy(vector, instead, 3 * sizeof *vector);
    return true;
  }
  for (int c = 0; c < 3; c++) vector[c] = (float)((double)vector[c] / sqrt(square));
  return false;
}

/// Some unit vector square to a unit normal.
static void primitive_square_vector(const float normal[3], float out[3]) {
  const float axis[3] = {fabsf(normal[0]) < 0.5f ? 1.0f : 0.0f, fabsf(normal[0]) < 0.5f ? 0.0f : 1.0f, 0};
  out[0] = normal[1] * axis[2] - normal[2] * axis[1];
  out[1] = normal[2] * axis[0] - normal[0] * axis[2];
  out[2] = normal[0] * axis[1] - normal[1] * axis[0];
  primitive_make_unit(out, axis);
}

/// Three arrays instead of one of structs. tangents: NULL without.
static void primitive_split_vertices(glb_file *glb, const mpak_base_vertex *vertices, uint32_t count,
                                     float (*positions)[3], float (*normals)[3], float (*tangents)[4]) {
  static const float up[3] = {0, 1, 0};
  float beside[3];
  for (uint32_t v = 0; v < count; v++) {
    memcpy(positions[v], vertices[v].position, sizeof *positions);
    memcpy(normals[v], vertices[v].normal, sizeof *normals);
    glb->fixed_direction_count += primitive_make_unit(normals[v], up);
    if (tangents == NULL) continue;
    memcpy(tangents[v], vertices[v].tangent, sizeof *tangents);
    primitive_square_vector(normals[v], beside);
    glb->fixed_direction_count += primitive_make_unit(tangents[v], beside);
    tangents[v][3] = tangents[v][3] < 0 ? -1 : 1;
  }
}

static void primitive_put_vertices(glb_file *glb, json_out *json, const glb_primitive *primitive) {
  const mpak_part *part = &glb->pack->parts[primitive->part];
  const uint32_t count = part->vertex_count;
  float(*positions)[3] = job_alloc(glb->job, count, sizeof *positions);
  float(*normals)[3] = job_alloc(glb->job, count, sizeof *normals);
  float(*tangents)[4] = NULL;
  if ((part->flags & MPAK_PART_TANGENTS) != 0) tangents = job_alloc(glb->job, count, sizeof *tangents);
  primitive_split_vertices(glb, primitive->vertices, count, positions, normals, tangents);
  write_json_member_count(json, "POSITION", glb_put_floats(glb, positions[0], count, 3, GLB_USE_VERTICES, true));
  write_json_member_count(json, "NORMAL", glb_put_floats(glb, normals[0], count, 3, GLB_USE_VERTICES, false));
  if (tangents != NULL)
    write_json_member_count(json, "TANGENT", glb_put_floats(glb, tangents[0], count, 4, GLB_USE_VERTICES, false));
}

// -- Texture coordinates and colours ---------------------------------------------------------------------------------

static bool primitive_has_textures(const mpak_pack *pack, uint32_t material) {
  if (material == MPAK_NONE) return false;
  const mpak_material *record = &pack->materials[material];
  return (record->base_texture | record->normal_texture | record->metal_rough_texture | record->occlusion_texture |
          record->emissive_texture) != 0;
}

/// Sets are numbered without gaps, and the first is there where a material has textures: missing ones are zeros.
static void primitive_put_texcoords(glb_file *glb, json_out *json, uint32_t number) {
  const mpak_part *part = &glb->pack->parts[number];
  const mpak_part_data *data = &glb->model->parts[number];
  const glb_accessor zeros = {
      .view = MPAK_NONE, .component_type = GLB_FLOAT, .type = "VEC2", .count = part->vertex_count};
  uint32_t set_count = 4;
  while (set_count > 0 && data->texcoords[set_count - 1] == NULL) set_count--;
  if (set_count == 0 && primitive_has_textures(glb->pack, part->material)) set_count = 1;
  for (uint32_t set = 0; set < set_count; set++) {
    const float *floats = data->texcoords[set];
    write_json_key(json, job_format(glb->job, "TEXCOORD_%u", set));
    write_json_count(json, floats == NULL
                               ? glb_put_accessor(glb, &zeros)
                               : glb_put_floats(glb, floats, part->vertex_count, 2, GLB_USE_VERTICES, false));
  }
}

static void primitive_put_colours(glb_file *glb, json_out *json, uint32_t number) {
  const mpak_part_data *data = &glb->model->parts[number];
  if (data->colours == NULL) return;
  glb_accessor accessor = {.component_type = GLB_FLOAT, .type = "VEC4", .count = glb->pack->parts[number].vertex_count};
  uint32_t bytes = 16;
  switch (data->colour_format) {
  case MPAK_FORMAT_F32X3: accessor.type = "VEC3", bytes = 12; break;
  case MPAK_FORMAT_UNORM8X3: accessor.type = "VEC3"; // fallthrough
  case MPAK_FORMAT_UNORM8X4: accessor.component_type = GLB_UNSIGNED_BYTE, bytes = 4; break;
  case MPAK_FORMAT_UNORM16X3: accessor.type = "VEC3"; // fallthrough
  case MPAK_FORMAT_UNORM16X4: accessor.component_type = GLB_UNSIGNED_SHORT, bytes = 8; break;
  default: break;
  }
  accessor.is_normalized = accessor.component_type != GLB_FLOAT;
  const uint32_t stride = accessor.is_normalized && accessor.type[3] == '3' ? bytes : 0;
  accessor.view = glb_put_view(glb, data->colours, (uint64_t)accessor.count * bytes, GLB_USE_VERTICES, stride);
  write_json_member_count(json, "COLOR_0", glb_put_accessor(glb, &accessor));
}

// -- Triangles -------------------------------------------------------------------------------------------------------

/// Corner i of the triangle list; mirrored triangles are reversed.
static uint32_t primitive_corner(const mpak_part_data *data, uint32_t i, bool is_mirrored) {
  if (is_mirrored && i % 3 != 0) i = i % 3 == 1 ? i + 1 : i - 1;
  return mpak_index(data, i);
}

/// The largest number of a type is no vertex in glTF.
static uint32_t primitive_put_indices(glb_file *glb, const glb_primitive *primitive) {
  const mpak_part *part = &glb->pack->parts[primitive->part];
  const mpak_part_data *data = &glb->model->parts[primitive->part];
  const bool is_short = part->vertex_count <= UINT16_MAX;
  glb_accessor accessor = {.type = "SCALAR", .count = part->index_count};
  accessor.component_type = is_short ? GLB_UNSIGNED_SHORT : GLB_UNSIGNED_INT;
  const uint32_t bytes = is_short ? 2 : 4;
  uint8_t *indices = job_alloc(glb->job, part->index_count, bytes);
  for (uint32_t i = 0; i < part->index_count; i++) {
    const uint32_t index = primitive_corner(data, i, primitive->is_mirrored); // little-endian: the low bytes are first
    memcpy(indices + (uint64_t)i * bytes, &index, bytes);
  }
  accessor.view = glb_put_view(glb, indices, (uint64_t)part->index_count * bytes, GLB_USE_INDICES, 0);
  return glb_put_accessor(glb, &accessor);
}

void glb_put_primitive(glb_file *glb, json_out *json, const glb_primitive *primitive) {
  const mpak_part *part = &glb->pack->parts[primitive->part];
  write_json_object(json);
  write_json_key(json, "attributes");
  write_json_object(json);
  primitive_put_vertices(glb, json, primitive);
  primitive_put_texcoords(glb, json, primitive->part);
  primitive_put_colours(glb, json, primitive->part);
  if (primitive->has_skin) glb_put_influences(glb, json, primitive->part);
  write_json_close(json);
  write_json_member_count(json, "indices", primitive_put_indices(glb, primitive));
  if (part->material != MPAK_NONE) write_json_member_count(json, "material", part->material);
  if (primitive->target_count != 0) glb_put_targets(glb, json, primitive->part, primitive->target_count);
  write_json_close(json);
}
