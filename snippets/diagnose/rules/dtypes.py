"""Dtypes that can not carry a derivative, or that a loss or an operation does not take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippets.diagnose.reading import Reading
from snippets.diagnose.report import Report


def dtype_without_derivative(r: Reading) -> Iterator[Report]:
    """A dtype that can not carry a derivative, or a target of the wrong dtype."""
    phrases = {
        "floating point and complex dtype can require gradients": "integers carry no derivative",
        "floating point dtype can require gradients": "integers carry no derivative",
        "Expected floating point type for target with class probabilities": "a target of the logits' shape is read as "
        "probabilities and must be floating point",
        "expected target dtype": "the loss expects class indices here",
        "expected scalar type": "the loss expects another dtype for this argument",
        "Found dtype": "the loss and its target have different dtypes",
        "can't be cast to the desired output type": "the result does not fit the dtype that is written to",
        "must have the same dtype": "both arguments must have the same dtype",
        "to have the same dtype": "both arguments must have the same dtype",
        "following scalar types": "indices are whole numbers",
        "used as indices must be": "indices are whole numbers",
        "not implemented for": "this operation needs floating point numbers",
        "Could not infer output dtype": "a mean needs floating point numbers",
        "could not infer output dtype": "a mean needs floating point numbers",
        "grad can be computed only for floating": "integers carry no derivative",
    }
    for phrase, why in phrases.items():
        if phrase in r.message:
            integers = [n for n in r.trace.nodes if n.dtype.startswith("int") and n.name and n.line != r.error_line]
            what = integers[-1] if integers else None
            shown = f"{what.name} is {what.dtype} (line {what.line}); " if what else ""
            if "require gradients" in phrase:
                fix = "write floats: torch.tensor([1.0, 2.0], requires_grad=True), torch.arange(4.0)"
            elif "probabilities" in phrase:
                fix = "target.argmax(dim=1) for class indices, or target.float() for probabilities"
            else:
                wide = next((n.name for n in reversed(r.trace.nodes) if n.dtype == "float64" and n.name), None)
                indices = "indices" in why or re.search(r"(expected|to be)[^.]*\bLong\b", r.message)
                fix = f"{what.name if what else wide or 'x'}.{'long' if indices else 'float'}()"
            yield Report(
                "dtype",
                f"Wrong dtype on line {r.error_line}: {why}.",
                f"{shown}{r.message.splitlines()[0]}",
                fix,
                line=r.error_line,
                node=what.id if what else None,
            )
            return
