"""Every lab opens, shows numbers, and follows its controls."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from course import concepts
from course.labs import catalogue
from tests.pages.conftest import Opened, refuse_faults, steppers
from ui.labs import room


def test_the_overview_links_to_every_lab_and_computes_nothing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("a lab ran on the overview")

    for slug in room.BODIES:
        monkeypatch.setitem(room.BODIES, slug, refuse)
    app = refuse_faults(opened("labs"))
    assert app.title[0].value == "Labs"
    links = {link.proto.query_string for link in app.get("page_link")}
    assert {f"lab={slug}" for slug in catalogue.slugs()} <= links


def test_every_lab_has_a_body_a_theme_and_a_card() -> None:
    assert set(room.BODIES) == set(catalogue.slugs())
    assert {lab.theme for lab in catalogue.LABS} == set(catalogue.THEMES)
    assert {concept for lab in catalogue.LABS for concept in lab.concepts} <= set(concepts.SLUGS)


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_every_lab_opens_with_charts_that_have_words(opened: Opened, slug: str) -> None:
    app = refuse_faults(opened("labs", lab=slug))
    lab = catalogue.get(slug)
    assert app.title[0].value == lab.title
    assert lab.watch in [markdown.value for markdown in app.markdown]
    assert f"concept={lab.concepts[0]}" in {link.proto.query_string for link in app.get("page_link")}
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert app.table or app.metric


def figure(app: AppTest, label: str) -> str:
    """The large number with this label."""
    return next(metric.value for metric in app.metric if metric.label == label)


def test_the_address_sets_the_controls(opened: Opened) -> None:
    app = refuse_faults(opened("labs", lab="paths-and-nodes", diamonds="10"))
    assert (figure(app, "visits, scheduled"), figure(app, "calls, naive recursion")) == ("11", "2,047")


@pytest.mark.parametrize("value", ["999", "-3", "ten", "<b>"])
def test_a_wrong_value_in_the_address_is_left_out(opened: Opened, value: str) -> None:
    app = refuse_faults(opened("labs", lab="paths-and-nodes", diamonds=value))
    assert figure(app, "visits, scheduled") == "5"


def test_an_unknown_lab_is_said_and_the_overview_shown(opened: Opened) -> None:
    app = refuse_faults(opened("labs", lab="no-such-lab"))
    assert app.title[0].value == "Labs"
    assert "no lab" in app.warning[0].value


def test_cards_link_to_their_labs(opened: Opened) -> None:
    app = refuse_faults(opened("concepts", concept="train-step"))
    links = {link.proto.query_string for link in app.get("page_link")}
    assert {"lab=four-lines", "lab=iris"} <= links


#: lab, what moves (kind, key, value), label of the number that follows, what it reads then
MOVES = [
    ("who-is-tracked", ("toggle", "asks-a", False), "bytes held for backward", "0"),
    ("depth", ("slider", "layers", 5), "leaves", "12"),
    ("which-path", ("slider", "path-x", 1.0), "slope dy/dx", "4"),
    ("paths-and-nodes", ("slider", "diamonds", 12), "visits, scheduled", "13"),
    ("jacobian", ("slider", "x-rows", 12), "entries of the Jacobian", "240"),
    ("accumulation", ("slider", "clear-steps", 2), "last .grad", "10.8"),
    ("wrong-sign", ("slider", "sign-steps", 2), "w at the end (meant: 5)", "-0.76"),
    ("cost", ("slider", "cost-layers", 1), "backward by forward", "1"),
    ("activation-memory", ("slider", "memory-depth", 8), "peak, in bytes", "1,024"),
    ("half-precision", ("slider", "scale", 20), "w.grad in float16", "inf"),
    ("leak", ("segmented_control", "keep", "kept.append(loss.item())"), "held after ten batches, in bytes", "0"),
    ("checkpointing", ("segmented_control", "checkpoint-depth", "64"), "peak, in layer results", "14"),
    ("no-grad", ("segmented_control", "under", "recorded as usual"), "functions recorded", "3"),
    ("eval-mode", ("segmented_control", "module-mode", "eval()"), "output for 1 and 3", "[0.99999, 3]"),
    ("detach", ("segmented_control", "cut", "not cut"), "teacher.grad", "16"),
    ("graph-lifetime", ("segmented_control", "repair", "retain_graph=True"), "held at the end", "8"),
    ("in-place", ("segmented_control", "write", "y.detach().clone().add_(1)"), "version of y after", "0"),
    ("conventions", ("selectbox", "kink", "abs at 0"), "slope from the left", "-1"),
    ("thirty-lines", ("segmented_control", "grad-line", "self.grad = upstream"), "thirty lines: dy/dx", "2"),
    ("iris", ("select_slider", "batch", "120"), "loss of the last batch", "0.43416"),
    ("micro-batches", ("select_slider", "batch-size", "2"), "summed", "3.4056"),
]


@pytest.mark.parametrize(("slug", "move", "label", "reads"), MOVES, ids=[move[0] for move in MOVES])
def test_a_moved_control_moves_the_number(
    opened: Opened, slug: str, move: tuple[str, str, object], label: str, reads: str
) -> None:
    app = opened("labs", lab=slug)
    before = figure(app, label)
    kind, key, value = move
    getattr(app, kind)(key=key).set_value(value).run()
    refuse_faults(app)
    assert figure(app, label) == reads != before


def test_the_upstream_row_is_editable(opened: Opened) -> None:
    app = opened("labs", lab="upstream")
    app.number_input(key="v1").set_value(-5.0).run()
    assert list(refuse_faults(app).table[0].value["x.grad"]) == ["2", "-20", "600"]
    app.segmented_control(key="upstream-how").set_value("y.backward()").run()
    assert "grad can be implicitly created only for scalar outputs" in refuse_faults(app).error[0].value


def test_passes_fill_the_jacobian_one_by_one(opened: Opened) -> None:
    app = opened("labs", lab="rows-or-columns")
    for _ in range(3):
        app.button(key="forward-passes-more").click().run()
    refuse_faults(app)
    assert "4 of 4" in [markdown.value for markdown in app.markdown]
    assert app.button(key="forward-passes-more").disabled
    app.button(key="forward-passes-less").click().run()
    assert "0 of 4" in [markdown.value for markdown in refuse_faults(app).markdown]


def test_a_slope_worked_out_by_hand_is_confirmed(opened: Opened) -> None:
    app = opened("labs", lab="three-ways", **{"slope-of": "x**2 + 3*x"})
    app.text_input[0].set_value("7").run()
    assert "Yes" in refuse_faults(app).success[0].value
    app.text_input[0].set_value("4").run()
    assert "7" in refuse_faults(app).error[0].value


def test_an_order_in_the_address_is_run(opened: Opened) -> None:
    app = refuse_faults(opened("labs", lab="four-lines", order="zero-forward-step-backward"))
    assert app.warning[0].value == "The weight never moves."
    assert list(app.table[0].value["w"]) == ["1", "1", "1"]
    app.selectbox(key="order-preset").set_value("zero-forward-backward-step").run()
    assert app.success[0].value == "The weight moves exactly as with the usual order."


def test_a_walk_opens_inside_the_lab(opened: Opened) -> None:
    app = opened("labs", lab="detach")
    assert not steppers(app)
    app.toggle(key="walk-cut").set_value(True).run()
    assert len(steppers(refuse_faults(app))) == 1


def test_training_can_be_watched(opened: Opened) -> None:
    app = opened("labs", lab="iris")
    app.button(key="iris-watch").click().run()
    refuse_faults(app)
    assert int(figure(app, "epoch")) < 40
    for _ in range(30):
        app.run()
        if figure(app, "epoch") == "40":
            break
    assert figure(refuse_faults(app), "epoch") == "40"
    assert figure(app, "loss of the last batch") == "0.20929"
