"""Indexes of packed arrays and of parts that Verilator 5.006 computes too wide.

An index has the width of its own operands: `p + 2'd3` of two bits is 0 after 3. Verilator multiplies an index by the
width of an element, or subtracts an end of the range, in 32 bits, and computes the index itself in 32 bits, too. Its
XML has lost what is a 32-bit number in the RTL, so we look at the text for that.
"""

import os
import re

WIDE = 32
EXTENSIONS = ('extend', 'extends')
ARITHMETIC = ('add', 'sub', 'mul', 'muls', 'shiftl', 'negate', 'not', 'xnor', 'cond')
OPENING, CLOSING = '([{', ')]}'


class Text:
    """What Verilator's preprocessor wrote, with its `line"""

    def __init__(self, expanded):
        self.lines, self.origins = [], []  # and (file, line) of each
        self.places = {}  # (file, line): where the lines of that number are in `lines`
        file, number = '', 0
        for line in expanded.split('\n'):
            found = re.match(r'`line (\d+) "(.*)" \d$', line)
            if found:
                file, number = found[2], int(found[1])
                continue
            self.places.setdefault((os.path.realpath(file), number), []).append(len(self.lines))
            self.origins.append(f'{file}:{number}')
            self.lines.append(line)
            number += 1

    def at(self, file, line, column):
        """The texts that may begin there: lines of a macro have one number"""
        return [self.lines[at][column - 1:] for at in self.places.get((os.path.realpath(file), line), [])]

    def before(self, file, line, column):
        """The text before a place"""
        for at in self.places.get((os.path.realpath(file), line), []):
            if len(self.lines[at]) >= column:
                return '\n'.join([*self.lines[max(at - 100, 0):at], self.lines[at][:column - 1]])
        return ''

    def find(self, pattern):
        """The place of what matches, across lines, or None"""
        found = re.search(pattern, re.sub(r'"(\\.|[^"\\\n])*"', '""', '\n'.join(self.lines)))
        if not found:
            return None
        return self.origins[found.string.count('\n', 0, found.start())]

    def index_at(self, file, line, column, name):
        """The text between the brackets around a name that begins at this column, or None"""
        for at in self.places.get((os.path.realpath(file), line), []):
            if not name or self.lines[at][column - 1:].lstrip('\\').startswith(name):
                left = self.end(at, column - 2, -1)
                right = self.end(at, column - 1, 1)
                return left[::-1] + right if left is not None and right is not None else None
        return None

    def end(self, at, column, step):
        """The text up to the bracket that is not matched before, which must be one of an index"""
        depth, text = 0, ''
        up, down = (CLOSING, OPENING) if step < 0 else (OPENING, CLOSING)
        while 0 <= at < len(self.lines):
            line = self.lines[at]
            for character in line[column::step] if column >= 0 else '':
                depth += (character in up) - (character in down)
                if depth < 0 and character in '[]':
                    return text
                depth = max(depth, 0)  # of the brackets around an operand
                text += character
            text += ' '
            at += step
            column = 0 if step > 0 or not 0 <= at < len(self.lines) else len(self.lines[at]) - 1
        return None


def own(text):
    """An index without what has a width of its own: other indexes, concatenations, and arguments of functions"""
    before = None
    text = re.sub(r"(<<|>>)[<>]?\s*[\w'$.]+", r'\1', re.split(r'[+-]:', text)[0])
    while before != text:
        before = text
        text = re.sub(r'([\w$.]+\s*)?\[[^][{}()]*\]|\{[^][{}()]*\}', ' ', text)
        text = re.sub(r'([\w$]+)\s*\([^][{}()]*\)', r'\1', text)
        text = re.sub(r'\(([^][{}()]*)\)', r' \1 ', text)
    return text


def counts_down(text):
    """Whether a text begins with an index that has `-:`"""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in OPENING) - (character in CLOSING)
        if depth == 0 or depth == 1 and text.startswith('-:', at):
            return depth == 1
    return False


def computes(text):
    return re.search(r'[+*-]|<<|~(?![&|])|\^~', text) is not None


def widest_number(text):
    """The bits of the widest number"""
    sized = [int(width) for width in re.findall(r"(\d+)\s*'", text)]
    unsized = re.search(r"\$(?!signed|unsigned)|(?<![\w.'$])\d[\d_]*(?!\s*'|[\w.])|(?<![\w ])\s*'s?[bodhBODH]", text)
    return max(sized + [WIDE if unsized else 0])


def is_cut(node):
    """Whether it is what Verilator makes of an expression that is too wide, and no part of a variable"""
    return node.tag == 'sel' and node[1].tag == node[2].tag == 'const' and node[0].tag in (*ARITHMETIC, *EXTENSIONS)


def operands_of(node):
    """But for numbers. What has an index of its own is one operand."""
    if node.tag == 'const':
        return []
    if node.tag in EXTENSIONS and node.get('width') == str(WIDE) or node.tag not in (*ARITHMETIC, *EXTENSIONS) and \
            not is_cut(node):
        return [node]
    is_first = is_cut(node) or node.tag == 'shiftl'
    parts = node[:1] if is_first else node[1:] if node.tag == 'cond' else node
    return [operand for part in parts for operand in operands_of(part)]


class Indexes:
    """Those of a device"""

    def __init__(self, types, widths, files, text):
        self.types, self.widths, self.files, self.text = types, widths, files, text

    def is_too_wide(self, node):
        elements = self.elements(node[0])
        return any(self.is_wrong(operands, elements) for operands in self.indexes_of(node[1]))

    def indexes_of(self, node):
        """The operands of each index: Verilator adds up those of several dimensions, each cut to the bits it needs."""
        if is_cut(node):
            return [operands_of(node)]
        parts = node if node.tag in (*ARITHMETIC, *EXTENSIONS) else ()
        found = [operands for part in parts for operands in self.indexes_of(part)]
        is_wide = node.tag in ARITHMETIC and self.types.width(node.get('dtype_id')) == WIDE
        return [operands_of(node)] if is_wide and not found else found

    def elements(self, array):
        """How many a packed array has, if what is beyond its last one is its first one again: both their number and
        their width are powers of two. Or 0"""
        node = self.types.by_id[array.get('dtype_id')] if array.tag == 'varref' else None
        while node is not None and node.tag in ('refdtype', 'constdtype'):
            node = self.types.by_id[node.get('sub_dtype_id')]
        if node is None or node.tag != 'packarraydtype' or self.types.ends(node)[1] != 0:
            return 0
        number, width = self.types.range_of(node)[1], self.types.width(node.get('sub_dtype_id'))
        return number if (number & number - 1, width & width - 1) == (0, 0) else 0

    def is_wrong(self, operands, elements):
        """Whether all operands have been extended, and the RTL has no wide number"""
        if not operands or any(operand.tag not in EXTENSIONS for operand in operands):
            return False
        operand = operands[0]
        name = operand[0].get('name', '') if operand[0].tag == 'varref' else ''
        file, line, column, *_ = operand.get('loc').split(',')
        text = self.text.index_at(self.files[file], int(line), int(column), name)
        if text is None:
            return True  # nothing says how wide it is
        text = own(text)
        if not computes(text):
            return False
        names = re.findall(r"(?<![\w'$.])[A-Za-z_]\w*", text)
        widths = [self.types.width(operand[0].get('dtype_id')) for operand in operands]
        width = max([widest_number(text), *widths, *(self.width(name) for name in names)])
        return width < WIDE and 1 << width != elements

    def width(self, name):
        """Of a variable or a parameter. What the XML has not, as a loop's index, is taken for an integer."""
        return self.widths.get(name, WIDE)
