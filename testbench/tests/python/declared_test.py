#!/usr/bin/env python3
"""The Python module has what the public C headers declare, and nothing else, as the C compiler has it.

gcc says what is declared: in its list of prototypes, in debug information, and in a C program.
Usage: declared_test.py, with the module in PYTHONPATH.
"""

import pathlib
import re
import subprocess
import tempfile
import unittest

import pmuv3
from pmuv3 import ffi, lib

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = [ROOT / "cmodel/include", ROOT / "testbench/cosim/check/include"]
HEADERS = [header for folder in FOLDERS for header in sorted(folder.glob("pmuv3/*.h"))]
INCLUDES = "".join(f'#include "{header}"\n' for header in HEADERS)

# Two have a like in the package, one is a shift, and one initializes a variable of C.
ONLY_IN_C = {"PMUV3_MASK", "PMUV3_GET", "PMUV3_FGT_MASK", "PMUV3_PE_RESET"}


def gcc(text, *options):
    """What gcc prints for a C source."""
    command = ["gcc", "-std=c11", *(f"-I{folder}" for folder in FOLDERS), "-x", "c", "-", *options]
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def printed(statements):
    """The words of each line that a C program prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/program"
        gcc(f"{INCLUDES}int main(void) {{\n{statements}\n}}", "-o", program)
        lines = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.split() for line in lines.splitlines()]


# ---- What gcc says ----


def prototypes():
    """{name: type} of all functions; the type of a function that a header defines is None."""
    with tempfile.NamedTemporaryFile("r") as file:
        gcc(INCLUDES, "-aux-info", file.name, "-S", "-o", "/dev/null")
        lines = file.read().splitlines()
    found = {}
    for line in lines:
        if any(line.startswith(f"/* {folder}") for folder in FOLDERS):
            storage, result, name, parameters = re.match(
                r".*? \*/ (extern|static) (.*?)(\w+) \((.*?)\);", line).groups()
            typed = f"{result.rstrip()}(*)({parameters})".replace("const ", "").replace("(void)", "()")
            found[name] = typed if storage == "extern" else None
    return found


class Debugged:
    """The types of the headers in debug information."""

    def __init__(self):
        with tempfile.NamedTemporaryFile() as file:
            gcc(INCLUDES, "-g", "-fno-eliminate-unused-debug-types", "-c", "-o", file.name)
            text = subprocess.run(["readelf", "--debug-dump=info", file.name],
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
        self.entries, above = {}, {}
        for line in text.splitlines():
            if begin := re.match(r" <(\d+)><(\w+)>: .*\((DW_TAG_\w+)\)", line):
                entry = {"tag": begin[3].removeprefix("DW_TAG_"), "parts": []}
                depth = int(begin[1])
                self.entries[begin[2]] = above[depth] = entry
                if depth:
                    above[depth - 1]["parts"].append(entry)
            elif value := re.match(r" +<\w+> +DW_AT_(\w+) *: (?:\(.*?\):? )*(\S.*?)\s*$", line):
                entry[value[1]] = value[2]

    def of(self, tag):
        """The types with this tag that are whole."""
        return [entry for entry in self.entries.values()
                if entry["tag"] == tag and "declaration" not in entry]

    def type_text(self, entry):
        """A member's type, as cffi writes it."""
        kind = self.entries[entry["type"].strip("<>").removeprefix("0x")]
        if kind["tag"] == "const_type":
            return self.type_text(kind)
        if kind["tag"] == "pointer_type":
            return self.type_text(kind) + " *"
        if kind["tag"] == "array_type":
            sizes = (int(part["upper_bound"], 0) + 1 for part in kind["parts"])
            return self.type_text(kind) + "".join(f"[{size}]" for size in sizes)
        prefix = {"structure_type": "struct ", "enumeration_type": "enum "}.get(kind["tag"], "")
        return prefix + kind["name"]

    def structs(self):
        """{name: (size, [(member, offset, type)])}."""
        return {struct["name"]: (int(struct["byte_size"], 0), [
            (part["name"], int(part["data_member_location"], 0), self.type_text(part))
            for part in struct["parts"]]) for struct in self.of("structure_type")
                if struct.get("name", "").startswith("pmuv3")}

    def enumerators(self):
        """{name: value}, and {name of a type: its enumerators}."""
        types = [(entry.get("name", ""),
                  {part["name"]: int(part["const_value"], 0) for part in entry["parts"]})
                 for entry in self.of("enumeration_type")]
        values = {name: value for _, values in types for name, value in values.items()}
        return ({name: value for name, value in values.items() if name.startswith("PMUV3_")},
                {name: values for name, values in types if name.startswith("pmuv3")})


