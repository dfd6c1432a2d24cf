"""What a concept card and a question look like on disk, and the reading of both.

Content is TOML. The models refuse keys they do not know, and every fault is a :class:`ContentError` or a
:class:`Fault` that names the file and the field, in the writer's terms: ``question "diamond-2", option 3, why``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

IDEA_WORDS = 120

#: A placeholder in a text: ``{name}``.
PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")

Kind = Literal["single", "several", "number", "order", "node"]

#: The kinds of step a card may open its walk at: the event kinds of the trace.
WalkEvent = Literal[
    "forward",
    "mutate",
    "backward_start",
    "visit",
    "contribute",
    "accumulate",
    "leaf_grad",
    "free",
    "backward_end",
    "zero_grad",
    "step",
    "error",
]
_WITHOUT_NODE = {"backward_start", "backward_end", "zero_grad", "step", "error"}


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text.strip("\n")


def _some(items: tuple[Any, ...]) -> tuple[Any, ...]:
    if not items:
        raise ValueError("at least one is needed")
    return items


def _slug(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text):
        raise ValueError("must be lower-case words joined by hyphens")
    return text


def _identifier(text: str) -> str:
    if not text.isidentifier() or text.startswith("_"):
        raise ValueError("must be a Python name that does not start with an underscore")
    return text


Text = Annotated[str, AfterValidator(_filled)]
Slug = Annotated[str, AfterValidator(_slug)]
Name = Annotated[str, AfterValidator(_identifier)]
Number = Annotated[int | float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Walk(_Strict):
    """The snippet a card opens, and at which step: the ``occurrence``-th ``event`` at ``node`` (in ``pass``)."""

    example: Slug
    event: WalkEvent
    node: str | None = None
    occurrence: int = 1
    pass_: int | None = Field(default=None, alias="pass", ge=1)

    @model_validator(mode="after")
    def _consistent(self) -> Walk:
        if self.event in _WITHOUT_NODE and self.node is not None:
            raise ValueError(f"node: leave it out for the event {self.event!r}")
        if self.event not in _WITHOUT_NODE and not self.node:
            raise ValueError(f"node: the event {self.event!r} needs the variable it happens at")
        if self.occurrence == 0:
            raise ValueError("occurrence: counts from 1, or from the end with -1")
        return self


class Card(_Strict):
    """What else the card shows: the id of its question."""

    question: Slug


class Concept(_Strict):
    """One concept card."""

    slug: Slug
    order: int = Field(ge=1)
    title: Text
    claims: Annotated[tuple[str, ...], Field(strict=False), AfterValidator(_some)]
    idea: Text
    experiment: Text
    walk: Walk
    card: Card

    @model_validator(mode="after")
    def _short(self) -> Concept:
        words = len(self.idea.split())
        if words > IDEA_WORDS:
            raise ValueError(f"idea: has {words} words, at most {IDEA_WORDS} are allowed")
        return self


class Option(_Strict):
    """One thing a learner can pick (or a known wrong number), with what the pick means."""

    text: Text
    correct: bool
    why: Text
    misconception: Slug | None = None


class Question(_Strict):
    """One question of the bank.

    A *computed* question has ``compute``: its answer and its wrong options come from the engine for each draw of
    ``parameters``.
    """

    id: Slug
    kind: Kind
    prompt: Text
    explanation: Text
    code: str = ""
    parameters: dict[Name, Annotated[list[bool | int | float | str], Field(min_length=1)]] = Field(default_factory=dict)
    compute: dict[Name, Text] = Field(default_factory=dict)
    option: Annotated[tuple[Option, ...], Field(strict=False), AfterValidator(_some)]
    # number
    answer: str | Number | None = None
    tolerance: Number | None = Field(default=None, ge=0)
    # order
    lines: tuple[Text, ...] = Field(default=(), strict=False)

    def __hash__(self) -> int:
        return hash(self.id)  # equal questions have equal ids; the fields themselves hold dicts

    @property
    def computed(self) -> bool:
        """Whether the engine makes the answer."""
        return bool(self.compute)

    @property
    def names(self) -> frozenset[str]:
        """What ``{name}`` may stand for in its texts."""
        return frozenset(self.parameters) | frozenset(self.compute)

    @model_validator(mode="after")
    def _consistent(self) -> Question:
        faults = [
            *self._faults_of_kind(),
            *self._faults_of_options(),
            *self._faults_of_computation(),
            *self._faults_of_placeholders(),
        ]
        if faults:
            raise ValueError("\n".join(faults))
        return self

    def _faults_of_kind(self) -> list[str]:
        correct = sum(option.correct for option in self.option)
        faults = []
        if self.kind != "number" and (self.answer is not None or self.tolerance is not None):
            faults.append(f"answer, tolerance: only for the kind 'number', this one is {self.kind!r}")
        if self.kind != "order" and self.lines:
            faults.append(f"lines: only for the kind 'order', this one is {self.kind!r}")
        match self.kind:
            case "single" | "node":
                if correct != 1:
                    faults.append(f"option: {correct} are correct, the kind {self.kind!r} needs exactly one")
                if len(self.option) < 2:
                    faults.append("option: at least two are needed")
                if self.kind == "node" and not self.code.strip():
                    faults.append("code: the kind 'node' needs a program whose graph is shown")
            case "several":
                if correct < 1:
                    faults.append("option: at least one must be correct")
                if len(self.option) < 3:
                    faults.append("option: at least three are needed for the kind 'several'")
            case "number":
                if correct != 1:
                    faults.append(f"option: {correct} are correct, the kind 'number' needs exactly one (with its why)")
                if self.answer is None or self.tolerance is None:
                    faults.append("answer, tolerance: both are needed for the kind 'number'")
                if isinstance(self.answer, str) and self.answer not in self.compute:
                    faults.append(f"answer: {self.answer!r} is not a name in [question.compute]")
            case "order":
                if len(self.lines) < 3:
                    faults.append("lines: at least three are needed")
                if len(set(self.lines)) != len(self.lines):
                    faults.append("lines: two are the same")
                texts = [option.text for option in self.option]
                if sorted(texts) != sorted(self.lines):
                    faults.append("option: the kind 'order' needs one option a line, its text equal to the line")
                if correct != len(self.option):
                    faults.append("option: for the kind 'order' every line's option has correct = true")
        return faults

    def _faults_of_options(self) -> list[str]:
        faults = []
        texts = [option.text for option in self.option]
        for number, option in enumerate(self.option, start=1):
            if texts.index(option.text) != number - 1:
                faults.append(f"option {number}, text: the same as another option's")
            if option.correct and option.misconception:
                faults.append(f"option {number}, misconception: a correct option has none")
            if self.computed and not option.correct and not option.misconception:
                faults.append(f"option {number}, misconception: a wrong option of a computed question names one")
        return faults

    def _faults_of_computation(self) -> list[str]:
        faults = []
        if self.compute and not self.code.strip():
            faults.append("code: a question with [question.compute] needs a program to run")
        both = sorted(set(self.parameters) & set(self.compute))
        if both:
            faults.append(f"compute: {', '.join(both)} already named in [question.parameters]")
        for name, expression in self.compute.items():
            try:
                compile(PLACEHOLDER.sub("0", expression), name, "eval")
            except SyntaxError as error:
                faults.append(f"compute.{name}: not a Python expression ({error.msg})")
        return faults

    def _faults_of_placeholders(self) -> list[str]:
        if not self.names:
            return []
        texts = {"prompt": self.prompt, "explanation": self.explanation}
        for number, option in enumerate(self.option, start=1):
            texts[f"option {number}, text"] = option.text
            texts[f"option {number}, why"] = option.why
        return [
            f"{field}: {{{name}}} is neither a parameter nor a computed name"
            for field, text in texts.items()
            for name in PLACEHOLDER.findall(text)
            if name not in self.names
        ]


class _QuestionFile(_Strict):
    question: Annotated[tuple[Question, ...], Field(strict=False), AfterValidator(_some)]


@dataclass(frozen=True)
class Fault:
    """One thing wrong with the content, for the person who wrote it."""

    file: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.field}: {self.message}" if self.field else f"{self.file}: {self.message}"


class ContentError(ValueError):
    """A content file cannot be used; ``faults`` says why, one entry a fault."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def read_concept(path: Path) -> Concept:
    """The concept card in ``path``. Raises ContentError."""
    data = _toml(path)
    try:
        concept = Concept.model_validate(data)
    except ValidationError as error:
        raise ContentError(_faults(path, error, data)) from None
    if concept.slug != path.stem:
        raise ContentError([Fault(_file(path), "slug", f"is {concept.slug!r}, the file is named {path.stem!r}")])
    return concept


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions in ``path``, all about the concept it is named after. Raises ContentError."""
    data = _toml(path)
    try:
        questions = _QuestionFile.model_validate(data).question
    except ValidationError as error:
        raise ContentError(_faults(path, error, data)) from None
    faults = [
        Fault(_file(path), f'question "{question.id}", id', f"must be {path.stem}-NUMBER")
        for question in questions
        if not re.fullmatch(re.escape(path.stem) + r"-\d+", question.id)
    ]
    ids = [question.id for question in questions]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    faults += [Fault(_file(path), f'question "{one}", id', "is used twice") for one in twice]
    if faults:
        raise ContentError(faults)
    return questions


def _file(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ContentError([Fault(_file(path), "", "the file does not exist")]) from None
    except UnicodeDecodeError as error:
        raise ContentError([Fault(_file(path), "", f"is not UTF-8 text ({error.reason})")]) from None
    except tomllib.TOMLDecodeError as error:
        raise ContentError([Fault(_file(path), "", f"is not valid TOML: {error}")]) from None


def _faults(path: Path, error: ValidationError, data: dict[str, Any]) -> list[Fault]:
    faults = []
    for item in error.errors():
        place = _place(item["loc"], data)
        message = "this key is not known" if item["type"] == "extra_forbidden" else item["msg"]
        for line in message.removeprefix("Value error, ").split("\n"):
            field, colon, rest = line.partition(": ")
            if item["type"] == "value_error" and colon:  # one of ours, "field: what is wrong with it"
                faults.append(Fault(_file(path), f"{place}, {field}" if place else field, rest))
            else:
                faults.append(Fault(_file(path), place, line))
    return faults


def _place(location: tuple[int | str, ...], data: Any) -> str:
    """A pydantic location in the writer's terms."""
    parts: list[str] = []
    here = data
    for step in location:
        here = _descend(here, step)
        if isinstance(step, int):
            name = here.get("id") if isinstance(here, dict) else None
            parts[-1] += f' "{name}"' if isinstance(name, str) else f" {step + 1}"
        elif step in ("int", "float", "str", "bool"):  # the branch of a union, no place in the file
            continue
        else:
            parts.append(str(step))
    return ", ".join(parts)


def _descend(data: Any, step: int | str) -> Any:
    if isinstance(step, int) and isinstance(data, list):
        return data[step] if step < len(data) else None
    return data.get(step) if isinstance(data, dict) else None
