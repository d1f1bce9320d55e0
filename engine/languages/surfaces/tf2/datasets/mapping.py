"""`dataset.map` and `dataset.filter`: each element through a function of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine import ops
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.surfaces.tf2.datasets.data import (
    DATASET,
    Dataset,
    Element,
    arrays_of,
    called,
    calling,
    each,
    spec_behind,
)
from engine.languages.surfaces.tf2.datasets.kinds import of_kind
from engine.languages.surfaces.tf2.functions.function import Function, concrete_of
from engine.languages.surfaces.tf2.functions.signature import TensorSpec


@DATASET.method("map")
@of_kind("Map")
def map_(
    interpreter: Interpreter,
    dataset: Dataset,
    map_func: Any,
    num_parallel_calls: Any = None,
    **ignored: Any,
) -> Dataset:
    """Each element through a function of the program."""

    def elements() -> Iterator[Element]:
        turn = object()  # random operations in the function begin anew each time
        for element in dataset:
            with calling(turn):
                made = arrays_of(called(interpreter, map_func, element))
            yield made

    spec = mapped_spec(interpreter, dataset, map_func)
    return Dataset(elements, dataset.length, spec, is_endless=dataset.is_endless, behind=[dataset])


@DATASET.method("filter")
@of_kind("Filter")
def filter_(interpreter: Interpreter, dataset: Dataset, predicate: Any, name: Any = None) -> Dataset:
    """The elements for which a function of the program holds."""

    def elements() -> Iterator[Element]:
        for element in dataset:
            interpreter.budget.step()
            if truth(called(interpreter, predicate, element)):
                yield arrays_of(element)

    return Dataset(elements, None, spec_behind(dataset))


def mapped_spec(interpreter: Interpreter, dataset: Dataset, function: Any) -> Callable[[], Any]:
    """What a function of the program gives of an element, found by tracing it."""

    def found() -> Any:
        spec = dataset.spec
        if spec is None:
            return None
        args = list(spec) if isinstance(spec, tuple) else [spec]
        made = concrete_of(interpreter, Function(function), args, {}).result
        return each(made, _spec_of_result)

    return found


def _spec_of_result(value: Any) -> TensorSpec:
    tensor = ops.convert_to_tensor(value)
    return TensorSpec(None if tensor.shape is None else tuple(tensor.shape), tensor.dtype)
