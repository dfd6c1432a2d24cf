"""Autograd's number for a leaf beside a central difference."""

from __future__ import annotations

import streamlit as st

from snippets import Result, differences
from ui import runs


def gradient_check(source: str, result: Result) -> None:
    """Choose a leaf and compare its gradient with central differences, entry by entry."""
    assert result.trace is not None
    leaves = differences.leaves(result.trace)
    if not leaves:
        st.caption("No named leaf got a gradient, so there is nothing to check.")
        return
    names = list(dict.fromkeys(str(node.name) for node in leaves))
    leaf = st.selectbox("Leaf", names, key="check-leaf") if len(names) > 1 else names[0]
    try:
        with st.spinner("Running the program with the leaf moved a little up and down"):
            found = differences.check(source, result.trace, leaf, runs.light)
    except differences.NotChecked as reason:
        st.info(str(reason), icon=":material/info:")
        return
    st.table(
        [
            {
                "leaf": leaf + "".join(f"[{place}]" for place in item.index),
                "autograd": f"{item.autograd:.6g}",
                "central difference": f"{item.central:.6g}",
                "error": f"{item.error:.1e}",
            }
            for item in found
        ]
    )
    worst = max(found, key=lambda item: item.error)
    close = worst.error <= 1e-3 * max(1.0, abs(worst.autograd))
    entries = "" if len(found) < differences.ENTRIES else f" (the first {differences.ENTRIES} entries)"
    if close:
        st.caption(f"They agree{entries}. Each difference is (f(x + h) − f(x − h)) / 2h with h = {worst.h:g}.")
    else:
        st.warning(
            f"They differ by up to {worst.error:.2g}{entries}. Usual reasons: the gradient is cut somewhere, the point "
            f"is a kink (such as relu at 0), or the program adds to .grad more than once. h = {worst.h:g}.",
            icon=":material/difference:",
        )
