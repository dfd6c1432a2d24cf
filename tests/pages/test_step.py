"""The Step page under AppTest: what it sends to the browser, and what it says about bad addresses and inputs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from snippets import examples
from snippets.share import pack
from tests.pages.conftest import Opened


def component(app: AppTest, name: str) -> dict[str, Any] | None:
    """The data of a component on the page, found by a key only it has."""
    for element in app.get("bidi_component"):
        data = json.loads(element.proto.json)
        if name in data:
            return dict(data)
    return None


def walk(app: AppTest) -> dict[str, Any]:
    data = component(app, "walk")
    assert data is not None
    return dict(json.loads(data["walk"]))


def warnings(app: AppTest) -> str:
    return "\n".join(element.value for element in app.warning)


def test_a_deep_link_opens_at_its_step(opened: Opened) -> None:
    app = opened("step", example="quadratic", step="11")
    assert not app.exception
    data = component(app, "walk")
    assert data is not None
    assert data["step"] == 10
    assert walk(app)["frames"][10]["texts"]["n0-grad"] == "6 + 2 = 8"
    assert data["address"] is True


@pytest.mark.parametrize("name", examples.names())
def test_every_example_opens(opened: Opened, name: str) -> None:
    app = opened("step", example=name)
    assert not app.exception
    assert not app.error
    assert walk(app)["frames"]


def test_inputs_of_the_address_are_used_and_shown(opened: Opened) -> None:
    app = opened("step", **{"example": "quadratic", "in.x": "5"})
    assert app.text_input(key="in-quadratic-x").value == "5"
    assert walk(app)["frames"][0]["texts"]["n0-value"] == "5"


def test_a_new_number_changes_walk_and_address(opened: Opened) -> None:
    app = opened("step", example="quadratic")
    app.text_input(key="in-quadratic-x").set_value("-2.5").run()
    assert walk(app)["frames"][0]["texts"]["n0-value"] == "-2.5"
    assert app.query_params["in.x"] == "-2.5"
    app.text_input(key="in-quadratic-x").set_value("3").run()
    assert "in.x" not in app.query_params


@pytest.mark.parametrize("bad", ["", "nan", "inf", "abc", "[1, 2]", "1e400", "3; import os", "9" * 5000])
def test_a_bad_number_leaves_the_last_good_walk(opened: Opened, bad: str) -> None:
    app = opened("step", **{"example": "quadratic", "in.x": "4"})
    app.text_input(key="in-quadratic-x").set_value(bad).run()
    assert not app.exception
    assert walk(app)["frames"][0]["texts"]["n0-value"] == "4"
    assert any(":red[" in element.value for element in app.markdown)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"example": "nowhere"}, "There is no example"),
        ({"code": "!!"}, "cannot be read"),
        ({"code": pack("x = 1\n" * 50)[:-9]}, "link"),
        ({"example": "quadratic", "step": "-3"}, "no step number"),
        ({"example": "quadratic", "step": "1e3"}, "no step number"),
        ({"example": "quadratic", "in.y": "2"}, "cannot be used"),
        ({"example": "quadratic", "in.x": "nan"}, "cannot be used"),
    ],
)
def test_a_wrong_address_is_explained_and_a_walk_shown(opened: Opened, query: dict[str, str], message: str) -> None:
    app = opened("step", **query)
    assert not app.exception
    assert message in warnings(app)
    assert walk(app)["frames"][0]["texts"]["n0-value"] == "3"


def test_code_in_the_address_runs(opened: Opened) -> None:
    source = "import torch\na = torch.tensor(2.0, requires_grad=True)\n(a * 5).backward()\nprint('grad', a.grad)\n"
    app = opened("step", code=pack(source))
    assert walk(app)["source"] == source
    assert any("grad tensor(5.)" in element.value for element in app.code)
    data = component(app, "run")
    assert data is not None
    assert data["source"] == source


def test_a_syntax_error_is_told_without_a_walk(opened: Opened) -> None:
    app = opened("step", code=pack("import torch\nx = (\n"))
    assert not app.exception
    assert component(app, "walk") is None
    data = component(app, "run")
    assert data is not None
    assert data["error"]["line"] == 2
    assert "nothing to walk through" in app.error[0].value


def test_a_program_without_tensors_is_told_so(opened: Opened) -> None:
    app = opened("step", code=pack("print(1 + 1)\n"))
    assert "makes no tensors" in app.info[0].value


def test_an_error_keeps_the_walk_up_to_it(opened: Opened) -> None:
    app = opened("step", code=pack("import torch\nx = torch.tensor(1.0)\nx.nothing\n"))
    assert walk(app)["frames"][-1]["kind"] == "error"
    assert walk(app)["error"]["line"] == 3


def test_a_program_that_runs_too_long_is_stopped_and_named(opened: Opened) -> None:
    app = opened("step", code=pack("import torch\nx = torch.tensor(1.0)\nwhile True:\n    pass\n"))
    assert not app.exception
    assert "was stopped" in warnings(app)


def test_central_differences_stand_beside_autograd(opened: Opened) -> None:
    app = opened("step", example="quadratic")
    app.toggle(key="check").set_value(True).run()
    (row,) = app.table[0].value.to_dict("records")
    assert row["leaf"] == "x"
    assert row["autograd"] == "8"
    assert float(row["central difference"]) == pytest.approx(8, abs=1e-4)


def test_loops_can_be_drawn_as_boxes(opened: Opened) -> None:
    source = (
        "import torch\nw = torch.tensor(1.0, requires_grad=True)\nh = w\nfor i in range(80):\n    a = h * 0.9\n"
        "    h = a + 0.1\nh.backward()\n"
    )
    app = opened("step", code=pack(source))
    data = component(app, "walk")
    assert data is not None
    assert data["alias"]
    folded = next(element for element in app.multiselect if element.label == "Drawn as one box")
    assert any(name.startswith("turn:") for name in folded.value)
    folded.set_value([]).run()
    data = component(app, "walk")
    assert data is not None
    assert data["alias"] == {}


def test_choosing_another_example_starts_at_its_beginning(opened: Opened) -> None:
    app = opened("step", **{"example": "quadratic", "step": "9", "in.x": "4"})
    app.selectbox(key="program").set_value("diamond").run()
    assert app.query_params["example"] == "diamond"
    assert "step" not in app.query_params
    assert "in.x" not in app.query_params
    assert walk(app)["source"] == examples.load("diamond").source
