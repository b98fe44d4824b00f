// bench_load: open + verify + decode of a whole pack into buffers that are ready for upload. For `make bench`.
//
//   bench_load PACK     prints "SECONDS OPEN_SECONDS DECODED_BYTES", the best of fifteen
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/mpak.h"

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// One memory block for everything; parts follow each other.
static uint64_t load_bytes(const mpak_pack *pack) {
  uint64_t total = mpak_clips_bytes(pack) + 4096;
  for (uint32_t part = 0; part < pack->part_count; part++)
    total += (mpak_part_bytes(pack, part) + 4095) & ~UINT64_C(4095);
  return total;
}

static int load_all(const mpak_pack *pack, uint8_t *memory, void *scratch) {
  const uint64_t scratch_bytes = mpak_scratch_bytes(pack);
  mpak_clips clips;
  if (mpak_load_clips(pack, memory, mpak_clips_bytes(pack), scratch, scratch_bytes, &clips, NULL) != MPAK_OK) return 5;
  memory += (mpak_clips_bytes(pack) + 4095) & ~UINT64_C(4095);
  for (uint32_t part = 0; part < pack->part_count; part++) {
    mpak_part_data data;
    const uint64_t bytes = mpak_part_bytes(pack, part);
    if (mpak_load_part(pack, part, memory, bytes, scratch, scratch_bytes, &data, NULL) != MPAK_OK) return 5;
    memory += (bytes + 4095) & ~UINT64_C(4095);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: bench_load PACK\n");
    return 2;
  }
  mpak_mapping file;
  if (mpak_map_file(argv[1], &file) != MPAK_OK) return 3;
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  double best = 1e30, best_open = 1e30;
  uint64_t decoded = 0;
  uint8_t *memory = NULL;
  void *scratch = NULL;
  for (int i = 0; i < 15; i++) {
    mpak_pack pack;
    const double start = seconds_now();
    if (mpak_open(file.bytes, file.byte_count, &options, &pack, NULL) != MPAK_OK) return 5;
    const double opened = seconds_now() - start;
    if (memory == NULL) {
      memory = aligned_alloc(4096, (load_bytes(&pack) + 8191) & ~UINT64_C(4095));
      scratch = aligned_alloc(64, (mpak_scratch_bytes(&pack) + 127) & ~UINT64_C(63));
      if (memory == NULL || scratch == NULL) return 6;
      if (load_all(&pack, memory, scratch) != 0) return 5; // touches the pages once, as an upload arena would be
      continue;
    }
    if (load_all(&pack, memory, scratch) != 0) return 5;
    const double spent = seconds_now() - start;
    if (spent < best) best = spent;
    if (opened < best_open) best_open = opened;
    decoded = pack.header->decoded_bytes;
  }
  printf("%.6f %.6f %llu\n", best, best_open, (unsigned long long)decoded);
  free(memory);
  free(scratch);
  mpak_unmap_file(&file);
  return 0;
}
