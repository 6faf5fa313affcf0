#include "engine/cache/digest.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace {

bool IsSame(struct digest a, struct digest b) {
  return a.words[0] == b.words[0] && a.words[1] == b.words[1];
}

bool IsSame(term a, term b) {
  return IsSame(digest_term(a), digest_term(b));
}

term Var(const char *name) {
  return term_var(8, name);
}

TEST(DigestTest, SameTermsHaveTheSame) {
  const term a = term_add(Var("dg_a"), Var("dg_b"));
  EXPECT_TRUE(IsSame(digest_term(a), digest_term(a)));
}

// The order in which leaves were made is that of the list.
TEST(DigestTest, OrderOfAListDoesNotMatter) {
  const term x = Var("dg_x"), y = Var("dg_y"), z = Var("dg_z");
  const term again[] = {term_and(term_and(x, y), z), term_and(x, term_and(z, y))};
  EXPECT_TRUE(IsSame(again[0], again[1]));
  EXPECT_TRUE(IsSame(term_eq(x, y), term_eq(y, x)));
}

TEST(DigestTest, OtherTermsHaveOthers) {
  const term a = Var("dg_p"), b = Var("dg_q"), c = Var("dg_r");
  const std::vector<term> terms = {a,
                                   b,
                                   term_var(9, "dg_s"),
                                   term_const(8, 1),
                                   term_const(9, 1),
                                   term_const(8, 2),
                                   term_not(a),
                                   term_and(a, b),
                                   term_and(a, c),
                                   term_and(term_and(a, b), c),
                                   term_xor(a, b),
                                   term_add(a, b),
                                   term_add(a, a),
                                   term_mul(a, b),
                                   term_udiv(a, b),
                                   term_udiv(b, a),
                                   term_urem(a, b),
                                   term_shl(a, b),
                                   term_shl(b, a),
                                   term_lshr(a, b),
                                   term_ashr(a, b),
                                   term_eq(a, b),
                                   term_eq(a, c),
                                   term_ult(a, b),
                                   term_ult(b, a),
                                   term_slt(a, b),
                                   term_ite(term_eq(a, b), a, c),
                                   term_ite(term_eq(a, b), b, c),
                                   term_concat(a, b),
                                   term_concat(b, a),
                                   term_extract(a, 0, 4),
                                   term_extract(a, 1, 4),
                                   term_extract(a, 0, 5)};
  std::set<term> distinct(terms.begin(), terms.end());
  std::set<std::pair<uint64_t, uint64_t>> digests;
  for (term t : distinct) {
    const struct digest digest = digest_term(t);
    digests.insert({digest.words[0], digest.words[1]});
  }
  EXPECT_EQ(digests.size(), distinct.size());
}

TEST(DigestTest, AQuestionIsOfItsAssumptions) {
  const term condition = term_ult(Var("dg_m"), Var("dg_n"));
  const term some[] = {term_eq(Var("dg_m"), Var("dg_o")), term_eq(Var("dg_n"), Var("dg_o"))};
  const term turned[] = {some[1], some[0]};
  const struct digest all = digest_question(condition, some, 2);
  EXPECT_TRUE(IsSame(all, digest_question(condition, turned, 2)));
  EXPECT_FALSE(IsSame(all, digest_question(condition, some, 1)));
  EXPECT_FALSE(IsSame(all, digest_question(condition, some, 0)));
  EXPECT_FALSE(IsSame(all, digest_question(some[0], some, 2)));
  EXPECT_FALSE(
      IsSame(digest_question(condition, some, 1), digest_question(some[0], &condition, 1)));
}

// Deep, and made of the same parts again and again: each is looked at once.
TEST(DigestTest, LargeTerms) {
  term a = Var("dg_l");
  for (int n = 0; n < 100000; n++) a = term_udiv(term_not(a), term_xor(a, Var("dg_k")));
  EXPECT_TRUE(IsSame(a, a));
}

}  // namespace
