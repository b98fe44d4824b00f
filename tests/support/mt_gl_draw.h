/// mt_gl_draw.h: test support: what a caller's vertex shader sees of an item: draws it with transform feedback, through
/// its vertex array, index range, palette and mpak_gl_vertex_source.
#ifndef MT_GL_DRAW_H
#define MT_GL_DRAW_H

#include "tests/support/mt_gl.h"

/// One vertex as it reached the vertex shader, in component space.
typedef struct mt_gl_vertex {
  float position[3];
  float normal[3];
  float tangent[4];
  float previous[3];
  int32_t index; ///< gl_VertexID
} mt_gl_vertex;

/// Draws an item's index_count indices as points. Returns as many vertices, which the caller frees.
mt_gl_vertex *mt_gl_draw(const mpak_gl *gl, const mpak_gl_item *item, mpak_gl_output_format format);

/// Frees the programs that mt_gl_draw keeps, or forgets them in a lost context.
void mt_gl_draw_end(bool is_lost);

/// Angle between two directions, rad.
double mt_gl_angle(const float *a, const float *b);

#endif
