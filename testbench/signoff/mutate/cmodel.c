/*
 * pmuv3-mutants: makes mutants of the C model, all of them in one bitcode behind a selector.
 *
 *   pmuv3-mutants IN.bc --number N --seed S --keep SYMBOL --poison -o OUT.bc --list LIST
 *   pmuv3-mutants IN.bc --only NAME... -o OUT.bc --list LIST
 *
 * IN.bc is the C model with debug locations. A mutation is of one instruction: its value is
 * selected between what it was and what the mutant makes of it, by `pmuv3_mutant`; a store that is
 * left out stores what is there. What --keep does not need is left out first, so that every mutant
 * can matter. With --poison locals begin with a pattern, not with what a call before has left
 * there.
 */
#include <inttypes.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/IPO.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/stimulus/prng.h"

/* ---- Mutations ---- */

enum kind { PREDICATE, OPERATOR, CONSTANT, SWAP, NEGATE, NO_STORE };

/* A change of an instruction. */
struct mutation {
  LLVMValueRef instruction;
  enum kind kind;
  unsigned operand; /* of a constant */
  uint64_t value;   /* what it becomes: predicate, opcode, constant */
  char change[96];  /* readable */
  char name[128];
};

struct mutations {
  struct mutation *list;
  size_t num, size;
};

static void *allocate(void *old, size_t size) {
  void *new = realloc(old, size);
  if (!new) pmuv3_cli_no_verdict("out of memory");
  return new;
}

static struct mutation *add(struct mutations *mutations, LLVMValueRef instruction, enum kind kind) {
  if (mutations->num == mutations->size) {
    mutations->size = 2 * mutations->size + 1024;
    mutations->list = allocate(mutations->list, mutations->size * sizeof *mutations->list);
  }
  struct mutation *mutation = &mutations->list[mutations->num++];
  *mutation = (struct mutation){.instruction = instruction, .kind = kind};
  return mutation;
}

/* Predicates: what it could be confused with, at a boundary or the wrong way round. */
static const struct {
  LLVMIntPredicate from, to[2];
} predicates[] = {
    {LLVMIntEQ, {LLVMIntNE, 0}},
    {LLVMIntNE, {LLVMIntEQ, 0}},
    {LLVMIntUGT, {LLVMIntUGE, LLVMIntULE}},
    {LLVMIntUGE, {LLVMIntUGT, LLVMIntULT}},
    {LLVMIntULT, {LLVMIntULE, LLVMIntUGE}},
    {LLVMIntULE, {LLVMIntULT, LLVMIntUGT}},
    {LLVMIntSGT, {LLVMIntSGE, LLVMIntSLE}},
    {LLVMIntSGE, {LLVMIntSGT, LLVMIntSLT}},
    {LLVMIntSLT, {LLVMIntSLE, LLVMIntSGE}},
    {LLVMIntSLE, {LLVMIntSLT, LLVMIntSGT}},
};

static const char *const predicate_names[] = {"==",  "!=", "u>",  "u>=", "u<",
                                              "u<=", "s>", "s>=", "s<",  "s<="};

static void add_predicates(struct mutations *mutations, LLVMValueRef instruction) {
  const LLVMIntPredicate from = LLVMGetICmpPredicate(instruction);
  for (size_t i = 0; i < sizeof predicates / sizeof *predicates; i++) {
    if (predicates[i].from != from) continue;
    for (size_t j = 0; j < 2 && predicates[i].to[j]; j++) {
      struct mutation *mutation = add(mutations, instruction, PREDICATE);
      mutation->value = predicates[i].to[j];
      snprintf(mutation->change, sizeof mutation->change, "%s becomes %s",
               predicate_names[from - LLVMIntEQ], predicate_names[mutation->value - LLVMIntEQ]);
    }
  }
}

static const struct {
  LLVMOpcode from, to;
  const char *change;
} operators[] = {
    {LLVMAdd, LLVMSub, "+ becomes -"},    {LLVMSub, LLVMAdd, "- becomes +"},
    {LLVMMul, LLVMAdd, "* becomes +"},    {LLVMAnd, LLVMOr, "& becomes |"},
    {LLVMOr, LLVMAnd, "| becomes &"},     {LLVMXor, LLVMOr, "^ becomes |"},
    {LLVMShl, LLVMLShr, "<< becomes >>"}, {LLVMLShr, LLVMShl, ">> becomes <<"},
};

