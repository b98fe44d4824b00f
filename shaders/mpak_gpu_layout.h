// mpak_gpu_layout.h: what C and GLSL must agree on: bindings, parameters, records. Valid in both languages; in front of
// every shader of this folder, and included by runtime/gl. Only #define lines and comments.
#ifndef MPAK_GPU_LAYOUT_H
#define MPAK_GPU_LAYOUT_H

// -- Storage bindings ------------------------------------------------------------------------------------------------
// The morph document's five, and three more: eight in all, what GL 4.3 promises.
#define MPAK_BIND_BASE    0 // vec4[3 * vertex]: position, normal, tangent (mpak_base_vertex)
#define MPAK_BIND_OFFSETS 1 // csr64: uint[vertex_count + 1]. Otherwise uvec4[block_count], the blocks: see "Block"
#define MPAK_BIND_DELTAS  2 // csr64: mpak_csr_delta, 64 bytes. blk64: uint[], the payload's words
#define MPAK_BIND_WEIGHTS 3 // float[]: shape_count of each individual, then (as bits) the list of individuals
#define MPAK_BIND_OUTPUT  4 // vec4[], uvec2[] or uint[] by output format
#define MPAK_BIND_ENTRIES 5 // blk64: uvec4[2 * entry] (mpak_morph_entry). csr64 in deform.comp: the blocks
#define MPAK_BIND_SKIN    6 // uint[]: joints and weights, see "Skin"
#define MPAK_BIND_PALETTE 7 // vec4[3 * bone]: rows of 3x4 matrices, component space from mesh space

// -- Block -----------------------------------------------------------------------------------------------------------
// 64 lanes of one section, a work group each. x: first vertex. y: first entry (the next block's y ends it; blk64 has
// one more block behind the last). z: vertices, 1 ... 64. w: first bone of its section, relative to the individual's
// palette.
#define MPAK_BLOCK_LANES 64

// -- Skin ------------------------------------------------------------------------------------------------------------
// A vertex has influence_count / 4 quads. A quad: 2 words of four 16-bit joints (section-local), then the weights:
// packed 2 words of four unorm16, or full 4 words of floats. All quads of a vertex are neighbours.
#define MPAK_SKIN_PACKED_WORDS 4
#define MPAK_SKIN_FULL_WORDS   6

// -- Parameters: layout(location = 0) uniform uint uMpak[MPAK_PARAM_COUNT] -------------------------------------------
#define MPAK_PARAM_FIRST_BLOCK       0 // of this dispatch. csr64's document kernel: first vertex
#define MPAK_PARAM_BLOCK_COUNT       1 // of this dispatch. Document kernel: vertex where it ends (uVertexCount)
#define MPAK_PARAM_FIRST_INDIVIDUAL  2 // individual of z = 0, where there is no list
#define MPAK_PARAM_INDIVIDUAL_COUNT  3 // of this dispatch
#define MPAK_PARAM_LIST              4 // word in the weight buffer where the list of individuals starts, or MPAK_NO_LIST
#define MPAK_PARAM_WEIGHT_STRIDE     5  // words of an individual in the weight buffer
#define MPAK_PARAM_OUTPUT_INDIVIDUAL 6  // words of an individual in the output buffer
#define MPAK_PARAM_OUTPUT_STRIDE     7  // words of a vertex: uOutputStrideWords
#define MPAK_PARAM_POSITION_OFFSET   8  // uPositionOffsetWords
#define MPAK_PARAM_NORMAL_OFFSET     9  // uNormalOffsetWords
#define MPAK_PARAM_TANGENT_OFFSET    10 // uTangentOffsetWords
#define MPAK_PARAM_PALETTE_STRIDE    11 // bones of an individual in the palette buffer
#define MPAK_PARAM_PALETTE_FIRST     12 // bone of individual 0 where this part's palette starts
#define MPAK_PARAM_BASE_SHIFT        13 // vec4s that the bound range of bases starts behind the buffer's start
#define MPAK_PARAM_DELTA_SHIFT       14 // the same in words (blk64) or deltas (csr64)
#define MPAK_PARAM_ENTRY_SHIFT       15 // in entries
#define MPAK_PARAM_OUTPUT_SHIFT      16 // in words
#define MPAK_PARAM_OUTPUT_FIRST      17 // individual that the bound range of outputs starts with
#define MPAK_PARAM_COUNT             18
#define MPAK_NO_LIST                 0xFFFFFFFFu

// -- Hook values: layout(location = 32) uniform vec4 uHook[8] --------------------------------------------------------
#define MPAK_HOOK_LOCATION 32
#define MPAK_HOOK_COUNT    8
#define MPAK_BIND_HOOK     8 // uniform block of the same in Vulkan, where uMpak is the push constants

// -- Variants: #define lines that runtime/gl puts in front of deform.comp --------------------------------------------
// MPAK_LAYOUT      0 no shapes, 1 csr64, 2 blk64
// MPAK_PAYLOAD     8, 12, 16, 36 (blk64)
// MPAK_COMPONENTS  3, 6, 9 (blk64)
// MPAK_REORTHOGONALISE  0, 1: tangents are made square to the morphed normal (quantised parts without tangent deltas)
// MPAK_INFLUENCES  0 (no skin), 4, 8, 12
// MPAK_SKIN_PACKED 0, 1
// MPAK_OUTPUT      48, 24, 0 (scalar words at strides and offsets)
// MPAK_TILE        1, 4: individuals of one work group; groups along z: ceil(count / tile)
// MPAK_HOOK_AFTER_MORPH, MPAK_HOOK_SKIN, MPAK_HOOK_AFTER_SKIN: defined where the caller gave one
// A dispatch is x * y groups of blocks (block = first + x + y * gl_NumWorkGroups.x, groups past the count do nothing).

// -- Attributes and the palette of the caller's vertex shader --------------------------------------------------------
#define MPAK_VERTEX_PALETTE_BINDING 7  // storage block of the palette
#define MPAK_VERTEX_FIRST_BONE      60 // location of `uniform uint uMpakFirstBone`
#define MPAK_VERTEX_PALETTE_SAMPLER 61 // location of `uniform samplerBuffer uMpakPalette`, where no storage may be read

#endif
