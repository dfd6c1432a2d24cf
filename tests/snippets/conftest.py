from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from snippets.limits import Limits
from snippets.pool import Pool
from snippets.result import Result

SECRET = "BACKSTEP_TEST_SECRET"

Runner = Callable[..., Result]


@pytest.fixture(scope="session")
def pool() -> Iterator[Pool]:
    """A pool started by a process that has a secret in its environment."""
    os.environ[SECRET] = "the-secret-of-the-app"
    pool = Pool(workers=2)
    yield pool
    pool.close()
    del os.environ[SECRET]


@pytest.fixture
def run(pool: Pool) -> Runner:
    """Run a program with default limits; the keywords are those of Pool.run and of Limits."""

    def run(source: str, **keywords: object) -> Result:
        names = set(Limits.__dataclass_fields__)
        limits = Limits(**{name: keywords.pop(name) for name in list(keywords) if name in names})  # type: ignore[arg-type]
        keywords.setdefault("trace", False)
        keywords.setdefault("diagnose", False)
        return pool.run(source, limits, **keywords)  # type: ignore[arg-type]

    return run