static void add_operators(struct mutations *mutations, LLVMValueRef instruction) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (operators[i].from != LLVMGetInstructionOpcode(instruction)) continue;
    struct mutation *mutation = add(mutations, instruction, OPERATOR);
    mutation->value = operators[i].to;
    snprintf(mutation->change, sizeof mutation->change, "%s", operators[i].change);
  }
}

/* A constant off by one, and with one bit other: the highest that it has, if it has any. */
static void add_constants(struct mutations *mutations, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!LLVMIsAConstantInt(operand)) continue;
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(operand));
    if (width > 64) continue;
    const uint64_t mask = UINT64_MAX >> (64 - width), value = LLVMConstIntGetZExtValue(operand);
    const uint64_t high = value ? UINT64_C(1) << (63 - __builtin_clzll(value)) : 1;
    const uint64_t values[] = {(value + 1) & mask, (value - 1) & mask, value ^ high};
    for (size_t j = 0; j < (width == 1 ? 1 : 3); j++) {
      bool twice = false;
      for (size_t k = 0; k < j; k++) twice = twice || values[k] == values[j];
      if (twice) continue;
      struct mutation *mutation = add(mutations, instruction, CONSTANT);
      mutation->operand = (unsigned)i;
      mutation->value = values[j];
      snprintf(mutation->change, sizeof mutation->change, "0x%" PRIx64 " becomes 0x%" PRIx64, value,
               values[j]);
    }
  }
}

static void add_one(struct mutations *mutations, LLVMValueRef instruction, enum kind kind,
                    const char *change) {
  struct mutation *mutation = add(mutations, instruction, kind);
  snprintf(mutation->change, sizeof mutation->change, "%s", change);
}

static bool is_integer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

/* Whether any constant will do: shifts too far and divisions by 0 are undefined, selected or not.
 */
static bool takes_any(LLVMOpcode opcode) {
  return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMAnd ||
         opcode == LLVMOr || opcode == LLVMXor;
}

static void add_all_of(struct mutations *mutations, LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMICmp && is_integer(LLVMGetOperand(instruction, 0))) {
    add_predicates(mutations, instruction);
    add_constants(mutations, instruction);
  } else if (LLVMIsABinaryOperator(instruction) && is_integer(instruction)) {
    add_operators(mutations, instruction);
    if (takes_any(opcode)) add_constants(mutations, instruction);
  } else if (opcode == LLVMSelect && is_integer(instruction)) {
    add_one(mutations, instruction, SWAP, "?: takes the other one");
  } else if (opcode == LLVMBr && LLVMIsConditional(instruction)) {
    add_one(mutations, instruction, NEGATE, "a branch is taken the other way");
  } else if (opcode == LLVMStore && is_integer(LLVMGetOperand(instruction, 0))) {
    add_one(mutations, instruction, NO_STORE, "an assignment is left out");
  }
}

/* Names: the function, which of its instructions, which of its mutations. */
static void add_function(struct mutations *mutations, LLVMValueRef function) {
  size_t length, number = 0;
  const char *name = LLVMGetValueName2(function, &length);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction), number++) {
      const size_t first = mutations->num;
      if (LLVMGetDebugLocLine(instruction) > 0) add_all_of(mutations, instruction);
      for (size_t i = first; i < mutations->num; i++)
        snprintf(mutations->list[i].name, sizeof mutations->list[i].name, "%s.%zu.%zu", name,
                 number, i - first);
    }
  }
}

/* Functions without mutants. */
enum { MOST_WITHOUT = 8 };
struct without {
  const char *names[MOST_WITHOUT];
  size_t num;
};

static bool is_without(const struct without *without, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t w = 0; w < without->num; w++)
    if (strcmp(name, without->names[w]) == 0) return true;
  return false;
}

static void add_module(struct mutations *mutations, LLVMModuleRef module,
                       const struct without *without) {
  for (size_t w = 0; w < without->num; w++)
    if (!LLVMGetNamedFunction(module, without->names[w]))
      pmuv3_cli_unusable("--without: there is no function '%s'", without->names[w]);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (!is_without(without, function)) add_function(mutations, function);
}

