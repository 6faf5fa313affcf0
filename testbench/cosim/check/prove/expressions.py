"""Expressions, and what an assignment reaches, as Verilog."""

import operator
import re

from dtypes import Refused, number
from names import Names, escaped

BINARY = {'add': '+', 'sub': '-', 'mul': '*', 'and': '&', 'or': '|', 'xor': '^', 'eq': '==', 'neq': '!=',
          'gt': '>', 'gte': '>=', 'lt': '<', 'lte': '<=', 'shiftl': '<<', 'shiftr': '>>', 'logand': '&&',
          'logor': '||', 'eqcase': '==', 'neqcase': '!='}
DIVISIONS = {'div': '/', 'moddiv': '%', 'divs': '/', 'moddivs': '%'}
SIGNED = {'gts': '>', 'gtes': '>=', 'lts': '<', 'ltes': '<=', 'shiftrs': '>>>', 'muls': '*'}
UNARY = {'not': '~', 'lognot': '!', 'negate': '-', 'redand': '&', 'redor': '|', 'redxor': '^'}

FEW = 64  # values that are told apart one by one
# Operations of which the place of an element is made. A value has at most 64 bits.
ADDRESS = {'add': operator.add, 'mul': operator.mul, 'shiftl': lambda a, b: a << min(b, 64)}


def combined(operation, left, right, width):
    """The values of an operation, if they are few; or None"""
    if left is None or right is None or width > 64:
        return None
    values = {operation(a, b) & (1 << width) - 1 for a in left for b in right}
    return values if len(values) <= FEW else None


class Expressions(Names):
    def __init__(self, root, top):
        super().__init__(root, top)
        self.declarations, self.items = [], []
        self.serial = 0
        self.hoisted = self.items  # where statements go that an expression needs before it
        self.is_procedural = False
        self.constants = {}  # of loops' variables, where they are known
        self.locals = []  # of a process: each is assigned before it is used

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

    # ---- Known values ----

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
            is_within = values[1] + values[2] <= self.width(node[0])  # beyond the variable is anything
            return values[0] >> values[1] & bits if is_within else None
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
        lsb = self.value(node[1]) if node.tag == 'sel' and node[0].tag in ('extend', *ADDRESS) else None
        if lsb is not None and lsb + width <= self.width(node[0]):
            return combined(operator.rshift, self.values(node[0]), self.values(node[1]), width) or few
        return few

    # ---- Expressions ----

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
        if tag in ('onehot', 'onehot0'):
            bits = self.width(node[0])
            name = self.hoist(operands[0], bits)
            at_most_one = f"({name} & ({name} - {bits}'h1)) == 0"
            return f'({at_most_one})' if tag == 'onehot0' else f'({at_most_one} && {name} != 0)'
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

    # ---- What an assignment reaches ----

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
