#include "cooker/import/gltf_reader.h"

#include <string.h>

#include "format/bytes.h"

// Meshes and primitives (glTF 2.0, section 3.7.2).

#define MESH_TEXCOORD_SETS  4u
#define MESH_JOINT_SETS     (MPAK_MAX_INFLUENCES / 4)
#define MESH_MODE_TRIANGLES 4u
#define MESH_MODE_MOST      6u

static const gltf_use use_position = {"POSITION",
                                      3,
                                      3,
                                      GLTF_USE_F32,
                                      GLTF_USE_I8 | GLTF_USE_I8N | GLTF_USE_U8 | GLTF_USE_U8N | GLTF_USE_I16 |
                                          GLTF_USE_I16N | GLTF_USE_U16 | GLTF_USE_U16N,
                                      0};
static const gltf_use use_normal = {"NORMAL", 3, 3, GLTF_USE_F32, GLTF_USE_I8N | GLTF_USE_I16N, 0};
static const gltf_use use_tangent = {"TANGENT", 4, 4, GLTF_USE_F32, GLTF_USE_I8N | GLTF_USE_I16N, 0};
static const gltf_use use_texcoord = {"TEXCOORD",
                                      2,
                                      2,
                                      GLTF_USE_F32 | GLTF_USE_U8N | GLTF_USE_U16N,
                                      GLTF_USE_I8 | GLTF_USE_I8N | GLTF_USE_U8 | GLTF_USE_I16 | GLTF_USE_I16N |
                                          GLTF_USE_U16,
                                      0};
static const gltf_use use_colour = {"COLOR", 3, 4, GLTF_USE_F32 | GLTF_USE_U8N | GLTF_USE_U16N, 0, 0};
static const gltf_use use_joints = {"JOINTS", 4, 4, GLTF_USE_U8 | GLTF_USE_U16, 0, 0};
static const gltf_use use_weights = {"WEIGHTS", 4, 4, GLTF_USE_F32 | GLTF_USE_U8N | GLTF_USE_U16N, 0, 0};

// -- Which attributes there are --------------------------------------------------------------------------------------

/// The attributes of a primitive that the pack keeps; absent ones have no value.
typedef struct mesh_attributes {
  cook_json object;
  cook_json position, normal, tangent, colour;
  cook_json texcoords[MESH_TEXCOORD_SETS];
  cook_json joints[MESH_JOINT_SETS], weights[MESH_JOINT_SETS];
  uint32_t joint_sets;
} mesh_attributes;

/// "JOINTS_2" with prefix "JOINTS_" -> 2; UINT32_MAX when the name is another one.
static uint32_t mesh_set_of(const char *name, const char *prefix) {
  const size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) != 0) return UINT32_MAX;
  const char *digits = name + length;
  if (digits[0] == 0 || strlen(digits) > 4 || (digits[0] == '0' && digits[1] != 0)) return UINT32_MAX;
  uint32_t set = 0;
  for (; *digits != 0; digits++) {
    if (*digits < '0' || *digits > '9') return UINT32_MAX;
    set = set * 10 + (uint32_t)(*digits - '0');
  }
  return set;
}

/// Says what happens to an attribute that the pack does not keep.
static void mesh_report_extra(gltf_reader *reader, const cook_json *attribute) {
  const uint32_t joint_set = mesh_set_of(attribute->key, "JOINTS_"),
                 weight_set = mesh_set_of(attribute->key, "WEIGHTS_");
  if (joint_set != UINT32_MAX)
    gltf_report(reader, MPAK_G034, attribute, attribute->key, NULL);
  else if (weight_set == UINT32_MAX)
    gltf_report(reader, attribute->key[0] == '_' ? MPAK_G037 : MPAK_G035, attribute, attribute->key, NULL);
}

