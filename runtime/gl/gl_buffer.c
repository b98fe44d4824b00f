/// gl_buffer.c: buffers, accounted; uploads in pieces; staging memory that is mapped. Bindings are as before
/// afterwards.
#include "runtime/gl/gl_private.h"

/// Binds to a copy target; returns what was bound. Errors that wait are the caller's: mpak's own were taken.
static gl_uint buffer_bind(const mpak_gl *gl, gl_enum target, gl_uint name) {
  gl_int before = 0;
  gl_take_errors(gl);
  gl->functions.GetIntegerv(target, &before);
  gl->functions.BindBuffer(target, name);
  return (gl_uint)before;
}

mpak_result gl_buffer_make(mpak_gl *gl, gl_buffer *buffer, uint64_t byte_count, gl_enum usage) {
  const gl_functions *f = &gl->functions;
  gl_uint name = 0;
  *buffer = (gl_buffer){0};
  if (byte_count == 0) return MPAK_OK;
  if (byte_count > PTRDIFF_MAX) return gl_fail(gl, "glBufferData", "too large");
  f->GenBuffers(1, &name);
  if (name == 0) return gl_fail(gl, "glGenBuffers", "no name");
  gl_uint before = buffer_bind(gl, GL_COPY_WRITE_BUFFER_, name);
  f->BufferData(GL_COPY_WRITE_BUFFER_, (gl_size)byte_count, NULL, usage);
  f->BindBuffer(GL_COPY_WRITE_BUFFER_, before);
  mpak_result result = gl_check(gl, "glBufferData");
  if (result != MPAK_OK) {
    f->DeleteBuffers(1, &name);
    return result;
  }
  *buffer = (gl_buffer){.name = name, .byte_count = byte_count};
  ++gl->objects.buffers;
  gl->objects.buffer_bytes += byte_count;
  return MPAK_OK;
}

void gl_buffer_free(mpak_gl *gl, gl_buffer *buffer) {
  if (buffer->name != 0) {
    if (!gl->is_lost) gl->functions.DeleteBuffers(1, &buffer->name);
    --gl->objects.buffers;
    gl->objects.buffer_bytes -= buffer->byte_count;
  }
  *buffer = (gl_buffer){0};
}

mpak_result gl_buffer_write(mpak_gl *gl, const gl_buffer *buffer, uint64_t offset, uint64_t byte_count,
                            const void *bytes) {
  const gl_functions *f = &gl->functions;
  if (byte_count == 0) return MPAK_OK;
  gl_uint before = buffer_bind(gl, GL_COPY_WRITE_BUFFER_, buffer->name);
  for (uint64_t done = 0; done < byte_count; done += GL_UPLOAD_PIECE_BYTES) {
    uint64_t left = byte_count - done, piece = left < GL_UPLOAD_PIECE_BYTES ? left : GL_UPLOAD_PIECE_BYTES;
    f->BufferSubData(GL_COPY_WRITE_BUFFER_, (gl_size)(offset + done), (gl_size)piece, (const uint8_t *)bytes + done);
  }
  f->BindBuffer(GL_COPY_WRITE_BUFFER_, before);
  return gl_check(gl, "glBufferSubData");
}

static mpak_result buffer_copy(mpak_gl *gl, const gl_buffer *buffer, uint64_t offset, uint64_t byte_count, gl_uint from,
                               uint64_t from_offset) {
  const gl_functions *f = &gl->functions;
  gl_uint write_before = buffer_bind(gl, GL_COPY_WRITE_BUFFER_, buffer->name);
  gl_uint read_before = buffer_bind(gl, GL_COPY_READ_BUFFER_, from);
  f->CopyBufferSubData(GL_COPY_READ_BUFFER_, GL_COPY_WRITE_BUFFER_, (gl_size)from_offset, (gl_size)offset,
                       (gl_size)byte_count);
  f->BindBuffer(GL_COPY_READ_BUFFER_, read_before);
  f->BindBuffer(GL_COPY_WRITE_BUFFER_, write_before);
  return gl_check(gl, "glCopyBufferSubData");
}

