/// commands.h: what the verbs do; one file each, cmd_VERB.c, which opens with its manual page.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cooker/cli/options.h"

// Each returns the exit code, or leaves the job when the command line cannot be followed.
int cmd_cook(cook_job *job, const cli_arguments *arguments);
int cmd_validate(cook_job *job, const cli_arguments *arguments);
int cmd_info(cook_job *job, const cli_arguments *arguments);
int cmd_eval(cook_job *job, const cli_arguments *arguments);
int cmd_export(cook_job *job, const cli_arguments *arguments);
int cmd_bake(cook_job *job, const cli_arguments *arguments);
int cmd_diff(cook_job *job, const cli_arguments *arguments);
// in builds with GL=1
int cmd_sheet(cook_job *job, const cli_arguments *arguments);
int cmd_view(cook_job *job, const cli_arguments *arguments);
int cmd_explain(cook_job *job, const cli_arguments *arguments);
int cmd_version(cook_job *job, const cli_arguments *arguments);
int cmd_help(cook_job *job, const cli_arguments *arguments);

#endif
