/* Command lines: argp, with this project's error messages. */
#ifndef PMUV3_CLI_H
#define PMUV3_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "testbench/cosim/cli/file.h"

#ifdef __cplusplus
extern "C" {
#define PMUV3_NORETURN [[noreturn]]
#else
#define PMUV3_NORETURN _Noreturn
#endif

/* The largest value of --jobs. */
#define PMUV3_MAX_JOBS 1024

/* Exit statuses. 0: success. 1: a divergence, or a failed expectation. */
#define PMUV3_UNUSABLE 2   /* unusable arguments, input or output */
#define PMUV3_NO_VERDICT 3 /* the work died before it had an answer */

/*
 * Every program begins with this; pmuv3_cli_parse calls it. Messages begin with `name`. At exit,
 * the program checks standard output: if standard output is closed or a write failed, the exit
 * status is PMUV3_UNUSABLE, or 1 if a divergence is noted.
 */
void pmuv3_cli_begin(const char *name);

/* In the flags of an option that may be given again. */
#define PMUV3_CLI_REPEATS 0x1000

/*
 * The entry point gives options of its own before this word. The user's options follow, and may
 * replace them.
 */
#define PMUV3_CLI_DEFAULTS_END "--defaults-end"

/*
 * Parses a command line into `input`. Messages begin with `name`. Unusable arguments give one line
 * on standard error and exit status 2. From here on, presets and sets of events that are read are
 * inputs (pmuv3_cli_note_input).
 */
void pmuv3_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input);

/* Whether pmuv3_cli_parse found an option, by its long name, behind PMUV3_CLI_DEFAULTS_END. */
bool pmuv3_cli_given(const char *name);

/* An option's number, decimal or 0x, from min to max. Any other text is unusable. */
uint64_t pmuv3_cli_number(const char *option, const char *text, uint64_t min, uint64_t max);

/*
 * Checks an output before the program runs: the file can be written, and the program does not use
 * the file otherwise. `option` is for the message. pmuv3_cli_check_output also takes streams
 * (file.h). NULL, for no file, passes.
 */
void pmuv3_cli_check_output(const char *option, const char *path);
void pmuv3_cli_check_file(const char *option, const char *path);

/* Checks a folder that exists or can be made, and the files that a program is to make in it
 * (own.h). NULL ends the names. */
void pmuv3_cli_check_folder(const char *option, const char *path, const char *const *names);

/* Notes a file that the program reads. Outputs, also those that were checked before, cannot be the
 * same file. */
void pmuv3_cli_note_input(const char *path);

/* Opens a file that the program reads (pmuv3_file_open), and notes it. A file that cannot be read
 * is unusable. */
FILE *pmuv3_cli_open_input(const char *option, const char *path);

/* Likewise, before the program names a result or changes anything: a mistyped name is an unusable
 * argument. Takes nothing out of a pipe. */
void pmuv3_cli_check_input(const char *option, const char *path);

/* Makes a checked folder if it does not exist. pmuv3_cli_begin_folder also keeps other programs out
 * until this one ends, and removes the files of these names (own.h). */
void pmuv3_cli_make_folder(const char *option, const char *path);
void pmuv3_cli_begin_folder(const char *option, const char *path, const char *const *names);

/* Writes a whole file, or leaves the old one. `write` returns false if it failed; the file is then
 * unusable. */
void pmuv3_cli_write(const char *option, const char *path, pmuv3_file_writer *write,
                     const void *context);

/* Likewise, but returns NULL, or in words why not. */
const char *pmuv3_cli_try_write(const char *path, pmuv3_file_writer *write, const void *context);

/*
 * A result that scripts read. The file of an earlier run would pass for that of a run that ends
 * without a verdict. So a program names its results once its arguments are accepted. A result that
 * was not written when the program exits is written by `write`, which gets a struct
 * pmuv3_cli_no_result. An earlier result is replaced at once, since the program may be killed, and
 * removed where the disk is full.
 *
 * The program may learn later that the file is an input. So only JSON or XML that has `mark`, or
 * PMUV3_CLI_NO_VERDICT, in its first 512 bytes is an earlier result; any other file stays. A path
 * that is NULL, for no file, passes. A program names two results at most.
 */
#define PMUV3_CLI_NO_VERDICT "no verdict"
struct pmuv3_cli_no_result {
  bool diverged; /* a divergence was noted: that is the verdict */
  const char *why;
};
void pmuv3_cli_name_result(const char *path, const char *mark, pmuv3_file_writer *write);

/* The writer of JSON: `verdict` and `reason`. */
bool pmuv3_cli_no_result_json(FILE *out, const void *no_result);

/* Likewise, for a file of a folder (own.h). */
void pmuv3_cli_write_own(const char *option, const char *path, pmuv3_file_writer *write,
                         const void *context);

/* A file that grows (pmuv3_file_begin, pmuv3_file_begin_named). pmuv3_cli_end puts the file in
 * place. */
struct pmuv3_file *pmuv3_cli_begin_output(const char *option, const char *path);
struct pmuv3_file *pmuv3_cli_begin_named(const char *option, const char *path);
void pmuv3_cli_end(const char *option, const char *path, struct pmuv3_file *file);

/* A name as messages show it, on one line. The caller frees it. */
char *pmuv3_cli_shown(const char *name);

/* A word as a shell takes it, on one line. The caller frees it. */
char *pmuv3_cli_quoted(const char *word);

/* Likewise, the name of a file or a folder: with ./ before it if it would be an option. */
char *pmuv3_cli_quoted_name(const char *name);

/* Prints one line after the program's name, and continues. */
void pmuv3_cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends with the error of a reader or a run, in words: without memory there is no verdict, else an
 * input is unusable. pmuv3_cli_failed_at: the words begin with FILE:LINE, and are printed as they
 * are. */
PMUV3_NORETURN void pmuv3_cli_failed(const char *error);
PMUV3_NORETURN void pmuv3_cli_failed_at(const char *error);

/* Prints why something is unusable, in one line after the program's name, and exits with status
 * 2. */
PMUV3_NORETURN void pmuv3_cli_unusable(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Notes a divergence, in words. If something is unusable after it, or the work dies, the program
 * also prints the last one that was noted, and exits with status 1: the divergence still counts. */
void pmuv3_cli_note_divergence(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether one is noted. A signal handler may ask. */
bool pmuv3_cli_has_diverged(void);

/* Prints why there is no verdict, and exits with status 3. */
PMUV3_NORETURN void pmuv3_cli_no_verdict(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Called in a child: SIGTERM ends the child when its parent ends, so that the child removes its
 * growing files (file.h). A child that ignores SIGTERM gets SIGKILL. `parent` is the parent's
 * process. If the parent has already ended, the child exits here. */
void pmuv3_cli_end_with(pid_t parent);

/* Runs a program without a shell, since names may have any character. `command` is the path and the
 * arguments; NULL ends them. `line` gets the first line of the output, without its end. False: the
 * program did not exit with status 0. */
bool pmuv3_cli_first_line(const char *const *command, char *line, size_t size);

#ifdef __cplusplus
}
#endif

#endif
