/// libraries.h: which libraries this program runs with.
#ifndef CLI_LIBRARIES_H
#define CLI_LIBRARIES_H

#include "cooker/report/text_out.h"

/// One line per library: "zstd 1.5.4".
void libraries_put(text_out *text);

#endif
