/// passes.h: shadow, forward and outline mask, which all read the same deformed vertices through the same vertex
/// shader.
#ifndef PASSES_H
#define PASSES_H

#include "runtime/mpak_pose.h"
#include "samples/viewer/camera.h"
#include "samples/viewer/framebuffer.h"

/// One draw: a range of indices of one vertex array. See mpak_gl.h's mpak_gl_item.
typedef struct view_item {
  uint32_t vertex_array;
  uint32_t index_type, index_count;
  uint64_t index_offset;    ///< bytes
  uint32_t influence_count; ///< above 0: the vertex shader skins
  uint32_t palette_buffer;
  uint64_t palette_offset, palette_bytes;
  uint32_t first_bone;
  mpak_matrix world_from_vertices;
  float base_colour[3];
  uint32_t heat_buffer; ///< displacement in metres, one float for each vertex; 0: none
} view_item;

/// Passes whose time is measured.
typedef enum pass_kind { PASS_SHADOW, PASS_FORWARD, PASS_OUTLINE, PASS_DEFORM, PASS_COUNT } pass_kind;

/// What a picture shows besides the items.
typedef struct pass_options {
  bool has_shadow, has_ground, has_outline;
  bool is_wireframe;
  bool shows_normals;   ///< as lines
  bool colours_normals; ///< as colour
  float heat_top_m;     ///< above 0: displacement as colour, up to this
  float backdrop[3];    ///< as on a screen
  view_box scene;       ///< of all items, for the shadow's frame and the ground
  const float *lines;   ///< pairs of points, world space: boxes
  uint32_t line_point_count;
  bool is_only; ///< only one pass, plainly, on black: for tests and the curious
  pass_kind only;
} pass_options;

typedef struct passes {
  uint32_t mesh_programs[4][5]; ///< by influences of the item (none, 4, 8, 12) and pass; 0: not made yet
  uint32_t programs[5];
  const char *(*skin_source)(void *user, uint32_t influence_count); ///< GLSL for items that are skinned inline
  void *skin_user;
  uint32_t shadow_texture, shadow_target;
  uint32_t mask_texture, mask_target, mask_width, mask_height;
  uint32_t empty_array, line_array, line_buffer;
  uint32_t queries[2][PASS_COUNT];
  bool has_asked[2];
  uint32_t turn;
  double times_ms[PASS_COUNT];         ///< of the GPU, of an earlier frame; negative: not known
  uint64_t triangle_count, draw_count; ///< of the last picture, all passes
} passes;

/// A part of the bound framebuffer, pixels from the bottom left.
typedef struct pass_area {
  int32_t x, y;
  uint32_t width, height;
} pass_area;

/// Makes programs and textures. False: GL refuses (*log says why).
bool passes_make(passes *all, const char **log);
void passes_free(passes *all); ///< a zeroed one is fine

/// Takes over the times of two pictures ago, if they are there; nothing waits. For a viewer that shows times: before
/// all else of a picture, whose every kind of pass is then timed.
void passes_begin_picture(passes *all);

/// Times what lies between the two for pass_kind, once a picture, before passes_draw.
void passes_begin_time(const passes *all, pass_kind kind);
void passes_end_time(void);

/// Where the vertex shader of all passes puts vertices of an item: world positions, three floats each, into found.
/// capture_buffer is overwritten.
void passes_capture(passes *all, const view_item *item, uint32_t first_vertex, uint32_t vertex_count,
                    uint32_t capture_buffer, float (*found)[3]);

/// Clip space of the shadow pass: an orthographic view that holds the scene.
view_matrix passes_sun_view(const view_box *scene);

/// Draws one picture into an area of the target, which is cleared there first.
void passes_draw(passes *all, const framebuffer *target, const pass_area *area, const camera_view *view,
                 const view_item *items, uint32_t item_count, const pass_options *options);

/// The stops of the heat's colours, as on a screen; between them straight lines over the square root of the share.
#define HEAT_STOP_COUNT 6
extern const float heat_stops[HEAT_STOP_COUNT][3];

/// The colour of a share 0 … 1 of the top.
void heat_colour(float share, float out[3]);

#endif
