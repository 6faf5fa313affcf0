// Looks up the tables' values for a combination.
#ifndef PMUV3_THRESHOLD_READER_H
#define PMUV3_THRESHOLD_READER_H

#include <ostream>
#include <vector>

#include "testbench/tests/exhaustive/threshold_tables.h"

namespace pmuv3::exhaustive::threshold {

// A combination: the settings of counter n, and its inputs in the cycle.
struct Combination {
  int level;  // index of Tables::levels
  int restc;  // K-RESTC: 0 = a, 1 = b
  int odd;    // n is odd
  int te, tlc, tc, th;
  int cp;
  int vb;
  int link;  // V[n-1]
};
std::ostream &operator<<(std::ostream &out, const Combination &combination);

// The values of counter n in the cycle.
struct Values {
  int ct, ce, vt, ve, v;
};
bool operator==(const Values &a, const Values &b);
std::ostream &operator<<(std::ostream &out, const Values &values);

// The Effective {TC, TE, TLC}, as a key of the tables.
struct Setting {
  int linked, te, tlc, tc;
};

class Reader {
 public:
  explicit Reader(const Tables &tables);

  // The tables' values for a combination.
  Values Read(const Combination &combination) const;

  // The number of rows (permitted, reserved, ...) with this setting.
  template <typename Rows>
  static int Count(const Rows &rows, const Setting &setting) {
    int count = 0;
    for (const auto &row : rows) count += Matches(row.key, setting);
    return count;
  }

 private:
  // The rows of one setting; null: there is none.
  struct Selected {
    const Row *v[2];  // by K-RESTC
    bool v_by_ce;     // the row's condition is CE, not CT
    const Row *vt, *ve;
  };

  static bool Matches(const Key &key, const Setting &setting);
  static const Row *Find(const std::vector<Row> &rows, const Setting &setting);
  static int IndexOf(const Setting &setting);
  Selected Select(const Setting &setting) const;

  Tables tables_;
  std::vector<Selected> selected_;  // by IndexOf
};

}  // namespace pmuv3::exhaustive::threshold

#endif
