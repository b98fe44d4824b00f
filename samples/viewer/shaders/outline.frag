#version 430 core
// The edge of the mask, about two pixels wide, outside of it.
in vec2 vAt;
layout(location = 0) out vec4 oColour;
layout(location = 5) uniform vec4 uFlatColour;
layout(location = 6) uniform ivec2 uOrigin;
layout(binding = 0) uniform sampler2D uMask;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - uOrigin, most = textureSize(uMask, 0) - 1;
  float inside = texelFetch(uMask, clamp(at, ivec2(0), most), 0).r, near = 0.0;
  for (int y = -2; y <= 2; y++)
    for (int x = -2; x <= 2; x++)
      if (x * x + y * y <= 5) near = max(near, texelFetch(uMask, clamp(at + ivec2(x, y), ivec2(0), most), 0).r);
  oColour = vec4(uFlatColour.rgb, uFlatColour.a * near * (1.0 - inside));
}
