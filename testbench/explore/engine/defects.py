#!/usr/bin/env python3
"""Plants each defect of defects.txt in a copy of its file, and demands that the engine's tests fail.

Usage: defects.py BUILD [NAME...]   BUILD is build/release
       defects.py --places          whether each text is still in one place of its file
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, "../../.."))
sys.dont_write_bytecode = True
sys.path.insert(0, ROOT + "/testbench/prove/engine")
import planted

OPTIONS = ["-std=gnu11", "-O2", "-w", "-I" + ROOT, "-I" + ROOT + "/cmodel/include",
           "-I" + ROOT + "/cmodel/src"]
CPU_SECONDS = 40  # without a defect the tests take a fifth; a defect that hangs is found
SETS = {"none": [], "avx2": ["-mavx2", "-mpopcnt"],
        "avx512": ["-mavx512f", "-mavx512vpopcntdq", "-mpopcnt"]}


def compile_file(defect, folder):
    source = os.path.join(folder, defect["file"])
    with open(source, "w", encoding="ascii") as out:
        out.write(planted.plant(defect, HERE))
    if defect["file"] != "kernels_isa.c":
        subprocess.run(["gcc", *OPTIONS, "-c", source, "-o", folder + "/planted.o"], check=True)
        return [folder + "/planted.o"]
    objects = []
    for name, options in SETS.items():
        objects.append(f"{folder}/{name}.o")
        subprocess.run(["gcc", *OPTIONS, *options, f"-DEXPLORE_ISA={name}", "-c", source, "-o",
                        objects[-1]], check=True)
    return objects


def make_tests(defect, build, folder):
    """The planted object comes before the library, which then does not give its own."""
    objects, tests = compile_file(defect, folder), folder + "/tests"
    rooms = build + "/testbench/explore"
    subprocess.run(
        ["g++", f"{rooms}/engine/CMakeFiles/explore-engine-tests.dir/engine_test.cc.o", *objects,
         f"{rooms}/engine/libpmuv3_explore.a", f"{rooms}/pmt/libpmuv3_pmt.a",
         f"{build}/testbench/cosim/stimulus/libpmuv3_stimulus.a", f"{build}/cmodel/libpmuv3.a",
         "-lgtest", "-lgtest_main", "-lzstd", "-lz", "-lpthread", "-o", tests], check=True)
    return tests


def is_found(defect, build):
    with tempfile.TemporaryDirectory() as folder:
        return planted.fails([make_tests(defect, build, folder), "--gtest_fail_fast"], CPU_SECONDS)


if __name__ == "__main__":
    sys.exit(planted.main(planted.read(HERE + "/defects.txt"), HERE, is_found))
