/* Command lines: argp, with errors as this project has them. */
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

/* The most that --jobs takes. */
#define PMUV3_MAX_JOBS 1024

/* Exit statuses beside 0, all held, and 1, a divergence or a failed expectation. */
#define PMUV3_UNUSABLE 2   /* unusable arguments, input or output */
#define PMUV3_NO_VERDICT 3 /* the work died before it had an answer */

/*
 * What every program begins with; pmuv3_cli_parse does it. `name` is what messages call the
 * program. From then on standard output is checked: where it is closed, or does not take what the
 * program said, the exit status is PMUV3_UNUSABLE.
 */
void pmuv3_cli_begin(const char *name);

/*
 * Parses a command line into `input`; `name` is what messages call the
 * program. Anything unusable is one line on standard error, exit status 2.
 */
void pmuv3_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input);

/* An option's number, decimal or 0x, from min to max; anything else is unusable. */
uint64_t pmuv3_cli_number(const char *option, const char *text, uint64_t min, uint64_t max);

/*
 * Checks, before anything is run for it, that a file can be written and is no other that the
 * program reads or writes; `option` is for the message. The first takes streams, too (file.h). NULL
 * for no file is well.
 */
void pmuv3_cli_check_output(const char *option, const char *path);
void pmuv3_cli_check_file(const char *option, const char *path);

/* Likewise a folder that is there or can be made, and the files in it, whose names NULL ends. */
void pmuv3_cli_check_folder(const char *option, const char *path, const char *const *names);

/* Notes a file that the program reads, which so is none that it writes. */
void pmuv3_cli_check_input(const char *path);

/* Makes a folder that was checked, unless it is there. */
void pmuv3_cli_make_folder(const char *option, const char *path);

/* Writes a file whole or not at all. `write` returns whether it could; if not, the file is
 * unusable. */
void pmuv3_cli_write(const char *option, const char *path, pmuv3_file_writer *write,
                     const void *context);

/* A file that grows, of pmuv3_file_begin or pmuv3_file_begin_named. pmuv3_cli_end puts it in its
 * place. */
struct pmuv3_file *pmuv3_cli_begin_output(const char *option, const char *path);
struct pmuv3_file *pmuv3_cli_begin_named(const char *option, const char *path);
void pmuv3_cli_end(const char *option, const char *path, struct pmuv3_file *file);

/* A name as messages show it: on one line. The caller frees it. */
char *pmuv3_cli_shown(const char *name);

/* Says something in one line after the program's name, and goes on. */
void pmuv3_cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what is unusable, in one line after the program's name, and exits with status 2. */
PMUV3_NORETURN void pmuv3_cli_unusable(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Likewise, why there is no answer, and exits with status 3. */
PMUV3_NORETURN void pmuv3_cli_no_verdict(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* In a child: ends it when its parent ends, by SIGTERM, so that it removes what it was writing
 * (file.h). A child that ignores SIGTERM gets SIGKILL. `parent` is the parent's process; if it has
 * ended already, the child ends here. */
void pmuv3_cli_end_with(pid_t parent);

/* Runs a program, without a shell: names may have any character. `command` is its path and its
 * arguments, which NULL ends. The first line that it prints is in `line`, without its end. False:
 * it did not end with status 0. */
bool pmuv3_cli_first_line(const char *const *command, char *line, size_t size);

#ifdef __cplusplus
}
#endif

#endif
