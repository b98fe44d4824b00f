// glb_scene.c: a whole pack, or its vertices at one moment, as a file.
#include <inttypes.h>

#include "cooker/export/glb.h"

static void scene_note_directions(const glb_file *glb) {
  if (glb->fixed_direction_count == 0) return;
  const char *count =
      job_format(glb->job, "%" PRIu64 " normals or tangents without length", glb->fixed_direction_count);
  glb_note(glb, count, "unit vectors", COOK_WHERE);
}

export_file export_scene(cook_job *job, const export_model *model) {
  glb_file glb;
  glb_begin(&glb, job, model);
  glb_put_materials(&glb);
  glb_make_nodes(&glb);
  glb_put_skins(&glb);
  glb_put_nodes(&glb);
  glb_put_clips(&glb);
  scene_note_directions(&glb);
  return glb_finish(&glb);
}

// -- Stills ----------------------------------------------------------------------------------------------------------

/// The stills of one instance as a mesh of their own and a node that draws it.
static void still_put(glb_file *glb, const export_still *stills, uint32_t count) {
  const mpak_instance *instance = &glb->pack->instances[stills->instance];
  const char *name = mpak_string(glb->pack, glb->pack->meshes[instance->mesh].name);
  const uint32_t node = glb_add_node(glb, mpak_string(glb->pack, glb->pack->nodes[instance->node].name), MPAK_NONE);
  glb->nodes[node].mesh = glb->tables[GLB_MESHES].count;
  glb->nodes[node].instance = stills->instance;
  json_out *json = glb_element(glb, GLB_MESHES);
  if (name[0] != 0) write_json_member_string(json, "name", name);
  write_json_key(json, "primitives");
  write_json_array(json);
  for (uint32_t i = 0; i < count; i++) {
    const glb_primitive primitive = {stills[i].part, stills[i].vertices, stills[i].is_mirrored, false, 0};
    glb_put_primitive(glb, json, &primitive);
  }
  write_json_close(json);
  write_json_close(json);
}

export_file export_stills(cook_job *job, const export_model *model, const export_still *stills, uint32_t count) {
  glb_file glb;
  glb_begin(&glb, job, model);
  glb.nodes = JOB_ARRAY(job, glb_node, count);
  glb_put_materials(&glb);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && stills[end].instance == stills[first].instance;) end++;
    still_put(&glb, stills + first, end - first);
  }
  glb_put_nodes(&glb);
  scene_note_directions(&glb);
  return glb_finish(&glb);
}
