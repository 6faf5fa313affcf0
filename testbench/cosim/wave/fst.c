#define _GNU_SOURCE
/* The reader of FSTs trusts its file, so it runs in a process of its own, with limits. */
#include "testbench/cosim/wave/fst.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gtkwave/fstapi.h"
#include "testbench/cosim/cli/cli.h"

enum { HEADER = 0, COMPRESSED = 254 }; /* kinds of an FST's first block */

bool fst_is(int first) {
  return first == HEADER || first == COMPRESSED;
}

/* ---- Limits ---- */

/* In a damaged file the library may work for ever, or write a huge temporary file. The reader may
 * work so many seconds before each piece of output, and make files of so many bytes. Both are more
 * than a sound file of the size needs. */
enum { SECONDS = 5, SECOND_BYTES = 1 << 20, FILE_BYTES = 1 << 26, MOST_COMPRESSION = 1000 };

static rlim_t size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (rlim_t)status.st_size : 0;
}

static rlim_t seconds_for(const char *path) {
  return SECONDS + size_of(path) / SECOND_BYTES;
}

/* A limit that the user has set stays. */
static void limit(pid_t process, enum __rlimit_resource what, rlim_t most) {
  struct rlimit limits;
  if (prlimit(process, what, NULL, &limits) != 0) return;
  limits.rlim_cur = most < limits.rlim_max ? most : limits.rlim_max;
  prlimit(process, what, &limits, NULL);
}

/* The seconds of processor time that a process has used. */
static rlim_t used(pid_t process) {
  clockid_t clock;
  struct timespec time = {0};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &time);
  return (rlim_t)time.tv_sec;
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

/* The library prints what it likes. */
_Noreturn static void read_fst(const char *path, FILE *out, const char *const *ids, size_t count) {
  limit(0, RLIMIT_CPU, seconds_for(path));
  limit(0, RLIMIT_FSIZE, FILE_BYTES + MOST_COMPRESSION * size_of(path));
  if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(1);
  void *fst = is_whole(path) ? fstReaderOpen(path) : NULL;
  if (!fst) _exit(1);
  const bool good = ids ? write_changes(fst, out, ids, count) : fstReaderProcessHier(fst, out) != 0;
  fstReaderClose(fst);
  _exit(good && fflush(out) == 0 ? 0 : 1);
}

static ssize_t read_piece(void *with, char *bytes, size_t size) {
  const struct fst_reader *reader = with;
  const ssize_t got = read(reader->pipe, bytes, size);
  if (got > 0) limit(reader->process, RLIMIT_CPU, used(reader->process) + reader->seconds);
  return got;
}

static int close_pipe(void *with) {
  return close(((const struct fst_reader *)with)->pipe);
}

static FILE *stream_of(struct fst_reader *reader) {
  const cookie_io_functions_t functions = {.read = read_piece, .close = close_pipe};
  FILE *stream = fopencookie(reader, "r", functions);
  if (!stream) pmuv3_cli_no_verdict("out of memory");
  setvbuf(stream, NULL, _IOFBF, 1 << 16);
  return stream;
}

static FILE *start(const char *path, const char *const *ids, size_t count,
                   struct fst_reader *reader) {
  int ends[2];
  const pid_t parent = getpid();
  fflush(NULL);
  if (pipe(ends) != 0 || (reader->process = fork()) < 0)
    pmuv3_cli_no_verdict("cannot start a process");
  if (reader->process == 0) {
    pmuv3_cli_end_with(parent);
    close(ends[0]);
    read_fst(path, fdopen(ends[1], "w"), ids, count);
  }
  close(ends[1]);
  reader->pipe = ends[0];
  reader->seconds = seconds_for(path);
  return stream_of(reader);
}

/* ---- Its streams ---- */

FILE *fst_header(const char *path, struct fst_reader *reader) {
  return start(path, NULL, 0, reader);
}

FILE *fst_changes(const char *path, const char *const *ids, size_t count,
                  struct fst_reader *reader) {
  return start(path, ids, count, reader);
}

bool fst_close(FILE *stream, const struct fst_reader *reader) {
  int status;
  fclose(stream);
  return waitpid(reader->process, &status, 0) == reader->process && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}
