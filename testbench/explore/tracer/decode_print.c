/* Prints how trace_decode sees the instructions on standard input, for decode_test.sh. */
#include <stdio.h>

#include "testbench/explore/tracer/decode.h"

static const char *const classes[TRACE_NUM_CLASSES] = {
    "alu",         "multiply", "divide", "fp",   "fp_divide", "vector",          "crypto", "system",
    "serializing", "branch",   "clear",  "load", "store",     "store_exclusive", "atomic"};

static const char *const flags[] = {"conditional", "indirect", "call", "return", "exception"};

static void print_register(char kind, unsigned reg) {
  if (reg == TRACE_NO_SOURCE || reg == TRACE_NO_TARGET) return;
  if (reg == TRACE_SP)
    printf(" %c:sp", kind);
  else if (reg == TRACE_NZCV)
    printf(" %c:nzcv", kind);
  else if (reg >= TRACE_V0)
    printf(" %c:v%u", kind, reg - TRACE_V0);
  else
    printf(" %c:x%u", kind, reg);
}

static void print(const struct trace_instruction *inst) {
  fputs(classes[inst->kind], stdout);
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
    if (inst->flags >> i & 1) printf(",%s", flags[i]);
  printf(" %u", inst->ops);
  if (inst->bytes) printf(" %u", inst->bytes);
  for (unsigned i = 0; i < TRACE_NUM_SOURCES; i++) print_register('r', inst->sources[i]);
  for (unsigned i = 0; i < TRACE_NUM_TARGETS; i++) print_register('w', inst->targets[i]);
  print_register('b', inst->base);
  putchar('\n');
}

int main(void) {
  uint32_t opcode;
  while (fread(&opcode, sizeof opcode, 1, stdin) == 1) {
    const struct trace_instruction inst = trace_decode(opcode);
    print(&inst);
  }
  return 0;
}
