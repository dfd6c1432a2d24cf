"""Turns an entry of the operation table into Python functions, as ``dataclasses`` and ``namedtuple`` do.

Three functions come out of an entry: the public function (with a fast path for 0-d float tensors), and the backward
function of its node class in two editions, on arrays and on tensors. They are written as source and compiled, because a
scalar graph spends most of its time in exactly these few lines; ``function.__source__`` shows what was compiled.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..mode import modes, switch
from ..node import NO_EDGE, checked, meta_of
from ..tensor import Tensor
from .source import called, compiled

if TYPE_CHECKING:
    from .table import Operation

#: 0-d results of these types take the fast path
SCALARS = frozenset({np.float32, np.float64})
NUMBERS = frozenset({float, int, bool})
#: names that the source for arrays uses itself
LOCALS = frozenset({"kind", "value", "value0", "value1", "result", "result0", "result1", "node"})


def backward(op: Operation) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The backward function of ``op`` on arrays, and on tensors."""
    return _backward(op, tensors=False), _backward(op, tensors=True)


def _backward(op: Operation, *, tensors: bool) -> Callable[..., Any]:
    from .. import dispatch
    from . import table

    namespace: dict[str, Any] = {
        "checked": checked,
        "unpack": dispatch.unpack_tensor if tensors else dispatch.unpack_array,
        "m": table.tensors if tensors else table.arrays,
        "saved_kinds": op.saved,
        "Tensor": Tensor,
        "NUMBERS": NUMBERS,
    }
    lines = ["def backward(node, g):"]
    if op.saved:
        names = "".join(f"s{i}, " for i in range(len(op.saved)))
        lines += ["    saved = node.saved", "    if saved is None: checked(node)", f"    {names}= saved"]
        for i, (kind, _) in enumerate(op.saved):
            if tensors and kind in ("input", "output"):
                lines.append(f"    s{i} = unpack(node, s{i}, saved_kinds[{i}])")
            elif kind == "input" and not op.variadic:
                lines += [
                    f"    if type(s{i}) is Tensor:",
                    f"        s{i} = s{i}.array if s{i}._storage is None else unpack(node, s{i}, saved_kinds[{i}])",
                    f"    elif s{i} is not None and type(s{i}) not in NUMBERS:",
                    f"        s{i} = unpack(node, s{i}, saved_kinds[{i}])",
                ]
            elif kind == "output":
                lines.append(f"    if node.extra is not None: s{i} = unpack(node, s{i}, saved_kinds[{i}])")
            elif kind == "input":
                lines.append(f"    s{i} = unpack(node, s{i}, saved_kinds[{i}])")
    results: list[str] = []
    count = len(op.input_names)
    if count > 1 or any("needs" in args for _, _, args in op.rule_args):
        lines.append("    edges = node.next_functions")
    joint: dict[int, str] = {}
    for k, (wanted, rule, args) in enumerate(op.rule_args):
        namespace[f"rule{k}"] = rule
        result = called(rule, k, ["g", *(a if isinstance(a, str) else f"s{a}" for a in args)])
        if "needs" in args:
            lines.append(f"    needs = tuple([edges[i][0] is not None for i in {wanted}])")
        if op.variadic:
            lines.append(f"    return {result}")
            return compiled("backward", "\n".join(lines), namespace)
        if len(wanted) > 1:
            lines.append(f"    j{k} = {result}")
            for position, i in enumerate(wanted):
                joint[i] = f"j{k}[{position}]"
        else:
            guard = f" if edges[{wanted[0]}][0] is not None else None" if count > 1 else ""
            joint[wanted[0]] = result + guard
    results = [joint.get(i, "None") for i in range(count)]
    lines.append(f"    return ({', '.join(results)},)")
    return compiled("backward", "\n".join(lines), namespace)


