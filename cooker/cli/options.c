#include "cooker/cli/options.h"

#include <float.h>
#include <string.h>

#include "cooker/import/name_encoding.h"
#include "cooker/report/number.h"

/// The words still to be read.
typedef struct option_reader {
  cook_job *job;
  const cli_verb *verb;
  cli_list words;
  uint32_t next;
  cli_arguments *result;
} option_reader;

// -- Choices: words between bars -------------------------------------------------------------------------------------

/// The number of a word in "one|two|three", or MPAK_NONE.
static uint32_t choice_number(const char *choices, const char *word, size_t length) {
  uint32_t number = 0;
  while (choices != NULL) {
    const char *bar = strchr(choices, '|');
    const size_t choice_length = bar != NULL ? (size_t)(bar - choices) : strlen(choices);
    if (choice_length == length && memcmp(choices, word, length) == 0) return number;
    number++;
    choices = bar != NULL ? bar + 1 : NULL;
  }
  return MPAK_NONE;
}

// -- Finding options -------------------------------------------------------------------------------------------------

static bool option_takes_value(const cli_option *option) {
  return option->kind != CLI_FLAG && option->kind != CLI_LATER;
}

/// Does word name the option, by itself or joined with a value? value: the joined value, or NULL.
static bool option_matches(const cli_option *option, const char *name, const char *word, const char **value) {
  const size_t length = strlen(name);
  *value = NULL;
  if (strncmp(word, name, length) != 0) return false;
  if (word[length] == 0) return true;
  if (strncmp(name, "--", 2) == 0) {
    *value = word + length + 1;
    return word[length] == '=';
  }
  *value = word + length; // -j4, -oFILE
  return option_takes_value(option);
}

/// The longest name wins, so that -MDx is not -M with a value.
static const cli_option *option_find(const cli_verb *verb, const char *word, const char **value) {
  const cli_option *found = NULL;
  size_t longest = 0;
  for (const cli_option *const *table = verb->tables; *table != NULL; table++) {
    for (const cli_option *option = *table; option->name != NULL; option++) {
      const char *names[2] = {option->name, option->alias};
      for (int i = 0; i < 2 && names[i] != NULL; i++) {
        const char *joined;
        if (!option_matches(option, names[i], word, &joined) || strlen(names[i]) < longest) continue;
        longest = strlen(names[i]);
        found = option;
        *value = joined;
      }
    }
  }
  return found;
}

static uint32_t option_count(const cli_verb *verb) {
  uint32_t count = 0;
  for (const cli_option *const *table = verb->tables; *table != NULL; table++)
    for (const cli_option *option = *table; option->name != NULL; option++) count++;
  return count;
}

_Noreturn static void option_unknown(const option_reader *reader, const char *word) {
  const char **names = JOB_ARRAY(reader->job, const char *, option_count(reader->verb));
  uint32_t count = 0;
  for (const cli_option *const *table = reader->verb->tables; *table != NULL; table++)
    for (const cli_option *option = *table; option->name != NULL; option++)
      if (option->kind != CLI_LATER) names[count++] = option->name;
  char *name = job_copy(reader->job, word, strcspn(word, "="));
  cli_fail(reader->job, MPAK_U002, name, cli_suggest(reader->job, name, names, count));
}

// -- Values ----------------------------------------------------------------------------------------------------------

static const char *option_expects(cook_job *job, const cli_option *option) {
  switch (option->kind) {
  case CLI_CHOICE: return job_format(job, "%s", option->choices);
  case CLI_COUNT: return job_format(job, "a number from 1 to %u", option->limit);
  case CLI_REAL: return "a number";
  case CLI_LENGTH: return "a number above 0";
  case CLI_RANGE: return "two numbers LO,HI with LO <= HI";
  default: return option->argument != NULL ? option->argument : "a word";
  }
}

_Noreturn static void option_bad_value(const option_reader *reader, const cli_option *option, const char *value) {
  cook_job *job = reader->job;
  const char *expected = option_expects(job, option);
  cli_fail(job, MPAK_U004, value, job_format(job, "%s, which takes %s", option->name, expected));
}

