#include "samples/viewer/framebuffer.h"

#include <glad/gl.h>
#include <string.h>

static void framebuffer_attach(uint32_t object, GLenum attachment, uint32_t renderbuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, object);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
}

static void framebuffer_allot(uint32_t renderbuffer, const framebuffer *target, uint32_t samples, GLenum format) {
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, format, (GLsizei)target->width,
                                   (GLsizei)target->height);
}

static bool framebuffer_is_complete(uint32_t object) {
  glBindFramebuffer(GL_FRAMEBUFFER, object);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool framebuffer_make(framebuffer *target, uint32_t width, uint32_t height, uint32_t samples) {
  GLint most = 0, most_samples = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
  memset(target, 0, sizeof *target);
  if (width == 0 || height == 0 || width > (uint32_t)most || height > (uint32_t)most) return false;
  target->width = width;
  target->height = height;
  target->samples = samples > (uint32_t)most_samples ? (uint32_t)most_samples : samples;
  glGenRenderbuffers(3, target->renderbuffers);
  glGenFramebuffers(1, &target->draw);
  target->resolve = target->draw;
  framebuffer_allot(target->renderbuffers[0], target, target->samples, GL_RGBA8);
  framebuffer_allot(target->renderbuffers[1], target, target->samples, GL_DEPTH_COMPONENT24);
  framebuffer_attach(target->draw, GL_COLOR_ATTACHMENT0, target->renderbuffers[0]);
  framebuffer_attach(target->draw, GL_DEPTH_ATTACHMENT, target->renderbuffers[1]);
  if (target->samples > 0) {
    glGenFramebuffers(1, &target->resolve);
    framebuffer_allot(target->renderbuffers[2], target, 0, GL_RGBA8);
    framebuffer_attach(target->resolve, GL_COLOR_ATTACHMENT0, target->renderbuffers[2]);
  }
  return framebuffer_is_complete(target->resolve) && framebuffer_is_complete(target->draw);
}

void framebuffer_free(framebuffer *target) {
  if (target->draw == 0) return;
  if (target->resolve != target->draw) glDeleteFramebuffers(1, &target->resolve);
  glDeleteFramebuffers(1, &target->draw);
  glDeleteRenderbuffers(3, target->renderbuffers);
  memset(target, 0, sizeof *target);
}

void framebuffer_bind(const framebuffer *target) {
  glBindFramebuffer(GL_FRAMEBUFFER, target->draw);
  glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
}

void framebuffer_merge(const framebuffer *target) {
  if (target->resolve != target->draw) {
    const GLint width = (GLint)target->width, height = (GLint)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->draw);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolve);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target->resolve);
  glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
}

void framebuffer_read(const framebuffer *target, uint8_t *pixels) {
  glBindFramebuffer(GL_FRAMEBUFFER, target->resolve);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}
