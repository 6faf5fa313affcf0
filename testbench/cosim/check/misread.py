#!/usr/bin/env python3
"""What Verilator 5.006 takes in another way than IEEE 1800 has it, and says nothing: a model of it is another device.

  misread.py XML    what Verilator's --xml-only wrote, without --flatten. Prints a line for the first one

Operands of which one is unsigned are extended with zeros. Verilator extends those of `case` and of `inside` each by its
own sign, and compares ranges of `inside` as unsigned. An `inside` is known by its places: what Verilator makes of an
item has the item's, and of a range the bracket's.
Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here / 'prove')]
import script
import verilator_xml
from dtypes import Types
from statements import STATEMENTS

UNSIGNED = ('gt', 'gte', 'lt', 'lte')
MIXED = 'operands of "case" or "inside" that are signed and unsigned: give the signed one a variable of the full width'

RANGE = 'a range of "inside" of a signed value: compare with its ends instead'


class Device:
    def __init__(self, root):
        self.root, self.types = root, Types(root.find('.//typetable'))
        self.assigning = self.find_assigning()
        self.files = {file.get('id'): file.get('filename') for file in root.iter('file')}

    def find(self):
        """(node, what is misread) of the first one, or None"""
        for node in self.root.find('netlist').iter():
            misread = getattr(self, f'in_{node.tag}', lambda node: None)(node)
            if misread:
                return node, misread
        return None

    def in_case(self, node):
        labels = [child for item in node.findall('caseitem') for child in item if child.tag not in STATEMENTS]
        # A label of a signed constant has lost its sign: what a wider value never has may have been another one.
        is_lost = node[0].tag == 'extend' and any(map(begins_with_one, labels))
        has_range = any(label.tag == 'insiderange' for label in labels)
        if has_range and (node[0].tag == 'extends' or self.is_signed(node[0])):
            return RANGE
        return MIXED if is_lost or self.is_mixed([node[0], *labels]) else None

    def in_eqwild(self, node):
        """An item of `inside`"""
        is_item = node.get('loc') in (node[0].get('loc'), node[1].get('loc'))
        return MIXED if is_item and self.is_mixed(node) else None

    def in_and(self, node):
        """A range of `inside`"""
        is_range = all(end.tag in UNSIGNED and end.get('loc') == node.get('loc') for end in node)
        is_signed = any(value.tag == 'extends' for end in node for value in end) or \
            any(all(map(self.is_signed, end)) for end in node)
        return RANGE if is_range and is_signed else None

    def in_cond(self, node):
        """Verilator does what both sides do."""
        called = {call.get('name') for side in node[1:] for call in side.iter('funcref')}
        return 'a function that assigns a variable of its module, in an operand of "?:"' \
            if called & self.assigning else None

    def find_assigning(self):
        """The functions that assign other variables than their own, by name; Verilator leaves out the path"""
        return {func.get('name') for func in self.root.iter('func')
                if {base_of(statement[1]) for statement in func.iter() if statement.tag in ('assign', 'assigndly')} -
                {var.get('name') for var in func.iter('var')}}

    in_logand = in_and

    def in_packarraydtype(self, node):
        is_misread = self.is_signed_type(node.get('sub_dtype_id'))
        return 'a packed array of signed elements, of which Verilator takes the whole for unsigned' if is_misread else None

    def in_slicesel(self, node):
        array = self.types.array(node[0].get('dtype_id'))
        return 'a slice of an array whose lowest index is not 0' if array and array[0] != 0 else None

    def in_extend(self, node):
        is_misread = node[0].tag in ('streaml', 'streamr')
        return 'a stream that is narrower than what takes it: it belongs to the left' if is_misread else None

    def is_mixed(self, values):
        return any(map(self.may_have_ones, values)) and not all(map(self.is_signed, values))

    def may_have_ones(self, node):
        """Whether a value may have been extended with ones"""
        return node.tag == 'extends' or begins_with_one(node) and self.is_signed(node)

    def is_signed(self, node):
        """Of a constant that is negative Verilator prints no sign, and of one that is not the type is the other's."""
        if node.tag == 'const' and not begins_with_one(node):
            return "'s" in node.get('name')
        return node.tag != 'extend' and self.is_signed_type(node.get('dtype_id'))

    def is_signed_type(self, type_id):
        node = self.types.by_id[type_id]
        inner = node.get('sub_dtype_id')
        if node.tag in ('refdtype', 'enumdtype', 'constdtype'):
            return self.is_signed_type(inner)
        return node.tag == 'basicdtype' and (node.get('signed') == 'true')

    def place(self, node):
        file, line = node.get('loc').split(',')[:2]
        return f'{self.files[file]}:{line}'


def base_of(target):
    while target.tag != 'varref' and len(target):
        target = target[0]
    return target.get('name')


def begins_with_one(node):
    """Whether the highest bit of a constant is 1. Verilator leaves out leading zeros."""
    found = node.tag == 'const' and re.fullmatch(r"(\d+)'s?(?:h([0-9a-f]+)|b([01xz?]+))", node.get('name'))
    if not found:
        return False
    bits = found[3] or bin(int(found[2], 16))[2:]
    return len(bits) == int(found[1]) and bits[0] == '1'


def main(arguments):
    if len(arguments) != 1:
        print('misread.py: expected the file that Verilator wrote', file=sys.stderr)
        return 2
    device = Device(verilator_xml.read(arguments[0]))
    found = device.find()
    if found:
        node, misread = found
        print(f'{device.place(node)}: {misread}')
    return 0


if __name__ == '__main__':
    script.run(main)
