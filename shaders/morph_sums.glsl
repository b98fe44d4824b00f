// morph_sums.glsl: what the morph kernels add up for one vertex of each individual of a work group, and how it becomes a
// vertex; as runtime/deform/deform_morph.c.

struct mpak_sums {
  vec3 position[MPAK_TILE];
  vec3 normal[MPAK_TILE];
  vec3 tangent[MPAK_TILE];
  uint touched; // bit j: an active shape moves the vertex of individual j
};

mpak_sums mpak_no_sums() {
  mpak_sums sums;
  for (int j = 0; j < MPAK_TILE; ++j) sums.position[j] = sums.normal[j] = sums.tangent[j] = vec3(0.0);
  sums.touched = 0u;
  return sums;
}

// Base last, so that small deltas are added to each other first. In: the base; it stays wherever the sum is of no use.
void mpak_add_sums(mpak_sums sums, int j, inout vec3 position, inout vec3 normal, inout vec4 tangent) {
  if ((sums.touched >> uint(j) & 1u) == 0u) return;
  vec3 moved = position + sums.position[j];
  if (mpak_is_finite(moved)) position = moved;
  bool has_normal = mpak_normalise_sum(normal + sums.normal[j], normal);
  vec3 direction = tangent.xyz;
#if MPAK_REORTHOGONALISE
  if (has_normal && any(notEqual(sums.normal[j], vec3(0.0)))) {
    mpak_normalise_sum(direction - normal * dot(normal, direction), direction);
  }
#else
  mpak_normalise_sum(direction + sums.tangent[j], direction);
#endif
  tangent.xyz = direction;
}
