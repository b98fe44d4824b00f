#version 430 core
layout(points) in;
layout(line_strip, max_vertices = 2) out;
in vec4 vTip[];

void main() {
  gl_Position = gl_in[0].gl_Position;
  EmitVertex();
  gl_Position = vTip[0];
  EmitVertex();
  EndPrimitive();
}
