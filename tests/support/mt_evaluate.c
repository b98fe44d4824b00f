#include "tests/support/mt_evaluate.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// 3 rows of 4.
typedef struct matrix {
  double m[12];
} matrix;

static void *must_have(void *memory) {
  if (memory != NULL) return memory;
  fprintf(stderr, "mt_evaluate: out of memory\n");
  exit(1);
}

// -- Curves -----------------------------------------------------------------------------------------------------------

static void blend_rotation(const float *a, const float *b, double t, double *out) {
  double dot = 0, sign = 1;
  for (int i = 0; i < 4; i++) dot += (double)a[i] * b[i];
  if (dot < 0) sign = -1;
  dot = fmin(fabs(dot), 1);
  const double angle = acos(dot);
  const double wa = angle < 1e-6 ? 1 - t : sin((1 - t) * angle) / sin(angle);
  const double wb = angle < 1e-6 ? t : sin(t * angle) / sin(angle);
  for (int i = 0; i < 4; i++) out[i] = wa * a[i] + sign * wb * b[i];
}

/// Between two cubic keys (tangent in, value, tangent out), by glTF's formula; rotations are made unit length.
static void blend_cubic(const cook_track *track, uint32_t k, double t, double *out) {
  const uint32_t width = track->width;
  const float *a = track->values + (size_t)k * 3 * width, *b = a + 3 * (size_t)width;
  const double span = (double)track->times[k + 1] - track->times[k], t2 = t * t, t3 = t2 * t;
  double sum = 0;
  for (uint32_t i = 0; i < width; i++) {
    out[i] = (2 * t3 - 3 * t2 + 1) * a[width + i] + span * (t3 - 2 * t2 + t) * a[2 * width + i] +
             (3 * t2 - 2 * t3) * b[width + i] + span * (t3 - t2) * b[i];
    sum += out[i] * out[i];
  }
  for (uint32_t i = 0; i < width && track->path == MPAK_PATH_ROTATION; i++) out[i] /= sqrt(sum);
}

static void sample(const cook_track *track, double time, double *out) {
  const uint32_t last = track->key_count - 1, width = track->width;
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  const uint32_t stride = is_cubic ? 3 * width : width, first = is_cubic ? width : 0;
  uint32_t k = 0;
  while (k < last && track->times[k + 1] <= time) k++;
  double t = k == last || time <= track->times[k]
                 ? 0
                 : (time - track->times[k]) / ((double)track->times[k + 1] - track->times[k]);
  if (track->interpolation == MPAK_STEP) t = 0;
  if (is_cubic && t > 0) {
    blend_cubic(track, k, t, out);
    return;
  }
  const float *a = track->values + (size_t)k * stride + first, *b = k == last ? a : a + stride;
  if (track->path == MPAK_PATH_ROTATION)
    blend_rotation(a, b, t, out);
  else
    for (uint32_t i = 0; i < width; i++) out[i] = a[i] + t * ((double)b[i] - a[i]);
}

static const cook_track *find_track(const cook_scene *scene, uint32_t clip, uint32_t node, mpak_track_path path) {
  if (clip == MPAK_NONE) return NULL;
  const cook_track *found = NULL;
  for (uint32_t c = clip == MT_ALL_CLIPS ? 0 : clip; c < (clip == MT_ALL_CLIPS ? scene->clip_count : clip + 1); c++)
    for (uint32_t i = 0; i < scene->clips[c].track_count; i++) {
      const cook_track *track = &scene->clips[c].tracks[i];
      if (track->node == node && track->path == path && track->key_count != 0) found = track;
    }
  return found;
}

// -- Transforms -------------------------------------------------------------------------------------------------------

static matrix multiply(const matrix *a, const matrix *b) {
  matrix c;
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 4; k++) {
      c.m[4 * r + k] = k == 3 ? a->m[4 * r + 3] : 0;
      for (int i = 0; i < 3; i++) c.m[4 * r + k] += a->m[4 * r + i] * b->m[4 * i + k];
    }
  return c;
}

static matrix compose(const double *t, const double *q, const double *s) {
  const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
  return (matrix){{s[0] * (1 - 2 * (y * y + z * z)), s[1] * 2 * (x * y - z * w), s[2] * 2 * (x * z + y * w), t[0],
                   s[0] * 2 * (x * y + z * w), s[1] * (1 - 2 * (x * x + z * z)), s[2] * 2 * (y * z - x * w), t[1],
                   s[0] * 2 * (x * z - y * w), s[1] * 2 * (y * z + x * w), s[2] * (1 - 2 * (x * x + y * y)), t[2]}};
}

