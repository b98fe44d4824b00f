#include "cooker/cli/summary.h"

#include "cooker/cli/console.h"
#include "cooker/report/number.h"

const char *summary_count(cook_job *job, uint64_t count) {
  const char *digits = job_format(job, "%llu", (unsigned long long)count);
  uint64_t length = 0;
  while (digits[length] != 0) length++;
  char *grouped = job_alloc(job, length + length / 3 + 1, 1);
  uint64_t at = 0;
  for (uint64_t i = 0; i < length; i++) {
    if (i != 0 && (length - i) % 3 == 0) grouped[at++] = ',';
    grouped[at++] = digits[i];
  }
  return grouped;
}

static void summary_put_plural(text_out *text, uint64_t count, const char *one, const char *many) {
  text_printf(text, "%s %s", summary_count(text->job, count), count == 1 ? one : many);
}

void summary_put_verdict(text_out *text, const char *file, const cook_job *job) {
  const uint64_t errors = job_severity_count(job, MPAK_ERROR), warnings = job_severity_count(job, MPAK_WARNING);
  text_put_escaped(text, file, false);
  text_put(text, ": ");
  if (job_exit_code(job) == 0) {
    text_put(text, "ok");
    if (warnings != 0) text_put(text, ", ");
  } else {
    summary_put_plural(text, errors != 0 ? errors : 1, "error", "errors");
    if (warnings != 0) text_put(text, ", ");
  }
  if (warnings != 0) summary_put_plural(text, warnings, "warning", "warnings");
  text_put_char(text, '\n');
}

static void summary_put_meshes(text_out *text, const cook_stats *stats) {
  text_put(text, "  meshes    ");
  text_printf(text, "%s (", summary_count(text->job, stats->mesh_count));
  summary_put_plural(text, stats->part_count, "primitive", "primitives");
  text_put(text, "), ");
  summary_put_plural(text, stats->vertex_count, "vertex", "vertices");
  text_printf(text, " from %s, ", summary_count(text->job, stats->source_vertex_count));
  summary_put_plural(text, stats->triangle_count, "triangle", "triangles");
  text_printf(text, "\n  targets   %s, ", summary_count(text->job, stats->target_count));
  summary_put_plural(text, stats->delta_count, "delta", "deltas");
  text_printf(text, "\n  bones     %s", summary_count(text->job, stats->joint_count));
  text_printf(text, "\n  clips     %s\n", summary_count(text->job, stats->clip_count));
}

static void summary_put_bytes(text_out *text, const cook_stats *stats) {
  text_printf(text, "  bytes     %s", summary_count(text->job, stats->pack_bytes));
  text_printf(text, " from %s of source", summary_count(text->job, stats->source_bytes));
  text_printf(text, " (%s as plain arrays)\n", summary_count(text->job, stats->dense_bytes));
}

/// Three digits after the point are enough for a person.
static void summary_put_seconds(text_out *text, const char *stage, double seconds) {
  const uint64_t milliseconds = seconds > 0 ? (uint64_t)(seconds * 1000 + 0.5) : 0;
  text_printf(text, "%s %llu.%03llu s", stage, (unsigned long long)(milliseconds / 1000),
              (unsigned long long)(milliseconds % 1000));
}

static const char *summary_number(cook_job *job, double value) {
  char number[NUMBER_BYTES];
  number_format(number, value, 3);
  return job_format(job, "%s", number);
}

/// Vertices as they are shown, where anything was quantised.
static void summary_put_posed(text_out *text, const cook_stats *stats) {
  if (!stats->is_posed) return;
  text_printf(text, "  posed     %s mm at most (%s of the size), rms %s mm; ",
              summary_number(text->job, stats->posed_m * 1000), summary_number(text->job, stats->posed_share),
              summary_number(text->job, stats->posed_rms_m * 1000));
  text_printf(text, "normals %s degrees, rms %s; %u poses\n",
              summary_number(text->job, stats->posed_normal_rad * 57.29577951308232),
              summary_number(text->job, stats->posed_normal_rms_rad * 57.29577951308232), stats->pose_count);
  if (stats->fineness != 0) text_printf(text, "  steps     halved %u times to keep the promise\n", stats->fineness);
}

static void summary_put_measured(text_out *text, const cook_stats *stats) {
  const char *largest = summary_number(text->job, stats->largest_error_m * 1000);
  text_printf(text, "  error     %s mm at most, measured on the finished pack\n", largest);
  summary_put_posed(text, stats);
  text_put(text, "  time      ");
  summary_put_seconds(text, "import", stats->import_s);
  summary_put_seconds(text, ", build", stats->build_s);
  summary_put_seconds(text, ", pack", stats->pack_s);
  text_put_char(text, '\n');
}

void summary_put_cook(text_out *text, const batch_item *item, const cook_job *job) {
  const cook_stats *stats = &item->product.stats;
  text_put_escaped(text, item->output != NULL ? item->output : item->file, false);
  if (item->output != NULL)
    text_put(text, item->is_unchanged ? ": unchanged\n" : ": written\n");
  else
    text_put(text, ": would give this pack\n");
  summary_put_meshes(text, stats);
  summary_put_bytes(text, stats);
  summary_put_measured(text, stats);
  if (!item->arguments->is_verbose) return;
  text_printf(text, "  memory    %s bytes here at most", summary_count(text->job, job_bytes_peak(job)));
  text_printf(text, ", %s in the importer's process\n", summary_count(text->job, stats->worker_peak_bytes));
}
