/// picture_diff: how far two pictures are apart. Tests of pictures read its one line of JSON.
///
/// usage: picture_diff A B [X Y WIDTH HEIGHT]    PNG or binary PPM; a box: only that part of both
///
/// mean: mean difference of a channel, 0 … 1. share: share of pixels with a channel off by more than 24 of 255.
/// only_a, only_b: pixels that are not black in one and black in the other; far_a, far_b: those among them with no such
/// pixel of the other picture beside them. Exit status: 0 when the pictures have one size, 2 otherwise.
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFF_STEPS 24

typedef struct picture {
  int width, height;
  unsigned char *rgb;
} picture;

static bool picture_read_ppm(const char *path, picture *out) {
  FILE *file = fopen(path, "rb");
  bool is_read = false;
  if (file == NULL) return false;
  if (fscanf(file, "P6 %d %d 255", &out->width, &out->height) == 2 && fgetc(file) == '\n' && out->width > 0 &&
      out->height > 0) {
    const size_t byte_count = (size_t)out->width * (size_t)out->height * 3;
    out->rgb = malloc(byte_count);
    is_read = out->rgb != NULL && fread(out->rgb, 1, byte_count, file) == byte_count;
  }
  fclose(file);
  return is_read;
}

static bool picture_read(const char *path, picture *out) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path)) return picture_read_ppm(path, out);
  image.format = PNG_FORMAT_RGB;
  out->width = (int)image.width;
  out->height = (int)image.height;
  out->rgb = malloc(PNG_IMAGE_SIZE(image));
  return out->rgb != NULL && png_image_finish_read(&image, NULL, out->rgb, 0, NULL);
}

/// The channels of a pixel; black outside.
static const unsigned char *picture_at(const picture *from, int x, int y) {
  static const unsigned char black[3];
  if (x < 0 || y < 0 || x >= from->width || y >= from->height) return black;
  return from->rgb + ((size_t)y * (size_t)from->width + (size_t)x) * 3;
}

static bool picture_is_set(const picture *from, int x, int y) {
  const unsigned char *pixel = picture_at(from, x, y);
  return pixel[0] + pixel[1] + pixel[2] > 0;
}

static bool picture_is_set_near(const picture *from, int x, int y) {
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (picture_is_set(from, x + dx, y + dy)) return true;
  return false;
}

typedef struct difference {
  double sum;
  long long off, only[2], far[2], set[2];
  int largest;
} difference;

static void difference_add(difference *sum, const picture pictures[2], int x, int y) {
  const unsigned char *a = picture_at(&pictures[0], x, y), *b = picture_at(&pictures[1], x, y);
  int most = 0;
  for (int c = 0; c < 3; c++) {
    const int apart = abs(a[c] - b[c]);
    sum->sum += apart;
    if (apart > most) most = apart;
  }
  if (most > sum->largest) sum->largest = most;
  sum->off += most > OFF_STEPS;
  for (int i = 0; i < 2; i++) {
    const bool is_set = picture_is_set(&pictures[i], x, y);
    sum->set[i] += is_set;
    if (!is_set || picture_is_set(&pictures[1 - i], x, y)) continue;
    sum->only[i]++;
    sum->far[i] += !picture_is_set_near(&pictures[1 - i], x, y);
  }
}

int main(int argc, char **argv) {
  picture pictures[2] = {{0}};
  difference sum = {0};
  if (argc != 3 && argc != 7) {
    fprintf(stderr, "usage: picture_diff A B [X Y WIDTH HEIGHT]\n");
    return 2;
  }
  for (int i = 0; i < 2; i++)
    if (!picture_read(argv[1 + i], &pictures[i])) {
      fprintf(stderr, "picture_diff: %s cannot be read\n", argv[1 + i]);
      return 3;
    }
  const bool has_box = argc == 7;
  const int left = has_box ? atoi(argv[3]) : 0, top = has_box ? atoi(argv[4]) : 0;
  const int width = has_box ? atoi(argv[5]) : pictures[0].width, height = has_box ? atoi(argv[6]) : pictures[0].height;
  const bool is_one_size =
      pictures[0].width == pictures[1].width && pictures[0].height == pictures[1].height && width > 0 && height > 0;
  for (int y = top; is_one_size && y < top + height; y++)
    for (int x = left; x < left + width; x++) difference_add(&sum, pictures, x, y);
  const double pixels = (double)width * height;
  printf("{\"sizes\": [[%d, %d], [%d, %d]], \"mean\": %.9g, \"share\": %.9g, \"largest\": %d, \"only_a\": %lld, "
         "\"only_b\": %lld, \"far_a\": %lld, \"far_b\": %lld, \"set_a\": %lld, \"set_b\": %lld}\n",
         pictures[0].width, pictures[0].height, pictures[1].width, pictures[1].height,
         is_one_size ? sum.sum / (pixels * 3 * 255) : 1, is_one_size ? (double)sum.off / pixels : 1, sum.largest,
         sum.only[0], sum.only[1], sum.far[0], sum.far[1], sum.set[0], sum.set[1]);
  for (int i = 0; i < 2; i++) free(pictures[i].rgb);
  return is_one_size ? 0 : 2;
}
