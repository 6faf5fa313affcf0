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
COMPARISONS = ('eqwild', 'neqwild', 'eqcase', 'neqcase')  # of which a z is never the value
PARTS = ('sel', 'arraysel', 'slicesel', 'structsel')  # of a variable


def mangled(name):
    """The name of a block, as other names have it"""
    return name.replace('[', '__BRA__').replace(']', '__KET__')


def elements(name, ends):
    """The names of an array's elements, from its left end on"""
    left, right = ends
    step = 1 if left <= right else -1
    return [mangled(f'{name}[{index}]') for index in range(left, right + step, step)]


def constants(module):
    """{(name, place of the value): assignment} of the continuous assignments of constants to whole nets. Verilator
    leaves the value with the net, and moves the assignment into an initial block of the module."""
    moved = [block[0] for block in module.iter('initial')
             if len(block) == 1 and block[0].tag == 'assign' and block[0].get('loc') == block.get('loc')]
    return {(node[1].get('name'), node[0].get('loc')): node for node in moved}


def began(module):
    """What is done once, before the device runs or after it, drives nothing"""
    return {node for block in module.iter() if block.tag in ('initial', 'final') for node in block.iter()}


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


def text_of_assignment(node, scope, at):
    """Two assignments are equal if one value goes to the same bits."""
    return scope, text_of(node[0]), text_of(node[1]), at


def constant(node):
    """The value of a constant, or None"""
    try:
        return number(node.get('name')) if node.tag == 'const' else None
    except Refused:
        return None


def released(driver, loose):
    """The driver, in two if a part of its bits can be high impedance"""
    if driver.releases or not driver.is_process or not driver.mask & loose:
        return [driver]
    parts = (driver.mask & loose, True), (driver.mask & ~loose, False)
    return [driver._replace(mask=mask, releases=releases) for mask, releases in parts if mask]


