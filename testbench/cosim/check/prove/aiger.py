#!/usr/bin/env python3
"""And-inverter graphs of `pmuv3 check --prove`, in binary AIGER as Yosys writes it.

  aiger.py cone AIG MAP OUT NAME...     OUT has the outputs NAME alone, and all inputs
  aiger.py only AIG MAP OUT NAME BIT INPUT VALUE
                                        OUT has this bit of an output alone, where the input always
                                        has this value
  aiger.py trace AIG MAP NAME CEX LAST  what the outputs NAME_0, NAME_1... carry in each clock of a
                                        counterexample, as ABC's write_cex writes it: a clock a line,
                                        hexadecimal. LAST: the number of the last clock, from 0

MAP is what write_aiger -map writes. Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3]))
import script


class Graph:
    def __init__(self, file):
        data = pathlib.Path(file).read_bytes()
        header, self.rest = data.split(b'\n', 1)
        self.size = [int(word) for word in header.split()[1:6]]
        _, self.inputs, latches, outputs, self.gates = self.size
        lines = self.rest.split(b'\n', latches + outputs)
        self.latches = [line.split() for line in lines[:latches]]
        self.outputs = [int(line) for line in lines[latches:latches + outputs]]
        self.coded = lines[-1]

    def ands(self):
        """(left, right) literals of each gate"""
        at, gates = 0, []
        first = self.inputs + len(self.latches) + 1
        for gate in range(self.gates):
            literal = 2 * (first + gate)
            for _ in range(2):
                delta, shift = 0, 0
                while True:
                    byte = self.coded[at]
                    at += 1
                    delta |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                literal -= delta
                gates.append(literal)
        return list(zip(gates[::2], gates[1::2]))


def bits_of(file, kind, name):
    """{name: {bit: number}} of the inputs or outputs that are called so, or NAME_ and a number"""
    found = {}
    for line in pathlib.Path(file).read_text().splitlines():
        words = line.split()
        if words and words[0] == kind and re.fullmatch(rf'{name}(_\d+)?', words[3]):
            found.setdefault(words[3], {})[int(words[2])] = int(words[1])
    return found


def outputs_of(file, name):
    return bits_of(file, 'output', name)


def cone(graph, numbers):
    maximum, inputs, latches, _, gates = graph.size
    lines = [f'aig {maximum} {inputs} {latches} {len(numbers)} {gates}'.encode()]
    lines += [b' '.join(latch) for latch in graph.latches]
    lines += [str(graph.outputs[number]).encode() for number in numbers]
    return b'\n'.join(lines) + b'\n' + graph.coded


def leb128(number):
    while number >= 128:
        yield number & 127 | 128
        number >>= 7
    yield number


def fix(graph, bits, value):
    """The input, whose bits are {bit: number}, becomes a constant."""
    constants = {number + 1: value >> bit & 1 for bit, number in bits.items()}

    def fixed(literal):
        return constants[literal >> 1] ^ literal & 1 if literal >> 1 in constants else literal

    coded, literal = bytearray(), 2 * (graph.inputs + len(graph.latches) + 1)
    for pair in graph.ands():
        right, left = sorted(map(fixed, pair))
        coded += bytes(leb128(literal - left)) + bytes(leb128(left - right))
        literal += 2
    graph.latches = [[str(fixed(int(latch[0]))).encode(), *latch[1:]] for latch in graph.latches]
    graph.outputs = [fixed(output) for output in graph.outputs]
    graph.coded = bytes(coded)


def simulate(graph, bits, clocks):
    """The values of all variables in each clock. ABC writes latches, of a graph that it made smaller, and
    then the inputs of each clock."""
    ands = graph.ands()
    state = [0] * len(graph.latches)
    for at in range(len(bits) - clocks * graph.inputs, len(bits), graph.inputs):
        values = [0] + [int(bit) for bit in bits[at:at + graph.inputs]] + state
        for left, right in ands:
            values.append((values[left >> 1] ^ left & 1) & (values[right >> 1] ^ right & 1))
        yield values
        state = [values[literal >> 1] ^ literal & 1 for literal in (int(latch[0]) for latch in graph.latches)]


def trace(graph, names, file, clocks):
    text = re.match('[01]*', pathlib.Path(file).read_text())[0]
    order = sorted(names, key=lambda name: int(name.rsplit('_', 1)[1]))
    for values in simulate(graph, text, clocks):
        words = []
        for name in order:
            literals = {bit: graph.outputs[output] for bit, output in names[name].items()}
            words.append(f'{sum((values[at >> 1] ^ at & 1) << bit for bit, at in literals.items()):x}')
        yield ' '.join(words)


def main(arguments):
    if len(arguments) >= 5 and arguments[0] == 'cone':
        _, file, names, out, *wanted = arguments
        bits = [outputs_of(names, name)[name] for name in wanted]
        pathlib.Path(out).write_bytes(cone(Graph(file), [of[bit] for of in bits for bit in sorted(of)]))
    elif len(arguments) == 8 and arguments[0] == 'only':
        _, file, names, out, name, bit, given, value = arguments
        graph = Graph(file)
        fix(graph, bits_of(names, 'input', given)[given], int(value))
        pathlib.Path(out).write_bytes(cone(graph, [outputs_of(names, name)[name][int(bit)]]))
    elif len(arguments) == 6 and arguments[0] == 'trace':
        _, file, names, name, cex, last = arguments
        print(*trace(Graph(file), outputs_of(names, name), cex, int(last) + 1), sep='\n')
    else:
        print('aiger.py: expected the arguments that its first lines say', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    script.run(main)
