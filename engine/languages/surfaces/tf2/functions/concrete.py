"""One trace of a function: its steps, and a call of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.graph import Tensor, Variable
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.steps import (
    CallStep,
    Handle,
    IfStep,
    LoopStep,
    OpStep,
    ReadStep,
    Running,
    Step,
    leaves,
    mapped,
)
from engine.languages.surfaces.tf2.functions.traced import TracedGraph, TracedTensor, outside, tracing_now


@dataclass(slots=True)
class Concrete:
    """A trace for one kind of arguments.

    specs:    what the arguments have to be; form: the lists and dicts that they stand in.
    inputs:   what stands for each of them in the steps.
    result:   what the function returned, of tensors of the trace.
    captured: what it takes from the trace of a function around it.
    """

    form: Any
    specs: Sequence[Any]
    inputs: Sequence[Any]
    steps: Sequence[Step]
    result: Any
    name: str
    graph: TracedGraph
    needed: frozenset[Any] = field(init=False)
    captured: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.needed = needed_by(self.steps, self.result)
        self.captured = [one for one in self.needed if getattr(one, "graph", self.graph) is not self.graph]
        known = {*filter(_is_traced, self.inputs), *self.captured}
        _check_scope(self.steps, known, leaves(self.result))

    def accepts(self, form: Any, specs: Sequence[Any]) -> bool:
        """Whether a call with such arguments is one of this trace."""
        same_form = self.form == form and len(self.specs) == len(specs)
        return same_form and all(own.accepts(one) for own, one in zip(self.specs, specs, strict=True))

    def run(self, interpreter: Interpreter, given: Sequence[Any]) -> Any:
        """Go through the steps with the values of a call; inside another trace, that is one step."""
        tracing = tracing_now()
        if tracing is not None:
            return self._as_step(tracing, given)
        graph: Any = interpreter.workspace.graph
        inputs = [*self.inputs, *self.captured] if len(given) > len(self.inputs) else self.inputs
        values = {a: b for a, b in zip(inputs, given, strict=True) if _stands_for(a, b)}
        running = Running(interpreter, graph, values, self.needed)
        outer, interpreter.staging = interpreter.staging, None
        try:
            running.steps(self.steps)
        finally:
            interpreter.staging = outer
            for opened in reversed(list(running.opened.values())):
                opened.__exit__(None, None, None)
        return running.now(self.result)

    def _as_step(self, graph: TracedGraph, given: Sequence[Any]) -> Any:
        inputs = [one.ref if isinstance(one, Variable) else one for one in given]
        tensors = [one for one in inputs if isinstance(one, Tensor)]
        for variable in self.graph.variables_read:
            graph.see_read(variable)
        known = [*_outer(self.steps), *(one.ref for one in self.graph.variables_read)]
        captured = [one for one in dict.fromkeys(known) if one not in tensors]
        gives = mapped(self.result, lambda one: _fresh(graph, [*tensors, *captured], one))
        call = Native(self.name, lambda interpreter, *values: self.run(interpreter, values))
        graph.add(CallStep(graph.trail, call, [*given, *self.captured], {}, gives))
        return gives


def _fresh(graph: TracedGraph, inputs: Sequence[Any], one: Any) -> Any:
    if isinstance(one, Tensor):
        return graph.passed(inputs, [(one.dtype, one.shape)], "PartitionedCall")[0]
    return one.another() if isinstance(one, Handle) else one


def _stands_for(a: Any, b: Any) -> bool:
    return a is not b and isinstance(a, (Tensor, Variable, Handle))


def _outer(steps: Iterable[Step]) -> list[Any]:
    """The tensors from outside that steps take."""
    found: dict[Any, None] = {}
    for step in steps:
        found.update((one, None) for one in step.takes() if _is_outer(one))
    return list(found)


def _is_outer(one: Any) -> bool:
    return isinstance(one, Tensor) and not isinstance(one, TracedTensor)


def needed_by(steps: Iterable[Step], result: Any) -> frozenset[Any]:
    """What something takes: other steps, or the result."""
    taken = {one for step in steps for one in step.takes() if _is_traced(one)}
    return frozenset(taken | {one for one in leaves(result) if _is_traced(one)})


def _is_traced(one: Any) -> bool:
    return isinstance(one, (TracedTensor, Handle))


# -- where tensors may be used -----------------------------------------------------------------------


def _check_scope(steps: Iterable[Step], known: set[Any], result: Iterable[Any] = ()) -> None:
    """Raises: ProgramError where a step takes a tensor of a branch, a loop or another function."""
    for step in steps:
        if isinstance(step, IfStep):
            for side in step.sides:
                _check_scope(side.steps, {*known}, side.values)
            _check((step.test,), known, step)
            known.update(step.gives)
        elif isinstance(step, LoopStep):
            _check([one for one in step.begun if one is not None], known, step)
            inside = {*known, *step.inside, *leaves(step.item)}
            if step.test is not None:
                _check_scope(step.test.steps, inside, step.test.values)
            _check_scope(step.body.steps, inside, step.body.values)
            known.update(step.gives)
        else:
            _check(step.takes(), known, step)
            known.update(_given_by(step))
    _check(result, known, None)


def _check(taken: Iterable[Any], known: set[Any], step: Step | None) -> None:
    for one in taken:
        if isinstance(one, TracedTensor) and one not in known:
            error = mistakes.out_of_scope(f"<tf.Tensor '{one.name}'>", "InaccessibleTensorError")
            error.where = step.trail[-1] if step is not None and step.trail else None
            raise error


def _given_by(step: Step) -> Iterable[Any]:
    if isinstance(step, OpStep):
        return step.node.outputs
    if isinstance(step, ReadStep):
        return (step.output,)
    return leaves(step.gives) if isinstance(step, CallStep) else ()


__all__ = ["Concrete", "outside"]