static void mesh_note_attribute(gltf_reader *reader, const cook_json *attribute, mesh_attributes *found) {
  const char *name = attribute->key;
  const uint32_t texcoord_set = mesh_set_of(name, "TEXCOORD_");
  const uint32_t joint_set = mesh_set_of(name, "JOINTS_"), weight_set = mesh_set_of(name, "WEIGHTS_");
  if (strcmp(name, "POSITION") == 0)
    found->position = *attribute;
  else if (strcmp(name, "NORMAL") == 0)
    found->normal = *attribute;
  else if (strcmp(name, "TANGENT") == 0)
    found->tangent = *attribute;
  else if (strcmp(name, "COLOR_0") == 0)
    found->colour = *attribute;
  else if (texcoord_set < MESH_TEXCOORD_SETS)
    found->texcoords[texcoord_set] = *attribute;
  else if (joint_set < MESH_JOINT_SETS)
    found->joints[joint_set] = *attribute;
  else if (weight_set < MESH_JOINT_SETS)
    found->weights[weight_set] = *attribute;
  else
    mesh_report_extra(reader, attribute);
}

/// JOINTS_n and WEIGHTS_n come in pairs, from 0 without gaps.
static void mesh_check_joint_sets(gltf_reader *reader, mesh_attributes *found) {
  for (uint32_t set = 0; set < MESH_JOINT_SETS; set++) {
    const bool has_joints = json_exists(&found->joints[set]), has_weights = json_exists(&found->weights[set]);
    if (has_joints && !has_weights) gltf_fail(reader, MPAK_G031, &found->joints[set], found->joints[set].key, NULL);
    if (has_weights && !has_joints) gltf_fail(reader, MPAK_G032, &found->weights[set], found->weights[set].key, NULL);
    if (!has_joints) continue;
    if (set != found->joint_sets) gltf_fail(reader, MPAK_G033, &found->joints[set], found->joints[set].key, NULL);
    found->joint_sets++;
  }
}

/// The cursors point to found->object, which therefore is filled in first and stays where it is.
static void mesh_find_attributes(gltf_reader *reader, const cook_json *primitive, mesh_attributes *found) {
  found->object = gltf_object(reader, primitive, "attributes");
  gltf_require(reader, &found->object);
  cook_json attribute = {0};
  while (json_next_member(&found->object, &attribute)) mesh_note_attribute(reader, &attribute, found);
  mesh_check_joint_sets(reader, found);
}

// -- Streams ---------------------------------------------------------------------------------------------------------

static gltf_accessor mesh_open_attribute(gltf_reader *reader, const cook_json *attribute, const gltf_use *use,
                                         const cook_primitive *primitive) {
  const gltf_accessor accessor = gltf_open_accessor(reader, attribute, use);
  if (accessor.count != primitive->vertex_count)
    gltf_fail(reader, MPAK_G015, attribute, job_format(reader->job, "%s has %u", attribute->key, accessor.count),
              job_format(reader->job, "%u", primitive->vertex_count));
  return accessor;
}

static float *mesh_read_attribute(gltf_reader *reader, const cook_json *attribute, const gltf_use *use,
                                  const cook_primitive *primitive) {
  if (!json_exists(attribute)) return NULL;
  const gltf_accessor accessor = mesh_open_attribute(reader, attribute, use, primitive);
  return gltf_read_floats(reader, &accessor);
}

static mpak_element_format mesh_colour_format(const gltf_accessor *accessor) {
  const bool has_alpha = accessor->component_count == 4;
  if (accessor->component == GLTF_F32) return has_alpha ? MPAK_FORMAT_F32X4 : MPAK_FORMAT_F32X3;
  if (accessor->component == GLTF_U8) return has_alpha ? MPAK_FORMAT_UNORM8X4 : MPAK_FORMAT_UNORM8X3;
  return has_alpha ? MPAK_FORMAT_UNORM16X4 : MPAK_FORMAT_UNORM16X3;
}

/// Three integer components are stored as four, the last all ones (mpak_format.h).
static void mesh_read_colours(gltf_reader *reader, const cook_json *attribute, cook_primitive *primitive) {
  if (!json_exists(attribute)) return;
  const gltf_accessor accessor = mesh_open_attribute(reader, attribute, &use_colour, primitive);
  const bool is_float = accessor.component == GLTF_F32;
  const uint32_t element_bytes = accessor.component_bytes * (is_float ? accessor.component_count : 4);
  gltf_count_dense(reader, attribute, accessor.count, element_bytes);
  primitive->colours = job_alloc(reader->job, accessor.count, element_bytes);
  primitive->colour_format = (uint8_t)mesh_colour_format(&accessor);
  gltf_read_raw_into(&accessor, primitive->colours, element_bytes);
  const uint32_t used_bytes = accessor.component_bytes * accessor.component_count;
  for (uint64_t v = 0; used_bytes < element_bytes && v < accessor.count; v++)
    memset(primitive->colours + v * element_bytes + used_bytes, 0xFF, element_bytes - used_bytes);
}

