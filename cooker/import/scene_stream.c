#include "cooker/import/scene_stream.h"

#include <assert.h>
#include <string.h>

#include "format/bytes.h"

// -- Plain values -----------------------------------------------------------------------------------------------------

_Noreturn void scene_stream_fail(scene_stream *stream, const char *what) {
  cook_where where = COOK_WHERE;
  where.value = job_format(stream->job, "%s at byte %llu", what, (unsigned long long)stream->used);
  job_fail(stream->job, MPAK_I004, where);
}

static void stream_raw(scene_stream *stream, void *data, uint64_t byte_count) {
  if (byte_count == 0) return; // then there may be no data
  if (stream->mode != SCENE_STREAM_MEASURE) {
    if (!bytes_range_fits(stream->used, byte_count, stream->size)) scene_stream_fail(stream, "it ends too early");
    assert(data != NULL && stream->bytes != NULL);
    uint8_t *at = stream->bytes + stream->used;
    if (stream->mode == SCENE_STREAM_WRITE)
      memcpy(at, data, (size_t)byte_count);
    else
      memcpy(data, at, (size_t)byte_count);
  }
  stream->used += byte_count;
}

/// Numbers stay 4-byte aligned, whatever stands before them. Padding is zero, and a reader insists on it.
static void stream_pad(scene_stream *stream) {
  uint8_t padding[4] = {0};
  stream_raw(stream, padding, (4 - (stream->used & 3)) & 3);
  if ((padding[0] | padding[1] | padding[2]) != 0) scene_stream_fail(stream, "padding that is not zero");
}

static void stream_u32(scene_stream *stream, uint32_t *value) { stream_raw(stream, value, sizeof *value); }
static void stream_u64(scene_stream *stream, uint64_t *value) { stream_raw(stream, value, sizeof *value); }
static void stream_float(scene_stream *stream, float *value) { stream_raw(stream, value, sizeof *value); }

static void stream_flag(scene_stream *stream, bool *value) {
  uint32_t word = *value;
  stream_u32(stream, &word);
  if (stream->mode != SCENE_STREAM_READ) return;
  if (word > 1) scene_stream_fail(stream, "a flag that is neither 0 nor 1");
  *value = word != 0;
}

/// An enum between least and most.
static uint32_t stream_choice(scene_stream *stream, uint32_t value, uint32_t least, uint32_t most) {
  stream_u32(stream, &value);
  if (stream->mode == SCENE_STREAM_READ && (value < least || value > most))
    scene_stream_fail(stream, "an enum value that does not exist");
  return value;
}

/// A zero-terminated text without the zero; its length is MPAK_NONE when there is none.
static const char *stream_text(scene_stream *stream, const char *text) {
  uint32_t length = text == NULL ? MPAK_NONE : (uint32_t)strlen(text);
  stream_u32(stream, &length);
  if (length == MPAK_NONE) return NULL;
  if (stream->mode == SCENE_STREAM_READ) {
    if (!bytes_range_fits(stream->used, length, stream->size)) scene_stream_fail(stream, "a text that is too long");
    const uint8_t *bytes = stream->bytes + stream->used;
    if (memchr(bytes, 0, length) != NULL) scene_stream_fail(stream, "a text with a zero in it");
    text = job_copy(stream->job, bytes, length);
    stream->used += length;
  } else {
    stream_raw(stream, (void *)(uintptr_t)text, length); // only read, since we measure or write
  }
  stream_pad(stream);
  return text;
}

// -- Arrays -----------------------------------------------------------------------------------------------------------

/// count elements of element_bytes bytes, or nothing when the array is NULL. Returns the array.
static void *stream_array(scene_stream *stream, void *array, uint64_t count, uint64_t element_bytes) {
  bool is_there = array != NULL;
  stream_flag(stream, &is_there);
  if (!is_there) return NULL;
  uint64_t byte_count;
  if (!bytes_mul(count, element_bytes, &byte_count)) scene_stream_fail(stream, "an array that is too long");
  if (stream->mode == SCENE_STREAM_READ) {
    if (!bytes_range_fits(stream->used, byte_count, stream->size))
      scene_stream_fail(stream, "an array that is too long");
    array = job_alloc(stream->job, byte_count, 1);
  }
  stream_raw(stream, array, byte_count);
  stream_pad(stream);
  return array;
}

#define STREAM_ARRAY(stream, array, count) ((array) = stream_array((stream), (array), (count), sizeof *(array)))

/// Is a delta zero in every bit? A -0 is not, and arrives as it is.
static bool delta_is_zero(const float delta[3]) {
  uint32_t bits[3];
  memcpy(bits, delta, sizeof bits);
  return (bits[0] | bits[1] | bits[2]) == 0;
}

