// bench_fbx: what reading, repairing and writing an FBX file again costs (fbx_prepass.h), beside Assimp's own import of
// the result and of the file as it is, with the cooker's steps and properties. For `make bench`.
//
//   bench_fbx FILE     prints "binary|text PREPASS_SECONDS IMPORT_OF_RESULT_SECONDS IMPORT_OF_FILE_SECONDS": processor
//                      time, medians of as many rounds of all three in turn; exit 4 for a file that is refused
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cooker/base/io.h"
#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_emit.h"

#define ROUNDS 41

/// One file, and the times of each round.
typedef struct bench_fbx {
  const char *path;
  const uint8_t *bytes;
  uint64_t byte_count;
  sniff_kind kind;
  int round;
  double prepass_s[ROUNDS], result_s[ROUNDS], file_s[ROUNDS];
} bench_fbx;

/// Of this thread, so that other programs do not count.
static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Assimp's import of the source, or of what is shown in its place.
static double import_seconds(cook_job *job, const bench_fbx *bench, const uint8_t *shown, uint64_t shown_bytes) {
  assimp_files *files = JOB_ARRAY(job, assimp_files, 1);
  assimp_files_begin(files, job, bench->path, bench->bytes, bench->byte_count, bench->kind);
  assimp_files_show(files, shown, shown_bytes);
  struct aiPropertyStore *properties = assimp_properties();
  const double start = seconds_now();
  const struct aiScene *scene = aiImportFileExWithProperties(files->source_name, ASSIMP_STEPS, &files->io, properties);
  const double spent = seconds_now() - start;
  aiReleaseImport(scene);
  aiReleasePropertyStore(properties);
  return spent;
}

static void run_round(cook_job *job, void *user) {
  bench_fbx *bench = user;
  uint64_t byte_count;
  const double start = seconds_now();
  const fbx_facts *facts = assimp_fbx_read(job, bench->bytes, bench->byte_count, bench->kind);
  const uint8_t *bytes = fbx_emit(facts->records, &byte_count);
  bench->prepass_s[bench->round] = seconds_now() - start;
  bench->result_s[bench->round] = import_seconds(job, bench, bytes, byte_count);
  bench->file_s[bench->round] = import_seconds(job, bench, bench->bytes, bench->byte_count);
}

static void read_source(cook_job *job, void *user) {
  bench_fbx *bench = user;
  bench->bytes = io_read_file(job, bench->path, &bench->byte_count);
  bench->kind = sniff_file(job, bench->path, bench->bytes, bench->byte_count);
}

static int compare_seconds(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static double median(double *seconds) {
  qsort(seconds, ROUNDS, sizeof *seconds, compare_seconds);
  return seconds[ROUNDS / 2];
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: bench_fbx FILE\n");
    return 2;
  }
  bench_fbx bench = {.path = argv[1]};
  cook_job *source = job_begin(NULL, NULL);
  bool is_done = source != NULL && job_run(source, read_source, &bench) &&
                 (bench.kind == SNIFF_FBX_BINARY || bench.kind == SNIFF_FBX_TEXT);
  for (; is_done && bench.round < ROUNDS; bench.round++) {
    cook_job *job = job_begin(NULL, NULL);
    is_done = job != NULL && job_run(job, run_round, &bench);
    job_end(job);
  }
  job_end(source);
  if (!is_done) return 4;
  printf("%s %.6f %.6f %.6f\n", bench.kind == SNIFF_FBX_TEXT ? "text" : "binary", median(bench.prepass_s),
         median(bench.result_s), median(bench.file_s));
  return 0;
}
