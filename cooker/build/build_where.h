/// build_where.h: where in the scene an issue of a build stage is.
#ifndef COOK_BUILD_WHERE_H
#define COOK_BUILD_WHERE_H

#include "cooker/build/build.h"

/// A primitive of a mesh.
static inline cook_where build_where_primitive(const cook_mesh *mesh, const cook_primitive *primitive) {
  cook_where where = COOK_WHERE;
  where.mesh = mesh->name;
  where.primitive = primitive->source_primitive;
  return where;
}

/// Elements of a primitive: vertices or triangles. first: the number of the first one; count: all of them.
static inline cook_where build_where_elements(const cook_mesh *mesh, const cook_primitive *primitive,
                                              const char *element, uint32_t first, uint32_t count) {
  cook_where where = build_where_primitive(mesh, primitive);
  where.element = element;
  where.index = first;
  where.more = count - 1;
  return where;
}

#endif