mpak_result gl_buffer_fill(mpak_gl *gl, const gl_buffer *buffer, uint64_t offset, uint64_t byte_count,
                           const gl_source *source) {
  if (byte_count == 0) return MPAK_OK;
  uintptr_t at = (uintptr_t)source->bytes, start = (uintptr_t)source->mapping;
  if (source->mapping && at >= start && at - start < source->mapping_bytes) {
    return buffer_copy(gl, buffer, offset, byte_count, source->staging, at - start);
  }
  return gl_buffer_write(gl, buffer, offset, byte_count, source->bytes);
}

// -- Staging ---------------------------------------------------------------------------------------------------------

/// Memory that decoders also read (they check what they wrote), so it should be the CPU's.
static void staging_storage(const mpak_gl *gl, uint64_t byte_count) {
  const gl_functions *f = &gl->functions;
  if (f->BufferStorage)
    f->BufferStorage(GL_COPY_WRITE_BUFFER_, (gl_size)byte_count, NULL,
                     GL_MAP_READ_BIT_ | GL_MAP_WRITE_BIT_ | GL_CLIENT_STORAGE_BIT_);
  else
    f->BufferData(GL_COPY_WRITE_BUFFER_, (gl_size)byte_count, NULL, GL_STREAM_COPY_);
}

mpak_result gl_staging_open(mpak_gl *gl, uint64_t byte_count, gl_staging *staging) {
  const gl_functions *f = &gl->functions;
  gl_uint name = 0;
  *staging = (gl_staging){0};
  if (byte_count == 0) return MPAK_OK;
  if (byte_count > PTRDIFF_MAX) return gl_fail(gl, "glBufferStorage", "too large");
  f->GenBuffers(1, &name);
  if (name == 0) return gl_fail(gl, "glGenBuffers", "no name");
  staging->buffer = (gl_buffer){.name = name, .byte_count = byte_count};
  ++gl->objects.buffers;
  gl->objects.buffer_bytes += byte_count;
  gl_uint before = buffer_bind(gl, GL_COPY_WRITE_BUFFER_, name);
  staging_storage(gl, byte_count);
  mpak_result result = gl_check(gl, "glBufferStorage");
  if (result == MPAK_OK) {
    staging->memory =
        f->MapBufferRange(GL_COPY_WRITE_BUFFER_, 0, (gl_size)byte_count, GL_MAP_READ_BIT_ | GL_MAP_WRITE_BIT_);
    result = gl_check(gl, "glMapBufferRange");
    if (result == MPAK_OK && !staging->memory) result = gl_fail(gl, "glMapBufferRange", "no memory");
  }
  f->BindBuffer(GL_COPY_WRITE_BUFFER_, before);
  if (result != MPAK_OK) gl_staging_free(gl, staging);
  return result;
}

mpak_result gl_staging_unmap(mpak_gl *gl, gl_staging *staging) {
  if (!staging->memory) return MPAK_OK;
  gl_uint before = buffer_bind(gl, GL_COPY_WRITE_BUFFER_, staging->buffer.name);
  uint8_t is_whole = gl->functions.UnmapBuffer(GL_COPY_WRITE_BUFFER_);
  gl->functions.BindBuffer(GL_COPY_WRITE_BUFFER_, before);
  mpak_result result = gl_check(gl, "glUnmapBuffer");
  staging->memory = NULL;
  if (result == MPAK_OK && !is_whole) result = gl_fail(gl, "glUnmapBuffer", "the contents were lost");
  return result;
}

void gl_staging_free(mpak_gl *gl, gl_staging *staging) {
  gl_buffer_free(gl, &staging->buffer); // deleting unmaps
  staging->memory = NULL;
}
