#version 430 core
layout(location = 0) in vec2 aPosition;
layout(location = 1) in vec2 aTexcoord;
layout(location = 2) in vec4 aColour;
layout(location = 0) uniform vec2 uSize; // pixels
out vec2 vTexcoord;
out vec4 vColour;

void main() {
  vTexcoord = aTexcoord;
  vColour = aColour;
  gl_Position = vec4(aPosition.x / uSize.x * 2.0 - 1.0, 1.0 - aPosition.y / uSize.y * 2.0, 0, 1);
}
