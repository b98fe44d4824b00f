#include <stdlib.h>
#include <string.h>

#include "cooker/import/fbx_decimal.h"
#include "cooker/import/fbx_records.h"

// The text form of FBX:
//   Name: value, value { Name: … }      ; a comment
// Values are numbers, "texts" (a quote inside is &quot;), bare words, and arrays *COUNT { a: number,number,… }.

#define TEXT_HEAD_BYTES  8192 ///< where the version is looked for
#define BYTES_PER_VALUE  12   ///< about as many as files of small values have: room for a start
#define FIRST_VALUES_MAX 4096

/// The file and the place in it. The byte behind the end is zero (io_read_file).
typedef struct text_reader {
  cook_job *job;
  fbx_records *records;
  const char *start;
  const char *at;
  const char *end;
} text_reader;

/// An open brace.
typedef struct text_level {
  uint32_t record;
  uint32_t last_child;
} text_level;

_Noreturn static void text_fail(const text_reader *reader, const char *what) {
  fbx_fail(reader->job, what, (uint64_t)(reader->at - reader->start));
}

// -- Words ------------------------------------------------------------------------------------------------------------

static void skip_line(text_reader *reader) {
  while (reader->at < reader->end && *reader->at != '\n') reader->at++;
}

/// Blanks, line ends if wanted, and comments.
static void skip_blank(text_reader *reader, bool over_lines) {
  while (reader->at < reader->end) {
    const char c = *reader->at;
    if (c == ';')
      skip_line(reader);
    else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && over_lines))
      reader->at++;
    else
      return;
  }
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '|' ||
         c == '.' || c == '+' || c == '-';
}

static const char *take_word(text_reader *reader, size_t *length) {
  const char *start = reader->at;
  while (reader->at < reader->end && is_word(*reader->at)) reader->at++;
  *length = (size_t)(reader->at - start);
  return start;
}

// -- Values -----------------------------------------------------------------------------------------------------------

static fbx_value text_value(const char *bytes, size_t length) {
  return (fbx_value){.kind = FBX_VALUE_TEXT, .bytes = (const uint8_t *)bytes, .byte_count = length};
}

/// The next place of a character; the file must have one.
static const char *find_mark(const text_reader *reader, const char *from, char mark, const char *complaint) {
  const char *found = memchr(from, mark, (size_t)(reader->end - from));
  if (found == NULL) text_fail(reader, complaint);
  return found;
}

/// A text between quotes, &quot; turned back.
static fbx_value take_quoted(text_reader *reader) {
  const char *start = ++reader->at;
  const char *quote = find_mark(reader, start, '"', "a text without its closing quote");
  reader->at = quote + 1;
  if (memchr(start, '&', (size_t)(quote - start)) == NULL) return text_value(start, (size_t)(quote - start));
  char *copy = job_copy(reader->job, start, (uint64_t)(quote - start));
  char *to = copy;
  for (const char *from = start; from < quote;) {
    const bool is_quote = (size_t)(quote - from) >= 6 && memcmp(from, "&quot;", 6) == 0;
    *to++ = is_quote ? '"' : *from;
    from += is_quote ? 6 : 1;
  }
  return text_value(copy, (size_t)(to - copy));
}

static fbx_value take_array(text_reader *reader) {
  reader->at++;
  fbx_value value = {.kind = FBX_VALUE_ARRAY, .element_type = 't'};
  char *after;
  const unsigned long long count = strtoull(reader->at, &after, 10);
  if (after == reader->at || count > UINT32_MAX) text_fail(reader, "an array without a count");
  reader->at = after;
  skip_blank(reader, true);
  if (*reader->at != '{') text_fail(reader, "an array without its braces");
  const char *close = find_mark(reader, reader->at, '}', "an array without its braces");
  const char *colon = memchr(reader->at, ':', (size_t)(close - reader->at));
  const char *first = colon == NULL ? reader->at + 1 : colon + 1; // behind "a:"
  value.element_count = (uint32_t)count;
  value.bytes = (const uint8_t *)first;
  value.byte_count = (uint64_t)(close - first);
  reader->at = close + 1;
  return value;
}

