#include "testbench/tests/exhaustive/threshold_reader.h"

#include <cstring>

namespace pmuv3::exhaustive::threshold {
namespace {

// Whether a field's value fits a pattern of digits.
bool Fits(const char *pattern, int value) {
  for (size_t i = 0, bits = std::strlen(pattern); i < bits; i++) {
    const char digit = (value >> (bits - 1 - i) & 1) ? '1' : '0';
    if (pattern[i] != 'x' && pattern[i] != digit) return false;
  }
  return true;
}

bool CtOf(const std::vector<Relation> &relations, int tc, int vb, int th) {
  for (const Relation &row : relations)
    if (Fits(row.tc_2_1, tc >> 1)) return vb < th ? row.below : vb == th ? row.equal : row.above;
  return false;
}

bool CeOf(const std::vector<Edge> &edges, int tc, int cp, bool ct) {
  for (const Edge &row : edges)
    if (Fits(row.tc_1_0, tc & 3))
      return cp ? (ct ? row.cp1_ct1 : row.cp1_ct0) : (ct ? row.cp0_ct1 : row.cp0_ct0);
  return false;
}

int Cell(const Row *row, bool condition, const Combination &combination) {
  if (!row) return -1;  // equals no observable value
  switch (condition ? row->if_true : row->if_false) {
    case Term::kZero:
      return 0;
    case Term::kOne:
      return 1;
    case Term::kBase:
      return combination.vb;
    case Term::kLink:
      return combination.link;
  }
  return -1;
}

}  // namespace

std::ostream &operator<<(std::ostream &out, const Combination &c) {
  return out << "features=" << Tables().levels[c.level].features << " K-RESTC="
             << "ab"[c.restc] << (c.odd ? " odd n" : " even n") << " TC=" << c.tc << " TE=" << c.te
             << " TLC=" << c.tlc << " TH=" << c.th << " CP=" << c.cp << " VB=" << c.vb
             << " V[n-1]=" << c.link;
}

bool operator==(const Values &a, const Values &b) {
  return a.ct == b.ct && a.ce == b.ce && a.vt == b.vt && a.ve == b.ve && a.v == b.v;
}

std::ostream &operator<<(std::ostream &out, const Values &values) {
  return out << "CT=" << values.ct << " CE=" << values.ce << " VT=" << values.vt
             << " VE=" << values.ve << " V=" << values.v;
}

Reader::Reader(const Tables &tables) : tables_(tables) {
  for (int linked : {0, 1})
    for (int te : {0, 1})
      for (int tlc = 0; tlc < 4; tlc++)
        for (int tc = 0; tc < 8; tc++) selected_.push_back(Select({linked, te, tlc, tc}));
}

Values Reader::Read(const Combination &combination) const {
  const Level &level = tables_.levels[combination.level];
  const bool linked = level.tlc && combination.odd;
  const int tc = level.tc_th ? combination.tc : 0;
  const int th = level.tc_th ? combination.th : 0;
  const int te = level.te ? combination.te : 0;
  const int tlc = linked ? combination.tlc : 0;
  const Selected &rows = selected_[IndexOf({linked, te, tlc, tc})];

  const bool ct = CtOf(tables_.relations, tc, combination.vb, th);
  const bool ce = CeOf(tables_.edges, tc, combination.cp, ct);
  Values values;
  values.ct = ct;
  values.ce = ce;
  values.vt = Cell(rows.vt, ct, combination);
  values.ve = Cell(rows.ve, ce, combination);
  values.v = Cell(rows.v[combination.restc], rows.v_by_ce ? ce : ct, combination);
  return values;
}

Reader::Selected Reader::Select(const Setting &setting) const {
  Selected rows = {};
  rows.vt = Find(tables_.vt, setting);
  rows.ve = Find(tables_.ve, setting);
  if (Count(tables_.reserved, setting) > 0) {
    rows.v[0] = Find(tables_.restc_a, setting);
    rows.v[1] = Find(tables_.restc_b, setting);
  } else {
    rows.v[0] = rows.v[1] = Find(tables_.permitted, setting);
    rows.v_by_ce = setting.te != 0;
  }
  return rows;
}

bool Reader::Matches(const Key &key, const Setting &setting) {
  return Fits(key.linked, setting.linked) && Fits(key.te, setting.te) &&
         Fits(key.tlc, setting.tlc) && Fits(key.tc, setting.tc);
}

const Row *Reader::Find(const std::vector<Row> &rows, const Setting &setting) {
  for (const Row &row : rows)
    if (Matches(row.key, setting)) return &row;
  return nullptr;
}

int Reader::IndexOf(const Setting &setting) {
  return ((setting.linked * 2 + setting.te) * 4 + setting.tlc) * 8 + setting.tc;
}

}  // namespace pmuv3::exhaustive::threshold
