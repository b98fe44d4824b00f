/// gl_extract.c: RenderExtractor: what to draw for an individual (F107 to F109): items by section, and the vertex
/// arrays that read deformed vertices, texture coordinates, colours, joints and weights.
#include "runtime/gl/gl_private.h"
#include "runtime/gl/gl_shaders.h"

// -- Vertex arrays ---------------------------------------------------------------------------------------------------

/// One attribute of a buffer.
typedef struct extract_stream {
  gl_uint buffer;
  gl_uint location;
  gl_int size;
  gl_enum type;
  uint8_t is_normalised;
  uint8_t is_integer;
  gl_int stride;
  uint64_t offset;
} extract_stream;

static void extract_attribute(const mpak_gl *gl, const extract_stream *stream) {
  const gl_functions *f = &gl->functions;
  const void *offset = (const void *)(uintptr_t)stream->offset;
  f->BindBuffer(GL_ARRAY_BUFFER_, stream->buffer);
  if (stream->is_integer)
    f->VertexAttribIPointer(stream->location, stream->size, stream->type, stream->stride, offset);
  else
    f->VertexAttribPointer(stream->location, stream->size, stream->type, stream->is_normalised, stream->stride, offset);
  f->EnableVertexAttribArray(stream->location);
}

/// Where the vertices of an individual stand: in an output's buffer, or the part's base.
typedef struct extract_vertices {
  gl_uint buffer;
  uint64_t offset;
  gl_int stride;
  mpak_gl_output_format format;
} extract_vertices;

static extract_vertices extract_vertices_of(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual,
                                            uint32_t which) {
  if (!output->is_deformed) {
    return (extract_vertices){.buffer = crowd->model->parts[output->part].base.name,
                              .stride = sizeof(mpak_base_vertex)};
  }
  return (extract_vertices){.buffer = output->vertices[which].name,
                            .offset = individual * gl_output_individual_bytes(crowd, output),
                            .stride = (gl_int)(4 * gl_output_stride_words(crowd, output)),
                            .format = crowd->options.output};
}

static void extract_directions(const mpak_gl *gl, const extract_vertices *vertices) {
  static const uint8_t normal_offsets[] = {16, 12, 12}, tangent_offsets[] = {32, 16, 24};
  const bool is_packed = vertices->format == MPAK_GL_OUTPUT_24;
  extract_stream stream = {.buffer = vertices->buffer,
                           .location = MPAK_GL_NORMAL,
                           .size = is_packed ? 2 : 3,
                           .type = is_packed ? GL_SHORT_ : GL_FLOAT_,
                           .is_normalised = is_packed,
                           .stride = vertices->stride,
                           .offset = vertices->offset + normal_offsets[vertices->format]};
  extract_attribute(gl, &stream);
  stream.location = MPAK_GL_TANGENT;
  stream.size = is_packed ? 2 : 4;
  stream.offset = vertices->offset + tangent_offsets[vertices->format];
  extract_attribute(gl, &stream);
}

static void extract_position(const mpak_gl *gl, const extract_vertices *vertices, gl_uint location) {
  extract_attribute(gl, &(extract_stream){.buffer = vertices->buffer,
                                          .location = location,
                                          .size = 3,
                                          .type = GL_FLOAT_,
                                          .stride = vertices->stride,
                                          .offset = vertices->offset});
}

static void extract_statics(const mpak_gl *gl, const gl_part *part) {
  const gl_static_layout *layout = &part->static_layout;
  for (gl_uint set = 0; set < 2; ++set) {
    if (layout->texcoords[set] == UINT64_MAX) continue;
    extract_attribute(gl, &(extract_stream){.buffer = part->statics.name,
                                            .location = MPAK_GL_TEXCOORD_0 + set,
                                            .size = 2,
                                            .type = GL_FLOAT_,
                                            .stride = 8,
                                            .offset = layout->texcoords[set]});
  }
  if (layout->colours == UINT64_MAX) return;
  extract_stream stream = {.buffer = part->statics.name, .location = MPAK_GL_COLOUR, .offset = layout->colours};
  const bool is_float = layout->colour_format == MPAK_FORMAT_F32X3 || layout->colour_format == MPAK_FORMAT_F32X4;
  const bool is_16 = layout->colour_format == MPAK_FORMAT_UNORM16X3 || layout->colour_format == MPAK_FORMAT_UNORM16X4;
  stream.size = layout->colour_format == MPAK_FORMAT_F32X3 ? 3 : 4;
  stream.type = is_float ? GL_FLOAT_ : is_16 ? GL_UNSIGNED_SHORT_ : GL_UNSIGNED_BYTE_;
  stream.stride = stream.size * (is_float ? 4 : is_16 ? 2 : 1);
  stream.is_normalised = !is_float;
  extract_attribute(gl, &stream);
}

