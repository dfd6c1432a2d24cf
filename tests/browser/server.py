"""The app as a server of its own: on a free port, with a progress database of its own, to be killed at will."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: How long a server may take to answer, in seconds.
PATIENCE = 60.0


class Server:
    """A Streamlit server: ``kill`` ends it without a chance to tidy up, ``start`` brings it back where it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "progress.db"
        self.port = _free_port()
        self.url = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        environment = {
            **os.environ,
            "BACKSTEP_DATABASE_URL": f"sqlite:///{self.database}",
            "OPENBLAS_NUM_THREADS": "1",
        }
        command = [
            *(sys.executable, "-m", "streamlit", "run", "app.py"),
            *("--server.port", str(self.port), "--server.headless", "true", "--browser.gatherUsageStats", "false"),
        ]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=os.name != "nt"
            )
        self._wait()

    def kill(self) -> None:
        """End it at once, with everything it started."""
        if self._process is None:
            return
        if os.name == "nt":
            self._process.kill()
        else:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def log(self) -> str:
        """What it wrote so far."""
        path = self.folder / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"the server stopped:\n{self.log()}")
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"the server did not answer within {PATIENCE:.0f} s:\n{self.log()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])
