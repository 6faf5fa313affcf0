#!/usr/bin/env python3
"""Checks docs/reference/rules.md and rules.txt.

docs/reference/rules.md: every rule of rules.txt has a row there, what a row names exists, and
behaviour has a test. rules.txt: its rules and their classes are those of
docs/reference/specification.

  check.py               says what is wrong
  check.py --self-test   breaks copies of these files, a kind of mistake each, and expects to see it

Exit status: 0 all well, 1 something wrong, 2 unusable arguments.
"""

import fnmatch
import functools
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # what is built belongs in build/ alone
import checked
import specification

ROOT = pathlib.Path(__file__).resolve().parents[3]
WHOSE = (" the core's: ", " the integrator's: ", ' not implemented: ')


def read_all():
    return ((name, read(name)) for name in checked_files())


def read(name):
    return (ROOT / name).read_text()


def checked_files():
    pages = sorted((ROOT / specification.PAGES).glob('*.md'))
    return ['docs/reference/rules.md', 'testbench/tests/rules/rules.txt',
            *(str(page.relative_to(ROOT)) for page in pages)]


def summary(files):
    return f'{len(rules_of(files))} rules, each with its row'


# ---- What there is ----


@functools.cache
def existing():
    """Names of each kind."""
    return {'function': {*functions()}, 'module': {*modules()},
            'test': {*unit_tests(), *litmus_files()}, 'defect': {*defects()}}


def functions():
    """Every function that is defined, not only declared."""
    for file in (ROOT / 'cmodel/src').glob('*.c'):
        for name in re.findall(r'^[a-z].*[ *](\w+)\(.*[^;\n]$', file.read_text(), re.M):
            yield f'{file.name}:{name}'
    for name in re.findall(r'^static inline .*[ *](\w+)\(', read('cmodel/src/internal.h'), re.M):
        yield f'internal.h:{name}'


def modules():
    for file in (ROOT / 'rtl').glob('*.sv'):
        yield from re.findall(r'^module (\w+)', file.read_text(), re.M)


def unit_tests():
    for folder in ('unit', 'exhaustive', 'driver', 'presence'):
        for file in (ROOT / 'testbench/tests' / folder).glob('*.cc'):
            test = r'\bTEST(?:_P|_F)?\(\s*(\w+),\s+(\w+)\s*\)'
            for suite, name in re.findall(test, file.read_text()):
                yield f'{suite}.{name}'


def litmus_files():
    for file in (ROOT / 'testbench/tests/litmus').glob('*.stim'):
        yield file.stem


def defects():
    return re.findall(r'^defect (.*)', read('testbench/signoff/defects/defects.txt'), re.M)


@functools.cache
def has(kind, name):
    """Whether there is one of this name, or matching it."""
    return name in existing()[kind] or '*' in name and bool(fnmatch.filter(existing()[kind], name))


# ---- The rows of docs/reference/rules.md ----


def check(files):
    """What is wrong, a line each."""
    rules = rules_of(files)
    mistakes = [*check_specification(files, rules)]
    seen = set()
    for line in files['docs/reference/rules.md'].split('\n'):
        if not line.startswith('| ') or line.startswith('| rule |'):
            continue
        cells = line.split('|')[1:]
        rule = cells[0].replace(' ', '')
        row = [*check_line(rule, cells, rules)]
        if rule in seen:
            row.append('has two rows')
        seen.add(rule)
        mistakes += [f'docs/reference/rules.md: {rule}: {mistake}' for mistake in row]
    mistakes += [f'docs/reference/rules.md: {rule}: has no row'
                 for rule in rules if rule not in seen]
    return mistakes


def rules_of(files):
    """{rule: (class, mark)}, as rules.txt has them."""
    lines = (line.split('#')[0].split() for line in files['testbench/tests/rules/rules.txt'].split('\n'))
    return {words[0]: (words[1], words[2]) for words in lines if words}


def check_line(rule, cells, rules):
    if len(cells) != 8 or cells[7]:
        yield 'has not 7 columns'
        return
    of_class, mark = rules.get(rule, ('not in rules.txt', None))
    if cells[1].replace(' ', '') != of_class:
        yield f'is {of_class}'
    c, rtl, tests, planted = cells[3:7]
    if mark == 'outside':
        yield from check_outside(c, rtl + tests + planted)
    else:
        yield from check_row(mark, c, rtl, tests, planted)


def check_outside(c, others):
    if not c.startswith(WHOSE):
        yield 'does not say whose it is'
    if others.strip():
        yield 'is not of the model, and names something'


def check_row(mark, c, rtl, tests, planted):
    kinds = (('function', c), ('module', rtl), ('test', tests), ('defect', planted))
    for kind, cell in kinds:
        yield from check_cell(kind, cell)
    for kind, cell in kinds[:3]:
        if mark == 'behaviour' and '`' not in cell:
            yield f'names no {kind}'


