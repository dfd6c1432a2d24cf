"""An open test: one question at a time, with a way to every other."""

from __future__ import annotations

import streamlit as st

from course import concepts, exam
from course.exam import Asked, AttemptFinished, ExamError, Paper
from course.grading import Answer
from course.store import Store, StoreError
from ui import address, quiz

_PLACE = "test-question"
_TROUBLE = "test-trouble"
_SHOWN = "test-shown"


def show(store: Store, learner: str, paper: Paper) -> None:
    """The question the address names (the first open one otherwise), the navigator, and the way to hand in."""
    if _catch_up(store, learner, paper):
        paper = exam.load(store, learner, paper.id)
    count = len(paper.questions)
    number = address.read_number("question", 1, count) or _first_open(paper)
    address.write(question=number)
    asked = paper.questions[number - 1]

    st.title("The graded test", anchor=False)
    question, overview = st.columns([7, 3], gap="large")
    with question:
        _question(store, learner, paper, asked)
        _ways(number, count)
    with overview:
        st.progress(paper.answered / count, text=f"{paper.answered} of {count} answered")
        _navigator(paper, number)
        st.button(
            "Hand in",
            type="primary" if paper.answered == count else "secondary",
            icon=":material/task_alt:",
            on_click=_ask_to_hand_in,
            key="test-hand-in",
        )
        if st.session_state.get("test-handing-in"):
            _confirm(store, learner, paper)


def _question(store: Store, learner: str, paper: Paper, asked: Asked) -> None:
    def save(answer: Answer) -> None:
        _save(store, learner, paper.id, asked.position, answer)

    with st.container(border=True, key="paper"):
        st.caption(f"Question {asked.position + 1} of {len(paper.questions)} · {concepts.get(asked.concept).title}")
        st.session_state[_SHOWN] = (paper.id, asked.position)
        quiz.ask(asked.variant, asked.answer, key=_key(paper.id, asked.position), save=save)
        _saved_or_not(asked.answered)


def _ways(number: int, count: int) -> None:
    with st.container(horizontal=True, key="test-ways"):
        st.button(
            "Previous",
            icon=":material/arrow_back:",
            disabled=number == 1,
            on_click=_go,
            args=(number - 1,),
            shortcut="PageUp",
            key="test-previous",
        )
        st.button(
            "Next",
            type="primary" if number < count else "secondary",
            icon=":material/arrow_forward:",
            icon_position="right",
            disabled=number == count,
            on_click=_go,
            args=(number + 1,),
            shortcut="PageDown",
            key="test-next",
        )


def _first_open(paper: Paper) -> int:
    return next((asked.position + 1 for asked in paper.questions if not asked.answered), 1)


def _navigator(paper: Paper, number: int) -> None:
    done = {asked.position + 1 for asked in paper.questions if asked.answered}
    st.session_state[_PLACE] = number
    st.pills(
        "Questions (✓ answered)",
        list(range(1, len(paper.questions) + 1)),
        format_func=lambda one: f"{one} ✓" if one in done else str(one),
        key=_PLACE,
        required=True,
        wrap=True,
        on_change=lambda: _go(st.session_state[_PLACE]),
    )


def _go(number: int) -> None:
    st.session_state.pop("test-handing-in", None)
    address.write(question=number)


def _key(attempt: str, position: int) -> str:
    return f"test-{attempt}-{position}"


def _catch_up(store: Store, learner: str, paper: Paper) -> bool:
    """Save a change to the question shown last whose callback did not get through; whether there was one."""
    attempt, position = st.session_state.get(_SHOWN, ("", 0))
    if attempt != paper.id:
        return False

    def save(answer: Answer) -> None:
        _save(store, learner, attempt, position, answer)

    return quiz.catch_up(paper.questions[position].variant, _key(attempt, position), save)


def _save(store: Store, learner: str, attempt: str, position: int, answer: Answer) -> None:
    try:
        exam.answer(store, learner, attempt, position, answer)
    except AttemptFinished:
        address.write(attempt=attempt)  # handed in by another window: show the result
    except (StoreError, ExamError) as error:
        way_out = getattr(error, "way_out", "")
        st.session_state[_TROUBLE] = f"This answer is **not saved**. {error} {way_out}"


def _saved_or_not(answered: bool) -> None:
    if trouble := st.session_state.pop(_TROUBLE, None):
        st.error(trouble, icon=":material/save:")
    elif answered:
        st.caption(":material/cloud_done: Saved. You can change it until you hand in.")
    else:
        st.caption("Not answered yet.")


def _ask_to_hand_in() -> None:
    st.session_state["test-handing-in"] = True


def _confirm(store: Store, learner: str, paper: Paper) -> None:
    open_ones = [asked.position + 1 for asked in paper.questions if not asked.answered]
    with st.container(border=True, key="hand-in-box"):
        if open_ones:
            numbers = ", ".join(str(one) for one in open_ones)
            plural = "questions are" if len(open_ones) > 1 else "question is"
            st.markdown(f"**{len(open_ones)} {plural} not answered yet:** {numbers}. They will count as 0.")
        else:
            st.markdown("**Every question is answered.** Answers cannot be changed after you hand in.")
        with st.container(horizontal=True):
            st.button(
                "Hand in now",
                type="primary",
                key="test-hand-in-now",
                on_click=_hand_in,
                args=(store, learner, paper),
            )
            st.button("Go on answering", key="test-go-on", on_click=_go, args=(open_ones[0] if open_ones else 1,))


def _hand_in(store: Store, learner: str, paper: Paper) -> None:
    _catch_up(store, learner, paper)
    try:
        exam.finish(store, learner, paper.id)
    except (StoreError, ExamError) as error:
        st.session_state[_TROUBLE] = f"The test is **not handed in**. {error}"
        return
    st.session_state.pop("test-handing-in", None)
    address.write(attempt=paper.id, question=None)
