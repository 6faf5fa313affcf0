#include "testbench/prove/engine/cache/library.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

struct digest Digest(uint64_t number) {
  return {{number * 0x9E3779B97F4A7C15ull, number}};
}

// With a folder of its own, as tests run side by side.
class LibraryFileTest : public ::testing::Test {
 protected:
  ~LibraryFileTest() override { std::filesystem::remove_all(folder_); }

  std::string name_ = ::testing::TempDir() + "library_test.XXXXXX";
  const std::filesystem::path folder_ = mkdtemp(name_.data());
  const std::string file_ = folder_ / "library";
};

TEST(LibraryTest, HasWhatIsAdded) {
  struct library *library = library_open(nullptr);
  ASSERT_NE(library, nullptr);
  for (uint64_t n = 1; n <= 5000; n++) {
    EXPECT_FALSE(library_has(library, Digest(n)));
    library_add(library, Digest(n));
    EXPECT_TRUE(library_has(library, Digest(n)));
  }
  for (uint64_t n = 1; n <= 5000; n++) EXPECT_TRUE(library_has(library, Digest(n)));
  EXPECT_FALSE(library_has(library, Digest(5001)));
  library_close(library);
}

TEST_F(LibraryFileTest, Stays) {
  struct library *library = library_open(file_.c_str());
  ASSERT_NE(library, nullptr);
  for (uint64_t n = 1; n <= 1000; n++) library_add(library, Digest(n));
  library_close(library);
  library = library_open(file_.c_str());
  ASSERT_NE(library, nullptr);
  for (uint64_t n = 1; n <= 1000; n++) EXPECT_TRUE(library_has(library, Digest(n)));
  EXPECT_FALSE(library_has(library, Digest(1001)));
  library_close(library);
}

// What a process adds, the others see.
TEST(LibraryTest, ForkedProcessesShareIt) {
  struct library *library = library_open(nullptr);
  ASSERT_NE(library, nullptr);
  for (uint64_t n = 1; n <= 4; n++) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      library_add(library, Digest(n));
      _exit(library_has(library, Digest(n - 1)) == (n > 1) ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0) << n;
  }
  for (uint64_t n = 1; n <= 4; n++) EXPECT_TRUE(library_has(library, Digest(n)));
  library_close(library);
}

TEST_F(LibraryFileTest, AnotherFileIsNone) {
  for (const char *text : {"x", "this is a text and no library of proofs"}) {
    std::ofstream(file_) << text;
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(library_open(file_.c_str()), nullptr);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), file_ + ": not a file of what is proved\n");
  }
}

TEST(LibraryTest, AFileThatCannotBeMade) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(library_open("/nowhere/at/all"), nullptr);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "/nowhere/at/all: No such file or directory\n");
}

}  // namespace
