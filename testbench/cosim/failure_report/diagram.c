#define _GNU_SOURCE
#include "testbench/cosim/failure_report/diagram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/lines.h"
#include "testbench/cosim/stimulus/events_text.h"

/* Sizes in pixels; a character of a value and of a name is about so wide. */
enum {
  MARGIN = 16,
  HEAD = 56,
  STAGE = 92,
  NAME = 172,
  LANE = 26,
  WAVE = 16, /* of a lane, from low to high */
  SLANT = 4, /* of a transition */
  NARROWEST = 46,
  WIDEST = 132,
  MAX_COLUMNS = 24,
};
#define CHARACTER 6.7

#define BLACK "#1a1a1a"
#define RED "#c8102e"

struct diagram {
  FILE *out;
  const struct pmuv3_chain *chain;
  struct pmuv3_shown shown[PMUV3_MAX_SHOWN];
  size_t num_shown;
  size_t from; /* the step of the first column */
  size_t columns;
  int width; /* of a column */
  int y;     /* top of the next lane */
};

static const struct pmuv3_step *step_at(const struct diagram *diagram, size_t column) {
  return &diagram->chain->observation->steps[diagram->from + column];
}

static uint64_t value_at(const struct diagram *diagram, const struct pmuv3_shown *shown, int side,
                         size_t column) {
  return pmuv3_signal_value(shown->signal,
                            pmuv3_chain_after(diagram->chain, diagram->from + column, side),
                            shown->counter);
}

static int x_of(const struct diagram *diagram, size_t column) {
  return MARGIN + STAGE + NAME + (int)column * diagram->width;
}

static int right_of(const struct diagram *diagram) {
  return x_of(diagram, diagram->columns);
}

/* ---- Pieces ---- */

static void escape(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else
      fputc(*text, out);
  }
}

