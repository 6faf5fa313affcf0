#define _POSIX_C_SOURCE 200809L
#include "engine/smt/certifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/sat/sat.h"
#include "engine/smt/smtlib.h"
#include "engine/term/checked.h"

#define PROVE "prove "

/* ---- The process ---- */

/* What it works with: questions under the same assumptions share one sat. */
struct work {
  const struct query *queries;
  const struct query *query; /* that was asked last */
  struct sat *sat;
  FILE *out;
};

static bool assume_the_same(const struct query *a, const struct query *b) {
  const size_t size = a->num_assumptions * sizeof *a->assumptions;
  return a->num_assumptions == b->num_assumptions &&
         (size == 0 || memcmp(a->assumptions, b->assumptions, size) == 0);
}

static void prove(struct work *work, size_t number) {
  static const char *const words[] = {
      [SAT_PROVED] = "unsat",
      [SAT_REFUTED] = "sat",
      [SAT_REJECTED] = CERTIFIER_REJECTED,
  };
  const struct query *query = &work->queries[number];
  if (work->query == NULL || !assume_the_same(work->query, query)) {
    sat_free(work->sat);
    work->sat = sat_new(query->assumptions, query->num_assumptions);
  }
  work->query = query;
  fprintf(work->out, "%s\n", words[sat_ask(work->sat, query->condition)]);
}

static void put_values(const struct work *work) {
  struct smtlib_writer *writer = smtlib_writer_new();
  struct smtlib_query *written = smtlib_write(writer, work->query);
  smtlib_put_values(work->out, written, sat_value, work->sat);
  smtlib_query_free(written);
  smtlib_writer_free(writer);
}

/* As a solver does: it says the text, with which the answer ends. */
static void echo(const struct work *work, const char *line) {
  const char *text = strchr(line, '"');
  if (text == NULL) return;
  fprintf(work->out, "%.*s\n", (int)strcspn(text + 1, "\""), text + 1);
  fflush(work->out);
}

static void obey(struct work *work, const char *line) {
  if (strncmp(line, PROVE, strlen(PROVE)) == 0)
    prove(work, strtoul(line + strlen(PROVE), NULL, 10));
  else if (strcmp(line, CERTIFIER_VALUES) == 0)
    put_values(work);
  else
    echo(work, line);
}

static void obey_all(int socket, void *with) {
  struct work work = {.queries = with, .out = checked(fdopen(socket, "w"))};
  FILE *in = checked(fdopen(dup(socket), "r"));
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, in) > 0) obey(&work, line);
}

/* ---- Whoever asks it ---- */

bool certifier_start(struct solver_process *process, const struct query *queries) {
  return solver_process_fork(process, obey_all, (void *)queries);
}

void certifier_command(size_t query, char command[CERTIFIER_COMMAND_SIZE]) {
  snprintf(command, CERTIFIER_COMMAND_SIZE, PROVE "%zu\n", query);
}