static matrix local_of(const cook_scene *scene, uint32_t clip, double time, uint32_t index) {
  const cook_node *node = &scene->nodes[index];
  const cook_track *track[3];
  for (int path = 0; path < 3; path++) track[path] = find_track(scene, clip, index, (mpak_track_path)path);
  if (node->is_matrix && track[0] == NULL && track[1] == NULL && track[2] == NULL) {
    matrix kept;
    for (int i = 0; i < 12; i++) kept.m[i] = node->matrix[i];
    return kept;
  }
  double t[3], q[4], s[3];
  for (int i = 0; i < 3; i++) t[i] = node->translation[i];
  for (int i = 0; i < 4; i++) q[i] = node->rotation[i];
  for (int i = 0; i < 3; i++) s[i] = node->scale[i];
  if (track[0] != NULL) sample(track[0], time, t);
  if (track[1] != NULL) sample(track[1], time, q);
  if (track[2] != NULL) sample(track[2], time, s);
  return compose(t, q, s);
}

static matrix world_of(const cook_scene *scene, uint32_t clip, double time, uint32_t node) {
  matrix world = local_of(scene, clip, time, node);
  for (uint32_t parent = scene->nodes[node].parent; parent != MPAK_NONE; parent = scene->nodes[parent].parent) {
    const matrix local = local_of(scene, clip, time, parent);
    world = multiply(&local, &world);
  }
  return world;
}

static void transform(const matrix *a, const double *p, double weight, double *sum) {
  for (int r = 0; r < 3; r++)
    sum[r] += weight * (a->m[4 * r] * p[0] + a->m[4 * r + 1] * p[1] + a->m[4 * r + 2] * p[2] + a->m[4 * r + 3]);
}

// -- Vertices ---------------------------------------------------------------------------------------------------------

static double *weights_at(const cook_scene *scene, uint32_t clip, double time, uint32_t node) {
  const cook_mesh *mesh = &scene->meshes[scene->nodes[node].mesh];
  double *weights = must_have(calloc(mesh->control_count + 1u, sizeof *weights));
  for (uint32_t t = 0; t < mesh->control_count; t++) {
    if (scene->nodes[node].weights != NULL && t < scene->nodes[node].weight_count)
      weights[t] = scene->nodes[node].weights[t];
    else if (mesh->default_weights != NULL)
      weights[t] = mesh->default_weights[t];
  }
  const cook_track *track = find_track(scene, clip, node, MPAK_PATH_WEIGHTS);
  if (track != NULL) sample(track, time, weights);
  return weights;
}

static matrix *palette_at(const cook_scene *scene, uint32_t clip, double time, const cook_skin *skin) {
  matrix *palette = must_have(calloc(skin->joint_count + 1u, sizeof *palette));
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    matrix inverse_bind;
    for (int i = 0; i < 12; i++) inverse_bind.m[i] = skin->inverse_binds[j][i];
    const matrix world = world_of(scene, clip, time, skin->joints[j]);
    palette[j] = multiply(&world, &inverse_bind);
  }
  return palette;
}

static void morph(const cook_primitive *primitive, const double *weights, uint32_t v, double p[3]) {
  for (int i = 0; i < 3; i++) p[i] = primitive->positions[v][i];
  for (uint32_t t = 0; t < primitive->target_count; t++)
    for (int i = 0; i < 3 && primitive->targets[t].position_deltas != NULL; i++)
      p[i] += weights[t] * primitive->targets[t].position_deltas[v][i];
}

static void skin_vertex(const cook_primitive *primitive, const matrix *palette, uint32_t v, const double p[3],
                        double out[3]) {
  double sum = 0, moved[3] = {0, 0, 0};
  for (uint32_t i = 0; i < primitive->influence_count; i++) {
    const size_t slot = (size_t)v * primitive->influence_count + i;
    if (primitive->weights[slot] == 0) continue;
    transform(&palette[primitive->joints[slot]], p, primitive->weights[slot], moved);
    sum += primitive->weights[slot];
  }
  for (int i = 0; i < 3; i++) out[i] = moved[i] / sum;
}

double (*mt_evaluate(const cook_scene *scene, uint32_t clip, double time_s, uint32_t node, uint32_t primitive))[3] {
  const cook_primitive *source = &scene->meshes[scene->nodes[node].mesh].primitives[primitive];
  double(*out)[3] = must_have(calloc(source->vertex_count + 1u, sizeof *out));
  double *weights = weights_at(scene, clip, time_s, node);
  const uint32_t skin = source->influence_count != 0 ? scene->nodes[node].skin : MPAK_NONE;
  matrix *palette = skin == MPAK_NONE ? NULL : palette_at(scene, clip, time_s, &scene->skins[skin]);
  const matrix world = world_of(scene, clip, time_s, node);
  for (uint32_t v = 0; v < source->vertex_count; v++) {
    double p[3];
    morph(source, weights, v, p);
    if (palette != NULL)
      skin_vertex(source, palette, v, p, out[v]);
    else
      transform(&world, p, 1, out[v]);
  }
  free(palette);
  free(weights);
  return out;
}

