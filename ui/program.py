"""Which program the Step page shows: read from the address, written back to it.

The address is the only memory: ``example`` or ``code``, ``step`` (from 1), and one ``in.NAME`` for each input whose
number was changed. So a link, a reload and the back button all show the same walk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from snippets import examples, inputs, share
from ui import address

FIRST = "quadratic"
PREFIX = "in."

#: Where somebody's own code begins.
STARTER = """import torch

# Your own program: change it or paste over it, then press Run.
w = torch.tensor(2.0, requires_grad=True)
loss = (w * 3 - 1) ** 2
loss.backward()
print(w.grad)
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A program and the numbers it is run with.

    ``given`` is the text as the example or the link has it; ``source`` has the numbers of ``changed`` put in.
    ``place`` is the same for all numbers of one program. ``example`` is None for somebody's own code.
    """

    example: str | None
    title: str
    summary: str
    given: str
    source: str
    changed: dict[str, str]

    @property
    def place(self) -> str:
        return self.example or "code-" + hashlib.sha256(self.given.encode()).hexdigest()[:12]


def read() -> Program:
    """The program the address names; where it names none, or a wrong one, a message and the first example."""
    code = st.query_params.get("code")
    example: str | None = None
    if code:
        try:
            return _with_inputs(None, "Your own code", "", share.unpack(code))
        except share.BadCode as error:
            st.warning(f"{error}", icon=":material/link_off:")
    else:
        example = address.read_one_of("example", examples.names(), "example")
    loaded = examples.load(example or FIRST)
    return _with_inputs(loaded.name, loaded.title, loaded.summary, loaded.source)


def choose(example: str) -> None:
    """Go to the start of an example, with its own numbers."""
    _go({"example": example})


def own(source: str) -> None:
    """Go to somebody's own code. ValueError when it is too long for the address."""
    for name in examples.names():
        if examples.load(name).source.strip() == source.strip():
            choose(name)
            return
    _go({"code": share.pack(source)})


def put(name: str, text: str | None, step: int | None) -> None:
    """Keep the number of an input, and the step (from 0), in the address; None for the program's own number."""
    asked = {key: str(value) for key, value in st.query_params.items()}
    asked.pop(PREFIX + name, None)
    if text is not None:
        asked[PREFIX + name] = text
    if step is not None:
        asked["step"] = str(step + 1)
    _go(asked)


def first_step() -> int:
    """The step the address asks for, counted from 0; a message when it is no step number."""
    asked = address.read("step")
    if asked is None:
        return 0
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked[:9]) < 10**8):
        st.warning(
            "The step in the address is no step number. The walk opens at its first step.", icon=":material/link_off:"
        )
        return 0
    return int(asked[:9]) - 1


def _go(parameters: dict[str, str]) -> None:
    """Change the whole address at once, so that it is one entry of the browser's history."""
    if dict(st.query_params.items()) != parameters:
        st.query_params.from_dict(parameters)


def _with_inputs(example: str | None, title: str, summary: str, given: str) -> Program:
    """The program with the numbers of the address put in; numbers it cannot take are named and left out."""
    asked = {
        key.removeprefix(PREFIX): str(st.query_params[key])[:4000] for key in st.query_params if key.startswith(PREFIX)
    }
    changed: dict[str, str] = {}
    source = given
    for name, text in asked.items():
        try:
            source = replaced(source, {name: text})
            changed[name] = text
        except ValueError as error:
            st.warning(
                f"The address gives an input that cannot be used: {_plain(str(error))}.", icon=":material/link_off:"
            )
    return Program(example, title, summary, given, source, changed)


def replaced(source: str, values: Mapping[str, Any]) -> str:
    """``source`` with new numbers for some inputs; ValueError says what is wrong with one."""
    return inputs.replace(source, values)


def _plain(text: str) -> str:
    """A message that may quote the address, with nothing in it that Markdown would take as markup."""
    return "".join(letter for letter in text[:200] if letter.isalnum() or letter in " -.,'()[]:;")
