"""The first wall: what a snippet may say.

RestrictedPython's transformer refuses every kind of syntax that it has no rule for; :class:`Policy` adds rules for the
Python that PyTorch programs are written in and takes away the ways from an ordinary object to the interpreter:
attributes with two underscores, frames, code objects and the like. What can be judged from the text is judged here;
for the rest the text is rewritten to ask :mod:`snippets.guards` at run time.

======================  =============================================
``x.format``            ``__guard_load__(x, "format")``
``x._y``                ``__guard_private__(x, "_y")._y``
``x.y = v``             ``__guard_write__(x, "y").y = v``
``try: ... except``     gets ``except __guard_limit__: raise`` in front
======================  =============================================
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from RestrictedPython.transformer import INSPECT_ATTRIBUTES, RestrictingNodeTransformer, copy_locations

from snippets.errors import FILENAME, NotAllowed

_BINARY = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"
_PLAIN = """
init call post_init repr str format bool hash len length_hint getitem setitem delitem contains iter next reversed
missing enter exit eq ne lt le gt ge neg pos abs invert int float complex index round trunc floor ceil
"""

#: Methods with two underscores that a class of a snippet may define and call by name (``super().__init__``).
SPECIAL_METHODS = frozenset(
    [f"__{name}__" for name in _PLAIN.split()]
    + [f"__{side}{name}__" for name in _BINARY.split() for side in ("", "r", "i")]
)
#: May be defined, not called by name: what it is asked for comes from Python itself.
DEFINED_ONLY = frozenset({"__getattr__"})
#: May be assigned in the body of a class.
CLASS_VARIABLES = SPECIAL_METHODS | {"__slots__", "__doc__"}
#: Attributes with two underscores that only describe.
READABLE = SPECIAL_METHODS | {"__name__", "__qualname__", "__doc__", "__version__", "__class__"}
#: Variables with two underscores that may be read.
READABLE_NAMES = frozenset({"__name__", "__doc__", "__debug__"})
#: Attributes with one underscore that belong to a public interface.
PUBLIC_UNDERSCORES = frozenset(
    {"_", "_version", "_base", "_is_view", "_asdict", "_replace", "_fields", "_make", "_field_defaults"}
)
#: Attributes that are harmless on most objects and not on some; asked for at run time.
ASKED_AT_RUN_TIME = frozenset(
    "format format_map obj data ctypes cffi capsule tofile dump dumps resize byteswap set_state mro __class__".split()  # noqa: SIM905
)
#: Attributes that lead from a function, generator, traceback or enumeration into the interpreter.
INTERPRETER = INSPECT_ATTRIBUTES | {
    "func_globals", "func_code", "gi_yieldfrom", "f_lasti", "tb_lasti", "im_func",
    "_convert_", "_create_", "_member_map_",
}  # fmt: skip

_WAY_OUT = {
    "__dict__": "read and set the attributes by their names, or with getattr and setattr",
    "__mro__": "isinstance and issubclass tell what a class descends from",
    "__bases__": "isinstance and issubclass tell what a class descends from",
    "__setattr__": "assign the attribute, or use setattr",
    "__getattribute__": "define __getattr__ instead, it is asked for what is missing",
    "__new__": "do the work in __init__",
    "__del__": "use a context manager, or let Python tidy up",
    "__builtins__": "the functions that are there can be called by their names",
    "__import__": "write an import statement",
    "__file__": "a snippet is not a file",
    "__annotations__": "give the values a name of their own",
}


def is_dunder(name: str) -> bool:
    """Whether ``name`` begins and ends with two underscores."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_private(name: str) -> bool:
    """Whether ``name`` begins with an underscore and is none of the public interface."""
    return name.startswith("_") and name not in PUBLIC_UNDERSCORES and not name.startswith("_saved_")


def refusal_of_attribute(name: str) -> str | None:
    """Why no object's attribute ``name`` can be reached in a snippet, or None."""
    if name in INTERPRETER:
        return f"'{name}' leads into the interpreter, which a snippet cannot reach; take it out"
    if is_dunder(name) and name not in READABLE:
        way = _WAY_OUT.get(name, "do it with the operator or function that calls it, or without it")
        return f"'{name}' cannot be reached in a snippet: {way}"
    return None


def is_plain(name: str) -> bool:
    """Whether the attribute ``name`` is harmless on every object."""
    return not name.startswith("_") and name not in ASKED_AT_RUN_TIME and refusal_of_attribute(name) is None


