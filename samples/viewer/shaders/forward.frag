in vec3 vPosition;
in vec3 vNormal;
in float vHeat;
layout(location = 0) out vec4 oColour;
layout(location = 4) uniform float uHeatTop;
layout(location = 5) uniform vec3 uBaseColour; // linear
layout(location = 6) uniform vec3 uEye;
layout(location = 7) uniform float uShowsNormals;
layout(location = 16) uniform vec3 uHeatStops[6]; // as on a screen

vec3 heatColour(float t) {
  float at = sqrt(clamp(t, 0.0, 1.0)) * 5.0;
  int i = min(int(at), 4);
  return mix(uHeatStops[i], uHeatStops[i + 1], at - float(i));
}

void main() {
  vec3 toEye = normalize(uEye - vPosition);
  vec3 face = cross(dFdx(vPosition), dFdy(vPosition));
  if (dot(face, toEye) < 0.0) face = -face;
  vec3 normal = dot(vNormal, vNormal) > 0.0 ? normalize(vNormal) : normalize(face);
  if (dot(normal, face) < 0.0) normal = -normal; // both sides are shown
  vec3 base = uHeatTop > 0.0 ? pow(heatColour(vHeat), vec3(2.2)) : uBaseColour;
  float sun = max(dot(normal, uToSun), 0.0);
  if (sun > 0.0) sun *= sunlight(vPosition + normal * uShadowOffset);
  float sky = 0.5 + 0.5 * normal.y;
  float rim = pow(1.0 - max(dot(normal, toEye), 0.0), 3.0);
  vec3 lit = base * (mix(vec3(0.16, 0.15, 0.15), vec3(0.30, 0.33, 0.38), sky) + 0.72 * sun) + 0.05 * rim;
  if (uHeatTop > 0.0) lit = base * (0.45 + 0.35 * sky + 0.3 * sun);
  oColour = vec4(uShowsNormals > 0.0 ? 0.5 + 0.5 * normal : toScreen(lit), 1);
}
