"""The Step page in a real browser: stepping by key and click, the ledger, deep links, predicting, hostile names."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from snippets.share import pack
from tests.browser.server import Server

pytestmark = pytest.mark.browser

expect.set_options(timeout=60_000)  # several tests may share two cores

ACCUMULATION = 11


def open_step(page: Page, server: Server, query: str) -> Locator:
    """Open the Step page and return the stepper, with the keyboard in it."""
    page.goto(f"{server.url}/step?{query}")
    region = page.get_by_role("region", name="Backward pass stepper")
    expect(region).to_be_visible()
    region.focus()
    return region


def said(region: Locator) -> Locator:
    return region.get_by_role("status")


def ledger(region: Locator) -> Locator:
    return region.locator(".ledger")


@pytest.mark.claim("C17", "C18")
def test_6_then_plus_2_then_8_by_keyboard(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    for _ in range(ACCUMULATION - 2):
        page.keyboard.press("ArrowRight")
    expect(said(region)).to_contain_text("u passes 1 × 2·x = 1 × 6 = 6 to x.")
    expect(ledger(region)).to_contain_text("6 via u = x²")
    expect(ledger(region)).to_contain_text("1 more to come")
    expect(region.locator("#n0-grad")).to_have_text("6")
    page.keyboard.press("ArrowRight")
    expect(ledger(region)).to_have_text(re.compile(r"6\s+via u = x².*\+ 2\s+via v = 2·x.*= 8.*nothing more to come"))
    expect(region.locator("#n0-grad")).to_have_text("6 + 2 = 8")
    expect(said(region)).to_contain_text("x already holds 6, so it now holds 6 + 2 = 8.")
    page.keyboard.press("ArrowLeft")
    expect(region.locator("#n0-grad")).to_have_text("6")
    expect(ledger(region)).not_to_contain_text("+ 2")


def test_the_address_follows_and_a_reload_stays(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    for _ in range(ACCUMULATION - 1):
        page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(rf"step={ACCUMULATION}(&|$)"))
    page.reload()
    expect(said(region)).to_contain_text("6 + 2 = 8")
    expect(region.get_by_role("slider", name="Step")).to_have_value(str(ACCUMULATION))


def test_a_reload_at_once_stays_too(page: Page, server: Server) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION - 1}")
    page.keyboard.press("ArrowRight")
    page.reload()
    expect(said(region)).to_contain_text("6 + 2 = 8")


def test_a_reload_after_a_step_there_and_back_stays_too(page: Page, server: Server) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION}")
    region.evaluate("region => ['previous', 'next'].forEach(name => region.querySelector(`[data-do=${name}]`).click())")
    page.reload()
    expect(said(region)).to_contain_text("6 + 2 = 8")


def test_a_reload_amid_many_steps_stays_too(page: Page, server: Server) -> None:
    """The browser allows few changes of the address in a short time; what it does not hold yet is remembered."""
    region = open_step(page, server, "example=quadratic")
    for _ in range(4):
        for _ in range(ACCUMULATION - 1):
            page.keyboard.press("ArrowRight")
        for _ in range(ACCUMULATION - 1):
            page.keyboard.press("ArrowLeft")
    for _ in range(ACCUMULATION - 1):
        page.keyboard.press("ArrowRight")
    page.reload()
    expect(said(region)).to_contain_text("6 + 2 = 8")
    page.wait_for_url(re.compile(rf"step={ACCUMULATION}(&|$)"))


def test_every_control_and_key(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    slider = region.get_by_role("slider", name="Step")
    last = slider.get_attribute("max")
    assert last is not None
    region.get_by_role("button", name="Next step").click()
    expect(slider).to_have_value("2")
    region.get_by_role("button", name="Previous step").click()
    expect(slider).to_have_value("1")
    region.get_by_role("button", name="Last step").click()
    expect(slider).to_have_value(last)
    region.get_by_role("button", name="First step").click()
    expect(slider).to_have_value("1")
    region.focus()
    page.keyboard.press("End")
    expect(slider).to_have_value(last)
    page.keyboard.press("Home")
    expect(slider).to_have_value("1")
    slider.fill("5")
    expect(said(region)).to_contain_text("gives 16")
    region.get_by_label("Speed").select_option("0.5")
    region.focus()
    page.keyboard.press("Space")
    expect(region.get_by_role("button", name="Pause")).to_be_visible()
    expect(slider).to_have_value("6")
    page.keyboard.press("Space")
    expect(region.get_by_role("button", name="Play")).to_be_visible()


def test_the_picture_does_not_move_when_the_step_changes(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    script = """region => ['#n0', '#n1', '#n4'].map(
        id => JSON.stringify(region.querySelector(id).getBoundingClientRect()))"""
    before = region.evaluate(script)
    page.keyboard.press("End")
    assert region.evaluate(script) == before
    buttons = region.get_by_role("button", name="Next step")
    height = buttons.bounding_box()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert buttons.bounding_box() == height


@pytest.mark.parametrize("example", ["quadratic", "mlp", "three-layers"])
def test_the_buttons_stay_where_they_are_through_the_whole_walk(page: Page, server: Server, example: str) -> None:
    region = open_step(page, server, f"example={example}")
    page.wait_for_timeout(500)
    button = region.get_by_role("button", name="Next step")
    tops = set()
    for _ in range(int(region.get_by_role("slider", name="Step").get_attribute("max") or 0)):
        page.keyboard.press("ArrowRight")
        tops.add(round(button.evaluate("button => button.getBoundingClientRect().top + scrollY")))
    assert max(tops) - min(tops) <= 16, "long texts in the cards of a step are cut, not given more room"


def test_a_changed_input_changes_the_walk_and_keeps_the_step(page: Page, server: Server) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION}")
    field = page.get_by_label("x", exact=True)
    field.fill("4")
    field.press("Enter")
    expect(said(region)).to_contain_text("8 + 2 = 10")
    page.wait_for_url(re.compile(r"in\.x=4"))
    page.reload()
    expect(said(region)).to_contain_text("8 + 2 = 10")
    expect(field).to_have_value("4")


@pytest.mark.parametrize("bad", ["", "abc", "nan", "inf", "1e99", "[1, 2]", "<b>1</b>"])
def test_a_bad_input_is_named_and_the_last_good_walk_stays(page: Page, server: Server, bad: str) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION}")
    field = page.get_by_label("x", exact=True)
    field.fill(bad)
    field.press("Enter")
    expect(page.locator(".st-key-what")).to_contain_text(re.compile(r"number|too large", re.I))
    expect(said(region)).to_contain_text("6 + 2 = 8")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("example=nowhere", "There is no example"),
        ("example=quadratic&step=x", "no step number"),
        ("code=%25%25", "cannot be read"),
        ("example=quadratic&in.x=huge", "cannot be used"),
        ("example=quadratic&in.nothing=3", "cannot be used"),
    ],
)
def test_a_wrong_address_is_explained(page: Page, server: Server, query: str, message: str) -> None:
    region = open_step(page, server, query)
    expect(page.get_by_text(message)).to_be_visible()
    expect(said(region)).to_contain_text("x is created: 3.")


def test_a_step_past_the_end_opens_the_last_one(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic&step=9999")
    expect(region.get_by_role("button", name="Next step")).to_have_attribute("aria-disabled", "true")


def test_predicting_hides_the_number_and_asks_for_it(page: Page, server: Server) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION - 1}")
    region.get_by_role("button", name="Predict").click()
    region.get_by_role("button", name="Next step").click()
    answer = region.get_by_label("What does v pass to x? Upstream 1, local derivative 2.")
    expect(answer).to_be_focused()
    expect(region.locator("#n0-grad")).to_have_text("6")
    answer.fill("3")
    answer.press("Enter")
    expect(region.get_by_role("alert")).to_have_text(re.compile("Not quite: you said 3, it is 2"))
    expect(region.locator("#n0-grad")).to_have_text("6 + 2 = 8")
    region.get_by_role("button", name="Previous step").click()
    region.get_by_role("button", name="Next step").click()
    answer.fill("2")
    answer.press("Enter")
    expect(region.get_by_role("alert")).to_have_text(re.compile("Right: 2. 1 of 2 right"))


def test_a_click_on_a_node_shows_its_rule_and_numbers(page: Page, server: Server) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION}")
    region.locator("#n1").click()
    panel = region.get_by_role("tabpanel", name="Tensor")
    expect(panel).to_contain_text("u = x²")
    expect(panel).to_contain_text("∂(x²)/∂x = 2·x = 6; 1 × 6 = 6")
    region.locator("[data-line='5']").get_by_role("button").click()
    expect(region.locator("[data-line='5']")).to_have_attribute("aria-current", "true")


def test_all_steps_are_told_in_a_table(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    region.get_by_role("tab", name="All steps").click()
    rows = region.get_by_role("tabpanel", name="All steps").get_by_role("row")
    expect(rows).to_have_count(1 + int(region.get_by_role("slider", name="Step").get_attribute("max") or 0))
    expect(rows.nth(ACCUMULATION)).to_contain_text("6 + 2 = 8")
    rows.nth(ACCUMULATION).get_by_role("button").click()
    expect(said(region)).to_contain_text("6 + 2 = 8")
    expect(region.locator("[data-panel=steps] [aria-current=step]")).to_be_in_viewport()


def test_the_row_of_the_step_is_in_sight_when_the_table_of_all_steps_opens(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 1400})
    region = open_step(page, server, "example=mlp&step=25")
    region.get_by_role("tab", name="All steps").click()
    row = region.locator("[data-panel=steps] [aria-current=step]")
    expect(row).to_contain_text("25")
    expect(row).to_be_in_viewport(ratio=0.9)


def test_the_menu_of_the_picture_closes_on_escape_and_elsewhere(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    first = region.get_by_role("button", name="Save as SVG")
    region.get_by_label("Save the picture").click()
    expect(first).to_be_visible()
    page.keyboard.press("Escape")
    expect(first).to_be_hidden()
    region.get_by_label("Save the picture").click()
    region.get_by_role("button", name="Next step").click()
    expect(first).to_be_hidden()


def test_a_step_by_hand_ends_playing(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=quadratic")
    region.get_by_label("Speed").select_option("0.5")
    region.get_by_role("button", name="Play").click()
    expect(region.get_by_role("button", name="Pause")).to_be_visible()
    region.get_by_role("button", name="Previous step").click()
    expect(region.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize("kind", ["SVG", "PNG", "DOT"])
def test_the_picture_can_be_saved(page: Page, server: Server, kind: str) -> None:
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION}")
    region.get_by_label("Save the picture").click()
    with page.expect_download() as waiting:
        region.get_by_role("button", name=f"Save as {kind}").click()
    data = waiting.value.path().read_bytes()
    assert waiting.value.suggested_filename.endswith(f".{kind.lower()}")
    if kind == "PNG":
        assert data.startswith(b"\x89PNG")
        assert len(data) > 5000
    elif kind == "SVG":
        assert b"6 + 2 = 8" in data
        assert b"var(--" not in data
    else:
        assert data.startswith(b"digraph walk {")


def test_wide_graphs_can_be_zoomed_and_panned(page: Page, server: Server) -> None:
    region = open_step(page, server, "example=mlp")
    look = "region => region.querySelector('.walk').style.transform"
    before = region.evaluate(look)
    region.get_by_role("button", name="Zoom in").click()
    assert region.evaluate(look) != before
    region.get_by_role("button", name="Fit the picture").click()
    canvas = region.locator(".canvas").bounding_box()
    assert canvas is not None
    before = region.evaluate(look)
    page.mouse.move(canvas["x"] + 300, canvas["y"] + 60)
    page.mouse.down()
    page.mouse.move(canvas["x"] + 200, canvas["y"] + 80, steps=4)
    page.mouse.up()
    assert region.evaluate(look) != before


LOOP = """import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)
for i in range(40):
    opt.zero_grad()
    a = w * 2
    b = a - 4
    loss = b * b
    loss.backward()
    opt.step()
