// The external view: the page of 4 KiB that shows the registers of this thread's PMU to a debugger
// or another agent of the system (I3.1), behind an APB4 completer.
//
//   owns   PMCCR, the Software Lock, and the identification of the component
//
// Everything else is in the register file. A word of the page is one half of a register, so an
// access of the page becomes an access of that half.
//
// Timing: the register file takes one access in each clock, so a transfer waits while the System
// register port is in use. There are no other wait states. A write takes effect at the clock edge
// that ends the transfer. A read is combinational in that clock.
`default_nettype none

module pmuv3_external #(
  parameter int unsigned Thread = 0,  // MPIDR_EL1.Aff0
  parameter int unsigned Lanes  = 31
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  input wire pmuv3_types_pkg::transfer_t transfer_i,
  input wire logic    busy_i,  // the System register port is in use
  output logic [31:0] prdata_o,
  output logic        pready_o,
  output logic        pslverr_o,

  // The access to the register file
  output pmuv3_types_pkg::access_t access_o,
  input wire logic [63:0]          rdata_i,

  output logic [63:0] pmccr_o,
  output logic [63:0] pmlsr_o
);

  // A Warm reset changes nothing here. HPMN does not affect this view (I3.1.2).
  logic unused_rst, unused_state;
  assign unused_rst   = rst_ni;
  assign unused_state = ^{cfg_i, thread_i, regs_i};

  // The counters 0 to n-1.
  function automatic logic [Lanes-1:0] below(input logic [4:0] n);
    below = ~({Lanes{1'b1}} << n);
  endfunction

  /////////////////////////////////
  // PMCCR and the Software Lock //
  /////////////////////////////////

  localparam int unsigned PmccrOslo    = 8;
  localparam int unsigned PmccrEpme    = 7;
  localparam int unsigned PmccrEpmnMsb = 4;

  localparam logic [31:0] PmlarKey = 32'hC5AC_CE55;

  // EPMN resets to NUM_PMU_COUNTERS. The flops hold the difference, so that they reset to a
  // constant.
  logic       write_pmccr, oslo_q, epme_q;
  logic [4:0] epmn_diff_q;
  always_ff @(posedge clk_i or negedge rst_cold_ni) begin
    if (!rst_cold_ni) begin
      oslo_q      <= 1'b0;
      epme_q      <= 1'b0;
      epmn_diff_q <= 5'd0;
    end else if (write_pmccr) begin
      oslo_q      <= transfer_i.wdata[PmccrOslo];
      epme_q      <= transfer_i.wdata[PmccrEpme];
      epmn_diff_q <= transfer_i.wdata[PmccrEpmnMsb:0] ^ cfg_i.counters;
    end
  end

  logic [31:0] pmccr;
  assign pmccr   = {23'd0, oslo_q, epme_q, 2'd0, epmn_diff_q ^ cfg_i.counters};
  assign pmccr_o = cfg_i.feat_extpmn ? {32'd0, pmccr} : 64'd0;

  // With EXT64 there is no Software Lock; with EXT32 K-SOFTWARE-LOCK decides.
  logic has_lock, write_pmlar, locked_q, locked;
  assign has_lock = cfg_i.feat_ext32 && cfg_i.k_software_lock == pmuv3_pkg::KSoftwareLockPresent;
  always_ff @(posedge clk_i or negedge rst_cold_ni) begin
    if (!rst_cold_ni) begin
      locked_q <= 1'b1;
    end else if (write_pmlar) begin
      locked_q <= transfer_i.wdata != PmlarKey;
    end
  end
  assign locked  = has_lock && locked_q;
  assign pmlsr_o = {62'd0, locked, has_lock};

  ////////////////////////
  // Accessor and reach //
  ////////////////////////

  // Without RME, only the Non-secure and Secure spaces exist. Without EL3, there is one Security
  // state, the thread's: every access is Most secure, or Secure ones are.
  logic [1:0] space;
  logic       secure_only;
  logic       most_secure;
  logic [4:0] visible;  // event counters: only a Most secure access sees the third range
  assign space       = {transfer_i.space[1] && cfg_i.feat_rme, transfer_i.space[0]};
  assign secure_only = !cfg_i.el3 && thread_i.ss == pmuv3_pkg::SsSecure;
  assign most_secure = (!cfg_i.el3 && !secure_only) || space == {cfg_i.feat_rme, 1'b1};
  assign visible     = most_secure ? cfg_i.counters : regs_i.epmn;

  //////////////
  // Register //
  //////////////

  localparam logic [1:0] Reserved  = 2'b00;  // RAZ/WI
  localparam logic [1:0] ReadOnly  = 2'b01;
  localparam logic [1:0] WriteOnly = 2'b10;
  localparam logic [1:0] ReadWrite = 2'b11;

  // The locks and controls that can block the access (Tables I3-1, I3-2)
  localparam logic [1:0] DomainNone     = 2'd0;
  localparam logic [1:0] DomainCore     = 2'd1;  // DLK, OSLK, EPMAD
  localparam logic [1:0] DomainSnapshot = 2'd2;  // DLK, EPMSSAD
  localparam logic [1:0] DomainAgent    = 2'd3;  // DLK

  localparam logic [15:0] Here = 16'd0;  // the register is not in the register file

  logic [1:0]  access, domain;
  logic        present;
  logic        reached;   // 0: RAZ/WI
  logic [15:0] register;  // the register's encoding
  logic        high;      // the word is bits [63:32]
  logic        replace;
  logic [31:0] here;      // read value of a register in this stage

  // An array of registers: [0] to [30] for event counters, [31] for the cycle counter, [32] for the
  // instruction counter
  logic        array;
  logic [6:0]  index;
  logic [15:0] event_register, cycle_register, instruction_register;

  // In both layouts an array starts a block of 512 bytes. All other registers of 64 bits, except
  // PMCEID0 and PMCEID1, have both halves in one doubleword.
  logic [11:0] block, doubleword;
  assign block      = {transfer_i.addr[11:9], 9'd0};
  assign doubleword = {transfer_i.addr[11:3], 3'd0};

  // With EXT32, some registers have 32 bits before PMUv3p9.
  logic low_or_p9;
  assign low_or_p9 = !transfer_i.addr[2] || cfg_i.feat_ext64 || cfg_i.feat_pmuv3p9;

  always_comb begin
    access   = Reserved;
    domain   = DomainCore;
    present  = 1'b1;
    reached  = 1'b1;
    register = Here;
    high     = transfer_i.addr[2];
    replace  = 1'b0;
    here     = 32'd0;

    array                = 1'b0;
    index                = {1'b0, transfer_i.addr[8:3]};
    event_register       = Here;
    cycle_register       = Here;
    instruction_register = Here;

    if (transfer_i.sel) begin
      unique case (block)
        pmuv3_pkg::ExtPmevcntrLo32: begin
          array                = 1'b1;
          access               = ReadWrite;
          event_register       = pmuv3_pkg::RegPmevcntr;
          cycle_register       = pmuv3_pkg::RegPmccntr;
          instruction_register = pmuv3_pkg::RegPmicntr;
          // EXT32 shows [63:32] of event counters with 64 bits.
          if (index < 7'd31) present = !high || cfg_i.feat_ext64 || cfg_i.feat_pmuv3p5;
        end
        pmuv3_pkg::ExtPmevtyperLo32, pmuv3_pkg::ExtPmevtyperHi32: begin
          array                = 1'b1;
          access               = ReadWrite;
          event_register       = pmuv3_pkg::RegPmevtyper;
          cycle_register       = pmuv3_pkg::RegPmccfiltr;
          instruction_register = pmuv3_pkg::RegPmicfiltr;
          // EXT32 has an array of low halves, and an array of high halves if these exist.
          if (cfg_i.feat_ext32) begin
            index = transfer_i.addr[8:2];
            high  = block == pmuv3_pkg::ExtPmevtyperHi32;
          end
          present = block == pmuv3_pkg::ExtPmevtyperLo32 ||
                    (cfg_i.feat_ext32 &&
                     (cfg_i.feat_th || cfg_i.feat_pmuv3p8 || cfg_i.feat_sme));
        end
        pmuv3_pkg::ExtPmevcntsvrLo32: begin
          array                = 1'b1;
          access               = ReadOnly;
          domain               = DomainSnapshot;
          present              = cfg_i.feat_ss;
          event_register       = pmuv3_pkg::RegPmevcntsvr;
          cycle_register       = pmuv3_pkg::RegPmccntsvr;
          instruction_register = pmuv3_pkg::RegPmicntsvr;
        end
        default: ;
      endcase

      if (array) begin
        if (index < {2'd0, cfg_i.counters}) begin
          register = event_register | {11'd0, index[4:0]};
          reached  = index < {2'd0, visible};  // Table I3-3
        end else if (index == 7'd31) begin
          register = cycle_register;
        end else if (index == 7'd32 && cfg_i.feat_icntr) begin
          register = instruction_register;
        end else begin
          present = 1'b0;
        end
      end

      unique case (doubleword)
        pmuv3_pkg::ExtPmcntensetLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmcntenset};
          present            = low_or_p9;
        end
        pmuv3_pkg::ExtPmcntenclrLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmcntenclr};
          present            = low_or_p9;
        end
        pmuv3_pkg::ExtPmintensetLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmintenset};
          present            = low_or_p9;
        end
        pmuv3_pkg::ExtPmintenclrLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmintenclr};
          present            = low_or_p9;
        end
        pmuv3_pkg::ExtPmovsclrLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmovsclr};
          present            = low_or_p9;
        end
        pmuv3_pkg::ExtPmovssetLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmovsset};
          present            = low_or_p9;
        end
        pmuv3_pkg::ExtPmcntenOff64: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmcntenset};
          present            = cfg_i.feat_ext64;
          replace            = 1'b1;
        end
        pmuv3_pkg::ExtPmintenOff64: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmintenset};
          present            = cfg_i.feat_ext64;
          replace            = 1'b1;
        end
        pmuv3_pkg::ExtPmovsOff64: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmovsset};
          present            = cfg_i.feat_ext64;
          replace            = 1'b1;
        end
        pmuv3_pkg::ExtPmzrLo32: begin
          {access, register} = {WriteOnly, pmuv3_pkg::RegPmzr};
          present            = cfg_i.feat_pmuv3p9;
        end
        pmuv3_pkg::ExtPmcrOff64: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmcr};
          present            = cfg_i.feat_ext64;
        end
        pmuv3_pkg::ExtPmsscrLo32: begin
          {access, register} = {ReadWrite, pmuv3_pkg::RegPmsscr};
          domain             = DomainSnapshot;
          present            = cfg_i.feat_ss;
        end
        pmuv3_pkg::ExtPmmirLo32: begin
          {access, register} = {ReadOnly, pmuv3_pkg::RegPmmir};
          present            = cfg_i.feat_pmuv3p4 && low_or_p9;
        end
        pmuv3_pkg::ExtPmcgcr0Lo32: begin
          access  = ReadOnly;
          present = cfg_i.feat_icntr && (cfg_i.feat_ext64 || !high);
          if (!high) begin
            here[15:8] = 8'd1;  // CG1NC, the instruction counter
            here[7:0]  = {3'd0, visible} + 8'd1;  // CG0NC
          end
        end
        pmuv3_pkg::ExtPmcfgrLo32: begin
          access  = ReadOnly;
          present = cfg_i.feat_ext64 || !high;
          if (!high) begin
            here[28]   = cfg_i.feat_icntr;  // NCG
            here[22]   = cfg_i.feat_ss;
            here[21]   = cfg_i.feat_pmuv3p7;  // FZO
            here[15]   = cfg_i.aa32 != pmuv3_pkg::Aa32None;  // CCD
            here[14]   = 1'b1;  // CC
            here[13:8] = 6'h3F;  // SIZE
            here[7:0]  = {3'd0, visible} + {7'd0, cfg_i.feat_icntr};  // N
          end
        end
        pmuv3_pkg::ExtPmiidrLo32: begin
          access  = ReadOnly;
          present = cfg_i.feat_ext64 || !high;
          if (!high) here = cfg_i.iidr;
        end
        pmuv3_pkg::ExtPmccrLo32: begin
          access  = ReadWrite;
          domain  = DomainAgent;
          present = cfg_i.feat_extpmn;
          reached = most_secure;
          if (!high) here = pmccr;
        end
        pmuv3_pkg::ExtPmdevaffLo32: begin  // MPIDR_EL1
          access = ReadOnly;
          domain = DomainNone;
          if (high) begin
            here[7:0] = cfg_i.affinity[23:16];  // Aff3
          end else begin
            here       = 32'h8000_0000 | Thread;
            here[24]   = cfg_i.threads > 3'd1;  // MT
            here[23:8] = cfg_i.affinity[15:0];  // Aff2, Aff1
          end
        end
        default: ;
      endcase

      // Registers of 32 bits, and words outside the doubleword of their register.
      unique case (transfer_i.addr)
        pmuv3_pkg::ExtPmcrLo32: begin  // with EXT64 the high half of PMCFGR
          if (cfg_i.feat_ext32) begin
            {access, register, high} = {ReadWrite, pmuv3_pkg::RegPmcr, 1'b0};
            present                  = 1'b1;
          end
        end
        pmuv3_pkg::ExtPmceid0Lo32, pmuv3_pkg::ExtPmceid0Hi32: begin
          {access, register} = {ReadOnly, pmuv3_pkg::RegPmceid0};
          high               = transfer_i.addr == pmuv3_pkg::ExtPmceid0Hi32;
          present            = cfg_i.feat_ext32 && (!high || cfg_i.feat_pmuv3p1);
        end
        pmuv3_pkg::ExtPmceid1Lo32, pmuv3_pkg::ExtPmceid1Hi32: begin
          {access, register} = {ReadOnly, pmuv3_pkg::RegPmceid1};
          high               = transfer_i.addr == pmuv3_pkg::ExtPmceid1Hi32;
          present            = cfg_i.feat_ext32 && (!high || cfg_i.feat_pmuv3p1);
        end
        pmuv3_pkg::ExtPmlarLo32: begin
          access  = WriteOnly;
          domain  = DomainNone;
          present = cfg_i.feat_ext32;
        end
        pmuv3_pkg::ExtPmlsrLo32: begin
          access  = ReadOnly;
          domain  = DomainNone;
          present = cfg_i.feat_ext32;
          here    = pmlsr_o[31:0];
        end
        pmuv3_pkg::ExtPmdevarchLo32: begin
          {access, domain} = {ReadOnly, DomainNone};
          here             = cfg_i.feat_ext64 ? 32'h4770_2A26 : 32'h4770_2A16;
        end
        pmuv3_pkg::ExtPmdevidLo32: begin
          {access, domain} = {ReadOnly, DomainNone};
          here[8]          = cfg_i.feat_extpmn;
          here[4]          = cfg_i.feat_ss;  // PMSS
        end
        pmuv3_pkg::ExtPmauthstatusLo32: begin
          {access, domain, here} = {ReadOnly, DomainNone, cfg_i.authstatus};
        end
        pmuv3_pkg::ExtPmdevtypeLo32: {access, domain, here} = {ReadOnly, DomainNone, 32'h16};
        pmuv3_pkg::ExtPmpidr4Lo32: begin
          {access, domain, here[7:0]} = {ReadOnly, DomainNone, cfg_i.pidr[39:32]};
        end
        pmuv3_pkg::ExtPmpidr0Lo32: begin
          {access, domain, here[7:0]} = {ReadOnly, DomainNone, cfg_i.pidr[7:0]};
        end
        pmuv3_pkg::ExtPmpidr1Lo32: begin
          {access, domain, here[7:0]} = {ReadOnly, DomainNone, cfg_i.pidr[15:8]};
        end
        pmuv3_pkg::ExtPmpidr2Lo32: begin
          {access, domain, here[7:0]} = {ReadOnly, DomainNone, cfg_i.pidr[23:16]};
        end
        pmuv3_pkg::ExtPmpidr3Lo32: begin
          {access, domain, here[7:0]} = {ReadOnly, DomainNone, cfg_i.pidr[31:24]};
        end
        pmuv3_pkg::ExtPmcidr0Lo32: {access, domain, here} = {ReadOnly, DomainNone, 32'h0D};
        pmuv3_pkg::ExtPmcidr1Lo32: {access, domain, here} = {ReadOnly, DomainNone, 32'h90};
        pmuv3_pkg::ExtPmcidr2Lo32: {access, domain, here} = {ReadOnly, DomainNone, 32'h05};
        pmuv3_pkg::ExtPmcidr3Lo32: {access, domain, here} = {ReadOnly, DomainNone, 32'hB1};
        default: ;
      endcase
    end
  end

  //////////////
  // Blocking //
  //////////////

  // The bits that a space needs. Root has both bits, Secure has [0] and Realm has [1]. Without EL3,
  // MDCR_EL3 is 0, and a Secure-only PE needs Secure accesses.
  logic [1:0] pmu_needs, snapshot_needs, epmssad;
  assign epmssad   = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3EpmssadMsb:pmuv3_pkg::MdcrEl3EpmssadLsb];
  assign pmu_needs = {regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3EpmadeLsb],
                      regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3EpmadLsb] || secure_only};
  always_comb begin
    snapshot_needs = ~epmssad;
    if (!cfg_i.feat_rme) snapshot_needs = {1'b0, epmssad != 2'b11};  // reserved 01, 10 behave as 00
    if (!cfg_i.el3) snapshot_needs = 2'b00;
  end

  // DoubleLockStatus(): in Debug state the OS Double Lock has no effect (H6.6.9).
  logic double_locked, os_locked, blocked, error;
  assign double_locked = thread_i.dlk && !thread_i.halted;
  assign os_locked     = thread_i.oslk && !(cfg_i.feat_extpmn && most_secure && oslo_q);
  always_comb begin
    unique case (domain)
      DomainCore:     blocked = double_locked || os_locked || |(pmu_needs & ~space);
      DomainSnapshot: blocked = double_locked || |(snapshot_needs & ~space);
      DomainAgent:    blocked = double_locked;
      default:        blocked = 1'b0;
    endcase
  end
  assign error = transfer_i.bad || !(cfg_i.feat_ext32 || cfg_i.feat_ext64) ||
                 (present && access != Reserved && blocked);

  /////////////////////////////
  // The end of the transfer //
  /////////////////////////////

  logic last, permitted, read, write;
  assign last      = transfer_i.sel && transfer_i.enable && !busy_i;
  assign permitted = last && !error && present && reached;
  assign read      = permitted && !transfer_i.write && access[0];
  assign write     = permitted && transfer_i.write && access[1];

  assign write_pmlar = write && has_lock && transfer_i.addr == pmuv3_pkg::ExtPmlarLo32;
  assign write_pmccr = write && transfer_i.addr == pmuv3_pkg::ExtPmccrLo32;  // Table I3-2: not SLK

  logic        reads, writes;  // of the register file
  logic [63:0] bits;
  assign reads             = read && register != Here;
  assign writes            = write && register != Here && !locked;
  assign access_o.read     = reads;
  assign access_o.write    = writes;
  assign access_o.replace  = replace && writes;
  assign access_o.addr     = register;
  assign access_o.wdata    = {2{transfer_i.wdata}};
  assign access_o.bits     = bits;
  assign access_o.counters = {2'b11, 31'(below(visible))};
  assign access_o.n        = visible;

  // This view has PMCR from E to FZO, and FZS. [31:11] are RAZ/WI.
  always_comb begin
    bits = high ? {~32'd0, 32'd0} : {32'd0, ~32'd0};
    if (register == pmuv3_pkg::RegPmcr) bits[31:pmuv3_pkg::PmcrNLsb] = '0;
  end

  always_comb begin
    prdata_o = 32'd0;
    if (read) begin
      if (register == Here) prdata_o = here;
      else prdata_o = high ? rdata_i[63:32] : rdata_i[31:0];
    end
  end
  assign pready_o  = !busy_i;
  assign pslverr_o = last && error;

endmodule

`default_nettype wire
