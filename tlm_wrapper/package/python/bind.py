#!/usr/bin/env python3
"""Writes the C source of a Python module with everything that C headers declare.

  bind.py MODULE OUT POINTERS CC HEADER... -I DIR...

The preprocessor gives the declarations, pycparser reads them, and cffi gets them with `...` in
place of each value, size and offset: these come from the compiler that compiles OUT. cffi forgets
`const`, and the sizes of arrays that functions take: the Python module POINTERS has them. A
declaration that cannot be translated is an error. Exit status: 0 written, 2 an error.
"""

import argparse
import contextlib
import pathlib
import re
import subprocess
import sys

import cffi
from pycparser import c_ast, c_generator, c_parser

# Types of C's library, which cffi knows. pycparser needs to know only that they are types.
STANDARD_TYPES = ['size_t', 'FILE'] + [f'{u}int{n}_t' for u in ('', 'u') for n in (8, 16, 32, 64)]

# Macros that stand for no value, and what users of Python have instead.
ONLY_IN_C = {
    'PMUV3_MASK': 'MASK of the package',
    'PMUV3_GET': 'GET of the package',
    'PMUV3_FGT_MASK': '1 << PMUV3_FGT_BIT_id',
    'PMUV3_PE_RESET': 'the states that pmuv3_init sets',
}


class Wrong(Exception):
    """What cannot be translated, with its place."""


# ---- Preprocessing ----


def preprocess(compiler, headers, folders):
    """The text of these folders' headers alone, and their macros: {name: (place, parameters, body)}."""
    command = [compiler, '-std=c11', '-E', '-dD', '-x', 'c', *(f'-I{f}' for f in folders), '-']
    text = ''.join(f'#include <{header}>\n' for header in headers)
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Wrong(run.stderr.strip())
    own, macros, is_own = [], {}, False
    for line in run.stdout.splitlines():
        if marker := re.match(r'# (\d+) "(.*?)"', line):
            file, number = marker[2], int(marker[1])
            is_own = any(folder in pathlib.Path(file).parents for folder in folders)
            own += [marker[0]] if is_own else []
        elif is_own:
            is_directive = take_directive(line, f'{file}:{number}', macros)
            own.append('' if is_directive else line)
            number += 1
    return '\n'.join(own), macros


def take_directive(line, place, macros):
    """Whether the line defines or forgets a macro."""
    define = re.match(r'#define (\w+)(?:\((.*?)\))? ?(.*)', line)
    if define:
        macros[define[1]] = (place, define[2], define[3])
    elif line.startswith('#undef '):
        macros.pop(line.split()[1], None)
    return line.startswith('#')


# ---- Translation ----


def macro(name, place, parameters, body):
    """A macro that is an integer, or makes one of integers. The compiler refuses what looks alike."""
    if name in ONLY_IN_C or not body:
        return ''
    if re.search('[{"#]', body) or '...' in (parameters or ''):
        raise Wrong(f'{place}: {name}: a macro that is no integer')
    if parameters is None:
        return f'#define {name} ...'
    values = ', '.join(f'uint64_t {p}' for p in parameters.split(',') if p)
    return f'uint64_t {name}({values or "void"});'


def c_text(node):
    return c_generator.CGenerator().visit(node)


def member(node):
    if node.name is None:
        raise Wrong(f'{node.coord}: a member without a name')
    if node.bitsize is not None:
        raise Wrong(f'{node.coord}: {node.name}: a bit-field')
    array = node.type
    while isinstance(array, c_ast.ArrayDecl):
        array.dim = c_ast.ID('...')
        array = array.type
    if is_defined_within(array):
        raise Wrong(f'{node.coord}: {node.name}: a type that is defined within another')
    return f'  {c_text(node)};'


def is_defined_within(node):
    """Whether the type of a member or a parameter has a body of its own."""
    return any(getattr(node, body, None) is not None for body in ('decls', 'values')) or any(
        is_defined_within(child) for _, child in node.children())


def struct(node):
    if node.decls is None:
        return f'struct {node.name};'
    return '\n'.join([f'struct {node.name} {{', *map(member, node.decls), '  ...;', '};'])


def enum(node):
    names = [value.name for value in node.values.enumerators]
    if node.name is None:
        return '\n'.join(f'#define {name} ...' for name in names)
    return f'enum {node.name} {{ {", ".join(names)}, ... }};'


def parameters_of(node):
    return node.type.args.params if node.type.args else []


def function(node):
    if is_defined_within(node.type):
        raise Wrong(f'{node.coord}: {node.name}: a type that is defined within another')
    node.storage, node.funcspec = [], []  # cffi calls `static inline` functions, too
    for parameter in parameters_of(node):
        if isinstance(getattr(parameter, 'type', None), c_ast.ArrayDecl):
            parameter.type.dim = None  # cffi knows few kinds of sizes, and would forget it
    return f'{c_text(node)};'


