/* The chain as text. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/registers.h"
#include "testbench/cosim/failure_report/chain.h"
#include "testbench/cosim/shrink/lines.h"
#include "testbench/cosim/stimulus/events_text.h"

/* ---- What is seen of a step ---- */

static uint64_t value_at(const struct pmuv3_chain *chain, size_t step, int side,
                         enum pmuv3_signal signal, int counter) {
  return pmuv3_signal_value(signal, pmuv3_chain_after(chain, step, side), counter);
}

static bool is_first(const struct pmuv3_chain *chain, enum pmuv3_signal signal, int counter) {
  return chain->signal == (int)signal && (chain->counter == counter || chain->counter < 0);
}

void pmuv3_chain_quote(FILE *out, const struct pmuv3_chain *chain, const struct pmuv3_step *step) {
  const char *text = chain->observation->text;
  if (!step->item) {
    fputs("reset, at the start", out);
    return;
  }
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  pmuv3_stimulus_write_item(builder.out, step->item);
  char *written = pmuv3_builder_take(&builder);
  struct pmuv3_words words =
      pmuv3_words_of(text ? pmuv3_lines_at(text, step->item->line - 1) : written);
  char *line = pmuv3_words_join(&words);
  fputs(line, out);
  free(line);
  pmuv3_words_free(&words);
  free(written);
}

static void print_item(FILE *out, const struct pmuv3_chain *chain, const struct pmuv3_step *step) {
  pmuv3_chain_quote(out, chain, step);
  fputc('\n', out);
}

static void print_line(FILE *out, const struct pmuv3_chain *chain, const struct pmuv3_step *step) {
  if (step->item) fprintf(out, "line %" PRIu32 ": ", step->item->line);
  print_item(out, chain, step);
}

/* ---- The first difference ---- */

static void print_head(FILE *out, const struct pmuv3_chain *chain) {
  const struct pmuv3_step *step = &chain->observation->steps[chain->first];
  fprintf(out, "first difference: %s %" PRIu64 ", thread %u",
          pmuv3_step_is_cycle(step) ? "cycle" : "before cycle", step->cycle, chain->thread);
  if (chain->counter >= 0) fprintf(out, ", counter %d", chain->counter);
  fprintf(out, ", %s: cmodel 0x%" PRIx64 ", rtl 0x%" PRIx64 "\n", chain->name,
          chain->values[PMUV3_CMODEL], chain->values[PMUV3_RTL]);
  fprintf(out, "it points to: %s\n", pmuv3_stage_name(chain->stage));
  fputs("it comes with ", out);
  print_line(out, chain, step);
  fputs("the lockstep: ", out);
  pmuv3_divergence_print(out, &chain->observation->divergence);
}

/* ---- Stage by stage ---- */

static void print_row(FILE *out, const char *name, uint64_t cmodel, uint64_t rtl, bool first) {
  fprintf(out, "    %-32s %#20" PRIx64 " %#20" PRIx64 "%s\n", name, cmodel, rtl,
          first           ? "  <- the first difference"
          : cmodel != rtl ? "  <-"
                          : "");
}

static void print_signal(FILE *out, const struct pmuv3_chain *chain, enum pmuv3_signal signal,
                         int counter) {
  print_row(
      out, pmuv3_signal_name(signal), value_at(chain, chain->first, PMUV3_CMODEL, signal, counter),
      value_at(chain, chain->first, PMUV3_RTL, signal, counter), is_first(chain, signal, counter));
}

/* A field as NAME=VALUE, of two and three bits in binary; as CMODEL|RTL where they differ. */
static void input_text(char *text, size_t size, const struct pmuv3_chain *chain,
                       const struct pmuv3_input *input) {
  const int width = input->msb - input->lsb + 1;
  uint64_t values[PMUV3_NUM_SIDES];
  FILE *out = fmemopen(text, size, "w");
  if (!out) return;
  for (int s = 0; s < PMUV3_NUM_SIDES; s++)
    values[s] = pmuv3_input_value(input, pmuv3_chain_before(chain, s), chain->counter);
  fprintf(out, "%s=", input->name);
  for (int s = 0; s < PMUV3_NUM_SIDES; s++) {
    if (s > 0 && values[s] == values[0]) break;
    if (s > 0) fputc('|', out);
    if (width == 2 || width == 3)
      for (int bit = width - 1; bit >= 0; bit--) fputc('0' + (int)(values[s] >> bit & 1), out);
    else
      fprintf(out, width > 5 ? "0x%" PRIx64 : "%" PRIu64, values[s]);
  }
  fclose(out);
}

