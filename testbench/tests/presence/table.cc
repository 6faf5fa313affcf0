#include "testbench/tests/presence/table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace pmuv3::presence {
namespace {

// The words of a condition other than feature names.
bool Atom(const std::string &name, const pmuv3_params &params, unsigned n) {
  const int aa32 = params.aa32;  // none, el0, el1, el2, el3
  const bool ext32 = pmuv3_has(&params, PMUV3_FEATURE_EXT32);
  const bool ext64 = pmuv3_has(&params, PMUV3_FEATURE_EXT64);
  const std::map<std::string, bool> atoms = {
      {"always", true},
      {"never", false},
      {"EL2", params.el2},
      {"EL3", params.el3},
      {"AA64", params.aa64},
      {"AA32", aa32 > 0},
      {"AA32EL1", aa32 > 1},
      {"AA32EL2", aa32 > 2 && params.el2},
      {"AA32EL3", aa32 > 3 && params.el3},
      {"UPTO2", aa32 > 2},
      {"UPTO3", aa32 > 3},
      {"EXT", ext32 || ext64},
      {"COUNTERS", params.counters > 0},
      {"ODD", n % 2 == 1},
      {"LEGACY", params.k_mt_legacy != 0},
      {"LOCK", params.k_software_lock == 0},
  };
  if (const auto atom = atoms.find(name); atom != atoms.end()) return atom->second;
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    const auto feature = static_cast<pmuv3_feature>(f);
    if (name == pmuv3_feature_name(feature)) return pmuv3_has(&params, feature);
  }
  ADD_FAILURE() << "condition of unknown '" << name << "'";
  return false;
}

// A recursive descent parser: any = all {| all}, all = one {& one}, one = ! one, ( any ), atom.
class Condition {
 public:
  Condition(const std::string &text, const pmuv3_params &params, unsigned n)
      : text_(text), params_(params), n_(n) {}

  bool Value() {
    const bool value = Any();
    EXPECT_EQ(Next(), '\0') << "condition '" << text_ << "'";
    return value;
  }

 private:
  char Next() {
    while (at_ < text_.size() && text_[at_] == ' ') at_++;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char sign) {
    if (Next() != sign) return false;
    at_++;
    return true;
  }
  bool Any() {
    bool value = All();
    while (Take('|')) value = All() || value;
    return value;
  }
  bool All() {
    bool value = One();
    while (Take('&')) value = One() && value;
    return value;
  }
  bool One() {
    if (Take('!')) return !One();
    if (Take('(')) {
      const bool value = Any();
      EXPECT_TRUE(Take(')')) << "condition '" << text_ << "'";
      return value;
    }
    Next();
    const size_t start = at_;
    while (at_ < text_.size() && (isalnum(text_[at_]) || text_[at_] == '_')) at_++;
    return Atom(text_.substr(start, at_ - start), params_, n_);
  }

  const std::string &text_;
  const pmuv3_params &params_;
  unsigned n_;
  size_t at_ = 0;
};

// The text without leading and trailing blanks.
std::string Trim(const std::string &text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// The parts of a line between " : ".
std::vector<std::string> Parts(const std::string &line) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t end; (end = line.find(" : ", start)) != std::string::npos; start = end + 3)
    parts.push_back(Trim(line.substr(start, end - start)));
  parts.push_back(Trim(line.substr(start)));
  return parts;
}

std::vector<std::string> Blanks(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

unsigned Number(const std::string &text) {
  return static_cast<unsigned>(std::stoul(text, nullptr, 0));
}

// "P 30:0 W1S(counters)", condition, otherwise
Field MakeField(const std::vector<std::string> &head, const std::vector<std::string> &parts) {
  Field field = {};
  field.name = head.at(0);
  const size_t colon = head.at(1).find(':');
  field.msb = Number(head[1].substr(0, colon));
  field.lsb = colon == std::string::npos ? field.msb : Number(head[1].substr(colon + 1));
  std::string kind = head.at(2);
  if (const size_t open = kind.find('('); open != std::string::npos) {
    field.limit = kind.substr(open + 1, kind.size() - open - 2);
    kind.resize(open);
  }
  if (kind[0] == '=') {
    field.kind = Kind::kValue;
    field.value = Number(kind.substr(1));
  } else {
    static const std::map<std::string, Kind> kinds = {{"RW", Kind::kRw},   {"W1S", Kind::kW1s},
                                                      {"W1C", Kind::kW1c}, {"RO", Kind::kRo},
                                                      {"WO", Kind::kWo},   {"HW", Kind::kHw}};
    field.kind = kinds.at(kind);
  }
  field.condition = parts.at(1);
  field.otherwise = parts.at(2);
  return field;
}

// "word EXT32 0x004+8 hi locked", condition
Word MakeWord(const std::vector<std::string> &head, const std::vector<std::string> &parts) {
  const size_t plus = head.at(2).find('+');
  return {head.at(1),
          Number(head[2].substr(0, plus)),
          plus == std::string::npos ? 0 : Number(head[2].substr(plus + 1)),
          head.at(3) == "hi",
          head.at(4) == "locked",
          parts.at(1)};
}

// "a64 PMZR_EL0 WO", condition ~ unchecked, otherwise, place
Register MakeRegister(const std::vector<std::string> &head, const std::vector<std::string> &parts) {
  Register reg;
  reg.view = head.at(0);
  reg.name = head.at(1);
  reg.access = head.at(2).substr(0, 2);
  reg.written = reg.access == "RO" ? "never" : "always";
  if (head[2].size() > 4) reg.written = head[2].substr(3, head[2].size() - 4);
  const size_t unchecked = parts.at(1).find('~');
  reg.condition = Trim(parts[1].substr(0, unchecked));
  reg.unchecked = unchecked == std::string::npos ? reg.condition  //
                                                 : Trim(parts[1].substr(unchecked + 1));
  reg.otherwise = parts.at(2);
  reg.place = parts.at(3);
  return reg;
}

bool IsView(const std::string &word) {
  return word == "a64" || word == "a32" || word == "ext";
}

}  // namespace

uint64_t Field::Mask() const {
  return ~UINT64_C(0) >> (63 - (msb - lsb)) << lsb;
}

uint64_t Field::Implemented(const pmuv3_params &params) const {
  if (limit.empty()) return Mask();
  const unsigned bits = limit == "counters" ? params.counters : params.th_width;
  return Mask() & ((UINT64_C(1) << bits) - 1) << lsb;
}

std::string Register::Name(unsigned n) const {
  std::string text = name;
  if (Indexed()) text.replace(text.find("<n>"), 3, std::to_string(n));
  return text;
}

bool Holds(const std::string &condition, const pmuv3_params &params, unsigned n) {
  return Condition(condition, params, n).Value();
}

std::vector<Register> ReadTable(const char *file) {
  std::vector<Register> table;
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  for (std::string line; std::getline(in, line);) {
    if (Trim(line).empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = Parts(line);
    std::vector<std::string> head = Blanks(parts[0]);
    const bool modelled = head[0] != "-";
    if (!modelled) {
      EXPECT_EQ(parts.back().rfind("not modelled: ", 0), 0u) << line;
      head.erase(head.begin());
    }
    try {
      if (IsView(head.at(0))) {
        table.push_back(MakeRegister(head, parts));
        table.back().modelled = modelled;
      } else if (head[0] == "word") {
        table.back().words.push_back(MakeWord(head, parts));
      } else if (modelled) {
        table.back().fields.push_back(MakeField(head, parts));
      }
    } catch (const std::exception &) {
      ADD_FAILURE() << file << ": " << line;
    }
  }
  return table;
}

}  // namespace pmuv3::presence
