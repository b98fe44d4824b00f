// eval_models.c: results as PLY and Wavefront OBJ, for a look in any viewer.
#include "cooker/cli/eval.h"
#include "cooker/report/number.h"

static void models_put_numbers(text_out *text, const char *before, const double *values, uint32_t count) {
  text_put(text, before);
  for (uint32_t i = 0; i < count; i++) {
    char number[NUMBER_BYTES];
    number_format(number, values != NULL ? values[i] : 0, 9);
    if (i != 0) text_put_char(text, ' ');
    text_put(text, number);
  }
}

/// These formats have no word for "no vertex": an unused source vertex stands at the origin, and is said to.
static void models_warn_unused(const eval_scene *scene, const eval_mesh *meshes, uint32_t count) {
  uint64_t unused = 0;
  for (uint32_t m = 0; m < count; m++)
    for (uint32_t i = 0; i < meshes[m].vertex_count; i++) unused += eval_pack_vertex(&meshes[m], i) == MPAK_NONE;
  if (unused == 0) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(scene->job, "%llu", (unsigned long long)unused);
  job_issue(scene->job, MPAK_O012, where);
}

static const double *models_row(const eval_mesh *mesh, double (*rows)[3], uint32_t i) {
  const uint32_t vertex = eval_pack_vertex(mesh, i);
  return vertex != MPAK_NONE ? rows[vertex] : NULL;
}

// -- PLY -------------------------------------------------------------------------------------------------------------

static void ply_put_header(text_out *text, const eval_mesh *meshes, uint32_t count) {
  uint64_t vertices = 0, triangles = 0;
  for (uint32_t m = 0; m < count; m++) {
    vertices += meshes[m].vertex_count;
    triangles += meshes[m].part->index_count / 3;
  }
  text_put(text, "ply\nformat ascii 1.0\n");
  text_printf(text, "element vertex %llu\n", (unsigned long long)vertices);
  text_put(text, "property float x\nproperty float y\nproperty float z\n");
  text_put(text, "property float nx\nproperty float ny\nproperty float nz\n");
  text_printf(text, "element face %llu\n", (unsigned long long)triangles);
  text_put(text, "property list uchar int vertex_indices\nend_header\n");
}

void eval_put_ply(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count) {
  models_warn_unused(scene, meshes, count);
  ply_put_header(text, meshes, count);
  for (uint32_t m = 0; m < count; m++) {
    for (uint32_t i = 0; i < meshes[m].vertex_count; i++) {
      models_put_numbers(text, "", models_row(&meshes[m], meshes[m].positions, i), 3);
      models_put_numbers(text, " ", models_row(&meshes[m], meshes[m].normals, i), 3);
      text_put_char(text, '\n');
    }
  }
  uint64_t first = 0;
  for (uint32_t m = 0; m < count; m++) {
    for (uint32_t k = 0; k < meshes[m].part->index_count; k++) {
      const unsigned long long number = first + eval_index(&meshes[m], k);
      text_printf(text, "%s%llu%s", k % 3 == 0 ? "3 " : " ", number, k % 3 == 2 ? "\n" : "");
    }
    first += meshes[m].vertex_count;
  }
}

// -- OBJ -------------------------------------------------------------------------------------------------------------

static void obj_put_name(text_out *text, const eval_scene *scene, const eval_mesh *mesh) {
  const mpak_pack *pack = &scene->file.pack;
  text_put(text, "o ");
  text_put_escaped(text, mpak_string(pack, mesh->node->key), false);
  text_printf(text, ".%u\n", mesh->part->source_primitive);
}

void eval_put_obj(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count) {
  models_warn_unused(scene, meshes, count);
  text_put(text, "# mpak eval: metres, +Y up\n");
  uint64_t first = 1;
  for (uint32_t m = 0; m < count; m++) {
    const eval_mesh *mesh = &meshes[m];
    obj_put_name(text, scene, mesh);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
      models_put_numbers(text, "v ", models_row(mesh, mesh->positions, i), 3);
      text_put_char(text, '\n');
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
      models_put_numbers(text, "vn ", models_row(mesh, mesh->normals, i), 3);
      text_put_char(text, '\n');
    }
    for (uint32_t k = 0; k < mesh->part->index_count; k++) {
      const unsigned long long number = first + eval_index(mesh, k);
      text_printf(text, "%s%llu//%llu%s", k % 3 == 0 ? "f " : " ", number, number, k % 3 == 2 ? "\n" : "");
    }
    first += mesh->vertex_count;
  }
}
