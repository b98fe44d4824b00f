#include "cooker/import/gltf_reader.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// data: URIs and file URIs (RFC 2397, 3986). A model may name files beside itself and below, nothing else.

bool gltf_uri_is_data(const char *uri) { return strncasecmp(uri, "data:", 5) == 0; }

// -- Percent encoding ------------------------------------------------------------------------------------------------

static int uri_hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

/// Decodes %XX. A percent sign without two digits stands for itself, as in browsers. Returns the length.
static uint64_t uri_decode_percent(const char *text, uint64_t length, char *out) {
  uint64_t written = 0;
  for (uint64_t i = 0; i < length; i++) {
    const bool is_code =
        text[i] == '%' && i + 2 < length && uri_hex_digit(text[i + 1]) >= 0 && uri_hex_digit(text[i + 2]) >= 0;
    if (is_code) {
      out[written++] = (char)(uri_hex_digit(text[i + 1]) * 16 + uri_hex_digit(text[i + 2]));
      i += 2;
    } else {
      out[written++] = text[i];
    }
  }
  return written;
}

// -- data: -----------------------------------------------------------------------------------------------------------

static void uri_fill_base64_table(int8_t table[256]) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  memset(table, -1, 256);
  for (int i = 0; i < 64; i++) table[(uint8_t)letters[i]] = (int8_t)i;
}

/// Returns false when the text is no base64. Missing padding is accepted.
static bool uri_decode_base64(const char *text, uint64_t length, uint8_t *out, uint64_t *byte_count) {
  int8_t table[256];
  uri_fill_base64_table(table);
  while (length > 0 && text[length - 1] == '=') length--;
  if (length % 4 == 1) return false;
  uint32_t bits = 0, bit_count = 0;
  uint64_t written = 0;
  for (uint64_t i = 0; i < length; i++) {
    const int8_t value = table[(uint8_t)text[i]];
    if (value < 0) return false;
    bits = bits << 6 | (uint32_t)value;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    out[written++] = (uint8_t)(bits >> bit_count);
  }
  *byte_count = written;
  return true;
}

/// Does the part before the comma end in ";base64"?
static bool uri_is_base64(const char *head, uint64_t length) {
  return length >= 7 && strncasecmp(head + length - 7, ";base64", 7) == 0;
}

uint8_t *gltf_uri_decode(gltf_reader *reader, const cook_json *at, const char *uri, uint64_t *byte_count) {
  const char *comma = strchr(uri, ',');
  const char *text = comma != NULL ? comma + 1 : NULL;
  if (text == NULL) gltf_fail(reader, MPAK_F025, at, "no comma before the data", NULL);
  uint64_t length = strlen(text);
  if (memchr(text, '%', length) != NULL) {
    char *plain = job_alloc(reader->job, length + 1, 1);
    length = uri_decode_percent(text, length, plain);
    text = plain;
  }
  if (!uri_is_base64(uri, (uint64_t)(comma - uri))) {
    *byte_count = length;
    return job_copy(reader->job, text, length);
  }
  uint8_t *bytes = job_alloc(reader->job, length / 4 * 3 + 3, 1);
  if (!uri_decode_base64(text, length, bytes, byte_count))
    gltf_fail(reader, MPAK_F025, at, "the base64 text is broken", NULL);
  return bytes;
}

// -- Files -----------------------------------------------------------------------------------------------------------

/// "http:", "file:", "C:": letters, digits, '+', '-', '.' up to a colon.
static bool uri_has_scheme(const char *path) {
  size_t i = 0;
  while (isalnum((unsigned char)path[i]) || path[i] == '+' || path[i] == '-' || path[i] == '.') i++;
  return i > 0 && path[i] == ':';
}

static bool uri_is_separator(char letter) { return letter == '/' || letter == '\\'; }

/// Is one of the steps ".."? Backslashes count as separators, for files that were written on Windows.
static bool uri_climbs(const char *path) {
  for (size_t i = 0; path[i] != 0; i++) {
    const bool begins = i == 0 || uri_is_separator(path[i - 1]);
    if (begins && path[i] == '.' && path[i + 1] == '.' && (path[i + 2] == 0 || uri_is_separator(path[i + 2])))
      return true;
  }
  return false;
}

/// The folder of a path, with its last slash; "" for the current folder.
static const char *uri_folder_of(cook_job *job, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? "" : job_copy(job, path, (uint64_t)(slash - path) + 1);
}

/// Does the file, links resolved, lie in the folder? Both must exist.
static bool uri_lies_below(const char *folder, const char *path) {
  char real_folder[PATH_MAX], real_path[PATH_MAX];
  if (realpath(folder[0] == 0 ? "." : folder, real_folder) == NULL || realpath(path, real_path) == NULL) return false;
  const size_t length = strcmp(real_folder, "/") == 0 ? 0 : strlen(real_folder);
  return strncmp(real_folder, real_path, length) == 0 && real_path[length] == '/';
}

static bool uri_exists(const char *path) {
  char real_path[PATH_MAX];
  return realpath(path, real_path) != NULL || (errno != ENOENT && errno != ENOTDIR);
}

const char *gltf_uri_to_path(gltf_reader *reader, const cook_json *at, const char *uri) {
  const uint64_t length = strlen(uri);
  char *name = job_alloc(reader->job, length + 1, 1);
  const uint64_t name_length = uri_decode_percent(uri, length, name);
  if (name_length == 0 || strlen(name) != name_length || uri_has_scheme(name) || uri_is_separator(name[0]) ||
      uri_climbs(name))
    gltf_fail(reader, MPAK_F026, at, uri, NULL);
  const char *folder = uri_folder_of(reader->job, reader->path);
  const char *path = job_format(reader->job, "%s%s", folder, name);
  if (!uri_exists(path)) gltf_fail(reader, MPAK_F027, at, path, NULL);
  if (!uri_lies_below(folder, path)) gltf_fail(reader, MPAK_F026, at, uri, NULL);
  return path;
}