static uint32_t option_read_choice(const option_reader *reader, const cli_option *option, const char *value) {
  const uint32_t number = choice_number(option->choices, value, strlen(value));
  if (number != MPAK_NONE) return number;
  if (choice_number(option->later, value, strlen(value)) != MPAK_NONE)
    cli_fail(reader->job, MPAK_U005, job_format(reader->job, "%s %s", option->name, value), NULL);
  option_bad_value(reader, option, value);
}

static uint32_t option_read_count(const option_reader *reader, const cli_option *option, const char *value) {
  uint64_t number = 0;
  const char *at = value;
  for (; *at >= '0' && *at <= '9' && number <= option->limit; at++) number = number * 10 + (uint64_t)(*at - '0');
  if (at == value || *at != 0 || number < 1 || number > option->limit) option_bad_value(reader, option, value);
  return (uint32_t)number;
}

static bool range_parse(cook_job *job, const char *value, cli_range *range) {
  const char *comma = strchr(value, ',');
  if (comma == NULL) return false;
  const char *low = job_copy(job, value, (uint64_t)(comma - value));
  if (!number_parse(low, &range->low) || !number_parse(comma + 1, &range->high)) return false;
  return range->low <= range->high && range->low >= -FLT_MAX && range->high <= FLT_MAX; // the pack holds floats
}

static cli_range option_read_range(const option_reader *reader, const cli_option *option, const char *value) {
  cli_range range = {.is_given = true};
  if (!range_parse(reader->job, value, &range)) option_bad_value(reader, option, value);
  return range;
}

static cli_real option_read_real(const option_reader *reader, const cli_option *option, const char *value) {
  cli_real real = {.is_given = true};
  if (!number_parse(value, &real.value)) option_bad_value(reader, option, value);
  if (option->kind == CLI_LENGTH && !(real.value > 0)) option_bad_value(reader, option, value);
  return real;
}

/// items has room for all words of the command line.
static void option_append(const option_reader *reader, cli_list *list, const char *value) {
  if (list->items == NULL) list->items = JOB_ARRAY(reader->job, const char *, reader->words.count);
  list->items[list->count++] = value;
}

static void option_store(const option_reader *reader, const cli_option *option, const char *value) {
  void *member = (char *)reader->result + option->member;
  switch (option->kind) {
  case CLI_TEXT: *(const char **)member = value; break;
  case CLI_TEXTS: option_append(reader, member, value); break;
  case CLI_CHOICE: *(uint32_t *)member = option_read_choice(reader, option, value); break;
  case CLI_COUNT: *(uint32_t *)member = option_read_count(reader, option, value); break;
  case CLI_LENGTH:
  case CLI_REAL: *(cli_real *)member = option_read_real(reader, option, value); break;
  case CLI_RANGE: *(cli_range *)member = option_read_range(reader, option, value); break;
  default: break; // no value, nothing to store
  }
}

static void option_set_flag(const option_reader *reader, const cli_option *option, const char *value) {
  if (option->kind == CLI_LATER) cli_fail(reader->job, MPAK_U005, option->name, NULL);
  if (value != NULL) cli_fail(reader->job, MPAK_U006, option->name, NULL);
  *(bool *)((char *)reader->result + option->member) = true;
}

/// The word behind an option is its value, unless it is plainly another option.
static const char *option_next_value(option_reader *reader, const cli_option *option) {
  const char *joined = NULL;
  const char *word = reader->next < reader->words.count ? reader->words.items[reader->next] : NULL;
  const bool is_option = word != NULL && word[0] == '-' && word[1] != 0 &&
                         option_find(reader->verb, word, &joined) != NULL && joined == NULL;
  if (word == NULL || is_option) cli_fail(reader->job, MPAK_U003, option->name, option_expects(reader->job, option));
  reader->next++;
  return word;
}

static bool option_looks_like_one(const char *word) { return word[0] == '-' && word[1] != 0; }

