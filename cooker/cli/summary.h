/// summary.h: what a cook did, for a person.
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cooker/cli/batch.h"

/// "file: ok", or how many errors and warnings it has.
void summary_put_verdict(text_out *text, const char *file, const cook_job *job);

/// Meshes, targets, bones, clips, bytes before and after, error, time; with -v memory too.
void summary_put_cook(text_out *text, const batch_item *item, const cook_job *job);

/// A number with commas between thousands.
const char *summary_count(cook_job *job, uint64_t count);

#endif
