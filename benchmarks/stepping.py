"""A click on Next to the picture painted, in headless Chromium; beside it the same as a rerun of ``st.graphviz_chart``.

Both pages run on one server in the same run. The clock starts at the click's own time stamp and stops after the frame
that shows the next step was painted: for the rerun, the first frame in which the new chart is there.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium

ROOT = Path(__file__).resolve().parent.parent
SIZES = (60, 300)
CLICKS = 60
APP = Path(__file__).parent / "apps" / "two_ways.py"  # not beside benchmarks/snippets.py, which would hide the package

#: Notes the time of each click until the frame that shows its answer has been painted.
STEPPER_CLOCK = """() => {
  const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot && e.shadowRoot.querySelector('.stepper'));
  window.times = [];
  host.shadowRoot.querySelector('[data-do=next]').addEventListener('click', (event) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.times.push(performance.now() - event.timeStamp);
      channel.port2.postMessage(0);
    });
  }, true);
}"""
CHART_CLOCK = """() => {
  window.times = [];
  let waiting = null;
  let step = 0;
  document.addEventListener('click', (event) => { waiting = event.timeStamp; step += 1; }, true);
  const shown = () => [...document.querySelectorAll('svg text')].some((t) => t.textContent === `step-${step}-end`);
  const look = () => {
    if (waiting !== null && shown()) {
      const since = waiting;
      waiting = null;
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.times.push(performance.now() - since);
      channel.port2.postMessage(0);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def run(sizes: tuple[int, ...] = SIZES, clicks: int = CLICKS) -> dict[str, Any]:
    """Milliseconds (median, p95, largest) for the stepper and for the rerun, by number of nodes."""
    path = chromium.find()
    if path is None:
        return {"error": "no Chromium found"}
    port = _free_port()
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "streamlit", "run", str(APP), "--server.port", str(port)),
            *("--server.headless", "true", "--server.address", "localhost", "--browser.gatherUsageStats", "false"),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(port)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
            out = {str(size): _both(browser.new_page, f"http://localhost:{port}", size, clicks) for size in sizes}
            browser.close()
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    return out


def _both(new_page: Any, url: str, size: int, clicks: int) -> dict[str, Any]:
    page: Page = new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(f"{url}/?nodes={size}&way=stepper")
    page.wait_for_selector(".stepper .walk")
    page.wait_for_timeout(1000)
    page.evaluate(STEPPER_CLOCK)
    ours = _click(page, "Next step", clicks, pause=120)
    page.close()
    page = new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(f"{url}/?nodes={size}&way=chart")
    page.wait_for_function(
        "() => [...document.querySelectorAll('svg text')].some((t) => t.textContent === 'step-0-end')"
    )
    page.wait_for_timeout(1000)
    page.evaluate(CHART_CLOCK)
    rerun = _click(page, "Next step", max(10, clicks // 3), pause=60)
    page.close()
    return {
        "stepper_ms": ours,
        "graphviz_chart_rerun_ms": rerun,
        "times_faster_median": round(rerun["median"] / ours["median"], 1),
        "times_faster_p95": round(rerun["p95"] / ours["p95"], 1),
    }


def _click(page: Page, name: str, clicks: int, pause: int) -> dict[str, float]:
    """Click by place, so that finding the button costs the page nothing while it is measured."""
    box = page.get_by_role("button", name=name).bounding_box()
    assert box is not None
    for done in range(1, clicks + 1):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function(f"() => window.times.length >= {done}")
        page.wait_for_timeout(pause)
    times = sorted(page.evaluate("window.times"))
    return {
        "median": round(times[len(times) // 2], 1),
        "p95": round(times[min(len(times) - 1, int(len(times) * 0.95))], 1),
        "largest": round(times[-1], 1),
        "clicks": len(times),
    }


def _wait(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the server did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
