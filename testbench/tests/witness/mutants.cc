#include "testbench/tests/witness/mutants.h"

#include <utility>

namespace pmuv3::witness {
namespace {

constexpr unsigned kTda = 9;  // MDCR_EL3.TDA

// Which Exception level takes the access that a check ends. EL1's traps can go to EL2, and EL3's
// can be UNDEFINED, but not always.
enum class Target { kUndefined, kEl1, kEl2, kEl3 };

Target TargetOf(Op op) {
  switch (op) {
    case Op::kUndef:
    case Op::kSdd:
    case Op::kSecure:
    case Op::kEel2:
    case Op::kNs:
    case Op::kSdisable:
      return Target::kUndefined;
    case Op::kUser:
    case Op::kUser64:
    case Op::kUser32:
    case Op::kBar:
    case Op::kBar64:
    case Op::kBar32:
      return Target::kEl1;
    case Op::kEl3:
    case Op::kSecure3:
    case Op::kFgwte3:
      return Target::kEl3;
    default:
      return Target::kEl2;
  }
}

bool NeedsEl1Aa64(Op op) {
  return op == Op::kUser64 || op == Op::kBar64 || op == Op::kFgt;
}

bool NeedsEl1Aa32(Op op) {
  return op == Op::kUser32 || op == Op::kBar32;
}

bool Exclude(Op a, Op b) {
  return (NeedsEl1Aa64(a) && NeedsEl1Aa32(b)) || (NeedsEl1Aa32(a) && NeedsEl1Aa64(b));
}

// SDD looks first at what EL3 would trap at last: it is only seen if a check between them ends the
// access otherwise.
bool DropIsEquivalent(const std::vector<Check> &checks, size_t dropped) {
  if (checks[dropped].op != Op::kSdd) return false;
  for (const Check &check : checks)
    if (check.op != Op::kSdd && check.op != Op::kEl3) return false;
  return true;
}

bool SwapIsEquivalent(Op first, Op second) {
  const bool of_el3 = first == Op::kSdd && second == Op::kEl3;
  return TargetOf(first) == TargetOf(second) || Exclude(first, second) || of_el3;
}

std::string Text(const Accessor &accessor, unsigned el, const std::string &what) {
  return accessor.name + (accessor.Writes() ? " written" : " read") + " at EL" +
         std::to_string(el) + " " + what;
}

// HSTR.T1, TDE, TDA and CP15SDISABLE2 are the core's.
bool HaveInputs(const Check &check) {
  switch (check.op) {
    case Op::kHstr1:
    case Op::kTdeTda2:
    case Op::kSdisable:
      return false;
    default:
      return check.control.bit != kTda;
  }
}

void AddMutants(const Accessor &accessor, unsigned el, std::vector<Mutant> *mutants) {
  const std::vector<Check> &checks = accessor.at[el].checks;
  for (size_t i = 0; i < checks.size(); i++) {
    const Check &check = checks[i];
    Mutant drop{Text(accessor, el, "without " + check.text),
                check.op,
                DropIsEquivalent(checks, i),
                HaveInputs(check),
                el,
                accessor,
                accessor};
    std::vector<Check> &left = drop.accessor.at[el].checks;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    mutants->push_back(drop);
    if (i + 1 == checks.size()) continue;
    const Check &next = checks[i + 1];
    Mutant swap{Text(accessor, el, check.text + " after " + next.text),
                check.op,
                SwapIsEquivalent(check.op, next.op),
                drop.on_sides && HaveInputs(next),
                el,
                accessor,
                accessor};
    std::swap(swap.accessor.at[el].checks[i], swap.accessor.at[el].checks[i + 1]);
    mutants->push_back(swap);
  }
}

bool Same(const Decision &a, const Decision &b) {
  return a.result == b.result && a.ec == b.ec && a.iss == b.iss && a.reach == b.reach;
}

}  // namespace

std::vector<Mutant> Mutants(const std::vector<Accessor> &table) {
  std::vector<Mutant> mutants;
  for (const Accessor &accessor : table)
    for (unsigned el = 0; el < 4; el++) AddMutants(accessor, el, &mutants);
  return mutants;
}

std::map<std::string, std::vector<Mutant>> ReachMutants(const std::vector<Accessor> &table) {
  static const std::map<Reach, std::string> names = {
      {Reach::kUen, "UEN"},     {Reach::kBits, "BITS"},     {Reach::kZero, "ZERO"},
      {Reach::kSwinc, "SWINC"}, {Reach::kEvents, "EVENTS"}, {Reach::kPmcr, "PMCR"}};
  std::map<std::string, std::vector<Mutant>> mutants;
  for (const Accessor &accessor : table)
    for (unsigned el = 0; el < 2; el++) {
      const Path &path = accessor.at[el];
      if (path.reach == Reach::kWhole) continue;
      const std::string name = names.at(path.reach);
      Mutant whole{
          Text(accessor, el, "without " + name), Op::kUndef, false, true, el, accessor, accessor};
      whole.accessor.at[el].reach = Reach::kWhole;
      mutants[name].push_back(whole);
      if (path.reach != Reach::kUen || path.which == Which::kSel || !accessor.Writes()) continue;
      Mutant writable = whole;
      writable.text = Text(accessor, el, "though it is read-only");
      writable.accessor.at[el].reach = Reach::kUen;
      writable.accessor.at[el].read_only = 0;
      mutants["read-only"].push_back(writable);
    }
  return mutants;
}

std::map<Op, std::vector<Mutant>> OnSides(const std::vector<Mutant> &mutants) {
  std::map<Op, std::vector<Mutant>> by_op;
  for (const Mutant &mutant : mutants)
    if (!mutant.equivalent && mutant.on_sides) by_op[mutant.op].push_back(mutant);
  return by_op;
}

Pool::Pool(uint64_t seed, unsigned size) {
  Random random(seed);
  while (states_.size() < size) {
    params_.push_back(RandomParams(&random, 31));
    const pmuv3_params &params = params_.back();
    const unsigned epmn = random.Below(params.counters + 1u);
    for (int i = 0; i < 50; i++) {
      const pmuv3_pe pe = RandomPe(&random, params);
      states_.push_back(StateOf(params, pe, RandomControls(&random, params), epmn));
      WidenState(&random, &states_.back());
    }
  }
}

bool Pool::TellsApart(const Mutant &mutant) const {
  for (const State &state : states_) {
    if (state.el != mutant.el || state.now_aa32 != mutant.original.Aa32()) continue;
    for (const unsigned limit : {state.hpmn, state.epmn, 0u}) {
      const unsigned n = mutant.original.indexed ? limit % 31 : 0;
      if (!Same(Decide(mutant.original, state, 0, n), Decide(mutant.accessor, state, 0, n)))
        return true;
      if (!mutant.original.indexed) break;
    }
  }
  return false;
}

}  // namespace pmuv3::witness
