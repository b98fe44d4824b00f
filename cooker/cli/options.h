/// options.h: the tables that say which verbs and options exist, and the parser that reads a command line by them.
///
/// One table per verb feeds four readers: the parser, --help, the manual pages and the messages about misuse.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

#include "cooker/base/job.h"
#include "cooker/cook.h"

/// Words in the order of the command line.
typedef struct cli_list {
  const char **items;
  uint32_t count;
} cli_list;

/// A number that may be absent.
typedef struct cli_real {
  bool is_given;
  double value;
} cli_real;

/// Two numbers, "LO,HI".
typedef struct cli_range {
  bool is_given;
  double low, high;
} cli_range;

/// Everything that options can say. A verb reads the members of its own table; the others are zero.
typedef struct cli_arguments {
  const struct cli_verb *verb;
  cli_list inputs;
  cli_list given; ///< names of the options that were there, "--layout"

  // general
  bool wants_help;
  bool wants_man;
  bool is_quiet;
  bool is_verbose;

  // cooking; the choices are numbers in the tables' order, which is that of cook.h's enums
  const char *output;
  uint32_t quality;
  uint32_t layout;
  uint32_t compress;
  uint32_t tangents;
  uint32_t morph_normals;
  uint32_t max_influences; ///< 0: 12, 1: 8, 2: 4
  uint32_t max_bones;      ///< 0: what the profile says
  const char *profile;     ///< "desktop", "mobile" or a file; NULL: none
  const char *lods;        ///< "auto", "none" or a number; NULL: auto
  uint32_t vertex_order;
  uint32_t weld; ///< 1: none
  uint32_t importer;
  uint32_t unit;
  uint32_t up;
  bool source_map;
  cli_range weight_range;
  cli_real animation_error; ///< --anim-error
  cli_list clip_files;      ///< --clips
  cli_list targets;         ///< --targets
  bool drop_unused;
  bool clips_only;
  const char *name_encoding; ///< in lower case
  uint32_t thread_count;     ///< 0: one

  // issues
  bool werror;
  cli_list severities; ///< CODE=LEVEL
  const char *report;

  // depfiles
  bool depfile;
  const char *depfile_path;
  cli_list depfile_targets;
  bool depfile_phony;

  // info and eval
  bool json;
  cli_list clips;
  cli_real time;
  cli_list weights;
  cli_real tolerance;  ///< diff, millimetres
  uint32_t space;      ///< 0: scene, 1: mesh
  uint32_t order;      ///< 0: pack, 1: source
  uint32_t backend;    ///< eval_backend
  uint32_t attributes; ///< 0: positions, normals, tangents; 1: all
  uint32_t format;     ///< eval_format
  const char *lod;     ///< a number; NULL: 0

  // sheet and view
  uint32_t columns;     ///< 0: chosen
  uint32_t cell_px;     ///< 0: 180
  uint32_t clip_frames; ///< 0: 4
  uint32_t frames;      ///< 0: a window until it is closed
  bool wants_window;
  const char *size_px; ///< "WxH"
  uint32_t camera_side;
  uint32_t pass;
  uint32_t technique; ///< as mpak_gl_technique
  cli_list shown;     ///< --show
  cli_list hidden;    ///< --hide
} cli_arguments;

typedef enum cli_kind {
  CLI_FLAG,   ///< bool
  CLI_TEXT,   ///< const char *; the last one wins
  CLI_TEXTS,  ///< cli_list; may be repeated
  CLI_FILES,  ///< cli_list; all words up to the next option; may be repeated
  CLI_CHOICE, ///< uint32_t; number of the word in choices
  CLI_COUNT,  ///< uint32_t; from 1 to limit
  CLI_REAL,   ///< cli_real
  CLI_LENGTH, ///< cli_real; above 0
  CLI_RANGE,  ///< cli_range
  CLI_LATER,  ///< reserved for a later version: refused, and absent from the help
} cli_kind;

typedef struct cli_option {
  const char *name;  ///< "--layout"; also "-MD"
  const char *alias; ///< "-q", or NULL
  cli_kind kind;
  size_t member;        ///< offset in cli_arguments
  const char *argument; ///< what stands for the value in the help: "FILE"; NULL: the choices, or no value
  const char *help;     ///< one line
  const char *choices;  ///< "blk64|csr64"
  const char *later;    ///< values of a later version: "high|default|compact", or NULL
  uint32_t limit;       ///< CLI_COUNT: the largest number
} cli_option;

typedef struct cli_verb {
  const char *name;
  const char *synopsis;            ///< what follows "mpak cook "
  const char *summary;             ///< one line
  const char *text;                ///< the manual's description
  const char *example;             ///< lines, each one command
  const cli_option *const *tables; ///< NULL-terminated; each ends with a row without a name
  uint32_t inputs_min;
  uint32_t inputs_max;
  const char *input_name;                                    ///< "a file to cook"
  int (*run)(cook_job *job, const cli_arguments *arguments); ///< NULL: a verb of a later version
} cli_verb;

/// All verbs, ending with a row without a name (verbs.c).
extern const cli_verb cli_verbs[];

/// The verb of that name, later versions' included, or NULL.
const cli_verb *cli_find_verb(const char *name);

/// The verb of that name. One of a later version fails the job with U005, another word with U001.
const cli_verb *cli_require_verb(cook_job *job, const char *name);

/// Reads everything behind the verb. Misuse fails the job with a U issue. Options and inputs may be mixed; "--" ends
/// the options; @FILE is replaced by the words of FILE.
void cli_parse(cook_job *job, const cli_verb *verb, int argument_count, const char *const *arguments,
               cli_arguments *result);

/// Replaces @FILE words by the words of FILE, gcc's quoting, files within files too. A word whose file does not exist
/// stays as it is.
cli_list cli_expand_responses(cook_job *job, int argument_count, const char *const *arguments);

/// --lods as cook_options has it, and --lod; 0 where they are not given.
uint32_t cli_lods(const cli_arguments *arguments);
uint32_t cli_lod(const cli_arguments *arguments);

/// The cooker's options that the arguments ask for by themselves.
bool cli_was_given(const cli_arguments *arguments, const char *name); ///< is the option on the command line?
cook_options cli_cook_options_of(const cli_arguments *arguments);

/// The same with the platform profile: options that were given, then what --profile says, then defaults. Reads the
/// profile. Fails the job with U021 when there is no room for a triangle's bones, and as profile_read does.
cook_options cli_resolve_cook_options(cook_job *job, const cli_arguments *arguments);

/// Applies -W and --werror to a job. Wrong codes and levels fail the reporting job.
void cli_apply_severities(cook_job *reporter, cook_job *job, const cli_arguments *arguments);

// -- Messages about misuse -------------------------------------------------------------------------------------------

/// Fails the job with a U issue; value and limit fill the message's places.
_Noreturn void cli_fail(cook_job *job, mpak_issue_id id, const char *value, const char *limit);

/// `; did you mean "cook"?` for the nearest of count names, or "" when none is near.
const char *cli_suggest(cook_job *job, const char *word, const char *const *names, uint32_t count);

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b; at most limit + 1 is returned.
uint32_t cli_edit_distance(const char *a, const char *b, uint32_t limit);

// -- Help ------------------------------------------------------------------------------------------------------------

struct text_out;

/// mpak --help.
void cli_put_overview(struct text_out *text);

/// mpak VERB --help: one screen.
void cli_put_help(struct text_out *text, const cli_verb *verb);

/// mpak help --man VERB, or mpak(1) when verb is NULL: roff.
void cli_put_man(struct text_out *text, const cli_verb *verb);

#endif
