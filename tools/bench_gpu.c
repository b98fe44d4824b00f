/// bench_gpu: how fast a GPU moves vertices: csr64 beside blk64, beside a copy kernel, in one run. tools/bench_gpu.py
/// makes the packs and calls it.
///
///   bench_gpu ceiling                                     the copy kernel and an empty dispatch
///   bench_gpu one NAME SHARE PACK…                        one individual of each pack
///   bench_gpu crowd NAME COUNT SHARE PACK…                COUNT individuals of each pack
///   bench_gpu many NAME SHARE PACK… -- PACK…              different packs in one frame, one barrier; after -- other
///   layouts bench_gpu fused NAME COUNT SHARE PACK                 morph and skin in one dispatch, beside two passes
///
/// SHARE: of shapes with a weight. Times are the GPU's own (elapsed-time queries around many dispatches, submitted
/// while it is busy), or where it has no clock the wall's; the median of nine. Ratios refer to the first pack.
/// Results are compared with the runtime's CPU code before anything is timed. A machine without OpenGL 4.3 ends with
/// status 77.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/morph_payload.h"
#include "runtime/gl/gl_private.h"
#include "runtime/gl/gl_shaders.h"
#include "tests/support/mt_gl.h"

enum { GL_TIME_ELAPSED_ = 0x88BF, GL_QUERY_RESULT_ = 0x8866, REPEATS = 9 };
#define SECONDS_WARM   1.0  ///< before the first measurement
#define SECONDS_REWARM 0.15 ///< before each
#define SECONDS_TIMED  0.02 ///< of one measurement

typedef struct bench_queries {
  void(GL_CALL *GenQueries)(gl_int count, gl_uint *names);
  void(GL_CALL *BeginQuery)(gl_enum target, gl_uint name);
  void(GL_CALL *EndQuery)(gl_enum target);
  void(GL_CALL *GetQueryObjectui64v)(gl_uint name, gl_enum what, uint64_t *value);
} bench_queries;

static bench_queries queries;
static gl_uint query;
static bool has_clock; ///< does the GPU tell the time of compute?

_Noreturn static void die(const char *what, const char *why) {
  fprintf(stderr, "bench_gpu: %s: %s\n", what, why);
  exit(1);
}

// -- Context ---------------------------------------------------------------------------------------------------------

