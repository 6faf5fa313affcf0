#define _GNU_SOURCE
#include "testbench/signoff/evidence/heat.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "testbench/signoff/evidence/html.h"

/* A cell's width and height in pixels, with its border. */
#define CELL 9

/* A shade for each power of ten of the hits. The palest shade is for fewer than 10 hits. */
static const char *const greens[] = {"#cdebd7", "#9dd6b2", "#63bb85", "#2e9459", "#146a3a"};
#define NUM_GREENS (sizeof greens / sizeof *greens)
#define HOLE "#c0392b"
#define UNREACHABLE "#e6eaee"
#define IMPOSSIBLE "#8e24aa" /* hit in a configuration that cannot reach the bin */

/* ---- A coverpoint ---- */

struct map {
  const json_object *bins;
  size_t first, num_bins;
  size_t columns;
  size_t fixed; /* number of leading values that all cells of a row share */
};

static const json_object *bin_of(const struct map *map, size_t i) {
  return json_object_array_get_idx(map->bins, map->first + i);
}
static const char *text(const json_object *bin, const char *key) {
  return json_object_get_string(json_object_object_get(bin, key));
}

/* The bin's name after "COVERPOINT.": values, with commas between. */
static const char *values_of(const struct map *map, size_t i) {
  const json_object *bin = bin_of(map, i);
  return text(bin, "bin") + strlen(text(bin, "coverpoint")) + 1;
}

static size_t num_values(const char *values) {
  size_t number = 1;
  for (; *values; values++) number += *values == ',';
  return number;
}

/* The length of the first `number` values. */
static size_t length_of(const char *values, size_t number) {
  const char *end = values;
  for (size_t i = 0; i < number && *end; i++) end += strcspn(end, ",") + (i + 1 < number);
  return number == 0 ? 0 : (size_t)(end - values);
}

/* How many bins in succession share their first `number` values. */
static size_t period(const struct map *map, size_t number) {
  const size_t length = length_of(values_of(map, 0), number);
  size_t i = 1;
  while (i < map->num_bins && length_of(values_of(map, i), number) == length &&
         strncmp(values_of(map, 0), values_of(map, i), length) == 0)
    i++;
  return i;
}

/* Puts as many of the last axes in a row as keep the row below twice the square root of the number
 * of bins. */
static void lay_out(struct map *map) {
  const size_t most = (size_t)(2 * sqrt((double)map->num_bins));
  map->fixed = num_values(values_of(map, 0));
  map->columns = 1;
  while (map->fixed > 0) {
    const size_t columns = map->fixed == 1 ? map->num_bins : period(map, map->fixed - 1);
    if (columns > most) break;
    map->columns = columns;
    map->fixed--;
  }
  if (map->columns == 1) map->columns = most; /* no axes */
}

static int64_t number(const json_object *bin, const char *key) {
  return json_object_get_int64(json_object_object_get(bin, key));
}

static const char *colour(const json_object *bin) {
  const int64_t hits = number(bin, "hits");
  if (number(bin, "impossible") > 0) return IMPOSSIBLE;
  if (hits > 0) return greens[(size_t)fmin(NUM_GREENS - 1, log10((double)hits))];
  return json_object_object_get(bin, "unreachable") ? UNREACHABLE : HOLE;
}

static void put_cell(FILE *out, const struct map *map, size_t i, size_t left) {
  const json_object *bin = bin_of(map, i);
  fprintf(out, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"%s\"><title>",
          left + CELL * (i % map->columns), CELL * (i / map->columns), CELL - 1, CELL - 1,
          colour(bin));
  pmuv3_html(out, values_of(map, i));
  fprintf(out, ": %" PRId64 "</title></rect>\n", number(bin, "hits") + number(bin, "impossible"));
}

static void put_label(FILE *out, const struct map *map, size_t i) {
  char label[128];
  const char *values = values_of(map, i);
  snprintf(label, sizeof label, "%.*s", (int)length_of(values, map->fixed), values);
  fprintf(out, "<text y=\"%zu\">", CELL * (i / map->columns) + CELL - 2);
  pmuv3_html(out, label);
  fputs("</text>", out);
}

static size_t width_of_labels(const struct map *map) {
  size_t longest = 0;
  for (size_t i = 0; i < map->num_bins; i += map->columns) {
    const size_t length = length_of(values_of(map, i), map->fixed);
    if (length > longest) longest = length;
  }
  return longest == 0 ? 0 : longest * 5 + 8;
}

static void count(const struct map *map, size_t *hit, size_t *reachable, size_t *impossible) {
  *hit = *reachable = *impossible = 0;
  for (size_t i = 0; i < map->num_bins; i++) {
    const json_object *bin = bin_of(map, i);
    const bool is_reachable = !json_object_object_get(bin, "unreachable");
    *reachable += is_reachable;
    *hit += is_reachable && number(bin, "hits") > 0;
    *impossible += number(bin, "impossible") > 0;
  }
}

/* Prints no map if no bin is reachable and no unreachable bin was hit. */
static void put_map(FILE *out, struct map *map) {
  size_t hit, reachable, impossible;
  count(map, &hit, &reachable, &impossible);
  if (reachable + impossible == 0) return;
  lay_out(map);
  const size_t left = width_of_labels(map);
  const size_t rows = (map->num_bins + map->columns - 1) / map->columns;
  const size_t columns = map->num_bins < map->columns ? map->num_bins : map->columns;
  fputs("<div class=\"cross\"><h3>", out);
  pmuv3_html(out, text(bin_of(map, 0), "coverpoint"));
  fprintf(out, " <span class=\"soft\">%zu of %zu</span></h3>\n", hit, reachable);
  fprintf(out,
          "<svg width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu %zu\" font-size=\"8\" "
          "font-family=\"monospace\" fill=\"#5d6878\">\n",
          left + CELL * columns, CELL * rows, left + CELL * columns, CELL * rows);
  for (size_t i = 0; i < map->num_bins; i++) {
    if (left > 0 && i % map->columns == 0) put_label(out, map, i);
    put_cell(out, map, i, left);
  }
  fputs("</svg></div>\n", out);
}

/* ---- All crosses ---- */

static void put_legend(FILE *out) {
  static const char *const words[] = {"1", "10", "100", "1,000", "10,000 and more"};
  fputs("<p class=\"legend\"><span><i style=\"background:" HOLE "\"></i>never hit</span>", out);
  for (size_t i = 0; i < NUM_GREENS; i++)
    fprintf(out, "<span><i style=\"background:%s\"></i>%s%s</span>", greens[i], words[i],
            i == 0 ? " hit or more" : "");
  fputs("<span><i style=\"background:" UNREACHABLE "\"></i>unreachable</span>", out);
  fputs("<span><i style=\"background:" IMPOSSIBLE "\"></i>unreachable, but hit</span></p>\n", out);
}

void pmuv3_heat(FILE *out, const json_object *bins) {
  const size_t num_bins = json_object_array_length(bins);
  struct map map = {.bins = bins};
  if (num_bins == 0) return;
  fputs("<h3>Crosses</h3>\n", out);
  put_legend(out);
  fputs("<div class=\"crosses\">\n", out);
  for (; map.first < num_bins; map.first += map.num_bins) {
    map.num_bins = 1;
    while (map.first + map.num_bins < num_bins &&
           strcmp(text(bin_of(&map, 0), "coverpoint"),
                  text(bin_of(&map, map.num_bins), "coverpoint")) == 0)
      map.num_bins++;
    put_map(out, &map);
  }
  fputs("</div>\n", out);
}
