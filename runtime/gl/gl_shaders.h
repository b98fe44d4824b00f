/// gl_shaders.h: the texts of the shaders, made of shaders/* by the Makefile. None has a #version line.
///
/// deform: behind #version 430 and the variant's #define lines (shaders/mpak_gpu_layout.h); behind it, where
/// MPAK_HOOK_AFTER_MORPH, MPAK_HOOK_SKIN or MPAK_HOOK_AFTER_SKIN is defined, the definition of
///
///     void mpak_hook_after_morph(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint
///     individual)
///
/// mpak_hook_skin or mpak_hook_after_skin. morph_csr64: behind #version 430. skin: for the caller's vertex shaders.
#ifndef MPAK_GL_SHADERS_H
#define MPAK_GL_SHADERS_H

extern const char mpak_shader_deform[];
extern const char mpak_shader_morph_csr64[];
extern const char mpak_shader_skin_4[]; ///< #version 430
extern const char mpak_shader_skin_8[];
extern const char mpak_shader_skin_12[];
extern const char mpak_shader_skin_texture_4[]; ///< #version 330 or later
extern const char mpak_shader_skin_texture_8[];
extern const char mpak_shader_skin_texture_12[];

#endif
