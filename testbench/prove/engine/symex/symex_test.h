// What tests of the symbolic execution share: its headers, which are C with structs that are called
// as functions are, and who frees what they make.
#ifndef ENGINE_SYMEX_SYMEX_TEST_H
#define ENGINE_SYMEX_SYMEX_TEST_H

#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "engine/symex/operation.h"
#include "engine/symex/symex.h"
#include "engine/symex/test_code.h"
}
#pragma GCC diagnostic pop

namespace engine {

struct Free {
  void operator()(struct symex *symex) const { symex_free(symex); }
  void operator()(struct symex_mark *mark) const { symex_mark_free(mark); }
  void operator()(struct term_values *values) const { term_values_free(values); }
};
using Symex = std::unique_ptr<struct symex, Free>;

}  // namespace engine

#endif
