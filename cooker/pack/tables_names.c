// tables_names.c: keys of all objects, and STRS from every text that a record will name. Also META, which is nothing
// but texts: the options that change bytes, resolved and in a fixed order, so that a pack says how to make it again.
#include <stdio.h>

#include "cooker/pack/compress.h"
#include "cooker/pack/tables.h"
#include "cooker/profile.h"
#include "cooker/report/number.h"
#include "cooker/report/version.h"
#include "format/checksum.h"

#define NAMES_OPTION_COUNT 26

// -- META ------------------------------------------------------------------------------------------------------------

static const char *names_weight_range(cook_job *job, const cook_options *options) {
  if (!options->has_weight_range) return "none";
  char low[NUMBER_BYTES], high[NUMBER_BYTES];
  number_format_float(low, options->weight_range[0]);
  number_format_float(high, options->weight_range[1]);
  return job_format(job, "%s,%s", low, high);
}

static const char *names_number(cook_job *job, double number) {
  char text[NUMBER_BYTES];
  number_format(text, number, 17);
  return job_format(job, "%s", text);
}

static const char *names_importer(const pack_tables *tables) {
  bool is_exact = tables->scene->source_kind == COOK_SOURCE_GLTF && tables->options->importer == COOK_IMPORTER_AUTO;
  return is_exact ? "gltf" : "assimp";
}

/// A line for each pattern.
static const char *names_globs(cook_job *job, const cook_options *options) {
  const char *text = options->target_globs[0];
  for (uint32_t g = 1; g < options->target_glob_count; g++)
    text = job_format(job, "%s\n%s", text, options->target_globs[g]);
  return text;
}

static const char *names_zstd(cook_job *job) {
  uint32_t number = compress_version_number();
  return job_format(job, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
}

static void names_add_option(pack_tables *tables, const char *key, const char *value) {
  tables->options_text[tables->meta_count][0] = key;
  tables->options_text[tables->meta_count][1] = value ? value : "";
  tables->meta_count++;
}

/// Names of enum values, in their order in cook.h.
static const char *const names_qualities[] = {"lossless", "high", "default", "compact"};
static const char *const names_layouts[] = {"blk64", "csr64"};
static const char *const names_orders[] = {"auto", "source", "blocks"};
static const char *const names_compress[] = {"default", "load", "size"};
static const char *const names_tangents[] = {"auto", "generate", "none"};
static const char *const names_morph_normals[] = {"auto", "import", "recompute", "none"};
static const char *const names_units[] = {"metre", "source"};
static const char *const names_ups[] = {"y", "source"};

static void names_list_options(pack_tables *tables) {
  cook_job *job = tables->job;
  const cook_options *options = tables->options;
  names_add_option(tables, "cooker", "mpak " MPAK_VERSION);
  names_add_option(tables, "quality", names_qualities[options->quality]);
  names_add_option(tables, "layout", names_layouts[options->layout]);
  names_add_option(tables, "compress", names_compress[options->compress]);
  names_add_option(tables, "tangents", names_tangents[options->tangents]);
  names_add_option(tables, "morph-normals", names_morph_normals[options->morph_normals]);
  names_add_option(tables, "max-influences",
                   job_format(job, "%u", options->max_influences ? options->max_influences : MPAK_MAX_INFLUENCES));
  names_add_option(tables, "vertex-order", names_orders[options->vertex_order]);
  names_add_option(tables, "weld", options->no_weld ? "none" : "auto");
  names_add_option(tables, "source-map", options->source_map ? "yes" : "no");
  names_add_option(tables, "weight-range", names_weight_range(job, options));
  names_add_option(tables, "importer", names_importer(tables));
  names_add_option(tables, "unit", names_units[options->unit]);
  names_add_option(tables, "up", names_ups[options->up]);
  if (options->animation_error_m > 0)
    names_add_option(tables, "anim-error", names_number(job, options->animation_error_m));
  if (options->clip_file_count != 0) // their bytes are in the source's hash
    names_add_option(tables, "clip-files", job_format(job, "%u", options->clip_file_count));
  if (options->profile != NULL) names_add_option(tables, "profile", options->profile->name);
  if (options->max_bones != 0 && options->max_bones < BONE_LIMIT_HIGHEST)
    names_add_option(tables, "max-bones", job_format(job, "%u", options->max_bones));
  if (options->lods != COOK_LODS_AUTO)
    names_add_option(tables, "lods", options->lods == COOK_LODS_NONE ? "none" : job_format(job, "%u", options->lods));
  if (options->target_glob_count != 0) names_add_option(tables, "targets", names_globs(job, options));
  if (options->drop_unused) names_add_option(tables, "drop-unused", "yes");
  if (options->clips_only) names_add_option(tables, "clips-only", "yes");
  if (options->name_encoding != NULL) names_add_option(tables, "name-encoding", options->name_encoding);
  names_add_option(tables, "generator", tables->scene->generator);
  names_add_option(tables, "zstd", names_zstd(job));
}

/// The content id: a hash of source bytes, options and versions. Each text ends in its zero byte, so that no two lists
/// of texts give the same bytes.
static uint64_t names_content_id(pack_tables *tables) {
  XXH3_state_t *state = JOB_ARRAY(tables->job, XXH3_state_t, 2); // needs 64-byte alignment, the arena gives 16
  state = (XXH3_state_t *)(((uintptr_t)state + 63) & ~(uintptr_t)63);
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, &tables->scene->source_hash, sizeof tables->scene->source_hash);
  for (uint32_t i = 0; i < tables->meta_count; ++i) {
    for (int side = 0; side < 2; ++side) {
      const char *text = tables->options_text[i][side];
      XXH3_64bits_update(state, text, strlen(text) + 1);
    }
  }
  return XXH3_64bits_digest(state);
}

