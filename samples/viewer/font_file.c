#include "samples/viewer/font_file.h"

#include <stdlib.h>
#include <unistd.h>

const char *font_file_find(void) {
  static const char *const places[] = {
      "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",           // Debian: fonts-wqy-microhei
      "/usr/share/fonts/wqy-microhei/wqy-microhei.ttc",           // Fedora, openSUSE
      "/usr/share/fonts/wenquanyi/wqy-microhei/wqy-microhei.ttc", // Arch
      "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
      "/usr/share/fonts/truetype/vlgothic/VL-Gothic-Regular.ttf",
      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/TTF/DejaVuSans.ttf",
  };
  const char *wanted = getenv("MPAK_FONT");
  if (wanted != NULL) return wanted[0] != 0 && access(wanted, R_OK) == 0 ? wanted : NULL;
  for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
    if (access(places[i], R_OK) == 0) return places[i];
  return NULL;
}
