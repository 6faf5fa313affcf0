#!/usr/bin/env python3
"""Tables of the results of planted defects. A result is a row RESULTS/NAME.KIND, fields between tabs.

  results.py found RESULTS NAME...          the runs that found them (campaign.sh)
  results.py page RESULTS TABLE NAME...     the same as a page of Markdown
  results.py shrunk RESULTS MOST NAME...    the shrunk stimuli (shrink/measure.sh)
  results.py reports RESULTS LEAST NAME...  where their failure reports point (failure_report/measure.sh)
  results.py refuted RESULTS NAME...        the number of each outcome of the proof (prove/equivalence/defects.sh)

Exit status: 0 success; 1 a shrunk file has more than MOST lines, or fewer than LEAST percent of the
reports point to the planted stage; 2 unusable arguments.
"""

import collections
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script
import table

PAGE = '''# Planted defects

Each row is a change of one expression, alone in a scratch copy of the sources. Without a defect the copy
is equivalent. *Cycles* are those run until the defect was found, in all streams; *at* is the cycle in the
stream that found it. *Signal*, *thread* and *counter* are where the two sides differed first.

| defect | what is wrong | cycles | signal | thread | counter | configuration | at |
|---|---|---:|---|---:|---:|---|---:|'''


def rows(results, kind, names):
    """The rows that exist, by name, in the order of the names."""
    files = {name: pathlib.Path(results) / f'{name}.{kind}' for name in names}
    return {name: file.read_text().rstrip('\n').split('\t') for name, file in files.items()
            if file.is_file()}


def found(results, *names):
    there = rows(results, 'row', names)
    line = '{:<42} {:>9}  {:<14} {:>6} {:>7} {:>7}  {}'.format
    print(line('defect', 'cycles', 'signal', 'thread', 'counter', 'cycle', 'configuration'))
    for row in there.values():
        print(line(*row))
    print(f'{len(there)} of {len(names)} defects found and replayed')
    return 0


def page(results, defects, *names):
    there = rows(results, 'row', names)
    print(PAGE)
    for defect in table.read(pathlib.Path(defects).read_text()):
        if defect.name not in names:
            continue
        cells = [defect.name, defect.what, 'not found', *5 * ['']]
        if defect.name in there:
            _, cycles, signal, thread, counter, cycle, configuration = there[defect.name]
            cells[2:] = [cycles, signal, thread, counter, configuration, cycle]
        print('|' + ''.join(f' {cell} |' if cell else ' |' for cell in cells))
    return 0


def shrunk(results, most, *names):
    there = rows(results, 'shrunk', names)
    line = '{:<42} {:>7} {:>7} {:>7} {:>8}'.format
    print(line('defect', 'before', 'after', 'tries', 'seconds'))
    columns = [[], [], [], []]
    for name, *values in there.values():
        print(line(name, *values[:3], f'{float(values[3]):.1f}'))
        for column, value in zip(columns, values):
            column.append(float(value))
    for what, of in (('median', median), ('worst', lambda column: max(column, default=0))):
        before, after, tries, seconds = map(of, columns)
        print(line(what, f'{before:.0f}', f'{after:.0f}', f'{tries:.0f}', f'{seconds:.1f}'))
    print(f'{len(there)} of {len(names)} shrunk')
    return int(max(columns[1], default=0) > int(most))


def median(column):
    """The lower one of two."""
    return sorted(column)[(len(column) - 1) // 2] if column else 0


def reports(results, least, *names):
    """Rows are: name, planted stage, the stage that the chain points to, that of the marked signal."""
    there = list(rows(results, 'report', names).values())
    total = collections.Counter(planted for _, planted, _, _ in there)
    right = collections.Counter(planted for _, planted, pointed, _ in there if pointed == planted)
    wrong = collections.defaultdict(list)
    for name, planted, pointed, _ in there:
        if pointed != planted:
            wrong[f'{planted} -> {pointed}'].append(name)
    for stage in sorted(total):
        print(f'{stage:<20} {right[stage]:3d} of {total[stage]:3d}')
    for pair in sorted(wrong):
        print(f'{pair}: {" ".join(wrong[pair])}')
    marked = sum(planted == stage for _, planted, _, stage in there)
    print(f'{marked} of {len(there)} mark a signal of the planted stage')
    print(f'{right.total()} of {len(there)} point to the planted stage')
    return int(not there or 100 * right.total() // len(there) < int(least))


def refuted(results, *names):
    there = {name: row[0].split() for name, row in rows(results, 'row', names).items()}
    outcomes = collections.Counter(there.get(name, [name, 'no-verdict'])[1] for name in names)
    print(*(f'{number} {outcome}' for outcome, number in sorted(outcomes.items())),
          f'of {len(names)}', sep=', ')
    return 0


COMMANDS = {'found': found, 'page': page, 'shrunk': shrunk, 'reports': reports, 'refuted': refuted}


def main(arguments):
    command = COMMANDS.get(arguments[0]) if arguments else None
    if command is None or len(arguments) < 2:
        print(f'results.py: expected {", ".join(COMMANDS)}, and the folder of the results',
              file=sys.stderr)
        return 2
    return command(*arguments[1:])


if __name__ == '__main__':
    script.run(main)
