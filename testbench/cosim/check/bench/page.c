/* The sign-off page of a device. */
#include "testbench/cosim/check/bench/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/never.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/evidence/html.h"

/* ---- Pieces ---- */

/* What the parts of the page share. */
struct writer {
  FILE *out;
  sqlite3 *database;
  const struct outcome *outcome;
  const struct outcome *const *by_mode; /* of struct page */
  const struct pmuv3_device *device;
  char source[EVIDENCE_SOURCE_SIZE];
  struct lacks lacks;
};

/* Titles with | between; a title that begins with # is of numbers. */
static void put_titles(const struct writer *w, const char *titles) {
  for (const char *title = titles; *title;) {
    const int length = (int)strcspn(title, "|");
    const bool is_number = *title == '#';
    fprintf(w->out, "<th%s>%.*s</th>", is_number ? " class=\"number\"" : "", length - is_number,
            title + is_number);
    title += length;
    if (*title) title++;
  }
}

static void begin_titles(const struct writer *w, const char *titles) {
  fputs("<div class=\"wide\"><table><thead><tr>", w->out);
  put_titles(w, titles);
}

/* A title for each mode that ran. */
static void put_mode_titles(const struct writer *w, const char *title) {
  char text[64];
  for (unsigned m = 0; m < NUM_MODES; m++) {
    snprintf(text, sizeof text, "%s, %s", title, pmuv3_mode_name((enum pmuv3_mode)m));
    if (w->by_mode[m]) put_titles(w, text);
  }
}

static void end_titles(const struct writer *w) {
  fputs("</tr></thead>\n", w->out);
}

static void begin_table(const struct writer *w, const char *titles) {
  begin_titles(w, titles);
  end_titles(w);
}

static void end_table(const struct writer *w) {
  fputs("</table></div>\n", w->out);
}

static void cell(const struct writer *w, const char *text) {
  fputs("<td>", w->out);
  pmuv3_html(w->out, text);
  fputs("</td>", w->out);
}

static void code_cell(const struct writer *w, const char *text) {
  fputs("<td><code>", w->out);
  pmuv3_html(w->out, text);
  fputs("</code></td>", w->out);
}

static void number_cell(const struct writer *w, uint64_t value) {
  fputs("<td class=\"number\">", w->out);
  pmuv3_html_number(w->out, (int64_t)value);
  fputs("</td>", w->out);
}

static void mask_cell(const struct writer *w, uint64_t mask) {
  fprintf(w->out, "<td><code>0x%" PRIX64 "</code></td>", mask);
}

/* `colour` is a class of page.css. */
static void badge_cell(const struct writer *w, const char *colour, const char *text) {
  fprintf(w->out, "<td><span class=\"badge %s\">", colour);
  pmuv3_html(w->out, text);
  fputs("</span></td>", w->out);
}

static void figure(const struct writer *w, uint64_t value, const char *what) {
  fputs("<div><b>", w->out);
  pmuv3_html_number(w->out, (int64_t)value);
  fprintf(w->out, "</b>%s</div>\n", what);
}

static void heading(const struct writer *w, const char *id, const char *title) {
  fprintf(w->out, "<h2 id=\"%s\">%s</h2>\n", id, title);
}

static void paragraph(const struct writer *w, const char *text) {
  fputs("<p>", w->out);
  pmuv3_html(w->out, text);
  fputs("</p>\n", w->out);
}

static const char *column(sqlite3_stmt *row, int c) {
  const char *text = (const char *)sqlite3_column_text(row, c);
  return text ? text : "";
}

/* The first number of an answer. */
static uint64_t number_of(const struct writer *w, const char *sql) {
  uint64_t number = 0;
  sqlite3_stmt *row = pmuv3_database_ask(w->database, sql, "t", w->source);
  while (pmuv3_database_next(row)) number = (uint64_t)sqlite3_column_int64(row, 0);
  return number;
}

/* ---- Coverage in numbers ---- */

struct coverage {
  uint64_t reachable, hit, impossible;
};

