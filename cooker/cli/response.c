// response.c: @FILE on the command line, with gcc's quoting.
#include <string.h>
#include <sys/stat.h>

#include "cooker/base/io.h"
#include "cooker/cli/options.h"

#define RESPONSE_DEPTH_MAX 16u

/// A word that waits for its turn, and in how many response files it stands.
typedef struct response_word {
  const char *text;
  uint32_t depth;
  struct response_word *next;
} response_word;

/// The words of a file are cut out in its own bytes: unquoting only shortens.
typedef struct response_reader {
  cook_job *job;
  const char *path;
  char *at, *end;
} response_reader;

static bool response_is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

static bool response_find_word(response_reader *reader) {
  while (reader->at < reader->end && response_is_blank(*reader->at)) reader->at++;
  return reader->at < reader->end;
}

/// The word that begins here, without its quotes and backslashes.
static char *response_cut_word(response_reader *reader) {
  char *word = reader->at, *to = reader->at, quote = 0;
  for (; reader->at < reader->end; reader->at++) {
    const char letter = *reader->at;
    if (letter == '\\' && reader->at + 1 < reader->end)
      *to++ = *++reader->at;
    else if (quote != 0 && letter == quote)
      quote = 0;
    else if (quote == 0 && (letter == '"' || letter == '\''))
      quote = letter;
    else if (quote == 0 && response_is_blank(letter))
      break;
    else
      *to++ = letter;
  }
  if (quote != 0)
    cli_fail(reader->job, MPAK_U018, job_format(reader->job, "\"%s\" ends within quotes", reader->path), NULL);
  if (reader->at < reader->end) reader->at++;
  *to = 0;
  return word;
}

static void response_add(cook_job *job, const char *text, uint32_t depth, response_word ***last) {
  response_word *word = JOB_ARRAY(job, response_word, 1);
  *word = (response_word){text, depth, NULL};
  **last = word;
  *last = &word->next;
}

/// The words of a file, followed by the rest of the queue.
static response_word *response_open(cook_job *job, const char *path, uint32_t depth, response_word *rest) {
  if (depth > RESPONSE_DEPTH_MAX)
    cli_fail(job, MPAK_U018, job_format(job, "\"%s\" is nested too deep; it may name itself", path), NULL);
  uint64_t byte_count = 0;
  char *bytes = (char *)io_read_file(job, path, &byte_count);
  if (memchr(bytes, 0, (size_t)byte_count) != NULL)
    cli_fail(job, MPAK_U018, job_format(job, "\"%s\" has a zero byte in it; it is no text", path), NULL);
  response_reader reader = {job, path, bytes, bytes + byte_count};
  response_word *first = NULL, **last = &first;
  while (response_find_word(&reader)) response_add(job, response_cut_word(&reader), depth, &last);
  *last = rest;
  return first;
}

/// A folder's name is a word like any other; what is no regular file (a pipe of the shell) is refused when read.
static bool response_is_file(const char *word) {
  struct stat status;
  return word[0] == '@' && stat(word + 1, &status) == 0 && !S_ISDIR(status.st_mode);
}

static cli_list response_list(cook_job *job, const response_word *first, uint32_t count) {
  cli_list list = {JOB_ARRAY(job, const char *, count), 0};
  for (; first != NULL; first = first->next) list.items[list.count++] = first->text;
  return list;
}

cli_list cli_expand_responses(cook_job *job, int argument_count, const char *const *arguments) {
  response_word *queue = NULL, **end = &queue, *done = NULL, **last = &done;
  for (int i = 0; i < argument_count; i++) response_add(job, arguments[i], 0, &end);
  uint32_t count = 0;
  bool has_ended = false; // behind "--" a word is a path, whatever it begins with
  while (queue != NULL) {
    response_word *word = queue;
    queue = word->next;
    if (!has_ended && response_is_file(word->text)) {
      queue = response_open(job, word->text + 1, word->depth + 1, queue);
      continue;
    }
    if (strcmp(word->text, "--") == 0) has_ended = true;
    word->next = NULL;
    *last = word;
    last = &word->next;
    count++;
  }
  return response_list(job, done, count);
}
