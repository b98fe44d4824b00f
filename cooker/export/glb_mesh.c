// glb_mesh.c: meshes. A node with a skin may draw only primitives with joints, so the parts of one mesh may be
// divided among two (glTF 2.0, section 3.7.3.3).
#include "cooker/export/glb.h"

static bool mesh_takes(const mpak_part *part, glb_choice choice, uint32_t level) {
  if (part->lod != level || part->index_count == 0) return false;
  return choice == GLB_ALL_PARTS || (part->influence_count != 0) == (choice == GLB_SKINNED_PARTS);
}

static bool mesh_has(const glb_file *glb, uint32_t mesh, glb_choice choice, uint32_t level) {
  const mpak_mesh *record = &glb->pack->meshes[mesh];
  for (uint32_t p = record->first_part; p < record->first_part + record->part_count; p++)
    if (mesh_takes(&glb->pack->parts[p], choice, level)) return true;
  return false;
}

bool glb_mesh_has(const glb_file *glb, uint32_t mesh, glb_choice choice) { return mesh_has(glb, mesh, choice, 0); }

static void mesh_put_name(json_out *json, const char *name) {
  if (name != NULL && name[0] != 0) write_json_member_string(json, "name", name);
}

static void mesh_put(glb_file *glb, uint32_t mesh, glb_choice choice, uint32_t level, const char *name) {
  const mpak_mesh *record = &glb->pack->meshes[mesh];
  const uint32_t target_count = glb_target_count(glb, mesh);
  json_out *json = glb_element(glb, GLB_MESHES);
  mesh_put_name(json, name);
  write_json_key(json, "primitives");
  write_json_array(json);
  for (uint32_t p = record->first_part; p < record->first_part + record->part_count; p++) {
    if (!mesh_takes(&glb->pack->parts[p], choice, level)) continue;
    const bool has_skin = glb->pack->parts[p].influence_count != 0;
    const glb_primitive primitive = {p, glb->model->parts[p].base, false, has_skin, target_count};
    glb_put_primitive(glb, json, &primitive);
  }
  write_json_close(json);
  if (target_count != 0) {
    glb_put_weights(glb, json, mesh, NULL);
    glb_put_target_names(glb, json, mesh);
  }
  write_json_close(json);
}

void glb_make_mesh(glb_file *glb, uint32_t mesh, glb_choice choice) {
  if (!glb_mesh_has(glb, mesh, choice)) return;
  mesh_put(glb, mesh, choice, 0, mpak_string(glb->pack, glb->pack->meshes[mesh].name));
  glb->mesh_of[choice][mesh] = glb->tables[GLB_MESHES].count - 1;
}

uint32_t glb_make_level_mesh(glb_file *glb, uint32_t mesh, glb_choice choice, uint32_t level, const char *name) {
  if (!mesh_has(glb, mesh, choice, level)) return MPAK_NONE;
  mesh_put(glb, mesh, choice, level, name);
  return glb->tables[GLB_MESHES].count - 1;
}
