#!/usr/bin/env python3
"""Runs a command in shards (docs/design/farm.md), for ./pmuv3.

  farm.py run COMMAND PROGRAM ARGUMENT...   the program's arguments; among those of the user (after --defaults-end)
      --slurm [PARTITION]   run the shards by Slurm, merge what arrives, and report
      --shards              print the command lines of the shards that have no result, for others to run
      --merge               merge what arrived, and report
      --limit SECONDS       end a shard that takes longer (default 1800)
      --farm DIR            where shards and their files lie (default build/farm)
  farm.py check COMMAND PROGRAM ARGUMENT... whether the arguments can be used, of a program that has --check-arguments
  farm.py list [--farm DIR]                 the campaigns, and what Slurm has of them
  farm.py cancel [--farm DIR] NAME|--all    takes a campaign out of Slurm's queue

Exit status: that of the program's report; 2 unusable arguments; 3 no verdict: shards are missing, or the program was
killed.
"""

import collections
import fcntl
import json
import pathlib
import shlex
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import script
import slurm
from campaign import Campaign, mark_of_cancelling, say, verdict_of
from slurm import NoVerdict, Place, Unusable

ATTEMPTS = 3  # of a shard
TICK = 2  # seconds between two looks at the folder
PATIENCE = (2, 30)  # seconds between two looks at the queue: at first, and at most
MOST_QUEUED = 5000  # shards in the queue: a controller has room for 10,000 jobs of all users

JOB = '''#!/bin/bash
line=$(sed -n "${SLURM_ARRAY_TASK_ID}p" %s | cut -f2-)
bash -c "$line"
status=$?
case $status in
  0) ;;
  124 | 137) echo "ended by its time limit of %d s" ;;
  *) echo "its exit status was $status" ;;
esac
exit $status
'''


# ---- A campaign in Slurm ----

class Farm:
    """Brings each shard from missing to merged."""

    def __init__(self, campaign, partition):
        self.campaign, self.partition = campaign, partition
        self.lines = {}  # command lines of the shards that are not merged, by name
        self.total = 0
        self.places = {}  # where a shard is in the queue
        self.attempts = {}
        self.gave_up = set()
        self.unseen = {}  # how often a shard was looked for in the queue in vain
        self.states = {}  # of the queue
        self.is_silent = False  # the controller does not answer
        self.said = ''

    def run(self):
        """Until nothing is left to run."""
        self.adopt()
        self.submit(is_first=True)
        wait, look_at = PATIENCE[0], 0
        while self.lines.keys() - self.gave_up:
            self.show()
            time.sleep(TICK)
            self.merge()
            if self.campaign.is_cancelled():
                if self.cancel():
                    break
                continue
            if time.monotonic() < look_at:
                continue
            is_lively = self.look() and (self.judge() | self.submit())
            wait = PATIENCE[0] if is_lively else min(1.5 * wait, PATIENCE[1])
            look_at = time.monotonic() + wait

    def adopt(self):
        """What an earlier process submitted, and is still in the queue. The queue is looked at first: what leaves it
        then has arrived when the folder is looked at."""
        self.states = slurm.queue(self.campaign.job_prefix()) or {}
        self.campaign.take()
        self.campaign.merge()
        self.lines = self.campaign.list_shards()
        self.total = len(self.lines)
        for job in {place.job for place in self.states}:
            for index, name in enumerate(self.names_of(job), 1):
                if Place(job, index) in self.states and name in self.lines:
                    self.places[name] = Place(job, index)
                    self.attempts[name] = 1

    def jobs_file(self, job):
        return self.campaign.folder / 'jobs' / job

    def names_of(self, job):
        try:
            return [line.split('\t')[0] for line in self.jobs_file(job).read_text().splitlines()]
        except OSError:
            return []

    def merge(self):
        arrived = self.campaign.take()
        if not arrived:
            return
        _, refused = self.campaign.merge()
        for name in refused & self.places.keys():
            self.fail(name, 'its file was refused')
        for name in arrived - refused:
            self.lines.pop(name, None)
            self.gave_up.discard(name)

    def look(self):
        """Whether the controller answers."""
        states = slurm.queue(self.campaign.job_prefix())
        if (states is None) != self.is_silent:
            say('Slurm does not answer; waiting' if states is None else 'Slurm answers again')
            self.is_silent = states is None
        if states is not None:
            self.states = states
        return states is not None

    def judge(self):
        """A shard that left the queue without a file has failed. A file may be seen late, so it is looked for twice.
        Whether a shard was missed for the first time."""
        self.merge()
        suspicious = False
        for name, place in list(self.places.items()):
            if name not in self.lines or place in self.states:
                self.unseen.pop(name, None)
                continue
            self.unseen[name] = self.unseen.get(name, 0) + 1
            if self.unseen[name] < 2:
                suspicious = True
            else:
                self.fail(name, self.last_words(place) or 'it left the queue without a file')
        return suspicious

    def last_words(self, place):
        log = self.campaign.log(place)
        text = log.read_text(errors='replace').strip() if log.exists() else ''
        return '; '.join(text.splitlines()[-2:])[:300]

    def fail(self, name, why):
        log = self.campaign.log(self.places.pop(name))
        self.unseen.pop(name, None)
        if self.attempts[name] < ATTEMPTS:
            say(f'{name}: run again: {why}')
        else:
            say(f'{name}: failed {ATTEMPTS} times: {why}; see {log}')
            self.gave_up.add(name)

    def cancel(self):
        """Takes out of the queue what was submitted while another process cancelled the campaign. False: Slurm does not
        answer."""
        if not self.look():
            return False
        slurm.cancel({place.job for place in self.states})
        say('was cancelled')
        return True

    def submit(self, is_first=False):
        """Whether something was submitted."""
        waiting = [name for name in self.lines if name not in self.places and name not in self.gave_up]
        waiting = waiting[:max(0, MOST_QUEUED - len(self.places))]
        largest = slurm.largest_array() if waiting else 1
        for first in range(0, len(waiting), largest):
            why = self.submit_array(waiting[first:first + largest])
            if why is None:
                continue
            if is_first and slurm.answers():
                raise Unusable(f'--slurm: cannot submit: {why}')
            say(f'cannot submit, and try again: {why}')
            return False
        return bool(waiting)

    def submit_array(self, names):
        """The lines are there before the job is, so that whoever finds the job finds its shards."""
        jobs = self.campaign.folder / 'jobs'
        job = f'{self.campaign.job_prefix()}{len(list(jobs.iterdir())) + 1}'
        file = self.jobs_file(job)
        file.write_text(''.join(f'{name}\t{self.lines[name]}\n' for name in names))
        script_of_job = JOB % (shlex.quote(str(file)), self.campaign.limit)
        why = slurm.submit(job, len(names), script_of_job, partition=self.partition, minutes=self.campaign.minutes(),
                           log=self.campaign.folder / 'log' / job)
        if why is None:
            for index, name in enumerate(names, 1):
                self.places[name] = Place(job, index)
                self.attempts[name] = self.attempts.get(name, 0) + 1
        return why

    def show(self):
        states = [self.states[place] for place in self.places.values() if place in self.states]
        running = sum(state.name == 'RUNNING' for state in states)
        reasons = collections.Counter(state.reason for state in states if state.name == 'PENDING')
        waiting = f', the others wait: {reasons.most_common(1)[0][0]}' if reasons else ''
        text = f'{self.total - len(self.lines)} of {self.total} shards are merged, {running} run{waiting}'
        if text != self.said:
            say(text)
            self.said = text


