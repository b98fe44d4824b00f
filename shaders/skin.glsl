// skin.glsl: the blended matrix of a vertex, from the compute shader's buffers. A hook that skins may call
// mpak_skin_matrix.

#if MPAK_INFLUENCES > 0
#if MPAK_SKIN_PACKED
layout(std430, binding = MPAK_BIND_SKIN) readonly buffer SkinBuffer { uvec4 mpak_skin_quads[]; };
#else
layout(std430, binding = MPAK_BIND_SKIN) readonly buffer SkinBuffer { uvec2 mpak_skin_pairs[]; };
#endif
layout(std430, binding = MPAK_BIND_PALETTE) readonly buffer SkinningPaletteBuffer { vec4 mpak_palette[]; };

uint mpak_section_bone; // first bone of the block's section, relative to the individual's palette

// Joints and weights of one quad of a vertex.
void mpak_skin_quad(uint vertex, uint quad, out uvec4 joints, out vec4 weights) {
  uint i = vertex * uint(MPAK_INFLUENCES / 4) + quad;
#if MPAK_SKIN_PACKED
  uvec4 words = mpak_skin_quads[i];
  weights = vec4(unpackUnorm2x16(words.z), unpackUnorm2x16(words.w));
#else
  uvec2 words = mpak_skin_pairs[3u * i];
  weights = uintBitsToFloat(uvec4(mpak_skin_pairs[3u * i + 1u], mpak_skin_pairs[3u * i + 2u]));
#endif
  joints = uvec4(words.x & 0xFFFFu, words.x >> 16, words.y & 0xFFFFu, words.y >> 16);
}

// Rows of the sum of weight * bone. Weights fall along a vertex, so the first zero ends it, and what a bone without weight
// holds is not read. The loop ends by the weights alone: compilers do not unroll it, which keeps programs small.
mat3x4 mpak_skin_matrix(uint vertex, uint individual) {
  uint first = uMpak[MPAK_PARAM_PALETTE_FIRST] + individual * uMpak[MPAK_PARAM_PALETTE_STRIDE] + mpak_section_bone;
  mat3x4 blend = mat3x4(vec4(0.0), vec4(0.0), vec4(0.0));
  uint quad = 0u;
  uvec4 joints;
  vec4 weights;
  mpak_skin_quad(vertex, quad, joints, weights);
  while (weights.x != 0.0) {
    for (int k = 0; k < 4; ++k) {
      if (weights[k] == 0.0) continue;
      uint row = 3u * (first + joints[k]);
      for (int r = 0; r < 3; ++r) blend[r] += weights[k] * mpak_palette[row + uint(r)];
    }
    weights = vec4(0.0);
    if (++quad < uint(MPAK_INFLUENCES / 4)) mpak_skin_quad(vertex, quad, joints, weights);
  }
  return blend;
}
#endif