/// The next run when measuring or writing: how many zeros stand before it, and how long it is.
static void deltas_find_run(const float (*deltas)[3], uint32_t count, uint32_t *skipped, uint32_t *length) {
  uint32_t v = 0;
  while (v < count && delta_is_zero(deltas[v])) v++;
  *skipped = v;
  while (v < count && !delta_is_zero(deltas[v])) v++;
  *length = v - *skipped;
}

/// Memory for the deltas of count vertices. Zeros take no bytes of the stream, so the job's limit bounds them.
static void *deltas_alloc(scene_stream *stream, uint32_t count) {
  const uint64_t byte_count = (uint64_t)count * 3 * sizeof(float);
  if (byte_count > job_limits(stream->job)->dense_bytes - stream->dense_bytes)
    scene_stream_fail(stream, "deltas that are too long");
  stream->dense_bytes += byte_count;
  return job_alloc(stream->job, byte_count, 1);
}

/// Deltas of count vertices, or nothing when there are none. Most are zero: runs of the others, each behind the number
/// of zeros before it and its own length. Only the last run may be empty. Returns the deltas.
static void *stream_deltas(scene_stream *stream, float (*deltas)[3], uint32_t count) {
  bool is_there = deltas != NULL;
  stream_flag(stream, &is_there);
  if (!is_there) return NULL;
  if (stream->mode == SCENE_STREAM_READ) deltas = deltas_alloc(stream, count);
  for (uint32_t v = 0; v < count;) {
    uint32_t skipped = 0, length = 0;
    if (stream->mode != SCENE_STREAM_READ) deltas_find_run((const float(*)[3])deltas + v, count - v, &skipped, &length);
    stream_u32(stream, &skipped);
    stream_u32(stream, &length);
    if (skipped > count - v || length > count - v - skipped || (length == 0 && skipped != count - v))
      scene_stream_fail(stream, "deltas that are no runs");
    v += skipped;
    stream_raw(stream, deltas[v < count ? v : 0], (uint64_t)length * sizeof *deltas);
    v += length;
  }
  return deltas;
}

#define STREAM_DELTAS(stream, deltas, count) ((deltas) = stream_deltas((stream), (deltas), (count)))

/// Memory for count records when reading. Each takes at least 4 bytes of the stream, and the count has a limit, so a
/// short stream cannot ask for much.
static void *stream_records(scene_stream *stream, void *records, uint64_t count, uint64_t limit, size_t record_bytes) {
  if (stream->mode != SCENE_STREAM_READ) return records;
  if (count > limit || count > (stream->size - stream->used) / 4)
    scene_stream_fail(stream, "a count that is too large");
  return job_alloc(stream->job, count, record_bytes);
}

/// The count, the memory, then visit each record.
#define STREAM_RECORDS(stream, records, count, limit, visit)                                                           \
  do {                                                                                                                 \
    stream_u32((stream), &(count));                                                                                    \
    (records) = stream_records((stream), (records), (count), (limit), sizeof *(records));                              \
    for (uint32_t record = 0; record < (count); record++) visit((stream), &(records)[record]);                         \
  } while (0)

// -- Visitors ---------------------------------------------------------------------------------------------------------

static void visit_text(scene_stream *stream, const char **text) { *text = stream_text(stream, *text); }

static void visit_node(scene_stream *stream, cook_node *node) {
  visit_text(stream, &node->name);
  stream_u32(stream, &node->parent);
  stream_u32(stream, &node->source_index);
  stream_flag(stream, &node->is_cooked);
  stream_flag(stream, &node->is_matrix);
  stream_raw(stream, node->translation, sizeof node->translation);
  stream_raw(stream, node->rotation, sizeof node->rotation);
  stream_raw(stream, node->scale, sizeof node->scale);
  stream_raw(stream, node->matrix, sizeof node->matrix);
  stream_u32(stream, &node->mesh);
  stream_u32(stream, &node->skin);
  stream_u32(stream, &node->weight_count);
  STREAM_ARRAY(stream, node->weights, node->weight_count);
  stream_u32(stream, &node->lod_count);
  STREAM_ARRAY(stream, node->lods, node->lod_count);
  STREAM_ARRAY(stream, node->lod_sizes, (uint64_t)node->lod_count + 1);
}

/// Bytes of one vertex colour (scene.h), 0 for formats that are none.
static uint32_t colour_bytes(uint32_t format) {
  switch (format) {
  case MPAK_FORMAT_F32X3: return 12;
  case MPAK_FORMAT_F32X4: return 16;
  case MPAK_FORMAT_UNORM8X3: return 4;
  case MPAK_FORMAT_UNORM8X4: return 4;
  case MPAK_FORMAT_UNORM16X3: return 8;
  case MPAK_FORMAT_UNORM16X4: return 8;
  default: return 0;
  }
}

