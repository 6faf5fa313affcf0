#define _GNU_SOURCE
#include "testbench/cosim/cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "testbench/cosim/cli/own.h"

static const char not_regular[] = "not a regular file";

/* ---- Names ---- */

/* The open descriptor that a path stands for; -1: none. To open such a path would truncate a
 * regular file that another process is writing. */
static int descriptor_of(const char *path) {
  if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
  if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
  int descriptor, length = 0;
  if (sscanf(path, "/dev/fd/%9d%n", &descriptor, &length) == 1 && !path[length]) return descriptor;
  return -1;
}

/* A folder, and a name in it. The path has no symbolic link at its end. */
struct place {
  char folder[PATH_MAX];
  const char *name;
};

/* False: there is no such folder; errno says why. */
static bool find_place(struct place *place, const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[PATH_MAX] = ".";
  place->name = slash ? slash + 1 : path;
  if (strlen(path) >= sizeof folder) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (slash == path) strcpy(folder, "/");
  if (slash && slash > path) snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
  return realpath(folder, place->folder) != NULL;
}

/* The place of a file after symbolic links are resolved. The caller frees it. NULL with errno. */
static char *target_of(const char *path) {
  char *target = realpath(path, NULL);
  struct place place;
  if (target || errno != ENOENT || !find_place(&place, path)) return target;
  const char *separator = strcmp(place.folder, "/") == 0 ? "" : "/";
  return asprintf(&target, "%s%s%s", place.folder, separator, place.name) < 0 ? NULL : target;
}

/* Follows a symbolic link one step. False: the path is not a link, or the new path is too long. */
static bool follow(char path[PATH_MAX], const struct place *place) {
  char link[PATH_MAX], followed[2 * PATH_MAX];
  const ssize_t length = readlink(path, link, sizeof link - 1);
  if (length < 0) return false;
  link[length] = '\0';
  const int size = *link == '/' ? snprintf(followed, sizeof followed, "%s", link)
                                : snprintf(followed, sizeof followed, "%s/%s", place->folder, link);
  if (size >= PATH_MAX) return false;
  strcpy(path, followed);
  return true;
}

/* Whether a path leads into /proc, where a link may stand for an open descriptor. The name of the
 * descriptor's file is then not what the user named. */
static bool leads_to_proc(const char *path) {
  enum { MOST_LINKS = 40 };
  char at[PATH_MAX];
  struct place place;
  struct statfs status;
  snprintf(at, sizeof at, "%s", path);
  for (int links = 0; links < MOST_LINKS && find_place(&place, at); links++) {
    if (statfs(place.folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC) return true;
    if (!follow(at, &place)) return false;
  }
  return false;
}

/* ---- What may be written ---- */

static const char *descriptor_wrong(int descriptor, enum pmuv3_file_kind kind) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return strerror(errno);
  if ((flags & O_ACCMODE) == O_RDONLY) return "open for reading";
  return kind == PMUV3_FILE_STREAM ? NULL : not_regular;
}

