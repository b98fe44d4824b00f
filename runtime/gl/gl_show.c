/// gl_show.c: takes over what an individual shows: weights, palettes, nodes' matrices. Compares, so that what did not
/// change costs neither an upload nor a dispatch. Calls no GL function.
///
/// Source: morph document, "two layers of versions" (F96 to F99): layer 1 is mpak_morph_states_apply's, layer 2 is
/// here.
#include <string.h>

#include "runtime/gl/gl_private.h"

/// Bit for bit: a NaN is the same as itself, and -0 is not 0, which costs an upload.
static bool show_is_same(const void *a, const void *b, size_t byte_count) { return memcmp(a, b, byte_count) == 0; }

static void show_weights(const mpak_gl_crowd *crowd, gl_output *output, uint32_t individual,
                         const mpak_morph_state *state) {
  const uint32_t shape_count = crowd->model->pack->parts[output->part].shape_count;
  gl_seen *seen = &output->seen[individual];
  if (shape_count == 0 || (seen->state == state && seen->state_version == state->version)) return;
  float *values = output->weight_values + (size_t)individual * shape_count;
  seen->state = state;
  seen->state_version = state->version;
  seen->active_count = state->active_shape_count;
  if (show_is_same(values, state->shape_weights, shape_count * sizeof *values)) return;
  memcpy(values, state->shape_weights, shape_count * sizeof *values);
  seen->weights_dirty = seen->vertices_dirty = seen->bounds_dirty = true;
}

/// The matrices of a part's sections, in the order of their bone maps (F130). True if any differs.
static bool show_palette(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual) {
  const mpak_pack *pack = crowd->model->pack;
  const mpak_part *part = &pack->parts[output->part];
  mpak_matrix *out = crowd->palette_values + (size_t)individual * crowd->palette_stride_bones + output->palette_first;
  bool differs = false;
  for (uint32_t s = 0; s < part->section_count; ++s) {
    const mpak_section *section = &pack->sections[part->first_section + s];
    for (uint32_t b = 0; b < section->bone_count; ++b, ++out) {
      const mpak_matrix *matrix = &crowd->skin_palette[pack->bones[section->first_bone + b].joint];
      if (show_is_same(out, matrix, sizeof *out)) continue;
      *out = *matrix;
      differs = true;
    }
  }
  return differs;
}

static void show_skinned(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual) {
  gl_seen *seen = &output->seen[individual];
  if (!show_palette(crowd, output, individual)) return;
  seen->bounds_dirty = true;
  if (output->technique != MPAK_GL_CPU) crowd->individuals[individual].palette_dirty = true;
  if (output->technique != MPAK_GL_INLINE) seen->vertices_dirty = true;
}

static void show_node(const mpak_gl_crowd *crowd, gl_output *output, uint32_t individual, const mpak_pose *pose) {
  gl_seen *seen = &output->seen[individual];
  const mpak_matrix *matrix = &pose->components[crowd->model->pack->instances[output->instance].node];
  if (show_is_same(&seen->component_from_vertices, matrix, sizeof *matrix)) return;
  seen->component_from_vertices = *matrix;
  seen->bounds_dirty = true;
}

static void show_pose(mpak_gl_crowd *crowd, uint32_t individual, const mpak_pose *pose) {
  uint32_t skin_in_palette = MPAK_NONE;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    const uint32_t skin = crowd->model->pack->instances[output->instance].skin;
    if (!output->seen[individual].is_shown) continue;
    if (!output->is_skinned) {
      show_node(crowd, output, individual, pose);
      continue;
    }
    if (skin != skin_in_palette) mpak_pose_skin_palette(pose, skin, crowd->skin_palette);
    skin_in_palette = skin;
    show_skinned(crowd, output, individual);
  }
}

/// Nothing of it was seen before: it is made anew, and has not moved since.
static void show_forget(gl_seen *seen) {
  seen->has_vertices = seen->has_previous = seen->has_deformed_matrix = false;
  seen->vertices_dirty = true;
}

mpak_result mpak_gl_crowd_show(mpak_gl_crowd *crowd, uint32_t individual, const mpak_pose *pose,
                               const mpak_morph_states *states, uint32_t lod) {
  const mpak_pack *pack = crowd->model->pack;
  if (individual >= crowd->count || pose->pack != pack || (states && states->pack != pack)) return MPAK_ERROR_ARGUMENT;
  if (pose->component_version != pose->version) return MPAK_ERROR_ARGUMENT;
  gl_individual *shown = &crowd->individuals[individual];
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    gl_seen *seen = &output->seen[individual];
    const bool was_shown = seen->is_shown;
    seen->is_shown = mpak_part_is_shown(pack, output->part, lod);
    if (!seen->is_shown) {
      if (crowd->options.keep_previous) show_forget(seen);
      continue;
    }
    if (!was_shown && crowd->options.keep_previous) seen->vertices_dirty = true; // buffers went on without it
    if (states) show_weights(crowd, output, individual, &states->states[o]);
  }
  if (shown->is_shown && shown->pose == pose && shown->component_version == pose->component_version &&
      shown->lod == lod) {
    return MPAK_OK;
  }
  *shown = (gl_individual){.is_shown = true,
                           .palette_dirty = shown->palette_dirty,
                           .pose = pose,
                           .component_version = pose->component_version,
                           .lod = lod,
                           .palette_texture = shown->palette_texture};
  show_pose(crowd, individual, pose);
  return MPAK_OK;
}

void mpak_gl_crowd_hide(mpak_gl_crowd *crowd, uint32_t individual) {
  if (individual >= crowd->count) return;
  crowd->individuals[individual].is_shown = false;
  crowd->individuals[individual].pose = NULL; // another character may come at the same address
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_seen *seen = &crowd->outputs[o].seen[individual];
    seen->is_shown = false;
    seen->state = NULL;
    show_forget(seen);
  }
}

void mpak_gl_crowd_set_hook_values(mpak_gl_crowd *crowd, const float values[8][4]) {
  const mpak_gl_hooks *hooks = &crowd->options.hooks;
  if (show_is_same(crowd->hook_values, values, sizeof crowd->hook_values)) return;
  memcpy(crowd->hook_values, values, sizeof crowd->hook_values);
  if (!hooks->after_morph && !hooks->skin && !hooks->after_skin) return;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    for (uint32_t i = 0; i < crowd->count; ++i) crowd->outputs[o].seen[i].vertices_dirty = true;
  }
}
