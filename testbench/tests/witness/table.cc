#include "testbench/tests/witness/table.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace pmuv3::witness {
namespace {

const std::map<std::string, Instruction> kInstructions = {
    {"MRS", Instruction::kMrs}, {"MSR", Instruction::kMsr},   {"MRC", Instruction::kMrc},
    {"MCR", Instruction::kMcr}, {"MRRC", Instruction::kMrrc}, {"MCRR", Instruction::kMcrr},
};

const std::map<std::string, Op> kOps = {
    {"UNDEF", Op::kUndef},      {"SDD", Op::kSdd},       {"USER", Op::kUser},
    {"USER64", Op::kUser64},    {"USER32", Op::kUser32}, {"BAR", Op::kBar},
    {"BAR64", Op::kBar64},      {"BAR32", Op::kBar32},   {"FGT", Op::kFgt},
    {"HSTR9", Op::kHstr9},      {"HSTR1", Op::kHstr1},   {"TPM2", Op::kTpm2},
    {"TPMCR2", Op::kTpmcr2},    {"HPMN", Op::kHpmn},     {"NV", Op::kNv},
    {"TDE_TDA2", Op::kTdeTda2}, {"SECURE", Op::kSecure}, {"SECURE2", Op::kSecure2},
    {"SECURE3", Op::kSecure3},  {"EEL2", Op::kEel2},     {"NS", Op::kNs},
    {"EL3", Op::kEl3},          {"FGWTE3", Op::kFgwte3}, {"SDISABLE", Op::kSdisable},
};

const std::map<std::string, Presence> kPresences = {
    {"always", Presence::kAlways},
    {"EL3", Presence::kEl3},
    {"SEL2", Presence::kSel2},
    {"AA32EL1", Presence::kAa32El1},
    {"AA32EL2", Presence::kAa32El2},
    {"AA32EL3", Presence::kAa32El3},
    {"SECURE_EL1_AA32", Presence::kSecureEl1Aa32},
    {"COUNTER", Presence::kCounter},
    {"SELECTED", Presence::kSelected},
    {"SELECTED_OR_31", Presence::kSelectedOr31},
    {"EBEP_OR_SS", Presence::kEbepOrSs},
    {"PMUv3p1", Presence::kPmuv3p1},
    {"PMUv3p4", Presence::kPmuv3p4},
    {"PMUv3p9", Presence::kPmuv3p9},
    {"SS", Presence::kSs},
    {"SEBEP", Presence::kSebep},
    {"ICNTR", Presence::kIcntr},
};

const std::map<std::string, Which> kWhich = {
    {"C", Which::kC}, {"F0", Which::kF0}, {"P", Which::kP}, {"SEL", Which::kSel}};

const std::map<std::string, Reach> kReaches = {
    {"UEN", Reach::kUen},     {"BITS", Reach::kBits},     {"ZERO", Reach::kZero},
    {"SWINC", Reach::kSwinc}, {"EVENTS", Reach::kEvents}, {"PMCR", Reach::kPmcr},
};

// Bits of PMUSERENR_EL0, D24.5.26.
const std::map<std::string, unsigned> kUserBits = {
    {"EN", 0}, {"SW", 1}, {"CR", 2}, {"ER", 3}, {"UEN", 4}, {"IR", 5}, {"TID", 6},
};

// Controls of MDCR_EL3, D24.3.18.
const std::map<std::string, Control> kControls = {
    {"TPM", {6, true}}, {"EnPM2", {7, false}}, {"TDA", {9, true}}, {"EnPMSS", {44, false}}};

// The bit of `fgt` in pmuv3_pe for the trap of reads, and of writes. -1: there is none.
struct FgtBits {
  int read, write;
};
const std::map<std::string, FgtBits> kFgt = {
    {"PMICFILTR", {0, 1}},   {"PMICNTR", {2, 3}},    {"PMEVCNTR", {4, 5}},  {"PMEVTYPER", {6, 7}},
    {"PMCCFILTR", {8, 9}},   {"PMCCNTR", {10, 11}},  {"PMCNTEN", {12, 13}}, {"PMINTEN", {14, 15}},
    {"PMOVS", {16, 17}},     {"PMSELR", {18, 19}},   {"PMUACR", {20, 21}},  {"PMECR", {22, 23}},
    {"PMIAR", {24, 25}},     {"PMSSCR", {26, 27}},   {"PMCEID", {28, -1}},  {"PMMIR", {29, -1}},
    {"PMUSERENR", {30, 31}}, {"PMSSDATA", {32, -1}}, {"PMCR", {-1, 33}},    {"PMSWINC", {-1, 34}},
    {"PMZR", {-1, 35}},
};

[[noreturn]] void Wrong(const std::string &what) {
  throw std::runtime_error(what);
}

template <class T>
const T &Find(const std::map<std::string, T> &words, const std::string &word) {
  const auto found = words.find(word);
  if (found == words.end()) Wrong("unknown word '" + word + "'");
  return found->second;
}

std::vector<std::string> Split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

// WORD(ARGUMENT,...) as {WORD, ARGUMENT, ...}.
std::vector<std::string> Call(const std::string &text) {
  const size_t open = text.find('(');
  if (open == std::string::npos) return {text};
  if (text.back() != ')') Wrong("'" + text + "' lacks ')'");
  std::vector<std::string> words = Split(text.substr(open + 1, text.size() - open - 2), ',');
  words.insert(words.begin(), text.substr(0, open));
  return words;
}

uint64_t UserBits(const std::vector<std::string> &words) {
  uint64_t bits = 0;
  for (size_t i = 1; i < words.size(); i++) bits |= UINT64_C(1) << Find(kUserBits, words[i]);
  return bits;
}

uint64_t FgtBit(const std::string &name, bool writes) {
  const FgtBits bits = Find(kFgt, name);
  const int bit = writes ? bits.write : bits.read;
  if (bit < 0) Wrong("no fine-grained trap of " + name);
  return UINT64_C(1) << bit;
}

void ParseReach(const std::string &text, Path *path) {
  const std::vector<std::string> words = Call(text);
  path->reach = Find(kReaches, words[0]);
  if (path->reach != Reach::kUen) return;
  if (words.size() != 3) Wrong("UEN takes two arguments");
  path->which = Find(kWhich, words[1]);
  path->read_only = UINT64_C(1) << Find(kUserBits, words[2]);
}

Path ParsePath(std::istringstream *words, bool writes) {
  Path path;
  for (std::string word; *words >> word;) {
    if (word == "->") {
      if (!(*words >> word)) Wrong("'->' without a reach");
      ParseReach(word, &path);
    } else {
      path.checks.push_back(ParseCheck(word, writes));
    }
  }
  return path;
}

class Reader {
 public:
  std::vector<Accessor> Read(std::istream *in) {
    for (std::string line; std::getline(*in, line);) {
      line_++;
      if (!line.empty() && line[0] != '#') Line(line);
    }
    Finish();
    return table_;
  }
  int line() const { return line_; }

