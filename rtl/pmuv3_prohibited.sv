// Prohibited: whether the counting thread's controls prohibit event counters of each range from
// counting in a context, its own or a sibling's (D13.5, rules D.4).
//
// Timing: combinational. Stateless.
//
// The outputs are parts that have choices of their own (D13.6-12..14): Secure state, EL2, and EL3
// as a pair of Security state and Exception level.
`default_nettype none

module pmuv3_prohibited (
  input wire pmuv3_pkg::config_t cfg_i,

  // The counting thread
  input wire pmuv3_types_pkg::thread_t self_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  // The context
  input wire logic [1:0] el_i,
  input wire logic [1:0] ss_i,
  input wire logic       a32el1_i,  // EL1 of the source thread uses AArch32 (K-MT-A32CFG)

  output logic secure_o,  // the first and the second range
  output logic el2_r1_o,
  output logic el3_r1_o,
  output logic el3_r2_o
);

  // Only SPME controls an EL3 that uses AArch32.
  logic spme, mpmx, hpmd, suniden;
  assign spme    = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3SpmeLsb];
  assign mpmx    = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3MpmxLsb] && !self_i.a32el3;
  assign hpmd    = regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2HpmdLsb];
  assign suniden = regs_i.sder[pmuv3_pkg::Sder32El3SunidenLsb];

  // Without Debugv8p2, external authentication lifts all prohibitions (H-15).
  logic lifted;
  assign lifted = self_i.snid && !cfg_i.debugv8p2;

  // RJRYNM, RJDWFF, RWVDWZ: without EL3 nothing prohibits Secure state. Without RME, EL3 is in
  // Secure state.
  logic secure, relieved;
  assign secure   = cfg_i.el3 && ss_i == pmuv3_pkg::SsSecure;
  assign relieved = suniden && a32el1_i && el_i == 2'd0;
  assign secure_o = secure && !spme && !mpmx && !relieved && !lifted;

  // RGNGCW: MPMX prohibits EL3 for the first range. For the second range SPME decides. With RME,
  // EL3 is in Root state, which {SPME, MPMX} = {0, 0} prohibits for both ranges.
  logic root;
  assign root     = ss_i == pmuv3_pkg::SsRoot;
  assign el3_r1_o = el_i == 2'd3 && (mpmx || (root && !spme)) && !lifted;
  assign el3_r2_o = el3_r1_o && !spme;

  // RMMZLZ
  assign el2_r1_o = el_i == 2'd2 && hpmd && !lifted;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, self_i, regs_i};

endmodule

`default_nettype wire
