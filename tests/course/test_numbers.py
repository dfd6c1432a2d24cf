"""How values are written, and how typed numbers are read."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course import numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8, "8"),
        (8.0, "8"),
        (0.30000001192092896, "0.3"),
        (-0.10000000149011612, "-0.1"),
        (1 / 3, "0.3333"),
        (2 / 300, "0.006667"),
        (1234.5678, "1234.57"),
        (99.996, "100"),
        (0.0, "0"),
        (-0.0, "0"),
        (1e-8, "1e-08"),
        (2.5e10, "2.5e+10"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (True, "True"),
        (None, "None"),
        ("nan", "nan"),
        ([1.0, [2.5, 3.0]], "[1, [2.5, 3]]"),
        ({"kind": "tensor", "data": [6.0, 2.0], "shape": [2]}, "[6, 2]"),
        ({"kind": "list", "items": [1, {"kind": "tensor", "data": 2.0}]}, "[1, 2]"),
    ],
)
def test_values_are_written_as_a_reader_expects(value: object, text: str) -> None:
    assert numbers.show(value) == text


def test_a_value_without_a_short_form_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be shown"):
        numbers.show({"kind": "module", "state": {}})


@given(st.floats(min_value=-1e8, max_value=1e8).filter(lambda x: x == 0 or abs(x) > 1e-4))
def test_a_shown_number_reads_back_close(value: float) -> None:
    assert numbers.read(numbers.show(value)) == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), (" -0,5 ", -0.5), ("−2", -2), ("1/3", 1 / 3), ("1e-3", 0.001), ("+4.", 4)],
)
def test_typed_numbers_are_read(text: str, value: float) -> None:
    assert numbers.read(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "  ", "eight", "1/0", "nan", "inf", "1e999", "1/2/3", "0x10", "9" * 500])
def test_what_is_no_number_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        numbers.read(text)


def test_one_number_is_taken_out_of_a_value() -> None:
    assert numbers.as_number({"kind": "tensor", "data": 2.0}) == 2.0
    assert math.isnan(numbers.as_number("nan"))
    with pytest.raises(TypeError):
        numbers.as_number([1, 2])