static void mesh_read_influences(gltf_reader *reader, const mesh_attributes *found, cook_primitive *primitive) {
  if (found->joint_sets == 0) return;
  const uint32_t width = 4 * found->joint_sets;
  gltf_count_dense(reader, &found->object, (uint64_t)primitive->vertex_count * width, sizeof(float) + sizeof(uint16_t));
  primitive->influence_count = width;
  primitive->joints = JOB_ARRAY(reader->job, uint16_t, (uint64_t)primitive->vertex_count * width);
  primitive->weights = JOB_ARRAY(reader->job, float, (uint64_t)primitive->vertex_count *width);
  for (uint32_t set = 0; set < found->joint_sets; set++) {
    const gltf_accessor joints = mesh_open_attribute(reader, &found->joints[set], &use_joints, primitive);
    const gltf_accessor weights = mesh_open_attribute(reader, &found->weights[set], &use_weights, primitive);
    gltf_read_u16_into(&joints, primitive->joints + 4 * set, width);
    gltf_read_floats_into(&weights, primitive->weights + 4 * set, width);
  }
}

static void mesh_read_positions(gltf_reader *reader, const cook_json *attribute, cook_primitive *primitive) {
  const gltf_accessor accessor = gltf_open_accessor(reader, attribute, &use_position);
  reader->vertex_count += accessor.count;
  if (reader->vertex_count > job_limits(reader->job)->vertices || accessor.count > MPAK_MAX_VERTICES)
    gltf_fail(reader, MPAK_G063, attribute, job_format(reader->job, "%llu", (unsigned long long)reader->vertex_count),
              job_format(reader->job, "%llu", (unsigned long long)job_limits(reader->job)->vertices));
  primitive->vertex_count = primitive->source_vertex_count = accessor.count;
  primitive->positions = (float(*)[3])gltf_read_floats(reader, &accessor);
}

static void mesh_read_streams(gltf_reader *reader, const mesh_attributes *found, cook_primitive *primitive) {
  mesh_read_positions(reader, &found->position, primitive);
  primitive->normals = (float(*)[3])mesh_read_attribute(reader, &found->normal, &use_normal, primitive);
  primitive->tangents = (float(*)[4])mesh_read_attribute(reader, &found->tangent, &use_tangent, primitive);
  for (uint32_t set = 0; set < MESH_TEXCOORD_SETS; set++)
    primitive->texcoords[set] =
        (float(*)[2])mesh_read_attribute(reader, &found->texcoords[set], &use_texcoord, primitive);
  mesh_read_colours(reader, &found->colour, primitive);
  mesh_read_influences(reader, found, primitive);
}

// -- Primitives ------------------------------------------------------------------------------------------------------

static uint32_t mesh_mode(gltf_reader *reader, const cook_json *object) {
  const cook_json member = json_member(object, "mode");
  const uint64_t mode = gltf_whole(reader, &member, UINT32_MAX, MESH_MODE_TRIANGLES);
  if (mode > MESH_MODE_MOST)
    gltf_fail(reader, MPAK_G027, &member, job_format(reader->job, "%llu", (unsigned long long)mode), "0 to 6");
  return (uint32_t)mode;
}

/// Draco data whose plain copy is missing, although the file does not say that it requires the extension.
static void mesh_refuse_draco(gltf_reader *reader, const cook_json *object, const cook_json *position) {
  const cook_json extensions = gltf_object(reader, object, "extensions");
  const cook_json draco = json_member(&extensions, "KHR_draco_mesh_compression");
  if (!json_exists(&draco)) return;
  const uint32_t index = gltf_index(reader, position, &reader->accessor_array);
  const cook_json accessor = gltf_object_at(reader, &reader->accessor_array, index);
  const cook_json view = json_member(&accessor, "bufferView"), sparse = json_member(&accessor, "sparse");
  if (!json_exists(&view) && !json_exists(&sparse)) gltf_fail(reader, MPAK_F022, &draco, draco.key, NULL);
}

