// Changes of tables, one entry at a time. A check by the tables must fail with each change.
#ifndef PMUV3_CHANGES_H
#define PMUV3_CHANGES_H

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace pmuv3::exhaustive {

template <typename Tables>
struct Change {
  std::string what;
  Tables changed;
};

template <typename Tables>
class Changes {
 public:
  // Changes an entry of each row to each of the other values.
  template <typename Row, typename Entry, typename Values = std::initializer_list<Entry>>
  void Replace(const std::string &name, std::vector<Row> Tables::*rows, Entry Row::*entry,
               const Values &values) {
    ForEach(rows, [&](size_t i) {
      int which = 0;
      for (const Entry &value : values) {
        Tables changed;
        Entry &place = (changed.*rows)[i].*entry;
        which++;
        if (place == value) continue;
        place = value;
        Add(name, i, " is value " + std::to_string(which), changed);
      }
    });
  }

  // Inverts a flag of each row.
  template <typename Row>
  void Flip(const std::string &name, std::vector<Row> Tables::*rows,
            std::initializer_list<bool Row::*> flags) {
    ForEach(rows, [&](size_t i) {
      for (size_t j = 0; j < flags.size(); j++) {
        Tables changed;
        bool &flag = (changed.*rows)[i].*flags.begin()[j];
        flag = !flag;
        Add(name, i, " flag " + std::to_string(j), changed);
      }
    });
  }

  // Changes a digit of a pattern of each row to each other digit.
  template <typename Row>
  void Redraw(const std::string &name, std::vector<Row> Tables::*rows, std::string Row::*pattern,
              const char *digits) {
    ForEach(rows, [&](size_t i) {
      for (size_t at = 0; at < ((Tables().*rows)[i].*pattern).size(); at++)
        for (const char *digit = digits; *digit; digit++) {
          Tables changed;
          char &place = ((changed.*rows)[i].*pattern)[at];
          if (place == *digit) continue;
          place = *digit;
          Add(name, i, " digit " + std::to_string(at) + " is " + *digit, changed);
        }
    });
  }

  // Removes a row.
  template <typename Row>
  void Drop(const std::string &name, std::vector<Row> Tables::*rows) {
    ForEach(rows, [&](size_t i) {
      Tables changed;
      (changed.*rows).erase((changed.*rows).begin() + static_cast<std::ptrdiff_t>(i));
      Add(name, i, " is dropped", changed);
    });
  }

  void Add(const std::string &what, const Tables &changed) { all_.push_back({what, changed}); }

  const std::vector<Change<Tables>> &all() const { return all_; }

 private:
  template <typename Row, typename Visit>
  static void ForEach(std::vector<Row> Tables::*rows, Visit visit) {
    for (size_t i = 0; i < (Tables().*rows).size(); i++) visit(i);
  }

  void Add(const std::string &name, size_t row, const std::string &what, const Tables &changed) {
    Add(name + " row " + std::to_string(row) + what, changed);
  }

  std::vector<Change<Tables>> all_;
};

}  // namespace pmuv3::exhaustive

#endif
