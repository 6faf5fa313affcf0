#!/usr/bin/env python3
"""What Verilator 5.006 takes in another way than IEEE 1800 has it, and says nothing: a model of it is another device.

  misread.py XML TEXT    what Verilator's --xml-only wrote, without --flatten, and its preprocessor. Prints a line for
                         the first one

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
from dtypes import Refused, Types, number
from indexes import EXTENSIONS, WIDE, Indexes, Text, counts_down, operands_of
from statements import STATEMENTS

UNSIGNED = ('gt', 'gte', 'lt', 'lte')
EFFECT = 'a function that assigns a variable of its module, in an operand of "?:", && or ||'
ASSIGNMENTS = ('assign', 'assigndly')
TWICE = 'a side effect in what an assignment assigns to, which += has twice: give it a statement of its own'
MIXED = 'operands of "case" or "inside" that are signed and unsigned: give the signed one a variable of the full width'
RANGE = 'a range of "inside" of a signed value: compare with its ends instead'


class Device:
    def __init__(self, root, text):
        self.root, self.types = root, Types(root.find('.//typetable'))
        self.assigning, self.static = set(), set()  # of the module
        self.files = {file.get('id'): file.get('filename') for file in root.iter('file')}
        self.text = text
        self.indexes = Indexes(self.types, self.widths(), self.files, text)

    def find(self):
        """(place, what is misread) of the first one, or None"""
        netlist = self.root.find('netlist')
        packages = self.find_assigning(netlist.findall('package'))
        for module in netlist:
            self.assigning = packages | self.find_assigning([module])
            self.static = self.find_static(module)
            for node in module.iter():
                misread = getattr(self, f'in_{node.tag}', lambda node: None)(node)
                if misread:
                    return self.place(node), misread
        return self.find_wait()

    def find_wait(self):
        """An event that an assignment waits for is lost with --no-timing."""
        place = self.text.find(r'(?<![<>=!])<?=\s*@')
        return place and (place, 'an assignment that waits for an event: give the event a statement of its own')

    def in_case(self, node):
        labels = [label for item in node.findall('caseitem') for label in labels_of(item)]
        # A label of a signed constant has lost its sign: what a wider value never has may have been another one.
        is_lost = node[0].tag == 'extend' and \
            any(begins_with_one(label) and not self.is_unsigned_number(label) for label in labels)
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
        if is_range and (any(value.tag == 'extends' for end in node for value in end) or
                         any(all(map(self.is_signed, end)) for end in node)):
            return RANGE
        return self.in_or(node)

    def in_cond(self, node):
        """Verilator does what both sides do."""
        if self.types.array(node.get('dtype_id')):
            return '"?:" of whole arrays: write it for each element'
        return EFFECT if any(map(self.has_effect, node[1:])) else None

    def has_effect(self, node):
        """Whether an expression calls a function that assigns a variable of its module"""
        return bool(self.assigning) and bool(called_in(node) & self.assigning)

    def find_assigning(self, scopes):
        """The functions that assign other variables than their own, also by what they call, by name; Verilator leaves
        out the path"""
        functions = [func for scope in scopes for func in (*scope.iter('func'), *scope.iter('task'))]
        found, before = {func.get('name') for func in functions if self.assigns_others(func)}, None
        while found != before:
            before = found
            found = found | {func.get('name') for func in functions if called_in(func) & found}
        return found

    def assigns_others(self, func):
        own, given = {func.get('name')}, False
        for var in func.iter('var'):
            is_given = var.get('dir') in ('output', 'inout', 'ref') and var.get('name') != func.get('name')
            given |= is_given
            own |= set() if is_given else {var.get('name')}
        targets = {name for statement in func.iter() if statement.tag in ASSIGNMENTS for name in names_in(statement[1])}
        return given or not targets <= own

    def in_powss(self, node):
        is_known = 'const' in (node[0].tag, node[1].tag)
        return None if is_known else 'a power of signed values: write the products'

    in_powsu = in_powus = in_powss

    def in_or(self, node):
        """Verilator makes || of "?:" with a constant, and | of ||."""
        return EFFECT if any(map(self.has_effect, node)) else None

    in_logor = in_or

    def in_begin(self, node):
        """What Verilator adds for ++ in an expression is there twice where += has it in its target."""
        places = [var.get('loc') for var in node.findall('var') if var.get('name').startswith('__Vincrement')]
        return TWICE if len(places) > len(set(places)) else None

    in_func = in_task = in_begin

    def in_assign(self, node):
        """Also of <= and of continuous assignments. The place of a procedural `assign` is the word."""
        if node.tag == 'assign' and any(re.match(r'assign\b', text) for text in self.texts(node)):
            return '"assign" in a process, which Verilator takes for a plain assignment by ='
        if node in self.static:
            return 'a variable with a value in its declaration, which is set once and not each time: write automatic'
        if self.has_effect(node[1]):
            return TWICE
        if self.takes_own_elements(*node[:2]) and node.tag == 'assign':
            return 'an array that takes its own elements by =: use another array'
        if any(map(self.may_be_below, node[1].iter('sel'))):
            return 'an assignment to part of a vector, which may begin below its lowest bit: use +: from bit 0 on'
        elements = [part for member in node[1].iter('structsel') for part in member.iter('arraysel')]
        return 'an assignment to a member of an element that may be beyond the array: give each member an array' \
            if any(map(self.may_be_beyond, elements)) else None

    in_assigndly = in_contassign = in_assign

    def may_be_below(self, node):
        """Of several bits of a vector: it may lack the lowest one. Their place is signed, a difference, or a sum with a
        negative number: it counts from the highest of them, or from an end of the range that is not 0. What is a
        difference of the RTL's own, or an integer, is taken to be large enough, as the index of a loop."""
        place, width = node[1], number(node[2].get('name'))
        operands = [operand[0] if operand.tag in (*EXTENSIONS, 'sel') else operand for operand in operands_of(place)]
        if width == 1 or any(self.width(operand.get('dtype_id')) >= WIDE for operand in operands):
            return False
        if operands and self.is_signed(place):
            return True
        low = self.low_of(node[0])
        if not low and not any(map(counts_down, self.texts(node))):
            return False
        while place.tag in ('extend', 'extends'):
            place = place[0]
        is_less = place.tag == 'sub' or place.tag == 'add' and any(is_negative(part, width + low) for part in place)
        return is_less and not any(part.tag in ('sub', 'negate') for part in place.iter() if part is not place)

    def find_static(self, module):
        """Declarations with a value that are not automatic, of variables that are assigned. Verilator sets each of them
        whenever their block begins. Their assignment has the place of the value."""
        once = {id(node) for tag in ('initial', 'initialstatic') for block in module.iter(tag) for node in block.iter()}
        assigned = [name for node in module.iter() if node.tag in ASSIGNMENTS for name in names_in(node[1])]
        functions = {id(node): func for tag in ('func', 'task') for func in module.iter(tag) for node in func.iter()}
        return {node for node in module.iter('assign') if node[1].tag == 'varref' and id(node) not in once and
                node[1].get('loc') == node.get('loc') and re.search(r'=\s*$', self.text_before(node)) and
                assigned.count(node[1].get('name')) > 1 and not self.is_automatic(node, functions.get(id(node)))}

    def is_automatic(self, declaration, function):
        """Itself, or its function"""
        text = self.text_before(declaration)
        if re.search(r'\bautomatic\b', re.split(r';|\bbegin\b', text)[-1]):
            return True
        return function is not None and \
            re.search(r'\b(function|task)\s+automatic\b[^;]*$', self.text_before(function)) is not None

    def text_before(self, node):
        file, line, column, *_ = node.get('loc').split(',')
        return self.text.before(self.files[file], int(line), int(column))

    def takes_own_elements(self, value, target):
        """All of an array's assignment happens at once, and Verilator assigns one element after the other."""
        if value.tag == 'varref' or not self.types.array(target.get('dtype_id')):
            return False
        return base_of(target) in {ref.get('name') for ref in value.iter('varref')}

    def may_be_beyond(self, node):
        """Of an element: Verilator looks at the index, and then assigns the whole element."""
        array = self.types.array(node[0].get('dtype_id'))
        return node[1].tag != 'const' and bool(array) and 1 << self.width(node[1].get('dtype_id')) > array[1]

    def in_always(self, node):
        """always_comb does not wait for what it assigns. Without a clock Verilator takes <= for =."""
        if not any(re.match(r'always_comb\b', text) for text in self.texts(node)):
            return None
        targets = {name for statement in node.iter('assigndly') for name in names_in(statement[1])}
        reads = [ref.get('name') for ref in node.iter('varref')]
        counts = [name for statement in node.iter() if statement.tag in ASSIGNMENTS for name in names_in(statement[1])]
        return 'an always_comb that reads what it assigns by <=: use =' \
            if any(reads.count(name) > counts.count(name) for name in targets) else None

    def low_of(self, node):
        """How far the lowest index of a vector is from 0, or its highest if that is on the right"""
        basic = self.types.by_id[node.get('dtype_id')] if node.tag == 'varref' else None
        if basic is None or basic.tag != 'basicdtype' or basic.get('left') is None:
            return 0
        left, right = int(basic.get('left')), int(basic.get('right'))
        return abs(right) if left >= right else abs(right) + 1

    in_logand = in_and

    def in_var(self, node):
        return 'a packed array of signed elements, of which Verilator takes the whole for unsigned' \
            if self.has_signed_elements(node.get('dtype_id')) else None

    def has_signed_elements(self, type_id):
        """Whether the type has a packed array of them. Those of 32 bits are those of an enumeration without a type, of
        which nobody needs the sign."""
        node = self.types.by_id[type_id]
        inner = [child.get('sub_dtype_id') for child in (node, *node.findall('memberdtype'))]
        if node.tag == 'packarraydtype' and self.is_signed_type(inner[0]) and self.width(inner[0]) < WIDE:
            return True
        return any(self.has_signed_elements(part) for part in inner if part)

    def in_sel(self, node):
        return 'an index that is computed in more bits than its operands have: give it a variable of its own' \
            if self.indexes.is_too_wide(node) else None

    def widths(self):
        """The widest variable of each name"""
        widths = {}
        for var in self.root.iter('var'):
            widths[var.get('name')] = max(widths.get(var.get('name'), 0), self.width(var.get('dtype_id')))
        return widths

    def width(self, type_id):
        """Of an array, that of an element"""
        array = self.types.array(type_id)
        try:
            return self.width(array[2]) if array else self.types.width(type_id)
        except Refused:
            return 0

    def in_slicesel(self, node):
        array = self.types.array(node[0].get('dtype_id'))
        return 'a slice of an array whose lowest index is not 0' if array and array[0] != 0 else None

    def in_extend(self, node):
        if node[0].tag in ('streaml', 'streamr'):
            return 'a stream that is narrower than what takes it: it belongs to the left'
        is_sum = node[0].tag == 'arraysel' and any(re.match(r'(sum|product)\b', text) for text in self.texts(node))
        return 'a sum or a product of an array in more bits than its elements have: write + or *' if is_sum else None

    in_extends = in_extend

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

    def is_unsigned_number(self, node):
        """Whether the RTL has a number here that says so"""
        return any(re.match(r"\d*\s*'[bodhBODH]", text) for text in self.texts(node))

    def texts(self, node):
        file, line, column, *_ = node.get('loc').split(',')
        return self.text.at(self.files[file], int(line), int(column))

    def place(self, node):
        file, line = node.get('loc').split(',')[:2]
        return f'{self.files[file]}:{line}'


