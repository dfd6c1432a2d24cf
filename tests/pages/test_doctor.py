"""The Doctor page, and two versions side by side on the Step page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from snippets import run, share, symptoms
from snippets.diagnose import experiments
from tests.pages.conftest import Opened, refuse_faults, sent

CUT = """\
import torch
x = torch.tensor(2.0, requires_grad=True)
h = (x * 3).detach()
y = h * 2
y.backward()
"""
SOUND = "import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)\n"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments with time enough for a busy machine."""
    monkeypatch.setattr(experiments.with_experiments, "__kwdefaults__", {"seconds": 5.0, "wall_seconds": 30.0})


def comparisons(app: AppTest) -> list[dict[str, Any]]:
    """The data of the comparisons on the page."""
    found = [one.proto for one in app.get("bidi_component") if one.proto.component_name == "backstep_compare"]
    return [json.loads(proto.json) for proto in found]


def texts(app: AppTest) -> str:
    """All Markdown, code and captions of the page."""
    parts = [*app.markdown, *app.code, *app.caption, *app.info, *app.success, *app.warning, *app.error]
    return "\n".join(part.value for part in parts).replace("\\", "")


def test_it_begins_with_nine_symptoms(opened: Opened) -> None:
    app = refuse_faults(opened("doctor"))
    assert app.title[0].value == "The Doctor"
    page = sent(app)
    for symptom in symptoms.all():
        assert symptom.title in page
        assert f"symptom={symptom.slug}" in page


@pytest.mark.parametrize("slug", symptoms.slugs())
def test_each_symptom_shows_its_path_its_report_and_its_twin(opened: Opened, slug: str) -> None:
    symptom = symptoms.get(slug)
    app = refuse_faults(opened("doctor", symptom=slug))
    said = texts(app)
    assert symptom.questions[0].ask in said
    assert run(symptom.broken).diagnosis[0]["category"].replace("-", " ") in said
    (data,) = comparisons(app)
    assert data["titles"] == ["Broken", "Repaired"]
    assert data["differences"]
    assert data["steps"]


def test_an_answer_leads_to_what_it_means_and_to_the_next_question(opened: Opened) -> None:
    app = opened("doctor", symptom="does-not-require-grad")
    symptom = symptoms.get("does-not-require-grad")
    first = symptom.questions[0]
    leading = next(answer for answer in first.answers if answer.next)
    app.radio(key=f"{symptom.slug}-{first.id}").set_value(leading.says).run()
    said = texts(refuse_faults(app))
    assert leading.means in said
    assert symptom.question(leading.next or "").ask in said


def test_an_unknown_symptom_is_said_to_be_none(opened: Opened) -> None:
    app = refuse_faults(opened("doctor", symptom="headache"))
    assert "There is no symptom “headache”" in app.warning[0].value


def test_a_pasted_message_is_explained(opened: Opened) -> None:
    app = opened("doctor", way="message")
    app.text_area(key="doctor-message").set_value(
        "RuntimeError: Trying to backward through the graph a second time"
    ).run()
    refuse_faults(app)
    assert "This part of the graph was freed already" in [header.value for header in app.header]
    assert "symptom=second-backward" in sent(app)


def test_an_unknown_message_gets_an_honest_answer(opened: Opened) -> None:
    app = opened("doctor", way="message")
    app.text_area(key="doctor-message").set_value("OopsError: the cat sat on the keyboard").run()
    assert "does not know this message" in refuse_faults(app).info[0].value


def test_a_pasted_program_gets_its_report(opened: Opened) -> None:
    app = refuse_faults(opened("doctor", code=share.pack(CUT)))
    said = texts(app)
    assert "The path from y back to x ends at line 3" in said
    assert "Tried: without .detach() on line 3, the program runs to its end and x.grad is 6." in said
    page = sent(app)
    assert "Open at this step" in page
    assert "concept=detach" in page


def test_a_sound_program_is_called_sound(opened: Opened) -> None:
    app = refuse_faults(opened("doctor", code=share.pack(SOUND)))
    assert "found nothing wrong" in app.success[0].value


def test_a_broken_link_is_said_to_be_one(opened: Opened) -> None:
    app = refuse_faults(opened("doctor", code="!!!"))
    assert "cannot be read" in app.warning[0].value


def test_names_of_a_program_are_not_taken_for_markup(opened: Opened) -> None:
    source = CUT.replace("h ", "h_b_ ").replace(" h * 2", " h_b_ * 2").replace("h = ", "h_b_ = ")
    app = refuse_faults(opened("doctor", code=share.pack(source + "# <script>alert(1)</script> **bold**\n")))
    assert not [part for part in app.markdown if part.proto.allow_html and "<script>" in part.value]


def test_the_step_page_compares_two_programs(opened: Opened) -> None:
    app = refuse_faults(opened("step", code=share.pack(CUT), compare=share.pack(CUT.replace(".detach()", ""))))
    (data,) = comparisons(app)
    found = {(one["what"], one["name"]): (one["left"], one["right"]) for one in data["differences"]}
    assert found[".grad", "x"] == ("None", "6")
    assert found["recording", "h"][0] == "not recorded"
    assert data["marks"]["left"]["lines"] == [3]
    app.button(key="compare-leave").click().run()
    assert "compare" not in app.query_params
    assert not comparisons(app)


def test_the_step_page_offers_the_comparison(opened: Opened) -> None:
    app = opened("step", code=share.pack(CUT))
    app.button(key="compare-open").click().run()
    refuse_faults(app)
    kept = app.query_params["compare"]
    assert share.unpack(kept if isinstance(kept, str) else kept[0]) == CUT
    (data,) = comparisons(app)
    assert data["differences"] == []
    assert "still a copy" in app.info[0].value


def test_a_second_version_that_cannot_be_read_is_said_to_be_one(opened: Opened) -> None:
    app = refuse_faults(opened("step", code=share.pack(CUT), compare="!!!"))
    assert "cannot be read" in app.warning[0].value