static struct coverage find_coverage(const struct writer *w) {
  struct coverage coverage = {0};
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const bool is_hit = w->outcome->totals.reached[bin] != 0;
    const bool counts = !cover_left_out(&w->lacks, bin);
    coverage.reachable += counts;
    coverage.hit += counts && is_hit;
    coverage.impossible += is_hit && cover_unreachable(&w->lacks, bin);
  }
  return coverage;
}

/* ---- The head ---- */

static void put_head(const struct writer *w) {
  char *css = pmuv3_database_script("page.css");
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>pmuv3 check: ",
      w->out);
  pmuv3_html(w->out, w->device->file);
  fprintf(w->out, "</title>\n<style>\n%s</style></head>\n<body>\n<h1>pmuv3 check: ", css);
  pmuv3_html(w->out, w->outcome->options->module);
  fputs("</h1>\n<p class=\"soft\">The device of <code>", w->out);
  pmuv3_html(w->out, w->device->file);
  fputs(
      "</code>, against the C model of Arm's PMUv3.</p>\n"
      "<nav><a href=\"#how\">How</a><a href=\"#compared\">Compared</a>"
      "<a href=\"#never\">Never compared</a><a href=\"#coverage\">Coverage</a>"
      "<a href=\"#stimulus\">Stimulus</a><a href=\"#divergences\">Divergences</a>"
      "<a href=\"#proof\">Proof</a><a href=\"#sources\">Sources</a></nav>\n",
      w->out);
  free(css);
}

static void count_never(void *count, const struct never *never) {
  (void)never;
  ++*(uint64_t *)count;
}

#define RUNS "SELECT count(*) FROM run WHERE source = ?1 AND verdict"

static void put_verdict(const struct writer *w, const struct coverage *coverage) {
  const uint64_t diverged = number_of(w, RUNS " = 'diverged'");
  const uint64_t crashed = number_of(w, RUNS " = 'crashed'");
  const uint64_t runs = number_of(w, RUNS " <> 'crashed'");
  const bool is_green = !diverged && !crashed && runs > 0;
  uint64_t never = 0, some = 0;
  never_in_modes(w->by_mode, true, count_never, &never);
  never_in_modes(w->by_mode, false, count_never, &some);
  fprintf(w->out, "<div class=\"verdict %s\"><strong>%s</strong>\n<p>",
          diverged   ? "red"
          : is_green ? "green"
                     : "amber",
          diverged   ? "Diverged"
          : is_green ? "Equivalent, in what was compared"
          : crashed  ? "Seeds without a verdict"
                     : "No run");
  fprintf(w->out, "%" PRIu64 " of %" PRIu64 " recorded runs diverged. ", diverged, runs);
  if (crashed)
    fprintf(w->out,
            "On <a href=\"#crashes\">%" PRIu64 " seed%s</a> the device ended without a verdict. ",
            crashed, crashed == 1 ? "" : "s");
  fprintf(w->out,
          "The page lists <a href=\"#never\">%" PRIu64 " things that were never compared</a>",
          never);
  if (some) fprintf(w->out, ", and %" PRIu64 " that runs of some modes did not compare", some);
  fputs(".</p></div>\n<div class=\"figures\">", w->out);
  figure(w, runs, "runs");
  figure(w, w->outcome->totals.counts.clocks, "clocks");
  figure(w, pmuv3_check_comparisons(&w->outcome->totals.counts), "values compared");
  figure(w, coverage->hit, "bins hit");
  figure(w, coverage->reachable - coverage->hit, "holes");
  fputs("</div>\n", w->out);
}

/* ---- How the device was compared ---- */

static const char *colour_of(const char *verdict) {
  if (strcmp(verdict, "crashed") == 0) return "missing";
  return strcmp(verdict, "equivalent") == 0 ? "green" : "red";
}

static void put_runs(const struct writer *w) {
  begin_table(w, "mode|#seed|verdict|#clocks|#values compared|#seconds");
  sqlite3_stmt *row = pmuv3_database_ask(
      w->database,
      "SELECT configuration, seed, verdict, cycles, comparisons, round(seconds, 1) FROM run"
      " WHERE source = ?1 ORDER BY configuration, seed",
      "t", w->source);
  while (pmuv3_database_next(row)) {
    fputs("<tr>", w->out);
    cell(w, column(row, 0));
    number_cell(w, (uint64_t)sqlite3_column_int64(row, 1));
    badge_cell(w, colour_of(column(row, 2)), column(row, 2));
    number_cell(w, (uint64_t)sqlite3_column_int64(row, 3));
    number_cell(w, (uint64_t)sqlite3_column_int64(row, 4));
    fprintf(w->out, "<td class=\"number\">%s</td>", column(row, 5));
    fputs("</tr>\n", w->out);
  }
  end_table(w);
}

