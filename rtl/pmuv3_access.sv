// Access: whether an access through the System register port is allowed, and which part of a
// register it reaches.
//
// Timing: combinational, from the thread's state in this clock and the registers before it.
// Stateless.
//
// An access that is not checked has the rights of the highest implemented Exception level. It ends
// as an error if there is no such register. A checked access is MSR, MRS, MCR or MRC of the thread
// in its state (D13.11, the accessors of D24.5). It is done, UNDEFINED, or trapped (pmuv3_traps).
//
// AArch32 registers are views of AArch64 registers. PMXEVTYPER and PMXEVCNTR stand for the
// registers that PMSELR selects. The outputs are an access of the resolved register. It reaches
// `bits` of the register, and `counters` as in PMCNTENSET; the rest is RAZ/WI.
`default_nettype none

module pmuv3_access (
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::rights_t rights_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  input wire pmuv3_types_pkg::request_t request_i,
  output logic [63:0] rdata_o,
  output logic        error_o,   // of an unchecked access
  output logic [2:0]  result_o,  // of a checked access
  output logic [31:0] syndrome_o,

  // The access to the register file
  output pmuv3_types_pkg::access_t access_o,
  input wire logic [63:0]          rdata_i
);

  // The logic below is evaluated only with an access.
  logic write, read, access;
  assign write  = request_i.write;
  assign read   = request_i.read;
  assign access = write || read;

  //////////////
  // Register //
  //////////////

  // AArch32 System registers have op0 = 0. They are views of [31:0] or [63:32] of an AArch64
  // register; MRRC and MCRR reach all of PMCCNTR. A view exists if an Exception level that has it
  // can use AArch32. SDER32_EL2 is another name of SDER32_EL3.
  //
  // Here and below, what a default does stands behind its case: Verilator copies the default for
  // every pattern of an encoding's bits that is no register's.
  logic        view, view_high, view_wide, view_exists, view_of_n, a32_at_el1;
  logic [31:0] view_mask;
  logic [15:0] viewed;
  assign view = request_i.addr[15:14] == 2'b00;
  assign a32_at_el1 = cfg_i.aa32 >= pmuv3_pkg::Aa32El1;
  always_comb begin
    viewed      = request_i.addr;
    view_high   = 1'b0;
    view_wide   = 1'b0;
    view_exists = !view || cfg_i.aa32 != pmuv3_pkg::Aa32None;
    view_mask   = 32'hFFFF_FFFF;
    view_of_n   = 1'b0;
    if (access && view) begin
      unique case (request_i.addr)
        pmuv3_pkg::RegPmcrAa32:       viewed = pmuv3_pkg::RegPmcr;
        pmuv3_pkg::RegPmcntensetAa32: viewed = pmuv3_pkg::RegPmcntenset;
        pmuv3_pkg::RegPmcntenclrAa32: viewed = pmuv3_pkg::RegPmcntenclr;
        pmuv3_pkg::RegPmovsr:         viewed = pmuv3_pkg::RegPmovsclr;
        pmuv3_pkg::RegPmswincAa32:    viewed = pmuv3_pkg::RegPmswinc;
        pmuv3_pkg::RegPmselrAa32:     viewed = pmuv3_pkg::RegPmselr;
        pmuv3_pkg::RegPmceid0Aa32:    viewed = pmuv3_pkg::RegPmceid0;
        pmuv3_pkg::RegPmceid1Aa32:    viewed = pmuv3_pkg::RegPmceid1;
        pmuv3_pkg::RegPmceid2: begin
          viewed      = pmuv3_pkg::RegPmceid0;
          view_high   = 1'b1;
          view_exists = cfg_i.feat_pmuv3p1 && cfg_i.aa32 != pmuv3_pkg::Aa32None;
        end
        pmuv3_pkg::RegPmceid3: begin
          viewed      = pmuv3_pkg::RegPmceid1;
          view_high   = 1'b1;
          view_exists = cfg_i.feat_pmuv3p1 && cfg_i.aa32 != pmuv3_pkg::Aa32None;
        end
        pmuv3_pkg::RegPmccntrAa32: viewed = pmuv3_pkg::RegPmccntr;
        pmuv3_pkg::RegPmccntr64: begin
          viewed    = pmuv3_pkg::RegPmccntr;
          view_wide = 1'b1;
        end
        pmuv3_pkg::RegPmxevtyperAa32: begin
          viewed    = pmuv3_pkg::RegPmxevtyper;
          view_mask = pmuv3_pkg::ViewPmxevtyperAa32;
        end
        pmuv3_pkg::RegPmxevcntrAa32: viewed = pmuv3_pkg::RegPmxevcntr;
        pmuv3_pkg::RegPmuserenrAa32: begin
          viewed    = pmuv3_pkg::RegPmuserenr;
          view_mask = pmuv3_pkg::ViewPmuserenrAa32;
        end
        pmuv3_pkg::RegPmintensetAa32: begin
          viewed      = pmuv3_pkg::RegPmintenset;
          view_exists = a32_at_el1;
        end
        pmuv3_pkg::RegPmintenclrAa32: begin
          viewed      = pmuv3_pkg::RegPmintenclr;
          view_exists = a32_at_el1;
        end
        pmuv3_pkg::RegPmovssetAa32: viewed = pmuv3_pkg::RegPmovsset;
        pmuv3_pkg::RegPmmirAa32: begin
          viewed      = pmuv3_pkg::RegPmmir;
          view_mask   = pmuv3_pkg::ViewPmmirAa32;
          view_exists = a32_at_el1;
        end
        pmuv3_pkg::RegPmccfiltrAa32: begin
          viewed    = pmuv3_pkg::RegPmccfiltr;
          view_mask = pmuv3_pkg::ViewPmccfiltrAa32;
        end
        pmuv3_pkg::RegHdcr: begin
          viewed      = pmuv3_pkg::RegMdcrEl2;
          view_mask   = pmuv3_pkg::ViewHdcr;
          view_exists = cfg_i.aa32 >= pmuv3_pkg::Aa32El2;
        end
        pmuv3_pkg::RegSdcr: begin
          viewed      = pmuv3_pkg::RegMdcrEl3;
          view_mask   = pmuv3_pkg::ViewSdcr;
          view_exists = cfg_i.aa32 >= pmuv3_pkg::Aa32El3;
        end
        pmuv3_pkg::RegSder: begin
          viewed      = pmuv3_pkg::RegSder32El3;
          view_mask   = pmuv3_pkg::ViewSder;
          view_exists = a32_at_el1;
        end
        default: view_of_n = 1'b1;
      endcase
      if (view_of_n && request_i.addr[15:5] == pmuv3_pkg::RegPmevcntrAa32[15:5]) begin
        viewed = {pmuv3_pkg::RegPmevcntr[15:5], request_i.addr[4:0]};
      end else if (view_of_n && request_i.addr[15:5] == pmuv3_pkg::RegPmevtyperAa32[15:5]) begin
        viewed    = {pmuv3_pkg::RegPmevtyper[15:5], request_i.addr[4:0]};
        view_mask = pmuv3_pkg::ViewPmevtyperAa32;
      end
      // H-29: not of a read-only register, nor of SDCR, which is not mapped to MDCR_EL3.
      if (cfg_i.k_a32_res0 == pmuv3_pkg::KA32Res0Keep && viewed != pmuv3_pkg::RegPmmir
          && viewed != pmuv3_pkg::RegMdcrEl3) begin
        view_mask = 32'hFFFF_FFFF;
      end
    end
    if (access && request_i.addr == pmuv3_pkg::RegSder32El2) begin
      viewed      = pmuv3_pkg::RegSder32El3;
      view_exists = cfg_i.el2 && cfg_i.feat_sel2;
    end
  end

  // The register that PMSELR selects. PMEVTYPER<31> has the encoding of PMCCFILTR.
  logic        selected;
  logic [15:0] addr;
  always_comb begin
    selected = 1'b0;
    addr     = viewed;
    if (viewed == pmuv3_pkg::RegPmxevtyper) begin
      selected = 1'b1;
      addr     = {pmuv3_pkg::RegPmevtyper[15:5], regs_i.pmselr[4:0]};
    end else if (viewed == pmuv3_pkg::RegPmxevcntr) begin
      selected = 1'b1;
      addr     = {pmuv3_pkg::RegPmevcntr[15:5], regs_i.pmselr[4:0]};
    end
  end

  // Whether the register exists, and the lowest Exception level that may access the register.
  logic       exists, readable, writable;
  logic [1:0] lowest_el;
  logic       numbered;      // of event counter n
  logic [4:0] n;
  logic       event_counter;  // PMEVCNTR<n>
  logic       snapshot;       // PMSSCR, or a saved value
  logic       pm2;            // MDCR_EL3.EnPM2 controls it
  assign n = addr[4:0];
  always_comb begin
    exists        = 1'b0;
    readable      = 1'b1;
    writable      = 1'b1;
    lowest_el     = 2'd0;
    numbered      = 1'b0;
    event_counter = 1'b0;
    snapshot      = 1'b0;
    pm2           = 1'b0;
    if (access) begin
      exists = thread_i.present;
      unique case (addr)
        pmuv3_pkg::RegPmcr, pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr,
        pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr, pmuv3_pkg::RegPmselr,
        pmuv3_pkg::RegPmccntr, pmuv3_pkg::RegPmccfiltr: ;
        pmuv3_pkg::RegPmswinc: readable = 1'b0;
        pmuv3_pkg::RegPmceid0, pmuv3_pkg::RegPmceid1: writable = 1'b0;
        pmuv3_pkg::RegPmzr: begin
          exists   = thread_i.present && cfg_i.feat_pmuv3p9;
          readable = 1'b0;
        end
        pmuv3_pkg::RegPmuserenr: lowest_el = {1'b0, write};
        pmuv3_pkg::RegPmicntr, pmuv3_pkg::RegPmicfiltr: begin
          exists = thread_i.present && cfg_i.feat_icntr;
          pm2    = 1'b1;
        end
        pmuv3_pkg::RegPmintenset, pmuv3_pkg::RegPmintenclr: lowest_el = 2'd1;
        pmuv3_pkg::RegPmmir: begin
          exists    = thread_i.present && cfg_i.feat_pmuv3p4;
          writable  = 1'b0;
          lowest_el = 2'd1;
        end
        pmuv3_pkg::RegPmuacr: begin
          exists    = thread_i.present && cfg_i.feat_pmuv3p9 && cfg_i.aa64;
          lowest_el = 2'd1;
          pm2       = 1'b1;
        end
        pmuv3_pkg::RegPmecr: begin
          exists    = thread_i.present && (cfg_i.feat_ebep || cfg_i.feat_ss);
          lowest_el = 2'd1;
          pm2       = 1'b1;
        end
        pmuv3_pkg::RegPmiar: begin
          exists    = thread_i.present && cfg_i.feat_sebep;
          lowest_el = 2'd1;
          pm2       = 1'b1;
        end
        pmuv3_pkg::RegPmsscr: begin
          exists    = thread_i.present && cfg_i.feat_ss;
          lowest_el = 2'd1;
          snapshot  = 1'b1;
        end
        pmuv3_pkg::RegPmccntsvr: begin
          exists    = thread_i.present && cfg_i.feat_ss;
          writable  = 1'b0;
          lowest_el = 2'd1;
          snapshot  = 1'b1;
        end
        pmuv3_pkg::RegPmicntsvr: begin
          exists    = thread_i.present && cfg_i.feat_ss && cfg_i.feat_icntr;
          writable  = 1'b0;
          lowest_el = 2'd1;
          snapshot  = 1'b1;
        end
        pmuv3_pkg::RegMdcrEl2: lowest_el = 2'd2;
        pmuv3_pkg::RegMdcrEl3: lowest_el = 2'd3;
        pmuv3_pkg::RegSder32El3: begin
          exists    = thread_i.present && a32_at_el1;
          lowest_el = 2'd3;
        end
        default: numbered = 1'b1;
      endcase
      if (numbered) begin
        exists = thread_i.present && (selected || n < cfg_i.counters);
        unique case (addr[15:5])
          pmuv3_pkg::RegPmevcntr[15:5]:  event_counter = 1'b1;
          pmuv3_pkg::RegPmevtyper[15:5]: ;
          pmuv3_pkg::RegPmevcntsvr[15:5]: begin
            exists    = thread_i.present && cfg_i.feat_ss && n < cfg_i.counters;
            writable  = 1'b0;
            lowest_el = 2'd1;
            snapshot  = 1'b1;
          end
          default: exists = 1'b0;
        endcase
      end
      if (!view_exists) exists = 1'b0;
    end
  end

  ////////////
  // Result //
  ////////////

  logic [1:0] el;
  logic       aarch32, guest, uen;
  assign el      = thread_i.el;
  assign aarch32 = thread_i.aa32 || thread_i.a32el3 || (el != 2'd3 && rights_i.a32el2)
                   || (!el[1] && thread_i.a32el1);
  assign guest   = thread_i.el2_enabled && !el[1];  // EL2 controls EL1 and EL0
  assign uen     = regs_i.pmuserenr[pmuv3_pkg::PmuserenrUenLsb] && !thread_i.a32el1;

  // Whether this Exception level has the register. If EL3 uses AArch32, EL3 has HDCR while SCR.NS
  // is 1, and eel2 is SCR.NS. Secure EL1 has SDER, and there is none under an EL3 that uses
  // AArch32. SDER32_EL2 is of Secure EL2, and EL3 has it while SCR_EL3.EEL2 is 1.
  logic at_el, secure;
  assign secure = thread_i.ss == pmuv3_pkg::SsSecure;
  always_comb begin
    unique case (request_i.addr)
      pmuv3_pkg::RegHdcr:
        at_el = el == 2'd2 || (el == 2'd3 && thread_i.eel2 && cfg_i.el2);
      pmuv3_pkg::RegSder:
        at_el = el == 2'd3 || (el == 2'd1 && secure && !(cfg_i.el3 && thread_i.a32el3));
      pmuv3_pkg::RegSder32El2:
        at_el = (el == 2'd2 && secure) || (el == 2'd3 && thread_i.eel2);
      default: at_el = el >= lowest_el;
    endcase
  end

  // Table D13-12: the accesses that PMUSERENR permits at EL0.
  logic permitted, enabled;
  assign enabled = regs_i.pmuserenr[pmuv3_pkg::PmuserenrEnLsb] || uen;
  always_comb begin
    permitted = enabled;
    if (access) begin
      if (event_counter && read && regs_i.pmuserenr[pmuv3_pkg::PmuserenrErLsb]) permitted = 1'b1;
      unique case (addr)
        pmuv3_pkg::RegPmcr: permitted = regs_i.pmuserenr[pmuv3_pkg::PmuserenrEnLsb] && !uen;
        pmuv3_pkg::RegPmicntr, pmuv3_pkg::RegPmicfiltr: permitted = uen;
        pmuv3_pkg::RegPmselr:
          permitted = enabled || regs_i.pmuserenr[pmuv3_pkg::PmuserenrErLsb];
        pmuv3_pkg::RegPmccntr:
          permitted = enabled || (read && regs_i.pmuserenr[pmuv3_pkg::PmuserenrCrLsb]);
        pmuv3_pkg::RegPmswinc:
          permitted = enabled || regs_i.pmuserenr[pmuv3_pkg::PmuserenrSwLsb];
        pmuv3_pkg::RegPmceid0, pmuv3_pkg::RegPmceid1:
          permitted = enabled && !regs_i.pmuserenr[pmuv3_pkg::PmuserenrTidLsb];
        pmuv3_pkg::RegPmuserenr: permitted = 1'b1;
        default: ;
      endcase
    end
  end

  pmuv3_types_pkg::register_t register;
  assign register.view          = view;
  assign register.selected      = selected;
  assign register.numbered      = numbered;
  assign register.event_counter = event_counter;
  assign register.snapshot      = snapshot;
  assign register.pm2           = pm2;
  assign register.lowest_el     = lowest_el;
  assign register.n             = n;
  assign register.addr          = addr;

  logic refused, emulated, trap_el2, trap_el3, trap_el3_always, hides_f0;
  pmuv3_traps u_traps (
    .cfg_i,
    .thread_i,
    .rights_i,
    .regs_i,
    .request_i,
    .register_i  (register),
    .result_i    (result_o),
    .refused_i   (refused),
    .emulated_o  (emulated),
    .el2_o       (trap_el2),
    .el3_o       (trap_el3),
    .el3_always_o(trap_el3_always),
    .hides_f0_o  (hides_f0),
    .syndrome_o
  );

  // I-9: with EDSCR.SDD, what MDCR_EL3 traps is UNDEFINED. K-SDD-PRIORITY: that is decided before
  // PMUSERENR and EL2, or after them.
  logic undefined;
  assign refused = el == 2'd0 && !permitted;
  always_comb begin
    result_o  = pmuv3_pkg::ResultDone;
    error_o   = 1'b0;
    undefined = !exists || view != aarch32 || (numbered && n >= regs_i.epmn)
                || (write && !writable) || (read && !readable) || (!at_el && !emulated)
                || (trap_el3 && rights_i.sdd
                    && cfg_i.k_sdd_priority == pmuv3_pkg::KSddPriorityFirst);
    if (access && !request_i.checked) begin
      error_o = !exists || (write && !writable) || (read && !readable);
    end else if (access) begin
      if (undefined) begin
        result_o = pmuv3_pkg::ResultUndefined;
      end else if (refused) begin
        if (thread_i.el2_enabled && thread_i.tge) result_o = pmuv3_pkg::ResultTrapEl2;
        else if (thread_i.a32el1) result_o = pmuv3_pkg::ResultUndefined;
        else                      result_o = pmuv3_pkg::ResultTrapEl1;
      end else if (trap_el2) begin
        result_o = pmuv3_pkg::ResultTrapEl2;
      end else if (trap_el3_always || (trap_el3 && !rights_i.sdd)) begin
        result_o = pmuv3_pkg::ResultTrapEl3;
      end else if (trap_el3) begin
        result_o = pmuv3_pkg::ResultUndefined;
      end
    end
  end

  logic done;
  assign done    = result_o == pmuv3_pkg::ResultDone && !error_o;

  ///////////
  // Reach //
  ///////////

  // The controls of PMICFILTR hide F0 in these registers. The controls of PMICNTR hide F0 in PMZR.
  logic f0_withheld, el3_withholds;
  assign el3_withholds = cfg_i.el3 && !thread_i.a32el3 && el != 2'd3
                         && !regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3Enpm2Lsb];
  always_comb begin
    f0_withheld = 1'b0;
    if (access && request_i.checked) begin
      unique case (addr)
        pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr, pmuv3_pkg::RegPmintenset,
        pmuv3_pkg::RegPmintenclr, pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr,
        pmuv3_pkg::RegPmzr:
          f0_withheld = el3_withholds || hides_f0;
        default: ;
      endcase
    end
  end

  // At EL0 with UEN, PMUACR gives the accessible counters. With SW, PMSWINC accesses all counters.
  // ER, CR and IR make counters read-only.
  logic [32:0] allowed;
  always_comb begin
    allowed = {33{1'b1}};
    if (access && request_i.checked && el == 2'd0 && uen) begin
      if (addr != pmuv3_pkg::RegPmswinc) begin
        allowed = regs_i.pmuacr[32:0];
        if (write) begin
          allowed &= ~{regs_i.pmuserenr[pmuv3_pkg::PmuserenrIrLsb],
                       regs_i.pmuserenr[pmuv3_pkg::PmuserenrCrLsb],
                       {31{regs_i.pmuserenr[pmuv3_pkg::PmuserenrErLsb]}}};
        end
      end else if (!regs_i.pmuserenr[pmuv3_pkg::PmuserenrSwLsb]) begin
        allowed = regs_i.pmuacr[32:0];
      end
    end
  end

  // DXWVNH: System registers never reach the third range. Accesses that EL2 controls do not reach
  // the second range.
  logic        f0;
  logic [4:0]  pmcr_n;
  logic [32:0] counters;
  assign f0 = cfg_i.feat_icntr && !f0_withheld && !(request_i.checked && el == 2'd0 && !uen);
  always_comb begin
    pmcr_n   = regs_i.epmn;
    counters = 33'd0;
    if (access) begin
      if (request_i.checked && guest) pmcr_n = regs_i.hpmn;
      counters = {f0, 1'b1, ~(31'h7FFF_FFFF << pmcr_n)} & allowed;
    end
  end

  assign access_o.write    = write && done;
  assign access_o.read     = read && done;
  assign access_o.replace  = 1'b0;
  assign access_o.addr     = addr;
  logic narrow;  // 32 bits
  assign narrow = view && !view_wide;
  assign access_o.wdata    = narrow ? {32'd0, request_i.wdata[31:0] & view_mask} : request_i.wdata;
  assign access_o.bits     = {{32{!narrow || view_high}}, {32{!view_high}}};
  assign access_o.counters = counters;
  assign access_o.n        = pmcr_n;

  always_comb begin
    rdata_o = rdata_i;
    if (read && narrow) begin
      rdata_o = {32'd0, (view_high ? rdata_i[63:32] : rdata_i[31:0]) & view_mask};
    end
  end

  logic unused_bits;
  assign unused_bits = ^{cfg_i, thread_i, rights_i, regs_i};

endmodule

`default_nettype wire