 private:
  void Line(const std::string &line) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first.size() == 3 && first.substr(0, 2) == "EL")
      Level(first[2], &words);
    else
      Head(first, &words);
  }

  void Head(const std::string &instruction, std::istringstream *words) {
    Finish();
    std::string names, colon, condition;
    *words >> names >> colon;
    if (colon != ":") Wrong("expected INSTRUCTION NAME : PRESENT");
    Accessor head;
    head.instruction = Find(kInstructions, instruction);
    while (*words >> condition) head.present.push_back(Find(kPresences, condition));
    for (const std::string &name : Split(names, ',')) {
      head.name = name;
      head.indexed = name.find("<n>") != std::string::npos;
      rows_.push_back(head);
    }
  }

  void Level(char digit, std::istringstream *words) {
    if (digit != '0' + levels_ || rows_.empty()) Wrong("expected EL0 to EL3, in this order");
    const Path path = ParsePath(words, rows_[0].Writes());
    for (Accessor &row : rows_) row.at[levels_] = path;
    levels_++;
  }

  void Finish() {
    if (!rows_.empty() && levels_ != 4) Wrong("a row has not all of EL0 to EL3");
    table_.insert(table_.end(), rows_.begin(), rows_.end());
    rows_.clear();
    levels_ = 0;
  }

  int line_ = 0;
  int levels_ = 0;
  std::vector<Accessor> rows_;  // the names of the current head
  std::vector<Accessor> table_;
};

}  // namespace

bool Accessor::Writes() const {
  return instruction == Instruction::kMsr || instruction == Instruction::kMcr ||
         instruction == Instruction::kMcrr;
}

bool Accessor::Aa32() const {
  return instruction != Instruction::kMrs && instruction != Instruction::kMsr;
}

Check ParseCheck(const std::string &text, bool writes) {
  const std::vector<std::string> words = Call(text);
  Check check;
  check.text = text;
  check.op = Find(kOps, words[0]);
  switch (check.op) {
    case Op::kSdd:
    case Op::kEl3:
      check.control = Find(kControls, words.at(1));
      break;
    case Op::kFgt:
      check.bits = FgtBit(words.at(1), writes);
      break;
    default:
      check.bits = UserBits(words);
  }
  return check;
}

std::vector<Accessor> ReadTable(const std::string &file) {
  std::ifstream in(file);
  if (!in) Wrong("cannot read " + file);
  Reader reader;
  try {
    return reader.Read(&in);
  } catch (const std::exception &error) {
    Wrong(file + ":" + std::to_string(reader.line()) + ": " + error.what());
  }
}

}  // namespace pmuv3::witness
