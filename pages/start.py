"""The start page: what Backstep is, a first walk, and what to do next."""

import streamlit as st

from autograd import frames
from course import mastery
from snippets import examples
from ui import concept_tiles, entry, links, next_step, program, session, walk

entry.through_app()

FIRST_WALK = "quadratic"

st.title("Watch a backward pass happen", anchor=False)
with st.container(key="reading-intro"):
    st.markdown(
        "`loss.backward()` fills in every gradient, and most explanations stop there. Backstep runs your PyTorch code "
        "on an engine that records each step, so you can walk the graph **forward and backward, number by number**, "
        "and see where each gradient comes from."
    )

store = session.optional_store()
known = mastery.of(store, session.learner()) if store else {}

example = examples.load(FIRST_WALK)
st.header("A first walk: y = x² + 2x + 1 at x = 3", anchor=False)
st.caption("Press “Next step”, or click into the picture and use the arrow keys. Watch x collect 6, then + 2, then 8.")
trace = walk.of_source(example.source)
if trace is not None:
    walk.show(trace, key="first-walk", step=frames.find(frames.frames(trace), "backward_start"))
    with st.container(horizontal=True, key="reading-ways"):
        links.to_walk(FIRST_WALK, label="Change its numbers")
        links.to_program(program.STARTER, "Walk through your own code")
        links.to_page("doctor", "Ask what is wrong with your gradients", ":material/stethoscope:")

st.header("What to do next", anchor=False)
if store is not None:
    with st.container(border=True, key="reading-next"):
        next_step.show(next_step.find(store, session.learner(), known))
else:
    links.to_card("recording", "Open the first card")

st.header("25 concepts", anchor=False)
if known:
    st.caption(concept_tiles.summary(known))
concept_tiles.tiles(known)
