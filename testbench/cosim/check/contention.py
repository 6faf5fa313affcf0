#!/usr/bin/env python3
"""The nets of a device that two drivers set, neither of which can be high impedance.

  contention.py XML   what Verilator's --xml-only wrote, without --flatten: there all drivers are left. Prints a line
                      for each net

A driver is an assignment, an instance whose port drives the net, or a process. Two equal assignments count as one,
and so do all processes: they assign a variable in turn. What a subroutine assigns counts as a process's, whoever calls
it. An index that varies reaches all bits that it might, as in IEEE 1800 (the longest static prefix).
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


def elements(name, ends):
    """The names of an array's elements, from its left end on"""
    left, right = ends
    step = 1 if left <= right else -1
    return [mangled(f'{name}[{index}]') for index in range(left, right + step, step)]


def constants(module):
    """The continuous assignments of constants. Verilator makes an initial block of each, at their own place."""
    known = {var.get('name') for var in module.iter('var') if var.find('const') is not None}
    return {initial[0] for initial in module.iter('initial')
            if len(initial) == 1 and initial[0].tag == 'assign' and initial[0].get('loc') == initial.get('loc') and
            initial[0][1].get('name') in known}


def began(module):
    """What is done once, before the device runs or after it, drives nothing"""
    begun = {node for block in module.iter() if block.tag in ('initial', 'final') for node in block.iter()}
    return begun - constants(module)


