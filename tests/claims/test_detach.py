"""Cutting one path: values pass, gradients do not."""

from __future__ import annotations

import pytest

from tests.claims.programs import data, events, example, failed, grad, ran, recorded_ops, traced


@pytest.mark.claim("C40")
@pytest.mark.parametrize("x", [1.0, 3.0, -2.5])
def test_a_detached_factor_is_a_constant(x: float) -> None:
    program = f"""
import torch
x = torch.tensor({x}, requires_grad=True)
k = (2 * x){{cut}}
y = x * k
y.backward()
"""
    assert grad(ran(program.format(cut="")), "x") == pytest.approx(4 * x)
    cut = ran(program.format(cut=".detach()"))
    assert grad(cut, "x") == pytest.approx(2 * x)
    assert data(cut, "y") == pytest.approx(2 * x * x)
    severed = [edge for edge in traced(cut).edges if edge.how == "detach"]
    assert [edge.recorded for edge in severed] == [False]
    assert not any(event.edge == severed[0].id for event in traced(cut).events if event.kind == "contribute")


@pytest.mark.claim("C41")
def test_a_detached_tensor_shares_storage_and_a_clone_does_not() -> None:
    result = ran("""
import torch
x = torch.tensor([1.0, 2.0, 3.0])
shared = x.detach()
copy = x.detach().clone()
shared[0] = 10.0
copy[1] = 7.0
x[2] = 5.0
""")
    assert data(result, "x") == [10, 2, 5]
    assert data(result, "shared") == [10, 2, 5]
    assert data(result, "copy") == [1, 7, 3]


TEACHER = """
import torch
x = torch.tensor(2.0)
teacher = torch.tensor(3.0, requires_grad=True)
student = torch.tensor(1.0, requires_grad=True)
{target}
loss = (student * x - target) ** 2
loss.backward()
"""
WAYS = {
    "open": "target = teacher * x",
    "detach": "target = (teacher * x).detach()",
    "no_grad": "with torch.no_grad():\n    target = teacher * x",
}


@pytest.mark.claim("C42")
@pytest.mark.parametrize(("way", "teacher"), [("open", 16.0), ("detach", None), ("no_grad", None)])
def test_only_the_student_learns(way: str, teacher: float | None) -> None:
    # loss = (2s - 2t)^2 at s = 1, t = 3: d/ds = 2·(-4)·2, d/dt = 2·(-4)·(-2)
    result = ran(TEACHER.format(target=WAYS[way]))
    assert data(result, "loss") == 16
    assert grad(result, "student") == -16
    assert grad(result, "teacher") == teacher


@pytest.mark.claim("C42")
def test_the_card_walk_depends_on_the_teacher_in_value_only() -> None:
    result = ran(example("teacher-student", teacher=5.0))
    assert (data(result, "loss"), grad(result, "student"), grad(result, "teacher")) == (64, -32, None)


@pytest.mark.claim("C42", "C43")
def test_detach_cuts_a_graph_that_no_grad_never_builds() -> None:
    trace = {way: traced(ran(TEACHER.format(target=target))) for way, target in WAYS.items()}
    count = {way: len(recorded_ops(one)) for way, one in trace.items()}
    assert count["detach"] == count["no_grad"] + 1  # the teacher's product was recorded and then cut off
    for way in ("detach", "no_grad"):
        assert events(trace[way], "leaf_grad", "teacher") == []


@pytest.mark.claim("C43")
def test_the_cut_off_graph_still_holds_its_bytes() -> None:
    program = """
import torch
w = torch.full((6,), 0.5, requires_grad=True)
{code}
"""
    detached = traced(ran(program.format(code="y = torch.exp(torch.exp(w)).detach()")))
    never = traced(ran(program.format(code="with torch.no_grad():\n    y = torch.exp(torch.exp(w))")))
    assert sum(node.saved_bytes for node in detached.nodes) == 2 * 6 * 4
    assert sum(node.saved_bytes for node in never.nodes) == 0
    assert (len(recorded_ops(detached)), len(recorded_ops(never))) == (2, 0)


@pytest.mark.claim("C44")
def test_item_is_a_plain_number_without_history() -> None:
    program = """
import torch
w = torch.tensor(3.0, requires_grad=True)
loss = w ** 2
{line}
loss.backward()
"""
    logged = ran(program.format(line="log = loss.item()"))
    assert logged.values["log"] == 9.0
    assert type(logged.values["log"]) is float
    assert grad(logged, "w") == 6
    error = failed(program.format(line="loss = loss.item()"))
    assert (error["type"], error["line"]) == ("AttributeError", 6)
    assert "'float' object has no attribute 'backward'" in error["message"]


@pytest.mark.claim("C44")
def test_a_tensor_made_from_the_number_has_no_history_either() -> None:
    error = failed("""
import torch
w = torch.tensor(3.0, requires_grad=True)
loss = torch.tensor((w ** 2).item())
loss.backward()
""")
    assert error["type"] == "RuntimeError"
    assert "does not require grad and does not have a grad_fn" in error["message"]
