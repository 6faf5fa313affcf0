// Which mutant is there; 0: none.
package pmuv3_mutant_pkg;
  import "DPI-C" function int pmuv3_mutant_number();
  bit [15:0] selected = 16'(pmuv3_mutant_number());
endpackage

