#define _GNU_SOURCE
#include "testbench/explore/command/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"

static bool ends_in(const char *path, const char *end) {
  const size_t length = strlen(path), tail = strlen(end);
  return length > tail && strcmp(path + length - tail, end) == 0;
}

/* Whether a folder of PATH has gnuplot. */
static bool is_installed(void) {
  char *folders = strdup(getenv("PATH") ? getenv("PATH") : ""), *program = NULL;
  bool found = false;
  if (!folders) pmuv3_cli_no_verdict("out of memory");
  for (char *rest = folders, *folder; !found && (folder = strsep(&rest, ":"));) {
    if (asprintf(&program, "%s/gnuplot", *folder ? folder : ".") < 0)
      pmuv3_cli_no_verdict("out of memory");
    found = access(program, X_OK) == 0;
    free(program);
  }
  free(folders);
  return found;
}

/* gnuplot gets the path without links. */
static bool has_line_end(const char *path) {
  char copy[PATH_MAX], folder[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", path);
  return strchr(path, '\n') || (realpath(dirname(copy), folder) && strchr(folder, '\n'));
}

_Noreturn static void say_missing(void) {
  pmuv3_cli_unusable("--plot: there is no gnuplot (package gnuplot-nox)");
}

void explore_plot_check(const char *path) {
  if (!path) return;
  pmuv3_cli_check_file("--plot", path);
  if (has_line_end(path))
    pmuv3_cli_unusable("--plot: '%s' has the end of a line in its path, which gnuplot cannot take",
                       path);
  if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
    pmuv3_cli_unusable("--plot: '%s' must end in .svg or .png", path);
  if (!is_installed()) say_missing();
}

/* A string for gnuplot, in single quotes. */
static void put_string(FILE *out, const char *text) {
  putc('\'', out);
  for (; *text; text++) {
    if (*text == '\'') putc('\'', out);
    putc(*text == '\n' ? ' ' : *text, out);
  }
  putc('\'', out);
}

/* A text in the plot. An SVG has only the characters of XML, but a trace's command any bytes. */
static void put_text(FILE *out, const char *text) {
  char *xml = pmuv3_xml_text(text);
  put_string(out, xml);
  free(xml);
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

/* gnuplot refuses to draw what has no number, as the length of episodes that did not occur. */
static bool has_number(const struct explore_plot *plot) {
  for (size_t i = 0; i < (size_t)plot->num_series * plot->num_points; i++)
    if (isfinite(plot->y[i])) return true;
  return false;
}

static void put_no_values(FILE *out) {
  fputs(
      "set xrange [0:1]\nset yrange [0:1]\nunset tics\n"
      "set label 'no values' at graph 0.5,0.5 center\nplot NaN notitle\n",
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
  put_string(out, name);
  fputs(
      "\nset border 3 lc rgb '#444444'\nset tics nomirror\n"
      "set grid ytics lc rgb '#E0E0E0'\nset key below left\nset autoscale xfix\n",
      out);
  if (plot->x) fputs("set format x '%.1s%c'\n", out);
  if (plot->kind == EXPLORE_PLOT_HEAT) fprintf(out, "set lmargin %zu\n", longest_label(plot) + 2);
  put_setting(out, "title", plot->title);
  put_setting(out, "xlabel", plot->x_label);
  put_setting(out, plot->kind == EXPLORE_PLOT_HEAT ? "cblabel" : "ylabel", plot->y_label);
  if (!has_number(plot)) {
    put_no_values(out);
    return;
  }
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

/* ---- gnuplot ---- */

/* gnuplot, which reads commands from a pipe. Its words go to a file without a name. */
struct gnuplot {
  pid_t process;
  FILE *commands, *words;
};

static bool spawn(struct gnuplot *gnuplot, int commands) {
  /* -d: without settings of the user. */
  char *const arguments[] = {(char *)"gnuplot", (char *)"-d", (char *)"-", NULL};
  const int words = fileno(gnuplot->words);
  posix_spawn_file_actions_t actions;
  extern char **environ;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, commands, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, words, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
  errno = posix_spawnp(&gnuplot->process, "gnuplot", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return errno == 0;
}

static struct gnuplot start(void) {
  int ends[2];
  struct gnuplot gnuplot = {.words = tmpfile()};
  if (!gnuplot.words || pipe2(ends, O_CLOEXEC) != 0)
    pmuv3_cli_unusable("--plot: cannot run gnuplot: %s", strerror(errno));
  if (!spawn(&gnuplot, ends[0])) {
    if (errno == ENOENT) say_missing();
    pmuv3_cli_no_verdict("--plot: cannot run gnuplot: %s", strerror(errno));
  }
  close(ends[0]);
  gnuplot.commands = fdopen(ends[1], "w");
  if (!gnuplot.commands) pmuv3_cli_no_verdict("out of memory");
  return gnuplot;
}

/* The last line that gnuplot said, without blanks before it. */
static void read_words(const struct gnuplot *gnuplot, char *last, size_t size) {
  char line[256];
  snprintf(last, size, "it said nothing");
  rewind(gnuplot->words);
  while (fgets(line, sizeof line, gnuplot->words)) {
    const char *text = line + strspn(line, " \t^");
    line[strcspn(line, "\r\n")] = '\0';
    if (*text) snprintf(last, size, "%s", text);
  }
}

/* gnuplot does not tell whether it could write all. */
static bool is_whole(const char *name, const char *path) {
  static const char svg_end[] = "</svg>\n\n", png_end[] = "IEND\xAE\x42\x60\x82";
  const char *end = ends_in(path, ".svg") ? svg_end : png_end;
  const size_t length = strlen(end);
  char last[16] = "";
  FILE *in = fopen(name, "rb");
  if (!in) return false;
  const bool is_read =
      fseek(in, -(long)length, SEEK_END) == 0 && fread(last, 1, length, in) == length;
  const bool is_end = fgetc(in) == EOF && memcmp(last, end, length) == 0;
  fclose(in);
  return is_read && is_end;
}

/* Waits for gnuplot's end. Whatever it did not draw ends the program. */
static void finish(struct gnuplot *gnuplot, const char *name, const char *path) {
  char words[256];
  int status = 0;
  fclose(gnuplot->commands); /* of a gnuplot that was killed, its status says so */
  if (waitpid(gnuplot->process, &status, 0) != gnuplot->process || WIFSIGNALED(status))
    pmuv3_cli_no_verdict("--plot: gnuplot was ended by signal %d", WTERMSIG(status));
  read_words(gnuplot, words, sizeof words);
  fclose(gnuplot->words);
  if (WEXITSTATUS(status) != 0)
    pmuv3_cli_no_verdict("--plot: gnuplot ended with status %d: %s", WEXITSTATUS(status), words);
  if (!is_whole(name, path))
    pmuv3_cli_unusable("--plot: cannot write '%s': gnuplot's file is not whole: %s", path, words);
}

void explore_plot_draw(const struct explore_plot *plot, const char *path) {
  struct pmuv3_file *file = pmuv3_cli_begin_named("--plot", path);
  fflush(NULL);
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  struct gnuplot gnuplot = start();
  put_plot(gnuplot.commands, plot, path, pmuv3_file_name(file));
  finish(&gnuplot, pmuv3_file_name(file), path);
  signal(SIGPIPE, before);
  pmuv3_cli_end("--plot", path, file);
}
