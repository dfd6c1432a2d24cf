"""Two versions of a program, stepping side by side in the browser."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from autograd.dot import TooLarge
from autograd.frames import walk
from autograd.presentation import present
from autograd.trace import Trace
from snippets import html as walk_html
from snippets.compare import Comparison, compare

_ASSETS = Path(__file__).resolve().parent.parent / "assets" / "compare"


def _front_end() -> tuple[str, str, str]:
    """The stepper's HTML twice, its style and script, and what joins the two."""
    stepper, style, script = walk_html.front_end()
    html, css, joining = ((_ASSETS / f"compare.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    script = script.replace(walk_html.EXPORT, "")
    return html.replace("STEPPER", stepper), f"{style}\n{css}", f"{script}\n{joining}"


_HTML, _CSS, _SCRIPT = _front_end()
_component = st.components.v2.component("backstep_compare", html=_HTML, css=_CSS, js=_SCRIPT)


class _Both:
    """Two traces as a cache key: the same objects are the same comparison."""

    def __init__(self, left: Trace, right: Trace) -> None:
        self.left, self.right = left, right

    def __hash__(self) -> int:
        return hash((id(self.left), id(self.right)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Both) and other.left is self.left and other.right is self.right


@lru_cache(maxsize=32)
def _compared(both: _Both) -> Comparison:
    return compare(both.left, both.right, walk(both.left).frames, walk(both.right).frames)


def compared(left: Trace, right: Trace) -> Comparison:
    """What corresponds and what differs between two traces, worked out once."""
    return _compared(_Both(left, right))


def side_by_side(
    left: Trace, right: Trace, *, key: str, titles: tuple[str, str] = ("First version", "Second version"), step: int = 0
) -> bool:
    """Both walks with what differs between them; False, with a message, when one of them cannot be drawn.

    ``step`` is where the first walk opens, counted from 0.
    """
    try:
        shown = present(left), present(right)
    except TooLarge as error:
        st.warning(str(error), icon=":material/zoom_out_map:")
        return False
    found = compared(left, right)
    changed = found.changed_lines(left.source, right.source)
    data: dict[str, Any] = {
        "id": f"{shown[0].walk.id}-{shown[1].walk.id}",
        "titles": list(titles),
        "steps": [list(pair) for pair in found.steps],
        "lengths": [len(walk(trace).frames) for trace in (left, right)],
        "differences": [one.to_dict() for one in found.differences],
        "marks": {
            "left": {"nodes": sorted(found.unlike[0]), "lines": changed[0]},
            "right": {"nodes": sorted(found.unlike[1]), "lines": changed[1]},
        },
        "left": _half(shown[0].payload(), step),
        "right": _half(shown[1].payload(), 0),
    }
    _component(key=key, data=data, height="content")
    return True


def _half(payload: dict[str, Any], step: int) -> dict[str, Any]:
    return payload | {
        "step": step,
        "command": 0,
        "address": False,
        "report": False,
        "notes": [],
        "reports": None,
    }
