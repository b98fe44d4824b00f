#include "cooker/report/issue_report.h"
#include "cooker/report/version.h"

#include <stdio.h>

/// null when there is no such number.
static void issue_json_number(json_out *json, const char *key, bool is_given, uint64_t number) {
  write_json_key(json, key);
  if (is_given)
    write_json_count(json, number);
  else
    write_json_null(json);
}

static void issue_json_index(json_out *json, const cook_where *where) {
  write_json_member_string(json, "element", where->element);
  issue_json_number(json, "index", where->element != NULL, where->index);
  write_json_member_count(json, "more", where->more);
}

static void issue_json_place(json_out *json, const cook_where *where) {
  write_json_member_string(json, "node", where->node);
  write_json_member_string(json, "mesh", where->mesh);
  issue_json_number(json, "primitive", where->primitive != MPAK_NONE, where->primitive);
  write_json_member_string(json, "target", where->target);
  write_json_member_string(json, "skin", where->skin);
  write_json_member_string(json, "clip", where->clip);
  write_json_member_string(json, "material", where->material);
  write_json_member_string(json, "stream", where->stream);
  issue_json_index(json, where);
  write_json_member_string(json, "value", where->value);
  write_json_member_string(json, "limit", where->limit);
}

static void issue_json_head(json_out *json, mpak_issue_id id, mpak_severity severity, const char *message,
                            const char *file) {
  const mpak_issue_info *info = mpak_issue_get(id);
  write_json_member_string(json, "code", info->code);
  write_json_member_string(json, "severity", report_severity_name(severity));
  write_json_member_string(json, "message", message);
  write_json_member_string(json, "hint", info->hint);
  write_json_member_string(json, "file", file);
}

static void issue_json_list(json_out *json, const cook_job *job) {
  write_json_key(json, "issues");
  write_json_array(json);
  for (uint32_t i = 0; i < job_issue_count(job); i++) {
    const cook_issue *issue = job_issue_at(job, i);
    write_json_object(json);
    issue_json_head(json, issue->id, issue->severity, issue->message, issue->file);
    issue_json_place(json, &issue->where);
    write_json_close(json);
  }
  if (job_exit_code(job) != 0 && job_severity_count(job, MPAK_ERROR) == 0) {
    const cook_where nowhere = COOK_WHERE;
    write_json_object(json);
    issue_json_head(json, MPAK_O010, MPAK_ERROR, mpak_issue_get(MPAK_O010)->message, job_file(job));
    issue_json_place(json, &nowhere);
    write_json_close(json);
  }
  write_json_close(json);
}

static void issue_json_counts(json_out *json, const cook_job *job) {
  write_json_key(json, "counts");
  write_json_object_inline(json);
  write_json_member_count(json, "error", job_severity_count(job, MPAK_ERROR));
  write_json_member_count(json, "warning", job_severity_count(job, MPAK_WARNING));
  write_json_member_count(json, "info", job_severity_count(job, MPAK_INFO));
  write_json_close(json);
}

static void issue_json_stats(json_out *json, const cook_stats *stats) {
  write_json_object(json);
  write_json_member_count(json, "meshes", stats->mesh_count);
  write_json_member_count(json, "primitives", stats->part_count);
  write_json_member_count(json, "targets", stats->target_count);
  write_json_member_count(json, "deltas", stats->delta_count);
  write_json_member_count(json, "joints", stats->joint_count);
  write_json_member_count(json, "clips", stats->clip_count);
  write_json_member_count(json, "source_vertices", stats->source_vertex_count);
  write_json_member_count(json, "vertices", stats->vertex_count);
  write_json_member_count(json, "triangles", stats->triangle_count);
  write_json_member_count(json, "source_bytes", stats->source_bytes);
  write_json_member_count(json, "dense_bytes", stats->dense_bytes);
  write_json_member_count(json, "pack_bytes", stats->pack_bytes);
  write_json_member_count(json, "worker_peak_bytes", stats->worker_peak_bytes);
  write_json_member_real(json, "largest_error_m", stats->largest_error_m);
  write_json_member_real(json, "posed_largest_m", stats->posed_m);
  write_json_member_real(json, "posed_largest_share", stats->posed_share);
  write_json_member_real(json, "posed_rms_m", stats->posed_rms_m);
  write_json_member_real(json, "posed_normal_largest_rad", stats->posed_normal_rad);
  write_json_member_real(json, "posed_normal_rms_rad", stats->posed_normal_rms_rad);
  write_json_member_count(json, "poses", stats->pose_count);
  write_json_member_count(json, "halvings", stats->fineness);
  write_json_member_real(json, "import_s", stats->import_s);
  write_json_member_real(json, "build_s", stats->build_s);
  write_json_member_real(json, "pack_s", stats->pack_s);
  write_json_close(json);
}

void report_json_begin(json_out *json, const char *command) {
  write_json_object(json);
  write_json_member_string(json, "schema", "mpak.issues.v1");
  write_json_key(json, "tool");
  write_json_object_inline(json);
  write_json_member_string(json, "name", "mpak");
  write_json_member_string(json, "version", MPAK_VERSION);
  write_json_close(json);
  write_json_member_string(json, "command", command);
  write_json_key(json, "inputs");
  write_json_array(json);
}

void report_json_input(json_out *json, const report_input *input) {
  write_json_object(json);
  write_json_member_string(json, "file", input->file);
  write_json_member_string(json, "output", input->output);
  write_json_member_count(json, "exit_code", (uint64_t)input->exit_code);
  issue_json_counts(json, input->job);
  issue_json_list(json, input->job);
  write_json_key(json, "source_hash");
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)input->source_hash);
  write_json_string(json, input->stats != NULL ? hash : NULL);
  write_json_key(json, "stats");
  if (input->stats != NULL)
    issue_json_stats(json, input->stats);
  else
    write_json_null(json);
  write_json_close(json);
}

void report_json_end(json_out *json, int exit_code) {
  write_json_close(json);
  write_json_member_count(json, "exit_code", (uint64_t)exit_code);
  write_json_close(json);
  write_json_end(json);
}
