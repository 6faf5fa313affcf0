// Text files that cannot be read to their end.
#include "testbench/cosim/cli/text.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

// A stream that ends after `text` with an error, or with more blanks than there is memory for.
struct Source {
  std::string text;
  bool fails = false, is_endless = false;
  size_t at = 0;
};

ssize_t Read(void *cookie, char *to, size_t size) {
  Source *source = static_cast<Source *>(cookie);
  const size_t part = std::min(size, source->text.size() - source->at);
  memcpy(to, source->text.data() + source->at, part);
  source->at += part;
  if (part > 0) return static_cast<ssize_t>(part);
  if (source->is_endless) memset(to, ' ', size);
  errno = EIO;
  return source->fails ? -1 : source->is_endless ? static_cast<ssize_t>(size) : 0;
}

FILE *Open(Source *source) {
  cookie_io_functions_t functions = {};
  functions.read = Read;
  return fopencookie(source, "r", functions);
}

// The lines, and then why there is no further one.
std::vector<std::string> Lines(Source source) {
  pmuv3_lines lines = {};
  std::vector<std::string> all;
  lines.in = Open(&source);
  while (pmuv3_lines_next(&lines)) all.push_back(lines.line);
  EXPECT_FALSE(pmuv3_lines_next(&lines));
  all.push_back(std::to_string(lines.number) + ": " + lines.wrong);
  pmuv3_lines_free(&lines);
  fclose(lines.in);
  return all;
}

using Strings = std::vector<std::string>;

TEST(TextTest, LinesEndWithLfOrCrLf) {
  EXPECT_EQ(Lines({"a\n\r\n b \r\nc"}), (Strings{"a", "", " b ", "c", "4: "}));
  EXPECT_EQ(Lines({""}), Strings{"0: "});
}

TEST(TextTest, WhatIsNoTextIsRefused) {
  EXPECT_EQ(Lines({"a\nb\rc\n"})[1].rfind("2: a carriage return", 0), 0u);
  EXPECT_EQ(Lines({"a\r"})[0].rfind("1: a carriage return", 0), 0u);
  EXPECT_EQ(Lines({"a\r\r\n"})[0].rfind("1: a carriage return", 0), 0u);
  EXPECT_EQ(Lines({std::string("a\nb\0\n", 5)})[1], "2: a NUL byte; expected text");
}

// A part of a line is no line.
TEST(TextTest, AnErrorIsNoEnd) {
  EXPECT_EQ(Lines({"a\nb", true}), (Strings{"a", "2: cannot be read: Input/output error"}));
  EXPECT_EQ(Lines({"a\n", true}), (Strings{"a", "2: cannot be read: Input/output error"}));
}

TEST(TextTest, AllIsTheWholeFile) {
  Source whole = {"a\nb\r"}, empty = {""}, broken = {"a\nb", true};
  FILE *files[] = {Open(&whole), Open(&empty), Open(&broken)};
  char *texts[] = {pmuv3_text_all(files[0]), pmuv3_text_all(files[1]), pmuv3_text_all(files[2])};
  EXPECT_STREQ(texts[0], "a\nb\r");
  EXPECT_STREQ(texts[1], "");
  EXPECT_EQ(texts[2], nullptr);
  for (FILE *file : files) fclose(file);
  for (char *text : texts) free(text);
}

// AddressSanitizer reserves more memory than the limit.
#ifndef __SANITIZE_ADDRESS__
[[noreturn]] void ReadInLittleMemory() {
  const rlimit limit = {500000000, 500000000};
  Source lines = {"a\n", false, true}, all = lines;
  setrlimit(RLIMIT_AS, &limit);
  const std::string said = Lines(lines).back();
  errno = 0;
  const bool is_all = pmuv3_text_all(Open(&all)) != nullptr;
  fprintf(stderr, "%s; %s\n", said.c_str(), is_all ? "all" : strerror(errno));
  exit(0);
}

TEST(TextTest, LittleMemoryIsNoEnd) {
  EXPECT_EXIT(ReadInLittleMemory(), testing::ExitedWithCode(0),
              "^2: cannot be read: Cannot allocate memory; Cannot allocate memory\n$");
}
#endif

}  // namespace
