#include "engine/cache/proof_cache.h"

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
class ProofCacheFileTest : public ::testing::Test {
 protected:
  ~ProofCacheFileTest() override { std::filesystem::remove_all(folder_); }

  std::string name_ = ::testing::TempDir() + "proof_cache_test.XXXXXX";
  const std::filesystem::path folder_ = mkdtemp(name_.data());
  const std::string file_ = folder_ / "cache";
};

TEST(ProofCacheTest, HasWhatIsAdded) {
  struct proof_cache *cache = proof_cache_open(nullptr);
  ASSERT_NE(cache, nullptr);
  for (uint64_t n = 1; n <= 5000; n++) {
    EXPECT_FALSE(proof_cache_has(cache, Digest(n)));
    proof_cache_add(cache, Digest(n));
    EXPECT_TRUE(proof_cache_has(cache, Digest(n)));
  }
  for (uint64_t n = 1; n <= 5000; n++) EXPECT_TRUE(proof_cache_has(cache, Digest(n)));
  EXPECT_FALSE(proof_cache_has(cache, Digest(5001)));
  proof_cache_close(cache);
}

TEST_F(ProofCacheFileTest, Stays) {
  struct proof_cache *cache = proof_cache_open(file_.c_str());
  ASSERT_NE(cache, nullptr);
  for (uint64_t n = 1; n <= 1000; n++) proof_cache_add(cache, Digest(n));
  proof_cache_close(cache);
  cache = proof_cache_open(file_.c_str());
  ASSERT_NE(cache, nullptr);
  for (uint64_t n = 1; n <= 1000; n++) EXPECT_TRUE(proof_cache_has(cache, Digest(n)));
  EXPECT_FALSE(proof_cache_has(cache, Digest(1001)));
  proof_cache_close(cache);
}

// What a process adds, the others see.
TEST(ProofCacheTest, ForkedProcessesShareIt) {
  struct proof_cache *cache = proof_cache_open(nullptr);
  ASSERT_NE(cache, nullptr);
  for (uint64_t n = 1; n <= 4; n++) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      proof_cache_add(cache, Digest(n));
      _exit(proof_cache_has(cache, Digest(n - 1)) == (n > 1) ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0) << n;
  }
  for (uint64_t n = 1; n <= 4; n++) EXPECT_TRUE(proof_cache_has(cache, Digest(n)));
  proof_cache_close(cache);
}

TEST_F(ProofCacheFileTest, AnotherFileIsNone) {
  for (const char *text : {"x", "this is a text and no proof cache"}) {
    std::ofstream(file_) << text;
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(proof_cache_open(file_.c_str()), nullptr);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), file_ + ": not a file of what is proved\n");
  }
}

TEST(ProofCacheTest, AFileThatCannotBeMade) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(proof_cache_open("/nowhere/at/all"), nullptr);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "/nowhere/at/all: No such file or directory\n");
}

}  // namespace