def _names(op: Operation, scalar: Callable[..., Any] | None) -> dict[str, Any]:
    """What the source of a public function refers to."""
    from .. import dispatch
    from ..errors import Unsupported

    return {
        "apply": dispatch.apply,
        "op": op,
        "switch": switch,
        "modes": modes,
        "Tensor": Tensor,
        "edge_of": dispatch.edge_of,
        "forward": scalar or op.forward,
        "forward_array": op.forward,
        "new": object.__new__,
        "SCALARS": SCALARS,
        "NO_EDGE": NO_EDGE,
        "Node": op.node_class,
        "variant": op.variant,
        "variants": getattr(op, "node_classes", ()),
        "save": dispatch.save,
        "meta_of": meta_of,
        "unpacked": dispatch.unpacked,
        "Unsupported": Unsupported,
        "ndarray": np.ndarray,
    }


def function(op: Operation, scalar: Callable[..., Any] | None, *, operator: bool = False) -> Callable[..., Any]:
    """The public function of ``op``, with the signature of its kernel.

    As an ``operator`` it answers ``NotImplemented`` to what it cannot compute with, so that Python may ask the other
    side.
    """
    if op.parse is not None:
        return _parsed(op, op.parse)
    namespace = _names(op, scalar)
    head = _signature(op, namespace)
    inputs = ", ".join(op.input_names)
    params = ", ".join(op.param_names)
    if op.variadic:
        slow = f"apply(op, {op.variadic}, ({params}{',' if params else ''}))"
    else:
        slow = f"apply(op, ({inputs},), ({params}{',' if params else ''}))"
    lines = [f"def {op.name}({head}):"]
    if op.elementwise and op.differentiable and (op.plain or (scalar is not None and len(op.input_names) == 1)):
        fast = _unary(op) if len(op.input_names) == 1 else _binary(op) if len(op.input_names) == 2 else []
        lines += fast
        if fast and op.quick is None:
            body = "\n".join(fast).replace("not switch.special and ", "")
            body = body.replace(_defaults(op), "") if op.plain and op.param_names else body
            every = ", ".join(op.input_names + op.param_names)
            source = f"def quick({every}):\n{body}\n    return None"
            op.quick = compiled("quick", source, dict(namespace))
    lines += _arrays(op)
    if operator:
        lines += ["    try:", f"        return {slow}", "    except Unsupported:", "        return NotImplemented"]
    else:
        lines.append(f"    return {slow}")
    return compiled(op.name, "\n".join(lines), namespace)


def renamed(parse: Callable[..., Any] | None, name: str) -> Callable[..., Any] | None:
    """``parse`` under the operation's name, so that Python's own messages about arguments name the operation."""
    if not isinstance(parse, FunctionType):
        return parse
    copy = FunctionType(parse.__code__, parse.__globals__, name, parse.__defaults__, parse.__closure__)
    copy.__kwdefaults__, copy.__qualname__, copy.__doc__ = parse.__kwdefaults__, name, parse.__doc__
    return copy


def straight(op: Operation, *absent: str) -> Callable[..., Any]:
    """A function of the inputs and then the parameters of ``op``, all in order and as they are. The inputs called
    ``absent`` are left out; they are None.
    """
    given = ", ".join([x for x in op.input_names if x not in absent] + list(op.param_names))
    inputs, params = ", ".join("None" if x in absent else x for x in op.input_names), ", ".join(op.param_names)
    slow = f"    return apply(op, ({inputs},), ({params}{',' if params else ''}))"
    return compiled(op.name, "\n".join([f"def {op.name}({given}):", *_arrays(op, absent), slow]), _names(op, None))


def _parsed(op: Operation, parse: Callable[..., Any]) -> Callable[..., Any]:
    from .. import dispatch

    run = straight(op) if not op.has_keywords and _arrays(op) else None

    def function(*args: Any, **kwargs: Any) -> Any:
        inputs, params = parse(*args, **kwargs)
        return dispatch.apply(op, inputs, params) if run is None else run(*inputs, *params)

    function.__signature__ = inspect.signature(parse)  # type: ignore[attr-defined]
    return function


def kernel(op: Operation) -> Callable[..., Any]:
    """The kernel on arrays, called as the public function is: what ``m.name`` is in a rule that runs on arrays."""
    parse, forward = op.parse, op.forward
    if parse is None:
        return forward

    def on_arrays(*args: Any, **kwargs: Any) -> Any:
        inputs, params = parse(*args, **kwargs)
        return forward(inputs, *params) if op.variadic else forward(*inputs, *params)

    return on_arrays


