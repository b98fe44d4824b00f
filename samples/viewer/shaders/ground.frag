in vec3 vPosition;
layout(location = 0) out vec4 oColour;
layout(location = 1) uniform vec4 uGround;
layout(location = 2) uniform float uLineDistance; // metres

void main() {
  vec2 from = (vPosition.xz - uGround.xz) / uGround.w;
  float fade = 1.0 - smoothstep(0.35, 1.0, length(from));
  vec2 at = vPosition.xz / uLineDistance, width = fwidth(at);
  vec2 line = smoothstep(width * 1.5, width * 0.5, abs(fract(at + 0.5) - 0.5));
  float grid = max(line.x, line.y) * 0.10;
  float light = sunlight(vPosition);
  oColour = vec4(vec3(mix(0.0, 0.42 + grid, light)), fade * mix(0.55, 0.30 + grid, light));
}
