"""The operation table: every operation of the engine, defined in one place.

An operation is one entry, and reads like a line of mathematics. This is all there is to ``exp``::

    exp = op(
        "exp", "ExpBackward0",                          # its name, and the name of its node in PyTorch
        lambda input: np.exp(input),                    # the kernel: arrays in, array out
        vjp={"input": "g * result"},                    # the rule: the gradient of the input from that of the result
        local={"input": "exp({input})"},                # the same in symbols, for the reader of a trace
        symbol="exp({input})",                          # how the operation is written
        promote="float", elementwise=True, inplace=True,
    )

From it come ``exp(x)``, ``x.exp()``, ``x.exp_()``, the node class ``ExpBackward0``, backward, backward of backward,
forward mode, what is saved, and what the tests check. To add an operation, copy such an entry into the module of its
family and change it; ``tests/autograd/ops`` finds it by itself.

A rule is an expression, as text, which becomes part of the backward function; or, where it needs more than an
expression or names of its module, a function: ``lambda g, result: g * result``.

**What is saved** is decided by what the rules ask for, by the names in the text or of the function's parameters:

========================  ==================================================================================
name                      what the rule gets
========================  ==================================================================================
``g`` (always first)      gradient of the result; for several results a list with None where there is none
an input's name           the input. It is saved if, and only if, a gradient that reads it is wanted
``result``                the result (or the output's name where ``outputs=`` names several)
a parameter's name        the keyword parameter, such as ``dim``
``x_shape``, ``x_dtype``  only the shape or NumPy dtype of input ``x``: the input itself is not kept
``m``                     the namespace of functions, see below
``needs``                 which of the rule's inputs want a gradient (tuple of bools; joint rules only)
========================  ==================================================================================

**One rule, two worlds.** Rules run on NumPy arrays in an ordinary backward pass, and on tensors when the pass is itself
recorded (``create_graph=True``). So a rule uses operators, ``.shape``, ``.reshape(shape)``, and for everything else the
functions of ``m``: every operation of the table and every function registered with ``composite(..., array=...)`` is
there under its own name (``m.exp``, ``m.where``, ``m.sum(x, dim, keepdim)``), on arrays as on tensors. Besides:
``m.zeros(shape)``,
``m.zeros_like(x)``, ``m.ones_like(x)``, ``m.asarray(array)``, ``m.broadcast_to(x, shape)``, ``m.spread(g, input_shape,
dim, keepdim)`` (undoes a reduction). A rule need not un-broadcast or cast: the engine brings every gradient to the
shape and type of its input (:mod:`autograd.gradients`). 0-d values are NumPy scalars.

**Parameters of** :func:`op`, beyond those above:

``local={"input": "..."}``, ``rule={"input": "..."}``
    the local derivative in symbols, as a scalar has it, and the whole vector-Jacobian product (``"g @ {other}ᵀ"``) for
    arrays; names of inputs and parameters in braces are replaced by the learner's. For elementwise operations the
    second follows from the first. ``local`` may be a function of ``(names, values)`` (dicts of strings and parameters).
``inputs="input other"``
    the tensor arguments, leading ones of the kernel; by default those that have a rule (or, without rules, those
    without a default). Tensor arguments without a rule, such as a mask, must be named here. Inputs may also be Python
    numbers or None.
``vjp={"input weight bias": rule}``
    one joint rule for several inputs, returning a tuple in that order.
``jvp``
    forward mode. Leave it out for elementwise operations (their Jacobian is diagonal, the VJP serves), and where
    nothing better is known (the VJP is transposed by differentiating it). ``"linear"``: the kernel applied to the
    tangent of the one input. ``"bilinear"``: to each tangent in turn with the others held. Or rules as for ``vjp``:
    ``{"input": lambda t, m, other: t * other}``.
``promote``
    ``"numeric"``: inputs are brought to their common type; ``"float"``: and integers to the default float type;
    ``"where"``: all but the first; ``"none"`` (default): the kernel gets what was given.
``elementwise=True``
    the kernel works entry by entry on broadcast inputs: gives the broadcasting error text, the fast path, the JVP.
``scalar``
    a faster kernel for 0-d floats (a function of NumPy scalars), used by the fast path only.
``outputs="values indices"``, ``nondiff="indices"``
    several results (a named tuple), and those among them that carry no gradient.
``many=True``
    a list of results whose number depends on the input (``unbind``, ``split``).
``variadic="tensors"``
    the one input is a sequence of tensors; its rule returns a list. ``tensors_shape`` is the list of shapes,
    ``tensors_size`` their number.
``numbers=False``
    only tensors will do: ``maximum(x, 2)`` is refused, as in PyTorch. ``"other"``: a number may be the second only.
``view=True``
    the result looks at the memory of the first input (the kernel must return a NumPy view); ``"maybe"``: if it does.
``parse``
    a function with the public signature that returns ``(inputs, parameters)``, both tuples in order, where the public
    signature differs from the kernel's (``x.view(2, 3)``, ``dim`` as list, ``axis`` for ``dim``).
``inplace=True``
    also makes ``name_``.
``operator="add"``, ``reflected="rsub"``
    also makes ``__add__``, ``__radd__``, ``__iadd__``; for operations that do not commute, ``reflected`` names the
    function of ``(self, number)`` for the case with the number on the left.
``variant``
    which of several node names a call gets: ``"SumBackward0 SumBackward1"`` with ``variant=lambda inputs, params:
    ...``.
    ``in_place_nodes`` is added to that number in place (``fill_`` leaves a FillBackward2).
``cut``
    for operations without rules: the word by which a trace says what cut the graph (default: the operation's name).
``shown``, ``aliases``, ``method=False``, ``public=False``
    the name in traces if not ``name``; further names; no ``Tensor`` method; not among the public functions.
``flops``
    multiply-adds of the forward pass, from the input arrays (and ``*, result``), for operations where it is not one an
    entry of the result.

Functions that are combinations of operations are plain functions, registered with :func:`composite`.
"""

