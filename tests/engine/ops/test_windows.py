"""Where the windows of an image stand, by hand, and what is said of images that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ShapeError, ValueRefused
from engine.graph import Graph
from engine.ops.networks import windows
from engine.ops.networks.convolution import conv2d, conv2d_op
from engine.ops.networks.pooling import avg_pool_op, max_pool, max_pool_grad, max_pool_op
from engine.ops.networks.windows import Axis

ROW = np.array([1.0, 5.0, 2.0, 4.0, 3.0]).reshape(1, 1, 5, 1)
BY_THREE = {"ksize": (1, 1, 3, 1), "strides": (1, 1, 2, 1)}


def test_windows_that_may_reach_beyond_the_ends_are_one_for_each_stride() -> None:
    axis = Axis(size=3, stride=2, dilation=1, padded=True)
    assert axis.count(5) == 3  # around the elements 0, 2 and 4
    assert axis.before(5) == 1
    assert list(axis.places(5)) == [
        (0, slice(1, 3), slice(1, 4, 2)),  # the first window has nothing on its left
        (1, slice(0, 3), slice(0, 5, 2)),
        (2, slice(0, 2), slice(1, 4, 2)),  # the last one nothing on its right
    ]


def test_windows_inside_are_as_many_as_fit() -> None:
    axis = Axis(size=2, stride=1, dilation=2, padded=False)
    assert axis.count(5) == 3  # 0 and 2, 1 and 3, 2 and 4
    assert list(axis.places(5)) == [(0, slice(0, 3), slice(0, 3, 1)), (1, slice(0, 3), slice(2, 5, 1))]


def test_a_window_far_larger_than_its_image_goes_through_the_image_only() -> None:
    assert (
        max_pool_op.forward(ROW, ksize=(1, 10**9, 10**9, 1)).tolist() == np.full((1, 1, 5, 1), 5.0).tolist()
    )


def test_a_filter_weighs_each_neighbour() -> None:
    w = np.array([1.0, 10.0, 100.0]).reshape(1, 3, 1, 1)
    assert conv2d_op.forward(ROW, w).reshape(-1).tolist() == [510.0, 251.0, 425.0, 342.0, 34.0]


def test_windows_that_are_unfolded_in_portions_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.RandomState(0)
    x, w = random.normal(size=(2, 5, 4, 3)), random.normal(size=(3, 2, 3, 2))
    at_once = conv2d_op.forward(x, w)
    monkeypatch.setattr(windows, "UNFOLDED", 1)  # one element of the window at a time
    assert np.allclose(conv2d_op.forward(x, w), at_once, rtol=1e-13)


def test_of_equal_elements_the_first_gets_the_gradient() -> None:
    x = np.array([2.0, 2.0, 1.0, 3.0]).reshape(1, 1, 4, 1)
    how = {"ksize": (1, 1, 2, 1), "strides": (1, 1, 2, 1)}
    dx = max_pool_grad.forward(
        x, max_pool_op.forward(x, **how), np.array([5.0, 7.0]).reshape(1, 1, 2, 1), **how
    )
    assert dx.reshape(-1).tolist() == [5.0, 0.0, 0.0, 7.0]


def test_the_mean_counts_only_what_stands_in_the_image() -> None:
    assert avg_pool_op.forward(ROW, **BY_THREE).reshape(-1).tolist() == [3.0, 11 / 3, 3.5]


def test_the_largest_of_each_window() -> None:
    assert max_pool_op.forward(ROW, **BY_THREE).reshape(-1).tolist() == [5.0, 5.0, 4.0]


def test_channels_that_differ_are_refused_with_both_shapes() -> None:
    with Graph().as_default(), pytest.raises(ShapeError) as caught:
        conv2d(np.ones([1, 4, 4, 2]), np.ones([2, 2, 3, 1]), [1, 1, 1, 1], "SAME")
    assert str(caught.value) == (
        "The images have 2 channels, but the filter takes 3: (1, 4, 4, 2) and (2, 2, 3, 1)."
    )


def test_a_window_that_does_not_fit_is_refused_with_what_same_would_do() -> None:
    with Graph().as_default(), pytest.raises(ShapeError) as caught:
        max_pool(np.ones([1, 4, 4, 2]), 5, 1, "VALID")
    assert str(caught.value) == "Windows of (5, 5) do not fit into images of (4, 4)."
    assert caught.value.hint == "With padding='SAME' elements are added around the images."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"padding": "same"}, "`padding` is 'SAME' or 'VALID' here, not 'same'."),
        (
            {"data_format": "NCHW"},
            "The channels stand last here (NHWC), as without a GPU; 'NCHW' is not supported.",
        ),
        (
            {"strides": [2, 2, 2, 1]},
            "`strides` takes [1, rows, columns, 1], one number or two, all at least 1, not [2, 2, 2, 1].",
        ),
    ],
)
def test_settings_that_do_not_exist_are_refused(given: dict[str, object], message: str) -> None:
    settings = {"ksize": 2, "strides": 2, "padding": "SAME", **given}
    with Graph().as_default(), pytest.raises(ValueRefused) as caught:
        max_pool(np.ones([1, 4, 4, 2]), **settings)
    assert str(caught.value) == message
