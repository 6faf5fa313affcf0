#!/usr/bin/env python3
"""The nets of a device that two drivers set, neither of which can be high impedance.

  contention.py XML   what Verilator's --xml-only wrote, without --flatten: there all drivers are left. Prints a line
                      for each net

A driver is an assignment, an instance whose port drives the net, or a process. Two equal assignments count as one,
and so do all processes: they assign a variable in turn.
Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import re
import sys
from collections import namedtuple

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here / 'prove')]
import script
import verilator_xml
from dtypes import Refused, Types, number

# What sets bits of a net: `mask`. `text`: what an assignment assigns to them. A process may set them in turn with
# other processes. `releases`: the driver can be high impedance, or is weak.
Driver = namedtuple('Driver', 'mask releases is_process text place')
CHOICES = {'cond': slice(1, None), 'concat': slice(None), 'replicate': slice(1), 'sel': slice(1), 'arraysel': slice(1),
           'extend': slice(1), 'extends': slice(1)}  # the operands whose value such an expression may have


def mangled(name):
    """The name of a block, as other names have it"""
    return name.replace('[', '__BRA__').replace(']', '__KET__')


def has_z(constant):
    return bool(re.search(r"'s?[bh][0-9a-fx_]*[z?]", constant.get('name')))


def text_of(expression):
    """An expression, whose place does not matter"""
    return [(node.tag, len(node), sorted(item for item in node.items() if item[0] != 'loc'))
            for node in expression.iter()]


def constant(node):
    """The value of a constant, or None"""
    try:
        return number(node.get('name')) if node.tag == 'const' else None
    except Refused:
        return None


class Module:
    """The nets of a module and what drives them. A path is a name with the blocks that it is in."""

    def __init__(self, node, device):
        self.device, self.types = device, device.types
        self.variables = {}  # path: node
        self.instances = {}  # path: module
        self.subroutines = {}  # name: node
        self.drivers = {}  # path: [Driver]
        self.find_names(node)
        self.ports = self.find_ports()
        releasing = None
        while releasing != self.releasing():  # what a net that is released drives is released, too
            releasing = self.releasing()
            self.drivers = {}
            self.find_drivers(node, releasing)

    def releasing(self):
        return {path for path, drivers in self.drivers.items() if any(driver.releases for driver in drivers)}

    def find_names(self, node):
        for child, scope in self.nodes(node, ()):
            if child.tag == 'var':
                self.variables['.'.join((*scope, child.get('name')))] = child
            elif child.tag == 'instance':
                self.instances['.'.join((*scope, child.get('name')))] = child.get('defName')
            elif child.tag in ('func', 'task'):
                self.subroutines[child.get('name')] = child

    def find_ports(self):
        """The port of each place. Verilator leaves out the places of interfaces, and adds a variable to an instance."""
        ports = {int(var.get('pinIndex')): path for path, var in self.variables.items() if var.get('pinIndex')}
        interfaces = [path for path in self.variables if self.is_reference(path) and not path.endswith('__Viftop')]
        left = [place for place in range(1, len(ports) + len(interfaces) + 1) if place not in ports]
        return {**ports, **dict(zip(left, interfaces))}

    def nodes(self, node, scope):
        """(node, names of the blocks that it is in) of all but subroutines, which have names of their own"""
        left = [(child, scope) for child in reversed(node)]
        while left:
            child, outer = left.pop()
            yield child, outer
            if child.tag not in ('func', 'task', 'contassign', 'instance'):
                inner = self.within(outer, child)
                left += [(own, inner) for own in reversed(child)]

    @staticmethod
    def within(scope, node):
        return (*scope, mangled(node.get('name'))) if node.tag == 'begin' and node.get('name') else scope

    def path(self, reference, scope):
        """The path of a variable that is there, or of a signal of an interface; None: of another module"""
        dotted = reference.get('dotted')
        name = '.'.join(filter(None, (dotted and dotted.replace('__DOT__', '.'), reference.get('name'))))
        for length in range(len(scope), -1, -1):
            path = '.'.join((*scope[:length], name))
            first = '.'.join((*scope[:length], name.partition('.')[0]))
            if path in self.variables:
                return path
            if dotted and (self.device.is_interface(self.instances.get(first)) or self.is_reference(first)):
                return path
        return None

    def is_reference(self, path):
        """Whether a port is an interface"""
        kind = self.types.by_id.get(self.variables[path].get('dtype_id')) if path in self.variables else None
        return kind is not None and kind.tag == 'ifacerefdtype'

    # ---- Drivers ----

    def find_drivers(self, module, releasing):
        begun = {node for initial in module.iter() if initial.tag in ('initial', 'final') for node in initial.iter()}
        for node, scope in self.nodes(module, ()):
            if node.tag == 'instance':
                self.add_instance(node, scope)
            elif node.tag in ('contassign', 'assign', 'assigndly') and node not in begun:
                self.add_assignment(node, scope, releasing)
            elif node.tag in ('taskref', 'funcref') and node not in begun:
                self.add_call(node, scope, releasing, set())

    def add_call(self, call, scope, releasing, called):
        """What a process calls assigns variables of the module, too. An argument may be high impedance."""
        subroutine = self.subroutines.get(call.get('name'))
        if subroutine is None or subroutine in called or any(self.may_release(arg, scope, releasing) for arg in call):
            return
        called.add(subroutine)
        own = {var.get('name') for var in subroutine.iter('var')}
        for node in subroutine.iter():
            if node.tag in ('assign', 'assigndly'):
                self.add_assignment(node, scope, releasing, own)
            elif node.tag in ('taskref', 'funcref'):
                self.add_call(node, scope, releasing, called)

    def add_assignment(self, node, scope, releasing, local=()):
        is_process = node.tag != 'contassign'
        releases = node.find('strengthspec') is not None or self.may_release(node[0], scope, releasing, local)
        text = None if is_process else (scope, text_of(node[0]))
        for at, part in enumerate(self.parts(node[1])):
            reference = self.reference(part)
            if reference is None or reference.get('name') not in local:
                self.add(part, scope, self.mask(part), releases, is_process, text and (at, text), node)

    def add(self, part, scope, mask, releases, is_process, text, place):
        reference = self.reference(part)
        path = self.path(reference, scope) if reference is not None and mask else None
        if path is not None:
            driver = Driver(mask, releases, is_process, text, self.device.place(place))
            self.drivers.setdefault(path, []).append(driver)

    def add_instance(self, node, scope):
        module = self.device.module(node.get('defName'))
        if module is None:
            return
        if self.device.is_interface(node.get('defName')):
            self.take('', module, '.'.join((*scope, node.get('name'))) + '.')
        count = self.instances_of(node)
        for port in node.findall('port'):
            name = module.port(port)
            if len(port) and name is not None:
                self.connect(module, name, port[0], scope, count, node)

    def connect(self, module, name, target, scope, count, place):
        if module.is_reference(name):
            whole = self.path(target, scope) if target.tag == 'varref' else None
            if whole:
                self.take(f'{name}.', module, whole.removesuffix('__Viftop') + '.')
            return
        if module.variables[name].get('dir') not in ('output', 'inout'):
            return
        width, parts = module.size(module.variables[name]), list(reversed(self.parts(target)))
        sizes = [self.size(part) for part in parts]
        is_apart = sum(sizes) == width * count  # each of several instances has its own bits
        for mask, releases in module.driven(name):
            for mask in [sum(mask << width * at for at in range(count))] if is_apart else [mask] * count:
                self.connect_bits(mask, releases, parts, sizes, scope, place)

    def take(self, before, module, own):
        """Takes the drivers of an interface's signals from a module, where other words stand before their names."""
        for path, drivers in module.drivers.items():
            if path.startswith(before):
                self.drivers.setdefault(own + path[len(before):], []).extend(
                    driver._replace(text=None) for driver in drivers)

    def connect_bits(self, mask, releases, parts, sizes, scope, place):
        for part, size in zip(parts, sizes):
            span = self.span(part)
            own = mask & (1 << size) - 1
            mask >>= size
            if span:
                self.add(part, scope, own << span[0], releases, False, None, place)

    @staticmethod
    def instances_of(node):
        ends = [constant(end) for end in node.findall('range/const')]
        return abs(ends[0] - ends[1]) + 1 if len(ends) == 2 and None not in ends else 1

    def port(self, port):
        """The variable that a connection is of, or None"""
        by_place = re.fullmatch(r'__pinNumber(\d+)', port.get('name'))
        name = self.ports.get(int(by_place[1])) if by_place else port.get('name')
        return name if name in self.variables else None

    def driven(self, path):
        """(mask, whether all that drives it can be released) of what a net is driven by in this module"""
        drivers = self.drivers.get(path, [])
        masks = {False: 0, True: 0}
        for driver in drivers:
            masks[driver.releases] |= driver.mask
        return [(mask, releases) for releases, mask in masks.items() if mask & ~(masks[False] if releases else 0)]

    def may_release(self, node, scope, releasing, local=()):
        """Whether the value of an expression may be high impedance. Verilator makes `z & !a` of `a ? 0 : z`."""
        left, values = [node], {node}
        while left:
            node = left.pop()
            if node.tag == 'bufif1' or node.tag == 'const' and has_z(node):
                return True
            if node in values and node.tag in ('varref', 'varxref') and node.get('name') not in local and \
                    self.net_may_release(self.path(node, scope), releasing):
                return True
            if node.tag not in ('eqwild', 'neqwild'):  # z is any bit there
                left += node
            values.update(node[CHOICES.get(node.tag, slice(0))] if node in values else ())
        return False

    def net_may_release(self, path, releasing):
        return path is None or path in releasing or \
            path in self.variables and self.variables[path].get('dir') == 'inout'

    # ---- Bits ----

    def parts(self, node):
        """What is assigned, without concatenations; the highest bits are first"""
        return [part for child in node for part in self.parts(child)] if node.tag == 'concat' else [node]

    def reference(self, node):
        while node.tag in ('sel', 'arraysel'):
            node = node[0]
        return node if node.tag in ('varref', 'varxref') else None

    def size(self, node):
        """Bits of a variable or an expression, in an array's elements, too; 0: unknown"""
        try:
            return self.size_of_type(node.get('dtype_id'))
        except (Refused, KeyError):
            return 0

    def size_of_type(self, type_id):
        array = self.types.array(type_id)
        return array[1] * self.size_of_type(array[2]) if array else self.types.width(type_id)

    def span(self, node):
        """(lowest bit, number of bits) of what is assigned in its variable, or None"""
        size = self.size(node)
        if node.tag in ('varref', 'varxref'):
            return 0, size
        inner, at = (self.span(node[0]), constant(node[1])) if node.tag in ('sel', 'arraysel') else (None, None)
        return (inner[0] + at * (size if node.tag == 'arraysel' else 1), size) if inner and at is not None else None

    def mask(self, node):
        lowest, size = self.span(node) or (0, 0)
        return (1 << size) - 1 << lowest

    # ---- Contention ----

    def contentions(self):
        """(net, one driver, another)"""
        for path, drivers in self.drivers.items():
            hard = sorted((driver for driver in drivers if not driver.releases), key=lambda driver: driver.is_process)
            taken = 0  # bits that what is no process drives
            for at, other in enumerate(hard):
                one = next((one for one in hard[:at] if are_against(one, other)), None) if other.mask & taken else None
                if one:
                    yield path, one, other
                    break
                taken |= 0 if other.is_process else other.mask


