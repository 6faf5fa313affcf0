#!/usr/bin/env python3
"""Plants each defect of defects.txt in a copy of its file, and demands that the engine's tests fail.

Usage: defects.py BUILD [NAME...]   BUILD is build/release
       defects.py --places          whether each text is still in one place of its file
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, "../../.."))
OPTIONS = ["-std=gnu11", "-O2", "-w", "-I" + ROOT, "-I" + ROOT + "/cmodel/include",
           "-I" + ROOT + "/cmodel/src"]
CPU_SECONDS = 40  # without a defect the tests take a fifth; a defect that hangs is found
SETS = {"none": [], "avx2": ["-mavx2", "-mpopcnt"],
        "avx512": ["-mavx512f", "-mavx512vpopcntdq", "-mpopcnt"]}


def read_defects():
    defects = []
    for line in open(os.path.join(HERE, "defects.txt"), encoding="ascii"):
        key, _, value = line.rstrip("\n").partition(" ")
        if key == "defect":
            defects.append({"name": value, "file": "", "-": [], "+": []})
        elif key == "file":
            defects[-1]["file"] = value
        elif key in ("-", "+"):
            defects[-1][key].append(value.strip())
    return defects


def plant(defect):
    """The file with the defect. Blanks and line breaks of the text may differ."""
    text = open(os.path.join(HERE, defect["file"]), encoding="ascii").read()
    words = " ".join(defect["-"]).split()
    places = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    if len(places) != 1:
        sys.exit(f"{defect['name']}: its text is in {len(places)} places")
    begin, end = places[0].span()
    return text[:begin] + " ".join(defect["+"]) + text[end:]


def compile_file(defect, folder):
    source = os.path.join(folder, defect["file"])
    with open(source, "w", encoding="ascii") as out:
        out.write(plant(defect))
    if defect["file"] != "kernels_isa.c":
        subprocess.run(["gcc", *OPTIONS, "-c", source, "-o", folder + "/planted.o"], check=True)
        return [folder + "/planted.o"]
    objects = []
    for name, options in SETS.items():
        objects.append(f"{folder}/{name}.o")
        subprocess.run(["gcc", *OPTIONS, *options, f"-DEXPLORE_ISA={name}", "-c", source, "-o",
                        objects[-1]], check=True)
    return objects


def is_found(defect, build, folder):
    """The planted object comes before the library, which then does not give its own."""
    objects = compile_file(defect, folder)
    test = folder + "/tests"
    rooms = build + "/testbench/explore"
    subprocess.run(
        ["g++", f"{rooms}/engine/CMakeFiles/explore-engine-tests.dir/engine_test.cc.o", *objects,
         f"{rooms}/engine/libpmuv3_explore.a", f"{rooms}/pmt/libpmuv3_pmt.a",
         f"{build}/testbench/cosim/stimulus/libpmuv3_stimulus.a", f"{build}/cmodel/libpmuv3.a",
         "-lgtest", "-lgtest_main", "-lzstd", "-lz", "-lpthread", "-o", test], check=True)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    ran = subprocess.run([test, "--gtest_fail_fast"], capture_output=True, preexec_fn=limit,
                         check=False)
    return ran.returncode != 0


def main():
    if sys.argv[1:] == ["--places"]:
        for defect in read_defects():
            plant(defect)
        return 0
    build, names = os.path.realpath(sys.argv[1]), sys.argv[2:]
    missed = found = 0
    for defect in read_defects():
        if names and defect["name"] not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            if is_found(defect, build, folder):
                found += 1
            else:
                missed += 1
                print(f"missed: {defect['name']}", flush=True)
    print(f"{found} found, {missed} missed")
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())
