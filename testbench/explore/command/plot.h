/* Plots, drawn by gnuplot. */
#ifndef EXPLORE_PLOT_H
#define EXPLORE_PLOT_H

#include <stdbool.h>

enum explore_plot_kind {
  EXPLORE_PLOT_LINES,   /* y over x */
  EXPLORE_PLOT_STACKED, /* shares over x, one upon the other */
  EXPLORE_PLOT_BARS,    /* y for each label, the series side by side */
  EXPLORE_PLOT_HEAT,    /* y as a color: labels down, series across */
};

/* Point i of series s is y[s * num_points + i]. */
struct explore_plot {
  enum explore_plot_kind kind;
  const char *title, *x_label, *y_label;
  unsigned num_series, num_points;
  const char *const *names;  /* of the series */
  const char *const *labels; /* of the points, for bars and heat */
  const double *x;           /* for lines and stacks */
  const double *y;
  bool is_logarithmic; /* the x axis of lines */
};

/* Whether a plot can be drawn: its file can be written, the name ends in .svg or .png, and there is
 * gnuplot. Unusable otherwise. */
void explore_plot_check(const char *path);

/* Draws a plot, whole or not at all. The message of a failure has gnuplot's last line. */
void explore_plot_draw(const struct explore_plot *plot, const char *path);

#endif
