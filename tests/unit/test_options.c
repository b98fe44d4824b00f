// The command line's tables and parser.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cooker/cli/depfile.h"
#include "cooker/cli/options.h"
#include "cooker/report/text_out.h"

#define WORDS_MAX 20

typedef struct parse_case {
  const char *verb;
  const char *words[WORDS_MAX];
  cli_arguments arguments;
} parse_case;

static void parse_step(cook_job *job, void *user) {
  parse_case *line = user;
  int count = 0;
  while (count < WORDS_MAX && line->words[count] != NULL) count++;
  cli_parse(job, cli_find_verb(line->verb), count, line->words, &line->arguments);
}

/// Parses; the issue that failed the job, or MPAK_ISSUE_COUNT when all was well. The job stays open for its texts.
static mpak_issue_id parse_run(cook_job **job, parse_case *line) {
  *job = job_begin(NULL, NULL);
  const bool has_returned = job_run(*job, parse_step, line);
  if (has_returned) return MPAK_ISSUE_COUNT;
  assert_int_equal(job_exit_code(*job), 2);
  return job_issue_at(*job, 0)->id;
}

static void test_parse_all_kinds_of_values_are_stored(void **state) {
  (void)state;
  cook_job *job;
  parse_case line = {"cook",
                     {"a.glb", "--layout=csr64", "--compress", "load", "-j4", "-o", "-odd", "--weight-range",
                      "-1.5,2.5", "--source-map", "-W", "M012=error", "-WC050=error", "--max-influences", "4", "b.glb"},
                     {0}};
  assert_int_equal(parse_run(&job, &line), MPAK_ISSUE_COUNT);
  assert_int_equal(line.arguments.inputs.count, 2);
  assert_string_equal(line.arguments.inputs.items[1], "b.glb");
  assert_string_equal(line.arguments.output, "-odd");
  assert_int_equal(line.arguments.severities.count, 2);
  assert_string_equal(line.arguments.severities.items[1], "C050=error");
  const cook_options options = cli_cook_options_of(&line.arguments);
  assert_int_equal(options.layout, COOK_LAYOUT_CSR64);
  assert_int_equal(options.compress, COOK_COMPRESS_LOAD);
  assert_int_equal(options.thread_count, 4);
  assert_int_equal(options.max_influences, 4);
  assert_true(options.source_map && options.has_weight_range);
  assert_true(options.weight_range[0] == -1.5f && options.weight_range[1] == 2.5f);
  job_end(job);
}

static void test_parse_nothing_given_is_the_default(void **state) {
  (void)state;
  cook_job *job;
  parse_case line = {"cook", {"a.glb"}, {0}};
  assert_int_equal(parse_run(&job, &line), MPAK_ISSUE_COUNT);
  const cook_options options = cli_cook_options_of(&line.arguments),
                     zero = {.quality = COOK_QUALITY_DEFAULT, .max_influences = 12};
  assert_memory_equal(&options, &zero, sizeof zero);
  job_end(job);
}

static void test_parse_every_choice_maps_to_its_enum(void **state) {
  (void)state;
  cook_job *job;
  parse_case line = {"cook",
                     {"--tangents", "none", "--morph-normals", "recompute", "--importer", "assimp", "--unit", "source",
                      "--up", "source", "--vertex-order", "source", "--weld", "none", "--compress=size",
                      "--name-encoding", "CP932", "x"},
                     {0}};
  assert_int_equal(parse_run(&job, &line), MPAK_ISSUE_COUNT);
  const cook_options options = cli_cook_options_of(&line.arguments);
  assert_int_equal(options.tangents, COOK_TANGENTS_NONE);
  assert_int_equal(options.morph_normals, COOK_MORPH_NORMALS_RECOMPUTE);
  assert_int_equal(options.importer, COOK_IMPORTER_ASSIMP);
  assert_int_equal(options.unit, COOK_UNIT_SOURCE);
  assert_int_equal(options.up, COOK_UP_SOURCE);
  assert_int_equal(options.compress, COOK_COMPRESS_SIZE);
  assert_string_equal(options.name_encoding, "cp932");
  assert_true(options.vertex_order == COOK_ORDER_SOURCE && options.no_weld);
  job_end(job);
}

