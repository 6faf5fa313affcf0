#!/usr/bin/env python3
"""What one clocked process of a device assigns by =, and another process of the same edge reads: the order of the two
decides, and simulators, Verilator among them, take one of the orders. Likewise bits that two of them assign, or that a
process without a clock and any other one assign. And a clock that a process without a clock assigns by <=: it rises
after all flip-flops of its own clock, but in Verilator with them.

  races.py XML TOP    what Verilator's --xml-only --flatten wrote. Prints a line for the first one

An edge that a process looks at is a reset's, at which it reads constants. What a process has assigned by = before it
reads it is its own, as the index of a loop.
Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import sys
from functools import reduce
from operator import and_

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here / 'prove')]
import script
import verilator_xml
from dtypes import Refused, Types, number
from names import Names
from statements import STATEMENTS

INVERTED = {'POS': 'NEG', 'NEG': 'POS'}
RACE = "'{}' has a race: by = the process of {} assigns it, or what it follows from, and that of {} reads it"
TWICE = "'{}' is assigned at one edge by the processes of {} and {}"
UNCLOCKED = "'{}' is assigned by the processes of {} and {}, of which not both have a clock"
LATE = "'{}' is a clock, which the process of {} assigns by <= without a clock"
PARTS = ('sel', 'arraysel', 'structsel')  # of a variable


def closure(graph, names):
    """Names, and all that the graph leads to from them"""
    found, left = set(names), list(names)
    while left:
        more = graph.get(left.pop(), set()) - found
        found |= more
        left += more
    return found


def shared(places, elements, other_places, other_elements):
    """The variables of which two processes assign the same bits, or of which one assigns all elements, or one whose
    index is constant, and the other an element whose index is not"""
    same = {place[0] for place, bits in places.items() if bits & other_places.get(place, 0)}
    return same | {place[0] for place in places if place[0] in other_elements} | \
        {place[0] for place in other_places if place[0] in elements}


def overlap(one, bits, other, other_bits):
    """Whether two places of a variable share bits. A shorter place is all that the longer one is a part of."""
    return bits & other_bits if one == other else one == other[:len(one)] or other == one[:len(other)]


class Reads(Names):
    """What a process reads before it has assigned it"""

    def place(self, node):
        """A variable or a part of it whose indexes are constant: (its name and what is taken of it in turn, the bits of
        that). Or None"""
        if node.tag == 'varref':
            return (self.name(node),), self.bits(node)
        if node.tag not in PARTS or any(child.tag != 'const' for child in node[1:]):
            return None
        inner, indexes = self.place(node[0]), [number(child.get('name')) for child in node[1:]]
        if inner and node.tag == 'sel':
            lsb, width = indexes
            return inner[0], (inner[1] & -inner[1]) * ((1 << width) - 1) << lsb
        return inner and ((*inner[0], *(indexes or [node.get('name')])), self.bits(node))

    def bits(self, node):
        """All bits of a variable or an element, as a mask"""
        try:
            return (1 << self.types.width(node.get('dtype_id'))) - 1
        except Refused:  # an array
            return -1

    def sequence(self, nodes, done):
        """(names that are read, {place: its bits that are assigned by =}) when these are done, after `done`"""
        names = set()
        for node in nodes:
            more, done = self.after(node, done)
            names |= more
        return names, done

    def after(self, node, done):
        if node.tag in ('assign', 'assigndly'):
            names = self.before(node[0], done) | self.indexes(node[1], done)
            place = self.place(node[1]) if node.tag == 'assign' else None
            return names, {**done, place[0]: done.get(place[0], 0) | place[1]} if place else done
        if node.tag == 'if':
            return self.branches(self.before(node[0], done), [[child] for child in node[1:]], len(node) > 2, done)
        if node.tag == 'case':
            items = node.findall('caseitem')
            has_default = any(len(item) == 0 or item[0].tag in STATEMENTS for item in items)
            return self.branches(self.before(node[0], done), items, has_default, done)
        if node.tag in STATEMENTS:
            names, behind = self.sequence(node, done)
            return names, behind if node.tag == 'begin' else done
        return self.before(node, done), done

    def branches(self, names, branches, is_one_done, done):
        ends = [self.sequence(branch, done) for branch in branches]
        names = names.union(*(more for more, _ in ends))
        if not is_one_done:
            return names, done
        places = [end for _, end in ends]
        ends = ((name, reduce(and_, (end.get(name, 0) for end in places))) for name in places[0])
        return names, {name: bits for name, bits in ends if bits}

    def before(self, node, done):
        """Names that an expression reads, but for what is in `done`"""
        place = self.place(node)
        if place:
            return set() if self.is_done(node, done) else {place[0][0]}
        return set().union(*(self.before(child, done) for child in node))

    def is_done(self, node, done):
        """Whether all of a place is done, or all of what it is a part of"""
        name, bits = self.place(node)
        return not bits & ~done.get(name, 0) or node.tag in PARTS and self.is_done(node[0], done)

    def indexes(self, target, done):
        """Names that the target of an assignment reads"""
        if target.tag == 'varref':
            return set()
        if target.tag == 'concat':
            return set().union(*(self.indexes(child, done) for child in target))
        return self.indexes(target[0], done).union(*(self.before(child, done) for child in target[1:]))


class Races(Reads):
    def __init__(self, root, top):
        self.types = Types(root.find('.//typetable'))
        self.module = root.find('netlist/module')
        self.scope, self.top = self.module.find('topscope/scope'), top
        self.processes = self.scope.findall('always')
        self.clocked = [node for node in self.processes if self.is_edged(node)]
        self.unclocked = [node for node in self.processes if not self.is_edged(node)]
        self.next, self.origins = {}, {}  # variable: what follows from it without a clock, and what it follows from
        self.same = {}  # variable: (the variable that it is another name of, whether it is inverted)
        self.clocks = {name for node in self.clocked for _, name in self.items(node)}
        for node in self.clocked:  # a clock that is divided by =
            self.add({name for _, name in self.items(node)}, self.at_once(node) & self.clocks)
        for node in self.scope:
            if node.tag in ('contassign', 'assignalias'):
                self.add(self.reads(node[0]), map(self.name, self.bases(node[1])))
                self.note_name(*node)
        for node in self.unclocked:
            self.add(self.reads_of(node), self.assigned(node))

    def add(self, sources, targets):
        targets = set(targets)
        for source in sources:
            self.next.setdefault(source, set()).update(targets)
        for target in targets:
            self.origins.setdefault(target, set()).update(sources)

    def note_name(self, value, target):
        is_inverted = value.tag == 'not'
        value = value[0] if is_inverted else value
        if value.tag == target.tag == 'varref' and self.name(value) != self.name(target):
            self.same[self.name(target)] = self.name(value), is_inverted

    def find(self):
        """(words of a race, its variable, its processes) of the first one, or None"""
        edges = list(map(self.edges, self.clocked))
        read = self.read_somewhere()
        return self.find_late() or self.find_read(edges) or self.find_twice(edges, read) or self.find_unclocked(read)

    def find_late(self):
        """A clock that a process without a clock assigns by <=, or that follows from a variable which gets a clock's
        value by <=. The latch of a clock gate gets the value of its enable."""
        for node in self.unclocked:
            for statement in node.iter('assigndly'):
                names = set(map(self.name, self.bases(statement[1])))
                is_clock = closure(self.origins, self.reads(statement[0])) & self.clocks
                follows = closure(self.next, names) if is_clock else names
                if follows & self.clocks:
                    return LATE, min(follows & self.clocks), [node]
        return None

    def find_twice(self, edges, read):
        """Memories have several ports, so two elements whose indexes are not constant do not count. Nor does what only
        its own processes read, after they have assigned it."""
        writers = [(self.places(node, read), self.elements(node) & read) for node in self.clocked]
        for one, writer in enumerate(writers):
            for other in range(one):
                both = shared(*writer, *writers[other])
                if both and self.meet(edges[one], edges[other]):
                    return TWICE, min(both), [self.clocked[other], self.clocked[one]]
        return None

    def find_unclocked(self, read):
        """Whatever the index, as IEEE 1800 has it for always_comb"""
        writers = {}  # variable: [(place, its bits, process)]
        for node in self.unclocked + self.clocked:
            for place, bits in self.reach(node, read).items():
                others = writers.setdefault(place[0], [])
                against = [other for *taken, other in others
                           if other is not node and not self.is_edged(other) and overlap(place, bits, *taken)]
                if against:
                    return UNCLOCKED, place[0], [against[0], node]
                others.append((place, bits, node))
        return None

    def read_somewhere(self):
        """Also from outside"""
        reads = list(map(self.reads_of, self.processes))
        reads += [self.reads(node[0]) for node in self.scope if node.tag in ('contassign', 'assignalias')]
        return {self.name(var) for var in self.module.findall('var') if var.get('dir')}.union(*reads)

    def places(self, process, read):
        """{place: bits that a process assigns} of variables in `read`"""
        places = {}
        for statement in process.iter():
            place = self.place(statement[1]) if statement.tag in ('assign', 'assigndly') else None
            if place and place[0][0] in read:
                places[place[0]] = places.get(place[0], 0) | place[1]
        loops = self.at_once(process)
        for array, index in self.indexed(process):
            if self.reads(index) <= loops and array in read:
                places[array,] = -1
        return places

    def reach(self, process, read):
        """{place: bits that a process may assign} of variables in `read`"""
        places = {}
        for target in self.targets(process):
            name, bits = self.prefix(target)
            if name[0] in read:
                places[name] = places.get(name, 0) | bits
        return places

    def prefix(self, target):
        """The longest static prefix of a target"""
        return self.place(target) or self.prefix(target[0])

    def targets(self, process):
        """What it assigns, without concatenations"""
        left = [statement[1] for statement in process.iter() if statement.tag in ('assign', 'assigndly')]
        while left:
            target = left.pop()
            if target.tag == 'concat':
                left += target
            else:
                yield target

    def indexed(self, process):
        """(array, index) of elements that a process assigns"""
        for statement in process.iter():
            target = statement[1] if statement.tag in ('assign', 'assigndly') else None
            while target is not None and target.tag in PARTS:
                if target.tag == 'arraysel' and target[1].tag != 'const' and target[0].tag == 'varref':
                    yield self.name(target[0]), target[1]
                target = target[0]

    def elements(self, process):
        """Arrays of which it assigns elements whose indexes are not constant"""
        return {array for array, _ in self.indexed(process)}

    def find_read(self, edges):
        own = [self.at_once(node) for node in self.clocked]
        reads = list(map(self.reads_of, self.clocked))
        for one, names in enumerate(own):
            follows = closure(self.next, names)
            for other in range(len(own)) if names else ():
                raced = reads[other] & follows
                if other != one and raced and self.meet(edges[one], edges[other]):
                    return RACE, min(raced), [self.clocked[one], self.clocked[other]]
        return None

    def at_once(self, node):
        return {self.name(base) for statement in node.iter('assign') for base in self.bases(statement[1])}

    def reads_of(self, process):
        return self.sequence((child for child in process if child.tag != 'sentree'), {})[0]

    # ---- Edges ----

    def edges(self, process):
        """(edge, variable) of clocks alone, unless the process looks at all"""
        items = self.items(process)
        read = closure(self.origins, self.reads_of(process))
        clocks = {(edge, name) for edge, name in items if name not in read}
        return {self.known_as(*item) for item in clocks or items}

    def items(self, process):
        return {(item.get('edgeType'), name) for item in process.iter('senitem') for name in self.reads(item)}

    def known_as(self, edge, name):
        """An edge by the first name of its variable"""
        seen = set()
        while name in self.same and name not in seen:
            seen.add(name)
            name, is_inverted = self.same[name]
            edge = INVERTED.get(edge, edge) if is_inverted else edge
        return edge, name

    def meet(self, some, others):
        """Whether edges may be at one time: of one variable, or of two that follow from a third"""
        return any(one == other or 'BOTH' in (one[0], other[0]) if one[1] == other[1] else
                   closure(self.origins, {one[1]}) & closure(self.origins, {other[1]})
                   for one in some for other in others)


def main(arguments):
    if len(arguments) != 2:
        print('races.py: expected the file that Verilator wrote, and the top module', file=sys.stderr)
        return 2
    root = verilator_xml.read(arguments[0])
    files = {file.get('id'): file.get('filename') for file in root.iter('file')}
    race = Races(root, arguments[1]).find()
    if race:
        words, name, processes = race
        places = [node.get('loc').split(',') for node in processes]
        print(words.format(name, *(f'{files[file]}:{line}' for file, line, *_ in places)))
    return 0


if __name__ == '__main__':
    script.run(main)