static const char *folder_wrong(const char *path) {
  struct place place;
  if (!find_place(&place, path)) return strerror(errno);
  if (!*place.name) return strerror(*path ? EISDIR : ENOENT);
  return access(place.folder, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

/* Another name of the file would keep the old contents, and another user would lose the file. */
static const char *replaced_wrong(const char *path, const struct stat *status) {
  if (status->st_nlink > 1) return "it has another name, a hard link";
  if (geteuid() != 0 && status->st_uid != geteuid()) return "it belongs to another user";
  char *target = target_of(path);
  const char *why = target ? folder_wrong(target) : strerror(errno);
  free(target);
  return why;
}

static const char *existing_wrong(const char *path, const struct stat *status,
                                  enum pmuv3_file_kind kind) {
  const mode_t mode = status->st_mode;
  const bool is_stream = S_ISCHR(mode) || S_ISFIFO(mode);
  if (S_ISDIR(mode)) return strerror(EISDIR);
  if (!S_ISREG(mode) && !(kind == PMUV3_FILE_STREAM && is_stream)) return not_regular;
  if (access(path, W_OK) != 0) return strerror(errno);
  const char *why = S_ISREG(mode) ? replaced_wrong(path, status) : NULL;
  return !why && kind == PMUV3_FILE_OWN ? pmuv3_own_wrong(path) : why;
}

const char *pmuv3_file_wrong(const char *path, enum pmuv3_file_kind kind) {
  struct stat status;
  const int descriptor = descriptor_of(path);
  if (descriptor >= 0) return descriptor_wrong(descriptor, kind);
  if (leads_to_proc(path)) return "it is in /proc; the name of an open descriptor is /dev/fd/N";
  if (stat(path, &status) == 0) return existing_wrong(path, &status, kind);
  if (errno != ENOENT) return strerror(errno);
  if (lstat(path, &status) == 0) return "a symbolic link to nothing";
  return folder_wrong(path);
}

/* ---- Files that grow ---- */

struct pmuv3_file {
  FILE *out;
  char *target; /* NULL: `out` writes to the file in place */
  enum pmuv3_file_kind kind;
  /* Arrays, since a signal handler reads them. */
  char folder[PATH_MAX];
  char grows[PATH_MAX + 8];
  char hierarchy[PATH_MAX + 16]; /* the FST writer's temporary file beside the FST */
  pid_t owner;
  bool is_mapped; /* the writer maps the file, so SIGBUS concerns this file */
  struct pmuv3_file *next;
};

/* The growing files of this process. */
static struct pmuv3_file *volatile first;
static char bus_message[2 * PATH_MAX];

/* Safe in signal handlers. A child does not remove the files of its parent. */
static void clean_up(const struct pmuv3_file *file) {
  if (file->owner != getpid() || !file->target) return;
  unlink(file->grows);
  unlink(file->hierarchy);
  rmdir(file->folder);
}

static void clean_up_all(void) {
  for (const struct pmuv3_file *file = first; file; file = file->next) clean_up(file);
}

static void die(int signal_number) {
  clean_up_all();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* SIGBUS: a page of a mapped file could not be written to the disk. */
static _Noreturn void die_of_full_disk(int signal_number) {
  (void)signal_number;
  clean_up_all();
  const ssize_t said = write(STDERR_FILENO, bus_message, strlen(bus_message));
  (void)said;
  _exit(2);
}

static void watch(void) {
  static const int deadly[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
  static bool is_watching;
  if (is_watching) return;
  is_watching = true;
  atexit(clean_up_all);
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    if (signal(deadly[i], die) == SIG_IGN) signal(deadly[i], SIG_IGN);
}

static void forget(struct pmuv3_file *file) {
  struct pmuv3_file *volatile *link = &first;
  while (*link && *link != file) link = &(*link)->next;
  if (*link) *link = file->next;
}

/* Makes the private folder. */
static bool prepare(struct pmuv3_file *file, const char *path) {
  struct place place;
  file->target = target_of(path);
  if (!file->target || !find_place(&place, file->target)) return false;
  const int length = snprintf(file->folder, sizeof file->folder, "%s/.pmuv3-XXXXXX", place.folder);
  if (length >= (int)sizeof file->folder) {
    errno = ENAMETOOLONG;
    return false;
  }
  watch();
  if (!mkdtemp(file->folder)) return false;
  snprintf(file->grows, sizeof file->grows, "%s/file", file->folder);
  snprintf(file->hierarchy, sizeof file->hierarchy, "%s.hier", file->grows);
  file->owner = getpid();
  file->next = first;
  first = file;
  return true;
}

static void release(struct pmuv3_file *file) {
  forget(file);
  if (file->is_mapped) signal(SIGBUS, SIG_DFL);
  free(file->target);
  free(file);
}

void pmuv3_file_drop(struct pmuv3_file *file) {
  if (!file) return;
  if (file->out) fclose(file->out);
  clean_up(file);
  release(file);
}

static struct pmuv3_file *give_up(struct pmuv3_file *file, const char **why) {
  *why = strerror(errno);
  pmuv3_file_drop(file);
  return NULL;
}

static struct pmuv3_file *new_file(const char *path, enum pmuv3_file_kind kind, const char **why) {
  *why = pmuv3_file_wrong(path, kind);
  if (*why) return NULL;
  struct pmuv3_file *file = calloc(1, sizeof *file);
  if (!file) return give_up(NULL, why);
  file->kind = kind;
  return file;
}

/* Opens a stream, which is written in place. NULL with errno; errno is 0 for a regular file. */
static FILE *open_stream(const char *path) {
  struct stat status;
  int descriptor = descriptor_of(path);
  if (descriptor < 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode))) {
    errno = 0;
    return NULL;
  }
  fflush(stdout); /* out may be standard output: keep the order */
  descriptor = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                               : open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  FILE *out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!out && descriptor >= 0) close(descriptor);
  return out;
}

struct pmuv3_file *pmuv3_file_begin(const char *path, enum pmuv3_file_kind kind, const char **why) {
  struct pmuv3_file *file = new_file(path, kind, why);
  if (!file) return NULL;
  file->out = open_stream(path);
  if (file->out) return file;
  if (errno || !prepare(file, path)) return give_up(file, why);
  file->out = fopen(file->grows, "wxe"); /* no child writes into it */
  return file->out ? file : give_up(file, why);
}

struct pmuv3_file *pmuv3_file_begin_named(const char *path, const char *message, const char **why) {
  struct pmuv3_file *file = new_file(path, PMUV3_FILE_REGULAR, why);
  if (!file) return NULL;
  if (!prepare(file, path)) return give_up(file, why);
  snprintf(bus_message, sizeof bus_message, "%s\n", message);
  file->is_mapped = true;
  signal(SIGBUS, die_of_full_disk);
  return file;
}

FILE *pmuv3_file_stream(const struct pmuv3_file *file) {
  return file->out;
}

const char *pmuv3_file_name(const struct pmuv3_file *file) {
  return file->grows;
}

/* Whether all data was written; else errno. An earlier write may have caused the error. */
static bool close_stream(struct pmuv3_file *file) {
  if (!file->out) return true;
  const bool is_written = fflush(file->out) == 0 && !ferror(file->out);
  const int error = errno ? errno : EIO;
  const bool is_closed = fclose(file->out) == 0;
  file->out = NULL;
  if (!is_written) errno = error;
  return is_written && is_closed;
}

/* The new file gets the rights, the owner and the group of the old one. */
static const char *take_over(const struct pmuv3_file *file, const struct stat *old) {
  struct stat status;
  if (!S_ISREG(old->st_mode)) return not_regular;
  const char *why = replaced_wrong(file->target, old);
  if (!why && file->kind == PMUV3_FILE_OWN) why = pmuv3_own_wrong(file->target);
  if (why) return why;
  if (stat(file->grows, &status) != 0) return strerror(errno);
  const bool is_same = status.st_uid == old->st_uid && status.st_gid == old->st_gid;
  if (!is_same && chown(file->grows, old->st_uid, old->st_gid) != 0) return strerror(errno);
  return chmod(file->grows, old->st_mode & 0777) == 0 ? NULL : strerror(errno);
}

/* Checks the place again: another process may have changed it. */
static const char *put_in_place(const struct pmuv3_file *file) {
  struct stat status;
  const char *why = lstat(file->target, &status) == 0 ? take_over(file, &status) : NULL;
  if (!why && file->kind == PMUV3_FILE_OWN) why = pmuv3_own_add(file->grows, file->target);
  if (why) return why;
  return rename(file->grows, file->target) == 0 ? NULL : strerror(errno);
}

const char *pmuv3_file_end(struct pmuv3_file *file) {
  const char *why = close_stream(file) ? NULL : strerror(errno);
  if (!why && file->target) why = put_in_place(file);
  pmuv3_file_drop(file);
  return why;
}

const char *pmuv3_file_write(const char *path, enum pmuv3_file_kind kind, pmuv3_file_writer *write,
                             const void *context) {
  const char *why;
  struct pmuv3_file *file = pmuv3_file_begin(path, kind, &why);
  if (!file) return why;
  errno = 0;
  if (write(file->out, context)) return pmuv3_file_end(file);
  why = close_stream(file) ? "it is incomplete" : strerror(errno);
  pmuv3_file_drop(file);
  return why;
}

/* ---- Files that are read ---- */

/* Why an open file cannot be read to its end, in words. NULL: it can. */
static const char *opened_wrong(int descriptor, const char *path) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return strerror(errno);
  if (S_ISDIR(status.st_mode)) return strerror(EISDIR);
  const bool is_ours = descriptor_of(path) >= 0 || strcmp(path, "/dev/stdin") == 0;
  if (!S_ISREG(status.st_mode) && !(S_ISFIFO(status.st_mode) && is_ours)) return not_regular;
  return fcntl(descriptor, F_SETFL, 0) == 0 ? NULL : strerror(errno); /* reads may wait now */
}

