// mesh_box.c: how large a mesh is at rest: what grids, steps and levels of detail are shares of.
#include <float.h>

#include "cooker/build/build.h"

void build_mesh_box(const cook_mesh *mesh, float min[3], float max[3]) {
  for (int axis = 0; axis < 3; axis++) {
    min[axis] = FLT_MAX;
    max[axis] = -FLT_MAX;
  }
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    const cook_primitive *primitive = &mesh->primitives[p];
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
      for (int axis = 0; axis < 3; axis++) {
        const float at = primitive->positions[v][axis];
        if (at < min[axis]) min[axis] = at;
        if (at > max[axis]) max[axis] = at;
      }
    }
  }
}

double build_mesh_size(const cook_mesh *mesh) {
  float min[3], max[3];
  double size = 0;
  build_mesh_box(mesh, min, max);
  for (int axis = 0; axis < 3; axis++) {
    const double side = (double)max[axis] - (double)min[axis];
    if (side > size) size = side;
  }
  return size;
}
