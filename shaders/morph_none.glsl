// morph_none.glsl: a part without shapes: blocks, and nothing to add.
#if MPAK_LAYOUT == 0

layout(std430, binding = MPAK_BIND_OFFSETS) readonly buffer MorphBlockBuffer { uvec4 mpak_blocks[]; };

uvec4 mpak_block_at(uint i) { return mpak_blocks[i]; }

mpak_sums mpak_morph_block(uint block, bool is_real, uint lane, uint individuals[MPAK_TILE]) { return mpak_no_sums(); }
#endif