class Policy(RestrictingNodeTransformer):
    """Rewrites the syntax tree of a snippet; what is refused is collected in ``refused`` as (line, message)."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[tuple[int, str]] = []
        self._scopes: list[str] = ["module"]
        #: The line of the statement that is being looked at.
        self.line: int | None = None

    def visit(self, node: ast.AST) -> Any:
        """Look at ``node`` and what is in it."""
        if isinstance(node, ast.stmt):
            self.line = node.lineno
        return super().visit(node)

    # How refusals are told

    def error(self, node: ast.AST, info: str) -> None:
        """Note that ``node`` cannot be had, and why."""
        self.refused.append((getattr(node, "lineno", 1), info))

    def not_allowed(self, node: ast.AST) -> None:
        """Refuse a kind of syntax as a whole."""
        kind = type(node).__name__
        self.error(node, f"this kind of statement ({kind}) cannot be used in a snippet; write it another way")

    def check_name(self, node: Any, name: str | None, allow_magic_methods: bool = False) -> None:
        """Variables may have any name that does not begin and end with two underscores."""
        if name is not None and is_dunder(name):
            way = _WAY_OUT.get(name, "choose a name without the double underscores")
            self.error(node, f"'{name}' is reserved for Python itself: {way}")

    # Names and attributes

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Variables; a name with two underscores only where it is harmless."""
        load = isinstance(node.ctx, ast.Load)
        allowed = READABLE_NAMES if load else frozenset()
        if self._scopes[-1] == "class":
            allowed = allowed | CLASS_VARIABLES
        if node.id not in allowed:
            self.check_name(node, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``x.y``: refused, or left as it is, or put under a guard."""
        name = node.attr
        load = isinstance(node.ctx, ast.Load)
        refusal = refusal_of_attribute(name)
        if refusal is None and is_dunder(name) and not load:
            refusal = f"'{name}' cannot be changed in a snippet; leave it as it is"
        if refusal is not None:
            self.error(node, refusal)
            return node
        self.node_contents_visit(node)
        if not load:
            node.value = self._guard("__guard_write__", node.value, name)
        elif name in ASKED_AT_RUN_TIME:
            return self._guard("__guard_load__", node.value, name)
        elif not is_dunder(name) and is_private(name):
            node.value = self._guard("__guard_private__", node.value, name)
        return node

    def _guard(self, guard: str, value: ast.expr, name: str) -> ast.Call:
        call = ast.Call(func=ast.Name(guard, ast.Load()), args=[value, ast.Constant(name)], keywords=[])
        copy_locations(call, value)
        return call

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``x[i]`` needs no guard: no object within reach holds the interpreter in an item."""
        return self.node_contents_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Calls, with star-arguments too."""
        return self.node_contents_visit(node)

    # Assignments

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Assignment, unpacking and starred targets too; ``__match_args__`` only as plain names."""
        if self._scopes[-1] == "class" and any(
            isinstance(target, ast.Name) and target.id == "__match_args__" for target in node.targets
        ):
            return self._match_arguments(node)
        return self.node_contents_visit(node)

    def _match_arguments(self, node: ast.Assign) -> ast.AST:
        names = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for name in names:
            text = name.value if isinstance(name, ast.Constant) else None
            if not isinstance(text, str) or not is_plain(text):
                self.error(node, "__match_args__ can only be a tuple of plain attribute names in quotes")
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """``x += 1``, ``x[i] += 1`` and ``x.y += 1``."""
        return self.node_contents_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """``x: int = 1``."""
        return self.node_contents_visit(node)

    def visit_TypeAlias(self, node: Any) -> Any:
        """``type Name = ...`` (Python 3.12)."""
        return self.node_contents_visit(node)

    def visit_TypeVar(self, node: Any) -> Any:
        """A type parameter (Python 3.12)."""
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    visit_ParamSpec = visit_TypeVarTuple = visit_TypeVar

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """``global x``."""
        for name in node.names:
            self.check_name(node, name)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        """``nonlocal x``."""
        for name in node.names:
            self.check_name(node, name)
        return node

    # Functions and classes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """A function, or a method; special methods from a list."""
        in_class = self._scopes[-1] == "class"
        if not (in_class and node.name in SPECIAL_METHODS | DEFINED_ONLY):
            if in_class and is_dunder(node.name):
                way = _WAY_OUT.get(node.name, "leave it out")
                self.error(node, f"a class of a snippet cannot define '{node.name}': {way}")
            else:
                self.check_name(node, node.name)
        return self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """``lambda x: ...``."""
        return self._function(node)

    def _function(self, node: Any) -> Any:
        self.check_function_argument_names(node)
        inside = ("body",)
        for field, value in ast.iter_fields(node):
            if field in inside:
                continue
            self._visit_field(node, field, value)
        self._scopes.append("function")
        for field in inside:
            self._visit_field(node, field, getattr(node, field))
        self._scopes.pop()
        return node

    def _visit_field(self, node: ast.AST, field: str, value: Any) -> None:
        if isinstance(value, list):
            value[:] = [self.visit(item) if isinstance(item, ast.AST) else item for item in value]
        elif isinstance(value, ast.AST):
            setattr(node, field, self.visit(value))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class; no metaclass, which would run while classes are made."""
        self.check_name(node, node.name)
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg == "metaclass":
                self.error(node, "a class of a snippet cannot have a metaclass; use a decorator or a base class")
        for field, value in ast.iter_fields(node):
            if field != "body":
                self._visit_field(node, field, value)
        self._scopes.append("class")
        self._visit_field(node, "body", node.body)
        self._scopes.pop()
        return node

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """The whole program."""
        return self.node_contents_visit(node)

    # Imports

    def check_import_names(self, node: Any) -> Any:
        """Which modules there are is decided when the import runs; here only the names are looked at."""
        if getattr(node, "is_lazy", 0):
            self.error(node, "lazy imports cannot be used in a snippet; write a plain import")
        if isinstance(node, ast.ImportFrom) and node.level:
            self.error(node, "a snippet is no package: import by the full name of the module")
        for name in node.names:
            for part in (name.asname or "", *name.name.split(".")):
                self.check_name(node, part)
        return node

    # Blocks

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for``."""
        return self.node_contents_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The ``for`` part of a comprehension."""
        if node.is_async:
            self._no_async(node.target)
        return self.node_contents_visit(node)

    def visit_With(self, node: ast.With) -> ast.AST:
        """``with``."""
        return self.node_contents_visit(node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """``try``; no ``except`` keeps the program from being stopped at a limit."""
        self.node_contents_visit(node)
        if node.handlers:
            first = ast.ExceptHandler(type=ast.Name("__guard_limit__", ast.Load()), name=None, body=[ast.Raise()])
            copy_locations(first, node.handlers[0])
            ast.fix_missing_locations(first)
            node.handlers.insert(0, first)
        return node

    def visit_TryStar(self, node: Any) -> Any:
        """``except*``."""
        self.error(node, "exception groups (except*) cannot be used in a snippet; use except")

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """``except E as name``."""
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    # match

    def visit_Match(self, node: Any) -> Any:
        """``match``: patterns read attributes by themselves, so they may only name plain ones."""
        return self.node_contents_visit(node)

    visit_match_case = visit_MatchSingleton = visit_MatchSequence = visit_MatchOr = visit_Match

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """A value to compare with: a literal or a dotted name."""
        return self._dotted(node, node.value)

    def _dotted(self, node: ast.AST, name: ast.expr) -> ast.AST:
        """A pattern that names ``name``: dotted names stay as they are written, so they must be plain."""
        for part in ast.walk(name):
            if isinstance(part, ast.Attribute) and not is_plain(part.attr):
                way = "compare in a guard (case x if ...)"
                self.error(node, f"a pattern cannot name the attribute '{part.attr}'; {way}")
                return node
        return self.node_contents_visit(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        """``{"key": pattern, **rest}``."""
        self.check_name(node, node.rest)
        return self.node_contents_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        """``Class(attribute=pattern)``."""
        for name in node.kwd_attrs:
            if not is_plain(name):
                self.error(node, f"a pattern cannot ask for the attribute '{name}'; read it in the body instead")
        return self._dotted(node, node.cls)

    def visit_MatchAs(self, node: Any) -> Any:
        """``pattern as name``, or a name alone."""
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    visit_MatchStar = visit_MatchAs

    # async

    def _no_async(self, node: ast.AST) -> None:
        self.error(node, "async code has no event loop in a snippet; write it as an ordinary function")

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        """``async def``."""
        self._no_async(node)
        return node

    visit_Await = visit_AsyncFor = visit_AsyncWith = visit_AsyncFunctionDef


def compile_snippet(source: str, filename: str = FILENAME) -> CodeType:
    """The code of a snippet under the policy.

    Raises SyntaxError for what is no Python, and :class:`NotAllowed` with the line of the first thing refused.
    """
    policy = Policy()
    before, null, _ = source.partition("\0")
    if null:
        line = before.count("\n") + 1
        raise SyntaxError("a program cannot contain null bytes", (filename, line, 1, None))
    try:
        tree = ast.parse(source, filename)
        policy.visit(tree)
        policy.line = None
        if policy.refused:
            line, message = min(policy.refused, key=lambda refusal: refusal[0])
            raise NotAllowed(message, line)
        return compile(tree, filename, "exec", dont_inherit=True, optimize=0)
    except (RecursionError, MemoryError):
        lines = source.splitlines()
        longest = max(range(len(lines)), key=lambda index: len(lines[index])) + 1
        line = policy.line or longest  # a text that Python cannot even read is mostly deep in one line
        raise SyntaxError(
            "the program is nested too deeply; split this into shorter pieces", (filename, line, 1, None)
        ) from None
    except ValueError as error:  # a lone surrogate, which no source can hold
        raise SyntaxError(str(error), (filename, 1, 1, None)) from None
