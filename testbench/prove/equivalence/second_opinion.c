#include "testbench/prove/equivalence/second_opinion.h"

#include "engine/cache/digest.h"

bool sample_has(const struct query *query, void *with) {
  const struct sample *sample = with;
  if (sample->one_in == 1) return true;
  const struct digest digest =
      digest_question(query->condition, query->assumptions, query->num_assumptions);
  const uint64_t number = (digest.words[0] ^ sample->seed) * 0x9E3779B97F4A7C15u;
  return (number >> 32) % sample->one_in == 0;
}

void proofs_count(struct proofs *proofs, unsigned proof) {
  proofs->by_certificate += proof == PROOF_CERTIFICATE;
  proofs->by_two_solvers += proof == PROOF_SOLVERS;
  proofs->by_both_ways += proof == (PROOF_CERTIFICATE | PROOF_SOLVERS);
}

void proofs_add(struct proofs *sum, const struct proofs *proofs) {
  sum->by_certificate += proofs->by_certificate;
  sum->by_two_solvers += proofs->by_two_solvers;
  sum->by_both_ways += proofs->by_both_ways;
}
