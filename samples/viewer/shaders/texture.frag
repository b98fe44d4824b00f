#version 430 core
// A depth texture, to be looked at.
in vec2 vAt;
layout(location = 0) out vec4 oColour;
layout(binding = 0) uniform sampler2D uTexture;

void main() {
  float depth = texture(uTexture, vAt).r;
  oColour = vec4(vec3(depth < 1.0 ? 1.0 - 0.8 * depth : 0.0), 1);
}
