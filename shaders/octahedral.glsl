// octahedral.glsl: unit vectors in two numbers of [-1, 1]: the octahedron's faces unfolded into a square (Q. Meyer et al.,
// "On floating-point normal vectors", 2010). Two of 16 bits make a normal or tangent of the 24-byte output.

vec2 mpak_fold(vec2 v) { return (1.0 - abs(v.yx)) * vec2(v.x >= 0.0 ? 1.0 : -1.0, v.y >= 0.0 ? 1.0 : -1.0); }

// A zero vector gives (0, 0), which decodes to +z.
vec2 mpak_encode_octahedral(vec3 direction) {
  float size = abs(direction.x) + abs(direction.y) + abs(direction.z);
  vec2 flat_direction = size > 0.0 ? direction.xy / size : vec2(0.0);
  return direction.z >= 0.0 ? flat_direction : mpak_fold(flat_direction);
}

vec3 mpak_decode_octahedral(vec2 folded) {
  float z = 1.0 - abs(folded.x) - abs(folded.y);
  return normalize(vec3(z >= 0.0 ? folded : mpak_fold(folded), z));
}

// A tangent with its sign: the lowest bit of the second number, set for +1.
vec4 mpak_decode_tangent(vec2 folded) {
  int second = int(round(folded.y * 32767.0));
  return vec4(mpak_decode_octahedral(folded), (second & 1) != 0 ? 1.0 : -1.0);
}
