#!/usr/bin/env python3
"""Checks what the checklists of CONTRIBUTING.md ask for and no other test would miss.

Each choice has a litmus file of each word, and a planted defect on each side in its row of
docs/reference/rules.md. Each event that is presented to the PMU is in a list of the litmus files.
Each stage has its tests, its row in docs/design/architecture.md, and a value in the probe. The RTL
decides the access of each System register, reads it and writes it, and the register has a field.
Each port of the RTL has its row in docs/reference/rtl.md. Each flop is both reset and written. Each
litmus file has its row in their list. No test tells how many there are of something that grows.

  checklists.py               says what is wrong
  checklists.py --self-test   breaks copies of these files, a kind of mistake each, and expects to
                              see it

Exit status: 0 all well, 1 something wrong, 2 unusable arguments.
"""

import fnmatch
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # what is built belongs in build/ alone
import checked

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEFS = 'cmodel/include/pmuv3/'
RULES, DEFECTS = 'docs/reference/rules.md', 'testbench/signoff/defects/defects.txt'
ARCHITECTURE, STAGES = 'docs/design/architecture.md', 'testbench/cosim/failure_report/stages.h'
TOP, RTL_PAGE = 'rtl/pmuv3.sv', 'docs/reference/rtl.md'
LITMUS, UNIT = 'testbench/tests/litmus/', 'testbench/tests/unit/'
NEEDED = ('*.def', 'cmodel/src/*.c', 'rtl/*.sv', 'testbench/*_test.sh', 'testbench/*_test.cc',
          'testbench/tests/litmus/*.stim', LITMUS + 'README.md', RULES, DEFECTS, ARCHITECTURE,
          RTL_PAGE, STAGES)
# These stages put nothing out that the probe has: one is what comes in, one is judged by its ends.
WITHOUT_VALUES = {'EVENT', 'ACCESS'}
FOLDERS = ('cmodel', 'docs', 'rtl', 'testbench')


def read_all():
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob('*')):
            name = file.relative_to(ROOT).as_posix()
            if any(fnmatch.fnmatch(name, needed) for needed in NEEDED):
                yield name, file.read_text(errors='replace')


def summary(files):
    return f'{len(choices(files))} choices, {len(events(files))} events, {len(stages(files))} stages'


def check(files):
    """What is wrong, a line each."""
    return [*check_choices(files), *check_events(files), *check_stages(files),
            *check_registers(files), *check_ports(files), *check_flops(files),
            *check_litmus(files), *check_counts(files)]


# ---- Choices ----


def choices(files):
    """{name: its words}"""
    rows = re.findall(r'^PMUV3_CHOICE\(\w+, "([^"]+)", "[^"]*", "([^"]+)"',
                      files[DEFS + 'params.def'], re.M)
    return {name: words.split('|') for name, words in rows}


def check_choices(files):
    litmus = [name for name in files if name.startswith(LITMUS)]
    defects = re.findall(r'^defect (.*)', files[DEFECTS], re.M)
    for choice, words in choices(files).items():
        for word in words:
            pattern = re.compile(rf'_{choice}[-_]{word}[_.]')
            if not any(pattern.search(name) for name in litmus):
                yield f'{LITMUS}*_{choice}_{word}.stim: there is none'
        planted = planted_of(files, choice, defects)
        for side in ('rtl', 'cmodel'):
            if not any(defect.startswith(side + '-') for defect in planted):
                yield f'{RULES}: {choice}: names no planted defect of {side}'


def planted_of(files, choice, defects):
    """The planted defects that the row of a choice names."""
    row = re.search(rf'^\| {choice} \|.*', files[RULES], re.M)
    patterns = re.findall(r'`([^`]+)`', row[0].split('|')[-2]) if row else []
    return [defect for pattern in patterns for defect in fnmatch.filter(defects, pattern)]


# ---- Events ----


def events(files):
    """{number: mnemonic} of those that are presented to the PMU."""
    rows = re.findall(r'^PMUV3_EVENT\(0x(\w+), (\w+), (\w+),', files[DEFS + 'events.def'], re.M)
    return {number: mnemonic for number, mnemonic, of_class in rows if of_class != 'SELF'}


def check_events(files):
    counted = set()
    for name, text in files.items():
        if name.startswith(LITMUS + 'attribution_events_'):
            counted.update(number.upper() for number in re.findall(r'0x(\w{4}):\d', text))
    for number, mnemonic in events(files).items():
        if number.upper() not in counted:
            yield f'{LITMUS}attribution_events_*.stim: {mnemonic} 0x{number} is not counted'


# ---- Stages ----


def stages(files):
    """The stems of files that are both a stage of the C model and a module."""
    stems = [name[len('cmodel/src/'):-len('.c')] for name in files if name.startswith('cmodel/src/')]
    return [stem for stem in stems if f'rtl/pmuv3_{stem}.sv' in files]


