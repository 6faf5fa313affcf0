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

  // The filter bits of PMEVTYPER<n>, PMCCFILTR or PMICFILTR, a bit for each counter
  input wire logic [Width-1:0] p_i,
  input wire logic [Width-1:0] u_i,
  input wire logic [Width-1:0] nsk_i,
  input wire logic [Width-1:0] nsu_i,
  input wire logic [Width-1:0] nsh_i,
  input wire logic [Width-1:0] m_i,
  input wire logic [Width-1:0] sh_i,
  input wire logic [Width-1:0] rlk_i,
  input wire logic [Width-1:0] rlu_i,
  input wire logic [Width-1:0] rlh_i,
  input wire logic [Width-1:0] vs1_i,
  input wire logic [Width-1:0] vs0_i,
  input wire logic             a32el3_i,  // EL3 of the counting thread uses AArch32

  // The state
  input wire logic [1:0] el_i,
  input wire logic [1:0] ss_i,
  input wire logic       sm_i,

  output logic [Width-1:0] filtered_o
);

  // D.2. Only NSH counts where it is 1. AArch32 knows no M (H-14).
  logic [Width-1:0] by_el;
  always_comb begin
    unique case (el_i)
      2'd0: begin
        unique case (ss_i)
          pmuv3_pkg::SsNonSecure: by_el = u_i ^ nsu_i;
          pmuv3_pkg::SsRealm:     by_el = u_i ^ rlu_i;
          default:                by_el = u_i;
        endcase
      end
      2'd1: begin
        unique case (ss_i)
          pmuv3_pkg::SsNonSecure: by_el = p_i ^ nsk_i;
          pmuv3_pkg::SsRealm:     by_el = p_i ^ rlk_i;
          default:                by_el = p_i;
        endcase
      end
      2'd2: begin
        unique case (ss_i)
          pmuv3_pkg::SsNonSecure: by_el = ~nsh_i;
          pmuv3_pkg::SsRealm:     by_el = ~(nsh_i ^ rlh_i);
          default:                by_el = ~(nsh_i ^ sh_i);
        endcase
      end
      default: by_el = a32el3_i ? p_i : p_i ^ m_i;
    endcase
  end

  // RYWWSV: VS = 01 filters Streaming and 10 Non-streaming SVE mode. 11 is reserved.
  logic [Width-1:0] by_mode;
  assign by_mode = sm_i ? vs0_i & (~vs1_i | {Width{k_vs_res_i[0]}})
                        : vs1_i & (~vs0_i | {Width{k_vs_res_i[1]}});

  assign filtered_o = by_el | by_mode;

endmodule

`default_nettype wire
