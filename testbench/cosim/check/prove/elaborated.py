#!/usr/bin/env python3
"""Writes a device as plain Verilog for Yosys, from what Verilator made of its RTL.

  elaborated.py XML FOLDER TOP CLOCK [RESET low|high]...

XML is the output of `verilator --xml-only --flatten --debugi 1`. So a device can have all the SystemVerilog that
Verilator takes, and what is proved is what is simulated. Standard output gets one flat module TOP. FOLDER has the
preprocessed RTL, as that command left it.

All registers are clocked by the rising edge of the port CLOCK. A port RESET is looked at when CLOCK
rises: the proof starts after clocks of a reset, and has none later. low or high is where it resets.

What Verilog leaves open is anything: x, an index beyond an array, a variable before it is assigned.
Such a value is a wire `any_N` without a driver. So is a variable that nothing drives.

Exit status: 0 success; after one line 2 or 4: something that cannot be written for Yosys. 4: the edges and the drivers
of all processes are such that another reader of the RTL may write it.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[up]) for up in (1, 3)]
import script
import verilator_xml
from drivers import Drivers
from dtypes import Refused
from names import escaped
from preprocessed import Preprocessed

MISTAKES = (AttributeError, IndexError, KeyError, TypeError, ValueError)  # of this script


class Device(Drivers):
    def __init__(self, root, rtl, top, clock, resets):
        super().__init__(root, rtl, top)
        self.clock, self.resets = clock, resets  # names of ports; what each reset is active at
        self.ports = [self.name(var) for var in self.module.findall('var') if var.get('dir')]
        self.aliases = self.find_aliases()
        self.changed = self.assigned_in('always')
        self.procedural = self.changed | self.assigned_in('initial', 'initialstatic')

    def is_sound(self):
        """Whether no process is one that Verilator and Yosys take in two ways"""
        try:
            self.expect_drivers()
            for node in self.scope.findall('always'):
                self.expect_clocked_or_waiting(node)
        except (Refused, *MISTAKES):
            return False
        return True

    def print(self):
        self.expect_drivers()
        self.declare_ports()
        self.declare_variables()
        for node in self.scope:
            self.item(node)
        print(f'module {escaped(self.top)}({", ".join(escaped(port) for port in self.ports)});')
        print(*self.declarations, *self.items, 'endmodule', sep='\n')

    def assigned_in(self, *tags):
        return {name for node in self.scope if node.tag in tags for name in self.assigned(node)}

    # ---- Variables ----

    def declare_ports(self):
        for var in self.module.findall('var'):
            if var.get('dir'):
                width = self.types.width(var.get('dtype_id'))
                self.declarations.append(f'{var.get("dir")} [{width - 1}:0] {escaped(self.name(var))};')

    def declare_variables(self):
        for name, var in self.variables.items():
            kind = 'reg' if name in self.procedural else 'wire'
            if name in self.ports:
                if kind == 'reg':
                    self.declare(name, var.get('dtype_id'), kind)
                continue
            if var.find('initarray') is not None:
                raise Refused('an array of constants')
            constant = var.find('const')
            self.declare(name, var.get('dtype_id'), kind, None if kind == 'reg' else constant)
            if kind == 'reg' and constant is not None:
                self.items.append(f'initial {escaped(name)} = {self.constant(constant)};')

    def declare(self, variable, type_id, kind, constant=None):
        value = f' = {self.expression(constant)}' if constant is not None else ''
        for name, own_type in self.names(variable, type_id):
            self.declarations.append(f'{kind} [{self.types.width(own_type) - 1}:0] {escaped(name)}{value};')

    def find_aliases(self):
        """What each name of the clock or of a reset is, as a port."""
        aliases, links = {}, {}
        for node in self.scope:
            if node.tag not in ('contassign', 'assignalias') or node[0].tag != 'varref' or node[1].tag != 'varref':
                continue
            if self.name(node[0]) != self.name(node[1]):
                links[self.name(node[1])] = self.name(node[0])
        for name in links:
            at, seen = name, set()
            while at in links and at not in seen:
                seen.add(at)
                at = links[at]
            aliases[name] = at
        return aliases

    # ---- Processes ----

    def item(self, node):
        if node.tag == 'always':
            self.process(node)
        elif node.tag in ('initial', 'initialstatic'):
            self.initial(node)
        elif node.tag in ('contassign', 'assignalias'):
            if not node[0].tag == node[1].tag == 'varref' or self.name(node[0]) != self.name(node[1]):
                self.continuous(node)
        elif node.tag not in ('varscope', 'comment'):
            raise Refused(f'"{node.tag}"')

    def process(self, node):
        self.is_procedural, self.constants, self.locals, outside = True, {}, [], self.hoisted
        clocked = self.expect_clocked_or_waiting(node)
        self.delayed = '<=' if clocked else '='  # as Verilator takes it
        first = self.unassigned(node, clocked)
        lines = self.block(child for child in node if child.tag != 'sentree')
        head = f'always @(posedge {escaped(self.clock)})' if clocked else 'always @*'
        first += [f'{name} = 0;' for name in self.locals]
        self.items += [f'{head} begin', *first, *lines, 'end']
        self.is_procedural, self.hoisted, self.constants = False, outside, {}

    def expect_clocked_or_waiting(self, process):
        """Whether it is clocked"""
        tree = process.find('sentree')
        clocked = tree is not None and self.is_clocked(tree)
        if not clocked:
            self.expect_waits(process)
        return clocked

    def is_clocked(self, tree):
        edges = []
        for item in tree.findall('senitem'):
            edge = item.get('edgeType')
            if edge in (None, 'CHANGED', 'ANYEDGE', 'COMBO'):
                continue
            if len(item) == 0 or item[0].tag != 'varref':
                raise Refused('a register with an edge of an expression')
            name = self.name(item[0])
            edges.append((edge, self.aliases.get(name, name)))
        if not edges:
            return False
        if len(edges) < len(tree.findall('senitem')):
            raise Refused('a register with an edge and a level')
        rising = [name for edge, name in edges if edge == 'POS' and name == self.clock]
        others = [(edge, name) for edge, name in edges if not (edge == 'POS' and name == self.clock)]
        if len(rising) != 1:
            raise Refused(f'a register that the rising edge of "{self.clock}" does not clock')
        for edge, name in others:
            if name not in self.resets:
                raise Refused(f'a register with an edge of "{name}", which is no reset')
            if edge != {'low': 'NEG', 'high': 'POS'}[self.resets[name]]:
                raise Refused(f'a register with the edge of "{name}" at which a reset ends')
        return True

    def unassigned(self, node, clocked):
        """Until it is assigned, a variable of a combinational process, or of a function, is anything. Names of what is
        in no RTL begin with __V; those of connections of an instance may be of its registers."""
        lines = []
        for name, var in self.assigned(node).items():
            if clocked and (not name.startswith('__V') or name.startswith('__Vcell')):
                continue
            lines += [f'{escaped(own)} = {self.any(self.types.width(own_type))};'
                      for own, own_type in self.names(name, var.get('dtype_id'))]
        return lines

    def initial(self, node):
        """Yosys takes the initial value of what is no register for anything. So where an initial block computes
        constants alone, it becomes a combinational process. It must not read what may change later."""
        assigned = set(self.assigned(node))
        has_constants = not self.changed & assigned and self.reads(node) <= assigned
        head = 'always @*' if has_constants else 'initial'
        self.is_procedural, self.constants, outside = True, {}, self.hoisted
        self.delayed = '='
        lines = self.block(node)
        self.items += [f'{head} begin', *lines, 'end']
        self.is_procedural, self.hoisted, self.constants = False, outside, {}

    def continuous(self, node):
        for condition, name in self.targets(node[1]):
            if condition:
                raise Refused('an assignment to an element whose index varies')
            self.items.append(f'assign {name} = {self.expression(node[0])};')


def main(arguments):
    file, folder, top, clock, *resets = arguments
    device = None
    try:
        levels = dict(zip(resets[::2], resets[1::2]))
        device = Device(verilator_xml.read(file), Preprocessed(folder), top, clock, levels)
        device.print()
    except Refused as refused:
        print(f'{refused}', file=sys.stderr)
    except MISTAKES as error:
        print(f'this RTL ({type(error).__name__}: {error})', file=sys.stderr)
    else:
        return 0
    return 4 if device and device.is_sound() else 2


if __name__ == '__main__':
    script.run(main)
