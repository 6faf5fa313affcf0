#include "testbench/explore/command/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "testbench/cosim/cli/cli.h"

static bool ends_in(const char *path, const char *end) {
  const size_t length = strlen(path), tail = strlen(end);
  return length > tail && strcmp(path + length - tail, end) == 0;
}

void explore_plot_check(const char *path) {
  if (!path) return;
  pmuv3_cli_check_file("--plot", path);
  if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
    pmuv3_cli_unusable("--plot: '%s' must end in .svg or .png", path);
}

/* A text for gnuplot, in single quotes. */
static void put_text(FILE *out, const char *text) {
  putc('\'', out);
  for (; *text; text++) {
    if (*text == '\'') putc('\'', out);
    putc(*text == '\n' ? ' ' : *text, out);
  }
  putc('\'', out);
}

static void put_setting(FILE *out, const char *setting, const char *text) {
  fprintf(out, "set %s ", setting);
  put_text(out, text);
  fputs(" noenhanced\n", out);
}

/* ---- Data ---- */

static double y_of(const struct explore_plot *plot, unsigned series, unsigned point) {
  return plot->y[(size_t)series * plot->num_points + point];
}

static void put_number(FILE *out, double number) {
  if (isfinite(number))
    fprintf(out, " %.10g", number);
  else
    fputs(" NaN", out);
}

/* A row a point: its x or its label, and each series' y. Stacks are summed up. */
static void put_rows(FILE *out, const struct explore_plot *plot) {
  fputs("$data << END_OF_DATA\n", out);
  for (unsigned i = 0; i < plot->num_points; i++) {
    double sum = 0;
    if (plot->labels)
      fprintf(out, "\"%s\"", plot->labels[i]);
    else
      put_number(out, plot->x[i]);
    for (unsigned s = 0; s < plot->num_series; s++) {
      sum = plot->kind == EXPLORE_PLOT_STACKED ? sum + y_of(plot, s, i) : y_of(plot, s, i);
      put_number(out, sum);
    }
    putc('\n', out);
  }
  fputs("END_OF_DATA\n", out);
}

/* ---- Kinds ---- */

/* Colors that differ to color-blind people, too (Okabe and Ito). */
static const char *color_of(unsigned series) {
  static const char *const colors[] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                       "#56B4E9", "#D55E00", "#F0E442", "#000000"};
  return colors[series % (sizeof colors / sizeof *colors)];
}

static void put_title(FILE *out, const struct explore_plot *plot, unsigned series) {
  fputs(" title ", out);
  put_text(out, plot->names[series]);
  fputs(" noenhanced", out);
}

static void put_lines(FILE *out, const struct explore_plot *plot) {
  if (plot->is_logarithmic) fputs("set logscale x\n", out);
  fputs("set yrange [0:*]\nplot ", out);
  for (unsigned s = 0; s < plot->num_series; s++) {
    fprintf(out, "%s$data using 1:%u with %s lw 2 lc rgb '%s'", s == 0 ? "" : ", ", s + 2,
            plot->num_points <= 30 ? "linespoints pt 7" : "lines", color_of(s));
    put_title(out, plot, s);
  }
  putc('\n', out);
}

static void put_stack(FILE *out, const struct explore_plot *plot) {
  fputs("set yrange [0:*]\nplot ", out);
  for (unsigned s = 0; s < plot->num_series; s++) {
    if (s == 0)
      fputs("$data using 1:(0):2", out);
    else
      fprintf(out, ", $data using 1:%u:%u", s + 1, s + 2);
    fprintf(out, " with filledcurves fc rgb '%s' fs solid 0.85", color_of(s));
    put_title(out, plot, s);
  }
  putc('\n', out);
}

static void put_bars(FILE *out, const struct explore_plot *plot) {
  fputs(
      "set style data histogram\nset style histogram clustered gap 1\n"
      "set style fill solid 0.9 noborder\nset boxwidth 0.9\nset xtics noenhanced\n"
      "set yrange [*<0:*]\n",
      out);
  if (plot->num_points > 8) fputs("set xtics rotate by -35\n", out);
  fputs("plot ", out);
  for (unsigned s = 0; s < plot->num_series; s++) {
    fprintf(out, "%s$data using %u:xtic(1) lc rgb '%s'", s == 0 ? "" : ", ", s + 2, color_of(s));
    if (plot->num_series == 1)
      fputs(" notitle", out);
    else
      put_title(out, plot, s);
  }
  putc('\n', out);
}

