// What tests of netlists share: a folder to work in, commands, and netlists that free themselves.
#ifndef ENGINE_NETLIST_NETLIST_TEST_H
#define ENGINE_NETLIST_NETLIST_TEST_H

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "engine/netlist/netlist.h"
}
#pragma GCC diagnostic pop

namespace engine {

class CommandTest : public ::testing::Test {
 protected:
  CommandTest() {
    std::string name = ::testing::TempDir() + "netlist_test.XXXXXX";
    work_ = mkdtemp(name.data());
  }
  ~CommandTest() override { std::filesystem::remove_all(work_); }

  static std::string ReadFile(const std::filesystem::path &file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  // Returns the exit status, and keeps the output in said_.
  int Run(const std::string &command) {
    const std::filesystem::path said = work_ / "said";
    const int status = std::system((command + " >" + said.string() + " 2>&1").c_str());
    said_ = ReadFile(said);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::filesystem::path work_;
  std::string said_;
};

struct FreeNetlist {
  void operator()(struct netlist *netlist) const { netlist_free(netlist); }
};
using Netlist = std::unique_ptr<struct netlist, FreeNetlist>;

inline Netlist Read(const std::filesystem::path &file, const std::string &prefix = "") {
  return Netlist(netlist_read(file.c_str(), prefix.c_str(), nullptr, nullptr));
}

}  // namespace engine

#endif
