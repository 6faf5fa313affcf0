#!/usr/bin/env python3
"""bind.py: what becomes of declarations, and of those that it cannot translate."""

import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tlm_wrapper/package/python"))
import bind

# A header that has what must be there, and a type of C's library.
USUAL = "#pragma once\n#include <stdio.h>\n" + "".join(f"#define {name} {{0}}\n" for name in bind.ONLY_IN_C)
FIRST = USUAL.count("\n") + 1


def bound(text, usual=USUAL, made="out.c"):
    """Exit status, what is said, and one of the module's two sources for a header."""
    with tempfile.TemporaryDirectory() as folder:
        header, out = pathlib.Path(folder, "a.h"), pathlib.Path(folder, made)
        header.write_text(usual + text, encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            status = bind.main(["module", f"{folder}/out.c", f"{folder}/pointers.py", "gcc", "a.h", "-I", folder])
        return status, said.getvalue().replace(folder, ""), out.read_text() if out.exists() else ""


class BindTest(unittest.TestCase):
    """Headers of a few lines."""

    def refused(self, text, *words, usual=USUAL):
        status, said, out = bound(text, usual)
        self.assertEqual((status, out, said.count("\n")), (2, "", 1), said)
        for word in words:
            self.assertIn(word, said)

    def test_what_is_translated(self):
        status, said, out = bound("""
            struct one; enum kind { A, B };
            struct two { enum kind kind; unsigned char many[2][3]; struct one *one; };
            enum { C = 7 };
            #define D (1 + C)
            #define E(n) ((n) + D)
            #define F() 8
            #define GUARD
            #define GONE 1
            #undef GONE
            struct two make(FILE *in, const char *name);
            static inline int half(int n) { return n / 2; }
            """)
        self.assertEqual((status, said), (0, ""))
        for name in ("A", "B", "C", "D", "E", "F", "make", "half"):
            self.assertIn(f'{{ "{name}",', out)
        for name in ("GUARD", "GONE", "printf", "EOF"):
            self.assertNotIn(f'{{ "{name}",', out)

    def test_what_is_refused(self):
        """The place and the name are said."""
        place = f"a.h:{FIRST}"
        self.refused("struct s { int bits : 3; };", place, "bits: a bit-field")
        self.refused("struct s { union { int a; }; };", place, "a member without a name")
        self.refused("struct s { struct { int a; } inner; };", place, "inner: a type that")
        self.refused("union u { int a; };", place, "union u")
        self.refused("extern const int table[3];", place, "table")
        self.refused("typedef int number;", place, "number")
        self.refused("#define NAME_OF(x) name_##x", place, "NAME_OF: a macro")
        self.refused("#define PAIR {1, 2}", place, "PAIR: a macro")
        self.refused("#define TEXT \"text\"", place, "TEXT: a macro")
        self.refused("#define ALL(...) f(__VA_ARGS__)", place, "ALL: a macro")
        self.refused("void f(struct s { int a; } s);", place, "f: a type that")
        self.refused("void f(int n, int x[]);", place, "x: an array without a size")
        self.refused("enum { N = 3 }; void f(int x[N + 1]);", place, "x: a size that is neither")
        self.refused("ssize_t f(void);", "a.h:")
        self.refused("int f(int n) { return __builtin_types_compatible_p(int, n); }", "a.h:")
        status, said, out = bound("#error not here")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("not here", said)

    def test_pointers(self):
        """Where it is, whether C writes there, how many elements it has, and the argument that says so."""
        status, said, out = bound("""
            struct s { int a; };
            enum { N = 3 };
            #define M 0x10u
            int none(int number);
            int nothing(void);
            void one(int n, struct s *s, const struct s *t);
            static inline void text(const char *name, char *const written, void *p) {}
            void arrays(char a[24], const int b[M], struct s c[N], const int d[2][7]);
            void lists(const struct s x[], unsigned num_x, struct s each[], char *buf, size_t size,
                       char *e, size_t e_size, const void *p, int n);
            void two(const int *x, int size_of_x, int **y, const int *const *z);
            """, made="pointers.py")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("from module import lib", out)
        found = {}
        lib = types.SimpleNamespace(N=3)
        exec(out.replace("from module import lib", ""), {"lib": lib}, found)  # pylint: disable=exec-used
        self.assertEqual(found["POINTERS"], {
            "none": [],
            "nothing": [],
            "one": [(1, True, 1, None), (2, False, 1, None)],
            "text": [(0, False, 0, None), (1, True, 0, None), (2, True, 0, None)],
            "arrays": [(0, True, 24, None), (1, False, 16, None), (2, True, 3, None), (3, False, 2, None)],
            "lists": [(0, False, None, 1), (2, True, None, 1), (3, True, None, 4), (5, True, None, 6),
                      (7, False, 0, None)],
            "two": [(0, False, 1, None), (2, True, 1, None), (3, False, 1, None)],
        })

    def test_what_is_left_out_is_there(self):
        for name in bind.ONLY_IN_C:
            self.refused("", name, usual=USUAL.replace(f"#define {name} ", f"#define {name}_ "))


if __name__ == "__main__":
    unittest.main()
