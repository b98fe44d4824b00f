/// pose_slerp.h: the two transcendental functions that slerp needs, in plain IEEE operations. Private to the runtime.
///
/// libm's acos and sin differ in their last bits between systems; these do not, since +, *, / and sqrt are exactly
/// rounded everywhere.
#ifndef MPAK_POSE_SLERP_H
#define MPAK_POSE_SLERP_H

/// acos(x) in radians for x in [0, 1]; absolute error below 3e-8.
double pose_acos(double x);

/// sin(x) for x in [0, pi / 2]; absolute error below 1e-10.
double pose_sin(double x);

/// v / |v| for a quaternion, whatever its length; the identity where it has none.
void pose_normalise_quaternion(float v[4]);

#endif
