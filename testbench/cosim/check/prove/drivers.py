"""What drives each variable of a device, and what reads it. Refuses what Verilator and Yosys take in two ways."""

from dtypes import Refused
from statements import Statements

TWO_DRIVERS = 'two drivers, or a driver and an initial value'


class Drivers(Statements):
    def expect_drivers(self):
        self.expect_one_operator()
        self.expect_no_race()
        self.expect_one_driver()

    def expect_waits(self, node):
        """A process that lists what it waits for, and leaves out what it reads, keeps an old value. So it reads the old
        value of what it assigns by <=, and of what another process or statement assigns a part of."""
        items = node.findall('sentree/senitem')
        if not any(item.get('edgeType') in ('CHANGED', 'ANYEDGE') for item in items):
            return
        listed = {self.name(item[0]) for item in items if len(item) and item[0].tag == 'varref'}
        body = {name for child in node if child.tag != 'sentree' for name in self.reads(child)}
        own = set(self.assigned(node, ('assign',))) - self.assigned_elsewhere(node)
        if body - listed - own:
            raise Refused(f'a process that reads "{min(body - listed - own)}" and does not wait for it')

    def assigned_elsewhere(self, process):
        """Variables of which something but a process assigns at least a part"""
        return {name for node in self.scope if node is not process for name in self.reached(node)}

    def expect_one_operator(self):
        """What is assigned by both = and <= has the value of the <= in Verilog, and of the last one in Yosys. Verilator
        takes the whole variable."""
        clocked = [node for node in self.scope.findall('always') if self.is_edged(node)]
        for processes in (clocked, *([node] for node in self.scope if node not in clocked)):
            at_once, delayed = (set().union(*(self.assigned(node, (tag,)) for node in processes))
                                for tag in ('assign', 'assigndly'))
            if at_once & delayed:
                raise Refused(f'"{min(at_once & delayed)}", which is assigned by both = and <=')

    def expect_no_race(self):
        """What a clocked process assigns at once, another one reads before or after."""
        clocked = [node for node in self.scope.findall('always') if self.is_edged(node)]
        others = [node for node in self.scope if node.tag in ('always', 'contassign', 'assignalias') and
                  not self.is_edged(node)]
        for process in clocked:
            own = {self.name(base) for statement in process.iter('assign') for base in self.bases(statement[1])}
            follows, before = set(own), None
            while follows != before:
                before = set(follows)
                for node in others:
                    if self.reads(node) & follows:
                        targets = self.assigned(node) if node.tag == 'always' else map(self.name, self.bases(node[1]))
                        follows |= set(targets)
            for node in clocked:
                races = self.reads(node) & follows - (own if node is process else set())
                if races:
                    raise Refused(f'"{min(races)}", which follows from an assignment by = in one clocked process, '
                                  'and is read by another')

    def expect_one_driver(self):
        """Verilator takes one of two drivers. Yosys takes a constant, and gives an initial value to all names of a wire."""
        begun = {name for name, var in self.variables.items() if var.find('const') is not None}
        driven, followed = {}, set()
        for node in self.scope:
            if node.tag in ('initial', 'initialstatic'):
                begun |= set(self.assigned(node))
            elif node.tag in ('contassign', 'always'):
                reached = self.reached(node)
                twice = [name for name, bits in reached.items() if driven.get(name, 0) & bits]
                if twice:
                    raise Refused(f'"{min(twice)}", which has {TWO_DRIVERS}')
                driven.update({name: driven.get(name, 0) | bits for name, bits in reached.items()})
                followed |= set() if self.is_edged(node) else set(reached)
        if begun & followed:
            raise Refused(f'"{min(begun & followed)}", which has {TWO_DRIVERS}')

    def reached(self, node):
        """The bits of each variable that a process or a continuous assignment may reach, as a mask"""
        masks = {}
        for statement in node.iter():
            if statement.tag in ('assign', 'assigndly', 'contassign'):
                for part in self.parts(statement[1]):
                    name = self.name(self.bases(part)[0])
                    masks[name] = masks.get(name, 0) | self.bits(part)
        return masks

    def parts(self, node):
        """What an assignment assigns, without concatenations"""
        return [part for child in node for part in self.parts(child)] if node.tag == 'concat' else [node]

    def bits(self, node):
        """The bits of its variable that an assignment may reach, as a mask; elements of an array follow each other"""
        if node.tag == 'varref':
            _, size, element = self.types.array(node.get('dtype_id')) or (0, 1, node.get('dtype_id'))
            return (1 << size * self.types.width(element)) - 1
        inner, at, width = self.bits(node[0]), self.value(node[1]), self.width(node)
        if at is None or not self.is_fixed(node[0]):
            return inner
        lowest = (inner & -inner).bit_length() - 1
        return ((1 << width) - 1) << lowest + at * (width if node.tag == 'arraysel' else 1) & inner

    def is_fixed(self, node):
        return node.tag == 'varref' or self.value(node[1]) is not None and self.is_fixed(node[0])