FILE *pmuv3_file_open(const char *path, const char **why) {
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  *why = descriptor < 0 ? strerror(errno) : opened_wrong(descriptor, path);
  FILE *in = *why ? NULL : fdopen(descriptor, "r");
  if (in) return in;
  if (!*why) *why = strerror(errno);
  if (descriptor >= 0) close(descriptor);
  return NULL;
}

/* ---- Which files are in use ---- */

struct use {
  const char *name;
  bool is_written;
  bool is_open; /* the path is a descriptor, as standard output is */
  bool exists;  /* the file exists: device and inode identify it */
  dev_t device;
  ino_t inode;
  char *target; /* the file does not exist: its future path identifies it */
  struct use *next;
};

static struct use *uses;

static bool is_same(const struct use *a, const struct use *b) {
  if (a->exists != b->exists || (a->is_open && b->is_open)) return false;
  if (a->exists) return a->device == b->device && a->inode == b->inode;
  return strcmp(a->target, b->target) == 0;
}

/* Several uses may read one file, or write to one device. */
static const char *add_use(const char *path, struct use use) {
  struct stat status = {0};
  use.exists = stat(path, &status) == 0;
  if (use.exists && S_ISCHR(status.st_mode)) return NULL;
  use.is_open = descriptor_of(path) >= 0;
  use.device = status.st_dev;
  use.inode = status.st_ino;
  use.target = target_of(path);
  if (!use.target) return NULL;
  for (const struct use *other = uses; other; other = other->next)
    if ((use.is_written || other->is_written) && is_same(&use, other)) {
      free(use.target);
      return other->name;
    }
  struct use *added = malloc(sizeof *added);
  if (!added) return NULL;
  *added = use;
  added->next = uses;
  uses = added;
  return NULL;
}

const char *pmuv3_file_reads(const char *path, const char *name) {
  return add_use(path, (struct use){.name = name});
}

const char *pmuv3_file_writes(const char *path, const char *name) {
  return add_use(path, (struct use){.name = name, .is_written = true});
}
