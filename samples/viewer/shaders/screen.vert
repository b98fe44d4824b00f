#version 430 core
// One triangle over the whole viewport.
out vec2 vAt;

void main() {
  vAt = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(vAt * 2.0 - 1.0, 0.0, 1.0);
}
