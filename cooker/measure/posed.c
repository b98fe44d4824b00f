// posed.c: see posed.h.
#include "cooker/measure/posed.h"

#include <math.h>

#include "cooker/measure/posed_side.h"
#include "cooker/pack/pack.h"
#include "cooker/quality.h"

#define POSED_VERTICES     600000u           ///< moved on each side, all poses together
#define DEGREES            57.29577951308232 ///< in a radian
#define POSED_SHORTEST_SUM 0.05              ///< of a normal and its deltas

// -- The source -------------------------------------------------------------------------------------------------------

struct measure_reference {
  const cook_scene *scene;
  posed_side side;
};

measure_reference *measure_reference_make(cook_job *job, cook_scene *scene, const cook_options *options) {
  measure_reference *reference = JOB_ARRAY(job, measure_reference, 1);
  const cook_options lossless = {.thread_count = options->thread_count, .compress = COOK_COMPRESS_LOAD};
  cook_product product = {0};
  pack_scene(job, scene, &lossless, &product);
  reference->scene = scene;
  posed_side_open(job, &product, &reference->side);
  return reference;
}

// -- Pairs of parts ---------------------------------------------------------------------------------------------------

/// Two outputs of one part and instance, and which vertices of the source became which.
typedef struct posed_pair {
  const mpak_character_output *source;
  const mpak_character_output *cooked;
  const uint32_t *starts;        ///< by cooked vertex, and one more: into sources
  const uint32_t *sources;       ///< source vertices
  const uint32_t *copies_starts; ///< by source vertex, and one more: into copies
  const uint32_t *copies;        ///< vertices of the reference that were made of it
  bool *has_missed_normal;       ///< by source vertex; NULL: nobody asks
} posed_pair;

/// The errors of one part of the finished pack.
typedef struct posed_part {
  cook_error position, normal;
} posed_part;

typedef struct posed_run {
  cook_job *job;
  const measure_reference *reference;
  posed_side side;
  posed_pair *pairs;
  uint32_t pair_count;
  posed_part *parts; ///< by part of the finished pack
  measure_posed *result;
  const cook_precision *precision;
} posed_run;

static const cook_primitive *pair_primitive(const cook_scene *scene, const mpak_part *part) {
  const cook_mesh *mesh = &scene->meshes[part->mesh];
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    const cook_primitive *primitive = &mesh->primitives[p];
    if (primitive->source_primitive == part->source_primitive && primitive->lod == part->lod) return primitive;
  }
  return NULL;
}

/// Lists by key: starts (key_count + 1) and the numbers of the items, ascending. key_of NULL: an item is its key.
static void pair_invert(cook_job *job, const uint32_t *key_of, uint32_t item_count, uint32_t key_count,
                        const uint32_t **starts_out, const uint32_t **items_out) {
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)key_count + 2), *items = JOB_ARRAY(job, uint32_t, item_count);
  for (uint32_t i = 0; i < item_count; i++) starts[(key_of != NULL ? key_of[i] : i) + 2]++;
  for (uint32_t k = 0; k < key_count; k++) starts[k + 2] += starts[k + 1];
  for (uint32_t i = 0; i < item_count; i++) items[starts[(key_of != NULL ? key_of[i] : i) + 1]++] = i;
  *starts_out = starts;
  *items_out = items;
}

static void pair_list_sources(cook_job *job, const cook_primitive *primitive, posed_pair *pair) {
  const uint32_t count = primitive->vertex_count;
  if (primitive->source_starts != NULL) {
    pair->starts = primitive->source_starts;
    pair->sources = primitive->sources;
    return;
  }
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)count + 1), *sources = JOB_ARRAY(job, uint32_t, count);
  for (uint32_t v = 0; v < count; v++) {
    starts[v + 1] = v + 1;
    sources[v] = primitive->source_of_vertex != NULL ? primitive->source_of_vertex[v] : v;
  }
  pair->starts = starts;
  pair->sources = sources;
}

static const mpak_character_output *pair_find(const posed_side *side, const mpak_part *part, uint32_t instance) {
  for (uint32_t i = 0; i < side->character->output_count; i++) {
    const mpak_character_output *output = &side->character->outputs[i];
    const mpak_part *other = &side->pack.parts[output->part];
    if (output->instance == instance && other->source_primitive == part->source_primitive && other->lod == part->lod)
      return output;
  }
  return NULL;
}

static void run_pair(posed_run *run, const cook_scene *cooked) {
  const mpak_character *character = run->side.character;
  run->pairs = JOB_ARRAY(run->job, posed_pair, character->output_count);
  for (uint32_t i = 0; i < character->output_count; i++) {
    posed_pair *pair = &run->pairs[run->pair_count];
    const mpak_part *part = &run->side.pack.parts[character->outputs[i].part];
    const cook_primitive *before = pair_primitive(run->reference->scene, part);
    const cook_primitive *after = pair_primitive(cooked, part);
    *pair = (posed_pair){.source = pair_find(&run->reference->side, part, character->outputs[i].instance),
                         .cooked = &character->outputs[i]};
    if (pair->source == NULL || before == NULL || after == NULL) continue;
    pair_list_sources(run->job, after, pair);
    pair->has_missed_normal = after->has_missed_normal;
    pair_invert(run->job, before->source_of_vertex, before->vertex_count, before->source_vertex_count,
                &pair->copies_starts, &pair->copies);
    run->pair_count++;
  }
}

