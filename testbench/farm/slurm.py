"""A client of Slurm. Slurm's queue is the only list of what waits and runs."""

import collections
import os
import shutil
import subprocess

PREFIX = 'pmuv3-'  # of the names of our jobs

Place = collections.namedtuple('Place', 'job index')  # a shard in the queue: the name of an array job, and its element
State = collections.namedtuple('State', 'name reason')  # the reason is why a shard waits


class Unusable(Exception):
    """One line for the user."""


class NoVerdict(Exception):
    """One line for the user: a program died before it had an answer."""


def search_path():
    """Where Slurm's programs are. ./pmuv3 takes programs from Debian's folders alone; a cluster may have others."""
    return os.environ.get('PMUV3_SLURM', os.environ['PATH'])


def is_there():
    return shutil.which('squeue', path=search_path()) is not None


def call(*command, text=None, environment=None):
    """Runs a program of Slurm."""
    program = shutil.which(command[0], path=search_path())
    if program is None:
        raise Unusable(f'--slurm: there is no program {command[0]}; PMUV3_SLURM may name its folder')
    return subprocess.run([program, *command[1:]], input=text, env=environment, capture_output=True, text=True,
                          check=False)


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else 'it says nothing'


def minutes_of(text):
    """A limit as sinfo writes it: [DAYS-][HOURS:]MINUTES:SECONDS, or a word for none."""
    days, _, clock = text.rpartition('-')
    parts = clock.split(':')
    if not all(part.isdecimal() for part in parts):
        return float('inf')
    hours, minutes, _ = [0, *map(int, parts)][-3:]
    return (int(days or 0) * 24 + hours) * 60 + minutes


def expect(partition, minutes):
    """Whether there is a Slurm that answers, and has the partition, for shards of so many minutes. A shard that the
    partition does not allow would wait forever."""
    ended = call('sinfo', '--noheader', '--format=%P %l')
    if ended.returncode != 0:
        raise Unusable(f'--slurm: Slurm does not answer: {last_line(ended.stderr)}')
    limits = dict(line.split() for line in ended.stdout.splitlines())
    names = [name for name in limits if name.rstrip('*') == partition or partition is None and name.endswith('*')]
    if not names and partition is None:
        raise Unusable('--slurm: Slurm has no default partition; name one')
    if not names:
        raise Unusable(f"--slurm: there is no partition '{partition}'")
    if minutes > minutes_of(limits[names[0]]):
        raise Unusable(f"--limit: the partition '{names[0].rstrip('*')}' ends a shard after {limits[names[0]]}, and "
                       f'{minutes} minutes are asked for; give a smaller limit')


def answers():
    return call('sinfo', '--noheader', '--format=%R').returncode == 0


def largest_array():
    for line in call('scontrol', 'show', 'config').stdout.splitlines():
        key, _, value = line.partition('=')
        if key.strip() == 'MaxArraySize':
            return max(1, int(value) - 1)
    return 1000


def submit(job, size, script, *, partition, log, minutes):
    """An array job of elements 1 to size. Returns why not, or None. Slurm itself runs the elements of a dead node
    again. A shard has the whole environment of sbatch, which is small: with a list of variables, Slurm would start a
    login shell of the user for each shard. `log` is without its end, the number of the element."""
    output = str(log).replace('%', '%%') + '-%a'
    options = [f'--job-name={job}', f'--array=1-{size}', f'--output={output}', '--open-mode=append', '--requeue',
               f'--time={minutes}', '--ntasks=1', '--cpus-per-task=1', '--export=ALL', '--chdir=/']
    if partition is not None:
        options.append(f'--partition={partition}')
    environment = {name: value for name, value in os.environ.items()
                   if name in ('PATH', 'HOME', 'LC_ALL', 'SLURM_CONF') or name.startswith('SBATCH_')}
    ended = call('sbatch', *options, text=script, environment=environment)
    return None if ended.returncode == 0 else last_line(ended.stderr)


def queue(prefix):
    """The state of each of our shards in the queue, by its place. None: the controller does not answer."""
    user = str(os.getuid())
    ended = call('squeue', f'--user={user}', '--noheader', '--array', '--format=%j %K %T %r')
    if ended.returncode != 0:
        return None
    places = {}
    for line in ended.stdout.splitlines():
        words = line.split(maxsplit=3)
        if len(words) == 4 and words[0].startswith(prefix) and words[1].isdigit():
            places[Place(words[0], int(words[1]))] = State(*words[2:])
    return places


def cancel(jobs):
    for job in sorted(jobs):
        ended = call('scancel', f'--name={job}', f'--user={os.getuid()}')
        if ended.returncode != 0:
            raise Unusable(f'cannot cancel {job}: {last_line(ended.stderr)}')
