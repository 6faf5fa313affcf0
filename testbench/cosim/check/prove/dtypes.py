"""Types of variables in Verilator's XML. RTL that cannot be written for Yosys is Refused."""

import re


class Refused(Exception):
    pass


class Types:
    """Widths of the types."""

    def __init__(self, table):
        self.by_id = {node.get('id'): node for node in table}

    def ends(self, node):
        """The left and the right end of an array's range"""
        ends = [number(const.get('name')) for const in node.find('range').findall('const')]
        return [end - (1 << 32) if end >> 31 else end for end in ends]

    def range_of(self, node):
        left, right = self.ends(node)
        return min(left, right), abs(left - right) + 1

    def width(self, type_id):
        node = self.by_id[type_id]
        if node.tag == 'basicdtype':
            if node.get('left') is None:
                return {'integer': 32, 'int': 32, 'byte': 8, 'shortint': 16, 'longint': 64}.get(node.get('name'), 1)
            return abs(int(node.get('left')) - int(node.get('right'))) + 1
        if node.tag == 'structdtype':
            return sum(self.width(member.get('sub_dtype_id')) for member in node.findall('memberdtype'))
        if node.tag == 'uniondtype':
            return max(self.width(member.get('sub_dtype_id')) for member in node.findall('memberdtype'))
        if node.tag == 'packarraydtype':
            return self.range_of(node)[1] * self.width(node.get('sub_dtype_id'))
        if node.tag in ('refdtype', 'enumdtype', 'constdtype'):
            return self.width(node.get('sub_dtype_id'))
        raise Refused(f'a variable of type {node.tag}')

    def array(self, type_id):
        """(first index, elements, type of an element) of an array, or None"""
        node = self.array_type(type_id)
        return (*self.range_of(node), node.get('sub_dtype_id')) if node is not None else None

    def ends_of(self, type_id):
        """The left and the right end of an unpacked array's range, or None"""
        node = self.array_type(type_id)
        return self.ends(node) if node is not None else None

    def array_type(self, type_id):
        node = self.by_id[type_id]
        while node.tag in ('refdtype', 'constdtype'):
            node = self.by_id[node.get('sub_dtype_id')]
        return node if node.tag == 'unpackarraydtype' else None


def number(text):
    """The value of a constant: 32'sh6"""
    digits = re.fullmatch(r"(?:\d+)?'?s?h?([0-9a-fA-F_]+)", text)
    if not digits or "'" not in text:
        raise Refused(f'the constant {text}')
    return int(digits[1], 16)
