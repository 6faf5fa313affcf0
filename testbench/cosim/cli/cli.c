#define _GNU_SOURCE
#include "testbench/cosim/cli/cli.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/stimulus/events_text.h"

static const char *program = "pmuv3";
static pid_t process;         /* the program's process: children do not check standard output */
static char divergence[1024]; /* the last that was noted */
static bool has_said_why;     /* the program has printed why it fails */
static char last_words[4 * PATH_MAX]; /* that the program printed on standard error */

/* ---- Messages ---- */

/* A name may have any bytes. A message must be one line. */
static void make_one_line(char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text)) *text = '?';
}

char *pmuv3_cli_shown(const char *name) {
  char *shown = strdup(name);
  if (!shown) pmuv3_cli_no_verdict("out of memory");
  make_one_line(shown);
  return shown;
}

/* Bash's $'...' takes a control character in octal. */
static void quote_character(FILE *out, char character) {
  if (iscntrl((unsigned char)character))
    fprintf(out, "\\%03o", (unsigned char)character);
  else
    fprintf(out, strchr("'\\", character) ? "\\%c" : "%c", character);
}

char *pmuv3_cli_quoted(const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=@%+-";
  char *quoted = NULL;
  size_t size;
  FILE *out = open_memstream(&quoted, &size);
  if (!out) pmuv3_cli_no_verdict("out of memory");
  const bool is_plain = *word && !word[strspn(word, plain)];
  if (!is_plain) fputs("$'", out);
  for (const char *character = word; *character; character++)
    is_plain ? (void)fputc(*character, out) : quote_character(out, *character);
  if (!is_plain) fputc('\'', out);
  if (fclose(out) != 0) pmuv3_cli_no_verdict("out of memory");
  return quoted;
}

char *pmuv3_cli_quoted_name(const char *name) {
  char *named = NULL;
  if (asprintf(&named, "%s%s", *name == '-' ? "./" : "", name) < 0)
    pmuv3_cli_no_verdict("out of memory");
  char *quoted = pmuv3_cli_quoted(named);
  free(named);
  return quoted;
}

static void keep_last_words(const char *text) {
  if (getpid() == process) snprintf(last_words, sizeof last_words, "%s", text);
}

static void say(const char *format, va_list arguments) {
  char text[4 * PATH_MAX];
  vsnprintf(text, sizeof text, format, arguments);
  make_one_line(text);
  keep_last_words(text);
  fprintf(stderr, "%s: %s\n", program, text);
}

void pmuv3_cli_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

/* A divergence still counts. */
static _Noreturn void end(int status) {
  has_said_why = true;
  if (!*divergence) exit(status);
  pmuv3_cli_warn("%s", divergence);
  exit(1);
}

void pmuv3_cli_unusable(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  end(PMUV3_UNUSABLE);
}

void pmuv3_cli_note_divergence(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(divergence, sizeof divergence, format, arguments);
  va_end(arguments);
}

bool pmuv3_cli_has_diverged(void) {
  return *divergence != '\0';
}

void pmuv3_cli_no_verdict(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  end(PMUV3_NO_VERDICT);
}

static bool is_memory(const char *error) {
  static const char words[] = "out of memory";
  const size_t length = strlen(error), tail = strlen(words);
  return length >= tail && strcmp(error + length - tail, words) == 0;
}

void pmuv3_cli_failed(const char *error) {
  if (is_memory(error)) pmuv3_cli_no_verdict("%s", error);
  pmuv3_cli_unusable("%s", error);
}

void pmuv3_cli_failed_at(const char *error) {
  fprintf(stderr, "%s\n", error);
  keep_last_words(error);
  end(is_memory(error) ? PMUV3_NO_VERDICT : PMUV3_UNUSABLE);
}

/* ---- Processes ---- */

void pmuv3_cli_end_with(pid_t parent) {
  struct sigaction action;
  const bool ignores = sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
  prctl(PR_SET_PDEATHSIG, ignores ? SIGKILL : SIGTERM);
  if (getppid() != parent) _exit(PMUV3_NO_VERDICT);
}

static _Noreturn void become(const char *const *command, int out, pid_t parent) {
  pmuv3_cli_end_with(parent);
  if (dup2(out, STDOUT_FILENO) >= 0) execv(command[0], (char *const *)command);
  _exit(PMUV3_UNUSABLE);
}

