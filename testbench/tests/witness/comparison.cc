#include "testbench/tests/witness/comparison.h"

#include <cstring>
#include <sstream>

#include <stdexcept>

namespace pmuv3::witness {
namespace {

constexpr const char *kResults[] = {"done", "undefined", "el1", "el2", "el3"};
constexpr const char *kInstructions[] = {"MRS", "MSR", "MRC", "MCR", "MRRC", "MCRR"};
constexpr unsigned kPmccr = 0xE58;

constexpr uint16_t kRegisters[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
};

bool Encoding(const std::string &name, uint16_t *reg) {
  std::string first = name;
  if (const size_t n = first.find("<n>"); n != std::string::npos) first.replace(n, 3, "0");
  return pmuv3_register_find(first.c_str(), reg);
}

std::string Hex(uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

// What a read gives, from the register's whole value.
uint64_t Shown(const Path &path, uint64_t value, const Decision &decision) {
  if (path.reach != Reach::kPmcr) return value & decision.reach;
  const auto n = static_cast<uint64_t>(__builtin_popcountll(decision.reach));
  return (value & ~PMUV3_MASK(PMCR, N)) | n << PMUV3_PMCR_N_LSB;
}

std::string Text(const Accessor &accessor) {
  return std::string(kInstructions[static_cast<int>(accessor.instruction)]) + " " + accessor.name;
}

std::string Name(uint16_t reg) {
  char name[24];
  return pmuv3_register_name(reg, name);
}

Instruction Opposite(Instruction instruction) {
  return static_cast<Instruction>(static_cast<int>(instruction) ^ 1);
}

}  // namespace

std::vector<Accessor> WithMissingDirections(std::vector<Accessor> table) {
  std::map<std::pair<std::string, Instruction>, Accessor> there;
  for (const Accessor &accessor : table) there[{accessor.name, accessor.instruction}] = accessor;
  Path undefined;
  undefined.checks = {ParseCheck("UNDEF", false)};
  for (auto [key, accessor] : there) {
    accessor.instruction = Opposite(accessor.instruction);
    if (there.count({accessor.name, accessor.instruction})) continue;
    for (Path &path : accessor.at) path = undefined;
    table.push_back(accessor);
  }
  return table;
}

Comparison::Comparison(const std::vector<Accessor> &table, CreateSide create, uint64_t seed,
                       unsigned most_counters)
    : table_(table), create_(create), random_(seed), most_counters_(most_counters) {
  for (const Accessor &accessor : table_) {
    uint16_t reg;
    if (!Encoding(accessor.name, &reg))
      throw std::runtime_error("no register has the name " + accessor.name);
    (accessor.Writes() ? writes_ : reads_).push_back({&accessor, reg});
  }
}

void Comparison::Run(uint64_t states, uint64_t states_of_each) {
  for (uint64_t state = 0; state < states; state++) RunState(state % states_of_each == 0);
}

bool Comparison::FindsDifference(uint64_t states, uint64_t states_of_each) {
  for (uint64_t state = 0; state < states && differences_.empty(); state++)
    RunState(state % states_of_each == 0);
  return !differences_.empty();
}

void Comparison::RunState(bool of_new_implementation) {
  if (of_new_implementation) NewImplementation();
  NewState();
  TryReads();
  TryWrites();
  EndState();
}

void Comparison::NewImplementation() {
  params_ = RandomParams(&random_, most_counters_);
  side_.reset(create_(&params_));
  twin_.reset(pmuv3_side_cmodel(&params_));
  SetEpmn();
  FillRegisters();
}

// Only the most secure access reaches PMCCR; the others change nothing.
void Comparison::SetEpmn() {
  epmn_ = params_.counters;
  if (!pmuv3_has(&params_, PMUV3_FEATURE_EXTPMN)) return;
  const uint32_t value = random_.Below(params_.counters + 1u);
  for (pmuv3_side *side : {side_.get(), twin_.get()})
    for (int ss = PMUV3_NS; ss <= PMUV3_RT; ss++)
      pmuv3_side_external_write(side, 0, static_cast<pmuv3_security_state>(ss), kPmccr, value);
  pmuv3_probe probe;
  pmuv3_side_probe(twin_.get(), 0, &probe);
  epmn_ = static_cast<unsigned>(probe.pmccr & 31);
}

void Comparison::FillRegisters() {
  const auto write = [this](uint16_t reg, uint64_t value) {
    pmuv3_side_write(side_.get(), 0, reg, value);
    pmuv3_side_write(twin_.get(), 0, reg, value);
  };
  for (const uint16_t reg : kRegisters) write(reg, random_.Next());
  for (unsigned n = 0; n < params_.counters; n++) {
    write(PMUV3_PMEVCNTRn(n), random_.Next());
    write(PMUV3_PMEVTYPERn(n), random_.Next());
  }
  // Half of the event counters count software increments, so that those of PMSWINC show.
  for (unsigned n = 0; n < params_.counters; n++)
    if (random_.OneIn(2)) write(PMUV3_PMEVTYPERn(n), 0);
  write(PMUV3_PMCNTENSET, random_.Next() | random_.Next());
}

void Comparison::NewState() {
  const pmuv3_pe pe = RandomPe(&random_, params_);
  const Controls controls = RandomControls(&random_, params_);
  for (pmuv3_side *side : {side_.get(), twin_.get()}) {
    pmuv3_side_set_pe(side, 0, &pe);
    WriteControls(side, controls);
  }
  state_ = StateOf(params_, pe, ReadControls(twin_.get()), epmn_);
}

void Comparison::TryReads() {
  for (const Access &access : reads_)
    ForEachCounter(access, [this](const Access &one, unsigned n) { TryRead(one, n); });
}

// Writes change what decides the next access, so each state starts at another one.
void Comparison::TryWrites() {
  const unsigned count = static_cast<unsigned>(writes_.size());
  if (count == 0) return;
  const unsigned first = random_.Below(count);
  for (unsigned i = 0; i < count; i++)
    ForEachCounter(writes_[(first + i) % count],
                   [this](const Access &one, unsigned n) { TryWrite(one, n); });
}

// Of registers <n>, one at a limit and one anywhere.
void Comparison::ForEachCounter(const Access &access,
                                const std::function<void(const Access &, unsigned)> &try_one) {
  if (!access.accessor->indexed) return try_one(access, 0);
  const unsigned limits[] = {state_.hpmn, state_.hpmn + 30, state_.epmn, state_.epmn + 30};
  try_one(access, limits[random_.Below(4)] % 31);
  try_one(access, random_.Below(31));
}

void Comparison::TryRead(const Access &access, unsigned n) {
  const Accessor &accessor = *access.accessor;
  const auto reg = static_cast<uint16_t>(access.reg + n);
  accesses_++;
  const Decision decision = Decide(accessor, state_, reg, n);
  uint64_t value = 0, whole = 0;
  const pmuv3_result result = pmuv3_side_mrs(side_.get(), 0, reg, &value);
  if (!SameEnd(accessor, reg, result, decision)) return;
  CompareSyndrome(accessor, reg, decision);
  if (result == PMUV3_DONE) {
    pmuv3_side_read(twin_.get(), 0, reg, &whole);
    whole = Shown(accessor.at[state_.el], whole, decision);
  }
  if (value != whole)
    Report(At("reads another value"), Text(accessor),
           Name(reg) + " reads " + Hex(value) + ", not " + Hex(whole));
}

void Comparison::TryWrite(const Access &access, unsigned n) {
  const Accessor &accessor = *access.accessor;
  const auto reg = static_cast<uint16_t>(access.reg + n);
  accesses_++;
  const uint64_t value = Value(accessor);
  const Decision decision = Decide(accessor, state_, reg, n);
  const pmuv3_result result = pmuv3_side_msr(side_.get(), 0, reg, value);
  if (SameEnd(accessor, reg, result, decision)) CompareSyndrome(accessor, reg, decision);
  if (decision.result != PMUV3_DONE) return;
  WriteTwin(accessor, reg, value, decision.reach);
  SetControls(&state_, ReadControls(twin_.get()));
}

void Comparison::WriteTwin(const Accessor &accessor, uint16_t reg, uint64_t value, uint64_t reach) {
  pmuv3_side *twin = twin_.get();
  uint64_t old = 0;
  switch (accessor.at[state_.el].reach) {
    case Reach::kWhole:
    case Reach::kUen:
      if (reach) pmuv3_side_write(twin, 0, reg, value);
      break;
    case Reach::kEvents:
      pmuv3_side_read(twin, 0, reg, &old);
      pmuv3_side_write(twin, 0, reg, (old & ~reach) | (value & reach));
      break;
    case Reach::kPmcr:
      pmuv3_side_write(twin, 0, reg, value & ~PMUV3_MASK(PMCR, P));
      if (!(value & PMUV3_MASK(PMCR, P))) break;
      for (unsigned n = 0; n < 31; n++)
        if (reach >> n & 1) pmuv3_side_write(twin, 0, PMUV3_PMEVCNTRn(n), 0);
      break;
    default:
      pmuv3_side_write(twin, 0, reg, value & reach);
  }
}

// A cycle counts the software increments, and has one more write in its clock. After it everything
// must be equal.
void Comparison::EndState() {
  pmuv3_cycle cycle = {}, twin_cycle = {};
  if (!writes_.empty()) AddWrite(&cycle, &twin_cycle);
  pmuv3_side_cycle(side_.get(), &cycle);
  pmuv3_side_cycle(twin_.get(), &twin_cycle);
  if (cycle.has_write) CompareWritten();
  pmuv3_probe is, expected;
  pmuv3_side_probe(side_.get(), 0, &is);
  pmuv3_side_probe(twin_.get(), 0, &expected);
  if (memcmp(&is, &expected, sizeof is) == 0) return;
  std::string names;
#define PMUV3_PROBE_COUNTERS(field, name, owner) \
  if (memcmp(is.field, expected.field, sizeof is.field) != 0) names += std::string(" ") + name;
#define PMUV3_PROBE_LANES(field, name, owner) PMUV3_PROBE_COUNTERS(field, name, owner)
#define PMUV3_PROBE_GLOBAL(field, name, owner) \
  if (is.field != expected.field) names += std::string(" ") + name;
#define PMUV3_PROBE_BITS(field, name, owner) PMUV3_PROBE_GLOBAL(field, name, owner)
#include "pmuv3/probe.def"
  Report(At("another state after the writes"), names, names);
  NewImplementation();
}

// PMUACR and PMCR take the twin more than one write, and PMSWINC would wait for another cycle.
void Comparison::AddWrite(pmuv3_cycle *cycle, pmuv3_cycle *twin_cycle) {
  const Access &access = writes_[random_.Below(static_cast<unsigned>(writes_.size()))];
  const Reach reach = access.accessor->at[state_.el].reach;
  if (reach == Reach::kPmcr || reach == Reach::kEvents || reach == Reach::kSwinc) return;
  const unsigned n = access.accessor->indexed ? random_.Below(31) : 0;
  const auto reg = static_cast<uint16_t>(access.reg + n);
  const uint64_t value = Value(*access.accessor);
  in_clock_ = {access.accessor, reg, Decide(*access.accessor, state_, reg, n)};
  accesses_++;
  cycle->has_write = 1;
  cycle->write[0] = {reg, true, value};
  if (in_clock_.decision.result != PMUV3_DONE || in_clock_.decision.reach == 0) return;
  twin_cycle->has_write = 1;
  twin_cycle->write[0] = {reg, false, value & in_clock_.decision.reach};
}

void Comparison::CompareWritten() {
  const auto result = static_cast<pmuv3_result>(pmuv3_side_written(side_.get()).result[0]);
  SameEnd(*in_clock_.accessor, in_clock_.reg, result, in_clock_.decision);
}

uint64_t Comparison::Value(const Accessor &accessor) {
  const bool half = accessor.Aa32() && accessor.instruction != Instruction::kMcrr;
  return half ? random_.Next() >> 32 : random_.Next();
}

std::string Comparison::At(const std::string &kind) const {
  return "EL" + std::to_string(state_.el) + ": " + kind;
}

bool Comparison::SameEnd(const Accessor &accessor, uint16_t reg, pmuv3_result result,
                         const Decision &decision) {
  if (result == decision.result) return true;
  const std::string check = decision.check ? " by " + decision.check->text : "";
  const std::string kind =
      std::string("is ") + kResults[result] + ", not " + kResults[decision.result] + check;
  Report(At(kind), Text(accessor), Name(reg) + " " + kind);
  return false;
}

void Comparison::CompareSyndrome(const Accessor &accessor, uint16_t reg, const Decision &decision) {
  const uint32_t expected = decision.Syndrome();
  const uint32_t is = pmuv3_side_syndrome(side_.get(), 0);
  if (is == expected) return;
  const std::string detail = Name(reg) + " gives " + Hex(is) + ", not " + Hex(expected);
  Report(At("another syndrome"), Text(accessor), detail);
}

void Comparison::Report(const std::string &kind, const std::string &access,
                        const std::string &detail) {
  Difference &difference = differences_[kind];
  difference.accesses.insert(access);
  if (!difference.count++) difference.example = detail + ": " + Text(state_);
}

}  // namespace pmuv3::witness
