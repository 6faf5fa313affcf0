#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "engine/smt/certifier.h"
#include "engine/smt/clock.h"
#include "engine/smt/smtlib.h"
#include "engine/smt/solver.h"
#include "engine/smt/solver_process.h"
#include "engine/term/checked.h"

static const double reading = 20; /* times as long as a question may take, before the first */

static const char *const z3[] = {"z3", "-in", NULL};
static const char *const cvc5[] = {"cvc5", "--lang=smt2.6", "--bitblast=eager", "--incremental",
                                   NULL};

/* What it answers to these commands; "late" if not in time. */
static const char *answer_to(struct solver_process *process, const char *commands, double seconds) {
  const double until = clock_seconds() + seconds;
  enum solver_progress progress;
  solver_process_ask(process, false, commands);
  while ((progress = solver_process_go_on(process)) == SOLVER_WAITS) {
    const double left = until - clock_seconds();
    struct pollfd socket = {.fd = process->socket, .events = solver_process_events(process)};
    if (left <= 0) return "late";
    poll(&socket, 1, (int)(left * 1000) + 1);
  }
  return progress == SOLVER_ANSWERED ? process->answer : "ended";
}

/* ---- Certificates ---- */

/* Times as long as z3 and cvc5: what it has learned is lost with a process that is late. */
static const double patience = 4;

/* What CaDiCaL says of a condition. */
enum certified { NOT_SAID, CERTIFIED, REFUTED, REJECTED };

static enum certified certified_of(const char *said) {
  if (strcmp(said, "unsat") == 0) return CERTIFIED;
  if (strcmp(said, "sat") == 0) return REFUTED;
  return strcmp(said, CERTIFIER_REJECTED) == 0 ? REJECTED : NOT_SAID;
}

static bool is_against(enum certified certified) {
  return certified == REFUTED || certified == REJECTED;
}

/* Until something is said against a proof, if that is enough. A process that was late is started
 * again. */
static bool certify(const struct query *queries, const struct query_set *set, double each,
                    enum certified *certified, bool until_against) {
  struct solver_process process = {0};
  bool goes_on = true;
  for (size_t i = 0; goes_on && i < set->num_conditions; i++) {
    char command[CERTIFIER_COMMAND_SIZE];
    certifier_command(i, command);
    if (process.number == 0 && !certifier_start(&process, queries)) return false;
    certified[i] = certified_of(answer_to(&process, command, patience * each));
    if (certified[i] == NOT_SAID) solver_process_stop(&process);
    goes_on = !until_against || !is_against(certified[i]);
  }
  solver_process_stop(&process);
  return true;
}

/* ---- Two solvers ---- */

/* Whether a session is there, that has read what the questions have in common. */
static bool begin(struct solver_process *process, const char *const *command,
                  const struct smtlib_set *set, double each, bool *reads) {
  if (!*reads || process->number != 0) return true;
  if (!solver_process_start(process, command)) return false;
  *reads = strcmp(answer_to(process, set->head, each * reading), "") == 0;
  return true;
}

/* Of those that are still taken to be proved. A session in which anything but unsat was said is not
 * gone on with: z3 may have lost some of what it was told. */
static bool ask(const char *const *command, const struct smtlib_set *set, double each,
                bool *proved) {
  struct solver_process process = {0};
  bool reads = true;
  for (size_t i = 0; i < set->num_questions; i++) {
    if (!proved[i]) continue;
    if (!begin(&process, command, set, each, &reads)) return false;
    proved[i] = reads && strcmp(answer_to(&process, set->questions[i], each), "unsat") == 0;
    if (!proved[i]) solver_process_stop(&process);
  }
  solver_process_stop(&process);
  return true;
}

static struct smtlib_set *write_set(const struct query_set *set) {
  struct smtlib_writer *writer = smtlib_writer_new();
  struct smtlib_set *written = smtlib_write_set(writer, set);
  smtlib_writer_free(writer);
  return written;
}

/* ---- Both ways ---- */