/// The context's own functions: nothing is counted or checked between them and us.
static mpak_gl_function bench_getproc(void *user, const char *name) {
  mpak_gl_function found = NULL;
  (void)user;
#define BENCH_FIND(result, function, parameters)                                                                       \
  if (strcmp(name, "gl" #function) == 0) memcpy(&found, &mt_real.function, sizeof found);
  GL_FUNCTIONS_ALL(BENCH_FIND)
#undef BENCH_FIND
  return found;
}

static void load_queries(void) {
  static const char *const names[] = {"glGenQueries", "glBeginQuery", "glEndQuery", "glGetQueryObjectui64v"};
  void *library = dlopen("libEGL.so.1", RTLD_NOW);
  mpak_gl_function found[4], (*find)(const char *name) = NULL;
  void *symbol = library ? dlsym(library, "eglGetProcAddress") : NULL;
  memcpy(&find, &symbol, sizeof find);
  if (!find) die("eglGetProcAddress", "missing");
  for (int i = 0; i < 4; ++i) {
    found[i] = find(names[i]);
    if (!found[i]) die(names[i], "missing");
  }
  memcpy(&queries, found, sizeof queries);
  queries.GenQueries(1, &query);
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// One for each technique, shared by all packs as in a game.
static mpak_gl *devices[4];

static mpak_gl *device_of(mpak_gl_technique technique) {
  if (devices[technique]) return devices[technique];
  const mpak_gl_options options = {.getproc = bench_getproc, .technique = technique};
  if (mpak_gl_create(&options, &devices[technique]) != MPAK_OK) die("mpak_gl_create", "failed");
  return devices[technique];
}

// -- Timing ----------------------------------------------------------------------------------------------------------

/// What is timed: submits one round of work.
typedef void (*bench_work)(void *user);

static double run_rounds(bench_work work, void *user, uint32_t rounds, double *submit_s) {
  uint64_t elapsed_ns = 0;
  mt_real.Finish();
  const double start = now_s();
  queries.BeginQuery(GL_TIME_ELAPSED_, query);
  for (uint32_t i = 0; i < rounds; ++i) work(user);
  queries.EndQuery(GL_TIME_ELAPSED_);
  *submit_s = (now_s() - start) / rounds;
  mt_real.Finish();
  const double wall_s = now_s() - start;
  queries.GetQueryObjectui64v(query, GL_QUERY_RESULT_, &elapsed_ns);
  return (has_clock ? 1e-9 * (double)elapsed_ns : wall_s) / rounds;
}

static void keep_busy(bench_work work, void *user, double seconds) {
  double submit_s;
  for (const double end = now_s() + seconds; now_s() < end;) run_rounds(work, user, 16, &submit_s);
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct bench_time {
  double gpu_s;
  double submit_s;
} bench_time;

static bench_time measure(bench_work work, void *user) {
  double times[REPEATS], submits[REPEATS], submit_s;
  keep_busy(work, user, has_clock ? SECONDS_REWARM : 0);
  const double once = run_rounds(work, user, 4, &submit_s);
  const double wanted = SECONDS_TIMED / (once > 1e-7 ? once : 1e-7);
  const uint32_t rounds = wanted < 1 ? 1 : wanted > 4000 ? 4000 : (uint32_t)wanted;
  for (int i = 0; i < REPEATS; ++i) times[i] = run_rounds(work, user, rounds, &submits[i]);
  qsort(times, REPEATS, sizeof *times, compare_doubles);
  qsort(submits, REPEATS, sizeof *submits, compare_doubles);
  return (bench_time){times[REPEATS / 2], submits[REPEATS / 2]};
}

static void barrier(void) {
  mt_real.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT_ | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT_);
}

// -- Kernels of our own ----------------------------------------------------------------------------------------------

static gl_uint build_kernel(const char *const *texts, gl_int count) {
  gl_int is_right = 0;
  char log[2000] = "";
  gl_uint shader = mt_real.CreateShader(GL_COMPUTE_SHADER_), program = mt_real.CreateProgram();
  mt_real.ShaderSource(shader, count, texts, NULL);
  mt_real.CompileShader(shader);
  mt_real.AttachShader(program, shader);
  mt_real.LinkProgram(program);
  mt_real.GetProgramiv(program, GL_LINK_STATUS_, &is_right);
  mt_real.GetShaderInfoLog(shader, sizeof log, NULL, log);
  if (!is_right) die("a kernel of the benchmark", log);
  mt_real.DeleteShader(shader);
  return program;
}

static gl_uint make_buffer(uint64_t byte_count) {
  gl_uint name;
  mt_real.GenBuffers(1, &name);
  mt_real.BindBuffer(GL_SHADER_STORAGE_BUFFER_, name);
  mt_real.BufferData(GL_SHADER_STORAGE_BUFFER_, (gl_size)byte_count, NULL, GL_DYNAMIC_COPY_);
  return name;
}

typedef struct bench_copy {
  gl_uint groups;
} bench_copy;

static void copy_round(void *user) {
  const bench_copy *copy = user;
  mt_real.DispatchCompute(copy->groups, 1, 1);
  barrier();
}

/// Bytes a second, read and written together, of a copy of half_bytes by a kernel of so many vec4 an invocation.
static double measure_copy(uint64_t half_bytes, gl_uint each) {
  char define[40];
  snprintf(define, sizeof define, "#version 430\n#define EACH %uu\n", each);
  const char *const texts[] = {define,
                               "layout(local_size_x = 256) in;\n"
                               "layout(std430, binding = 0) readonly buffer A { vec4 a[]; };\n"
                               "layout(std430, binding = 1) writeonly buffer B { vec4 b[]; };\n"
                               "void main() { uint i = gl_WorkGroupID.x * 256u * EACH + gl_LocalInvocationID.x;\n"
                               "  for (uint k = 0u; k < EACH; ++k) b[i + 256u * k] = a[i + 256u * k]; }\n"};
  const gl_uint names[2] = {make_buffer(half_bytes), make_buffer(half_bytes)}, program = build_kernel(texts, 2);
  bench_copy copy = {.groups = (gl_uint)(half_bytes / (4096 * each))};
  double best = 0;
  mt_real.UseProgram(program);
  for (gl_uint i = 0; i < 2; ++i) mt_real.BindBufferBase(GL_SHADER_STORAGE_BUFFER_, i, names[i]);
  for (int i = 0; i < (has_clock ? 3 : 1); ++i) { // the first touches of so much memory are slower
    best = fmax(best, 2 * (double)half_bytes / measure(copy_round, &copy).gpu_s);
  }
  mt_real.DeleteBuffers(2, names);
  mt_real.UseProgram(0);
  mt_real.DeleteProgram(program);
  return best;
}

/// What memory gives: a plain copy (one vec4 an invocation), and the fastest that was found.
typedef struct bench_ceiling {
  double plain;
  double best;
} bench_ceiling;

static bench_ceiling measure_ceiling(void) {
  const uint64_t half_bytes = has_clock ? UINT64_C(256) << 20 : UINT64_C(8) << 20;
  const double plain = measure_copy(half_bytes, 1);
  return (bench_ceiling){.plain = plain, .best = fmax(plain, measure_copy(half_bytes, 4))};
}

static double measure_empty(void) {
  static const char *const text = "#version 430\nlayout(local_size_x = 64) in;\nvoid main() {}\n";
  const gl_uint program = build_kernel(&text, 1);
  bench_copy one = {.groups = 1};
  mt_real.UseProgram(program);
  const bench_time time = measure(copy_round, &one);
  mt_real.UseProgram(0);
  mt_real.DeleteProgram(program);
  return time.gpu_s;
}

// -- Packs -----------------------------------------------------------------------------------------------------------

/// A pack with everything that moves it: the first output with the most shapes is what is timed.
typedef struct bench_pack {
  const char *path;
  mpak_mapping file;
  mpak_pack pack;
  mpak_model *decoded;
  mpak_gl *gl;
  mpak_gl_model *model;
  mpak_gl_crowd *crowd;
  gl_output *output;
} bench_pack;

static void check(mpak_result result, const char *what, const bench_pack *it) {
  if (result != MPAK_OK) die(what, it->gl ? mpak_gl_error_text(it->gl) : mpak_result_name(result));
}

static gl_output *largest_output(mpak_gl_crowd *crowd) {
  const mpak_part *parts = crowd->model->pack->parts;
  gl_output *best = &crowd->outputs[0];
  for (uint32_t o = 1; o < crowd->output_count; ++o) {
    if (parts[crowd->outputs[o].part].delta_count > parts[best->part].delta_count) best = &crowd->outputs[o];
  }
  return best;
}

static void open_pack(bench_pack *it, const char *path, uint32_t count, mpak_gl_technique technique) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  const mpak_gl_crowd_options crowd = {.output = MPAK_GL_OUTPUT_48};
  it->path = path;
  if (mpak_map_file(path, &it->file) != MPAK_OK) die(path, "cannot be mapped");
  check(mpak_open(it->file.bytes, it->file.byte_count, &options, &it->pack, NULL), path, it);
  check(mpak_model_create(&it->pack, NULL, &it->decoded, NULL), path, it);
  it->gl = device_of(technique);
  const mpak_gl_model_options model = {.decoded = it->decoded, .document_kernel = true};
  check(mpak_gl_model_create(it->gl, &it->pack, &model, &it->model, NULL), path, it);
  check(mpak_gl_crowd_create(it->model, count, &crowd, &it->crowd), path, it);
  it->output = largest_output(it->crowd);
}

static void close_pack(bench_pack *it) {
  mpak_gl_make_writes_visible(it->gl);
  mpak_gl_crowd_destroy(it->crowd);
  mpak_gl_model_destroy(it->model);
  mpak_model_destroy(it->decoded);
  mpak_unmap_file(&it->file);
}

static uint32_t random_state = 1;

static float random_weight(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return 0.05f + 0.9f * (float)(random_state >> 8) / 16777216.0f;
}

/// Weights of every individual: a share of the shapes, others for each; then a first frame that uploads them.
static void set_weights(bench_pack *it, double share) {
  const uint32_t shapes = it->pack.parts[it->output->part].shape_count;
  const uint32_t active = (uint32_t)ceil(share * shapes);
  mpak_character *posed;
  random_state = 1;
  check(mpak_character_create_posed(it->decoded, NULL, &posed), it->path, it);
  for (uint32_t i = 0; i < it->crowd->count; ++i) {
    float *weights = it->output->weight_values + (size_t)i * shapes;
    check(mpak_gl_crowd_show(it->crowd, i, &posed->pose, &posed->morph_states, 0), it->path, it);
    memset(weights, 0, shapes * sizeof *weights);
    for (uint32_t k = 0; k < active; ++k) weights[(k * shapes / active + i) % shapes] = random_weight();
    it->output->seen[i].active_count = active;
    it->output->seen[i].weights_dirty = it->output->seen[i].vertices_dirty = true;
  }
  check(mpak_gl_crowd_deform(it->crowd), "the first frame", it);
  mpak_character_destroy(posed);
}

/// The kernel of a pack, again and again: no uploads, one barrier a round.
static void dispatch_pack(bench_pack *it) {
  for (uint32_t i = 0; i < it->crowd->count; ++i) it->crowd->list[i] = i;
  check(gl_dispatch(it->crowd, it->output, it->crowd->count, false), "dispatch", it);
}

static void pack_round(void *user) {
  bench_pack *it = user;
  it->gl->program_in_use = 0; // another device of this process may have used its own
  dispatch_pack(it);
  barrier();
}

// -- Checks and figures ----------------------------------------------------------------------------------------------

typedef struct bench_error {
  double position; ///< largest, share of the box
  double degrees;  ///< largest, between normals
} bench_error;

static void compare_vertex(const mpak_base_vertex *a, const mpak_base_vertex *b, double size, bench_error *error) {
  double square = 0, chord = 0;
  for (int c = 0; c < 3; ++c) {
    const double d = (double)a->position[c] - (double)b->position[c];
    const double n = (double)a->normal[c] - (double)b->normal[c];
    square += d * d;
    chord += n * n;
  }
  const double degrees = 2 * asin(fmin(1, sqrt(chord) / 2)) * 57.29577951308232;
  if (!(sqrt(square) / size <= error->position)) error->position = sqrt(square) / size;
  if (!(degrees <= error->degrees)) error->degrees = degrees;
}

/// Skins vertices at rest, as set_weights shows the individuals.
static void skin_at_rest(const bench_pack *it, mpak_base_vertex *vertices) {
  const uint32_t skin = it->pack.instances[it->output->instance].skin;
  mpak_matrix *palette = calloc(it->pack.skins[skin].joint_count, sizeof *palette);
  mpak_character *posed;
  if (!palette) die(it->path, "out of memory");
  check(mpak_character_create_posed(it->decoded, NULL, &posed), it->path, it);
  mpak_pose_skin_palette(&posed->pose, skin, palette);
  mpak_skin_vertices(&it->pack, it->output->part, &it->decoded->parts[it->output->part], palette, vertices, vertices);
  mpak_character_destroy(posed);
  free(palette);
}

/// The last individual against the runtime's CPU code.
static bench_error check_result(const bench_pack *it) {
  const uint32_t part = it->output->part, individual = it->crowd->count - 1;
  const mpak_part *record = &it->pack.parts[part];
  const float *weights = it->output->weight_values + (size_t)individual * record->shape_count;
  const uint64_t byte_count = (uint64_t)record->vertex_count * sizeof(mpak_base_vertex);
  mpak_base_vertex *cpu = malloc(byte_count), *gpu = malloc(byte_count);
  if (!cpu || !gpu) die(it->path, "out of memory");
  mpak_morph_vertices(&it->pack, part, &it->decoded->parts[part], weights, cpu);
  if (it->output->is_skinned && it->output->technique == MPAK_GL_SKIN_CACHE) skin_at_rest(it, cpu);
  mt_real.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT_);
  mt_real.BindBuffer(GL_COPY_READ_BUFFER_, it->output->vertices[0].name);
  mt_real.GetBufferSubData(GL_COPY_READ_BUFFER_,
                           (gl_size)(individual * gl_output_individual_bytes(it->crowd, it->output)),
                           (gl_size)byte_count, gpu);
  double size = 0;
  for (int c = 0; c < 3; ++c) size = fmax(size, (double)(record->bounds_max[c] - record->bounds_min[c]));
  bench_error error = {0};
  for (uint32_t v = 0; v < record->vertex_count; ++v) compare_vertex(&cpu[v], &gpu[v], size, &error);
  free(cpu);
  free(gpu);
  if (!(error.position <= 1e-5) || !(error.degrees <= 0.06)) die(it->path, "the GPU's vertices are not the CPU's");
  return error;
}

/// Bytes that a frame must move: base once, what active shapes have, every header, the outputs.
static double least_bytes(const bench_pack *it) {
  const mpak_part *part = &it->pack.parts[it->output->part];
  const mpak_morph *morph = &it->decoded->parts[it->output->part].morph;
  double bytes = (double)part->vertex_count * (48 + 40 * (double)it->crowd->count);
  if (morph->payload == MPAK_PAYLOAD_CSR64) {
    return bytes + 64.0 * morph->delta_count + 4.0 * (part->vertex_count + 1);
  }
  bytes += 8.0 * part->vertex_count * it->crowd->count + 16.0 * morph->block_count + 32.0 * morph->entry_count;
  const uint32_t words = mpak_payload_words(morph->payload, morph->components);
  for (uint32_t e = 0; e < morph->entry_count; ++e) {
    const mpak_morph_entry *entry = &morph->entries[e];
    const uint32_t lanes =
        (uint32_t)__builtin_popcount(entry->lanes_low) + (uint32_t)__builtin_popcount(entry->lanes_high);
    bool is_active = false;
    for (uint32_t i = 0; !is_active && i < it->crowd->count; ++i) {
      is_active = it->output->weight_values[(size_t)i * part->shape_count + entry->shape] != 0;
    }
    if (is_active) bytes += 4.0 * words * lanes;
  }
  return bytes;
}

static const char *payload_name(const bench_pack *it) {
  switch (it->pack.parts[it->output->part].payload) {
  case MPAK_PAYLOAD_CSR64: return "csr64";
  case MPAK_PAYLOAD_P36: return "P36";
  case MPAK_PAYLOAD_P16: return "P16";
  case MPAK_PAYLOAD_P12: return "P12";
  case MPAK_PAYLOAD_P8: return "P8";
  default: return "none";
  }
}

static double lanes_per_entry(const bench_pack *it) {
  const mpak_part *part = &it->pack.parts[it->output->part];
  return part->entry_count ? (double)part->delta_count / part->entry_count : 0;
}

static void print_row(const bench_pack *it, const char *name, double share, bench_time time, double reference_s,
                      double bytes, bench_ceiling ceiling, bench_error error) {
  printf("%-12s %4.0f%% %-6s lanes %4.1f  %9.1f us  x%-6.2f  %6.0f GB/s, %5.1f%% of the plain copy, %5.1f%% of the "
         "best  submit %5.1f us  err %.1e "
         "%.3f deg\n",
         name, 100 * share, payload_name(it), lanes_per_entry(it), 1e6 * time.gpu_s, reference_s / time.gpu_s,
         1e-9 * bytes / time.gpu_s, 100 * bytes / time.gpu_s / ceiling.plain, 100 * bytes / time.gpu_s / ceiling.best,
         1e6 * time.submit_s, error.position, error.degrees);
  fflush(stdout);
}

// -- Cases -----------------------------------------------------------------------------------------------------------

/// A pack, checked and timed. Returns seconds.
static bench_time measure_pack(bench_pack *it, double share, bench_error *error) {
  set_weights(it, share);
  *error = check_result(it);
  return measure(pack_round, it);
}

/// One individual, or a crowd, of each pack, beside the first, which is timed anew before and after each: a GPU does
/// not run at one speed. The faster of the two counts.
static void case_packs(const char *name, uint32_t count, double share, char **paths, int path_count) {
  const bench_ceiling ceiling = measure_ceiling();
  bench_pack first = {0};
  bench_error error;
  open_pack(&first, paths[0], count, MPAK_GL_INLINE);
  bench_time reference = measure_pack(&first, share, &error);
  print_row(&first, name, share, reference, reference.gpu_s, least_bytes(&first), ceiling, error);
  for (int p = 1; p < path_count; ++p) {
    bench_pack it = {0};
    open_pack(&it, paths[p], count, MPAK_GL_INLINE);
    const bench_time time = measure_pack(&it, share, &error);
    const bench_time after = measure(pack_round, &first);
    print_row(&it, name, share, time, fmin(reference.gpu_s, after.gpu_s), least_bytes(&it), ceiling, error);
    reference = after;
    close_pack(&it);
  }
  close_pack(&first);
}

/// Different characters of one frame.
typedef struct bench_frame {
  bench_pack *packs;
  int count;
  bool barrier_each;
} bench_frame;

static void frame_round(void *user) {
  const bench_frame *frame = user;
  for (int p = 0; p < frame->count; ++p) {
    dispatch_pack(&frame->packs[p]);
    if (frame->barrier_each) barrier();
  }
  if (!frame->barrier_each) barrier();
}

static double case_frame(const char *name, double share, char **paths, int count, double reference_s) {
  bench_frame frame = {.packs = calloc((size_t)count, sizeof *frame.packs), .count = count};
  if (!frame.packs) die(name, "out of memory");
  for (int p = 0; p < count; ++p) {
    open_pack(&frame.packs[p], paths[p], 1, MPAK_GL_INLINE);
    set_weights(&frame.packs[p], share);
    check_result(&frame.packs[p]);
  }
  frame.barrier_each = true;
  const bench_time each = measure(frame_round, &frame);
  frame.barrier_each = false;
  const bench_time one = measure(frame_round, &frame);
  if (reference_s == 0) reference_s = each.gpu_s;
  printf("%-12s %4.0f%% %-6s %d characters: a barrier each %8.1f us  x%.2f; one barrier %8.1f us  x%.2f (%.2f us a "
         "character); submit %.1f us\n",
         name, 100 * share, payload_name(&frame.packs[0]), count, 1e6 * each.gpu_s, reference_s / each.gpu_s,
         1e6 * one.gpu_s, reference_s / one.gpu_s, 1e6 * one.gpu_s / count, 1e6 * one.submit_s);
  fflush(stdout);
  for (int p = 0; p < count; ++p) close_pack(&frame.packs[p]);
  free(frame.packs);
  return reference_s;
}

static void case_many(const char *name, double share, char **paths, int path_count) {
  double reference_s = 0;
  for (int first = 0; first < path_count;) {
    int end = first;
    while (end < path_count && strcmp(paths[end], "--") != 0) ++end;
    reference_s = case_frame(name, share, paths + first, end - first, reference_s);
    first = end + 1;
  }
}

// -- Two passes ------------------------------------------------------------------------------------------------------

/// The skin cache's own kernel without morph, reading what a morph wrote instead of the base.
static gl_uint build_second_pass(const gl_part *part, uint32_t influences) {
  static const char wanted[] = "row = 3u * vertex - uMpak[MPAK_PARAM_BASE_SHIFT]";
  const char *at = strstr(mpak_shader_deform, wanted);
  char defines[400];
  if (!at) die("deform.comp", "the line that reads the base has changed");
  char *before = malloc((size_t)(at - mpak_shader_deform) + 1);
  if (!before) die("deform.comp", "out of memory");
  memcpy(before, mpak_shader_deform, (size_t)(at - mpak_shader_deform));
  before[at - mpak_shader_deform] = 0;
  snprintf(defines, sizeof defines,
           "#version 430\n#define MPAK_LAYOUT 0\n#define MPAK_PAYLOAD 0\n#define MPAK_COMPONENTS 0\n"
           "#define MPAK_REORTHOGONALISE 0\n#define MPAK_INFLUENCES %u\n#define MPAK_SKIN_PACKED %u\n"
           "#define MPAK_OUTPUT 48\n#define MPAK_TILE 1\n",
           influences, part->skin_quad_words == MPAK_SKIN_PACKED_WORDS);
  const char *texts[] = {defines, before,
                         "row = 3u * vertex + individuals[0] * (uMpak[MPAK_PARAM_OUTPUT_INDIVIDUAL] / 4u)",
                         at + sizeof wanted - 1};
  const gl_uint program = build_kernel(texts, 4);
  free(before);
  return program;
}

typedef struct bench_two {
  bench_pack *morph;
  bench_pack *skin;
  gl_uint program;
  gl_uint parameters[MPAK_PARAM_COUNT];
} bench_two;

static void bind_range(gl_uint binding, const gl_buffer *buffer) {
  mt_real.BindBufferRange(GL_SHADER_STORAGE_BUFFER_, binding, buffer->name, 0, (gl_size)buffer->byte_count);
}

static void two_round(void *user) {
  bench_two *two = user;
  const gl_part *part = &two->skin->model->parts[two->skin->output->part];
  two->morph->gl->program_in_use = 0;
  dispatch_pack(two->morph);
  mt_real.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT_);
  mt_real.UseProgram(two->program);
  bind_range(MPAK_BIND_BASE, &two->morph->output->vertices[0]);
  bind_range(MPAK_BIND_OFFSETS, &part->blocks);
  bind_range(MPAK_BIND_SKIN, &part->skin);
  bind_range(MPAK_BIND_PALETTE, &two->skin->crowd->palette);
  bind_range(MPAK_BIND_OUTPUT, &two->skin->output->vertices[0]);
  mt_real.Uniform1uiv(0, MPAK_PARAM_COUNT, two->parameters);
  mt_real.DispatchCompute(part->block_count, 1, two->skin->crowd->count);
  barrier();
}

