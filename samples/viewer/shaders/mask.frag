#version 430 core
layout(location = 0) out vec4 oColour;
layout(location = 5) uniform vec4 uFlatColour;

void main() { oColour = uFlatColour; }
