"""What a snippet can import: an allow-list of modules, each an allow-list of names."""

from __future__ import annotations

import abc
import bisect
import builtins
import collections
import contextlib
import copy
import dataclasses
import difflib
import enum
import functools
import heapq
import importlib
import inspect
import itertools
import keyword
import math
import numbers
import operator
import pkgutil
import random
import statistics
import string
import time
import typing
import warnings
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from snippets.errors import NotAllowed
from snippets.guards import PlainArray, adopt, holds_objects, set_state
from snippets.numpy_names import LINALG_NAMES, NUMPY_NAMES, RANDOM_NAMES
from snippets.policy import is_dunder, is_plain
from snippets.raw_memory import RAW_MEMORY

_UNREACHABLE = {
    "os pathlib io shutil tempfile glob fileinput zipfile tarfile pickle shelve dbm sqlite3 csv": "reaches files",
    "subprocess multiprocessing threading concurrent asyncio signal _thread": "starts or stops processes and threads",
    "socket ssl http urllib requests ftplib smtplib": "reaches the network",
    "sys ctypes cffi gc inspect builtins importlib marshal code ast dis traceback": "reaches into the interpreter",
    "matplotlib seaborn plotly IPython tqdm": "draws or reports outside the program",
    "torchvision torchaudio pandas scipy sklearn jax tensorflow cv2 PIL": "is not part of this app",
}


class Surface(ModuleType):
    """A module as a snippet sees it: some names of the real one, none of which can be changed."""

    def __init__(self, name: str, names: dict[str, Any]) -> None:
        super().__init__(name)
        vars(self).update({key: value for key, value in names.items() if key not in RAW_MEMORY})
        vars(self)["__all__"] = sorted(name for name in names if not name.startswith("_"))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the module {self.__name__} is shared and cannot be changed; use a variable of your own")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"the module {self.__name__} is shared and cannot be changed")

    def __getattr__(self, name: str) -> Any:
        close = difflib.get_close_matches(name, vars(self)["__all__"], 3)
        hint = f"; there is {', '.join(close)}" if close else ""
        raise AttributeError(
            f"module '{self.__name__}' has no attribute '{name}' in a snippet{hint}", name=name, obj=None
        )

    def __repr__(self) -> str:
        return f"<module '{self.__name__}'>"


def _take(source: Any, names: str | Iterable[str]) -> dict[str, Any]:
    names = names.split() if isinstance(names, str) else names
    return {name: getattr(source, name) for name in names if hasattr(source, name)}


def _wraps(wrapped: Callable[..., Any]) -> Callable[..., Any]:
    """``functools.wraps``, as :func:`_update_wrapper` does it."""
    return functools.partial(_update_wrapper, wrapped=wrapped)


def _update_wrapper(wrapper: Callable[..., Any], wrapped: Callable[..., Any]) -> Callable[..., Any]:
    """``functools.update_wrapper`` for names and documentation. No class gets annotations that way: ``dataclass`` makes
    code of them.
    """
    if isinstance(wrapper, type):
        raise NotAllowed("a class cannot take over the name of another object in a snippet; wrap a function")
    for name in ("__name__", "__qualname__", "__doc__"):
        value = getattr(wrapped, name, None)
        if type(value) is str:
            setattr(wrapper, name, value)
    return wrapper


def _dataclass(cls: Any = None, /, **options: Any) -> Any:
    """``dataclasses.dataclass``, which makes code of the names of the fields: of a class of the program only, and its
    names must be such as a program can write.
    """
    if cls is None:
        return functools.partial(_dataclass, **options)
    if not isinstance(cls, type) or cls.__module__ != "__main__":
        raise NotAllowed("dataclass() changes the class it is given; give it one of your own")
    for name in inspect.get_annotations(cls):
        if not _plain(name).isidentifier() or keyword.iskeyword(name):
            raise NotAllowed(f"{name!r} cannot be the name of a field; choose a plain name")
    made: type = dataclasses.dataclass(cls, **options)
    adopt(made)  # with slots it is another class
    return made


def _frombuffer(buffer: Any, *arguments: Any, **named: Any) -> Any:
    """``numpy.frombuffer``, short of the addresses in an array of objects."""
    import numpy

    if holds_objects(buffer):
        raise NotAllowed("frombuffer() of an array of objects reaches into memory; use tolist()")
    return numpy.frombuffer(buffer, *arguments, **named)