static void set_two_parameters(bench_two *two) {
  const mpak_gl_crowd *crowd = two->skin->crowd;
  gl_uint *p = two->parameters;
  p[MPAK_PARAM_BLOCK_COUNT] = two->skin->model->parts[two->skin->output->part].block_count;
  p[MPAK_PARAM_INDIVIDUAL_COUNT] = crowd->count;
  p[MPAK_PARAM_LIST] = MPAK_NO_LIST;
  p[MPAK_PARAM_OUTPUT_INDIVIDUAL] = (gl_uint)(gl_output_individual_bytes(crowd, two->skin->output) / 4);
  p[MPAK_PARAM_OUTPUT_STRIDE] = 12;
  p[MPAK_PARAM_PALETTE_STRIDE] = crowd->palette_stride_bones;
  p[MPAK_PARAM_PALETTE_FIRST] = two->skin->output->palette_first;
}

static void case_fused(const char *name, uint32_t count, double share, const char *path) {
  bench_pack fused = {0}, morph = {0};
  open_pack(&fused, path, count, MPAK_GL_SKIN_CACHE);
  open_pack(&morph, path, count, MPAK_GL_INLINE);
  set_weights(&fused, share);
  set_weights(&morph, share);
  if (!fused.output->is_skinned) die(path, "has no skin");
  check_result(&fused);
  check_result(&morph);
  bench_two two = {.morph = &morph, .skin = &fused};
  two.program =
      build_second_pass(&fused.model->parts[fused.output->part], fused.pack.parts[fused.output->part].influence_count);
  set_two_parameters(&two);
  const bench_time one_pass = measure(pack_round, &fused), two_passes = measure(two_round, &two);
  printf("%-12s %4.0f%% %-6s morph + skin: fused %9.1f us, two passes %9.1f us: x%.2f\n", name, 100 * share,
         payload_name(&fused), 1e6 * one_pass.gpu_s, 1e6 * two_passes.gpu_s, two_passes.gpu_s / one_pass.gpu_s);
  fflush(stdout);
  mt_real.UseProgram(0);
  mt_real.DeleteProgram(two.program);
  close_pack(&morph);
  close_pack(&fused);
}

