#include <math.h>

#include "cooker/import/assimp_maker.h"

assimp_mesh_space assimp_space_of(const assimp_maker *maker, const assimp_group *group) {
  return (assimp_mesh_space){maker, group->geometric, affine_for_normals(group->geometric),
                             affine_is_identity(&group->geometric)};
}

static void from_ai(const struct aiVector3D *vector, double to[3]) {
  to[0] = (double)vector->x;
  to[1] = (double)vector->y;
  to[2] = (double)vector->z;
}

static void move_point(const assimp_mesh_space *space, const struct aiVector3D *from, float to[3]) {
  double point[3], moved[3];
  from_ai(from, point);
  affine_point(&space->geometric, point, moved);
  assimp_convert_point(space->maker, moved, to);
}

void assimp_move_direction(const assimp_mesh_space *space, const affine *matrix, const struct aiVector3D *from,
                           double to[3]) {
  double direction[3], turned[3];
  from_ai(from, direction);
  if (space->is_plain) {
    assimp_convert_direction(space->maker, direction, to);
    return;
  }
  affine_vector(matrix, direction, turned);
  assimp_convert_direction(space->maker, turned, to);
  const double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
  for (int i = 0; i < 3 && length > 0.0; i++) to[i] /= length;
}

// -- Streams ----------------------------------------------------------------------------------------------------------

static void make_positions(const assimp_mesh_space *space, const struct aiMesh *source, cook_primitive *primitive) {
  primitive->positions = job_alloc(space->maker->job, primitive->vertex_count, sizeof *primitive->positions);
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    move_point(space, &source->mVertices[v], primitive->positions[v]);
}

static void make_normals(const assimp_mesh_space *space, const struct aiMesh *source, cook_primitive *primitive) {
  if (source->mNormals == NULL) return;
  primitive->normals = job_alloc(space->maker->job, primitive->vertex_count, sizeof *primitive->normals);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    double normal[3];
    assimp_move_direction(space, &space->normals, &source->mNormals[v], normal);
    for (int i = 0; i < 3; i++) primitive->normals[v][i] = (float)normal[i];
  }
}

/// The sign of a tangent: whether the bitangent is normal x tangent or its opposite.
static float tangent_sign(const struct aiVector3D *normal, const struct aiVector3D *tangent,
                          const struct aiVector3D *bitangent) {
  double n[3], t[3], b[3];
  from_ai(normal, n);
  from_ai(tangent, t);
  from_ai(bitangent, b);
  const double along =
      (n[1] * t[2] - n[2] * t[1]) * b[0] + (n[2] * t[0] - n[0] * t[2]) * b[1] + (n[0] * t[1] - n[1] * t[0]) * b[2];
  return along < 0.0 ? -1.0f : 1.0f;
}

static void make_tangents(const assimp_mesh_space *space, const struct aiMesh *source, cook_primitive *primitive) {
  if (source->mNormals == NULL || source->mTangents == NULL || source->mBitangents == NULL) return;
  const float mirrored = affine_determinant(&space->geometric) < 0.0 ? -1.0f : 1.0f;
  primitive->tangents = job_alloc(space->maker->job, primitive->vertex_count, sizeof *primitive->tangents);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    double tangent[3];
    assimp_move_direction(space, &space->geometric, &source->mTangents[v], tangent);
    for (int i = 0; i < 3; i++) primitive->tangents[v][i] = (float)tangent[i];
    primitive->tangents[v][3] =
        mirrored * tangent_sign(&source->mNormals[v], &source->mTangents[v], &source->mBitangents[v]);
  }
}

/// Assimp's V points up, ours down.
static void make_texcoords(const assimp_maker *maker, const struct aiMesh *source, cook_primitive *primitive) {
  for (int set = 0; set < 4; set++) {
    const struct aiVector3D *from = source->mTextureCoords[set];
    if (from == NULL) continue;
    primitive->texcoords[set] = job_alloc(maker->job, primitive->vertex_count, sizeof *primitive->texcoords[set]);
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
      primitive->texcoords[set][v][0] = from[v].x;
      primitive->texcoords[set][v][1] = 1.0f - from[v].y;
    }
  }
}

