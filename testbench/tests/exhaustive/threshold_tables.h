// The increment of a counter in a cycle, as the specification's tables print it, typed as data. The
// tables compute nothing, and contain nothing of either implementation.
#ifndef PMUV3_THRESHOLD_TABLES_H
#define PMUV3_THRESHOLD_TABLES_H

#include <vector>

namespace pmuv3::exhaustive::threshold {

// The terms in a table's cell: 0, 1, VB[n], V[n-1].
enum class Term { kZero, kOne, kBase, kLink };

// The settings of a row. A pattern has a digit for each bit, most significant first. x: any digit.
struct Key {
  const char *linked;  // 1: n odd, with PMUv3_TH2; 0: n even, or without PMUv3_TH2
  const char *te, *tlc, *tc;
};

// A row: the terms for a true and for a false condition.
struct Row {
  const char *name;
  Key key;
  Term if_true, if_false;
};

// C.0 (RQVYDV, RSGLNM, RMRPVL): the Effective fields. Only odd counters have TLC.
struct Level {
  const char *features;
  bool tc_th, te, tlc;
};

// C.1 (RWXVGN): CT if VB is below, equal to, above TH.
struct Relation {
  const char *tc_2_1;
  bool below, equal, above;
};

// C.2 (RNXPYM): CE by CP and CT.
struct Edge {
  const char *tc_1_0;
  bool cp0_ct0, cp0_ct1, cp1_ct0, cp1_ct1;
};

// ILQXJZ: a reserved {TC, TE, TLC}.
struct Reserved {
  const char *rule;
  Key key;
};

struct Tables {
  std::vector<Level> levels = {
      {"PMUv3p9", false, false, false},
      {"PMUv3p9,TH", true, false, false},
      {"PMUv3p9,EDGE", true, true, false},
      {"PMUv3p9,TH2", true, true, true},
  };

  std::vector<Relation> relations = {
      {"00", true, false, true},   // VB != TH
      {"01", false, true, false},  // VB == TH
      {"10", false, true, true},   // VB >= TH
      {"11", true, false, false},  // VB < TH
  };

  std::vector<Edge> edges = {
      {"00", false, false, false, false},  // reserved; CE is 0 (formats.md section 3)
      {"01", false, true, false, false},   // CT and not CP
      {"10", false, true, true, false},    // CT xor CP
      {"11", false, true, false, false},   // CT and not CP
  };

  // B.4.1: V. The condition is CT in rows with TE = 0, CE in rows with TE = 1.
  std::vector<Row> permitted = {
      {"D13-5 A", {"1", "0", "00", "xx0"}, Term::kBase, Term::kZero},
      {"D13-5 B", {"1", "0", "00", "xx1"}, Term::kOne, Term::kZero},
      {"D13-5 C", {"1", "0", "01", "xx0"}, Term::kBase, Term::kLink},
      {"D13-5 D", {"1", "0", "01", "xx1"}, Term::kOne, Term::kLink},
      {"D13-5 E", {"1", "0", "10", "xx0"}, Term::kLink, Term::kZero},
      {"D13-6 F", {"1", "1", "00", "xx1"}, Term::kOne, Term::kZero},
      {"D13-6 G", {"1", "1", "10", "xx1"}, Term::kLink, Term::kZero},
      {"D13-6 F'", {"1", "1", "00", "x10"}, Term::kOne, Term::kZero},
      {"D13-6 G'", {"1", "1", "10", "x10"}, Term::kLink, Term::kZero},
      {"D13-7 A", {"0", "0", "00", "xx0"}, Term::kBase, Term::kZero},
      {"D13-7 B", {"0", "0", "00", "xx1"}, Term::kOne, Term::kZero},
      {"D13-8 F", {"0", "1", "00", "xx1"}, Term::kOne, Term::kZero},
      {"D13-8 F'", {"0", "1", "00", "x10"}, Term::kOne, Term::kZero},
  };

  std::vector<Reserved> reserved = {
      {"ILQXJZ/2", {"1", "x", "11", "xxx"}},
      {"ILQXJZ/3", {"1", "0", "10", "xx1"}},
      {"ILQXJZ/4", {"1", "1", "01", "xxx"}},
      {"ILQXJZ/5", {"x", "1", "xx", "x00"}},
  };

  // ILQXJZ/6: V of a reserved setting, by CT. K-RESTC a: VB. b: as the allocated {TC, TE=0,
  // TLC=00}.
  std::vector<Row> restc_a = {
      {"K-RESTC a", {"x", "x", "xx", "xxx"}, Term::kBase, Term::kBase},
  };
  std::vector<Row> restc_b = {
      {"K-RESTC b, TC0=0", {"x", "x", "xx", "xx0"}, Term::kBase, Term::kZero},
      {"K-RESTC b, TC0=1", {"x", "x", "xx", "xx1"}, Term::kOne, Term::kZero},
  };

  // C.3 (RXFGYS, RYKFCB), and formats.md section 3 outside its selection: VT, by CT.
  std::vector<Row> vt = {
      {"VT TLC=00 TC0=0", {"x", "x", "00", "xx0"}, Term::kBase, Term::kZero},
      {"VT TLC=00 TC0=1", {"x", "x", "00", "xx1"}, Term::kOne, Term::kZero},
      {"VT TLC=01 TC0=0", {"1", "x", "01", "xx0"}, Term::kBase, Term::kLink},
      {"VT TLC=01 TC0=1", {"1", "x", "01", "xx1"}, Term::kOne, Term::kLink},
      {"VT TLC=10", {"1", "x", "10", "xxx"}, Term::kLink, Term::kZero},
      {"VT TLC=11 TC0=0", {"1", "x", "11", "xx0"}, Term::kBase, Term::kZero},
      {"VT TLC=11 TC0=1", {"1", "x", "11", "xx1"}, Term::kOne, Term::kZero},
  };

  // C.3 (RFLGYG, RBGDTJ), and formats.md section 3 outside its selection: VE, by CE.
  std::vector<Row> ve = {
      {"VE TLC=00", {"x", "x", "00", "xxx"}, Term::kOne, Term::kZero},
      {"VE TLC=01", {"1", "x", "01", "xxx"}, Term::kOne, Term::kZero},
      {"VE TLC=10", {"1", "x", "10", "xxx"}, Term::kLink, Term::kZero},
      {"VE TLC=11", {"1", "x", "11", "xxx"}, Term::kOne, Term::kZero},
  };
};

}  // namespace pmuv3::exhaustive::threshold

#endif
