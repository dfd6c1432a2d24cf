"""What is exported: questions drawn with their keys, several variants of each computed one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from course import questions
from course.variants import Key, KeyOption, Variant, VariantError, draw_with_key

#: A seed that gives nothing new is tried this often for each variant wanted.
_PATIENCE = 8

#: What an XML file cannot hold.
_FORBIDDEN = {code: None for code in range(32) if code not in (9, 10, 13)}


@dataclass(frozen=True)
class Exported:
    """One variant with its key and its name in the other system."""

    name: str
    concept: str
    variant: Variant
    key: Key


def drawn(*, variants: int = 3, only: Collection[str] = ()) -> list[Exported]:
    """Every question of the bank (or of the concepts in ``only``), computed ones up to ``variants`` times.

    The same call gives the same list. Questions that cannot be drawn are left out.
    """
    out: list[Exported] = []
    for slug, group in questions.bank().items():
        if only and slug not in only:
            continue
        for question in group:
            wanted = variants if question.computed else 1
            met: set[tuple[str, str, tuple[str, ...]]] = set()
            for seed in range(wanted * _PATIENCE):
                if len(met) == wanted:
                    break
                try:
                    variant, key = draw_with_key(question, seed)
                except VariantError:
                    break
                face = (variant.prompt, variant.code, tuple(sorted(choice.text for choice in variant.choices)))
                if face in met:
                    continue
                met.add(face)
                name = f"{question.id} ({len(met)})" if wanted > 1 else question.id
                out.append(Exported(name, slug, variant, key))
    return out


def text_of(variant: Variant) -> str:
    """The question's text with its program, as Markdown."""
    return variant.prompt + (f"\n\n```python\n{variant.code}\n```" if variant.code.strip() else "")


def in_order(one: Exported) -> list[KeyOption]:
    """The lines of an ordering in the right order."""
    by_id = {option.id: option for option in one.key.options}
    return [by_id[name] for name in one.key.order]


def printable(text: str) -> str:
    """``text`` without the characters that XML forbids."""
    return text.translate(_FORBIDDEN)
