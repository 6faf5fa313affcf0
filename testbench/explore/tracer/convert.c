#define _GNU_SOURCE
#include "testbench/explore/tracer/convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/wave/fst.h"
#include "testbench/explore/tracer/csv.h"
#include "testbench/explore/tracer/wave.h"

struct conversion {
  const char *generator;
  char *command;
  const char *path;
  char *from; /* names, as messages show them */
  char *pins; /* NULL: none are given */
  char error[4096 + 512];
};

/* The first byte, which stays to be read. */
static int peek(FILE *in) {
  const int byte = getc(in);
  if (byte != EOF) ungetc(byte, in);
  return byte;
}

/* ---- A wave ---- */

static void say_skipped(const struct conversion *conversion, uint64_t skipped) {
  if (skipped > 0)
    pmuv3_cli_warn("%s: no cycles of the first %" PRIu64 " edges: a pin had no value yet",
                   conversion->from, skipped);
}

static bool convert_signals(struct conversion *conversion, FILE *in, const struct pins *pins,
                            struct trace_fields *fields, FILE *out) {
  const struct wave_names names = {.path = conversion->path,
                                   .wave = conversion->from,
                                   .pins = conversion->pins,
                                   .generator = conversion->generator,
                                   .command = conversion->command};
  uint64_t skipped;
  const bool is_good = wave_convert(in, out, &names, pins, fields, &skipped, conversion->error,
                                    sizeof conversion->error);
  if (is_good) say_skipped(conversion, skipped);
  return is_good;
}

static bool convert_wave(struct conversion *conversion, FILE *in, FILE *pins_file, FILE *out) {
  struct pins pins;
  struct trace_fields *fields = trace_fields_new();
  if (!fields) pmuv3_cli_no_verdict("out of memory");
  bool is_good = pins_read(&pins, fields, pins_file, conversion->pins, conversion->error,
                           sizeof conversion->error);
  if (is_good) is_good = convert_signals(conversion, in, &pins, fields, out);
  pins_free(&pins);
  trace_fields_free(fields);
  return is_good;
}

/* ---- All ---- */

static void expect_csv(const struct conversion *conversion, FILE *in) {
  const int first = peek(in);
  if (first == '$' || fst_is(first))
    pmuv3_cli_unusable("--from: '%s' is a wave: expected --pins FILE, too", conversion->path);
}

static char *command_of(const struct conversion *conversion) {
  char *command = NULL;
  const int length = conversion->pins ? asprintf(&command, "--from %s --pins %s", conversion->from,
                                                 conversion->pins)
                                      : asprintf(&command, "--from %s", conversion->from);
  if (length < 0) pmuv3_cli_no_verdict("out of memory");
  return command;
}

void convert(const char *from, const char *pins, const char *generator, FILE *out) {
  struct conversion conversion = {.generator = generator,
                                  .path = from,
                                  .from = pmuv3_cli_shown(from),
                                  .pins = pins ? pmuv3_cli_shown(pins) : NULL};
  FILE *in = pmuv3_cli_open_input("--from", from);
  FILE *pins_file = pins ? pmuv3_cli_open_input("--pins", pins) : NULL;
  conversion.command = command_of(&conversion);
  if (!pins) expect_csv(&conversion, in);
  const bool is_good = pins ? convert_wave(&conversion, in, pins_file, out)
                            : csv_convert(in, conversion.from, out, generator, conversion.command,
                                          conversion.error, sizeof conversion.error);
  if (!is_good) pmuv3_cli_failed(conversion.error);
  if (pins)
    fclose(pins_file);
  else
    fclose(in);
  free(conversion.command);
  free(conversion.from);
  free(conversion.pins);
}
