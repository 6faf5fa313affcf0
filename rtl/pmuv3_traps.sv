// Traps: whether a higher Exception level traps a checked access to a System register, and the
// syndrome of an access that is not done.
//
// Timing: combinational, from the thread's state in this clock and the registers before it.
// Stateless.
//
// Each accessor of the architecture asks for these traps in one order (specification I-3):
// fine-grained traps and HSTR.T9, MDCR_EL2, MDCR_EL3. All of the first two groups go to EL2, so
// their order among each other does not show.
`default_nettype none

module pmuv3_traps (
  input wire pmuv3_pkg::config_t         cfg_i,
  input wire pmuv3_types_pkg::thread_t   thread_i,
  input wire pmuv3_types_pkg::rights_t   rights_i,
  input wire pmuv3_types_pkg::regs_t     regs_i,
  input wire pmuv3_types_pkg::request_t  request_i,
  input wire pmuv3_types_pkg::register_t register_i,
  input wire logic [2:0]                 result_i,
  input wire logic                       refused_i,  // PMUSERENR refused it

  output logic emulated_o,   // below its lowest Exception level, but EL2 or EL3 emulates it
  output logic el2_o,        // traps to EL2
  output logic el3_o,        // MDCR_EL3 traps to EL3
  output logic el3_always_o, // traps to EL3, whatever EDSCR.SDD says
  output logic hides_f0_o,   // F0 is hidden in registers with a bit for each counter
  output logic [31:0] syndrome_o
);

  logic write, access;
  assign write  = request_i.write;
  assign access = (request_i.write || request_i.read) && request_i.checked;

  logic [1:0] el;
  logic       guest, in_host, secure_el1;
  assign el         = thread_i.el;
  assign guest      = thread_i.el2_enabled && !el[1];  // EL2 controls EL1 and EL0
  assign in_host    = thread_i.e2h && thread_i.tge;
  assign secure_el1 = cfg_i.el3 && !thread_i.a32el3 && el == 2'd1
                      && thread_i.ss == pmuv3_pkg::SsSecure;

  ////////////////////////
  // Fine-grained traps //
  ////////////////////////

  // The traps of the register that the instruction names: PMXEVTYPER has those of PMEVTYPER<n>,
  // also if PMSELR selects PMCCFILTR.
  logic [pmuv3_pkg::FgtPmzrWrite:0] fgt;
  logic trap_read, trap_write;
  assign fgt = rights_i.fgt;
  always_comb begin
    trap_read  = 1'b0;
    trap_write = 1'b0;
    if (access && register_i.selected) begin
      trap_read  = register_i.event_counter ? fgt[pmuv3_pkg::FgtPmevcntrRead]
                                            : fgt[pmuv3_pkg::FgtPmevtyperRead];
      trap_write = register_i.event_counter ? fgt[pmuv3_pkg::FgtPmevcntrWrite]
                                            : fgt[pmuv3_pkg::FgtPmevtyperWrite];
    end else if (access) begin
      unique case (register_i.addr)
        pmuv3_pkg::RegPmcr: trap_write = fgt[pmuv3_pkg::FgtPmcrWrite];
        pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmcntenRead];
          trap_write = fgt[pmuv3_pkg::FgtPmcntenWrite];
        end
        pmuv3_pkg::RegPmintenset, pmuv3_pkg::RegPmintenclr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmintenRead];
          trap_write = fgt[pmuv3_pkg::FgtPmintenWrite];
        end
        pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmovsRead];
          trap_write = fgt[pmuv3_pkg::FgtPmovsWrite];
        end
        pmuv3_pkg::RegPmselr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmselrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmselrWrite];
        end
        pmuv3_pkg::RegPmccntr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmccntrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmccntrWrite];
        end
        pmuv3_pkg::RegPmccfiltr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmccfiltrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmccfiltrWrite];
        end
        pmuv3_pkg::RegPmicntr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmicntrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmicntrWrite];
        end
        pmuv3_pkg::RegPmicfiltr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmicfiltrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmicfiltrWrite];
        end
        pmuv3_pkg::RegPmuserenr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmuserenrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmuserenrWrite];
        end
        pmuv3_pkg::RegPmuacr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmuacrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmuacrWrite];
        end
        pmuv3_pkg::RegPmecr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmecrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmecrWrite];
        end
        pmuv3_pkg::RegPmiar: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmiarRead];
          trap_write = fgt[pmuv3_pkg::FgtPmiarWrite];
        end
        pmuv3_pkg::RegPmsscr: begin
          trap_read  = fgt[pmuv3_pkg::FgtPmsscrRead];
          trap_write = fgt[pmuv3_pkg::FgtPmsscrWrite];
        end
        pmuv3_pkg::RegPmceid0, pmuv3_pkg::RegPmceid1:
          trap_read = fgt[pmuv3_pkg::FgtPmceidRead];
        pmuv3_pkg::RegPmmir:   trap_read  = fgt[pmuv3_pkg::FgtPmmirRead];
        pmuv3_pkg::RegPmswinc: trap_write = fgt[pmuv3_pkg::FgtPmswincWrite];
        pmuv3_pkg::RegPmzr:    trap_write = fgt[pmuv3_pkg::FgtPmzrWrite];
        default: begin
          if (register_i.numbered) begin
            trap_read  = register_i.snapshot      ? fgt[pmuv3_pkg::FgtPmssdataRead]
                         : register_i.event_counter ? fgt[pmuv3_pkg::FgtPmevcntrRead]
                                                    : fgt[pmuv3_pkg::FgtPmevtyperRead];
            trap_write = register_i.event_counter ? fgt[pmuv3_pkg::FgtPmevcntrWrite]
                                                  : fgt[pmuv3_pkg::FgtPmevtyperWrite];
          end else begin
            trap_read = register_i.snapshot && fgt[pmuv3_pkg::FgtPmssdataRead];
          end
        end
      endcase
    end
  end

  // They do not trap EL0 in a host, nor what runs under an EL1 in AArch32.
  logic fine_grained;
  assign fine_grained = (write ? trap_write : trap_read) && !thread_i.a32el1
                        && (el == 2'd1 || !in_host);

  // The traps of PMICFILTR hide F0. Those of PMICNTR hide F0 in PMZR.
  assign hides_f0_o = guest && !in_host
                      && (register_i.addr == pmuv3_pkg::RegPmzr ? fgt[pmuv3_pkg::FgtPmicntrWrite]
                          : write ? fgt[pmuv3_pkg::FgtPmicfiltrWrite]
                                  : fgt[pmuv3_pkg::FgtPmicfiltrRead]);

  // HSTR.T9 traps MRC and MCR with CRn = c9, and MRRC and MCRR with CRm = c9. Only an EL2 in
  // AArch64 has a host.
  logic hstr;
  assign hstr = register_i.view && request_i.addr[10:7] == 4'd9 && rights_i.hstr
                && (el == 2'd1 || !in_host || rights_i.a32el2);

  /////////////////
  // EL2 and EL3 //
  /////////////////

  // Nested virtualization emulates the controls of EL2 at EL1. An access to SDCR from Secure EL1
  // traps, so that Secure EL2 or EL3 can emulate SDCR.
  logic nested, sdcr;
  assign nested = guest && el == 2'd1 && rights_i.nv
                  && (request_i.addr == pmuv3_pkg::RegMdcrEl2
                      || (request_i.addr == pmuv3_pkg::RegSder32El2
                          && thread_i.ss == pmuv3_pkg::SsSecure));
  assign sdcr   = request_i.addr == pmuv3_pkg::RegSdcr && secure_el1;
  assign emulated_o = nested || sdcr;

  logic tpm, below_el3;  // tpm: MDCR_EL2.TPM and MDCR_EL3.TPM apply
  assign tpm       = !register_i.snapshot && !register_i.lowest_el[1];
  assign below_el3 = cfg_i.el3 && !thread_i.a32el3 && el != 2'd3;
  always_comb begin
    el2_o = 1'b0;
    el3_o = 1'b0;
    if (access) begin
      el2_o = guest
              && (fine_grained || hstr || emulated_o
                  || (regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2TpmLsb] && tpm)
                  || (regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2TpmcrLsb]
                      && register_i.addr == pmuv3_pkg::RegPmcr)
                  || (register_i.numbered && register_i.n >= regs_i.hpmn));
      el3_o = below_el3
              && ((regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3TpmLsb] && tpm)
                  || (register_i.pm2 && !regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3Enpm2Lsb])
                  || (register_i.snapshot && !regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3EnpmssLsb]));
    end
  end

  // FGWTE3_EL3 traps writes of MDCR_EL3 at EL3 itself.
  assign el3_always_o = access
                        && ((sdcr && !guest)
                            || (cfg_i.feat_fgwte3 && rights_i.fgwte3 && el == 2'd3 && write
                                && request_i.addr == pmuv3_pkg::RegMdcrEl3));

  //////////////
  // Syndrome //
  //////////////

  // {EC, IL, ISS}, with Rt and Rt2 0: the core adds them. EC 0 is UNDEFINED, and what PMUSERENR
  // refused if EL2 uses AArch32 and takes it (I-4).
  localparam logic [5:0] EcUnknown = 6'h00, EcMrc = 6'h03, EcMrrc = 6'h04, EcMrs = 6'h18;
  localparam logic [4:0] Always = 5'b1_1110;  // CV, COND
  logic [1:0] op0;
  logic [2:0] op1, op2;
  logic [3:0] crn, crm;
  logic       unknown, pair;
  assign {op0, op1, crn, crm, op2} = request_i.addr;
  assign unknown = result_i == pmuv3_pkg::ResultUndefined || (refused_i && rights_i.a32el2);
  assign pair    = request_i.addr == pmuv3_pkg::RegPmccntr64;
  logic [5:0]  ec;
  logic [24:0] iss;
  always_comb begin
    if (unknown) begin
      ec  = EcUnknown;
      iss = 25'd0;
    end else if (!register_i.view) begin
      ec  = EcMrs;
      iss = {3'd0, op0, op2, op1, crn, 5'd0, crm, !write};
    end else if (pair) begin
      ec  = EcMrrc;
      iss = {Always, 1'b0, op1, 11'd0, crm, !write};
    end else begin
      ec  = EcMrc;
      iss = {Always, op2, op1, crn, 5'd0, crm, !write};
    end
  end
  assign syndrome_o = access && result_i != pmuv3_pkg::ResultDone ? {ec, 1'b1, iss} : 32'd0;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, thread_i, rights_i, regs_i, request_i, register_i};

endmodule

`default_nettype wire