def check_cell(kind, cell):
    """A cell is names in backticks with commas between them, and each is of this kind."""
    while name := re.match(r'[ ,]*`([^`]+)`', cell):
        if not has(kind, name[1]):
            yield f'{name[1]}: no such {kind}'
        cell = cell[name.end():]
    if cell.strip():
        yield f'{cell}: not a name in backticks'


# ---- The rules of the specification ----


def check_specification(files, rules):
    defined = [entry for name in files if name.startswith(specification.PAGES)
               for entry in specification.entries(name, files[name])]
    class_of = {identifier: entry.of_class for entry in defined for identifier in entry.identifiers}
    for rule, (of_class, _) in rules.items():
        for identifier in rule.split(','):
            expected = class_of.get(identifier, 'not in the specification')
            # A section that is a rule as a whole is MUST.
            if of_class != (expected or 'MUST'):
                yield f'testbench/tests/rules/rules.txt: {rule}: is {expected or "MUST"}'
    listed = {identifier for rule in rules for identifier in rule.split(',')}
    for entry in defined:
        if is_judged(entry) and not listed.intersection(entry.identifiers):
            yield f'{entry.place()}: {entry.identifiers[0]}: is not in rules.txt'


def is_judged(entry):
    """A discrepancy or a correction is judged by the rules that it concerns; a heading is none."""
    return entry.of_class and not re.fullmatch(r'[HI]-\d+', entry.identifiers[0])


# ---- The check itself ----

# What is edited, how, and what must be said of it.
PAGE, LIST = 'docs/reference/rules.md', 'testbench/tests/rules/rules.txt'
B = specification.PAGES + 'B-counting.md'
MISTAKES = (
    (PAGE, r'^\| RHVGCV .*\n', '', 'RHVGCV: has no row'),
    (PAGE, r'^(\| RHVGCV .*\n)', r'\1\1', 'RHVGCV: has two rows'),
    (PAGE, r'^\| RHVGCV ', '| RHVGCX ', 'RHVGCX: is not in rules.txt'),
    (PAGE, r'^(\| RHVGCV .*)MUST', r'\1NOTE', 'RHVGCV: is MUST'),
    (PAGE, r'^(\| RHVGCV .*)', r'\1 more |', 'RHVGCV: has not 7 columns'),
    (PAGE, r'^(\| RHVGCV .*)\|.*\|$', r'\1|', 'RHVGCV: has not 7 columns'),
    (PAGE, 'threshold.c:reserved', 'threshold.c:preserved',
     'ILQXJZ/2: threshold.c:preserved: no such function'),
    (PAGE, 'threshold.c:reserved', 'filter.c:reserved',
     'ILQXJZ/2: filter.c:reserved: no such function'),
    (PAGE, '`pmuv3_filter`', '`pmuv3_filters`', 'RJJRJQ/DIS: pmuv3_filters: no such module'),
    (PAGE, 'Table-D13-5_A', 'Table-D13-5_Z', 'D13-5/A: threshold_Table-D13-5_Z: no such test'),
    (PAGE, r'threshold_RHVGCV_\*', 'threshold_RHVGCX_*',
     'RHVGCV: threshold_RHVGCX_*: no such test'),
    (PAGE, 'ThresholdTest.Domains', 'ThresholdTest.Domain',
     'RBGDTJ: ThresholdTest.Domain: no such test'),
    (PAGE, 'rtl-threshold-own-one', 'rtl-threshold-own-two',
     'RYKFCB: rtl-threshold-own-two: no such defect'),
    (PAGE, '^(\\| CYC-1 .*)`pmuv3.c:count`', r'\1', 'CYC-1: names no function'),
    (PAGE, '^(\\| CYC-1 .*)`pmuv3`', r'\1', 'CYC-1: names no module'),
    (PAGE, '^(\\| CYC-1 .*)`counter_.*Pairwise`', r'\1', 'CYC-1: names no test'),
    (PAGE, '^(\\| CYC-1 .*)`pmuv3`', r'\1pmuv3', 'CYC-1:  pmuv3 : not a name in backticks'),
    (PAGE, "^(\\| CYC-8 .*)the core's: ", r'\1', 'CYC-8: does not say whose it is'),
    (PAGE, r'^(\| CYC-8 .*)\| \| \|$', r'\1| `pmuv3` | |',
     'CYC-8: is not of the model, and names something'),
    (LIST, r'^RHVGCV .*\n', '', 'RHVGCV: is not in rules.txt'),
    (LIST, r'^RHVGCV ', 'RHVGCX ', 'RHVGCX: is not in the specification'),
    (LIST, r'^(RHVGCV +)MUST', r'\1NOTE', 'rules.txt: RHVGCV: is MUST'),
    (LIST, r'^(K-RESTC +)CU', r'\1MUST', 'rules.txt: K-RESTC: is CU'),
    (B, '<a id="RHVGCV"></a>', '', 'rules.txt: RHVGCV: is not in the specification'),
    (B, '<a id="RHVGCV"></a>', '<a id="RHVGCX"></a>', 'RHVGCX: is not in rules.txt'),
)


if __name__ == '__main__':
    checked.run(read_all, check, summary, MISTAKES)
