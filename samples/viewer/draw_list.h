/// draw_list.h: a stage on the GPU, through runtime/gl as a game uses it: deformed vertices, and what to draw now.
#ifndef DRAW_LIST_H
#define DRAW_LIST_H

#include "runtime/gl/mpak_gl.h"
#include "samples/viewer/passes.h"
#include "samples/viewer/stage.h"

/// Where GL's functions come from, and how vertices are to be moved.
typedef struct draw_device {
  mpak_gl_getproc get_function;
  void *user;
  mpak_gl_technique technique;
} draw_device;

typedef struct draw_list {
  stage *shown;
  mpak_gl *gl;
  mpak_gl_model *model;
  mpak_gl_crowd *crowd;    ///< of one
  mpak_gl_item *extracted; ///< of the last update
  view_item *items;        ///< the same, as the passes take them
  uint32_t item_count, item_capacity;
  uint32_t *heat_buffers; ///< by output of the stage's character; 0: not made yet
  float *distances_m;     ///< work space
  float largest_m;        ///< displacement that draw_list_heat found
  uint32_t capture_buffer;
} draw_list;

/// Uploads the stage's pack. On failure the list is zeroed and *reason is a static text.
mpak_result draw_list_open(draw_list *list, stage *shown, const draw_device *device, const char **reason);
void draw_list_close(draw_list *list); ///< a zeroed one is fine

/// Brings the GPU to the stage's pose, by compute where that is the technique, and lists the items.
mpak_result draw_list_update(draw_list *list);

/// Measures how far shapes move each vertex now, and hands it to the items. Call after draw_list_update.
void draw_list_heat(draw_list *list);

/// The largest distance in metres between the vertices that the passes get from the GPU and those of the CPU. Draws
/// every vertex through the passes' own vertex shader and reads the result back: waits for the GPU. Negative: unknown.
double draw_list_compare(draw_list *list, passes *drawn);

/// Pairs of points of the edges of all boxes around what is shown, as the runtime bounds it. malloc's; NULL: none.
float *draw_list_bounds(const draw_list *list, uint32_t *point_count);

/// How vertices are moved in fact: "skin cache"; "mixed" where parts differ.
const char *draw_list_technique(const draw_list *list);

#endif
