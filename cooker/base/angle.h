/// angle.h: arc cosine, sine and cosine in plain IEEE operations and sqrt, the same bits on every machine (a libm's are
/// not).
#ifndef COOK_ANGLE_H
#define COOK_ANGLE_H

/// The angle in [0, pi] whose cosine is x; x outside [-1, 1] counts as the nearer end. Error below 3e-8 rad.
double angle_acos(double x);

/// Sine and cosine of an angle in degrees, exact at multiples of 90 degrees; error below 1e-15 for angles up to a
/// million degrees. Both are 0 and 1 for an angle that is not finite.
void angle_sin_cos(double degrees, double *sine, double *cosine);

#endif
