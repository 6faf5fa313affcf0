#include "testbench/signoff/evidence/database_files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"

/* The suffixes of SQLite's own files beside a database, and how such a file begins. */
static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
static const struct beginning {
  size_t size;
  unsigned char bytes[8];
} beginnings[] = {{3, {0x37, 0x7F, 0x06}},
                  {4, {0x18, 0xE2, 0x2D, 0x00}},
                  {8, {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7}}};
#define NUM_SUFFIXES (sizeof suffixes / sizeof *suffixes)

static void join(char name[PATH_MAX], const char *first, const char *second) {
  if (snprintf(name, PATH_MAX, "%s%s", first, second) >= PATH_MAX)
    pmuv3_cli_unusable("%s%s: %s", first, second, strerror(ENAMETOOLONG));
}

/* A file that SQLite has just made is empty or begins with zeros. */
static bool begins_as(const char *name, const struct beginning *beginning) {
  unsigned char bytes[sizeof beginning->bytes] = {0};
  const int file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT;
  const ssize_t size = read(file, bytes, beginning->size);
  close(file);
  if (size < 0) return false;
  if (memcmp(bytes, (const unsigned char[sizeof bytes]){0}, beginning->size) == 0) return true;
  return memcmp(bytes, beginning->bytes, beginning->size) == 0;
}

/* SQLite removes such a file when it makes a database. Another process may be making this database,
 * and makes the database file first. So the database file is checked last. Beside a database,
 * SQLite takes any file of such a name for its own. */
void pmuv3_database_expect_none_beside(const char *option, const char *path) {
  struct stat status;
  char *target = realpath(path, NULL); /* SQLite's files are beside the target of a link */
  for (size_t i = 0; i < NUM_SUFFIXES; i++) {
    char name[PATH_MAX];
    join(name, target ? target : path, suffixes[i]);
    if (lstat(name, &status) == 0 && access(path, F_OK) != 0)
      pmuv3_cli_unusable("%s: cannot make '%s': there is a '%s', which is no database's", option,
                         path, name);
    if (!begins_as(name, &beginnings[i]))
      pmuv3_cli_unusable("%s: cannot use '%s': there is a '%s', which is not SQLite's", option,
                         path, name);
  }
  free(target);
}

/* The real path of a file, or of the folder that it is to be in. NULL: there is none. */
static char *real_path(const char *path) {
  char *real = realpath(path, NULL), *parent = strdup(path);
  if (!real && parent) real = realpath(dirname(parent), NULL);
  free(parent);
  return real;
}

void pmuv3_database_check_apart(const char *option, const char *path) {
  static const char *const folders[] = {"cmodel", "rtl", "tlm_wrapper", "testbench"};
  char *real = real_path(path);
  for (size_t i = 0; real && i < sizeof folders / sizeof *folders; i++) {
    char name[PATH_MAX];
    join(name, PMUV3_EVIDENCE "/../../../", folders[i]);
    char *folder = realpath(name, NULL);
    const size_t length = folder ? strlen(folder) : 0;
    if (folder && strncmp(real, folder, length) == 0 && strchr("/", real[length]))
      pmuv3_cli_unusable("%s: '%s' is among the sources", option, path);
    free(folder);
  }
  free(real);
}

void pmuv3_database_check(const char *option, const char *path) {
  pmuv3_database_check_apart(option, path);
  pmuv3_cli_check_file(option, path);
  pmuv3_database_expect_none_beside(option, path);
  for (size_t i = 0; i < NUM_SUFFIXES; i++) {
    char name[PATH_MAX];
    join(name, path, suffixes[i]);
    pmuv3_cli_check_file(option, name);
  }
}

void pmuv3_database_check_input(const char *path) {
  pmuv3_cli_note_input(path);
  for (size_t i = 0; i < NUM_SUFFIXES; i++) {
    char name[PATH_MAX];
    join(name, path, suffixes[i]);
    pmuv3_cli_note_input(name);
  }
}

/* SQLite finds the locks and the log of a database by its name: under two names, two processes
 * destroy it. */
void pmuv3_database_expect_one_name(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0 && status.st_nlink > 1)
    pmuv3_cli_unusable("%s: the database has another name, too (a hard link); copy it", path);
}

bool pmuv3_database_is_writable(const char *path) {
  char *target = realpath(path, NULL);
  if (!target) return true; /* SQLite says why not */
  const bool is_file_writable = access(target, W_OK) == 0;
  *strrchr(target, '/') = '\0';
  const bool is_writable = is_file_writable && access(*target ? target : "/", W_OK) == 0;
  free(target);
  return is_writable;
}

bool pmuv3_database_has_log(const char *path) {
  char name[PATH_MAX];
  struct stat status;
  char *target = realpath(path, NULL);
  join(name, target ? target : path, suffixes[0]);
  free(target);
  return stat(name, &status) == 0 && status.st_size > 0;
}
