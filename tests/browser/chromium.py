"""Finds a Chromium for the browser tests; as a command, installs one where that is possible.

``BACKSTEP_CHROMIUM`` names an executable to use before any other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)

#: Flags that keep a headless browser quiet, offline and able to run as root in a container.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str | None:
    """The path of a Chromium-family browser, or None."""
    named = os.environ.get("BACKSTEP_CHROMIUM")
    if named:
        return named
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return next((place for place in PLACES if Path(place).exists()), None)


def install() -> None:
    """Install Debian's chromium; only root on a system with apt can."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(["apt-get", "install", "-y", "-qq", "chromium", "fonts-dejavu-core"], check=True, env=environment)


def main() -> int:
    """Find or install a browser; the exit status says whether there is one now."""
    if find() is None and shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("no Chromium found: installing Debian's")
        install()
    path = find()
    if path is None:
        print(
            "The browser tests need Chromium or Chrome and found none.\n"
            "Install one (Debian: sudo apt-get install chromium; macOS: brew install --cask chromium)\n"
            "or name it: BACKSTEP_CHROMIUM=/path/to/chrome make test\n"
            "All other tests run without it: make unit",
            file=sys.stderr,
        )
        return 1
    print(f"browser tests use {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
