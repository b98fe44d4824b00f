/// affine.h: 3x4 transforms in double precision, column vectors; only what importing needs.
///
/// Plain IEEE operations and sqrt, so that every machine gives the same bits.
#ifndef COOK_AFFINE_H
#define COOK_AFFINE_H

#include <stdbool.h>

/// m[row][column]; column 3 is the translation.
typedef struct affine {
  double m[3][4];
} affine;

/// Translation, rotation (xyzw, unit length), scale.
typedef struct affine_parts {
  double translation[3];
  double rotation[4];
  double scale[3];
} affine_parts;

affine affine_identity(void);

/// First b, then a: a * b.
affine affine_multiply(affine a, affine b);

/// The inverse; false, and the identity, when there is none.
bool affine_invert(affine a, affine *inverse);

affine affine_from_parts(const affine_parts *parts);

/// Takes a transform apart. A mirrored one gets a negative scale on x. Returns whether putting the parts together gives
/// the same transform to about 1e-6; when not (shear), the parts are the nearest that this way of taking apart finds.
bool affine_to_parts(affine a, affine_parts *parts);

void affine_point(const affine *a, const double point[3], double moved[3]);
void affine_vector(const affine *a, const double vector[3], double turned[3]); ///< without the translation

/// The transform of normals: cofactors of the linear part. Results need normalising.
affine affine_for_normals(affine a);

/// The unit quaternion (xyzw) of a rotation matrix, from the largest of its four components, so that nothing is divided
/// by a small number. The identity for a matrix that gives none.
void affine_quaternion_of(const double r[3][3], double quaternion[4]);

/// The rotation matrix of a unit quaternion (xyzw).
void affine_turn_of(const double quaternion[4], double turn[3][3]);

double affine_determinant(const affine *a);
bool affine_equal(const affine *a, const affine *b);
bool affine_is_identity(const affine *a);

#endif
