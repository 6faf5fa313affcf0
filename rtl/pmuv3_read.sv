// The read multiplexer: what a read of a System register returns.
//
// Timing: combinational. Stateless. It is evaluated only with a read, so that a cycle without
// accesses costs a simulator nothing.
//
// The accessing port has decided that the register exists. Bits and counters out of reach read
// as 0.
`default_nettype none

module pmuv3_read #(
  parameter int unsigned Lanes = 31  // event counters
) (
  input wire pmuv3_types_pkg::access_t access_i,
  input wire logic [32:0]              counters_i,  // implemented and in reach, as in PMCNTENSET

  input wire logic [63:0]              pmceid0_i,
  input wire logic [63:0]              pmceid1_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,
  input wire pmuv3_types_pkg::others_t others_i,
  input wire logic [pmuv3_types_pkg::ControlWidth*Lanes-1:0] controls_i,  // controls_t
  input wire logic [64*Lanes-1:0] value_i,
  input wire logic [64*Lanes-1:0] evtyper_i,
  input wire logic [64*Lanes-1:0] svr_i,
  input wire logic [Lanes-1:0]    overflow_i,

  output logic [63:0] rdata_o
);

  `PMUV3_CONTROLS_T(Lanes)
  controls_t controls;
  assign controls = controls_i;

  logic        read;
  logic [15:0] addr;
  assign read = access_i.read;
  assign addr = access_i.addr;

  // The addresses of PMEVCNTR<n>, PMEVTYPER<n> and PMEVCNTSVR<n> have n in the low bits.
  logic [4:0]  addr_n;
  logic [15:0] addr_n0;
  logic [31:0] reached;  // event counters
  assign addr_n  = addr[4:0];
  assign addr_n0 = {addr[15:5], 5'd0};
  assign reached = {1'b0, counters_i[30:0]};

  // What the default does stands behind the case: see pmuv3_access.
  logic [63:0] rdata;
  logic        numbered;  // of event counter n
  always_comb begin
    rdata    = 64'd0;
    numbered = 1'b0;
    if (read) begin
      unique case (addr)
        pmuv3_pkg::RegPmcr: begin
          rdata = regs_i.pmcr;
          rdata[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = access_i.n;
        end
        pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr: begin
          rdata[32:31]     = regs_i.fixed_enable;
          rdata[Lanes-1:0] = controls.enable;
          rdata[32:0]     &= counters_i;
        end
        pmuv3_pkg::RegPmintenset, pmuv3_pkg::RegPmintenclr: begin
          rdata[32:31]     = regs_i.fixed_interrupt_enable;
          rdata[Lanes-1:0] = controls.interrupt_enable;
          rdata[32:0]     &= counters_i;
        end
        pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr: begin
          rdata[32:31]     = others_i.fixed_overflow;
          rdata[Lanes-1:0] = overflow_i;
          rdata[32:0]     &= counters_i;
        end
        pmuv3_pkg::RegPmselr:    rdata = regs_i.pmselr;
        pmuv3_pkg::RegPmuserenr: rdata = regs_i.pmuserenr;
        pmuv3_pkg::RegPmuacr:    rdata = regs_i.pmuacr & {31'd0, counters_i};
        pmuv3_pkg::RegPmecr:     rdata = regs_i.pmecr;
        pmuv3_pkg::RegPmiar:     rdata = regs_i.pmiar;
        pmuv3_pkg::RegPmsscr:    rdata = others_i.pmsscr;
        pmuv3_pkg::RegMdcrEl2:   rdata = regs_i.mdcr_el2;
        pmuv3_pkg::RegMdcrEl3:   rdata = regs_i.mdcr_el3;
        pmuv3_pkg::RegSder32El3: rdata = regs_i.sder;
        pmuv3_pkg::RegPmccntr:   if (counters_i[31]) rdata = others_i.pmccntr;
        pmuv3_pkg::RegPmccfiltr: if (counters_i[31]) rdata = regs_i.pmccfiltr;
        pmuv3_pkg::RegPmccntsvr: if (counters_i[31]) rdata = others_i.pmccntsvr;
        pmuv3_pkg::RegPmicntr:   if (counters_i[32]) rdata = others_i.pmicntr;
        pmuv3_pkg::RegPmicfiltr: if (counters_i[32]) rdata = regs_i.pmicfiltr;
        pmuv3_pkg::RegPmicntsvr: if (counters_i[32]) rdata = others_i.pmicntsvr;
        pmuv3_pkg::RegPmceid0:   rdata = pmceid0_i;
        pmuv3_pkg::RegPmceid1:   rdata = pmceid1_i;
        pmuv3_pkg::RegPmmir:     rdata = regs_i.pmmir;
        default: numbered = 1'b1;
      endcase
      if (numbered && reached[addr_n]) begin
        unique case (addr_n0)
          pmuv3_pkg::RegPmevcntr:   rdata = value_i[64*addr_n+:64];
          pmuv3_pkg::RegPmevtyper:  rdata = evtyper_i[64*addr_n+:64];
          pmuv3_pkg::RegPmevcntsvr: rdata = svr_i[64*addr_n+:64];
          default: ;
        endcase
      end
    end
  end
  assign rdata_o = rdata & access_i.bits;

  logic unused_bits;
  assign unused_bits = ^{access_i, regs_i, others_i, controls};

endmodule

`default_nettype wire
