#include <string.h>

#include "cooker/base/utf8.h"
#include "cooker/check/check_internal.h"
#include "format/checksum.h"

// -- One name ---------------------------------------------------------------------------------------------------------

static void check_name_is_utf8(const check_context *context, const check_place *place, const char *name) {
  if (utf8_is_valid(name)) return;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_N001, place, check_printable(context->job, name), "UTF-8");
  job_release(context->job, mark);
}

static void check_name_length(const check_context *context, const check_place *place, const char *name) {
  const size_t byte_count = strlen(name);
  const uint32_t limit = job_limits(context->job)->name_bytes;
  if (byte_count <= limit) return;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_N002, place, check_count_text(context->job, byte_count),
                      check_count_text(context->job, limit));
  job_release(context->job, mark);
}

/// Rules for any text that goes into the pack's strings. NULL: the source has none.
static void check_name_text(const check_context *context, check_place place, const char *name) {
  if (name == NULL) return;
  check_name_is_utf8(context, &place, name);
  check_name_length(context, &place, name);
}

static void check_node_names_text(const check_context *context) {
  for (uint32_t n = 0; n < context->scene->node_count; n++) {
    check_place place = CHECK_NOWHERE;
    place.node = n;
    check_name_text(context, place, context->scene->nodes[n].name);
  }
}

static void check_mesh_names_text(const check_context *context) {
  for (uint32_t m = 0; m < context->scene->mesh_count; m++) {
    const cook_mesh *mesh = &context->scene->meshes[m];
    check_place place = CHECK_NOWHERE;
    place.mesh = m;
    check_name_text(context, place, mesh->name);
    for (uint32_t t = 0; mesh->control_names != NULL && t < mesh->control_count; t++) {
      place.control = t;
      check_name_text(context, place, mesh->control_names[t]);
    }
  }
}

static void check_skin_and_clip_names_text(const check_context *context) {
  check_place place = CHECK_NOWHERE;
  for (uint32_t s = 0; s < context->scene->skin_count; s++) {
    place.skin = s;
    check_name_text(context, place, context->scene->skins[s].name);
  }
  place = CHECK_NOWHERE;
  for (uint32_t c = 0; c < context->scene->clip_count; c++) {
    place.clip = c;
    check_name_text(context, place, context->scene->clips[c].name);
  }
}

static void check_material_texts(const check_context *context) {
  for (uint32_t i = 0; i < context->scene->material_count; i++) {
    const cook_material *material = &context->scene->materials[i];
    const struct {
      const char *stream, *text;
    } texts[] = {{NULL, material->name},
                 {"base texture", material->base_texture},
                 {"normal texture", material->normal_texture},
                 {"metal-rough texture", material->metal_rough_texture},
                 {"occlusion texture", material->occlusion_texture},
                 {"emissive texture", material->emissive_texture}};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
      check_place place = CHECK_NOWHERE;
      place.material = i;
      place.stream = texts[k].stream;
      check_name_text(context, place, texts[k].text);
    }
  }
}

// -- Repeats ----------------------------------------------------------------------------------------------------------

/// A set of names, open addressing; slots hold the number of a name plus 1.
typedef struct check_name_set {
  uint32_t *slots;
  uint32_t mask;
} check_name_set;

static check_name_set check_name_set_make(cook_job *job, uint32_t name_count) {
  uint32_t slot_count = 16;
  while (slot_count < 2 * (uint64_t)name_count) slot_count *= 2;
  return (check_name_set){JOB_ARRAY(job, uint32_t, slot_count), slot_count - 1};
}

/// Adds names[i]; false when an equal one is already in.
static bool check_name_set_add(check_name_set *set, const char *const *names, uint32_t i) {
  uint32_t slot = (uint32_t)checksum_of(names[i], strlen(names[i])) & set->mask;
  while (set->slots[slot] != 0) {
    if (strcmp(names[set->slots[slot] - 1], names[i]) == 0) return false;
    slot = (slot + 1) & set->mask;
  }
  set->slots[slot] = i + 1;
  return true;
}

/// Tallies each name that stood before it already; absent and empty ones do not count.
static check_tally check_repeated_names(cook_job *job, const char *const *names, uint32_t name_count,
                                        const char *element) {
  check_tally tally = {.element = element, .limit = "names that differ"};
  const cook_mark mark = job_mark(job);
  check_name_set set = check_name_set_make(job, name_count);
  for (uint32_t i = 0; i < name_count; i++)
    if (names[i] != NULL && names[i][0] != 0 && !check_name_set_add(&set, names, i)) check_tally_add(&tally, i, 0);
  job_release(job, mark);
  return tally;
}

