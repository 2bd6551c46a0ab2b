/* Loaded before libc: from the FAIL_FROM-th call on, fsync and fdatasync fail with EIO, FAIL_TIMES times. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static int calls;

static int fails(void) {
  const char *from = getenv("FAIL_FROM");
  const char *times = getenv("FAIL_TIMES");
  if (!from || !times) return 0;
  int call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  return call >= atoi(from) && call < atoi(from) + atoi(times);
}

static int sync_by(const char *name, int file) {
  if (fails()) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(file);
}

int fsync(int file) { return sync_by("fsync", file); }
int fdatasync(int file) { return sync_by("fdatasync", file); }
