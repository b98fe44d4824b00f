#include "cooker/import/sniff.h"

#include <string.h>

#include "cooker/import/assimp.h"

#define HEAD_BYTES 4096 ///< where the beginning of a text FBX is looked for

static const char fbx_magic[] = "Kaydara FBX Binary  ";

static bool begins_with(const uint8_t *bytes, uint64_t byte_count, const char *text) {
  const size_t length = strlen(text);
  return byte_count >= length && memcmp(bytes, text, length) == 0;
}

/// The first byte that is neither a byte order mark nor blank; 0 when there is none.
static uint8_t first_visible(const uint8_t *bytes, uint64_t byte_count) {
  uint64_t at = begins_with(bytes, byte_count, "\xEF\xBB\xBF") ? 3 : 0;
  while (at < byte_count && strchr(" \t\r\n", bytes[at]) != NULL && bytes[at] != 0) at++;
  return at < byte_count ? bytes[at] : 0;
}

static bool looks_like_fbx_text(const uint8_t *bytes, uint64_t byte_count) {
  if (begins_with(bytes, byte_count, "; FBX")) return true;
  static const char word[] = "FBXHeaderExtension";
  return memmem(bytes, byte_count < HEAD_BYTES ? byte_count : HEAD_BYTES, word, sizeof word - 1) != NULL &&
         memchr(bytes, 0, byte_count < HEAD_BYTES ? byte_count : HEAD_BYTES) == NULL;
}

const char *sniff_suffix(cook_job *job, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash == NULL ? path : slash, '.');
  if (dot == NULL) return "";
  char *suffix = job_copy(job, dot + 1, strlen(dot + 1));
  for (char *c = suffix; *c != 0; c++)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  return suffix;
}

/// What the content of a file with this suffix must look like; NULL where any content will do.
static const char *promised_content(const char *suffix) {
  if (strcmp(suffix, "fbx") == 0) return "\"Kaydara FBX Binary\" or \"; FBX\" at the beginning";
  if (strcmp(suffix, "glb") == 0 || strcmp(suffix, "vrm") == 0) return "\"glTF\" at the beginning";
  if (strcmp(suffix, "gltf") == 0) return "a JSON object";
  return NULL;
}

_Noreturn static void sniff_fail(cook_job *job, mpak_issue_id id, const char *value, const char *limit) {
  cook_where where = COOK_WHERE;
  where.value = value;
  where.limit = limit;
  job_fail(job, id, where);
}

/// The first bytes as a person can read them.
static const char *show_beginning(cook_job *job, const uint8_t *bytes, uint64_t byte_count) {
  const uint64_t length = byte_count < 20 ? byte_count : 20;
  char *text = job_copy(job, bytes, length);
  for (uint64_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') text[i] = '.';
  return job_format(job, "\"%s\"", text);
}

sniff_kind sniff_file(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count) {
  if (byte_count == 0) job_fail(job, MPAK_F005, COOK_WHERE);
  if (begins_with(bytes, byte_count, "glTF")) return SNIFF_GLTF_BINARY;
  if (begins_with(bytes, byte_count, fbx_magic)) return SNIFF_FBX_BINARY;
  if (first_visible(bytes, byte_count) == '{') return SNIFF_GLTF_JSON;
  if (looks_like_fbx_text(bytes, byte_count)) return SNIFF_FBX_TEXT;
  const char *suffix = sniff_suffix(job, path);
  const char *promised = promised_content(suffix);
  if (promised != NULL) sniff_fail(job, MPAK_F006, show_beginning(job, bytes, byte_count), promised);
  if (!assimp_knows_suffix(suffix)) sniff_fail(job, MPAK_F007, suffix[0] == 0 ? "none" : suffix, NULL);
  return SNIFF_OTHER;
}
