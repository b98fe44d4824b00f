/// gl_state.c: the program and the storage bindings of the caller, kept while mpak dispatches.
#include "runtime/gl/gl_private.h"

void gl_state_save(mpak_gl *gl) {
  const gl_functions *f = &gl->functions;
  gl_saved *saved = &gl->saved;
  if (saved->is_saved) return;
  f->GetIntegerv(GL_CURRENT_PROGRAM_, &saved->program);
  f->GetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING_, &saved->general);
  for (gl_uint i = 0; i < 8; ++i) {
    f->GetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING_, i, &saved->buffers[i]);
    f->GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START_, i, &saved->starts[i]);
    f->GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE_, i, &saved->sizes[i]);
  }
  saved->is_saved = true;
  gl->program_in_use = 0;
}

/// The general binding point changes with every indexed one: it goes back last.
static void state_restore_bindings(const mpak_gl *gl) {
  const gl_functions *f = &gl->functions;
  const gl_saved *saved = &gl->saved;
  for (gl_uint i = 0; i < 8; ++i) {
    gl_uint name = (gl_uint)saved->buffers[i];
    if (name == 0 || saved->sizes[i] == 0)
      f->BindBufferBase(GL_SHADER_STORAGE_BUFFER_, i, name);
    else
      f->BindBufferRange(GL_SHADER_STORAGE_BUFFER_, i, name, (gl_size)saved->starts[i], (gl_size)saved->sizes[i]);
  }
}

void gl_state_restore(mpak_gl *gl) {
  if (!gl->saved.is_saved) return;
  state_restore_bindings(gl);
  gl->functions.BindBuffer(GL_SHADER_STORAGE_BUFFER_, (gl_uint)gl->saved.general);
  gl->functions.UseProgram((gl_uint)gl->saved.program);
  gl->saved.is_saved = false;
  gl->program_in_use = 0;
}
