/* `pmuv3 trace`: what occurs in each cycle of a program on the core model, as a .pmt. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/explore/tracer/convert.h"
#include "testbench/explore/tracer/guest.h"
#include "testbench/explore/tracer/options.h"
#include "testbench/explore/tracer/recorder.h"

static const char *out_path;

static _Noreturn void cannot_write(const char *why) {
  pmuv3_cli_unusable("cannot write '%s': %s", out_path, why);
}

static void failed_to_record(const char *why) {
  cannot_write(why);
}

/* ---- The header ---- */

enum { GENERATOR_SIZE = 64 };

static void name_generator(char generator[GENERATOR_SIZE]) {
  snprintf(generator, GENERATOR_SIZE, "pmuv3 trace %s", pmuv3_source);
}

/* The program's variables, the program and its arguments, as a shell takes them. The caller frees
 * it. */
static char *command_text(const struct trace_options *options) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) pmuv3_cli_no_verdict("out of memory");
  for (size_t v = 0; options->variables[v]; v++) {
    const size_t name = strcspn(options->variables[v], "=");
    char *value = pmuv3_cli_quoted(options->variables[v] + name + 1);
    fprintf(out, "%.*s=%s ", (int)name, options->variables[v], value);
    free(value);
  }
  for (size_t i = 0; options->arguments[i]; i++) {
    char *word = pmuv3_cli_quoted(options->arguments[i]);
    fprintf(out, i == 0 ? "%s" : " %s", word);
    free(word);
  }
  if (fclose(out) != 0) pmuv3_cli_no_verdict("out of memory");
  return text;
}

static char *core_text(const struct core_params *params) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) pmuv3_cli_no_verdict("out of memory");
  core_params_write(out, params, " ");
  if (fclose(out) != 0) pmuv3_cli_no_verdict("out of memory");
  return text;
}

static struct pmt_writer *begin_writer(const struct trace_options *options, FILE *out) {
  struct pmt_column columns[NUM_COLUMNS];
  char generator[GENERATOR_SIZE];
  const char *why;
  for (unsigned i = 0; i < options->num_chosen; i++)
    columns[i] = recorder_column(options->chosen[i]);
  name_generator(generator);
  char *command = command_text(options), *core = core_text(&options->core);
  const struct pmt_header header = {.threads = 1,
                                    .num_columns = (uint16_t)options->num_chosen,
                                    .columns = columns,
                                    .generator = generator,
                                    .command = command,
                                    .core = core};
  struct pmt_writer *writer = pmt_writer_open(out, &header, &why);
  if (!writer) cannot_write(why);
  free(command);
  free(core);
  return writer;
}

/* ---- The program ---- */

/* The plugin is beside this program. */
static void find_plugin(char path[PATH_MAX]) {
  static const char name[] = "pmuv3-trace-plugin.so";
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
  if (length < 0) pmuv3_cli_no_verdict("cannot read /proc/self/exe: %s", strerror(errno));
  path[length] = '\0';
  strcpy(strrchr(path, '/') + 1, name);
}

static void say_end(const char *program, const struct guest_end *end) {
  if (WIFSIGNALED(end->status))
    pmuv3_cli_warn("%s was ended by signal %d: the trace ends there, and may not be whole", program,
                   WTERMSIG(end->status));
  else if (WEXITSTATUS(end->status) != 0)
    pmuv3_cli_warn("%s ended with status %d", program, WEXITSTATUS(end->status));
  if (end->is_replaced)
    pmuv3_cli_warn("%s became another program (execve): the trace ends there", program);
  if (end->has_threads)
    pmuv3_cli_warn("%s has several threads: the trace is of the first one", program);
  if (end->clears > 0)
    pmuv3_cli_warn("%s executed %" PRIu64 " DC ZVA: stores whose accesses are not in the trace",
                   program, end->clears);
}

static void say_speed(const struct guest_end *end, uint64_t cycles, double seconds) {
  pmuv3_cli_warn("%" PRIu64 " instructions in %" PRIu64 " cycles, %.1f M instructions/s",
                 end->instructions, cycles, 1e-6 * (double)end->instructions / seconds);
}

/* Whether `out` writes where a standard stream does. A device, as /dev/null, keeps nothing. */
static bool is_stream(FILE *out, int standard) {
  struct stat trace, stream;
  return fstat(fileno(out), &trace) == 0 && fstat(standard, &stream) == 0 &&
         !S_ISCHR(trace.st_mode) && trace.st_dev == stream.st_dev && trace.st_ino == stream.st_ino;
}

/* Returns whether the program ended by itself. A signal may be its own, or may have ended QEMU
 * anywhere. */
static bool trace_program(const struct trace_options *options, struct pmt_writer *writer,
                          FILE *out) {
  static struct core core;
  char plugin[PATH_MAX];
  find_plugin(plugin);
  const struct guest_command command = {.program = options->program,
                                        .arguments = options->arguments,
                                        .variables = options->variables,
                                        .root = options->root,
                                        .plugin = plugin,
                                        .writes_to_stderr = is_stream(out, STDOUT_FILENO)};
  struct guest_end end;
  struct recorder *recorder =
      recorder_begin(writer, options->chosen, options->num_chosen, failed_to_record);
  if (!recorder || !core_init(&core, &options->core, recorder_take, recorder))
    pmuv3_cli_no_verdict("out of memory");
  const double start = pmuv3_now();
  const char *why = guest_run(&command, &core, &end);
  if (!why && end.instructions == 0) why = "QEMU did not start it";
  if (why && end.instructions == 0 && WIFSIGNALED(end.status))
    pmuv3_cli_no_verdict("QEMU was ended by signal %d before '%s' began", WTERMSIG(end.status),
                         command.program);
  if (why) pmuv3_cli_unusable("cannot trace '%s': %s", command.program, why);
  core_finish(&core);
  recorder_end(recorder);
  char *shown = pmuv3_cli_shown(command.arguments[0]);
  say_end(shown, &end);
  say_speed(&end, pmt_writer_cycles(writer), pmuv3_now() - start);
  free(shown);
  core_free(&core);
  return WIFEXITED(end.status);
}

static void check_program(const struct trace_options *options) {
  const char *why = guest_wrong(options->program, options->root);
  if (why) pmuv3_cli_unusable("cannot trace '%s': %s", options->program, why);
  pmuv3_cli_note_input(options->program);
}

/* ---- All ---- */

/* Messages, and what the program writes, are no part of the trace. */
static bool record(const struct trace_options *options, FILE *out) {
  if (is_stream(out, STDERR_FILENO)) cannot_write("standard error goes there, too");
  struct pmt_writer *writer = begin_writer(options, out);
  const bool is_whole = trace_program(options, writer, out);
  const char *why = pmt_writer_close(writer);
  if (why) cannot_write(why);
  return is_whole;
}

static bool convert_input(const struct trace_options *options, FILE *out) {
  char generator[GENERATOR_SIZE];
  name_generator(generator);
  convert(options->from, options->pins, generator, out);
  return true;
}

int main(int argc, char **argv) {
  const struct trace_options options = trace_options_parse(argc, argv);
  out_path = options.out;
  if (!options.from) check_program(&options);
  struct pmuv3_file *file = pmuv3_cli_begin_output("OUT.pmt", options.out);
  FILE *out = pmuv3_file_stream(file);
  const bool is_whole = options.from ? convert_input(&options, out) : record(&options, out);
  pmuv3_cli_end("OUT.pmt", options.out, file);
  return is_whole ? 0 : PMUV3_NO_VERDICT;
}
