// glb_lods.c: lower levels of detail: MSFT_lod, whose levels are nodes outside the scene that take the place of theirs.
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/MSFT_lod
#include "cooker/export/glb.h"

uint64_t glb_count_levels(const glb_file *glb) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < glb->pack->instance_count; i++)
    count += glb->pack->meshes[glb->pack->instances[i].mesh].lod_count;
  return count;
}

/// The name of a level, or none where the thing has none.
static const char *lods_name(const glb_file *glb, const char *name, uint32_t level) {
  return name == NULL || name[0] == 0 ? NULL : job_format(glb->job, "%s_LOD%u", name, level);
}

/// The file's mesh of a level, made once. MPAK_NONE: the level has no such parts.
static uint32_t lods_mesh(glb_file *glb, uint32_t mesh, glb_choice choice, uint32_t level) {
  uint32_t *made = &glb->level_mesh_of[choice][glb->pack->meshes[mesh].first_lod + level];
  if (*made == MPAK_NONE) {
    const char *name = lods_name(glb, mpak_string(glb->pack, glb->pack->meshes[mesh].name), level);
    *made = glb_make_level_mesh(glb, mesh, choice, level, name);
  }
  return *made;
}

/// Levels end where one has nothing to draw.
static void lods_add(glb_file *glb, uint32_t number, uint32_t mesh, glb_choice choice) {
  for (uint32_t level = 1; level < glb->pack->meshes[mesh].lod_count; level++) {
    const uint32_t drawn = lods_mesh(glb, mesh, choice, level);
    if (drawn == MPAK_NONE) {
      cook_where where = COOK_WHERE;
      where.mesh = mpak_string(glb->pack, glb->pack->meshes[mesh].key);
      glb_note(glb, job_format(glb->job, "level of detail %u, which draws nothing here", level), "no levels from it on",
               where);
      return;
    }
    const uint32_t added = glb_add_node(glb, lods_name(glb, glb->nodes[number].name, level), MPAK_NONE);
    const char *name = glb->nodes[added].name;
    glb->nodes[added] = glb->nodes[number];
    glb->nodes[added].name = name;
    glb->nodes[added].parent = MPAK_NONE;
    glb->nodes[added].mesh = drawn;
    glb->nodes[added].is_level = true;
    glb->nodes[added].level_count = 0;
    if (level == 1) glb->nodes[number].first_level = added;
    glb->nodes[number].level_count = level;
  }
}

void glb_add_levels(glb_file *glb) {
  const uint32_t lod_count = glb->pack->lod_count, count = glb->node_count;
  for (int c = 0; c < GLB_CHOICE_COUNT; c++) {
    glb->level_mesh_of[c] = JOB_ARRAY(glb->job, uint32_t, lod_count);
    for (uint32_t l = 0; l < lod_count; l++) glb->level_mesh_of[c][l] = MPAK_NONE;
  }
  for (uint32_t n = 0; n < count; n++) {
    if (glb->nodes[n].mesh == MPAK_NONE) continue;
    const uint32_t mesh = glb->pack->instances[glb->nodes[n].instance].mesh;
    lods_add(glb, n, mesh, glb->nodes[n].choice);
    glb->has_levels = glb->has_levels || glb->nodes[n].level_count != 0;
  }
}

void glb_put_levels(const glb_file *glb, json_out *json, const glb_node *node) {
  if (node->level_count == 0) return;
  const mpak_mesh *mesh = &glb->pack->meshes[glb->pack->instances[node->instance].mesh];
  write_json_key(json, "extensions");
  write_json_object(json);
  write_json_key(json, "MSFT_lod");
  write_json_object(json);
  write_json_key(json, "ids");
  write_json_array(json);
  for (uint32_t k = 0; k < node->level_count; k++) write_json_count(json, node->first_level + k);
  write_json_close(json);
  write_json_close(json);
  write_json_close(json);
  write_json_key(json, "extras");
  write_json_object(json);
  write_json_key(json, "MSFT_screencoverage");
  write_json_array(json);
  for (uint32_t k = 0; k <= node->level_count; k++)
    write_json_float(json, glb->pack->lods[mesh->first_lod + k].screen_size);
  write_json_close(json);
  write_json_close(json);
}