// -- Whole frames ----------------------------------------------------------------------------------------------------

/// Individuals with a pose each, driven as a game drives them.
typedef struct bench_game {
  bench_pack pack;
  mpak_character **heroes;
  float *weights;
  uint32_t active;
  uint32_t shapes; ///< controls of what the timed output draws
  uint32_t node;
} bench_game;

static void game_round(void *user) {
  bench_game *game = user;
  for (uint32_t i = 0; i < game->pack.crowd->count; ++i) {
    mpak_character *hero = game->heroes[i];
    for (uint32_t k = 0; k < game->active; ++k)
      game->weights[(k * game->shapes / game->active + i) % game->shapes] = random_weight();
    mpak_scene_morph_pose_set_weights(&hero->morph_pose, game->node, game->weights, game->shapes);
    mpak_morph_states_apply(&hero->morph_states, &hero->morph_pose);
    check(mpak_gl_crowd_show(game->pack.crowd, i, &hero->pose, &hero->morph_states, 0), "show", &game->pack);
    memset(game->weights, 0, game->shapes * sizeof *game->weights);
  }
  check(mpak_gl_crowd_deform(game->pack.crowd), "deform", &game->pack);
  mpak_gl_make_writes_visible(game->pack.gl);
}

static void case_game(const char *name, uint32_t count, double share, const char *path) {
  bench_game game = {.heroes = calloc(count, sizeof *game.heroes)};
  open_pack(&game.pack, path, count, MPAK_GL_SKIN_CACHE);
  const mpak_instance *instance = &game.pack.pack.instances[game.pack.output->instance];
  game.shapes = game.pack.pack.meshes[instance->mesh].control_count;
  game.node = instance->node;
  game.active = (uint32_t)ceil(share * game.shapes);
  game.weights = calloc(game.shapes, sizeof *game.weights);
  if (!game.heroes || !game.weights) die(name, "out of memory");
  for (uint32_t i = 0; i < count; ++i) {
    check(mpak_character_create_posed(game.pack.decoded, NULL, &game.heroes[i]), path, &game.pack);
  }
  const bench_time time = measure(game_round, &game);
  printf("%-12s %4.0f%% %-6s %u individuals, every weight new: GPU %8.1f us, CPU %8.1f us (%.0f ns each) a frame\n",
         name, 100 * share, payload_name(&game.pack), count, 1e6 * time.gpu_s, 1e6 * time.submit_s,
         1e9 * time.submit_s / count);
  fflush(stdout);
  for (uint32_t i = 0; i < count; ++i) mpak_character_destroy(game.heroes[i]);
  close_pack(&game.pack);
  free(game.weights);
  free(game.heroes);
}