// -- Comparing --------------------------------------------------------------------------------------------------------

static double posed_distance(const float *a, const float *b) {
  double sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    const double difference = (double)a[axis] - (double)b[axis];
    sum += difference * difference;
  }
  return sqrt(sum);
}

/// The angle between two unit vectors, from their chord; good to a thousandth up to a radian.
static double posed_angle(const float *a, const float *b) {
  const double chord = posed_distance(a, b);
  return chord * (1 + chord * chord / 24);
}

/// Length of the normal and its weighted deltas before it is normalised, on the source's side.
static double posed_sum_length(const posed_side *side, const mpak_character_output *output, uint32_t vertex) {
  const mpak_morph *morph = &output->data->morph;
  const mpak_morph_state *state = &side->character->morph_states.states[output - side->character->outputs];
  double sum[3] = {(double)output->data->base[vertex].normal[0], (double)output->data->base[vertex].normal[1],
                   (double)output->data->base[vertex].normal[2]};
  if (morph->payload != MPAK_PAYLOAD_P36 || morph->components < 6) return 1;
  uint32_t b = 0;
  while (vertex >= morph->blocks[b + 1].first_vertex) b++;
  const uint32_t lane = vertex - morph->blocks[b].first_vertex;
  for (uint32_t e = morph->blocks[b].first_entry; e < morph->blocks[b + 1].first_entry; e++) {
    const mpak_morph_entry *entry = &morph->entries[e];
    const uint64_t lanes = (uint64_t)entry->lanes_high << 32 | entry->lanes_low;
    if (!(lanes >> lane & 1)) continue;
    const uint32_t count = (uint32_t)__builtin_popcountll(lanes);
    const uint32_t rank = (uint32_t)__builtin_popcountll(lanes & (((uint64_t)1 << lane) - 1));
    const float *plane = (const float *)(const void *)(morph->payload_words + entry->payload_offset) + rank;
    for (int axis = 0; axis < 3; axis++)
      sum[axis] += (double)state->shape_weights[entry->shape] * (double)plane[(3 + axis) * (size_t)count];
  }
  return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

/// The largest side of the box of everything that an instance draws on the source's side; MPAK_NONE: that all draw.
static double posed_size(const posed_side *side, uint32_t instance, uint32_t lod) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
  for (uint32_t i = 0; i < side->character->output_count; i++) {
    const mpak_character_output *output = &side->character->outputs[i];
    const mpak_part *part = &side->pack.parts[output->part];
    if ((instance != MPAK_NONE && output->instance != instance) || part->lod != lod) continue;
    for (uint32_t v = 0; v < part->vertex_count; v++) {
      for (int axis = 0; axis < 3; axis++) {
        const double at = (double)output->vertices[v].position[axis];
        if (at < low[axis]) low[axis] = at;
        if (at > high[axis]) high[axis] = at;
      }
    }
  }
  for (int axis = 0; axis < 3; axis++)
    if (high[axis] - low[axis] > size) size = high[axis] - low[axis];
  return size;
}

/// A cooked vertex against the copies of one source vertex: the position of any, the normal that fits best (a vertex
/// with flat normals was split).
static void pair_compare_vertex(const posed_run *run, const posed_pair *pair, uint32_t vertex, uint32_t source,
                                double *distance, double *angle) {
  const mpak_base_vertex *cooked = &pair->cooked->vertices[vertex];
  double nearest = INFINITY, straightest = INFINITY;
  uint32_t best = MPAK_NONE;
  for (uint32_t i = pair->copies_starts[source]; i < pair->copies_starts[source + 1]; i++) {
    const mpak_base_vertex *copy = &pair->source->vertices[pair->copies[i]];
    const double apart = posed_distance(cooked->position, copy->position);
    const double turned = posed_angle(cooked->normal, copy->normal);
    if (apart < nearest) nearest = apart;
    if (turned < straightest) {
      straightest = turned;
      best = pair->copies[i];
    }
  }
  *distance = nearest;
  *angle = straightest;
  if (best != MPAK_NONE && straightest * DEGREES > run->precision->normal_bound_deg &&
      posed_sum_length(&run->reference->side, pair->source, best) < POSED_SHORTEST_SUM)
    *angle = 0;
}

