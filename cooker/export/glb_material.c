// glb_material.c: materials, and the texture files that they name (glTF 2.0, sections 3.8.3 and 3.9).
#include <string.h>

#include "cooker/export/glb.h"

// -- URIs ------------------------------------------------------------------------------------------------------------

static bool uri_is_hex(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

static bool uri_is_plain(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter != 0 && strchr("-._~!$&'()*+,;=@/", letter) != NULL);
}

/// A path or URI as a relative URI: what may not stand in one is escaped, what is escaped already stays.
static const char *uri_escape(cook_job *job, const char *text) {
  text_out uri;
  text_begin(&uri, job);
  for (const char *at = text; *at != 0; at++) {
    if (uri_is_plain(*at) || (*at == '%' && uri_is_hex(at[1]) && uri_is_hex(at[2])))
      text_put_char(&uri, *at);
    else
      text_printf(&uri, "%%%02X", (unsigned)(uint8_t)*at);
  }
  return uri.bytes;
}

// -- Textures --------------------------------------------------------------------------------------------------------

/// One texture and one image for each file. string: of the pack.
typedef struct material_textures {
  uint32_t *strings; ///< by texture of the file
  uint32_t count;
} material_textures;

static uint32_t material_texture(glb_file *glb, material_textures *textures, uint32_t string) {
  for (uint32_t t = 0; t < textures->count; t++)
    if (textures->strings[t] == string) return t;
  json_out *json = glb_element(glb, GLB_IMAGES);
  write_json_member_string(json, "uri", uri_escape(glb->job, mpak_string(glb->pack, string)));
  write_json_close(json);
  json = glb_element(glb, GLB_TEXTURES);
  write_json_member_count(json, "source", glb->tables[GLB_IMAGES].count - 1);
  write_json_close(json);
  textures->strings[textures->count] = string;
  return textures->count++;
}

static void material_put_texture(glb_file *glb, json_out *json, material_textures *textures, const char *key,
                                 uint32_t string) {
  if (string == 0) return;
  write_json_key(json, key);
  write_json_object(json);
  write_json_member_count(json, "index", material_texture(glb, textures, string));
  write_json_close(json);
}

// -- Materials -------------------------------------------------------------------------------------------------------

static void material_put_colour(json_out *json, const float colour[4]) {
  write_json_key(json, "baseColorFactor");
  write_json_array(json);
  for (int c = 0; c < 4; c++) write_json_float(json, colour[c] > 1 ? 1 : colour[c] > 0 ? colour[c] : 0);
  write_json_close(json);
}

static void material_put_alpha(json_out *json, const mpak_material *material) {
  if (material->alpha_mode == MPAK_ALPHA_BLEND) write_json_member_string(json, "alphaMode", "BLEND");
  if (material->alpha_mode != MPAK_ALPHA_MASK) return;
  write_json_member_string(json, "alphaMode", "MASK");
  write_json_member_float(json, "alphaCutoff", material->alpha_cutoff > 0 ? material->alpha_cutoff : 0);
}

static void material_put(glb_file *glb, const mpak_material *material, material_textures *textures) {
  json_out *json = glb_element(glb, GLB_MATERIALS);
  const char *name = mpak_string(glb->pack, material->name);
  if (name[0] != 0) write_json_member_string(json, "name", name);
  write_json_key(json, "pbrMetallicRoughness");
  write_json_object(json);
  material_put_colour(json, material->base_colour);
  material_put_texture(glb, json, textures, "baseColorTexture", material->base_texture);
  material_put_texture(glb, json, textures, "metallicRoughnessTexture", material->metal_rough_texture);
  write_json_close(json);
  material_put_texture(glb, json, textures, "normalTexture", material->normal_texture);
  material_put_texture(glb, json, textures, "occlusionTexture", material->occlusion_texture);
  material_put_texture(glb, json, textures, "emissiveTexture", material->emissive_texture);
  material_put_alpha(json, material);
  if ((material->flags & MPAK_MATERIAL_DOUBLE_SIDED) != 0) {
    write_json_key(json, "doubleSided");
    write_json_bool(json, true);
  }
  write_json_close(json);
}

void glb_put_materials(glb_file *glb) {
  material_textures textures = {JOB_ARRAY(glb->job, uint32_t, 5ull * glb->pack->material_count), 0};
  for (uint32_t m = 0; m < glb->pack->material_count; m++) material_put(glb, &glb->pack->materials[m], &textures);
}