def formals(subroutine):
    """Its arguments; the first variable of a function may be its value"""
    return [var for var in subroutine.findall('var')
            if var.get('dir') and (subroutine.tag == 'task' or var.get('name') != subroutine.get('name'))]


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
        self.device, self.types, self.is_interface = device, device.types, node.tag == 'iface'
        self.variables = {}  # path: node
        self.instances = {}  # path: module
        self.subroutines = {}  # path: node
        self.begun, self.constants = began(node), constants(node)
        self.drivers = {}  # path: [Driver]
        self.find_names(node)
        self.ports = self.find_ports()
        self.live = self.find_live(node)
        releasing = None
        while releasing != self.releasing():  # what a net that is released drives is released, too
            releasing = self.releasing()
            self.drivers = {}
            self.find_drivers(node, releasing)
            self.take_below()

    def releasing(self):
        return {path for path, drivers in self.drivers.items() if any(driver.releases for driver in drivers)}

    def find_names(self, node):
        for child, scope in self.nodes(node, ()):
            if child.tag == 'var':
                self.variables['.'.join((*scope, child.get('name')))] = child
            elif child.tag == 'instance':
                self.instances.update((own, child.get('defName')) for own in self.names_of(child, scope))
            elif child.tag in ('func', 'task'):
                self.subroutines['.'.join((*scope, child.get('name')))] = child

    def names_of(self, instance, scope):
        """Of an interface, each of an array has its own name"""
        name = '.'.join((*scope, instance.get('name')))
        ends = self.ends_of(instance)
        return elements(name, ends) if ends and self.device.is_interface(instance.get('defName')) else [name]

    def find_ports(self):
        """The port of each place. Verilator leaves out the places of interfaces, and adds a variable to an instance."""
        ports = {int(var.get('pinIndex')): path for path, var in self.variables.items() if var.get('pinIndex')}
        interfaces = [path for path in self.variables
                      if self.is_reference(path) and '.' not in path and not path.endswith('__Viftop')]
        left = [place for place in range(1, len(ports) + len(interfaces) + 1) if place not in ports]
        return {**ports, **dict(zip(left, interfaces))}

    def nodes(self, node, scope):
        """(node, names of the blocks and the subroutine that it is in)"""
        left = [(child, scope) for child in reversed(node)]
        while left:
            child, outer = left.pop()
            yield child, outer
            inner = self.within(outer, child)
            left += [(own, inner) for own in reversed(child)]

    @staticmethod
    def within(scope, node):
        has_names = node.tag in ('begin', 'func', 'task') and node.get('name')
        return (*scope, mangled(node.get('name'))) if has_names else scope

    def path(self, reference, scope):
        """The path of a variable that is there, or of a signal of an interface; None: of another module"""
        dotted = reference.get('dotted')
        name = '.'.join(filter(None, (dotted and dotted.replace('__DOT__', '.'), reference.get('name'))))
        for path, first in zip(self.visible(name, scope), self.visible(name.partition('.')[0], scope)):
            if path in self.variables:
                return path
            if dotted and (self.device.is_interface(self.instances.get(first)) or self.is_reference(first)):
                return path
        return None

    def path_below(self, reference, scope):
        """The path of a variable of an instance, or None"""
        dotted = (reference.get('dotted') or '').replace('__DOT__', '.')
        path = f"{dotted}.{reference.get('name')}"
        return next((own for own in self.visible(path, scope) if dotted and self.find_below(own)), None)

    def find_below(self, path):
        """(module, path there) of a variable of an instance, or None"""
        module = self
        while module is not None and path not in module.variables:
            instance = next((name for name in module.instances if path.startswith(f'{name}.')), None)
            if instance is None:
                return None
            module, path = self.device.module(module.instances[instance]), path[len(instance) + 1:]
        return (module, path) if module not in (None, self) else None

    def take_below(self):
        """What a path into an instance drives, the instance drives, too."""
        for path, drivers in self.drivers.items():
            found = self.find_below(path) if path not in self.variables else None
            if found and not found[0].is_interface:
                drivers += [driver._replace(text=None) for driver in found[0].drivers.get(found[1], [])]

    @staticmethod
    def visible(name, scope):
        """The paths that a name may have, the nearest first"""
        return ['.'.join((*scope[:length], name)) for length in range(len(scope), -1, -1)]

    def is_reference(self, path):
        """Whether a port is an interface, or an element of an array of them"""
        var = self.variables.get(path, self.variables.get(re.sub(r'__BRA__\d+__KET__$', '', path)))
        kind = self.types.by_id.get(var.get('dtype_id')) if var is not None else None
        while kind is not None and kind.tag == 'unpackarraydtype':
            kind = self.types.by_id.get(kind.get('sub_dtype_id'))
        return kind is not None and kind.tag == 'ifacerefdtype'

    # ---- Subroutines ----

    def find_live(self, module):
        """The subroutines that are called while the device runs, and None: no subroutine. Those of an interface are
        called by other modules."""
        calls = [(node, scope) for node, scope in self.nodes(module, ())
                 if node.tag in ('taskref', 'funcref') and node not in self.begun]
        live = {None, *(path for path, node in self.subroutines.items()
                        if self.is_interface and node.get('name') in self.device.called)}
        more = live
        while more:
            callers, more = more, set()
            for call, scope in calls:
                if self.owner(scope) in callers:
                    more.update(self.called(call, scope))
            more -= live
            live |= more
        return live

    def owner(self, scope):
        """The subroutine in which something is, or None"""
        paths = ('.'.join(scope[:length]) for length in range(len(scope) + 1))
        return next((path for path in paths if path in self.subroutines), None)

    def called(self, call, scope):
        """The subroutines of this module that a call may be of. Verilator leaves out the path before the name."""
        name = call.get('name')
        if self.device.may_have_path(call):
            return [path for path, node in self.subroutines.items() if node.get('name') == name]
        return [path for path in self.visible(name, scope) if path in self.subroutines][:1]

    # ---- Drivers ----

    def find_drivers(self, module, releasing):
        for node, scope in self.nodes(module, ()):
            if node in self.begun or self.owner(scope) not in self.live:
                continue
            if node.tag == 'instance':
                self.add_instance(node, scope)
            elif node.tag in ('contassign', 'assign', 'assigndly'):
                self.add_assignment(node, scope, releasing)
            elif node.tag in ('taskref', 'funcref'):
                self.add_call(node, scope, releasing)

    def add_call(self, call, scope, releasing):
        """A call assigns its arguments, to and fro."""
        own = {path: self.subroutines[path] for path in self.called(call, scope)}
        others = {f'{at}.': node for at, node in enumerate(self.device.subroutines.get(call.get('name'), ()))}
        for path, subroutine in (own or others).items():
            for argument, formal in zip(call.findall('arg'), formals(subroutine)):
                name = f"{path}.{formal.get('name')}"
                if formal.get('dir') != 'output':
                    releases = self.may_release(argument[0], scope, releasing)
                    self.drivers.setdefault(name, []).append(Driver(0, releases, True, None, ''))
                if formal.get('dir') != 'input':
                    for part in self.parts(argument[0]):
                        self.add(part, scope, self.mask(part), name in releasing, True, None, call)

    def add_assignment(self, node, scope, releasing):
        is_process = node.tag != 'contassign' and node not in self.constants
        releases = node.find('strengthspec') is not None or self.may_release(node[0], scope, releasing)
        text = None if is_process else (scope, text_of(node[0]))
        for at, part in enumerate(self.parts(node[1])):
            self.add(part, scope, self.mask(part), releases, is_process, text and (at, text), node)

    def add(self, part, scope, mask, releases, is_process, text, place):
        reference = self.reference(part)
        if reference is None or not mask:
            return
        path = self.path(reference, scope) or self.path_below(reference, scope)
        if path is not None:
            driver = Driver(mask, releases, is_process, text, self.device.place(place))
            self.drivers.setdefault(path, []).append(driver)

    def add_instance(self, node, scope):
        module = self.device.module(node.get('defName'))
        if module is None:
            return
        if self.device.is_interface(node.get('defName')):
            for name in self.names_of(node, scope):
                self.take('', module, f'{name}.')
        count = self.instances_of(node)
        for port in node.findall('port'):
            name = module.port(port)
            if len(port) and name is not None:
                self.connect(module, name, port[0], scope, count, node)

    def connect(self, module, name, target, scope, count, place):
        if module.is_reference(name):
            for port, own in module.pairs(module.elements_of(name), self.interfaces(target, scope)):
                self.take(f'{port}.', module, f'{own}.')
            return
        if module.variables[name].get('dir') not in ('output', 'inout'):
            return
        width, parts = module.size(module.variables[name]), list(reversed(self.parts(target)))
        sizes = [self.size(part) for part in parts]
        is_apart = sum(sizes) == width * count  # each of several instances has its own bits
        for mask, releases in module.driven(name):
            for mask in [sum(mask << width * at for at in range(count))] if is_apart else [mask] * count:
                self.connect_bits(mask, releases, parts, sizes, scope, place)

    def interfaces(self, target, scope):
        """The interfaces that a connection names"""
        reference, index = self.reference(target), None
        path = self.path(reference, scope) if reference is not None else None
        if path is None:
            return []
        names = self.elements_of(path)
        if target.tag == 'arraysel':
            index = constant(target[1])  # from the lowest on
        return names if index is None or index >= len(names) else [sorted(names, key=self.number)[index]]

    def elements_of(self, path):
        """The names of an interface, of which there may be several"""
        name, var = path.removesuffix('__Viftop'), self.variables.get(path)
        kind = self.types.by_id.get(var.get('dtype_id')) if var is not None else None
        is_array = kind is not None and kind.tag == 'unpackarraydtype'
        return elements(name, self.types.ends(kind)) if is_array else [name]

    @staticmethod
    def number(name):
        return int(re.search(r'__BRA__(-?\d+)__KET__$', name)[1])

    @staticmethod
    def pairs(ports, own):
        """Arrays of one size are connected from the left on. Several instances have one port each."""
        return list(zip(ports, own)) if len(ports) == len(own) else [(one, other) for one in ports for other in own]

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

    @classmethod
    def instances_of(cls, node):
        ends = cls.ends_of(node)
        return abs(ends[0] - ends[1]) + 1 if ends else 1

    @staticmethod
    def ends_of(instance):
        """Both ends of an array of instances, or None"""
        ends = [constant(end) for end in instance.findall('range/const')]
        return ends if len(ends) == 2 and None not in ends else None

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

    def may_release(self, node, scope, releasing):
        """Whether the value of an expression may be high impedance. Verilator makes `z & !a` of `a ? 0 : z`."""
        left, values = [node], {node}
        while left:
            node = left.pop()
            if node.tag == 'bufif1' or node.tag == 'const' and has_z(node):
                return True
            if node in values and node.tag in ('varref', 'varxref') and \
                    self.net_may_release(self.path(node, scope), releasing):
                return True
            if node.tag not in ('eqwild', 'neqwild'):  # z is any bit there
                left += node
            values.update(node[CHOICES.get(node.tag, slice(0))] if node in values else ())
        return False

    def net_may_release(self, path, releasing):
        return path is None or path in releasing or \
            path in self.variables and self.variables[path].get('dir') == 'inout' and '.' not in path

    # ---- Bits ----

    def parts(self, node):
        """What is assigned, without concatenations; the highest bits are first"""
        return [part for child in node for part in self.parts(child)] if node.tag == 'concat' else [node]

    def reference(self, node):
        """The variable of which a part is assigned, or None"""
        while node.tag not in ('varref', 'varxref') and len(node):
            node = node[0]
        return node if node.tag in ('varref', 'varxref') else None

    def size(self, node):
        """Bits of a variable or an expression, in an array's elements, too; 0: unknown"""
        try:
            return self.size_of_type(node.get('dtype_id'))
        except (Refused, KeyError):
            return 0

    def size_of_type(self, type_id):
        array, node = self.types.array(type_id), self.types.by_id[type_id]
        if array:
            return array[1] * self.size_of_type(array[2])
        if node.tag == 'structdtype':
            return sum(size for _, size in self.members(node))
        if node.tag in ('refdtype', 'constdtype'):
            return self.size_of_type(node.get('sub_dtype_id'))
        return self.types.width(type_id)

    def members(self, structure):
        """(name, bits) of each member"""
        return [(member.get('name'), self.size_of_type(member.get('sub_dtype_id')))
                for member in structure.findall('memberdtype')]

    def span(self, node):
        """(lowest bit, number of bits) of what is assigned in its variable, or of more than that; None: unknown"""
        lowest, size, _ = self.longest_prefix(node) or (0, 0, False)
        return (lowest, size) if size else None

    def longest_prefix(self, node):
        """(lowest bit, number of bits, whether it is all of the node)"""
        size = self.size(node)
        if node.tag in ('varref', 'varxref'):
            return 0, size, True
        inner = self.longest_prefix(node[0]) if len(node) else None
        if not inner or not inner[2]:
            return inner
        at = self.offset(node, size)
        return (*inner[:2], False) if at is None else (inner[0] + at, size, True)

    def offset(self, node, size):
        """Where a part begins in what it is a part of; None: anywhere"""
        if node.tag == 'structsel':
            return self.offset_of_member(node)
        index = constant(node[1]) if node.tag in ('sel', 'arraysel') else None
        return index and index * (size if node.tag == 'arraysel' else 1)

    def offset_of_member(self, node):
        kind = self.types.by_id[node[0].get('dtype_id')]
        while kind.tag in ('refdtype', 'constdtype'):
            kind = self.types.by_id[kind.get('sub_dtype_id')]
        at = 0
        for name, size in self.members(kind) if kind.tag == 'structdtype' else ():
            if name == node.get('name'):
                return at
            at += size
        return None

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
        self.called = {call.get('name') for module in netlist for call in self.calls(module)}
        self.subroutines = {}  # name: nodes
        for node in netlist.iter():
            if node.tag in ('func', 'task'):
                self.subroutines.setdefault(node.get('name'), []).append(node)
        self.lines = {}  # file: its lines

    @staticmethod
    def calls(module):
        begun = began(module)
        return [node for node in module.iter() if node.tag in ('taskref', 'funcref') and node not in begun]

    def may_have_path(self, call):
        """Whether a path is before the name of what is called. In a macro that cannot be told."""
        file, line, column = call.get('loc').split(',')[:3]
        if file not in self.lines:
            self.lines[file] = read_lines(self.files[file])
        text = self.lines[file][int(line) - 1] if int(line) <= len(self.lines[file]) else ''
        before, rest = text[:int(column) - 1].rstrip(), text[int(column) - 1:]
        return not re.match(re.escape(call.get('name')) + r'(?![\w$])', rest) or before[-1:] in ('', '.', ':')

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


def read_lines(path):
    try:
        return pathlib.Path(path).read_text(errors='replace').split('\n')
    except OSError:
        return []


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
