"""From an edited number, or from Run, to the new walk painted: the app itself in headless Chromium.

The clock starts when Enter (or Run) is pressed and stops after the frame in which the stepper shows the new walk. A
program of 20 lines, one of 1,000 and one of 20,000 recorded operations are run; each time a number in it is new, so
that nothing comes from a cache. Each time starts on a page at rest: the chart below the walk is drawn after the walk,
and nobody types the next number before it is there.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from snippets.share import pack
from tests.browser import chromium
from tests.browser.server import Server

#: Waits for the walk whose first value is ``text``, painted.
PAINTED = """(text) => new Promise((resolve) => {
  const start = performance.now();
  const shown = () => {
    for (const host of document.querySelectorAll('*')) {
      const slot = host.shadowRoot && host.shadowRoot.querySelector('[data-node=n0]');
      if (slot && slot.closest('tr').children[1].textContent === text) return true;
    }
    return false;
  };
  const look = () => {
    if (!shown()) { requestAnimationFrame(look); return; }
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - start);
    channel.port2.postMessage(0);
  };
  look();
})"""


def run(edits: int = 20, runs: int = 12, large: int = 3) -> dict[str, Any]:
    """Milliseconds (median, p95, largest) by what was done."""
    path = chromium.find()
    if path is None:
        return {"error": "no Chromium found"}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(120_000)
            return {
                "edited_input_ms": _edited(page, server.url, edits),
                "run_20_lines_ms": _run(page, server.url, lines(), runs),
                "run_1000_operations_ms": _run(page, server.url, loop(200), max(large, runs // 3)),
                "run_20000_operations_ms": _run(page, server.url, loop(4000), large),
            }
        finally:
            browser.close()
            server.kill()


def lines() -> str:
    """A program of 20 lines; START is replaced by a new number for each run."""
    body = [f"h{i} = h{i - 1} * w + {i}" for i in range(1, 16)]
    return "\n".join(
        ["import torch", "w = torch.tensor(START, requires_grad=True)", "h0 = w * 2", *body, "h15.backward()"]
    )


def loop(turns: int) -> str:
    """A loop of five operations a turn."""
    return (
        "import torch\nw = torch.tensor(START, requires_grad=True)\nh = w * 1.0\n"
        f"for i in range({turns}):\n    a = h * 0.5\n    b = a + w\n    c = b * 0.5\n    d = c.tanh()\n"
        "    h = d + 0.1\nh.backward()\n"
    )


def _edited(page: Page, url: str, count: int) -> dict[str, float]:
    page.goto(f"{url}/step?example=quadratic&step=11")
    page.wait_for_selector(".stepper .walk")
    field = page.get_by_label("x", exact=True)
    times = []
    for number in range(count + 2):
        text = f"{3 + (number + 1) / 8:g}"
        _rest(page)
        field.fill(text)
        page.keyboard.press("Enter")
        times.append(page.evaluate(PAINTED, text))
    return _summary(times[2:])


def _run(page: Page, url: str, source: str, count: int) -> dict[str, float]:
    page.goto(f"{url}/step?code={pack(source.replace('START', '0.5'))}")
    page.wait_for_selector(".stepper .walk")
    editor = page.locator("textarea[aria-label='Program']")
    times = []
    for number in range(count + 1):
        text = f"{0.5 + (number + 1) / 1024:.5g}"
        _rest(page)
        editor.fill(source.replace("START", text))
        page.keyboard.press("Control+Enter")
        times.append(page.evaluate(PAINTED, text))
    return _summary(times[1:])


def _rest(page: Page) -> None:
    """Waits until the page has shown all that the last change brought."""
    page.wait_for_selector("[data-test-script-state=notRunning]")
    page.wait_for_timeout(400)


def _summary(times: list[float]) -> dict[str, float]:
    times = sorted(times)
    return {
        "median": round(times[len(times) // 2], 1),
        "p95": round(times[min(len(times) - 1, int(len(times) * 0.95))], 1),
        "largest": round(times[-1], 1),
        "count": len(times),
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
