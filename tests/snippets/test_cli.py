"""``python -m snippets``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from snippets.cli.command import main

ROOT = Path(__file__).resolve().parents[2]
GOOD = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x ** 2\ny.backward()\nprint(x.grad)\n"
RAISES = "import torch\nx = torch.tensor(3.0)\nx.backward()\n"
ENDLESS = "while True:\n    pass\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with programs, as the current one."""
    for name, source in {"good.py": GOOD, "raises.py": RAISES, "endless.py": ENDLESS}.items():
        (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BACKSTEP_CPU_SECONDS", "0.3")
    return tmp_path


def test_one_json_object_a_file_in_order(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["raises.py", "good.py", "raises.py", "good.py"]
    assert main(["run", *names, "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == names
    good, raises = lines[1], lines[0]
    assert {"file", "stdout", "values", "error", "warnings", "diagnosis", "trace"} <= good.keys()
    assert (good["stdout"], good["error"], good["warnings"]) == ("tensor(6.)\n", None, [])
    assert good["values"]["x"]["grad"] == 6.0
    assert good["trace"]["version"] == 1
    assert raises["error"]["line"] == 3
    assert raises["error"]["type"] == "RuntimeError"


def test_the_trace_can_be_left_out(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.py", "--json", "--no-trace"]) == 0
    assert json.loads(capsys.readouterr().out)["trace"] is None


@pytest.mark.parametrize(
    ("names", "status"), [(["good.py"], 0), (["raises.py", "good.py"], 1), (["endless.py", "raises.py"], 3)]
)
def test_exit_status(names: list[str], status: int, files: Path) -> None:
    assert main(["run", *names, "--json"]) == status


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "absent.py"],
        ["run", "good.py", "--json", "--html", "x.html"],
        ["run", "good.py", "raises.py", "--svg"],
        ["run", "good.py", "--html", "no/such/folder/x.html"],
    ],
)
def test_bad_usage(arguments: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "snippets" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["walk"], ["run"], ["run", "good.py", "--nonsense"]])
def test_bad_arguments(arguments: list[str], files: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_a_file_that_is_no_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "binary.py").write_bytes(b"\xff\xfe\x00")
    assert main(["run", "binary.py"]) == 2
    assert "UTF-8" in capsys.readouterr().err


def test_steps_as_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.py"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("tensor(6.)\n")
    assert "line 3" in out
    assert "PowBackward0" in out


def test_errors_go_to_standard_error(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "raises.py"]) == 1
    assert capsys.readouterr().err.startswith("raises.py: line 3: RuntimeError: element 0 of tensors")


def test_pictures(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.py", "--dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph")
    assert main(["run", "good.py", "--svg"]) == 0
    assert "<svg" in capsys.readouterr().out


def test_html(files: Path) -> None:
    assert main(["run", "good.py", "--html", "walk.html"]) == 0
    page = (files / "walk.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "good.py" in page


def test_no_graph_to_show(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "plain.py").write_text("x = 1\n")
    assert main(["run", "plain.py", "--dot"]) == 1
    assert "no graph" in capsys.readouterr().err


def test_doctor(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "raises.py"]) == 1
    assert "nothing-requires-grad" in capsys.readouterr().out
    assert main(["doctor", "good.py"]) == 0
    assert "nothing wrong" in capsys.readouterr().out
    assert main(["doctor", "raises.py", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["diagnosis"][0]["severity"] == "fault"


def test_as_a_command_from_standard_input() -> None:
    command = [sys.executable, "-m", "snippets", "run", "-", "--json", "--no-trace"]
    done = subprocess.run(command, input=GOOD, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stdout"] == "tensor(6.)\n"