static void put_modes(const struct writer *w) {
  static const char *const agreements[] = {
      [PMUV3_MODE_EXACT] = "each value in its very clock",
      [PMUV3_MODE_WITHIN] = "each value in one of the clocks that the latencies allow",
      [PMUV3_MODE_SETTLED] = "each value within the clocks of `settle`, around quiet accesses"};
  begin_table(w, "mode|verdict|a value is right|#seeds|#clocks|#values compared|#diverged");
  for (unsigned mode = PMUV3_MODE_EXACT; mode <= PMUV3_MODE_SETTLED; mode++) {
    const char *name = pmuv3_mode_name((enum pmuv3_mode)mode);
    sqlite3_stmt *row = pmuv3_database_ask(
        w->database,
        "SELECT total(verdict <> 'crashed'), sum(iif(verdict = 'crashed', 0, cycles)),"
        " sum(verdict = 'diverged'), sum(comparisons), total(verdict = 'crashed') FROM run"
        " WHERE source = ?1 AND configuration = ?2",
        "tt", w->source, name);
    while (pmuv3_database_next(row)) {
      const uint64_t seeds = (uint64_t)sqlite3_column_int64(row, 0);
      const uint64_t diverged = (uint64_t)sqlite3_column_int64(row, 2);
      const uint64_t crashed = (uint64_t)sqlite3_column_int64(row, 4);
      const char *verdict = diverged    ? "diverged"
                            : crashed   ? "crashed"
                            : seeds > 0 ? "equivalent"
                                        : "not run";
      fputs("<tr>", w->out);
      cell(w, name);
      badge_cell(w, diverged + crashed + seeds > 0 ? colour_of(verdict) : "none", verdict);
      cell(w, agreements[mode]);
      number_cell(w, seeds);
      number_cell(w, (uint64_t)sqlite3_column_int64(row, 1));
      number_cell(w, (uint64_t)sqlite3_column_int64(row, 3));
      number_cell(w, diverged);
      fputs("</tr>\n", w->out);
    }
  }
  end_table(w);
}

static void put_latencies(const struct writer *w) {
  begin_titles(w, "latency|#clocks");
  put_mode_titles(w, "compared to the clock");
  end_titles(w);
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const struct pmuv3_range range = w->device->latency[l];
    const char *const stops = w->device->stops[l] ? ", stops with the clock" : "";
    char text[44];
    if (range.min == range.max)
      snprintf(text, sizeof text, "%u%s", range.min, stops);
    else
      snprintf(text, sizeof text, "%u..%u%s", range.min, range.max, stops);
    fputs("<tr>", w->out);
    cell(w, pmuv3_latency_name((enum pmuv3_latency)l));
    fprintf(w->out, "<td class=\"number\">%s</td>", text);
    for (unsigned m = 0; m < NUM_MODES; m++) {
      const char *never =
          w->by_mode[m] ? never_latency(w->by_mode[m], (enum pmuv3_latency)l) : NULL;
      if (w->by_mode[m]) cell(w, never ? never : "yes");
    }
    fputs("</tr>\n", w->out);
  }
  end_table(w);
}

/* Verilator alone did the runs of the table. */
static void put_again(const struct writer *w) {
  const char *again = w->outcome->options->again;
  if (!again) return;
  fputs("<p>The device is equivalent in Icarus Verilog, too: ", w->out);
  pmuv3_html(w->out, again);
  fputs(".</p>\n", w->out);
}

static void put_how(const struct writer *w) {
  heading(w, "how", "How it was compared");
  paragraph(w,
            "Both get the same random stimulus. Each output of the device is compared with the C "
            "model as it was when the device sampled it. The model never takes a value of the "
            "device over.");
  put_modes(w);
  put_latencies(w);
  fputs("<h3>Runs</h3>\n", w->out);
  put_runs(w);
  put_again(w);
}

