// The presence of registers and fields: both sides against presence.txt, which is typed from the
// manual. Each test runs over parameter sets: every boundary of every feature, and random sets. The
// RTL is slower and gets fewer random sets.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/tests/presence/sets.h"
#include "testbench/tests/presence/table.h"
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

using presence::Boundaries;
using presence::Field;
using presence::Holds;
using presence::Kind;
using presence::Possible;
using presence::RandomSets;
using presence::Register;
using presence::Word;

const std::vector<Register> &Table() {
  static const std::vector<Register> table = presence::ReadTable(PMUV3_PRESENCE);
  return table;
}

// ---- The table is complete, and every row names an existing register.

// The name with <n>, as the table writes it.
std::string Indexed(std::string name) {
  if (const size_t n = name.find("%u"); n != std::string::npos) name.replace(n, 2, "<n>");
  return name;
}

using Fields = std::set<std::string>;  // "FZS 32:32"

std::string FieldText(const std::string &name, unsigned msb, unsigned lsb) {
  return name + " " + std::to_string(msb) + ":" + std::to_string(lsb);
}

// The names of a view's registers in the table, modelled or not.
std::set<std::string> RowsOf(const std::string &view, bool modelled) {
  std::set<std::string> names;
  for (const Register &reg : Table())
    if (reg.view == view && reg.modelled == modelled) names.insert(reg.name);
  return names;
}

