/* The planted defect that is live in a scratch copy: its number in defects.txt; 0: none. */
#ifndef PMUV3_DEFECT_SELECTOR_H
#define PMUV3_DEFECT_SELECTOR_H

extern int pmuv3_defect;

#endif