// -- Upload ----------------------------------------------------------------------------------------------------------

typedef struct bench_upload {
  bench_pack pack;
  double decode_s, upload_s;
  uint64_t buffer_bytes;
} bench_upload;

static void upload_once(bench_upload *it) {
  mpak_model *decoded;
  mpak_gl_model *model;
  const double start = now_s();
  check(mpak_model_create(&it->pack.pack, NULL, &decoded, NULL), "decode", &it->pack);
  const double between = now_s();
  mpak_model_destroy(decoded);
  const double again = now_s();
  check(mpak_gl_model_create(it->pack.gl, &it->pack.pack, NULL, &model, NULL), "upload", &it->pack);
  mt_real.Finish();
  const double upload_s = now_s() - again;
  it->buffer_bytes = mpak_gl_device_objects(it->pack.gl)->buffer_bytes;
  mpak_gl_model_destroy(model);
  it->decode_s = fmin(it->decode_s, between - start);
  it->upload_s = fmin(it->upload_s, upload_s);
}

static void case_upload(char **paths, int path_count) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  for (int p = 0; p < path_count; ++p) {
    bench_upload it = {.decode_s = 1e9, .upload_s = 1e9, .pack = {.path = paths[p], .gl = device_of(MPAK_GL_INLINE)}};
    if (mpak_map_file(paths[p], &it.pack.file) != MPAK_OK) die(paths[p], "cannot be mapped");
    check(mpak_open(it.pack.file.bytes, it.pack.file.byte_count, &options, &it.pack.pack, NULL), paths[p], &it.pack);
    for (int i = 0; i < 5; ++i) upload_once(&it);
    printf("upload %-24s %8.1f MB of buffers: %8.2f ms, %5.2f GB/s; decoding into memory alone %8.2f ms\n",
           strrchr(paths[p], '/') ? strrchr(paths[p], '/') + 1 : paths[p], 1e-6 * (double)it.buffer_bytes,
           1e3 * it.upload_s, 1e-9 * (double)it.buffer_bytes / it.upload_s, 1e3 * it.decode_s);
    fflush(stdout);
    mpak_unmap_file(&it.pack.file);
  }
}