static void extract_skin(const mpak_gl *gl, const gl_part *part, uint32_t influence_count) {
  const bool is_packed = part->skin_quad_words == MPAK_SKIN_PACKED_WORDS;
  const gl_int stride = (gl_int)(influence_count * part->skin_quad_words); // 4 bytes, 4 influences a quad
  for (uint32_t q = 0; q < influence_count / 4; ++q) {
    extract_stream stream = {.buffer = part->skin.name,
                             .location = MPAK_GL_JOINTS_0 + q,
                             .size = 4,
                             .type = GL_UNSIGNED_SHORT_,
                             .is_integer = 1,
                             .stride = stride,
                             .offset = (uint64_t)q * part->skin_quad_words * 4};
    extract_attribute(gl, &stream);
    stream.location = MPAK_GL_WEIGHTS_0 + q;
    stream.is_integer = 0;
    stream.is_normalised = is_packed;
    stream.type = is_packed ? GL_UNSIGNED_SHORT_ : GL_FLOAT_;
    stream.offset += 8;
    extract_attribute(gl, &stream);
  }
}

static mpak_result extract_make_array(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual,
                                      uint32_t current, uint32_t previous, gl_uint *name) {
  mpak_gl *gl = crowd->model->gl;
  const gl_functions *f = &gl->functions;
  const gl_part *part = &crowd->model->parts[output->part];
  const extract_vertices vertices = extract_vertices_of(crowd, output, individual, current);
  const extract_vertices before = extract_vertices_of(crowd, output, individual, previous);
  gl_int array_before = 0, buffer_before = 0;
  gl_uint made = 0;
  f->GenVertexArrays(1, &made);
  if (made == 0) return gl_fail(gl, "glGenVertexArrays", "no name");
  f->GetIntegerv(GL_VERTEX_ARRAY_BINDING_, &array_before);
  f->GetIntegerv(GL_ARRAY_BUFFER_BINDING_, &buffer_before);
  f->BindVertexArray(made);
  extract_position(gl, &vertices, MPAK_GL_POSITION);
  extract_position(gl, &before, MPAK_GL_PREVIOUS_POSITION);
  extract_directions(gl, &vertices);
  extract_statics(gl, part);
  if (part->skin.name) extract_skin(gl, part, crowd->model->pack->parts[output->part].influence_count);
  f->BindBuffer(GL_ELEMENT_ARRAY_BUFFER_, part->indices.name);
  f->BindVertexArray((gl_uint)array_before);
  f->BindBuffer(GL_ARRAY_BUFFER_, (gl_uint)buffer_before);
  mpak_result result = gl_check(gl, "glVertexAttribPointer");
  if (result != MPAK_OK) {
    f->DeleteVertexArrays(1, &made);
    return result;
  }
  ++gl->objects.vertex_arrays;
  *name = made;
  return MPAK_OK;
}

/// The vertex array that reads what is shown now; made when it is first needed, and kept. 0 on failure.
static gl_uint extract_array(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual) {
  gl_seen *seen = &output->seen[individual];
  const uint32_t current = output->current, previous = seen->has_previous ? output->previous : current;
  gl_uint *name = &seen->vertex_arrays[current + 2 * previous];
  if (*name == 0) extract_make_array(crowd, output, individual, current, previous, name);
  return *name;
}

// -- Palettes --------------------------------------------------------------------------------------------------------

static gl_uint extract_palette_texture(mpak_gl_crowd *crowd, uint32_t individual) {
  mpak_gl *gl = crowd->model->gl;
  const gl_functions *f = &gl->functions;
  gl_individual *shown = &crowd->individuals[individual];
  const uint64_t byte_count = (uint64_t)crowd->palette_stride_bones * sizeof(mpak_matrix);
  gl_int before = 0;
  gl_uint made = 0;
  if (shown->palette_texture || gl->limits.has_vertex_storage || !f->TexBufferRange) return shown->palette_texture;
  f->GenTextures(1, &made);
  if (made == 0) return 0;
  f->GetIntegerv(GL_TEXTURE_BINDING_BUFFER_, &before);
  f->BindTexture(GL_TEXTURE_BUFFER_, made);
  f->TexBufferRange(GL_TEXTURE_BUFFER_, GL_RGBA32F_, crowd->palette.name, (gl_size)(individual * byte_count),
                    (gl_size)byte_count);
  f->BindTexture(GL_TEXTURE_BUFFER_, (gl_uint)before);
  if (gl_check(gl, "glTexBufferRange") != MPAK_OK) {
    f->DeleteTextures(1, &made);
    return 0;
  }
  ++gl->objects.textures;
  shown->palette_texture = made;
  return made;
}

static void extract_set_palette(mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual,
                                mpak_gl_item *item) {
  const uint64_t byte_count = (uint64_t)crowd->palette_stride_bones * sizeof(mpak_matrix);
  item->is_skinned_inline = true;
  item->influence_count = crowd->model->pack->parts[output->part].influence_count;
  item->palette_buffer = crowd->palette.name;
  item->palette_offset = individual * byte_count;
  item->palette_bytes = byte_count;
  item->palette_texture = extract_palette_texture(crowd, individual);
}

