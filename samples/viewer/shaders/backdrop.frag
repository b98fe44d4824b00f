#version 430 core
in vec2 vAt;
layout(location = 0) out vec4 oColour;
layout(location = 5) uniform vec4 uFlatColour;

void main() { oColour = vec4(uFlatColour.rgb * mix(0.72, 1.25, vAt.y), 1); }
