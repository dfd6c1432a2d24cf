"""GIFT, the plain-text format that Moodle, Canvas converters and others read.

GIFT knows no ordering: such a question becomes one of matching places to lines.
"""

from __future__ import annotations

from collections.abc import Iterable

from course.exports.bank import Exported, text_of

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\~=#{}:"})


def gift(exported: Iterable[Exported]) -> str:
    """The questions as one GIFT file, a category for each concept."""
    parts: list[str] = []
    category = None
    for one in exported:
        if one.concept != category:
            category = one.concept
            parts.append(f"$CATEGORY: $course$/top/Backstep/{category}")
        parts.append(_question(one))
    return "\n\n".join(parts) + "\n"


def _question(one: Exported) -> str:
    match one.variant.kind:
        case "number":
            answers = _numbers(one)
        case "order":
            answers = _places(one)
        case "several":
            answers = _weighted(one)
        case _:
            answers = [
                f"{'=' if option.correct else '~'}{_escaped(option.text)}#{_escaped(option.why)}"
                for option in one.key.options
            ]
    lines = "\n\t".join([*answers, f"####{_escaped(one.key.explanation)}"])
    return f"::{_escaped(one.name)}::[markdown]{_escaped(text_of(one.variant))}{{{_mark(one)}\n\t{lines}\n}}"


def _mark(one: Exported) -> str:
    return "#" if one.variant.kind == "number" else ""


def _weighted(one: Exported) -> list[str]:
    right = sum(option.correct for option in one.key.options)
    wrong = len(one.key.options) - right
    return [
        f"~%{100 / right if option.correct else -100 / wrong:.5f}%{_escaped(option.text)}#{_escaped(option.why)}"
        for option in one.key.options
    ]


def _numbers(one: Exported) -> list[str]:
    return [
        f"=%{100 if option.correct else 0}%{option.number!r}:{one.key.tolerance!r}#{_escaped(option.why)}"
        for option in sorted(one.key.options, key=lambda option: not option.correct)
    ]


def _places(one: Exported) -> list[str]:
    texts = {option.id: option.text for option in one.key.options}
    return [f"={place}. -> {_escaped(texts[name])}" for place, name in enumerate(one.key.order, start=1)]


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL).replace("\n", "\\n")