void tables_make_options(pack_tables *tables) {
  tables->options_text = job_alloc(tables->job, NAMES_OPTION_COUNT, sizeof *tables->options_text);
  names_list_options(tables);
  tables->content_id = names_content_id(tables);
}

void tables_make_metas(pack_tables *tables) {
  tables->metas = JOB_ARRAY(tables->job, mpak_meta, tables->meta_count);
  for (uint32_t i = 0; i < tables->meta_count; ++i) {
    tables->metas[i] =
        (mpak_meta){tables_text(tables, tables->options_text[i][0]), tables_text(tables, tables->options_text[i][1])};
  }
}

// -- Keys ------------------------------------------------------------------------------------------------------------

static void names_collect(pack_tables *tables, const pack_named *objects, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    pack_strings_add(&tables->strings, objects[i].name);
    pack_strings_add(&tables->strings, objects[i].key);
  }
}

/// Makes and collects the keys of an array of scene objects with the members name and source_index.
#define NAMES_OF(tables, objects, count, kind, result)                                                                 \
  do {                                                                                                                 \
    (result) = JOB_ARRAY((tables)->job, pack_named, (count));                                                          \
    for (uint32_t i = 0; i < (count); ++i)                                                                             \
      (result)[i] = (pack_named){(objects)[i].name, (objects)[i].source_index, NULL};                                  \
    pack_make_keys((tables)->job, (result), (count), (kind));                                                          \
    names_collect((tables), (result), (count));                                                                        \
  } while (0)

static void names_of_controls(pack_tables *tables, uint32_t number) {
  const cook_mesh *mesh = &tables->scene->meshes[number];
  pack_named *names = JOB_ARRAY(tables->job, pack_named, mesh->control_count);
  for (uint32_t i = 0; i < mesh->control_count; ++i) {
    names[i] = (pack_named){mesh->control_names ? mesh->control_names[i] : NULL, i, NULL};
  }
  pack_make_keys(tables->job, names, mesh->control_count, "target");
  names_collect(tables, names, mesh->control_count);
  tables->control_names[number] = names;
}

static void names_collect_textures(pack_tables *tables) {
  for (uint32_t i = 0; i < tables->scene->material_count; ++i) {
    const cook_material *material = &tables->scene->materials[i];
    pack_strings_add(&tables->strings, material->base_texture);
    pack_strings_add(&tables->strings, material->normal_texture);
    pack_strings_add(&tables->strings, material->metal_rough_texture);
    pack_strings_add(&tables->strings, material->occlusion_texture);
    pack_strings_add(&tables->strings, material->emissive_texture);
  }
}

void tables_make_names(pack_tables *tables) {
  const cook_scene *scene = tables->scene;
  tables->strings.job = tables->job;
  NAMES_OF(tables, scene->nodes, scene->node_count, "node", tables->node_names);
  NAMES_OF(tables, scene->meshes, scene->mesh_count, "mesh", tables->mesh_names);
  NAMES_OF(tables, scene->skins, scene->skin_count, "skin", tables->skin_names);
  NAMES_OF(tables, scene->materials, scene->material_count, "material", tables->material_names);
  NAMES_OF(tables, scene->clips, scene->clip_count, "clip", tables->clip_names);
  tables->control_names = JOB_ARRAY(tables->job, pack_named *, scene->mesh_count);
  for (uint32_t m = 0; m < scene->mesh_count; ++m) names_of_controls(tables, m);
  names_collect_textures(tables);
  for (uint32_t i = 0; i < tables->meta_count; ++i) {
    pack_strings_add(&tables->strings, tables->options_text[i][0]);
    pack_strings_add(&tables->strings, tables->options_text[i][1]);
  }
  pack_strings_seal(&tables->strings);
}