static bool has_input(const struct pmuv3_chain *chain, const struct pmuv3_input *input,
                      enum pmuv3_stage stage) {
  return input->stage == stage &&
         (chain->counter >= 0 || !pmuv3_signal_is_of_counter(input->signal));
}

static void print_inputs(FILE *out, const struct pmuv3_chain *chain, enum pmuv3_stage stage) {
  enum { INDENT = 6, WIDTH = 96 };
  size_t column = 0;
  for (size_t i = 0; i < pmuv3_num_inputs; i++) {
    char text[96] = "";
    if (!has_input(chain, &pmuv3_inputs[i], stage)) continue;
    input_text(text, sizeof text, chain, &pmuv3_inputs[i]);
    if (column > 0 && column + 1 + strlen(text) > WIDTH) {
      fputc('\n', out);
      column = 0;
    }
    column += column > 0 ? (size_t)fprintf(out, " %s", text)
                         : (size_t)fprintf(out, "%*s%s", INDENT, "", text);
  }
  if (column > 0) fputc('\n', out);
}

static void print_event(FILE *out, const struct pmuv3_chain *chain) {
  const uint64_t type = pmuv3_chain_before(chain, PMUV3_CMODEL)->evtyper[chain->counter];
  const struct pmuv3_params *params = &chain->observation->stimulus->params;
  const bool is_there = pmuv3_events_find(&params->events, (uint16_t)type) != NULL;
  char name[PMUV3_EVENT_NAME_SIZE];
  const struct pmuv3_step *step = &chain->observation->steps[chain->first];
  fprintf(out, "    selected: 0x%04X %s; occurs:", (unsigned)type & 0xFFFF,
          is_there ? pmuv3_event_name((uint16_t)type, name) : "not implemented");
  bool any = false;
  if (step->item && step->item->kind == PMUV3_ITEM_CYCLE) {
    const struct pmuv3_cycle *cycle = &step->item->cycle;
    static const char *const origins[] = {"", " elsewhere", " Unattributable", " of the debugger"};
    for (unsigned i = 0; i < cycle->num_occurrences; i++) {
      const struct pmuv3_occurrence *occurrence = &cycle->occurrences[i];
      if (occurrence->event != (type & 0xFFFF)) continue;
      fprintf(out, "%s %u on thread %u%s", any ? "," : "", occurrence->count, occurrence->thread,
              origins[occurrence->origin]);
      any = true;
    }
  }
  fputs(any ? "\n" : " nothing listed\n", out);
}

/* The even counter's part of a linked pair. */
static void print_even(FILE *out, const struct pmuv3_chain *chain) {
  static const enum pmuv3_signal parts[] = {PMUV3_SIGNAL_allowed, PMUV3_SIGNAL_V,
                                            PMUV3_SIGNAL_value, PMUV3_SIGNAL_overflow};
  if (chain->counter % 2 == 0) return;
  fprintf(out, "  the even counter %d\n", chain->counter - 1);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    print_signal(out, chain, parts[i], chain->counter - 1);
}

static void print_stage(FILE *out, const struct pmuv3_chain *chain, enum pmuv3_stage stage) {
  fprintf(out, "  %s%s\n", pmuv3_stage_name(stage),
          stage == chain->stage ? "  <== the chain points here" : "");
  if (stage == PMUV3_STAGE_EVENT) print_event(out, chain);
  for (int s = 0; s < PMUV3_NUM_SIGNALS; s++) {
    const enum pmuv3_signal signal = (enum pmuv3_signal)s;
    if (pmuv3_signal_stage(signal) != stage || signal > PMUV3_SIGNAL_overflow) continue;
    if (signal == PMUV3_SIGNAL_value)
      print_row(out, "value before", pmuv3_chain_before(chain, PMUV3_CMODEL)->value[chain->counter],
                pmuv3_chain_before(chain, PMUV3_RTL)->value[chain->counter], false);
    print_signal(out, chain, signal, chain->counter);
  }
  print_inputs(out, chain, stage);
}