def run_by_slurm(campaign, partition):
    slurm.expect(partition, campaign.minutes())
    if '\\' in str(campaign.folder):
        raise Unusable(f"--slurm: Slurm cannot write a log in '{campaign.folder}', which has a \\ in its name")
    campaign.list_shards()  # the program checks its arguments
    campaign.make_folder()
    with open(campaign.folder / 'lock', 'a', encoding='utf-8') as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unusable(f'{campaign.name}: another process works on this campaign') from None
        campaign.begin()
        try:
            Farm(campaign, partition).run()
        except KeyboardInterrupt:
            say(f"the shards go on. The same command goes on, too; './pmuv3 farm cancel {campaign.name}' ends them")
            return script.NO_VERDICT
        return report(campaign)


def report(campaign):
    campaign.take()
    ended, _ = campaign.merge()
    sys.stderr.write(ended.stderr)
    print(ended.stdout, end='')
    return ended.returncode


def print_shards(campaign):
    lines = campaign.list_shards()
    campaign.make_folder()
    for line in lines.values():
        print(line)
    return 0


def merge_by_hand(campaign):
    if not campaign.folder.is_dir():
        raise Unusable('--merge: this command has no shards; --shards lists them')
    return report(campaign)


# ---- All campaigns ----

def campaigns(farm):
    return sorted(file.parent for file in pathlib.Path(farm).glob('*/campaign.json'))


