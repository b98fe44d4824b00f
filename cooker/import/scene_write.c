#include "cooker/import/import.h"
#include "cooker/import/scene_stream.h"
#include "format/bytes.h"
#include "format/checksum.h"

/// Head, issues and scene; the same steps count the bytes and write them.
static void write_all(scene_stream *stream, cook_job *job, const cook_scene *scene) {
  scene_stream_head head = {.magic = SCENE_STREAM_MAGIC,
                            .version = SCENE_STREAM_VERSION,
                            .known_issues = MPAK_ISSUE_COUNT,
                            .exit_code = (uint32_t)job_exit_code(job),
                            .has_scene = scene != NULL,
                            .issue_count = job_issue_count(job),
                            .error_count = job_severity_count(job, MPAK_ERROR)};
  scene_stream_visit_head(stream, &head);
  for (uint32_t i = 0; i < head.issue_count; i++) {
    cook_issue issue = *job_issue_at(job, i);
    scene_stream_visit_issue(stream, &issue);
  }
  if (scene == NULL) return;
  cook_scene copy = *scene;
  scene_stream_visit_scene(stream, &copy);
}

uint8_t *scene_write(cook_job *job, const cook_scene *scene, uint64_t *byte_count) {
  scene_stream stream = {.job = job, .mode = SCENE_STREAM_MEASURE};
  write_all(&stream, job, scene);
  const uint64_t hashed_bytes = stream.used;
  uint8_t *bytes = job_alloc(job, hashed_bytes + sizeof(uint64_t), 1);
  stream = (scene_stream){.job = job, .mode = SCENE_STREAM_WRITE, .bytes = bytes, .size = hashed_bytes};
  write_all(&stream, job, scene);
  const uint64_t hash = checksum_of(bytes, (size_t)hashed_bytes);
  memcpy(bytes + hashed_bytes, &hash, sizeof hash);
  *byte_count = hashed_bytes + sizeof hash;
  return bytes;
}
