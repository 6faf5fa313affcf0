// The rows of registers.def, for tests that ask something of every register.
#ifndef PMUV3_REGISTER_ROWS_H
#define PMUV3_REGISTER_ROWS_H

#include <cstdint>

#include "pmuv3/registers.h"

namespace pmuv3 {

enum RegisterAccess { RO, RW, WO };

struct RegisterRow {
  const char *name;
  uint16_t reg;
  RegisterAccess access;
};

inline constexpr RegisterRow kRegisterRows[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  {name, PMUV3_##id, access},
#include "pmuv3/registers.def"
};

}  // namespace pmuv3

#endif
