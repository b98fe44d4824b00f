#version 430 core
// light.glsl: sun with a soft shadow, and a sky.
layout(location = 8) uniform vec3 uToSun;
layout(location = 9) uniform mat4 uShadowFromWorld; // to 0 … 1
layout(location = 10) uniform float uShadowStrength; // 0: none
layout(location = 11) uniform float uShadowOffset; // metres along the normal
layout(binding = 0) uniform sampler2DShadow uShadow;

float sunlight(vec3 position) {
  if (uShadowStrength == 0.0) return 1.0;
  vec4 at = uShadowFromWorld * vec4(position, 1);
  vec2 texel = 1.0 / vec2(textureSize(uShadow, 0));
  float sum = 0.0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) sum += texture(uShadow, at.xyz + vec3(vec2(x, y) * texel * 1.5, 0));
  return mix(1.0, sum / 9.0, uShadowStrength);
}

vec3 toScreen(vec3 linear) { return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)); }
