// mpak explain [CODE]: what an issue means, why it matters, and how to repair it; without a code, the list of all.
//
// CODE is MPAK-M012, or M012, in any case.
// Exit status: 0; 2 when there is no such code.
#include <string.h>

#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"

#define EXPLAIN_COLUMNS 100u

/// Words, broken at blanks before a line grows past its end.
static void explain_put_paragraph(text_out *text, const char *words) {
  uint32_t column = 0;
  while (*words != 0) {
    const size_t length = strcspn(words, " ");
    if (column != 0 && column + 1 + length > EXPLAIN_COLUMNS) {
      text_put_char(text, '\n');
      column = 0;
    } else if (column != 0) {
      text_put_char(text, ' ');
      column++;
    }
    text_put_bytes(text, words, length);
    column += (uint32_t)length;
    words += length + (words[length] == ' ');
  }
  text_put_char(text, '\n');
}

/// The message with its places written out: {e} becomes <element>.
static void explain_put_message(text_out *text, const char *message) {
  for (; *message != 0; message++) {
    const char *name = strncmp(message, "{e}", 3) == 0   ? "<element>"
                       : strncmp(message, "{v}", 3) == 0 ? "<value>"
                       : strncmp(message, "{l}", 3) == 0 ? "<limit>"
                                                         : NULL;
    if (name == NULL)
      text_put_char(text, *message);
    else
      text_put(text, name);
    if (name != NULL) message += 2;
  }
}

static void explain_put_issue(text_out *text, const mpak_issue_info *info) {
  text_printf(text, "%s (%s", info->code, report_severity_name(info->severity));
  if (info->severity == MPAK_ERROR) text_printf(text, ", exit code %d", info->exit_code);
  text_put(text, "): ");
  explain_put_message(text, info->message);
  text_put(text, "\n\n");
  explain_put_paragraph(text, info->explain);
  text_put(text, "\nHow to repair it:\n");
  explain_put_paragraph(text, info->hint);
}

static void explain_put_list(text_out *text) {
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const mpak_issue_info *info = mpak_issue_get((mpak_issue_id)i);
    text_printf(text, "%s %-8s", info->code, report_severity_name(info->severity));
    explain_put_message(text, info->message);
    text_put_char(text, '\n');
  }
}

_Noreturn static void explain_unknown(cook_job *job, const char *code) {
  const char **codes = JOB_ARRAY(job, const char *, (uint64_t)MPAK_ISSUE_COUNT * 2);
  for (uint32_t i = 0; i < MPAK_ISSUE_COUNT; i++) {
    codes[2 * i] = mpak_issue_get((mpak_issue_id)i)->code;
    codes[2 * i + 1] = codes[2 * i] + strlen("MPAK-");
  }
  cli_fail(job, MPAK_U017, code, cli_suggest(job, code, codes, (uint32_t)MPAK_ISSUE_COUNT * 2));
}

int cmd_explain(cook_job *job, const cli_arguments *arguments) {
  text_out text;
  text_begin(&text, job);
  if (arguments->inputs.count == 0) {
    explain_put_list(&text);
  } else {
    const mpak_issue_id id = mpak_issue_find(arguments->inputs.items[0]);
    if (id == MPAK_ISSUE_COUNT) explain_unknown(job, arguments->inputs.items[0]);
    explain_put_issue(&text, mpak_issue_get(id));
  }
  console_write(job, text.bytes, text.used);
  return 0;
}
