/// camera.h: where the picture is taken from: a point that is looked at, two angles and a distance.
#ifndef CAMERA_H
#define CAMERA_H

#include "samples/viewer/view_math.h"

typedef struct camera {
  float target[3];
  float yaw_rad;   ///< about +Y; 0 looks along -Z (at the front of a glTF model)
  float pitch_rad; ///< above the horizon, looking down
  float distance_m;
  float tan_half_fov_y;
  float scene_radius_m; ///< of what must not be cut off, about the target
} camera;

/// The directions that --from names.
typedef enum camera_side {
  CAMERA_THREE_QUARTER,
  CAMERA_FRONT,
  CAMERA_BACK,
  CAMERA_LEFT,
  CAMERA_RIGHT,
  CAMERA_TOP,
  CAMERA_SUN ///< the shadow pass's own view, for its comparison with the others
} camera_side;

/// The axes of a camera there.
view_axes camera_axes(camera_side side);

/// A camera that sees all of a box along its own axes, in a picture of the aspect (width / height).
camera camera_for_box(const view_box *box, camera_side side, float aspect);

/// Matrices of a picture, and the eye.
typedef struct camera_view {
  view_matrix clip_from_world;
  float eye[3];
} camera_view;
camera_view camera_look(const camera *from, float aspect);

void camera_orbit(camera *moved, float yaw_rad, float pitch_rad);
void camera_pan(camera *moved, float right, float up); ///< in heights of the picture
void camera_zoom(camera *moved, float factor);

#endif