/// Everything up to the next option; of --clips=FILE only FILE.
static void option_read_files(option_reader *reader, const cli_option *option, const char *value) {
  cli_list *files = (cli_list *)((char *)reader->result + option->member);
  const uint32_t old_count = files->count;
  if (value != NULL) option_append(reader, files, value);
  while (value == NULL && reader->next < reader->words.count &&
         !option_looks_like_one(reader->words.items[reader->next]))
    option_append(reader, files, reader->words.items[reader->next++]);
  bool is_empty = files->count == old_count;
  for (uint32_t i = old_count; i < files->count; i++) is_empty |= files->items[i][0] == 0;
  if (is_empty) cli_fail(reader->job, MPAK_U003, option->name, option_expects(reader->job, option));
}

static void option_apply(option_reader *reader, const cli_option *option, const char *value) {
  if (!option_takes_value(option)) {
    option_set_flag(reader, option, value);
    return;
  }
  if (option->kind == CLI_FILES) {
    option_read_files(reader, option, value);
    return;
  }
  if (value == NULL) value = option_next_value(reader, option);
  if (value[0] == 0) cli_fail(reader->job, MPAK_U003, option->name, option_expects(reader->job, option));
  option_store(reader, option, value);
}

static void option_read(option_reader *reader, const char *word) {
  const char *value = NULL;
  const cli_option *option = option_find(reader->verb, word, &value);
  if (option == NULL) option_unknown(reader, word);
  option_apply(reader, option, value);
  option_append(reader, &reader->result->given, option->name);
}

// -- The whole line --------------------------------------------------------------------------------------------------

static void option_check_inputs(const option_reader *reader) {
  const cli_verb *verb = reader->verb;
  const cli_arguments *result = reader->result;
  if (result->wants_help) return;
  if (result->inputs.count < verb->inputs_min) {
    const char *after = result->clip_files.count != 0 ? "; --clips takes all files up to the next option or --" : "";
    cli_fail(reader->job, MPAK_U007, job_format(reader->job, "mpak %s", verb->name),
             job_format(reader->job, "%s%s", verb->input_name, after));
  }
  if (result->inputs.count > verb->inputs_max) {
    const char *limit = verb->inputs_max == 0 ? "takes no file" : job_format(reader->job, "takes %s", verb->input_name);
    cli_fail(reader->job, MPAK_U008, result->inputs.items[verb->inputs_max],
             job_format(reader->job, "mpak %s %s", verb->name, limit));
  }
}

/// An encoding is one, and goes into the pack in one spelling.
static void option_check_encoding(const option_reader *reader) {
  const char *encoding = reader->result->name_encoding;
  if (encoding == NULL) return;
  if (!name_encoding_is_known(encoding))
    cli_fail(reader->job, MPAK_U004, encoding,
             "--name-encoding, which takes an encoding that iconv knows and that contains ASCII, such as cp932");
  char *lower = job_copy(reader->job, encoding, strlen(encoding));
  for (char *c = lower; *c != 0; c++)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  reader->result->name_encoding = lower;
}

/// Numbers of one digit; MPAK_NONE for other words.
static uint32_t option_digit(const char *word) { return choice_number("0|1|2|3|4|5|6|7|8|9", word, strlen(word)); }

uint32_t cli_lods(const cli_arguments *arguments) {
  if (arguments->lods == NULL || strcmp(arguments->lods, "auto") == 0) return COOK_LODS_AUTO;
  return strcmp(arguments->lods, "none") == 0 ? COOK_LODS_NONE : option_digit(arguments->lods);
}

uint32_t cli_lod(const cli_arguments *arguments) { return arguments->lod == NULL ? 0 : option_digit(arguments->lod); }

static void option_check_lods(const option_reader *reader) {
  const cli_arguments *result = reader->result;
  const uint32_t lods = cli_lods(result), lod = cli_lod(result);
  if (lods > COOK_LODS_MOST || (lods < 2 && option_digit(result->lods == NULL ? "" : result->lods) != MPAK_NONE))
    cli_fail(reader->job, MPAK_U004, result->lods, "--lods, which takes auto, none, or a number of levels from 2 to 8");
  if (lod >= COOK_LODS_MOST) cli_fail(reader->job, MPAK_U004, result->lod, "--lod, which takes a level from 0 to 7");
}