from __future__ import annotations

from collections.abc import Callable

from ..tensor import Tensor
from . import (
    activation,
    antialias,
    arithmetic,
    arrangement,
    aten,
    attention,
    bessel,
    blending,
    classification,
    contraction,
    convolution,
    copies,
    ctc,
    cumulative,
    dropout,
    elementary,
    embedding,
    exponential,
    extrema,
    factors,
    filling,
    fractional,
    gamma,
    histograms,
    indexing,
    interpolation,
    joining,
    logic,
    loss,
    low_rank,
    masking,
    matrices,
    memory,
    metric,
    normalisation,
    padding,
    patterns,
    polynomials,
    pooling,
    products,
    reduce_scatter,
    reduction,
    rounding,
    searching,
    selection,
    shaping,
    softmax,
    sorting,
    spectra,
    splitting,
    statistics,
    trigonometry,
    unchecked,
)
from .namespaces import LINALG, NEURAL, SPECIAL
from .table import FUNCTIONS, METHODS, TABLE, Operation, composite, op

__all__ = [
    "FUNCTIONS", "LINALG", "METHODS", "NEURAL", "SPECIAL", "TABLE", "Operation", "activation", "antialias",
    "arithmetic", "arrangement", "aten", "attention", "bessel", "blending", "classification", "composite",
    "contraction", "convolution", "copies", "ctc", "cumulative", "dropout", "elementary", "embedding",
    "exponential", "extrema", "factors", "filling", "fractional", "gamma", "histograms", "indexing", "install",
    "interpolation", "joining", "logic", "loss", "low_rank", "masking", "matrices", "memory", "metric",
    "normalisation", "op", "padding", "patterns", "polynomials", "pooling", "products", "reduce_scatter",
    "reduction", "rounding", "searching", "selection", "shaping", "softmax", "sorting", "spectra", "splitting",
    "statistics", "trigonometry", "unchecked",
]  # fmt: skip


def install() -> None:
    """Makes the methods of the table methods of Tensor."""
    for name, function in METHODS.items():
        setattr(Tensor, name, function)
    for name, attribute in list(vars(Tensor).items()):
        if isinstance(attribute, property) and attribute.fset is None:
            setattr(Tensor, name, attribute.setter(_not_writable(name)))


def _not_writable(name: str) -> Callable[[Tensor, object], None]:
    def refuse(self: Tensor, value: object) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return refuse


install()