/// A number, or a bare word such as Y or Shape.
static fbx_value take_plain(text_reader *reader) {
  size_t length;
  const char *word = take_word(reader, &length);
  if (length == 0) text_fail(reader, "a character that belongs nowhere");
  const char *end_of_number;
  const double number = fbx_decimal(word, &end_of_number);
  if (end_of_number != word + length) return text_value(word, length);
  char *end_of_integer;
  const long long integer = strtoll(word, &end_of_integer, 10);
  if (end_of_integer == word + length)
    return (fbx_value){.kind = FBX_VALUE_INTEGER, .integer = integer, .number = number};
  return (fbx_value){.kind = FBX_VALUE_NUMBER, .number = number};
}

static fbx_value take_value(text_reader *reader) {
  if (*reader->at == '"') return take_quoted(reader);
  if (*reader->at == '*') return take_array(reader);
  return take_plain(reader);
}

/// The values behind "Name:", which end with the line unless a comma goes before it.
static void take_values(text_reader *reader) {
  skip_blank(reader, false);
  while (reader->at < reader->end && *reader->at != '\n' && *reader->at != '{' && *reader->at != '}') {
    fbx_add_value(reader->records, take_value(reader));
    skip_blank(reader, false);
    if (reader->at == reader->end || *reader->at != ',') return;
    reader->at++;
    skip_blank(reader, true);
  }
}

// -- Records ----------------------------------------------------------------------------------------------------------

static uint32_t take_record(text_reader *reader, text_level *parent) {
  size_t length;
  const char *word = take_word(reader, &length);
  skip_blank(reader, false);
  if (length == 0 || *reader->at != ':') text_fail(reader, "a name without its colon");
  reader->at++;
  if (length > UINT8_MAX) text_fail(reader, "a name too long to write again");
  const uint32_t record = fbx_add_record(reader->records, word, length, parent->record, parent->last_child);
  parent->last_child = record;
  take_values(reader);
  return record;
}

/// One record, or one closing brace. Returns the new depth.
static uint32_t text_step(text_reader *reader, text_level *levels, uint32_t depth) {
  if (*reader->at == '}') {
    if (depth == 1) text_fail(reader, "a closing brace too many");
    reader->at++;
    return depth - 1;
  }
  const uint32_t record = take_record(reader, &levels[depth - 1]);
  skip_blank(reader, false);
  if (*reader->at != '{') return depth;
  if (depth == FBX_DEPTH_MAX) text_fail(reader, "records nested too deeply");
  reader->at++;
  reader->records->records[record].has_list = true;
  levels[depth] = (text_level){record, FBX_NONE};
  return depth + 1;
}

/// "FBXVersion: 7700", which stands near the beginning. 0 when it does not.
static uint32_t text_version(const uint8_t *bytes, uint64_t byte_count) {
  static const char word[] = "FBXVersion:";
  const uint64_t searched = byte_count < TEXT_HEAD_BYTES ? byte_count : TEXT_HEAD_BYTES;
  const char *found = memmem(bytes, searched, word, sizeof word - 1);
  const long version = found == NULL ? 0 : strtol(found + sizeof word - 1, NULL, 10);
  return version > 0 && version < 100000 ? (uint32_t)version : 0;
}

fbx_records *fbx_text_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count) {
  fbx_records *records = JOB_ARRAY(job, fbx_records, 1);
  records->job = job;
  records->is_text = true;
  records->version = text_version(bytes, byte_count);
  if (records->version < FBX_VERSION_TREE) return records; // other rules; the caller refuses the version
  const uint64_t guess = byte_count / BYTES_PER_VALUE;
  records->value_capacity = guess < FIRST_VALUES_MAX ? (uint32_t)guess : FIRST_VALUES_MAX;
  records->values = JOB_ARRAY(job, fbx_value, records->value_capacity);
  const char *start = (const char *)bytes;
  text_reader reader = {.job = job, .records = records, .start = start, .at = start, .end = start + byte_count};
  text_level levels[FBX_DEPTH_MAX + 1] = {{FBX_NONE, FBX_NONE}};
  uint32_t depth = 1;
  for (skip_blank(&reader, true); reader.at < reader.end; skip_blank(&reader, true))
    depth = text_step(&reader, levels, depth);
  if (depth != 1) text_fail(&reader, "the file ends inside a record");
  return records;
}