/* ---- What was compared, and how often ---- */

static void put_kinds(const struct writer *w) {
  begin_titles(w, "kind");
  put_mode_titles(w, "#compared");
  put_mode_titles(w, "#in doubt");
  end_titles(w);
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++) {
    fputs("<tr>", w->out);
    cell(w, pmuv3_compared_name((enum pmuv3_compared)c));
    for (unsigned m = 0; m < NUM_MODES; m++)
      if (w->by_mode[m]) number_cell(w, w->by_mode[m]->totals.counts.compared[c]);
    for (unsigned m = 0; m < NUM_MODES; m++)
      if (w->by_mode[m]) number_cell(w, w->by_mode[m]->totals.counts.uncertain[c]);
    fputs("</tr>\n", w->out);
  }
  end_table(w);
}

static void put_registers(const struct writer *w) {
  char name[NEVER_NAME_SIZE], address[24];
  begin_titles(w, "register|address");
  put_mode_titles(w, "#reads compared");
  put_titles(w, "#writes|#writes refused|#writes ignored|bits read|bits written");
  end_titles(w);
  for (size_t r = 0; r < w->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &w->device->registers[r];
    const struct pmuv3_check_register *counts = &w->outcome->totals.registers[r];
    snprintf(address, sizeof address, "0x%" PRIX64, reg->address);
    fputs("<tr>", w->out);
    code_cell(w, never_name_of(w->device, reg, name));
    code_cell(w, address);
    for (unsigned m = 0; m < NUM_MODES; m++)
      if (w->by_mode[m]) number_cell(w, w->by_mode[m]->totals.registers[r].reads);
    number_cell(w, counts->writes);
    number_cell(w, counts->refused);
    number_cell(w, counts->ignored);
    mask_cell(w, reg->read);
    mask_cell(w, reg->write);
    fputs("</tr>\n", w->out);
  }
  end_table(w);
}

static void put_compared(const struct writer *w) {
  heading(w, "compared", "What was compared, and how often");
  put_kinds(w);
  put_registers(w);
}

static void put_never_row(void *context, const struct never *never) {
  const struct writer *w = context;
  fputs("<tr>", w->out);
  cell(w, never->kind);
  cell(w, never->what);
  cell(w, never->why);
  fputs("</tr>\n", w->out);
}

static void put_never(struct writer *w) {
  heading(w, "never", "What was never compared");
  paragraph(w, "No recorded run of any mode compared these.");
  begin_table(w, "kind|what|why");
  never_in_modes(w->by_mode, true, put_never_row, w);
  end_table(w);
  uint64_t some = 0;
  never_in_modes(w->by_mode, false, count_never, &some);
  if (some == 0) return;
  fputs("<h3>Compared in one mode, and not in another</h3>\n", w->out);
  paragraph(w, "No recorded run of the modes that the last column names compared these.");
  begin_table(w, "kind|what|not in");
  never_in_modes(w->by_mode, false, put_never_row, w);
  end_table(w);
}

/* ---- Coverage ---- */

static void put_bins(const struct writer *w, bool holes) {
  fputs("<ul class=\"names code\">", w->out);
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const bool is_hit = w->outcome->totals.reached[bin] != 0;
    const bool is_hole = !is_hit && !cover_left_out(&w->lacks, bin);
    const bool is_mistake = is_hit && cover_unreachable(&w->lacks, bin);
    if (holes ? !is_hole : !is_mistake) continue;
    fputs("<li>", w->out);
    pmuv3_html(w->out, pmuv3_coverage_name(bin));
    fputs("</li>", w->out);
  }
  fputs("</ul>\n", w->out);
}

/* How many bins have the reason of bin `first`. 0: an earlier bin has it. */
static uint64_t bins_with_reason(const char *const *reasons, size_t first) {
  uint64_t count = 0;
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    if (!reasons[bin] || strcmp(reasons[bin], reasons[first]) != 0) continue;
    if (bin < first) return 0;
    count++;
  }
  return count;
}