def macros():
    """{name: whether it has parameters} of the headers' macros that stand for something."""
    found = re.findall(r"#define (PMUV3_\w+)(\(.*?\))? (.+)", gcc(INCLUDES, "-E", "-dM"))
    return {name: bool(parameters) for name, parameters, _ in found}


def arrays():
    """{function: [(position, whether C writes there, elements)]} of the parameters with a size in brackets."""
    text = re.sub(r"/\*.*?\*/", "", "".join(header.read_text() for header in HEADERS), flags=re.DOTALL)
    found = [(name, position, "const " not in parameter, size)
             for name, parameters in re.findall(r"\b(pmuv3_\w+)\(([^()]*)\)\s*;", text)
             for position, parameter in enumerate(parameters.split(","))
             for size in re.findall(r"\[(.+)\]", parameter)]
    sizes = printed("".join(f'printf("%d\\n", (int)({size}));' for *_, size in found))
    return {name: [(*of, int(size)) for (of_name, *of, _), (size,) in zip(found, sizes) if of_name == name]
            for name, *_ in found}


# ---- What the module has ----


class DeclaredTest(unittest.TestCase):
    """Each kind of declaration."""

    @classmethod
    def setUpClass(cls):
        cls.debugged = Debugged()
        cls.functions = prototypes()
        cls.macros = {name: has for name, has in macros().items() if name not in ONLY_IN_C}

    def test_functions(self):
        self.assertGreater(len(self.functions), 100)
        for name, typed in self.functions.items():
            with self.subTest(name):
                self.assertTrue(callable(getattr(lib, name, None)), "it is no function")
                if typed is not None:
                    self.assertEqual(ffi.typeof(getattr(lib, name)).cname, typed)

    def test_arrays(self):
        self.assertGreater(sum(map(len, arrays().values())), 5)
        for name, of_header in arrays().items():
            of_module = [pointer[:3] for pointer in pmuv3._POINTERS[name]]
            self.assertEqual([pointer for pointer in of_module if pointer in of_header], of_header, name)

    def test_structs(self):
        structs = self.debugged.structs()
        self.assertGreater(len(structs), 30)
        for name, struct in structs.items():
            with self.subTest(name):
                kind = ffi.typeof(f"struct {name}")
                members = [(member, field.offset, field.type.cname)
                           for member, field in kind.fields]
                self.assertEqual((ffi.sizeof(kind), members), struct)

    def test_enumerators(self):
        values, types = self.debugged.enumerators()
        self.assertGreater(len(values), 500)
        self.assertEqual({name: getattr(lib, name, None) for name in values}, values)
        self.assertEqual({name: ffi.typeof(f"enum {name}").relements for name in types}, types)

    def test_macros(self):
        names = [name for name, has_parameters in self.macros.items() if not has_parameters]
        self.assertGreater(len(names), 10)
        lines = printed("".join(f'printf("{name} %lld\\n", (long long)({name}));\n'
                                for name in names))
        self.assertEqual({name: getattr(lib, name, None) for name in names},
                         {name: int(value) for name, value in lines})
        for name, has_parameters in self.macros.items():
            self.assertEqual(callable(getattr(lib, name)), has_parameters, name)

    def test_nothing_else(self):
        declared = {*self.functions, *self.macros, *self.debugged.enumerators()[0]}
        self.assertEqual(set(dir(lib)), declared)
        self.assertEqual({name for name in dir(lib) if not hasattr(pmuv3, name[len("pmuv3_"):])},
                         set())

    def test_what_is_only_in_c(self):
        self.assertLessEqual(ONLY_IN_C, set(macros()))
        fields = printed("""
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \\
  printf(#reg " " #field " %llu %llu\\n", (unsigned long long)PMUV3_MASK(reg, field), \\
         (unsigned long long)PMUV3_GET(0x0123456789ABCDEF, reg, field));
#include "pmuv3/registers.def"
""")
        self.assertGreater(len(fields), 100)
        for reg, field, mask, value in fields:
            self.assertEqual(pmuv3.MASK(reg, field), int(mask), (reg, field))
            self.assertEqual(pmuv3.GET(0x0123456789ABCDEF, reg, field), int(value), (reg, field))


if __name__ == "__main__":
    unittest.main()
