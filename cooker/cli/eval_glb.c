// eval_glb.c: results as a GLB of plain meshes, with their texture coordinates, colours and materials.
#include "cooker/cli/eval.h"
#include "cooker/export/export.h"

static mpak_base_vertex *glb_vertices(cook_job *job, const eval_mesh *mesh) {
  mpak_base_vertex *vertices = JOB_ARRAY(job, mpak_base_vertex, mesh->part->vertex_count);
  for (uint32_t v = 0; v < mesh->part->vertex_count; v++) {
    for (int c = 0; c < 3; c++) {
      vertices[v].position[c] = (float)mesh->positions[v][c];
      vertices[v].normal[c] = (float)mesh->normals[v][c];
    }
    for (int c = 0; c < 4 && mesh->tangents != NULL; c++) vertices[v].tangent[c] = (float)mesh->tangents[v][c];
  }
  return vertices;
}

void eval_put_glb(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count) {
  const mpak_pack *pack = &scene->file.pack;
  mpak_part_data *parts = JOB_ARRAY(scene->job, mpak_part_data, pack->part_count);
  export_still *stills = JOB_ARRAY(scene->job, export_still, count);
  for (uint32_t m = 0; m < count; m++) {
    stills[m].instance = (uint32_t)(meshes[m].instance - pack->instances);
    stills[m].part = (uint32_t)(meshes[m].part - pack->parts);
    stills[m].vertices = glb_vertices(scene->job, &meshes[m]);
    stills[m].is_mirrored = meshes[m].is_mirrored;
    parts[stills[m].part] = meshes[m].buffers->data;
  }
  const export_file file = export_stills(scene->job, &(export_model){pack, parts, NULL}, stills, count);
  text_put_bytes(text, file.bytes, file.byte_count);
}