def are_against(one, other):
    """Whether two drivers, of which the first is no process, may disagree"""
    return one.mask & other.mask and not one.is_process and (one.text is None or one.text != other.text)


class Device:
    def __init__(self, root):
        self.types = Types(root.find('.//typetable'))
        self.files = {file.get('id'): file.get('filename') for file in root.iter('file')}
        netlist = root.find('netlist')
        self.nodes = {node.get('name'): node for node in netlist if node.tag in ('module', 'iface')}
        self.modules = {}

    def is_interface(self, name):
        return name in self.nodes and self.nodes[name].tag == 'iface'

    def module(self, name):
        """Of a name; None: of a module that Verilator does not have"""
        if name not in self.modules:
            self.modules[name] = Module(self.nodes[name], self) if name in self.nodes else None
        return self.modules[name]

    def place(self, node):
        file, line = node.get('loc').split(',')[:2]
        return f'{self.files[file]}:{line}'


def main(arguments):
    if len(arguments) != 1:
        print('contention.py: expected the file that Verilator wrote', file=sys.stderr)
        return 2
    device = Device(verilator_xml.read(arguments[0]))
    for name in device.nodes:
        for path, one, other in device.module(name).contentions():
            print(f"'{path}' of {name} has two drivers, {one.place} and {other.place}")
    return 0


if __name__ == '__main__':
    script.run(main)
