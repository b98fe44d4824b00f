/// run.h: from the words of the command line to an exit code.
#ifndef CLI_RUN_H
#define CLI_RUN_H

/// Runs the verb; prints its messages. Returns the exit code.
int cli_main(int argument_count, char **arguments);

#endif
