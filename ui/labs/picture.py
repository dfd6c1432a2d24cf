"""The graph of a lab's program as a picture, some nodes marked."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

import streamlit as st

from autograd.dot import TooLarge, dot
from autograd.groups import groups
from autograd.layout import layout
from course.labs.programs import Ran, ran

_ASSETS = Path(__file__).resolve().parents[2] / "assets" / "labs"

_component = st.components.v2.component(
    "backstep_lab_picture",
    html="<div class='picture'>\n</div>",
    css=(_ASSETS / "picture.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "picture.js").read_text(encoding="utf-8"),
)


@lru_cache(maxsize=64)
def _svg(source: str, collapse: tuple[str, ...]) -> str:
    return layout(dot(ran(source).trace, collapse=collapse)).svg


def layers(run: Ran) -> tuple[str, ...]:
    """The innermost modules of a run, each to be drawn as one box."""
    paths = [group.id for group in groups(run.trace) if group.kind == "module"]
    return tuple(path for path in paths if not any(other.startswith(f"{path}.") for other in paths))


def picture(run: Ran, *, key: str, label: str, marked: Collection[str] = (), collapse: tuple[str, ...] = ()) -> None:
    """The graph of ``run``. ``label`` says in words what it shows; ``marked`` nodes have a dashed border."""
    try:
        svg = _svg(run.source, collapse)
    except TooLarge as error:
        st.info(str(error), icon=":material/zoom_out_map:")
        return
    _component(key=key, data={"svg": svg, "marked": list(marked), "label": label})
