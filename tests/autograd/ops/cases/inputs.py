"""How a case says what goes in: arrays that are the same on every machine. Needs neither framework."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Input:
    """One argument: its shape and range, or its values; how it lies in memory; whether it wants a gradient."""

    shape: tuple[int, ...] = ()
    low: float = -2.0
    high: float = 2.0
    values: Any = None
    dtype: str = "float32"
    layout: str = "contiguous"  # contiguous | transposed | strided
    grad: bool = True

    @property
    def double(self) -> Input:
        return replace(self, dtype="float64")

    @property
    def half(self) -> Input:
        return replace(self, dtype="float16")

    @property
    def transposed(self) -> Input:
        return replace(self, layout="transposed")

    @property
    def strided(self) -> Input:
        return replace(self, layout="strided")

    @property
    def constant(self) -> Input:
        return replace(self, grad=False)

    @property
    def differentiable(self) -> bool:
        return self.grad and self.dtype.startswith("float")

    def array(self, seed: str) -> Array:
        """The array, laid out in memory as asked; equal numbers for equal `seed`."""
        if self.values is not None:
            array = np.array(self.values, dtype=self.dtype)
        else:
            stream = random.Random(seed)
            count = int(np.prod(self.shape))
            if self.dtype == "bool":
                numbers: list[Any] = [stream.random() < 0.5 for _ in range(count)]
            elif self.dtype.startswith("float"):
                numbers = [round(stream.uniform(self.low, self.high), 3) or 0.25 for _ in range(count)]
            else:
                numbers = [stream.randint(int(self.low), int(self.high)) for _ in range(count)]
            array = np.array(numbers, dtype=self.dtype).reshape(self.shape)
        if self.layout == "transposed":
            return np.asfortranarray(array)
        if self.layout == "strided":
            wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
            wide[..., ::2] = array
            return wide[..., ::2]
        return array


@dataclass(frozen=True)
class Case:
    """`expression` over `torch`, `F` and the inputs, for the table's entry `op`."""

    op: str
    expression: str
    inputs: dict[str, Input] = field(default_factory=dict)
    second: bool = True  # is the second derivative compared too?
    phrase: str | None = None  # of the error it must raise
    raises: bool = False

    @property
    def id(self) -> str:
        described = ",".join(
            f"{name}:{i.dtype}{list(i.shape) if i.values is None else i.values}"
            + ("" if i.layout == "contiguous" else i.layout)
            + ("" if (i.low, i.high) == (-2.0, 2.0) or i.values is not None else f"<{i.low},{i.high}>")
            + ("" if i.grad else "#")
            for name, i in self.inputs.items()
        )
        return f"{self.op} | {self.expression} | {described}".replace(" ", "")

    def arrays(self) -> dict[str, Array]:
        return {name: given.array(f"{self.op}{self.expression}{name}") for name, given in self.inputs.items()}

    def upstream(self, place: int, shape: tuple[int, ...], dtype: str) -> Array:
        """The gradient that comes from above for output `place`."""
        return Input(tuple(shape), -1.5, 1.5, dtype=dtype).array(f"upstream{self.op}{self.expression}{place}")


def real(*shape: int) -> Input:
    return Input(shape)


def positive(*shape: int) -> Input:
    return Input(shape, 0.3, 3.0)


def unit(*shape: int) -> Input:
    return Input(shape, -0.9, 0.9)


def between(low: float, high: float, *shape: int) -> Input:
    return Input(shape, low, high)


def integers(*shape: int, low: int = 0, high: int = 2, dtype: str = "int64") -> Input:
    return Input(shape, low, high, dtype=dtype, grad=False)


def booleans(*shape: int) -> Input:
    return Input(shape, dtype="bool", grad=False)


def values(*numbers: Any, dtype: str = "float32") -> Input:
    """These very numbers: a list, or one number for a 0-d tensor."""
    listed = numbers[0] if len(numbers) == 1 else list(numbers)
    return Input(np.shape(listed), values=listed, dtype=dtype)


def case(op: str, expression: str, second: bool = True, **inputs: Input) -> Case:
    return Case(op, expression, inputs, second)


def fault(op: str, expression: str, phrase: str | None = None, **inputs: Input) -> Case:
    """A call that must raise what PyTorch raises; `phrase` when only that part of the message is promised."""
    return Case(op, expression, inputs, False, phrase, True)
