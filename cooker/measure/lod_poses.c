#include "cooker/measure/lod_poses.h"

#include <string.h>

#include "cooker/measure/posed_side.h"
#include "cooker/pack/pack.h"

#define LOD_POSED_VERTICES  8000000u ///< moved, all poses together; more where the controls need them
#define LOD_POSED_INSTANCES 4u       ///< of a mesh

/// Where in the arrays of its mesh an output of the character goes.
typedef struct lod_place {
  uint32_t mesh, level;
  uint32_t rank; ///< of the instance among those of the mesh; MPAK_NONE: too many are before it
  uint32_t first_vertex;
} lod_place;

static void places_make(cook_job *job, const posed_side *side, lod_place *places, uint32_t *instance_counts) {
  const mpak_pack *pack = &side->pack;
  uint32_t *ranks = JOB_ARRAY(job, uint32_t, pack->instance_count);
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    uint32_t *count = &instance_counts[pack->instances[i].mesh];
    ranks[i] = *count < LOD_POSED_INSTANCES ? (*count)++ : MPAK_NONE;
  }
  for (uint32_t o = 0; o < side->character->output_count; o++) {
    const mpak_character_output *output = &side->character->outputs[o];
    const mpak_part *part = &pack->parts[output->part];
    places[o] = (lod_place){part->mesh, part->lod, ranks[output->instance], 0};
    for (uint32_t p = pack->meshes[part->mesh].first_part; p < output->part; p++)
      if (pack->parts[p].lod == part->lod) places[o].first_vertex += pack->parts[p].vertex_count;
  }
}

static void lod_poses_allot(cook_job *job, const mpak_pack *pack, uint32_t mesh, uint32_t pose_count,
                            lod_poses *result) {
  const mpak_mesh *record = &pack->meshes[mesh];
  result->pose_count = pose_count;
  result->vertex_counts = JOB_ARRAY(job, uint32_t, record->lod_count);
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
  result->positions = job_alloc(job, record->lod_count, sizeof *result->positions);
  for (uint32_t p = record->first_part; p < record->first_part + record->part_count; p++)
    result->vertex_counts[pack->parts[p].lod] += pack->parts[p].vertex_count;
  for (uint32_t k = 0; k < record->lod_count; k++)
    result->positions[k] =
        job_alloc(job, (uint64_t)pose_count * result->vertex_counts[k], sizeof *result->positions[k]);
}

static void lod_poses_take(const posed_side *side, const lod_place *places, const uint32_t *instance_counts,
                           uint32_t pose, uint32_t level, lod_poses *results) {
  for (uint32_t o = 0; o < side->character->output_count; o++) {
    const mpak_character_output *output = &side->character->outputs[o];
    const lod_place *place = &places[o];
    if (place->level != level || place->rank == MPAK_NONE) continue;
    lod_poses *result = &results[place->mesh];
    const uint64_t row = (uint64_t)pose * instance_counts[place->mesh] + place->rank;
    float(*to)[3] = result->positions[level] + row * result->vertex_counts[level] + place->first_vertex;
    for (uint32_t v = 0; v < side->pack.parts[output->part].vertex_count; v++)
      memcpy(to[v], output->vertices[v].position, sizeof *to);
  }
}

static posed_poses lod_poses_choose(cook_job *job, const posed_side *side) {
  const uint64_t vertex_count = posed_side_vertex_count(side);
  const uint64_t for_controls = 3 * ((uint64_t)side->pack.control_count + 1) * vertex_count;
  return posed_choose(job, &side->pack, vertex_count,
                      for_controls > LOD_POSED_VERTICES ? for_controls : LOD_POSED_VERTICES);
}

lod_poses *measure_lod_poses(cook_job *job, cook_scene *scene, const cook_options *options) {
  const cook_options lossless = {.thread_count = options->thread_count, .compress = COOK_COMPRESS_LOAD};
  cook_product product = {0};
  posed_side side;
  pack_scene(job, scene, &lossless, &product);
  posed_side_open(job, &product, &side);
  const posed_poses poses = lod_poses_choose(job, &side);
  lod_place *places = JOB_ARRAY(job, lod_place, side.character->output_count);
  uint32_t *instance_counts = JOB_ARRAY(job, uint32_t, scene->mesh_count), level_count = 0;
  places_make(job, &side, places, instance_counts);
  lod_poses *results = JOB_ARRAY(job, lod_poses, scene->mesh_count);
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    lod_poses_allot(job, &side.pack, m, poses.count * instance_counts[m], &results[m]);
    if (side.pack.meshes[m].lod_count > level_count) level_count = side.pack.meshes[m].lod_count;
  }
  for (uint32_t p = 0; p < poses.count; p++)
    for (uint32_t k = 0; k < level_count; k++) {
      posed_side_pose(&side, &poses.poses[p], k);
      lod_poses_take(&side, places, instance_counts, p, k, results);
    }
  return results;
}
