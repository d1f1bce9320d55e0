"""Functions that a dataset calls for each element: built once as a graph, run again and again."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError
from engine.execution import Session
from engine.graph import Tensor
from engine.graph.function_graph import FunctionGraph
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.structures import flat, in_form
from engine.languages.surfaces.tf1.datasets.elements import GraphDataset
from engine.languages.surfaces.tf2.datasets.data import each
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.tensors import Array
from engine.ops.common.constants import placeholder
from engine.ops.common.passing import identity
from engine.ops.sources.datasets import opened

Element = Any  # an array, or a tuple or dict of arrays


class ElementFunction:
    """What a function of the program makes of an element, as a graph of its own.

    outside: the tensors of the graph around it that it uses; a run gives their values.
    spec:    the shapes and types of what it gives; its result may be a dataset.
    """

    def __init__(self, interpreter: Interpreter, function: Any, spec: Any) -> None:
        around: Any = current_graph()
        around.nodes  # noqa: B018  # everything that is asked for until now belongs to the graph around
        self._interpreter = interpreter
        self.graph = FunctionGraph(around, node_limit=interpreter.budget.limits.nodes)
        with self.graph.as_default():
            self._arguments, given = self._argument_tensors(spec)
            made = interpreter.call(function, list(given) if isinstance(given, tuple) else [given], {})
            self._results = each(made, self._result)
        self.outside = tuple(self.graph.taken)
        self.spec = each(self._results, _spec_of)

    def _argument_tensors(self, spec: Any) -> tuple[list[Tensor], Any]:
        leaves = list(flat(spec))
        tensors = [
            placeholder(one.dtype, one.shape, name=f"args_{place}") for place, one in enumerate(leaves)
        ]
        return tensors, in_form(spec, iter(tensors))

    def _result(self, value: Any) -> Any:
        if isinstance(value, GraphDataset):
            return value
        if value is None:
            raise _gives_nothing()
        tensor = convert_to_tensor(value)
        return identity(self.graph.own(tensor))

    @property
    def gives(self) -> Any:
        """Its result as the program has it: tensors of its own graph, or a dataset."""
        return self._results

    def bound(self, outside: tuple[Array, ...]) -> Any:
        """The function for one run, in which the tensors outside have these values."""
        interpreter = self._interpreter
        budget = interpreter.workspace.budget
        session = Session(self.graph, meter=budget, seed=interpreter.workspace.seed, show=interpreter.print)
        lasting = dict(zip(self.graph.taken.values(), outside, strict=True))
        wanted = [one.variant if isinstance(one, GraphDataset) else one for one in flat(self._results)]

        def call(element: Element) -> Any:
            interpreter.budget.step()
            given = dict(zip(self._arguments, flat(element), strict=True))
            return in_form(self._results, map(opened, session.run(wanted, {**given, **lasting})))

        return call


def _spec_of(result: Any) -> Any:
    return result if isinstance(result, GraphDataset) else TensorSpec(result.shape, result.dtype)


def _gives_nothing() -> ProgramError:
    return ProgramError(
        "The function gives None, which no dataset can hold.",
        hint="End it with return.",
        message_zh="函数返回 None，数据集不能存放它。",
        hint_zh="请在函数末尾写 return。",
        code="type_mismatch",
        said="Unsupported return value from function passed to Dataset.map(): None.",
    )
