`default_nettype none

// Stands before the access stage of rtl/, whose accesses it reduces to the halves of a register that
// the device's port reaches.
module pmuv3_access (
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::rights_t rights_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,
  input wire pmuv3_types_pkg::request_t request_i,
  output logic [63:0] rdata_o,
  output logic        error_o,
  output logic [2:0]  result_o,
  output logic [31:0] syndrome_o,
  output pmuv3_types_pkg::access_t access_o,
  input wire logic [63:0]          rdata_i
);
  (* keep *) wire [1:0] halves;  // the script connects it to the miter
  pmuv3_types_pkg::access_t whole;
  pmuv3_whole_access u_whole (
    .cfg_i(cfg_i), .thread_i(thread_i), .rights_i(rights_i), .regs_i(regs_i),
    .request_i(request_i), .rdata_o(rdata_o), .error_o(error_o), .result_o(result_o),
    .syndrome_o(syndrome_o), .access_o(whole), .rdata_i(rdata_i)
  );
  always_comb begin
    access_o      = whole;
    access_o.bits = whole.bits & {{32{halves[1]}}, {32{halves[0]}}};
  end
endmodule

`default_nettype wire
