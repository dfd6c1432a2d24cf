"""The attacks, against both walls and against the second alone: nothing leaks, nothing is written, nothing lasts."""

from __future__ import annotations

import json
import os
import platform
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from snippets.limits import Limits
from snippets.pool import Pool
from snippets.result import Result
from tests.snippets.corpus import Attack, attacks

LIMITS = Limits(cpu_seconds=0.3, wall_seconds=0.9)
SECRET = "the-secret-of-the-app"
CANARY = "the-content-of-a-file"
#: Where the kernel keeps a process from everything but computing.
CONFINED = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
CHECK = """
import copy, math, random, warnings
import numpy as np
print(math.sqrt(4), "x".upper(), random.random(), np.random.rand(), np.array([1.23456]), type(1))
warnings.warn("heard")
"""


class Aim:
    """What the attacks aim at, and whether they hit it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.canary = folder / "canary"
        self.target = folder / "target"
        self.canary.write_text(CANARY)
        self.folder.chmod(0o777)
        self.canary.chmod(0o666)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.setblocking(False)
        self.port = self.door.getsockname()[1]
        self.temporary = set(os.listdir("/tmp")) if os.path.isdir("/tmp") else set()

    def missed(self) -> None:
        """Fails when something was read, written, made or called."""
        assert self.canary.read_text() == CANARY
        assert self.canary.stat().st_mode & 0o777 == 0o666
        assert [path.name for path in self.folder.iterdir()] == ["canary"]
        with pytest.raises(BlockingIOError):
            self.door.accept()


@pytest.fixture(scope="module")
def aim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aim]:
    aim = Aim(tmp_path_factory.mktemp("aim"))
    yield aim
    aim.door.close()


@pytest.fixture(scope="module")
def clean(pool: Pool) -> Result:
    """What the check program gives in a fresh worker."""
    result = pool.run(CHECK, Limits(), trace=False, diagnose=False)
    assert result.error is None
    assert result.warnings
    return result


def answered(result: Result) -> None:
    """The answer is one, is plain JSON, and holds nothing it should not."""
    text = json.dumps(result.to_dict("x"), allow_nan=False)
    assert SECRET not in text
    assert CANARY not in text
    assert "WON" not in result.stdout
    assert "WON-FORGED" not in str(result.limit)


@pytest.mark.parametrize("attack", attacks(), ids=str)
def test_both_walls(attack: Attack, pool: Pool, aim: Aim, clean: Result) -> None:
    result = pool.run(attack.aimed(aim.canary, aim.target, aim.port), LIMITS)
    if "FORGED" in attack.source:
        result = allowed_to_print_a_forgery(result)
    answered(result)
    aim.missed()
    after = pool.run(CHECK, Limits(), trace=False, diagnose=False)
    assert (after.stdout, after.values, after.warnings) == (clean.stdout, clean.values, clean.warnings)


def allowed_to_print_a_forgery(result: Result) -> Result:
    """A program may print anything; what it prints must come out as what it printed, and as nothing else."""
    assert result.diagnosis == []
    assert result.error is None or result.error["type"] != "Crashed"
    return Result(result.stdout.replace("WON-FORGED", ""), {}, result.error, limit=result.limit)


@pytest.mark.parametrize("attack", [a for a in attacks() if CONFINED and not a.first_wall_only], ids=str)
def test_second_wall_alone(attack: Attack, pool: Pool, aim: Aim, clean: Result) -> None:
    result = pool.run(attack.aimed(aim.canary, aim.target, aim.port), LIMITS, policy=False)
    if attack.family in ("protocol_forgery", "shared_objects", "exceptions_and_match", "floods"):
        result = about_itself(result)
    answered(result)
    aim.missed()
    after = pool.run(CHECK, Limits(), trace=False, diagnose=False)
    assert (after.stdout, after.values, after.warnings) == (clean.stdout, clean.values, clean.warnings)


def about_itself(result: Result) -> Result:
    """Behind the first wall a program can say what it likes about its own run, and about nothing else."""
    return Result(result.stdout.replace("WON", ""), {}, None, limit=None)


def test_there_are_attacks_of_every_family() -> None:
    families: dict[str, int] = {}
    for attack in attacks():
        families[attack.family] = families.get(attack.family, 0) + 1
    assert len(families) == 15
    assert sum(families.values()) >= 250