def _signature(op: Operation, namespace: dict[str, Any]) -> str:
    """The parameter list of the kernel as source; its defaults go into ``namespace``."""
    head: list[str] = []
    keyword = False
    for p in inspect.signature(op.forward).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not keyword:
            head.append("*")
            keyword = True
        if p.default is p.empty:
            head.append(p.name)
        else:
            namespace[f"default_{p.name}"] = p.default
            head.append(f"{p.name}=default_{p.name}")
    return ", ".join(head)


def binder(op: Operation) -> Callable[..., Any]:
    """A function with the kernel's signature that returns ``(inputs, parameters)``, both in order."""
    namespace: dict[str, Any] = {}
    inputs = "".join(f"{name}, " for name in op.input_names)
    params = "".join(f"{name}, " for name in op.param_names)
    source = f"def {op.name}({_signature(op, namespace)}):\n    return ({inputs}), ({params})"
    return compiled(op.name, source, namespace)


def keeper(op: Operation) -> Callable[..., Any] | None:
    """A function that returns what the rules of ``op`` will read; None for operations that need a closer look."""
    from ..dispatch import save

    if op.variadic or op.many or not op.differentiable:
        return None
    # what looks at memory, or may, shares it: that wants a closer look, unless it always does and nobody reads it later
    if op.view and (op.view is not True or op.multi or any(kind in ("input", "output") for kind, _ in op.saved)):
        return None
    parts = []
    for (kind, where), readers in zip(op.saved, op.readers, strict=True):
        if kind == "input":
            wanted = " or ".join(f"edges[{i}][0] is not None" for i in readers)
            parts.append(f"save(inputs[{where}])" + ("" if len(op.input_names) == 1 else f" if {wanted} else None"))
        elif kind == "output":
            parts.append(f"results[{where}]")
        elif kind == "param":
            parts.append(f"params[{where}]")
        else:
            empty = "()" if kind == "shape" else "None"
            parts.append(f"inputs[{where}].array.{kind} if isinstance(inputs[{where}], Tensor) else {empty}")
    source = f"def keep(inputs, params, results, edges):\n    return ({''.join(part + ', ' for part in parts)})"
    return compiled("keep", source, {"save": save, "Tensor": Tensor})


def _entries(op: Operation, *, number: bool = False) -> str:
    """Source of the tuple a fast path saves; edges are called e0 and e1."""
    parts = []
    for (kind, where), readers in zip(op.saved, op.readers, strict=True):
        name = op.input_names[where] if kind == "input" else ""
        if kind == "output":
            parts.append("value")
        elif kind == "param":
            parts.append(op.param_names[where])
        elif kind != "input":
            parts.append("()" if kind == "shape" else "kind")
        elif len(op.input_names) == 1 or set(readers) >= {0, 1}:
            parts.append(name)
        elif number:
            parts.append(name if 0 in readers else "None")
        else:
            parts.append(f"{name} if e{readers[0]}[0] is not None else None")
    return f"({', '.join(parts)}{',' if parts else ''})"


def _make(op: Operation, indent: str, edges: str, saved: str) -> list[str]:
    return [
        f"{indent}node = Node()",
        f"{indent}node.next_functions = {edges}",
        f"{indent}node.saved = {saved}",
        f"{indent}node.meta = kind",
        f"{indent}node.extra = None",
        f"{indent}result._edge = (node, 0)",
        f"{indent}return result",
    ]


_RESULT = ["result = new(Tensor)", "result.array = value", "result._meta = result._storage = None"]


def _defaults(op: Operation) -> str:
    return "".join(f" and {name} is default_{name}" for name in op.param_names)


