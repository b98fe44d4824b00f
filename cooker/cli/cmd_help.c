// mpak help [VERB] [--man]: how to use a verb, or the list of verbs. The same as mpak VERB --help.
//
// --man prints the manual page, for man(1).
// Exit status: 0; 2 when there is no such verb.
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"

int cmd_help(cook_job *job, const cli_arguments *arguments) {
  const cli_verb *verb = arguments->inputs.count != 0 ? cli_require_verb(job, arguments->inputs.items[0]) : NULL;
  if (verb == NULL && arguments->wants_help) verb = arguments->verb;
  text_out text;
  text_begin(&text, job);
  if (arguments->wants_man)
    cli_put_man(&text, verb);
  else if (verb == NULL)
    cli_put_overview(&text);
  else
    cli_put_help(&text, verb);
  console_write(job, text.bytes, text.used);
  return 0;
}