static void put_heat(FILE *out, const struct explore_plot *plot) {
  fprintf(out,
          "set xrange [-0.5:%u-0.5]\nset yrange [%u-0.5:-0.5]\nset ytics noenhanced\n"
          "set xtics noenhanced rotate by -35\nunset grid\nset tics scale 0\nset cbrange [0:*]\n"
          "set palette defined (0 '#FFFFFF', 1 '#56B4E9')\nset xtics (",
          plot->num_series, plot->num_points);
  for (unsigned s = 0; s < plot->num_series; s++) {
    fputs(s == 0 ? "" : ", ", out);
    put_text(out, plot->names[s]);
    fprintf(out, " %u", s);
  }
  fputs(")\nset ytics (", out);
  for (unsigned i = 0; i < plot->num_points; i++) {
    fputs(i == 0 ? "" : ", ", out);
    put_text(out, plot->labels[i]);
    fprintf(out, " %u", i);
  }
  fputs(")\n$heat << END_OF_DATA\n", out);
  for (unsigned i = 0; i < plot->num_points; i++)
    for (unsigned s = 0; s < plot->num_series; s++) {
      fprintf(out, "%u %u", s, i);
      put_number(out, y_of(plot, s, i));
      putc('\n', out);
    }
  fputs(
      "END_OF_DATA\nplot $heat using 1:2:3 with image notitle, $heat using "
      "1:2:($3 == $3 ? sprintf('%.3g', $3) : '') with labels tc rgb '#000000' notitle\n",
      out);
}

static size_t longest_label(const struct explore_plot *plot) {
  size_t longest = 0;
  for (unsigned i = 0; i < plot->num_points; i++)
    if (strlen(plot->labels[i]) > longest) longest = strlen(plot->labels[i]);
  return longest;
}

/* The size of a slide. A row of a heat map needs room for its number. */
static void put_size(FILE *out, const struct explore_plot *plot) {
  enum { WIDTH = 1200, HEIGHT = 675, ROW = 24, AROUND = 200 };
  const unsigned rows = plot->kind == EXPLORE_PLOT_HEAT ? plot->num_points * ROW + AROUND : 0;
  fprintf(out, " size %u,%u", WIDTH, rows > HEIGHT ? rows : HEIGHT);
}

static void put_plot(FILE *out, const struct explore_plot *plot, const char *path,
                     const char *name) {
  fprintf(out, "set terminal %s",
          ends_in(path, ".svg") ? "svg font 'Helvetica,16' background 'white'"
                                : "pngcairo font 'Helvetica,14'");
  put_size(out, plot);
  fputs("\nset output ", out);
  put_text(out, name);
  fputs(
      "\nset border 3 lc rgb '#444444'\nset tics nomirror\n"
      "set grid ytics lc rgb '#E0E0E0'\nset key below left\nset autoscale xfix\n",
      out);
  if (plot->x) fputs("set format x '%.1s%c'\n", out);
  if (plot->kind == EXPLORE_PLOT_HEAT) fprintf(out, "set lmargin %zu\n", longest_label(plot) + 2);
  put_setting(out, "title", plot->title);
  put_setting(out, "xlabel", plot->x_label);
  put_setting(out, plot->kind == EXPLORE_PLOT_HEAT ? "cblabel" : "ylabel", plot->y_label);
  put_rows(out, plot);
  switch (plot->kind) {
    case EXPLORE_PLOT_LINES:
      put_lines(out, plot);
      return;
    case EXPLORE_PLOT_STACKED:
      put_stack(out, plot);
      return;
    case EXPLORE_PLOT_BARS:
      put_bars(out, plot);
      return;
    case EXPLORE_PLOT_HEAT:
      put_heat(out, plot);
      return;
  }
}

void explore_plot_draw(const struct explore_plot *plot, const char *path) {
  struct pmuv3_file *file = pmuv3_cli_begin_named("--plot", path);
  fflush(NULL);
  FILE *gnuplot = popen("exec gnuplot -", "w");
  if (!gnuplot) pmuv3_cli_no_verdict("cannot run gnuplot");
  put_plot(gnuplot, plot, path, pmuv3_file_name(file));
  const int status = pclose(gnuplot);
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
    pmuv3_cli_no_verdict("cannot run gnuplot (package gnuplot-nox)");
  if (WEXITSTATUS(status) != 0) pmuv3_cli_no_verdict("gnuplot drew no plot");
  pmuv3_cli_end("--plot", path, file);
}