/// number: the member of place that says which one it is.
static void check_names_differ(const check_context *context, mpak_issue_id id, const char *noun,
                               const char *const *names, uint32_t name_count, check_place *place, uint32_t *number) {
  check_tally tally = check_repeated_names(context->job, names, name_count, noun);
  if (tally.count == 0) return;
  *number = (uint32_t)tally.first;
  tally.text = check_printable(context->job, names[*number]);
  check_report(context, id, place, &tally);
}

static void check_node_names_differ(const check_context *context) {
  const cook_scene *scene = context->scene;
  const cook_mark mark = job_mark(context->job);
  const char **names = JOB_ARRAY(context->job, const char *, scene->node_count);
  for (uint32_t n = 0; n < scene->node_count; n++) names[n] = scene->nodes[n].is_cooked ? scene->nodes[n].name : NULL;
  check_place place = CHECK_NOWHERE;
  check_names_differ(context, MPAK_N003, "node", names, scene->node_count, &place, &place.node);
  job_release(context->job, mark);
}

static void check_mesh_names_differ(const check_context *context) {
  const cook_scene *scene = context->scene;
  const cook_mark mark = job_mark(context->job);
  const char **names = JOB_ARRAY(context->job, const char *, scene->mesh_count);
  for (uint32_t m = 0; m < scene->mesh_count; m++) names[m] = scene->meshes[m].name;
  check_place place = CHECK_NOWHERE;
  check_names_differ(context, MPAK_N004, "mesh", names, scene->mesh_count, &place, &place.mesh);
  job_release(context->job, mark);
}

static void check_clip_names_differ(const check_context *context) {
  const cook_scene *scene = context->scene;
  const cook_mark mark = job_mark(context->job);
  const char **names = JOB_ARRAY(context->job, const char *, scene->clip_count);
  for (uint32_t c = 0; c < scene->clip_count; c++) names[c] = scene->clips[c].name;
  check_place place = CHECK_NOWHERE;
  check_names_differ(context, MPAK_N005, "clip", names, scene->clip_count, &place, &place.clip);
  job_release(context->job, mark);
}

// -- Names of controls: "targets" to whoever reads the messages ------------------------------------------------------

static void check_control_names_differ(const check_context *context, uint32_t m) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  const cook_mark mark = job_mark(context->job);
  check_place place = CHECK_NOWHERE;
  place.mesh = m;
  check_names_differ(context, MPAK_N007, "target", mesh->control_names, mesh->control_count, &place, &place.control);
  job_release(context->job, mark);
}

static void check_control_names_present(const check_context *context, uint32_t m) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  check_tally empty = {.element = "target", .text = "an empty name", .limit = "a name"};
  check_tally absent = {.element = "target", .text = "no name", .limit = "a name"};
  for (uint32_t t = 0; t < mesh->control_count; t++) {
    const char *name = mesh->control_names != NULL ? mesh->control_names[t] : NULL;
    if (name == NULL)
      check_tally_add(&absent, t, 0);
    else if (name[0] == 0)
      check_tally_add(&empty, t, 0);
  }
  check_place place = CHECK_NOWHERE;
  place.mesh = m;
  const bool none_at_all = absent.count == mesh->control_count;
  if (!none_at_all) place.control = (uint32_t)absent.first;
  check_report(context, none_at_all ? MPAK_N008 : MPAK_N009, &place, &absent);
  place.control = (uint32_t)empty.first;
  check_report(context, MPAK_N006, &place, &empty);
}

static void check_control_names(const check_context *context) {
  for (uint32_t m = 0; m < context->scene->mesh_count; m++) {
    check_control_names_present(context, m);
    if (context->scene->meshes[m].control_names != NULL) check_control_names_differ(context, m);
  }
}

static void check_generator_text(const check_context *context) {
  check_place place = CHECK_NOWHERE;
  place.stream = "generator";
  check_name_text(context, place, context->scene->generator);
}

void check_names_text(const check_context *context) {
  check_node_names_text(context);
  check_mesh_names_text(context);
  check_skin_and_clip_names_text(context);
}

void check_names(const check_context *context) {
  check_generator_text(context);
  check_names_text(context);
  check_material_texts(context);
  check_node_names_differ(context);
  check_mesh_names_differ(context);
  check_clip_names_differ(context);
  check_control_names(context);
}
