// libraries.c: asks every outside library for its version, and nothing else; so it may include them all.
#include "cooker/cli/libraries.h"

#include "cooker/import/assimp.h"
#include "format/checksum.h"

#include <jansson.h>
#include <meshoptimizer.h>
#include <seccomp.h>
#include <zlib.h>
#include <zstd.h>

static void libraries_put_seccomp(text_out *text) {
  const struct scmp_version *version = seccomp_version();
  if (version != NULL) text_printf(text, "libseccomp %u.%u.%u\n", version->major, version->minor, version->micro);
}

static void libraries_put_assimp(text_out *text) {
  unsigned version[3];
  if (assimp_version(version))
    text_printf(text, "assimp %u.%u.%u\n", version[0], version[1], version[2]);
  else
    text_printf(text, "assimp none\n");
}

void libraries_put(text_out *text) {
  libraries_put_assimp(text);
  text_printf(text, "jansson %s\n", jansson_version_str());
  libraries_put_seccomp(text);
  text_printf(text, "meshoptimizer %d.%d\n", MESHOPTIMIZER_VERSION / 1000, MESHOPTIMIZER_VERSION / 10 % 100);
  text_printf(text, "xxhash %d.%d.%d\n", XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE);
  text_printf(text, "zlib %s\n", zlibVersion());
  text_printf(text, "zstd %s\n", ZSTD_versionString());
}
