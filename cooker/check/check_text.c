#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cooker/base/utf8.h"
#include "cooker/check/check_internal.h"

#define TEXT_CUT_BYTES 1024u
#define PATH_CUT_BYTES 4096u
#define CUT_MARK       "\xE2\x80\xA6" // an ellipsis

// -- Texts for messages -----------------------------------------------------------------------------------------------

const char *check_printable(cook_job *job, const char *text) {
  static const char digits[] = "0123456789ABCDEF";
  char *printable = job_alloc(job, TEXT_CUT_BYTES + 16, 1);
  size_t length = 0;
  const uint8_t *at = (const uint8_t *)text;
  while (*at != 0 && length < TEXT_CUT_BYTES) {
    const uint32_t byte_count = utf8_character_bytes((const char *)at);
    if (byte_count == 0) {
      const char escaped[4] = {'\\', 'x', digits[*at >> 4], digits[*at & 15]};
      memcpy(printable + length, escaped, 4);
      length += 4;
      at++;
      continue;
    }
    memcpy(printable + length, at, byte_count);
    length += byte_count;
    at += byte_count;
  }
  if (*at != 0) memcpy(printable + length, CUT_MARK, sizeof CUT_MARK);
  return printable;
}

/// What an object is called in messages: its name, else kind and number, as keys are made.
static const char *check_object_name(cook_job *job, const char *name, const char *kind, uint32_t source_index) {
  if (name != NULL && name[0] != 0) return check_printable(job, name);
  return job_format(job, "%s_%" PRIu32, kind, source_index);
}

static const char *check_node_name(const check_context *context, uint32_t n) {
  const cook_node *node = &context->scene->nodes[n];
  return check_object_name(context->job, node->name, "node", node->source_index);
}

/// Writes text in front of path + start; returns the new start. The caller knows that there is room.
static size_t check_put_before(char *path, size_t start, const char *text) {
  for (size_t i = strlen(text); i > 0;) path[--start] = text[--i];
  return start;
}

const char *check_node_path(const check_context *context, uint32_t n) {
  char *path = job_alloc(context->job, PATH_CUT_BYTES, 1);
  size_t start = PATH_CUT_BYTES - 1; // written from the end, since the leaf matters most
  for (uint32_t step = 0; n != MPAK_NONE && step < context->scene->node_count; step++) {
    const char *name = check_node_name(context, n);
    if (strlen(name) + 1 + sizeof CUT_MARK > start) return path + check_put_before(path, start, CUT_MARK);
    start = check_put_before(path, start, name);
    n = context->scene->nodes[n].parent;
    if (n != MPAK_NONE) path[--start] = '/';
  }
  return path + start;
}

const char *check_number_text(cook_job *job, double number) {
  if (isnan(number)) return "NaN";
  if (isinf(number)) return number > 0 ? "infinity" : "-infinity";
  return job_format(job, "%.8g", number);
}

const char *check_count_text(cook_job *job, uint64_t count) { return job_format(job, "%" PRIu64, count); }

// -- From place and tally to an issue ---------------------------------------------------------------------------------

static const char *check_control_name(const check_context *context, const cook_mesh *mesh, uint32_t control) {
  const bool is_named = mesh->control_names != NULL && control < mesh->control_count;
  return check_object_name(context->job, is_named ? mesh->control_names[control] : NULL, "target", control);
}

/// A shape goes by its control's name, which is the one that artists know; its own follows, where it has one.
static const char *check_target_name(const check_context *context, const cook_mesh *mesh, uint32_t target) {
  if (mesh->rules == NULL || target >= mesh->target_count) return check_control_name(context, mesh, target);
  const cook_shape_rule *rule = &mesh->rules[target];
  const char *control = check_control_name(context, mesh, rule->control);
  if (rule->name == NULL || rule->name[0] == 0) return control;
  return job_format(context->job, "%s (%s)", control, check_printable(context->job, rule->name));
}

static void check_fill_mesh(const check_context *context, const check_place *place, cook_where *where) {
  const cook_mesh *mesh = &context->scene->meshes[place->mesh];
  where->mesh = check_object_name(context->job, mesh->name, "mesh", mesh->source_index);
  if (place->primitive != MPAK_NONE) where->primitive = mesh->primitives[place->primitive].source_primitive;
  if (place->control != MPAK_NONE) where->target = check_control_name(context, mesh, place->control);
  if (place->target != MPAK_NONE) where->target = check_target_name(context, mesh, place->target);
}

static cook_where check_where(const check_context *context, const check_place *place) {
  cook_job *job = context->job;
  const cook_scene *scene = context->scene;
  cook_where where = COOK_WHERE;
  where.stream = place->stream;
  uint32_t node = place->node;
  if (place->mesh != MPAK_NONE) {
    check_fill_mesh(context, place, &where);
    if (node == MPAK_NONE) node = context->node_of_mesh[place->mesh];
  }
  if (node != MPAK_NONE) where.node = check_node_path(context, node);
  if (place->skin != MPAK_NONE)
    where.skin = check_object_name(job, scene->skins[place->skin].name, "skin", scene->skins[place->skin].source_index);
  if (place->clip != MPAK_NONE)
    where.clip = check_object_name(job, scene->clips[place->clip].name, "clip", scene->clips[place->clip].source_index);
  if (place->material == MPAK_NONE) return where;
  const cook_material *material = &scene->materials[place->material];
  where.material = check_object_name(job, material->name, "material", material->source_index);
  return where;
}

void check_report(const check_context *context, mpak_issue_id id, const check_place *place, const check_tally *tally) {
  if (tally->count == 0) return;
  const cook_mark mark = job_mark(context->job);
  cook_where where = check_where(context, place);
  where.element = tally->element;
  where.index = tally->first;
  where.more = tally->count - 1;
  where.value = tally->text != NULL ? tally->text : check_number_text(context->job, tally->number);
  where.limit = tally->limit;
  job_issue(context->job, id, where);
  job_release(context->job, mark);
}

void check_report_object(const check_context *context, mpak_issue_id id, const check_place *place, const char *value,
                         const char *limit) {
  const cook_mark mark = job_mark(context->job);
  cook_where where = check_where(context, place);
  where.value = value;
  where.limit = limit;
  job_issue(context->job, id, where);
  job_release(context->job, mark);
}
