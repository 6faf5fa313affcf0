"""Defects that are planted into sources, for the scripts that demand that tests see each.

A file of defects has lines "defect NAME", "file FILE" and others of the script's own, then "- TEXT" and "+ TEXT": what
stands there, and what stands there instead.
"""
import re
import resource
import subprocess
import sys


def read(path):
    """The defects of a file, each a dictionary."""
    defects = []
    for line in open(path, encoding="ascii"):
        key, _, value = line.rstrip("\n").partition(" ")
        if key == "defect":
            defects.append({"name": value, "-": [], "+": []})
        elif key in ("-", "+"):
            defects[-1][key].append(value.strip())
        elif key.isalpha():
            defects[-1][key] = value
    return defects


def plant(defect, folder):
    """The file with the defect. Blanks and line breaks of the text may differ."""
    text = open(f"{folder}/{defect['file']}", encoding="ascii").read()
    if not defect["-"]:
        return text
    words = " ".join(defect["-"]).split()
    places = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    if len(places) != 1:
        sys.exit(f"{defect['name']}: its text is in {len(places)} places")
    begin, end = places[0].span()
    return text[:begin] + " ".join(defect["+"]) + text[end:]


def fails(command, seconds):
    """Whether tests fail, or take more processor time."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    return subprocess.run(command, capture_output=True, preexec_fn=limit, check=False).returncode != 0


def controls(defects):
    """No defect, once for each of the script's tests."""
    by_test = {defect.get("test"): {**defect, "-": [], "+": []} for defect in defects}
    return by_test.values()


def main(defects, folder, is_found):
    """--places: whether each text is still in one place. Else BUILD [NAME...]: is_found(defect, build) of each."""
    if sys.argv[1:] == ["--places"]:
        for defect in defects:
            plant(defect, folder)
        return 0
    build, names = sys.argv[1], sys.argv[2:]
    wanted = [defect for defect in defects if not names or defect["name"] in names]
    for control in controls(wanted):
        if is_found(control, build):
            sys.exit(f"the tests of {control['file']} fail without a defect")
    missed = 0
    for defect in wanted:
        if not is_found(defect, build):
            missed += 1
            print(f"missed: {defect['name']}", flush=True)
    print(f"{len(wanted) - missed} found, {missed} missed")
    return missed != 0 or not wanted
