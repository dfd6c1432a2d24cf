"""The picture of a click-the-node question: every node that can be picked, and nothing that tells which."""

from __future__ import annotations

import re

import pytest

from course import questions
from course.schema import Question
from course.variants import draw
from ui.graph_pick import picture

NODE_QUESTIONS = [one for group in questions.bank().values() for one in group if one.kind == "node"]


@pytest.mark.parametrize("question", NODE_QUESTIONS, ids=lambda question: question.id)
def test_every_choice_is_a_node_of_the_picture(question: Question) -> None:
    variant = draw(question, 1)
    svg = picture(variant.code)
    assert all(f'<g id="{choice.id}" class="node' in svg for choice in variant.choices)


@pytest.mark.parametrize("question", NODE_QUESTIONS, ids=lambda question: question.id)
def test_the_picture_draws_all_nodes_and_edges_alike(question: Question) -> None:
    svg = picture(draw(question, 1).code)
    nodes = set(re.findall(r'<g id="n\d+" class="([^"]*)"', svg))
    edges = {word for classes in re.findall(r'<g id="e\d+" class="([^"]*)"', svg) for word in classes.split()}
    assert len(nodes) == 1, nodes
    assert edges <= {"edge", "still"}, edges
    assert "-grad" not in svg
    assert "dotgrad" not in svg
