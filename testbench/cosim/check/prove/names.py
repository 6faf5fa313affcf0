"""The names of a device's variables, and which of them a statement assigns or reads."""

from dtypes import Refused, Types


def escaped(name):
    return f'\\{name} '


class Names:
    def __init__(self, root, top):
        self.types = Types(root.find('.//typetable'))
        self.module = root.find('netlist/module')
        self.scope = self.module.find('topscope/scope')
        self.top = top
        self.variables = self.find_variables(root.find('netlist'))

    def name(self, node):
        """The name of a variable, within the device. Verilator puts the top module before some names."""
        name = node.get('name')
        return name[len(self.top) + 1:] if name.startswith(f'{self.top}.') else name

    def find_variables(self, netlist):
        """Verilator prints \\a.b as it prints the b of an instance a, the top module before a name or not, and of a
        package or an interface no name at all. Names that are alike then do not tell what is meant. A port is there
        twice: as a port, and as the top module's own."""
        variables, taken = {}, set()
        ports = {var.get('name') for var in self.module.findall('var') if var.get('dir')}
        outside = {var.get('name') for other in netlist if other is not self.module for var in other.iter('var')
                   if var.find('const') is None}
        for var in self.module.findall('var'):
            variable = self.name(var)
            is_own = var.get('name') != variable and variable in ports
            for name, _ in self.names(variable, var.get('dtype_id')):
                if (name, is_own) in taken or variable in outside or name.startswith(f'{self.top}.'):
                    raise Refused(f'two variables with one name "{name}"')
                taken.add((name, is_own))
            variables[variable] = var
        return variables

    def names(self, name, type_id):
        """(name, type) of all that a variable is for Yosys, to which each element of an array is a variable"""
        array = self.types.array(type_id)
        if array is None:
            return [(name, type_id)]
        first, size, element = array
        return [own for at in range(size) for own in self.names(f'{name}[{first + at}]', element)]

    def known(self, node):
        """The name of a variable of the device"""
        if self.name(node) not in self.variables:
            raise Refused(f'the variable "{self.name(node)}", which is in no instance')
        return self.name(node)

    # ---- What a statement assigns or reads ----

    def bases(self, node):
        if node.tag == 'varref':
            return [node]
        if node.tag == 'concat':
            return [base for child in node for base in self.bases(child)]
        return self.bases(node[0])

    def assigned(self, node, by=('assign', 'assigndly')):
        """Variables and elements that a process assigns, by name"""
        names = {}
        for statement in node.iter():
            if statement.tag not in by:
                continue
            for target in self.bases(statement[1]):
                names[self.name(target)] = target
        return names

    def reads(self, node):
        """Names of the variables that a statement or an expression reads"""
        written = {id(base) for statement in node.iter() if statement.tag in ('assign', 'assigndly', 'contassign')
                   for base in self.bases(statement[1])}
        return {self.name(ref) for ref in node.iter('varref') if id(ref) not in written}

    def is_edged(self, node):
        return any(item.get('edgeType') in ('POS', 'NEG', 'BOTH') for item in node.iter('senitem'))
