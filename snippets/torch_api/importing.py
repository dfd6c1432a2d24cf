"""Lets ``import torch.nn`` find the engine once ``sys.modules["torch"]`` is the engine's module."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers for ``torch.*`` only while ``torch`` is the engine's module."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch

    def _module(self, fullname: str) -> ModuleType | None:
        module = self._torch
        for part in fullname.split(".")[1:]:
            inner = vars(module).get(part)
            if not isinstance(inner, ModuleType):
                return None
            module = inner
        return module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module of that name, if it is one of the engine's."""
        if not fullname.startswith("torch.") or sys.modules.get("torch") is not self._torch:
            return None
        if self._module(fullname) is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """The module, which is there already."""
        return self._module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to run."""


def install(torch: ModuleType) -> None:
    """Add the finder; it stays silent until somebody puts ``torch`` into ``sys.modules``."""
    sys.meta_path.append(_Finder(torch))