/// Reads a primitive. False when it is dropped, with a warning: it has no triangles or no positions.
static bool mesh_read_primitive(gltf_reader *reader, const cook_json *object, cook_primitive *primitive) {
  static const char *const mode_names[] = {"points", "lines", "a line loop", "a line strip"};
  const uint32_t mode = mesh_mode(reader, object);
  if (mode < MESH_MODE_TRIANGLES) {
    gltf_report(reader, MPAK_G025, object, mode_names[mode], NULL);
    return false;
  }
  mesh_attributes found = {0};
  mesh_find_attributes(reader, object, &found);
  if (!json_exists(&found.position)) {
    gltf_report(reader, MPAK_G026, object, NULL, NULL);
    return false;
  }
  mesh_refuse_draco(reader, object, &found.position);
  const cook_json material = json_member(object, "material");
  primitive->material = gltf_index(reader, &material, &reader->material_array);
  mesh_read_streams(reader, &found, primitive);
  gltf_read_triangles(reader, object, primitive, mode);
  gltf_read_targets(reader, object, primitive);
  return true;
}

// -- Meshes ----------------------------------------------------------------------------------------------------------

/// All primitives have the same targets; those that have none at all are taken as unmoved by them.
static void mesh_check_target_counts(gltf_reader *reader, const cook_json *object, cook_mesh *mesh) {
  for (uint32_t i = 0; i < mesh->primitive_count; i++)
    if (mesh->primitives[i].target_count > mesh->target_count) mesh->target_count = mesh->primitives[i].target_count;
  for (uint32_t i = 0; i < mesh->primitive_count; i++) {
    const cook_primitive *primitive = &mesh->primitives[i];
    if (primitive->target_count == mesh->target_count) continue;
    reader->here.primitive = primitive->source_primitive;
    const char *limit = job_format(reader->job, "%u", mesh->target_count);
    if (primitive->target_count == 0)
      gltf_report(reader, MPAK_G020, object, NULL, limit);
    else
      gltf_fail(reader, MPAK_G019, object, job_format(reader->job, "%u", primitive->target_count), limit);
  }
  reader->here.primitive = MPAK_NONE;
  mesh->control_count = mesh->target_count;
}

static void mesh_read_one(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->mesh_array, index);
  cook_mesh *mesh = &reader->scene->meshes[index];
  mesh->source_index = index;
  mesh->name = gltf_name(reader, &object);
  reader->here.mesh = mesh->name != NULL ? mesh->name : job_format(reader->job, "mesh_%u", index);
  const cook_json array = gltf_array(reader, &object, "primitives");
  gltf_require(reader, &array);
  gltf_find_target_names(reader, &object, &array);
  const uint64_t count = json_count(&array);
  mesh->primitives = JOB_ARRAY(reader->job, cook_primitive, count);
  for (uint64_t i = 0; i < count; i++) {
    const cook_json element = gltf_object_at(reader, &array, i);
    cook_primitive *primitive = &mesh->primitives[mesh->primitive_count];
    *primitive = (cook_primitive){.source_primitive = (uint32_t)i, .material = MPAK_NONE};
    reader->here.primitive = (uint32_t)i;
    if (mesh_read_primitive(reader, &element, primitive)) mesh->primitive_count++;
  }
  reader->here.primitive = MPAK_NONE;
  mesh_check_target_counts(reader, &object, mesh);
  gltf_name_targets(reader, &object, mesh);
  gltf_read_mesh_weights(reader, &object, mesh);
}

void gltf_read_meshes(gltf_reader *reader) {
  const uint64_t count = json_count(&reader->mesh_array);
  gltf_limit_count(reader, &reader->mesh_array, count, MPAK_NONE - 1, "meshes");
  reader->scene->mesh_count = (uint32_t)count;
  reader->scene->meshes = JOB_ARRAY(reader->job, cook_mesh, count);
  for (uint32_t i = 0; i < reader->scene->mesh_count; i++) {
    mesh_read_one(reader, i);
    gltf_leave(reader);
  }
}
