#include "cooker/cli/depfile.h"

#include <string.h>

/// gcc's rules: a blank gets a backslash, and the backslashes before it are doubled; # gets one; $ is doubled.
static void depfile_put_path(text_out *text, const char *path) {
  if (path[strcspn(path, "\r\n")] != 0) cli_fail(text->job, MPAK_O011, path, NULL);
  uint32_t backslashes = 0;
  for (const char *at = path; *at != 0; at++) {
    if (*at == ' ' || *at == '\t') {
      for (uint32_t i = 0; i <= backslashes; i++) text_put_char(text, '\\');
    } else if (*at == '#') {
      text_put_char(text, '\\');
    } else if (*at == '$') {
      text_put_char(text, '$');
    }
    backslashes = *at == '\\' ? backslashes + 1 : 0;
    text_put_char(text, *at);
  }
}

/// A file that is used twice is named once.
static bool depfile_is_repeated(const char *const *dependencies, uint32_t number) {
  for (uint32_t i = 0; i < number; i++)
    if (strcmp(dependencies[i], dependencies[number]) == 0) return true;
  return false;
}

void depfile_put(text_out *text, const char *output, const cli_list *targets, const char *const *dependencies,
                 uint32_t dependency_count, bool is_phony) {
  for (uint32_t i = 0; i < targets->count; i++) text_printf(text, "%s%s", i != 0 ? " " : "", targets->items[i]);
  if (targets->count == 0) depfile_put_path(text, output);
  text_put_char(text, ':');
  for (uint32_t i = 0; i < dependency_count; i++) {
    if (depfile_is_repeated(dependencies, i)) continue;
    text_put(text, " \\\n  ");
    depfile_put_path(text, dependencies[i]);
  }
  text_put_char(text, '\n');
  for (uint32_t i = 1; is_phony && i < dependency_count; i++) {
    if (depfile_is_repeated(dependencies, i)) continue;
    text_put_char(text, '\n');
    depfile_put_path(text, dependencies[i]);
    text_put(text, ":\n");
  }
}
