// Tables as text: a row a line, but for empty lines and those that begin with #.
#ifndef PMUV3_WITNESS_ROWS_H
#define PMUV3_WITNESS_ROWS_H

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pmuv3::witness {

// An error of `read`, or a file without rows, throws std::runtime_error with the file and the line.
template <class Row>
std::vector<Row> ReadRows(const std::string &path, Row (*read)(const std::string &line)) {
  std::ifstream file(path);
  std::vector<Row> rows;
  std::string line;
  for (unsigned number = 1; std::getline(file, line); number++) {
    if (line.empty() || line[0] == '#') continue;
    try {
      rows.push_back(read(line));
    } catch (const std::exception &wrong) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + wrong.what());
    }
  }
  if (rows.empty()) throw std::runtime_error(path + ": no rows");
  return rows;
}

}  // namespace pmuv3::witness

#endif