// -- Items -----------------------------------------------------------------------------------------------------------

static mpak_matrix extract_identity(void) { return (mpak_matrix){.m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}; }

/// Everything of an item that the sections of an output share.
static mpak_gl_item extract_output(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual) {
  gl_seen *seen = &output->seen[individual];
  const gl_part *part = &crowd->model->parts[output->part];
  mpak_gl_item item = {
      .instance = output->instance, .part = output->part, .vertex_array = extract_array(crowd, output, individual)};
  item.index_type = part->index_bytes == 2 ? GL_UNSIGNED_SHORT_ : GL_UNSIGNED_INT_;
  item.component_from_vertices = output->is_skinned ? extract_identity() : seen->component_from_vertices;
  item.previous_from_vertices = output->is_skinned          ? extract_identity()
                                : seen->has_deformed_matrix ? seen->previous_matrix
                                                            : seen->component_from_vertices;
  if (seen->bounds_dirty) gl_output_bounds(crowd, output, individual, seen->bounds_min, seen->bounds_max);
  seen->bounds_dirty = false;
  for (int i = 0; i < 3; ++i) {
    item.bounds_min[i] = seen->bounds_min[i];
    item.bounds_max[i] = seen->bounds_max[i];
  }
  if (output->is_skinned && output->technique == MPAK_GL_INLINE) extract_set_palette(crowd, output, individual, &item);
  return item;
}

static void extract_section(const mpak_gl_crowd *crowd, uint32_t section, mpak_gl_item *item) {
  const mpak_section *record = &crowd->model->pack->sections[section];
  item->section = section;
  item->material = record->material;
  item->index_count = record->index_count;
  item->index_offset = (uint64_t)record->first_index * crowd->model->parts[item->part].index_bytes;
  item->bone_count = record->bone_count;
}

/// Has it vertices to draw? A palette, and if it is deformed, vertices that were made.
static bool extract_is_ready(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual) {
  const gl_seen *seen = &output->seen[individual];
  const bool needs_palette = output->is_skinned && output->technique == MPAK_GL_INLINE;
  return seen->is_shown && (!output->is_deformed || seen->has_vertices) &&
         (!needs_palette || (crowd->palette.name && !crowd->individuals[individual].palette_dirty));
}

uint32_t mpak_gl_crowd_extract(mpak_gl_crowd *crowd, uint32_t individual, mpak_gl_item *items, uint32_t capacity) {
  const mpak_pack *pack = crowd->model->pack;
  const bool has_storage = crowd->model->gl->limits.has_vertex_storage;
  uint32_t count = 0;
  if (individual >= crowd->count || crowd->model->gl->is_lost) return 0;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    const mpak_part *part = &pack->parts[output->part];
    if (!extract_is_ready(crowd, output, individual)) continue;
    if (count >= capacity) {
      count += part->section_count;
      continue;
    }
    mpak_gl_item item = extract_output(crowd, output, individual);
    const bool lacks_palette = item.is_skinned_inline && !has_storage && item.palette_texture == 0;
    if (item.vertex_array == 0 || lacks_palette) continue; // the error text says why
    item.first_bone = output->palette_first;
    for (uint32_t s = 0; s < part->section_count; ++s, ++count) {
      extract_section(crowd, part->first_section + s, &item);
      if (count < capacity) items[count] = item;
      item.first_bone += item.bone_count;
    }
  }
  return count;
}

mpak_result mpak_gl_crowd_output(const mpak_gl_crowd *crowd, uint32_t individual, uint32_t instance, uint32_t part,
                                 mpak_gl_output *output) {
  *output = (mpak_gl_output){0};
  if (individual >= crowd->count) return MPAK_ERROR_NOT_FOUND;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    const gl_output *found = &crowd->outputs[o];
    if (found->instance != instance || found->part != part || !found->seen[individual].is_shown) continue;
    output->vertex_count = crowd->model->pack->parts[part].vertex_count;
    output->stride = sizeof(mpak_base_vertex);
    if (!found->is_deformed) return MPAK_OK;
    if (!found->seen[individual].has_vertices) break;
    output->buffer = found->vertices[found->current].name;
    output->offset = individual * gl_output_individual_bytes(crowd, found);
    output->stride = 4 * gl_output_stride_words(crowd, found);
    return MPAK_OK;
  }
  return MPAK_ERROR_NOT_FOUND;
}

const char *mpak_gl_vertex_source(const mpak_gl *gl, uint32_t influence_count) {
  const bool has_storage = gl->limits.has_vertex_storage;
  if (influence_count > 8) return has_storage ? mpak_shader_skin_12 : mpak_shader_skin_texture_12;
  if (influence_count > 4) return has_storage ? mpak_shader_skin_8 : mpak_shader_skin_texture_8;
  return has_storage ? mpak_shader_skin_4 : mpak_shader_skin_texture_4;
}
