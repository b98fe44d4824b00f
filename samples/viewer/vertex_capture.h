/// vertex_capture.h: vertices as a GPU makes them by runtime/gl, read back: for comparisons, not for games.
#ifndef VERTEX_CAPTURE_H
#define VERTEX_CAPTURE_H

#include "runtime/gl/mpak_gl.h"
#include "samples/viewer/viewer.h"

typedef struct vertex_capture {
  const mpak_pose *pose; ///< components computed
  const mpak_morph_states *states;
  uint32_t lod; ///< as mpak_gl_crowd_show
  mpak_gl_technique technique;
  bool is_before_skin;         ///< mesh space, after morph
  mpak_base_vertex **vertices; ///< by number of mpak_morph_states: room for each part's, or NULL: not wanted
} vertex_capture;

/// Makes a context without a display, has the GPU move all parts that the level shows, fills vertices (component space,
/// or mesh space), and takes the context down again. The pose's pack must have been opened with a decoder, if it needs
/// one. What the CPU technique moves has no vertices before skinning: such entries of vertices become NULL.
///
/// Returns VIEWER_OK, VIEWER_NO_GL, VIEWER_NO_MEMORY or VIEWER_BAD_PACK; outcome->text says why.
viewer_result vertex_capture_run(const vertex_capture *capture, viewer_outcome *outcome);

#endif
