// The evidence database: rows, transactions, several writers, errors.
#include "testbench/evidence/database.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() : path_(testing::TempDir() + "evidence." + std::to_string(getpid()) + ".db") {}
  ~DatabaseTest() override {
    for (const char *suffix : {"", "-wal", "-shm"}) std::remove((path_ + suffix).c_str());
  }

  pmuv3_database_run Run(uint64_t seed, uint64_t cycles, const char *verdict) {
    return {"source",    "1 counter", seed,    "counters=1", cycles,
            10 * cycles, verdict,     nullptr, nullptr,      0.5};
  }

  static const char *Name(size_t bin) { return bin == 0 ? "point.a" : "point.b"; }

  bool Record(sqlite3 *database, const pmuv3_database_run &run, uint64_t a, uint64_t b) {
    const uint64_t hits[] = {a, b};
    return pmuv3_database_record(database, &run, hits, 2, Name);
  }

  int64_t Number(sqlite3 *database, const char *sql) {
    int64_t number = -1;
    sqlite3_stmt *answer = pmuv3_database_ask(database, sql, "");
    while (pmuv3_database_next(answer)) number = sqlite3_column_int64(answer, 0);
    return number;
  }

  const std::string path_;
};

TEST_F(DatabaseTest, HitsAddUpAndMissesAreNoRows) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_TRUE(Record(database, Run(1, 100, "equivalent"), 3, 0));
  EXPECT_TRUE(Record(database, Run(2, 100, "equivalent"), 4, 0));
  EXPECT_EQ(Number(database, "SELECT hits FROM hit WHERE bin = 'point.a'"), 7);
  EXPECT_EQ(Number(database, "SELECT count(*) FROM hit"), 1);
  EXPECT_EQ(Number(database, "SELECT sum(comparisons) FROM run"), 2000);
  sqlite3_close(database);
}

TEST_F(DatabaseTest, TheSameRunCountsOnce) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_TRUE(Record(database, Run(1, 100, "equivalent"), 3, 1));
  EXPECT_FALSE(Record(database, Run(1, 100, "equivalent"), 3, 1));
  EXPECT_FALSE(Record(database, Run(1, 50, "equivalent"), 3, 1));
  EXPECT_EQ(Number(database, "SELECT sum(hits) FROM hit"), 4);
  EXPECT_TRUE(Record(database, Run(1, 200, "equivalent"), 6, 0));
  EXPECT_EQ(Number(database, "SELECT cycles FROM run"), 200);
  EXPECT_EQ(Number(database, "SELECT count(*) FROM replaced"), 0);
  sqlite3_close(database);
}

TEST_F(DatabaseTest, ADivergenceStaysAndACrashGoes) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_TRUE(Record(database, Run(1, 100, "crashed"), 0, 0));
  EXPECT_TRUE(Record(database, Run(1, 100, "diverged"), 0, 0));
  EXPECT_FALSE(Record(database, Run(1, 900, "equivalent"), 0, 0));
  EXPECT_EQ(Number(database, "SELECT count(*) FROM run WHERE verdict = 'diverged'"), 1);
  EXPECT_EQ(Number(database, "SELECT count(*) FROM replaced WHERE verdict = 'crashed'"), 1);
  sqlite3_close(database);
}

// What goes wrong in a longer run is not hidden by a shorter one that was well.
TEST_F(DatabaseTest, WhatGoesWrongLaterIsKept) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  for (uint64_t seed : {1, 2}) Record(database, Run(seed, 100, "equivalent"), 0, 0);
  EXPECT_TRUE(Record(database, Run(1, 30, "crashed"), 0, 0));
  EXPECT_TRUE(Record(database, Run(2, 100, "diverged"), 0, 0));
  EXPECT_EQ(Number(database, "SELECT count(*) FROM run WHERE verdict = 'equivalent'"), 0);
  sqlite3_close(database);
}

TEST_F(DatabaseTest, SeveralWritersAtOnce) {
  constexpr int kWriters = 8, kRuns = 20;
  for (int writer = 0; writer < kWriters; writer++) {
    if (fork() != 0) continue;
    sqlite3 *database = pmuv3_database_open(path_.c_str());  // which one of them makes
    for (int i = 0; i < kRuns; i++)
      Record(database, Run(static_cast<uint64_t>(kRuns * writer + i), 1, "equivalent"), 1, 2);
    sqlite3_close(database);
    _exit(0);
  }
  for (int status; wait(&status) > 0;) EXPECT_EQ(status, 0);
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_EQ(Number(database, "SELECT count(*) FROM run"), kWriters * kRuns);
  EXPECT_EQ(Number(database, "SELECT sum(hits) FROM hit"), 3 * kWriters * kRuns);
  sqlite3_close(database);
}

TEST_F(DatabaseTest, WhatIsBegunAndNotCommittedIsNotThere) {
  if (fork() == 0) {
    sqlite3 *database = pmuv3_database_open(path_.c_str());
    Record(database, Run(1, 100, "equivalent"), 1, 1);
    pmuv3_database_begin(database);
    pmuv3_database_do(database, "DELETE FROM hit", "");
    _exit(0);  // as if it were killed
  }
  wait(nullptr);
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_EQ(Number(database, "SELECT count(*) FROM hit"), 2);
  sqlite3_close(database);
}

using DatabaseDeathTest = DatabaseTest;

TEST_F(DatabaseDeathTest, NoDatabase) {
  std::ofstream(path_) << "no database at all";
  EXPECT_EXIT(pmuv3_database_open(path_.c_str()), testing::ExitedWithCode(2),
              "^pmuv3: .*file is not a database\n$");
  EXPECT_EXIT(pmuv3_database_open("/nonexistent/evidence.db"), testing::ExitedWithCode(2),
              "^pmuv3: .*unable to open database file\n$");
}

TEST_F(DatabaseDeathTest, AVerdictThatIsNone) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_EXIT(Record(database, Run(1, 100, "fine"), 0, 0), testing::ExitedWithCode(2),
              "CHECK constraint failed");
  sqlite3_close(database);
}

TEST_F(DatabaseDeathTest, NoSource) {
  unsetenv("PMUV3_SOURCE");
  EXPECT_EXIT(pmuv3_database_source(), testing::ExitedWithCode(2), "PMUV3_SOURCE");
}

}  // namespace
