// deform.comp: the deformer: morph and skin of 64 vertices by one work group, for MPAK_TILE individuals at once. Parts are
// vertices of one buffer, so no lane returns before the last barrier: lanes without a vertex store nothing.
//
// The text of a program is, in this order: #version, the variant's #define lines (mpak_gpu_layout.h), then
// mpak_shader_deform, which is made of mpak_gpu_layout.h, parameters.glsl, vectors.glsl, octahedral.glsl,
// move_vertex.glsl, morph_sums.glsl, morph_none.glsl or morph_csr_rows.glsl or morph_blk64.glsl (each guarded by
// MPAK_LAYOUT), skin.glsl, store.glsl and this file; and behind it the definitions of the hooks that are declared below.

layout(local_size_x = MPAK_BLOCK_LANES) in;

layout(std430, binding = MPAK_BIND_BASE) readonly buffer BaseVertexBuffer { vec4 mpak_base[]; };

#ifdef MPAK_HOOK_AFTER_MORPH
void mpak_hook_after_morph(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint individual);
#endif
#ifdef MPAK_HOOK_SKIN
void mpak_hook_skin(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint individual);
#endif
#ifdef MPAK_HOOK_AFTER_SKIN
void mpak_hook_after_skin(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint individual);
#endif

struct mpak_vertex {
  vec3 position;
  vec3 normal;
  vec4 tangent;
};

// What a hook made of a vertex, with unit directions; the old values where it made nothing of use.
mpak_vertex mpak_after_hook(mpak_vertex old, mpak_vertex made) {
  if (!mpak_is_finite(made.position)) made.position = old.position;
  vec3 direction = old.tangent.xyz;
  mpak_normalise_any(made.tangent.xyz, direction);
  made.tangent.xyz = direction;
  direction = old.normal;
  mpak_normalise_any(made.normal, direction);
  made.normal = direction;
  return made;
}

void mpak_finish_morph(inout mpak_vertex v, uint vertex, uint individual) {
#ifdef MPAK_HOOK_AFTER_MORPH
  mpak_vertex made = v;
  mpak_hook_after_morph(made.position, made.normal, made.tangent, vertex, individual);
  v = mpak_after_hook(v, made);
#endif
}

void mpak_skin_vertex(inout mpak_vertex v, uint vertex, uint individual) {
#ifdef MPAK_HOOK_SKIN
  mpak_vertex made = v;
  mpak_hook_skin(made.position, made.normal, made.tangent, vertex, individual);
  v = mpak_after_hook(v, made);
#elif MPAK_INFLUENCES > 0
  mpak_move_vertex(mpak_skin_matrix(vertex, individual), v.position, v.normal, v.tangent);
#endif
}

void mpak_finish_skin(inout mpak_vertex v, uint vertex, uint individual) {
#ifdef MPAK_HOOK_AFTER_SKIN
  mpak_vertex made = v;
  mpak_hook_after_skin(made.position, made.normal, made.tangent, vertex, individual);
  v = mpak_after_hook(v, made);
#endif
}

// Individual j of the work group, whose sums are known; j is a constant everywhere, so that arrays stay in registers.
void mpak_finish_individual(mpak_sums sums, const int j, mpak_vertex v, uint vertex, uint individual) {
  mpak_add_sums(sums, j, v.position, v.normal, v.tangent);
  mpak_finish_morph(v, vertex, individual);
  mpak_skin_vertex(v, vertex, individual);
  mpak_finish_skin(v, vertex, individual);
  mpak_store(mpak_output_word(individual, vertex), v.position, v.normal, v.tangent);
}

void main() {
  uint lane = gl_LocalInvocationID.x, group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  bool is_real = group < uMpak[MPAK_PARAM_BLOCK_COUNT];
  uint block = uMpak[MPAK_PARAM_FIRST_BLOCK] + (is_real ? group : 0u);
  uint first = gl_WorkGroupID.z * uint(MPAK_TILE), last = uMpak[MPAK_PARAM_INDIVIDUAL_COUNT] - 1u;
  uint individuals[MPAK_TILE]; // those past the last one are the last one, and are not stored
  for (int j = 0; j < MPAK_TILE; ++j) individuals[j] = mpak_individual_at(min(first + uint(j), last));

  mpak_sums sums = mpak_morph_block(block, is_real, lane, individuals);

  uvec4 record = mpak_block_at(block);
  if (is_real && lane < record.z) {
#if MPAK_INFLUENCES > 0
    mpak_section_bone = record.w;
#endif
    uint vertex = record.x + lane, row = 3u * vertex - uMpak[MPAK_PARAM_BASE_SHIFT];
    mpak_vertex base = mpak_vertex(mpak_base[row].xyz, mpak_base[row + 1u].xyz, mpak_base[row + 2u]);
    mpak_finish_individual(sums, 0, base, vertex, individuals[0]);
#if MPAK_TILE == 4
    if (first + 1u <= last) mpak_finish_individual(sums, 1, base, vertex, individuals[1]);
    if (first + 2u <= last) mpak_finish_individual(sums, 2, base, vertex, individuals[2]);
    if (first + 3u <= last) mpak_finish_individual(sums, 3, base, vertex, individuals[3]);
#endif
  }
}
