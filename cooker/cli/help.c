// help.c: pages made from the tables: --help (one screen) and manual pages (roff).
#include <string.h>

#include "cooker/cli/options.h"
#include "cooker/report/text_out.h"
#include "cooker/report/version.h"

typedef struct help_exit {
  const char *code, *meaning;
} help_exit;

static const help_exit help_exits[] = {
    {"0", "success"},
    {"1", "the content is wrong, or there are warnings under --werror"},
    {"2", "usage, an unknown clip or morph target, no source map"},
    {"3", "a file cannot be opened, read or written"},
    {"4", "a source cannot be parsed, needs something unsupported, or its importer died"},
    {"5", "a pack is corrupt, hostile or of an unknown version"},
    {"6", "out of memory, or a limit"},
    {"7", "an internal error: a bug in mpak"},
    {"130, 143", "interrupted"},
    {NULL, NULL},
};

// -- Text ------------------------------------------------------------------------------------------------------------

#define HELP_LABEL_WIDTH 34u

/// Characters of a text, which is UTF-8.
static uint32_t help_width(const char *text) {
  uint32_t width = 0;
  for (; *text != 0; text++) width += ((uint8_t)*text & 0xC0) != 0x80;
  return width;
}

/// "  -o, --output FILE"
static const char *help_label(text_out *text, const cli_option *option) {
  const char *value = option->argument != NULL ? option->argument : option->choices;
  const char *alias = option->alias != NULL ? job_format(text->job, "%s, ", option->alias) : "";
  return job_format(text->job, "  %s%s%s%s", alias, option->name, value != NULL ? " " : "", value != NULL ? value : "");
}

static void help_put_option(text_out *text, const cli_option *option) {
  if (option->kind == CLI_LATER) return;
  const char *label = help_label(text, option);
  const uint32_t width = help_width(label);
  const uint32_t padding = width < HELP_LABEL_WIDTH ? HELP_LABEL_WIDTH - width : 1;
  text_printf(text, "%s%*s%s\n", label, (int)padding, "", option->help);
}

void cli_put_help(text_out *text, const cli_verb *verb) {
  text_printf(text, "usage: mpak %s%s%s\n%s\n\n", verb->name, verb->synopsis[0] != 0 ? " " : "", verb->synopsis,
              verb->summary);
  for (const cli_option *const *table = verb->tables; *table != NULL; table++)
    for (const cli_option *option = *table; option->name != NULL; option++) help_put_option(text, option);
  text_put(text, "\nThe first of several values is the default. @FILE reads words from FILE; -- ends options.\n");
  for (const char *line = verb->example; line != NULL;) {
    const char *end = strchr(line, '\n');
    text_put(text, "  $ ");
    text_put_bytes(text, line, end != NULL ? (uint64_t)(end - line) : strlen(line));
    text_put_char(text, '\n');
    line = end != NULL ? end + 1 : NULL;
  }
}

void cli_put_overview(text_out *text) {
  text_put(text, "usage: mpak VERB [options] FILE…\nCooks characters into packs, and looks into them.\n\n");
  for (const cli_verb *verb = cli_verbs; verb->name != NULL; verb++)
    if (verb->run != NULL) text_printf(text, "  %-10s%s\n", verb->name, verb->summary);
  text_put(text, "\nexit codes:\n");
  for (const help_exit *row = help_exits; row->code != NULL; row++)
    text_printf(text, "  %-10s%s\n", row->code, row->meaning);
  text_put(text, "\n'mpak VERB --help' lists a verb's options; 'mpak explain CODE' says what a message means.\n");
}

// -- Manual pages ----------------------------------------------------------------------------------------------------

/// Text for roff: no hyphenation of options, no line that begins with a control character.
static void man_put(text_out *text, const char *words) {
  for (; *words != 0; words++) {
    if (*words == '-')
      text_put(text, "\\-");
    else if (*words == '\\')
      text_put(text, "\\e");
    else if (*words == '\'')
      text_put(text, "\\(aq");
    else
      text_put_char(text, *words);
  }
}

static void man_put_option(text_out *text, const cli_option *option) {
  if (option->kind == CLI_LATER) return;
  text_put(text, ".TP\n.B ");
  man_put(text, help_label(text, option) + 2);
  text_put(text, "\n");
  man_put(text, option->help);
  text_put(text, ".\n");
}

static void man_put_title(text_out *text, const char *name, const char *summary) {
  text_printf(text, ".TH %s 1 \"\" \"mpak %s\" \"mpak manual\"\n.SH NAME\n", name, MPAK_VERSION);
  man_put(text, name);
  text_put(text, " \\- ");
  man_put(text, summary);
  text_put(text, "\n.SH SYNOPSIS\n");
}

static void man_put_exits(text_out *text) {
  text_put(text, ".SH EXIT STATUS\n");
  for (const help_exit *row = help_exits; row->code != NULL; row++) {
    text_printf(text, ".TP\n.B %s\n", row->code);
    man_put(text, row->meaning);
    text_put(text, "\n");
  }
}

static void man_put_overview(text_out *text) {
  man_put_title(text, "mpak", "cooks characters into packs, and looks into them");
  text_put(
      text,
      ".B mpak\n.I verb\n[\n.I options\n]\n.I file ...\n.SH DESCRIPTION\nResults go to standard output, messages to "
      "standard error. Several inputs give the largest exit status.\n.SH VERBS\n");
  for (const cli_verb *verb = cli_verbs; verb->name != NULL; verb++) {
    if (verb->run == NULL) continue;
    text_printf(text, ".TP\n.BR mpak\\-%s (1)\n", verb->name);
    man_put(text, verb->summary);
    text_put(text, "\n");
  }
  man_put_exits(text);
}

void cli_put_man(text_out *text, const cli_verb *verb) {
  if (verb == NULL) {
    man_put_overview(text);
    return;
  }
  man_put_title(text, job_format(text->job, "mpak-%s", verb->name), verb->summary);
  text_printf(text, ".B mpak %s\n", verb->name);
  man_put(text, verb->synopsis);
  text_put(text, "\n.SH DESCRIPTION\n");
  man_put(text, verb->text);
  text_put(text, "\n.SH OPTIONS\nThe first of several values is the default.\n");
  for (const cli_option *const *table = verb->tables; *table != NULL; table++)
    for (const cli_option *option = *table; option->name != NULL; option++) man_put_option(text, option);
  text_put(text, ".SH EXAMPLES\n.nf\n");
  man_put(text, verb->example);
  text_put(text, "\n.fi\n");
  man_put_exits(text);
  text_put(text, ".SH SEE ALSO\n.BR mpak (1)\n");
}
