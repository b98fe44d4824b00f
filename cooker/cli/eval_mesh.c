#include "cooker/cli/eval.h"

#include <string.h>

double eval_clip_time(const eval_scene *scene, const eval_clip *clip) {
  const mpak_clip *record = eval_clip_record(clip);
  const double time_s = scene->arguments->time.value;
  return time_s < record->start_s ? record->start_s : time_s > record->end_s ? record->end_s : time_s;
}

/// By the runtime's own pose: backends cpu and gl.
static bool eval_is_runtime(const eval_scene *scene) { return scene->arguments->backend != EVAL_BACKEND_REF; }

void eval_set_weight(eval_scene *scene, uint32_t instance, uint32_t control, double weight) {
  if (eval_is_runtime(scene))
    scene->cpu_pose.weights[scene->cpu_pose.first_weight[instance] + control] = (float)weight;
  else
    scene->pose.weights[scene->pose.first_weight[instance] + control] = weight;
}

static void eval_reference_sample(eval_scene *scene, const eval_clip *clip) {
  const double time_s = eval_clip_time(scene, clip);
  const mpak_clip_map *map = &clip->set->map;
  const mpak_ref_clip_source source = {clip->set->pack,  &clip->set->clips,  map->node_of,
                                       map->instance_of, map->first_control, map->control_of};
  if (eval_is_own(scene, clip))
    mpak_ref_sample(&scene->pose, &clip->set->clips, clip->number, time_s);
  else
    mpak_ref_sample_mapped(&scene->pose, &source, clip->number, time_s);
}

static void eval_reference_pose(eval_scene *scene) {
  const mpak_pack *pack = &scene->file.pack;
  const uint64_t byte_count = mpak_ref_pose_bytes(pack);
  const mpak_result result = mpak_ref_pose_init(pack, job_alloc(scene->job, byte_count, 1), byte_count, &scene->pose);
  if (result != MPAK_OK) cli_fail(scene->job, MPAK_P009, mpak_result_name(result), NULL);
  for (uint32_t i = 0; i < scene->clip_count; i++) eval_reference_sample(scene, &scene->clips[i]);
}

static void eval_pose(eval_scene *scene) {
  if (eval_is_runtime(scene))
    eval_cpu_pose(scene);
  else
    eval_reference_pose(scene);
  eval_apply_weights(scene);
  if (eval_is_runtime(scene))
    eval_cpu_finish_pose(scene);
  else
    mpak_ref_component(&scene->pose);
#ifdef MPAK_HAS_VIEWER
  if (scene->arguments->backend == EVAL_BACKEND_GL) eval_gl_run(scene);
#endif
}

bool eval_shows(const eval_scene *scene, uint32_t part) {
  return mpak_part_is_shown(&scene->file.pack, part, cli_lod(scene->arguments));
}

/// Some mesh must have the level.
static void eval_check_lod(const eval_scene *scene) {
  const mpak_pack *pack = &scene->file.pack;
  uint32_t most = 1;
  for (uint32_t m = 0; m < pack->mesh_count; m++)
    if (pack->meshes[m].lod_count > most) most = pack->meshes[m].lod_count;
  if (cli_lod(scene->arguments) >= most)
    cli_fail(scene->job, MPAK_U024, scene->arguments->lod, job_format(scene->job, "%u", most));
}

static void eval_load_parts(eval_scene *scene) {
  const mpak_pack *pack = &scene->file.pack;
  scene->parts = JOB_ARRAY(scene->job, eval_part, pack->part_count);
  for (uint32_t p = 0; p < pack->part_count; p++) {
    const mpak_part *part = &pack->parts[p];
    if (!eval_shows(scene, p)) continue;
    pack_file_load_part(scene->job, &scene->file, p, &scene->parts[p].data);
    if (part->pack_of_source_chunk != MPAK_NONE)
      scene->parts[p].pack_of_source = pack_file_load_chunk(scene->job, &scene->file, part->pack_of_source_chunk);
    if (part->source_of_pack_chunk != MPAK_NONE)
      scene->parts[p].source_of_pack = pack_file_load_chunk(scene->job, &scene->file, part->source_of_pack_chunk);
  }
}

