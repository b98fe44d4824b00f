#include <math.h>

#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

static cook_primitive *spoil_first(cook_scene *scene) { return &scene->meshes[0].primitives[0]; }

static void spoil_no_vertices(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[1].vertex_count = 0;
  scene->meshes[0].primitives[1].index_count = 0;
}

static void spoil_no_triangles(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[1].index_count = 0;
}

static void spoil_indices_not_triangles(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->index_count -= 2;
}

static void spoil_position_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->positions[4][2] = NAN;
  spoil_first(scene)->positions[8][0] = INFINITY;
}

static void spoil_normal_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->normals[3][0] = INFINITY;
}

static void spoil_tangent_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->tangents[3][3] = NAN;
}

static void spoil_texcoord_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->texcoords[0][8][1] = NAN;
}

static void spoil_colour_nan(cook_job *job, cook_scene *scene) {
  cook_primitive *primitive = spoil_first(scene);
  float *colours = JOB_ARRAY(job, float, 3 * primitive->vertex_count);
  colours[3 * 5 + 1] = NAN;
  primitive->colours = (uint8_t *)colours;
  primitive->colour_format = MPAK_FORMAT_F32X3;
}

static void spoil_position_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->positions[0][1] = 1e30f;
}

static void spoil_normal_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  for (int v = 2; v < 5; v++)
    for (int c = 0; c < 3; c++) spoil_first(scene)->normals[v][c] = 0;
}

static void spoil_normal_not_unit(cook_job *job, cook_scene *scene) {
  (void)job;
  for (int c = 0; c < 3; c++) spoil_first(scene)->normals[0][c] *= 1.5f; // vertex 0 has 0, 0, 1
}

static void spoil_tangent_sign(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->tangents[7][3] = 0.5f;
}

static void spoil_tangent_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  for (int c = 0; c < 3; c++) spoil_first(scene)->tangents[6][c] = 0;
}

static void spoil_tangent_not_unit(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->tangents[0][0] = 0.5f; // vertex 0 has 1, 0, 0
}

static void spoil_material_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->materials[1].base_colour[2] = NAN;
}

static void spoil_direction_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_first(scene)->normals[5][1] = -1e20f;
}

static void spoil_vertex_count(cook_job *job, cook_scene *scene) {
  (void)job;
  (void)scene; // the limit is below what the sound scene has
}

static const mt_spoil_case mesh_cases[] = {
    MT_SPOIL("MPAK-M001", spoil_no_vertices, MPAK_ERROR, 1, "the primitive has no vertices", .node = "Root/Body",
             .mesh = "Body", .primitive = 1, .stream = "POSITION"),
    MT_SPOIL("MPAK-M002", spoil_no_triangles, MPAK_ERROR, 1, "the primitive has vertices, but no triangle",
             .node = "Root/Body", .mesh = "Body", .primitive = 1, .stream = "indices"),
    MT_SPOIL("MPAK-M003", spoil_indices_not_triangles, MPAK_ERROR, 1,
             "the primitive has 22 indices, which is not a multiple of 3", .node = "Root/Body", .mesh = "Body",
             .primitive = 0, .stream = "indices"),
    MT_SPOIL("MPAK-M004", spoil_position_nan, MPAK_ERROR, 1, "position of vertex 4 and 1 more is not finite: NaN",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "POSITION", .element = "vertex", .index = 4,
             .more = 1),
    MT_SPOIL("MPAK-M005", spoil_normal_nan, MPAK_ERROR, 1, "normal of vertex 3 is not finite: infinity",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "NORMAL", .element = "vertex", .index = 3),
    MT_SPOIL("MPAK-M006", spoil_tangent_nan, MPAK_ERROR, 1, "tangent of vertex 3 is not finite: NaN",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "TANGENT", .element = "vertex", .index = 3),
    MT_SPOIL("MPAK-M007", spoil_texcoord_nan, MPAK_ERROR, 1, "texture coordinate of vertex 8 is not finite: NaN",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "TEXCOORD_0", .element = "vertex",
             .index = 8),
    MT_SPOIL("MPAK-M008", spoil_colour_nan, MPAK_ERROR, 1, "colour of vertex 5 is not finite: NaN", .node = "Root/Body",
             .mesh = "Body", .primitive = 0, .stream = "COLOR_0", .element = "vertex", .index = 5),
    MT_SPOIL("MPAK-M009", spoil_position_huge, MPAK_ERROR, 1, "position of vertex 0 is absurdly far away: 1e+30 metres",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "POSITION", .element = "vertex",
             .index = 0),
    MT_SPOIL("MPAK-M016", spoil_normal_zero, MPAK_WARNING, 0,
             "normal of vertex 2 and 2 more has length zero; it is made from the triangles around", .node = "Root/Body",
             .mesh = "Body", .primitive = 0, .stream = "NORMAL", .element = "vertex", .index = 2, .more = 2),
    MT_SPOIL("MPAK-M017", spoil_normal_not_unit, MPAK_WARNING, 0,
             "normal of vertex 0 has length 1.5, not 1; it is kept, and made unit length whenever it is used",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "NORMAL", .element = "vertex", .index = 0),
    MT_SPOIL("MPAK-M018", spoil_tangent_sign, MPAK_WARNING, 0,
             "tangent of vertex 7 has the handedness 0.5, not 1 or -1; its sign is taken, and 0 counts as 1",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "TANGENT", .element = "vertex", .index = 7),
    MT_SPOIL("MPAK-M019", spoil_tangent_zero, MPAK_WARNING, 0, "tangent of vertex 6 has length zero",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "TANGENT", .element = "vertex", .index = 6),
    MT_SPOIL("MPAK-M020", spoil_tangent_not_unit, MPAK_WARNING, 0,
             "tangent of vertex 0 has length 0.5, not 1; it is kept, and made unit length whenever it is used",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "TANGENT", .element = "vertex", .index = 0),
    {.code = "MPAK-M024",
     .name = "spoil_vertex_count",
     .spoil = spoil_vertex_count,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "the file has 27 vertices, 26 at most are allowed",
     .where = {.primitive = MPAK_NONE},
     .limits = {.vertices = 26}},
    MT_SPOIL("MPAK-M026", spoil_material_nan, MPAK_ERROR, 1, "a number of the material is not finite: NaN",
             .primitive = MPAK_NONE, .material = "Felt", .stream = "base colour", .element = "component", .index = 2),
    MT_SPOIL("MPAK-M027", spoil_direction_huge, MPAK_ERROR, 1, "direction of vertex 5 is absurdly long: -1e+20",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .stream = "NORMAL", .element = "vertex", .index = 5),
};

mt_spoil_list mt_spoil_mesh(void) { return (mt_spoil_list){mesh_cases, sizeof mesh_cases / sizeof mesh_cases[0]}; }