class Module:
    """The nets of a module and what drives them. A path is a name with the blocks that it is in."""

    def __init__(self, node, device):
        self.device, self.types, self.is_interface = device, device.types, node.tag == 'iface'
        self.variables = {}  # path: node
        self.instances = {}  # path: module
        self.subroutines = {}  # path: node
        self.begun, self.constants = began(node), constants(node)
        self.drivers = {}  # path: [Driver]
        self.begun_bits = {}  # path: bits that have a value before the device runs
        self.find_names(node)
        self.ports = self.find_ports()
        self.live = self.find_live(node)
        releasing = None
        while releasing != self.releasing():  # what a net that is released drives is released, too
            releasing = self.releasing()
            self.drivers = {}
            self.find_drivers(node, releasing)
            self.let_processes_release()
            self.take_below()
        self.find_begun(node)

    def releasing(self):
        """{path: bits that may be high impedance}"""
        bits = {}
        for path, drivers in self.drivers.items():
            for driver in drivers:
                if driver.releases:
                    bits[path] = bits.get(path, 0) | driver.mask
        return bits

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
        for path in self.visible(name, scope):
            if path in self.variables or dotted and self.is_of_interface(path):
                return path
        return None

    def is_of_interface(self, path):
        """Whether an interface is before one of the points"""
        words = path.split('.')
        befores = ['.'.join(words[:length]) for length in range(1, len(words))]
        return any(self.device.is_interface(self.instances.get(before)) or self.is_reference(before)
                   for before in befores)

    def path_below(self, reference, scope):
        """The path of a variable of an instance, or None"""
        dotted = (reference.get('dotted') or '').replace('__DOT__', '.')
        path = f"{dotted}.{reference.get('name')}"
        return next((own for own in self.visible(path, scope) if dotted and self.find_below(own)), None)

    def find_below(self, path):
        """(module, path there) of a variable of an instance, or None"""
        module = self
        while module is not None and (module is self or not module.has(path)):
            instance = next((name for name in module.instances if path.startswith(f'{name}.')), None)
            if instance is None:
                return None
            module, path = self.device.module(module.instances[instance]), path[len(instance) + 1:]
        return (module, path) if module is not None else None

    def has(self, path):
        return path in self.variables or path in self.drivers

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
        """The subroutines that are called while the device runs, and None: no subroutine. Other modules may call them,
        too."""
        calls = [(node, scope) for node, scope in self.nodes(module, ())
                 if node.tag in ('taskref', 'funcref') and node not in self.begun]
        live = {None, *(path for path, node in self.subroutines.items()
                        if node.get('name') in self.device.called)}
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
            elif node.tag == 'var':
                self.add_constant(node, scope)
            elif node.tag in ('contassign', 'assign', 'assigndly'):
                self.add_assignment(node, scope, releasing)
            elif node.tag in ('taskref', 'funcref'):
                self.add_call(node, scope, releasing)

    def find_begun(self, module):
        """Who reads an output that nothing else drives, reads its first value."""
        for node, scope in self.nodes(module, ()):
            if node.tag == 'assign' and node in self.begun:
                for part in self.parts(node[1]):
                    reference = self.reference(part)
                    path = self.path(reference, scope) if reference is not None else None
                    if path is not None:
                        self.begun_bits[path] = self.begun_bits.get(path, 0) | self.mask(part)

    def let_processes_release(self):
        """Of what a process assigns in turn, one value is high impedance."""
        for path, drivers in self.drivers.items():
            loose = 0
            for driver in drivers:
                loose |= driver.mask if driver.is_process and driver.releases else 0
            self.drivers[path] = [piece for driver in drivers for piece in released(driver, loose)]

    def add_call(self, call, scope, releasing):
        """A call assigns its arguments, to and fro."""
        own = {path: self.subroutines[path] for path in self.called(call, scope)}
        others = {f'{at}.': node for at, node in enumerate(self.device.subroutines.get(call.get('name'), ()))}
        for path, subroutine in (own or others).items():
            for argument, formal in zip(call.findall('arg'), formals(subroutine)):
                name = f"{path}.{formal.get('name')}"
                if formal.get('dir') != 'output':
                    releases = self.may_release(argument[0], scope, releasing)
                    self.drivers.setdefault(name, []).append(Driver(self.mask_of(formal), releases, True, None, ''))
                if formal.get('dir') != 'input':
                    for part in self.parts(argument[0]):
                        self.add(part, scope, self.mask(part), name in releasing, True, None, call)

    def add_constant(self, var, scope):
        value = var.find('const')
        node = self.constants.get((var.get('name'), value.get('loc'))) if value is not None else None
        if node is not None:
            driver = Driver(self.mask_of(var), has_z(value), False, text_of_assignment(node, scope, 0),
                            self.device.place(node))
            self.drivers.setdefault('.'.join((*scope, var.get('name'))), []).append(driver)

    def add_assignment(self, node, scope, releasing):
        is_process = node.tag != 'contassign'
        parts = list(reversed(self.parts(node[1])))  # from the lowest bit on
        loose = self.all_bits(node[1]) if node.find('strengthspec') is not None else \
            self.loose_bits(node[0], scope, releasing)
        for at, part in enumerate(parts):
            text = None if is_process else text_of_assignment(node, scope, at)
            mask, (lowest, size) = self.mask(part), self.span(part) or (0, 0)
            if self.size(part) != size:  # an index varies
                own = mask if loose else 0
            else:
                own = (loose & (1 << size) - 1) << lowest
            self.add(part, scope, own, True, is_process, text, node)
            self.add(part, scope, mask & ~own, False, is_process, text, node)
            loose >>= self.size(part)

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
        if target.tag in ('streaml', 'streamr'):
            for part in self.parts(target[0]):
                self.add(part, scope, self.mask(part), False, False, None, place)
            return
        width, parts = module.size(module.variables[name]), list(reversed(self.parts(target)))
        sizes = [self.size(part) for part in parts]
        is_apart = sum(sizes) == width * count  # each of several instances has its own bits
        for mask, releases in module.driven(name):
            mask = self.turned(mask, module.variables[name], target)
            for mask in [sum(mask << width * at for at in range(count))] if is_apart else [mask] * count:
                self.connect_bits(mask, releases, parts, sizes, scope, place)

    def interfaces(self, target, scope):
        """The interfaces that a connection names"""
        reference = self.reference(target)
        path = (self.path(reference, scope) or self.path_below(reference, scope)) if reference is not None else None
        if path is None:
            return []
        names = self.elements_of(path)
        first = constant(target[1]) if target.tag in ('arraysel', 'slicesel') else None  # from the lowest on
        if first is None:
            return names
        size = constant(target[2]) if target.tag == 'slicesel' else 1
        chosen = sorted(names, key=self.number)[first:first + size]
        return [name for name in names if name in chosen]

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

    def turned(self, mask, port, target):
        """Arrays are connected from the left on, so the bits of one may be in the other's order."""
        arrays = [self.types.array(node.get('dtype_id')) for node in (port, target)]
        ends = [self.types.ends_of(node.get('dtype_id')) for node in (port, target)]
        if None in arrays or (ends[0][0] < ends[0][1]) == (ends[1][0] < ends[1][1]):
            return mask
        _, count, element = arrays[0]
        size = self.size_of_type(element)
        return sum((mask >> size * at & (1 << size) - 1) << size * (count - 1 - at) for at in range(count))

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
        masks = {False: self.begun_bits.get(path, 0), True: 0}
        for driver in self.drivers.get(path, []):
            masks[driver.releases] |= driver.mask
        return [(mask, releases) for releases, mask in masks.items() if mask & ~(masks[False] if releases else 0)]

    def loose_bits(self, node, scope, releasing):
        """The bits of an expression that may be high impedance"""
        if node.tag == 'concat':
            low = self.size(node[1])
            return self.loose_bits(node[0], scope, releasing) << low | self.loose_bits(node[1], scope, releasing)
        if node.tag in ('varref', 'varxref', *PARTS) and self.reference(node) is not None:
            return self.loose_part(node, scope, releasing)
        return self.all_bits(node) if self.may_release(node, scope, releasing) else 0

    def loose_part(self, node, scope, releasing):
        path = self.path(self.reference(node), scope)
        loose = self.loose_of(path, releasing)
        lowest, size = self.span(node) or (0, 0)
        if size == self.size(node):
            return loose >> lowest & self.all_bits(node)
        return self.all_bits(node) if loose & (1 << size) - 1 << lowest else 0

    def loose_of(self, path, releasing):
        """Whoever is outside may release an inout port."""
        var = self.variables.get(path)
        is_inout = var is not None and var.get('dir') == 'inout' and '.' not in path
        return self.mask_of(var) if is_inout else releasing.get(path, 0)

    def may_release(self, node, scope, releasing):
        """Whether the value of an expression may be high impedance. Verilator makes `z & !a` of `a ? 0 : z`."""
        left, values = [node], {node}
        while left:
            node = left.pop()
            if node.tag == 'bufif1' or node.tag == 'const' and has_z(node):
                return True
            if node in values and node.tag in ('varref', 'varxref', *PARTS) and self.reference(node) is not None:
                if self.loose_part(node, scope, releasing):
                    return True
            elif node.tag not in COMPARISONS:
                left += node
                values.update(node[CHOICES.get(node.tag, slice(0))] if node in values else ())
        return False

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
        if at is None and self.is_constant_call(node):
            return None
        return (*inner[:2], False) if at is None else (inner[0] + at, size, True)

    @staticmethod
    def is_constant_call(node):
        """Whether the index is one that a function makes of constants, which nobody knows here"""
        tags = {inner.tag for index in node[1:] for inner in index.iter()}
        return 'funcref' in tags and not tags & {'varref', 'varxref'}

    def offset(self, node, size):
        """Where a part begins in what it is a part of; None: anywhere"""
        if node.tag == 'structsel':
            return self.offset_of_member(node)
        index = constant(node[1]) if node.tag in PARTS else None
        unit = {'sel': 1, 'arraysel': size}.get(node.tag)
        if node.tag == 'slicesel':
            unit = size // constant(node[2])
        return None if index is None or unit is None else index * unit

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

    def all_bits(self, node):
        return (1 << self.size(node)) - 1

    def mask_of(self, var):
        return (1 << self.size(var)) - 1

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
        self.lines = {}  # file: its lines
        calls = [call for module in netlist for call in self.calls(module)]
        self.called = {call.get('name') for call in calls if self.may_have_path(call)}
        self.subroutines = {}  # name: nodes
        for node in netlist.iter():
            if node.tag in ('func', 'task'):
                self.subroutines.setdefault(node.get('name'), []).append(node)

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
