#include <string.h>

#include "cooker/import/assimp_fbx_tracks.h"

void assimp_issue(const assimp_maker *maker, mpak_issue_id id, cook_where where, const char *value) {
  where.value = value;
  job_issue(maker->job, id, where);
}

void assimp_check_limit(const assimp_maker *maker, const char *what, uint64_t count, uint64_t limit) {
  if (count <= limit) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(maker->job, "%llu %s", (unsigned long long)count, what);
  where.limit = job_format(maker->job, "%llu", (unsigned long long)limit);
  job_fail(maker->job, MPAK_I008, where);
}

static cook_source_kind kind_of_source(sniff_kind kind) {
  if (kind == SNIFF_GLTF_JSON || kind == SNIFF_GLTF_BINARY) return COOK_SOURCE_GLTF;
  return kind == SNIFF_FBX_BINARY || kind == SNIFF_FBX_TEXT ? COOK_SOURCE_FBX : COOK_SOURCE_OTHER;
}

static const char *generator_of(const assimp_maker *maker) {
  struct aiString generator;
  const struct aiMetadata *metadata = maker->source->mMetaData;
  if (metadata == NULL || metadata->mKeys == NULL || metadata->mValues == NULL) return NULL;
  for (unsigned i = 0; i < metadata->mNumProperties; i++) {
    const struct aiMetadataEntry *entry = &metadata->mValues[i];
    if (strcmp(metadata->mKeys[i].data, "SourceAsset_Generator") != 0 || entry->mType != AI_AISTRING) continue;
    memcpy(&generator, entry->mData, sizeof generator);
    return job_copy(maker->job, generator.data, strnlen(generator.data, sizeof generator.data - 1));
  }
  return NULL;
}

/// Every aiMesh must be there before anything looks into one.
static void check_source(const assimp_maker *maker) {
  const struct aiScene *source = maker->source;
  bool is_sound = source->mRootNode != NULL && (source->mNumMeshes == 0 || source->mMeshes != NULL);
  for (unsigned i = 0; is_sound && i < source->mNumMeshes; i++) is_sound = source->mMeshes[i] != NULL;
  if (is_sound) return;
  cook_where where = COOK_WHERE;
  where.value = "a scene with holes";
  job_fail(maker->job, MPAK_I010, where);
}

cook_scene *assimp_scene_make(cook_job *job, const struct aiScene *source, sniff_kind kind, const cook_options *options,
                              const fbx_facts *facts) {
  assimp_maker *maker = JOB_ARRAY(job, assimp_maker, 1);
  *maker = (assimp_maker){.job = job,
                          .source = source,
                          .kind = kind_of_source(kind),
                          .options = options,
                          .scene = JOB_ARRAY(job, cook_scene, 1),
                          .facts = facts};
  check_source(maker);
  maker->scene->source_kind = maker->kind;
  maker->scene->generator = generator_of(maker);
  assimp_find_space(maker);
  assimp_make_nodes(maker);
  assimp_sort_names(maker);
  assimp_fbx_match_nodes(maker);
  assimp_fbx_rest_poses(maker);
  assimp_fbx_lod_groups(maker);
  assimp_make_materials(maker);
  assimp_make_groups(maker);
  assimp_fbx_check_meshes(maker);
  assimp_make_meshes(maker);
  assimp_make_skins(maker);
  assimp_make_clips(maker);
  job_stop_on_errors(job);
  return maker->scene;
}
