/// view_shaders.h: the shaders of samples/viewer/shaders, which tools/embed.sh puts into the program, and programs of
/// them.
#ifndef VIEW_SHADERS_H
#define VIEW_SHADERS_H

#include <stdint.h>

extern const char view_vertex_glsl[], view_light_glsl[], view_mesh_vert[], view_forward_frag[], view_mask_frag[],
    view_depth_frag[], view_normals_vert[], view_normals_geom[], view_ground_vert[], view_ground_frag[],
    view_lines_vert[], view_screen_vert[], view_outline_frag[], view_backdrop_frag[], view_texture_frag[],
    view_ui_vert[], view_ui_frag[], view_capture_vert[];

/// The text of one shader: up to five pieces, one behind the other, NULL where there are fewer. The first has #version.
typedef struct view_shader {
  const char *pieces[5];
} view_shader;

/// A program of two or three shaders (geometry NULL: none), or 0: then *log, if not NULL, is the compiler's text in a
/// static buffer. captured: an output of the vertex shader that transform feedback takes, or NULL.
uint32_t view_make_program(const view_shader *vertex, const view_shader *geometry, const view_shader *fragment,
                           const char *captured, const char **log);

#endif
