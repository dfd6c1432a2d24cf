"""Labs about training: clearing, the four lines, Iris, batches, and a wrong loss."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from course.labs import accumulation, batches, four_lines, sign
from course.labs.four_lines import LINES, RIGHT, Order
from ui import address
from ui.labs import charts, controls, iris, listing
from ui.labs.charts import Line
from ui.order_lines import order_lines


def with_and_without_clearing() -> None:
    """.grad and w over steps, cleared and not."""
    with controls.row("clearing"):
        clearing = controls.choice(
            "Clear .grad before each step",
            "clearing",
            {"to None": "set to None", "to zeros": "set to zeros", "not at all": "not at all"},
            "not at all",
        )
        steps = controls.slider("steps", "clear-steps", 2, 24, 12)
        moving = controls.switch("move w by 0.1 times .grad", "moving", True)
    found = accumulation.measure(clearing, moving, steps)
    right = accumulation.measure("to None", moving, steps)
    charts.figures(
        {
            ".grad right after clearing": found.slot,
            "last .grad": found.grads[-1],
            "last w (best: 1)": found.weights[-1],
        },
        key="clearing",
    )
    number = list(range(1, steps + 1))
    chosen = {"to None": "set to None", "to zeros": "set to zeros", "not at all": "not cleared"}[clearing]
    series = [Line(f"{chosen}: |w.grad|", number, [abs(grad) for grad in found.grads])]
    if clearing == "not at all":
        series.append(Line("cleared: |w.grad|", number, [abs(grad) for grad in right.grads]))
    charts.lines(
        series,
        key="clearing",
        alt=f"Size of the gradient over {steps} steps, {chosen}: from {abs(found.grads[0]):.3g} to "
        f"{abs(found.grads[-1]):.3g}.",
        x_title="step",
        y_title="|w.grad|",
        whole_x=True,
    )
    charts.numbers(
        [
            {"step": step, "w.grad": grad, "w": w, "w.grad when cleared": clean}
            for step, grad, w, clean in zip(number, found.grads, found.weights, right.grads, strict=True)
        ],
        key="clearing",
    )
    if clearing == "not at all" and not moving:
        st.caption("w stays where it is, so every backward adds the same 6.")
    elif clearing == "not at all":
        st.caption("Each step uses the sum of all gradients so far: w runs past 1, turns, and runs past it again.")
    else:
        st.caption(
            "Each gradient is 0.8 times the one before: w comes nearer to 1 by a fifth of the way in each step."
            if moving
            else "w stays where it is, and each backward finds the same gradient of 6."
        )
    listing.program(
        accumulation.program(clearing, moving, min(steps, 3), 0.1), key="clearing", title="Three steps as a program"
    )


_PRESETS = {
    "zero-forward-backward-step": "the usual order",
    "zero-forward-step-backward": "step before backward",
    "forward-backward-zero-step": "clear before step",
    "step-zero-forward-backward": "step first",
    "forward-step-zero-backward": "step in between",
}

_VERDICTS = {
    "same": "the weight moves exactly as with the usual order",
    "late": "every step comes one turn late",
    "still": "the weight never moves",
    "different": "the weight moves by a gradient that belongs to another turn",
    "error": "stops with an error",
}


def your_order() -> None:
    """The four lines in the learner's order, run."""
    order = _order()
    left, right = st.columns([2, 3], gap="large")
    with left:
        _arrange(order)
    found = four_lines.measure(order)
    with right:
        _consequence(found)
    best = four_lines.measure(RIGHT)
    turns = list(range(four_lines.TURNS + 1))
    series = [Line("the usual order", turns, [four_lines.START, *(turn.w for turn in best.turns)])]
    if order != RIGHT:
        path: list[float | None] = [four_lines.START, *(turn.w for turn in found.turns)]
        series.append(Line("your order", turns, path + [None] * (len(turns) - len(path))))
    charts.lines(
        series,
        key="orders",
        alt=f"w after each turn: usual order {charts.word([turn.w for turn in best.turns])}, your order "
        f"{charts.word([turn.w for turn in found.turns])}.",
        x_title="turn",
        y_title="w",
        y_range=(0.8, 2.8),
        mark_y=(four_lines.GOAL, "the best w"),
        whole_x=True,
        height=280,
    )
    with st.expander("All 24 orders, each run for three turns", key="all-orders"):
        charts.table(
            [
                {
                    "order": ", ".join(one.order),
                    "w after each turn": [turn.w for turn in one.turns] or "",
                    "what came of it": _VERDICTS[one.verdict],
                }
                for one in four_lines.every_order()
            ]
        )
    listing.program(four_lines.program(order), key="orders")


