/// anim_block.c: see anim_block.h.
#include "format/anim_block.h"

/// Fitted to sin(t * angle) / (sin(t * angle) + sin((1 - t) * angle)): coefficients[i][j] belongs to cosine^i and
/// (t - 1/2)^(2j), all of it times t * (t - 1/2) * (t - 1).
static const float slerp_coefficients[ANIM_SLERP_TERMS][5] = {
    {0.858433837f, 0.848147841f, 0.878609646f, 0.605613592f, 1.71268956f},
    {-1.14182947f, -2.1953508f, -3.56703973f, -2.2606567f, -12.4235924f},
    {0.429084492f, 2.07921647f, 6.66569264f, 0.61181786f, 40.9905352f},
    {-0.226974713f, -0.964710044f, -8.22041263f, 8.78832588f, -73.6736628f},
    {0.11020326f, 0.213792084f, 6.58205724f, -14.4296882f, 67.8924028f},
    {-0.0290109746f, 0.0201205665f, -2.35481091f, 6.74858825f, -24.6381061f},
};

anim_slerp anim_slerp_of(float fraction) {
  anim_slerp slerp = {.fraction = fraction};
  float centred = fraction - 0.5f, square = centred * centred, scale = fraction * centred * (fraction - 1);
  for (int i = 0; i < ANIM_SLERP_TERMS; ++i) {
    float sum = slerp_coefficients[i][4];
    for (int j = 3; j >= 0; --j) sum = sum * square + slerp_coefficients[i][j];
    slerp.terms[i] = scale * sum;
  }
  return slerp;
}