static struct query *queries_of(const struct query_set *set) {
  struct query *queries = checked(calloc(set->num_conditions + 1, sizeof *queries));
  for (size_t i = 0; i < set->num_conditions; i++)
    queries[i] = (struct query){.condition = set->conditions[i],
                                .assumptions = set->assumptions,
                                .num_assumptions = set->num_assumptions};
  return queries;
}

/* Whether the two solvers are to be asked. */
static bool is_open(const struct query *query, enum certified certified,
                    const struct solver_options *options) {
  if (certified == CERTIFIED)
    return options->doubts && options->doubts(query, options->doubts_with);
  return certified == NOT_SAID;
}

/* Asks the two solvers of those that are open; of the others nothing is written. */
static bool ask_both(const struct query_set *set, double each, const bool *open, bool *proved) {
  term *conditions = checked(malloc((set->num_conditions + 1) * sizeof *conditions));
  bool *of_open = checked(malloc((set->num_conditions + 1) * sizeof *of_open));
  struct query_set chosen = {set->assumptions, set->num_assumptions, conditions, 0};
  for (size_t i = 0; i < set->num_conditions; i++) {
    if (!open[i]) continue;
    of_open[chosen.num_conditions] = true;
    conditions[chosen.num_conditions++] = set->conditions[i];
  }
  struct smtlib_set *written = chosen.num_conditions > 0 ? write_set(&chosen) : NULL;
  const bool ran =
      !written || (ask(z3, written, each, of_open) && ask(cvc5, written, each, of_open));
  for (size_t i = 0, next = 0; i < set->num_conditions; i++) proved[i] = open[i] && of_open[next++];
  if (written) smtlib_set_free(written);
  free(of_open);
  free(conditions);
  return ran;
}

static unsigned proof_of(enum certified certified, bool is_open, bool by_both) {
  if (certified == CERTIFIED && is_open) return by_both ? PROOF_CERTIFICATE | PROOF_SOLVERS : 0;
  if (certified == CERTIFIED) return PROOF_CERTIFICATE;
  return by_both ? PROOF_SOLVERS : 0;
}

/* What was said against a proof is kept, though the question is asked again. */
static struct said_together said_of(enum certified certified, unsigned proof) {
  struct said_together said = {.proof = proof, .is_wrong = certified == REJECTED};
  if (certified == REFUTED) said.against = "cadical: sat in a session";
  if (certified == REJECTED) said.against = "cadical: " CERTIFIER_REJECTED;
  return said;
}

static bool prove_together(const struct query_set *set, const struct solver_options *options,
                           const struct query *queries, struct said_together *said) {
  const size_t number = set->num_conditions;
  enum certified *certified = checked(calloc(number + 1, sizeof *certified));
  bool *open = checked(calloc(2 * number + 1, sizeof *open)), *by_both = open + number;
  bool ran = options->no_certificates || certify(queries, set, options->seconds, certified, false);
  for (size_t i = 0; i < number; i++) open[i] = is_open(&queries[i], certified[i], options);
  ran = ran && ask_both(set, options->seconds, open, by_both);
  for (size_t i = 0; i < number; i++)
    said[i] = said_of(certified[i], proof_of(certified[i], open[i], by_both[i]));
  free(open);
  free(certified);
  return ran;
}

bool solve_together(const struct query_set *set, const struct solver_options *options,
                    struct said_together *said, double *seconds) {
  const double start = clock_seconds();
  struct query *queries = queries_of(set);
  solver_processes_guard();
  const bool ran = prove_together(set, options, queries, said);
  solver_processes_unguard();
  free(queries);
  *seconds = clock_seconds() - start;
  return ran;
}

/* ---- Until one is refuted ---- */

bool solve_until_refuted(const struct query_set *set, const struct solver_options *options,
                         struct said_together *said, double *seconds) {
  const double start = clock_seconds();
  struct query *queries = queries_of(set);
  enum certified *certified = checked(calloc(set->num_conditions + 1, sizeof *certified));
  solver_processes_guard();
  const bool ran = certify(queries, set, options->seconds, certified, true);
  solver_processes_unguard();
  for (size_t i = 0; i < set->num_conditions; i++) said[i] = said_of(certified[i], 0);
  free(certified);
  free(queries);
  *seconds = clock_seconds() - start;
  return ran;
}
