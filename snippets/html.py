"""A walk as one HTML file that needs nothing else: the same stepper as in the app, no network, no server."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from autograd.presentation import present
from autograd.trace import Trace

ASSETS = Path(__file__).resolve().parent.parent / "assets" / "stepper"
# fmt: off
SCRIPTS = (
    "walk.js", "source.js", "picture.js", "panels.js", "tabs.js", "address.js", "player.js", "predict.js", "unpack.js",
    "stepper.js",
)
# fmt: on
EXPORT = "export default mount;"

#: Colours of the page; the stepper takes them as it takes a Streamlit theme.
THEME = """
:root { color-scheme: light dark; --st-text-color: #1c1f26; --st-background-color: #ffffff;
  --st-secondary-background-color: #f3f4f6; --st-primary-color: #0072b2; --st-font: system-ui, sans-serif;
  --st-code-font: ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { :root { --st-text-color: #f2f3f5; --st-background-color: #14171c;
  --st-secondary-background-color: #23272e; --st-primary-color: #56b4e9; } }
body { max-width: 1280px; margin: 0 auto; padding: 20px 16px; background: var(--st-background-color);
  color: var(--st-text-color); font-family: var(--st-font); }
h1 { margin: 0 0 14px; font-size: 23px; }
"""


@lru_cache(maxsize=1)
def front_end() -> tuple[str, str, str]:
    """The stepper's (HTML, CSS, script); the script is one ES module whose default export mounts the stepper."""
    script = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return (
        (ASSETS / "stepper.html").read_text(encoding="utf-8"),
        (ASSETS / "stepper.css").read_text(encoding="utf-8"),
        script,
    )


def page(
    trace: Trace,
    title: str = "A backward pass, step by step",
    *,
    step: int = 0,
    diagnosis: Sequence[dict[str, Any]] | None = None,
    collapse: Collection[str] | None = None,
) -> str:
    """One self-contained HTML page of the walk, opened at ``step`` (from 0), with the Doctor's reports if given.

    Raises :class:`autograd.dot.TooLarge` when the graph cannot be drawn.
    """
    html, css, script = front_end()
    data = present(trace, collapse).payload() | {"title": title, "step": step, "reports": _plain(diagnosis)}
    body = script.replace(EXPORT, "")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data: blob:\">\n"
        f"<title>{escape(title)}</title>\n<style>{THEME}{css}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f'<main id="walk">{html}</main>\n<script type="module">\n{body}\n'
        f'mount({{ data: {_for_script(data)}, parentElement: document.getElementById("walk") }});\n'
        "</script>\n</body>\n</html>\n"
    )


def notebook(trace: Trace) -> str:
    """The walk for a notebook cell: the page in a frame of its own, so that its style and script stay inside."""
    return (
        f'<iframe title="A backward pass, step by step" srcdoc="{escape(page(trace), quote=True)}" '
        'sandbox="allow-scripts allow-downloads" style="width:100%;height:760px;border:0"></iframe>'
    )


def _plain(diagnosis: Sequence[dict[str, Any]] | None) -> list[dict[str, Any]] | None:
    return None if diagnosis is None else [dict(report) for report in diagnosis]


def _for_script(data: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    for letter, code in (
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u2028", "\\u2028"),
        ("\u2029", "\\u2029"),
    ):
        text = text.replace(letter, code)
    return text
