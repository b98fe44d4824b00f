#include <math.h>

#include "cooker/import/assimp_fbx_motion.h"

#define ERROR_SHARE 3e-6   ///< of the model's size: how far one joint may be off; a chain adds up to 1e-5
#define TURN_MAX    1.5e-5 ///< radians
#define REACH_LEAST 0.2    ///< of the size: what a joint moves at least

// -- How large things are ---------------------------------------------------------------------------------------------

/// A box; empty while low is above high.
typedef struct rig_box {
  double low[3], high[3];
} rig_box;

static void box_add(rig_box *box, const double point[3]) {
  for (int i = 0; i < 3; i++) {
    if (!(point[i] >= box->low[i])) box->low[i] = point[i];
    if (!(point[i] <= box->high[i])) box->high[i] = point[i];
  }
}

static rig_box empty_box(void) {
  const double huge = 1e300;
  return (rig_box){{huge, huge, huge}, {-huge, -huge, -huge}};
}

/// Puts the corners of a mesh's box through the node's world transform into the box of the node.
static void add_mesh(const cook_mesh *mesh, const affine *world, rig_box *box) {
  rig_box own = empty_box();
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    const cook_primitive *primitive = &mesh->primitives[p];
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
      const double point[3] = {(double)primitive->positions[v][0], (double)primitive->positions[v][1],
                               (double)primitive->positions[v][2]};
      box_add(&own, point);
    }
  }
  for (int corner = 0; corner < 8 && own.low[0] <= own.high[0]; corner++) {
    const double point[3] = {(corner & 1) != 0 ? own.high[0] : own.low[0], (corner & 2) != 0 ? own.high[1] : own.low[1],
                             (corner & 4) != 0 ? own.high[2] : own.low[2]};
    double moved[3];
    affine_point(world, point, moved);
    box_add(box, moved);
  }
}

static double box_diagonal(const rig_box *box) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) sum += (box->high[i] - box->low[i]) * (box->high[i] - box->low[i]);
  return isfinite(sum) && box->low[0] <= box->high[0] ? sqrt(sum) : 0.0;
}

/// The farthest corner of a box from a place.
static double box_reach(const rig_box *box, const affine *world) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    const double low = fabs(box->low[i] - world->m[i][3]), high = fabs(box->high[i] - world->m[i][3]);
    sum += low > high ? low * low : high * high;
  }
  return sqrt(sum);
}

static double largest_column(const affine *a) {
  double largest = 0.0;
  for (int column = 0; column < 3; column++) {
    double sum = 0.0;
    for (int row = 0; row < 3; row++) sum += a->m[row][column] * a->m[row][column];
    if (sum > largest) largest = sum;
  }
  return sqrt(largest);
}

/// World transforms, and for each node the box of all that hangs on it. Parents come before children.
static affine *measure_nodes(const assimp_maker *maker, rig_box *boxes, rig_box *whole) {
  const cook_scene *scene = maker->scene;
  affine *worlds = JOB_ARRAY(maker->job, affine, scene->node_count);
  *whole = empty_box();
  for (uint32_t i = 0; i < scene->node_count; i++) {
    const cook_node *node = &scene->nodes[i];
    worlds[i] = assimp_rest(node);
    if (node->parent != MPAK_NONE) worlds[i] = affine_multiply(worlds[node->parent], worlds[i]);
    boxes[i] = empty_box();
    const double origin[3] = {worlds[i].m[0][3], worlds[i].m[1][3], worlds[i].m[2][3]};
    box_add(&boxes[i], origin);
    if (node->mesh != MPAK_NONE) add_mesh(&scene->meshes[node->mesh], &worlds[i], &boxes[i]);
  }
  for (uint32_t i = scene->node_count; i-- > 0;) {
    box_add(whole, boxes[i].low);
    box_add(whole, boxes[i].high);
    if (scene->nodes[i].parent == MPAK_NONE) continue;
    box_add(&boxes[scene->nodes[i].parent], boxes[i].low);
    box_add(&boxes[scene->nodes[i].parent], boxes[i].high);
  }
  return worlds;
}

// -- Bounds -----------------------------------------------------------------------------------------------------------

void assimp_fbx_set_bounds(const assimp_maker *maker, assimp_fbx_bounds *bounds) {
  const uint32_t node_count = maker->scene->node_count;
  bounds->moves = JOB_ARRAY(maker->job, double, node_count);
  bounds->turns = JOB_ARRAY(maker->job, double, node_count);
  rig_box *boxes = JOB_ARRAY(maker->job, rig_box, node_count), whole;
  const affine *worlds = measure_nodes(maker, boxes, &whole);
  const double size = box_diagonal(&whole) > 0.0 ? box_diagonal(&whole) : 1.0;
  for (uint32_t i = 0; i < node_count; i++) {
    const uint32_t parent = maker->scene->nodes[i].parent;
    const double scale = parent == MPAK_NONE ? 1.0 : largest_column(&worlds[parent]);
    bounds->moves[i] = ERROR_SHARE * size / (scale > 0.0 ? scale : 1.0);
    const double reach = box_reach(&boxes[i], &worlds[i]) / size;
    bounds->turns[i] = ERROR_SHARE / (reach > REACH_LEAST ? reach : REACH_LEAST);
    if (!(bounds->turns[i] <= TURN_MAX)) bounds->turns[i] = TURN_MAX;
  }
}
