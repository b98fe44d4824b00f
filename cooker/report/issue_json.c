#include "cooker/report/issue_report.h"
#include "cooker/report/version.h"

#include <stdio.h>

static void issue_json_index(json_out *json, const cook_where *where) {
  json_member_string(json, "element", where->element);
  json_key(json, "index");
  if (where->element != NULL)
    json_count(json, where->index);
  else
    json_null(json);
  json_member_count(json, "more", where->more);
}

static void issue_json_place(json_out *json, const cook_where *where) {
  json_member_string(json, "node", where->node);
  json_member_string(json, "mesh", where->mesh);
  json_key(json, "primitive");
  if (where->primitive != MPAK_NONE)
    json_count(json, where->primitive);
  else
    json_null(json);
  json_member_string(json, "target", where->target);
  json_member_string(json, "skin", where->skin);
  json_member_string(json, "clip", where->clip);
  json_member_string(json, "material", where->material);
  json_member_string(json, "stream", where->stream);
  issue_json_index(json, where);
  json_member_string(json, "value", where->value);
  json_member_string(json, "limit", where->limit);
}

static void issue_json_head(json_out *json, mpak_issue_id id, mpak_severity severity, const char *message,
                            const char *file) {
  const mpak_issue_info *info = mpak_issue_get(id);
  json_member_string(json, "code", info->code);
  json_member_string(json, "severity", report_severity_name(severity));
  json_member_string(json, "message", message);
  json_member_string(json, "hint", info->hint);
  json_member_string(json, "file", file);
}

static void issue_json_list(json_out *json, const cook_job *job) {
  json_key(json, "issues");
  json_array(json);
  for (uint32_t i = 0; i < job_issue_count(job); i++) {
    const cook_issue *issue = job_issue_at(job, i);
    json_object(json);
    issue_json_head(json, issue->id, issue->severity, issue->message, issue->file);
    issue_json_place(json, &issue->where);
    json_close(json);
  }
  if (job_exit_code(job) != 0 && job_severity_count(job, MPAK_ERROR) == 0) {
    const cook_where nowhere = COOK_WHERE;
    json_object(json);
    issue_json_head(json, MPAK_O010, MPAK_ERROR, mpak_issue_get(MPAK_O010)->message, job_file(job));
    issue_json_place(json, &nowhere);
    json_close(json);
  }
  json_close(json);
}

static void issue_json_counts(json_out *json, const cook_job *job) {
  json_key(json, "counts");
  json_object_inline(json);
  json_member_count(json, "error", job_severity_count(job, MPAK_ERROR));
  json_member_count(json, "warning", job_severity_count(job, MPAK_WARNING));
  json_member_count(json, "info", job_severity_count(job, MPAK_INFO));
  json_close(json);
}

static void issue_json_stats(json_out *json, const cook_stats *stats) {
  json_object(json);
  json_member_count(json, "meshes", stats->mesh_count);
  json_member_count(json, "primitives", stats->part_count);
  json_member_count(json, "targets", stats->target_count);
  json_member_count(json, "deltas", stats->delta_count);
  json_member_count(json, "joints", stats->joint_count);
  json_member_count(json, "clips", stats->clip_count);
  json_member_count(json, "source_vertices", stats->source_vertex_count);
  json_member_count(json, "vertices", stats->vertex_count);
  json_member_count(json, "triangles", stats->triangle_count);
  json_member_count(json, "source_bytes", stats->source_bytes);
  json_member_count(json, "dense_bytes", stats->dense_bytes);
  json_member_count(json, "pack_bytes", stats->pack_bytes);
  json_member_count(json, "worker_peak_bytes", stats->worker_peak_bytes);
  json_member_real(json, "largest_error_m", stats->largest_error_m);
  json_member_real(json, "import_s", stats->import_s);
  json_member_real(json, "build_s", stats->build_s);
  json_member_real(json, "pack_s", stats->pack_s);
  json_close(json);
}

void report_json_begin(json_out *json, const char *command) {
  json_object(json);
  json_member_string(json, "schema", "mpak.issues.v1");
  json_key(json, "tool");
  json_object_inline(json);
  json_member_string(json, "name", "mpak");
  json_member_string(json, "version", MPAK_VERSION);
  json_close(json);
  json_member_string(json, "command", command);
  json_key(json, "inputs");
  json_array(json);
}

void report_json_input(json_out *json, const report_input *input) {
  json_object(json);
  json_member_string(json, "file", input->file);
  json_member_string(json, "output", input->output);
  json_member_count(json, "exit_code", (uint64_t)input->exit_code);
  issue_json_counts(json, input->job);
  issue_json_list(json, input->job);
  json_key(json, "source_hash");
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)input->source_hash);
  json_string(json, input->stats != NULL ? hash : NULL);
  json_key(json, "stats");
  if (input->stats != NULL)
    issue_json_stats(json, input->stats);
  else
    json_null(json);
  json_close(json);
}

void report_json_end(json_out *json, int exit_code) {
  json_close(json);
  json_member_count(json, "exit_code", (uint64_t)exit_code);
  json_close(json);
  json_end(json);
}
