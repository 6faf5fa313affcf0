#!/usr/bin/env python3
"""A random module of what --prove reads of SystemVerilog. Usage: random_module.py NAME SEED

Nothing that it shows depends on what is read beyond a variable, on a division by zero or on an order of processes. It
also writes beyond variables and members. IEEE 1800 has it that nothing is written; what Verilator writes, and what
--prove reads, must be the same.
"""

import random
import sys

PROCESSES = 2
INPUTS = {
    "a": "logic [7:0]",
    "b": "logic signed [7:0]",
    "c": "logic [4:0]",
    "d": "logic signed [15:0]",
    "e": "logic",
    "f": "logic [31:0]",
    "g": "logic [2:0]",
}
# The variables of a process, each with its first value, what is read of it, and what is written.
VARIABLES = {
    "s": (
        "parts_t s",
        "f[22:0]",
        "s; s.x; s.y; s.z[1]",
        "s; s.x; s.y; s.z[1]; s.z[g]; s.z[c[1:0]][e]; s.z[1][g[1:0]]; s.y[g]; s.y[g +: 3]; s.x[a[1:0] +: 2]",
    ),
    "u": (
        "either_t u",
        "23'(d)",
        "u.whole; u.parts.y",
        "u.whole; u.parts.x; u.parts.y[2:1]; u.whole[c +: 4]",
    ),
    "p": (
        "logic [2:0][7:0] p",
        "{a, 8'(c), b}",
        "p; p[1]",
        "p; p[2]; p[g[1:0]]; p[e][g]; p[c[1:0]][g[1:0] +: 4]; p[g[0] +: 2]; p[1][5:3]",
    ),
    "r": ("logic [0:11] r", "12'(d)", "r; r[3:5]", "r; r[2:6]; r[g]; r[g +: 3]; r[c]; r[c -: 2]"),
    "n": ("logic signed [9:2] n", "a", "n; n[6 -: 4]", "n; n[5:3]; n[g +: 2]; n[9 -: 3]"),
    "k": ("logic [-1:-6] k", "6'(c)", "k; k[-3:-4]", "k; k[-2:-4]; k[-6 + c[1:0]]"),
    "t": (
        "logic [15:0] t",
        "d",
        "t",
        "t; t[c[3:0]]; t[a[4:0] +: 4]; t[15 -: 5]; t[f[2:0] * 2 +: 2]; t[g * 3 +: 3]",
    ),
    "m": (
        "logic [7:0] m[4]",
        "'{a, b, 8'(c), 8'(g)}",
        "m[g[1:0]]; m[2]",
        "m[g[1:0]]; m[g]; m[1][3:2]; m[e][g]; m[c[2:1]][g[1:0] +: 3]",
    ),
    "l": ("logic [4:0] l[3:1]", "'{c, 5'd3, 5'(g)}", "l[2]", "l[g]; l[2]; l[c[1:0]][3:1]; l[d[1:0]]"),
}
ARRAYS = {"m", "l"}
READS = [*INPUTS] + [read for _, _, reads, _ in VARIABLES.values() for read in reads.split("; ")]
SHOWN = """32'(s) ^ 32'(u) * 3 ^ {p, 8'b0} ^ 32'(r) << 7 ^ 32'(unsigned'(n)) << 11 ^ 32'(k) << 20
    ^ 32'(t) * 32'h10001 ^ {m[0], m[1], m[2], m[3]} ^ 32'({l[1], l[2], l[3]}) << 9"""

BINARY = "+ - * & | ^ < <= > >= == != && ||".split()
UNARY = "~ ! - & | ^ ~^ $signed $unsigned $countones signed' 3' 7' 9' 20'".split()
PARTS = ["f[c]", "a[g]", "f[{g, 2'b0} +: 4]", "d[5 + c[1:0] -: 3]", "b[5:2]"]
DIVISORS = ["8'd7", "12'd7", "5'sd7"]
DIGITS = {"case": "01", "casez": "01?", "casex": "01?x"}


