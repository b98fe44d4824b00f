/// batch.h: the same step for each of several inputs. One that fails does not stop the others.
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cooker/cli/options.h"
#include "cooker/report/text_out.h"

/// One input on its way.
typedef struct batch_item {
  const cli_arguments *arguments;
  const char *file;
  const char *output; ///< or NULL
  bool is_pack;       ///< set by the step
  bool is_cooked;     ///< set by the step: product is filled
  bool is_unchanged;  ///< set by the step: the output held these bytes already
  cook_product product;
} batch_item;

typedef struct batch_plan {
  const cli_arguments *arguments;
  const char *const *outputs; ///< one per input, or NULL
  /// Works on one input; issues, failures and memory go to the input's own job. user is the batch_item.
  void (*step)(cook_job *job, void *user);
  /// Adds what a person wants to read on standard output.
  void (*put_summary)(text_out *text, const batch_item *item, const cook_job *job);
} batch_plan;

/// Runs the plan over all inputs, prints issues and summaries, writes the report. Returns the largest exit code.
int batch_run(cook_job *job, const batch_plan *plan);

#endif
