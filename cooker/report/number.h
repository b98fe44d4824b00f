/// number.h: numbers to text and back, the same in every locale.
#ifndef COOK_NUMBER_H
#define COOK_NUMBER_H

#include <stdbool.h>

#define NUMBER_BYTES 32

/// A finite number with at most digits (1 to 17) significant digits, trailing zeros dropped, as JSON wants it: "0.1",
/// "-3", "1.5e-09". Zero of either sign is "0". Returns false (and "null") when the value is infinite or NaN.
bool number_format(char text[NUMBER_BYTES], double value, int digits);

/// The same for a float: the fewest digits (6 to 9) that give the same float back.
bool number_format_float(char text[NUMBER_BYTES], float value);

/// Reads a decimal number that fills the whole text: digits, '.', exponent; no blanks, hex, infinity or NaN. Returns
/// false for anything else, also for numbers beyond a double.
bool number_parse(const char *text, double *value);

#endif
