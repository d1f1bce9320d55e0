"""Python's operators on tensors and variables: each adds the node that TensorFlow's operator adds."""

from __future__ import annotations

from typing import Any

from engine.ops import arithmetic, comparison, indexing, linalg
from engine.ops.building import Tensor


class Operators:
    """Mixin for whatever reads as a tensor (`as_tensor`)."""

    __slots__ = ()

    def as_tensor(self) -> Any:
        """The tensor that the operators work on."""
        raise NotImplementedError

    def __add__(self, other: Any) -> Tensor:
        return arithmetic.operator("add", arithmetic.add_v2, self.as_tensor(), other)

    def __radd__(self, other: Any) -> Tensor:
        return arithmetic.reflected("add", arithmetic.add_v2, other, self.as_tensor())

    def __sub__(self, other: Any) -> Tensor:
        return arithmetic.operator("sub", arithmetic.sub, self.as_tensor(), other)

    def __rsub__(self, other: Any) -> Tensor:
        return arithmetic.reflected("sub", arithmetic.sub, other, self.as_tensor())

    def __mul__(self, other: Any) -> Tensor:
        return arithmetic.operator("mul", arithmetic.mul, self.as_tensor(), other)

    def __rmul__(self, other: Any) -> Tensor:
        return arithmetic.reflected("mul", arithmetic.mul, other, self.as_tensor())

    def __truediv__(self, other: Any) -> Tensor:
        return arithmetic.operator("truediv", arithmetic.true_divide, self.as_tensor(), other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return arithmetic.reflected("truediv", arithmetic.true_divide, other, self.as_tensor())

    def __floordiv__(self, other: Any) -> Tensor:
        return arithmetic.operator("floordiv", arithmetic.floor_div, self.as_tensor(), other)

    def __rfloordiv__(self, other: Any) -> Tensor:
        return arithmetic.reflected("floordiv", arithmetic.floor_div, other, self.as_tensor())

    def __mod__(self, other: Any) -> Tensor:
        return arithmetic.operator("mod", arithmetic.floor_mod, self.as_tensor(), other)

    def __rmod__(self, other: Any) -> Tensor:
        return arithmetic.reflected("mod", arithmetic.floor_mod, other, self.as_tensor())

    def __pow__(self, other: Any) -> Tensor:
        return arithmetic.operator("pow", arithmetic.power, self.as_tensor(), other)

    def __rpow__(self, other: Any) -> Tensor:
        return arithmetic.reflected("pow", arithmetic.power, other, self.as_tensor())

    def __matmul__(self, other: Any) -> Tensor:
        return arithmetic.operator("matmul", linalg.matrix_product, self.as_tensor(), other)

    def __rmatmul__(self, other: Any) -> Tensor:
        return arithmetic.reflected("matmul", linalg.matrix_product, other, self.as_tensor())

    def __neg__(self) -> Tensor:
        return arithmetic.neg(self.as_tensor())

    def __abs__(self) -> Tensor:
        return arithmetic.absolute(self.as_tensor())

    def __lt__(self, other: Any) -> Tensor:
        return comparison.less(self.as_tensor(), other)

    def __le__(self, other: Any) -> Tensor:
        return comparison.less_equal(self.as_tensor(), other)

    def __gt__(self, other: Any) -> Tensor:
        return comparison.greater(self.as_tensor(), other)

    def __ge__(self, other: Any) -> Tensor:
        return comparison.greater_equal(self.as_tensor(), other)

    def __getitem__(self, key: Any) -> Tensor:
        return indexing.subscript(self.as_tensor(), key)