/* What event counters ask for, a bit each. */
static void print_interrupts(FILE *out, const struct pmuv3_chain *chain) {
  const struct pmuv3_probe *cmodel = pmuv3_chain_after(chain, chain->first, PMUV3_CMODEL);
  const struct pmuv3_probe *rtl = pmuv3_chain_after(chain, chain->first, PMUV3_RTL);
  print_row(out, "PMOVS.P", cmodel->overflow, rtl->overflow, false);
  print_row(out, "PMINTEN.P", cmodel->inten, rtl->inten, false);
}

/* Of what is not in the datapath of a counter: what it goes by, and what came of it. */
static void print_rest(FILE *out, const struct pmuv3_chain *chain) {
  struct pmuv3_shown shown[PMUV3_MAX_SHOWN];
  const size_t count = pmuv3_chain_shown(chain, shown);
  fprintf(out, "  %s  <== the chain points here\n", pmuv3_stage_name(chain->stage));
  print_inputs(out, chain, chain->stage);
  if (chain->stage == PMUV3_STAGE_EXCEPTION) print_interrupts(out, chain);
  for (size_t i = 0; i < count; i++) print_signal(out, chain, shown[i].signal, shown[i].counter);
  if (chain->signal < 0)
    print_row(out, chain->name, chain->values[PMUV3_CMODEL], chain->values[PMUV3_RTL], true);
}

static void print_stages(FILE *out, const struct pmuv3_chain *chain) {
  fprintf(out,
          "\nStage by stage, as both sides show it; fields of registers as they were before\n"
          "    %-32s %20s %20s\n",
          "", "cmodel", "rtl");
  if (!pmuv3_chain_is_in_datapath(chain)) {
    print_rest(out, chain);
    return;
  }
  for (int stage = PMUV3_STAGE_EVENT; stage <= PMUV3_STAGE_OVERFLOW; stage++)
    print_stage(out, chain, (enum pmuv3_stage)stage);
  print_even(out, chain);
}