static void visit_colours(scene_stream *stream, cook_primitive *primitive) {
  uint32_t format = primitive->colours == NULL ? 0 : primitive->colour_format;
  stream_u32(stream, &format);
  if (format != 0 && colour_bytes(format) == 0) scene_stream_fail(stream, "a colour format that does not exist");
  primitive->colour_format = (uint8_t)format;
  primitive->colours = stream_array(stream, primitive->colours, primitive->vertex_count, colour_bytes(format));
}

static void visit_primitive(scene_stream *stream, cook_primitive *primitive) {
  stream_u32(stream, &primitive->source_primitive);
  stream_u32(stream, &primitive->material);
  stream_u32(stream, &primitive->vertex_count);
  const uint64_t vertex_count = primitive->vertex_count;
  STREAM_ARRAY(stream, primitive->positions, vertex_count);
  STREAM_ARRAY(stream, primitive->normals, vertex_count);
  STREAM_ARRAY(stream, primitive->tangents, vertex_count);
  for (int set = 0; set < 4; set++) STREAM_ARRAY(stream, primitive->texcoords[set], vertex_count);
  visit_colours(stream, primitive);
  stream_u32(stream, &primitive->influence_count);
  const uint64_t influence_count = vertex_count * primitive->influence_count;
  STREAM_ARRAY(stream, primitive->joints, influence_count);
  STREAM_ARRAY(stream, primitive->weights, influence_count);
  stream_u32(stream, &primitive->index_count);
  STREAM_ARRAY(stream, primitive->indices, primitive->index_count);
  stream_u32(stream, &primitive->source_vertex_count);
  stream_u32(stream, &primitive->source_index_count);
  stream_u32(stream, &primitive->target_count);
  primitive->targets = stream_records(stream, primitive->targets, primitive->target_count,
                                      job_limits(stream->job)->targets, sizeof *primitive->targets);
  for (uint32_t i = 0; i < primitive->target_count; i++) {
    STREAM_DELTAS(stream, primitive->targets[i].position_deltas, primitive->vertex_count);
    STREAM_DELTAS(stream, primitive->targets[i].normal_deltas, primitive->vertex_count);
    STREAM_DELTAS(stream, primitive->targets[i].tangent_deltas, primitive->vertex_count);
  }
}

static void visit_rule(scene_stream *stream, cook_shape_rule *rule) {
  visit_text(stream, &rule->name);
  stream_u32(stream, &rule->control);
  stream_u32(stream, &rule->point_count);
  STREAM_ARRAY(stream, rule->points, rule->point_count);
}

/// A mesh without rules has a count of shapes all the same.
static void visit_rules(scene_stream *stream, cook_mesh *mesh) {
  bool has_rules = mesh->rules != NULL;
  stream_flag(stream, &has_rules);
  if (has_rules)
    STREAM_RECORDS(stream, mesh->rules, mesh->target_count, job_limits(stream->job)->targets, visit_rule);
  else
    stream_u32(stream, &mesh->target_count);
}

static void visit_mesh(scene_stream *stream, cook_mesh *mesh) {
  visit_text(stream, &mesh->name);
  stream_u32(stream, &mesh->source_index);
  STREAM_RECORDS(stream, mesh->primitives, mesh->primitive_count, MPAK_NONE, visit_primitive);
  STREAM_RECORDS(stream, mesh->control_names, mesh->control_count, job_limits(stream->job)->targets, visit_text);
  stream_flag(stream, &mesh->has_default_weights);
  STREAM_ARRAY(stream, mesh->default_weights, mesh->control_count);
  visit_rules(stream, mesh);
}

static void visit_skin(scene_stream *stream, cook_skin *skin) {
  visit_text(stream, &skin->name);
  stream_u32(stream, &skin->source_index);
  stream_u32(stream, &skin->joint_count);
  STREAM_ARRAY(stream, skin->joints, skin->joint_count);
  STREAM_ARRAY(stream, skin->inverse_binds, skin->joint_count);
}

static void visit_material(scene_stream *stream, cook_material *material) {
  visit_text(stream, &material->name);
  stream_u32(stream, &material->source_index);
  material->alpha_mode = (mpak_alpha_mode)stream_choice(stream, material->alpha_mode, 0, MPAK_ALPHA_BLEND);
  stream_flag(stream, &material->is_double_sided);
  stream_float(stream, &material->alpha_cutoff);
  stream_raw(stream, material->base_colour, sizeof material->base_colour);
  visit_text(stream, &material->base_texture);
  visit_text(stream, &material->normal_texture);
  visit_text(stream, &material->metal_rough_texture);
  visit_text(stream, &material->occlusion_texture);
  visit_text(stream, &material->emissive_texture);
  stream_flag(stream, &material->has_normal_texture);
}