class Process:
    """A process, with a function and a task that it calls."""

    def __init__(self, generator, place):
        self.random = generator
        self.place = place
        self.choice = generator.choice
        self.is_clocked = self.chance(50)
        self.later = {name for name in VARIABLES if self.is_clocked and self.chance(60)}  # assigned by <=
        self.loops = []  # the variables of the loops around a statement
        self.num_loops = 0

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # ---- Expressions ----

    def literal(self):
        width = self.choice([1, 2, 3, 4, 7, 8, 16, 32, 33])
        return f"{width}'{self.choice(['', 's'])}h{self.random.getrandbits(width):x}"

    def expression(self, reads, depth):
        if depth == 0 or self.chance(12):
            return self.literal() if self.chance(20) else self.choice(reads)
        first, second, third = (self.expression(reads, depth - 1) for _ in range(3))
        kind = self.random.randrange(11)
        if kind < 4:
            return f"({first} {self.choice(BINARY)} {second})"
        if kind < 6:
            return f"({self.choice(UNARY)}({first}))"
        return {
            6: f"({first} ? {second} : {third})",
            7: self.choice([f"{{{first}, {second}}}", f"{{3{{{first}}}}}"]),
            8: f"({first} {self.choice('/%')} {self.choice(DIVISORS)})",
            9: f"({first} {self.choice(['<<', '>>', '>>>'])} 5'({second}))",
            10: self.choice(PARTS),
        }[kind]

    def value(self, depth=3):
        return self.expression(READS + self.loops, self.random.randint(1, depth))

    # ---- Assignments ----

    def operator(self, name):
        return "<=" if name in self.later else "="

    def assignment(self):
        """Verilator does not take <= to arrays in loops."""
        refused = ARRAYS & self.later if self.loops else set()
        name = self.choice([name for name in VARIABLES if name not in refused])
        target = self.choice(VARIABLES[name][3].split("; "))
        if name not in self.later and "[" not in target and self.chance(15):
            return f"{target} {self.choice(['+=', '-=', '^=', '<<=', '>>='])} {self.value(2)};"
        return f"{target} {self.operator(name)} {self.value()};"

    def two(self):
        """Two whole variables in one assignment."""
        first, second = self.random.sample([name for name in VARIABLES if name not in ARRAYS], 2)
        if (first in self.later) != (second in self.later):
            return self.assignment()
        return f"{{{first}, {second}}} {self.operator(first)} {self.value()};"

    def call(self):
        if self.chance(50) and not {"n", "p"} & self.later:
            return f"t{self.place}({self.value(2)}, n, p);"
        return f"t {self.operator('t')} f{self.place}({self.value(2)}, {self.value(2)});"

    # ---- Statements ----

    def branch(self, depth):
        otherwise = f" else {self.block(depth)}" if self.chance(60) else ""
        return f"if ({self.value(2)}) {self.block(depth)}{otherwise}"

    def label(self, word, width):
        if self.chance(25):
            return f"{width}'({self.value(1)})"
        return f"{width}'b{''.join(self.choice(DIGITS[word]) for _ in range(width))}"

    def case(self, depth):
        word, width = self.choice([*DIGITS]), self.choice([3, 4, 5])
        labels = [
            ", ".join(self.label(word, width) for _ in range(self.choice([1, 1, 2])))
            for _ in range(self.random.randint(1, 4))
        ]
        if self.chance(60):
            labels.insert(self.random.randint(0, len(labels)), "default")
        selector = self.loops[-1] if self.loops and self.chance(50) else self.value(2)
        items = "\n".join(f"{label}: {self.block(depth)}" for label in labels)
        return f"{word} ({width}'({selector}))\n{items}\nendcase"

    def loop(self, depth):
        self.num_loops += 1
        j = f"j{self.num_loops}"
        head = self.choice([f"{j} = 0; {j} < 4; {j}++", f"{j} = 3; {j} >= 0; {j}--", f"{j} = 1; {j} < 9; {j} += 3"])
        self.loops.append(j)
        jump = f"if ({self.value(2)}) {self.choice(['break', 'continue'])};" if self.chance(70) else ""
        name, last = self.choice([("t", f"t[{j}[3:0]]"), ("p", f"p[{j}[1:0]]"), ("s", f"s.z[{j}]")])
        lines = [self.block(depth), jump, self.block(depth), f"{last} {self.operator(name)} {self.value(2)};"]
        self.loops.remove(j)
        return "\n".join([f"for (int {head}) begin", *lines, "end"])

    def statement(self, depth):
        kind = self.random.randrange(14)
        if depth == 0 or kind < 5:
            return self.assignment()
        if kind == 5:
            return self.two()
        if kind < 8:
            return self.branch(depth - 1)
        if kind < 11:
            return self.case(depth - 1)
        return self.loop(depth - 1) if kind < 13 and not self.loops else self.call()

    def block(self, depth):
        return "\n".join(["begin", *(self.statement(depth) for _ in range(self.choice([1, 1, 2, 3]))), "end"])

    # ---- The process ----

    def routines(self):
        reads = [*INPUTS, "x", "y", "r"]
        values = [self.expression(reads, 2) for _ in range(7)]
        jump = self.choice(["break", "continue", f"return {values[0]}"])
        other = self.choice(["break", "continue", "return r", "r = r + 1"])
        return f"""
function automatic logic [15:0] f{self.place}(logic signed [8:0] x, logic [5:0] y);
  logic [15:0] r;
  r = 16'(x);
  for (int q = 0; q < 4; q++) begin
    if ({values[1]}) {jump};
    r ^= {values[2]};
    if (y[q]) {other};
    r = r + 16'(q);
  end
  if ({values[3]}) return {values[4]};
  return {values[5]};
endfunction
task automatic t{self.place}(input logic [6:0] x, output logic signed [7:0] y, inout logic [2:0][7:0] r);
  y = 8'(x);
  if (x[0]) return;
  r[x[4:3] % 3] = r[1] + 8'(x);
  y = {values[6]};
endtask"""

    def body(self):
        lines = "\n".join(self.block(2) for _ in range(3))
        if not self.is_clocked:
            begin = " ".join(f"{name} = {first};" for name, (_, first, _, _) in VARIABLES.items())
            return f"always_comb begin\n{begin}\n{lines}\nend"
        zero = {name: "'{default: 0}" if name in ARRAYS else "0" for name in VARIABLES}
        reset = " ".join(f"{name} {self.operator(name)} {zero[name]};" for name in VARIABLES)
        return f"always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) begin {reset} end else begin\n{lines}\nend"

    def text(self):
        variables = " ".join(f"{declared};" for declared, _, _, _ in VARIABLES.values())
        return f"""{self.routines()}
if (1) begin : g_{self.place}
{variables}
{self.body()}
assign o[{self.place}] = {SHOWN};
end"""


def main():
    name, seed = sys.argv[1], int(sys.argv[2])
    generator = random.Random(seed)
    inputs = "".join(f"  input {kind} {port},\n" for port, kind in INPUTS.items())
    print(f"""module {name} (
  input logic clk_i,
  input logic rst_ni,
{inputs}  output logic [{PROCESSES - 1}:0][31:0] o
);
typedef struct packed {{logic [3:0] x; logic {generator.choice(['', 'signed'])} [6:0] y; logic [2:0][3:0] z;}} parts_t;
typedef union packed {{logic [22:0] whole; parts_t parts;}} either_t;""")
    for place in range(PROCESSES):
        print(Process(generator, place).text())
    print("endmodule")


main()
