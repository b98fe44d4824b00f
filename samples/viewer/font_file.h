/// font_file.h: finds a font that has most of the world's letters.
#ifndef FONT_FILE_H
#define FONT_FILE_H

/// The path of a font file that can be read: $MPAK_FONT, else the first that is there of a list of well-known places
/// (all of them fonts with Japanese, Chinese and Korean letters, then others). NULL: none. Static, or the
/// environment's.
const char *font_file_find(void);

#endif
