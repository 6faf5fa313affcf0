/* pmuv3 cores: the presets, what is known of each, and the ID registers that follow. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/id_registers.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/id_text.h"
#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/lex.h"

/* ---- The command line ---- */

enum { OPT_MARKDOWN = 0x100 };

struct options {
  const char *core; /* NULL: list all */
  bool is_markdown;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case OPT_MARKDOWN:
      options->is_markdown = true;
      return 0;
    case ARGP_KEY_ARG:
      if (options->core) pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
      options->core = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct options parse_options(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"markdown", OPT_MARKDOWN, 0, 0, "list all as docs/reference/cores.md", 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "[NAME]",
                                   .doc = "The presets of real cores, or one of them."};
  struct options given = {0};
  pmuv3_cli_parse(&argp, "pmuv3 cores", argc, argv, &given);
  return given;
}

/* ---- A preset: its parameters, and its lines with their comments ---- */

struct preset {
  char path[PATH_MAX];
  struct pmuv3_params params; /* complete */
  struct pmuv3_lex lex;       /* over the file's lines */
};

static void unusable_line(const char *line) {
  fprintf(stderr, "%s\n", line);
  exit(PMUV3_UNUSABLE);
}

static FILE *open_preset(const char *path) {
  const char *why;
  FILE *in = pmuv3_events_open(path, &why);
  if (!in) pmuv3_cli_unusable("'%s': cannot open it: %s", path, why);
  return in;
}

static struct preset *read_preset(const char *name) {
  static char error[PATH_MAX + 512];
  struct preset *preset = calloc(1, sizeof *preset);
  if (!preset) pmuv3_cli_no_verdict("out of memory");
  const char *why = pmuv3_core_path(preset->path, sizeof preset->path, name, "");
  if (why) pmuv3_cli_unusable("%s", why);
  FILE *in = open_preset(preset->path);
  if (!pmuv3_core_read(&preset->params, in, preset->path, error, sizeof error))
    unusable_line(error);
  pmuv3_params_complete(&preset->params);
  rewind(in);
  if (!pmuv3_lex_open(&preset->lex, in, preset->path, error, sizeof error)) unusable_line(error);
  fclose(in);
  return preset;
}

static void free_preset(struct preset *preset) {
  pmuv3_lex_close(&preset->lex);
  free(preset);
}

/* The comment of the current line without the blanks before it; "": none. */
static const char *comment_of(const struct preset *preset) {
  const char *comment = preset->lex.comment ? preset->lex.comment : "";
  return comment + strspn(comment, " ");
}

static bool is_assumed(const char *comment) {
  return strstr(comment, "assumed:") != NULL;
}

/* The core's own name: the comment of the second line. */
static const char *title_of(struct preset *preset) {
  pmuv3_lex_line(&preset->lex);
  return pmuv3_lex_line(&preset->lex) ? comment_of(preset) : "";
}

/* ---- All presets ---- */

/* params.def has the versions one after the other. */
static const char *version_of(const struct pmuv3_params *params) {
  for (unsigned f = PMUV3_FEATURE_PMUv3p9; f >= PMUV3_FEATURE_PMUv3p1; f--)
    if (pmuv3_has(params, (enum pmuv3_feature)f)) return pmuv3_feature_name((enum pmuv3_feature)f);
  return "PMUv3";
}

static const char *aa32_of(const struct pmuv3_params *params) {
  static const char *const words[] = {[PMUV3_AA32_NONE] = "none",
                                      [PMUV3_AA32_EL0] = "el0",
                                      [PMUV3_AA32_EL1] = "el1",
                                      [PMUV3_AA32_EL2] = "el2",
                                      [PMUV3_AA32_EL3] = "el3"};
  return words[params->aa32];
}

static unsigned count_assumed(struct preset *preset) {
  unsigned assumed = 0;
  while (pmuv3_lex_line(&preset->lex))
    if (pmuv3_lex_word(&preset->lex) && is_assumed(comment_of(preset))) assumed++;
  return assumed;
}

static void list_preset(const char *file, bool is_markdown) {
  struct preset *preset = read_preset(file);
  const struct pmuv3_params *params = &preset->params;
  char *name = pmuv3_cli_shown(file);
  char *title = pmuv3_cli_shown(title_of(preset));
  printf(is_markdown ? "| `%s` | %s | %s | %u | %u | %u | %s | %u |\n"
                     : "%-14s %-20s %-8s %8u %6u %6u  %-8s %7u\n",
         name, title, version_of(params), params->counters, params->slots, params->events.num,
         aa32_of(params), count_assumed(preset));
  free(title);
  free(name);
  free_preset(preset);
}

