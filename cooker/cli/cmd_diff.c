// mpak diff A B [--json] [--tolerance MM] [-o FILE]: what changed from A to B.
//
// A and B are packs, or models, which are cooked in memory with cook's options. What was added, removed, renamed and
// changed comes first: nodes, skins, materials, meshes, primitives, morph targets (the same deltas under another name
// are a renamed one), clips (by the vertices that come out), with the largest movement of each in millimetres. Then
// bytes, when both are packs. Vertices are matched by source vertex where both have source maps, by number where there
// are as many, else by the nearest place at rest.
//
// Exit status: 0 when both say the same, 1 when something differs (bytes alone do not count); else as eval.
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/diff.h"
#include "cooker/cli/written.h"

static void diff_open(diff_state *state, const cli_arguments *arguments, diff_side *side) {
  job_set_file(state->job, side->path);
  side->is_pack = pack_file_is_pack(side->path);
  if (side->is_pack) {
    pack_file_open(state->job, side->path, &side->file);
  } else {
    cook_options options = cli_resolve_cook_options(state->job, arguments);
    options.source_map = true;
    cook_product product;
    cook_file(state->job, side->path, &options, &product);
    written_check_dependencies(state->job, product.scene, &arguments->output, 1);
    pack_file_open_bytes(state->job, product.bytes, product.byte_count, &side->file);
  }
  side->pack = &side->file.pack;
}

static void diff_load(diff_state *state, diff_side *side) {
  const mpak_pack *pack = side->pack;
  job_set_file(state->job, side->path);
  side->parts = JOB_ARRAY(state->job, mpak_part_data, pack->part_count);
  side->deltas = JOB_ARRAY(state->job, morph_table, pack->part_count);
  side->pack_of_source = JOB_ARRAY(state->job, const uint32_t *, pack->part_count);
  for (uint32_t p = 0; p < pack->part_count; p++) {
    pack_file_load_part(state->job, &side->file, p, &side->parts[p]);
    side->deltas[p] = morph_table_make(state->job, pack, p, &side->parts[p]);
    if (pack->parts[p].pack_of_source_chunk != MPAK_NONE)
      side->pack_of_source[p] = pack_file_load_chunk(state->job, &side->file, pack->parts[p].pack_of_source_chunk);
  }
  pack_file_load_clips(state->job, &side->file, &side->clips);
}

static void diff_put(text_out *text, const diff_state *state, bool is_json) {
  json_out json;
  if (!is_json) {
    diff_put_text(text, state);
    return;
  }
  write_json_begin(&json, text);
  diff_put_json(&json, state);
}

int cmd_diff(cook_job *job, const cli_arguments *arguments) {
  diff_state state = {.job = job, .tolerance_mm = arguments->tolerance.is_given ? arguments->tolerance.value : 0};
  cli_apply_severities(job, job, arguments);
  written_check(job, &arguments->inputs, &(written_file){arguments->output, "the result", NULL}, 1);
  console_check_output(job, arguments->output);
  for (int side = 0; side < 2; side++) {
    state.sides[side].path = arguments->inputs.items[side];
    diff_open(&state, arguments, &state.sides[side]);
    diff_load(&state, &state.sides[side]);
  }
  diff_scene(&state);
  diff_meshes(&state);
  diff_clips(&state);
  text_out text;
  text_begin(&text, job);
  diff_put(&text, &state, arguments->json);
  job_stop_on_errors(job); // --werror: nothing is written
  console_write_output(job, arguments->output, text.bytes, text.used);
  return state.finding_count == 0 ? 0 : 1;
}