/* ---- Making one ---- */

/* What the mutant makes of a value. */
static LLVMValueRef mutated(LLVMBuilderRef builder, const struct mutation *mutation) {
  LLVMValueRef old = mutation->instruction;
  if (mutation->kind == PREDICATE)
    return LLVMBuildICmp(builder, (LLVMIntPredicate)mutation->value, LLVMGetOperand(old, 0),
                         LLVMGetOperand(old, 1), "mutated");
  if (mutation->kind == OPERATOR)
    return LLVMBuildBinOp(builder, (LLVMOpcode)mutation->value, LLVMGetOperand(old, 0),
                          LLVMGetOperand(old, 1), "mutated");
  if (mutation->kind == SWAP)
    return LLVMBuildSelect(builder, LLVMGetOperand(old, 0), LLVMGetOperand(old, 2),
                           LLVMGetOperand(old, 1), "mutated");
  LLVMValueRef operands[2];
  for (unsigned i = 0; i < 2; i++) operands[i] = LLVMGetOperand(old, i);
  LLVMValueRef *constant = &operands[mutation->operand];
  *constant = LLVMConstInt(LLVMTypeOf(*constant), mutation->value, false);
  if (LLVMGetInstructionOpcode(old) == LLVMICmp)
    return LLVMBuildICmp(builder, LLVMGetICmpPredicate(old), operands[0], operands[1], "mutated");
  return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(old), operands[0], operands[1],
                        "mutated");
}

/* Whether the mutant is the one that is selected. */
static LLVMValueRef is_selected(LLVMBuilderRef builder, LLVMValueRef selector, unsigned number) {
  LLVMTypeRef word = LLVMInt32Type();
  return LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildLoad2(builder, word, selector, "mutant"),
                       LLVMConstInt(word, number, false), "selected");
}

/* Every user of the old value gets the choice between the two, which itself has the old one. */
static void choose(LLVMBuilderRef builder, LLVMValueRef old, LLVMValueRef selected,
                   LLVMValueRef new) {
  LLVMValueRef choice = LLVMBuildSelect(builder, selected, new, old, "chosen");
  LLVMReplaceAllUsesWith(old, choice);
  LLVMSetOperand(choice, 2, old);
}

static void apply_negate(LLVMBuilderRef builder, LLVMValueRef branch, LLVMValueRef selected) {
  LLVMValueRef condition = LLVMGetCondition(branch);
  LLVMSetCondition(branch, LLVMBuildXor(builder, condition, selected, "chosen"));
}

static void apply_no_store(LLVMBuilderRef builder, LLVMValueRef store, LLVMValueRef selected) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMValueRef old = LLVMBuildLoad2(builder, LLVMTypeOf(value), LLVMGetOperand(store, 1), "old");
  LLVMSetAlignment(old, LLVMGetAlignment(store));
  LLVMSetOperand(store, 0, LLVMBuildSelect(builder, selected, old, value, "chosen"));
}

static void apply(LLVMBuilderRef builder, const struct mutation *mutation, LLVMValueRef selector,
                  unsigned number) {
  LLVMValueRef old = mutation->instruction, next = LLVMGetNextInstruction(old);
  const bool before = mutation->kind == NEGATE || mutation->kind == NO_STORE;
  LLVMPositionBuilderBefore(builder, before ? old : next);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(old));
  LLVMValueRef selected = is_selected(builder, selector, number);
  if (mutation->kind == NEGATE)
    apply_negate(builder, old, selected);
  else if (mutation->kind == NO_STORE)
    apply_no_store(builder, old, selected);
  else
    choose(builder, old, selected, mutated(builder, mutation));
}

/* ---- The module ---- */

static LLVMModuleRef read_module(const char *path) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *error = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error))
    pmuv3_cli_unusable("%s: %s", path, error);
  if (LLVMParseBitcode2(buffer, &module)) pmuv3_cli_unusable("%s: no bitcode", path);
  return module;
}