// -- Command ---------------------------------------------------------------------------------------------------------

static void start(void) {
  static const char *const text =
      "#version 430\nlayout(local_size_x = 64) in;\n"
      "layout(std430, binding = 0) buffer A { float a[]; };\n"
      "void main() { float x = a[gl_LocalInvocationID.x]; for (int i = 0; i < 5000; ++i) x = "
      "x * 0.99 + 0.01; a[gl_LocalInvocationID.x] = x; }\n";
  double submit_s;
  load_queries();
  const gl_uint program = build_kernel(&text, 1), buffer = make_buffer(256);
  bench_copy one = {.groups = 1};
  mt_real.UseProgram(program);
  mt_real.BindBufferBase(GL_SHADER_STORAGE_BUFFER_, 0, buffer);
  run_rounds(copy_round, &one, 4, &submit_s); // the first time is slow for other reasons
  const double wall_s = run_rounds(copy_round, &one, 4, &submit_s);
  has_clock = true;
  has_clock = run_rounds(copy_round, &one, 4, &submit_s) > 0.2 * wall_s; // software renderers count nothing
  if (has_clock) keep_busy(copy_round, &one, SECONDS_WARM);
  mt_real.DeleteBuffers(1, &buffer);
  mt_real.UseProgram(0);
  mt_real.DeleteProgram(program);
}