static void put_left_out(const struct writer *w) {
  const size_t num_bins = pmuv3_coverage_num_bins();
  const char **reasons = calloc(num_bins, sizeof *reasons);
  if (!reasons) pmuv3_cli_no_verdict("out of memory");
  for (size_t bin = 0; bin < num_bins; bin++) reasons[bin] = cover_left_out(&w->lacks, bin);
  begin_table(w, "#bins|do not count, because");
  for (size_t bin = 0; bin < num_bins; bin++) {
    const uint64_t count = reasons[bin] ? bins_with_reason(reasons, bin) : 0;
    if (!count) continue;
    fputs("<tr>", w->out);
    number_cell(w, count);
    cell(w, reasons[bin]);
    fputs("</tr>\n", w->out);
  }
  end_table(w);
  free(reasons);
}

/* What the numbers of coverage, of events and of states are of. */
static void put_observed(const struct writer *w) {
  fputs("<p>Coverage observed the first quarter of each task: ", w->out);
  pmuv3_html_number(w->out, (int64_t)w->outcome->totals.watched);
  fputs(" clocks.</p>\n", w->out);
}

static void put_coverage(const struct writer *w, const struct coverage *coverage) {
  heading(w, "coverage", "Coverage of the stimulus");
  paragraph(w, "What the C model did, by the project's coverpoints. The device has no say.");
  put_observed(w);
  begin_table(w, "#bins|#reachable|#hit|#holes|");
  fputs("<tr>", w->out);
  number_cell(w, pmuv3_coverage_num_bins());
  number_cell(w, coverage->reachable);
  number_cell(w, coverage->hit);
  number_cell(w, coverage->reachable - coverage->hit);
  fprintf(w->out,
          "<td><div class=\"bar\"><i class=\"%s\" style=\"width:%.1f%%\"></i></div></td></tr>\n",
          coverage->hit == coverage->reachable ? "green" : "amber",
          coverage->reachable ? 100.0 * (double)coverage->hit / (double)coverage->reachable : 0);
  end_table(w);
  if (coverage->hit < coverage->reachable) {
    fputs("<h3>Holes</h3>\n", w->out);
    put_bins(w, true);
  }
  if (coverage->impossible) {
    fputs("<h3>Hit, although the description leaves them no way: a mistake of needs.def</h3>\n",
          w->out);
    put_bins(w, false);
  }
  put_left_out(w);
}

/* ---- Stimulus ---- */

static void put_stimulus(const struct writer *w) {
  const struct profile *profile = w->outcome->profile;
  const uint64_t *reached = w->outcome->totals.reached;
  char number[8];
  heading(w, "stimulus", "Events and states");
  put_observed(w);
  begin_table(w, "event|#thread|#largest count|#observed clocks in which a counter counted it");
  for (size_t e = 0; e < w->device->num_events; e++) {
    snprintf(number, sizeof number, "0x%04X", w->device->events[e].number);
    fputs("<tr>", w->out);
    code_cell(w, number);
    number_cell(w, w->device->events[e].thread);
    number_cell(w, profile->max[w->device->events[e].source]);
    number_cell(w, reached[cover_of_event(e)]);
    fputs("</tr>\n", w->out);
  }
  end_table(w);
  if (profile->num_states) begin_table(w, "state|#value|#thread|#times entered in observed clocks");
  for (unsigned s = 0; s < profile->num_states; s++) {
    const struct state_pin *state = &profile->states[s];
    for (unsigned v = 0; v < state->num_values; v++) {
      fputs("<tr>", w->out);
      cell(w, pmuv3_state_key_name((enum pmuv3_state_key)state->key));
      number_cell(w, state->values[v]);
      number_cell(w, state->thread);
      number_cell(w,
                  reached[cover_of_state(w->device, state->thread, state->key, state->values[v])]);
      fputs("</tr>\n", w->out);
    }
  }
  if (profile->num_states) end_table(w);
}

/* ---- Divergences, proof, sources ---- */

