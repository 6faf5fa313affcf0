#!/usr/bin/env python3
"""Checks that what is cited exists, in the code, the tests and the pages.

An identifier of a rule leads to exactly one anchor of docs/reference/specification. A section of
formats.md is one of its headings. A relative link of a page leads to a file and an anchor in it.

  references.py               says what is wrong
  references.py --self-test   breaks copies of the files, a kind of mistake each, and expects to
                              see it

Exit status: 0 all well, 1 something wrong, 2 unusable arguments.
"""

import functools
import pathlib
import posixpath
import re
import sys

sys.dont_write_bytecode = True  # what is built belongs in build/ alone
import checked
import specification
from specification import PAGES

ROOT = pathlib.Path(__file__).resolve().parents[3]
CITING = ('README.md', 'CONTRIBUTING.md', 'pmuv3', 'CMakeLists.txt', 'cmodel', 'docs', 'rtl',
          'testbench', 'tlm_wrapper', 'waves')
# Inputs that were mutated at random, drawings, and the mistakes of this folder's self-tests.
NOT_CITING = re.compile(r'testbench/tests/fuzz/corpus/|.*\.svg$|testbench/tests/rules/.*\.py$')
# What tests make up.
MADE_UP = {'K-NOSUCH', 'K-VERSION', 'D13.4-99'}


def read_all():
    for name in CITING:
        place = ROOT / name
        for file in sorted(place.rglob('*')) if place.is_dir() else [place]:
            path = file.relative_to(ROOT).as_posix()
            if file.is_file() and not NOT_CITING.match(path):
                yield path, file.read_text(errors='replace')


def summary(files):
    cited = sum(len(citations(text)) for text in files.values())
    return f'{cited} citations, {len(anchors_of(files))} identifiers'


def check(files):
    """What is wrong, a line each."""
    return [*check_anchors(files), *check_citations(files), *check_sections(files),
            *check_links(files)]


# ---- Identifiers ----

# R, I, D or S and five consonants, as Arm prints them. Behind a slash stands a part, or another
# identifier.
ARM = r'[RIDS][B-DF-HJ-NP-TV-Z]{5}(?![A-Za-z0-9])'
PART = rf"(?:/(?!{ARM}|D1[34]|I3|[A-K][.-])[A-Za-z0-9][\w'.-]*)?"
CITATION = re.compile(rf"""
    (?<![A-Za-z0-9])
    (?P<cited>
      {ARM}~?{PART}
    | Examples?\ D13-\d+
    | (?<![.-])(?:
      D1[34]\.\d+-(?:T?\d+|[a-z](?![a-z]))      # a statement of a section of Arm's
    | D13\.\d+/[A-Z]\w+
    | I3\.1\.\d
    | (?:EX-)?D13-\d+{PART} | I3-\d{PART}       # a table, an example
    | K-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*           # a choice
    | (?:CYC|CHAIN|SWI)-\d+
    | MT-[A-Z]{{3,}}(?:-\d+)? | TH-[A-Z][A-Z0-9]+ | NOTE-[A-Z]+(?:\(n-1\))?
    | [A-I]-\d+(?!\w)
    | [A-H]\.\d+(?:\.\d+)?{PART} | E/[a-z]\w*   # a section of the specification
    ))(?P<glob>-?[*?[])?""", re.X)


def anchors_of(files):
    """{identifier: places}"""
    anchors = {}
    for name, text in files.items():
        if name.startswith(PAGES):
            for entry in specification.entries(name, text):
                for identifier in entry.identifiers:
                    anchors.setdefault(identifier, []).append(entry.place())
    return anchors


def check_anchors(files):
    for identifier, places in anchors_of(files).items():
        if len(places) > 1:
            yield f'{places[1]}: {identifier}: is in {places[0]}, too'


@functools.cache
def citations(text):
    """(line, identifier, the glob that goes on) of each."""
    return [(number, identifier_of(match['cited']), match['glob'])
            for number, line in enumerate(text.split('\n'), 1) for match in CITATION.finditer(line)]


