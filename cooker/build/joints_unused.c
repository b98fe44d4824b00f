// joints_unused.c: --drop-unused: a skin without the joints that move no vertex. Their nodes stay: they may be sockets,
// or above joints that do. Palettes get smaller, sections do not change.
#include <inttypes.h>

#include "cooker/build/build_where.h"
#include "cooker/build/clip_merge.h"
#include "cooker/build/nodes_prune.h"

/// The meshes that a skin moves, and what they use of it.
typedef struct joints_use {
  cook_job *job;
  cook_scene *scene;
  uint32_t skin;
  bool *is_used;        ///< by joint
  uint32_t *new_of_old; ///< by joint
} joints_use;

static bool joints_draws(const joints_use *use, uint32_t mesh) {
  for (uint32_t n = 0; n < use->scene->node_count; n++)
    if (use->scene->nodes[n].mesh == mesh && use->scene->nodes[n].skin == use->skin) return true;
  return false;
}

/// A mesh that other nodes draw with another skin has its joint numbers from both.
static bool joints_are_shared(const joints_use *use, uint32_t mesh) {
  for (uint32_t n = 0; n < use->scene->node_count; n++)
    if (use->scene->nodes[n].mesh == mesh && use->scene->nodes[n].skin != use->skin) return true;
  return false;
}

static void joints_mark(joints_use *use, const cook_primitive *primitive) {
  const uint64_t count = (uint64_t)primitive->vertex_count * primitive->influence_count;
  for (uint64_t i = 0; primitive->joints != NULL && i < count; i++)
    if (primitive->weights[i] != 0) use->is_used[primitive->joints[i]] = true;
}

static void joints_renumber(const joints_use *use, cook_primitive *primitive) {
  const uint64_t count = (uint64_t)primitive->vertex_count * primitive->influence_count;
  for (uint64_t i = 0; primitive->joints != NULL && i < count; i++)
    primitive->joints[i] = primitive->weights[i] != 0 ? (uint16_t)use->new_of_old[primitive->joints[i]] : 0;
}

static void joints_report(const joints_use *use, const cook_skin *skin) {
  cook_where where = COOK_WHERE;
  clip_names names = {.job = use->job};
  for (uint32_t j = 0; j < skin->joint_count; j++)
    if (!use->is_used[j]) clip_names_add(&names, use->scene->nodes[skin->joints[j]].name, "node", skin->joints[j]);
  where.skin = skin->name;
  where.value = job_format(use->job, "%" PRIu64 " of %" PRIu32, names.count, skin->joint_count);
  where.limit = clip_names_text(&names);
  job_issue(use->job, MPAK_C060, where);
}

static void joints_drop(joints_use *use, cook_skin *skin) {
  const uint32_t kept_count = nodes_number_kept(use->is_used, skin->joint_count, use->new_of_old);
  if (kept_count == skin->joint_count || kept_count == 0) return;
  joints_report(use, skin);
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    if (!use->is_used[j]) continue;
    skin->joints[use->new_of_old[j]] = skin->joints[j];
    for (int i = 0; i < 12; i++) skin->inverse_binds[use->new_of_old[j]][i] = skin->inverse_binds[j][i];
  }
  skin->joint_count = kept_count;
  for (uint32_t m = 0; m < use->scene->mesh_count; m++)
    for (uint32_t p = 0; p < use->scene->meshes[m].primitive_count && joints_draws(use, m); p++)
      joints_renumber(use, &use->scene->meshes[m].primitives[p]);
}

void build_unused_joints(cook_job *job, cook_scene *scene, const cook_options *options) {
  for (uint32_t s = 0; s < scene->skin_count && options->drop_unused; s++) {
    cook_skin *skin = &scene->skins[s];
    joints_use use = {job, scene, s, JOB_ARRAY(job, bool, skin->joint_count),
                      JOB_ARRAY(job, uint32_t, skin->joint_count)};
    bool is_shared = false;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
      if (!joints_draws(&use, m)) continue;
      is_shared = is_shared || joints_are_shared(&use, m);
      for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++)
        joints_mark(&use, &scene->meshes[m].primitives[p]);
    }
    if (!is_shared) joints_drop(&use, skin);
  }
}
