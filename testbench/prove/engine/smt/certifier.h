/*
 * Proofs with certificates, by a copy of this process that is asked as a solver is: a time limit
 * kills it, and its crash ends no other.
 */
#ifndef ENGINE_SMT_CERTIFIER_H
#define ENGINE_SMT_CERTIFIER_H

#include "engine/smt/solver.h"
#include "engine/smt/solver_process.h"

/* It may be asked of these queries, which stay while it runs. */
bool certifier_start(struct solver_process *process, const struct query *queries);

/* The command that asks whether a query is proved: answered by "unsat", with a certificate that was
 * checked; by "sat"; or by CERTIFIER_REJECTED. */
enum { CERTIFIER_COMMAND_SIZE = 32 };
void certifier_command(size_t query, char command[CERTIFIER_COMMAND_SIZE]);
#define CERTIFIER_REJECTED "unsat, but its certificate does not hold"

/* After "sat": asks for the values, which are as smtlib_read_model reads them. */
#define CERTIFIER_VALUES "values\n"

#endif
