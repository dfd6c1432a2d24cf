"""Labs about cost and memory."""

from __future__ import annotations

import math
from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from course.labs import activations, checkpoints, cost, half, leak
from course.labs.activations import Memory
from ui.labs import charts, controls, listing
from ui.labs.charts import Line
from ui.labs.picture import picture
from ui.plots import VERMILLION


def backward_cost() -> None:
    """Multiply-adds forward and backward, layer by layer."""
    with controls.row("cost"):
        layers = controls.slider("layers", "cost-layers", 1, 12, 3)
        width = int(controls.among("width of each layer", "cost-width", (2, 4, 8, 16, 32, 64), 8))
        batch = int(controls.among("batch size", "cost-batch", (1, 4, 16, 64), 16))
        asks = controls.switch("the input asks for a gradient too", "cost-input")
    widths = cost.equal_layers(layers, width)
    found = cost.measure(widths, batch, asks)
    charts.figures(
        {
            "forward": found.forward,
            "backward": found.backward,
            "backward by forward": found.ratio,
            "a training step, in forward passes": 1 + found.ratio,
        },
        key="cost",
    )
    names = [layer.name for layer in found.layers]
    charts.bars(
        {"forward": [layer.forward for layer in found.layers], "backward": [layer.backward for layer in found.layers]},
        names,
        key="cost",
        alt=f"Multiply-adds by layer. In all {found.forward:,} forward and {found.backward:,} backward.",
        y_title="multiply-adds",
    )
    st.caption(
        "Backward runs two products for each product of the forward pass: one for the weight, one for what goes on to "
        "the layer before. "
        + (
            "Here the first layer has both, since its input asks for a gradient."
            if asks
            else "The first layer needs only one: nobody asks for the gradient of the data."
        )
        + f" Elementwise work, both ways, is {found.other:,}."
    )
    charts.numbers(
        [
            {"layer": layer.name, "product": layer.shapes, "forward": layer.forward, "backward": layer.backward}
            for layer in found.layers
        ],
        key="cost",
    )
    depths = list(range(1, 13))
    ratios = [cost.measure(cost.equal_layers(depth, width), batch, asks).ratio for depth in depths]
    charts.lines(
        [Line("backward by forward", depths, ratios)],
        key="ratios",
        alt=f"Backward by forward for 1 to 12 layers: from {ratios[0]:.3g} to {ratios[-1]:.3g}.",
        x_title="layers",
        y_title="backward by forward",
        y_range=(0, 2.2),
        mark_y=(2.0, "two"),
        whole_x=True,
        height=260,
    )
    listing.program(cost.program(widths, batch, asks), key="cost", walkable=layers <= 6)


def bytes_held() -> None:
    """Bytes held through forward and backward, with a budget."""
    with controls.row("memory"):
        depth = controls.slider("layers", "memory-depth", 1, 16, 4)
        batch = int(controls.among("batch size", "memory-batch", (1, 4, 8, 16, 32, 64), 8))
        dtype = controls.choice("activations", "memory-dtype", {"single": "float32", "half": "float16"}, "single")
        wide = controls.switch("a wide layer in the middle", "memory-wide")
        budget = controls.slider("budget in bytes", "memory-budget", 64, 4096, 384, 64)
    found = activations.measure(depth, batch, dtype == "half", wide)
    other = activations.measure(depth, batch, dtype != "half", wide)
    over = found.exceeded(budget)
    charts.figures(
        {
            "peak, in bytes": found.peak,
            f"peak with {'float32' if dtype == 'half' else 'float16'}": other.peak,
            "budget": budget,
        },
        key="memory",
    )
    _rise_and_fall(found, budget)
    if over is None:
        st.success("Within the budget at every moment.", icon=":material/check:")
    else:
        st.error(
            f"Out of budget at operation {over + 1}, {found.moments[over].what}. These hold the most, and they have a "
            "dashed border on the graph:",
            icon=":material/memory:",
        )
    largest = found.holders[:3]
    charts.table(
        [
            {
                "holds": holder.name,
                "function": holder.function,
                "bytes": holder.bytes,
                "share": f"{holder.bytes / found.peak:.0%}",
            }
            for holder in (largest if over is not None else found.holders[:5])
        ]
    )
    run = activations.walked(depth, batch, dtype == "half", wide)
    operations = [node.id for node in run.trace.nodes if node.kind == "op" and node.recorded]
    picture(
        run,
        key="memory-graph",
        label="The graph. "
        + (f"Marked: {', '.join(holder.name for holder in largest)}." if over is not None else "Nothing is marked."),
        marked=[operations[holder.place] for holder in largest] if over is not None else [],
    )
    st.caption(
        f"A tanh keeps its result: batch × width × {2 if dtype == 'half' else 4} bytes. The product after it needs the "
        "same array and keeps no second copy. Weights and data are in memory anyway and are not counted."
    )
    charts.numbers(
        [
            {
                "event": number,
                "what": moment.what,
                "pass": "forward" if moment.forward else "backward",
                "bytes": moment.held,
            }
            for number, moment in enumerate(found.moments, start=1)
        ],
        key="memory",
    )
    listing.program(run.source, key="memory", walkable=depth <= 8)


