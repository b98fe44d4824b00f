// store.glsl: a finished vertex into the output buffer, in one of its three layouts. vec4 and uvec2 stores where the
// layout allows them: scalar stores cost most of a morph.

#if MPAK_OUTPUT == 48
layout(std430, binding = MPAK_BIND_OUTPUT) writeonly buffer OutputVertexBuffer { vec4 mpak_output[]; };
#elif MPAK_OUTPUT == 24
layout(std430, binding = MPAK_BIND_OUTPUT) writeonly buffer OutputVertexBuffer { uvec2 mpak_output[]; };
#else
layout(std430, binding = MPAK_BIND_OUTPUT) writeonly buffer OutputVertexBuffer { float mpak_output[]; };
#endif

// Word of the vertex in the bound range.
uint mpak_output_word(uint individual, uint vertex) {
  return (individual - uMpak[MPAK_PARAM_OUTPUT_FIRST]) * uMpak[MPAK_PARAM_OUTPUT_INDIVIDUAL] +
         vertex * uMpak[MPAK_PARAM_OUTPUT_STRIDE] - uMpak[MPAK_PARAM_OUTPUT_SHIFT];
}

#if MPAK_OUTPUT == 48
void mpak_store(uint word, vec3 position, vec3 normal, vec4 tangent) {
  mpak_output[word / 4u] = vec4(position, 1.0);
  mpak_output[word / 4u + 1u] = vec4(normal, 0.0);
  mpak_output[word / 4u + 2u] = tangent;
}

#elif MPAK_OUTPUT == 24
uint mpak_two_of_16(ivec2 numbers) { return uint(numbers.x & 0xFFFF) | uint(numbers.y) << 16; }

// The second number is even for a sign of -1 and odd for +1; -32768 is never used, since it reads as -32767.
uint mpak_pack_tangent(vec4 tangent) {
  vec2 folded = mpak_encode_octahedral(tangent.xyz) * 32767.0;
  int bit = tangent.w < 0.0 ? 0 : 1;
  int second = 2 * int(round((folded.y - float(bit)) * 0.5)) + bit;
  return mpak_two_of_16(ivec2(int(round(folded.x)), clamp(second, -32766 - bit, 32766 + bit)));
}

void mpak_store(uint word, vec3 position, vec3 normal, vec4 tangent) {
  uint packed_normal = mpak_two_of_16(ivec2(round(mpak_encode_octahedral(normal) * 32767.0)));
  mpak_output[word / 2u] = floatBitsToUint(position.xy);
  mpak_output[word / 2u + 1u] = uvec2(floatBitsToUint(position.z), packed_normal);
  mpak_output[word / 2u + 2u] = uvec2(mpak_pack_tangent(tangent), 0u);
}

#else
void storeVec3(uint word, vec3 v) {
  mpak_output[word] = v.x;
  mpak_output[word + 1u] = v.y;
  mpak_output[word + 2u] = v.z;
}

void mpak_store(uint word, vec3 position, vec3 normal, vec4 tangent) {
  storeVec3(word + uMpak[MPAK_PARAM_POSITION_OFFSET], position);
  storeVec3(word + uMpak[MPAK_PARAM_NORMAL_OFFSET], normal);
  storeVec3(word + uMpak[MPAK_PARAM_TANGENT_OFFSET], tangent.xyz);
  mpak_output[word + uMpak[MPAK_PARAM_TANGENT_OFFSET] + 3u] = tangent.w;
}
#endif
