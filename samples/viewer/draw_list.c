#include "samples/viewer/draw_list.h"

#include <glad/gl.h>
#include <stdlib.h>
#include <string.h>

// -- Opening ---------------------------------------------------------------------------------------------------------

static mpak_result draw_list_allot(draw_list *list) {
  const mpak_pack *pack = &list->shown->pack;
  uint32_t most = 0;
  for (uint32_t p = 0; p < pack->part_count; p++)
    if (pack->parts[p].vertex_count > most) most = pack->parts[p].vertex_count;
  for (uint32_t i = 0; i < list->shown->hero->output_count; i++)
    list->item_capacity += pack->parts[list->shown->hero->outputs[i].part].section_count;
  list->extracted = calloc((size_t)list->item_capacity + 1, sizeof *list->extracted);
  list->items = calloc((size_t)list->item_capacity + 1, sizeof *list->items);
  list->heat_buffers = calloc((size_t)list->shown->hero->output_count + 1, sizeof *list->heat_buffers);
  list->distances_m = malloc(((size_t)most + 1) * 3 * sizeof *list->distances_m);
  const bool has_all = list->extracted && list->items && list->heat_buffers && list->distances_m;
  return has_all ? MPAK_OK : MPAK_ERROR_OUT_OF_MEMORY;
}

mpak_result draw_list_open(draw_list *list, stage *shown, const draw_device *device, const char **reason) {
  const mpak_gl_options options = {
      .getproc = device->get_function, .getproc_user = device->user, .technique = device->technique};
  const mpak_gl_model_options decoded = {.decoded = shown->model};
  static char text[256];
  memset(list, 0, sizeof *list);
  list->shown = shown;
  mpak_result result = draw_list_allot(list);
  if (result == MPAK_OK) result = mpak_gl_create(&options, &list->gl);
  if (result == MPAK_OK) result = mpak_gl_model_create(list->gl, &shown->pack, &decoded, &list->model, NULL);
  if (result == MPAK_OK) result = mpak_gl_crowd_create(list->model, 1, NULL, &list->crowd);
  if (result == MPAK_OK) return result;
  strncpy(text, list->gl != NULL ? mpak_gl_error_text(list->gl) : mpak_result_name(result), sizeof text - 1);
  *reason = text;
  draw_list_close(list);
  return result;
}

void draw_list_close(draw_list *list) {
  const uint32_t count = list->heat_buffers != NULL ? list->shown->hero->output_count : 0;
  for (uint32_t i = 0; i < count; i++)
    if (list->heat_buffers[i] != 0) glDeleteBuffers(1, &list->heat_buffers[i]);
  if (list->capture_buffer != 0) glDeleteBuffers(1, &list->capture_buffer);
  mpak_gl_crowd_destroy(list->crowd);
  mpak_gl_model_destroy(list->model);
  mpak_gl_destroy(list->gl);
  free(list->extracted);
  free(list->items);
  free(list->heat_buffers);
  free(list->distances_m);
  memset(list, 0, sizeof *list);
}

const char *draw_list_technique(const draw_list *list) {
  static const char *const names[] = {"auto", "inline", "skin cache", "CPU"};
  const char *name = "-";
  for (uint32_t i = 0; i < list->item_count; i++) {
    const char *other = names[mpak_gl_model_technique(list->model, list->extracted[i].part)];
    if (i > 0 && strcmp(name, other) != 0) return "mixed";
    name = other;
  }
  return name;
}

// -- A frame ---------------------------------------------------------------------------------------------------------

static void draw_list_colour(const mpak_pack *pack, uint32_t material, float colour[3]) {
  for (int i = 0; i < 3; i++)
    colour[i] = material != MPAK_NONE ? pack->materials[material].base_colour[i] * 0.8f : 0.6f;
}

static void draw_list_convert(const draw_list *list, const mpak_gl_item *from, view_item *item) {
  *item = (view_item){.vertex_array = from->vertex_array,
                      .index_type = from->index_type,
                      .index_count = from->index_count,
                      .index_offset = from->index_offset,
                      .influence_count = from->is_skinned_inline ? from->influence_count : 0,
                      .palette_buffer = from->palette_buffer,
                      .palette_offset = from->palette_offset,
                      .palette_bytes = from->palette_bytes,
                      .first_bone = from->first_bone,
                      .world_from_vertices = from->component_from_vertices};
  draw_list_colour(&list->shown->pack, from->material, item->base_colour);
}