void cli_parse(cook_job *job, const cli_verb *verb, int argument_count, const char *const *arguments,
               cli_arguments *result) {
  *result = (cli_arguments){.verb = verb};
  option_reader reader = {job, verb, cli_expand_responses(job, argument_count, arguments), 0, result};
  bool has_ended = false;
  while (reader.next < reader.words.count) {
    const char *word = reader.words.items[reader.next++];
    if (has_ended || !option_looks_like_one(word))
      option_append(&reader, &result->inputs, word);
    else if (strcmp(word, "--") == 0)
      has_ended = true;
    else
      option_read(&reader, word);
  }
  option_check_encoding(&reader);
  option_check_lods(&reader);
  option_check_inputs(&reader);
}

// -- What the arguments mean -----------------------------------------------------------------------------------------

/// What is cooked to be kept is quantised; what is only looked at is not.
static cook_quality options_quality(const cli_arguments *arguments) {
  if (cli_was_given(arguments, "--quality")) return (cook_quality)arguments->quality;
  return strcmp(arguments->verb->name, "cook") == 0 ? COOK_QUALITY_DEFAULT : COOK_QUALITY_LOSSLESS;
}

cook_options cli_cook_options_of(const cli_arguments *arguments) {
  static const uint32_t influences[3] = {12, 8, 4};
  return (cook_options){
      .quality = options_quality(arguments),
      .layout = (cook_layout)arguments->layout,
      .compress = (cook_compress)arguments->compress,
      .tangents = (cook_tangents)arguments->tangents,
      .morph_normals = (cook_morph_normals)arguments->morph_normals,
      .importer = (cook_importer)arguments->importer,
      .up = (cook_up)arguments->up,
      .unit = (cook_unit)arguments->unit,
      .max_influences = influences[arguments->max_influences],
      .target_globs = arguments->targets.items,
      .target_glob_count = arguments->targets.count,
      .drop_unused = arguments->drop_unused,
      .lods = cli_lods(arguments),
      .vertex_order = (cook_vertex_order)arguments->vertex_order,
      .no_weld = arguments->weld == 1,
      .source_map = arguments->source_map,
      .has_weight_range = arguments->weight_range.is_given,
      .weight_range = {(float)arguments->weight_range.low, (float)arguments->weight_range.high},
      .animation_error_m = arguments->animation_error.is_given ? arguments->animation_error.value : 0,
      .clip_files = arguments->clip_files.items,
      .clip_file_count = arguments->clip_files.count,
      .clips_only = arguments->clips_only,
      .name_encoding = arguments->name_encoding,
      .thread_count = arguments->thread_count,
  };
}

static void severity_apply(cook_job *reporter, cook_job *job, const char *setting) {
  const char *equals = strrchr(setting, '=');
  const char *code = job_copy(reporter, setting, equals != NULL ? (uint64_t)(equals - setting) : strlen(setting));
  const mpak_issue_id id = mpak_issue_find(code);
  if (id == MPAK_ISSUE_COUNT) cli_fail(reporter, MPAK_U017, code, "");
  const uint32_t level =
      equals != NULL ? choice_number("error|warning|info|off", equals + 1, strlen(equals + 1)) : MPAK_NONE;
  if (level == MPAK_NONE) cli_fail(reporter, MPAK_U004, setting, "-W, which takes CODE=error|warning|info|off");
  if (mpak_issue_get(id)->severity == MPAK_ERROR && level != MPAK_ERROR) cli_fail(reporter, MPAK_U020, setting, NULL);
  job_set_severity(job, id, (int)level);
}

void cli_apply_severities(cook_job *reporter, cook_job *job, const cli_arguments *arguments) {
  for (uint32_t i = 0; i < arguments->severities.count; i++)
    severity_apply(reporter, job, arguments->severities.items[i]);
  job_set_werror(job, arguments->werror);
}