def names_in(target):
    """The variables that an assignment's target assigns"""
    return {name for child in target for name in names_in(child)} if target.tag == 'concat' else {base_of(target)}


def base_of(target):
    while target.tag != 'varref' and len(target):
        target = target[0]
    return target.get('name')


def labels_of(item):
    """What a caseitem begins with: values, or ranges"""
    labels = []
    for child in item:
        if child.tag in STATEMENTS or child.tag != 'insiderange' and child.get('dtype_id') is None:
            break
        labels.append(child)
    return labels


def called_in(node):
    return {call.get('name') for call in node.iter() if call.tag in ('funcref', 'taskref')}


def is_negative(node, most):
    """Whether a number is one from -most on"""
    found = node.tag == 'const' and re.fullmatch(r"(\d+)'s?h([0-9a-f]+)", node.get('name'))
    return bool(found) and int(found[2], 16) >= (1 << int(found[1])) - most


def begins_with_one(node):
    """Whether the highest bit of a constant is 1. Verilator leaves out leading zeros."""
    found = node.tag == 'const' and re.fullmatch(r"(\d+)'s?(?:h([0-9a-f]+)|b([01xz?]+))", node.get('name'))
    if not found:
        return False
    bits = found[3] or bin(int(found[2], 16))[2:]
    return len(bits) == int(found[1]) and bits[0] == '1'


def main(arguments):
    if len(arguments) != 2:
        print('misread.py: expected the two files that Verilator wrote', file=sys.stderr)
        return 2
    text = Text(pathlib.Path(arguments[1]).read_text(encoding='utf-8', errors='replace'))
    device = Device(verilator_xml.read(arguments[0]), text)
    found = device.find()
    if found:
        place, misread = found
        print(f'{place}: {misread}')
    return 0


if __name__ == '__main__':
    script.run(main)
