"""Statements as Verilog."""

import re

from dtypes import Refused
from expressions import Expressions
from names import escaped

STATEMENTS = {'assign', 'assigndly', 'if', 'case', 'while', 'begin', 'comment', 'jumpblock', 'jumpgo',
              'jumplabel'}


class Statements(Expressions):
    def __init__(self, root, rtl, top):
        super().__init__(root, top)
        self.rtl = rtl
        self.files = {file.get('id'): file.get('filename') for file in root.findall('.//file')}
        self.kinds = self.find_kinds()
        self.delayed = '='  # what <= is in this process
        self.jumps = []  # (flag, kind) of the blocks that can be left here, the outermost first

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
        none = self.none_of(node)
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
        if self.is_one_hot(node):
            if len(texts) > 1:
                raise Refused('a "unique if" that Verilator changed')
            lines += ['else begin', *self.released(node), 'end']
        elif none:
            lines += [f"if ({none}) begin", *self.released(node), 'end']

    # ---- unique, priority, parallel_case, full_case ----

    # What synthesis takes for granted: where it does not hold, all that the statement assigns is anything.

    def checks(self, node):
        """The words before a statement that say how it is meant"""
        loc = node.get('loc')
        checks = self.rtl.checks(self.files.get(loc.split(',')[0], ''), loc)
        if checks is None and self.rtl.has(r'\bpriority\s+if\b'):
            raise Refused('a condition of a macro of several lines, beside "priority if"')
        return checks or frozenset()

    def is_one_hot(self, node):
        """Verilator does a `unique if` only where at most one condition holds, or just one."""
        return node[0].tag in ('onehot', 'onehot0') and node[0].get('loc') == node.get('loc')

    def none_of(self, node):
        """When none of the conditions holds, though the words before them say that one does; an empty text: never"""
        if not self.checks(node) & {'unique', 'priority'} or self.is_one_hot(node):
            return ''
        legs = self.legs(node)
        if len(legs[-1]) > 2:
            return ''
        return ' && '.join(f'!{self.hoist(self.expression(leg[0]), 1)}' for leg in legs)

    def legs(self, node):
        """An if, and each `else if` of it"""
        if any(child.tag == 'if' and 'else' in self.checks(child) for child in node[1]):
            raise Refused('a "priority if" without a statement')  # Verilator inverts the condition
        follows = [child for branch in node[2:] for child in branch]
        is_next = len(follows) == 1 and follows[0].tag == 'if' and 'else' in self.checks(follows[0])
        return [node, *(self.legs(follows[0]) if is_next else ())]

    def released(self, node):
        """Lines that let all that a statement assigns be anything"""
        lines, delayed = [], self.assigned(node, ('assigndly',))
        for name, mask in self.reached(node).items():
            operator, at = self.delayed if name in delayed else '=', 0
            for own, own_type in self.names(name, self.variables[name].get('dtype_id')):
                width = self.types.width(own_type)
                bits, at = mask >> at & (1 << width) - 1, at + width
                for run in re.finditer('1+', bin(bits)[:1:-1]):
                    lines.append(f'{escaped(own)}[{run.end() - 1}:{run.start()}] {operator} '
                                 f'{self.any(run.end() - run.start())};')
            self.constants.pop(name, None)
        if self.is_left(node):
            lines += [f'{flag} = {self.any(1)};' for flag, _ in self.jumps]
        return lines

    def print_case(self, node, lines):
        """Conditions: Yosys drops an item whose label has wildcards if the value is constant."""
        before, ends = dict(self.constants), []
        word, is_inside = self.word(node)
        if word not in ('case', 'casez', 'casex'):
            raise Refused(f'a case whose word is "{word}"')
        value, items = self.hoist(self.expression(node[0]), self.width(node[0])), node.findall('caseitem')
        labels_of = [[child for child in item if child.tag not in STATEMENTS] for item in items]
        # A case inside takes x and z in labels for any bit, as casex does.
        if is_inside and not all(self.can_match(label, 'case') for labels in labels_of for label in labels):
            raise Refused(f'a {word} inside with x or z in a label')
        matches_of = [[self.match(value, label) for label in labels if self.can_match(label, word)]
                      for labels in labels_of]
        checks = self.checks(node)
        if checks:
            matches_of = [[self.hoist(match, 1) for match in matches] for matches in matches_of]
        default, otherwise = [], ''
        for item, labels, matches in zip(items, labels_of, matches_of):
            self.constants = dict(before)
            text = self.block(child for child in item if child.tag in STATEMENTS)
            ends.append(self.constants)
            if matches:
                lines += [f"{otherwise}if ({' || '.join(matches)}) begin", *text, 'end']
                otherwise = 'else '
            elif not labels:
                default = text
        lines += [f'{otherwise}begin', *default, 'end']
        self.constants = before
        for end in ends:
            self.keep_constants(self.constants, end)
        wrong = self.wrong(checks, [matches for matches in matches_of if matches], not all(labels_of))
        if wrong:
            lines += [f'if ({wrong}) begin', *self.released(node), 'end']

    def wrong(self, checks, matches_of, has_default):
        """When a case is not as its words say, as text"""
        items, wrong = [f"({' || '.join(matches)})" for matches in matches_of], []
        if checks & {'unique', 'unique0', 'parallel_case'}:
            for at, item in enumerate(items[1:], 1):
                wrong.append(f"({item} && ({' || '.join(items[:at])}))")
        if checks & {'unique', 'priority', 'full_case'} and not has_default:
            wrong.append(f"!({' || '.join(items) or 0})")
        return ' || '.join(wrong)

    def can_match(self, label, word):
        """No bit of a device is x or z. casez has z in labels for any bit, casex x, too."""
        digits = label.get('name').partition("'")[2] if label.tag == 'const' else ''
        return not set(digits) & {'case': set('xz?'), 'casez': set('x'), 'casex': set()}[word]

    def match(self, value, label):
        """Whether the value is the label's, in all bits but the label's wildcards"""
        bits = label.get('name').partition("'b")[2] if label.tag == 'const' else ''
        if not bits:  # Verilator writes a constant with x or z in binary, all others not
            return f'{value} == {self.expression(label)}'
        width = self.width(label)
        bits = bits.zfill(width)  # Verilator leaves out leading zeros
        cares = ''.join('0' if bit in 'xz?' else '1' for bit in bits)
        ones = re.sub('[xz?]', '0', bits)
        return f"({value} & {width}'b{cares}) == {width}'b{ones}"

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

    # ---- Jumps ----

    # A block that can be left from inside: Verilator's form of return, break and continue. A jump sets the
    # flags of all blocks that it leaves, and what follows it in them is done unless the flag is set.

    def find_kinds(self):
        """The blocks that are left by break or continue; all others are left by return."""
        kinds = {}
        if any(self.word(jump)[0] == 'disable' for jump in self.module.iter('jumpgo')):
            raise Refused('a jump by "disable"')
        for loop in self.module.iter('while'):
            self.expect_own_place(loop)
            for child in loop[2]:
                if child.tag == 'jumpblock' and child.get('loc') == loop.get('loc'):
                    kinds.update((block, 'continue') for block in self.chain(child))
        for block in self.module.iter('jumpblock'):
            inner = self.chain(block)[-1]
            if inner[0].tag == 'while' and inner[0].get('loc') == block.get('loc'):
                kinds[block] = 'break'
        return kinds

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