static void draw_text(const struct diagram *diagram, int x, int y, const char *class,
                      const char *text) {
  fprintf(diagram->out, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
  escape(diagram->out, text);
  fputs("</text>\n", diagram->out);
}

/* In the middle of a space, smaller where it does not fit. */
static void draw_value(const struct diagram *diagram, int x, int width, const char *text,
                       bool red) {
  const double room = width - 2 * SLANT - 2, needed = (double)strlen(text) * CHARACTER;
  fprintf(diagram->out, "<text x=\"%d\" y=\"%d\" class=\"value%s\"", x + width / 2, diagram->y + 17,
          red ? " red" : "");
  if (needed > room) fprintf(diagram->out, " style=\"font-size:%.1fpx\"", 11 * room / needed);
  fputc('>', diagram->out);
  escape(diagram->out, text);
  fputs("</text>\n", diagram->out);
}

static void value_text(char text[24], uint64_t value) {
  snprintf(text, 24, value < 10 ? "%" PRIu64 : "0x%" PRIx64, value);
}

/* ---- Measures ---- */

static bool differs(const struct diagram *diagram, const struct pmuv3_shown *shown, size_t column) {
  return value_at(diagram, shown, PMUV3_CMODEL, column) !=
         value_at(diagram, shown, PMUV3_RTL, column);
}

/* Columns from this one on that have the same value, and differ or not all alike. */
static size_t run_from(const struct diagram *diagram, const struct pmuv3_shown *shown, int side,
                       size_t column) {
  size_t end = column + 1;
  while (end < diagram->columns &&
         value_at(diagram, shown, side, end) == value_at(diagram, shown, side, column) &&
         differs(diagram, shown, end) == differs(diagram, shown, column))
    end++;
  return end - column;
}

/* Wide enough for the values, within reason. */
static int column_width(const struct diagram *diagram) {
  double width = NARROWEST;
  for (size_t i = 0; i < diagram->num_shown; i++) {
    const struct pmuv3_shown *shown = &diagram->shown[i];
    if (pmuv3_signal_is_bit(shown->signal)) continue;
    for (int side = 0; side < PMUV3_NUM_SIDES; side++)
      for (size_t column = 0, run; column < diagram->columns; column += run) {
        char text[24];
        run = run_from(diagram, shown, side, column);
        value_text(text, value_at(diagram, shown, side, column));
        const double needed = ((double)strlen(text) * CHARACTER + 2 * SLANT + 8) / (double)run;
        if (needed > width) width = needed;
      }
  }
  return width > WIDEST ? WIDEST : (int)width;
}

/* Whether a signal takes two lanes. */
static bool is_double(const struct diagram *diagram, const struct pmuv3_shown *shown) {
  for (size_t column = 0; column < diagram->columns; column++)
    if (differs(diagram, shown, column)) return true;
  return false;
}

static size_t count_lanes(const struct diagram *diagram) {
  size_t lanes = pmuv3_chain_is_in_datapath(diagram->chain) ? 2 : 1; /* clock and events */
  for (size_t i = 0; i < diagram->num_shown; i++)
    lanes += is_double(diagram, &diagram->shown[i]) ? 2 : 1;
  return lanes + (diagram->chain->signal < 0 ? 2 : 0);
}

/* ---- Lanes ---- */

static void draw_wave(const struct diagram *diagram, const char *path, bool red) {
  fprintf(diagram->out, "<path d=\"%s\" class=\"wave%s\"/>\n", path, red ? " red" : "");
}

/* One bit: a line, low or high. */
static void draw_bit_lane(const struct diagram *diagram, const struct pmuv3_shown *shown,
                          int side) {
  const int low = diagram->y + (LANE + WAVE) / 2, high = low - WAVE;
  int last = -1;
  for (size_t column = 0; column < diagram->columns; column++) {
    const int now = value_at(diagram, shown, side, column) ? high : low;
    const int x = x_of(diagram, column);
    char path[96];
    if (last < 0 || last == now)
      snprintf(path, sizeof path, "M%d %dH%d", x, now, x + diagram->width);
    else
      snprintf(path, sizeof path, "M%d %dL%d %dH%d", x, last, x + SLANT, now, x + diagram->width);
    draw_wave(diagram, path, differs(diagram, shown, column));
    last = now;
  }
}

/* Several bits: a box a value. */
static void draw_box(const struct diagram *diagram, int x, int width, const char *text, bool red) {
  const int low = diagram->y + (LANE + WAVE) / 2, high = low - WAVE, middle = low - WAVE / 2;
  char path[160];
  snprintf(path, sizeof path, "M%d %dL%d %dH%dL%d %dL%d %dH%dZ", x, middle, x + SLANT, high,
           x + width - SLANT, x + width, middle, x + width - SLANT, low, x + SLANT);
  draw_wave(diagram, path, red);
  draw_value(diagram, x, width, text, red);
}

static void draw_bus_lane(const struct diagram *diagram, const struct pmuv3_shown *shown,
                          int side) {
  for (size_t column = 0, run; column < diagram->columns; column += run) {
    char text[24];
    run = run_from(diagram, shown, side, column);
    value_text(text, value_at(diagram, shown, side, column));
    draw_box(diagram, x_of(diagram, column), (int)run * diagram->width, text,
             differs(diagram, shown, column));
  }
}

/* Its name, with the counter where it is another one, and the side where each has a lane. */
static void draw_name(const struct diagram *diagram, const struct pmuv3_shown *shown,
                      const char *side) {
  char text[96];
  const char *name = pmuv3_signal_name(shown->signal);
  if (shown->counter >= 0 && shown->counter != diagram->chain->counter)
    snprintf(text, sizeof text, "%s[%d]%s", name, shown->counter, side);
  else
    snprintf(text, sizeof text, "%s%s", name, side);
  draw_text(diagram, MARGIN + STAGE, diagram->y + 18, *side ? "name red" : "name", text);
}

static void draw_lane(struct diagram *diagram, const struct pmuv3_shown *shown, int side,
                      const char *side_name) {
  draw_name(diagram, shown, side_name);
  if (pmuv3_signal_is_bit(shown->signal))
    draw_bit_lane(diagram, shown, side);
  else
    draw_bus_lane(diagram, shown, side);
  diagram->y += LANE;
}

/* Around both lanes of the first difference, which end at y. */
static void draw_mark(const struct diagram *diagram) {
  const size_t column = diagram->chain->first - diagram->from;
  fprintf(diagram->out,
          "<rect id=\"first-difference\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" "
          "class=\"mark\"><title>the first difference: %s</title></rect>\n",
          x_of(diagram, column) - 3, diagram->y - 2 * LANE + 1, diagram->width + 6, 2 * LANE - 2,
          diagram->chain->name);
}

static void draw_signal(struct diagram *diagram, const struct pmuv3_shown *shown) {
  const struct pmuv3_chain *chain = diagram->chain;
  if (!is_double(diagram, shown)) {
    draw_lane(diagram, shown, PMUV3_CMODEL, "");
    return;
  }
  draw_lane(diagram, shown, PMUV3_CMODEL, " cmodel");
  draw_lane(diagram, shown, PMUV3_RTL, " rtl");
  if (chain->signal == (int)shown->signal && chain->counter == shown->counter) draw_mark(diagram);
}

/* ---- Clock, events, answers ---- */

static void draw_clock(struct diagram *diagram) {
  const int low = diagram->y + (LANE + WAVE) / 2, high = low - WAVE;
  draw_text(diagram, MARGIN + STAGE, diagram->y + 18, "name", "Processor cycle");
  for (size_t column = 0; column < diagram->columns; column++) {
    const int x = x_of(diagram, column), half = diagram->width / 2;
    char path[96];
    if (pmuv3_step_is_cycle(step_at(diagram, column)))
      snprintf(path, sizeof path, "M%d %dV%dH%dV%dH%d", x, low, high, x + half, low,
               x + diagram->width);
    else
      snprintf(path, sizeof path, "M%d %dH%d", x, low, x + diagram->width);
    draw_wave(diagram, path, false);
  }
  diagram->y += LANE;
}

/* What occurs of an event, as COUNT@T. */
static void occurrences_text(char *text, size_t size, const struct pmuv3_step *step, uint16_t event,
                             unsigned threads) {
  static const char *const origins[] = {"", "/other", "/unattr", "/dbg"};
  *text = '\0';
  if (!step->item || step->item->kind != PMUV3_ITEM_CYCLE) return;
  const struct pmuv3_cycle *cycle = &step->item->cycle;
  for (unsigned i = 0; i < cycle->num_occurrences; i++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[i];
    const size_t length = strlen(text);
    char thread[8] = "";
    if (occurrence->event != event) continue;
    if (threads > 1) snprintf(thread, sizeof thread, "@%u", occurrence->thread);
    snprintf(text + length, size - length, "%s%u%s%s", length > 0 ? " " : "", occurrence->count,
             thread, origins[occurrence->origin]);
  }
}

static void draw_events(struct diagram *diagram) {
  const struct pmuv3_chain *chain = diagram->chain;
  const uint64_t type = pmuv3_chain_before(chain, PMUV3_CMODEL)->evtyper[chain->counter];
  const struct pmuv3_params *params = &chain->observation->stimulus->params;
  const uint16_t event = (uint16_t)type;
  char mnemonic[PMUV3_EVENT_NAME_SIZE] = "", name[PMUV3_EVENT_NAME_SIZE + 8];
  if (pmuv3_events_find(&params->events, event)) pmuv3_event_name(event, mnemonic);
  snprintf(name, sizeof name, "0x%04X %s", (unsigned)event, mnemonic);
  draw_text(diagram, MARGIN + STAGE, diagram->y + 18, "name small", name);
  for (size_t column = 0; column < diagram->columns; column++) {
    char text[64];
    occurrences_text(text, sizeof text, step_at(diagram, column), event, params->threads);
    if (*text) draw_box(diagram, x_of(diagram, column), diagram->width, text, false);
  }
  diagram->y += LANE;
}

/* What a read gave, or how an access ended, on each side. */
static void draw_answer(struct diagram *diagram) {
  const struct pmuv3_chain *chain = diagram->chain;
  static const char *const sides[] = {"cmodel", "rtl"};
  for (int side = 0; side < PMUV3_NUM_SIDES; side++) {
    char text[64];
    snprintf(text, sizeof text, "answer %s", sides[side]);
    draw_text(diagram, MARGIN + STAGE, diagram->y + 18, "name red", text);
    value_text(text, chain->values[side]);
    draw_box(diagram, x_of(diagram, chain->first - diagram->from), diagram->width, text, true);
    diagram->y += LANE;
  }
  draw_mark(diagram);
}

/* ---- Around them ---- */

static void draw_stage_name(const struct diagram *diagram, enum pmuv3_stage stage) {
  draw_text(diagram, MARGIN, diagram->y + 18,
            stage == diagram->chain->stage ? "stage red" : "stage", pmuv3_stage_name(stage));
}

static void draw_lanes(struct diagram *diagram) {
  int last = -1;
  draw_clock(diagram);
  if (pmuv3_chain_is_in_datapath(diagram->chain)) {
    draw_stage_name(diagram, PMUV3_STAGE_EVENT);
    draw_events(diagram);
  }
  for (size_t i = 0; i < diagram->num_shown; i++) {
    const struct pmuv3_shown *shown = &diagram->shown[i];
    const int stage = (int)pmuv3_signal_stage(shown->signal);
    if (stage != last) draw_stage_name(diagram, (enum pmuv3_stage)stage);
    last = stage;
    draw_signal(diagram, shown);
  }
  if (diagram->chain->signal >= 0) return;
  draw_stage_name(diagram, diagram->chain->stage);
  draw_answer(diagram);
}

/* Lines between columns, their cycles and lines; what is no cycle is shaded. */
static void draw_ruler(const struct diagram *diagram, int bottom) {
  for (size_t column = 0; column < diagram->columns; column++) {
    const struct pmuv3_step *step = step_at(diagram, column);
    const int x = x_of(diagram, column), middle = x + diagram->width / 2;
    const bool is_cycle = pmuv3_step_is_cycle(step);
    char text[32] = "reset";
    if (!is_cycle)
      fprintf(diagram->out,
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"shade\"/>\n", x,
              HEAD + 22, diagram->width, bottom - HEAD - 22);
    fprintf(diagram->out, "<path d=\"M%d %dV%d\" class=\"grid\"/>\n", x, HEAD + 22, bottom);
    if (is_cycle) {
      snprintf(text, sizeof text, "%" PRIu64, step->cycle);
      draw_text(diagram, middle, HEAD + 4, "ruler", text);
    }
    if (step->item) snprintf(text, sizeof text, "line %" PRIu32, step->item->line);
    draw_text(diagram, middle, HEAD + 17, "line", text);
  }
  draw_text(diagram, MARGIN + STAGE, HEAD + 4, "name small", "cycle");
  fprintf(diagram->out, "<path d=\"M%d %dV%d\" class=\"grid\"/>\n", right_of(diagram), HEAD + 22,
          bottom);
}

static void draw_head(const struct diagram *diagram) {
  const struct pmuv3_chain *chain = diagram->chain;
  const struct pmuv3_step *step = &chain->observation->steps[chain->first];
  char text[192], counter[24] = "";
  if (chain->counter >= 0) snprintf(counter, sizeof counter, ", counter %d", chain->counter);
  snprintf(text, sizeof text, "%s: cmodel 0x%" PRIx64 ", rtl 0x%" PRIx64, chain->name,
           chain->values[PMUV3_CMODEL], chain->values[PMUV3_RTL]);
  draw_text(diagram, MARGIN, 24, "title", text);
  snprintf(text, sizeof text, "%s %" PRIu64 ", thread %u%s; the chain points to: %s",
           pmuv3_step_is_cycle(step) ? "cycle" : "before cycle", step->cycle, chain->thread,
           counter, pmuv3_stage_name(chain->stage));
  draw_text(diagram, MARGIN, 41, "name", text);
}

/* A step's line, as the file has it; the caller frees it. */
static char *line_text(const struct diagram *diagram, const struct pmuv3_step *step) {
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  fprintf(builder.out, "line %-4" PRIu32 " ", step->item->line);
  pmuv3_chain_quote(builder.out, diagram->chain, step);
  return pmuv3_builder_take(&builder);
}

/* The first column of each line of the file, one after the other; `columns` past the last. */
static size_t next_line(const struct diagram *diagram, size_t column) {
  const struct pmuv3_item *before = column > 0 ? step_at(diagram, column - 1)->item : NULL;
  while (column < diagram->columns && step_at(diagram, column)->item == before) column++;
  return column;
}

static size_t count_lines(const struct diagram *diagram) {
  size_t count = 0;
  for (size_t c = next_line(diagram, 0); c < diagram->columns; c = next_line(diagram, c + 1))
    count++;
  return count;
}

/* The lines of the columns, below. */
static void draw_lines(struct diagram *diagram) {
  const struct pmuv3_chain *chain = diagram->chain;
  const struct pmuv3_item *first = chain->observation->steps[chain->first].item;
  for (size_t c = next_line(diagram, 0); c < diagram->columns; c = next_line(diagram, c + 1)) {
    char *text = line_text(diagram, step_at(diagram, c));
    draw_text(diagram, MARGIN, diagram->y + 12,
              step_at(diagram, c)->item == first ? "code red" : "code", text);
    free(text);
    diagram->y += 16;
  }
}

static size_t longest_line(const struct diagram *diagram) {
  size_t longest = 0;
  for (size_t column = 0; column < diagram->columns; column++) {
    if (!step_at(diagram, column)->item) continue;
    char *text = line_text(diagram, step_at(diagram, column));
    if (strlen(text) > longest) longest = strlen(text);
    free(text);
  }
  return longest;
}

static const char style[] =
    "text{font:12px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:" BLACK
    "}.title{font-size:15px;font-weight:bold}.small{font-size:10px}"
    ".stage{font-size:10px;fill:#6b6b6b}.value,.code{font:11px 'DejaVu Sans Mono',Menlo,Consolas,"
    "monospace}.value,.ruler,.line{text-anchor:middle}.ruler{font-weight:bold}"
    ".line{font-size:9px;fill:#6b6b6b}.wave{fill:none;stroke:" BLACK
    ";stroke-width:1.2;stroke-linejoin:round}"
    ".grid{stroke:#c4c4c4;stroke-width:.7;stroke-dasharray:2 2;fill:none}.shade{fill:#f1f1ee}"
    "path.red{stroke:" RED ";stroke-width:1.6}text.red{fill:" RED
    ";font-weight:bold}.mark{fill:" RED ";fill-opacity:.08;stroke:" RED ";stroke-width:2}";

static void open_svg(const struct diagram *diagram, int height) {
  const int lines = 2 * MARGIN + (int)((double)longest_line(diagram) * CHARACTER);
  const int drawn = right_of(diagram) + MARGIN;
  const int width = drawn > lines ? drawn : lines;
  fprintf(diagram->out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\">\n<style>%s</style>\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          width, height, width, height, style);
}

void pmuv3_diagram_write(FILE *out, const struct pmuv3_chain *chain) {
  struct diagram diagram = {.out = out, .chain = chain};
  const size_t steps = chain->observation->num_steps;
  diagram.num_shown = pmuv3_chain_shown(chain, diagram.shown);
  diagram.from = steps > MAX_COLUMNS ? steps - MAX_COLUMNS : 0;
  if (diagram.from > chain->first) diagram.from = chain->first;
  diagram.columns = steps - diagram.from;
  if (diagram.columns > MAX_COLUMNS) diagram.columns = MAX_COLUMNS;
  diagram.width = column_width(&diagram);

  const int bottom = HEAD + 26 + (int)count_lanes(&diagram) * LANE;
  open_svg(&diagram, bottom + 16 + (int)count_lines(&diagram) * 16 + MARGIN);
  draw_head(&diagram);
  draw_ruler(&diagram, bottom);
  diagram.y = HEAD + 26;
  draw_lanes(&diagram);
  diagram.y = bottom + 12;
  draw_lines(&diagram);
  fputs("</svg>\n", out);
}