def declaration(node):
    if isinstance(node, c_ast.FuncDef):
        return function(node.decl)
    kind = node.type
    if isinstance(node, c_ast.Decl) and isinstance(kind, c_ast.FuncDecl):
        return function(node)
    if isinstance(node, c_ast.Decl) and node.name is None:
        if isinstance(kind, c_ast.Struct) and kind.name is not None:
            return struct(kind)
        if isinstance(kind, c_ast.Enum) and kind.values is not None:
            return enum(kind)
    text = ' '.join(c_text(node).split())
    raise Wrong(f'{node.coord}: {text}: a kind of declaration that is not translated')


def parse(text):
    known = f'typedef int {", ".join(STANDARD_TYPES)};\n'
    try:
        return c_parser.CParser().parse(known + text).ext[len(STANDARD_TYPES):]
    except c_parser.ParseError as error:
        raise Wrong(str(error)) from error


def translate(nodes, macros):
    """What cffi is told."""
    if unknown := set(ONLY_IN_C) - set(macros):
        raise Wrong(f'{", ".join(sorted(unknown))}: left out, but the headers have no such macro')
    lines = [declaration(node) for node in nodes]
    lines += [macro(name, *parts) for name, parts in macros.items()]
    return '\n'.join(filter(None, lines)) + '\n'


# ---- Pointers ----

POINTERS = '''"""What C finds behind the pointers that a function takes. bind.py wrote it from the headers.

A pointer is the position of its argument, whether C writes there, how many elements C finds there,
and None. Or it has None, and the position of the argument that says how many.
"""

from {module} import lib

POINTERS = {{
{lines}
}}
'''


def is_const(pointer):
    target = pointer.type
    while isinstance(target, c_ast.ArrayDecl):
        target = target.type
    return 'const' in getattr(target, 'quals', [])


def is_pointer(node):
    return isinstance(getattr(node, 'type', None), (c_ast.PtrDecl, c_ast.ArrayDecl))


def says_size(node, name):
    """Whether a parameter says how many elements the one before it, called `name`, has."""
    return getattr(node, 'name', None) in ('size', f'{name}_size', f'num_{name}')


def size_of(node):
    """How many elements a parameter has at least by its type. None: the type does not say it."""
    kind = node.type
    if isinstance(kind, c_ast.PtrDecl):
        target = getattr(getattr(kind.type, 'type', None), 'names', None)
        return '0' if target in (['char'], ['void']) else '1'  # text ends at a NUL
    if kind.dim is None:
        return None
    if isinstance(kind.dim, c_ast.Constant):
        return kind.dim.value.rstrip('uUlL')
    if isinstance(kind.dim, c_ast.ID):
        return f'lib.{kind.dim.name}'
    raise Wrong(f'{node.coord}: {node.name}: a size that is neither a number nor a name')


def pointers(node):
    """The pointers that a function takes. `x[]` without a size is as long as the list before it."""
    parameters = parameters_of(node)
    found, said_by = [], None
    for i, (parameter, following) in enumerate(zip(parameters, [*parameters[1:], None])):
        if not is_pointer(parameter):
            continue
        size = size_of(parameter)
        if says_size(following, parameter.name):
            size, said_by = None, i + 1
        elif size is None and said_by is None:
            raise Wrong(f'{parameter.coord}: {parameter.name}: an array without a size')
        last = None if size else said_by
        found.append(f'({i}, {not is_const(parameter.type)}, {size}, {last})')
    return f'[{", ".join(found)}]'


def pointers_of(nodes, module):
    """The Python module POINTERS."""
    declared = [getattr(node, 'decl', node) for node in nodes]
    lines = [
        f'    {node.name!r}: {pointers(node)},' for node in declared
        if isinstance(getattr(node, 'type', None), c_ast.FuncDecl)
    ]
    return POINTERS.format(module=module, lines='\n'.join(lines))


def main(arguments):
    parser = argparse.ArgumentParser()
    for name in ('module', 'out', 'pointers', 'compiler'):
        parser.add_argument(name)
    parser.add_argument('headers', nargs='+')
    parser.add_argument('-I', dest='folders', action='append', type=pathlib.Path, default=[])
    asked = parser.parse_args(arguments)
    builder = cffi.FFI()
    try:
        text, macros = preprocess(asked.compiler, asked.headers, asked.folders)
        nodes = parse(text)
        found = pointers_of(nodes, asked.module)  # before the sizes are left out
        builder.cdef(translate(nodes, macros))
    except (Wrong, cffi.CDefError) as error:
        print(f'bind.py: {error}', file=sys.stderr)
        return 2
    includes = ''.join(f'#include <{header}>\n' for header in asked.headers)
    builder.set_source(asked.module, includes)
    with contextlib.redirect_stdout(None):  # it says what it writes
        builder.emit_c_code(asked.out)
    pathlib.Path(asked.pointers).write_text(found, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