/// Does the 3x4 matrix turn right hands into left ones?
static bool eval_mirrors(const double m[12]) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
             m[2] * (m[4] * m[9] - m[5] * m[8]) <
         0;
}

static void eval_choose_order(const eval_scene *scene, eval_mesh *mesh) {
  mesh->vertex_count = mesh->part->vertex_count;
  if (scene->arguments->order == 0) return;
  if (mesh->buffers->pack_of_source == NULL || mesh->buffers->source_of_pack == NULL)
    cli_fail(scene->job, MPAK_U015, NULL, NULL);
  mesh->vertex_count = mesh->part->source_vertex_count;
  mesh->pack_of = mesh->buffers->pack_of_source;
  mesh->number_of_pack = mesh->buffers->source_of_pack;
}

static void eval_reference_deform(const eval_scene *scene, uint32_t instance, uint32_t part, eval_mesh *mesh,
                                  double component_from_node[12]) {
  const mpak_ref_vertices out = {mesh->positions, mesh->normals, mesh->tangents};
  mpak_ref_deform(&scene->pose, instance, part, &mesh->buffers->data, scene->arguments->space == 1, &out);
  memcpy(component_from_node, scene->pose.component[mesh->instance->node], sizeof *scene->pose.component);
}

static void eval_fill(const eval_scene *scene, uint32_t instance, uint32_t part, eval_mesh *mesh) {
  const mpak_pack *pack = &scene->file.pack;
  *mesh =
      (eval_mesh){.instance = &pack->instances[instance], .part = &pack->parts[part], .buffers = &scene->parts[part]};
  mesh->node = &pack->nodes[mesh->instance->node];
  mesh->mesh = &pack->meshes[mesh->instance->mesh];
  eval_choose_order(scene, mesh);
  mesh->positions = job_alloc(scene->job, mesh->part->vertex_count, sizeof *mesh->positions);
  mesh->normals = job_alloc(scene->job, mesh->part->vertex_count, sizeof *mesh->normals);
  if ((mesh->part->flags & MPAK_PART_TANGENTS) != 0)
    mesh->tangents = job_alloc(scene->job, mesh->part->vertex_count, sizeof *mesh->tangents);
  double component_from_node[12];
  if (eval_is_runtime(scene))
    eval_cpu_deform(scene, instance, part, mesh, component_from_node);
  else
    eval_reference_deform(scene, instance, part, mesh, component_from_node);
  const bool is_rigid = mesh->instance->skin == MPAK_NONE && scene->arguments->space == 0;
  mesh->is_mirrored = is_rigid && eval_mirrors(component_from_node);
}

eval_mesh *eval_run(eval_scene *scene, uint32_t *count) {
  const mpak_pack *pack = &scene->file.pack;
  eval_check_lod(scene);
  eval_load_parts(scene);
  eval_pose(scene);
  uint64_t most = 0;
  for (uint32_t i = 0; i < pack->instance_count; i++) most += pack->meshes[pack->instances[i].mesh].part_count;
  eval_mesh *meshes = JOB_ARRAY(scene->job, eval_mesh, most);
  *count = 0;
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    for (uint32_t p = mesh->first_part; p < mesh->first_part + mesh->part_count; p++)
      if (eval_shows(scene, p)) eval_fill(scene, i, p, &meshes[(*count)++]);
  }
  return meshes;
}

uint32_t eval_index(const eval_mesh *mesh, uint32_t k) {
  if (mesh->is_mirrored && k % 3 != 0) k = k % 3 == 1 ? k + 1 : k - 1;
  const uint32_t vertex = mpak_index(&mesh->buffers->data, k);
  return mesh->number_of_pack != NULL ? mesh->number_of_pack[vertex] : vertex;
}
