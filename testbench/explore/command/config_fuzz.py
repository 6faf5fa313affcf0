#!/usr/bin/env python3
"""Random configurations for `pmuv3 explore`: each is counted, or refused in one line.

Usage: config_fuzz.py PROGRAM SAMPLE [CASES [SEED]]
"""
import os
import random
import subprocess
import sys
import tempfile

WORDS = ["inst_retired", "stall_backend", "INST_RETIRED", "instructions", "pmccntr", "pmicntr", "r8",
         "0x0024", "0x001E", "chain", "x", "param", "pmu", "write", "thread=", "@", "counters=", "features=",
         "PMCR_EL0", "PMEVTYPER0_EL0", "PMCNTENSET_EL0", "threshold=", "threshold_compare=",
         "threshold_count=", "edge", "link=true", "link=false", "mt", "period=", "skid=", "long", "name=",
         "event=", "..", "/", ",", ":", "=", "u", "k", "h", "#", "\n", " ", "\t", "\0", "\xff", "\x1b"]
LINES = ["inst_retired", "pmu a", "pmu b thread=0", "write PMCR_EL0 1", "write @100 PMCNTENCLR_EL0 1",
         "param counters=6", "param th_width=3", "pmccntr", "inst_retired/threshold=1..4,name=a/",
         "stall_backend/threshold=1,edge=1/ inst_retired/link=true/", "inst_retired/period=100,skid=3/",
         "inst_retired,stall_frontend:u"]


def any_number(rng):
    return rng.choice([str(rng.getrandbits(rng.randrange(1, 66))), hex(rng.getrandbits(rng.randrange(1, 66))),
                       "0", "1", "-1", "0" * rng.randrange(1, 4000) + "1"])


def any_word(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return any_number(rng)
    if kind == 1:
        return rng.choice("ax0/,:=#.") * rng.choice([1, 47, 48, 140, 159, 160, 161, 512, 5000])
    return rng.choice(WORDS)


def mutate(rng, line):
    """A line with some words put in, or some characters taken out."""
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(line) + 1)
        if rng.random() < 0.6:
            line = line[:at] + any_word(rng) + line[at:]
        else:
            line = line[:at] + line[at + rng.randrange(12):]
    return line


def any_term(rng):
    zeros = "0" * rng.choice([0, 0, 0, 100, 150, 3000])
    return rng.choice(["threshold=1..4", f"threshold={zeros}2", f"long={zeros}1", f"period={zeros}9", "edge", "mt=0",
                       "threshold_count", f"threshold_compare={zeros}2", f"name={rng.choice('abc') * len(zeros)}q"])


def any_counter(rng):
    terms = ",".join(any_term(rng) for _ in range(rng.randrange(4)))
    return rng.choice(["inst_retired", "r10", "instructions"]) + (f"/{terms}/" if terms else "")


def any_line(rng):
    line = any_counter(rng) if rng.random() < 0.6 else rng.choice(LINES)
    return mutate(rng, line) if rng.random() < 0.2 else line


def any_config(rng):
    lines = ["pmuv3-explore 1"] + [any_line(rng) for _ in range(rng.randrange(1, 5))]
    return "\n".join(lines).encode("latin-1") + b"\n" * rng.randrange(2)


def why_bad(ran):
    """What is wrong with how the program ended. None: nothing."""
    if ran.returncode not in (0, 2):
        return f"exit status {ran.returncode}"
    error = ran.stderr
    if ran.returncode == 2 and (error.count(b"\n") != 1 or ran.stdout):
        return "not one line"
    if ran.returncode == 2 and not error.startswith((b"fuzz.cfg:", b"pmuv3 explore: ")):
        return "no line of the file"
    return None


def main():
    program, sample = map(os.path.realpath, sys.argv[1:3])
    cases = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    counts = {0: 0, 2: 0}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([sample, "t.pmt", "5000"], check=True)
        for case in range(cases):
            config = any_config(random.Random(seed * 1000003 + case))
            with open("fuzz.cfg", "wb") as out:
                out.write(config)
            ran = subprocess.run([program, "t.pmt", "--config", "fuzz.cfg", "--jobs", "1"],
                                 capture_output=True, timeout=60, check=False)
            why = why_bad(ran)
            if why:
                sys.exit(f"FAILED: case {case}: {why}: {ran.stderr[:300]!r}\n{config[:2000]!r}")
            counts[ran.returncode] += 1
    if not counts[0] or not counts[2]:
        sys.exit(f"FAILED: {counts[0]} configurations were counted, {counts[2]} refused: expected some of both")
    print(f"{counts[0]} configurations were counted, {counts[2]} refused")


if __name__ == "__main__":
    main()
