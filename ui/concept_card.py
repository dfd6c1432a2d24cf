"""One concept card: idea, walk, experiment, question, and the way to its neighbours."""

from __future__ import annotations

import secrets

import streamlit as st

from course import concepts, practice, questions, walks
from course.grading import Answer, Grade, complete, grade
from course.mastery import State
from course.schema import Concept
from course.store import Store, StoreError
from course.variants import Variant, VariantError, draw
from ui import concept_tiles, links, quiz, walk


def show(card: Concept, store: Store | None, learner: str, state: State) -> None:
    """The whole card."""
    _ways(card, "top")
    st.title(card.title, anchor=False)
    st.caption(
        f"Concept {card.order} of {len(concepts.SLUGS)} · {concept_tiles.ICONS[state]} {concept_tiles.WORDS[state]}"
    )
    with st.container(key="reading-idea"):
        st.markdown(card.idea)
    _walk(card)
    experiment, question = st.columns([2, 3], gap="large")
    with experiment:
        st.header("Try it", anchor=False)
        with st.container(border=True, key="reading-experiment"):
            st.markdown(card.experiment)
            links.to_walk(card.walk.example, label="Change it on the Step page")
            links.to_labs(card.slug)
    with question:
        st.header("One question", anchor=False)
        with st.container(border=True, key="reading-question"):
            _question(card, store, learner)
    _ways(card, "bottom")


def _walk(card: Concept) -> None:
    st.header("The walk, at the step that shows it", anchor=False)
    try:
        opened = walks.open_walk(card)
    except LookupError as error:
        st.warning(f"This walk cannot be shown at the moment: {error}", icon=":material/footprint:")
        return
    walk.show(opened.trace, key=f"walk-{card.slug}", step=opened.step)


def _question(card: Concept, store: Store | None, learner: str) -> None:
    question = questions.get(card.card.question)
    place = f"card-{question.id}"
    seed = st.session_state.setdefault(f"{place}-seed", secrets.randbits(31))
    try:
        variant = draw(question, seed)
    except VariantError:
        st.warning("This question cannot be shown at the moment.", icon=":material/quiz:")
        return
    given: Answer = st.session_state.get(f"{place}-answer")

    def save(answer: Answer) -> None:
        st.session_state[f"{place}-answer"] = answer
        st.session_state[f"{place}-checked"] = False
        if variant.kind in ("single", "node") and complete(variant, answer):
            _check(place, store, learner, variant)

    def save_and_check(answer: Answer) -> None:
        save(answer)
        if complete(variant, answer):
            _check(place, store, learner, variant)

    if variant.kind == "number":
        quiz.ask_number(variant, given, key=f"{place}-{seed}", check=save_and_check)
    else:
        quiz.ask(variant, given, key=f"{place}-{seed}", save=save)
    if variant.kind in ("several", "order"):
        st.button(
            "Check",
            type="primary",
            key=f"{place}-check",
            disabled=not complete(variant, given),
            on_click=_check,
            args=(place, store, learner, variant),
        )
    if st.session_state.get(f"{place}-checked"):
        _explain(place, grade(variant, given), variant, drawn_anew=question.computed)


def _check(place: str, store: Store | None, learner: str, variant: Variant) -> None:
    """Grade what was picked; the first pick of each variant is what counts."""
    st.session_state[f"{place}-checked"] = True
    first = f"{place}-{variant.seed}-counted"
    if store is None or st.session_state.get(first):
        return
    try:
        practice.answered(store, learner, variant, st.session_state[f"{place}-answer"])
        st.session_state[first] = True
    except StoreError as error:
        st.session_state[f"{place}-unsaved"] = f"This answer was not saved. {error} {error.way_out}"


def _explain(place: str, result: Grade, variant: Variant, *, drawn_anew: bool) -> None:
    quiz.explain_pick(result, variant.kind)
    if unsaved := st.session_state.pop(f"{place}-unsaved", None):
        st.warning(unsaved, icon=":material/save:")
    shown = f"{place}-{variant.seed}-shown"
    if result.correct or st.session_state.get(shown):
        quiz.explain_all(result, variant.kind)
    else:
        with st.container(horizontal=True):
            st.button(
                "Show the answer and what each option means", key=f"{place}-show", on_click=_remember, args=(shown,)
            )
    if drawn_anew:
        st.button(
            "The same question with other numbers",
            icon=":material/casino:",
            key=f"{place}-again",
            on_click=_draw_again,
            args=(place,),
        )


def _remember(name: str) -> None:
    st.session_state[name] = True


def _draw_again(place: str) -> None:
    st.session_state[f"{place}-seed"] = secrets.randbits(31)
    st.session_state[f"{place}-answer"] = None
    st.session_state[f"{place}-checked"] = False


def _ways(card: Concept, where: str) -> None:
    before, after = concepts.neighbours(card.slug)
    with st.container(horizontal=True, horizontal_alignment="distribute", key=f"ways-{where}"):
        if before:
            st.page_link(
                "pages/concepts.py",
                label=concepts.get(before).title,
                icon=":material/arrow_back:",
                query_params={"concept": before},
            )
        st.page_link("pages/concepts.py", label="All concepts", icon=":material/apps:")
        if after:
            st.page_link(
                "pages/concepts.py",
                label=concepts.get(after).title,
                icon=":material/arrow_forward:",
                icon_position="right",
                query_params={"concept": after},
            )