class Namespace:
    """``types.SimpleNamespace`` with plain names only, and not above the real one."""

    def __init__(self, **values: Any) -> None:
        vars(self).update({_plain(name): value for name, value in values.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Namespace) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"namespace({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


Namespace.__name__ = Namespace.__qualname__ = "SimpleNamespace"


def _plain(name: Any) -> str:
    """``name``, if a program may call an attribute so."""
    if type(name) is not str or is_dunder(name):
        raise NotAllowed(f"{name!r} cannot be the name of an attribute in a snippet; choose a plain name")
    return name


def _attribute_getter(*names: Any) -> Callable[[Any], Any]:
    """``operator.attrgetter`` for the attributes that are harmless on every object."""
    for name in names:
        if type(name) is not str or not all(map(is_plain, name.split("."))):
            raise NotAllowed(f"attrgetter() cannot reach the attribute {name!r}; write a lambda that reads it")
    return operator.attrgetter(*names)


def _method_caller(name: Any, /, *arguments: Any, **named: Any) -> Callable[[Any], Any]:
    """``operator.methodcaller``, likewise."""
    if type(name) is not str or not is_plain(name):
        raise NotAllowed(f"methodcaller() cannot reach the method {name!r}; write a lambda that calls it")
    return operator.methodcaller(name, *arguments, **named)


_make_enumeration = enum.EnumType._create_  # type: ignore[attr-defined]


def _enumeration(cls: Any, class_name: str, names: Any, *, start: int = 1, **_: Any) -> Any:
    """What ``Enum("Name", names)`` does in a snippet: members with plain names, and nothing mixed in."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    given = list(names.items() if isinstance(names, dict) else names)
    members = [_plain(one) if isinstance(one, str) else (_plain(one[0]), one[1]) for one in given]
    return _make_enumeration(cls, class_name, members, start=start)


class _CatchWarnings:
    """``warnings.catch_warnings`` without the way to the module that the real one keeps."""

    def __init__(self, *, record: bool = False, action: str | None = None, category: type[Warning] = Warning) -> None:
        self.__inner = warnings.catch_warnings(record=record)
        self.__action, self.__category = action, category

    def __enter__(self) -> Any:
        caught = self.__inner.__enter__()
        if self.__action is not None:
            warnings.simplefilter(self.__action, self.__category)  # type: ignore[arg-type]
        return caught

    def __exit__(self, *exception: Any) -> None:
        self.__inner.__exit__(*exception)


def _numpy_surface() -> Surface:
    import numpy

    linalg = Surface("numpy.linalg", _take(numpy.linalg, LINALG_NAMES))
    randoms = Surface("numpy.random", _take(numpy.random, RANDOM_NAMES))
    vars(randoms)["set_state"] = functools.partial(set_state, numpy.random)
    parts = {
        "ndarray": PlainArray,
        "frombuffer": _frombuffer,
        "linalg": linalg,
        "random": randoms,
        "__version__": numpy.__version__,
    }
    return Surface("numpy", _take(numpy, NUMPY_NAMES) | parts)


def _standard_library() -> dict[str, Surface]:
    chosen = {
        "math": _take(math, [name for name in dir(math) if not name.startswith("_")]),
        "itertools": _take(itertools, [name for name in dir(itertools) if not name.startswith("_")]),
        "copy": _take(copy, "copy deepcopy replace Error"),
        "random": _take(
            random,
            "random seed randint randrange uniform gauss normalvariate shuffle choice choices sample betavariate "
            "expovariate triangular lognormvariate vonmisesvariate getstate setstate getrandbits Random",
        ),
        "functools": {
            **_take(
                functools, "reduce partial lru_cache cache cached_property total_ordering cmp_to_key partialmethod"
            ),
            "wraps": _wraps,
            "update_wrapper": _update_wrapper,
        },
        "collections": _take(
            collections, "namedtuple deque OrderedDict defaultdict Counter ChainMap UserDict UserList"
        ),
        "dataclasses": {
            **_take(
                dataclasses,
                "field fields asdict astuple replace is_dataclass InitVar KW_ONLY MISSING FrozenInstanceError",
            ),
            "dataclass": _dataclass,
        },
        "typing": _take(
            typing,
            "Any Optional Union List Dict Tuple Set FrozenSet Type Callable Iterable Iterator Sequence Mapping "
            "MutableMapping MutableSequence Collection Generator Generic TypeVar ParamSpec NamedTuple Protocol "
            "Literal Final ClassVar cast overload TYPE_CHECKING NoReturn Never Self Hashable Sized Annotated "
            "TypedDict NewType Concatenate Text runtime_checkable final assert_never Required NotRequired "
            "TypeAlias SupportsFloat SupportsInt AnyStr",
        ),
        "time": _take(time, "time perf_counter perf_counter_ns monotonic process_time sleep time_ns"),
        "warnings": {
            **_take(warnings, "warn filterwarnings simplefilter resetwarnings"),
            "catch_warnings": _CatchWarnings,
        },
        "contextlib": _take(contextlib, "contextmanager nullcontext suppress ContextDecorator closing ExitStack"),
        "abc": _take(abc, "ABC abstractmethod"),
        "enum": _take(enum, "Enum IntEnum Flag IntFlag StrEnum auto unique"),
        "operator": {
            **_take(
                operator,
                "abs add and_ concat contains countOf eq floordiv ge getitem gt index indexOf inv invert is_ is_not "
                "le lshift lt matmul mod mul ne neg not_ or_ pos pow rshift sub truediv truth xor iadd imul isub "
                "itruediv imatmul itemgetter",
            ),
            "attrgetter": _attribute_getter,
            "methodcaller": _method_caller,
        },
        "heapq": _take(heapq, "heappush heappop heapify heapreplace heappushpop nlargest nsmallest merge"),
        "bisect": _take(bisect, "bisect bisect_left bisect_right insort insort_left insort_right"),
        "statistics": _take(statistics, "mean fmean median mode stdev variance pstdev pvariance quantiles"),
        "string": _take(
            string, "ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace printable"
        ),
        "numbers": _take(numbers, "Number Complex Real Rational Integral"),
        "types": {"SimpleNamespace": Namespace},
        "__future__": {"annotations": None},
    }
    surfaces = {name: Surface(name, names) for name, names in chosen.items()}
    abstract = Surface("collections.abc", _take(collections.abc, collections.abc.__all__))
    vars(surfaces["collections"])["abc"] = abstract
    return surfaces


def _surfaces() -> dict[str, ModuleType]:
    from snippets.torch_api import torch

    return {"torch": torch, "numpy": _numpy_surface(), **_standard_library()}


_NOTHING = Surface("nothing", {})


class Importer:
    """``__import__`` of a snippet."""

    def __init__(self, surfaces: dict[str, ModuleType] | None = None) -> None:
        self._surfaces = _surfaces() if surfaces is None else surfaces

    def __call__(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> ModuleType:
        """The module ``name``; ImportError tells what there is instead."""
        if type(fromlist) is list:
            # C code of a library, called from the program, looks for a part of itself: an import statement has a tuple
            # here. It finds the module by itself and drops what it is given.
            builtins.__import__(name)
            return _NOTHING
        if type(name) is not str or level:
            raise ImportError("a snippet is no package: import by the full name of the module")
        first, *rest = name.split(".")
        top = self._surfaces.get(first)
        if top is None:
            raise ModuleNotFoundError(self._why_not(first), name=name)
        module = top
        for position, part in enumerate(rest, start=1):
            inner = vars(module).get(part)
            if not isinstance(inner, ModuleType):
                path = ".".join((first, *rest[:position]))
                inside = sorted(key for key, value in vars(module).items() if isinstance(value, ModuleType))
                hint = f"; {module.__name__} has {', '.join(inside)}" if inside else ""
                raise ModuleNotFoundError(f"No module named '{path}' in a snippet{hint}", name=name)
            module = inner
        for wanted in fromlist or ():
            if wanted != "*":
                self._need(module, wanted)
        return module if fromlist else top

    def _need(self, module: ModuleType, wanted: str) -> None:
        try:
            getattr(module, wanted)
        except AttributeError as error:
            raise ImportError(f"cannot import name '{wanted}' from '{module.__name__}': {error}") from None

    def _why_not(self, name: str) -> str:
        there = ", ".join(key for key in self._surfaces if not key.startswith("_"))
        for names, reason in _UNREACHABLE.items():
            if name in names.split():
                return f"No module named '{name}' in a snippet: it {reason}. Leave it out; there are {there}"
        return f"No module named '{name}' in a snippet. There are {there}"


def begin_anew() -> None:
    """Forget what ran in this process before: random numbers start where they always do, warnings are given again."""
    import numpy

    from autograd.random import manual_seed
    from autograd.warn import forget

    random.seed(0)
    numpy.random.seed(0)
    manual_seed(0)
    forget()


#: Parts of the engine that draw; a worker has no use for them.
_DRAWING = frozenset(
    {"autograd.dot", "autograd.layout", "autograd.presentation", "autograd.frames", "autograd.narrate"}
)


#: What Python and NumPy import only when a function is first called.
_FETCHED_LATE = """
unicodedata stringprep encodings.idna encodings.utf_8 encodings.ascii encodings.latin_1 numpy.ma
"""


def preload() -> None:
    """Make the process ready for snippets: import what would be fetched from disk later, where there is no disk."""
    import autograd

    enum.EnumType._create_ = _enumeration  # type: ignore[attr-defined]
    for name in _FETCHED_LATE.split():
        importlib.import_module(name)
    for found in pkgutil.walk_packages(autograd.__path__, "autograd."):
        if found.name not in _DRAWING:
            importlib.import_module(found.name)
