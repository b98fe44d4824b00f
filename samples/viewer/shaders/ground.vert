#version 430 core
layout(location = 0) uniform mat4 uClipFromWorld;
layout(location = 1) uniform vec4 uGround; // centre x, height, centre z, half size
out vec3 vPosition;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vPosition = vec3(uGround.x + corner.x * uGround.w, uGround.y, uGround.z + corner.y * uGround.w);
  gl_Position = uClipFromWorld * vec4(vPosition, 1);
}