typedef struct misuse_case {
  const char *verb;
  const char *words[WORDS_MAX];
  mpak_issue_id id;
  const char *message;
} misuse_case;

static void test_parse_misuse_is_named(void **state) {
  (void)state;
  static const misuse_case cases[] = {
      {"cook", {"a", "--lyout", "csr64"}, MPAK_U002, "there is no option \"--lyout\"; did you mean \"--layout\"?"},
      {"cook", {"a", "--lyout=csr64"}, MPAK_U002, "there is no option \"--lyout\"; did you mean \"--layout\"?"},
      {"cook", {"a", "--zzzzzzzz"}, MPAK_U002, "there is no option \"--zzzzzzzz\""},
      {"cook", {"a", "-x"}, MPAK_U002, NULL},
      {"cook", {"a", "--layout"}, MPAK_U003, "option --layout needs a value: blk64|csr64"},
      {"cook", {"a", "--layout", "--weld", "none"}, MPAK_U003, NULL},
      {"cook", {"a", "--layout="}, MPAK_U003, NULL},
      {"cook", {"a", "-o"}, MPAK_U003, NULL},
      {"cook", {"a", "--layout", "csr65"}, MPAK_U004, "\"csr65\" is not a value of --layout, which takes blk64|csr64"},
      {"cook", {"a", "--quality", "fine"}, MPAK_U004, NULL},
      {"cook", {"a", "-j", "0"}, MPAK_U004, NULL},
      {"cook", {"a", "-j", "1025"}, MPAK_U004, NULL},
      {"cook", {"a", "-j", "2x"}, MPAK_U004, NULL},
      {"cook", {"a", "-j", "99999999999999999999"}, MPAK_U004, NULL},
      {"cook", {"a", "--weight-range", "1"}, MPAK_U004, NULL},
      {"cook", {"a", "--anim-error", "0"}, MPAK_U004, NULL},
      {"cook", {"a", "--anim-error", "-0.1"}, MPAK_U004, NULL},
      {"cook", {"a", "--anim-error", "nan"}, MPAK_U004, NULL},
      {"cook", {"a", "--weight-range", "2,1"}, MPAK_U004, NULL},
      {"cook", {"a", "--weight-range", "nan,1"}, MPAK_U004, NULL},
      {"cook", {"a", "--weight-range", "0,1e39"}, MPAK_U004, NULL},
      {"cook", {"a", "--max-influences", "5"}, MPAK_U004, NULL},
      {"eval", {"a", "--time", "1,5"}, MPAK_U004, NULL},
      {"cook", {"a", "--lods", "9"}, MPAK_U004, NULL},
      {"cook", {"a", "--normals", "x"}, MPAK_U005, "--normals: not in this version"},
      {"cook", {"a", "--cache=x"}, MPAK_U005, NULL},
      {"eval", {"a", "--lod", "8"}, MPAK_U004, NULL},
      {"cook", {"a", "--source-map=yes"}, MPAK_U006, "option --source-map takes no value"},
      {"cook", {NULL}, MPAK_U007, "mpak cook needs a file to cook"},
      {"cook", {"--"}, MPAK_U007, NULL},
      {"info", {"a", "b"}, MPAK_U008, NULL},
      {"version", {"a"}, MPAK_U008, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cook_job *job;
    parse_case line = {.verb = cases[i].verb};
    memcpy(line.words, cases[i].words, sizeof line.words);
    assert_int_equal(parse_run(&job, &line), cases[i].id);
    if (cases[i].message != NULL) assert_string_equal(job_issue_at(job, 0)->message, cases[i].message);
    job_end(job);
  }
}

static void test_parse_double_dash_ends_options(void **state) {
  (void)state;
  cook_job *job;
  parse_case line = {"cook", {"-q", "--", "--layout", "-q", "--"}, {0}};
  assert_int_equal(parse_run(&job, &line), MPAK_ISSUE_COUNT);
  assert_int_equal(line.arguments.inputs.count, 3);
  assert_string_equal(line.arguments.inputs.items[2], "--");
  job_end(job);
}

// -- Response files --------------------------------------------------------------------------------------------------

static void response_write(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void test_response_file_quoting_is_that_of_gcc(void **state) {
  (void)state;
  char path[] = "/tmp/mpak-response-XXXXXX", word[64];
  close(mkstemp(path));
  snprintf(word, sizeof word, "@%s", path);
  response_write(
      path, "--layout\n  csr64 'a b.glb' \"c\\\"d.glb\" e\\ f.glb \"g\"h'i'.glb '' \xe3\x81\x82.glb 'two\nlines.glb'");
  cook_job *job;
  parse_case line = {"cook", {word, "z.glb"}, {0}};
  const mpak_issue_id found = parse_run(&job, &line);
  unlink(path);
  assert_int_equal(found, MPAK_ISSUE_COUNT);
  static const char *const expected[] = {"a b.glb", "c\"d.glb",         "e f.glb",        "ghi.glb",
                                         "",        "\xe3\x81\x82.glb", "two\nlines.glb", "z.glb"};
  assert_int_equal(line.arguments.layout, 1);
  assert_int_equal(line.arguments.inputs.count, 8);
  for (uint32_t i = 0; i < 8; i++) assert_string_equal(line.arguments.inputs.items[i], expected[i]);
  job_end(job);
}

static void test_response_file_misuse_is_named(void **state) {
  (void)state;
  char path[] = "/tmp/mpak-response-XXXXXX", word[64];
  close(mkstemp(path));
  snprintf(word, sizeof word, "@%s", path);
  cook_job *job;
  parse_case line = {"cook", {word}, {0}};
  response_write(path, "a \"b");
  assert_int_equal(parse_run(&job, &line), MPAK_U018);
  job_end(job);
  response_write(path, word); // names itself
  assert_int_equal(parse_run(&job, &line), MPAK_U018);
  job_end(job);
  unlink(path);
}

static void test_response_missing_file_stays_a_word(void **state) {
  (void)state;
  cook_job *job;
  parse_case line = {"cook", {"@/nowhere/at/all"}, {0}};
  assert_int_equal(parse_run(&job, &line), MPAK_ISSUE_COUNT);
  assert_string_equal(line.arguments.inputs.items[0], "@/nowhere/at/all");
  job_end(job);
}

// -- Suggestions -----------------------------------------------------------------------------------------------------

static void test_edit_distance_known_pairs(void **state) {
  (void)state;
  assert_int_equal(cli_edit_distance("", "", 9), 0);
  assert_int_equal(cli_edit_distance("cook", "cook", 9), 0);
  assert_int_equal(cli_edit_distance("kitten", "sitting", 9), 3);
  assert_int_equal(cli_edit_distance("cokk", "cook", 9), 1);
  assert_int_equal(cli_edit_distance("ocok", "cook", 9), 1); // a swap is one step
  assert_int_equal(cli_edit_distance("abc", "", 9), 3);
  assert_int_equal(cli_edit_distance("abcdef", "uvwxyz", 3), 4); // cut off
}

// -- Pages -----------------------------------------------------------------------------------------------------------

/// All words up to the next option, and again; the order is kept.
static void test_parse_files_up_to_the_next_option(void **state) {
  (void)state;
  const char *words[] = {"hero.fbx", "--clips",         "run.fbx", "-", "jog.fbx", "-o",
                         "x.mpak",   "--clips=a=b.fbx", "--clips", "c", "--",      "z"};
  cook_job *job = job_begin(NULL, NULL);
  cli_arguments arguments;
  cli_parse(job, cli_find_verb("cook"), sizeof words / sizeof *words, words, &arguments);
  static const char *const expected[] = {"run.fbx", "-", "jog.fbx", "a=b.fbx", "c"};
  assert_int_equal(arguments.clip_files.count, 5);
  for (int i = 0; i < 5; i++) assert_string_equal(arguments.clip_files.items[i], expected[i]);
  assert_int_equal(arguments.inputs.count, 2);
  assert_string_equal(arguments.inputs.items[1], "z");
  assert_string_equal(arguments.output, "x.mpak");
  const cook_options options = cli_cook_options_of(&arguments);
  assert_int_equal(options.clip_file_count, 5);
  assert_string_equal(options.clip_files[4], "c");
  job_end(job);
}

/// Every option of a verb stands in its page; options and values of later versions do not. A page fits a screen.
static void test_help_pages_hold_every_option_and_fit_a_screen(void **state) {
  (void)state;
  for (const cli_verb *verb = cli_verbs; verb->name != NULL; verb++) {
    if (verb->run == NULL) continue;
    cook_job *job = job_begin(NULL, NULL);
    text_out page, man;
    text_begin(&page, job);
    text_begin(&man, job);
    cli_put_help(&page, verb);
    cli_put_man(&man, verb);
    for (const cli_option *const *table = verb->tables; *table != NULL; table++)
      for (const cli_option *option = *table; option->name != NULL; option++) {
        const bool is_there = strstr(page.bytes, job_format(job, "%s", option->name)) != NULL;
        if (option->kind != CLI_LATER)
          assert_true(is_there);
        else
          assert_null(strstr(page.bytes, job_format(job, "  %s ", option->name)));
      }
    uint32_t lines = 0, column = 0;
    for (uint64_t i = 0; i < page.used; i++) {
      lines += page.bytes[i] == '\n';
      column = page.bytes[i] == '\n' ? 0 : column + ((page.bytes[i] & 0xC0) != 0x80);
      assert_true(column <= 110);
    }
    assert_true(lines <= 48);
    assert_non_null(strstr(man.bytes, ".SH EXIT STATUS"));
    job_end(job);
  }
}

// -- Depfiles --------------------------------------------------------------------------------------------------------

static void depfile_step_newline(cook_job *job, void *user) {
  text_out text;
  const cli_list none = {0};
  text_begin(&text, job);
  depfile_put(&text, "out", &none, user, 1, false);
}

/// The escapes that gcc's own -MD writes for these names.
static void test_depfile_escapes_are_those_of_gcc(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  text_out text;
  text_begin(&text, job);
  const char *const files[] = {"a b.gltf", "c#d$e.bin", "f\\ g.bin", "\xe3\x81\x82.png"};
  const cli_list none = {0};
  depfile_put(&text, "out put.mpak", &none, files, 4, true);
  assert_string_equal(text.bytes,
                      "out\\ put.mpak: \\\n  a\\ b.gltf \\\n  c\\#d$$e.bin \\\n  f\\\\\\ g.bin \\\n  \xe3\x81\x82.png\n"
                      "\nc\\#d$$e.bin:\n\nf\\\\\\ g.bin:\n\n\xe3\x81\x82.png:\n");
  const char *const twice[] = {"a", "b", "a", "b"};
  text_begin(&text, job);
  depfile_put(&text, "t", &none, twice, 4, true);
  assert_string_equal(text.bytes, "t: \\\n  a \\\n  b\n\nb:\n");
  const char *broken[] = {"two\nlines"};
  assert_false(job_run(job, depfile_step_newline, broken));
  assert_int_equal(job_issue_at(job, 0)->id, MPAK_O011);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse_all_kinds_of_values_are_stored),
      cmocka_unit_test(test_parse_nothing_given_is_the_default),
      cmocka_unit_test(test_parse_every_choice_maps_to_its_enum),
      cmocka_unit_test(test_parse_misuse_is_named),
      cmocka_unit_test(test_parse_double_dash_ends_options),
      cmocka_unit_test(test_response_file_quoting_is_that_of_gcc),
      cmocka_unit_test(test_response_file_misuse_is_named),
      cmocka_unit_test(test_response_missing_file_stays_a_word),
      cmocka_unit_test(test_edit_distance_known_pairs),
      cmocka_unit_test(test_parse_files_up_to_the_next_option),
      cmocka_unit_test(test_help_pages_hold_every_option_and_fit_a_screen),
      cmocka_unit_test(test_depfile_escapes_are_those_of_gcc),
  };
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
