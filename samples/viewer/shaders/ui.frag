#version 430 core
in vec2 vTexcoord;
in vec4 vColour;
layout(location = 0) out vec4 oColour;
layout(binding = 0) uniform sampler2D uFont;

void main() { oColour = vec4(vColour.rgb, vColour.a * texture(uFont, vTexcoord).r); }
