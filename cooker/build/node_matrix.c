#include "cooker/build/node_matrix.h"

node_matrix *node_matrix_worlds(cook_job *job, const cook_scene *scene) {
  node_matrix *worlds = JOB_ARRAY(job, node_matrix, scene->node_count);
  bool *is_known = JOB_ARRAY(job, bool, scene->node_count);
  uint32_t *chain = JOB_ARRAY(job, uint32_t, scene->node_count);
  for (uint32_t n = 0; n < scene->node_count; n++) {
    uint32_t length = 0;
    for (uint32_t at = n; at != MPAK_NONE && !is_known[at]; at = scene->nodes[at].parent) chain[length++] = at;
    while (length > 0) {
      const uint32_t at = chain[--length], parent = scene->nodes[at].parent;
      const node_matrix local = node_matrix_local(&scene->nodes[at]);
      worlds[at] = parent == MPAK_NONE ? local : node_matrix_multiply(&worlds[parent], &local);
      is_known[at] = true;
    }
  }
  return worlds;
}