/* As the `pe` line of a stimulus file, what is not 0 alone. */
static void print_states(FILE *out, const struct pmuv3_chain *chain) {
  fputs("\nStates of threads, then\n", out);
  for (unsigned t = 0; t < chain->observation->stimulus->params.threads; t++) {
    const struct pmuv3_pe *pe = &chain->observation->steps[chain->first].pe[t];
    fprintf(out, "  pe %u el=%u ss=%s", t, pe->el,
            pmuv3_security_state_name((enum pmuv3_security_state)pe->ss));
#define PMUV3_PE_FLAG(name, text) \
  if (pe->name) fputs(" " #name "=1", out);
#include "pmuv3/pe.def"
    if (pe->fgt) fprintf(out, " fgt=0x%" PRIx64, pe->fgt);
    fputc('\n', out);
  }
}

/* ---- What made the registers so ---- */

static bool changes(const struct pmuv3_chain *chain, size_t step, enum pmuv3_signal signal,
                    int counter) {
  for (int s = 0; s < PMUV3_NUM_SIDES; s++)
    if (value_at(chain, step, s, signal, counter) != value_at(chain, step - 1, s, signal, counter))
      return true;
  return false;
}

/* The last step before the first difference that changed a register; 0: none in the window. */
static size_t find_origin(const struct pmuv3_chain *chain, enum pmuv3_signal signal, int counter) {
  for (size_t step = chain->first; step > 1; step--)
    if (changes(chain, step - 1, signal, counter)) return step - 1;
  return 0;
}

/* Whether the chain has to do with it. */
static bool is_involved(const struct pmuv3_chain *chain, const struct pmuv3_input *input) {
  if (pmuv3_chain_is_in_datapath(chain) && input->stage <= PMUV3_STAGE_OVERFLOW) return true;
  return has_input(chain, input, chain->stage);
}

static void print_origins(FILE *out, const struct pmuv3_chain *chain) {
  bool done[PMUV3_NUM_SIGNALS] = {false};
  const char *title = "\nRegisters that it goes by, each with the last line that changed it\n";
  for (size_t i = 0; i < pmuv3_num_inputs; i++) {
    const enum pmuv3_signal signal = pmuv3_inputs[i].signal;
    const int counter = pmuv3_signal_is_of_counter(signal) ? chain->counter : -1;
    if (done[signal] || !is_involved(chain, &pmuv3_inputs[i])) continue;
    done[signal] = true;
    const size_t step = find_origin(chain, signal, counter);
    if (step == 0) continue;
    fprintf(out, "%s  %-16s 0x%-18" PRIx64 " ", title, pmuv3_signal_name(signal),
            value_at(chain, step, PMUV3_CMODEL, signal, counter));
    print_line(out, chain, &chain->observation->steps[step]);
    title = "";
  }
}

/* ---- What the sides were asked ---- */

static void print_answers(FILE *out, const struct pmuv3_chain *chain) {
  if (chain->num_answers == 0) return;
  fputs("\nReplayed with that step changed\n", out);
  for (size_t i = 0; i < chain->num_answers; i++)
    fprintf(out, "  %-60s the sides %s\n", chain->answers[i].question,
            chain->answers[i].differ ? "still differ" : "agree");
}

/* ---- The window ---- */

/* A cell: the value, or both with a stroke between. */
static void cell_text(char *text, size_t size, const struct pmuv3_chain *chain, size_t step,
                      const struct pmuv3_shown *shown) {
  const uint64_t cmodel = value_at(chain, step, PMUV3_CMODEL, shown->signal, shown->counter);
  const uint64_t rtl = value_at(chain, step, PMUV3_RTL, shown->signal, shown->counter);
  if (cmodel == rtl)
    snprintf(text, size, "%" PRIx64, cmodel);
  else
    snprintf(text, size, "%" PRIx64 "|%" PRIx64 "%s", cmodel, rtl,
             step == chain->first && is_first(chain, shown->signal, shown->counter) ? "!" : "");
}

static void title_text(char *text, size_t size, const struct pmuv3_chain *chain,
                       const struct pmuv3_shown *shown) {
  const char *name = pmuv3_signal_name(shown->signal);
  if (shown->counter >= 0 && shown->counter != chain->counter)
    snprintf(text, size, "%s[%d]", name, shown->counter);
  else
    snprintf(text, size, "%s", name);
}

static int column_width(const struct pmuv3_chain *chain, const struct pmuv3_shown *shown) {
  char text[64];
  title_text(text, sizeof text, chain, shown);
  size_t width = strlen(text);
  for (size_t step = 0; step < chain->observation->num_steps; step++) {
    cell_text(text, sizeof text, chain, step, shown);
    if (strlen(text) > width) width = strlen(text);
  }
  return (int)width;
}

static void print_window(FILE *out, const struct pmuv3_chain *chain) {
  struct pmuv3_shown shown[PMUV3_MAX_SHOWN];
  const size_t count = pmuv3_chain_shown(chain, shown);
  int width[PMUV3_MAX_SHOWN];
  char text[64];
  fputs(
      "\nThe window, hexadecimal, after each line; CMODEL|RTL where they differ, ! where first\n"
      "  line   cycle",
      out);
  for (size_t i = 0; i < count; i++) {
    width[i] = column_width(chain, &shown[i]);
    title_text(text, sizeof text, chain, &shown[i]);
    fprintf(out, "  %*s", width[i], text);
  }
  fputc('\n', out);
  for (size_t s = 0; s < chain->observation->num_steps; s++) {
    const struct pmuv3_step *step = &chain->observation->steps[s];
    fprintf(out, "%6" PRIu32 " ", step->item ? step->item->line : 0);
    if (pmuv3_step_is_cycle(step))
      fprintf(out, "%7" PRIu64, step->cycle);
    else
      fprintf(out, "%7s", "-");
    for (size_t i = 0; i < count; i++) {
      cell_text(text, sizeof text, chain, s, &shown[i]);
      fprintf(out, "  %*s", width[i], text);
    }
    fputs("  ", out);
    print_item(out, chain, step);
  }
}

void pmuv3_chain_print(FILE *out, const struct pmuv3_chain *chain) {
  print_head(out, chain);
  print_answers(out, chain);
  print_stages(out, chain);
  print_origins(out, chain);
  print_states(out, chain);
  print_window(out, chain);
}
