/// framebuffer.h: a picture that GL draws into and that can be read back.
#ifndef FRAMEBUFFER_H
#define FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

/// RGBA8 and depth. With samples, drawing goes to a multisampled twin that framebuffer_resolve merges.
typedef struct framebuffer {
  uint32_t width, height, samples;
  uint32_t draw;    ///< framebuffer object to draw into
  uint32_t resolve; ///< the one with plain pixels; the same without samples
  uint32_t renderbuffers[3];
} framebuffer;

/// Makes one. samples: 0, or at most what the driver allows (clamped). False: the driver refuses the size.
bool framebuffer_make(framebuffer *target, uint32_t width, uint32_t height, uint32_t samples);
void framebuffer_free(framebuffer *target); ///< a zeroed one is fine

/// Binds it, with its whole size as the viewport.
void framebuffer_bind(const framebuffer *target);

/// Merges the samples; reading and further drawing (text) then happen on plain pixels, which are bound.
void framebuffer_merge(const framebuffer *target);

/// Reads width * height RGBA pixels, from the bottom row up, after framebuffer_merge.
void framebuffer_read(const framebuffer *target, uint8_t *pixels);

#endif
