#include "tests/support/mt_importers.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cooker/import/import.h"
#include "cooker/import/worker.h"
#include "tests/support/mt_scene.h"

bool mt_is_importer(int argc, char **argv) { return argc > 1 && strcmp(argv[1], WORKER_VERB) == 0; }

cook_scene *mt_importer_scene(cook_job *job) {
  static const char *files[] = {"good"};
  cook_scene *scene = mt_scene_make(job, NULL);
  scene->source_kind = COOK_SOURCE_OTHER;
  scene->dependencies = files;
  scene->dependency_count = 1;
  return scene;
}

// -- Inside the protocol: these are called by worker_main -------------------------------------------------------------

static volatile int sink;

static void do_crash(void) {
  volatile uintptr_t nowhere = 64;
  sink = *(volatile int *)nowhere;
}

static void do_abort(void) {
  fprintf(stderr, "ai_assert failure in importer.c(17): vertices != 0\n");
  abort();
}

static void do_hang(void) {
  for (;;) pause();
}

static void do_spin(void) {
  for (;;) sink++;
}

/// Takes memory and writes to it, until it is refused; then goes on as if nothing had happened.
static void do_eat(void) {
  for (;;) {
    char *block = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) continue;
    memset(block, 1, 16 << 20);
  }
}

/// Like a C++ importer that nobody catches for.
static void do_bad_alloc(void) {
  fprintf(stderr, "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n");
  abort();
}

static void do_overflow_stack(void) {
  volatile char frame[1 << 16];
  frame[0] = (char)sink++;
  if (sink >= 0) do_overflow_stack(); // for ever, but no compiler can know
  sink += frame[0];
}

static void do_socket(void) { sink = socket(AF_INET, SOCK_STREAM, 0); }
static void do_write(void) { sink = open("/tmp/mpak-worker-was-here", O_WRONLY | O_CREAT, 0600); }
static void do_truncate(void) { sink = open("/dev/null", O_RDONLY | O_TRUNC); }
static void do_unlink(void) { sink = unlink("/tmp/mpak-worker-was-here"); }
static void do_rename(void) { sink = rename("/tmp/mpak-worker-was-here", "/tmp/mpak-worker-was-there"); }
static void do_exec(void) { sink = execl("/bin/true", "true", (char *)NULL); }
static void do_fork(void) { sink = (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static void do_kill_parent(void) { sink = kill(getppid(), SIGTERM); }
static void do_exit(void) { exit(3); }
static void do_interrupt(void) { raise(SIGTERM); }

/// Reading files, threads' way of taking memory and writing to the log are no crimes.
static void do_allowed(void) {
  char byte;
  const int fd = open("/proc/self/exe", O_RDONLY);
  if (read(fd, &byte, 1) != 1) abort();
  close(fd);
  printf("free text on standard output\n");
  fflush(stdout);
}

/// A megabyte of talk, more than a pipe holds: nobody reading it would stop the worker.
static void do_talk(void) {
  for (int i = 0; i < 20000; i++) fprintf(stderr, "line %d of an importer that has a lot to say about nothing\n", i);
}

static const struct {
  const char *name;
  void (*act)(void);
} inside[] = {
    {"crash", do_crash},
    {"abort", do_abort},
    {"hang", do_hang},
    {"spin", do_spin},
    {"eat", do_eat},
    {"bad_alloc", do_bad_alloc},
    {"overflow", do_overflow_stack},
    {"socket", do_socket},
    {"write", do_write},
    {"truncate", do_truncate},
    {"unlink", do_unlink},
    {"rename", do_rename},
    {"exec", do_exec},
    {"fork", do_fork},
    {"kill_parent", do_kill_parent},
    {"exit", do_exit},
    {"interrupt", do_interrupt},
    {"allowed", do_allowed},
    {"talk", do_talk},
    {"good", NULL},
    {"issues", NULL},
    {"refuse", NULL},
    {"memory", NULL},
    {"options", NULL},
};

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/// What it was asked for, as an issue's text.
static void report_options(cook_job *job, const cook_options *options) {
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "importer %d up %d unit %d nodes %u issues %u names %s", options->importer, options->up,
                           options->unit, job_limits(job)->nodes, job_limits(job)->issues, options->name_encoding);
  job_issue(job, MPAK_I012, where);
}

static cook_scene *importer(cook_job *job, const char *path, const cook_options *options) {
  const char *name = name_of(path);
  for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
    if (strcmp(name, inside[i].name) == 0 && inside[i].act != NULL) inside[i].act();
  if (strcmp(name, "issues") == 0) job_issue(job, MPAK_I028, COOK_WHERE);
  if (strcmp(name, "options") == 0) report_options(job, options);
  if (strcmp(name, "refuse") == 0) job_fail(job, MPAK_F007, COOK_WHERE);
  if (strcmp(name, "memory") == 0) job_alloc(job, 1ull << 62, 1);
  return mt_importer_scene(job);
}

// -- Outside the protocol ---------------------------------------------------------------------------------------------

static void put(const void *bytes, size_t byte_count) {
  if (write(WORKER_RESULT_FD, bytes, byte_count) != (ssize_t)byte_count) exit(99);
}

static int answer_nothing(void) { return 0; }

static int answer_garbage(void) {
  char garbage[4096];
  memset(garbage, 0xA5, sizeof garbage);
  put(garbage, sizeof garbage);
  return 0;
}

static int answer_short_head(void) {
  const uint64_t magic = WORKER_MAGIC;
  put(&magic, sizeof magic);
  return 0;
}

static int answer_wrong_length(void) {
  const worker_head head = {.magic = WORKER_MAGIC, .stream_bytes = 1ull << 60};
  put(&head, sizeof head);
  put(&head, sizeof head);
  return 0;
}

static int answer_wrong_hash(void) {
  const worker_head head = {.magic = WORKER_MAGIC, .stream_bytes = 64};
  const char zeros[64] = {0};
  put(&head, sizeof head);
  put(zeros, sizeof zeros);
  return 0;
}

/// Much more than the job's memory limit: the parent must stop listening.
_Noreturn static int answer_without_end(void) {
  static const char zeros[1 << 16];
  for (;;) put(zeros, sizeof zeros);
}

/// Begins an answer, then closes the pipe and stays.
_Noreturn static int answer_and_hang(void) {
  put("half", 4);
  close(WORKER_RESULT_FD);
  close(1);
  close(2);
  for (;;) pause();
}

static const struct {
  const char *name;
  int (*act)(void);
} outside[] = {
    {"nothing", answer_nothing},           {"garbage", answer_garbage},       {"short_head", answer_short_head},
    {"wrong_length", answer_wrong_length}, {"wrong_hash", answer_wrong_hash}, {"without_end", answer_without_end},
    {"and_hang", answer_and_hang},
};

int mt_importer_main(int argc, char **argv) {
  const char *name = argc > 2 ? name_of(argv[2]) : "";
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
    if (strcmp(name, outside[i].name) == 0) return outside[i].act();
  return worker_main(argc, argv, importer);
}
