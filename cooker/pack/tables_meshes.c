// tables_meshes.c: MESH, PART, CTRL, SHAP, SECT and BMAP, from the build stages' results for every part.
#include <string.h>

#include "cooker/pack/tables.h"

// -- Parts -----------------------------------------------------------------------------------------------------------

static void meshes_build_part(pack_tables *tables, pack_part *part) {
  float *low, *high;
  cook_job *job = tables->job;
  build_shape_ranges(job, &tables->scene->meshes[part->mesh], &low, &high);
  if (tables->options->layout == COOK_LAYOUT_CSR64)
    build_gpu_morph(job, part->primitive, low, high, &part->morph);
  else
    build_morph_facts(job, part->primitive, low, high, &part->morph);
  build_sections(job, part->primitive, &part->morph, &part->sections);
  if (tables->options->layout == COOK_LAYOUT_BLK64 && part->primitive->target_count > 0) {
    build_blocks(job, part->primitive, &part->morph, part->sections.sections, part->sections.section_count,
                 &part->blocks);
  }
}

void tables_build_parts(pack_tables *tables) {
  const cook_scene *scene = tables->scene;
  uint64_t primitive_count = 0;
  for (uint32_t m = 0; m < scene->mesh_count; ++m) primitive_count += scene->meshes[m].primitive_count;
  tables_count(tables->job, primitive_count, MPAK_MAX_CHUNKS, "primitives");
  tables->part_sources = JOB_ARRAY(tables->job, pack_part, primitive_count);
  for (uint32_t m = 0; m < scene->mesh_count; ++m) {
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; ++p) {
      const cook_primitive *primitive = &scene->meshes[m].primitives[p];
      if (primitive->vertex_count == 0) continue; // all its triangles were dropped: nothing to draw or to store
      pack_part *part = &tables->part_sources[tables->part_count++];
      *part = (pack_part){.mesh = m, .primitive = primitive};
      meshes_build_part(tables, part);
    }
  }
}

// -- Shapes and sections ---------------------------------------------------------------------------------------------

static void meshes_add_shapes(pack_tables *tables, uint32_t number) {
  const pack_part *source = &tables->part_sources[number];
  for (uint32_t s = 0; s < source->primitive->target_count; ++s) {
    const cook_box *box = &source->morph.shape_boxes[s];
    mpak_shape *shape = &tables->shapes[tables->shape_count++];
    *shape = (mpak_shape){
        .part = number,
        .delta_count = source->morph.shape_delta_counts[s],
        .source_moved_count = source->primitive->targets[s].source_moved_count,
        .source_max_delta = source->primitive->targets[s].source_max_delta,
    };
    tables_set_rule(tables, source->mesh, s, shape);
    memcpy(shape->delta_min, box->min, sizeof box->min);
    memcpy(shape->delta_max, box->max, sizeof box->max);
  }
}

static void meshes_add_sections(pack_tables *tables, uint32_t number) {
  const cook_sections *sections = &tables->part_sources[number].sections;
  for (uint32_t i = 0; i < sections->section_count; ++i) {
    mpak_section *record = &tables->sections[tables->section_count++];
    *record = sections->sections[i];
    record->part = number;
    record->first_bone += tables->bone_count;
  }
  if (sections->bone_count) {
    memcpy(tables->bones + tables->bone_count, sections->bones, sections->bone_count * sizeof *sections->bones);
  }
  tables->bone_count += sections->bone_count;
}

static uint32_t meshes_part_flags(const pack_part *source) {
  uint32_t flags = 0;
  if (source->primitive->tangents) flags |= MPAK_PART_TANGENTS;
  if (source->morph.changes_normals) flags |= MPAK_PART_MORPH_NORMALS;
  if (source->morph.changes_tangents) flags |= MPAK_PART_MORPH_TANGENTS;
  if (source->primitive->grid.reorthogonalises) flags |= MPAK_PART_REORTHOGONALISE;
  return flags;
}

static void meshes_set_morph(const pack_tables *tables, const pack_part *source, mpak_part *part) {
  const cook_blocks *blocks = &source->blocks;
  part->delta_count = source->morph.delta_count;
  if (part->shape_count == 0) return; // MPAK_PAYLOAD_NONE
  part->payload = MPAK_PAYLOAD_CSR64;
  if (tables->options->layout == COOK_LAYOUT_CSR64) return;
  part->payload = blocks->payload;
  part->components = blocks->components;
  part->block_count = blocks->block_count;
  part->entry_count = blocks->entry_count;
  part->group_count = blocks->group_count;
  part->run_count = blocks->run_count;
  part->step = blocks->step;
  part->normal_step = blocks->normal_step;
}

static void meshes_set_bounds(const pack_part *source, mpak_part *part) {
  const cook_gpu_morph *morph = &source->morph;
  memcpy(part->bounds_min, morph->bounds.min, sizeof part->bounds_min);
  memcpy(part->bounds_max, morph->bounds.max, sizeof part->bounds_max);
  memcpy(part->conservative_min, morph->conservative_bounds.min, sizeof part->conservative_min);
  memcpy(part->conservative_max, morph->conservative_bounds.max, sizeof part->conservative_max);
  part->max_position_delta = morph->maximum_position_delta;
}