/* Reads all output, so that the program does not block on a full pipe. */
static void read_first_line(int from, char *line, size_t size) {
  FILE *in = fdopen(from, "r");
  char rest[256];
  if (!in || !fgets(line, (int)size, in)) *line = '\0';
  line[strcspn(line, "\n")] = '\0';
  while (in && fgets(rest, sizeof rest, in)) continue;
  if (in) fclose(in);
}

bool pmuv3_cli_first_line(const char *const *command, char *line, size_t size) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) become(command, ends[1], parent);
  close(ends[1]);
  read_first_line(ends[0], line, size);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- Standard streams ---- */

/* Runs at exit, after the last output. */
static void check_stdout(void) {
  if (getpid() != process) return;
  errno = 0;
  const bool is_written = fflush(stdout) == 0 && !ferror(stdout);
  const int error = errno ? errno : EIO;
  if (is_written && fclose(stdout) == 0) return;
  if (!has_said_why) {
    fprintf(stderr, "%s: cannot write to standard output: %s\n", program, strerror(error));
    if (*divergence) pmuv3_cli_warn("%s", divergence);
  }
  _exit(*divergence ? 1 : PMUV3_UNUSABLE);
}

/* Opens /dev/null for a closed standard stream. Otherwise the next open file would get the stream's
 * descriptor. */
static void fill_in(int descriptor, int flags) {
  if (fcntl(descriptor, F_GETFD) >= 0) return;
  const int null = open("/dev/null", flags);
  if (null >= 0 && null != descriptor) {
    dup2(null, descriptor);
    close(null);
  }
}

void pmuv3_cli_begin(const char *name) {
  program = name;
  process = getpid();
  fill_in(STDIN_FILENO, O_RDONLY);
  const bool is_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
  fill_in(STDOUT_FILENO, O_WRONLY);
  fill_in(STDERR_FILENO, O_WRONLY);
  if (is_closed) pmuv3_cli_unusable("standard output is closed");
  atexit(check_stdout);
  signal(SIGCHLD, SIG_DFL); /* ignored, the system would wait for our children before we do */
  signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails with EFBIG */
  pmuv3_file_writes("/dev/stdout", "standard output");
  pmuv3_file_writes("/dev/stderr", "standard error");
}

/* ---- Options ---- */

/* The result of a search in the options of a program and of its children. */
struct found {
  const struct argp_option *option;
  unsigned number; /* options with this prefix; 1: the option is unique */
};

