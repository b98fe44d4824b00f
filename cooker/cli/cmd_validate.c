// mpak validate FILE… [options]: check models and packs, write nothing.
//
// A model is imported, checked and cooked in memory with cook's options; of a pack every chunk is decoded and checked.
// Issues go to standard error, one line per file to standard output (unless -q), a report (--report) to a file.
//
// Exit status: the largest over all inputs; 5 for a broken pack.
#include "cooker/cli/batch.h"
#include "cooker/cli/commands.h"
#include "cooker/cli/pack_file.h"
#include "cooker/cli/summary.h"
#include "cooker/cli/written.h"

static void validate_step(cook_job *job, void *user) {
  batch_item *item = user;
  item->is_pack = pack_file_is_pack(item->file);
  if (item->is_pack) {
    if (item->arguments->clip_files.count != 0) cli_fail(job, MPAK_U019, "--clips", NULL);
    pack_file file;
    pack_file_open(job, item->file, &file);
    pack_file_check_all(job, &file);
    return;
  }
  const cook_options options = cli_resolve_cook_options(job, item->arguments);
  cook_file(job, item->file, &options, &item->product);
  item->is_cooked = true;
}

static void validate_put_summary(text_out *text, const batch_item *item, const cook_job *job) {
  summary_put_verdict(text, item->file, job);
  if (item->arguments->is_verbose && item->is_cooked) summary_put_cook(text, item, job);
}

int cmd_validate(cook_job *job, const cli_arguments *arguments) {
  written_refuse_clip_packs(job, arguments);
  const cli_list inputs = written_inputs(job, arguments);
  written_check(job, &inputs, &(written_file){arguments->report, "the report", NULL}, 1);
  const batch_plan plan = {arguments, NULL, validate_step, validate_put_summary};
  return batch_run(job, &plan);
}