def _rise_and_fall(found: Memory, budget: int) -> None:
    figure = go.Figure()
    turn = sum(moment.forward for moment in found.moments)
    for name, first, last, colour, dash in (
        ("forward", 0, turn, charts.blue(), "solid"),
        ("backward", turn - 1, len(found.moments), VERMILLION, "dash"),
    ):
        part = list(enumerate(found.moments, start=1))[first:last]
        figure.add_scatter(
            name=name,
            x=[number for number, _ in part],
            y=[moment.held for _, moment in part],
            mode="lines+markers" if len(found.moments) <= 40 else "lines",
            line={"color": colour, "width": 2.5, "dash": dash, "shape": "hv"},
            customdata=[moment.what for _, moment in part],
            hovertemplate="%{customdata}: %{y:,} bytes held<extra></extra>",
        )
    figure.add_hline(
        y=budget,
        line_dash="dot",
        line_width=1.5,
        line_color=charts.ink(),
        annotation_text="budget",
        annotation_position="top left",
    )
    figure.update_xaxes(title="operation forward, then function backward")
    figure.update_yaxes(title="bytes held", range=[0, 1.12 * max(found.peak, budget)])
    charts.show(
        charts.quiet(figure, 320),
        key="memory-chart",
        alt=f"Bytes held: up to {found.peak:,} through forward, down to {found.moments[-1].held:,} through backward. "
        f"The budget is {budget:,}.",
    )


def kept_losses() -> None:
    """Four ways to keep a loss."""
    with controls.row("leak"):
        keep = controls.choice("Each batch", "keep", leak.KEEPING, "loss")
        rows = int(controls.among("rows a batch", "leak-rows", (4, 8, 16, 32), 8))
    batch = list(range(1, leak.BATCHES + 1))
    every = {name: leak.measure(name, rows).held for name in leak.KEEPING}
    held = every[keep]
    charts.figures(
        {"held after ten batches, in bytes": held[-1], "more with each batch": held[-1] - held[-2]}, key="leak"
    )
    names = {"loss": "the loss itself", "item": "loss.item()", "detach": "loss.detach()", "no_grad": "under no_grad"}
    charts.lines(
        [Line("the loss itself", batch, every["loss"])] + ([Line(names[keep], batch, held)] if keep != "loss" else []),
        key="leak",
        alt=f"Bytes held after each batch: {names[keep]} {held[0]} to {held[-1]}.",
        x_title="batch",
        y_title="bytes held for backward",
        whole_x=True,
    )
    st.caption(
        "A loss leads back to everything its backward pass would need, and a list of losses keeps all of it. A "
        "number, a "
        "detached tensor and a tensor made under no_grad lead nowhere. In a loop that calls backward() the saved "
        "values "
        "are freed by it; this is the loop that only measures."
    )
    charts.numbers(
        [{"batch": number, **{names[name]: one[number - 1] for name, one in every.items()}} for number in batch],
        key="leak",
    )
    listing.program(leak.program(keep), key="leak", title="Three batches as a program")


