#!/usr/bin/env python3
"""Plants each defect of defects.txt in a copy of its file, and demands that the tests fail.

Usage: defects.py BUILD [NAME...]   BUILD is the engine's build folder
       defects.py --places          whether each text is still in one place of its file
"""
import glob
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ENGINE = os.path.dirname(HERE)
CPU_SECONDS = 120  # without a defect the tests take some seconds; a defect that hangs is found
TESTS = {"sat-tests": "sat", "smt-tests": "smt", "smt-liar-tests": "smt"}
# The tests of solvers that are quick, and see these defects.
ONLY = {"smt-tests": "--gtest_filter=Certificate*"}


def read_defects():
    defects = []
    for line in open(os.path.join(HERE, "defects.txt"), encoding="ascii"):
        key, _, value = line.rstrip("\n").partition(" ")
        if key == "defect":
            defects.append({"name": value, "-": [], "+": []})
        elif key in ("file", "test"):
            defects[-1][key] = value
        elif key in ("-", "+"):
            defects[-1][key].append(value.strip())
    return defects


def plant(defect):
    """The file with the defect. Blanks and line breaks of the text may differ."""
    text = open(os.path.join(ENGINE, defect["file"]), encoding="ascii").read()
    words = " ".join(defect["-"]).split()
    places = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    if len(places) != 1:
        sys.exit(f"{defect['name']}: its text is in {len(places)} places")
    begin, end = places[0].span()
    return text[:begin] + " ".join(defect["+"]) + text[end:]


def make_tests(defect, build, folder):
    """The planted object comes before the library, which then does not give its own."""
    source, planted, tests = (f"{folder}/{name}" for name in ("planted.c", "planted.o", "tests"))
    with open(source, "w", encoding="ascii") as out:
        out.write(plant(defect))
    subprocess.run(["gcc", "-std=gnu11", "-O2", "-w", "-I" + os.path.dirname(ENGINE), "-c", source,
                    "-o", planted], check=True)
    room = TESTS[defect["test"]]
    objects = glob.glob(f"{build}/{room}/CMakeFiles/{defect['test']}.dir/*.o")
    libraries = [f"{build}/{part}/libprove_{part}.a" for part in ("smt", "sat", "term")]
    subprocess.run(["g++", *objects, planted, *libraries, "-lcadical", "-lgtest", "-lgtest_main",
                    "-o", tests], check=True)
    return tests


def is_found(defect, build):
    with tempfile.TemporaryDirectory() as folder:
        command = [make_tests(defect, build, folder), "--gtest_fail_fast"]
        command += [ONLY[defect["test"]]] if defect["test"] in ONLY else []
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        ran = subprocess.run(command, capture_output=True, preexec_fn=limit, check=False)
        return ran.returncode != 0


def main():
    if sys.argv[1:] == ["--places"]:
        for defect in read_defects():
            plant(defect)
        return 0
    build, names = os.path.realpath(sys.argv[1]), sys.argv[2:]
    wanted = [one for one in read_defects() if not names or one["name"] in names]
    missed = [one["name"] for one in wanted if not is_found(one, build)]
    for name in missed:
        print(f"missed: {name}")
    print(f"{len(wanted) - len(missed)} found, {len(missed)} missed")
    return len(wanted) == 0 or missed != []


if __name__ == "__main__":
    sys.exit(main())