static void run_compare_pair(posed_run *run, const posed_pair *pair, const posed_pose *pose, double size) {
  const mpak_part *part = &run->side.pack.parts[pair->cooked->part];
  posed_part *errors = &run->parts[pair->cooked->part];
  double largest = 0, largest_angle = 0;
  for (uint32_t v = 0; v < part->vertex_count; v++) {
    for (uint32_t i = pair->starts[v]; i < pair->starts[v + 1]; i++) {
      double distance, angle;
      pair_compare_vertex(run, pair, v, pair->sources[i], &distance, &angle);
      cook_error_add(&errors->position, distance);
      cook_error_add(&errors->normal, angle);
      if (!(distance <= largest)) largest = distance;
      if (!(angle <= largest_angle)) largest_angle = angle;
      if (pair->has_missed_normal != NULL && angle * DEGREES > run->precision->normal_bound_deg)
        pair->has_missed_normal[pair->sources[i]] = true;
    }
  }
  const double share = size > 0 ? largest / size : 0;
  if (share > run->result->largest_share) run->result->largest_share = share;
  const bool is_far = share > run->precision->position_bound;
  const bool is_turned = largest_angle * DEGREES > run->precision->normal_bound_deg;
  const bool plays = pose->clip != MPAK_NONE;
  if (is_far) (plays ? run->result->playing_misses : run->result->mesh_misses)[part->mesh] = true;
  if (is_turned) run->result->normal_misses[part->mesh] = true;
}

static void run_compare(posed_run *run, const posed_pose *pose, uint32_t lod) {
  posed_side_pose((posed_side *)&run->reference->side, pose, lod);
  posed_side_pose(&run->side, pose, lod);
  uint32_t instance = MPAK_NONE;
  const bool plays = pose->clip != MPAK_NONE; // a clip's error is the whole character's, of which a hat is a part
  double size = plays ? posed_size(&run->reference->side, MPAK_NONE, lod) : 0;
  for (uint32_t i = 0; i < run->pair_count; i++) {
    const posed_pair *pair = &run->pairs[i];
    if (run->side.pack.parts[pair->cooked->part].lod != lod) continue;
    if (!plays && pair->cooked->instance != instance)
      size = posed_size(&run->reference->side, pair->cooked->instance, lod);
    instance = pair->cooked->instance;
    run_compare_pair(run, pair, pose, size);
  }
}

// -- Results ----------------------------------------------------------------------------------------------------------

static void run_store(posed_run *run) {
  const uint32_t part_count = run->side.pack.part_count;
  mpak_measured_error *records = run->result->records;
  cook_error position = {0}, normal = {0};
  for (uint32_t p = 0; p < part_count; p++) {
    const posed_part *part = &run->parts[p];
    records[2 * p] = (mpak_measured_error){p, MPAK_STREAM_POSED_POSITION, (float)part->position.largest,
                                           cook_error_rms(&part->position)};
    records[2 * p + 1] =
        (mpak_measured_error){p, MPAK_STREAM_POSED_NORMAL, (float)part->normal.largest, cook_error_rms(&part->normal)};
    position.count += part->position.count;
    position.square_sum += part->position.square_sum;
    normal.count += part->normal.count;
    normal.square_sum += part->normal.square_sum;
    if (part->position.largest > run->result->largest_m) run->result->largest_m = part->position.largest;
    if (part->normal.largest > run->result->largest_normal_rad) run->result->largest_normal_rad = part->normal.largest;
  }
  run->result->rms_m = (double)cook_error_rms(&position);
  run->result->rms_normal_rad = (double)cook_error_rms(&normal);
  run->result->record_count = 2 * part_count;
}

static uint32_t posed_lod_count(const mpak_pack *pack) {
  uint32_t count = 1;
  for (uint32_t p = 0; p < pack->part_count; p++)
    if (pack->parts[p].lod >= count) count = pack->parts[p].lod + 1;
  return count;
}

void measure_posed_errors(cook_job *job, const measure_reference *reference, const cook_scene *cooked,
                          const cook_options *options, const cook_product *product, measure_posed *result) {
  posed_run run = {.job = job, .reference = reference, .result = result};
  run.precision = cook_precision_of(options->quality);
  *result = (measure_posed){.mesh_misses = JOB_ARRAY(job, bool, cooked->mesh_count),
                            .playing_misses = JOB_ARRAY(job, bool, cooked->mesh_count),
                            .normal_misses = JOB_ARRAY(job, bool, cooked->mesh_count)};
  uint64_t primitive_count = 0;
  for (uint32_t m = 0; m < cooked->mesh_count; m++) primitive_count += cooked->meshes[m].primitive_count;
  result->records = JOB_ARRAY(job, mpak_measured_error, 2 * primitive_count);
  const cook_mark mark = job_mark(job);
  posed_side_open(job, product, &run.side);
  run.parts = JOB_ARRAY(job, posed_part, run.side.pack.part_count);
  run_pair(&run, cooked);
  const posed_poses poses =
      posed_choose(job, &run.side.pack, posed_side_vertex_count(&reference->side), POSED_VERTICES);
  const uint32_t lod_count = posed_lod_count(&run.side.pack);
  for (uint32_t i = 0; i < poses.count; i++)
    for (uint32_t lod = 0; lod < lod_count; lod++) run_compare(&run, &poses.poses[i], lod);
  result->pose_count = poses.count;
  run_store(&run);
  job_release(job, mark);
}
