// bench_assimp: how long Assimp itself takes to import a file, and the memory it needs. For `make bench`.
//
//   bench_assimp FILE triangulate|usual     prints "SECONDS PEAK_BYTES", the best of three
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: bench_assimp FILE triangulate|usual\n");
    return 2;
  }
  const unsigned usual = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_LimitBoneWeights |
                         aiProcess_CalcTangentSpace | aiProcess_GenSmoothNormals | aiProcess_ImproveCacheLocality;
  const unsigned flags = strcmp(argv[2], "usual") == 0 ? usual : aiProcess_Triangulate;
  double best = 1e30;
  for (int i = 0; i < 3; i++) {
    const double start = seconds_now();
    const struct aiScene *scene = aiImportFile(argv[1], flags);
    const double spent = seconds_now() - start;
    if (scene == NULL) {
      fprintf(stderr, "%s: %s\n", argv[1], aiGetErrorString());
      return 4;
    }
    aiReleaseImport(scene);
    if (spent < best) best = spent;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.6f %ld\n", best, usage.ru_maxrss * 1024L);
  return 0;
}