def _unary(op: Operation) -> list[str]:
    x = op.input_names[0]
    defaults, given = (_defaults(op), "") if op.plain else ("", "".join(f", {name}" for name in op.param_names))
    lines = [
        f"    if not switch.special and type({x}) is Tensor and {x}._storage is None{defaults}:",
        f"        a = {x}.array",
        "        kind = type(a)",
        "        if kind in SCALARS:",
        f"            value = forward(a{given})",
        "            if type(value) is kind:",
    ]
    pad = " " * 16
    lines += [pad + line for line in _RESULT]
    lines += [
        f"{pad}e0 = {x}._edge",
        f"{pad}if e0 is None: e0 = NO_EDGE if {x}._meta is None else edge_of({x})",
        f"{pad}if e0[0] is None:",
        f"{pad}    result._edge = None",
        f"{pad}    return result",
    ]
    return lines + _make(op, pad, "(e0,)", _entries(op))


def _binary(op: Operation) -> list[str]:
    x, y = op.input_names
    pad = " " * 20
    lines = [
        f"    if not switch.special and type({x}) is Tensor and {x}._storage is None{_defaults(op)}:",
        f"        a = {x}.array",
        "        kind = type(a)",
        "        if kind in SCALARS:",
        f"            other_kind = type({y})",
        "            if other_kind is Tensor:",
        f"                b = {y}.array",
        f"                if type(b) is kind and {y}._storage is None:",
        f"{pad}value = forward(a, b)",
        *(pad + line for line in _RESULT),
        f"{pad}e0 = {x}._edge",
        f"{pad}if e0 is None: e0 = NO_EDGE if {x}._meta is None else edge_of({x})",
        f"{pad}e1 = {y}._edge",
        f"{pad}if e1 is None: e1 = NO_EDGE if {y}._meta is None else edge_of({y})",
        f"{pad}if e0[0] is None and e1[0] is None:",
        f"{pad}    result._edge = None",
        f"{pad}    return result",
        *_make(op, pad, "(e0, e1)", _entries(op)),
    ]
    if not op.numbers:
        return lines
    return [
        *lines,
        "            elif other_kind is float or other_kind is int:",
        f"                value = forward(a, {y})",
        "                if type(value) is kind:",
        *(pad + line for line in _RESULT),
        f"{pad}e0 = {x}._edge",
        f"{pad}if e0 is None: e0 = NO_EDGE if {x}._meta is None else edge_of({x})",
        f"{pad}if e0[0] is None:",
        f"{pad}    result._edge = None",
        f"{pad}    return result",
        *_make(op, pad, "(e0, NO_EDGE)", _entries(op, number=True)),
    ]


def _kept(op: Operation, absent: tuple[str, ...]) -> str:
    """Source of the tuple that the path for arrays saves; inputs have the arrays a0, a1 ... and the edges e0, e1 ..."""
    parts = []
    for (kind, where), readers in zip(op.saved, op.readers, strict=True):
        name = op.input_names[where] if kind in ("input", "shape", "dtype") else ""
        if name in absent:
            parts.append("()" if kind == "shape" else "None")
        elif kind == "input":
            # a tensor with nothing unusual, whose memory nobody shares, is kept as it is
            kept = f"{name} if {name}._storage is None and {name}._meta is None else save({name})"
            wanted = " or ".join(f"e{i}[0] is not None" for i in readers)
            parts.append(kept if len(op.input_names) == 1 else f"({kept}) if {wanted} else None")
        elif kind == "output":
            parts.append(f"value{where}")
        else:
            parts.append(op.param_names[where] if kind == "param" else f"a{where}.{kind}")
    return f"({''.join(part + ', ' for part in parts)})"


