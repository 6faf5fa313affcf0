#!/usr/bin/env python3
"""Points of code coverage: lines FILE LINE METRIC ITEM REACHED, with tabs between; REACHED is 0 or 1.

  points.py cmodel GCOVR.json          the points of the C model: each line, and each direction of a branch
  points.py rtl MERGED.dat ROOT        the points of the RTL, from what verilator_coverage merged
  points.py record SOURCE HOLES POINTS...  SQL that records them as those of the sources; points that were not
                                       reached go to the file HOLES

Exit status: 0 success, 2 unusable arguments, 3 unusable files.
"""

import collections
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

Point = collections.namedtuple('Point', 'file line metric item')

# C 'KEYS' COUNT, where a key begins with \\001 and its value with \\002.
MERGED = re.compile(r"C '(.*)' (\d+)")


def points_of_cmodel(text):
    for file in json.loads(text)['files']:
        for line in file['lines']:
            if line['gcovr/noncode']:
                continue
            number = line['line_number']
            yield Point(file['file'], number, 'line', ''), line['count'] > 0
            for at, branch in enumerate(line['branches'], 1):
                yield Point(file['file'], number, 'branch', str(at)), branch['count'] > 0


def points_of_rtl(text, root):
    for match in filter(None, map(MERGED.fullmatch, text.split('\n'))):
        key = dict(part.partition('\2')[::2] for part in match[1].split('\1')[1:])
        file, reached = key['f'].removeprefix(root), int(match[2]) > 0
        page, item = key['page'], key.get('o', '')
        if page.startswith('v_toggle') and not item.startswith('probe_'):  # probes are not of the design
            yield Point(file, int(key['l']), 'toggle', item), reached
        if page.startswith('v_branch'):
            yield Point(file, int(key['l']), 'branch', f'{item}@{key.get("n", "")}'), reached
        for number in lines_in(key.get('S', '')):
            yield Point(file, number, 'line', ''), reached


def lines_in(text):
    """The numbers of "3,5-7"."""
    for part in filter(None, text.split(',')):
        first, _, last = part.partition('-')
        yield from range(int(first), int(last or first) + 1)


def read(texts):
    """{point: reached}. Several instances, or modules with other parameters, share a point."""
    points = {}
    for text in texts:
        for line in text.splitlines():
            file, number, metric, item, reached = line.split('\t')
            point = Point(file, int(number), metric, item)
            points[point] = points.get(point, False) or reached == '1'
    return points


def statements(points, source):
    covered, total = collections.Counter(), collections.Counter()
    for point, reached in points.items():
        covered[point.file, point.metric] += reached
        total[point.file, point.metric] += 1
    yield 'BEGIN;'
    yield f'DELETE FROM code WHERE source = {quoted(source)};'
    for (file, metric), number in sorted(total.items()):
        yield (f'INSERT INTO code VALUES ({quoted(source)}, {quoted(file)}, {quoted(metric)}, '
               f'{covered[file, metric]}, {number});')
    yield 'COMMIT;'


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def holes(points):
    for point in sorted(point for point, reached in points.items() if not reached):
        yield f'{point.file}:{point.line}: {point.metric} {point.item}'.rstrip()


def show(points):
    for point, reached in points:
        print(*point, int(reached), sep='\t')
    return 0


def main(arguments):
    command, *rest = arguments or ['']
    if command == 'cmodel' and len(rest) == 1:
        return show(points_of_cmodel(pathlib.Path(rest[0]).read_text()))
    if command == 'rtl' and len(rest) == 2:
        return show(points_of_rtl(pathlib.Path(rest[0]).read_text(), rest[1].rstrip('/') + '/'))
    if command == 'record' and len(rest) > 2:
        points = read(pathlib.Path(file).read_text() for file in rest[2:])
        pathlib.Path(rest[1]).write_text(''.join(f'{line}\n' for line in holes(points)))
        print(*statements(points, rest[0]), sep='\n')
        return 0
    print('points.py: expected the arguments that its first lines say', file=sys.stderr)
    return 2


if __name__ == '__main__':
    script.run(main)
