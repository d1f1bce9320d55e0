"""`tf.train.ExponentialMovingAverage`: for each variable a shadow, which follows it more slowly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.errors import DtypeError, ShapeError
from engine.graph import Graph, Node, Variable
from engine.graph.variables.initial_values import initialized_value
from engine.graph.variables.initializers import Zeros
from engine.graph.variables.moving_averages import follow
from engine.graph.variables.variable import GLOBAL_VARIABLES, TRAINABLE_VARIABLES
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.shapes import is_static, written
from engine.ops.base.tensors import FLOATS, Tensor
from engine.ops.common import casting
from engine.ops.common import passing as control
from engine.ops.elementwise import extremes
from engine.optimizers.slots import free_name

MOVING_AVERAGE_VARIABLES = "moving_average_variables"

Followed = Variable | Tensor


class ExponentialMovingAverage:
    """Averages of variables and tensors: shadow ← decay · shadow + (1 - decay) · value.

    decay:       the share that stays, near 1; a number or a tensor.
    num_updates: of so many steps, so that the first ones count more: decay is at most (1 + n) / (10 + n).
    zero_debias: whether the zeros that the averages of tensors begin with do not count.
    Slots:       one shadow for each; of a variable it begins with the variable's initial value.
    Source:      Polyak & Juditsky, Acceleration of stochastic approximation by averaging, 1992.
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self.decay, self.num_updates, self.zero_debias, self.name = decay, num_updates, zero_debias, name
        self._averages: dict[Followed, Variable] = {}

    def apply(self, var_list: Iterable[Followed] | None = None) -> Node:
        """Make what shadows are missing, and the operation that moves all of these one step.

        Raises: DtypeError for integers; ShapeError for a tensor whose shape is not known.
        """
        graph: Any = current_graph()
        followed = list(graph.collection(TRAINABLE_VARIABLES) if var_list is None else var_list)
        anew = {id(one) for one in followed if self._shadow(graph, one)}
        with name_scope(self.name, self.name) as scope:
            decay = self._share()
            steps = [self._step(one, decay, id(one) in anew) for one in followed]
            node: Node = control.group(*steps, name=scope)
            return node

    def average(self, var: Followed) -> Variable | None:
        """The shadow of a variable; None where it has none."""
        return self._averages.get(var)

    def average_name(self, var: Followed) -> str:
        """The name of its shadow, or the one that it would have."""
        known = self.average(var)
        if known is not None:
            return known.node.name
        graph: Any = var.graph
        name: str = graph.names.peek(f"{var.node.name}/{self.name}")
        return name

    def variables_to_restore(self, moving_avg_variables: Sequence[Variable] | None = None) -> dict[str, Any]:
        """What a saver would restore each variable from: its shadow where it has one, else itself."""
        graph: Any = current_graph()
        if moving_avg_variables is None:
            moving_avg_variables = [
                *graph.collection(TRAINABLE_VARIABLES),
                *graph.collection(MOVING_AVERAGE_VARIABLES),
            ]
        found = {self.average_name(variable): variable for variable in dict.fromkeys(moving_avg_variables)}
        others = [v for v in graph.collection(GLOBAL_VARIABLES) if v not in moving_avg_variables]
        return {**{v.node.name: v for v in others}, **found}

    def _share(self) -> Any:
        decay = convert_to_tensor(self.decay, name="decay")
        if self.num_updates is None:
            return decay
        count = casting.cast(self.num_updates, "float32", name="num_updates")
        return extremes.minimum(decay, (1.0 + count) / (10.0 + count))

    def _step(self, followed: Followed, decay: Any, is_new: bool) -> Tensor:
        from_zero = self.zero_debias and is_new and not isinstance(followed, Variable)
        return follow(self._averages[followed], followed, decay, from_zero=from_zero)

    def _shadow(self, graph: Graph, followed: Followed) -> bool:
        """Whether a shadow had to be made."""
        _check(followed)
        if followed in self._averages:
            return False
        name = free_name(graph, followed.node.name, self.name)
        with graph.control_dependencies(None):
            if isinstance(followed, Variable):
                first: Any = initialized_value(graph, followed)
                with graph.colocate_with(followed.node):
                    self._averages[followed] = Variable(first, name=f"{name}/", trainable=False)
                graph.collection(MOVING_AVERAGE_VARIABLES).append(followed)
            else:
                shape: Any = followed.shape
                self._averages[followed] = Variable(
                    lambda: Zeros()(shape, followed.dtype), name=f"{name}/", trainable=False
                )
        return True


def _check(followed: Followed) -> None:
    if followed.dtype not in FLOATS:
        raise DtypeError(
            f"An average takes only floats, but {followed.name} is {followed.dtype}.",
            hint="Write 3.0 instead of 3, or tf.cast(…, tf.float32).",
            message_zh=f"平均值只接受浮点数，但 {followed.name} 是 {followed.dtype}。",
            hint_zh="请把 3 写成 3.0，或用 tf.cast(…, tf.float32)。",
        )
    if not is_static(followed.shape):
        raise ShapeError(
            f"The average of {followed.name} needs a shape that is known, not {written(followed.shape)}.",
            hint="Take the average of a number, such as a loss: tf.reduce_mean(…).",
            message_zh=f"{followed.name} 的平均值需要已知的形状，而不是 {written(followed.shape)}。",
            hint_zh="请对一个数求平均，例如损失：tf.reduce_mean(…)。",
        )