def _arrays(op: Operation, absent: tuple[str, ...] = ()) -> list[str]:
    """Source of the path for arrays of one type in default modes; what is less simple is left to ``apply``.

    The inputs called ``absent`` are None there.
    """
    if op.variadic or op.view or op.many or not op.differentiable or (op.has_keywords and not op.plain):
        return []
    names = {i: name for i, name in enumerate(op.input_names) if name not in absent}
    if len(names) > 3 or LOCALS.intersection(op.input_names + op.param_names):
        return []
    defaults, given = (_defaults(op), "") if op.has_keywords else ("", "".join(f", {x}" for x in op.param_names))
    arrays = ", ".join(f"a{i}" if i in names else "None" for i in range(len(op.input_names)))
    alike = [f"type(a{i}) is ndarray" for i in names]
    if op.promote != "none":
        alike += ["a0.dtype.kind == 'f'", *(f"a{i}.dtype is a0.dtype" for i in names if i)]
    values = [f"value{i}" for i in range(len(op.output_names))]
    lines = [
        f"    if not switch.special{defaults}{''.join(f' and isinstance({x}, Tensor)' for x in names.values())}:",
        *(f"        a{i} = {x}.array" for i, x in names.items()),
        f"        if {' and '.join(alike)}:",
        "            try:",
        f"                {', '.join(values)} = forward_array({arrays}{given})",
        "            except (ValueError, TypeError):",
        "                value0 = None  # apply says what is wrong",
        "            if type(value0) is ndarray and not value0.ndim: value0 = value0[()]",
        "            kind = type(value0)",
        "            if kind in SCALARS or (kind is ndarray and value0.dtype.kind == 'f'):",
    ]
    pad = " " * 16
    for i, x in names.items():
        lines += [
            f"{pad}e{i} = {x}._edge",
            f"{pad}if e{i} is None: e{i} = NO_EDGE if {x}._meta is None else edge_of({x})",
        ]
    # a view without an edge may belong to a base that is tracked by now
    known = [f"(e{i} is not NO_EDGE or {x}._meta is None or {x}._meta.view is None)" for i, x in names.items()]
    lines.append(f"{pad}if {' and '.join(known)}:")
    pad += "    "
    lines += [f"{pad}{v} = unpacked({v})" for v in values[1:]]
    results = [f"result{i}" for i in range(len(values))]
    for result, value in zip(results, values, strict=True):
        lines += [f"{pad}{result} = new(Tensor)", f"{pad}{result}.array = {value}"]
        lines += [f"{pad}{result}._edge = {result}._meta = {result}._storage = None"]
    answer = f"op.returns({', '.join(results)})" if op.multi else "result0"
    edges = "".join(f"e{i}, " if i in names else "NO_EDGE, " for i in range(len(op.input_names)))
    inputs = "".join(f"{x if i in names else None}, " for i, x in enumerate(op.input_names))
    kind_of = f"variants[variant(({inputs}), ({''.join(x + ', ' for x in op.param_names)}))]" if op.variant else "Node"
    fits = ["(value0.shape, value0.dtype) if kind is ndarray else kind", *(f"meta_of({v})" for v in values[1:])]
    lines += [
        f"{pad}if {' and '.join(f'e{i}[0] is None' for i in names)}: return {answer}",
        f"{pad}node = {kind_of}()",
        f"{pad}node.next_functions = ({edges})",
        f"{pad}node.saved = {_kept(op, absent)}",
        f"{pad}node.meta = {'[' + ', '.join(fits) + ']' if op.multi else fits[0]}",
        f"{pad}node.extra = None",
    ]
    for i, name in enumerate(op.output_names):
        if name not in op.nondiff:
            tracked = f"if value{i}.dtype.kind == 'f': " if i else ""
            lines.append(f"{pad}{tracked}result{i}._edge = (node, {i})")
    return [*lines, f"{pad}return {answer}"]


def reflected(op: Operation, function: Callable[..., Any], other: str | None) -> Callable[..., Any]:
    """The method for ``number <operator> tensor``: commutative operations swap, the others name what to do."""
    from ..errors import Unsupported

    def method(self: Any, number: Any) -> Any:
        if switch.special and modes.recorder is not None:
            modes.recorder.reflected = True
        target = function
        if other is not None:
            from .table import FUNCTIONS, TABLE

            target = FUNCTIONS.get(other) or TABLE[other].function
        try:
            return target(self, number)
        except Unsupported:
            return NotImplemented

    method.__name__ = f"__r{op.name}__"
    return method


def in_place(op: Operation) -> Callable[..., Any]:
    """``name_``: writes the result into its first input and returns that."""
    bind = op.parse or binder(op)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        from .. import inplace

        inputs, params = bind(self, *args, **kwargs)
        return inplace.apply(op, inputs, params)

    method.__name__ = op.name + "_"
    return method
