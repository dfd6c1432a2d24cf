"""Random numbers: generators with a seed and a state, and the default one that ``manual_seed`` sets.

The distributions are PyTorch's, the stream of numbers is our own: the same seed gives other numbers than in PyTorch,
and the same ones here every time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .device import device as Device
from .dispatch import make
from .tensor import Tensor

_STATE_BYTES = 40


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = Device(device)
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Starts the stream that belongs to ``seed`` (any integer that fits into 64 bits) from its beginning."""
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % 2**64
        self._bits = np.random.PCG64(self._seed)
        self.numpy = np.random.Generator(self._bits)
        return self

    def initial_seed(self) -> int:
        """The seed this stream began with."""
        return self._seed

    def seed(self) -> int:
        """Starts a stream that nobody can foresee; returns its seed."""
        self.manual_seed(secrets.randbits(63))
        return self._seed

    def get_state(self) -> Tensor:
        """Where the stream is now, as bytes."""
        state = self._bits.state
        inner = state["state"]
        packed = (
            inner["state"].to_bytes(16, "little")
            + inner["inc"].to_bytes(16, "little")
            + int(state["has_uint32"]).to_bytes(4, "little")
            + int(state["uinteger"]).to_bytes(4, "little")
        )
        return make(np.frombuffer(packed, np.uint8).copy())

    def set_state(self, new_state: Tensor) -> Generator:
        """Goes to where :meth:`get_state` said the stream was. Raises RuntimeError for anything else."""
        packed = np.asarray(new_state.array, np.uint8).tobytes()
        if len(packed) != _STATE_BYTES:
            raise RuntimeError("Generator state is wrong size")
        self._bits.state = {
            "bit_generator": "PCG64",
            "state": {
                "state": int.from_bytes(packed[:16], "little"),
                "inc": int.from_bytes(packed[16:32], "little"),
            },
            "has_uint32": int.from_bytes(packed[32:36], "little"),
            "uinteger": int.from_bytes(packed[36:40], "little"),
        }
        return self


#: What everything random draws from unless it is given a generator.
default_generator = Generator()


def numpy_generator(generator: Generator | None = None) -> np.random.Generator:
    """The NumPy generator behind ``generator`` (default: the default one)."""
    return (default_generator if generator is None else generator).numpy


def manual_seed(seed: int) -> Generator:
    """Sets the seed of the default generator."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Gives the default generator an unforeseeable seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Sets the state of the default generator."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(enabled: bool = True) -> Iterator[None]:
    """Afterwards the default generator is where it was before."""
    before = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if before is not None:
            set_rng_state(before)
