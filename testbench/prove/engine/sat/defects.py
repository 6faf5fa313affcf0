#!/usr/bin/env python3
"""Plants each defect of defects.txt in a copy of its file, and demands that the tests fail.

Usage: defects.py BUILD [NAME...]   BUILD is the engine's build folder
       defects.py --places          whether each text is still in one place of its file
"""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ENGINE = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path.insert(0, ENGINE)
import planted

CPU_SECONDS = 120  # without a defect the tests take some seconds; a defect that hangs is found
TESTS = {"sat-tests": "sat", "smt-tests": "smt", "smt-liar-tests": "smt"}
# The tests of solvers that are quick, and see these defects.
ONLY = {"smt-tests": ["--gtest_filter=Certificate*"]}


def make_tests(defect, build, folder):
    """The planted object comes before the library, which then does not give its own."""
    source, object_, tests = (f"{folder}/{name}" for name in ("planted.c", "planted.o", "tests"))
    with open(source, "w", encoding="ascii") as out:
        out.write(planted.plant(defect, ENGINE))
    subprocess.run(["gcc", "-std=gnu11", "-O2", "-w", "-I" + os.path.dirname(ENGINE), "-c", source,
                    "-o", object_], check=True)
    room = TESTS[defect["test"]]
    objects = glob.glob(f"{build}/{room}/CMakeFiles/{defect['test']}.dir/*.o")
    libraries = [f"{build}/{part}/libprove_{part}.a" for part in ("smt", "sat", "term")]
    subprocess.run(["g++", *objects, object_, *libraries, "-lcadical", "-lgtest", "-lgtest_main",
                    "-o", tests], check=True)
    return tests


def is_found(defect, build):
    with tempfile.TemporaryDirectory() as folder:
        tests = make_tests(defect, os.path.realpath(build), folder)
        return planted.fails([tests, "--gtest_fail_fast", *ONLY.get(defect["test"], [])], CPU_SECONDS)


if __name__ == "__main__":
    sys.exit(planted.main(planted.read(f"{HERE}/defects.txt"), ENGINE, is_found))
