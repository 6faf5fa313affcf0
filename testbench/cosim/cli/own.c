#define _GNU_SOURCE
#include "testbench/cosim/cli/own.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/cli/text.h"

enum { PATH = PATH_MAX + 16 }; /* a folder's path, and the name of its list */

static const char list_name[] = ".pmuv3.list";

/* ---- Names ---- */

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void list_beside(char list[PATH], const char *path) {
  snprintf(list, PATH, "%.*s%s", (int)(name_of(path) - path), path, list_name);
}

/* ---- Contents ---- */

/* FNV-1a. */
bool pmuv3_own_digest(uint64_t *digest, const char *path) {
  unsigned char piece[65536];
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  ssize_t length = -1;
  *digest = UINT64_C(0xCBF29CE484222325);
  if (file < 0) return false;
  while ((length = read(file, piece, sizeof piece)) > 0)
    for (ssize_t i = 0; i < length; i++) *digest = (*digest ^ piece[i]) * UINT64_C(0x100000001B3);
  close(file);
  return length == 0;
}

/* A killed program may have left a line that is not whole. */
static bool is_line_of(const char *line, uint64_t digest, const char *name) {
  uint64_t listed;
  int length = 0;
  return sscanf(line, "%16" SCNx64 " %n", &listed, &length) == 1 && length == 17 &&
         listed == digest && strcmp(line + length, name) == 0;
}

static bool is_listed(const char *path, uint64_t digest) {
  char list[PATH];
  bool found = false;
  list_beside(list, path);
  const char *why;
  struct pmuv3_lines lines = {.in = pmuv3_file_open(list, &why)};
  while (lines.in && !found && pmuv3_lines_next(&lines))
    found = is_line_of(lines.line, digest, name_of(path));
  pmuv3_lines_free(&lines);
  if (lines.in) fclose(lines.in);
  return found;
}

/* A list that cannot be written would be found out when the file is made. */
static bool has_wrong_list(const char *path) {
  char list[PATH];
  struct stat status;
  list_beside(list, path);
  return lstat(list, &status) == 0 &&
         (!S_ISREG(status.st_mode) || status.st_nlink != 1 || access(list, W_OK) != 0);
}

const char *pmuv3_own_wrong(const char *path) {
  struct stat status;
  uint64_t digest;
  if (has_wrong_list(path)) return "the .pmuv3.list beside it is not as pmuv3 made it";
  if (lstat(path, &status) != 0) return errno == ENOENT ? NULL : strerror(errno);
  if (!S_ISREG(status.st_mode)) return "not a regular file";
  if (!pmuv3_own_digest(&digest, path)) return strerror(errno);
  return is_listed(path, digest) ? NULL : "it is not as pmuv3 made it";
}

bool pmuv3_own_remove(const char *path) {
  return !pmuv3_own_wrong(path) && (unlink(path) == 0 || errno == ENOENT);
}

const char *pmuv3_own_remove_all(const char *folder, const char *const *names) {
  char path[PATH];
  const char *why = NULL;
  for (const char *const *name = names; *name && !why; name++)
    why = snprintf(path, PATH, "%s/%s", folder, *name) < PATH ? pmuv3_own_wrong(path)
                                                              : strerror(ENAMETOOLONG);
  for (; *names && !why; names++) {
    snprintf(path, PATH, "%s/%s", folder, *names);
    if (!pmuv3_own_remove(path)) why = strerror(errno);
  }
  return why;
}

/* ---- The list ---- */

/* -1 with errno. */
static int open_list(const char *list) {
  struct stat status;
  const int file =
      open(list, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1))
    return file;
  close(file);
  errno = EEXIST;
  return -1;
}

/* In one piece, since programs may write to a folder side by side. */
const char *pmuv3_own_add(const char *made, const char *path) {
  char list[PATH], line[NAME_MAX + 32];
  uint64_t digest;
  if (!pmuv3_own_digest(&digest, made)) return strerror(errno);
  if (is_listed(path, digest)) return NULL;
  list_beside(list, path);
  const int length = snprintf(line, sizeof line, "\n%016" PRIx64 " %s\n", digest, name_of(path));
  const int file = open_list(list);
  if (file < 0) return strerror(errno);
  const ssize_t written = write(file, line, (size_t)length);
  const int error = written < 0 ? errno : ENOSPC;
  close(file);
  return written == length ? NULL : strerror(error);
}

const char *pmuv3_own_lock(const char *folder) {
  char list[PATH];
  snprintf(list, sizeof list, "%s/%s", folder, list_name);
  const int file = open_list(list); /* stays open until the process ends */
  if (file < 0) return strerror(errno);
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return NULL;
  const int error = errno;
  close(file);
  return error == EWOULDBLOCK ? "another program writes there now" : strerror(error);
}
