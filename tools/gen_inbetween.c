// gen_inbetween: packs of a scene with in-between shapes, for the scripts that look at packs from outside.
//
// usage: gen_inbetween FOLDER
//
// Writes inbetween.blk64.mpak and inbetween.csr64.mpak, with source maps; the scene is that of
// tests/support/mt_inbetween.h. The folder must exist. Exit codes: 0, 2 usage, 3 files, 7 the cook failed.
#include <stdio.h>

#include "cooker/cook.h"
#include "tests/support/mt_inbetween.h"

typedef struct gen_work {
  cook_options options;
  cook_product product;
} gen_work;

static void gen_cook(cook_job *job, void *user) {
  gen_work *work = user;
  cook_scene_to_pack(job, mt_inbetween_scene(job), &work->options, &work->product);
}

static int gen_write(const char *folder, const char *layout, const cook_product *product) {
  char path[4096];
  snprintf(path, sizeof path, "%s/inbetween.%s.mpak", folder, layout);
  FILE *file = fopen(path, "wb");
  if (file == NULL) return 3;
  const bool is_whole = fwrite(product->bytes, 1, (size_t)product->byte_count, file) == product->byte_count;
  return fclose(file) == 0 && is_whole ? 0 : 3;
}

static int gen_pack(const char *folder, cook_layout layout, const char *name) {
  gen_work work = {.options = {.layout = layout, .source_map = true}};
  cook_job *job = job_begin(NULL, NULL);
  if (job == NULL) return 7;
  const int code = job_run(job, gen_cook, &work) ? gen_write(folder, name, &work.product) : 7;
  job_end(job);
  return code;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: gen_inbetween FOLDER\n");
    return 2;
  }
  const int code = gen_pack(argv[1], COOK_LAYOUT_BLK64, "blk64");
  return code != 0 ? code : gen_pack(argv[1], COOK_LAYOUT_CSR64, "csr64");
}