"""


def test_loops_are_folded_open_on_a_click_and_their_tensors_are_found_by_name(page: Page, server: Server) -> None:
    region = open_step(page, server, f"code={pack(LOOP)}")
    boxes = region.locator(".node.group")
    expect(boxes).to_have_count(39)
    region.get_by_label("Find a tensor").fill("loss")
    region.get_by_role("tabpanel", name="Values").get_by_role("button", name="loss₃", exact=True).click()
    expect(region.get_by_role("tabpanel", name="Tensor")).to_contain_text("loss₃ = b₃·b₃")
    page.get_by_label("Fit the picture").click()
    boxes.first.dispatch_event("click")
    expect(boxes).to_have_count(38)


def test_passes_can_be_chosen(page: Page, server: Server) -> None:
    region = open_step(page, server, f"code={pack(LOOP)}")
    chooser = region.get_by_label("Pass")
    chooser.select_option(chooser.locator("option", has_text="backward 3,").get_attribute("value"))
    region.focus()
    expect(said(region)).to_contain_text("Backward pass 3 starts at loss₃")
    page.keyboard.press("ArrowRight")
    expect(said(region)).to_contain_text("loss₃ passes")


def test_the_doctor_stands_beside_the_walk_and_leads_to_the_line(page: Page, server: Server) -> None:
    code = (
        "import torch\nw = torch.tensor(2.0, requires_grad=True)\nu = (w * 3).detach()\nloss = (u - 1) ** 2\n"
        "loss.backward()\n"
    )
    region = open_step(page, server, f"code={pack(code)}")
    panel = region.get_by_role("tabpanel", name=re.compile("Doctor"))
    expect(panel).to_contain_text("detach")
    panel.get_by_role("button", name="Go to line 3").first.click()
    expect(region.locator("[data-line='3']")).to_have_attribute("aria-current", "true")


HOSTILE = """import torch
x = torch.tensor(1.0, requires_grad=True)
y = x * 2  # </script><script>window.broken = 1</script><img src=x onerror="window.broken=1">
print("</pre><img src=x onerror='window.broken=1'>**bold** [a](javascript:window.broken=1)")
y.backward()
raise ValueError("<img src=x onerror='window.broken=1'>]]><script>window.broken=1</script>")
"""


def test_names_strings_and_errors_cannot_become_markup(page: Page, server: Server) -> None:
    region = open_step(page, server, f"code={pack(HOSTILE)}")
    page.keyboard.press("End")
    expect(said(region)).to_contain_text("ValueError: <img src=x onerror='window.broken=1'>")
    region.get_by_role("tab", name="All steps").click()
    region.locator("#n0").click()
    page.wait_for_timeout(400)
    assert page.evaluate("window.broken") is None
    assert region.locator("img, script, a[href^=javascript]").count() == 0


def test_own_code_runs_with_ctrl_enter_and_the_link_carries_it(page: Page, server: Server) -> None:
    open_step(page, server, "example=quadratic")
    page.get_by_text("Write your own, or change this program").click()
    editor = page.locator("textarea[aria-label='Program']")
    editor.fill("import torch\nw = torch.tensor(2.0, requires_grad=True)\n(w * w * w).backward()\nprint(w.grad)\n")
    editor.press("Control+Enter")
    page.wait_for_url(re.compile(r"code="))
    expect(page.get_by_text("tensor(12.)")).to_be_visible()
    page.reload()
    expect(page.get_by_text("tensor(12.)")).to_be_visible()
    expect(page.locator("textarea[aria-label='Program']")).to_have_value(re.compile(r"w \* w \* w"))


def test_an_error_is_marked_on_its_line(page: Page, server: Server) -> None:
    code = "import torch\nx = torch.tensor(1.0, requires_grad=True)\ny = x * 2\ny.nothing\n"
    region = open_step(page, server, f"code={pack(code)}")
    expect(region.locator("[data-line='4'] .fault")).to_contain_text("nothing")
    expect(page.get_by_text(re.compile(r"Line 4: AttributeError"))).to_be_visible()


def test_unrun_changes_outlive_a_reload(page: Page, server: Server) -> None:
    open_step(page, server, "example=quadratic")
    page.get_by_text("Write your own, or change this program").click()
    editor = page.locator("textarea[aria-label='Program']")
    editor.fill("import torch\n# half an idea\n")
    page.wait_for_timeout(600)
    page.reload()
    page.get_by_text("Write your own, or change this program").click()
    expect(editor).to_have_value(re.compile("half an idea"))


def test_reduced_motion_shows_no_travelling_gradient(browser: Browser, server: Server) -> None:
    context = browser.new_context(reduced_motion="reduce")
    region = open_step(context.new_page(), server, f"example=quadratic&step={ACCUMULATION - 1}")
    region.get_by_role("button", name="Next step").click()
    expect(said(region)).to_contain_text("6 + 2 = 8")
    assert region.evaluate("region => region.querySelector('.bead').getAnimations().length") == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_sideways_scrolling(browser: Browser, server: Server, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    region = open_step(page, server, f"example=quadratic&step={ACCUMULATION}")
    width = region.evaluate("region => [region.scrollWidth, region.clientWidth]")
    assert width[0] <= width[1] + 1
    for button in region.locator(".controls button, .controls input, .tools > button, .tools summary").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    for node in ("#n0", "#n2"):
        seen = region.locator(node).bounding_box()
        assert seen is not None
        assert -1 <= seen["x"] <= 390
    context.close()