/* Hidden options are those of the entry point, which does not abbreviate them. */
static void find_long(struct found *found, const struct argp *argp, const char *name,
                      size_t length) {
  for (const struct argp_option *option = argp->options; option && option->name; option++) {
    if (strncmp(option->name, name, length) != 0 || found->number == UINT_MAX) continue;
    const bool is_exact = !option->name[length];
    if (!is_exact && (option->flags & OPTION_HIDDEN)) continue;
    found->option = option;
    found->number = is_exact ? UINT_MAX : found->number + 1;
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    find_long(found, child->argp, name, length);
}

static const struct argp_option *find_short(const struct argp *argp, int key) {
  const struct argp_option *found = NULL;
  for (const struct argp_option *option = argp->options; option && option->name; option++)
    if (option->key == key) found = option;
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    if (!found) found = find_short(child->argp, key);
  return found;
}

/* An option's value is in the same word or in the next word. Returns the number of words. */
static int words_of(const char *shown, const struct argp_option *option, const char *value,
                    bool is_last) {
  if (option->arg && !value && is_last)
    pmuv3_cli_unusable("unusable option '%s': its value, %s, is missing; see ./pmuv3 help", shown,
                       option->arg);
  return option->arg && !value ? 2 : 1;
}

enum { MOST_OPTIONS = 64 };
static const struct argp_option *given[MOST_OPTIONS];
static size_t num_given;

static bool is_given(int key) {
  for (size_t i = 0; i < num_given; i++)
    if (given[i]->key == key) return true;
  return false;
}

bool pmuv3_cli_given(const char *name) {
  for (size_t i = 0; i < num_given; i++)
    if (strcmp(given[i]->name, name) == 0) return true;
  return false;
}

/* Who gives an option twice means one of both, and nobody knows which. The key is that of its other
 * names, too. */
static void check_once(const struct argp_option *option) {
  const bool is_again = is_given(option->key);
  if (is_again && !(option->flags & PMUV3_CLI_REPEATS))
    pmuv3_cli_unusable("unusable option '--%s': it is given twice", option->name);
  if (!is_again && num_given < MOST_OPTIONS) given[num_given++] = option;
}

static int check_long(const struct argp *argp, const char *word, bool is_last) {
  struct found found = {0};
  const char *value = strchr(word, '=');
  const size_t length = strcspn(word, "=");
  find_long(&found, argp, word + 2, length - 2);
  if (length == 2 || found.number == 0)
    pmuv3_cli_unusable("unusable option '%.*s'; see ./pmuv3 help", (int)length, word);
  if (found.number > 1 && found.number < UINT_MAX)
    pmuv3_cli_unusable("unusable option '%.*s': it is ambiguous; see ./pmuv3 help", (int)length,
                       word);
  if (value && !found.option->arg)
    pmuv3_cli_unusable("unusable option '%.*s': it takes no value", (int)length, word);
  check_once(found.option);
  return words_of(word, found.option, value, is_last);
}

/* Short options in one word. Only the last may take a value. */
static int check_short(const struct argp *argp, const char *word, bool is_last) {
  for (const char *letter = word + 1; *letter; letter++) {
    const char shown[] = {'-', *letter, '\0'};
    const struct argp_option *option = find_short(argp, *letter);
    if (!option) pmuv3_cli_unusable("unusable option '%s'; see ./pmuv3 help", shown);
    check_once(option);
    if (option->arg) return words_of(shown, option, letter[1] ? letter + 1 : NULL, is_last);
  }
  return 1;
}

static void help(const struct argp *argp, char *name) {
  argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
  exit(0);
}

/* argp's messages take several lines, and do not name the unusable word. So this function checks
 * the options first, in the same way as argp. */
static void check_options(const struct argp *argp, const char *name, int first, int argc,
                          char **argv) {
  num_given = 0;
  for (int i = first, words; i < argc && strcmp(argv[i], "--") != 0; i += words) {
    const char *word = argv[i];
    words = 1;
    if (word[0] != '-' || !word[1]) continue;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) help(argp, (char *)name);
    words = word[1] == '-' ? check_long(argp, word, i + 1 == argc)
                           : check_short(argp, word, i + 1 == argc);
  }
}

/* The options before and after PMUV3_CLI_DEFAULTS_END are checked apart, and the word is taken out.
 * Returns the number of words that are left. */
static int check_parts(const struct argp *argp, const char *name, int argc, char **argv) {
  int end = 1;
  while (end < argc && strcmp(argv[end], PMUV3_CLI_DEFAULTS_END) != 0) end++;
  check_options(argp, name, 1, end, argv);
  if (end == argc) return argc;
  check_options(argp, name, end + 1, argc, argv);
  memmove(&argv[end], &argv[end + 1], (size_t)(argc - end) * sizeof *argv);
  return argc - 1;
}

void pmuv3_cli_parse(const struct argp *argp, const char *name, int argc, char **argv,
                     void *input) {
  pmuv3_cli_begin(name);
  pmuv3_named_input = pmuv3_cli_note_input;
  unsetenv("POSIXLY_CORRECT"); /* options may follow files in every environment */
  argc = check_parts(argp, name, argc, argv);
  if (argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input) != 0)
    pmuv3_cli_unusable("unusable arguments; see ./pmuv3 help");
  pmuv3_source_check();
}

uint64_t pmuv3_cli_number(const char *option, const char *text, uint64_t min, uint64_t max) {
  char *end;
  errno = 0;
  const int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
  const unsigned long long value = strtoull(text, &end, base);
  if (errno || !isdigit((unsigned char)*text) || *end || value < min || value > max)
    pmuv3_cli_unusable("%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, min,
                       max, text);
  return value;
}

/* ---- Files ---- */

static _Noreturn void cannot_write(const char *option, const char *path, const char *why) {
  pmuv3_cli_unusable("%s: cannot write '%s': %s", option, path, why);
}

