#include "engine/sat/cadical.h"

#include <cadical.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

struct cadical {
  CaDiCaL::Solver solver;
  std::string proof, taken;  // what is new, and what was before it
  FILE *to_proof = nullptr;
};

namespace {

constexpr int kSatisfiable = 10;  // as in IPASIR

ssize_t Keep(void *to, const char *bytes, size_t size) {
  static_cast<cadical *>(to)->proof.append(bytes, size);
  return static_cast<ssize_t>(size);
}

// These forget clauses and bring them back when more is asked, which a proof does not say.
constexpr const char *kForgetting[] = {"elim", "decompose", "block", "cover", "condition"};

}  // namespace

cadical *cadical_new() {
  auto *made = new cadical;
  made->to_proof = fopencookie(made, "w", {nullptr, Keep, nullptr, nullptr});
  if (made->to_proof == nullptr) std::abort();
  made->solver.set("quiet", 1);
  made->solver.set("binary", 1);
  for (const char *technique : kForgetting) made->solver.set(technique, 0);
  made->solver.trace_proof(made->to_proof, "proof");
  return made;
}

void cadical_free(cadical *old) {
  if (old == nullptr) return;
  FILE *to_proof = old->to_proof;
  old->solver.close_proof_trace();
  std::fclose(to_proof);
  delete old;
}

void cadical_add(cadical *to, int literal) {
  to->solver.add(literal);
}

bool cadical_can_be_true(cadical *of, int literal) {
  of->solver.assume(literal);
  return of->solver.solve() == kSatisfiable;
}

bool cadical_value(cadical *of, int variable) {
  return of->solver.val(variable) > 0;
}

const unsigned char *cadical_proof(cadical *of, size_t *size) {
  of->solver.flush_proof_trace();
  std::fflush(of->to_proof);
  of->taken.swap(of->proof);
  of->proof.clear();
  *size = of->taken.size();
  return reinterpret_cast<const unsigned char *>(of->taken.data());
}
