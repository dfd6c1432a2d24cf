"""Sound generated training programs raise no fault, whatever their shapes, optimizer and style."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snippets import examples, run

#: Examples whose point is the error that stops them.
ENDS_IN_ERROR = {"in-place", "second-backward"}


@st.composite
def training_programs(draw: st.DrawFn) -> str:
    """A random small network with a right training step."""
    inputs, hidden, outputs = (draw(st.integers(1, 4)) for _ in range(3))
    rows, steps = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    activation = draw(st.sampled_from(["nn.Tanh()", "nn.Sigmoid()", "nn.Softplus()", "nn.GELU()"]))
    optimizer = draw(
        st.sampled_from(
            ["SGD(net.parameters(), lr=0.01)", "SGD(net.parameters(), lr=0.01, momentum=0.9)", "Adam(net.parameters())"]
        )
    )
    x = [[draw(st.sampled_from([-1.5, -0.5, 0.25, 1.0, 2.0])) for _ in range(inputs)] for _ in range(rows)]
    if outputs > 1 and draw(st.booleans()):
        target = f"torch.tensor({[draw(st.integers(0, outputs - 1)) for _ in range(rows)]})"
        loss = "nn.functional.cross_entropy(net(x), y)"
    else:
        target = f"torch.tensor({[[0.3 * (i + j) for j in range(outputs)] for i in range(rows)]})"
        loss = draw(st.sampled_from(["((net(x) - y) ** 2).mean()", "nn.functional.mse_loss(net(x), y)"]))
    step = draw(
        st.sampled_from(
            [
                ["opt.zero_grad()", f"loss = {loss}", "loss.backward()", "opt.step()"],
                [f"loss = {loss}", "opt.zero_grad()", "loss.backward()", "opt.step()"],
                [f"loss = {loss}", "loss.backward()", "opt.step()", "opt.zero_grad()"],
                [
                    "opt.zero_grad(set_to_none=False)",
                    f"loss = {loss}",
                    "loss.backward()",
                    "nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
                    "opt.step()",
                ],
            ]
        )
    )
    log = draw(st.sampled_from(["losses.append(loss.item())", "losses.append(loss.detach())", "total += loss.item()"]))
    lines = [
        "import torch",
        "import torch.nn as nn",
        f"net = nn.Sequential(nn.Linear({inputs}, {hidden}), {activation}, nn.Linear({hidden}, {outputs}))",
        f"opt = torch.optim.{optimizer}",
        f"x = torch.tensor({x})",
        f"y = {target}",
        "losses, total = [], 0.0",
        f"for _ in range({steps}):",
        *(f"    {line}" for line in [*step, log]),
        "net.eval()",
        "with torch.no_grad():",
        "    print(net(x).shape)",
    ]
    return "\n".join(lines) + "\n"


@given(training_programs())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_sound_training_raises_no_fault(program: str) -> None:
    result = run(program)
    assert result.error is None, result.error
    assert not [report for report in result.diagnosis if report["severity"] == "fault"], program


def test_examples_raise_no_fault() -> None:
    for name in examples.names():
        faults = [r for r in run(examples.load(name).source).diagnosis if r["severity"] == "fault"]
        assert bool(faults) == (name in ENDS_IN_ERROR), (name, faults)
