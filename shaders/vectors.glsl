// vectors.glsl: directions that stay unit, numbers that stay finite; as runtime/deform/deform_vector.h. Comparisons are
// written so that NaN takes the fallback whether or not a driver honours it elsewhere.

#define MPAK_LARGEST_FLOAT   3.402823466e38
#define MPAK_SHORTEST_SQUARE 1e-12 // MPAK_SHORTEST_SUM squared

bool mpak_is_finite(vec3 v) { return all(lessThanEqual(abs(v), vec3(MPAK_LARGEST_FLOAT))); }

// Makes a sum of a direction and deltas unit. False, and out_direction as it was, where nothing is left of it.
bool mpak_normalise_sum(vec3 sum, inout vec3 out_direction) {
  float square = dot(sum, sum);
  if (square > MPAK_SHORTEST_SQUARE && square <= MPAK_LARGEST_FLOAT) {
    out_direction = sum * inversesqrt(square);
    return true;
  }
  return false;
}

// The same for vectors of any length, also where the square leaves a float's range.
bool mpak_normalise_any(vec3 v, inout vec3 out_direction) {
  float square = dot(v, v);
  if (square >= 1e-24 && square <= 1e24) {
    out_direction = v * inversesqrt(square);
    return true;
  }
  float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
  if (largest > 0.0 && mpak_is_finite(v)) {
    out_direction = normalize(v / largest);
    return true;
  }
  return false;
}
