"""Texts in tensors: what they become, and what they may cost.

What TensorFlow answers: tests/data/compared/tensorflow2_texts.json, tests/data/recorded/texts.json.
"""

import numpy as np
import pytest

from engine import ops
from engine.errors import DtypeError, LimitError, ValueRefused
from engine.execution import Session
from engine.graph import Graph
from engine.ops.base.building import as_array
from engine.ops.base.texts import MOST_BYTES, text_array, weight_of, written_text
from engine.ops.texts import changing, converting, joining


def test_a_text_becomes_its_bytes_in_utf_8():
    assert text_array("né").item() == b"n\xc3\xa9"
    assert text_array([["a", "bc"], [b"\xff", ""]]).tolist() == [[b"a", b"bc"], [b"\xff", b""]]


@pytest.mark.parametrize("given", [["a", 1], ["a", ["b"]], [["a"], ["b", "c"]], ["a", None], "\ud800"])
def test_texts_stand_in_rows_of_one_length_and_among_themselves(given):
    with pytest.raises(ValueRefused):
        text_array(given)


def test_bytes_that_are_no_text_are_shown_as_such():
    assert written_text(b"ab\xff") == "ab\\xff"


def test_a_text_weighs_what_its_bytes_do():
    assert weight_of(text_array(["", "a" * 80])) == 2 + 10


def test_numbers_are_not_made_of_texts_nor_texts_of_numbers():
    with Graph().as_default():
        with pytest.raises(DtypeError):
            as_array("1.5", "float32")
        with pytest.raises(DtypeError):
            as_array(5, "string")
        with pytest.raises(DtypeError):
            ops.cast(ops.constant("5"), "float32")
        with pytest.raises(DtypeError):
            ops.constant("a") * 2


@pytest.mark.parametrize("op", [ops.square, ops.exp, ops.reduce_sum, ops.sort, ops.argmax])
def test_what_computes_takes_no_texts(op):
    with Graph().as_default(), pytest.raises((DtypeError, ValueRefused)):
        op(ops.constant(["a", "b"]))


def test_the_first_of_several_axes_is_joined_first():
    rows = text_array([["a", "b"], ["c", "d"]])
    assert joining.reduce_join_op.forward(rows, [0, 1]).item() == b"acbd"
    assert joining.reduce_join_op.forward(rows, [1, 0]).item() == b"abcd"
    assert joining.reduce_join_op.forward(rows, [1], keep_dims=True).tolist() == [[b"ab"], [b"cd"]]
    assert joining.reduce_join_op.forward(text_array(["a"])[:0], [0]).item() == b""


def test_a_dollar_sign_is_the_end_of_the_text_alone():
    replaced = changing.regex_replace.forward(text_array("ab\n"), pattern="b$", rewrite="x")
    assert replaced.item() == b"ab\n"


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "[[:alpha:]]", "(?<x>a)", r"\pL", "(", "a" * 2000])
def test_a_pattern_that_python_would_read_otherwise_is_refused(pattern):
    with pytest.raises(ValueRefused):
        changing.pattern_of(pattern)


def test_a_pattern_with_too_many_ways_is_stopped_before_it_is_tried():
    with pytest.raises(LimitError):
        changing.regex_full_match.forward(text_array("a" * 40), pattern="(a*)*b")


def test_texts_may_not_grow_without_end():
    long = text_array("a" * (MOST_BYTES // 2 + 1))
    with pytest.raises(LimitError):
        text_array("a" * (MOST_BYTES + 1))
    with pytest.raises(LimitError):
        joining.string_join.forward(long, long)
    with pytest.raises(LimitError):
        ops.REGISTRY["Add"].forward(long, long)
    with pytest.raises(LimitError):
        joining.reduce_join_op.forward(np.array([long.item()] * 2, dtype=object), [0])
    with pytest.raises(LimitError):
        changing.regex_replace.forward(text_array("a" * 1000), pattern="a", rewrite=r"\0" * 1000)
    with pytest.raises(LimitError):
        converting.as_string.forward(np.zeros(10_000, np.int32), width=1000)


def test_a_session_takes_and_gives_texts():
    with Graph().as_default() as graph:
        p = ops.placeholder("string", (None,), name="p")
        joined = joining.string_join([p, "!"])
        assert Session(graph).run(joined, {p: ["a", "b"]}).tolist() == [b"a!", b"b!"]
        with pytest.raises(Exception, match="but was fed numbers"):
            Session(graph).run(joined, {p: [1.0]})
        numbers = ops.placeholder("float32", (None,))
        with pytest.raises(Exception, match="but was fed text"):
            Session(graph).run(numbers, {numbers: ["a"]})
