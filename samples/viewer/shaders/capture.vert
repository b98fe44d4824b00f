// capture.vert: behind #version and, for items that are skinned inline, #define MPAK_INLINE and mpak_gl_vertex_source:
// vertices as a draw gets them, captured by transform feedback in the layout of mpak_base_vertex.
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 aTangent;
out vec4 vCaptured[3];

void main() {
  vec3 position = aPosition, normal = aNormal;
  vec4 tangent = aTangent;
#ifdef MPAK_INLINE
  mpak_skin(position, normal, tangent);
#endif
  vCaptured[0] = vec4(position, 1);
  vCaptured[1] = vec4(normal, 0);
  vCaptured[2] = tangent;
  gl_Position = vec4(position, 1);
}