def _order() -> tuple[str, ...]:
    """The order in the address; the usual one when it names none or a wrong one."""
    asked = tuple((address.read("order") or "").split("-"))
    return asked if sorted(asked) == sorted(RIGHT) else RIGHT


def _arrange(order: tuple[str, ...]) -> None:
    def moved() -> None:
        state = st.session_state.get("four-lines")
        names = getattr(state, "order", None)
        if isinstance(names, list) and sorted(map(str, names)) == sorted(RIGHT):
            _put(tuple(map(str, names)))

    def picked() -> None:
        if st.session_state["order-preset"]:
            _put(tuple(st.session_state["order-preset"].split("-")))

    st.caption("Drag the lines, or use the arrows.")
    order_lines(
        [(name, LINES[name]) for name in order], key="four-lines", label="Lines to put in order", on_change=moved
    )
    st.session_state["order-preset"] = "-".join(order) if "-".join(order) in _PRESETS else None
    st.selectbox(
        "Or pick an order",
        list(_PRESETS),
        key="order-preset",
        format_func=_PRESETS.__getitem__,
        placeholder="an order of your own",
        on_change=picked,
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _put(order: tuple[str, ...]) -> None:
    address.write(order=None if order == RIGHT else "-".join(order))


def _consequence(found: Order) -> None:
    if found.error:
        st.error(f"{found.error}. The first turn has no loss to call backward on.", icon=":material/block:")
    elif found.verdict == "same":
        st.success(_sentence(_VERDICTS["same"]), icon=":material/check:")
    else:
        st.warning(_sentence(_VERDICTS[found.verdict]), icon=":material/error:")
    if found.turns:
        charts.table(
            [
                {"turn": number, "w": turn.w, "w.grad": turn.grad if turn.grad is not None else "None"}
                for number, turn in enumerate(found.turns, start=1)
            ]
        )
        st.markdown("**What each line changed in the first turn**")
        charts.table(
            [{"line": f"`{LINES[line]}`", "changed": change} for line, change in found.turns[0].changes.items()]
        )


def big_batch_in_pieces() -> None:
    """Micro-batches against one batch, then sum against mean."""
    with controls.row("pieces"):
        count = int(controls.among("pieces of the 32 rows", "pieces", (2, 4, 8, 16), 4))
        scaled = controls.choice(
            "each piece's loss", "scaling", {"yes": "divided by the number of pieces", "no": "as it is"}, "yes"
        )
        short = controls.switch("the last piece is shorter", "short")
    found = batches.pieces(count, short)
    mine = found.scaled if scaled == "yes" else found.unscaled
    rows = sum(found.sizes)
    charts.table(
        [
            _gradients(f"one batch of {rows}", found.whole, found.whole),
            _gradients(f"{count} pieces, divided by {count}", found.scaled, found.whole),
            _gradients(f"{count} pieces, as they are", found.unscaled, found.whole),
        ]
    )
    gap = max(abs(a - b) for a, b in zip(mine, found.whole, strict=True))
    if gap < 1e-5:
        st.success("The gradients agree: small pieces, one big batch.", icon=":material/check:")
    elif scaled == "yes":
        st.warning(
            f"Dividing by {count} is right only for pieces of equal size: here they are {charts.word(found.sizes)}. "
            "The "
            "short one counts for too much.",
            icon=":material/balance:",
        )
    else:
        st.warning(
            f"The gradient of w is {mine[0] / found.whole[0]:.3g} times that of the big batch.", icon=":material/error:"
        )
    listing.program(batches.program(found.sizes, scaled == "yes"), key="pieces")
    st.header("Sum against mean", anchor=False)
    with controls.row("reductions"):
        size = int(controls.among("batch size", "batch-size", batches.SIZES, 8))
    totals, means = batches.norms("sum"), batches.norms("mean")
    charts.lines(
        [Line("summed loss", batches.SIZES, totals), Line("mean loss", batches.SIZES, means)],
        key="reductions",
        alt=f"Norm of the gradient by batch size: summed from {totals[0]:.3g} to {totals[-1]:.3g}, mean from "
        f"{means[0]:.3g} to {means[-1]:.3g}.",
        x_title="batch size",
        y_title="norm of the gradient",
        mark_x=(size, f"{size} rows"),
    )
    place = batches.SIZES.index(size)
    charts.figures(
        {"summed": totals[place], "mean": means[place], "summed by mean": totals[place] / means[place]},
        key="reductions",
    )
    st.caption(
        "A sum has one term for each row, so its gradient grows with the batch, and a learning rate that suits one "
        "size "
        "does not suit another. The mean divides by the number of rows."
    )
    charts.numbers(
        [
            {"batch size": n, "norm, summed": a, "norm, mean": b}
            for n, a, b in zip(batches.SIZES, totals, means, strict=True)
        ],
        key="reductions",
    )


def _gradients(name: str, found: tuple[float, float], whole: tuple[float, float]) -> dict[str, object]:
    return {
        "gradients of": name,
        "w.grad": found[0],
        "b.grad": found[1],
        "off by": max(abs(a - b) for a, b in zip(found, whole, strict=True)),
    }


def wrong_sign() -> None:
    """gradcheck and the loss with the wrong sign."""
    with controls.row("sign"):
        written = controls.choice("loss", "sign", {"minus": "-(w - 5) ** 2", "plus": "(w - 5) ** 2"}, "minus")
        steps = controls.slider("steps", "sign-steps", 2, 20, 12)
    found = sign.measure(written == "minus", steps)
    charts.figures(
        {
            "gradcheck": "passes" if found.gradcheck else "fails",
            "w at the end (meant: 5)": found.weights[-1],
            "loss as written": found.losses[-1],
        },
        key="sign",
    )
    step = list(range(steps + 1))
    charts.lines(
        [Line("squared distance from the target", step, found.distances)],
        key="sign",
        alt=f"Squared distance from the target over {steps} steps: from {found.distances[0]:.3g} to "
        f"{found.distances[-1]:.3g}.",
        x_title="step",
        y_title="(w - 5)²",
        whole_x=True,
    )
    st.caption(
        "gradcheck compares the gradient with the function as it is written, and there is nothing wrong with it: the "
        "loss as written goes down, to minus infinity. That it was meant the other way round, no engine can know."
        if written == "minus"
        else "The same check, the same engine, the sign that was meant: the distance shrinks by a factor of 0.64 a "
        "step."
    )
    charts.numbers(
        [
            {"step": number, "w": w, "loss as written": loss, "(w - 5)²": distance}
            for number, w, loss, distance in zip(step, found.weights, found.losses, found.distances, strict=True)
        ],
        key="sign",
    )
    listing.program(sign.program(written == "minus"), key="sign", title="Three steps as a program")


LABS: dict[str, Callable[[], None]] = {
    "accumulation": with_and_without_clearing,
    "four-lines": your_order,
    "iris": iris.training,
    "micro-batches": big_batch_in_pieces,
    "wrong-sign": wrong_sign,
}
