#define _XOPEN_SOURCE 700
#include "testbench/replay/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A row of 13 numbers of at most 20 digits each, with what separates them. */
enum { ROW_SIZE = 13 * 21, BUFFER_SIZE = 1 << 16 };

struct pmuv3_trace {
  int fd;
  int error; /* errno of the first write that failed; 0 while all is well */
  char *path;
  char *temporary; /* NULL: path itself is written */
  size_t size;     /* bytes in the buffer */
  char buffer[BUFFER_SIZE];
};

static void flush(struct pmuv3_trace *trace) {
  const char *next = trace->buffer;
  while (trace->size > 0 && !trace->error) {
    ssize_t written = write(trace->fd, next, trace->size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      trace->error = errno;
      break;
    }
    next += written;
    trace->size -= (size_t)written;
  }
  trace->size = 0;
}

/* Writes a number and the separator after it. Returns where the next one goes. */
static char *put_number(char *out, uint64_t number, char separator) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  memcpy(out, digits + first, sizeof digits - first);
  out += sizeof digits - first;
  *out++ = separator;
  return out;
}

static char *put_bit(char *out, uint32_t bits, unsigned n) {
  *out++ = (char)('0' + (bits >> n & 1));
  *out++ = ',';
  return out;
}

static char *put_row(char *out, const struct pmuv3_probe *probe, uint64_t cycle, unsigned thread,
                     unsigned n) {
  out = put_number(out, cycle, ',');
  out = put_number(out, thread, ',');
  out = put_number(out, n, ',');
  out = put_bit(out, probe->allowed, n);
  out = put_number(out, probe->VB[n], ',');
  out = put_bit(out, probe->CT, n);
  out = put_bit(out, probe->CP, n);
  out = put_bit(out, probe->CE, n);
  out = put_number(out, probe->VT[n], ',');
  out = put_number(out, probe->VE[n], ',');
  out = put_number(out, probe->V[n], ',');
  out = put_number(out, probe->value[n], ',');
  return put_number(out, probe->overflow >> n & 1, '\n');
}

void pmuv3_trace_rows(struct pmuv3_trace *trace, uint64_t cycle, unsigned thread,
                      const struct pmuv3_probe *probe, unsigned counters) {
  for (unsigned n = 0; n < counters; n++) {
    if (trace->size > BUFFER_SIZE - ROW_SIZE) flush(trace);
    char *end = put_row(trace->buffer + trace->size, probe, cycle, thread, n);
    trace->size = (size_t)(end - trace->buffer);
  }
}

/* Whether path is something that a rename must not replace: a device, a pipe, ... */
static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Makes and opens a file beside path, with the rights that path would get. */
static bool open_temporary(struct pmuv3_trace *trace) {
  static const char suffix[] = ".XXXXXX";
  size_t length = strlen(trace->path);
  trace->temporary = malloc(length + sizeof suffix);
  if (!trace->temporary) return false;
  memcpy(trace->temporary, trace->path, length);
  memcpy(trace->temporary + length, suffix, sizeof suffix);
  trace->fd = mkstemp(trace->temporary);
  if (trace->fd < 0) return false;
  mode_t mask = umask(0);
  umask(mask);
  return fchmod(trace->fd, 0666 & ~mask) == 0;
}

static bool open_output(struct pmuv3_trace *trace, const char *path) {
  /* Through a symbolic link, what it points to is replaced and not the link. */
  trace->path = realpath(path, NULL);
  if (!trace->path) trace->path = strdup(path);
  if (!trace->path) return false;
  if (access(trace->path, W_OK) != 0 && errno != ENOENT) return false;
  if (!is_special(trace->path)) return open_temporary(trace);
  trace->fd = open(trace->path, O_WRONLY);
  return trace->fd >= 0;
}

static void release(struct pmuv3_trace *trace) {
  free(trace->path);
  free(trace->temporary);
  free(trace);
}

struct pmuv3_trace *pmuv3_trace_open(const char *path) {
  static const char header[] = "cycle,thread,counter,allowed,VB,CT,CP,CE,VT,VE,V,value,overflow\n";
  struct pmuv3_trace *trace = malloc(sizeof *trace);
  if (!trace) return NULL;
  *trace = (struct pmuv3_trace){.fd = -1};
  if (!open_output(trace, path)) {
    int error = errno;
    pmuv3_trace_discard(trace);
    errno = error;
    return NULL;
  }
  memcpy(trace->buffer, header, sizeof header - 1);
  trace->size = sizeof header - 1;
  return trace;
}

void pmuv3_trace_discard(struct pmuv3_trace *trace) {
  if (!trace) return;
  if (trace->fd >= 0) {
    close(trace->fd);
    if (trace->temporary) unlink(trace->temporary);
  }
  release(trace);
}

bool pmuv3_trace_close(struct pmuv3_trace *trace) {
  flush(trace);
  if (close(trace->fd) != 0 && !trace->error) trace->error = errno;
  if (trace->temporary && !trace->error && rename(trace->temporary, trace->path) != 0)
    trace->error = errno;
  if (trace->temporary && trace->error) unlink(trace->temporary);
  int error = trace->error;
  release(trace);
  errno = error;
  return error == 0;
}
