"""`tf.distribute`: strategies over the one processor that is here, so that each has one replica."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, Block
from engine.ops.base.building import convert_to_tensor


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """What a program trains under; with one replica it computes what the program does without it."""

    kind: str


MEMBERS = members_of(Strategy, "Strategy")
MEMBERS.fact("num_replicas_in_sync")(lambda strategy: 1)
TYPE_NAMES[Strategy] = lambda strategy: strategy.kind


@MEMBERS.method("scope")
def scope(strategy: Strategy) -> Block:
    """A block in which variables are made for the replicas."""

    @contextmanager
    def entered() -> Iterator[Strategy]:
        yield strategy

    return Block(entered)


@MEMBERS.method("run")
def run(
    interpreter: Interpreter,
    strategy: Strategy,
    fn: Any,
    args: Any = (),
    kwargs: Any = None,
    options: Any = None,
) -> Any:
    """What the function gives on the one replica."""
    return interpreter.call(fn, list(args), dict(kwargs or {}))


@MEMBERS.method("reduce", axis=ANY, reduce_op=ANY)
def reduce(strategy: Strategy, reduce_op: Any, value: Any, axis: Any) -> Any:
    """The value of the one replica; along an axis its sum or mean. Raises: ValueRefused for another op."""
    word = str(reduce_op).upper()
    if word not in ("SUM", "MEAN"):
        raise ValueRefused(
            "`reduce_op` is tf.distribute.ReduceOp.SUM or tf.distribute.ReduceOp.MEAN.",
            message_zh="`reduce_op` 应是 tf.distribute.ReduceOp.SUM 或 tf.distribute.ReduceOp.MEAN。",
        )
    tensor = convert_to_tensor(value)
    if axis is None:
        return tensor
    return (ops.reduce_sum if word == "SUM" else ops.reduce_mean)(tensor, axis)


@MEMBERS.method("experimental_distribute_dataset")
def distribute_dataset(strategy: Strategy, dataset: Any, options: Any = None) -> Any:
    """The data set itself: the one replica gets all of it."""
    return dataset


def get_strategy() -> Strategy:
    """The strategy of a program that has chosen none."""
    return Strategy("_DefaultDistributionStrategy")


def mirrored_strategy(devices: Any = None, cross_device_ops: Any = None) -> Strategy:
    """Copies of the variables on each device, of which there is one. Raises: ValueRefused for several."""
    if isinstance(devices, (list, tuple)) and len(devices) > 1:
        raise ValueRefused(
            f"There is one processor here, and MirroredStrategy was given {len(devices)} devices.",
            hint="Leave devices out: the strategy then has one replica.",
            message_zh=f"这里只有一个处理器，而 MirroredStrategy 得到了 {len(devices)} 个设备。",
            hint_zh="请省略 devices：策略就只有一个副本。",
        )
    return Strategy("MirroredStrategy")


def one_device_strategy(device: Any) -> Strategy:
    """All on one device."""
    return Strategy("OneDeviceStrategy")


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "distribute.get_strategy": get_strategy,
    "distribute.MirroredStrategy": mirrored_strategy,
    "distribute.OneDeviceStrategy": one_device_strategy,
}
REDUCE_OPS: Mapping[str, str] = {"distribute.ReduceOp.SUM": "SUM", "distribute.ReduceOp.MEAN": "MEAN"}
LEFT_OUT = ("TPUStrategy", "MultiWorkerMirroredStrategy", "ParameterServerStrategy", "experimental")
HINT = (
    "There is one processor here: write tf.distribute.get_strategy() or tf.distribute.MirroredStrategy().",
    "这里只有一个处理器：请写 tf.distribute.get_strategy() 或 tf.distribute.MirroredStrategy()。",
)
