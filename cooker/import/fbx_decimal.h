/// fbx_decimal.h: decimal numbers of a text file, of which meshes have very many.
#ifndef COOK_FBX_DECIMAL_H
#define COOK_FBX_DECIMAL_H

/// The number that strtod reads from the start of a text, to the last bit, only faster for short ones. *after is where
/// it ends, text itself when there is none.
double fbx_decimal(const char *text, const char **after);

#endif