uint32_t mt_find_node(const cook_scene *scene, const char *name) {
  for (uint32_t i = 0; i < scene->node_count; i++)
    if (scene->nodes[i].mesh != MPAK_NONE && scene->nodes[i].name != NULL && strcmp(scene->nodes[i].name, name) == 0)
      return i;
  return MPAK_NONE;
}

// -- Sets of points ---------------------------------------------------------------------------------------------------

static double farthest(const double (*from)[3], uint64_t from_count, const double (*to)[3], uint64_t to_count) {
  double worst = 0;
  for (uint64_t a = 0; a < from_count; a++) {
    double nearest = 1e300;
    for (uint64_t b = 0; b < to_count; b++) {
      const double x = from[a][0] - to[b][0], y = from[a][1] - to[b][1], z = from[a][2] - to[b][2];
      const double distance = x * x + y * y + z * z;
      if (distance < nearest) nearest = distance;
    }
    if (!(nearest <= worst)) worst = nearest;
  }
  return sqrt(worst);
}

double mt_set_distance(const double (*points)[3], uint64_t point_count, const double (*reference)[3],
                       uint64_t reference_count) {
  double size = 0;
  for (int i = 0; i < 3; i++) {
    double low = 1e300, high = -1e300;
    for (uint64_t p = 0; p < reference_count; p++) {
      low = fmin(low, reference[p][i]);
      high = fmax(high, reference[p][i]);
    }
    size = fmax(size, high - low);
  }
  const double there = farthest(points, point_count, reference, reference_count);
  const double back = farthest(reference, reference_count, points, point_count);
  return fmax(there, back) / size;
}

// -- Blender's word ---------------------------------------------------------------------------------------------------

static double (*points_of(const json_t *list))[3] {
  double(*points)[3] = must_have(calloc(json_array_size(list) + 1, sizeof *points));
  for (size_t i = 0; i < json_array_size(list); i++)
    for (size_t k = 0; k < 3; k++) points[i][k] = json_number_value(json_array_get(json_array_get(list, i), k));
  return points;
}

/// Vertices that a triangle uses, of all primitives of a node.
static double (*points_of_node(const cook_scene *scene, uint32_t clip, double time, uint32_t node,
                               uint64_t *count))[3] {
  const cook_mesh *mesh = &scene->meshes[scene->nodes[node].mesh];
  uint64_t most = 0;
  for (uint32_t p = 0; p < mesh->primitive_count; p++) most += mesh->primitives[p].vertex_count;
  double(*points)[3] = must_have(calloc(most + 1, sizeof *points));
  *count = 0;
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    double(*moved)[3] = mt_evaluate(scene, clip, time, node, p);
    memcpy(points + *count, moved, mesh->primitives[p].vertex_count * sizeof *points);
    *count += mesh->primitives[p].vertex_count;
    free(moved);
  }
  return points;
}

static double compare_object(const cook_scene *scene, const char *name, const json_t *object, double time) {
  const uint32_t node = mt_find_node(scene, name);
  if (node == MPAK_NONE) return 1e9;
  const json_t *list = json_object_get(object, "positions");
  double(*reference)[3] = points_of(list);
  uint64_t count;
  double(*points)[3] = points_of_node(scene, MT_ALL_CLIPS, time, node, &count);
  const double distance =
      mt_set_distance((const double(*)[3])points, count, (const double(*)[3])reference, json_array_size(list));
  free(points);
  free(reference);
  return distance;
}

double mt_compare_oracle(const cook_scene *scene, const char *oracle_path, double frame_offset, uint32_t *compared) {
  *compared = 0;
  json_t *oracle = json_load_file(oracle_path, 0, NULL);
  if (oracle == NULL) return 1e9;
  const double fps = json_number_value(json_object_get(oracle, "fps"));
  double worst = 0;
  const char *frame, *name;
  json_t *objects, *object;
  json_object_foreach(json_object_get(oracle, "frames"), frame, objects) json_object_foreach(objects, name, object) {
    worst = fmax(worst, compare_object(scene, name, object, (atof(frame) - frame_offset) / fps));
    ++*compared;
  }
  json_decref(oracle);
  return worst;
}