/* Leaves what `symbol` needs, seen by nobody else. */
static void keep(LLVMModuleRef module, const char *symbol) {
  LLVMValueRef kept = LLVMGetNamedFunction(module, symbol);
  if (!kept || LLVMIsDeclaration(kept)) pmuv3_cli_unusable("%s: no such function", symbol);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (f != kept && !LLVMIsDeclaration(f)) LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g)) LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMPassManagerRef passes = LLVMCreatePassManager();
  LLVMAddGlobalDCEPass(passes);
  LLVMRunPassManager(passes, module);
  LLVMDisposePassManager(passes);
}

static LLVMValueRef add_selector(LLVMModuleRef module) {
  LLVMTypeRef word = LLVMInt32Type();
  LLVMValueRef selector = LLVMAddGlobal(module, word, "pmuv3_mutant");
  LLVMSetInitializer(selector, LLVMConstInt(word, 0, false));
  return selector;
}

/* ---- Locals ---- */

/* What says when a local is alive would make the pattern dead. */
static void drop_lifetimes(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMGetInstructionOpcode(i) != LLVMCall) continue;
      size_t length;
      const char *callee = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
      if (strncmp(callee, "llvm.lifetime.", 14) == 0) LLVMInstructionEraseFromParent(i);
    }
  }
}

/* Locals are at the beginning of a function. */
static void poison(LLVMBuilderRef builder, LLVMValueRef function, LLVMTargetDataRef layout) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), rest = first;
  while (LLVMIsAAllocaInst(rest)) rest = LLVMGetNextInstruction(rest);
  LLVMPositionBuilderBefore(builder, rest);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  for (LLVMValueRef local = first; LLVMIsAAllocaInst(local);
       local = LLVMGetNextInstruction(local)) {
    const uint64_t size = LLVMABISizeOfType(layout, LLVMGetAllocatedType(local));
    LLVMBuildMemSet(builder, local, LLVMConstInt(LLVMInt8Type(), 0xAA, false),
                    LLVMConstInt(LLVMInt64Type(), size, false), 1);
  }
}

static void poison_locals(LLVMBuilderRef builder, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    drop_lifetimes(f);
    poison(builder, f, LLVMGetModuleDataLayout(module));
  }
}

static bool write_bitcode(FILE *out, const void *module) {
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer((LLVMModuleRef)module);
  const size_t size = LLVMGetBufferSize(bitcode);
  const bool is_written = fwrite(LLVMGetBufferStart(bitcode), 1, size, out) == size;
  LLVMDisposeMemoryBuffer(bitcode);
  return is_written;
}

static void write_module(LLVMModuleRef module, const char *path) {
  char *error = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &error))
    pmuv3_cli_unusable("%s: not a module: %s", path, error);
  pmuv3_cli_write("-o", path, write_bitcode, module);
}

/* ---- The program ---- */

enum { MOST_NAMES = 1000 };

struct options {
  const char *in, *out, *list, *keep;
  struct without without;
  const char *only[MOST_NAMES];
  size_t num_only;
  uint64_t number, seed;
  bool poison;
};

enum { OPT_NUMBER = 0x100, OPT_SEED, OPT_KEEP, OPT_LIST, OPT_ONLY, OPT_POISON, OPT_WITHOUT };

