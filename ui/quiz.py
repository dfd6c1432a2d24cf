"""A question on the page: its text, its program, and the means to answer it; and an answer, explained."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from course import numbers
from course.grading import Answer, Feedback, Grade
from course.variants import Variant
from ui.graph_pick import graph_pick
from ui.order_lines import order_lines

#: Called with the new answer when the learner changes it.
Save = Callable[[Answer], None]

#: Called by a widget that changed.
Changed = Callable[[], None]

HINTS = {
    "single": "One answer is right.",
    "several": "Any number of these may be right.",
    "number": "Type a number. Fractions such as 1/3 are fine.",
    "order": "Put the lines in order: drag them, or use the arrows.",
    "node": "Click a node of the graph, or choose it below.",
}


def ask(variant: Variant, given: Answer, *, key: str, save: Save) -> None:
    """Show a question with the answer ``given`` so far; each change of the learner's calls ``save``.

    ``given`` is the truth: what another window saved meanwhile shows here at the next run.
    """
    pose(variant)
    _give(variant, given, key)
    changed = partial(_changed, variant, key, save)
    match variant.kind:
        case "single":
            _radio(variant, key, changed, label="Your answer")
        case "several":
            _checkboxes(variant, key, changed)
        case "number":
            _number(given, key, changed)
        case "order":
            _order(variant, given, key, changed)
        case "node":
            _node(variant, given, key, changed)


def ask_number(variant: Variant, given: Answer, *, key: str, check: Save) -> None:
    """Show a question for a number with a Check of its own, which Enter in the field presses; it calls ``check``."""
    pose(variant)
    if key not in st.session_state:
        st.session_state[key] = given if isinstance(given, str) else ""
    with st.form(f"{key}-form", border=False, enter_to_submit=True):
        _number_field(key)
        st.form_submit_button(
            "Check",
            type="primary",
            key=f"{key}-check",
            on_click=lambda: check(str(st.session_state[key])),
        )
    if given is not None:
        _number_fault(given)


def catch_up(variant: Variant, key: str, save: Save) -> bool:
    """Save what the learner changed since it was shown or saved last; whether there was something.

    Streamlit drops the callback of a change when the next click comes while it runs. Whoever calls this at the next
    run misses nothing.
    """
    before, now = st.session_state.get(_marker(key)), _reported(variant, key)
    if now is None or now == before or _marker(key) not in st.session_state:
        return False
    save(_answer(variant, before, now))
    st.session_state[_marker(key)] = now
    return True


def _changed(variant: Variant, key: str, save: Save) -> None:
    catch_up(variant, key, save)


def _marker(key: str) -> str:
    """Where it is kept what the widgets of a question reported when that was shown or saved last."""
    return f"{key}-marked"


def _reported(variant: Variant, key: str) -> Any:
    """What the widgets of a question report, None when they are not there."""
    match variant.kind:
        case "several":
            ids = [choice.id for choice in variant.choices]
            if f"{key}-{ids[0]}" not in st.session_state:
                return None
            return [name for name in ids if st.session_state.get(f"{key}-{name}")]
        case "order":
            moved = _state(key, "order")
            return [str(name) for name in moved] if isinstance(moved, list) else None
        case "node":
            clicked = _state(f"{key}-graph", "clicked")
            return (st.session_state.get(key), dict(clicked) if clicked else None)
        case _:
            return st.session_state.get(key)


def _answer(variant: Variant, before: Any, now: Any) -> Answer:
    """The answer in what the widgets report ``now``, when they reported ``before`` last."""
    answer: Answer = now
    if variant.kind == "number":
        answer = str(now) if str(now).strip() else None
    elif variant.kind == "node":
        (picked, clicked), (_, clicked_before) = now, before or (None, None)
        answer = clicked["id"] if clicked and clicked != clicked_before else picked
    return answer


def _give(variant: Variant, given: Answer, key: str) -> None:
    """Give the widgets the answer ``given``, unless it is what they reported themselves.

    What the learner is just changing is not touched: a run that is being overtaken by the next click would undo it.
    """
    marked = st.session_state.get(_marker(key))
    ids = [choice.id for choice in variant.choices]
    match variant.kind:
        case "single":
            wanted: Any = given if given in ids else None
            values = {key: wanted}
        case "several":
            wanted = [name for name in ids if isinstance(given, list) and name in given]
            values = {f"{key}-{name}": name in wanted for name in ids}
        case "number":
            wanted = given if isinstance(given, str) else ""
            values = {key: wanted}
        case "node":
            picked = given if given in ids else None
            wanted = (picked, marked[1] if marked else None)
            values = {key: picked}
        case "order":  # its component is given the order as data
            if key not in st.session_state or _marker(key) not in st.session_state:
                st.session_state[_marker(key)] = None
            return
    if wanted == marked and all(name in st.session_state for name in values):
        return
    for name, value in values.items():
        st.session_state[name] = value
    st.session_state[_marker(key)] = wanted


def pose(variant: Variant) -> None:
    """The question's text and program."""
    st.markdown(variant.prompt)
    if variant.code.strip():
        st.code(variant.code, language="python", line_numbers=True, wrap_lines=True)


