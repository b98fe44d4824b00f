/// sniff.h: what kind of file is this? By its content; the suffix only decides where the content says nothing.
#ifndef COOK_SNIFF_H
#define COOK_SNIFF_H

#include "cooker/base/job.h"

typedef enum sniff_kind {
  SNIFF_GLTF_JSON = 1, ///< begins with a JSON object
  SNIFF_GLTF_BINARY,   ///< "glTF"
  SNIFF_FBX_BINARY,    ///< "Kaydara FBX Binary"
  SNIFF_FBX_TEXT,      ///< "; FBX", or an FBXHeaderExtension near the beginning
  SNIFF_OTHER,         ///< another format that Assimp may know by its suffix
} sniff_kind;

/// The kind of a file. Fails the job for an empty file (F005), for content that contradicts its suffix (F006), and for
/// a suffix that no importer knows (F007).
sniff_kind sniff_file(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count);

/// The suffix of a path in lower case, without the dot: "fbx"; "" when there is none.
const char *sniff_suffix(cook_job *job, const char *path);

#endif
