layout(location = 7) uniform float uLength; // metres
out vec4 vTip;

void main() {
  vec3 position, normal;
  worldVertex(position, normal);
  float size = length(normal);
  gl_Position = uClipFromWorld * vec4(position, 1);
  vTip = uClipFromWorld * vec4(position + (size > 0.0 ? normal / size : vec3(0)) * uLength, 1);
}