static void check_use(const char *option, const char *path) {
  const char *other = pmuv3_file_writes(path, option);
  if (other) pmuv3_cli_unusable("%s: cannot write '%s': it is %s, too", option, path, other);
}

static void check(const char *option, const char *path, enum pmuv3_file_kind kind) {
  if (!path) return;
  const char *why = pmuv3_file_wrong(path, kind);
  if (why) cannot_write(option, path, why);
  check_use(option, path);
}

void pmuv3_cli_check_output(const char *option, const char *path) {
  check(option, path, PMUV3_FILE_STREAM);
}

void pmuv3_cli_check_file(const char *option, const char *path) {
  check(option, path, PMUV3_FILE_REGULAR);
}

void pmuv3_cli_note_input(const char *path) {
  const char *other = pmuv3_file_reads(path, "an input");
  if (other) pmuv3_cli_unusable("%s: cannot write '%s': it is an input, too", other, path);
}

FILE *pmuv3_cli_open_input(const char *option, const char *path) {
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in) pmuv3_cli_unusable("%s: cannot read '%s': %s", option, path, why);
  pmuv3_cli_note_input(path);
  return in;
}

void pmuv3_cli_check_input(const char *option, const char *path) {
  fclose(pmuv3_cli_open_input(option, path));
}

static void check_length(const char *option, const char *path, const char *name) {
  if (strlen(path) + strlen("/") + strlen(name) >= PATH_MAX)
    cannot_write(option, path, strerror(ENAMETOOLONG));
}

static void check_new_folder(const char *option, const char *path) {
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s", path);
  for (size_t length = strlen(name); length > 1 && name[length - 1] == '/'; length--)
    name[length - 1] = '\0';
  const char *why = pmuv3_file_wrong(name, PMUV3_FILE_REGULAR);
  if (why) pmuv3_cli_unusable("%s: cannot make '%s': %s", option, path, why);
  check_use(option, name);
}

void pmuv3_cli_check_folder(const char *option, const char *path, const char *const *names) {
  struct stat status;
  check_length(option, path, "");
  for (const char *const *name = names; *name; name++) check_length(option, path, *name);
  if (stat(path, &status) != 0) {
    check_new_folder(option, path);
    return;
  }
  if (!S_ISDIR(status.st_mode)) cannot_write(option, path, strerror(ENOTDIR));
  if (access(path, W_OK | X_OK) != 0) cannot_write(option, path, strerror(errno));
  for (; *names; names++) {
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s/%s", path, *names);
    check(option, file, PMUV3_FILE_OWN);
  }
}

void pmuv3_cli_make_folder(const char *option, const char *path) {
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    pmuv3_cli_unusable("%s: cannot make '%s': %s", option, path, strerror(errno));
}

void pmuv3_cli_begin_folder(const char *option, const char *path, const char *const *names) {
  pmuv3_cli_make_folder(option, path);
  const char *why = pmuv3_own_lock(path);
  if (!why) why = pmuv3_own_remove_all(path, names);
  if (why) pmuv3_cli_unusable("%s: cannot write to '%s': %s", option, path, why);
}

/* ---- Results ---- */

struct result {
  const char *path, *mark;
  pmuv3_file_writer *write;
};

enum { MOST_RESULTS = 2 };
static struct result results[MOST_RESULTS]; /* that are not written yet */
static size_t num_results;

static void forget_result(const char *path) {
  size_t r = 0;
  while (r < num_results && strcmp(results[r].path, path) != 0) r++;
  if (r < num_results) results[r] = results[--num_results];
}

static bool is_earlier(const struct result *result) {
  char head[512 + 1];
  FILE *in = fopen(result->path, "r");
  const size_t length = in ? fread(head, 1, sizeof head - 1, in) : 0;
  if (in) fclose(in);
  head[length] = '\0';
  const bool is_json_or_xml = *head == '{' || *head == '[' || *head == '<';
  return is_json_or_xml && (strstr(head, result->mark) || strstr(head, PMUV3_CLI_NO_VERDICT));
}

/* Whether a file was not written for want of room. */
static bool lacks_room(const char *why) {
  static const int errors[] = {ENOSPC, EDQUOT, EFBIG};
  for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
    if (strcmp(why, strerror(errors[e])) == 0) return true;
  return false;
}

