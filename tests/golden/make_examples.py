"""Write what PyTorch gives for each example: tests/golden/examples/NAME.json.

usage: PYTHON tests/golden/make_examples.py [NAME ...]      (a Python with PyTorch; all examples by default)

A golden file holds ``stdout``, ``error`` (type, message and line of the shown source, or null), ``warnings`` (category
and message), and ``values``: every variable at the top level whose name does not begin with ``_``, leaving out modules,
functions and classes, written as :func:`value_of` does. The project itself never needs PyTorch; this script is run by
hand when an example is added or changed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import types
import warnings
from pathlib import Path
from typing import Any

import numpy
import torch

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "assets" / "examples"
GOLDEN = HERE / "examples"

_LEFT_OUT = object()


def source_of(path: Path) -> str:
    """The program in an example file as the app shows it: without the comment block at its head."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = 0
    while start < len(lines) and (lines[start].startswith("#") or not lines[start].strip()):
        start += 1
    return "".join(lines[start:])


def plain(data: Any) -> Any:
    """Nested lists of numbers with nan and the infinities as strings."""
    if isinstance(data, list | tuple):
        return [plain(item) for item in data]
    if isinstance(data, float) and not math.isfinite(data):
        return "nan" if math.isnan(data) else ("inf" if data > 0 else "-inf")
    return data


def tensor_of(tensor: torch.Tensor) -> dict[str, Any]:
    """A tensor with its gradient; reading .grad of a result must not warn here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grad = tensor.grad
    return {
        "kind": "tensor",
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "data": plain(tensor.detach().tolist()),
        "requires_grad": tensor.requires_grad,
        "is_leaf": tensor.is_leaf,
        "grad": None if grad is None else plain(grad.detach().tolist()),
    }


def value_of(value: Any) -> Any:
    """A variable as plain data, or ``_LEFT_OUT``."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return plain(value)
    if isinstance(value, torch.Tensor):
        return tensor_of(value)
    if isinstance(value, torch.nn.Module):
        state = dict(value.named_parameters()) | dict(value.named_buffers())
        return {"kind": "module", "training": value.training, "state": {k: tensor_of(v) for k, v in state.items()}}
    if isinstance(value, numpy.ndarray):
        return {"kind": "ndarray", "data": plain(value.tolist())}
    if isinstance(value, list | tuple):
        items = [value_of(item) for item in value]
        return _LEFT_OUT if any(item is _LEFT_OUT for item in items) else {"kind": "list", "items": items}
    return _LEFT_OUT


def golden_of(path: Path) -> dict[str, Any]:
    """What PyTorch does with one example."""
    source = source_of(path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    stdout = io.StringIO()
    error = None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(stdout):
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", DeprecationWarning)  # PyTorch's own, from its modules loaded late
        try:
            exec(compile(source, "<snippet>", "exec"), namespace)
        except Exception as raised:
            line = None
            step = raised.__traceback__
            while step is not None:
                if step.tb_frame.f_code.co_filename == "<snippet>":
                    line = step.tb_lineno
                step = step.tb_next
            error = {"type": type(raised).__name__, "message": str(raised), "line": line}
    values = {
        name: shown
        for name, value in namespace.items()
        if not name.startswith("_")
        and not isinstance(value, types.ModuleType | type | types.FunctionType | types.BuiltinFunctionType)
        and (shown := value_of(value)) is not _LEFT_OUT
    }
    return {
        "torch": torch.__version__.split("+")[0],
        "stdout": stdout.getvalue(),
        "values": values,
        "error": error,
        "warnings": [{"category": w.category.__name__, "message": str(w.message)} for w in caught],
    }


def main() -> None:
    options = argparse.ArgumentParser(description="Write PyTorch's results for the examples.")
    options.add_argument("names", nargs="*", help="names of examples, such as square-plus-3x")
    names = options.parse_args().names
    paths = [EXAMPLES / f"{name.replace('-', '_')}.py" for name in names] or sorted(EXAMPLES.glob("*.py"))
    GOLDEN.mkdir(exist_ok=True)
    for path in paths:
        name = path.stem.replace("_", "-")
        text = json.dumps(golden_of(path), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        (GOLDEN / f"{name}.json").write_text(text, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
