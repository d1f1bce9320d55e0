"""Which ops compute only with floats, and which with any numbers but not with True and False.

TensorFlow lists for every op the element types that it takes; what stands in neither table takes all.
Source: the op definitions of TensorFlow 1.15.5.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.errors import DtypeError
from engine.ops.base.tensors import FLOATS, INTEGERS

NUMBERS = FLOATS | INTEGERS

OF_FLOATS = """
    Acosh Asinh Atan2 Atanh AvgPool AvgPoolGrad Ceil Cholesky Conv2D Conv2DBackpropFilter
    Conv2DBackpropInput Cos Cosh Digamma DivNoNan Elu EluGrad Erf Erfc Exp Expm1 Floor
    FusedBatchNormGradV3 FusedBatchNormV3 IsFinite IsInf
    IsNan L2Loss LeakyRelu LeakyReluGrad Lgamma LinSpace Log Log1p LogMatrixDeterminant LogSoftmax MulNoNan
    MatrixDeterminant MatrixInverse MatrixSolve MatrixTriangularSolve Polygamma ReciprocalGrad Rint
    Rsqrt RsqrtGrad Selu SeluGrad Sigmoid SigmoidGrad Sin Sinh Softmax SoftmaxCrossEntropyWithLogits
    Softplus Softsign SoftsignGrad SparseSoftmaxCrossEntropyWithLogits Sqrt SqrtGrad Tanh TanhGrad Xdivy
    Xlogy
"""
OF_NUMBERS = """
    Abs AccumulateNV2 Acos Add AddN AddV2 ArgMax ArgMin Asin AssignAdd AssignSub Atan BatchMatMulV2
    BiasAdd BiasAddGrad Bincount Cross Cumprod Cumsum Diag DiagPart FloorDiv FloorMod Greater
    GreaterEqual Less LessEqual MatMul Max MaxPool MaxPoolGrad MaxPoolGradGrad Maximum Mean Min Minimum
    Mul Multinomial Neg Pow Prod RealDiv Reciprocal Relu Relu6 Relu6Grad ReluGrad Round ScatterAdd
    ScatterDiv ScatterMul ScatterSub SegmentMax SegmentMean SegmentMin SegmentSum Sign Square
    SquaredDifference Sub Sum Tan TopKV2 TruncateDiv UnsortedSegmentSum
"""


_floats, _numbers = frozenset(OF_FLOATS.split()), frozenset(OF_NUMBERS.split())


def types_taken(op: str) -> Collection[str] | None:
    """The element types that an op takes; None where it takes all."""
    return FLOATS if op in _floats else NUMBERS if op in _numbers else None


def not_taken(op: str, argument: str, tensor: str, dtype: str) -> DtypeError:
    """What is told of a tensor whose element type an op does not take."""
    if op in _floats:
        return DtypeError(
            f"{op} takes only floats for its input {argument}, but {tensor} is {dtype}.",
            hint="Write 3.0 instead of 3, or tf.cast(…, tf.float32).",
            message_zh=f"{op} 的输入 {argument} 只接受浮点数，但 {tensor} 是 {dtype}。",
            hint_zh="请把 3 写成 3.0，或用 tf.cast(…, tf.float32)。",
        )
    return DtypeError(
        f"{op} computes with numbers, but its input {argument}, {tensor}, is {dtype}.",
        hint="Make numbers of True and False first: tf.cast(…, tf.float32).",
        message_zh=f"{op} 只能计算数字，但它的输入 {argument}（{tensor}）是 {dtype}。",
        hint_zh="请先用 tf.cast(…, tf.float32) 把 True 和 False 变成数字。",
    )
