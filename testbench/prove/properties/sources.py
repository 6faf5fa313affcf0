#!/usr/bin/env python3
"""Reads the properties in the sources and their table.

  sources.py expected RULES THREADS COUNTERS   every property that a design of this size must have, by its name
                                               in the design
  sources.py check RULES PAGE                  prints where the properties in the folder RULES, its properties.txt
                                               and the page of rules (docs/reference/rules.md) differ

Exit status: 0 success, 1 they differ, 2 unusable arguments or files.
"""

import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

Property = collections.namedtuple('Property', 'module block label')

BLOCK = re.compile(r'^  (?:if [(].* begin|end else begin) : (g_\w+)')
LABEL = re.compile(r'`RULE[(]([A-Za-z0-9_]+),')


# ---- The sources ----


def properties(rules):
    """Each property with its module, thread or lane, and its generate block, or always."""
    for module in ('thread', 'lane'):
        block = 'always'
        for line in (rules / f'pmuv3_rules_{module}.sv').read_text().splitlines():
            if match := BLOCK.match(line):
                block = match[1]
            elif line == '  end':
                block = 'always'
            if match := LABEL.search(line):
                yield Property(module, block, match[1])


def is_there(block, counter, threads):
    """Whether a generate block is elaborated for a counter."""
    return {'g_odd': counter % 2 == 1, 'g_pair': counter % 2 == 1, 'g_even': counter % 2 == 0,
            'g_chain': counter % 2 == 0, 'g_siblings': threads > 1, 'always': True}.get(block, False)


def expected(rules, threads, counters):
    for module, block, label in properties(rules):
        for thread in range(threads):
            name = f'g_thread[{thread}].u_rules.'
            if module == 'thread':
                yield name + label
            else:
                for counter in range(counters):
                    if is_there(block, counter, threads):
                        yield f'{name}g_lane[{counter}].u_lane.{label}'


# ---- The table, and the page of rules ----


def table(rules):
    """[rule, label...] of each line; a rule without properties has 'none:' and a reason."""
    lines = (line.split('#')[0].split()
             for line in (rules / 'properties.txt').read_text().splitlines())
    return [words for words in lines if words]


def rules_of_table(lines):
    return [words[0] for words in lines if words[0] != '-']


def labels_of_table(lines):
    return [label for words in lines if words[1:2] != ['none:'] for label in words[1:]]


def rules_of_page(page, kind=''):
    """The rules of sections B, C and D whose class has `kind` in it."""
    inside = False
    for line in page.read_text().splitlines():
        if line.startswith('## '):
            inside = re.match(r'## [BCD][.:]', line) is not None
        cells = line.split('|')
        if inside and line.startswith('| ') and not cells[1].startswith(' rule ') and kind in cells[2]:
            yield cells[1].replace(' ', '')


def mistakes(rules, page):
    lines = table(rules)
    of_table, of_sources = labels_of_table(lines), [each.label for each in properties(rules)]
    comparisons = (
        (rules_of_table(lines), rules_of_page(page), 'properties.txt',
         'no such rule in B, C or D of docs/reference/rules.md'),
        (rules_of_page(page, 'MUST'), rules_of_table(lines), 'docs/reference/rules.md',
         'has no line in properties.txt'),
        (of_table, of_sources, 'properties.txt', 'no such property'),
        (of_sources, of_table, 'pmuv3_rules', 'is not in properties.txt'))
    for names, known, where, what in comparisons:
        for name in sorted({*names} - {*known}):
            yield f'{where}: {name}: {what}'
    for label, number in sorted(collections.Counter(of_table).items()):
        if number > 1:
            yield f'properties.txt: {label}: is there twice'


def main(arguments):
    try:
        if len(arguments) == 4 and arguments[0] == 'expected':
            print(*sorted(expected(pathlib.Path(arguments[1]), *map(int, arguments[2:]))), sep='\n')
            return 0
        if len(arguments) == 3 and arguments[0] == 'check':
            found = [*mistakes(*map(pathlib.Path, arguments[1:]))]
            for mistake in found:
                print(f'properties.sh: {mistake}')
            return int(bool(found))
    except OSError as error:
        print(f'sources.py: {error.filename}: {error.strerror}', file=sys.stderr)
        return 2
    except UnicodeDecodeError as error:
        print(f'sources.py: a source of the properties is no text: {error}', file=sys.stderr)
        return 2
    print('sources.py: expected the arguments that its first lines say', file=sys.stderr)
    return 2


if __name__ == '__main__':
    script.run(main)
