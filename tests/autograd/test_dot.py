"""DOT text: deterministic, complete, escaped, and telling without colour."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograd.dot import TooLarge, dot, drawn_as
from autograd.trace import Trace
from snippets import run
from tests.autograd import sketch

dots = importlib.import_module("autograd.dot")  # the name autograd.dot is the operation, as torch.dot is
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "dot"


@pytest.mark.parametrize("name", sketch.ALL)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    """Byte for byte the stored text; ``pytest --regenerate-dot`` writes it anew."""
    text = dot(sketch.ALL[name]())
    path = GOLDEN / f"{name}.dot"
    if request.config.getoption("--regenerate-dot"):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; look at it, then pytest --regenerate-dot"


def test_same_text_in_another_process() -> None:
    code = "from tests.autograd.sketch import training; from autograd.dot import dot; print(dot(training()), end='')"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert out.stdout == dot(sketch.training())


def test_x_times_x_has_two_edges() -> None:
    assert dot(sketch.square()).count("n0 -> n1") == 2


@pytest.mark.claim("C16")
def test_diamonds_draw_a_node_once_however_many_paths_lead_to_it() -> None:
    text = dot(sketch.diamonds(12))
    assert len(re.findall(r"^\tn\d+ \[", text, re.M)) == 13
    assert len(re.findall(r" -> ", text)) == 24


def test_cut_edges_are_dashed_and_name_what_cut_them() -> None:
    text = dot(sketch.cuts())
    for how in ("detach", "no_grad", "item"):
        line = next(line for line in text.splitlines() if f"✂ {how}" in line)
        assert "style=dashed" in line
        assert "class=cut" in line


def test_kinds_differ_without_colour() -> None:
    def look(text: str, node: str) -> str:
        line = next(line for line in text.splitlines() if line.startswith(f"\t{node} ["))
        return re.sub(r'color="[^"]*"|label=<.*>|id=\w+|height=\S+|width=\S+', "", line.split("[", 1)[1])

    text = dot(sketch.cuts())
    leaf, cut, op = look(text, "n0"), look(text, "n1"), look(text, "n4")
    constant = look(dot(sketch.training()), "n1")
    assert len({re.sub(r"class=\S+|class=\"[^\"]*\"", "", part) for part in (leaf, cut, op, constant)}) == 4


def test_names_cannot_become_markup() -> None:
    text = dot(sketch.broken())
    assert "<script>" not in text
    assert "<img" not in text
    assert "&lt;script&gt;" in text


def test_modules_become_nested_clusters() -> None:
    text = dot(sketch.arrays())
    assert text.index("subgraph cluster_0") < text.index("subgraph cluster_1")
    assert "label=net" in text
    assert 'label="net.0"' in text


def test_no_record_shapes() -> None:
    for name in sketch.ALL:
        assert "record" not in re.sub(r"unrecorded", "", dot(sketch.ALL[name]()))


def test_collapsed_module_is_one_box() -> None:
    trace = sketch.arrays()
    text = dot(trace, collapse=["module:net"])
    assert "n1 [" not in text
    hidden = drawn_as(trace, ["module:net"])
    assert hidden == {"n1": "g0", "n2": "g0", "n3": "g0"}
    assert "g0 [" in text
    assert "n0 -> g0" in text
    assert "g0 -> n4" in text


def test_unknown_group_is_named() -> None:
    with pytest.raises(ValueError, match="no part called module:nowhere"):
        dot(sketch.arrays(), collapse=["module:nowhere"])


def test_too_many_boxes_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dots, "DRAWN_LIMIT", 3)
    with pytest.raises(TooLarge, match=r"5 boxes and at most 3 are drawn. Collapse"):
        dot(sketch.quadratic())


def turns(count: int) -> Trace:
    """A loop that uses the same weight in every turn: each use is an edge from the first rank to the turn's own."""
    lines = ["import torch", "w = torch.tensor(1.0, requires_grad=True)", "h = torch.tensor(0.3)"]
    trace = run("\n".join([*lines, f"for i in range({count}):", "    h = torch.tanh(w * h)"]), diagnose=False).trace
    assert trace is not None
    return trace


def test_many_edges_from_one_end_to_the_other_are_refused_before_graphviz_takes_minutes() -> None:
    assert "nslimit" in dot(turns(60))
    with pytest.raises(TooLarge, match=r"too many edges from one end to the other. Collapse"):
        dot(turns(200))
    assert dot(turns(200), collapse=["loop:5"]).count("class=group") == 1


def test_a_long_chain_needs_no_recursion() -> None:
    s = sketch.Sketch()
    h = s.leaf("x", 1.0)
    for _ in range(1200):
        h = s.op("h", "h + 1", "AddBackward0", 1.0, (h, 1.0, "1"))
    assert dot(s.trace()).count(" -> ") == 1200


def test_an_empty_trace_draws() -> None:
    assert dot(Trace("", (), (), ())).startswith("digraph walk {")


def test_boxes_are_wide_enough_for_every_text_they_will_show() -> None:
    text = dot(sketch.quadratic())
    width = float(re.search(r"\tn0 \[.*width=([\d.]+)", text)[1]) * 72  # type: ignore[index]
    assert width > dots.width("grad", dots.KEY_SIZE) + dots.width("6 + 2 = 8", dots.VALUE_SIZE)


def test_what_is_only_printed_or_only_fills_another_is_not_drawn() -> None:
    s = sketch.Sketch()
    x = s.leaf("x", 2.0)
    s.constant(None, 3.0)  # type: ignore[arg-type]
    s.mutate(x, "x.copy_(torch.tensor(3.0))", 3.0, 1)
    y = s.op("y", "x ** 2", "PowBackward0", 9.0, (x, 6.0, "2 * x"))
    d = s.op(None, "y.detach()", None, 9.0, (y, 0, ""), how="detach")
    s.op(None, "y.detach().numpy()", None, 9.0, (d, 0, ""), how="numpy")
    kept = s.op("k", "y.item()", None, 9.0, (y, 0, ""), how="item")
    assert dots.left_out(s.trace()) == {"n1", "n3", "n4"}
    text = dot(s.trace())
    assert f"\t{kept} [" in text
    assert "n3" not in text


def test_a_lone_nameless_constant_is_still_drawn() -> None:
    s = sketch.Sketch()
    s.constant(None, 3.0)  # type: ignore[arg-type]
    assert "\tn0 [" in dot(s.trace())


def test_edges_side_by_side_into_a_box_are_drawn_once_and_the_others_stand_for_it() -> None:
    s = sketch.Sketch()
    x = s.leaf("x", 1.0)
    a = s.op("a", "x * x", "MulBackward0", 1.0, (x, 1.0, "x"), (x, 1.0, "x"), scope="net")
    s.op("b", "a + x", "AddBackward0", 2.0, (a, 1.0, "1"), (x, 1.0, "1"), scope="net")
    assert dot(s.trace(), collapse=["module:net"]).count("n0 -> g0") == 1
    assert drawn_as(s.trace(), ["module:net"]) == {"n1": "g0", "n2": "g0", "e1": "e0", "e3": "e0"}
