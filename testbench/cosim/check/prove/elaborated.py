#!/usr/bin/env python3
"""Writes a device as plain Verilog for Yosys, from what Verilator made of its RTL.

  elaborated.py XML FOLDER TOP CLOCK [RESET low|high]...

XML is the output of `verilator --xml-only --flatten --debugi 1`. So a device can have all the SystemVerilog that
Verilator takes, and what is proved is what is simulated. Standard output gets one flat module TOP. FOLDER has the
preprocessed RTL, as that command left it.

All registers are clocked by the rising edge of the port CLOCK. A port RESET is looked at when CLOCK
rises: the proof starts after clocks of a reset, and has none later. low or high is where it resets.

What Verilog leaves open is anything: x, an index beyond an array, a variable before it is assigned.
Such a value is a wire `any_N` without a driver.

Exit status: 0 success; 2 after one line: something that cannot be written for Yosys.
"""

import operator
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[up]) for up in (1, 3)]
import script
import verilator_xml
from preprocessed import Preprocessed

BINARY = {'add': '+', 'sub': '-', 'mul': '*', 'and': '&', 'or': '|', 'xor': '^', 'eq': '==', 'neq': '!=',
          'gt': '>', 'gte': '>=', 'lt': '<', 'lte': '<=', 'shiftl': '<<', 'shiftr': '>>', 'logand': '&&',
          'logor': '||', 'eqcase': '==', 'neqcase': '!='}
DIVISIONS = {'div': '/', 'moddiv': '%', 'divs': '/', 'moddivs': '%'}
SIGNED = {'gts': '>', 'gtes': '>=', 'lts': '<', 'ltes': '<=', 'shiftrs': '>>>', 'muls': '*'}
UNARY = {'not': '~', 'lognot': '!', 'negate': '-', 'redand': '&', 'redor': '|', 'redxor': '^'}
STATEMENTS = {'assign', 'assigndly', 'if', 'case', 'while', 'begin', 'comment', 'jumpblock', 'jumpgo',
              'jumplabel'}

FEW = 64  # values that are told apart one by one
# Operations of which the place of an element is made. A value has at most 64 bits.
ADDRESS = {'add': operator.add, 'mul': operator.mul, 'shiftl': lambda a, b: a << min(b, 64)}

TWO_DRIVERS = 'two drivers, or a driver and an initial value'


class Refused(Exception):
    pass


class Types:
    """Widths of the types."""

    def __init__(self, table):
        self.by_id = {node.get('id'): node for node in table}

    def range_of(self, node):
        ends = [number(const.get('name')) for const in node.find('range').findall('const')]
        ends = [end - (1 << 32) if end >> 31 else end for end in ends]
        return min(ends), abs(ends[0] - ends[1]) + 1

    def width(self, type_id):
        node = self.by_id[type_id]
        if node.tag == 'basicdtype':
            if node.get('left') is None:
                return {'integer': 32, 'int': 32, 'byte': 8, 'shortint': 16, 'longint': 64}.get(node.get('name'), 1)
            return abs(int(node.get('left')) - int(node.get('right'))) + 1
        if node.tag == 'structdtype':
            return sum(self.width(member.get('sub_dtype_id')) for member in node.findall('memberdtype'))
        if node.tag == 'uniondtype':
            return max(self.width(member.get('sub_dtype_id')) for member in node.findall('memberdtype'))
        if node.tag == 'packarraydtype':
            return self.range_of(node)[1] * self.width(node.get('sub_dtype_id'))
        if node.tag in ('refdtype', 'enumdtype', 'constdtype'):
            return self.width(node.get('sub_dtype_id'))
        raise Refused(f'a variable of type {node.tag}')

    def array(self, type_id):
        """(first index, elements, type of an element) of an array, or None"""
        node = self.by_id[type_id]
        while node.tag in ('refdtype', 'constdtype'):
            node = self.by_id[node.get('sub_dtype_id')]
        if node.tag != 'unpackarraydtype':
            return None
        first, size = self.range_of(node)
        return first, size, node.get('sub_dtype_id')


