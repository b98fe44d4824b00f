#include "cooker/cli/eval.h"

/// Puts one vertex; user is the caller's.
typedef void (*eval_json_put)(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user);

/// An array with one value per vertex, null where a source vertex is unused.
static void eval_json_each(json_out *json, const eval_mesh *mesh, eval_json_put put, const void *user) {
  write_json_array_inline(json);
  for (uint32_t i = 0; i < mesh->vertex_count; i++) {
    const uint32_t vertex = eval_pack_vertex(mesh, i);
    if (vertex == MPAK_NONE)
      write_json_null(json);
    else
      put(json, mesh, vertex, user);
  }
  write_json_close(json);
}

/// Rows of a stream, by vertex.
typedef struct eval_json_rows {
  const double *rows;
  uint32_t width;
} eval_json_rows;

static void eval_json_put_row(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user) {
  (void)mesh;
  const eval_json_rows *stream = user;
  write_json_reals(json, &stream->rows[(uint64_t)vertex * stream->width], stream->width);
}

static void eval_json_stream(json_out *json, const char *key, const eval_mesh *mesh, const double *rows,
                             uint32_t width) {
  write_json_key(json, key);
  eval_json_each(json, mesh, eval_json_put_row, &(eval_json_rows){rows, width});
}

static void eval_json_indices(json_out *json, const eval_mesh *mesh) {
  write_json_key(json, "indices");
  write_json_array_inline(json);
  for (uint32_t k = 0; k < mesh->part->index_count; k++) write_json_count(json, eval_index(mesh, k));
  write_json_close(json);
}

// -- --attributes all ------------------------------------------------------------------------------------------------

static void eval_json_put_texcoord(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user) {
  (void)mesh;
  write_json_floats(json, (const float *)user + 2 * (uint64_t)vertex, 2);
}

/// One array per set up to the last one there; null for a set that is missing in between.
static void eval_json_texcoords(json_out *json, const eval_mesh *mesh) {
  uint32_t set_count = 4;
  while (set_count > 0 && mesh->buffers->data.texcoords[set_count - 1] == NULL) set_count--;
  if (set_count == 0) return;
  write_json_key(json, "texcoords");
  write_json_array(json);
  for (uint32_t set = 0; set < set_count; set++) {
    if (mesh->buffers->data.texcoords[set] == NULL)
      write_json_null(json);
    else
      eval_json_each(json, mesh, eval_json_put_texcoord, mesh->buffers->data.texcoords[set]);
  }
  write_json_close(json);
}

/// A colour as glTF reads it: integers divided by their largest value.
static void eval_colour(const mpak_part_data *data, uint32_t vertex, float colour[4], uint32_t *width) {
  const float *floats = data->colours;
  const uint8_t *bytes = data->colours;
  const uint16_t *words = data->colours;
  const mpak_element_format format = data->colour_format;
  *width = format == MPAK_FORMAT_F32X3 || format == MPAK_FORMAT_UNORM8X3 || format == MPAK_FORMAT_UNORM16X3 ? 3 : 4;
  const uint64_t stride = format == MPAK_FORMAT_F32X3 ? 3 : 4; // three integers are stored as four
  for (uint32_t c = 0; c < *width; c++) {
    const uint64_t at = vertex * stride + c;
    if (format == MPAK_FORMAT_UNORM8X3 || format == MPAK_FORMAT_UNORM8X4)
      colour[c] = (float)bytes[at] / 255.0f;
    else if (format == MPAK_FORMAT_UNORM16X3 || format == MPAK_FORMAT_UNORM16X4)
      colour[c] = (float)words[at] / 65535.0f;
    else
      colour[c] = floats[at];
  }
}

static void eval_json_put_colour(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user) {
  (void)user;
  float colour[4];
  uint32_t width;
  eval_colour(&mesh->buffers->data, vertex, colour, &width);
  write_json_floats(json, colour, width);
}

static void eval_json_colours(json_out *json, const eval_mesh *mesh) {
  if (mesh->buffers->data.colours == NULL) return;
  write_json_key(json, "colors");
  eval_json_each(json, mesh, eval_json_put_colour, NULL);
}

