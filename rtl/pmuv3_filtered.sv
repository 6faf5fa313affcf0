// Filtered: the counters whose filter bits exclude a state (D13.7), a vector of counters at once.
//
// Timing: combinational. Stateless.
//
// A filter bit of a feature that is absent is 0.
`default_nettype none

module pmuv3_filtered #(
  parameter int unsigned Width = 1  // counters
) (
  input wire logic [1:0] k_vs_res_i,
  input wire logic [pmuv3_types_pkg::FilterWidth*Width-1:0] filters_i,
  input wire logic a32el3_i,  // EL3 of the counting thread uses AArch32

  // The state
  input wire logic [1:0] el_i,
  input wire logic [1:0] ss_i,
  input wire logic       sm_i,

  output logic [Width-1:0] filtered_o
);
  `PMUV3_FILTERS_T(Width)
  filters_t filters;
  assign filters = filters_i;


  // D.2. NSH is the only bit that counts with 1. If EL3 uses AArch32, M has no effect (H-14).
  logic [Width-1:0] by_el;
  always_comb begin
    unique case (el_i)
      2'd0: begin
        unique case (ss_i)
          pmuv3_pkg::SsNonSecure: by_el = filters.u ^ filters.nsu;
          pmuv3_pkg::SsRealm:     by_el = filters.u ^ filters.rlu;
          default:                by_el = filters.u;
        endcase
      end
      2'd1: begin
        unique case (ss_i)
          pmuv3_pkg::SsNonSecure: by_el = filters.p ^ filters.nsk;
          pmuv3_pkg::SsRealm:     by_el = filters.p ^ filters.rlk;
          default:                by_el = filters.p;
        endcase
      end
      2'd2: begin
        unique case (ss_i)
          pmuv3_pkg::SsNonSecure: by_el = ~filters.nsh;
          pmuv3_pkg::SsRealm:     by_el = ~(filters.nsh ^ filters.rlh);
          default:                by_el = ~(filters.nsh ^ filters.sh);
        endcase
      end
      default: by_el = a32el3_i ? filters.p : filters.p ^ filters.m;
    endcase
  end

  // RYWWSV: VS = 01 filters Streaming SVE mode. VS = 10 filters Non-streaming SVE mode. 11 is
  // reserved.
  logic [Width-1:0] by_mode;
  assign by_mode = sm_i ? filters.vs0 & (~filters.vs1 | {Width{k_vs_res_i[0]}})
                        : filters.vs1 & (~filters.vs0 | {Width{k_vs_res_i[1]}});

  assign filtered_o = by_el | by_mode;

endmodule

`default_nettype wire
