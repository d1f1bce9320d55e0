"""Schedules in pieces: constants between boundaries, and a warm-up before the full rate."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from engine.errors import ValueRefused
from engine.graph.control_flow.building import case
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common.casting import cast
from engine.ops.elementwise.arithmetic import add_n
from engine.ops.elementwise.comparison import greater, less_equal
from engine.ops.elementwise.extremes import minimum
from engine.ops.elementwise.logical import logical_and
from engine.optimizers.schedules.schedule import Scaled, Schedule


@dataclass(frozen=True, slots=True)
class PiecewiseConstant(Schedule):
    """values[0] up to and including boundaries[0], then values[1] up to boundaries[1], and so on.

    TensorFlow chooses with `tf.case`, that is Switch and Merge, and checks that only one piece holds.
    """

    boundaries: Sequence[Any]
    values: Sequence[Any]

    name: ClassVar[str] = "piecewise_constant"
    scope: ClassVar[str] = "PiecewiseConstant"
    latex: ClassVar[tuple[str, ...]] = (r"\eta_s = v_i \;\text{for}\; b_{i-1} < s \le b_i",)
    doc_zh: ClassVar[str] = "分段常数：到 boundaries[0]（含）为止用 values[0]，之后依次类推。"

    def __post_init__(self) -> None:
        if not len(self.boundaries) or len(self.boundaries) != len(self.values) - 1:
            raise ValueRefused(
                f"piecewise_constant needs one value more than boundaries, but got {len(self.values)} values"
                f" and {len(self.boundaries)} boundaries.",
                message_zh=f"piecewise_constant 的值应比边界多一个，但得到 {len(self.values)} 个值和"
                f" {len(self.boundaries)} 个边界。",
            )

    def rate(self, step: int) -> float:
        """A boundary itself still belongs to the piece before it."""
        return float(self.values[bisect.bisect_left(list(self.boundaries), step)])

    def chosen(self, step: Tensor) -> Tensor:
        """As Keras computes it: each value times whether the step is in its piece, all added up."""
        bounds = [cast(convert_to_tensor(bound), step.dtype) for bound in self.boundaries]
        values = [convert_to_tensor(value) for value in self.values]
        between = [logical_and(greater(step, low), less_equal(step, high)) for low, high in pairwise(bounds)]
        pieces = [less_equal(step, bounds[0]), *between, greater(step, bounds[-1])]
        return add_n([cast(holds, value.dtype) * value for holds, value in zip(pieces, values, strict=True)])

    def build(self, global_step: Any, name: str | None = None) -> Tensor:
        """The last value, unless the step is at most some boundary: the first of them counts."""
        step = convert_to_tensor(global_step)
        bounds = [convert_to_tensor(bound) for bound in self.boundaries]
        values = [convert_to_tensor(value) for value in self.values]
        if step.dtype == "int64":
            bounds = [cast(bound, "int64") if bound.dtype == "int32" else bound for bound in bounds]
        with name_scope(name, self.scope):
            first, last = less_equal(step, bounds[0]), greater(step, bounds[-1])
            between = [
                logical_and(greater(step, low), less_equal(step, high), name="and")
                for low, high in pairwise(bounds)
            ]
            order = [(first, values[0]), (last, values[-1]), *zip(between, values[1:-1], strict=True)]
            cases = [(condition, partial(convert_to_tensor, value)) for condition, value in order]
            chosen: Tensor = case(step.graph, cases, partial(convert_to_tensor, values[0]), exclusive=True)
            return chosen


@dataclass(frozen=True, slots=True)
class WarmUp(Scaled):
    """In equal steps from zero to the full rate, reached after warmup_steps steps; then constant.

    Source: Goyal et al. (2017), gradual warm-up. Step 0 has the rate learning_rate / warmup_steps, not 0.
    """

    learning_rate: Any
    warmup_steps: Any

    name: ClassVar[str] = "warm_up"
    scope: ClassVar[str] = "WarmUp"
    latex: ClassVar[tuple[str, ...]] = (r"\eta_s = \eta_0 \min\left(\frac{s + 1}{W},\, 1\right)",)
    doc_zh: ClassVar[str] = "前 warmup_steps 步把学习率从零均匀升到完整值，之后保持不变。"

    def rate(self, step: int) -> float:
        """The full rate from step warmup_steps - 1 on."""
        return float(self.learning_rate * min((step + 1) / self.warmup_steps, 1.0))

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """The share of the warm-up that is over, at most one, times the rate."""
        now = cast(step, rate.dtype)
        share = minimum((now + 1.0) / float(self.warmup_steps), 1.0)
        return rate * share
