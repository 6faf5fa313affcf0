/*
 * The failure report: one folder that explains a divergence and reproduces it
 * (docs/reference/failure_report.md). It has these files beside the stimulus:
 *
 *   chain.txt    the causal chain, for a person
 *   window.svg   the window as a timing diagram
 *   window.fst   the RTL in the window, if the program can write waves; window.gtkw is its view
 *   report.json  the chain, how to reproduce it, configuration, seeds, versions
 */
#ifndef PMUV3_FAILURE_REPORT_H
#define PMUV3_FAILURE_REPORT_H

#include "testbench/cosim/failure_report/chain.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_failure_report {
  /* The caller sets: */
  const char *folder;     /* the folder, which exists and has stimulus.stim */
  bool is_shrunk;         /* the folder has minimal.stim, too; see below */
  uint32_t x_seed;        /* seed of the RTL's initial values */
  const char *command;    /* the command that found the divergence; NULL: not known */
  const uint64_t *seed;   /* seed of the run that found the divergence; NULL: not known */
  pmuv3_make_sides *make; /* NULL: pmuv3_make_cmodel_rtl */
  /* pmuv3_failure_report_make sets: */
  const char *stimulus;       /* the file's name in the folder that the report is of */
  bool has_wave;              /* the folder has an FST */
  enum pmuv3_stage points_to; /* the stage that the chain points to */
  const char *why;            /* not PMUV3_REPORTED: the error in words */
};

/* Names of files in the folder; NULL ends each list. The files of a report beside stimulus.stim,
 * and all files that `run` leaves there. */
extern const char *const pmuv3_report_files[], *const pmuv3_failure_files[];

enum pmuv3_reported { PMUV3_REPORTED, PMUV3_NOT_DIVERGED, PMUV3_NOT_WRITTEN };

/*
 * Makes the report of minimal.stim, if the folder has it, else of stimulus.stim. If the sides do
 * not differ on minimal.stim, removes the file and its test, clears `is_shrunk`, makes the report
 * of stimulus.stim, and warns that the report is of this file. PMUV3_NOT_DIVERGED: the sides do not
 * differ on stimulus.stim either, and nothing is written.
 *
 * The entry point makes the FST: the environment variable PMUV3 has its path, and without this
 * variable there is no FST.
 */
enum pmuv3_reported pmuv3_failure_report_make(struct pmuv3_failure_report *report);

/* Writes the object of report.json. False: a write failed. */
bool pmuv3_failure_report_write_json(FILE *out, const struct pmuv3_failure_report *report,
                                     const struct pmuv3_chain *chain);

#ifdef __cplusplus
}
#endif

#endif
