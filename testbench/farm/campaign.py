"""A campaign: the folder in which the files of its shards arrive (docs/design/farm.md)."""

import contextlib
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import script
from slurm import PREFIX, NoVerdict, Unusable, last_line

SUFFIX = '.shard'
CORES = pathlib.Path(__file__).resolve().parents[2] / 'cmodel' / 'cores'


def say(text):
    print(f'pmuv3 farm: {text}', file=sys.stderr, flush=True)


def without_reports(arguments):
    """The arguments that decide what the shards are. What a second simulator found is for a report, too."""
    kept, rest = [], list(arguments)
    while rest:
        option, is_joined, _ = rest[0].partition('=')
        if option in ('--json', '--junit', '--csv', '--plot', '--page', '--again', '--unread', '--variant'):
            del rest[:1 if is_joined else 2]
        else:
            kept.append(rest.pop(0))
    return kept


def verdict_of(ended, program):
    """The exit status of a program that ended by itself. What was killed has not said why."""
    if ended.returncode not in (0, 1, script.UNUSABLE, script.NO_VERDICT):
        raise NoVerdict(f'no verdict: {pathlib.Path(program).name} ended with status {ended.returncode}')
    return ended.returncode


def current_folder():
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise Unusable('the folder in which it was called is gone') from None


def mark_of_cancelling(folder):
    """A file that is there once the campaign in the folder was cancelled."""
    return folder / 'cancelled'


class Campaign:
    """One command with its arguments, of one digest of the sources."""

    def __init__(self, farm, command, program, arguments):
        self.source = os.environ['PMUV3_SOURCE']
        self.command, self.arguments, self.limit = command, arguments, None
        self.called_in = current_folder()
        # Slurm knows a job by its name alone, which must not be that of another farm.
        what = json.dumps([self.source, os.path.realpath(farm), self.called_in, command, without_reports(arguments)])
        self.name = f'{command}-{hashlib.sha256(what.encode()).hexdigest()[:12]}'
        self.folder = pathlib.Path(farm).absolute() / self.name
        self.arrive_in, self.merge_in = self.folder / 'arrived', self.folder / 'merging'
        self.built, self.copy = program, self.folder / pathlib.Path(program).name
        # A script needs what lies beside it. So it runs where it is, and checks the sources itself.
        self.program = pathlib.Path(program) if self.copy.suffix == '.sh' else self.copy
        self.cores = self.folder / 'cores'
        if any('\n' in str(path) for path in (self.folder, self.called_in)):
            raise Unusable('a folder has the end of a line in its name')

    # ---- The folder ----

    def make_folder(self):
        """The program and the presets of cores that it reads are copied, so that the checkout may change."""
        try:
            for folder in (self.arrive_in, self.merge_in, self.folder / 'jobs', self.folder / 'log'):
                folder.mkdir(parents=True, exist_ok=True)
            if not self.copy.exists():
                new = self.folder / f'program.{os.getpid()}.new'
                shutil.copytree(CORES, self.cores, dirs_exist_ok=True)
                shutil.copy2(self.built, new)
                new.rename(self.copy)
            what = {'command': shlex.join([self.command, *self.arguments]), 'folder': self.called_in}
            new = self.folder / f'campaign.{os.getpid()}.new'
            new.write_text(json.dumps(what) + '\n')
            new.rename(self.folder / 'campaign.json')
        except OSError as error:
            why = error.strerror or error.args[0][0][2]  # shutil.Error has a list of what it could not copy
            raise Unusable(f"--farm: cannot write to '{self.folder}': {why}") from None

    def begin(self):
        mark_of_cancelling(self.folder).unlink(missing_ok=True)

    def is_cancelled(self):
        return mark_of_cancelling(self.folder).exists()

    def job_prefix(self):
        return f'{PREFIX}{self.name}-'

    def minutes(self):
        """Slurm's limit, for nodes on which our own has no effect."""
        return self.limit // 60 + 3

    def log(self, place):
        return self.folder / 'log' / f'{place.job}-{place.index}'

    def call(self, *options, **streams):
        """Runs the program: the copy, once there is one. Its arguments may name pipes of the shell (/dev/fd/63)."""
        program, cores = (self.program, self.cores) if self.copy.exists() else (self.built, CORES)
        at = self.arguments.index('--') if '--' in self.arguments else len(self.arguments)
        arguments = [*self.arguments[:at], *options, *self.arguments[at:]]
        return subprocess.run([program, *arguments], env={**os.environ, 'PMUV3_CORES': str(cores)},
                              encoding='utf-8', errors='surrogateescape', check=False, close_fds=False, **streams)

    # ---- Shards ----

    def list_shards(self):
        """The command line of each shard that has no result and no file, by its name, in the order of the program."""
        ended = self.call('--shards', stdout=subprocess.PIPE)
        if verdict_of(ended, self.built) != 0:
            sys.exit(ended.returncode)  # the program has said why
        shards = (line.split('\t') for line in ended.stdout.split('\n') if line)
        there = self.files_in(self.arrive_in) | self.files_in(self.merge_in)
        return {name: self.command_line(name, words) for name, words in shards if name not in there}

    def command_line(self, name, words):
        """What runs on another machine, in bash. The time limit ends a shard that hangs."""
        limited = ['env', f'PMUV3_SOURCE={self.source}', f'PMUV3_CORES={self.cores}',
                   'timeout', '--kill-after=10', str(self.limit), str(self.program)]
        file = str(self.arrive_in / f'{name}{SUFFIX}')
        return f'cd {shlex.quote(self.called_in)} && {shlex.join(limited)} {words} --shard {shlex.quote(file)}'

    # ---- Merging ----

    @staticmethod
    def files_in(folder):
        """The names of shards. Only a file is one."""
        return {file.name[:-len(SUFFIX)] for file in folder.glob(f'*{SUFFIX}') if file.is_file()}

    def take(self):
        """The names of the shards that arrived. Their files move, so that none comes between."""
        arrived = self.files_in(self.arrive_in)
        for name in arrived:
            with contextlib.suppress(FileNotFoundError):
                (self.arrive_in / f'{name}{SUFFIX}').replace(self.merge_in / f'{name}{SUFFIX}')
        return arrived

    def merge(self):
        """Merges what was taken. Returns how the program ended, and the names of the files that it refused."""
        refused = set()
        while True:
            ended = self.call('--merge', str(self.merge_in), capture_output=True)
            file = self.to_blame(ended)
            if file is None:
                break
            say(f'refused: {last_line(ended.stderr)}')
            file.replace(file.with_suffix('.refused'))
            refused.add(file.name[:-len(SUFFIX)])
        if verdict_of(ended, self.built) == script.UNUSABLE:
            raise Unusable(f'cannot merge: {last_line(ended.stderr)}')
        return ended, refused

    def to_blame(self, ended):
        """The file that the program cannot use. It may be that it cannot use the database."""
        files = self.merge_in.glob(f'*{SUFFIX}') if ended.returncode == script.UNUSABLE else []
        return next((file for file in files if f': {file}: ' in ended.stderr), None)
