"""How an operation is defined: :func:`op` makes everything that belongs to it from one entry.

See the package docstring (:mod:`autograd.ops`) for the recipe.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..errors import tensor_first
from ..node import Node
from . import generate
from .source import as_rule

Rule = Callable[..., Any]

#: name -> Operation, in the order of definition
TABLE: dict[str, Operation] = {}
#: public functions by name (``torch.exp``); plain functions of the library are added here too
FUNCTIONS: dict[str, Callable[..., Any]] = {}
#: what becomes a method of Tensor, by name
METHODS: dict[str, Callable[..., Any]] = {}
#: the namespace ``m`` of a rule that runs on arrays, and of one that runs on tensors: the same names in both
arrays = SimpleNamespace()
tensors = SimpleNamespace()


def several(self: Any) -> str:
    """How several results print: ``torch.return_types.max(`` and a line for each."""
    lines = ",\n".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
    return f"torch.return_types.{type(self).__name__}(\n{lines})"


def named_results(name: str, fields: str) -> Any:
    """A class for several results, which prints as :func:`several` says."""
    made = namedtuple(name, fields)  # type: ignore[misc]
    made.__module__ = "torch.return_types"
    made.__repr__ = several  # type: ignore[method-assign]
    return made


class Operation:
    """One operation: its kernel, its rules, and what they read. Made by :func:`op`."""

    def __init__(self, name: str, grad_fn: str | None, forward: Rule, **entry: Any) -> None:
        self.name = name
        self.forward = forward
        parameters = list(inspect.signature(forward).parameters.values())
        vjp: dict[str, Rule] = {name: as_rule(of) for name, of in (entry["vjp"] or {}).items()}
        self.variadic: str | None = entry["variadic"]
        inputs = entry["inputs"]
        if self.variadic:
            self.input_names: tuple[str, ...] = (self.variadic,)
        elif inputs is not None:
            self.input_names = tuple(inputs.split())
        elif vjp:
            wanted = {name for key in vjp for name in key.split()}
            self.input_names = tuple(p.name for p in parameters if p.name in wanted)
        else:
            self.input_names = tuple(p.name for p in parameters if p.default is p.empty)
        self.param_names = tuple(p.name for p in parameters if p.name not in self.input_names)
        self.param_defaults = tuple(p.default for p in parameters if p.name not in self.input_names)
        #: whether the fast path may call the kernel on the inputs alone
        self.plain = all(default is not inspect.Parameter.empty for default in self.param_defaults)
        self.has_keywords = any(p.kind is p.KEYWORD_ONLY for p in parameters)
        self.output_names = tuple(entry["outputs"].split()) if entry["outputs"] else ("result",)
        #: results after the first are for the rules only, and no part of what the user gets
        self.auxiliary = len(self.output_names) > 1 and self.output_names[0] in ("result", "output")
        self.multi = entry["many"] or len(self.output_names) > 1
        self.many: bool = entry["many"]
        self.nondiff = frozenset(entry["nondiff"].split())
        self.differentiable = bool(vjp)
        self.vjp = vjp
        self.jvp: Any = entry["jvp"]
        self.promote: str = entry["promote"]
        self.elementwise: bool = entry["elementwise"]
        #: whether Python numbers may stand where tensors are expected; "other": only in the second place
        self.numbers: bool | str = entry["numbers"]
        self.view: bool | str = entry["view"]
        self.cut: str | None = entry["cut"] or (None if vjp else name)
        self.symbol: str | None = entry["symbol"]
        self.local: dict[str, Any] = entry["local"] or {}
        self.rule: dict[str, Any] = entry["rule"] or {}
        self.flops: Callable[..., int] | None = entry["flops"]
        self.parse: Callable[..., Any] | None = generate.renamed(entry["parse"], entry["shown"] or name)
        self.returns: Any = None
        if len(self.output_names) > 1:
            self.returns = named_results(self.name, " ".join(self.output_names))
        self._plan_saves()
        self.saves_output = any(kind == "output" for kind, _ in self.saved)
        self.node_class: type[Node] | None = None
        if vjp:
            backward, backward_tensors = generate.backward(self)
            body = {
                "__slots__": (),
                "__module__": "builtins",
                "op": self,
                "backward": backward,
                "backward_tensors": backward_tensors,
            }
            body["frees"] = any(kind in ("input", "output") for kind, _ in self.saved)
            self.node_classes = tuple(type(each, (Node,), dict(body)) for each in (grad_fn or "").split())
            self.node_class = self.node_classes[0]
        #: which of several node names a call gets: SumBackward0 or SumBackward1
        self.variant: Callable[..., int] | None = entry["variant"]
        #: by how much the number of the node name is higher in place: FillBackward2 of ``fill_``
        self.in_place_nodes: int = entry["in_place_nodes"]
        self.grad_fn = grad_fn
        #: the kernel for 0-d floats
        self.scalar: Callable[..., Any] = forward
        #: the fast path alone: the result for 0-d floats in default modes, or None where it does not apply
        self.quick: Callable[..., Any] | None = None
        #: what the node of a result keeps: (inputs, params, results, edges) -> tuple
        self.keep: Callable[..., tuple[Any, ...]] | None = generate.keeper(self)
        self.shown: str = entry["shown"] or name
        self.function: Callable[..., Any] = lambda *a, **k: None

    def _plan_saves(self) -> None:
        """What the rules read, from the names of their parameters: that is what a node saves, and nothing else."""
        saved: list[tuple[str, Any]] = []  # (kind, input position / output position / parameter position)
        self.rule_args: list[tuple[tuple[int, ...], Rule, tuple[Any, ...]]] = []
        readers: list[tuple[int, ...]] = []
        for key, rule in self.vjp.items():
            wanted = tuple(self.input_names.index(name) for name in key.split())
            args: list[Any] = []
            names = list(inspect.signature(rule).parameters)
            for name in names[1:]:
                if name in ("m", "needs"):
                    args.append(name)
                    continue
                source = self.source(name)
                if source not in saved:
                    saved.append(source)
                    readers.append(())
                where = saved.index(source)
                readers[where] += wanted
                args.append(where)
            self.rule_args.append((wanted, rule, tuple(args)))
        self.saved = tuple(saved)
        #: for each saved value, the inputs whose gradient needs it
        self.readers = tuple(tuple(sorted(set(r))) for r in readers)

    def source(self, name: str) -> tuple[str, Any]:
        """Where a rule's parameter ``name`` comes from: (input, output, param, shape ..., position)."""
        for suffix, kind in (("_shape", "shape"), ("_dtype", "dtype"), ("_size", "size")):
            if name.endswith(suffix) and name[: -len(suffix)] in self.input_names:
                return kind, self.input_names.index(name[: -len(suffix)])
        if name in self.input_names:
            return "input", self.input_names.index(name)
        if name in self.param_names:
            return "param", self.param_names.index(name)
        if name in self.output_names:
            return "output", self.output_names.index(name)
        raise TypeError(f"operation {self.name}: a rule asks for '{name}', which is no input, parameter or output")

    def rule_names(self, rule: Rule) -> list[str]:
        """The names of a rule's parameters after the first."""
        return list(inspect.signature(rule).parameters)[1:]

    def saved_attribute(self, node: Node, name: str) -> Any:
        """``node._saved_other`` and the like."""
        from ..dispatch import unpack_tensor
        from ..node import checked

        values = checked(node)
        where = self.saved_position(node, name)
        return unpack_tensor(node, values[where], self.saved[where])

    def saved_position(self, node: Node, name: str) -> int:
        """Which of the saved values PyTorch calls ``name``; AttributeError if there is none."""
        asked = name
        name = name.replace("self", "input").replace("_sym_sizes", "_shape")
        try:
            return self.saved.index(self.source(name))
        except (TypeError, ValueError):
            raise AttributeError(f"'{node.name()}' object has no attribute '_saved_{asked}'") from None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


def op(
    name: str,
    grad_fn: str | None,
    forward: Rule,
    *,
    vjp: dict[str, Any] | None = None,
    jvp: dict[str, Rule] | str | None = None,
    local: dict[str, Any] | None = None,
    rule: dict[str, Any] | None = None,
    symbol: str | None = None,
    inputs: str | None = None,
    variadic: str | None = None,
    outputs: str | None = None,
    many: bool = False,
    nondiff: str = "",
    promote: str = "none",
    elementwise: bool = False,
    view: bool | str = False,
    cut: str | None = None,
    flops: Callable[..., int] | None = None,
    method: bool = True,
    public: bool = True,
    inplace: bool = False,
    reflected: str | None = None,
    operator: str | None = None,
    scalar: Rule | None = None,
    parse: Callable[..., Any] | None = None,
    aliases: str = "",
    variant: Callable[..., int] | None = None,
    in_place_nodes: int = 0,
    shown: str | None = None,
    numbers: bool | str = True,
) -> Operation:
    """Defines an operation and everything that follows from it. The recipe is in :mod:`autograd.ops`."""
    entry = {
        "vjp": vjp, "jvp": jvp, "local": local, "rule": rule, "symbol": symbol, "inputs": inputs,
        "variadic": variadic, "outputs": outputs, "many": many, "nondiff": nondiff, "promote": promote,
        "elementwise": elementwise, "view": view, "cut": cut, "flops": flops, "parse": parse, "variant": variant,
        "in_place_nodes": in_place_nodes, "shown": shown, "numbers": numbers,
    }  # fmt: skip
    operation = Operation(name, grad_fn, forward, **entry)
    if name in TABLE:
        raise ValueError(f"operation {name} is defined twice")
    TABLE[name] = operation
    operation.scalar = scalar or forward
    function = generate.function(operation, scalar)
    operation.function = function
    function.__name__ = name
    on_arrays = generate.kernel(operation)
    for each in (name, *aliases.split()):
        setattr(arrays, each, on_arrays)
        setattr(tensors, each, function)
        if public:
            FUNCTIONS[each] = function
        if method:
            METHODS[each] = function
        if inplace:
            METHODS[each + "_"] = generate.in_place(operation)
            if public:
                FUNCTIONS[each + "_"] = METHODS[each + "_"]
    if operator:
        METHODS[f"__{operator}__"] = generate.function(operation, scalar, operator=True)
        METHODS[f"__r{operator}__"] = generate.reflected(operation, function, reflected)
        if inplace:
            METHODS[f"__i{operator}__"] = METHODS[name + "_"]
    return operation


def composite(
    name: str,
    function: Callable[..., Any],
    *,
    array: Callable[..., Any] | None = None,
    method: bool = True,
    public: bool = True,
    aliases: str = "",
) -> Callable[..., Any]:
    """Registers a function made of operations under its name: ``torch.name`` and ``Tensor.name``.

    ``array`` is the same on arrays, for rules that want ``m.name``.
    """
    if function.__name__.startswith(("_", "<")):
        function.__name__ = function.__qualname__ = name
    for each in (name, *aliases.split()):
        if array is not None:
            setattr(arrays, each, array)
        setattr(tensors, each, function)
        if public:
            FUNCTIONS[each] = tensor_first(function, each) if _takes_a_tensor_first(function) else function
        if method:
            METHODS[each] = function
    return function


def _takes_a_tensor_first(function: Callable[..., Any]) -> bool:
    return next(iter(inspect.signature(function).parameters), None) == "input"
