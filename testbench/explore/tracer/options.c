#define _GNU_SOURCE
#include "testbench/explore/tracer/options.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

enum {
  OPT_EVENTS = 0x100,
  OPT_FROM,
  OPT_PINS,
  OPT_CORE_MODEL,
  OPT_PARAM,
  OPT_PACKAGE,
  OPT_ROOT,
  OPT_PROGRAM,
  OPT_VARIABLE,
  OPT_PARAMETERS,
  OPT_COLUMNS,
  OPT_PLAN
};

static const struct argp_option options[] = {
    {"events", OPT_EVENTS, "LIST", 0, "the columns, comma separated (default: all)", 0},
    {"core-model", OPT_CORE_MODEL, "FILE", 0, "parameters of the core model", 0},
    {"param", OPT_PARAM, "NAME=VALUE", PMUV3_CLI_REPEATS, "a parameter of the core model", 0},
    {"package", OPT_PACKAGE, "NAME", 0, "the arm64 package of PROGRAM (default: as PROGRAM)", 0},
    {"root", OPT_ROOT, "DIR", 0, "a folder with arm64's loader and libraries", 0},
    {"program", OPT_PROGRAM, "FILE", 0, "the file of PROGRAM (default: PROGRAM)", 0},
    {"variable", OPT_VARIABLE, "NAME=VALUE", PMUV3_CLI_REPEATS,
     "a variable of PROGRAM's environment", 0},
    {"from", OPT_FROM, "FILE", 0, "make the trace from a CSV, VCD or FST instead", 0},
    {"pins", OPT_PINS, "FILE", 0, "with a VCD or FST: which signals are events", 0},
    {"parameters", OPT_PARAMETERS, 0, 0, "print the core model's parameters, and end", 0},
    {"columns", OPT_COLUMNS, 0, 0, "print the core model's events, and end", 0},
    {"plan", OPT_PLAN, 0, OPTION_HIDDEN,
     "check the arguments, print what trace.sh is to do, and end", 0},
    {0},
};

/* ---- Events ---- */

static const struct {
  const char *name, *text;
} columns[] = {
#define COLUMN(mnemonic, text) {#mnemonic, text},
#include "testbench/explore/tracer/columns.def"
#undef COLUMN
};

static void choose(struct trace_options *trace, const char *name) {
  for (uint8_t c = 0; c < NUM_COLUMNS; c++) {
    if (strcmp(columns[c].name, name) != 0) continue;
    if (memchr(trace->chosen, c, trace->num_chosen))
      pmuv3_cli_unusable("--events: %s is given twice", name);
    trace->chosen[trace->num_chosen++] = c;
    return;
  }
  pmuv3_cli_unusable("--events: the core model has no event '%s'; see --columns", name);
}

static void choose_list(struct trace_options *trace, char *list) {
  for (char *name; (name = strsep(&list, ",")) != NULL;) choose(trace, name);
}

static void choose_all(struct trace_options *trace) {
  for (uint8_t c = 0; c < NUM_COLUMNS; c++) trace->chosen[trace->num_chosen++] = c;
}

static _Noreturn void print_columns(void) {
  printf("| event | counts |\n|---|---|\n");
  for (unsigned c = 0; c < NUM_COLUMNS; c++)
    printf("| `%s` | %s |\n", columns[c].name, columns[c].text);
  exit(0);
}

/* ---- The core model ---- */

/* A plan leaves it unread: a pipe can be read once. */
static void read_core_model(struct trace_options *trace) {
  const char *path = trace->core_model;
  if (!path || trace->is_plan) return;
  char error[4096 + 512];
  FILE *in = pmuv3_cli_open_input("--core-model", path);
  if (!core_params_read(&trace->core, in, path, error, sizeof error)) pmuv3_cli_failed(error);
  fclose(in);
}

/* What --param says, wherever --core-model is. */
static struct core_params given_params;
static uint64_t seen_params;

static void set_param(char *setting) {
  const char *wrong = core_params_set(&given_params, &seen_params, setting);
  if (wrong) pmuv3_cli_unusable("--param: %s", wrong);
}

static void complete_core(struct trace_options *trace) {
  core_params_override(&trace->core, &given_params, seen_params);
  const char *wrong = core_params_wrong(&trace->core);
  if (wrong) pmuv3_cli_unusable("the core model: %s", wrong);
}

static _Noreturn void print_parameters(void) {
  core_params_table(stdout);
  exit(0);
}

/* ---- The environment ---- */

