"""Values that a file holds, as arrays; those that cannot be what they say are described."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.interchange.messages import DATA_TYPES, GraphDef
from engine.interchange.reading import ImportedGraph, read_graph
from tests.limits import ROOMY


def constant(dtype: str = "DT_FLOAT", shape: tuple[int, ...] = (), **values: Any) -> ImportedGraph:
    message = GraphDef()
    entry = message.node.add(name="c", op="Const")
    entry.attr["dtype"].type = DATA_TYPES[dtype]
    tensor = entry.attr["value"].tensor
    tensor.dtype = DATA_TYPES[dtype]
    for size in shape:
        tensor.tensor_shape.dim.add(size=size)
    for name, value in values.items():
        if isinstance(value, bytes):
            tensor.tensor_content = value
        else:
            getattr(tensor, name).extend(value)
    return read_graph(message.SerializeToString(), ROOMY)


def value(*given: Any, **values: Any) -> Any:
    return constant(*given, **values).nodes[0].attrs["value"]


def test_elements_as_bytes_or_as_a_list() -> None:
    assert value("DT_FLOAT", (2,), tensor_content=np.array([1, 2], "<f4").tobytes()).tolist() == [1, 2]
    assert value("DT_INT64", (2,), int64_val=[3, 4]).tolist() == [3, 4]
    assert value("DT_BOOL", (), bool_val=[True]).tolist() is True
    assert value("DT_STRING", (2,), string_val=[b"a", b"b"]).tolist() == [b"a", b"b"]
    assert value("DT_HALF", (), half_val=[0x3C00]) == 1  # 1.0 in sixteen bits


def test_the_last_of_too_few_elements_fills_the_rest() -> None:
    assert value("DT_FLOAT", (3,), float_val=[7]).tolist() == [7, 7, 7]
    assert value("DT_FLOAT", (4,), float_val=[1, 2]).tolist() == [1, 2, 2, 2]
    assert value("DT_INT32", (2,)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("shape", "values", "says"),
    [
        ((2,), {"float_val": [1, 2, 3]}, "float32 (2,) has 3 elements, not 2"),
        ((2,), {"tensor_content": b"12345"}, "float32 (2,) has 5 bytes, not 8"),
        (
            (10**9, 10**9),
            {"float_val": [1]},
            "float32 (1000000000, 1000000000) has 1,000,000,000,000,000,000 elements, "
            "more than the 4,000,000 that are read",
        ),
        ((-5,), {}, "shape [-5] is no shape"),
        ((-1,), {}, "a value has no known shape"),
    ],
)
def test_a_value_that_cannot_be_is_noted_and_the_graph_opens(shape: Any, values: Any, says: str) -> None:
    graph = constant("DT_FLOAT", shape, **values)
    assert [note.message for note in graph.notes] == [f"Of node 'c' an attribute cannot be read: {says}."]
    assert isinstance(graph.nodes[0].attrs["value"], str)


def test_a_type_without_arrays_is_described() -> None:
    assert value("DT_COMPLEX64", (2,)) == "complex64 (2,)"