static const struct argp_option argp_options[] = {
    {"number", OPT_NUMBER, "N", 0, "mutants (default 50)", 0},
    {"seed", OPT_SEED, "S", 0, "which of them (default 1)", 0},
    {"keep", OPT_KEEP, "SYMBOL", 0, "what is used of the bitcode", 0},
    {"list", OPT_LIST, "FILE", 0, "writes the list of mutants", 0},
    {"only", OPT_ONLY, "NAME", PMUV3_CLI_REPEATS, "this mutant; may be repeated", 0},
    {"without", OPT_WITHOUT, "FUNCTION", PMUV3_CLI_REPEATS,
     "no mutants of this function; may be repeated", 0},
    {"poison", OPT_POISON, NULL, 0, "locals begin with a pattern", 0},
    {"output", 'o', "FILE", 0, "writes the bitcode", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case OPT_NUMBER:
      options->number = pmuv3_cli_number("--number", arg, 1, 1000000);
      return 0;
    case OPT_SEED:
      options->seed = pmuv3_cli_number("--seed", arg, 0, UINT64_MAX);
      return 0;
    case OPT_KEEP:
      options->keep = arg;
      return 0;
    case OPT_LIST:
      options->list = arg;
      return 0;
    case OPT_WITHOUT:
      if (options->without.num == MOST_WITHOUT) pmuv3_cli_unusable("too many --without");
      options->without.names[options->without.num++] = arg;
      return 0;
    case OPT_ONLY:
      if (options->num_only == MOST_NAMES) pmuv3_cli_unusable("too many --only");
      options->only[options->num_only++] = arg;
      return 0;
    case OPT_POISON:
      options->poison = true;
      return 0;
    case 'o':
      options->out = arg;
      return 0;
    case ARGP_KEY_ARG:
      if (options->in) pmuv3_cli_unusable("unusable argument '%s'", arg);
      options->in = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* The first `number` of them, in an order that the seed makes. */
static void draw(struct mutations *mutations, uint64_t number, uint64_t seed) {
  struct pmuv3_prng prng;
  pmuv3_prng_seed(&prng, seed);
  if (number > mutations->num) pmuv3_cli_unusable("there are only %zu mutants", mutations->num);
  for (size_t i = 0; i < number; i++) {
    const size_t j = i + pmuv3_prng_below(&prng, (uint32_t)(mutations->num - i));
    const struct mutation drawn = mutations->list[j];
    mutations->list[j] = mutations->list[i];
    mutations->list[i] = drawn;
  }
  mutations->num = number;
}

/* That of this name gets a place, and that which had it another one. */
static void take_one(struct mutations *mutations, size_t place, const char *name) {
  for (size_t i = place; i < mutations->num; i++) {
    const struct mutation taken = mutations->list[i];
    if (strcmp(taken.name, name) != 0) continue;
    mutations->list[i] = mutations->list[place];
    mutations->list[place] = taken;
    return;
  }
  pmuv3_cli_unusable("%s: no such mutant", name);
}

static void take(struct mutations *mutations, const char *const *names, size_t number) {
  for (size_t n = 0; n < number; n++) take_one(mutations, n, names[n]);
  mutations->num = number;
}

static void write_line(FILE *out, const struct mutation *mutation, size_t number) {
  unsigned length;
  const char *path = LLVMGetDebugLocFilename(mutation->instruction, &length);
  const char *file = path;
  for (unsigned i = 0; i < length; i++)
    if (path[i] == '/') file = path + i + 1;
  const int rest = (int)(path + length - file);
  fprintf(out, "%zu\t%s\t%.*s\t%.*s:%u\t%s\n", number, mutation->name, rest, file, rest, file,
          LLVMGetDebugLocLine(mutation->instruction), mutation->change);
}

static bool write_list(FILE *out, const void *context) {
  const struct mutations *mutations = context;
  for (size_t i = 0; i < mutations->num; i++) write_line(out, &mutations->list[i], i + 1);
  return true;
}

int main(int argc, char **argv) {
  static const struct argp argp = {
      .options = argp_options, .parser = parse, .args_doc = "IN.bc", .doc = "Mutants in bitcode."};
  struct options options = {.number = 50, .seed = 1};
  pmuv3_cli_parse(&argp, "pmuv3-mutants", argc, argv, &options);
  if (!options.in || !options.out) pmuv3_cli_unusable("expected IN.bc and -o OUT.bc");
  pmuv3_cli_check_input("IN.bc", options.in);
  pmuv3_cli_check_file("-o", options.out);
  pmuv3_cli_check_output("--list", options.list);
  LLVMModuleRef module = read_module(options.in);
  struct mutations mutations = {0};
  if (options.keep) keep(module, options.keep);
  add_module(&mutations, module, &options.without);
  if (options.num_only > 0)
    take(&mutations, options.only, options.num_only);
  else
    draw(&mutations, options.number, options.seed);
  if (options.list) pmuv3_cli_write("--list", options.list, write_list, &mutations);
  LLVMBuilderRef builder = LLVMCreateBuilder();
  LLVMValueRef selector = add_selector(module);
  for (size_t i = 0; i < mutations.num; i++)
    apply(builder, &mutations.list[i], selector, (unsigned)i + 1);
  if (options.poison) poison_locals(builder, module);
  write_module(module, options.out);
  return 0;
}
