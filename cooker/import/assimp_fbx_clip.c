#include <string.h>

#include "cooker/import/assimp_fbx_tracks.h"

// -- Which stack ------------------------------------------------------------------------------------------------------

static bool is_same_text(const struct aiString *text, const char *name) { return strcmp(text->data, name) == 0; }

/// How many clips before this one have its name.
static uint32_t namesakes_before(const assimp_maker *maker, uint32_t clip) {
  const struct aiString *name = &maker->source->mAnimations[clip]->mName;
  uint32_t count = 0;
  for (uint32_t i = 0; i < clip; i++)
    if (maker->source->mAnimations[i] != NULL) count += is_same_text(name, maker->source->mAnimations[i]->mName.data);
  return count;
}

/// The n-th stack of this name, in file order.
static uint32_t find_stack(const fbx_facts *facts, const struct aiString *name, uint32_t n) {
  uint32_t previous = FBX_NONE;
  for (uint32_t round = 0; round <= n; round++) {
    uint32_t next = FBX_NONE; // the first one behind previous
    for (uint32_t i = 0; i < facts->object_count; i++) {
      const fbx_object *object = &facts->objects[i];
      if (object->kind != FBX_STACK || !is_same_text(name, object->name)) continue;
      if (previous != FBX_NONE && object->record <= facts->objects[previous].record) continue;
      if (next == FBX_NONE || object->record < facts->objects[next].record) next = i;
    }
    if (next == FBX_NONE) return FBX_NONE;
    previous = next;
  }
  return previous;
}

// -- What it moves ----------------------------------------------------------------------------------------------------

static bool is_transform_property(const char *property) {
  static const char *const parts[] = {"Lcl ", "Rotation", "PreRotation", "PostRotation", "Scaling", "Geometric"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strncmp(property, parts[i], strlen(parts[i])) == 0) return true;
  return false;
}

/// Marks all parents of this kind.
static void mark_parents(const fbx_facts *facts, uint32_t child, fbx_kind kind, bool *marked) {
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, child, &count);
  for (uint32_t i = 0; i < count; i++)
    if (links[i].parent != FBX_NONE && facts->objects[links[i].parent].kind == kind) marked[links[i].parent] = true;
}

/// A curve node moves the object whose property it is connected to. Returns whether that is something we read.
static bool mark_target(const fbx_facts *facts, uint32_t curve_node, assimp_fbx_clip *clip) {
  uint32_t count;
  bool is_read = false;
  const fbx_link *links = fbx_links_to(facts, curve_node, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (links[i].parent == FBX_NONE || links[i].property[0] == 0) continue;
    const fbx_kind kind = facts->objects[links[i].parent].kind;
    const bool is_node = kind == FBX_MODEL && is_transform_property(links[i].property);
    if (is_node) clip->moves_node[links[i].parent] = true;
    if (kind == FBX_BLEND_CHANNEL) clip->moves_shapes[links[i].parent] = true;
    is_read = is_read || is_node || kind == FBX_BLEND_CHANNEL;
  }
  return is_read;
}

/// The n-th curve of a curve node; curves are connected to its components, "d|X".
static uint32_t nth_curve(const fbx_facts *facts, uint32_t curve_node, uint32_t n) {
  uint32_t count;
  const fbx_link *links = fbx_links_of(facts, curve_node, &count);
  for (uint32_t i = 0; i < count; i++)
    if (facts->objects[links[i].child].kind == FBX_CURVE && n-- == 0) return links[i].child;
  return FBX_NONE;
}

/// What the curves of one curve node add to the clip's facts.
static void look_at_curves(const fbx_facts *facts, uint32_t curve_node, assimp_fbx_clip *clip) {
  for (uint32_t n = 0;; n++) {
    const uint32_t curve = nth_curve(facts, curve_node, n);
    if (curve == FBX_NONE) return;
    uint32_t count;
    const cook_mark mark = job_mark(facts->records->job);
    const double *times = fbx_child_array(facts, curve, "KeyTime", &count);
    if (count != 0 && (!clip->has_keys || times[0] / FBX_TICKS_PER_SECOND < clip->earliest_key_s))
      clip->earliest_key_s = times[0] / FBX_TICKS_PER_SECOND;
    if (count != 0 && (!clip->has_keys || times[count - 1] / FBX_TICKS_PER_SECOND > clip->latest_key_s))
      clip->latest_key_s = times[count - 1] / FBX_TICKS_PER_SECOND;
    clip->has_keys = clip->has_keys || count != 0;
    job_release(facts->records->job, mark);
  }
}