TEST(PresenceTable, HasEverySystemRegisterWithItsFields) {
  std::map<std::string, std::string> names;  // by id
  std::map<std::string, Fields> there;
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  names[#id] = Indexed(name);                                                    \
  there[Indexed(name)];
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  there[names.at(#reg)].insert(FieldText(#field, msb, lsb));
#include "pmuv3/registers.def"
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  there[name] = there.at(names.at(#of));
#include "pmuv3/registers.def"
  std::map<std::string, Fields> typed;
  for (const Register &reg : Table()) {
    if (reg.view != "a64" || !reg.modelled) continue;
    EXPECT_EQ(typed.count(reg.name), 0u) << reg.name << " twice";
    Fields &fields = typed[reg.name];
    for (const Field &field : reg.fields)
      fields.insert(FieldText(field.name, field.msb, field.lsb));
  }
  EXPECT_EQ(typed, there);
  for (const std::string &name : RowsOf("a64", false)) EXPECT_EQ(there.count(name), 0u) << name;
}

TEST(PresenceTable, HasEveryAArch32Register) {
  std::map<std::string, uint64_t> there;
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  there[Indexed(name)] = (mask);
#include "pmuv3/registers.def"
  std::map<std::string, uint64_t> typed;
  for (const Register &reg : Table()) {
    if (reg.view != "a32" || !reg.modelled) continue;
    uint64_t mask = 0;
    for (const Field &field : reg.fields) mask |= field.Mask();
    EXPECT_EQ(typed.count(reg.name), 0u) << reg.name << " twice";
    typed[reg.name] = mask;
  }
  for (const auto &[name, mask] : typed) {
    ASSERT_EQ(there.count(name), 1u) << name << " is none of registers.def";
    // Reserved bits that a view does not mask must be reserved in the register.
    EXPECT_EQ(mask & ~there[name], 0u) << name;
  }
  for (const auto &[name, mask] : there) EXPECT_EQ(typed.count(name), 1u) << name << " has no row";
  for (const std::string &name : RowsOf("a32", false)) EXPECT_EQ(there.count(name), 0u) << name;
}

using Words = std::set<std::pair<std::string, unsigned>>;  // layout, offset

TEST(PresenceTable, HasEveryWordOfThePage) {
  constexpr int NONE = 0xFFFF;
  Words there;
  std::set<std::string> names;
  const auto add = [&](const char *layout, int offset, int stride) {
    if (offset == NONE) return;
    for (int n = 0; n < (stride ? 31 : 1); n++) there.insert({layout, offset + n * stride});
  };
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  names.insert(Indexed(name));                                                                   \
  add("EXT32", lo32, stride32);                                                                  \
  add("EXT32", hi32, stride32);                                                                  \
  add("EXT64", off64, stride64);                                                                 \
  if ((off64) != NONE && (std::strcmp(#domain, "NONE") != 0 || (hi32) != NONE))                  \
    add("EXT64", (off64) + 4, stride64);
#include "pmuv3/external.def"
  Words typed;
  for (const Register &reg : Table()) {
    if (reg.view != "ext") continue;
    for (const Word &word : reg.words)
      for (unsigned n = 0; n < (word.stride ? 31u : 1u); n++)
        EXPECT_TRUE(typed.insert({word.layout, word.offset + n * word.stride}).second)
            << reg.name << " shares an offset";
  }
  EXPECT_EQ(typed, there);
  for (const std::string &name : names) EXPECT_EQ(RowsOf("ext", true).count(name), 1u) << name;
  for (const std::string &name : RowsOf("ext", false)) EXPECT_EQ(names.count(name), 0u) << name;
}

// ---- Both sides agree with the table.

// The expected read values of a register's fields after writing ones, and after writing zeros.
struct Expected {
  uint64_t there = 0;     // fields that exist with these parameters
  uint64_t ones = 0;      // after ones
  uint64_t zeros = 0;     // after zeros
  uint64_t any = 0;       // fields that writes do not determine
  uint64_t set_ones = 0;  // after ones were written to the register that sets bits
};

// Identification registers read ones where they have fields, so that other bits show.
const char kIdentity[] =
    " imp=0xFF idcode=0xFF iidr=0xFFFFFFFF pidr=0xFFFFFFFFFF authstatus=0x0C00C0CC"
    " affinity=0xFFFFFF";

class PresenceTest : public SideTest {
 protected:
  void SetUp() override {}

  // Runs `check` for every parameter set.
  void OverParameters(const std::function<void()> &check) {
    const bool rtl = std::strcmp(GetParam().name, "Rtl") == 0;
    std::vector<std::string> sets = Boundaries();
    for (const std::string &set : RandomSets(rtl ? 40 : 400)) sets.push_back(set);
    for (const std::string &set : sets) {
      if (!Possible(set)) continue;
      SCOPED_TRACE(set);
      Build(set + kIdentity);
      check();
      if (HasFailure()) return;
    }
  }

  bool Has(const std::string &condition, unsigned n) { return Holds(condition, params(), n); }

  // Whether counter n's register exists, by the register's own condition.
  bool There(const Register &reg, const std::string &condition, unsigned n) {
    return Has(condition, n) && (!reg.Indexed() || n < params().counters);
  }

  // The counters to check: those next to a boundary.
  std::set<unsigned> Counters(const Register &reg) {
    if (!reg.Indexed()) return {0};
    const unsigned counters = params().counters;
    return {0, 1, counters ? counters - 1 : 0, counters < 31 ? counters : 30, 30};
  }

  Expected Expect(const Register &reg, unsigned n) {
    Expected expected;
    for (const Field &field : reg.fields) {
      const bool there = Has(field.condition, n);
      const uint64_t mask = there ? field.Implemented(params()) : 0;
      expected.there |= mask;
      if (!there) {
        if (field.otherwise != "RES1") continue;
        expected.ones |= field.Mask();
        expected.zeros |= field.Mask();
        continue;
      }
      switch (field.kind) {
        case Kind::kRw:
          expected.ones |= mask;
          break;
        case Kind::kW1s:
          expected.ones |= mask;
          expected.zeros |= mask;
          break;
        case Kind::kW1c:
          expected.set_ones |= mask;
          break;
        case Kind::kRo:
        case Kind::kHw:
          expected.any |= mask;
          break;
        case Kind::kWo:
          break;
        case Kind::kValue:
          expected.ones |= field.value << field.lsb;
          expected.zeros |= field.value << field.lsb;
          break;
      }
    }
    return expected;
  }

  // Writes ones and zeros, and restores the value. `set` writes the register that sets the bits
  // which this one clears.
  void CheckFields(const Expected &expected, uint64_t bits, const std::function<uint64_t()> &read,
                   const std::function<void(uint64_t)> &write,
                   const std::function<void(uint64_t)> &set) {
    const uint64_t look = bits & ~expected.any;
    const uint64_t before = read();
    if (expected.set_ones) {
      set(~UINT64_C(0));
      EXPECT_EQ(read() & look, (expected.set_ones | expected.zeros) & look) << "set";
    }
    write(~UINT64_C(0));
    EXPECT_EQ(read() & look, expected.ones & look) << "after ones";
    write(0);
    EXPECT_EQ(read() & look, expected.zeros & look) << "after zeros";
    write(before);
  }

  // The register that sets the bits which this one clears.
  static std::string Setter(std::string name) {
    if (name == "PMOVSR") return "PMOVSSET";
    if (const size_t clear = name.find("CLR"); clear != std::string::npos)
      name.replace(clear, 3, "SET");
    return name;
  }

  static uint16_t Find(const std::string &name) {
    uint16_t reg = 0;
    EXPECT_TRUE(pmuv3_register_find(name.c_str(), &reg)) << name;
    return reg;
  }

  // `write` and `expect` of a register.
  void CheckUnchecked(const Register &row, unsigned n) {
    const uint16_t reg = Find(row.Name(n));
    uint64_t value;
    if (!There(row, row.unchecked, n)) {
      EXPECT_EQ(TryRead(reg, &value), PMUV3_ACCESS_UNKNOWN);
      EXPECT_EQ(TryWrite(reg, 0), PMUV3_ACCESS_UNKNOWN);
      return;
    }
    EXPECT_EQ(TryRead(reg, &value), row.access == "WO" ? PMUV3_ACCESS_WRITE_ONLY : PMUV3_ACCESS_OK);
    EXPECT_EQ(TryWrite(reg, 0), row.access == "RO" ? PMUV3_ACCESS_READ_ONLY : PMUV3_ACCESS_OK);
    if (row.access == "WO" || row.fields.empty() || HasFailure()) return;
    const uint16_t setter = Find(Setter(row.Name(n)));
    CheckFields(
        Expect(row, n), pmuv3_register_bits(reg) == 32 ? UINT32_MAX : UINT64_MAX,
        [&] { return Read(reg); }, [&](uint64_t ones) { TryWrite(reg, ones); },
        [&](uint64_t ones) { Write(setter, ones); });
  }

  // Every legal state of a thread.
  std::vector<pmuv3_pe> States() {
    std::vector<pmuv3_pe> states;
    for (unsigned bits = 0; bits < 1u << 9; bits++) {
      const pmuv3_pe pe = Pe(bits & 3, static_cast<pmuv3_security_state>(bits >> 2 & 3))
                              .Aa32(bits >> 4 & 1)
                              .A32El1(bits >> 5 & 1)
                              .A32El3(bits >> 6 & 1)
                              .Eel2(bits >> 7 & 1)
                              .A32El2(bits >> 8 & 1);
      if (pmuv3_pe_wrong(&params(), &pe) == nullptr) states.push_back(pe);
    }
    return states;
  }

  // MRS and MSR: an absent register is UNDEFINED in every state. A present register is not
  // UNDEFINED in at least one state.
  void CheckChecked(const Register &row, unsigned n) {
    const uint16_t reg = Find(row.Name(n));
    bool reads = false;
    bool writes = false;
    for (const pmuv3_pe &pe : States()) {
      SetPe(pe);
      Write(PMUV3_PMUSERENR, 0xF);
      Write(PMUV3_PMSELR, params().counters ? 0 : 31);
      uint64_t value = 0;
      reads |= TryMrs(reg, &value) != PMUV3_UNDEFINED;
      writes |= Msr(reg, 0) != PMUV3_UNDEFINED;
    }
    const bool there = There(row, row.condition, n);
    EXPECT_EQ(reads, there && row.access != "WO") << "read";
    EXPECT_EQ(writes, there && Has(row.written, n)) << "written";
  }

  // Reads a word of the page in the most secure address space.
  uint32_t ReadWord(unsigned offset) {
    uint32_t value = 0;
    EXPECT_TRUE(
        pmuv3_side_external_read(side(), 0, MostSecure(), static_cast<uint16_t>(offset), &value));
    return value;
  }
  void WriteWord(unsigned offset, uint32_t value) {
    EXPECT_TRUE(
        pmuv3_side_external_write(side(), 0, MostSecure(), static_cast<uint16_t>(offset), value));
  }
  pmuv3_security_state MostSecure() {
    if (pmuv3_has(&params(), PMUV3_FEATURE_RME)) return PMUV3_RT;
    return params().el3 ? PMUV3_S : PMUV3_NS;
  }
  bool ReadsLocked(unsigned offset) {
    uint32_t value = 0;
    return pmuv3_side_external_read(side(), 0, MostSecure(), static_cast<uint16_t>(offset), &value);
  }

  // The offsets of a register's halves with these parameters.
  struct Halves {
    unsigned offset[2] = {};
    uint64_t bits = 0;
  };
  Halves Find(const Register &row, unsigned n) {
    Halves halves;
    for (const Word &word : row.words) {
      if (!Has(word.layout, n) || !Has(word.condition, n)) continue;
      halves.offset[word.high] = word.offset + n * word.stride;
      halves.bits |= word.high ? ~UINT64_C(0) << 32 : UINT32_MAX;
    }
    return halves;
  }
  uint64_t ReadHalves(const Halves &halves) {
    uint64_t value = 0;
    for (const unsigned high : {0u, 1u})
      if (halves.bits >> 32 * high & 1)
        value |= static_cast<uint64_t>(ReadWord(halves.offset[high])) << 32 * high;
    return value;
  }
  void WriteHalves(const Halves &halves, uint64_t value) {
    for (const unsigned high : {0u, 1u})
      if (halves.bits >> 32 * high & 1)
        WriteWord(halves.offset[high], static_cast<uint32_t>(value >> 32 * high));
  }

  void CheckExternal(const Register &row, unsigned n) {
    if (!There(row, row.condition, n)) return;
    const Halves halves = Find(row, n);
    Halves setter;
    for (const Register &other : Table())
      if (other.view == "ext" && other.name == Setter(row.name)) setter = Find(other, n);
    if (pmuv3_has(&params(), PMUV3_FEATURE_EXT32)) WriteWord(kLar, kKey);
    CheckFields(
        Expect(row, n), halves.bits, [&] { return ReadHalves(halves); },
        [&](uint64_t ones) { WriteHalves(halves, ones); },
        [&](uint64_t ones) { WriteHalves(setter, ones); });
  }

  // Every word of the page. The Double Lock blocks the words of the PMU's registers. An absent word
  // is never an error, reads as 0 and ignores writes.
  void CheckWords() {
    std::map<unsigned, bool> locked;  // words that exist
    for (const Register &row : Table()) {
      if (row.view != "ext" || !row.modelled) continue;
      for (const Word &word : row.words)
        for (unsigned n = 0; n < (word.stride ? params().counters : 1u); n++)
          if (Has(word.layout, n) && Has(word.condition, n) && Has(row.condition, n))
            locked[word.offset + n * word.stride] = word.locked;
    }
    for (unsigned offset = 0; offset < 0x1000; offset += 4) {
      const auto word = locked.find(offset);
      SetPe(Pe().Dlk());
      EXPECT_EQ(ReadsLocked(offset), word == locked.end() || !word->second)
          << "blocked, 0x" << std::hex << offset;
      SetPe(Pe());
      if (word != locked.end()) continue;
      WriteWord(offset, UINT32_MAX);
      EXPECT_EQ(ReadWord(offset), 0u) << "reserved, 0x" << std::hex << offset;
    }
  }

  static constexpr unsigned kLar = 0xFB0;
  static constexpr uint32_t kKey = 0xC5ACCE55;
};

TEST_P(PresenceTest, RegistersAndFields) {
  OverParameters([&] {
    for (const Register &row : Table()) {
      if (row.view == "ext" || !row.modelled) continue;
      for (const unsigned n : Counters(row)) {
        SCOPED_TRACE(row.view + " " + row.Name(n));
        CheckUnchecked(row, n);
        Reset();
      }
    }
  });
}

TEST_P(PresenceTest, AccessesOfEveryState) {
  OverParameters([&] {
    for (const Register &row : Table()) {
      if (row.view == "ext" || !row.modelled) continue;
      for (const unsigned n : Counters(row)) {
        SCOPED_TRACE(row.view + " " + row.Name(n));
        CheckChecked(row, n);
      }
    }
  });
}

TEST_P(PresenceTest, Page) {
  OverParameters([&] {
    if (!Has("EXT", 0)) {
      for (unsigned offset = 0; offset < 0x1000; offset += 4) EXPECT_FALSE(ReadsLocked(offset));
      return;
    }
    CheckWords();
    for (const Register &row : Table()) {
      if (row.view != "ext" || !row.modelled) continue;
      for (const unsigned n : Counters(row)) {
        SCOPED_TRACE(row.view + " " + row.Name(n));
        CheckExternal(row, n);
      }
    }
  });
}

PMUV3_ON_BOTH_SIDES(PresenceTest);

}  // namespace
}  // namespace pmuv3
