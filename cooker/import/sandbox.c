#include "cooker/import/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CLONE_THREAD
#define CLONE_THREAD 0x00010000
#endif

/// Calls that are forbidden whatever their arguments.
static const int forbidden_calls[] = {
    // network
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg),
    // programs and processes
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    // files
    SCMP_SYS(creat),
    SCMP_SYS(truncate),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(utimensat),
    SCMP_SYS(setxattr),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    // ways around the above, and the kernel's dark corners
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(io_setup),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(kexec_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
};

// -- Being caught -----------------------------------------------------------------------------------------------------

/// Only calls that are allowed in a signal handler; the text is put together by hand.
static void sandbox_blocked(int signal_number, siginfo_t *info, void *context) {
  (void)signal_number;
  (void)context;
  char text[sizeof SANDBOX_BLOCKED_TEXT + 16] = SANDBOX_BLOCKED_TEXT;
  char digits[12];
  int digit_count = 0;
  unsigned number = (unsigned)info->si_syscall;
  do digits[digit_count++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  size_t length = strlen(text);
  while (digit_count > 0) text[length++] = digits[--digit_count];
  text[length++] = '\n';
  const ssize_t ignored = write(2, text, length);
  (void)ignored;
  _exit(SANDBOX_BLOCKED_EXIT);
}

static bool sandbox_catch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = sandbox_blocked;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSYS, &action, NULL) == 0;
}

// -- The filter -------------------------------------------------------------------------------------------------------

/// A call this kernel or libseccomp does not know cannot be made either.
static bool sandbox_forbid(scmp_filter_ctx filter, int call) {
  const int result = seccomp_rule_add(filter, SCMP_ACT_TRAP, call, 0);
  return result == 0 || result == -EDOM || result == -EINVAL;
}

/// open and openat with any way of writing: an access mode other than reading, or a flag that makes or cuts files.
static bool sandbox_forbid_writing(scmp_filter_ctx filter, int call, unsigned flags_argument) {
  static const scmp_datum_t writing_flags[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND};
  for (size_t i = 0; i < sizeof writing_flags / sizeof *writing_flags; i++) {
    const struct scmp_arg_cmp has_flag =
        SCMP_CMP(flags_argument, SCMP_CMP_MASKED_EQ, writing_flags[i], writing_flags[i]);
    if (seccomp_rule_add_array(filter, SCMP_ACT_TRAP, call, 1, &has_flag) != 0) return false;
  }
  return true;
}

/// New processes are forbidden, threads are not. clone3 and openat2 hide their flags in memory where no filter can
/// look; libraries fall back to the old calls when they do not exist.
static bool sandbox_forbid_forking(scmp_filter_ctx filter) {
  const struct scmp_arg_cmp no_thread = SCMP_CMP(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
  return seccomp_rule_add_array(filter, SCMP_ACT_TRAP, SCMP_SYS(clone), 1, &no_thread) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0) == 0;
}

/// Signals and limits of other processes are none of its business; its own (abort) are.
static bool sandbox_forbid_meddling(scmp_filter_ctx filter) {
  const scmp_datum_t self = (scmp_datum_t)getpid();
  const struct scmp_arg_cmp another = SCMP_CMP(0, SCMP_CMP_NE, self, 0);
  const struct scmp_arg_cmp not_self = SCMP_CMP(0, SCMP_CMP_NE, 0, 0);
  return seccomp_rule_add_array(filter, SCMP_ACT_TRAP, SCMP_SYS(kill), 1, &another) == 0 &&
         seccomp_rule_add_array(filter, SCMP_ACT_TRAP, SCMP_SYS(tgkill), 1, &another) == 0 &&
         seccomp_rule_add_array(filter, SCMP_ACT_TRAP, SCMP_SYS(prlimit64), 1, &not_self) == 0 &&
         sandbox_forbid(filter, SCMP_SYS(tkill)) && sandbox_forbid(filter, SCMP_SYS(pidfd_send_signal));
}

static bool sandbox_fill(scmp_filter_ctx filter) {
  for (size_t i = 0; i < sizeof forbidden_calls / sizeof *forbidden_calls; i++)
    if (!sandbox_forbid(filter, forbidden_calls[i])) return false;
  return sandbox_forbid_writing(filter, SCMP_SYS(open), 1) && sandbox_forbid_writing(filter, SCMP_SYS(openat), 2) &&
         sandbox_forbid_forking(filter) && sandbox_forbid_meddling(filter);
}

bool sandbox_enter(void) {
  if (!sandbox_catch()) return false;
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == NULL) return false;
  const bool is_closed_in = sandbox_fill(filter) && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return is_closed_in;
}

char *sandbox_call_name(int number) { return seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number); }