def _texts(variant: Variant) -> dict[str, str]:
    return {choice.id: choice.text for choice in variant.choices}


def _radio(variant: Variant, key: str, changed: Changed, *, label: str, in_a_row: bool = False) -> None:
    texts = _texts(variant)
    st.radio(
        label,
        list(texts),
        index=None,
        format_func=lambda name: texts[name],
        key=key,
        horizontal=in_a_row,
        on_change=changed,
    )


def _checkboxes(variant: Variant, key: str, changed: Changed) -> None:
    st.caption(HINTS["several"])
    for choice in variant.choices:
        st.checkbox(choice.text, key=f"{key}-{choice.id}", on_change=changed)


def _number(given: Answer, key: str, changed: Changed) -> None:
    _number_field(key, live=True, on_change=changed)
    if given is not None and str(given).strip():
        _number_fault(given)


def _number_field(key: str, **more: Any) -> None:
    example = "8, -0.5 or 1/3"
    st.text_input("Your number", key=key, max_chars=40, autocomplete="off", placeholder=example, width=260, **more)


def _number_fault(given: Answer) -> None:
    """Say beside the field what is no number in it."""
    try:
        numbers.read(str(given))
    except ValueError as error:
        st.warning(str(error), icon=":material/edit:")


def _order(variant: Variant, given: Answer, key: str, changed: Changed) -> None:
    texts = _texts(variant)
    order = given if isinstance(given, list) and sorted(given) == sorted(texts) else list(texts)
    st.caption(HINTS["order"])
    order_lines([(name, texts[name]) for name in order], key=key, label="Lines to put in order", on_change=changed)


def _node(variant: Variant, given: Answer, key: str, changed: Changed) -> None:
    st.caption(HINTS["node"])
    picked = given if isinstance(given, str) else None
    ids = [choice.id for choice in variant.choices]
    graph_pick(variant.code, ids, picked, key=f"{key}-graph", on_click=changed)
    _radio(variant, key, changed, label="The node", in_a_row=True)


def _state(key: str, name: str) -> Any:
    """A value a component reported."""
    state = st.session_state.get(key)
    return state.get(name) if isinstance(state, dict) else getattr(state, name, None)


def verdict(grade: Grade) -> tuple[str, str]:
    """The result in a word, and the icon that stands for it."""
    if grade.correct:
        return "Right", ":material/check_circle:"
    if grade.score > 0:
        return f"Partly right ({grade.score:.0%})", ":material/contrast:"
    return ("Not right" if grade.given else "Not answered"), ":material/cancel:"


def explain_pick(grade: Grade, kind: str) -> None:
    """What the pick means: the verdict and the explanation of each thing that was picked."""
    word, icon = verdict(grade)
    box = st.success if grade.correct else st.info if grade.score > 0 else st.warning
    box(f"**{word}.** {_why_picked(grade, kind)}", icon=icon)


def explain_all(grade: Grade, kind: str) -> None:
    """Why the right answer is right, and what every option means."""
    st.markdown(grade.explanation)
    heading = {"number": "Numbers people arrive at", "order": "Each line", "node": "Each node"}
    st.markdown(f"**{heading.get(kind, 'Each option')}**")
    for option in grade.options:
        _option(option, kind)


def _why_picked(grade: Grade, kind: str) -> str:
    if kind == "order":
        return "" if grade.correct else "The explanation goes through the lines one by one."
    if grade.picked:
        parts = [
            option.why if len(grade.picked) == 1 else f"\n\n- {shown(option.text, kind)}: {option.why}"
            for option in grade.picked
        ]
        return "".join(parts)
    if kind == "number" and grade.given:
        return f"{grade.given.replace('`', '')} is not the number the engine gives."
    return ""


def shown(text: str, kind: str) -> str:
    """An option's text inside a sentence: code where it is code."""
    return f"`{text}`" if kind in ("order", "node") else text


def _option(option: Feedback, kind: str) -> None:
    icon = ":material/check:" if option.correct else ":material/close:"
    yours = " *(your pick)*" if option.picked and kind != "order" else ""
    if kind == "order":
        icon = ":material/check:" if option.correct else ":material/swap_vert:"
    st.markdown(f"{icon} **{shown(option.text, kind)}**{yours}  \n{option.why}")
