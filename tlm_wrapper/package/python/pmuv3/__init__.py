"""libpmuv3 and its checker, as their C headers declare them.

Names lose the prefix of C: pmuv3.read is pmuv3_read, pmuv3.PMCR is PMUV3_PMCR. `lib` has all of them under their names
in C. new("struct pmuv3 *") makes a struct. Text is str. A struct stands for its address where C wants that.
"""

from pmuv3._pmuv3 import ffi, lib
from pmuv3._pointers import POINTERS as _POINTERS

new = ffi.new


def MASK(reg, field):
    """The bits of a register's field: MASK("PMCR", "E")."""
    lsb, msb = (getattr(lib, f"PMUV3_{reg}_{field}_{end}") for end in ("LSB", "MSB"))
    return (1 << msb + 1) - (1 << lsb)


def GET(value, reg, field):
    """The value of a field in a register's value."""
    return (value & MASK(reg, field)) >> getattr(lib, f"PMUV3_{reg}_{field}_LSB")


_NEW = type(new("char *"))  # of memory that new() made; another pointer may be to anywhere


def _text(value):
    if not isinstance(value, str):
        return value
    if "\0" in value:
        raise ValueError("C's text ends at a NUL")
    return value.encode()


def _address(value, kind):
    is_its = isinstance(value, ffi.CData) and kind.cname == ffi.typeof(value).cname + " *"
    return ffi.addressof(value) if is_its else value


def _length(value, kind):
    """How many elements, or bytes for a `void *`, C finds there; None: nobody knows."""
    if isinstance(value, (list, tuple, bytes)):
        return len(value)
    if not isinstance(value, ffi.CData):
        return None
    own = ffi.typeof(value)
    if own.kind == "struct":
        return 1
    if own.kind != "array" and type(value) is not _NEW:
        return None
    length = len(value) if own.kind == "array" else 1
    return length * ffi.sizeof(own.item) if kind.cname == "void *" else length


def _expect_memory(values, kinds, pointers):
    """C must not read or write beyond what is there, nor write where nobody sees it."""
    for i, is_written, size, number in pointers:
        if is_written and isinstance(values[i], (list, tuple, bytes)):
            raise TypeError(f"argument {i + 1}: C writes there, so it must be memory of new()")
        length = _length(values[i], kinds[i])
        if size is None:
            size = new(ffi.getctype(kinds[number], "*"), values[number])[0]
        if length is not None and size > length:
            raise ValueError(f"argument {i + 1}: {size} elements of a list of {length}")


def _function(function):
    kinds, pointers = ffi.typeof(function).args, _POINTERS.get(function.__name__, [])

    def call(*values):
        values = [_text(value) for value in values]
        if len(values) == len(kinds):
            _expect_memory(values, kinds, pointers)
            values = map(_address, values, kinds)
        result = function(*values)
        if isinstance(result, ffi.CData) and ffi.typeof(result) is ffi.typeof("char *"):
            # a message may be cut within a character, or have bytes that the caller gave
            return ffi.string(result).decode(errors="replace") if result else None
        return result

    call.__doc__ = function.__doc__
    return call


for _name in dir(lib):
    _value = getattr(lib, _name)
    globals()[_name[len("pmuv3_"):]] = _function(_value) if callable(_value) else _value
