#version 430 core
layout(location = 0) in vec3 aPosition;
layout(location = 0) uniform mat4 uClipFromWorld;

void main() { gl_Position = uClipFromWorld * vec4(aPosition, 1); }