mpak_result draw_list_update(draw_list *list) {
  mpak_character *hero = list->shown->hero;
  mpak_result result = mpak_gl_crowd_show(list->crowd, 0, &hero->pose, &hero->morph_states, hero->lod);
  if (result == MPAK_OK) result = mpak_gl_crowd_deform(list->crowd);
  mpak_gl_make_writes_visible(list->gl);
  list->item_count = mpak_gl_crowd_extract(list->crowd, 0, list->extracted, list->item_capacity);
  if (list->item_count > list->item_capacity) list->item_count = list->item_capacity;
  for (uint32_t i = 0; i < list->item_count; i++) draw_list_convert(list, &list->extracted[i], &list->items[i]);
  return result;
}

// -- Displacement ----------------------------------------------------------------------------------------------------

/// The output of the stage's character that an item shows.
static uint32_t draw_list_output(const draw_list *list, const mpak_gl_item *item) {
  const mpak_character *hero = list->shown->hero;
  uint32_t i = 0;
  while (i < hero->output_count && (hero->outputs[i].instance != item->instance || hero->outputs[i].part != item->part))
    i++;
  return i;
}

static void draw_list_upload_heat(draw_list *list, uint32_t output) {
  const uint32_t vertex_count = list->shown->pack.parts[list->shown->hero->outputs[output].part].vertex_count;
  const float largest_m = stage_displacements(list->shown, output, list->distances_m);
  if (largest_m > list->largest_m) list->largest_m = largest_m;
  if (list->heat_buffers[output] == 0) glGenBuffers(1, &list->heat_buffers[output]);
  glBindBuffer(GL_ARRAY_BUFFER, list->heat_buffers[output]);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)vertex_count * 4, list->distances_m, GL_DYNAMIC_DRAW);
}

void draw_list_heat(draw_list *list) {
  uint32_t last = MPAK_NONE;
  list->largest_m = 0;
  for (uint32_t i = 0; i < list->item_count; i++) {
    const uint32_t output = draw_list_output(list, &list->extracted[i]);
    if (output != last) draw_list_upload_heat(list, output); // sections of an output follow one another
    last = output;
    list->items[i].heat_buffer = list->heat_buffers[output];
  }
}

// -- The GPU's vertices beside the CPU's -----------------------------------------------------------------------------

static double draw_list_compare_item(draw_list *list, passes *drawn, uint32_t i) {
  const mpak_gl_item *item = &list->extracted[i];
  const mpak_section *section = &list->shown->pack.sections[item->section];
  const mpak_base_vertex *vertices = list->shown->hero->outputs[draw_list_output(list, item)].vertices;
  float(*found)[3] = (float(*)[3])list->distances_m;
  double largest_m = 0;
  passes_capture(drawn, &list->items[i], section->first_vertex, section->vertex_count, list->capture_buffer, found);
  for (uint32_t v = 0; v < section->vertex_count; v++) {
    const double distance_m = (double)vec_distance(found[v], vertices[section->first_vertex + v].position);
    if (!(distance_m <= largest_m)) largest_m = distance_m;
  }
  return largest_m;
}

double draw_list_compare(draw_list *list, passes *drawn) {
  double largest_m = 0;
  if (list->capture_buffer == 0) glGenBuffers(1, &list->capture_buffer);
  for (uint32_t i = 0; i < list->item_count; i++) {
    const double distance_m = draw_list_compare_item(list, drawn, i);
    if (!(distance_m <= largest_m)) largest_m = distance_m;
  }
  return list->item_count > 0 ? largest_m : -1;
}

// -- Bounds ----------------------------------------------------------------------------------------------------------

static void draw_list_put_box(float *at, const float min[3], const float max[3]) {
  for (int axis = 0; axis < 3; axis++)
    for (int edge = 0; edge < 4; edge++)
      for (int end = 0; end < 2; end++, at += 3) {
        const int other = (axis + 1) % 3, third = (axis + 2) % 3;
        at[axis] = end ? max[axis] : min[axis];
        at[other] = edge & 1 ? max[other] : min[other];
        at[third] = edge & 2 ? max[third] : min[third];
      }
}

float *draw_list_bounds(const draw_list *list, uint32_t *point_count) {
  float *points = malloc(((size_t)list->item_count + 1) * 24 * 3 * sizeof *points);
  *point_count = 0;
  for (uint32_t i = 0; points != NULL && i < list->item_count; i++) {
    const mpak_gl_item *item = &list->extracted[i];
    const bool is_same = i > 0 && item->part == item[-1].part && item->instance == item[-1].instance;
    if (is_same) continue;
    draw_list_put_box(points + (size_t)*point_count * 3, item->bounds_min, item->bounds_max);
    *point_count += 24;
  }
  return points;
}