def check_stages(files):
    for stem in stages(files):
        if not re.search(rf'^\|.*`cmodel/src/{stem}\.c` \| `rtl/pmuv3_{stem}\.sv` \|$',
                         files[ARCHITECTURE], re.M):
            yield f'{ARCHITECTURE}: {stem}: has no row in the table of stages'
        if f'{UNIT}{stem}_test.cc' not in files:
            yield f'{UNIT}{stem}_test.cc: there is none'
        if not any(name.startswith(f'{LITMUS}{stem}_') for name in files):
            yield f'{LITMUS}{stem}_*.stim: there is none'
    owners = set(re.findall(r'^PMUV3_PROBE_\w+\(.*, (\w+)\)$', files[DEFS + 'probe.def'], re.M))
    for stage in re.findall(r'^  PMUV3_STAGE_(\w+),', files[STAGES], re.M):
        if stage not in owners | WITHOUT_VALUES:
            yield f'{DEFS}probe.def: {stage}: the stage owns no value'


# ---- Registers ----

ACCESS, READ = 'rtl/pmuv3_access.sv', 'rtl/pmuv3_read.sv'
WRITES = ('rtl/pmuv3_registers.sv', 'rtl/pmuv3_evtypers.sv', 'rtl/pmuv3_controls.sv',
          'rtl/pmuv3_changes.sv')
# PMXEVTYPER and PMXEVCNTR stand for registers that PMSELR selects: access resolves them.
SELECTING = {'PMXEVTYPER', 'PMXEVCNTR'}


def check_registers(files):
    """A register without a field, and what the RTL has no case for: no build would miss these."""
    registers = files[DEFS + 'registers.def']
    fields = set(re.findall(r'^PMUV3_FIELD\((\w+),', registers, re.M))
    views = re.findall(r'^PMUV3_VIEW\((\w+),', registers, re.M)
    rows = re.findall(r'^PMUV3_REGISTER\((\w+), "[^"]*", \d+, \d+, \d+, \d+, \d+, (\w\w),',
                      registers, re.M)
    for name in [*(name for name, _ in rows), *views]:
        if not names(files[ACCESS], name):
            yield f'{ACCESS}: {name}: no access is decided'
    for name, access in rows:
        if name in SELECTING:
            continue
        if name not in fields:
            yield f'{DEFS}registers.def: {name}: it has no field'
        if access != 'WO' and not names(files[READ], name):
            yield f'{READ}: {name}: it is not read'
        if access != 'RO' and not any(names(files[file], name) for file in WRITES):
            yield f'{WRITES[0]}: {name}: it is not written'


def names(text, register):
    """Whether RTL names the encoding of a register: RegMdcrEl2 of MDCR_EL2."""
    camel = ''.join(part.capitalize() for part in register.split('_'))
    return re.search(rf'\bpmuv3_pkg::Reg{camel}\b', text)


# ---- Ports ----

PORT = re.compile(r'^  (?:input wire|output) .*?\b(\w+_n?[io])\b', re.M)


def check_ports(files):
    """The ports of the top, with the rows of their table. Another table names the resets, too."""
    ports = PORT.findall(files[TOP].split('\n);')[0])
    section = files[RTL_PAGE].partition('\n## Ports\n')[2].partition('\n## ')[0]
    rows = re.findall(r'^\| (`\w+_n?[io]`[^|]*) \|', section, re.M)
    listed = {name for row in rows for name in re.findall(r'`(\w+)`', row)}
    yield from (f'{RTL_PAGE}: {port}: has no row' for port in ports if port not in listed)
    yield from (f'{RTL_PAGE}: {port}: there is none' for port in sorted(listed - set(ports)))


# ---- Flops ----

FLOPS = re.compile(r'^( *)always_ff @\(posedge clk_i or negedge (\w+)\) begin\n'
                   r'( *)if \(!\2\) begin\n(.*?)^\3end else(.*?)^\1end\n', re.M | re.S)


def check_flops(files):
    for name, text in files.items():
        if not name.startswith('rtl/'):
            continue
        blocks = FLOPS.findall(text)
        if len(blocks) != text.count('always_ff'):
            yield f'{name}: an always_ff is not of the form "if (!reset) begin ... end else"'
        for *_, resets, writes in blocks:
            yield from (f'{name}: {flop}: is not reset' for flop in
                        sorted(assigned(writes) - assigned(resets)))
            yield from (f'{name}: {flop}: is reset, and never written' for flop in
                        sorted(assigned(resets) - assigned(writes)))


def assigned(text):
    """The flops that non-blocking assignments have on their left, {high_q, low_q} too."""
    return {flop for left in re.findall(r'(\{[^{}]*\}|[\w\]\[:+*-]+) +<= ', text)
            for flop in re.findall(r'\w+_q\b', left)}