def number(text):
    """The value of a constant: 32'sh6"""
    digits = re.fullmatch(r"(?:\d+)?'?s?h?([0-9a-fA-F_]+)", text)
    if not digits or "'" not in text:
        raise Refused(f'the constant {text}')
    return int(digits[1], 16)


def combined(operation, left, right, width):
    """The values of an operation, if they are few; or None"""
    if left is None or right is None or width > 64:
        return None
    values = {operation(a, b) & (1 << width) - 1 for a in left for b in right}
    return values if len(values) <= FEW else None


def escaped(name):
    return f'\\{name} '


class Device:
    def __init__(self, root, rtl, top, clock):
        self.types = Types(root.find('.//typetable'))
        self.module = root.find('netlist/module')
        self.top, self.clock = top, clock
        self.scope = self.module.find('topscope/scope')
        self.declarations, self.items = [], []
        self.variables = self.find_variables(root.find('netlist'))
        self.serial = 0
        self.hoisted = self.items  # where statements go that an expression needs before it
        self.is_procedural = False
        self.constants = {}  # of loops' variables, where they are known
        self.files = {file.get('id'): file.get('filename') for file in root.findall('.//file')}
        self.rtl = rtl
        self.kinds = {}  # of blocks that can be left: break or continue; all others are left by return
        for loop in self.module.iter('while'):
            self.expect_own_place(loop)
            for child in loop[2]:
                if child.tag == 'jumpblock' and child.get('loc') == loop.get('loc'):
                    self.kinds.update((block, 'continue') for block in self.chain(child))
        for block in self.module.iter('jumpblock'):
            inner = self.chain(block)[-1]
            if inner[0].tag == 'while' and inner[0].get('loc') == block.get('loc'):
                self.kinds[block] = 'break'
        self.delayed = '='  # what <= is in this process
        self.jumps = []  # (flag, kind) of the blocks that can be left here, the outermost first
        self.locals = []  # of a process: each is assigned before it is used

    # ---- Names ----

    def name(self, node):
        """The name of a variable, within the device. Verilator puts the top module before some names."""
        name = node.get('name')
        return name[len(self.top) + 1:] if name.startswith(f'{self.top}.') else name

    def find_variables(self, netlist):
        """Verilator prints \\a.b as it prints the b of an instance a, the top module before a name or not, and of a
        package or an interface no name at all. Names that are alike then do not tell what is meant. A port is there
        twice: as a port, and as the top module's own."""
        variables, taken = {}, set()
        ports = {var.get('name') for var in self.module.findall('var') if var.get('dir')}
        outside = {var.get('name') for other in netlist if other is not self.module for var in other.iter('var')
                   if var.find('const') is None}
        for var in self.module.findall('var'):
            variable = self.name(var)
            is_own = var.get('name') != variable and variable in ports
            for name, _ in self.names(variable, var.get('dtype_id')):
                if (name, is_own) in taken or variable in outside or name.startswith(f'{self.top}.'):
                    raise Refused(f'two variables with one name "{name}"')
                taken.add((name, is_own))
            variables[variable] = var
        return variables

    def names(self, name, type_id):
        """(name, type) of all that a variable is for Yosys, to which each element of an array is a variable"""
        array = self.types.array(type_id)
        if array is None:
            return [(name, type_id)]
        first, size, element = array
        return [own for at in range(size) for own in self.names(f'{name}[{first + at}]', element)]

    def fresh(self, prefix, width, kind='wire'):
        self.serial += 1
        while f'{prefix}_{self.serial}' in self.variables:  # the device's own
            self.serial += 1
        name = f'{prefix}_{self.serial}'
        self.declarations.append(f'{kind} [{width - 1}:0] {name};')
        if kind == 'reg':
            self.locals.append(name)
        return name

    def any(self, width):
        return self.fresh('any', width)

    def hoist(self, text, width):
        """A name for a value."""
        if self.is_procedural:
            name = self.fresh('part', width, 'reg')
            self.hoisted.append(f'{name} = {text};')
        else:
            name = self.fresh('part', width)
            self.hoisted.append(f'assign {name} = {text};')
        return name

    # ---- Expressions ----

    def width(self, node):
        return self.types.width(node.get('dtype_id'))

    def value(self, node):
        """The value of a constant expression, or None"""
        tag = node.tag
        if tag == 'const':
            return None if re.search(r"'s?(b|h.*[xz?])", node.get('name')) else number(node.get('name'))
        if tag == 'varref':
            return self.constants.get(self.name(node))
        values = [self.value(child) for child in node]
        if not values or None in values:
            return None
        bits = (1 << self.width(node)) - 1
        if tag == 'sel':
            return values[0] >> values[1] & (1 << values[2]) - 1
        if tag == 'extend':
            return values[0]
        if tag == 'extends':
            half = 1 << self.width(node[0]) - 1
            return (values[0] ^ half) - half & bits
        if tag in ('add', 'sub', 'mul', 'muls'):
            return {'add': lambda a, b: a + b, 'sub': lambda a, b: a - b}.get(tag, lambda a, b: a * b)(*values) & bits
        if tag in ('gts', 'gtes', 'lts', 'ltes'):
            half = 1 << self.width(node[0]) - 1
            left, right = ((value ^ half) - half for value in values)
            return int({'gts': left > right, 'gtes': left >= right, 'lts': left < right, 'ltes': left <= right}[tag])
        if tag in ('gt', 'gte', 'lt', 'lte', 'eq', 'neq'):
            left, right = values
            return int({'gt': left > right, 'gte': left >= right, 'lt': left < right, 'lte': left <= right,
                        'eq': left == right, 'neq': left != right}[tag])
        is_negative = tag.endswith('s') and any(value >> self.width(node) - 1 for value in values)
        if tag in DIVISIONS and values[1] and not is_negative:
            return values[0] % values[1] if tag.startswith('mod') else values[0] // values[1]
        return None

    def values(self, node):
        """All values that an expression can have, if they are few; or None"""
        value, width = self.value(node), self.width(node)
        if value is not None:
            return {value}
        few = set(range(1 << width)) if 1 << width <= FEW else None
        if node.tag == 'extend':
            return self.values(node[0])
        if node.tag in ADDRESS:
            return combined(ADDRESS[node.tag], self.values(node[0]), self.values(node[1]), width) or few
        if node.tag == 'sel' and node[0].tag in ('extend', *ADDRESS) and self.value(node[1]) is not None:
            return combined(operator.rshift, self.values(node[0]), self.values(node[1]), width) or few
        return few

    def expression(self, node):
        tag = node.tag
        if tag == 'initarray':
            raise Refused('a whole array')
        known = self.value(node) if tag != 'const' else None
        if known is not None:
            return f"{self.width(node)}'h{known:x}"
        if tag == 'const':
            return self.constant(node)
        if tag == 'varref':
            return self.whole(node)
        if tag == 'sel':
            return self.part(node)
        if tag == 'arraysel':
            return self.element(node)
        operands = [self.expression(child) for child in node]
        if tag in BINARY:
            return f'({operands[0]} {BINARY[tag]} {operands[1]})'
        if tag in SIGNED:
            right = operands[1] if tag == 'shiftrs' else f'$signed({operands[1]})'
            text = f'($signed({operands[0]}) {SIGNED[tag]} {right})'
            return text if tag not in ('shiftrs', 'muls') else self.hoist(text, self.width(node))
        if tag in DIVISIONS:
            return self.division(node, *operands)
        if tag in UNARY:
            return f'({UNARY[tag]}{operands[0]})'
        if tag == 'cond':
            return f'({operands[0]} ? {operands[1]} : {operands[2]})'
        if tag == 'concat':
            return f'{{{operands[0]}, {operands[1]}}}'
        if tag == 'replicate':
            return f'{{{self.value(node[1])}{{{operands[0]}}}}}'
        if tag in ('extend', 'extends'):
            more = self.width(node) - self.width(node[0])
            if tag == 'extend':
                return f"{{{more}'h0, {operands[0]}}}"
            name = self.hoist(operands[0], self.width(node[0]))
            return f'{{{{{more}{{{name}[{self.width(node[0]) - 1}]}}}}, {name}}}'
        if tag in ('signed', 'unsigned'):
            return operands[0]
        if tag == 'countones':
            bits = self.width(node[0])
            name, width = self.hoist(operands[0], bits), self.width(node)
            return '(' + ' + '.join(f"{{{width - 1}'h0, {name}[{bit}]}}" for bit in range(bits)) + ')'
        raise Refused(f'an expression "{tag}"')

    def division(self, node, dividend, divisor):
        sign, width = '$signed' if node.tag.endswith('s') else '', self.width(node)
        by = self.hoist(divisor, width)
        quotient = self.hoist(f'({sign}({dividend}) {DIVISIONS[node.tag]} {sign}({by}))', width)
        return f'({by} == 0 ? {self.any(width)} : {quotient})'

    def constant(self, node):
        text = node.get('name')
        if re.search(r"[hb][^']*[xXzZ?]", text):
            return self.any(self.width(node))
        return text.replace("'sh", "'h")

    def part(self, node):
        whole, width = self.width(node[0]), self.width(node)
        lsb = self.value(node[1])
        if lsb is not None:
            if lsb + width > whole:
                return self.any(width)
            if lsb == 0 and width == whole:
                return self.expression(node[0])
            return f'{self.named(node[0])}[{lsb + width - 1}:{lsb}]'
        index = self.hoist(self.expression(node[1]), self.width(node[1]))
        places = self.values(node[1])
        if places is not None:
            return self.part_at(node, index, places)
        text = f'({self.expression(node[0])} >> {index})'
        shifted = self.hoist(text, whole) + f'[{width - 1}:0]'
        if (1 << self.width(node[1])) - 1 <= whole - width:
            return shifted
        return f'({index} <= {whole - width} ? {shifted} : {self.any(width)})'

    def named(self, node):
        """A name, of which a part can be taken. A variable that is known stands for its number."""
        text = self.expression(node)
        return text if node.tag == 'varref' and not text[0].isdigit() else self.hoist(text, self.width(node))

    def part_at(self, node, index, places):
        """A part at one of a few places. It is chosen, since a shift of the whole is a large circuit."""
        whole, width = self.width(node[0]), self.width(node)
        name = self.named(node[0])
        legs = [(lsb, f'{name}[{lsb + width - 1}:{lsb}]') for lsb in sorted(places) if lsb + width <= whole]
        return self.choice(index, legs, '' if len(legs) == len(places) else self.any(width))

    def choice(self, index, legs, otherwise):
        """The text of the leg whose number the index is. Without `otherwise` it is one of them."""
        text = otherwise
        for number_of_leg, leg in reversed(legs):
            text = f'{index} == {number_of_leg} ? {leg} : {text}' if text else leg
        return f'({text})'

    def whole(self, node):
        if self.types.array(node.get('dtype_id')) is not None:
            raise Refused('a whole array')
        return escaped(self.known(node))

    def known(self, node):
        """The name of a variable of the device"""
        if self.name(node) not in self.variables:
            raise Refused(f'the variable "{self.name(node)}", which is in no instance')
        return self.name(node)

    def element_name(self, node, index):
        """An element of an array, or of an array in it. index: from 0"""
        first, size, _ = self.types.array(node[0].get('dtype_id'))
        if node[0].tag != 'varref':
            raise Refused('an array of arrays')
        return escaped(f'{self.known(node[0])}[{first + index}]')

    def element(self, node):
        _, size, _ = self.types.array(node[0].get('dtype_id'))
        index = self.value(node[1])
        if index is not None:
            return self.element_name(node, index) if index < size else self.any(self.width(node))
        name = self.hoist(self.expression(node[1]), self.width(node[1]))
        otherwise = self.any(self.width(node)) if (1 << self.width(node[1])) > size else ''
        return self.choice(name, [(at, self.element_name(node, at)) for at in range(size)], otherwise)

    # ---- Assignments ----

    def targets(self, node):
        """(condition, name) of what an assignment may reach"""
        if node.tag == 'varref':
            return [('', self.whole(node))]
        if node.tag == 'concat':
            parts = [self.part_targets(child, False) if child.tag == 'sel' else self.targets(child) for child in node]
            if any(len(part) != 1 or part[0][0] for part in parts):
                raise Refused('a concatenation that is assigned, with an element whose index varies')
            return [('', '{' + ', '.join(part[0][1] for part in parts) + '}')]
        if node.tag == 'arraysel':
            index = self.value(node[1])
            _, size, _ = self.types.array(node[0].get('dtype_id'))
            if index is not None:
                return [('', self.element_name(node, index))] if index < size else []
            name = self.hoist(self.expression(node[1]), self.width(node[1]))
            return [(f'{name} == {at}', self.element_name(node, at)) for at in range(size)]
        if node.tag == 'sel':
            return self.part_targets(node, True)
        raise Refused(f'an assignment to "{node.tag}"')

    def part_targets(self, node, can_choose):
        """Of a part of a variable, or of an element; can_choose: several, if it is at one of a few places"""
        width, at, offset, varying, places = self.width(node), node, 0, [], {0}
        while at.tag == 'sel':
            lsb = self.value(at[1])
            if lsb is None:
                varying.append(self.hoist(self.expression(at[1]), self.width(at[1])))
                places = combined(operator.add, places, self.values(at[1]), 32)
            else:
                offset += lsb
            at = at[0]
        room = self.width(at) - width - offset
        if not varying:
            parts = [('', f'{offset + width - 1}:{offset}')] if room >= 0 else []
        elif can_choose and places is not None and max(places) <= room:
            index = self.hoist(' + '.join(varying), 32)
            parts = [(f'{index} == {place}', f'{place + offset + width - 1}:{place + offset}')
                     for place in sorted(places)]
        else:
            index = self.hoist(' + '.join([*varying, f"32'd{offset}"]), 32)
            parts = [('', f'{index}+:{width}')]
        return [(' && '.join(filter(None, (condition, is_there))), f'{name}[{part}]')
                for condition, name in self.targets(at) for is_there, part in parts]

    # ---- Statements ----

    def block(self, nodes):
        """Lines of statements."""
        lines, nodes = [], list(nodes)
        for at, node in enumerate(nodes):
            if node.tag == 'jumpgo':
                return lines + self.jump(node)
            lines += self.statement(node)
            if at + 1 < len(nodes) and self.is_left(node):
                before = dict(self.constants)
                rest = self.unless_left(nodes[at + 1:])
                self.keep_constants(before, self.constants)
                return lines + rest
        return lines

    def keep_constants(self, one, other):
        self.constants = {name: value for name, value in one.items() if other.get(name) == value}

    def statement(self, node):
        lines, outside = [], self.hoisted
        self.hoisted = lines
        getattr(self, f'print_{node.tag}', self.refuse)(node, lines)
        self.hoisted = outside
        return lines

    def refuse(self, node, _):
        raise Refused(f'a statement "{node.tag}"')

    def print_comment(self, node, lines):
        pass

    print_jumplabel = print_comment

    def print_begin(self, node, lines):
        lines += self.block(node)

    def print_assign(self, node, lines, operator='='):
        if node[0].tag == 'initarray':
            lines += self.assigned_elements(node, operator)
            return
        value = self.value(node[0])
        text = self.expression(node[0])
        targets = self.targets(node[1])
        if len(targets) > 1:
            text = self.hoist(text, self.width(node[0]))
        for condition, name in targets:
            lines.append(f"{f'if ({condition}) ' if condition else ''}{name} {operator} {text};")
        for target in self.bases(node[1]):
            self.constants.pop(self.name(target), None)
        if node[1].tag == 'varref' and value is not None and operator == '=':
            self.constants[self.name(node[1])] = value

    def assigned_elements(self, node, operator):
        """An array that takes all its elements at once, as '{default: 0}"""
        first, size, element = self.types.array(node[1].get('dtype_id'))
        items = {int(item.get('index')): item[0] for item in node[0].findall('inititem')}
        if node[1].tag != 'varref' or self.types.array(element) or sorted(items) != list(range(size)):
            raise Refused('an array of arrays')
        if operator == '=' and self.name(node[1]) in self.reads(node):
            raise Refused(f'"{self.name(node[1])}", an array that takes its own elements')  # Verilator takes new ones
        texts = [self.hoist(self.expression(items[at]), self.types.width(element)) for at in range(size)]
        return [f'{escaped(f"{self.known(node[1])}[{first + at}]")} {operator} {text};' for at, text in enumerate(texts)]

    def print_assigndly(self, node, lines):
        self.print_assign(node, lines, self.delayed)

    def print_if(self, node, lines):
        condition = self.expression(node[0])
        before = dict(self.constants)
        ends, texts = [], []
        for branch in node[1:]:
            self.constants = dict(before)
            texts.append(self.block([branch]))
            ends.append(self.constants)
        self.constants = before
        for end in ends:
            self.keep_constants(self.constants, end)
        lines += [f'if ({condition}) begin', *texts[0], 'end']
        if len(texts) > 1 and texts[1]:
            lines += ['else begin', *texts[1], 'end']

    def print_case(self, node, lines):
        before, ends = dict(self.constants), []
        word, is_inside = self.word(node)
        if word not in ('case', 'casez', 'casex'):
            raise Refused(f'a case whose word is "{word}"')
        value, items = self.hoist(self.expression(node[0]), self.width(node[0])), node.findall('caseitem')
        labels_of = [[child for child in item if child.tag not in STATEMENTS] for item in items]
        names_of = [', '.join(self.label(label) for label in labels if self.can_match(label, word))
                    for labels in labels_of]
        # A case inside takes x and z in labels for any bit, as casex does.
        if is_inside and not all(self.can_match(label, 'case') for labels in labels_of for label in labels):
            raise Refused(f'a {word} inside with x or z in a label')
        lines.append(f'casez ({value})')
        for item, labels, names in zip(items, labels_of, names_of):
            self.constants = dict(before)
            text = self.block(child for child in item if child.tag in STATEMENTS)
            ends.append(self.constants)
            if names or not labels:
                lines += [f"{names or 'default'}: begin", *text, 'end']
        lines.append('endcase')
        self.constants = before
        for end in ends:
            self.keep_constants(self.constants, end)

    def can_match(self, label, word):
        """No bit of a device is x or z. casez has z in labels for any bit, casex x, too."""
        digits = label.get('name').partition("'")[2] if label.tag == 'const' else ''
        return not set(digits) & {'case': set('xz?'), 'casez': set('x'), 'casex': set()}[word]

    def label(self, node):
        """Verilator leaves out leading zeros. Verilog would take more digits like a leading z."""
        if node.tag != 'const':
            return self.expression(node)
        base, digits = re.search(r"'s?([bh])(.*)", node.get('name')).groups()
        width = self.width(node)
        return f"{width}'{base}{digits.replace('x', '?').zfill(width if base == 'b' else (width + 3) // 4)}"

    def print_while(self, node, lines):
        """A loop whose ends are constant."""
        before, condition, body, *steps = node
        is_left = any(self.is_left(part) for part in node)
        block = self.unless_left if is_left else self.block
        for _ in range(4096):
            lines += block(before)
            again = self.value(condition[0])
            if again is None:
                raise Refused('a loop without a constant end')
            if not again:
                break
            lines += block(body)
            for step in steps:
                lines += block(step)
        else:
            raise Refused('a loop of more than 4096 rounds')
        if is_left:  # in any round
            for name in self.assigned(node):
                self.constants.pop(name, None)

    # A block that can be left from inside: Verilator's form of return, break and continue. A jump sets the
    # flags of all blocks that it leaves, and what follows it in them is done unless the flag is set.

    def print_jumpblock(self, node, lines):
        flag = self.fresh('left', 1, 'reg')
        self.jumps.append((flag, self.kinds.get(node, 'return')))
        lines.append(f'{flag} = 0;')
        lines += self.block(self.chain(node)[-1])
        self.jumps.pop()

    @staticmethod
    def chain(block):
        """Verilator makes a block for each jump. The blocks of one place are one, and the last has the statements."""
        blocks = [block]
        while block[0].tag == 'jumpblock' and block[0].get('loc') == block.get('loc') and block[1].tag == 'jumplabel':
            block = block[0]
            blocks.append(block)
        return blocks

    def expect_own_place(self, loop):
        """What a jump leaves is known by its place. A macro of several lines has one place for all."""
        twice = [inner for inner in loop.iter('while') if inner.get('loc') == loop.get('loc')]
        if loop.find('.//jumpgo') is not None and (len(twice) > 1 or self.word(loop)[0] == '?'):
            raise Refused('a loop with a jump, of a macro of several lines')

    def jump(self, node):
        lines, (kind, _) = [], self.word(node)
        for flag, other in reversed(self.jumps):
            lines.append(f'{flag} = 1;')
            if other == kind:
                return lines
            if other == 'return':
                break
        raise Refused(f'a jump by "{kind}"')

    def is_left(self, node, inside=()):
        """Whether a jump in a statement leaves it. inside: the kinds of the blocks around it, in the statement"""
        if node.tag == 'jumpgo':
            return self.word(node)[0] not in inside
        if node.tag == 'jumpblock':
            kind = self.kinds.get(node, 'return')
            inside = (kind,) if kind == 'return' else (*inside, kind)
        return any(self.is_left(child, inside) for child in node)

    def unless_left(self, nodes):
        return [f'if (!{self.jumps[-1][0]}) begin', *self.block(nodes), 'end']

    def word(self, node):
        """The word of the RTL that a statement begins with, and whether it is one with `inside`."""
        loc = node.get('loc')
        return self.rtl.word(self.files.get(loc.split(',')[0], ''), loc) or ('?', False)

    # ---- Processes ----

    def is_clocked(self, tree, resets):
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
            if name not in resets:
                raise Refused(f'a register with an edge of "{name}", which is no reset')
            if edge != {'low': 'NEG', 'high': 'POS'}[resets[name]]:
                raise Refused(f'a register with the edge of "{name}" at which a reset ends')
        return True

    def assigned(self, node, by=('assign', 'assigndly')):
        """Variables and elements that a process assigns, by name"""
        names = {}
        for statement in node.iter():
            if statement.tag not in by:
                continue
            for target in self.bases(statement[1]):
                names[self.name(target)] = target
        return names

    def reads(self, node):
        """Names of the variables that a statement or an expression reads"""
        written = {id(base) for statement in node.iter() if statement.tag in ('assign', 'assigndly', 'contassign')
                   for base in self.bases(statement[1])}
        return {self.name(ref) for ref in node.iter('varref') if id(ref) not in written}

    def is_edged(self, node):
        return any(item.get('edgeType') in ('POS', 'NEG', 'BOTH') for item in node.iter('senitem'))

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

    def bases(self, node):
        if node.tag == 'varref':
            return [node]
        if node.tag == 'concat':
            return [base for child in node for base in self.bases(child)]
        return self.bases(node[0])

    def process(self, node, resets):
        self.is_procedural, self.constants, self.locals, outside = True, {}, [], self.hoisted
        tree = node.find('sentree')
        clocked = tree is not None and self.is_clocked(tree, resets)
        if not clocked:
            self.expect_waits(node)
        self.delayed = '<=' if clocked else '='  # as Verilator takes it
        first = self.unassigned(node, clocked)
        lines = self.block(child for child in node if child.tag != 'sentree')
        head = f'always @(posedge {escaped(self.clock)})' if clocked else 'always @*'
        first += [f'{name} = 0;' for name in self.locals]
        self.items += [f'{head} begin', *first, *lines, 'end']
        self.is_procedural, self.hoisted, self.constants = False, outside, {}

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
        self.is_procedural, self.constants, outside = True, {}, self.hoisted
        self.delayed = '='
        lines = self.block(node)
        self.items += ['initial begin', *lines, 'end']
        self.is_procedural, self.hoisted, self.constants = False, outside, {}

    def continuous(self, node):
        for condition, name in self.targets(node[1]):
            if condition:
                raise Refused('an assignment to an element whose index varies')
            self.items.append(f'assign {name} = {self.expression(node[0])};')

    # ---- The module ----

    def find_aliases(self):
        """What each name of the clock or of a reset is, as a port."""
        self.aliases = {}
        links = {}
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
            self.aliases[name] = at

    def declare(self, variable, type_id, kind, constant=None):
        value = f' = {self.expression(constant)}' if constant is not None else ''
        for name, own_type in self.names(variable, type_id):
            self.declarations.append(f'{kind} [{self.types.width(own_type) - 1}:0] {escaped(name)}{value};')

    def print(self, resets):
        procedural = set()
        for node in self.scope:
            if node.tag in ('always', 'initial', 'initialstatic'):
                procedural |= set(self.assigned(node))
        self.find_aliases()
        self.expect_one_operator()
        self.expect_no_race()
        self.expect_one_driver()
        ports = []
        for var in self.module.findall('var'):
            name, direction = self.name(var), var.get('dir')
            if direction:
                ports.append(name)
                width = self.types.width(var.get('dtype_id'))
                self.declarations.append(f'{direction} [{width - 1}:0] {escaped(name)};')
        for name, var in self.variables.items():
            if name in ports:
                if name in procedural:
                    self.declare(name, var.get('dtype_id'), 'reg')
                continue
            if var.find('initarray') is not None:
                raise Refused('an array of constants')
            constant = var.find('const')
            kind = 'reg' if name in procedural else 'wire'
            self.declare(name, var.get('dtype_id'), kind, None if kind == 'reg' else constant)
            if kind == 'reg' and constant is not None:
                self.items.append(f'initial {escaped(name)} = {self.constant(constant)};')
        for node in self.scope:
            if node.tag == 'always':
                self.process(node, resets)
            elif node.tag in ('initial', 'initialstatic'):
                self.initial(node)
            elif node.tag in ('contassign', 'assignalias'):
                if node[0].tag == node[1].tag == 'varref' and self.name(node[0]) == self.name(node[1]):
                    continue
                self.continuous(node)
            elif node.tag not in ('varscope', 'comment'):
                raise Refused(f'"{node.tag}"')
        print(f'module {escaped(self.top)}({", ".join(escaped(port) for port in ports)});')
        print(*self.declarations, *self.items, 'endmodule', sep='\n')


def main(arguments):
    file, folder, top, clock, *resets = arguments
    try:
        device = Device(verilator_xml.read(file), Preprocessed(folder), top, clock)
        device.print(dict(zip(resets[::2], resets[1::2])))
    except Refused as refused:
        print(f'{refused}', file=sys.stderr)
        return 2
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        print(f'this RTL ({type(error).__name__}: {error})', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    script.run(main)
