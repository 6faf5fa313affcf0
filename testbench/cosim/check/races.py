#!/usr/bin/env python3
"""What one clocked process of a device assigns by =, and another process of the same edge reads: the order of the two
decides, and simulators, Verilator among them, take one of the orders.

  races.py XML TOP    what Verilator's --xml-only --flatten wrote. Prints a line for the first one

An edge that both processes read is a reset's, at which they read constants. A variable that a process assigns by =
itself is its own, as the index of a loop: it is assigned before it is read.
Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here / 'prove')]
import script
import verilator_xml
from names import Names


class Races(Names):
    def __init__(self, root, top):
        self.module = root.find('netlist/module')
        self.scope, self.top = self.module.find('topscope/scope'), top
        self.clocked = [node for node in self.scope if node.tag == 'always' and self.is_edged(node)]
        self.next = {}  # variable: what follows from it without a clock
        for node in self.scope:
            if node.tag in ('contassign', 'assignalias'):
                self.add(self.reads(node[0]), map(self.name, self.bases(node[1])))
            elif node.tag == 'always' and not self.is_edged(node):
                self.add(self.body_reads(node), self.assigned(node))

    def add(self, sources, targets):
        targets = set(targets)
        for source in sources:
            self.next.setdefault(source, set()).update(targets)

    def find(self):
        """(variable, process that assigns it, process that reads it) of the first race, or None"""
        own = [self.at_once(node) for node in self.clocked]
        reads, edges = list(map(self.body_reads, self.clocked)), list(map(self.edges, self.clocked))
        for one, names in enumerate(own):
            follows = self.followers(names)
            for other in range(len(own)) if names else ():
                raced = reads[other] & follows - own[other]
                if other != one and raced and edges[one] & edges[other]:
                    return min(raced), self.clocked[one], self.clocked[other]
        return None

    def at_once(self, node):
        return {self.name(base) for statement in node.iter('assign') for base in self.bases(statement[1])}

    def followers(self, names):
        """The variables, and all that follow from them without a clock"""
        follows, left = set(names), list(names)
        while left:
            more = self.next.get(left.pop(), set()) - follows
            follows |= more
            left += more
        return follows

    def body_reads(self, process):
        return {name for child in process if child.tag != 'sentree' for name in self.reads(child)}

    def edges(self, process):
        """Of clocks alone"""
        read = self.body_reads(process)
        items = [(item.get('edgeType'), self.name(item[0])) for item in process.iter('senitem')
                 if len(item) and item[0].tag == 'varref']
        return {(edge, name) for edge, name in items if name not in read}


def main(arguments):
    if len(arguments) != 2:
        print('races.py: expected the file that Verilator wrote, and the top module', file=sys.stderr)
        return 2
    root = verilator_xml.read(arguments[0])
    files = {file.get('id'): file.get('filename') for file in root.iter('file')}
    race = Races(root, arguments[1]).find()
    if race:
        name, *processes = race
        places = [node.get('loc').split(',') for node in processes]
        one, other = (f'{files[file]}:{line}' for file, line, *_ in places)
        print(f"'{name}' has a race: by = the process of {one} assigns it, or what it follows from, and that of "
              f'{other} reads it')
    return 0


if __name__ == '__main__':
    script.run(main)
