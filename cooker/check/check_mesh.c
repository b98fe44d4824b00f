#include <math.h>

#include "cooker/check/check_internal.h"

static check_place check_place_of_primitive(uint32_t m, uint32_t p, const char *stream) {
  check_place place = CHECK_NOWHERE;
  place.mesh = m;
  place.primitive = p;
  place.stream = stream;
  return place;
}

// -- Counts -----------------------------------------------------------------------------------------------------------

static void check_vertex_total(const check_context *context) {
  uint64_t total = 0;
  for (uint32_t m = 0; m < context->scene->mesh_count; m++)
    for (uint32_t p = 0; p < context->scene->meshes[m].primitive_count; p++)
      total += context->scene->meshes[m].primitives[p].vertex_count;
  const uint64_t limit = job_limits(context->job)->vertices;
  if (total <= limit) return;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_M024, &CHECK_NOWHERE, check_count_text(context->job, total),
                      check_count_text(context->job, limit));
  job_release(context->job, mark);
}

static void check_has_vertices(const check_context *context, uint32_t m, uint32_t p) {
  if (context->scene->meshes[m].primitives[p].vertex_count != 0) return;
  const check_place place = check_place_of_primitive(m, p, "POSITION");
  check_report_object(context, MPAK_M001, &place, "0", "at least 3");
}

/// A primitive without vertices has no triangles either; one word about it is enough.
static void check_has_triangles(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  if (primitive->index_count != 0 || primitive->vertex_count == 0) return;
  const check_place place = check_place_of_primitive(m, p, "indices");
  check_report_object(context, MPAK_M002, &place, "0", "at least 3");
}

static void check_triangles_are_whole(const check_context *context, uint32_t m, uint32_t p) {
  const uint32_t index_count = context->scene->meshes[m].primitives[p].index_count;
  if (index_count % 3 == 0) return;
  const check_place place = check_place_of_primitive(m, p, "indices");
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_M003, &place, check_count_text(context->job, index_count), "a multiple of 3");
  job_release(context->job, mark);
}

// -- Streams ----------------------------------------------------------------------------------------------------------

static void check_positions(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  const check_place place = check_place_of_primitive(m, p, "POSITION");
  const float *values = &primitive->positions[0][0];
  if (check_all_finite(context, MPAK_M004, &place, "vertex", values, primitive->vertex_count, 3))
    check_none_beyond(context, MPAK_M009, &place, "vertex", values, primitive->vertex_count, 3, CHECK_LARGEST_VALUE);
}

/// Directions that are zero, and those whose length is off 1. xyz are the first of width floats.
static void check_directions(const check_context *context, const check_place *place, const float *values,
                             uint32_t vertex_count, uint32_t width, mpak_issue_id zero_id, mpak_issue_id length_id) {
  if (!check_none_beyond(context, MPAK_M027, place, "vertex", values, vertex_count, width, CHECK_LARGEST_VALUE)) return;
  check_tally zero = {.element = "vertex", .limit = "1"};
  check_tally off = {.element = "vertex", .limit = "1"};
  for (uint32_t v = 0; v < vertex_count; v++) {
    const double length = check_length(values + (uint64_t)v * width, 3);
    if (length == 0)
      check_tally_add(&zero, v, length); // shorter than 1 is still a direction
    else if (fabs(length - 1) > CHECK_UNIT_TOLERANCE)
      check_tally_add(&off, v, length);
  }
  check_report(context, zero_id, place, &zero);
  check_report(context, length_id, place, &off);
}

static void check_normals(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  if (primitive->normals == NULL) return;
  const check_place place = check_place_of_primitive(m, p, "NORMAL");
  const float *values = &primitive->normals[0][0];
  if (check_all_finite(context, MPAK_M005, &place, "vertex", values, primitive->vertex_count, 3))
    check_directions(context, &place, values, primitive->vertex_count, 3, MPAK_M016, MPAK_M017);
}

static void check_tangent_signs(const check_context *context, const check_place *place,
                                const cook_primitive *primitive) {
  check_tally tally = {.element = "vertex", .limit = "1 or -1"};
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const float sign = primitive->tangents[v][3];
    if (sign != 1 && sign != -1) check_tally_add(&tally, v, sign);
  }
  check_report(context, MPAK_M018, place, &tally);
}

static void check_tangents(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  if (primitive->tangents == NULL) return;
  const check_place place = check_place_of_primitive(m, p, "TANGENT");
  const float *values = &primitive->tangents[0][0];
  if (!check_all_finite(context, MPAK_M006, &place, "vertex", values, primitive->vertex_count, 4)) return;
  check_directions(context, &place, values, primitive->vertex_count, 4, MPAK_M019, MPAK_M020);
  check_tangent_signs(context, &place, primitive);
}

static void check_texcoords(const check_context *context, uint32_t m, uint32_t p) {
  static const char *const streams[4] = {"TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2", "TEXCOORD_3"};
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  for (uint32_t set = 0; set < 4; set++) {
    if (primitive->texcoords[set] == NULL) continue;
    const check_place place = check_place_of_primitive(m, p, streams[set]);
    if (!check_all_finite(context, MPAK_M007, &place, "vertex", &primitive->texcoords[set][0][0],
                          primitive->vertex_count, 2))
      return; // one issue for the primitive
  }
}

static void check_colours(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  const bool is_float = primitive->colour_format == MPAK_FORMAT_F32X3 || primitive->colour_format == MPAK_FORMAT_F32X4;
  if (primitive->colours == NULL || !is_float) return;
  const uint32_t width = primitive->colour_format == MPAK_FORMAT_F32X3 ? 3 : 4;
  const check_place place = check_place_of_primitive(m, p, "COLOR_0");
  const float *values = (const float *)(const void *)primitive->colours; // arena memory, aligned for it
  check_all_finite(context, MPAK_M008, &place, "vertex", values, primitive->vertex_count, width);
}

// -- Materials --------------------------------------------------------------------------------------------------------

static void check_material_values(const check_context *context) {
  for (uint32_t i = 0; i < context->scene->material_count; i++) {
    const cook_material *material = &context->scene->materials[i];
    check_place place = CHECK_NOWHERE;
    place.material = i;
    place.stream = "base colour";
    if (!check_all_finite(context, MPAK_M026, &place, "component", material->base_colour, 4, 1)) continue;
    place.stream = "alpha cutoff";
    check_all_finite(context, MPAK_M026, &place, "component", &material->alpha_cutoff, 1, 1);
  }
}

// -- All of it --------------------------------------------------------------------------------------------------------

static void check_primitive(const check_context *context, uint32_t m, uint32_t p) {
  check_has_vertices(context, m, p);
  check_has_triangles(context, m, p);
  check_triangles_are_whole(context, m, p);
  if (context->scene->meshes[m].primitives[p].vertex_count == 0) return;
  check_positions(context, m, p);
  check_normals(context, m, p);
  check_tangents(context, m, p);
  check_texcoords(context, m, p);
  check_colours(context, m, p);
}

void check_meshes(const check_context *context) {
  check_vertex_total(context);
  check_material_values(context);
  for (uint32_t m = 0; m < context->scene->mesh_count; m++)
    for (uint32_t p = 0; p < context->scene->meshes[m].primitive_count; p++) check_primitive(context, m, p);
}
