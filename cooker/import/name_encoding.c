#include "cooker/import/name_encoding.h"

#include <iconv.h>
#include <string.h>

#include "cooker/base/utf8.h"

#define UTF8_BYTES_MOST 8 ///< that one byte of a name becomes: some encodings have two characters for two bytes

/// What a walk over the names of a scene shares.
typedef struct name_walk {
  cook_job *job;
  iconv_t converter;
  const char *encoding;
  bool all_are_utf8;
} name_walk;

typedef void (*name_visitor)(name_walk *walk, const char **name, cook_where where);

// -- The converter ----------------------------------------------------------------------------------------------------

/// U+0080 to U+009F: nobody writes these in a name, but some converters make them of bytes that the encoding has not.
static bool has_control_characters(const char *utf8) {
  for (const uint8_t *at = (const uint8_t *)utf8; *at != 0; at++)
    if (at[0] == 0xC2 && at[1] < 0xA0) return true;
  return false;
}

/// Converts a whole text; false when it is not in the encoding. to has room for to_bytes, with the terminator.
static bool convert_text(iconv_t converter, const char *from, char *to, size_t to_bytes) {
  char *input = (char *)(uintptr_t)from, *output = to; // iconv only reads the input
  size_t from_left = strlen(from), to_left = to_bytes - 1;
  iconv(converter, NULL, NULL, NULL, NULL);
  const bool is_whole = iconv(converter, &input, &from_left, &output, &to_left) != (size_t)-1 &&
                        iconv(converter, NULL, NULL, &output, &to_left) != (size_t)-1;
  *output = 0;
  return is_whole && !has_control_characters(to);
}

/// Options of iconv ("//IGNORE") and the locale's own encoding ("") are not for us: the bytes must not depend on them.
static bool is_plain_word(const char *encoding) {
  const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:+";
  return encoding[0] != 0 && encoding[strspn(encoding, allowed)] == 0;
}

static bool converter_open(const char *encoding, iconv_t *converter) {
  static const char letters[] = "AZ az 09 node.001";
  if (!is_plain_word(encoding)) return false;
  *converter = iconv_open("UTF-8", encoding);
  if (*converter == (iconv_t)-1) return false;
  char converted[sizeof letters * UTF8_BYTES_MOST] = "";
  if (convert_text(*converter, letters, converted, sizeof converted) && strcmp(converted, letters) == 0) return true;
  iconv_close(*converter);
  return false;
}

bool name_encoding_is_known(const char *encoding) {
  iconv_t converter;
  if (!converter_open(encoding, &converter)) return false;
  iconv_close(converter);
  return true;
}

// -- All names of a scene ---------------------------------------------------------------------------------------------

static void walk_meshes(name_walk *walk, cook_scene *scene, name_visitor visit) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    cook_mesh *mesh = &scene->meshes[m];
    visit(walk, &mesh->name, COOK_WHERE);
    cook_where where = COOK_WHERE;
    where.mesh = mesh->name;
    for (uint32_t t = 0; mesh->control_names != NULL && t < mesh->control_count; t++)
      visit(walk, &mesh->control_names[t], where);
    for (uint32_t t = 0; mesh->rules != NULL && t < mesh->target_count; t++) visit(walk, &mesh->rules[t].name, where);
  }
}

static void walk_materials(name_walk *walk, cook_scene *scene, name_visitor visit) {
  for (uint32_t i = 0; i < scene->material_count; i++) {
    cook_material *material = &scene->materials[i];
    visit(walk, &material->name, COOK_WHERE);
    cook_where where = COOK_WHERE;
    where.material = material->name;
    const char **textures[] = {&material->base_texture, &material->normal_texture, &material->metal_rough_texture,
                               &material->occlusion_texture, &material->emissive_texture};
    for (size_t k = 0; k < sizeof textures / sizeof *textures; k++) visit(walk, textures[k], where);
  }
}

static void walk_names(name_walk *walk, cook_scene *scene, name_visitor visit) {
  visit(walk, &scene->generator, COOK_WHERE);
  for (uint32_t n = 0; n < scene->node_count; n++) visit(walk, &scene->nodes[n].name, COOK_WHERE);
  walk_meshes(walk, scene, visit);
  for (uint32_t s = 0; s < scene->skin_count; s++) visit(walk, &scene->skins[s].name, COOK_WHERE);
  for (uint32_t c = 0; c < scene->clip_count; c++) visit(walk, &scene->clips[c].name, COOK_WHERE);
  walk_materials(walk, scene, visit);
}

// -- Converting -------------------------------------------------------------------------------------------------------

static void visit_to_look(name_walk *walk, const char **name, cook_where where) {
  (void)where;
  if (*name != NULL && !utf8_is_valid(*name)) walk->all_are_utf8 = false;
}

static void visit_to_convert(name_walk *walk, const char **name, cook_where where) {
  if (*name == NULL) return;
  const size_t to_bytes = strlen(*name) * UTF8_BYTES_MOST + 1;
  char *converted = job_alloc(walk->job, to_bytes, 1);
  if (convert_text(walk->converter, *name, converted, to_bytes)) {
    *name = converted;
    return;
  }
  where.value = *name;
  where.limit = walk->encoding;
  job_issue(walk->job, MPAK_I051, where);
}

static void converter_close(void *user) { iconv_close(*(iconv_t *)user); }

void name_encoding_convert(cook_job *job, cook_scene *scene, const char *encoding) {
  name_walk *walk = JOB_ARRAY(job, name_walk, 1);
  *walk = (name_walk){.job = job, .encoding = encoding, .all_are_utf8 = true};
  walk_names(walk, scene, visit_to_look);
  if (walk->all_are_utf8) return;
  if (!converter_open(encoding, &walk->converter)) {
    cook_where where = COOK_WHERE;
    where.value = "its names";
    where.limit = encoding;
    job_fail(job, MPAK_I051, where);
  }
  job_defer(job, converter_close, &walk->converter);
  walk_names(walk, scene, visit_to_convert);
  job_undefer(job, converter_close, &walk->converter);
  job_stop_on_errors(job);
}