static void make_colours(const assimp_maker *maker, const struct aiMesh *source, cook_primitive *primitive) {
  if (source->mColors[0] == NULL) return;
  float(*colours)[4] = job_alloc(maker->job, primitive->vertex_count, sizeof *colours);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const struct aiColor4D *from = &source->mColors[0][v];
    const float values[4] = {from->r, from->g, from->b, from->a};
    for (int i = 0; i < 4; i++) colours[v][i] = values[i];
  }
  primitive->colours = (uint8_t *)colours;
  primitive->colour_format = MPAK_FORMAT_F32X4;
}

// -- Triangles --------------------------------------------------------------------------------------------------------

static bool is_triangle(const struct aiFace *face) { return face->mNumIndices == 3 && face->mIndices != NULL; }

static void report_other_faces(const assimp_maker *maker, const struct aiMesh *source, const cook_primitive *primitive,
                               uint64_t count) {
  if (count == 0) return;
  cook_where where = COOK_WHERE;
  where.mesh = assimp_mesh_name(maker, source);
  where.primitive = primitive->source_primitive;
  assimp_issue(maker, MPAK_I018, where, job_format(maker->job, "%llu", (unsigned long long)count));
}

static void check_index(const assimp_maker *maker, const struct aiMesh *source, const cook_primitive *primitive,
                        unsigned face, unsigned index) {
  if (index < primitive->vertex_count) return;
  cook_where where = COOK_WHERE;
  where.mesh = assimp_mesh_name(maker, source);
  where.primitive = primitive->source_primitive;
  where.element = "triangle";
  where.index = face;
  where.value = job_format(maker->job, "%u", index);
  where.limit = job_format(maker->job, "%u", primitive->vertex_count);
  job_fail(maker->job, MPAK_I019, where);
}

/// Triangles of a mirrored mesh are turned round, so that they still face outwards.
static void make_indices(const assimp_mesh_space *space, const struct aiMesh *source, cook_primitive *primitive) {
  const assimp_maker *maker = space->maker;
  const bool is_mirrored = affine_determinant(&space->geometric) < 0.0;
  const unsigned face_count = source->mFaces == NULL ? 0 : source->mNumFaces;
  uint64_t index_count = 0;
  for (unsigned f = 0; f < face_count; f++)
    if (is_triangle(&source->mFaces[f])) index_count += 3;
  assimp_check_limit(maker, "indices of a mesh", index_count, UINT32_MAX);
  primitive->indices = JOB_ARRAY(maker->job, uint32_t, index_count);
  for (unsigned f = 0; f < face_count; f++) {
    if (!is_triangle(&source->mFaces[f])) continue;
    for (int corner = 0; corner < 3; corner++) {
      const unsigned index = source->mFaces[f].mIndices[is_mirrored && corner != 0 ? 3 - corner : corner];
      check_index(maker, source, primitive, f, index);
      primitive->indices[primitive->index_count++] = index;
    }
  }
  report_other_faces(maker, source, primitive, face_count - index_count / 3);
}

void assimp_make_primitive(const assimp_maker *maker, const assimp_group *group, const struct aiMesh *source,
                           cook_primitive *primitive) {
  const assimp_mesh_space space = assimp_space_of(maker, group);
  primitive->material =
      source->mMaterialIndex < maker->source->mNumMaterials ? maker->materials[source->mMaterialIndex] : MPAK_NONE;
  primitive->vertex_count = source->mVertices == NULL ? 0 : source->mNumVertices;
  make_positions(&space, source, primitive);
  make_normals(&space, source, primitive);
  make_tangents(&space, source, primitive);
  make_texcoords(maker, source, primitive);
  make_colours(maker, source, primitive);
  make_indices(&space, source, primitive);
  primitive->source_vertex_count = primitive->vertex_count;
  primitive->source_index_count = primitive->index_count;
}