def identifier_of(cited):
    return re.sub('Examples? ', 'EX-', cited).replace('~', '')


def check_citations(files):
    anchors = anchors_of(files)
    unused = set(MADE_UP)
    for name, text in files.items():
        for number, cited, glob in citations(text):
            unused.discard(cited)
            if cited not in MADE_UP and not resolves(cited, glob, anchors):
                yield f'{name}:{number}: {cited}: no such identifier'
    for cited in unused:
        yield f'testbench/tests/rules/references.py: {cited}: nobody makes that up'


def resolves(cited, glob, anchors):
    """K-MT-*, C.5/o* cite what they match. C.5/off.frozen, a bin of a coverpoint, cites C.5/off."""
    while cited not in anchors and re.search(r"/.*[.']", cited):
        cited = re.sub(r"[.'][^.']*$", '', cited)
    start = cited + glob[:-1] if glob else None
    return cited in anchors or glob and any(name.startswith(start) for name in anchors)


# ---- Sections of formats.md ----

FORMATS = 'docs/reference/formats.md'
BETWEEN = r'[\s#/*]+'  # words may stand in two lines of a comment
SECTION = re.compile(rf'formats\.md\)?,?{BETWEEN}section{BETWEEN}(\d+)'
                     rf'|[Ss]ection{BETWEEN}(\d+){BETWEEN}of{BETWEEN}formats\.md'
                     r'|formats\.md#([\w-]+)')


def check_sections(files):
    sections = re.findall(r'^## (\d+)\. ', files[FORMATS], re.M)
    for name, text in files.items():
        for number, section, fragment in cited_sections(text):
            if section and sections.count(section) != 1 or \
               fragment and fragment not in fragments(files[FORMATS]):
                yield f'{name}:{number}: {FORMATS}: no section {section or fragment}'


@functools.cache
def cited_sections(text):
    """(line, section's number or None, its anchor or None) of each."""
    return [(line_of(text, match), match[1] or match[2], match[3])
            for match in SECTION.finditer(text)]


def line_of(text, match):
    return text.count('\n', 0, match.start()) + 1


# ---- Links of pages ----


def check_links(files):
    for name, text in files.items():
        if not name.endswith('.md'):
            continue
        for number, link in links(text):
            path, _, fragment = link.partition('#')
            folder = posixpath.dirname(name)
            target = posixpath.normpath(posixpath.join(folder, path)) if path else name
            if target not in files and not (ROOT / target).exists():
                yield f'{name}:{number}: {link}: no such file'
            elif fragment and fragment not in fragments(files.get(target, '')):
                yield f'{name}:{number}: {link}: no such anchor'


@functools.cache
def links(text):
    """(line, target) of each that leads to a file of the repository."""
    found = re.finditer(r'\]\((?![a-z]+:)([^)\s]+)\)', text)
    return [(line_of(text, match), match[1]) for match in found]


@functools.cache
def fragments(text):
    """What a link into a page may name: its headings, as GitHub names them, and its anchors."""
    found = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r'^#+ (.*)', text, re.M):
        heading = re.sub(r'<[^>]*>|\]\([^)]*\)|[^\w\s-]', '', heading).strip().lower()
        slug = base = heading.replace(' ', '-')
        again = 0
        while slug in found:
            again += 1
            slug = f'{base}-{again}'
        found.add(slug)
    return frozenset(found)


# ---- The check itself ----