/* An earlier result, where a full disk takes no new one: then there may be room. */
static bool remove_earlier(const struct result *result, const char *target) {
  struct stat status;
  return stat(target, &status) == 0 && S_ISREG(status.st_mode) && is_earlier(result) &&
         unlink(target) == 0;
}

/* The message that says why there is no result is the last word: this function prints nothing. */
static void write_no_result(const struct result *result, const char *why) {
  const struct pmuv3_cli_no_result no_result = {.diverged = *divergence,
                                                .why = *divergence ? divergence : why};
  const char *wrong = pmuv3_file_write(result->path, PMUV3_FILE_STREAM, result->write, &no_result);
  if (!wrong || !lacks_room(wrong)) return;
  char *target = realpath(result->path, NULL); /* a link would lead nowhere */
  if (target && remove_earlier(result, target))
    pmuv3_file_write(target, PMUV3_FILE_STREAM, result->write, &no_result);
  free(target);
}

/* Runs at exit. */
static void end_results(void) {
  static const char unknown[] = "the program ended early; its standard error may say why";
  struct stat status;
  if (getpid() != process) return;
  while (num_results > 0) {
    const struct result result = results[--num_results];
    const bool is_file = stat(result.path, &status) == 0 && S_ISREG(status.st_mode);
    if (!is_file || is_earlier(&result))
      write_no_result(&result, *last_words ? last_words : unknown);
  }
}

void pmuv3_cli_name_result(const char *path, const char *mark, pmuv3_file_writer *write) {
  struct stat status;
  if (!path) return;
  assert(num_results < MOST_RESULTS);
  if (num_results == 0) atexit(end_results);
  const struct result result = {path, mark, write};
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && is_earlier(&result))
    write_no_result(&result, "the program was ended");
  results[num_results++] = result;
}

bool pmuv3_cli_no_result_json(FILE *out, const void *context) {
  const struct pmuv3_cli_no_result *no_result = context;
  json_object *root = json_object_new_object();
  json_object_object_add(
      root, "verdict",
      json_object_new_string(no_result->diverged ? "diverged" : PMUV3_CLI_NO_VERDICT));
  json_object_object_add(root, "reason", pmuv3_json_text(no_result->why));
  fprintf(out, "%s\n", json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY));
  json_object_put(root);
  return fflush(out) == 0 && !ferror(out);
}

/* ---- Files that are written ---- */

const char *pmuv3_cli_try_write(const char *path, pmuv3_file_writer *write, const void *context) {
  const char *why = pmuv3_file_write(path, PMUV3_FILE_STREAM, write, context);
  if (!why) forget_result(path);
  return why;
}

void pmuv3_cli_write(const char *option, const char *path, pmuv3_file_writer *write,
                     const void *context) {
  const char *why = pmuv3_cli_try_write(path, write, context);
  if (why) cannot_write(option, path, why);
}

void pmuv3_cli_write_own(const char *option, const char *path, pmuv3_file_writer *write,
                         const void *context) {
  const char *why = pmuv3_file_write(path, PMUV3_FILE_OWN, write, context);
  if (why) cannot_write(option, path, why);
}

struct pmuv3_file *pmuv3_cli_begin_output(const char *option, const char *path) {
  const char *why;
  struct pmuv3_file *file = pmuv3_file_begin(path, PMUV3_FILE_STREAM, &why);
  if (!file) cannot_write(option, path, why);
  return file;
}

struct pmuv3_file *pmuv3_cli_begin_named(const char *option, const char *path) {
  char message[2 * PATH_MAX];
  const char *why;
  char *shown = pmuv3_cli_shown(path);
  snprintf(message, sizeof message, "%s: %s: cannot write '%s': %s", program, option, shown,
           strerror(ENOSPC));
  free(shown);
  struct pmuv3_file *file = pmuv3_file_begin_named(path, message, &why);
  if (!file) cannot_write(option, path, why);
  return file;
}

void pmuv3_cli_end(const char *option, const char *path, struct pmuv3_file *file) {
  const char *why = pmuv3_file_end(file);
  if (why) cannot_write(option, path, why);
}
