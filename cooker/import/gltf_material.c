#include "cooker/import/gltf_reader.h"

#include <string.h>

// What a material says about itself (glTF 2.0, section 3.9). Textures stay outside of the pack: only their URIs are
// kept.

/// The image that a texture shows: its own, or the one of an extension for other image formats.
static uint32_t material_image_of(gltf_reader *reader, const cook_json *texture) {
  const cook_json source = json_member(texture, "source");
  if (json_exists(&source)) return gltf_index(reader, &source, &reader->image_array);
  const cook_json extensions = gltf_object(reader, texture, "extensions");
  cook_json extension = {0};
  while (json_next_member(&extensions, &extension)) {
    const cook_json other = json_member(&extension, "source");
    if (json_is_a_number(&other)) return gltf_index(reader, &other, &reader->image_array);
  }
  return MPAK_NONE;
}

/// The URI of a texture slot as text; NULL when the slot is empty or the image is embedded.
static const char *material_texture(gltf_reader *reader, const cook_json *holder, const char *key) {
  const cook_json slot = gltf_object(reader, holder, key);
  const cook_json index_member = json_member(&slot, "index");
  const uint32_t index = gltf_index(reader, &index_member, &reader->texture_array);
  if (index == MPAK_NONE) return NULL;
  const cook_json texture = gltf_object_at(reader, &reader->texture_array, index);
  const uint32_t image_index = material_image_of(reader, &texture);
  if (image_index == MPAK_NONE) return NULL;
  const cook_json image = gltf_object_at(reader, &reader->image_array, image_index);
  const cook_json uri_member = json_member(&image, "uri");
  const char *uri = gltf_text(reader, &uri_member);
  return uri != NULL && gltf_uri_is_data(uri) ? NULL : uri;
}

static void material_read_alpha(gltf_reader *reader, const cook_json *object, cook_material *material) {
  static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
  const cook_json mode_member = json_member(object, "alphaMode"), cutoff = json_member(object, "alphaCutoff");
  const char *mode = gltf_text(reader, &mode_member);
  material->alpha_cutoff = gltf_float(reader, &cutoff, 0.5f);
  material->alpha_mode = MPAK_ALPHA_OPAQUE;
  if (mode == NULL) return;
  for (int i = 0; i < 3; i++) {
    if (strcmp(mode, modes[i]) != 0) continue;
    material->alpha_mode = (mpak_alpha_mode)i;
    return;
  }
  gltf_report(reader, MPAK_G064, &mode_member, mode, NULL);
}

static void material_read_one(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->material_array, index);
  cook_material *material = &reader->scene->materials[index];
  material->source_index = index;
  material->name = gltf_name(reader, &object);
  reader->here.material = material->name != NULL ? material->name : job_format(reader->job, "material_%u", index);
  material_read_alpha(reader, &object, material);
  material->is_double_sided = gltf_truth(reader, &object, "doubleSided");
  const cook_json surface = gltf_object(reader, &object, "pbrMetallicRoughness");
  const cook_json colour = json_member(&surface, "baseColorFactor");
  for (int i = 0; i < 4; i++) material->base_colour[i] = 1;
  gltf_floats(reader, &colour, 4, material->base_colour);
  material->base_texture = material_texture(reader, &surface, "baseColorTexture");
  material->metal_rough_texture = material_texture(reader, &surface, "metallicRoughnessTexture");
  material->normal_texture = material_texture(reader, &object, "normalTexture");
  material->occlusion_texture = material_texture(reader, &object, "occlusionTexture");
  material->emissive_texture = material_texture(reader, &object, "emissiveTexture");
  const cook_json normal = json_member(&object, "normalTexture");
  material->has_normal_texture = json_exists(&normal);
}

void gltf_read_materials(gltf_reader *reader) {
  const uint64_t count = json_count(&reader->material_array);
  gltf_limit_count(reader, &reader->material_array, count, MPAK_NONE - 1, "materials");
  reader->scene->material_count = (uint32_t)count;
  reader->scene->materials = JOB_ARRAY(reader->job, cook_material, count);
  for (uint32_t i = 0; i < reader->scene->material_count; i++) {
    material_read_one(reader, i);
    gltf_leave(reader);
  }
}
