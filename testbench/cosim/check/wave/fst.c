/* The reader of FSTs trusts its file, so it runs in a process of its own. */
#include "testbench/cosim/check/wave/fst.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtkwave/fstapi.h"
#include "testbench/cosim/cli/cli.h"

enum { HEADER = 0, COMPRESSED = 254 }; /* kinds of an FST's first block */

static pid_t reader;

bool fst_is(int first) {
  return first == HEADER || first == COMPRESSED;
}

/* ---- The process ---- */

/* As the header's writer makes an id of a handle. */
static fstHandle handle_of(const char *id) {
  fstHandle handle = 0, digit = 1;
  for (; *id; id++, digit *= 94) handle += digit * (fstHandle)(*id - '!' + 1);
  return handle;
}

static bool write_changes(void *fst, FILE *out, const char *const *ids, size_t count) {
  fstReaderClrFacProcessMaskAll(fst);
  for (size_t i = 0; i < count; i++) fstReaderSetFacProcessMask(fst, handle_of(ids[i]));
  return fstReaderIterBlocks(fst, NULL, NULL, out);
}

_Noreturn static void read_fst(const char *path, FILE *out, const char *const *ids, size_t count) {
  if (!freopen("/dev/null", "w", stderr)) _exit(1);
  void *fst = fstReaderOpen(path);
  if (!fst) _exit(1);
  const bool good = ids ? write_changes(fst, out, ids, count) : fstReaderProcessHier(fst, out) != 0;
  fstReaderClose(fst);
  _exit(good && fflush(out) == 0 ? 0 : 1);
}

static FILE *start(const char *path, const char *const *ids, size_t count) {
  int ends[2];
  const pid_t parent = getpid();
  fflush(NULL);
  if (pipe(ends) != 0 || (reader = fork()) < 0) pmuv3_cli_no_verdict("cannot start a process");
  if (reader == 0) {
    pmuv3_cli_end_with(parent);
    close(ends[0]);
    read_fst(path, fdopen(ends[1], "w"), ids, count);
  }
  close(ends[1]);
  return fdopen(ends[0], "r");
}

/* ---- Its streams ---- */

FILE *fst_header(const char *path) {
  return start(path, NULL, 0);
}

FILE *fst_changes(const char *path, const char *const *ids, size_t count) {
  return start(path, ids, count);
}

bool fst_close(FILE *stream) {
  int status;
  fclose(stream);
  return waitpid(reader, &status, 0) == reader && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
