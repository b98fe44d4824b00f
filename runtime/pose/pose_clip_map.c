/// pose_clip_map.c: clips of one pack for poses of another: who is who, by name (SPEC.md, "Clip packs").
#include "format/name_match.h"
#include "runtime/pose/pose_private.h"

// -- Names -----------------------------------------------------------------------------------------------------------

static const char *map_node_name(const void *user, uint32_t i) {
  const mpak_pack *pack = user;
  return mpak_string(pack, pack->nodes[i].name);
}

static uint32_t map_node_parent(const void *user, uint32_t i) { return ((const mpak_pack *)user)->nodes[i].parent; }

/// The controls of one mesh.
typedef struct map_controls {
  const mpak_pack *pack;
  uint32_t first;
} map_controls;

static const char *map_control_name(const void *user, uint32_t i) {
  const map_controls *controls = user;
  return mpak_string(controls->pack, controls->pack->controls[controls->first + i].name);
}

// -- Memory ----------------------------------------------------------------------------------------------------------

static uint32_t map_most_controls(const mpak_pack *pack) {
  uint32_t most = 0;
  for (uint32_t m = 0; m < pack->mesh_count; ++m) {
    if (pack->meshes[m].control_count > most) most = pack->meshes[m].control_count;
  }
  return most;
}

/// Cuts the memory; scratch and is_animated are needed only while the map is made.
static uint64_t map_layout(const mpak_pack *clip_pack, const mpak_pack *pack, void *memory, mpak_clip_map *map,
                           uint32_t **scratch, uint8_t **is_animated) {
  carve block = {.memory = memory};
  uint64_t node_words = name_match_scratch_words(clip_pack->node_count, pack->node_count);
  uint64_t control_words = name_match_scratch_words(map_most_controls(clip_pack), map_most_controls(pack));
  map->node_of = carve_take(&block, clip_pack->node_count, sizeof *map->node_of);
  map->instance_of = carve_take(&block, clip_pack->instance_count, sizeof *map->instance_of);
  map->first_control = carve_take(&block, clip_pack->instance_count, sizeof *map->first_control);
  map->control_of = carve_take(&block, pose_weight_total(clip_pack), sizeof *map->control_of);
  map->animates_weights = carve_take(&block, pack->instance_count, 1);
  *is_animated = carve_take(&block, clip_pack->node_count, 1);
  *scratch = carve_take(&block, node_words > control_words ? node_words : control_words, sizeof **scratch);
  return block.used;
}

uint64_t mpak_clip_map_bytes(const mpak_pack *clip_pack, const mpak_pack *pack) {
  mpak_clip_map unused = {0};
  uint32_t *scratch;
  uint8_t *is_animated;
  return map_layout(clip_pack, pack, NULL, &unused, &scratch, &is_animated);
}

// -- Making ----------------------------------------------------------------------------------------------------------

static void map_match_nodes(mpak_clip_map *map, uint32_t *scratch) {
  const name_match_side from = {map->clip_pack->node_count, map->clip_pack, map_node_name, map_node_parent};
  const name_match_side to = {map->pack->node_count, map->pack, map_node_name, map_node_parent};
  name_match_nodes(&from, &to, scratch, map->node_of);
  for (uint32_t n = 0; n < from.count; ++n) {
    if (map->node_of[n] == NAME_MATCH_AMBIGUOUS) map->node_of[n] = MPAK_NONE;
  }
}

static void map_match_controls(mpak_clip_map *map, uint32_t instance, uint32_t *scratch) {
  const mpak_mesh *source = pose_mesh_of(map->clip_pack, instance);
  uint32_t *control_of = map->control_of + map->first_control[instance];
  uint32_t target = map->instance_of[instance];
  if (target == MPAK_NONE) {
    for (uint32_t c = 0; c < source->control_count; ++c) control_of[c] = MPAK_NONE;
    return;
  }
  const mpak_mesh *mesh = pose_mesh_of(map->pack, target);
  const map_controls from = {map->clip_pack, source->first_control}, to = {map->pack, mesh->first_control};
  name_match_list(&(name_match_side){source->control_count, &from, map_control_name, NULL},
                  &(name_match_side){mesh->control_count, &to, map_control_name, NULL}, scratch, control_of);
}

