// Which planted defect is live in a scratch copy: its number in defects.txt; 0: none.
package pmuv3_defect_pkg;
  import "DPI-C" function int pmuv3_defect_number();
  int selected = pmuv3_defect_number();
endpackage

