#include "cooker/import/import.h"
#include "cooker/import/scene_stream.h"
#include "format/bytes.h"
#include "format/checksum.h"

/// The importer left its job: with its errors, which are ours now, or without any, which needs an explanation.
_Noreturn static void read_no_scene(scene_stream *stream, const scene_stream_head *head) {
  cook_job *job = stream->job;
  job_stop_on_errors(job);
  if (head->exit_code == 6) {
    cook_where where = COOK_WHERE;
    where.value = "its own memory";
    job_fail(job, MPAK_I003, where);
  }
  scene_stream_fail(stream, "neither a scene nor an error");
}

cook_scene *scene_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count) {
  scene_stream stream = {.job = job, .mode = SCENE_STREAM_READ, .size = byte_count};
  if (byte_count < sizeof(uint64_t)) scene_stream_fail(&stream, "it is too short");
  stream.size -= sizeof(uint64_t);
  stream.bytes = (uint8_t *)(uintptr_t)bytes; // the reading mode never writes to it
  if (bytes_load_u64(bytes + stream.size) != checksum_of(bytes, (size_t)stream.size))
    scene_stream_fail(&stream, "its hash is wrong");
  scene_stream_head head = {0};
  scene_stream_visit_head(&stream, &head);
  for (uint32_t i = 0; i < head.issue_count; i++) {
    cook_issue issue = {0};
    scene_stream_visit_issue(&stream, &issue);
    job_adopt_issue(job, &issue);
  }
  if (head.has_scene == 0) read_no_scene(&stream, &head);
  cook_scene *scene = JOB_ARRAY(job, cook_scene, 1);
  scene_stream_visit_scene(&stream, scene);
  if (stream.used != stream.size) scene_stream_fail(&stream, "it goes on after its end");
  scene_check(job, scene);
  return scene;
}
