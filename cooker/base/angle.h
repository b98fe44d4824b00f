/// angle.h: arc cosine in plain IEEE operations and sqrt, the same bits on every machine (a libm's acos is not).
#ifndef COOK_ANGLE_H
#define COOK_ANGLE_H

/// The angle in [0, pi] whose cosine is x; x outside [-1, 1] counts as the nearer end. Error below 3e-8 rad.
double angle_acos(double x);

#endif
