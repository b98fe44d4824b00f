// diff_scene.c: what both packs have by key, and their nodes, skins and materials.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/cli/diff.h"

void diff_add(diff_state *state, const diff_finding *finding) {
  if (state->finding_count == state->finding_capacity) {
    const uint64_t capacity = 2 * state->finding_capacity + 64;
    diff_finding *grown = JOB_ARRAY(state->job, diff_finding, capacity);
    for (uint64_t i = 0; i < state->finding_count; i++) grown[i] = state->findings[i];
    state->findings = grown;
    state->finding_capacity = capacity;
  }
  state->findings[state->finding_count++] = *finding;
}

const char *diff_join(cook_job *job, const char *before, const char *detail) {
  return before == NULL ? detail : job_format(job, "%s, %s", before, detail);
}

// -- By key ----------------------------------------------------------------------------------------------------------

typedef struct match_entry {
  const char *key;
  uint32_t number;
} match_entry;

static int match_compare(const void *left, const void *right) {
  const match_entry *a = left, *b = right;
  const int keys = strcmp(a->key, b->key);
  return keys != 0 ? keys : a->number < b->number ? -1 : a->number > b->number;
}

static match_entry *match_sort(diff_state *state, const mpak_pack *pack, uint32_t count, diff_key key) {
  match_entry *entries = JOB_ARRAY(state->job, match_entry, count);
  for (uint32_t i = 0; i < count; i++) entries[i] = (match_entry){key(pack, i), i};
  if (count > 1) qsort(entries, count, sizeof *entries, match_compare);
  return entries;
}

static void match_add(diff_state *state, const char *kind, diff_change change, const char *name) {
  diff_finding finding = DIFF_FINDING(kind, change);
  finding.name = name;
  diff_add(state, &finding);
}

uint32_t *diff_match(diff_state *state, const char *kind, uint32_t count_a, uint32_t count_b, diff_key key) {
  const match_entry *a = match_sort(state, state->sides[0].pack, count_a, key);
  const match_entry *b = match_sort(state, state->sides[1].pack, count_b, key);
  uint32_t *other = JOB_ARRAY(state->job, uint32_t, count_a);
  bool *is_taken = JOB_ARRAY(state->job, bool, count_b);
  for (uint32_t i = 0, j = 0; i < count_a; i++) {
    while (j < count_b && strcmp(b[j].key, a[i].key) < 0) j++;
    const bool is_there = j < count_b && strcmp(b[j].key, a[i].key) == 0;
    other[a[i].number] = is_there ? b[j].number : MPAK_NONE;
    if (is_there) is_taken[b[j++].number] = true;
  }
  for (uint32_t i = 0; i < count_a && kind != NULL; i++)
    if (other[i] == MPAK_NONE) match_add(state, kind, DIFF_REMOVED, key(state->sides[0].pack, i));
  for (uint32_t i = 0; i < count_b && kind != NULL; i++)
    if (!is_taken[i]) match_add(state, kind, DIFF_ADDED, key(state->sides[1].pack, i));
  return other;
}

// -- Nodes -----------------------------------------------------------------------------------------------------------

static const char *node_key(const mpak_pack *pack, uint32_t n) { return mpak_string(pack, pack->nodes[n].key); }

static const char *node_parent(const mpak_pack *pack, uint32_t n) {
  return pack->nodes[n].parent == MPAK_NONE ? "" : node_key(pack, pack->nodes[n].parent);
}

/// The mesh that a node draws, or "".
static const char *node_mesh(const mpak_pack *pack, uint32_t n) {
  const uint32_t instance = mpak_find_instance(pack, n);
  return instance == MPAK_NONE ? "" : mpak_string(pack, pack->meshes[pack->instances[instance].mesh].key);
}

static double node_distance(const mpak_node *a, const mpak_node *b) {
  const int step_a = (a->flags & MPAK_NODE_MATRIX) != 0 ? 4 : 1, step_b = (b->flags & MPAK_NODE_MATRIX) != 0 ? 4 : 1;
  const int first_a = step_a == 4 ? 3 : 0, first_b = step_b == 4 ? 3 : 0;
  double square = 0;
  for (int c = 0; c < 3; c++) {
    const double away = (double)a->rest[first_a + c * step_a] - (double)b->rest[first_b + c * step_b];
    square += away * away;
  }
  return sqrt(square);
}

