/* Command lines: argp, with errors as this project has them. */
#ifndef PMUV3_CLI_H
#define PMUV3_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The most that --jobs takes. */
#define PMUV3_MAX_JOBS 1024

/* Exit status of unusable arguments or input. */
#define PMUV3_UNUSABLE 2

/*
 * Parses a command line into `input`; `name` is what messages call the
 * program. Anything unusable is one line on standard error, exit status 2.
 */
void pmuv3_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input);

/* An option's number, decimal or 0x, from min to max; anything else is unusable. */
uint64_t pmuv3_cli_number(const char *option, const char *text, uint64_t min, uint64_t max);

/*
 * Checks that a file can be written, before anything is run for it; `option`
 * is for the message. NULL for no file is well.
 */
void pmuv3_cli_check_output(const char *option, const char *path);

/*
 * Writes a file whole or not at all, under a name beside it first, unless it is a
 * device or a pipe. `write` returns whether it could; if not, the file is unusable.
 */
void pmuv3_cli_write(const char *option, const char *path,
                     bool (*write)(FILE *out, const void *context), const void *context);

/* Says what is unusable, in one line after the program's name, and exits with status 2. */
_Noreturn void pmuv3_cli_unusable(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
