// main.c: mpak VERB [options] FILE…
//
// The program starts itself again as the importer's worker process; that is asked first, before anything is set up.
#include "cooker/cli/run.h"
#include "cooker/import/import.h"

#include <string.h>

int main(int argument_count, char **arguments) {
  if (argument_count > 1 && strcmp(arguments[1], "--import-worker") == 0)
    return import_worker_main(argument_count, arguments);
  return cli_main(argument_count, arguments);
}