static void print_ceiling(void) {
  printf("device: %s, %s\n", (const char *)mt_real.GetString(GL_RENDERER_),
         (const char *)mt_real.GetString(GL_VERSION_));
  printf("clock: %s\n", has_clock ? "the GPU's" : "the wall's");
  const bench_ceiling ceiling = measure_ceiling();
  printf("copy, 2 x 256 MiB again and again: plain %.0f GB/s, best %.0f GB/s\n", 1e-9 * ceiling.plain,
         1e-9 * ceiling.best);
  if (has_clock) printf("copy, 2 x 1 GiB: %.0f GB/s\n", 1e-9 * measure_copy(UINT64_C(1) << 30, 4));
  printf("empty dispatch and barrier: %.1f us\n", 1e6 * measure_empty());
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: bench_gpu ceiling | one | crowd | many | fused (see its source)\n"), 2;
  if (!mt_gl_open()) return 77;
  start();
  if (strcmp(argv[1], "ceiling") == 0)
    print_ceiling();
  else if (strcmp(argv[1], "one") == 0 && argc >= 5)
    case_packs(argv[2], 1, atof(argv[3]), argv + 4, argc - 4);
  else if (strcmp(argv[1], "crowd") == 0 && argc >= 6)
    case_packs(argv[2], (uint32_t)atoi(argv[3]), atof(argv[4]), argv + 5, argc - 5);
  else if (strcmp(argv[1], "many") == 0 && argc >= 5)
    case_many(argv[2], atof(argv[3]), argv + 4, argc - 4);
  else if (strcmp(argv[1], "fused") == 0 && argc == 6)
    case_fused(argv[2], (uint32_t)atoi(argv[3]), atof(argv[4]), argv[5]);
  else if (strcmp(argv[1], "frame") == 0 && argc == 6)
    case_game(argv[2], (uint32_t)atoi(argv[3]), atof(argv[4]), argv[5]);
  else if (strcmp(argv[1], "upload") == 0 && argc >= 3)
    case_upload(argv + 2, argc - 2);
  else
    return fprintf(stderr, "bench_gpu: unknown case or missing words\n"), 2;
  for (int i = 0; i < 4; ++i) mpak_gl_destroy(devices[i]);
  return 0;
}