/* QEMU takes a comma for the beginning of another one. */
static void add_variable(struct trace_options *trace, const char *variable) {
  const size_t name = strcspn(variable, "=");
  unsigned count = 0;
  if (name == 0 || variable[name] == '\0')
    pmuv3_cli_unusable("--variable: '%s': expected NAME=VALUE", variable);
  if (strchr(variable, ',')) pmuv3_cli_unusable("--variable: '%s': expected no comma", variable);
  for (; trace->variables[count]; count++)
    if (strncmp(trace->variables[count], variable, name + 1) == 0)
      pmuv3_cli_unusable("--variable: '%.*s' is given twice", (int)name, variable);
  if (count == MAX_VARIABLES) pmuv3_cli_unusable("--variable: expected at most %d", MAX_VARIABLES);
  trace->variables[count] = variable;
}

/* ---- All ---- */

static void take_argument(struct trace_options *trace, const char *argument) {
  if (trace->out)
    pmuv3_cli_unusable("unusable argument '%s'; expected OUT.pmt -- PROGRAM ARGUMENT...", argument);
  trace->out = argument;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct trace_options *trace = state->input;
  switch (key) {
    case OPT_EVENTS:
      choose_list(trace, arg);
      return 0;
    case OPT_PINS:
      trace->pins = arg;
      return 0;
    case OPT_CORE_MODEL:
      trace->core_model = arg;
      return 0;
    case OPT_PARAM:
      set_param(arg);
      return 0;
    case OPT_PACKAGE: /* trace.sh has installed it */
      trace->package = arg;
      return 0;
    case OPT_ROOT:
      trace->root = arg;
      return 0;
    case OPT_PROGRAM:
      trace->program = arg;
      return 0;
    case OPT_VARIABLE:
      add_variable(trace, arg);
      return 0;
    case OPT_FROM:
      trace->from = arg;
      return 0;
    case OPT_PARAMETERS:
      print_parameters();
    case OPT_COLUMNS:
      print_columns();
    case OPT_PLAN:
      trace->is_plan = true;
      return 0;
    case ARGP_KEY_ARG:
      take_argument(trace, arg);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* The words behind "--" are the program's. Returns the number of words before. */
static int cut(int argc, char **argv, struct trace_options *trace) {
  int own = 0;
  while (own < argc && strcmp(argv[own], "--") != 0) own++;
  trace->arguments = argv + (own < argc ? own + 1 : argc);
  argv[own] = NULL;
  return own;
}

/* What is about a program would have no effect on a conversion, silently. */
static void check_conversion(void) {
  static const char *const others[] = {"events", "core-model", "param",   "package",
                                       "root",   "program",    "variable"};
  for (size_t o = 0; o < sizeof others / sizeof *others; o++)
    if (pmuv3_cli_given(others[o])) pmuv3_cli_unusable("--from has no use for --%s", others[o]);
}

static void check_package(const char *package) {
  static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  const size_t length = strlen(package);
  if (length < 2 || !strchr(first, *package) ||
      strspn(package, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != length)
    pmuv3_cli_unusable("--package: '%s' is no name of a package", package);
}

static void check(struct trace_options *trace) {
  const bool has_program = trace->arguments[0] != NULL;
  if (!trace->out) pmuv3_cli_unusable("expected OUT.pmt -- PROGRAM ARGUMENT...; see ./pmuv3 help");
  if (trace->from && has_program) pmuv3_cli_unusable("--from and a program: expected one of them");
  if (trace->pins && !trace->from) pmuv3_cli_unusable("--pins: expected --from FILE, too");
  if (!trace->from && !has_program)
    pmuv3_cli_unusable("expected -- PROGRAM ARGUMENT..., or --from FILE; see ./pmuv3 help");
  if (trace->from) check_conversion();
  if (trace->package) check_package(trace->package);
  read_core_model(trace);
  complete_core(trace);
  if (!trace->program) trace->program = trace->arguments[0];
  if (trace->num_chosen == 0) choose_all(trace);
  pmuv3_cli_check_output("OUT.pmt", trace->out);
}

/* For trace.sh, which reads no options: they may be abbreviated. */
static _Noreturn void print_plan(const struct trace_options *trace) {
  printf("plan root=%d from=%d package=%s\n", trace->root != NULL, trace->from != NULL,
         trace->package ? trace->package : "");
  exit(0);
}

struct trace_options trace_options_parse(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "OUT.pmt -- PROGRAM ARGUMENT...",
      .doc =
          "Runs an arm64 program on a core model, and writes what occurs in each cycle to "
          "OUT.pmt.\v"
          "Exit status: 0 the trace is whole, 2 unusable arguments, program or output, 3 no "
          "verdict, or a signal ended the program."};
  struct trace_options trace = {.core = core_params_default()};
  pmuv3_cli_parse(&argp, "pmuv3 trace", cut(argc, argv, &trace), argv, &trace);
  check(&trace);
  if (trace.is_plan) print_plan(&trace);
  return trace;
}
