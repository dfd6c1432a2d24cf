"""Two versions of a program on the Step page: the address holds both, each has its editor, and they step together."""

from __future__ import annotations

import streamlit as st

from snippets import Result, share
from ui import address, program, run_report, runs
from ui.code_editor import code_editor
from ui.compare import side_by_side

#: The query parameter with the second version; the first is ``example`` or ``code`` as without a comparison.
PARAMETER = "compare"

FIRST, SECOND = "compare-first", "compare-second"


def asked() -> bool:
    """Whether the address asks for a comparison."""
    return bool(st.query_params.get(PARAMETER))


def offer() -> None:
    """The button that opens the present program beside a copy of itself."""
    st.button(
        "Compare with a changed version",
        icon=":material/compare_arrows:",
        key="compare-open",
        on_click=_open,
        help="Opens a copy beside this program. Change a line of the copy and both step together.",
    )


def query(first: str, second: str) -> dict[str, str]:
    """The query parameters of the Step page that compare two programs. ValueError when they are too long for a link."""
    return {"code": share.pack(first), PARAMETER: share.pack(second)}


@st.fragment
def workbench() -> None:
    """Both programs: what differs, both walks, and an editor for each."""
    shown = program.read()
    try:
        second = share.unpack(str(st.query_params.get(PARAMETER, "")))
    except share.BadCode as error:
        st.warning(str(error), icon=":material/link_off:")
        second = shown.source
    turns = st.session_state.setdefault("compare-turns", [0, 0])
    with st.spinner("Running", show_time=False):
        results = runs.of(shown.source, turns[0]), runs.of(second, turns[1])
    titles = ("First version", "Second version")
    same = shown.source.strip() == second.strip()
    if same:
        st.info("The second version is still a copy. Change a line of it below and run it.", icon=":material/edit:")
    with st.expander("Both programs", expanded=same, key="compare-editors"):
        left, right = st.columns(2)
        for place, key, title, source, result, taken in (
            (left, FIRST, titles[0], shown.source, results[0], _run_first),
            (right, SECOND, titles[1], second, results[1], _run_second),
        ):
            with place:
                st.markdown(f"**{title}**")
                code_editor(source, key=key, turn=turns[place is right], error=result.error, on_run=taken)
    if fault := st.session_state.pop("compare-fault", None):
        st.error(fault)
    _walks(results, titles)
    st.button("Leave the comparison", icon=":material/close:", key="compare-leave", on_click=_leave)


def _walks(results: tuple[Result, Result], titles: tuple[str, str]) -> None:
    for result, title in zip(results, titles, strict=True):
        run_report.stopped(result)
        if result.trace is None or not result.trace.nodes:
            st.error(f"{title}: there is no walk to show.", icon=":material/error:")
            if result.error:
                st.code(f"{result.error['type']}: {result.error['message']}", language=None, wrap_lines=True)
            return
    if results[0].trace is not None and results[1].trace is not None:
        side_by_side(results[0].trace, results[1].trace, key="compare-walks", titles=titles)


def _open() -> None:
    try:
        address.write(**{PARAMETER: share.pack(program.read().source), "step": None})
    except ValueError as error:
        st.session_state["code-fault"] = str(error)


def _leave() -> None:
    address.write(**{PARAMETER: None, "step": None})


def _run_first() -> None:
    source = _sent(FIRST, 0)
    if source is not None:
        kept = str(st.query_params.get(PARAMETER, ""))
        st.query_params.from_dict({"code": share.pack(source), PARAMETER: kept})


def _run_second() -> None:
    source = _sent(SECOND, 1)
    if source is not None:
        address.write(**{PARAMETER: share.pack(source)})


def _sent(key: str, place: int) -> str | None:
    """The text an editor sent; None, with a message kept for the page, when it does not fit into the address."""
    sent = st.session_state[key].run
    if not isinstance(sent, dict) or not isinstance(sent.get("source"), str):
        return None
    st.session_state["compare-turns"][place] += 1
    try:
        share.pack(sent["source"])
    except ValueError as error:
        st.session_state["compare-fault"] = str(error)
        return None
    return str(sent["source"])
