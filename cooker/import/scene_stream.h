/// scene_stream.h: a scene and its issues as one flat little-endian stream, described once for both directions.
///
/// Each stream_* function measures, writes or reads the same bytes, depending on the mode; so the visitors in
/// scene_stream.c are the layout, and writer and reader cannot drift apart. When reading, the bytes are hostile: every
/// count is compared with what is left of the stream before memory is allotted, and whatever is odd fails the job with
/// I004. What the values mean is checked afterwards, by scene_check.
#ifndef COOK_SCENE_STREAM_H
#define COOK_SCENE_STREAM_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

typedef enum scene_stream_mode { SCENE_STREAM_MEASURE, SCENE_STREAM_WRITE, SCENE_STREAM_READ } scene_stream_mode;

typedef struct scene_stream {
  cook_job *job;
  scene_stream_mode mode;
  uint8_t *bytes;       ///< NULL when measuring
  uint64_t used;        ///< bytes behind us
  uint64_t size;        ///< bytes of the stream when reading or writing
  uint64_t dense_bytes; ///< of all deltas read so far, zeros included
} scene_stream;

/// What stands before the scene.
typedef struct scene_stream_head {
  uint64_t magic;
  uint32_t version;      ///< of the stream
  uint32_t known_issues; ///< MPAK_ISSUE_COUNT of the writer: both sides must be the same build of the table
  uint32_t exit_code;    ///< of the writing job
  uint32_t has_scene;    ///< 0: the importer left its job, the issues say why
  uint32_t issue_count;  ///< issues that follow
  uint32_t zero;
  uint64_t error_count; ///< all errors, kept or not
} scene_stream_head;

#define SCENE_STREAM_MAGIC   0x314E454353504DFFu
#define SCENE_STREAM_VERSION 4u

void scene_stream_visit_head(scene_stream *stream, scene_stream_head *head);
void scene_stream_visit_issue(scene_stream *stream, cook_issue *issue);
void scene_stream_visit_scene(scene_stream *stream, cook_scene *scene);

/// Fails the job: what was wrong with the stream, at which byte.
_Noreturn void scene_stream_fail(scene_stream *stream, const char *what);

/// Every count within the job's limits, every index inside its table, no cycle in the tree (scene.h's promise). Fails
/// the job with I004 otherwise.
void scene_check(cook_job *job, const cook_scene *scene);

#endif