def segments() -> None:
    """Checkpointing by segments."""
    with controls.row("segments"):
        depth = int(
            controls.choice("layers", "checkpoint-depth", {str(one): str(one) for one in checkpoints.DEPTHS}, "36")
        )
        best = min(checkpoints.divisors(depth), key=lambda count: abs(count - math.sqrt(depth)))
        chosen = int(controls.among("segments", f"segments-of-{depth}", checkpoints.divisors(depth), best))
    plain, found = checkpoints.measure(depth, 0), checkpoints.measure(depth, chosen)
    charts.figures(
        {
            "peak, in layer results": found.activations,
            "without checkpointing": plain.activations,
            "layers computed": found.computed,
            "gradients equal, bit for bit": found.grad == plain.grad,
        },
        key="segments",
    )
    every = checkpoints.sweep(depth)
    charts.lines(
        [Line("peak with checkpointing", [one.segments for one in every], [one.activations for one in every])],
        key="segments",
        alt="Peak by number of segments: "
        + ", ".join(f"{one.segments}: {one.activations:g}" for one in every)
        + f". The square root of the depth is {math.sqrt(depth):g}.",
        x_title="segments",
        y_title="layer results alive at once",
        mark_x=(math.sqrt(depth), "√depth"),
        mark_y=(plain.activations, "no checkpointing"),
    )
    st.caption(
        f"Alive at the worst moment: the inputs of the {chosen} segments, and the results of the one segment that is "
        "being "
        f"walked, {depth // chosen} of them. Each layer inside is computed a second time: {found.computed} runs for "
        f"{depth} layers."
    )
    charts.numbers(
        [
            {
                "segments": one.segments,
                "peak, in layer results": one.activations,
                "peak, in bytes": one.peak,
                "layers computed": one.computed,
                "same gradient": one.grad == plain.grad,
            }
            for one in every
        ],
        key="segments",
    )
    listing.program(checkpoints.program(depth, chosen), key="segments", walkable=depth <= 36)


def too_small() -> None:
    """Loss scaling in float16."""
    with controls.row("half"):
        power = controls.slider("loss scale = 2 to the power of", "scale", 0, 20, 0)
    found = half.measure(power)
    exact = half.SMALL**2
    charts.figures(
        {
            "scale": 2**power,
            "w.grad in float16": f"{found.held:.3g}",
            "divided by the scale, in float32": f"{found.unscaled:.3g}",
        },
        key="half",
    )
    if found.held == 0:
        st.error(
            f"The gradient is about {exact:.0e}, smaller than anything float16 can hold: it became 0, and nothing "
            "said so.",
            icon=":material/block:",
        )
    elif math.isinf(found.held):
        st.error("The scale itself is too large for float16: the gradient became infinite.", icon=":material/block:")
    else:
        off = abs(found.unscaled - exact) / exact
        st.success(f"The gradient came through, {off:.1%} from {exact:.0e}.", icon=":material/check:")
    every = [half.measure(one) for one in half.POWERS]
    charts.table(
        [
            {
                "scale": f"2^{one}",
                "w.grad in float16": f"{measured.held:.3g}",
                "divided by the scale": f"{measured.unscaled:.3g}",
                "off by": "all of it"
                if measured.held == 0 or math.isinf(measured.held)
                else f"{abs(measured.unscaled - exact) / exact:.1%}",
            }
            for one, measured in zip(half.POWERS, every, strict=True)
            if one % 2 == 0 or one == power
        ]
    )
    listing.program(half.program(power), key="half")


LABS: dict[str, Callable[[], None]] = {
    "cost": backward_cost,
    "activation-memory": bytes_held,
    "leak": kept_losses,
    "checkpointing": segments,
    "half-precision": too_small,
}
