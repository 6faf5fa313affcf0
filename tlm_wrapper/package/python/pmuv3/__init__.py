"""libpmuv3 and its checker, as their C headers declare them.

Names lose the prefix of C: pmuv3.read is pmuv3_read, pmuv3.PMCR is PMUV3_PMCR. `lib` has all of them under their names
in C. new("struct pmuv3 *") makes a struct. Text is str. A struct stands for its address where C wants that.
"""

from pmuv3._pmuv3 import ffi, lib

new = ffi.new


def MASK(reg, field):
    """The bits of a register's field: MASK("PMCR", "E")."""
    lsb, msb = (getattr(lib, f"PMUV3_{reg}_{field}_{end}") for end in ("LSB", "MSB"))
    return (1 << msb + 1) - (1 << lsb)


def GET(value, reg, field):
    """The value of a field in a register's value."""
    return (value & MASK(reg, field)) >> getattr(lib, f"PMUV3_{reg}_{field}_LSB")


def _to_c(value, kind):
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("C's text ends at a NUL")
        return value.encode()
    if isinstance(value, ffi.CData) and kind == ffi.typeof(value).cname + " *":
        return ffi.addressof(value)
    return value


def _length(value):
    """How many elements C finds there; None: nobody knows."""
    is_array = isinstance(value, ffi.CData) and ffi.typeof(value).kind == "array"
    return len(value) if is_array or isinstance(value, (list, tuple, bytes)) else None


def _expect_within(values):
    """C takes the number of elements after a list, and would read or write beyond it."""
    for value, number in zip(values, values[1:]):
        length = _length(value)
        if length is not None and isinstance(number, int) and number > length:
            raise ValueError(f"{number} elements of a list of {length}")


def _function(function):
    kinds = dict(enumerate(kind.cname for kind in ffi.typeof(function).args))

    def call(*values):
        _expect_within(values)
        result = function(*(_to_c(value, kinds.get(i)) for i, value in enumerate(values)))
        if isinstance(result, ffi.CData) and ffi.typeof(result) is ffi.typeof("char *"):
            # a message may be cut within a character, or have bytes that the caller gave
            return ffi.string(result).decode(errors="replace") if result else None
        return result

    call.__doc__ = function.__doc__
    return call


for _name in dir(lib):
    _value = getattr(lib, _name)
    globals()[_name[len("pmuv3_"):]] = _function(_value) if callable(_value) else _value
