#include "cooker/import/gltf_reader.h"

#include <string.h>

// Morph targets (glTF 2.0, section 3.7.2.2) and what they are called: mesh.extras.targetNames, by general habit.

static const gltf_use use_target_position = {"POSITION of a target",
                                             3,
                                             3,
                                             GLTF_USE_F32,
                                             GLTF_USE_I8 | GLTF_USE_I8N | GLTF_USE_I16 | GLTF_USE_I16N,
                                             GLTF_USE_U8 | GLTF_USE_U8N | GLTF_USE_U16 | GLTF_USE_U16N};
static const gltf_use use_target_normal = {"NORMAL of a target", 3, 3, GLTF_USE_F32, GLTF_USE_I8N | GLTF_USE_I16N, 0};
static const gltf_use use_target_tangent = {"TANGENT of a target", 3, 3, GLTF_USE_F32, GLTF_USE_I8N | GLTF_USE_I16N, 0};

// -- Deltas ----------------------------------------------------------------------------------------------------------

/// One stream of deltas; NULL when the accessor is nothing but zeros.
static float (*target_read_deltas(gltf_reader *reader, const cook_json *attribute, const gltf_use *use,
                                  const cook_primitive *primitive))[3] {
  const gltf_accessor accessor = gltf_open_accessor(reader, attribute, use);
  if (accessor.count != primitive->vertex_count)
    gltf_fail(reader, MPAK_G016, attribute, job_format(reader->job, "%s has %u", attribute->key, accessor.count),
              job_format(reader->job, "%u", primitive->vertex_count));
  return gltf_accessor_is_zero(&accessor) ? NULL : (float(*)[3])gltf_read_floats(reader, &accessor);
}

static void target_require_base(gltf_reader *reader, const cook_json *attribute, bool has_base) {
  if (!has_base) gltf_fail(reader, MPAK_G017, attribute, attribute->key, NULL);
}

static void target_read_attribute(gltf_reader *reader, const cook_json *attribute, const cook_primitive *primitive,
                                  cook_target *target) {
  if (strcmp(attribute->key, "POSITION") == 0) {
    target->position_deltas = target_read_deltas(reader, attribute, &use_target_position, primitive);
  } else if (strcmp(attribute->key, "NORMAL") == 0) {
    target_require_base(reader, attribute, primitive->normals != NULL);
    target->normal_deltas = target_read_deltas(reader, attribute, &use_target_normal, primitive);
  } else if (strcmp(attribute->key, "TANGENT") == 0) {
    target_require_base(reader, attribute, primitive->tangents != NULL);
    target->tangent_deltas = target_read_deltas(reader, attribute, &use_target_tangent, primitive);
  } else {
    gltf_report(reader, MPAK_G018, attribute, attribute->key, NULL);
  }
}

/// What messages call a target: its name, or its number.
static const char *target_label(gltf_reader *reader, uint32_t index) {
  const char *name = index < reader->target_name_count ? reader->target_names[index] : NULL;
  return name != NULL && name[0] != 0 ? name : job_format(reader->job, "target_%u", index);
}

void gltf_read_targets(gltf_reader *reader, const cook_json *object, cook_primitive *primitive) {
  const cook_json array = gltf_array(reader, object, "targets");
  const uint64_t count = json_count(&array);
  gltf_limit_count(reader, &array, count, job_limits(reader->job)->targets, "morph targets");
  primitive->target_count = (uint32_t)count;
  primitive->targets = JOB_ARRAY(reader->job, cook_target, count);
  for (uint32_t i = 0; i < primitive->target_count; i++) {
    const cook_json target = gltf_object_at(reader, &array, i);
    reader->here.target = target_label(reader, i);
    cook_json attribute = {0};
    while (json_next_member(&target, &attribute))
      target_read_attribute(reader, &attribute, primitive, &primitive->targets[i]);
  }
  reader->here.target = NULL;
}

// -- Names -----------------------------------------------------------------------------------------------------------

/// Takes over extras.targetNames of a mesh or primitive. False when there is none; something that is no list is the
/// warning G024.
static bool target_take_names(gltf_reader *reader, const cook_json *object) {
  const cook_json extras = json_member(object, "extras"), names = json_member(&extras, "targetNames");
  if (!json_exists(&names)) return false;
  if (!json_is_an_array(&names)) gltf_report(reader, MPAK_G024, &names, json_kind(&names), NULL);
  const uint64_t count = json_is_an_array(&names) ? json_count(&names) : 0;
  gltf_limit_count(reader, &names, count, job_limits(reader->job)->targets, "target names");
  reader->target_names = JOB_ARRAY(reader->job, const char *, count);
  reader->target_name_count = (uint32_t)count;
  for (uint32_t i = 0; i < reader->target_name_count; i++) {
    const cook_json name = json_element(&names, i);
    reader->target_names[i] = gltf_name_at(reader, &name);
  }
  return count != 0;
}

void gltf_find_target_names(gltf_reader *reader, const cook_json *mesh, const cook_json *primitives) {
  reader->target_names = NULL;
  reader->target_name_count = 0;
  if (target_take_names(reader, mesh)) return;
  for (uint64_t i = 0; i < json_count(primitives); i++) {
    const cook_json primitive = json_element(primitives, i);
    if (target_take_names(reader, &primitive)) return; // old exporters wrote them here
  }
}

void gltf_name_targets(gltf_reader *reader, const cook_json *object, cook_mesh *mesh) {
  const uint32_t count = mesh->control_count;
  mesh->control_names = JOB_ARRAY(reader->job, const char *, count);
  for (uint32_t i = 0; i < count && i < reader->target_name_count; i++)
    mesh->control_names[i] = reader->target_names[i];
  if (count != 0 && reader->target_name_count > count) // too few of them is a matter for check/: the rest has no name
    gltf_report(reader, MPAK_G023, object, job_format(reader->job, "%u", reader->target_name_count),
                job_format(reader->job, "%u", count));
}

// -- Default weights -------------------------------------------------------------------------------------------------

float *gltf_read_weights(gltf_reader *reader, const cook_json *array, uint32_t target_count, mpak_issue_id id) {
  if (!json_exists(array)) return NULL;
  const uint64_t count = json_count(array);
  if (count != target_count)
    gltf_fail(reader, id, array, job_format(reader->job, "%llu", (unsigned long long)count),
              job_format(reader->job, "%u", target_count));
  float *weights = JOB_ARRAY(reader->job, float, count);
  gltf_floats(reader, array, target_count, weights);
  return weights;
}

void gltf_read_mesh_weights(gltf_reader *reader, const cook_json *object, cook_mesh *mesh) {
  const cook_json weights = gltf_array(reader, object, "weights");
  mesh->default_weights = gltf_read_weights(reader, &weights, mesh->control_count, MPAK_G021);
  mesh->has_default_weights = mesh->default_weights != NULL;
}
