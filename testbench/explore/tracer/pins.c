#define _GNU_SOURCE
#include "testbench/explore/tracer/pins.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/stimulus/lex.h"

static char *copy(const char *word) {
  char *made = strdup(word);
  if (!made) abort();
  return made;
}

static bool take_clock(struct pins *pins, struct pmuv3_lex *lex) {
  const char *signal = pmuv3_lex_word(lex);
  if (!signal) return pmuv3_lex_error(lex, "expected clock SIGNAL");
  if (pins->clock) return pmuv3_lex_error(lex, "the clock is given twice");
  pins->clock = copy(signal);
  pins->clock_line = lex->line;
  return pmuv3_lex_end(lex);
}

/* NAME SIGNAL [ones] */
static bool take_pin(struct pins *pins, struct trace_fields *fields, struct pmuv3_lex *lex,
                     char *name) {
  const char *signal = pmuv3_lex_word(lex);
  if (!signal) return pmuv3_lex_error(lex, "expected NAME SIGNAL");
  const char *wrong = trace_fields_add(fields, name);
  if (wrong) return pmuv3_lex_error(lex, "%s", wrong);
  const char *ones = pmuv3_lex_word(lex);
  if (ones && strcmp(ones, "ones") != 0)
    return pmuv3_lex_error(lex, "unknown word \"%s\"; expected ones", ones);
  pins->of[pins->count] = (struct pin){
      .signal = copy(signal), .line = lex->line, .field = pins->count, .is_ones = ones != NULL};
  pins->count++;
  return pmuv3_lex_end(lex);
}

static bool take_line(struct pins *pins, struct trace_fields *fields, struct pmuv3_lex *lex) {
  char *word = pmuv3_lex_word(lex);
  if (!word) return true;
  if (strcmp(word, "clock") == 0) return take_clock(pins, lex);
  return take_pin(pins, fields, lex, word);
}

bool pins_read(struct pins *pins, struct trace_fields *fields, FILE *in, const char *name,
               char *error, size_t error_size) {
  struct pmuv3_lex lex;
  *pins = (struct pins){0};
  bool is_good = pmuv3_lex_open(&lex, in, name, error, error_size) &&
                 pmuv3_lex_head(&lex, "pmuv3-pins", "a pins file");
  while (is_good && pmuv3_lex_line(&lex)) is_good = take_line(pins, fields, &lex);
  if (is_good && !pins->clock) is_good = pmuv3_lex_error(&lex, "there is no clock");
  if (is_good && fields->num_columns == 0) is_good = pmuv3_lex_error(&lex, "there is no event");
  pmuv3_lex_close(&lex);
  return is_good;
}

void pins_free(struct pins *pins) {
  free(pins->clock);
  for (unsigned i = 0; i < pins->count; i++) free(pins->of[i].signal);
}
