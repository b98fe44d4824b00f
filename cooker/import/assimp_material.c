#include <string.h>

#include "cooker/import/assimp_maker.h"

/// The path of a texture as text; NULL when there is none. Pictures inside the file are named "*0" by Assimp and have
/// no path.
static const char *texture_path(const assimp_maker *maker, const struct aiMaterial *source, enum aiTextureType type,
                                bool *is_there) {
  struct aiString path;
  if (aiGetMaterialTexture(source, type, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) != aiReturn_SUCCESS) return NULL;
  *is_there = true;
  return path.data[0] == 0 || path.data[0] == '*' ? NULL : job_copy(maker->job, path.data, strlen(path.data));
}

/// The first of several kinds that is there: formats call the same thing differently.
static const char *first_texture(const assimp_maker *maker, const struct aiMaterial *source,
                                 const enum aiTextureType *types, size_t type_count, bool *is_there) {
  const char *path = NULL;
  *is_there = false;
  for (size_t i = 0; i < type_count && !*is_there; i++) path = texture_path(maker, source, types[i], is_there);
  return path;
}

#define FIRST_TEXTURE(maker, source, is_there, ...)                                                                    \
  first_texture((maker), (source), (const enum aiTextureType[]){__VA_ARGS__},                                          \
                sizeof((enum aiTextureType[]){__VA_ARGS__}) / sizeof(enum aiTextureType), (is_there))

static void make_textures(const assimp_maker *maker, const struct aiMaterial *source, cook_material *material) {
  bool ignored;
  material->base_texture = FIRST_TEXTURE(maker, source, &ignored, aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE);
  material->normal_texture =
      FIRST_TEXTURE(maker, source, &material->has_normal_texture, aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA);
  material->metal_rough_texture = FIRST_TEXTURE(maker, source, &ignored, aiTextureType_METALNESS);
  material->occlusion_texture =
      FIRST_TEXTURE(maker, source, &ignored, aiTextureType_AMBIENT_OCCLUSION, aiTextureType_LIGHTMAP);
  material->emissive_texture =
      FIRST_TEXTURE(maker, source, &ignored, aiTextureType_EMISSIVE, aiTextureType_EMISSION_COLOR);
}

static void make_material(const assimp_maker *maker, const struct aiMaterial *source, cook_material *material) {
  struct aiString name;
  struct aiColor4D colour;
  int two_sided = 0;
  float opacity = 1.0f;
  *material = (cook_material){.alpha_cutoff = 0.5f, .base_colour = {1.0f, 1.0f, 1.0f, 1.0f}};
  if (aiGetMaterialString(source, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS)
    material->name = assimp_object_name(maker, &name);
  if (aiGetMaterialColor(source, AI_MATKEY_BASE_COLOR, &colour) == aiReturn_SUCCESS ||
      aiGetMaterialColor(source, AI_MATKEY_COLOR_DIFFUSE, &colour) == aiReturn_SUCCESS)
    memcpy(material->base_colour, &colour, sizeof material->base_colour);
  if (aiGetMaterialIntegerArray(source, AI_MATKEY_TWOSIDED, &two_sided, NULL) == aiReturn_SUCCESS)
    material->is_double_sided = two_sided != 0;
  if (aiGetMaterialFloatArray(source, AI_MATKEY_OPACITY, &opacity, NULL) == aiReturn_SUCCESS && opacity < 1.0f) {
    material->alpha_mode = MPAK_ALPHA_BLEND;
    material->base_colour[3] = opacity;
  }
  make_textures(maker, source, material);
}

/// Assimp gives meshes without a material one of this name, behind all others.
static bool is_made_up_material(const assimp_maker *maker, unsigned index) {
  struct aiString name;
  return index + 1 == maker->source->mNumMaterials &&
         aiGetMaterialString(maker->source->mMaterials[index], AI_MATKEY_NAME, &name) == aiReturn_SUCCESS &&
         strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) == 0;
}

void assimp_make_materials(assimp_maker *maker) {
  const unsigned count = maker->source->mMaterials == NULL ? 0 : maker->source->mNumMaterials;
  cook_scene *scene = maker->scene;
  scene->materials = JOB_ARRAY(maker->job, cook_material, count);
  maker->materials = JOB_ARRAY(maker->job, uint32_t, maker->source->mNumMaterials);
  for (unsigned i = 0; i < maker->source->mNumMaterials; i++) {
    maker->materials[i] = MPAK_NONE;
    if (i >= count || maker->source->mMaterials[i] == NULL || is_made_up_material(maker, i)) continue;
    make_material(maker, maker->source->mMaterials[i], &scene->materials[scene->material_count]);
    scene->materials[scene->material_count].source_index = i;
    maker->materials[i] = scene->material_count++;
  }
}
