"""Parts that can be drawn as one box: modules and turns of loops."""

from __future__ import annotations

from autograd.groups import groups, modules, suggested, turns
from autograd.presentation import present, walk_text
from autograd.trace import Trace, TraceNode
from tests.autograd import sketch


def loop(rounds: int, lines: tuple[int, ...], before: tuple[int, ...] = (), after: tuple[int, ...] = ()) -> Trace:
    order = [*before, *(line for _ in range(rounds) for line in lines), *after]
    nodes = tuple(
        TraceNode(
            f"n{i}", "op", "add", "AddBackward0", f"v{line}", line, "", (), "float32", True, False, True, 0, f"e{line}"
        )
        for i, line in enumerate(order)
    )
    return Trace("", nodes, (), ())


def test_a_module_holds_what_its_children_hold() -> None:
    found = {group.title: group.nodes for group in modules(sketch.arrays())}
    assert found == {"net": ("n1", "n2", "n3"), "net.0": ("n1", "n2")}


def test_turns_of_a_loop_of_several_lines() -> None:
    found = turns(loop(3, (4, 5), before=(1, 2), after=(7,)))
    assert [group.nodes for group in found] == [("n2", "n3"), ("n4", "n5"), ("n6", "n7")]
    assert found[0].title == "turn 1 of the loop, lines 4–5"


def test_straight_programs_have_no_turns() -> None:
    assert turns(sketch.quadratic()) == ()
    assert turns(loop(1, (1, 2, 3))) == ()


def test_a_big_graph_is_collapsed_by_turns_or_if_need_be_by_loops() -> None:
    trace = loop(100, (4, 5, 6))
    by_turn = suggested(trace, 150)
    assert len(by_turn) >= 75
    assert all(name.startswith("turn:4:") for name in by_turn)
    assert suggested(trace, 40) == ("loop:4",)
    assert suggested(trace, 1000) == ()
    assert {group.id for group in groups(trace)} >= {"loop:4", "turn:4:1", "turn:4:100"}


def test_a_long_straight_program_is_cut_into_stretches() -> None:
    trace = loop(1, tuple(range(1, 1001)))
    chosen = suggested(trace, 120)
    assert chosen
    assert all(name.startswith("stretch:") for name in chosen)
    assert next(group.title for group in groups(trace)) == "operations 1–60, lines 1–60"


def test_a_presentation_knows_which_box_stands_for_what() -> None:
    shown = present(sketch.arrays(), ["module:net"])
    assert shown.boxes == {"g0": "module:net"}
    assert shown.alias == {"n1": "g0", "n2": "g0", "n3": "g0"}
    assert shown.payload()["svg"].count('class="node group"') == 1


def test_the_same_trace_gives_the_same_id() -> None:
    assert walk_text(sketch.quadratic()).id == walk_text(sketch.quadratic()).id
    assert walk_text(sketch.quadratic()).id != walk_text(sketch.square()).id
