/// draw_list.h: a stage on the GPU: its buffers, and what to draw of it now.
#ifndef DRAW_LIST_H
#define DRAW_LIST_H

#include "samples/viewer/passes.h"
#include "samples/viewer/stage.h"

/// Buffers of one output of the stage's character.
typedef struct draw_mesh {
  uint32_t vertex_array, vertices, indices, heat;
  uint64_t shown_pose_version, shown_morph_version; ///< that the buffer has
} draw_mesh;

typedef struct draw_list {
  stage *shown;
  draw_mesh *meshes; ///< by output
  view_item *items;  ///< of the last update
  uint32_t item_count;
  float *distances_m; ///< work space
  float largest_m;    ///< displacement that draw_list_heat found
  uint64_t upload_bytes;
} draw_list;

/// Makes the buffers. False: out of memory.
bool draw_list_open(draw_list *list, stage *shown);
void draw_list_close(draw_list *list); ///< a zeroed one is fine

/// Brings the buffers to the stage's pose and lists the items.
void draw_list_update(draw_list *list);

/// Measures how far shapes move each vertex now, and hands it to the items. Call after draw_list_update.
void draw_list_heat(draw_list *list);

/// Pairs of points of the edges of all boxes around what is shown, as the runtime bounds it. malloc's; NULL: none.
float *draw_list_bounds(const draw_list *list, uint32_t *point_count);

#endif
