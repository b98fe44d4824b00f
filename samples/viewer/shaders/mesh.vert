out vec3 vPosition;
out vec3 vNormal;
out float vHeat;

void main() {
  worldVertex(vPosition, vNormal);
  vHeat = uHeatTop > 0.0 ? heat_m[gl_VertexID] / uHeatTop : 0.0;
  gl_Position = uClipFromWorld * vec4(vPosition, 1);
}
