// The rules of sections C and D for one context or one register, as functions. They are
// written from the rules, not from an implementation.
`default_nettype none

// A rule as a property, and a cover of its antecedent.
`define RULE(label, when, holds) \
  label: assert (!(when) || (holds)); \
  label``_seen: cover (when);

package pmuv3_rules_pkg;

  // K-EPMN-RES: a reserved EPMN behaves as the number of counters.
  function automatic logic [4:0] effective_epmn(input logic extpmn, input logic [4:0] counters,
                                                input logic [4:0] epmn);
    effective_epmn = extpmn && epmn < counters ? epmn : counters;
  endfunction

  // D.1: the Effective filter bits. K-A32-M: M is 0 while EL3 uses AArch32.
  function automatic logic [63:0] effective_filter(
      input logic [63:0] bits, input logic el2, input logic el3, input logic aa64,
      input logic sel2, input logic rme, input logic a32el3);
    effective_filter     = bits;
    effective_filter[29] = bits[29] && el3;                      // NSK
    effective_filter[28] = bits[28] && el3;                      // NSU
    effective_filter[27] = bits[27] && el2;                      // NSH
    effective_filter[26] = bits[26] && el3 && aa64 && !a32el3;   // M
    effective_filter[24] = bits[24] && el3 && sel2;              // SH
    effective_filter[22] = bits[22] && rme;                      // RLK
    effective_filter[21] = bits[21] && rme;                      // RLU
    effective_filter[20] = bits[20] && rme;                      // RLH
  endfunction

  // D.2, the table by encoding: whether the filter lets a state count.
  function automatic logic counts_at(input logic [63:0] f, input logic [1:0] el,
                                     input logic [1:0] ss);
    case ({el, ss})
      {2'd0, pmuv3_pkg::SsNonSecure}: counts_at = f[30] == f[28];
      {2'd0, pmuv3_pkg::SsSecure}:    counts_at = !f[30];
      {2'd0, pmuv3_pkg::SsRealm}:     counts_at = f[30] == f[21];
      {2'd1, pmuv3_pkg::SsNonSecure}: counts_at = f[31] == f[29];
      {2'd1, pmuv3_pkg::SsSecure}:    counts_at = !f[31];
      {2'd1, pmuv3_pkg::SsRealm}:     counts_at = f[31] == f[22];
      {2'd2, pmuv3_pkg::SsNonSecure}: counts_at = f[27];
      {2'd2, pmuv3_pkg::SsSecure}:    counts_at = f[27] != f[24];
      {2'd2, pmuv3_pkg::SsRealm}:     counts_at = f[27] != f[20];
      default:                        counts_at = f[31] == f[26];  // EL3
    endcase
  endfunction

  // D.3. K-VS-RES decides VS = 0b11.
  function automatic logic counts_in_mode(input logic sme, input logic [1:0] vs, input logic sm,
                                          input logic [1:0] k_vs_res);
    counts_in_mode = 1'b1;
    if (sme) begin
      case (vs)
        2'b01: counts_in_mode = !sm;
        2'b10: counts_in_mode = sm;
        2'b11: begin
          case (k_vs_res)
            pmuv3_pkg::KVsRes01:   counts_in_mode = !sm;
            pmuv3_pkg::KVsRes10:   counts_in_mode = sm;
            pmuv3_pkg::KVsResBoth: counts_in_mode = 1'b0;
            default: ;
          endcase
        end
        default: ;
      endcase
    end
  endfunction

  // D.4, pS: Secure state. EL3 is in Secure state without RME. EL3's Execution state matters. EL1
  // uses AArch32 if EL3 does. K-MT-A32CFG decides whose EL1 counts.
  function automatic logic prohibited_secure(
      input logic el3, input logic rme, input logic p7, input logic a32el3, input logic a32el1,
      input logic spme, input logic mpmx, input logic suniden, input logic [1:0] el,
      input logic [1:0] ss);
    prohibited_secure = el3 && (el == 2'd3 ? !rme : ss == pmuv3_pkg::SsSecure) && !spme;
    if (!a32el3 && p7 && mpmx) prohibited_secure = 1'b0;
    if (el == 2'd0 && a32el1 && suniden) prohibited_secure = 1'b0;
  endfunction

  // D.4: EL3, as a pair of Security state and Exception level (D13.6-14): pM, under MPMX; and pS,
  // without MPMX, in Root state.
  function automatic logic prohibited_el3(input logic rme, input logic p7, input logic a32el3,
                                          input logic spme, input logic mpmx, input logic r1,
                                          input logic [1:0] el);
    if (p7 && !a32el3 && mpmx) prohibited_el3 = el == 2'd3 && (!spme || r1);
    else                       prohibited_el3 = el == 2'd3 && rme && !spme;
  endfunction

  // D.4, pH: EL2 under HPMD.
  function automatic logic prohibited_el2(input logic el2, input logic p1, input logic hpmd,
                                          input logic r1, input logic [1:0] el);
    prohibited_el2 = el2 && p1 && el == 2'd2 && r1 && hpmd;
  endfunction

endpackage

`default_nettype wire
