// skin_vertex.glsl: functions for the caller's vertex shader, for items that are skinned inline and for 24-byte vertices.
// Put this text behind #version (430; 330 with a palette texture) and before your own code. It declares
//
//     mpak_skin(position, normal, tangent)  moves a vertex into component space, by the attributes 6 ... 11
//     mpak_decode_octahedral(vec2)          normal of MPAK_GL_OUTPUT_24
//     mpak_decode_tangent(vec2)             tangent of MPAK_GL_OUTPUT_24, with its sign as w
//     uMpakFirstBone                        uniform: item.first_bone
//     mpak_palette or uMpakPalette          storage block at binding 7: bind item.palette_buffer, palette_offset,
//                                           palette_bytes; or a texture buffer: bind item.palette_texture to a unit
//
// MPAK_INFLUENCES is 4, 8 or 12: what item.influence_count says. MPAK_PALETTE_TEXTURE: vertex shaders read no storage.

layout(location = 6) in uvec4 mpak_joints_0;
layout(location = 9) in vec4 mpak_weights_0;
#if MPAK_INFLUENCES >= 8
layout(location = 7) in uvec4 mpak_joints_1;
layout(location = 10) in vec4 mpak_weights_1;
#endif
#if MPAK_INFLUENCES >= 12
layout(location = 8) in uvec4 mpak_joints_2;
layout(location = 11) in vec4 mpak_weights_2;
#endif

#ifdef VULKAN
layout(push_constant) uniform mpak_vertex_parameters { uint uMpakFirstBone; };
#elif __VERSION__ >= 430
layout(location = MPAK_VERTEX_FIRST_BONE) uniform uint uMpakFirstBone;
#else
uniform uint uMpakFirstBone;
#endif

#ifndef MPAK_PALETTE_TEXTURE
layout(std430, binding = MPAK_VERTEX_PALETTE_BINDING) readonly buffer SkinningPaletteBuffer { vec4 mpak_palette[]; };
vec4 mpak_palette_row(uint row) { return mpak_palette[row]; }
#else
#ifdef VULKAN
layout(binding = MPAK_VERTEX_PALETTE_BINDING) uniform samplerBuffer uMpakPalette;
#elif __VERSION__ >= 430
layout(location = MPAK_VERTEX_PALETTE_SAMPLER) uniform samplerBuffer uMpakPalette;
#else
uniform samplerBuffer uMpakPalette;
#endif
vec4 mpak_palette_row(uint row) { return texelFetch(uMpakPalette, int(row)); }
#endif

void mpak_add_bones(uvec4 joints, vec4 weights, inout mat3x4 blend) {
  for (int k = 0; k < 4; ++k) {
    if (weights[k] == 0.0) continue;
    uint row = 3u * (uMpakFirstBone + joints[k]);
    for (int r = 0; r < 3; ++r) blend[r] += weights[k] * mpak_palette_row(row + uint(r));
  }
}

void mpak_skin(inout vec3 position, inout vec3 normal, inout vec4 tangent) {
  mat3x4 blend = mat3x4(vec4(0.0), vec4(0.0), vec4(0.0));
  mpak_add_bones(mpak_joints_0, mpak_weights_0, blend);
#if MPAK_INFLUENCES >= 8
  mpak_add_bones(mpak_joints_1, mpak_weights_1, blend);
#endif
#if MPAK_INFLUENCES >= 12
  mpak_add_bones(mpak_joints_2, mpak_weights_2, blend);
#endif
  mpak_move_vertex(blend, position, normal, tangent);
}
