// morph_csr64.comp: the morph document's kernel as it stands there: one invocation for each vertex, its own range of
// deltas, base plus the plain sum, renormalised or the base's direction. For comparison; deform.comp is the deformer.
//
// The text of a program: #version, then mpak_shader_morph_csr64: mpak_gpu_layout.h, parameters.glsl and this file. Beyond
// the document: individuals along z, x and y groups, and pieces of a part.

layout(local_size_x = 64) in;

#define uFirstVertex         uMpak[MPAK_PARAM_FIRST_BLOCK]
#define uVertexCount         uMpak[MPAK_PARAM_BLOCK_COUNT]
#define uOutputStrideWords   uMpak[MPAK_PARAM_OUTPUT_STRIDE]
#define uPositionOffsetWords uMpak[MPAK_PARAM_POSITION_OFFSET]
#define uNormalOffsetWords   uMpak[MPAK_PARAM_NORMAL_OFFSET]
#define uTangentOffsetWords  uMpak[MPAK_PARAM_TANGENT_OFFSET]

struct GpuMorphDelta {
  vec4 position;
  vec4 normal;
  vec4 tangent;
  uvec4 metadata;
};

layout(std430, binding = MPAK_BIND_BASE) readonly buffer BaseVertexBuffer { vec4 baseVertices[]; }; // GpuMorphBaseVertex: 3 vec4
layout(std430, binding = MPAK_BIND_OFFSETS) readonly buffer MorphOffsetBuffer { uint morphOffsets[]; };
layout(std430, binding = MPAK_BIND_DELTAS) readonly buffer MorphDeltaBuffer { GpuMorphDelta morphDeltas[]; };
layout(std430, binding = MPAK_BIND_OUTPUT) writeonly buffer OutputVertexBuffer { float outputVertices[]; };

// The base's direction where the sum has none; also for NaN, whose comparison is false.
vec3 normalizeOrFallback(vec3 sum, vec3 fallback) {
  float lengthSquared = dot(sum, sum);
  return lengthSquared > 1e-12 ? sum * inversesqrt(lengthSquared) : fallback;
}

void storeVec3(uint word, vec3 v) {
  outputVertices[word] = v.x;
  outputVertices[word + 1u] = v.y;
  outputVertices[word + 2u] = v.z;
}

void main() {
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint vertexIndex = uFirstVertex + group * 64u + gl_LocalInvocationID.x;
  if (vertexIndex >= uVertexCount) return;
  uint individual = mpak_individual_at(gl_WorkGroupID.z);

  uint base = 3u * vertexIndex - uMpak[MPAK_PARAM_BASE_SHIFT];
  vec4 baseTangent = baseVertices[base + 2u];
  vec3 position = baseVertices[base].xyz, baseNormal = baseVertices[base + 1u].xyz;
  vec3 normal = baseNormal, tangent = baseTangent.xyz;
  uint end = morphOffsets[vertexIndex + 1u];
  for (uint d = morphOffsets[vertexIndex]; d < end; ++d) {
    GpuMorphDelta delta = morphDeltas[d - uMpak[MPAK_PARAM_DELTA_SHIFT]];
    float weight = mpak_weight(individual, delta.metadata.x);
    position += weight * delta.position.xyz;
    normal += weight * delta.normal.xyz;
    tangent += weight * delta.tangent.xyz;
  }
  normal = normalizeOrFallback(normal, baseNormal);
  tangent = normalizeOrFallback(tangent, baseTangent.xyz);

  uint word = (individual - uMpak[MPAK_PARAM_OUTPUT_FIRST]) * uMpak[MPAK_PARAM_OUTPUT_INDIVIDUAL] +
              vertexIndex * uOutputStrideWords - uMpak[MPAK_PARAM_OUTPUT_SHIFT];
  storeVec3(word + uPositionOffsetWords, position);
  storeVec3(word + uNormalOffsetWords, normal);
  storeVec3(word + uTangentOffsetWords, tangent);
  outputVertices[word + uTangentOffsetWords + 3u] = baseTangent.w;
}
