"""What a trace tells of modules and optimizers: scopes, names of parameters, steps, and nothing of their insides."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from autograd.record import recording
from autograd.trace import Mutate, Step, Trace, ZeroGrad
from snippets.torch_api import torch


@pytest.fixture(autouse=True)
def engine_as_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch)


def trace_of(source: str) -> Trace:
    with recording(source) as recorder:
        exec(compile(source, "<snippet>", "exec"), {"__name__": "__main__"})
    return recorder.trace()


def events(trace: Trace, kind: type) -> list[Any]:
    return [event for event in trace.events if isinstance(event, kind)]


NETWORK = """import torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1)])
        self.plain = [nn.Tanh()]
        self.scale = nn.Parameter(torch.ones(1))
    def forward(self, x):
        return self.layers[1](self.plain[0](self.layers[0](x))) * self.scale
net = Block()
out = net(torch.ones(1, 2)).sum()
"""


def test_operations_know_the_module_they_ran_in() -> None:
    trace = trace_of(NETWORK)
    scopes = {node.scope for node in trace.nodes}
    assert {"net", "net.layers.0", "net.layers.1", ""} <= scopes
    assert next(node.scope for node in trace.nodes if node.op == "tanh") == "net.plain.0"
    assert next(node.scope for node in trace.nodes if node.op == "sum") == ""


def test_parameters_are_named_by_their_path_and_made_without_a_trail() -> None:
    trace = trace_of(NETWORK)
    leaves = {node.name for node in trace.nodes if node.kind == "leaf"}
    assert leaves == {
        "net.scale",
        "net.layers.0.weight",
        "net.layers.0.bias",
        "net.layers.1.weight",
        "net.layers.1.bias",
    }
    assert sum(node.kind == "constant" for node in trace.nodes) == 1  # the input; nothing of the initialisation


def test_a_module_without_a_variable_goes_by_its_class() -> None:
    trace = trace_of("import torch\ny = torch.nn.Linear(1, 1)(torch.ones(1, 1))\n")
    assert "Linear" in {node.scope for node in trace.nodes}
    assert "Linear.weight" in {node.name for node in trace.nodes}


TRAINING = """import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.{optimizer}([w], lr=0.5)
opt.zero_grad()
(w * w).sum().backward()
opt.step()
opt.zero_grad(set_to_none=False)
"""


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "NAdam"])
def test_a_step_is_one_event_with_values_before_and_after(optimizer: str) -> None:
    trace = trace_of(TRAINING.format(optimizer=optimizer))
    (step,) = events(trace, Step)
    assert (step.optimizer, step.line) == ("opt", 6)
    (row,) = step.parameters
    assert row["before"] == [1.0, 2.0]
    assert row["grad"] == [2.0, 4.0]
    assert row["after"][0] < 1.0
    assert {node.op for node in trace.nodes} == {None, "mul", "sum"}
    assert not events(trace, Mutate)


def test_clearing_gradients_is_an_event_with_what_was_there() -> None:
    first, last = events(trace_of(TRAINING.format(optimizer="SGD")), ZeroGrad)
    assert (first.optimizer, first.line, first.parameters[0]["before"]) == ("opt", 4, None)
    assert (last.parameters[0]["before"], last.parameters[0]["after"]) == ([2.0, 4.0], [0.0, 0.0])


def test_zero_grad_of_a_network_tells_of_its_parameters() -> None:
    source = "import torch\nnet = torch.nn.Linear(1, 1)\nnet(torch.ones(1, 1)).backward()\nnet.zero_grad()\n"
    (event,) = events(trace_of(source), ZeroGrad)
    assert event.optimizer == "net"
    assert len(event.parameters) == 2
    assert all(row["after"] is None for row in event.parameters)


def test_an_own_optimizer_tells_of_its_steps_too() -> None:
    source = """import torch
class Descent(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})
    @torch.no_grad()
    def step(self):
        for p in self.param_groups[0]["params"]:
            p -= p.grad
w = torch.tensor(3.0, requires_grad=True)
mine = Descent([w])
(w * w).backward()
mine.step()
"""
    (step,) = events(trace_of(source), Step)
    assert (step.parameters[0]["before"], step.parameters[0]["after"]) == (3.0, -3.0)


def test_initialising_a_parameter_by_hand_is_a_change_in_the_trace() -> None:
    source = "import torch\nw = torch.nn.Parameter(torch.zeros(2))\ntorch.nn.init.constant_(w, 0.5)\ny = w.sum()\n"
    trace = trace_of(source)
    (change,) = events(trace, Mutate)
    assert (change.value, change.line) == ([0.5, 0.5], 3)
    assert [node.name for node in trace.nodes if node.kind == "leaf"] == ["w"]


def test_buffers_go_by_their_names() -> None:
    trace = trace_of("import torch\nnorm = torch.nn.BatchNorm1d(2).eval()\nout = norm(torch.ones(3, 2))\n")
    assert {"norm.weight", "norm.running_mean", "norm.running_var"} <= {node.name for node in trace.nodes}
