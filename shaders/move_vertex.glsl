// move_vertex.glsl: a vertex moved by a blended matrix; as runtime/deform/deform_skin.c. Positions by the matrix, normals
// by its cofactors (the determinant times the inverse transpose, which also exists for flat matrices), tangents by the
// matrix itself; the tangent's sign turns where it mirrors. What overflows or loses its direction stays as it was.

// rows: the three rows of an affine matrix, so that vec4(p, 1) * rows is the point moved.
void mpak_move_vertex(mat3x4 rows, inout vec3 position, inout vec3 normal, inout vec4 tangent) {
  vec3 x = rows[0].xyz, y = rows[1].xyz, z = rows[2].xyz;
  vec3 moved = vec4(position, 1.0) * rows;
  if (mpak_is_finite(moved)) position = moved;

  mat3 cofactors = mat3(cross(y, z), cross(z, x), cross(x, y)); // columns: rows of the cofactor matrix
  float mirror = dot(x, cofactors[0]) < 0.0 ? -1.0 : 1.0;
  mpak_normalise_any(mirror * (normal * cofactors), normal);

  vec3 direction = tangent.xyz;
  if (mpak_normalise_any(tangent.xyz * mat3(x, y, z), direction)) tangent = vec4(direction, mirror * tangent.w);
}
