// diff_mesh.c: meshes and primitives that two packs have, their counts, and their vertices at rest.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cooker/cli/diff.h"

static const char *mesh_key(const mpak_pack *pack, uint32_t m) { return mpak_string(pack, pack->meshes[m].key); }

static diff_finding mesh_finding(const diff_state *state, const uint32_t mesh[2], diff_change change,
                                 const mpak_part *part) {
  diff_finding finding = DIFF_FINDING("primitive", change);
  finding.mesh = mesh_key(state->sides[0].pack, mesh[0]);
  finding.primitive = part->source_primitive;
  finding.lod = part->lod;
  return finding;
}

static const char *mesh_counts(diff_state *state, const char *detail, const char *what, uint32_t a, uint32_t b) {
  if (a == b) return detail;
  return diff_join(state->job, detail, job_format(state->job, "%" PRIu32 " %s, now %" PRIu32, a, what, b));
}

/// Largest distance of a position in metres, and how many vertices moved.
static double mesh_base_distance(const diff_state *state, const diff_pair *pair, uint32_t *moved_count, bool *turns) {
  const mpak_base_vertex *bases[2] = {state->sides[0].parts[pair->part[0]].base,
                                      state->sides[1].parts[pair->part[1]].base};
  double largest = 0;
  for (uint32_t v = 0; v < state->sides[0].pack->parts[pair->part[0]].vertex_count; v++) {
    if (pair->b_of_a[v] == MPAK_NONE) continue;
    const mpak_base_vertex *a = &bases[0][v], *b = &bases[1][pair->b_of_a[v]];
    double square = 0;
    for (int c = 0; c < 3; c++)
      square += ((double)a->position[c] - b->position[c]) * ((double)a->position[c] - b->position[c]);
    *moved_count += diff_is_moved(state, sqrt(square));
    *turns = *turns || diff_has_other_floats(a->normal, b->normal, 3);
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

static bool mesh_has_other_texcoords(const diff_state *state, const diff_pair *pair) {
  for (int set = 0; set < 4; set++) {
    const float *a = state->sides[0].parts[pair->part[0]].texcoords[set],
                *b = state->sides[1].parts[pair->part[1]].texcoords[set];
    if ((a == NULL) != (b == NULL)) return true;
    for (uint32_t v = 0; a != NULL && v < state->sides[0].pack->parts[pair->part[0]].vertex_count; v++)
      if (pair->b_of_a[v] != MPAK_NONE && diff_has_other_floats(a + 2ull * v, b + 2ull * pair->b_of_a[v], 2))
        return true;
  }
  return false;
}

static const char *mesh_material(const mpak_pack *pack, const mpak_part *part) {
  return part->material == MPAK_NONE ? "" : mpak_string(pack, pack->materials[part->material].key);
}

static void mesh_compare_part(diff_state *state, const uint32_t mesh[2], const diff_pair *pair) {
  const mpak_pack *packs[2] = {state->sides[0].pack, state->sides[1].pack};
  const mpak_part *a = &packs[0]->parts[pair->part[0]], *b = &packs[1]->parts[pair->part[1]];
  diff_finding finding = mesh_finding(state, mesh, DIFF_CHANGED, a);
  uint32_t moved_count = 0;
  bool turns = false;
  const double largest_m = mesh_base_distance(state, pair, &moved_count, &turns);
  finding.detail = mesh_counts(state, finding.detail, "vertices", a->vertex_count, b->vertex_count);
  finding.detail = mesh_counts(state, finding.detail, "triangles", a->index_count / 3, b->index_count / 3);
  if (strcmp(mesh_material(packs[0], a), mesh_material(packs[1], b)) != 0)
    finding.detail = diff_join(state->job, finding.detail, "another material");
  if (moved_count != 0) {
    finding.largest_mm = 1000 * largest_m;
    finding.detail =
        diff_join(state->job, finding.detail, job_format(state->job, "%" PRIu32 " vertices moved", moved_count));
  }
  if (state->tolerance_mm == 0 && turns) finding.detail = diff_join(state->job, finding.detail, "normals");
  if (state->tolerance_mm == 0 && mesh_has_other_texcoords(state, pair))
    finding.detail = diff_join(state->job, finding.detail, "texture coordinates");
  if (finding.detail != NULL) diff_add(state, &finding);
}

// -- Pairs -----------------------------------------------------------------------------------------------------------

static uint32_t mesh_find_part(const mpak_pack *pack, uint32_t mesh, const mpak_part *like) {
  const mpak_mesh *record = &pack->meshes[mesh];
  for (uint32_t p = record->first_part; p < record->first_part + record->part_count; p++)
    if (pack->parts[p].lod == like->lod && pack->parts[p].source_primitive == like->source_primitive) return p;
  return MPAK_NONE;
}

static void mesh_report_alone(diff_state *state, const uint32_t mesh[2], diff_change change, const mpak_part *part) {
  const diff_finding finding = mesh_finding(state, mesh, change, part);
  diff_add(state, &finding);
}

static void mesh_compare(diff_state *state, const uint32_t mesh[2]) {
  const mpak_pack *packs[2] = {state->sides[0].pack, state->sides[1].pack};
  const mpak_mesh *records[2] = {&packs[0]->meshes[mesh[0]], &packs[1]->meshes[mesh[1]]};
  for (uint32_t p = records[0]->first_part; p < records[0]->first_part + records[0]->part_count; p++) {
    const uint32_t other = mesh_find_part(packs[1], mesh[1], &packs[0]->parts[p]);
    if (other == MPAK_NONE) {
      mesh_report_alone(state, mesh, DIFF_REMOVED, &packs[0]->parts[p]);
      continue;
    }
    diff_pair *pair = &state->pairs[state->pair_count++];
    *pair = (diff_pair){{p, other}, diff_match_vertices(state, (const uint32_t[2]){p, other})};
    mesh_compare_part(state, mesh, pair);
  }
  for (uint32_t p = records[1]->first_part; p < records[1]->first_part + records[1]->part_count; p++)
    if (mesh_find_part(packs[0], mesh[0], &packs[1]->parts[p]) == MPAK_NONE)
      mesh_report_alone(state, mesh, DIFF_ADDED, &packs[1]->parts[p]);
}

void diff_meshes(diff_state *state) {
  const mpak_pack *a = state->sides[0].pack, *b = state->sides[1].pack;
  const uint32_t *meshes = diff_match(state, "mesh", a->mesh_count, b->mesh_count, mesh_key);
  state->pairs = JOB_ARRAY(state->job, diff_pair, a->part_count);
  for (uint32_t m = 0; m < a->mesh_count; m++) {
    if (meshes[m] == MPAK_NONE) continue;
    const uint32_t mesh[2] = {m, meshes[m]};
    mesh_compare(state, mesh);
    diff_targets(state, mesh);
  }
}
