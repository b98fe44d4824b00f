#include "samples/viewer/draw_list.h"

#include <glad/gl.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw_list_vertex_count(const draw_list *list, uint32_t output) {
  return list->shown->pack.parts[list->shown->hero->outputs[output].part].vertex_count;
}

static void draw_mesh_make(draw_mesh *mesh, const mpak_character_output *output, const mpak_part *part) {
  glGenVertexArrays(1, &mesh->vertex_array);
  glGenBuffers(1, &mesh->vertices);
  glGenBuffers(1, &mesh->indices);
  glGenBuffers(1, &mesh->heat);
  glBindVertexArray(mesh->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)part->vertex_count * (GLsizeiptr)sizeof(mpak_base_vertex), NULL,
               GL_DYNAMIC_DRAW);
  for (GLuint i = 0; i < 2; i++) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, sizeof(mpak_base_vertex), (const void *)((uintptr_t)i * 16));
  }
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)part->index_count * output->data->index_bytes,
               output->data->indices, GL_STATIC_DRAW);
  glBindVertexArray(0);
}

bool draw_list_open(draw_list *list, stage *shown) {
  const mpak_character *hero = shown->hero;
  uint32_t section_count = 0, most = 0;
  memset(list, 0, sizeof *list);
  list->shown = shown;
  list->meshes = calloc((size_t)hero->output_count + 1, sizeof *list->meshes);
  if (list->meshes == NULL) return false;
  for (uint32_t i = 0; i < hero->output_count; i++) {
    const mpak_part *part = &shown->pack.parts[hero->outputs[i].part];
    draw_mesh_make(&list->meshes[i], &hero->outputs[i], part);
    section_count += part->section_count;
    if (part->vertex_count > most) most = part->vertex_count;
  }
  list->items = calloc((size_t)section_count + 1, sizeof *list->items);
  list->distances_m = malloc(((size_t)most + 1) * sizeof *list->distances_m);
  if (list->items != NULL && list->distances_m != NULL) return true;
  draw_list_close(list);
  return false;
}

void draw_list_close(draw_list *list) {
  const uint32_t count = list->meshes != NULL ? list->shown->hero->output_count : 0;
  for (uint32_t i = 0; i < count; i++) {
    glDeleteVertexArrays(1, &list->meshes[i].vertex_array);
    glDeleteBuffers(1, &list->meshes[i].vertices);
    glDeleteBuffers(1, &list->meshes[i].indices);
    glDeleteBuffers(1, &list->meshes[i].heat);
  }
  free(list->meshes);
  free(list->items);
  free(list->distances_m);
  memset(list, 0, sizeof *list);
}

static void draw_list_upload(draw_list *list, uint32_t output) {
  const mpak_character_output *from = &list->shown->hero->outputs[output];
  draw_mesh *mesh = &list->meshes[output];
  if (mesh->shown_pose_version == from->shown_pose_version && mesh->shown_morph_version == from->shown_morph_version)
    return;
  const uint64_t byte_count = (uint64_t)draw_list_vertex_count(list, output) * sizeof(mpak_base_vertex);
  glBindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
  glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)byte_count, from->vertices);
  list->upload_bytes += byte_count;
  mesh->shown_pose_version = from->shown_pose_version;
  mesh->shown_morph_version = from->shown_morph_version;
}

static void draw_list_colour(const mpak_pack *pack, uint32_t material, float colour[3]) {
  for (int i = 0; i < 3; i++)
    colour[i] = material != MPAK_NONE ? pack->materials[material].base_colour[i] * 0.8f : 0.6f;
}

static void draw_list_add(draw_list *list, uint32_t output) {
  static const mpak_matrix same = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  const mpak_pack *pack = &list->shown->pack;
  const mpak_character_output *from = &list->shown->hero->outputs[output];
  const mpak_part *part = &pack->parts[from->part];
  const uint32_t index_bytes = from->data->index_bytes;
  for (uint32_t s = 0; s < part->section_count; s++) {
    const mpak_section *section = &pack->sections[part->first_section + s];
    view_item *item = &list->items[list->item_count++];
    *item = (view_item){.vertex_array = list->meshes[output].vertex_array,
                        .index_type = index_bytes == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                        .index_count = section->index_count,
                        .index_offset = (uint64_t)section->first_index * index_bytes,
                        .world_from_vertices = same};
    draw_list_colour(pack, section->material, item->base_colour);
  }
}

void draw_list_update(draw_list *list) {
  list->item_count = 0;
  for (uint32_t i = 0; i < list->shown->hero->output_count; i++) {
    if (!stage_shows(list->shown, i)) continue;
    draw_list_upload(list, i);
    draw_list_add(list, i);
  }
}

void draw_list_heat(draw_list *list) {
  uint32_t next = 0;
  list->largest_m = 0;
  for (uint32_t i = 0; i < list->shown->hero->output_count; i++) {
    if (!stage_shows(list->shown, i)) continue;
    const mpak_part *part = &list->shown->pack.parts[list->shown->hero->outputs[i].part];
    const float largest = stage_displacements(list->shown, i, list->distances_m);
    if (largest > list->largest_m) list->largest_m = largest;
    glBindBuffer(GL_ARRAY_BUFFER, list->meshes[i].heat);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)part->vertex_count * 4, list->distances_m, GL_DYNAMIC_DRAW);
    for (uint32_t s = 0; s < part->section_count; s++) list->items[next++].heat_buffer = list->meshes[i].heat;
  }
}

// -- Bounds ----------------------------------------------------------------------------------------------------------

static float *draw_list_put_box(float *at, const float min[3], const float max[3]) {
  for (int axis = 0; axis < 3; axis++)
    for (int edge = 0; edge < 4; edge++)
      for (int end = 0; end < 2; end++) {
        const int other = (axis + 1) % 3, third = (axis + 2) % 3;
        at[axis] = end ? max[axis] : min[axis];
        at[other] = edge & 1 ? max[other] : min[other];
        at[third] = edge & 2 ? max[third] : min[third];
        at += 3;
      }
  return at;
}

float *draw_list_bounds(const draw_list *list, uint32_t *point_count) {
  const stage *shown = list->shown;
  mpak_character *hero = shown->hero;
  float *points = malloc(((size_t)hero->output_count + 1) * 24 * 3 * sizeof *points);
  float *at = points;
  *point_count = 0;
  for (uint32_t i = 0; points != NULL && i < hero->output_count; i++) {
    const mpak_character_output *output = &hero->outputs[i];
    const mpak_instance *instance = &shown->pack.instances[output->instance];
    float min[3], max[3];
    if (!stage_shows(shown, i)) continue;
    if (instance->skin != MPAK_NONE) mpak_pose_skin_palette(&hero->pose, instance->skin, hero->palette);
    mpak_pose_part_bounds(&hero->pose, output->instance, output->part, hero->palette, min, max);
    at = draw_list_put_box(at, min, max);
    *point_count += 24;
  }
  return points;
}
