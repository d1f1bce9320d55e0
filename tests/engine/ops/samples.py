"""For each op with a gradient: arguments at which it is smooth, one sample for each pattern of shapes.

Floats are differentiated; integers and booleans are fixed, and so are the positions named in `fixed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

A = np.array([0.3, -0.7, 1.4])
B = np.array([0.6, 0.45, -0.2])
POSITIVE = np.array([0.3, 1.7, 2.6])
UNIT = np.array([0.3, -0.45, 0.8])
ROWS = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.6]])
ROWS_2 = np.array([[1.3, 0.7, -0.9], [0.5, -1.6, 2.2]])
COLUMN = np.array([[1.5], [-0.4]])
NUMBER = np.array(0.8)
SQUARE = np.array([[2.0, 0.7], [-0.3, 1.4]])
POSITIVE_DEFINITE = np.array([[2.0, 0.4], [0.4, 1.4]])
STACK = np.array([[[2.0, 0.7], [-0.3, 1.4]], [[1.1, -0.4], [0.6, 0.9]]])
SHARES = np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])

IMAGES = np.cos(np.arange(24.0) * 1.3).reshape(2, 3, 4, 1)
FILTER = np.sin(np.arange(8.0) * 0.9).reshape(2, 2, 1, 2)
POOLED = np.sin(np.arange(8.0) * 0.7).reshape(2, 2, 2, 1)
IMAGES_OF_TWO = np.cos(np.arange(24.0) * 1.3).reshape(2, 3, 2, 2)
CONVOLVED = np.cos(np.arange(16.0) * 0.6).reshape(2, 2, 2, 2)
FILTERS_OF_TWO = np.sin(np.arange(16.0) * 0.9).reshape(2, 2, 2, 2)
BY_CHANNEL = np.cos(np.arange(48.0) * 0.6).reshape(2, 3, 2, 4)
BY_TWO = {"ksize": (1, 2, 2, 1), "strides": (1, 2, 2, 1)}
BY_TWO_INSIDE = {"ksize": (1, 2, 2, 1), "strides": (1, 1, 1, 1), "padding": "VALID"}


def whole(values: Any) -> Any:
    """Integers, as positions and axes are given."""
    return np.array(values, dtype=np.int32)


@dataclass(frozen=True)
class Sample:
    """Inputs (a list where the op takes one), attributes, and inputs that count as fixed."""

    inputs: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    fixed: tuple[int, ...] = ()
    outputs: int | None = None  # how many of them have a gradient; all unless said otherwise


def each(*inputs: Any, **attrs: Any) -> Sample:
    return Sample(inputs, attrs)


def unary(x: Any) -> list[Sample]:
    return [each(x), each(x[0]), each(x.reshape(3, 1))]


def pairs(x: Any = A, y: Any = B) -> list[Sample]:
    """Equal shapes, a number with a vector, and two axes that both stretch."""
    return [each(x, y), each(x, y[0]), each(x[1], y), each(x.reshape(3, 1), y)]


def reductions(**attrs: Any) -> list[Sample]:
    return [
        each(ROWS, whole([0, 1]), **attrs),
        each(ROWS, whole([1]), **attrs),
        each(ROWS, whole(0), keep_dims=True, **attrs),
        each(A, whole([-1]), **attrs),
    ]


# What has no slope to compare, by name, so that no other op joins them unseen.
OF_INTEGERS = {"ArgMax", "ArgMin", "TruncateDiv"}
IN_STEPS = {"Ceil", "Floor", "FloorDiv", "Rint", "Round"}  # flat between jumps: the gradient is None
ONCE_ONLY = {"Softsign", "SparseSoftmaxCrossEntropyWithLogits"}  # TensorFlow has no second order there
LEFT_OUT_TWICE = {"FusedBatchNormV3"}  # TensorFlow has a second order of many nodes; here it is refused
ONCE_ONLY |= LEFT_OUT_TWICE

SAMPLES: dict[str, list[Sample]] = {
    "Abs": unary(A),
    "AccumulateNV2": [each([A, B, A])],
    "Acos": unary(UNIT),
    "Acosh": unary(POSITIVE + 1),
    "Add": pairs(),
    "AddN": [each([A, B, A])],
    "AddV2": pairs(),
    "ArgMax": [each(ROWS, whole(1))],
    "ArgMin": [each(ROWS, whole(0))],
    "Asin": unary(UNIT),
    "Asinh": unary(A),
    "Atan": unary(A),
    "Atan2": pairs(),
    "Atanh": unary(UNIT),
    "AvgPool": [each(IMAGES, **BY_TWO), each(IMAGES, **BY_TWO_INSIDE)],
    "AvgPoolGrad": [each(whole([2, 3, 4, 1]), POOLED, **BY_TWO)],
    "BatchMatMulV2": [
        each(STACK, STACK[:, :, :1]),
        each(STACK, STACK, adj_x=True),
        each(STACK, STACK, adj_y=True),
        each(STACK, STACK, adj_x=True, adj_y=True),
        each(STACK, STACK[:1]),
    ],
    "BiasAdd": [each(ROWS, A)],
    "BiasAddGrad": [each(ROWS)],
    "BroadcastTo": [each(A, whole([2, 3])), each(COLUMN, whole([2, 3]))],
    "Cast": [each(A, DstT="float64")],
    "Ceil": unary(A),
    "ConcatV2": [each([ROWS, ROWS_2], whole(1)), each([A, B, A], whole(0))],
    "Cholesky": [each(POSITIVE_DEFINITE)],
    "CheckNumerics": unary(A),
    "Conv2D": [
        each(IMAGES, FILTER),
        each(IMAGES, FILTER, strides=(1, 2, 2, 1)),
        each(IMAGES, FILTER, padding="VALID", dilations=(1, 2, 2, 1)),
    ],
    "Conv2DBackpropFilter": [each(IMAGES, whole([2, 2, 1, 2]), CONVOLVED, strides=(1, 2, 2, 1))],
    "Conv2DBackpropInput": [each(whole([2, 3, 4, 1]), FILTER, CONVOLVED, strides=(1, 2, 2, 1))],
    "Cos": unary(A),
    "Cosh": unary(A),
    "Cumprod": [each(A, whole(0)), each(ROWS, whole(1), reverse=True), each(A, whole(0), exclusive=True)],
    "Cumsum": [each(A, whole(0)), each(ROWS, whole(1), reverse=True), each(A, whole(0), exclusive=True)],
    "Diag": [each(A)],
    "DiagPart": [each(SQUARE)],
    "Digamma": unary(POSITIVE),
    "DivNoNan": pairs(),
    "DynamicPartition": [
        each(ROWS, whole([1, 0]), num_partitions=2),
        each(A, whole([0, 1, 0]), num_partitions=2),
    ],
    "DynamicStitch": [each([whole([0, 2]), whole([1])], [A[:2], B[:1]])],
    "Elu": unary(A),
    "EluGrad": [each(A, UNIT)],
    "Erf": unary(A),
    "Erfc": unary(A),
    "Exp": unary(A),
    "ExpandDims": [each(A, whole(0)), each(ROWS, whole(-1))],
    "Expm1": unary(A),
    "Fill": [each(whole([2, 3]), NUMBER)],
    "Floor": unary(A),
    "FloorDiv": pairs(A, B * 1.1),
    "FloorMod": pairs(A, B * 1.1),
    "FusedBatchNormV3": [
        Sample((IMAGES_OF_TWO, UNIT[:2], A[:2], np.zeros(0), np.zeros(0)), {}, (3, 4), 1),
        Sample((IMAGES_OF_TWO, UNIT[:2], A[:2], B[:2], POSITIVE[:2]), {"is_training": False}, (3, 4), 1),
    ],
    "GatherNd": [each(ROWS, whole([[0, 1], [1, 2], [0, 1]])), each(A, whole([[2], [0]]))],
    "GatherV2": [
        each(A, whole([0, 2, 2]), whole(0)),
        each(ROWS, whole([1]), whole(0)),
        each(ROWS, whole([2, 0]), whole(1)),
    ],
    "Identity": unary(A),
    "IdentityN": [each([A, ROWS])],
    "L2Loss": [each(A), each(ROWS)],
    "LeakyRelu": unary(A),
    "LeakyReluGrad": [each(A, B, alpha=0.3)],
    "Lgamma": unary(POSITIVE),
    "Log": unary(POSITIVE),
    "Log1p": unary(POSITIVE),
    "LogMatrixDeterminant": [each(SQUARE), each(STACK)],
    "LogSoftmax": [each(A), each(ROWS)],
    "MatMul": [
        each(ROWS, ROWS_2.T),
        each(ROWS, ROWS_2, transpose_a=True),
        each(ROWS, ROWS_2, transpose_b=True),
        each(ROWS.T, ROWS_2, transpose_a=True, transpose_b=True),
    ],
    "Cross": [each(A, B), each(ROWS, ROWS_2)],
    "MatrixBandPart": [each(SQUARE, whole(-1), whole(0)), each(STACK, whole(0), whole(-1))],
    "MatrixDeterminant": [each(SQUARE), each(STACK)],
    "MatrixDiag": [each(A), each(ROWS)],
    "MatrixDiagPart": [each(SQUARE), each(ROWS), each(STACK)],
    "MatrixInverse": [each(SQUARE), each(STACK), each(SQUARE, adjoint=True)],
    "MatrixSetDiag": [each(SQUARE, A[:2]), each(ROWS, A[:2])],
    "MatrixSolve": [each(SQUARE, COLUMN), each(SQUARE, COLUMN, adjoint=True)],
    "MatrixTriangularSolve": [
        each(SQUARE, COLUMN),
        each(SQUARE, COLUMN, adjoint=True),
        each(SQUARE, COLUMN, lower=False),
    ],
    "Max": reductions(),
    "MaxPool": [each(IMAGES, **BY_TWO), each(IMAGES, **BY_TWO_INSIDE)],
    "MaxPoolGrad": [each(IMAGES, POOLED, POOLED, **BY_TWO)],
    "MaxPoolGradGrad": [each(IMAGES, POOLED, IMAGES, **BY_TWO)],
    "Maximum": pairs(),
    "Mean": reductions(),
    "Min": reductions(),
    "Minimum": pairs(),
    "MirrorPad": [each(A, whole([[1, 2]])), each(ROWS, whole([[1, 0], [1, 2]]), mode="SYMMETRIC")],
    "MirrorPadGrad": [each(np.linspace(-1, 2, 6), whole([[1, 2]]))],
    "Mul": pairs(),
    "MulNoNan": pairs(),
    "MultiplyAdd": [each(A, B, UNIT), each(A, B[0], ROWS), each(ROWS, NUMBER, A)],
    "Neg": unary(A),
    "Pack": [each([A, B]), each([A, B, A], axis=1)],
    "Pad": [each(A, whole([[1, 2]])), each(ROWS, whole([[0, 1], [2, 0]]))],
    "PadV2": [Sample((A, whole([[1, 2]]), NUMBER), fixed=(2,))],
    "PlaceholderWithDefault": [each(A, shape=(3,))],
    "Polygamma": [Sample((np.array(2.0), POSITIVE), fixed=(0,))],
    "Pow": pairs(POSITIVE, B),
    "Print": [each(A, [B, NUMBER])],
    "Prod": reductions(),
    "RealDiv": pairs(),
    "Reciprocal": unary(A),
    "ReciprocalGrad": [each(A, B)],
    "Relu": unary(A),
    "Relu6": unary(A * 3),
    "Relu6Grad": [each(A, B)],
    "ReluGrad": [each(A, B)],
    "Reshape": [each(ROWS, whole([3, 2])), each(ROWS, whole([-1]))],
    "ReverseV2": [each(ROWS, whole([0, 1]))],
    "Rint": unary(A),
    "Roll": [each(A, whole([1]), whole([0]))],
    "Round": unary(A),
    "Rsqrt": unary(POSITIVE),
    "RsqrtGrad": [each(POSITIVE, B)],
    "ScatterNd": [each(whole([[0], [2], [0]]), A, whole([4]))],
    "SegmentMax": [each(A, whole([0, 0, 1]))],
    "SegmentMean": [each(A, whole([0, 0, 1])), each(ROWS, whole([0, 0]))],
    "SegmentMin": [each(A, whole([0, 1, 1]))],
    "SegmentSum": [each(A, whole([0, 0, 1])), each(ROWS, whole([0, 1]))],
    "Select": [
        each(np.array([True, False, True]), A, B),
        each(np.array([True, False]), ROWS, ROWS_2),
        each(np.array(True), A, B),
    ],
    "Selu": unary(A),
    "SeluGrad": [each(A, UNIT)],
    "Sigmoid": unary(A),
    "SigmoidGrad": [each(UNIT, B)],
    "Sign": unary(A),
    "Sin": unary(A),
    "Sinh": unary(A),
    "Slice": [each(ROWS, whole([0, 1]), whole([2, -1]))],
    "Softmax": [each(A), each(ROWS)],
    "SoftmaxCrossEntropyWithLogits": [Sample((ROWS, SHARES), fixed=(1,))],
    "Softplus": unary(A),
    "Softsign": unary(A),
    "SparseSoftmaxCrossEntropyWithLogits": [Sample((ROWS, whole([2, 0])), outputs=1)],
    "SelfAdjointEigV2": [
        each(POSITIVE_DEFINITE),
        Sample((POSITIVE_DEFINITE,), {"compute_v": False}, outputs=1),
    ],
    "Svd": [
        each(SQUARE),
        each(ROWS),
        each(ROWS.T),
        each(STACK),
        Sample((ROWS,), {"compute_uv": False}, outputs=1),
    ],
    "Qr": [each(SQUARE), each(ROWS.T), each(ROWS), each(STACK)],
    "TensorScatterAdd": [each(A, whole([[0], [2], [0]]), B)],
    "TensorScatterSub": [each(A, whole([[0], [2], [0]]), B)],
    "TensorScatterUpdate": [each(A, whole([[2], [0]]), B[:2]), each(ROWS, whole([[1]]), ROWS_2[:1])],
    "DepthwiseConv2dNative": [
        each(IMAGES_OF_TWO, FILTERS_OF_TWO),
        each(IMAGES_OF_TWO, FILTERS_OF_TWO, padding="VALID"),
    ],
    "DepthwiseConv2dNativeBackpropInput": [each(whole([2, 3, 2, 2]), FILTERS_OF_TWO, BY_CHANNEL)],
    "DepthwiseConv2dNativeBackpropFilter": [each(IMAGES_OF_TWO, whole([2, 2, 2, 2]), BY_CHANNEL)],
    "Split": [each(whole(1), ROWS, num_split=3)],
    "SplitV": [each(ROWS, whole([1, 2]), whole(1), num_split=2)],
    "Sqrt": unary(POSITIVE),
    "SqrtGrad": [each(POSITIVE, B)],
    "Square": unary(A),
    "SquaredDifference": pairs(),
    "Squeeze": [each(COLUMN), each(COLUMN, squeeze_dims=(1,))],
    "StridedSlice": [
        each(ROWS, whole([0, 1]), whole([2, 2]), whole([1, 1]), shrink_axis_mask=2),
        each(ROWS, whole([0]), whole([0]), whole([-1]), begin_mask=1, end_mask=1),
        each(ROWS, whole([0, 0]), whole([0, 3]), whole([1, 2]), new_axis_mask=1),
    ],
    "StridedSliceGrad": [each(whole([4]), whole([1]), whole([4]), whole([1]), A)],
    "Sub": pairs(),
    "Sum": reductions(),
    "Tan": unary(UNIT),
    "Tanh": unary(A),
    "TanhGrad": [each(UNIT, B)],
    "Tile": [each(A, whole([2])), each(ROWS, whole([2, 1]))],
    "TopKV2": [Sample((A, whole(2)), outputs=1), Sample((ROWS, whole(2)), outputs=1)],
    "Transpose": [each(ROWS, whole([1, 0])), each(STACK, whole([2, 0, 1]))],
    "TruncateDiv": [each(whole([7, -7]), whole([2, 2]))],
    "Unpack": [each(ROWS, num=3, axis=1)],
    "UnsortedSegmentSum": [each(A, whole([1, 0, 1]), whole(2)), each(ROWS, whole([0, 0]), whole(3))],
    "Xdivy": pairs(),
    "Xlogy": pairs(A, POSITIVE),
}
