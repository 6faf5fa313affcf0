#define _GNU_SOURCE
#include "testbench/explore/tracer/fst.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtkwave/fstapi.h"
#include "testbench/cosim/cli/cli.h"

/* The first section is a header, or is compressed. */
bool fst_begins(int byte) {
  return byte == FST_BL_HDR || byte == FST_BL_ZWRAPPER;
}

/* A section is its type, the bytes behind that, in eight bytes from the highest, and the rest.
 * False: it does not end in the file. */
static bool skip_section(FILE *in, off_t end) {
  uint64_t length = 0;
  getc(in);
  for (unsigned i = 0; i < 8; i++) length = length << 8 | (uint8_t)getc(in);
  const off_t left = end - ftello(in);
  return length >= 8 && left >= 0 && length - 8 <= (uint64_t)left &&
         fseeko(in, (off_t)(length - 8), SEEK_CUR) == 0;
}

/* Whether the file's sections fill it. The library may read forever in a file that was cut. */
static bool is_whole(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in || fseeko(in, 0, SEEK_END) != 0) return false;
  const off_t end = ftello(in);
  rewind(in);
  while (ftello(in) < end)
    if (!skip_section(in, end)) return false;
  return fclose(in) == 0;
}

/* A damaged file may end this process, and the library prints what it likes. */
static _Noreturn void write_vcd(const char *path, int pipe_end, pid_t parent) {
  const int null = open("/dev/null", O_WRONLY);
  pmuv3_cli_end_with(parent);
  FILE *vcd = fdopen(pipe_end, "w");
  if (!vcd || null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
    _exit(EXIT_FAILURE);
  void *fst = is_whole(path) ? fstReaderOpen(path) : NULL;
  if (!fst) _exit(EXIT_FAILURE);
  bool is_good = fstReaderProcessHier(fst, vcd);
  fstReaderSetFacProcessMaskAll(fst);
  is_good = is_good && fstReaderIterBlocks(fst, NULL, NULL, vcd);
  _exit(is_good && fflush(vcd) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

FILE *fst_open(const char *path, pid_t *process) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return NULL;
  fflush(NULL);
  const pid_t parent = getpid();
  *process = fork();
  if (*process == 0) {
    close(ends[0]);
    write_vcd(path, ends[1], parent);
  }
  close(ends[1]);
  return *process < 0 ? NULL : fdopen(ends[0], "r");
}

bool fst_close(FILE *vcd, pid_t process) {
  int status = 0;
  fclose(vcd);
  return waitpid(process, &status, 0) == process && status == 0;
}