static const mpak_section *eval_section_of(const mpak_pack *pack, const mpak_part *part, uint32_t vertex) {
  const mpak_section *section = &pack->sections[part->first_section];
  while (vertex >= section->first_vertex + section->vertex_count) section++; // they tile the part's vertices
  return section;
}

/// The joints of a vertex; influences without weight are left out. user: the pack.
static void eval_json_put_joints(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user) {
  const mpak_pack *pack = user;
  const mpak_part_data *data = &mesh->buffers->data;
  const mpak_section *section = eval_section_of(pack, mesh->part, vertex);
  const uint64_t first = (uint64_t)vertex * mesh->part->influence_count;
  write_json_array_inline(json);
  for (uint32_t k = 0; k < mesh->part->influence_count; k++)
    if (data->weights[first + k] != 0)
      write_json_count(json, pack->bones[section->first_bone + data->joints[first + k]].joint);
  write_json_close(json);
}

static void eval_json_put_weights(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user) {
  (void)user;
  const float *weights = mesh->buffers->data.weights + (uint64_t)vertex * mesh->part->influence_count;
  write_json_array_inline(json);
  for (uint32_t k = 0; k < mesh->part->influence_count; k++)
    if (weights[k] != 0) write_json_float(json, weights[k]);
  write_json_close(json);
}

static void eval_json_skin(json_out *json, const mpak_pack *pack, const eval_mesh *mesh) {
  if (mesh->buffers->data.joints == NULL || mesh->instance->skin == MPAK_NONE) return;
  write_json_key(json, "joints");
  eval_json_each(json, mesh, eval_json_put_joints, pack);
  write_json_key(json, "weights");
  eval_json_each(json, mesh, eval_json_put_weights, NULL);
}

static void eval_json_put_source(json_out *json, const eval_mesh *mesh, uint32_t vertex, const void *user) {
  (void)user;
  write_json_count(json, mesh->buffers->source_of_pack[vertex]);
}

static void eval_json_source(json_out *json, const eval_mesh *mesh) {
  if (mesh->buffers->source_of_pack == NULL) return;
  write_json_key(json, "source");
  eval_json_each(json, mesh, eval_json_put_source, NULL);
}

// -- The document ----------------------------------------------------------------------------------------------------

static void eval_json_mesh(json_out *json, const eval_scene *scene, const eval_mesh *mesh) {
  const mpak_pack *pack = &scene->file.pack;
  write_json_object(json);
  write_json_member_string(json, "node", mpak_string(pack, mesh->node->key));
  write_json_member_count(json, "node_index", mesh->node->source_index);
  write_json_member_string(json, "mesh", mpak_string(pack, mesh->mesh->key));
  write_json_member_count(json, "primitive", mesh->part->source_primitive);
  eval_json_stream(json, "positions", mesh, mesh->positions[0], 3);
  eval_json_stream(json, "normals", mesh, mesh->normals[0], 3);
  if (mesh->tangents != NULL) eval_json_stream(json, "tangents", mesh, mesh->tangents[0], 4);
  eval_json_indices(json, mesh);
  if (scene->arguments->attributes == 1) {
    eval_json_texcoords(json, mesh);
    eval_json_colours(json, mesh);
    eval_json_skin(json, pack, mesh);
    eval_json_source(json, mesh);
  }
  write_json_close(json);
}

void eval_put_json(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count) {
  json_out json;
  write_json_begin(&json, text);
  write_json_object(&json);
  write_json_key(&json, "clip");
  write_json_array_inline(&json);
  for (uint32_t i = 0; i < scene->clip_count; i++)
    write_json_string(&json, mpak_string(scene->clips[i].set->pack, eval_clip_record(&scene->clips[i])->key));
  write_json_close(&json);
  write_json_member_real(&json, "time", scene->time_s);
  write_json_key(&json, "meshes");
  write_json_array(&json);
  for (uint32_t i = 0; i < count; i++) eval_json_mesh(&json, scene, &meshes[i]);
  write_json_close(&json);
  write_json_close(&json);
  write_json_end(&json);
}
