#!/usr/bin/env python3
"""What test.sh --again needs of the results that ctest wrote.

  again.py numbers TESTS_XML TESTS_JSON  the numbers of the tests without a result "passed", separated by commas
  again.py merged TESTS_XML LATER_XML    the first result, with what the second has of the same tests
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import script

COUNTED = {"failures": "fail", "disabled": "disabled", "skipped": "notrun"}


def tests_of(path):
    return list(ET.parse(path).getroot().iter("testcase"))


def numbers(results, registered):
    passed = {test.get("name") for test in tests_of(results)}
    passed -= {test.get("name") for test in tests_of(results) if test.get("status") != "run"}
    with open(registered, encoding="utf-8") as file:
        names = [test["name"] for test in json.load(file)["tests"]]
    return ",".join(str(number) for number, name in enumerate(names, 1) if name not in passed)


def merged(results, later):
    """A test that failed and is replaced says so: it stays on the page of sign-off."""
    tree = ET.parse(results)
    suite = tree.getroot()
    replacing = {test.get("name"): test for test in tests_of(later)}
    for place, test in enumerate(list(suite)):
        new = replacing.pop(test.get("name"), None)
        if new is not None:
            if "fail" in (test.get("status"), test.get("before")):
                new.set("before", "fail")
            new.tail = test.tail
            suite[place] = new
    suite.extend(replacing.values())
    statuses = [test.get("status") for test in suite.iter("testcase")]
    suite.set("tests", str(len(statuses)))
    for count, status in COUNTED.items():
        suite.set(count, str(statuses.count(status)))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suite, encoding="unicode")


def main(arguments):
    try:
        print({"numbers": numbers, "merged": merged}[arguments[0]](*arguments[1:]))
    except (ET.ParseError, UnicodeDecodeError) as error:
        print(f"pmuv3 test: --again: {arguments[1]}: {error}; ./pmuv3 test --all makes it anew", file=sys.stderr)
        return script.UNUSABLE
    return 0


script.run(main)