static void print_id_fields(void) {
  printf(
      "\n## ID registers\n\n"
      "`pmuv3_id_of` (`pmuv3/id_registers.h`) gives these fields for any parameters.\n"
      "ID_DFR0 and ID_DFR1 in AArch32 state read what ID_DFR0_EL1 and ID_DFR1_EL1 read. Without\n"
      "AArch32 these are UNKNOWN.\n\n"
      "| register | field | bits | tells of |\n|---|---|---|---|\n");
  const struct pmuv3_id_field *field;
  for (unsigned f = 0; (field = pmuv3_id_register_field(f)); f++)
    printf("| %s | %s | %u:%u | %s |\n", pmuv3_id_register_name(field->reg), field->name,
           field->lsb + 3, field->lsb, field->text);
  printf(
      "\nID_AA64DFR0_EL1.PMSVer is not among them: the parameters do not tell the version of SPE.\n"
      "ID_AA64DFR1_EL1.SPMU is not: System PMUs are not part of the model. EDDFR and EDDFR1 are\n"
      "not: most of their fields may read as zero.\n");
}

static void list_presets(bool is_markdown) {
  char **names = pmuv3_core_names();
  if (!names) pmuv3_cli_no_verdict("out of memory");
  if (is_markdown)
    printf(
        "# Presets of cores\n\n"
        "<!-- derived by pmuv3-cores --markdown from cmodel/cores -->\n\n"
        "`./pmuv3 run --core NAME` and `param core=NAME` take a preset: the parameters, features "
        "and\n"
        "events of a core as public text states them. `./pmuv3 cores NAME` prints the preset: "
        "each\n"
        "parameter with its source, and the PMU's fields of the core's ID registers. The files "
        "are\n"
        "in `cmodel/cores`; [formats](formats.md#presets-of-cores) has their format. A preset of\n"
        "your own core: [how to](../howto/core.md).\n\n"
        "The column *assumed* counts the parameters that public text does not state. These are\n"
        "assumed for every core, and not counted:\n\n"
        "- Parameters and choices that have no line have their defaults.\n"
        "- Events that [events.md](events.md) lacks have the class and the attribution that "
        "follow\n"
        "  from their names ([how to](../howto/core.md#what-becomes-of-an-event)).\n"
        "- Caches and TLBs beyond Level 1 are shared, unless a row says otherwise\n"
        "  ([how to](../howto/core.md#which-caches-are-shared)).\n"
        "- Each event can occur 255 times in a cycle, a condition once.\n\n"
        "SW_INCR, CPU_CYCLES, CHAIN and PMU_SNAPSHOT are among the events of every core.\n\n"
        "| preset | core | version | counters | Slots | events | AArch32 up to | assumed |\n"
        "|---|---|---|---|---|---|---|---|\n");
  else
    printf("%-14s %-20s %-8s %8s %6s %6s  %-8s %7s\n", "preset", "core", "version", "counters",
           "Slots", "events", "AArch32", "assumed");
  for (char **name = names; *name; name++) list_preset(*name, is_markdown);
  pmuv3_core_names_free(names);
  if (is_markdown) print_id_fields();
}

/* ---- One preset ---- */

/* Comments of their own lines; a parameter with its comment; events are counted. */
static void show_line(struct preset *preset) {
  const char *word = pmuv3_lex_word(&preset->lex);
  char *comment = pmuv3_cli_shown(comment_of(preset));
  if (!word && *comment) printf("%s\n", comment);
  while (word && (word = pmuv3_lex_word(&preset->lex)))
    if (strncmp(word, "event=", 6) != 0)
      printf("  %-30s %s\n", word, *comment ? comment : "no source");
  free(comment);
}

static void show_preset(const char *name) {
  struct preset *preset = read_preset(name);
  const struct pmuv3_params *params = &preset->params;
  char *path = pmuv3_cli_shown(preset->path);
  printf("%s\n", path);
  free(path);
  pmuv3_lex_line(&preset->lex);
  while (pmuv3_lex_line(&preset->lex)) show_line(preset);
  printf("events: %u, with SW_INCR, CPU_CYCLES, CHAIN and PMU_SNAPSHOT\n", params->events.num);
  printf(
      "assumed: parameters and choices that have no line have their defaults\n"
      "assumed: caches and TLBs beyond Level 1 are shared, unless a row says otherwise\n"
      "assumed: class and attribution of events that docs/reference/events.md lacks; each event "
      "can\n"
      "         occur 255 times in a cycle, a condition once\n");
  pmuv3_print_id_registers(stdout, params);
  free_preset(preset);
}

int main(int argc, char **argv) {
  const struct options options = parse_options(argc, argv);
  if (options.core && options.is_markdown) pmuv3_cli_unusable("--markdown is of all presets");
  if (options.core)
    show_preset(options.core);
  else
    list_presets(options.is_markdown);
  return 0;
}