static void scene_compare_node(diff_state *state, uint32_t a, uint32_t b) {
  const mpak_pack *packs[2] = {state->sides[0].pack, state->sides[1].pack};
  const mpak_node *nodes[2] = {&packs[0]->nodes[a], &packs[1]->nodes[b]};
  diff_finding finding = DIFF_FINDING("node", DIFF_CHANGED);
  finding.name = node_key(packs[0], a);
  if (strcmp(node_parent(packs[0], a), node_parent(packs[1], b)) != 0)
    finding.detail =
        job_format(state->job, "under \"%s\", now under \"%s\"", node_parent(packs[0], a), node_parent(packs[1], b));
  if (strcmp(node_mesh(packs[0], a), node_mesh(packs[1], b)) != 0)
    finding.detail =
        diff_join(state->job, finding.detail,
                  job_format(state->job, "draws \"%s\", now \"%s\"", node_mesh(packs[0], a), node_mesh(packs[1], b)));
  const double away_m = node_distance(nodes[0], nodes[1]);
  if (diff_is_moved(state, away_m)) {
    finding.largest_mm = 1000 * away_m;
  } else if (diff_has_other_floats(nodes[0]->rest, nodes[1]->rest, 12) && state->tolerance_mm == 0) {
    finding.detail = diff_join(state->job, finding.detail, "rotation or scale");
  }
  if (finding.detail != NULL || finding.largest_mm >= 0) diff_add(state, &finding);
}

// -- Skins and materials ---------------------------------------------------------------------------------------------

static const char *skin_key(const mpak_pack *pack, uint32_t s) { return mpak_string(pack, pack->skins[s].key); }

static void scene_compare_skin(diff_state *state, uint32_t a, uint32_t b) {
  const mpak_pack *packs[2] = {state->sides[0].pack, state->sides[1].pack};
  const mpak_skin *skins[2] = {&packs[0]->skins[a], &packs[1]->skins[b]};
  diff_finding finding = DIFF_FINDING("skin", DIFF_CHANGED);
  finding.name = skin_key(packs[0], a);
  const mpak_joint *joints[2] = {packs[0]->joints + skins[0]->first_joint, packs[1]->joints + skins[1]->first_joint};
  const uint32_t count = skins[0]->joint_count;
  if (count != skins[1]->joint_count)
    finding.detail = job_format(state->job, "%u joints, now %u", count, skins[1]->joint_count);
  for (uint32_t j = 0; j < count && finding.detail == NULL; j++) {
    if (strcmp(node_key(packs[0], joints[0][j].node), node_key(packs[1], joints[1][j].node)) != 0)
      finding.detail = "other joints";
    else if (diff_has_other_floats(joints[0][j].inverse_bind, joints[1][j].inverse_bind, 12))
      finding.detail = "bind pose";
  }
  if (finding.detail != NULL) diff_add(state, &finding);
}

static const char *material_key(const mpak_pack *pack, uint32_t m) { return mpak_string(pack, pack->materials[m].key); }

static void scene_compare_material(diff_state *state, uint32_t a, uint32_t b) {
  const mpak_pack *packs[2] = {state->sides[0].pack, state->sides[1].pack};
  const mpak_material *materials[2] = {&packs[0]->materials[a], &packs[1]->materials[b]};
  diff_finding finding = DIFF_FINDING("material", DIFF_CHANGED);
  finding.name = material_key(packs[0], a);
  if (materials[0]->alpha_mode != materials[1]->alpha_mode || materials[0]->flags != materials[1]->flags ||
      materials[0]->alpha_cutoff != materials[1]->alpha_cutoff)
    finding.detail = "surface";
  if (diff_has_other_floats(materials[0]->base_colour, materials[1]->base_colour, 4))
    finding.detail = diff_join(state->job, finding.detail, "colour");
  const uint32_t textures[2][5] = {
      {materials[0]->base_texture, materials[0]->normal_texture, materials[0]->metal_rough_texture,
       materials[0]->occlusion_texture, materials[0]->emissive_texture},
      {materials[1]->base_texture, materials[1]->normal_texture, materials[1]->metal_rough_texture,
       materials[1]->occlusion_texture, materials[1]->emissive_texture}};
  bool is_other = false;
  for (int t = 0; t < 5; t++)
    is_other = is_other || strcmp(mpak_string(packs[0], textures[0][t]), mpak_string(packs[1], textures[1][t])) != 0;
  if (is_other) finding.detail = diff_join(state->job, finding.detail, "textures");
  if (finding.detail != NULL) diff_add(state, &finding);
}

void diff_scene(diff_state *state) {
  const mpak_pack *a = state->sides[0].pack, *b = state->sides[1].pack;
  const uint32_t *nodes = diff_match(state, "node", a->node_count, b->node_count, node_key);
  for (uint32_t n = 0; n < a->node_count; n++)
    if (nodes[n] != MPAK_NONE) scene_compare_node(state, n, nodes[n]);
  const uint32_t *skins = diff_match(state, "skin", a->skin_count, b->skin_count, skin_key);
  for (uint32_t s = 0; s < a->skin_count; s++)
    if (skins[s] != MPAK_NONE) scene_compare_skin(state, s, skins[s]);
  const uint32_t *materials = diff_match(state, "material", a->material_count, b->material_count, material_key);
  for (uint32_t m = 0; m < a->material_count; m++)
    if (materials[m] != MPAK_NONE) scene_compare_material(state, m, materials[m]);
}
