// morph_csr_rows.glsl: sums of a vertex's deltas in the csr64 layout, for the deformer: each lane walks its own range.
// The morph document's kernel of the same layout is morph_csr64.comp.
#if MPAK_LAYOUT == 1

struct GpuMorphDelta {
  vec4 position;
  vec4 normal;
  vec4 tangent;
  uvec4 metadata;
};

layout(std430, binding = MPAK_BIND_OFFSETS) readonly buffer MorphOffsetBuffer { uint mpak_offsets[]; };
layout(std430, binding = MPAK_BIND_DELTAS) readonly buffer MorphDeltaBuffer { GpuMorphDelta mpak_deltas[]; };
layout(std430, binding = MPAK_BIND_ENTRIES) readonly buffer MorphBlockBuffer { uvec4 mpak_blocks[]; };

uvec4 mpak_block_at(uint i) { return mpak_blocks[i]; }

void mpak_add_delta(GpuMorphDelta delta, uint individuals[MPAK_TILE], inout mpak_sums sums) {
  for (int j = 0; j < MPAK_TILE; ++j) {
    float weight = mpak_weight(individuals[j], delta.metadata.x);
    if (weight == 0.0) continue;
    sums.touched |= 1u << uint(j);
    sums.position[j] += weight * delta.position.xyz;
    sums.normal[j] += weight * delta.normal.xyz;
    sums.tangent[j] += weight * delta.tangent.xyz;
  }
}

mpak_sums mpak_morph_block(uint block, bool is_real, uint lane, uint individuals[MPAK_TILE]) {
  mpak_sums sums = mpak_no_sums();
  uvec4 record = mpak_blocks[block];
  if (!is_real || lane >= record.z) return sums;
  uint vertex = record.x + lane, end = mpak_offsets[vertex + 1u];
  for (uint d = mpak_offsets[vertex]; d < end; ++d) {
    mpak_add_delta(mpak_deltas[d - uMpak[MPAK_PARAM_DELTA_SHIFT]], individuals, sums);
  }
  return sums;
}
#endif