static void visit_track(scene_stream *stream, cook_track *track) {
  stream_u32(stream, &track->node);
  track->path = (mpak_track_path)stream_choice(stream, track->path, 0, MPAK_PATH_WEIGHTS);
  track->interpolation = (mpak_interpolation)stream_choice(stream, track->interpolation, 0, MPAK_CUBICSPLINE);
  stream_u32(stream, &track->width);
  stream_u32(stream, &track->key_count);
  STREAM_ARRAY(stream, track->times, track->key_count);
  stream_u64(stream, &track->value_count);
  STREAM_ARRAY(stream, track->values, track->value_count);
}

static void visit_clip(scene_stream *stream, cook_clip *clip) {
  visit_text(stream, &clip->name);
  stream_u32(stream, &clip->source_index);
  stream_float(stream, &clip->start_s);
  stream_float(stream, &clip->end_s);
  STREAM_RECORDS(stream, clip->tracks, clip->track_count, MPAK_NONE, visit_track);
  stream_u32(stream, &clip->source_node_tracks);
  stream_u32(stream, &clip->source_weight_tracks);
}

void scene_stream_visit_scene(scene_stream *stream, cook_scene *scene) {
  const cook_limits *limits = job_limits(stream->job);
  scene->source_kind = (cook_source_kind)stream_choice(stream, scene->source_kind, COOK_SOURCE_GLTF, COOK_SOURCE_OTHER);
  visit_text(stream, &scene->generator);
  stream_u64(stream, &scene->source_hash);
  STREAM_RECORDS(stream, scene->nodes, scene->node_count, limits->nodes, visit_node);
  STREAM_RECORDS(stream, scene->meshes, scene->mesh_count, MPAK_NONE, visit_mesh);
  STREAM_RECORDS(stream, scene->skins, scene->skin_count, MPAK_NONE, visit_skin);
  STREAM_RECORDS(stream, scene->materials, scene->material_count, MPAK_NONE, visit_material);
  STREAM_RECORDS(stream, scene->clips, scene->clip_count, limits->clips, visit_clip);
  STREAM_RECORDS(stream, scene->dependencies, scene->dependency_count, MPAK_NONE, visit_text);
}

// -- Head and issues --------------------------------------------------------------------------------------------------

void scene_stream_visit_head(scene_stream *stream, scene_stream_head *head) {
  stream_u64(stream, &head->magic);
  if (head->magic != SCENE_STREAM_MAGIC) scene_stream_fail(stream, "it does not begin as a scene");
  stream_u32(stream, &head->version);
  if (head->version != SCENE_STREAM_VERSION) scene_stream_fail(stream, "it has another version");
  stream_u32(stream, &head->known_issues);
  if (head->known_issues != MPAK_ISSUE_COUNT) scene_stream_fail(stream, "it comes from another build");
  stream_u32(stream, &head->exit_code);
  stream_u32(stream, &head->has_scene);
  stream_u32(stream, &head->issue_count);
  stream_u32(stream, &head->zero);
  stream_u64(stream, &head->error_count);
  if (head->has_scene > 1 || head->zero != 0) scene_stream_fail(stream, "its head is odd");
}

static void visit_where(scene_stream *stream, cook_where *where) {
  visit_text(stream, &where->node);
  visit_text(stream, &where->mesh);
  stream_u32(stream, &where->primitive);
  visit_text(stream, &where->target);
  visit_text(stream, &where->skin);
  visit_text(stream, &where->clip);
  visit_text(stream, &where->material);
  visit_text(stream, &where->stream);
  visit_text(stream, &where->element);
  stream_u64(stream, &where->index);
  stream_u64(stream, &where->more);
  visit_text(stream, &where->value);
  visit_text(stream, &where->limit);
}

void scene_stream_visit_issue(scene_stream *stream, cook_issue *issue) {
  issue->id = (mpak_issue_id)stream_choice(stream, issue->id, 0, MPAK_ISSUE_COUNT - 1);
  issue->severity = (mpak_severity)stream_choice(stream, issue->severity, 0, MPAK_INFO);
  visit_text(stream, &issue->file);
  visit_where(stream, &issue->where);
  visit_text(stream, &issue->message);
  if (issue->message == NULL) scene_stream_fail(stream, "an issue without a message");
}
