"""Corner facts, a few lines each: what PyTorch answers to them is stored, and the engine must answer the same.

A file holds the facts of one subject, separated by empty lines. A fact ends with an expression, whose value is the
answer, or with what raises. ``tests/golden/make_facts.py`` asks PyTorch; ``tests/autograd/test_facts.py`` asks us.
"""

from __future__ import annotations

import ast
import contextlib
import io
import math
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.autograd.programs import describe

HERE = Path(__file__).parent


def facts() -> dict[str, str]:
    """The source of every fact by subject and source."""
    found = {}
    for file in sorted(HERE.glob("*.txt")):
        for source in re.split(r"\n\s*\n", file.read_text(encoding="utf-8").strip()):
            found[f"{file.stem}: {source}"] = source
    return found


def answer(torch: Any, source: str) -> dict[str, Any]:
    """What the fact gives on ``torch``: its value or its error, what it prints, and its warnings."""
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "optim": torch.optim, "T": torch.tensor}
    scope |= {"np": np, "math": math}
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    found: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            exec(compile(tree, "<fact>", "exec"), scope)
            if last is not None:
                found["value"] = describe(eval(compile(ast.Expression(last.value), "<fact>", "eval"), scope))
        except Exception as error:
            found = {"error": type(error).__name__, "message": _steady(str(error))}
    if printed.getvalue():
        found["printed"] = _steady(printed.getvalue())
    own = [re.sub(r" \(Triggered internally at .*", "", str(w.message), flags=re.S) for w in caught
           if w.category is UserWarning]  # fmt: skip
    texts = [text for text in dict.fromkeys(own) if "Traceback of forward call" not in text]
    return found | ({"warnings": texts} if texts else {})


def _steady(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", text)
