"""What a TensorFlow 1 dataset makes of another: another order, a part, functions of each element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf1.datasets.elements import (
    GRAPH_DATASET,
    GraphDataset,
    added,
    int64,
)
from engine.languages.surfaces.tf1.datasets.functions import ElementFunction
from engine.languages.surfaces.tf2.datasets import data, shuffling
from engine.languages.surfaces.tf2.datasets.data import Dataset, alike
from engine.ops.base.building import current_graph
from engine.ops.base.tensors import Array, Tensor
from engine.ops.sources.random import DEFAULT_GRAPH_SEED


def _counted(method: str, op: str, doc: str) -> None:
    """A step that takes one number, which the same step of TensorFlow 2 makes of a dataset."""

    @GRAPH_DATASET.method(method)
    def step(interpreter: Interpreter, dataset: GraphDataset, count: Any = None) -> GraphDataset:
        function = data.DATASET.methods[method]
        number = int64(-1 if count is None else count, "count")
        if method == "repeat" and dataset.variant.node.op.name == "ShuffleDataset":
            _note_on_order(interpreter)

        def build(before: Dataset, number: Array) -> Dataset:
            made: Dataset = function.call(interpreter, [before, int(number)], {})
            return made

        return added(op, [dataset.variant, number], build, dataset.spec)

    step.__doc__ = doc


def _note_on_order(interpreter: Interpreter) -> None:
    interpreter.note(
        "shuffled_differently",
        "TensorFlow 1 shuffles and repeats in one step where the one follows the other, so its order is "
        "another one.",
        "TensorFlow 1 把相继的 shuffle 和 repeat 合并成一步，因此其次序与这里不同。",
        "Write .repeat() before .shuffle(…) for TensorFlow's own order.",
        "若要得到 TensorFlow 的次序，请把 .repeat() 写在 .shuffle(…) 之前。",
    )


_counted("repeat", "RepeatDataset", "Again from the start; without a count until something stops it.")
_counted("take", "TakeDataset", "The first elements.")
_counted("skip", "SkipDataset", "All elements but the first.")


@GRAPH_DATASET.method("shuffle")
def shuffle(
    interpreter: Interpreter,
    dataset: GraphDataset,
    buffer_size: Any,
    seed: Any = None,
    reshuffle_each_iteration: Any = None,
) -> GraphDataset:
    """In another order: each element is drawn from a buffer of the next ones."""
    anew = reshuffle_each_iteration is None or bool(reshuffle_each_iteration)
    given = [int64(buffer_size, "buffer_size"), *_seeds(seed)]

    def build(before: Dataset, size: Array, first: Array, second: Array) -> Dataset:
        seeds = (int(first), int(second))
        return shuffling.shuffled(
            before, int(size), seeds if any(seeds) else shuffling.own_seeds(interpreter), anew
        )

    return added("ShuffleDataset", [dataset.variant, *given], build, dataset.spec)


def _seeds(seed: Any) -> tuple[Tensor, Tensor]:
    """The two numbers that the order depends on: not both 0 where one is given, as that means none."""
    graph: Any = current_graph()
    if seed is None and graph.seed is None:
        return int64(0, "seed"), int64(0, "seed2")
    own = graph.op_seed() if seed is None else seed
    first = int64(DEFAULT_GRAPH_SEED if graph.seed is None else graph.seed, "seed")
    with graph.name_scope("seed2") as scope:
        second = int64(own, "Const")
        both = ops.logical_and(ops.equal(first, 0), ops.equal(second, 0))
        return first, ops.where(both, int64(2**31 - 1, "Const"), second, name=scope)


@GRAPH_DATASET.method("prefetch")
def prefetch(dataset: GraphDataset, buffer_size: Any) -> GraphDataset:
    """The same, made beforehand."""
    size = int64(-1 if buffer_size is None else buffer_size, "buffer_size")
    return added("PrefetchDataset", [dataset.variant, size], lambda before, size: before, dataset.spec)


@GRAPH_DATASET.method("cache")
def cache(dataset: GraphDataset, filename: Any = "") -> GraphDataset:
    """The same, kept from the first time."""
    return dataset


@GRAPH_DATASET.method("shard")
def shard(dataset: GraphDataset, num_shards: Any, index: Any) -> GraphDataset:
    """Every so-manieth element."""
    function = data.DATASET.methods["shard"].function
    given = [int64(num_shards, "num_shards"), int64(index, "index")]

    def build(before: Dataset, count: Array, place: Array) -> Dataset:
        made: Dataset = function(before, int(count), int(place))
        return made

    return added("ShardDataset", [dataset.variant, *given], build, dataset.spec)


# -- functions of each element -----------------------------------------------------------------------


def _through(
    op: str,
    dataset: GraphDataset,
    function: ElementFunction,
    step: Callable[[Dataset, Any], Dataset],
    spec: Any,
) -> GraphDataset:
    """A dataset that calls a function for each element; step: makes it, given the function."""

    def build(before: Dataset, *outside: Array) -> Dataset:
        return step(before, function.bound(outside))

    return added(op, [dataset.variant, function.outside], build, spec)


@GRAPH_DATASET.method("map")
def map_(
    interpreter: Interpreter, dataset: GraphDataset, map_func: Any, num_parallel_calls: Any = None
) -> GraphDataset:
    """Each element through a function of the program."""
    function = ElementFunction(interpreter, map_func, dataset.spec)

    def step(before: Dataset, call: Any) -> Dataset:
        return alike(before, lambda: map(call, before.elements()))

    op = "MapDataset" if num_parallel_calls is None else "ParallelMapDataset"
    return _through(op, dataset, function, step, function.spec)


@GRAPH_DATASET.method("filter")
def filter_(interpreter: Interpreter, dataset: GraphDataset, predicate: Any) -> GraphDataset:
    """The elements for which a function of the program holds."""
    function = ElementFunction(interpreter, predicate, dataset.spec)

    def step(before: Dataset, call: Any) -> Dataset:
        return Dataset(lambda: filter(call, before.elements()), None, is_endless=before.is_endless)

    return _through("FilterDataset", dataset, function, step, dataset.spec)


@GRAPH_DATASET.method("flat_map")
def flat_map(interpreter: Interpreter, dataset: GraphDataset, map_func: Any) -> GraphDataset:
    """The elements of the datasets that a function makes of each element, one after the other."""
    function = ElementFunction(interpreter, map_func, dataset.spec)
    inner = _inner_spec(function)

    def step(before: Dataset, call: Any) -> Dataset:
        return Dataset(
            lambda: (one for element in before.elements() for one in call(element).elements()), None
        )

    return _through("FlatMapDataset", dataset, function, step, inner)


def _inner_spec(function: ElementFunction) -> Any:
    if not isinstance(function.gives, GraphDataset):
        raise ProgramError(
            "The function of flat_map gives a dataset for each element.",
            hint="End it with return tf.data.Dataset.from_tensor_slices(…).",
            message_zh="flat_map 的函数应为每个元素返回一个数据集。",
            hint_zh="请以 return tf.data.Dataset.from_tensor_slices(…) 结尾。",
            code="type_mismatch",
            said="`map_func` must return a `Dataset` object.",
        )
    return function.gives.spec


@GRAPH_DATASET.method("apply")
def apply(interpreter: Interpreter, dataset: GraphDataset, transformation_func: Any) -> Any:
    """What a function makes of the whole dataset."""
    return interpreter.call(transformation_func, [dataset], {})


@GRAPH_DATASET.method("with_options")
def with_options(dataset: GraphDataset, options: Any) -> GraphDataset:
    """The same: options say how the machine is used."""
    return dataset
