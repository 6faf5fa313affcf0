// The changes that a write of a System register makes in other stages: to counters, to overflow
// flags, and to the snapshot.
//
// Timing: combinational. Stateless.
//
// Pairs of bits {F0, C} are those of the instruction counter and the cycle counter.
`default_nettype none

module pmuv3_changes #(
  parameter int unsigned Lanes = 31  // event counters
) (
  input wire pmuv3_types_pkg::access_t access_i,
  // In registers with a bit for each counter, as in PMCNTENSET
  input wire logic [32:0] counters_i,  // implemented and in reach
  input wire logic [32:0] selected_i,  // the bits that are written as 1
  input wire logic [32:0] dropped_i,   // the bits that a replacing write clears

  output logic [pmuv3_types_pkg::ChangeWidth*Lanes-1:0] changes_o,  // changes_t
  output pmuv3_types_pkg::change_t cycle_change_o,
  output pmuv3_types_pkg::change_t instruction_change_o,
  output logic                     capture_o  // PMSSCR.SS
);

  `PMUV3_CHANGES_T(Lanes)
  changes_t changes;

  // The address of PMEVCNTR<n> has n in the low bits.
  logic [4:0]  addr_n;
  logic [31:0] reached;  // event counters
  logic [63:0] wdata, bits;
  assign addr_n  = access_i.addr[4:0];
  assign reached = {1'b0, counters_i[30:0]};
  assign wdata   = access_i.wdata;
  assign bits    = access_i.bits;

  logic [Lanes-1:0] counter_zero, counter_write, overflow_set, overflow_clear, swinc;
  logic [1:0]       fixed_zero, fixed_write, fixed_overflow_set, fixed_overflow_clear;
  always_comb begin
    counter_zero         = '0;
    fixed_zero           = 2'b00;
    overflow_set         = '0;
    overflow_clear       = '0;
    fixed_overflow_set   = 2'b00;
    fixed_overflow_clear = 2'b00;
    swinc                = '0;
    counter_write        = '0;
    fixed_write          = 2'b00;
    capture_o            = 1'b0;
    if (access_i.write) begin
      if (reached[addr_n]) begin
        counter_write = Lanes'({access_i.addr[15:5], 5'd0} == pmuv3_pkg::RegPmevcntr) << addr_n;
      end
      unique case (access_i.addr)
        pmuv3_pkg::RegPmcr: begin
          if (bits[pmuv3_pkg::PmcrPLsb] && wdata[pmuv3_pkg::PmcrPLsb]) begin
            counter_zero = counters_i[Lanes-1:0];
          end
          fixed_zero[0] = bits[pmuv3_pkg::PmcrCLsb] && wdata[pmuv3_pkg::PmcrCLsb];
        end
        pmuv3_pkg::RegPmzr: begin
          {fixed_zero, counter_zero} = {selected_i[32:31], selected_i[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmswinc: swinc = selected_i[Lanes-1:0];
        pmuv3_pkg::RegPmovsset: begin
          {fixed_overflow_set, overflow_set}     = {selected_i[32:31], selected_i[Lanes-1:0]};
          {fixed_overflow_clear, overflow_clear} = {dropped_i[32:31], dropped_i[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmovsclr: begin
          {fixed_overflow_clear, overflow_clear} = {selected_i[32:31], selected_i[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmsscr: begin
          capture_o = bits[pmuv3_pkg::PmsscrSsLsb] && wdata[pmuv3_pkg::PmsscrSsLsb];
        end
        pmuv3_pkg::RegPmccntr: fixed_write[0] = counters_i[31];
        pmuv3_pkg::RegPmicntr: fixed_write[1] = counters_i[32];
        default: ;
      endcase
    end
  end

  assign changes.zero           = counter_zero;
  assign changes.write          = counter_write;
  assign changes.overflow_set   = overflow_set;
  assign changes.overflow_clear = overflow_clear;
  assign changes.swinc          = swinc;
  assign cycle_change_o         = {fixed_zero[0], fixed_write[0], fixed_overflow_set[0],
                                   fixed_overflow_clear[0]};
  assign instruction_change_o   = {fixed_zero[1], fixed_write[1], fixed_overflow_set[1],
                                   fixed_overflow_clear[1]};
  assign changes_o              = changes;

  logic unused_bits;
  assign unused_bits = ^{access_i, counters_i, selected_i, dropped_i};

endmodule

`default_nettype wire
