"""The two pages that :mod:`benchmarks.stepping` compares: ``?way=stepper`` and ``?way=chart``, with ``&nodes=N``."""

import streamlit as st

from autograd import notation
from autograd.frames import walk
from benchmarks._walks import traced
from ui.stepper import stepper

st.set_page_config(layout="wide")
nodes, way = int(st.query_params["nodes"]), st.query_params["way"]


@st.cache_resource
def made(nodes):
    """The trace and its frames, made once."""
    trace = traced(nodes)
    return trace, walk(trace).frames


def chart(trace, frames, at):
    """The step as an app without a component draws it: every tensor with its name, value and gradient so far."""
    texts = {}
    for frame in frames[: at + 1]:
        texts.update(frame.texts)
    lit = set(frames[at].focus)
    lines = ["digraph {", "rankdir=LR; node [shape=box]", f'label="step-{at}-end"']
    for node in trace.nodes:
        shown = [notation.titled(node), texts.get(f"{node.id}-value", ""), texts.get(f"{node.id}-grad", "")]
        look = "color=red penwidth=3" if node.id in lit else "color=gray"
        lines.append(f'{node.id} [label="{" | ".join(shown)}" {look}]')
    for edge in trace.edges:
        lines.append(f"{edge.src} -> {edge.dst} [color={'red' if edge.id in lit else 'gray'}]")
    return "\n".join([*lines, "}"])


def forward():
    """On to the next step."""
    st.session_state["at"] += 1


trace, frames = made(nodes)
if way == "stepper":
    stepper(trace, key="walk", collapse=(), address=True, on_step=lambda: None)
else:
    at = st.session_state.setdefault("at", 0)
    st.button("Next step", on_click=forward)
    st.graphviz_chart(chart(trace, frames, at))
