#!/usr/bin/env python3
"""Reads results of properties: lines "SIZE PROPERTY VERDICT COVER SECONDS MEMBERS".

VERDICT is proved, refuted or unknown. COVER is covered, vacuous, unknown, or elsewhere if another property of
the label is covered. MEMBERS were proved together in SECONDS.

  results.py to-cover RESULTS <NAMES           of the names, one of each label that no result has covered: thread 0,
                                               the last counter
  results.py show <RESULTS                     a line for a person of each result
  results.py summary RESULTS SECONDS           a line of all; status 1 if not all are proved, covered where asked
  results.py json RESULTS SECONDS SOLVER [SOURCE]  all as JSON, with the digest of the sources

Exit status: 0 success, 1 see summary, 2 unusable arguments.
"""

import collections
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

Result = collections.namedtuple('Result', 'size property verdict cover seconds members')


def results(lines):
    return [Result(*line.split()) for line in lines]


def label(name):
    return name.rpartition('.')[2]


def to_cover(done, names):
    covered = {label(result.property) for result in done if result.cover == 'covered'}
    last = {label(name): name for name in names if name.startswith('g_thread[0]')}
    return [name for of, name in last.items() if of not in covered]


def shown(result):
    """What is not as it should be is in capitals."""
    place = re.findall(r'\[(\d+)\]', result.property)
    counter = f', counter {place[1]}' if len(place) > 1 else ''
    said = result.verdict if result.verdict == 'proved' else result.verdict.upper()
    if result.cover == 'covered':
        said += ', covered'
    elif result.cover != 'elsewhere':
        said += f', {result.cover.upper()}'
    others = int(result.members) - 1
    return (f'{result.size} {label(result.property):<24} thread {place[0]}{counter:<12} {said}, '
            f'{result.seconds} s' + (f' with {others} others' if others else ''))


def summary(done, seconds):
    verdict = collections.Counter(result.verdict for result in done)
    cover = collections.Counter(result.cover for result in done)
    print(f'{len(done)} properties: {verdict["proved"]} proved, {verdict["refuted"]} refuted, '
          f'{verdict["unknown"]} unknown; of their {len(done) - cover["elsewhere"]} covers '
          f'{cover["covered"]} covered, {cover["vacuous"]} vacuous, {cover["unknown"]} unknown; '
          f'{int(float(seconds))} s')
    is_good = done and verdict['proved'] == len(done) and not cover['vacuous'] + cover['unknown']
    return 0 if is_good else 1


def as_json(done, seconds, solver, source=''):
    rows = [{'size': result.size, 'property': result.property, 'verdict': result.verdict,
             'cover': result.cover, 'seconds': float(result.seconds), 'of_group': int(result.members)}
            for result in done]
    head = {'source': source} if source else {}
    return json.dumps({**head, 'solver': solver, 'seconds': float(seconds)})[:-1] + (
        ', "properties": [' + ','.join(f'\n  {json.dumps(row)}' for row in rows) + '\n]}')


def main(arguments):
    command, *rest = arguments or ['']
    if command == 'show' and not rest:
        for line in sys.stdin:
            print(shown(Result(*line.split())))
        return 0
    if (command, len(rest)) not in {('to-cover', 1), ('summary', 2), ('json', 3), ('json', 4)}:
        print('results.py: expected the arguments that its first lines say', file=sys.stderr)
        return 2
    with open(rest[0], encoding='utf-8') as file:
        done = results(file)
    if command == 'summary':
        return summary(done, rest[1])
    if command == 'json':
        print(as_json(done, *rest[1:]))
    else:
        for name in to_cover(done, sys.stdin.read().split()):
            print(name)
    return 0


if __name__ == '__main__':
    script.run(main)
