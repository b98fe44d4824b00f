// parameters.glsl: the uniforms of compute shaders: uMpak and uHook of mpak_gpu_layout.h, and which individuals a work
// group is for. Vulkan has push constants and a block instead of plain uniforms; the numbers are the same.

#ifdef VULKAN
layout(push_constant) uniform mpak_parameters { uint uMpak[MPAK_PARAM_COUNT]; };
#else
layout(location = 0) uniform uint uMpak[MPAK_PARAM_COUNT];
#endif

#if defined(MPAK_HOOK_AFTER_MORPH) || defined(MPAK_HOOK_SKIN) || defined(MPAK_HOOK_AFTER_SKIN)
#ifdef VULKAN
layout(std140, binding = MPAK_BIND_HOOK) uniform mpak_hook_values { vec4 uHook[MPAK_HOOK_COUNT]; };
#else
layout(location = MPAK_HOOK_LOCATION) uniform vec4 uHook[MPAK_HOOK_COUNT];
#endif
#endif

// Words, since the list of individuals stands behind the floats.
layout(std430, binding = MPAK_BIND_WEIGHTS) readonly buffer MorphWeightBuffer { uint mpak_weights[]; };

// The i-th individual of this dispatch.
uint mpak_individual_at(uint i) {
  uint list = uMpak[MPAK_PARAM_LIST];
  return list == MPAK_NO_LIST ? uMpak[MPAK_PARAM_FIRST_INDIVIDUAL] + i : mpak_weights[list + i];
}

float mpak_weight(uint individual, uint shape) {
  return uintBitsToFloat(mpak_weights[individual * uMpak[MPAK_PARAM_WEIGHT_STRIDE] + shape]);
}