def command_of(folder):
    """None: the campaign does not say so."""
    file = folder / 'campaign.json'
    try:
        return json.loads(file.read_text())['command'] if file.is_file() else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def list_campaigns(farm):
    damaged = []
    states = slurm.queue(slurm.PREFIX) if slurm.is_there() else {}
    for folder in campaigns(farm):
        own = [state for place, state in (states or {}).items()
               if place.job.startswith(f'{slurm.PREFIX}{folder.name}-')]
        arrived = len(list((folder / 'arrived').glob('*.shard')))
        running = sum(state.name == 'RUNNING' for state in own)
        in_queue = f'{running} run, {len(own) - running} wait' if states is not None else 'Slurm does not answer'
        command = command_of(folder)
        if command is None:
            damaged.append(folder.name)
        print(f"{folder.name}: {in_queue}, {arrived} to merge: {command or 'its campaign.json is damaged'}")
    if damaged:
        raise Unusable(f"the campaign.json is damaged of {', '.join(damaged)}; the same command mends it")
    return 0


def cancel(farm, names):
    """A process that works on a campaign sees its mark, and submits nothing again."""
    there = {folder.name for folder in campaigns(farm)}
    for name in names:
        if name not in there and name != '--all':
            raise Unusable(f"cancel: there is no campaign '{name}'")
    chosen = there if '--all' in names else set(names)
    states = slurm.queue(slurm.PREFIX)
    if states is None:
        raise Unusable('cancel: Slurm does not answer')
    for name in chosen:
        mark_of_cancelling(pathlib.Path(farm) / name).touch()
    jobs = {place.job for place in states}
    slurm.cancel(job for job in jobs if any(job.startswith(f'{slurm.PREFIX}{name}-') for name in chosen))
    return 0


# ---- Arguments ----

def number(option, value):
    if not value.isdecimal() or not 1 <= int(value) <= 10**7:
        raise Unusable(f"{option} takes a number of 1 or more, not '{value}'")
    return int(value)


def parse(arguments, takes_words):
    """What is ours of the user's arguments, and all the others. `takes_words`: the program has arguments without a
    dash, so a partition is told by --slurm=PARTITION alone."""
    ours, others = {}, []
    rest = list(arguments)
    while rest:
        option, is_joined, value = rest.pop(0).partition('=')
        if option not in ('--slurm', '--shards', '--merge', '--limit', '--farm'):
            others.append(option + is_joined + value)
            continue
        if option in ours:
            raise Unusable(f'{option}: is given twice')
        if option in ('--shards', '--merge') and is_joined:
            raise Unusable(f'{option} takes no value')
        needs = option in ('--limit', '--farm')
        if not is_joined and rest and (needs or (option == '--slurm' and not takes_words and rest[0][:1] != '-')):
            is_joined, value = '=', rest.pop(0)
        if is_joined and not value or needs and not is_joined:
            raise Unusable(f'{option}: its value is missing')
        ours[option] = value if is_joined else None
    return ours, others


def run(action, command, program, arguments, farm):
    end = arguments.index('--defaults-end') + 1 if '--defaults-end' in arguments else 0
    ours, others = parse(arguments[end:], takes_words=command in ('check', 'explore'))
    modes = [mode for mode in ('--slurm', '--shards', '--merge') if mode in ours]
    if len(modes) > 1:
        raise Unusable(f'{modes[0]} and {modes[1]} exclude each other')
    limit = number('--limit', ours.get('--limit', '1800'))
    if action == 'check':
        checked = [program, *arguments[:end], *others, '--shards', '--check-arguments']
        return verdict_of(subprocess.run(checked, check=False, close_fds=False), program)
    campaign = Campaign(ours.get('--farm', farm), command, program, arguments[:end] + others)
    campaign.limit = limit
    if '--slurm' in ours:
        return run_by_slurm(campaign, ours['--slurm'])
    return print_shards(campaign) if '--shards' in ours else merge_by_hand(campaign)


def main(arguments):
    status = script.UNUSABLE
    try:
        farm = str(pathlib.Path(__file__).resolve().parents[2] / 'build' / 'farm')
        action, rest = arguments[0], arguments[1:]
        if action in ('run', 'check'):
            return run(action, rest[0], rest[1], rest[2:], farm)
        ours, names = parse(rest, takes_words=True)
        for option in ours.keys() - {'--farm'}:
            raise Unusable(f"{option} is an option of a campaign; see ./pmuv3 help")
        farm = ours.get('--farm', farm)
        if '--farm' in ours and not pathlib.Path(farm).is_dir():
            raise Unusable(f"--farm: '{farm}' is no folder")
        if action == 'cancel' and names:
            return cancel(farm, names)
        if action == 'list' and not names:
            return list_campaigns(farm)
        raise Unusable("expected './pmuv3 farm', or './pmuv3 farm cancel NAME|--all'")
    except Unusable as error:
        why = str(error)
    except NoVerdict as error:
        why, status = str(error), script.NO_VERDICT
    except OSError as error:
        if error.filename is None:
            raise
        why = f"'{error.filename}': {error.strerror}"
    line = why.replace('\n', '?')
    print(f'pmuv3 farm: {line}', file=sys.stderr)
    return status


if __name__ == '__main__':
    script.run(main)
