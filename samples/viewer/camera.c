#include "samples/viewer/camera.h"

#define PITCH_MOST 1.55f

/// Unit vector from the eye to the target.
static void camera_forward(const camera *from, float out[3]) {
  out[0] = -sinf(from->yaw_rad) * cosf(from->pitch_rad);
  out[1] = -sinf(from->pitch_rad);
  out[2] = -cosf(from->yaw_rad) * cosf(from->pitch_rad);
}

static void camera_up(const camera *from, float out[3]) {
  out[0] = -sinf(from->yaw_rad) * sinf(from->pitch_rad);
  out[1] = cosf(from->pitch_rad);
  out[2] = -cosf(from->yaw_rad) * sinf(from->pitch_rad);
}

static camera camera_at(camera_side side) {
  static const float angles[][2] = {{0.52f, 0.22f},       {0, 0.06f}, {3.14159265f, 0.06f}, {1.5707963f, 0.06f},
                                    {-1.5707963f, 0.06f}, {0, 1.5f},  {0.52f, 0.22f}};
  return (camera){.yaw_rad = angles[side][0], .pitch_rad = angles[side][1], .tan_half_fov_y = 0.26f};
}

view_axes camera_axes(camera_side side) {
  const camera from = camera_at(side);
  view_axes axes = {{{0}}};
  float forward[3];
  camera_forward(&from, forward);
  camera_up(&from, axes.rows[1]);
  vec_cross(forward, axes.rows[1], axes.rows[0]);
  for (int i = 0; i < 3; i++) axes.rows[2][i] = -forward[i];
  return axes;
}

/// The distance from which all corners are inside the picture: the nearest side decides.
static float camera_fit(const camera *from, const view_box *box, float aspect) {
  const float half_width = 0.5f * (box->max[0] - box->min[0]), half_height = 0.5f * (box->max[1] - box->min[1]);
  const float half_depth = 0.5f * (box->max[2] - box->min[2]);
  return half_depth + fmaxf(half_height, half_width / aspect) / from->tan_half_fov_y;
}

camera camera_for_box(const view_box *box, camera_side side, float aspect) {
  const view_box whole = box_is_empty(box) ? (view_box){{-1, -1, -1}, {1, 1, 1}} : *box;
  const view_axes axes = camera_axes(side);
  camera out = camera_at(side);
  float centre[3];
  box_centre(&whole, centre);
  axes_to_world(&axes, centre, out.target);
  out.scene_radius_m = fmaxf(box_radius(&whole), 1e-6f);
  out.distance_m = fmaxf(camera_fit(&out, &whole, aspect) * 1.06f, out.scene_radius_m * 0.1f);
  return out;
}

camera_view camera_look(const camera *from, float aspect) {
  camera_view out;
  float forward[3], up[3];
  camera_forward(from, forward);
  camera_up(from, up);
  for (int i = 0; i < 3; i++) out.eye[i] = from->target[i] - forward[i] * from->distance_m;
  const float reach = from->scene_radius_m * 4;
  const float far_m = from->distance_m + reach, near_m = fmaxf(from->distance_m - reach, far_m * 0.002f);
  const view_matrix view = matrix_look(out.eye, forward, up);
  const view_matrix projection = matrix_perspective(from->tan_half_fov_y, aspect, near_m, far_m);
  matrix_multiply(&projection, &view, &out.clip_from_world);
  return out;
}

void camera_orbit(camera *moved, float yaw_rad, float pitch_rad) {
  moved->yaw_rad += yaw_rad;
  moved->pitch_rad = fminf(fmaxf(moved->pitch_rad + pitch_rad, -PITCH_MOST), PITCH_MOST);
}

void camera_pan(camera *moved, float right, float up) {
  float forward[3], top[3], side[3];
  const float height = 2 * moved->tan_half_fov_y * moved->distance_m;
  camera_forward(moved, forward);
  camera_up(moved, top);
  vec_cross(forward, top, side);
  for (int i = 0; i < 3; i++) moved->target[i] += (side[i] * right + top[i] * up) * height;
}

void camera_zoom(camera *moved, float factor) {
  moved->distance_m =
      fminf(fmaxf(moved->distance_m * factor, moved->scene_radius_m * 0.02f), moved->scene_radius_m * 50);
}
