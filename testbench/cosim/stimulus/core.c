#define _GNU_SOURCE
#include "testbench/cosim/stimulus/core.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/param_lines.h"

static const char suffix[] = ".core";

/* Formats an error message. The message stays valid until the calling thread's next error. */
__attribute__((format(printf, 1, 2))) static const char *wrong(const char *format, ...) {
  static _Thread_local char text[2 * PATH_MAX];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

/* ---- The folder ---- */

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Looks in every folder above a file. */
static bool look_above(char folder[PATH_MAX], const char *file) {
  static const char *const places[] = {"share/pmuv3/cores", "cmodel/cores"};
  char above[PATH_MAX];
  if (!realpath(file, above)) return false;
  for (char *slash; (slash = strrchr(above, '/'));) {
    *slash = '\0';
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
      if (snprintf(folder, PATH_MAX, "%s/%s", above, places[p]) < PATH_MAX && is_folder(folder))
        return true;
  }
  return false;
}

/* The variable comes first: an installed package of other sources may lie above a program. */
const char *pmuv3_cores_folder(void) {
  static _Thread_local char folder[PATH_MAX];
  Dl_info here;
  const char *given = getenv("PMUV3_CORES");
  if (given && given[0] != '\0') return given;
  if (dladdr(suffix, &here) && here.dli_fname && look_above(folder, here.dli_fname)) return folder;
  if (look_above(folder, "/proc/self/exe")) return folder;
  return "";
}

/* ---- Names ---- */

static int is_preset(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > strlen(suffix) &&
         strcmp(entry->d_name + length - strlen(suffix), suffix) == 0;
}

char **pmuv3_core_names(void) {
  struct dirent **entries = NULL;
  const int found = scandir(pmuv3_cores_folder(), &entries, is_preset, versionsort);
  const size_t count = found > 0 ? (size_t)found : 0;
  char **names = calloc(count + 1, sizeof *names);
  for (size_t e = 0; e < count; e++) {
    const char *name = entries[e]->d_name;
    if (names) names[e] = strndup(name, strlen(name) - strlen(suffix));
    free(entries[e]);
  }
  free(entries);
  return names;
}

void pmuv3_core_names_free(char **names) {
  for (char **name = names; name && *name; name++) free(*name);
  free(names);
}

/* How many letters must change, come or go to make one word of the other; long words are cut. */
static unsigned distance(const char *a, const char *b) {
  enum { LONGEST = 40 };
  unsigned row[LONGEST + 1];
  const size_t width = strnlen(b, LONGEST);
  for (unsigned j = 0; j <= width; j++) row[j] = j;
  for (size_t i = 0; i < strnlen(a, LONGEST); i++) {
    unsigned diagonal = row[0]++;
    for (size_t j = 1; j <= width; j++) {
      const unsigned changed = diagonal + (a[i] != b[j - 1]);
      diagonal = row[j];
      const unsigned shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
      row[j] = changed < shorter + 1 ? changed : shorter + 1;
    }
  }
  return row[width];
}

/* The names nearest to a word: "a, b or c". */
static void list_nearest(char *text, size_t size, char **names, const char *word) {
  enum { NEAREST = 3 };
  const char *nearest[NEAREST] = {NULL};
  for (; *names; names++) {
    size_t n = 0;
    while (n < NEAREST && nearest[n] && distance(word, nearest[n]) <= distance(word, *names)) n++;
    if (n == NEAREST) continue;
    memmove(&nearest[n + 1], &nearest[n], (NEAREST - 1 - n) * sizeof *nearest);
    nearest[n] = *names;
  }
  size_t length = 0;
  for (size_t n = 0; n < NEAREST && nearest[n] && length < size; n++) {
    const bool is_last = n + 1 == NEAREST || !nearest[n + 1];
    const char *between = n == 0 ? "" : is_last ? " or " : ", ";
    length += (size_t)snprintf(text + length, size - length, "%s%s", between, nearest[n]);
  }
}

static const char *unknown(const char *name) {
  char nearest[256] = "";
  char **names = pmuv3_core_names();
  if (!names) return "out of memory";
  list_nearest(nearest, sizeof nearest, names, name);
  pmuv3_core_names_free(names);
  if (!*nearest)
    return wrong(
        "core \"%.40s\": there are no presets in \"%.200s\"; expected them in the folder "
        "that PMUV3_CORES names",
        name, pmuv3_cores_folder());
  return wrong("core \"%.40s\" is unknown; expected one that ./pmuv3 cores lists, as %s", name,
               nearest);
}

const char *pmuv3_core_path(char *path, size_t size, const char *value, const char *beside) {
  static const char too_long[] = "the path of core= is too long; expected a preset";
  if (strchr(value, '/')) return pmuv3_path_beside(path, size, beside, value) ? NULL : too_long;
  const int length = snprintf(path, size, "%s/%s%s", pmuv3_cores_folder(), value, suffix);
  if (length < 0 || (size_t)length >= size) return too_long;
  struct stat status;
  return *value && stat(path, &status) == 0 ? NULL : unknown(value);
}

/* ---- Reading ---- */

static bool read_lines(struct pmuv3_lex *lex, struct pmuv3_param_lines *lines) {
  if (!pmuv3_lex_head(lex, "pmuv3-core", "a preset of a core")) return false;
  while (pmuv3_lex_line(lex)) {
    const char *word = pmuv3_lex_word(lex);
    if (!word) continue;
    if (strcmp(word, "param") != 0)
      return pmuv3_lex_error(lex, "unknown word \"%.40s\"; expected param", word);
    if (!pmuv3_param_line(lines, lex)) return false;
  }
  struct pmuv3_params read = *lines->params;
  struct pmuv3_param_lines completed = *lines;
  completed.params = &read;
  return pmuv3_param_lines_end(&completed, lex);
}

bool pmuv3_core_read(struct pmuv3_params *params, FILE *in, const char *name, char *error,
                     size_t error_size) {
  struct pmuv3_lex lex;
  struct pmuv3_params read = pmuv3_params_default();
  struct pmuv3_param_lines lines = {.params = &read, .is_core = true};
  const bool good = pmuv3_lex_open(&lex, in, name, error, error_size) && read_lines(&lex, &lines);
  pmuv3_lex_close(&lex);
  if (good) *params = read;
  return good;
}

bool pmuv3_core_read_value(struct pmuv3_params *params, const char *value, struct pmuv3_lex *lex) {
  char path[PATH_MAX];
  if (strchr(value, '/') && !pmuv3_lex_may_name(lex, "core", value)) return false;
  const char *why = pmuv3_core_path(path, sizeof path, value, lex->name);
  if (why) return pmuv3_lex_error(lex, "%s", why);
  FILE *in = pmuv3_events_open(path, &why);
  if (!in)
    return pmuv3_lex_error(lex, "core=%.200s cannot be opened: %s; expected a preset", value, why);
  const bool good = pmuv3_core_read(params, in, path, lex->error, lex->error_size);
  fclose(in);
  return good;
}

const char *pmuv3_core_set(struct pmuv3_params *params, const char *value) {
  static _Thread_local char error[PATH_MAX + 512];
  char path[PATH_MAX];
  const char *why = pmuv3_core_path(path, sizeof path, value, "");
  if (why) return why;
  FILE *in = pmuv3_events_open(path, &why);
  if (!in) return wrong("core %.200s cannot be opened: %s; expected a preset", value, why);
  const bool good = pmuv3_core_read(params, in, path, error, sizeof error);
  fclose(in);
  return good ? NULL : error;
}
