// The evidence database: rows, transactions, several writers, errors.
#include "testbench/signoff/evidence/database.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/evidence/database_files.h"
#include "testbench/signoff/evidence/mutant_rows.h"
#include "testbench/signoff/evidence/run_rows.h"

namespace {

class DatabaseTest : public testing::Test {
 protected:
  // A folder of its own: what a killed test left must not matter.
  DatabaseTest() : path_(NewFolder() + "/evidence.db") {}
  ~DatabaseTest() override {
    std::filesystem::remove_all(std::filesystem::path(path_).parent_path());
  }
  static std::string NewFolder() {
    std::string folder = testing::TempDir() + "evidence.XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    return folder;
  }

  pmuv3_database_run Run(uint64_t seed, uint64_t cycles, const char *verdict) {
    return {"source", "1 counter", seed,    "counters=1", cycles, 10 * cycles,
            verdict,  nullptr,     nullptr, nullptr,      0.5,    nullptr};
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

  std::string Left(sqlite3 *database) {
    std::string rows;
    sqlite3_stmt *answer = pmuv3_database_ask(
        database,
        "SELECT group_concat(what, ', ') FROM (SELECT verdict || ' ' || cycles AS what"
        " FROM run ORDER BY verdict)",
        "");
    while (pmuv3_database_next(answer))
      rows = reinterpret_cast<const char *>(sqlite3_column_text(answer, 0));
    return rows + "; " + std::to_string(Number(database, "SELECT total(hits) FROM hit")) + "; " +
           std::to_string(Number(database, "SELECT count(*) FROM replaced"));
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

TEST_F(DatabaseTest, HitsOfASeedAreThoseOfItsLastRun) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  for (uint64_t cycles : {100, 200}) {
    pmuv3_database_run run = Run(1, cycles, "equivalent");
    run.hits_of = "1 counter, seed 1";
    EXPECT_TRUE(Record(database, run, cycles, cycles == 100));
  }
  EXPECT_EQ(Number(database, "SELECT sum(hits) FROM hit"), 200);
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

// Runs of one seed, in any order: the rows, and the sums of the hits, are the same.
TEST_F(DatabaseTest, TheOrderOfRunsDoesNotMatter) {
  struct Case {
    std::vector<pmuv3_database_run> runs;
    std::string left;  // the rows of run, hits, and crashes in `replaced`
  };
  const Case cases[] = {
      {{Run(1, 10, "equivalent"), Run(1, 20, "equivalent")}, "equivalent 20; 20; 0"},
      // A shorter run must not hide the crash of a longer one, nor the crash a verdict.
      {{Run(1, 10, "equivalent"), Run(1, 20, "crashed")}, "crashed 20, equivalent 10; 10; 0"},
      {{Run(1, 10, "equivalent"), Run(1, 20, "crashed"), Run(1, 15, "equivalent")},
       "crashed 20, equivalent 15; 15; 0"},
      {{Run(1, 20, "equivalent"), Run(1, 10, "crashed")}, "equivalent 20; 20; 1"},
      {{Run(1, 20, "equivalent"), Run(1, 20, "crashed")}, "equivalent 20; 20; 1"},
      {{Run(1, 10, "crashed"), Run(1, 20, "crashed")}, "crashed 20; 0; 1"},
      {{Run(1, 20, "crashed"), Run(1, 20, "crashed")}, "crashed 20; 0; 0"},
      {{Run(1, 5, "crashed"), Run(1, 10, "equivalent"), Run(1, 20, "crashed")},
       "crashed 20, equivalent 10; 10; 1"},
      {{Run(1, 10, "equivalent"), Run(1, 20, "crashed"), Run(1, 15, "crashed")},
       "crashed 20, equivalent 10; 10; 1"},
      {{Run(1, 10, "equivalent"), Run(1, 20, "crashed"), Run(1, 30, "equivalent")},
       "equivalent 30; 30; 1"},
      {{Run(1, 30, "equivalent"), Run(1, 15, "diverged")}, "diverged 15; 15; 0"},
      {{Run(1, 20, "equivalent"), Run(1, 40, "crashed"), Run(1, 15, "diverged")},
       "diverged 15; 15; 1"}};
  for (const Case &of : cases) {
    std::vector<size_t> order(of.runs.size());
    for (size_t i = 0; i < order.size(); i++) order[i] = i;
    do {
      sqlite3 *database = pmuv3_database_new();
      std::string ordered;
      for (size_t i : order) {
        const pmuv3_database_run &run = of.runs[i];
        const bool has_hits = std::string(run.verdict) != "crashed";
        Record(database, run, has_hits ? run.cycles : 0, 0);
        ordered += std::string(run.verdict) + " " + std::to_string(run.cycles) + " ";
      }
      EXPECT_EQ(Left(database), of.left) << ordered;
      sqlite3_close(database);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// Another seed keeps its hits.
TEST_F(DatabaseTest, HitsOfAReplacedRunGo) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  Record(database, Run(1, 100, "equivalent"), 3, 1);
  Record(database, Run(2, 100, "equivalent"), 5, 0);
  Record(database, Run(1, 200, "equivalent"), 4, 0);
  EXPECT_EQ(Number(database, "SELECT hits FROM hit WHERE bin = 'point.a'"), 9);
  EXPECT_EQ(Number(database, "SELECT count(*) FROM hit"), 1);
  sqlite3_close(database);
}

TEST_F(DatabaseTest, SeveralWritersAtOnce) {
  constexpr int kWriters = 8, kRuns = 20;
  for (int writer = 0; writer < kWriters; writer++) {
    if (fork() != 0) continue;
    sqlite3 *database = pmuv3_database_open(path_.c_str());  // one of the processes makes the file
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
    _exit(0);  // ends like a killed process
  }
  wait(nullptr);
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_EQ(Number(database, "SELECT count(*) FROM hit"), 2);
  sqlite3_close(database);
}

// The folder's name may have any characters, since no shell reads it.
TEST_F(DatabaseTest, AProgramInAnyFolder) {
  const std::string folder = path_ + " o'brien; exit 1 \"$(", program = folder + "/tell";
  std::filesystem::create_directory(folder);
  std::ofstream(program) << "#!/bin/sh\necho \"$1 and more\"\nseq 100000\nexit $2\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  char line[16];
  for (const char *status : {"0", "1"}) {
    const char *const command[] = {program.c_str(), "a'b", status, nullptr};
    EXPECT_EQ(pmuv3_cli_first_line(command, line, sizeof line), *status == '0');
    EXPECT_STREQ(line, "a'b and more");
  }
  std::filesystem::remove_all(folder);
  const char *const gone[] = {program.c_str(), nullptr};
  EXPECT_FALSE(pmuv3_cli_first_line(gone, line, sizeof line));
  EXPECT_STREQ(line, "");
}

using DatabaseDeathTest = DatabaseTest;

TEST_F(DatabaseDeathTest, NoDatabase) {
  std::ofstream(path_) << "no database at all";
  EXPECT_EXIT(pmuv3_database_open(path_.c_str()), testing::ExitedWithCode(2),
              "^pmuv3: .*file is not a database\n$");
  EXPECT_EXIT(pmuv3_database_open((path_ + ".absent/evidence.db").c_str()),
              testing::ExitedWithCode(2), "^pmuv3: .*unable to open database file\n$");
}

// A divergence counts, also if it cannot be recorded.
TEST_F(DatabaseDeathTest, ADivergenceBefore) {
  std::ofstream(path_) << "no database at all";
  EXPECT_EXIT(
      {
        pmuv3_cli_note_divergence("%s, seed %d: diverged", "1 counter", 7);
        pmuv3_database_open(path_.c_str());
      },
      testing::ExitedWithCode(1),
      "^pmuv3: .*file is not a database\npmuv3: 1 counter, seed 7: diverged\n$");
}

// SQLite would take a file of the user beside a database for its own, and remove it.
TEST_F(DatabaseDeathTest, FilesBesideIt) {
  sqlite3_close(pmuv3_database_open(path_.c_str()));
  const std::string link = path_ + ".link";
  std::filesystem::create_symlink(path_, link);
  for (const char *suffix : {"-wal", "-shm", "-journal"}) {
    const std::string beside = path_ + suffix;
    std::ofstream(beside) << "precious";
    for (const std::string &name : {path_, link}) {
      EXPECT_EXIT(pmuv3_database_open(name.c_str()), testing::ExitedWithCode(2),
                  "^pmuv3: --db: .*which is not SQLite's\n$");
      EXPECT_EXIT(pmuv3_database_open_input(name.c_str()), testing::ExitedWithCode(2),
                  "^pmuv3: --db: .*which is not SQLite's\n$");
    }
    std::string kept;
    std::getline(std::ifstream(beside), kept);
    EXPECT_EQ(kept, "precious");
    std::filesystem::remove(beside);
    std::ofstream(beside).close();  // SQLite's own may be empty
    sqlite3_close(pmuv3_database_open(path_.c_str()));
  }
  std::filesystem::remove(link);
}

TEST_F(DatabaseDeathTest, TwoNames) {
  sqlite3_close(pmuv3_database_open(path_.c_str()));
  const std::string other = path_ + ".other";
  std::filesystem::create_hard_link(path_, other);
  for (const std::string &name : {path_, other})
    EXPECT_EXIT(pmuv3_database_open(name.c_str()), testing::ExitedWithCode(2),
                "^pmuv3: .*the database has another name, too");
  std::filesystem::remove(other);
  sqlite3_close(pmuv3_database_open(path_.c_str()));
}

TEST_F(DatabaseDeathTest, AVerdictThatIsNone) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  EXPECT_EXIT(Record(database, Run(1, 100, "fine"), 0, 0), testing::ExitedWithCode(2),
              "CHECK constraint failed");
  sqlite3_close(database);
}

TEST_F(DatabaseDeathTest, OtherSources) {
  setenv("PMUV3_SOURCE", pmuv3_source, 1);
  pmuv3_source_check();
  setenv("PMUV3_SOURCE", "0123456789abcdef", 1);
  EXPECT_EXIT(pmuv3_source_check(), testing::ExitedWithCode(2),
              "^pmuv3: the program was built from sources [0-9a-f]{16}, but PMUV3_SOURCE says "
              "0123456789abcdef\n$");
  unsetenv("PMUV3_SOURCE");
  pmuv3_source_check();
}

// ---- Damage ----

TEST_F(DatabaseDeathTest, AnotherSchema) {
  sqlite3 *database;
  sqlite3_open(path_.c_str(), &database);
  pmuv3_database_do(database, "CREATE TABLE run (source TEXT, seed INTEGER)", "");
  sqlite3_close(database);
  EXPECT_EXIT(pmuv3_database_open(path_.c_str()), testing::ExitedWithCode(2),
              "^pmuv3: .*the tables are not those of this version.*\n$");
}

// A row in every table, with all types of values.
void Fill(sqlite3 *database) {
  static const char *const tables[] = {"version", "run",        "hit",      "code",
                                       "mutant",  "defect",     "proof",    "extent",
                                       "test",    "registered", "replaced", "run_hits"};
  pmuv3_database_begin(database);
  for (int row = 0; row < 30; row++) {
    const std::string r = std::to_string(row), t = "'text " + r + "'";
    const std::string values[] = {
        t + ", " + t + ", " + t,
        t + ", " + t + ", " + r + ", " + t + ", 1, 2, 'diverged', " + t + ", NULL, NULL, 0.5",
        t + ", " + t + ", " + t + ", " + r,
        t + ", " + t + ", " + t + ", 1, 2",
        t + ", 'rtl', " + t + ", " + t + ", " + t + ", " + t + ", 'survived', NULL, NULL, " + r,
        t + ", " + t + ", 1, NULL, NULL, " + r + ", NULL, 1e-9",
        t + ", " + t + ", " + t + ", " + t + ", 'refuted', NULL, -1.5",
        t + ", " + t + ", " + t + ", NULL, " + r,
        t + ", " + t + ", " + t + ", 0, " + r,
        t + ", " + t + ", " + t,
        t + ", " + t + ", " + t + ", " + t,
        t + ", " + t + ", " + r + ", " + t};
    for (size_t i = 0; i < std::size(tables); i++)
      pmuv3_database_do(
          database,
          ("INSERT INTO " + std::string(tables[i]) + " VALUES (" + values[i] + ")").c_str(), "");
  }
  pmuv3_database_commit(database);
}

// The contents of all tables.
std::string Dump(sqlite3 *database) {
  std::string dump;
  std::vector<std::string> tables;
  sqlite3_stmt *row =
      pmuv3_database_ask(database, "SELECT name FROM sqlite_schema ORDER BY name", "");
  while (pmuv3_database_next(row))
    tables.push_back(reinterpret_cast<const char *>(sqlite3_column_text(row, 0)));
  for (const std::string &table : tables) {
    dump += table + ":\n";
    row = pmuv3_database_ask(database, ("SELECT * FROM " + table).c_str(), "");
    while (pmuv3_database_next(row)) {
      for (int i = 0; i < sqlite3_column_count(row); i++) {
        const auto *value = reinterpret_cast<const char *>(sqlite3_column_text(row, i));
        dump += value ? value : "NULL";
        dump += "|";
      }
      dump += "\n";
    }
  }
  return dump;
}

// Changes one value of each column of each table, as damage does: the digest does not change.
TEST_F(DatabaseDeathTest, EveryColumnIsInTheDigest) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  Fill(database);
  int columns = 0;
  sqlite3_stmt *column =
      pmuv3_database_ask(database,
                         "SELECT t.name, c.name, group_concat(o.name) FROM sqlite_schema t,"
                         " pragma_table_xinfo(t.name) c, pragma_table_xinfo(t.name) o"
                         " WHERE c.hidden = 0 AND o.hidden = 0 GROUP BY 1, 2",
                         "");
  while (pmuv3_database_next(column)) {
    const std::string table = reinterpret_cast<const char *>(sqlite3_column_text(column, 0));
    const std::string name = reinterpret_cast<const char *>(sqlite3_column_text(column, 1));
    const std::string all = reinterpret_cast<const char *>(sqlite3_column_text(column, 2));
    std::string changed = "," + all + ",";
    changed.replace(changed.find("," + name + ",") + 1, name.size(), name + " || 'x'");
    int64_t same = -1;
    sqlite3_stmt *count = pmuv3_database_ask(database,
                                             ("SELECT count(*) FROM " + table + " WHERE " + name +
                                              " IS NOT NULL AND digest IS row_digest('" + table +
                                              "'" + changed.substr(0, changed.size() - 1) + ")")
                                                 .c_str(),
                                             "");
    while (pmuv3_database_next(count)) same = sqlite3_column_int64(count, 0);
    EXPECT_EQ(same, 0) << table << "." << name;
    columns++;
  }
  EXPECT_GT(columns, 60);
  sqlite3_close(database);
}

// Flips bits of the file, the same ones in each run. Each flip is reported, or the contents stay
// the same.
TEST_F(DatabaseDeathTest, AFlippedBitIsSeenOrSaysNothingElse) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  Fill(database);
  const std::string sound = Dump(database);
  sqlite3_close(database);
  std::ifstream in(path_, std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const char *flips = getenv("PMUV3_FLIPS");
  const int num_flips = flips ? atoi(flips) : 300;
  std::mt19937 random(24);
  int seen = 0;
  for (int flip = 0; flip < num_flips; flip++) {
    const size_t bit = random() % (8 * file.size());
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    std::ofstream(path_, std::ios::binary) << damaged;
    if (fork() == 0) {
      if (!freopen((path_ + ".err").c_str(), "w", stderr)) _exit(3);
      sqlite3 *opened = pmuv3_database_open(path_.c_str());
      _exit(Dump(opened) == sound ? 0 : 1);
    }
    int status = -1;
    wait(&status);
    ASSERT_TRUE(WIFEXITED(status)) << "bit " << bit;
    EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2) << "bit " << bit;
    if (WEXITSTATUS(status) == 2) {
      std::ifstream err(path_ + ".err");
      const std::string said((std::istreambuf_iterator<char>(err)),
                             std::istreambuf_iterator<char>());
      EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
      seen++;
    }
    for (const char *suffix : {"-wal", "-shm"}) std::remove((path_ + suffix).c_str());
  }
  EXPECT_GT(seen, num_flips / 4);
  printf("%d of %d flips are said\n", seen, num_flips);
}

// What is known of the one mutant in the database.
std::string MutantOf(sqlite3 *database) {
  std::string row;
  sqlite3_stmt *answer = pmuv3_database_ask(
      database, "SELECT verdict || ' ' || cycles || ' ' || ifnull(reason, '') FROM mutant", "");
  while (pmuv3_database_next(answer))
    row = reinterpret_cast<const char *>(sqlite3_column_text(answer, 0));
  return row;
}

// A kill replaces a proof, which has a bound. A proof stays when more cycles are survived.
TEST_F(DatabaseTest, MutantsThatAreProvedAndKilled) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  const auto record = [&](const char *verdict, const char *reason, uint64_t cycles) {
    const pmuv3_database_mutant mutant = {"source", "cmodel", "f.1.0", "f.c",  "f.c:1",
                                          "+",      verdict,  reason,  cycles, 0.5};
    pmuv3_database_record_mutant(database, &mutant);
    return MutantOf(database);
  };
  EXPECT_EQ(record("survived", nullptr, 10), "survived 10 ");
  EXPECT_EQ(record("equivalent", "proved", 10), "equivalent 10 proved");
  EXPECT_EQ(record("survived", nullptr, 5), "equivalent 10 proved");
  EXPECT_EQ(record("unusable", "stops", 50), "equivalent 10 proved");
  EXPECT_EQ(record("survived", nullptr, 20), "equivalent 20 proved");
  EXPECT_EQ(record("killed", "V", 13), "killed 13 V");
  EXPECT_EQ(record("equivalent", "proved", 30), "killed 13 V");
  EXPECT_EQ(record("survived", nullptr, 40), "killed 13 V");
  sqlite3_close(database);
}

// A proof began when the mutant had survived. What was found out since then stays.
TEST_F(DatabaseTest, AProofIsOfASurvivorAlone) {
  sqlite3 *database = pmuv3_database_open(path_.c_str());
  const auto mutant = [](const char *change, const char *verdict, const char *reason) {
    return pmuv3_database_mutant{"source", "cmodel", "f.1.0", "f.c", "f.c:1",
                                 change,   verdict,  reason,  150,   0.5};
  };
  const auto prove = [&](const char *verdict, const char *reason, const char *change = "+") {
    const pmuv3_database_mutant proved = mutant(change, verdict, reason);
    pmuv3_database_record_proof(database, &proved);
    return MutantOf(database);
  };
  const auto known = [&](const char *verdict, const char *reason) {
    pmuv3_database_do(database, "DELETE FROM mutant", "");
    const pmuv3_database_mutant row = mutant("+", verdict, reason);
    pmuv3_database_record_mutant(database, &row);
  };
  EXPECT_EQ(prove("equivalent", "proved"), "");
  known("survived", nullptr);
  EXPECT_EQ(prove("equivalent", "proved", "another"), "survived 150 ");
  EXPECT_EQ(prove("survived", "differs"), "survived 150 differs");
  EXPECT_EQ(prove("equivalent", "proved"), "survived 150 differs");
  known("survived", nullptr);
  EXPECT_EQ(prove("equivalent", "proved"), "equivalent 150 proved");
  EXPECT_EQ(prove("survived", "differs"), "equivalent 150 proved");
  for (const char *verdict : {"equivalent", "survived"}) {
    known("killed", "V");
    EXPECT_EQ(prove(verdict, "of the proof"), "killed 150 V");
    known("unusable", "stops");
    EXPECT_EQ(prove(verdict, "of the proof"), "unusable 150 stops");
  }
  sqlite3_close(database);
}

}  // namespace
