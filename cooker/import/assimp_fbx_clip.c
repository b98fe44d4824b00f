#include <math.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"

#define TICKS_PER_SECOND 46186158000.0 ///< of FBX time

// -- Which stack
// ---------------------------------------------------------------------------------------------------------------

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

// -- What it moves
// -------------------------------------------------------------------------------------------------------------

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

/// A curve node moves the object whose property it is connected to.
static void mark_target(const fbx_facts *facts, uint32_t curve_node, assimp_fbx_clip *clip) {
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, curve_node, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (links[i].parent == FBX_NONE || links[i].property[0] == 0) continue;
    const fbx_kind kind = facts->objects[links[i].parent].kind;
    if (kind == FBX_MODEL && is_transform_property(links[i].property)) clip->moves_node[links[i].parent] = true;
    if (kind == FBX_BLEND_CHANNEL) clip->moves_shapes[links[i].parent] = true;
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
      if (facts->objects[links[i].child].kind == FBX_CURVE_NODE) mark_target(facts, links[i].child, clip);
  }
  mark_models_of_shapes(facts, clip->moves_shapes);
}

// -- When it begins
// ------------------------------------------------------------------------------------------------------------

static void read_range(const fbx_facts *facts, uint32_t stack, assimp_fbx_clip *clip) {
  double start = 0.0, stop = 0.0;
  fbx_number(facts, stack, "LocalStart", &start);
  fbx_number(facts, stack, "LocalStop", &stop);
  clip->has_range = start != 0.0 || stop != 0.0;
  clip->start_s = start / TICKS_PER_SECOND;
  clip->stop_s = stop / TICKS_PER_SECOND;
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
