"""Codes that can be read aloud, tokens of which only the hash is kept, labels for dots."""

from __future__ import annotations

import pytest

from server.classes.codes import SYMBOLS, hash_of, is_token, new_code, new_token, read_code, role_of, shown
from server.classes.labels import COUNT, label


def test_31_symbols_that_are_not_taken_for_one_another() -> None:
    assert len(set(SYMBOLS)) == 31
    assert not set(SYMBOLS) & set("0O1IL")


def test_a_code_is_read_in_either_case_with_or_without_its_hyphen() -> None:
    code = new_code()
    assert {read_code(typed) for typed in (code, shown(code), shown(code).lower(), f" {code} ")} == {code}


@pytest.mark.parametrize(
    "typed", ["", "K7F3", "K7F3-QX4MM", "K7F3-QX40", "K7F3/QX4M", "K" * 10_000, "课堂码"]
)
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert read_code(typed) is None


def test_a_token_says_whose_it_is_and_fits_its_own_hash_alone() -> None:
    teacher, student = new_token("teacher"), new_token("student")
    assert (role_of(teacher), role_of(student), role_of("Basic x")) == ("teacher", "student", None)
    assert is_token(teacher, hash_of(teacher))
    assert not is_token(student, hash_of(teacher))


def test_360_students_have_labels_of_their_own_in_both_languages() -> None:
    labels = [label(number) for number in range(COUNT)]
    assert len({one["en"] for one in labels}) == len({one["zh"] for one in labels}) == 360
    assert label(0) == {"en": "blue crane", "zh": "蓝鹤"}
    assert label(360) == {"en": "blue crane 2", "zh": "蓝鹤 2"}
