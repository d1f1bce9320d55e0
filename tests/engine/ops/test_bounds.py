"""What kernels refuse because its result would hold more than what they were given."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import DtypeError, ShapeError, ValueRefused
from engine.interchange.values import summary, tensor_json
from engine.ops import REGISTRY
from engine.ops.base.shapes import MOST_AXES, axes_of


@pytest.mark.parametrize("places", [[0, 0, 2], [0, 1, 3], [-1, 0, 1]])
def test_only_a_permutation_can_be_undone(places: list[int]) -> None:
    with pytest.raises(ValueRefused, match="each number from 0 to 2 one time"):
        REGISTRY["InvertPermutation"].forward(np.array(places))


def test_a_permutation_is_undone() -> None:
    assert REGISTRY["InvertPermutation"].forward(np.array([2, 0, 1])).tolist() == [1, 2, 0]


def test_an_op_has_outputs_of_known_types_only() -> None:
    with pytest.raises(DtypeError, match="elements of the type nonsense, which there is not"):
        REGISTRY["Unique"].output_dtypes({"T": "int32", "out_idx": "nonsense"})


def test_no_more_axes_are_named_than_there_can_be() -> None:
    assert axes_of(np.array([1, 0])) == (1, 0)
    with pytest.raises(ShapeError, match="65 axes are given; a tensor has at most 64"):
        axes_of(np.zeros(MOST_AXES + 1))


def test_the_work_of_a_transposed_product_counts_its_inner_length() -> None:
    a, b = np.ones((1000, 2)), np.ones((1000, 3))
    assert REGISTRY["MatMul"].work([6], [a, b], {"transpose_a": True}) == 2 * 3 * 1000


def test_the_work_of_pooling_counts_the_elements_of_a_window() -> None:
    how = {"ksize": (1, 5, 5, 1), "strides": (1, 1, 1, 1), "padding": "SAME"}
    assert REGISTRY["MaxPool"].work([100], [np.ones((1, 10, 10, 1))], how) == 25 * (100 + 1000)


@pytest.mark.parametrize(
    "numbers",
    [[1e17], [1e17, 1e17 + 16], [-1.7e308, 1.7e308], [np.finfo(np.float64).max], [5e-324], [1.0, 2.0]],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_number_is_in_the_histogram(numbers: list[float]) -> None:
    counts = summary(np.array(numbers))["histogram"]["counts"]
    assert len(counts) == 64
    assert sum(counts) == len(numbers)


def test_many_empty_rows_are_not_written_out() -> None:
    assert tensor_json(np.zeros((1_000_000, 0)))["data"] is None
    assert tensor_json(np.zeros((2, 0)))["data"] == [[], []]
