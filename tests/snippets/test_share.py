"""Programs in links: there and back, short, and nothing dangerous on the way in."""

from __future__ import annotations

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets import examples, share


@given(st.text(max_size=2000).filter(lambda text: "\x00" not in text and text.isprintable()))
def test_there_and_back(source: str) -> None:
    packed = share.pack(source)
    assert share.unpack(packed) == source
    assert set(packed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_an_example_stays_short() -> None:
    source = examples.load("mlp").source
    assert len(share.pack(source)) < len(source)


@pytest.mark.parametrize("text", ["", "%", "abc", "äöü", "AAAA", "====", "a" * 5000, "eJw", "../../etc/passwd"])
def test_what_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(share.BadCode):
        share.unpack(text)


def test_a_cut_off_link_says_so() -> None:
    packed = share.pack("import torch\n" * 40)
    with pytest.raises(share.BadCode, match=r"cut off|cannot be read"):
        share.unpack(packed[:-8])


def test_a_small_link_cannot_become_a_large_program() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"#" * 50_000_000, 9)).decode()
    with pytest.raises(share.BadCode, match="longer than"):
        share.unpack(bomb)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(share.BadCode):
        share.unpack(base64.urlsafe_b64encode(zlib.compress(b"\xff\xfe")).decode())
    with pytest.raises(share.BadCode, match="no program has"):
        share.unpack(base64.urlsafe_b64encode(zlib.compress(b"a\x00b")).decode())


def test_a_long_program_is_refused_with_the_limit() -> None:
    with pytest.raises(ValueError, match="65,536"):
        share.pack("#" * 70_000)
