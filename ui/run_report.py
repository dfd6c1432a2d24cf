"""What a program printed, what it left in its variables, and where it stopped."""

from __future__ import annotations

from typing import Any

import streamlit as st

from autograd import notation
from snippets import Result

_LIMITS = {
    "cpu": "used all the computing time a program gets",
    "wall": "ran longer than a program may",
    "memory": "asked for more memory than a program gets",
    "output": "printed more than is shown",
    "nodes": "made a larger graph than can be drawn",
    "operations": "recorded more operations than a trace holds",
}


def stopped(result: Result) -> None:
    """Say which limit was met, if one was."""
    if result.limit is not None:
        what = _LIMITS.get(result.limit, "met a limit")
        line = f" It was at line {result.error['line']}." if result.error and result.error.get("line") else ""
        st.warning(f"The program {what} and was stopped.{line}", icon=":material/timer_off:")
    elif result.truncated:
        st.info(
            "The program did more than a walk can hold; the walk shows its first part.", icon=":material/content_cut:"
        )


def report(result: Result) -> None:
    """Printed output and the table of variables."""
    printed, variables = st.columns(2)
    with printed:
        st.header("Printed", anchor=False)
        if result.stdout:
            text = result.stdout if len(result.stdout) <= 20_000 else result.stdout[:20_000] + "\n…"
            st.code(text, language=None, wrap_lines=True)
        else:
            st.caption("Nothing.")
        for warning in result.warnings:
            line = f"line {warning['line']}: " if warning.get("line") else ""
            st.code(f"{warning['category']}, {line}{warning['message']}", language=None, wrap_lines=True)
    with variables:
        st.header("Variables at the end", anchor=False)
        rows = [_row(name, value) for name, value in result.values.items()]
        if rows:
            st.dataframe(rows, hide_index=True, key="variables", width="stretch", height=min(38 + 35 * len(rows), 420))
        else:
            st.caption("None.")


def _row(name: str, value: Any) -> dict[str, str]:
    """One variable: name, what it is, value, .grad."""
    if isinstance(value, dict) and value.get("kind") == "tensor":
        sizes = notation.shape(value.get("shape") or ())
        tracked = ", requires grad" if value.get("requires_grad") else ""
        grad = value.get("grad")
        return {
            "name": name,
            "what": f"tensor {sizes}, {str(value.get('dtype')).removeprefix('torch.')}{tracked}",
            "value": notation.full(value.get("data")),
            ".grad": "None" if grad is None else notation.full(grad),
        }
    if isinstance(value, dict):
        kind = str(value.get("kind"))
        said = {
            "module": _counted(len(value.get("state") or {})),
            "ndarray": notation.full(value.get("data")),
            "list": f"{len(value.get('items') or [])} items",
        }
        return {"name": name, "what": kind, "value": said.get(kind, ""), ".grad": ""}
    return {"name": name, "what": type(value).__name__, "value": repr(value), ".grad": ""}


def _counted(count: int) -> str:
    return "1 parameter or buffer" if count == 1 else f"{count} parameters and buffers"
