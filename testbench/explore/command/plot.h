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

/* Whether a plot's file can be written: its name ends in .svg or .png. Unusable otherwise. */
void explore_plot_check(const char *path);

/* Draws a plot. gnuplot's own words are the message of a failure. */
void explore_plot_draw(const struct explore_plot *plot, const char *path);

#endif
