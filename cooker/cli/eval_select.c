// eval_select.c: from the words of --weight to weights.
#include <string.h>

#include "cooker/cli/eval.h"
#include "cooker/report/number.h"

static double clamp_between(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

// -- Weights ---------------------------------------------------------------------------------------------------------

/// How a control may be named.
typedef enum select_by { SELECT_BY_KEY, SELECT_BY_NAME, SELECT_BY_NUMBER, SELECT_BY_COUNT } select_by;

/// The control of a mesh, numbered within the mesh, or MPAK_NONE.
static uint32_t select_control(const mpak_pack *pack, uint32_t mesh, const char *word, select_by by) {
  const mpak_mesh *record = &pack->meshes[mesh];
  if (by == SELECT_BY_KEY) return mpak_find_control(pack, mesh, word);
  if (by == SELECT_BY_NUMBER) return eval_read_number(word, true, record->control_count);
  for (uint32_t c = 0; c < record->control_count; c++)
    if (strcmp(mpak_string(pack, pack->controls[record->first_control + c].name), word) == 0) return c;
  return MPAK_NONE;
}

/// Which nodes are meant: all (word NULL), or those of a key or a name.
typedef struct select_nodes {
  const char *word;
  select_by by; ///< key or name
} select_nodes;

static bool select_has_node(const mpak_pack *pack, const select_nodes *nodes, uint32_t node) {
  if (nodes->word == NULL) return true;
  const mpak_node *record = &pack->nodes[node];
  return strcmp(mpak_string(pack, nodes->by == SELECT_BY_KEY ? record->key : record->name), nodes->word) == 0;
}

static void select_warn(const eval_scene *scene, uint32_t instance, const mpak_control *control, double value) {
  const mpak_pack *pack = &scene->file.pack;
  char given[NUMBER_BYTES], low[NUMBER_BYTES], high[NUMBER_BYTES];
  number_format(given, value, 9);
  number_format_float(low, control->range_min);
  number_format_float(high, control->range_max);
  cook_where where = COOK_WHERE;
  where.node = mpak_string(pack, pack->nodes[pack->instances[instance].node].key);
  where.mesh = mpak_string(pack, pack->meshes[control->mesh].key);
  where.target = mpak_string(pack, control->key);
  where.value = given;
  where.limit = job_format(scene->job, "[%s, %s]", low, high);
  job_issue(scene->job, MPAK_U016, where);
}

static void select_set(eval_scene *scene, uint32_t instance, uint32_t control, double value) {
  const mpak_pack *pack = &scene->file.pack;
  const mpak_mesh *mesh = &pack->meshes[pack->instances[instance].mesh];
  const mpak_control *record = &pack->controls[mesh->first_control + control];
  const double clamped = clamp_between(value, record->range_min, record->range_max);
  if (clamped != value) select_warn(scene, instance, record, value);
  eval_set_weight(scene, instance, control, clamped);
}

/// Sets the control in all meshes that the nodes draw and that have it. Returns whether there was one.
static bool select_set_all(eval_scene *scene, const select_nodes *nodes, const char *name, select_by by, double value) {
  const mpak_pack *pack = &scene->file.pack;
  bool has_any = false;
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    if (!select_has_node(pack, nodes, pack->instances[i].node)) continue;
    const uint32_t control = select_control(pack, pack->instances[i].mesh, name, by);
    if (control == MPAK_NONE) continue;
    select_set(scene, i, control, value);
    has_any = true;
  }
  return has_any;
}

/// NODE/NAME; either may have slashes in it, so every slash is tried. NODE is a key first, so that each of several
/// nodes of one name can be meant.
static bool select_set_in_node(eval_scene *scene, const char *left, double value) {
  for (const char *slash = strchr(left, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    const char *node = job_copy(scene->job, left, (uint64_t)(slash - left));
    for (select_by node_by = SELECT_BY_KEY; node_by <= SELECT_BY_NAME; node_by++)
      for (select_by by = SELECT_BY_KEY; by < SELECT_BY_COUNT; by++)
        if (select_set_all(scene, &(select_nodes){node, node_by}, slash + 1, by, value)) return true;
  }
  return false;
}

_Noreturn static void select_fail_control(const eval_scene *scene, const char *left) {
  const mpak_pack *pack = &scene->file.pack;
  const char **keys = JOB_ARRAY(scene->job, const char *, pack->control_count);
  for (uint32_t c = 0; c < pack->control_count; c++) keys[c] = mpak_string(pack, pack->controls[c].key);
  const char *near =
      pack->control_count == 0 ? "; there are none" : cli_suggest(scene->job, left, keys, pack->control_count);
  cli_fail(scene->job, MPAK_U013, left, near);
}

static void select_apply_weight(eval_scene *scene, const char *word) {
  const char *equals = strrchr(word, '=');
  double value = 0;
  if (equals == NULL) cli_fail(scene->job, MPAK_U014, word, "there is no '='");
  if (equals == word) cli_fail(scene->job, MPAK_U014, word, "there is no name before the '='");
  if (!number_parse(equals + 1, &value))
    cli_fail(scene->job, MPAK_U014, word, "what follows the last '=' is no number");
  const char *left = job_copy(scene->job, word, (uint64_t)(equals - word));
  for (select_by by = SELECT_BY_KEY; by < SELECT_BY_COUNT; by++) {
    if (by == SELECT_BY_NUMBER && select_set_in_node(scene, left, value)) return;
    if (select_set_all(scene, &(select_nodes){NULL, SELECT_BY_KEY}, left, by, value)) return;
  }
  select_fail_control(scene, left);
}

void eval_apply_weights(eval_scene *scene) {
  for (uint32_t i = 0; i < scene->arguments->weights.count; i++)
    select_apply_weight(scene, scene->arguments->weights.items[i]);
}
