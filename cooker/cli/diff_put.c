// diff_put.c: findings as text and as JSON, then the bytes.
#include "cooker/cli/diff.h"
#include "cooker/report/number.h"

static const char *const put_changes[] = {
    [DIFF_REMOVED] = "removed", [DIFF_ADDED] = "added", [DIFF_RENAMED] = "renamed", [DIFF_CHANGED] = "changed"};
static const char put_signs[] = {[DIFF_REMOVED] = '-', [DIFF_ADDED] = '+', [DIFF_RENAMED] = '>', [DIFF_CHANGED] = '~'};

// -- Bytes -----------------------------------------------------------------------------------------------------------

typedef struct put_kind {
  uint32_t kind;
  uint64_t bytes[2];
} put_kind;

/// Stored bytes by kind of chunk, in the order in which kinds first occur. Returns how many kinds there are.
static uint32_t put_list_kinds(const diff_state *state, put_kind *kinds) {
  uint32_t count = 0;
  for (int side = 0; side < 2; side++) {
    const mpak_pack *pack = state->sides[side].pack;
    for (uint32_t c = 0; c < pack->chunk_count; c++) {
      uint32_t k = 0;
      while (k < count && kinds[k].kind != pack->chunks[c].kind) k++;
      if (k == count) kinds[count++] = (put_kind){pack->chunks[c].kind, {0, 0}};
      kinds[k].bytes[side] += pack->chunks[c].stored_bytes;
    }
  }
  return count;
}

static put_kind *put_kinds(const diff_state *state, uint32_t *count) {
  const uint64_t most = (uint64_t)state->sides[0].pack->chunk_count + state->sides[1].pack->chunk_count;
  put_kind *kinds = JOB_ARRAY(state->job, put_kind, most < 64 ? most : 64); // no pack has so many kinds
  *count = put_list_kinds(state, kinds);
  return kinds;
}

static bool put_has_bytes(const diff_state *state) { return state->sides[0].is_pack && state->sides[1].is_pack; }

// -- Text ------------------------------------------------------------------------------------------------------------

static void put_quoted(text_out *text, const char *name) {
  text_put(text, " \"");
  text_put_escaped(text, name, true);
  text_put_char(text, '"');
}

static void put_line(text_out *text, const diff_finding *finding) {
  text_printf(text, "%c %s", put_signs[finding->change], finding->kind);
  if (finding->name != NULL) put_quoted(text, finding->name);
  if (finding->primitive != MPAK_NONE) text_printf(text, " %u", finding->primitive);
  if (finding->lod != 0) text_printf(text, " of level %u", finding->lod);
  if (finding->mesh != NULL) {
    text_put(text, " of mesh");
    put_quoted(text, finding->mesh);
  }
  if (finding->now != NULL) {
    text_put(text, " is now");
    put_quoted(text, finding->now);
  }
  if (finding->detail != NULL) text_printf(text, ": %s", finding->detail);
  if (finding->largest_mm >= 0) {
    char number[NUMBER_BYTES];
    number_format(number, finding->largest_mm, 4);
    text_printf(text, "%s %s mm at most", finding->detail != NULL ? "," : ":", number);
  }
  text_put_char(text, '\n');
}

void diff_put_text(text_out *text, const diff_state *state) {
  uint32_t count = 0;
  for (uint64_t i = 0; i < state->finding_count; i++) put_line(text, &state->findings[i]);
  if (state->finding_count == 0) text_put(text, "both say the same\n");
  if (!put_has_bytes(state)) return;
  text_printf(text, "bytes %llu, now %llu\n", (unsigned long long)state->sides[0].pack->byte_count,
              (unsigned long long)state->sides[1].pack->byte_count);
  const put_kind *kinds = put_kinds(state, &count);
  for (uint32_t k = 0; k < count; k++)
    if (kinds[k].bytes[0] != kinds[k].bytes[1])
      text_printf(text, "  %.4s %llu, now %llu\n", (const char *)&kinds[k].kind, (unsigned long long)kinds[k].bytes[0],
                  (unsigned long long)kinds[k].bytes[1]);
}

// -- JSON ------------------------------------------------------------------------------------------------------------

static void put_text_member(json_out *json, const char *key, const char *value) {
  if (value != NULL) write_json_member_string(json, key, value);
}

static void put_object(json_out *json, const diff_finding *finding) {
  write_json_object_inline(json);
  write_json_member_string(json, "kind", finding->kind);
  write_json_member_string(json, "change", put_changes[finding->change]);
  put_text_member(json, "name", finding->name);
  put_text_member(json, "now", finding->now);
  put_text_member(json, "mesh", finding->mesh);
  if (finding->primitive != MPAK_NONE) {
    write_json_member_count(json, "primitive", finding->primitive);
    write_json_member_count(json, "lod", finding->lod);
  }
  if (finding->largest_mm >= 0) write_json_member_real(json, "largest_mm", finding->largest_mm);
  put_text_member(json, "detail", finding->detail);
  write_json_close(json);
}

static void put_pair(json_out *json, const char *key, uint64_t a, uint64_t b) {
  write_json_key(json, key);
  write_json_array_inline(json);
  write_json_count(json, a);
  write_json_count(json, b);
  write_json_close(json);
}

static void put_bytes(json_out *json, const diff_state *state) {
  uint32_t count = 0;
  const put_kind *kinds = put_kinds(state, &count);
  put_pair(json, "bytes", state->sides[0].pack->byte_count, state->sides[1].pack->byte_count);
  write_json_key(json, "chunks");
  write_json_object(json);
  for (uint32_t k = 0; k < count; k++)
    put_pair(json, job_format(state->job, "%.4s", (const char *)&kinds[k].kind), kinds[k].bytes[0], kinds[k].bytes[1]);
  write_json_close(json);
}

void diff_put_json(json_out *json, const diff_state *state) {
  write_json_object(json);
  write_json_key(json, "files");
  write_json_array_inline(json);
  for (int side = 0; side < 2; side++) write_json_string(json, state->sides[side].path);
  write_json_close(json);
  write_json_key(json, "is_same");
  write_json_bool(json, state->finding_count == 0);
  write_json_key(json, "findings");
  write_json_array(json);
  for (uint64_t i = 0; i < state->finding_count; i++) put_object(json, &state->findings[i]);
  write_json_close(json);
  if (put_has_bytes(state)) put_bytes(json, state);
  write_json_close(json);
  write_json_end(json);
}