static void put_crashes(const struct writer *w) {
  if (number_of(w, RUNS " = 'crashed'") == 0) return;
  fputs("<h3 id=\"crashes\">Seeds on which the device ended without a verdict</h3>\n", w->out);
  paragraph(w,
            "A run of the same seed and at least as many clocks that has a verdict lifts a row.");
  begin_table(w, "mode|#seed|#clocks|how it ended");
  sqlite3_stmt *row = pmuv3_database_ask(w->database,
                                         "SELECT configuration, seed, cycles, difference FROM run"
                                         " WHERE source = ?1 AND verdict = 'crashed'"
                                         " ORDER BY configuration, seed",
                                         "t", w->source);
  while (pmuv3_database_next(row)) {
    fputs("<tr>", w->out);
    cell(w, column(row, 0));
    number_cell(w, (uint64_t)sqlite3_column_int64(row, 1));
    number_cell(w, (uint64_t)sqlite3_column_int64(row, 2));
    cell(w, column(row, 3));
    fputs("</tr>\n", w->out);
  }
  end_table(w);
}

static void put_divergences(const struct writer *w) {
  heading(w, "divergences", "Divergences");
  if (number_of(w, RUNS " = 'diverged'") == 0) {
    paragraph(w, "None in the recorded runs.");
    return;
  }
  begin_table(w, "mode|#seed|first difference|reproducer in");
  sqlite3_stmt *row = pmuv3_database_ask(
      w->database,
      "SELECT configuration, seed, difference, capsule, stimulus FROM run WHERE source = ?1"
      " AND verdict = 'diverged' ORDER BY configuration, seed",
      "t", w->source);
  while (pmuv3_database_next(row)) {
    fputs("<tr>", w->out);
    cell(w, column(row, 0));
    number_cell(w, (uint64_t)sqlite3_column_int64(row, 1));
    cell(w, column(row, 2));
    code_cell(w, evidence_folder(row, 3, 4));
    fputs("</tr>\n", w->out);
  }
  end_table(w);
}

/* The command that checks the device. */
static void put_command(const struct writer *w) {
  fputs("<p><code>./pmuv3 check ", w->out);
  pmuv3_html(w->out, w->outcome->options->description);
  for (char **word = w->outcome->options->device; *word; word++) {
    char *quoted = pmuv3_cli_quoted(*word);
    fputc(' ', w->out);
    pmuv3_html(w->out, quoted);
    free(quoted);
  }
  fputs("</code></p>\n", w->out);
}

static void put_proof(const struct writer *w) {
  heading(w, "proof", "Proof");
  paragraph(w, "Not proved: simulation shows nothing about stimulus that was not run.");
}

static void put_sources(const struct writer *w) {
  const char *device = w->outcome->options->source;
  heading(w, "sources", "Sources");
  paragraph(w,
            "Only runs with these digests are on this page. A changed file makes other digests.");
  begin_table(w, "of|digest");
  fputs("<tr>", w->out);
  cell(w, "pmuv3: model, checker, stimulus");
  code_cell(w, pmuv3_source);
  fputs("</tr>\n<tr>", w->out);
  cell(w, "the device: RTL, its macros and parameters, description");
  code_cell(w, device ? device : "unknown");
  fputs("</tr>\n", w->out);
  sqlite3_stmt *row = pmuv3_database_ask(
      w->database, "SELECT tool, version FROM version WHERE source = ?1 ORDER BY tool", "t",
      w->source);
  while (pmuv3_database_next(row)) {
    fputs("<tr>", w->out);
    cell(w, column(row, 0));
    code_cell(w, column(row, 1));
    fputs("</tr>\n", w->out);
  }
  end_table(w);
  put_command(w);
}

bool page_write(FILE *out, const void *context) {
  const struct page *page = context;
  static struct writer w;
  w.out = out;
  w.database = page->database;
  w.outcome = page->outcome;
  w.by_mode = page->by_mode;
  w.device = page->outcome->device;
  evidence_source(page->outcome->options, w.source);
  cover_find_lacks(&w.lacks, page->outcome->profile);
  const struct coverage coverage = find_coverage(&w);
  put_head(&w);
  put_verdict(&w, &coverage);
  put_how(&w);
  put_compared(&w);
  put_never(&w);
  put_coverage(&w, &coverage);
  put_stimulus(&w);
  put_divergences(&w);
  put_crashes(&w);
  put_proof(&w);
  put_sources(&w);
  fputs("</body></html>\n", out);
  return fflush(out) == 0 && !ferror(out);
}