# What is edited, how, and what must be said of it.
RULES, B, E = 'docs/reference/rules.md', PAGES + 'B-counting.md', PAGES + 'E-registers.md'
MISTAKES = (
    (RULES, 'RHVGCV', 'RHVGCX', 'RHVGCX: no such identifier'),
    (RULES, 'RJJRJQ/CP', 'RJJRJQ/CX', 'RJJRJQ/CX: no such identifier'),
    (RULES, 'D13.4-11', 'D13.4-12', 'D13.4-12: no such identifier'),
    (RULES, 'D14.4-g', 'D14.4-h', 'D14.4-h: no such identifier'),
    (RULES, 'D13.5/SEL2', 'D13.5/SEL3', 'D13.5/SEL3: no such identifier'),
    (RULES, 'I3.1.2', 'I3.1.3', 'I3.1.3: no such identifier'),
    (RULES, 'D13-5/A', 'D13-5/Z', 'D13-5/Z: no such identifier'),
    (RULES, 'EX-D13-7/1a', 'EX-D13-7/1c', 'EX-D13-7/1c: no such identifier'),
    (RULES, 'Example D13-6', 'Example D13-8', 'EX-D13-8: no such identifier'),
    (RULES, 'Table D13-3', 'Table D13-9', 'D13-9: no such identifier'),
    (RULES, 'I3-1/Off', 'I3-1/On', 'I3-1/On: no such identifier'),
    (RULES, 'K-RESTC', 'K-REST', 'K-REST: no such identifier'),
    (RULES, 'K-UNATTR-*', 'K-UNATT-*', 'K-UNATT: no such identifier'),
    (RULES, 'CYC-9', 'CYC-10', 'CYC-10: no such identifier'),
    (RULES, 'CHAIN-7', 'CHAIN-8', 'CHAIN-8: no such identifier'),
    (RULES, 'SWI-4', 'SWI-5', 'SWI-5: no such identifier'),
    (RULES, 'MT-SWINCR', 'MT-SWINC', 'MT-SWINC: no such identifier'),
    (RULES, 'TH-A32', 'TH-A64', 'TH-A64: no such identifier'),
    (RULES, 'NOTE-COINC', 'NOTE-COIN', 'NOTE-COIN: no such identifier'),
    (RULES, 'H-14', 'H-41', 'H-41: no such identifier'),
    (RULES, 'C.5/off', 'C.5/of', 'C.5/of: no such identifier'),
    (RULES, 'E/reset', 'E/start', 'E/start: no such identifier'),
    ('testbench/tests/litmus/filter_HPMN_1.stim', 'DXWVNH', 'G-2', 'G-2: no such identifier'),
    ('testbench/signoff/coverage/unreachable.def', 'D13-11/R2*', 'D13-11/R4*',
     'D13-11/R4: no such identifier'),
    ('rtl/pmuv3_external.sv', 'I3.1.2', 'I3.1.3', 'I3.1.3: no such identifier'),
    ('testbench/tests/unit/params_test.cc', 'K-VERSION', 'K-OTHER', 'K-VERSION: nobody makes that up'),
    (B, '<a id="TH-MT"></a>', '', 'TH-MT: no such identifier'),
    (B, '<a id="TH-MT"></a>', '<a id="TH-A32"></a>', f'TH-A32: is in {B}:$, too'),
    (E, '<a id="E/reset"></a>', '<a id="RHVGCV"></a>', f'RHVGCV: is in {B}:$, too'),
    (FORMATS, '## 4. ', '## 9. ', f'{FORMATS}: no section 4'),
    (FORMATS, '## 4. ', '## 3. ', f'{FORMATS}: no section 3'),
    ('cmodel/src/legal.c', 'formats.md section 2', 'formats.md\n * section 9',
     f'{FORMATS}: no section 9'),
    ('docs/design/architecture.md', 'formats.md#4-', 'formats.md#9-', 'no such anchor'),
    ('docs/design/architecture.md', '(../reference/parameters.md)', '(parameter.md)',
     'parameter.md: no such file'),
    ('README.md', '(docs/reference/tlm.md)', '(tlm.md)', 'tlm.md: no such file'),
    (PAGES + 'README.md', '#I-1)', '#I-16)', 'E-registers.md#I-16: no such anchor'),
)


if __name__ == '__main__':
    checked.run(read_all, check, summary, MISTAKES, edit=str.replace)
