"""A run that was made before, as one generated function: what a program's own loop asks of its session.

The function gives every value that the interpreter computes, to the bit, and every write to a variable. It is
for values of certain shapes, and knows what such a run costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.writing import write_part, write_program
from engine.execution.backends.templates import function_of
from engine.execution.budget import Meter
from engine.execution.interpreter.buffers import variable_behind
from engine.execution.interpreter.fetching import held_at_end
from engine.execution.interpreter.plan import Plan
from engine.execution.interpreter.trace import Run, Update
from engine.execution.tracing.numpy_rules import new_recorder
from engine.execution.tracing.recorder import Recorder
from engine.execution.tracing.tracer import FLOAT64, NotLowered, Tracer
from engine.execution.tracing.walk import Held, Lowered, Walk
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array, array_dtype

MATH = "sin cos tan sinh cosh tanh exp expm1 log log1p sqrt"


def _of_numpy(ufunc: np.ufunc) -> Callable[..., float]:
    """A ufunc on Python floats."""
    return lambda *numbers: float(ufunc(*numbers))


# Python's `math` differs from numpy, by which the interpreter computes, in the last digit of some functions.
AS_NUMPY: Mapping[str, Callable[..., float]] = {
    **{name: _of_numpy(getattr(np, name)) for name in MATH.split()},
    **{
        f"a{name[3:]}": _of_numpy(getattr(np, name))
        for name in ("arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh")
    },
    "pow": _of_numpy(np.power),
}


class Buffer:
    """A variable, and the number that its array holds, as long as that is the one of the run before."""

    __slots__ = ("array", "number", "shape", "variable")

    def __init__(self, variable: Node, shape: tuple[int, ...]) -> None:
        self.variable = variable
        self.shape = shape
        self.array: Array | None = None
        self.number: Any = None

    def read(self, array: Array) -> Any:
        """What a generated function takes for an array of this shape."""
        if self.shape:
            return array
        return array.item() if array.dtype == FLOAT64 else array[()]


class LateRun(Run):
    """A run whose record is written when somebody looks at it: most runs of a loop are not looked at."""

    __slots__ = ("_asked", "_found", "_given", "by")

    def __init__(
        self,
        by: StraightRun,
        asked: Sequence[Tensor | Node],
        given: Sequence[Any],
        found: tuple[Any, ...],
    ) -> None:
        self.by = by
        self._asked = asked
        self._given = given
        self._found: tuple[Any, ...] | None = found  # None once the record is written

    @property
    def count(self) -> int:
        """How many values it has."""
        return len(self.by.tensors)

    def results(self) -> list[Array | None]:
        """What was asked for: arrays for tensors, None for operations."""
        found = self._found
        if found is None:
            return super().results()
        return [None if isinstance(item, Node) else self.by.fetched(item, found) for item in self._asked]

    def __getattr__(self, name: str) -> Any:  # a field that is not there yet
        if name not in ("fetches", "feeds", "updates", "values", "dead"):
            raise AttributeError(name)
        self.fetches = tuple(zip(self._asked, self.results(), strict=True))
        self.feeds, self.updates, self.values = self.by.written_down(self._given, self._found or ())
        self.dead = set()
        self._given, self._found = (), None  # which may be large; the record says which of them are kept
        return object.__getattribute__(self, name)


class StraightRun:
    """One run of a plan on fed values and variables of known shapes.

    tensors:   all that have a value afterwards, in the order in which the interpreter computes them.
    variables: whose values go in, in order, and their shapes.
    work:      the element operations that a run costs.
    """

    def __init__(
        self,
        plan: Plan,
        feeds: Mapping[Tensor, Array],
        before: Mapping[Node, Array],
        seen: Run,
        work: int,
    ) -> None:
        """seen: such a run as the interpreter made it. Raises: NotLowered where that has to make all."""
        walk = RunWalk()
        self.tensors = tuple(seen.values)
        self.work = work
        self._fed = tuple(feeds)
        self._buffers = [Buffer(node, before[node].shape) for node in _variables_of(plan) if node in before]
        given = [walk.take(tensor, array.shape) for tensor, array in feeds.items()]
        given += [walk.hold(buffer.variable, buffer.shape) for buffer in self._buffers]
        walk.all(plan)
        results = [walk.value_of(tensor) for tensor in self.tensors]
        results += [walk.recorder.whole(after) for _, _, after in walk.writes]
        held = {item: held_at_end(item, seen) for item, _ in seen.fetches}
        at_end = {item: variable.outputs[0] for item, variable in held.items() if variable is not None}
        self._fetched = {item: place for place, item in enumerate(at_end, len(results))}
        results += [walk.value_of(buffer) for buffer in at_end.values()]
        self._writes = [(variable, by) for variable, by, _ in walk.writes]
        traced = [result for result in results if isinstance(result, Tracer)]
        places = iter(range(len(traced)))
        self._ways = [(next(places), None) if isinstance(r, Tracer) else (None, r) for r in results]
        last = {variable: place for place, (variable, _) in enumerate(self._writes, len(self.tensors))}
        buffers = {buffer.variable: buffer for buffer in self._buffers}
        self._last = [
            (
                buffers.get(variable) or Buffer(variable, ()),
                *self._ways[place],
                array_dtype(variable.outputs[0].dtype),
            )
            for variable, place in last.items()
        ]
        self._place_of = {tensor: place for place, tensor in enumerate(self.tensors)}
        self._function = exact_function(Lowered(walk.recorder.instructions, given, traced))

    def take(
        self,
        fetches: Sequence[Tensor | Node],
        fed: Iterable[Any],
        variables: dict[Node, Array],
        meter: Meter,
    ) -> LateRun | None:
        """One run: the variables get their new values. None, with nothing done, where it is another case.

        fed:    numbers as generated functions take them, or arrays that nobody else changes.
        Raises: LimitError, with nothing done, where the run is beyond a budget.
        """
        arguments = [*fed]
        for buffer in self._buffers:
            array = variables.get(buffer.variable)
            if array is buffer.array and array is not None:  # as the run before has left it
                arguments.append(buffer.number)
            elif array is None or array.shape != buffer.shape:
                return None
            else:
                arguments.append(buffer.read(array))
        found = self._function(*arguments)
        if found is None:
            return None
        if not meter.spends(self.work):
            meter.spend(self.work)
        for buffer, where, known, dtype in self._last:
            if where is None:
                variables[buffer.variable] = np.asarray(known, dtype)
            else:
                buffer.number = value = found[where]
                buffer.array = variables[buffer.variable] = np.asarray(value, dtype)
        return LateRun(self, fetches, arguments, found)

    def fetched(self, item: Tensor, found: tuple[Any, ...]) -> Array:
        """What a fetch shows among the results of the function."""
        return (
            self._array(self._fetched[item], found, item)
            if item in self._fetched
            else self.value(item, found)
        )

    def value(self, tensor: Tensor, found: tuple[Any, ...]) -> Array:
        """What one tensor is among the results of the function."""
        return self._array(self._place_of[tensor], found, tensor)

    def written_down(self, given: Sequence[Any], found: tuple[Any, ...]) -> tuple[Any, list[Update], Any]:
        """The feeds, updates and values of a run, from what its function took and gave."""
        fed, held = given[: len(self._fed)], given[len(self._fed) :]
        arrays = [_array_of(value, tensor) for tensor, value in zip(self._fed, fed, strict=True)]
        current = {
            buffer.variable: _array_of(value, buffer.variable.outputs[0])
            for buffer, value in zip(self._buffers, held, strict=True)
        }
        updates = []
        for place, (variable, by) in enumerate(self._writes, len(self.tensors)):
            after = self._array(place, found, variable.outputs[0])
            updates.append(Update(variable, by, current.get(variable), after))
            current[variable] = after
        values = {tensor: self.value(tensor, found) for tensor in self.tensors}
        return tuple(zip(self._fed, arrays, strict=True)), updates, values

    def _array(self, place: int, found: tuple[Any, ...], tensor: Tensor) -> Array:
        where, known = self._ways[place]
        return _array_of(known if where is None else found[where], tensor)


def _array_of(value: Any, tensor: Tensor) -> Array:
    """A value of a generated function as the array that a tensor has."""
    return np.asarray(value, dtype=array_dtype(tensor.dtype))


class RunWalk(Walk):
    """A walk that notes each write, and leaves to the interpreter what more than computes.

    writes: for each, the variable, the node that writes it, and its new value.
    """

    def __init__(self) -> None:
        super().__init__(exact_recorder())
        self.writes: list[tuple[Node, Node, Held]] = []

    def take(self, tensor: Tensor, shape: tuple[int, ...]) -> Tracer:
        """A tensor that is fed."""
        if variable_behind(tensor) is not None:
            raise NotLowered("a variable that is fed")
        value = self.recorder.value(shape, array_dtype(tensor.dtype))
        self.known[tensor] = value
        return value

    def hold(self, variable: Node, shape: tuple[int, ...]) -> Tracer:
        """A variable that has a value before the run."""
        value = self.recorder.value(shape, variable.outputs[0].dtype)
        self.before[variable] = self.current[variable] = value
        return value

    def value_of(self, tensor: Tensor) -> Held:
        """What a tensor is after the run."""
        return self.recorder.whole(self.result(tensor))

    def _check(self, node: Node) -> None:
        super()._check(node)
        if node.op.text_rule is not None or node.op.name in ("IsVariableInitialized", "Placeholder"):
            raise NotLowered("what prints, or looks at more than values")

    def _keep(self, node: Node, results: Sequence[Held]) -> None:
        super()._keep(node, results)
        for index in node.op.writes:
            variable = node.inputs[index].node
            self.writes.append((variable, node, self.current[variable]))


def _variables_of(plan: Plan) -> list[Node]:
    """The variables that the nodes of a plan read or write."""
    return [step for step in plan.steps if isinstance(step, Node) and step.op.name == "VariableV2"]


def exact_recorder() -> Recorder:
    """A recorder by which every number is the interpreter's to the bit."""
    recorder = new_recorder()
    recorder.exact = True
    return recorder


def exact_function(lowered: Lowered) -> Callable[..., tuple[Any, ...] | None]:
    """The instructions as one function, which gives None where a domain error is for the interpreter."""
    written = write_program(lowered)
    return function_of(written.code, {**written.names, **AS_NUMPY, "interpret": lambda *_: None})


def exact_part(lowered: Lowered) -> Callable[..., Any]:
    """The same as a part of other functions, for arrays of any shapes; they deal with its errors."""
    written = write_part(lowered)
    return function_of(written.code, {**written.names, **AS_NUMPY})
