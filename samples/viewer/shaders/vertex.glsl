// vertex.glsl: behind #version and, for items that are skinned inline, #define MPAK_INLINE and mpak_gl_vertex_source.
// What every pass reads: shadow, forward and outline put the same vertices to the same places.
invariant gl_Position;
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 0) uniform mat4 uClipFromWorld;
layout(location = 1) uniform vec4 uWorldFromVertices[3]; // rows
layout(std430, binding = 8) readonly buffer Heat { float heat_m[]; };
layout(location = 4) uniform float uHeatTop; // metres; 0: no heat

void worldVertex(out vec3 position, out vec3 normal) {
  vec3 p = aPosition, n = aNormal;
#ifdef MPAK_INLINE
  vec4 tangent = vec4(0);
  mpak_skin(p, n, tangent);
#endif
  vec4 q = vec4(p, 1);
  vec3 x = uWorldFromVertices[0].xyz, y = uWorldFromVertices[1].xyz, z = uWorldFromVertices[2].xyz;
  position = vec3(dot(uWorldFromVertices[0], q), dot(uWorldFromVertices[1], q), dot(uWorldFromVertices[2], q));
  vec3 c = vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n)); // cofactors: right under any scale
  normal = dot(x, cross(y, z)) < 0.0 ? -c : c;
}