static void meshes_add_part(pack_tables *tables, uint32_t number) {
  const pack_part *source = &tables->part_sources[number];
  const cook_primitive *primitive = source->primitive;
  mpak_part *part = &tables->parts[number];
  *part = (mpak_part){
      .mesh = source->mesh,
      .source_primitive = primitive->source_primitive,
      .lod = primitive->lod,
      .material = primitive->material,
      .vertex_count = primitive->vertex_count,
      .index_count = primitive->index_count,
      .source_vertex_count = primitive->source_vertex_count,
      .source_index_count = primitive->source_index_count,
      .first_shape = tables->shape_count,
      .shape_count = primitive->target_count,
      .first_section = tables->section_count,
      .section_count = source->sections.section_count,
      .influence_count = primitive->influence_count,
      .flags = meshes_part_flags(source),
  };
  meshes_set_morph(tables, source, part);
  meshes_set_bounds(source, part);
  meshes_add_shapes(tables, number);
  meshes_add_sections(tables, number);
}

// -- Meshes ----------------------------------------------------------------------------------------------------------

static void meshes_add_controls(pack_tables *tables, uint32_t number) {
  const cook_mesh *mesh = &tables->scene->meshes[number];
  for (uint32_t i = 0; i < mesh->control_count; ++i) {
    const pack_named *named = &tables->control_names[number][i];
    tables->controls[tables->control_count++] = (mpak_control){
        .mesh = number,
        .name = tables_text(tables, named->name),
        .key = tables_text(tables, named->key),
        .source_index = i,
        .default_weight = mesh->default_weights ? mesh->default_weights[i] : 0.0f,
        .range_min = mesh->range_min ? mesh->range_min[i] : 0.0f,
        .range_max = mesh->range_max ? mesh->range_max[i] : 1.0f,
    };
  }
}

/// A mesh's box is that of its parts.
static void meshes_grow_bounds(mpak_mesh *mesh, const mpak_part *part, bool is_first) {
  for (int axis = 0; axis < 3; ++axis) {
    if (is_first || part->bounds_min[axis] < mesh->bounds_min[axis]) mesh->bounds_min[axis] = part->bounds_min[axis];
    if (is_first || part->bounds_max[axis] > mesh->bounds_max[axis]) mesh->bounds_max[axis] = part->bounds_max[axis];
  }
}

static void meshes_add_mesh(pack_tables *tables, uint32_t number, uint32_t *next_part) {
  const cook_mesh *source = &tables->scene->meshes[number];
  mpak_mesh *mesh = &tables->meshes[number];
  *mesh = (mpak_mesh){
      .name = tables_text(tables, source->name),
      .key = tables_text(tables, tables->mesh_names[number].key),
      .source_index = source->source_index,
      .first_part = *next_part,
      .first_control = tables->control_count,
      .control_count = source->control_count,
  };
  meshes_add_controls(tables, number);
  for (; *next_part < tables->part_count && tables->part_sources[*next_part].mesh == number; ++*next_part) {
    meshes_add_part(tables, *next_part);
    meshes_grow_bounds(mesh, &tables->parts[*next_part], mesh->part_count == 0);
    mesh->part_count++;
  }
}

static void meshes_allot(pack_tables *tables) {
  uint64_t controls = 0, shapes = 0, sections = 0, bones = 0;
  for (uint32_t m = 0; m < tables->scene->mesh_count; ++m) controls += tables->scene->meshes[m].control_count;
  for (uint32_t p = 0; p < tables->part_count; ++p) {
    shapes += tables->part_sources[p].primitive->target_count;
    sections += tables->part_sources[p].sections.section_count;
    bones += tables->part_sources[p].sections.bone_count;
  }
  tables->controls = JOB_ARRAY(tables->job, mpak_control, tables_count(tables->job, controls, UINT32_MAX, "controls"));
  tables->shapes = JOB_ARRAY(tables->job, mpak_shape, tables_count(tables->job, shapes, UINT32_MAX, "shapes"));
  tables->sections = JOB_ARRAY(tables->job, mpak_section, tables_count(tables->job, sections, UINT32_MAX, "sections"));
  tables->bones = JOB_ARRAY(tables->job, mpak_bone, tables_count(tables->job, bones, UINT32_MAX, "bones of sections"));
  tables_allot_rules(tables);
}

void tables_make_meshes(pack_tables *tables) {
  meshes_allot(tables);
  tables->mesh_count = tables->scene->mesh_count;
  tables->meshes = JOB_ARRAY(tables->job, mpak_mesh, tables->mesh_count);
  tables->parts = JOB_ARRAY(tables->job, mpak_part, tables->part_count);
  uint32_t next_part = 0;
  for (uint32_t m = 0; m < tables->mesh_count; ++m) meshes_add_mesh(tables, m, &next_part);
}