# ---- Litmus files ----


def check_litmus(files):
    listed = set(re.findall(r'^\| `([^`]+[.]stim)` \|', files[LITMUS + 'README.md'], re.M))
    names = {name[len(LITMUS):] for name in files
             if name.startswith(LITMUS) and name.endswith('.stim')}
    yield from (f'{LITMUS}README.md: {name}: has no row' for name in sorted(names - listed))
    yield from (f'{LITMUS}README.md: {name}: there is none' for name in sorted(listed - names))


# ---- Counts ----

COUNT = re.compile(r'\b\d{2,} (?:configurations|choices|coverpoints|rules|events|registers|'
                   r'properties|litmus files)\b')


def check_counts(files):
    """A figure of something that grows, in a test's shell script or what a unit test expects."""
    for name, text in files.items():
        if not name.endswith(('_test.sh', '_test.cc')):
            continue
        for number, line in enumerate(text.split('\n'), 1):
            if (count := COUNT.search(line)) and not line.lstrip().startswith(('#', '//')):
                yield f'{name}:{number}: "{count[0]}" is a count that grows'


# ---- The check itself ----

# What is edited, how, and what must be said of it. Without a text: the file is not there.
MISTAKES = (
    (LITMUS + 'README.md', r'^\| `filter_K-VS-A32.*\n', '', 'filter_K-VS-A32.stim: has no row'),
    (LITMUS + 'filter_K-VS-RES_both.stim', None, None, '*_K-VS-RES_both.stim: there is none'),
    (DEFS + 'params.def', r'"drop\|count", 1,\n +"siblings', '"drop|count|more", 1, "siblings',
     '*_K-MT-SELF-DEBUG_more.stim: there is none'),
    (RULES, r', `cmodel-filter-K-VS-RES`', '', 'K-VS-RES: names no planted defect of cmodel'),
    (DEFECTS, r'^defect rtl-filter-K-VS-RES', 'defect rtl-filter-VS',
     'K-VS-RES: names no planted defect of rtl'),
    (LITMUS + 'attribution_events_seventh.stim', '0x811F:255', '',
     'BRB_FILTRATE 0x811F is not counted'),
    (DEFS + 'events.def', r'^(PMUV3_EVENT\(0x007F.*)',
     r'\1\nPMUV3_EVENT(0x0080, NEW, COUNT, CORE, NONE, 255)', 'NEW 0x0080 is not counted'),
    (ARCHITECTURE, r'^\| threshold \|.*\n', '', 'threshold: has no row in the table of stages'),
    (UNIT + 'snapshot_test.cc', None, None, 'snapshot_test.cc: there is none'),
    (DEFS + 'probe.def', r', EDGE\)$', ', LINK)', 'EDGE: the stage owns no value'),
    (DEFS + 'registers.def', r'^(PMUV3_REGISTER\(PMIAR,.*)',
     r'\1\nPMUV3_REGISTER(PMFOO, "PMFOO_EL1", 3, 0, 9, 14, 3, RW, ALWAYS, "")',
     'pmuv3_access.sv: PMFOO: no access is decided'),
    (DEFS + 'registers.def', r'^PMUV3_FIELD\(PMIAR,.*\n', '', 'PMIAR: it has no field'),
    (DEFS + 'registers.def', r'^PMUV3_VIEW\(HDCR,', 'PMUV3_VIEW(HDCR2,',
     'HDCR2: no access is decided'),
    (READ, r'.*RegPmiar:.*\n', '', 'PMIAR: it is not read'),
    ('rtl/pmuv3_registers.sv', r'.*RegPmiar:.*\n', '', 'PMIAR: it is not written'),
    (RTL_PAGE, r'^\| `reg_syndrome_o`.*\n', '', 'reg_syndrome_o: has no row'),
    (RTL_PAGE, r'^\| `rst_cold_ni` \| 1 \|.*\n', '', 'rst_cold_ni: has no row'),
    (TOP, r'^  output .*\bbrbe_o\b.*\n', '', 'brbe_o: there is none'),
    ('rtl/pmuv3_registers.sv', r'.*pmiar_q +<= 64.*\n', '', 'pmiar_q: is not reset'),
    ('rtl/pmuv3_registers.sv', r'.*pmiar_q +<= pmuv3.*\n', '',
     'pmiar_q: is reset, and never written'),
    ('rtl/pmuv3_counter.sv', r'^ *if \(!rst_ni\) begin', 'if (rst_ni == 0) begin',
     'is not of the form "if (!reset) begin ... end else"'),
    ('testbench/tests/cli/run_test.sh', r'\Z', 'grep "99 configurations" out\n',
     '"99 configurations" is a count that grows'),
)


if __name__ == '__main__':
    checked.run(read_all, check, summary, MISTAKES)