static void map_match_instances(mpak_clip_map *map, uint32_t *scratch) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < map->clip_pack->instance_count; ++i) {
    map->first_control[i] = next;
    next += pose_mesh_of(map->clip_pack, i)->control_count;
    uint32_t node = map->node_of[map->clip_pack->instances[i].node];
    map->instance_of[i] = node == MPAK_NONE ? MPAK_NONE : mpak_find_instance(map->pack, node);
    map_match_controls(map, i, scratch);
  }
}

// -- Counting what is animated ---------------------------------------------------------------------------------------

enum { MAP_MOVES_NODE = 1, MAP_MOVES_WEIGHTS = 2 };

static void map_count_controls(mpak_clip_map *map, uint32_t node) {
  uint32_t instance = mpak_find_instance(map->clip_pack, node);
  if (instance == MPAK_NONE) return;
  const uint32_t *control_of = map->control_of + map->first_control[instance];
  for (uint32_t c = 0; c < pose_mesh_of(map->clip_pack, instance)->control_count; ++c) {
    map->control_count++;
    if (control_of[c] == MPAK_NONE) map->missing_control_count++;
  }
  if (map->instance_of[instance] != MPAK_NONE) map->animates_weights[map->instance_of[instance]] = 1;
}

static void map_count(mpak_clip_map *map, uint8_t *is_animated) {
  const mpak_pack *pack = map->clip_pack;
  for (uint32_t t = 0; t < pack->track_count; ++t) {
    uint8_t what = pack->tracks[t].path == MPAK_PATH_WEIGHTS ? MAP_MOVES_WEIGHTS : MAP_MOVES_NODE;
    is_animated[pack->tracks[t].node] |= what;
  }
  for (uint32_t c = 0; c < pack->clip_count; ++c) {
    pose_mark_block(pack, &map->clips, &pack->clips[c], MAP_MOVES_NODE, MAP_MOVES_WEIGHTS, is_animated);
  }
  for (uint32_t n = 0; n < pack->node_count; ++n) {
    if (is_animated[n] & MAP_MOVES_WEIGHTS) map_count_controls(map, n);
    if (!(is_animated[n] & MAP_MOVES_NODE)) continue;
    map->node_count++;
    if (map->node_of[n] == MPAK_NONE) map->missing_node_count++;
  }
}

mpak_result mpak_clip_map_init(const mpak_pack *clip_pack, const mpak_clips *clips, const mpak_pack *pack, void *memory,
                               uint64_t memory_bytes, mpak_clip_map *map) {
  *map = (mpak_clip_map){0};
  if (clip_pack->clip_count > 0 && !clips) return MPAK_ERROR_ARGUMENT;
  mpak_result result = pose_check_memory(clip_pack, memory, memory_bytes, mpak_clip_map_bytes(clip_pack, pack));
  if (result != MPAK_OK) return result;
  uint32_t *scratch;
  uint8_t *is_animated;
  map_layout(clip_pack, pack, memory, map, &scratch, &is_animated);
  map->clip_pack = clip_pack;
  map->pack = pack;
  if (clips) map->clips = *clips;
  map_match_nodes(map, scratch);
  map_match_instances(map, scratch);
  map_count(map, is_animated);
  return MPAK_OK;
}

// -- Sampling --------------------------------------------------------------------------------------------------------

static void map_sample_track(mpak_pose *pose, const mpak_clip_map *map, const mpak_track *track, double time_s) {
  pose_track_target target = {.node = map->node_of[track->node], .instance = MPAK_NONE};
  if (target.node == MPAK_NONE) return;
  if (track->path == MPAK_PATH_WEIGHTS) {
    uint32_t instance = mpak_find_instance(map->clip_pack, track->node);
    if (instance == MPAK_NONE) return;
    target.instance = map->instance_of[instance];
    target.control_of = map->control_of + map->first_control[instance];
  }
  pose_sample_track(pose, &map->clips, track, time_s, &target);
}

void mpak_pose_sample_mapped(mpak_pose *pose, const mpak_clip_map *map, uint32_t clip, double time_s) {
  const mpak_clip *record = &map->clip_pack->clips[clip];
  double time = time_s == time_s ? time_s : record->start_s;
  pose_sample_block(pose, map, map->clip_pack, &map->clips, record, time);
  for (uint32_t t = 0; t < record->track_count; ++t) {
    map_sample_track(pose, map, &map->clip_pack->tracks[record->first_track + t], time);
  }
  mpak_pose_changed(pose);
}