/// From channels up to the models that show their meshes.
static void mark_models_of_shapes(const fbx_facts *facts, bool *marked) {
  static const fbx_kind way[] = {FBX_BLEND_CHANNEL, FBX_BLEND_SHAPE, FBX_MESH, FBX_MODEL};
  for (size_t step = 0; step + 1 < sizeof way / sizeof *way; step++)
    for (uint32_t i = 0; i < facts->object_count; i++)
      if (marked[i] && facts->objects[i].kind == way[step]) mark_parents(facts, i, way[step + 1], marked);
}

static void mark_stack(const fbx_facts *facts, uint32_t stack, assimp_fbx_clip *clip) {
  for (uint32_t l = 0;; l++) {
    const uint32_t layer = fbx_child_of_kind(facts, stack, FBX_LAYER, l);
    if (layer == FBX_NONE) break;
    uint32_t count;
    const fbx_link *links = fbx_links_of(facts, layer, &count);
    for (uint32_t i = 0; i < count; i++)
      if (facts->objects[links[i].child].kind == FBX_CURVE_NODE && mark_target(facts, links[i].child, clip))
        look_at_curves(facts, links[i].child, clip);
  }
  mark_models_of_shapes(facts, clip->moves_shapes);
}

// -- When it begins ---------------------------------------------------------------------------------------------------

/// The start of the take of this name, in the section that older programs write.
static bool read_take_start(const fbx_facts *facts, const char *name, double *start_s) {
  const fbx_records *records = facts->records;
  const uint32_t takes = fbx_child(records, FBX_NONE, "Takes", FBX_NONE);
  if (takes == FBX_NONE) return false;
  for (uint32_t t = fbx_child(records, takes, "Take", FBX_NONE); t != FBX_NONE;
       t = fbx_child(records, takes, "Take", t)) {
    const fbx_value start = fbx_value_at(records, fbx_child(records, t, "LocalTime", FBX_NONE), 0);
    if (!fbx_is_text(fbx_value_at(records, t, 0), name) || start.kind != FBX_VALUE_INTEGER) continue;
    *start_s = start.number / FBX_TICKS_PER_SECOND;
    return true;
  }
  return false;
}

/// Assimp counts from LocalStart, or from the first key where a stack states neither start nor stop; then the take's
/// start, if there is one, says how far behind 0 that key is.
static void read_range(const fbx_facts *facts, uint32_t stack, assimp_fbx_clip *clip) {
  double start = 0.0, stop = 0.0, take_start_s;
  fbx_number(facts, stack, "LocalStart", &start);
  fbx_number(facts, stack, "LocalStop", &stop);
  clip->has_range = start != 0.0 || stop != 0.0;
  clip->start_s = start / FBX_TICKS_PER_SECOND;
  clip->stop_s = stop / FBX_TICKS_PER_SECOND;
  if (!clip->has_range && clip->has_keys && read_take_start(facts, facts->objects[stack].name, &take_start_s))
    clip->first_key_s = clip->earliest_key_s - take_start_s;
}

assimp_fbx_clip assimp_fbx_find_clip(const assimp_maker *maker, uint32_t clip) {
  assimp_fbx_clip found = {0};
  const fbx_facts *facts = maker->facts;
  if (facts == NULL) return found;
  const uint32_t stack = find_stack(facts, &maker->source->mAnimations[clip]->mName, namesakes_before(maker, clip));
  if (stack == FBX_NONE) return found;
  found.moves_node = JOB_ARRAY(maker->job, bool, facts->object_count);
  found.moves_shapes = JOB_ARRAY(maker->job, bool, facts->object_count);
  mark_stack(facts, stack, &found);
  read_range(facts, stack, &found);
  return found;
}

const fbx_take *assimp_fbx_find_take(const assimp_maker *maker, uint32_t clip) {
  if (maker->facts == NULL) return NULL;
  const uint32_t stack =
      find_stack(maker->facts, &maker->source->mAnimations[clip]->mName, namesakes_before(maker, clip));
  return stack == FBX_NONE ? NULL : fbx_take_read(maker->facts, stack);
}
