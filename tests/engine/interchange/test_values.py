"""Tensors as JSON."""

from __future__ import annotations

import json

import numpy as np
import orjson
import pytest

from engine.interchange.values import (
    array_text,
    attributes_json,
    column_json,
    nested_json,
    number_json,
    tensor_json,
    tensors_json,
)
from engine.ops.base.tensors import Array


def test_a_float32_is_written_with_its_own_digits() -> None:
    assert tensor_json(np.float32(1.1515628) * np.ones((), np.float32)) == {
        "dtype": "float32",
        "shape": [],
        "data": 1.1515628,
    }


def test_nested_lists_keep_their_shape() -> None:
    assert tensor_json(np.array([[1, 2], [3, 4]], dtype=np.int32))["data"] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (-np.float32("inf"), "-inf"),
        (np.bool_(True), True),
        (np.int64(5), 5),
        (2**53 + 1, "9007199254740993"),
        (0.1, 0.1),
        (np.float32(0.1), 0.1),
    ],
)
def test_what_json_cannot_hold_is_a_text(value: object, written: object) -> None:
    assert number_json(value) == written


def test_a_large_tensor_is_summarised() -> None:
    values = np.append(np.arange(5000.0), [np.nan, np.inf])
    written = tensor_json(values)
    assert written["data"] is None
    summary = written["summary"]
    assert (summary["min"], summary["max"], summary["mean"]) == (0.0, 4999.0, 2499.5)
    assert (summary["nan_count"], summary["inf_count"]) == (1, 1)
    assert len(summary["histogram"]["counts"]) == 64
    assert sum(summary["histogram"]["counts"]) == 5000


def test_attributes_are_written_as_in_the_oracle() -> None:
    attributes = {"T": "float32", "shape": (None, 2), "value": np.array([1.0], np.float32), "keep": True}
    assert attributes_json(attributes) == {
        "T": "float32",
        "keep": True,
        "shape": [-1, 2],
        "value": {"dtype": "float32", "shape": [1], "value": [1.0]},
    }


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_columns_and_arrays_have_the_digits_of_their_type_as_numbers_have(dtype: str) -> None:
    array = np.array([0.001, 0.1], dtype)
    assert column_json(list(array)) == nested_json(array) == [0.001, 0.1]
    assert orjson.loads(array_text(array)) == [0.001, 0.1]


def test_many_tensors_are_written_as_each_of_them_is() -> None:
    usual = [
        np.array([[1.1, -0.0], [3e38, 1e-45]], np.float32),
        np.asfortranarray(np.array([[1, 2], [3, 4]], np.float32)),
    ]
    others: list[Array] = [
        np.array(1.1, np.float32),
        np.array(["a"], dtype=object),
        np.array([0.1]),
        np.zeros((3, 0), np.float32),
        np.array([True]),
        np.array([1 + 2j], np.complex64),
    ]
    unwritable = [np.array([np.nan, 1.5], np.float32)]
    for arrays in (usual, others, usual + others, usual + others + unwritable, []):
        assert json.dumps(tensors_json(arrays)) == json.dumps([tensor_json(array) for array in arrays])
