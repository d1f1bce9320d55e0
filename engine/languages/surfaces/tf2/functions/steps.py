"""The steps of a traced function, and how they run on the values of a call.

Each step adds to the eager graph the nodes that the program's own line would add there, from the same place
of the text, so that a function is drawn, recorded by tapes and shown turn by turn like any other code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.errors import GradlensError, ProgramError, Span
from engine.execution.eager.graph import EagerGraph
from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.builtins.records import like
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Lazy
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.said import Rounds, Said, SaidSides
from engine.ops.base.slices import IndexedSlices
from engine.ops.common.constants import zeros_like

Trail = tuple[Span | None, ...]


class Handle:
    """Something else than a tensor that a call has its own of: a tensor array, a tape."""

    __slots__ = ()

    def another(self) -> Handle:
        """The same kind of thing, as another step gives it."""
        raise NotImplementedError


OWN = (Tensor, Variable, Handle)  # what a call has its own of


@dataclass(slots=True)
class Running:
    """One call of a traced function: what each of its tensors is this time.

    needed: the tensors that something later takes; a step that fails and gives none of them is left out,
            as TensorFlow does not run it.
    """

    interpreter: Interpreter
    graph: EagerGraph
    values: dict[Any, Any]
    needed: frozenset[Any]
    opened: dict[Any, Any] = field(default_factory=dict)

    def now(self, value: Any) -> Any:
        """What something of the trace is in this call; what comes from outside is itself."""
        return mapped(value, lambda one: self.values.get(one, one) if isinstance(one, OWN) else one)

    def steps(self, steps: Sequence[Step]) -> None:
        """Run steps in order; an error in one of them has its place."""
        for step in steps:
            self.interpreter.budget.step()
            try:
                with self.along(step.trail):
                    step.run(self)
            except ProgramError as error:
                if self._may_fail(step):
                    continue
                _place(error, step.trail)
                raise
            except GradlensError as error:
                _place(error, step.trail)
                raise

    def _may_fail(self, step: Step) -> bool:
        """Whether nothing takes what a step gives, which has no effect either."""
        if not isinstance(step, OpStep) or not self.needed.isdisjoint(step.node.outputs):
            return False
        return not step.node.op.stateful and not step.node.op.writes

    @contextmanager
    def along(self, trail: Trail) -> Iterator[None]:
        """Nodes made inside come from the end of a trail of places."""
        interpreter = self.interpreter
        outer, interpreter.place = interpreter.place, trail[-1] if trail else interpreter.place
        try:
            with self.graph.along(trail):
                yield
        finally:
            interpreter.place = outer


def _place(error: GradlensError, trail: Trail) -> None:
    if error.where is None and trail:
        error.where = trail[-1]


def mapped(value: Any, of: Callable[[Any], Any]) -> Any:
    """A structure with something else in the place of each leaf; objects of the program are leaves."""
    if type(value) is Lazy:
        return Lazy((mapped(item, of) for item in value), value.shown)
    if isinstance(value, (list, tuple)):
        return like(value, [mapped(item, of) for item in value])
    if type(value) is dict:
        return {key: mapped(item, of) for key, item in value.items()}
    if isinstance(value, IndexedSlices):
        whole = value.dense_shape
        return IndexedSlices(of(value.values), of(value.indices), whole if whole is None else of(whole))
    if isinstance(value, slice):
        return slice(*(mapped(part, of) for part in (value.start, value.stop, value.step)))
    return of(value)


def leaves(value: Any) -> list[Any]:
    """The leaves of a structure, in the order in which `mapped` meets them."""
    found: list[Any] = []

    def keep(one: Any) -> Any:
        found.append(one)
        return one

    mapped(value, keep)
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens at every call. trail: the places of the program that lead to it."""

    trail: Trail

    def run(self, running: Running) -> None:
        """Do it, and keep what it gives."""
        raise NotImplementedError

    def takes(self) -> list[Any]:
        """What it needs of the steps before."""
        return []


@dataclass(frozen=True, slots=True)
class OpStep(Step):
    """A node is made. name: what was asked for it, before it was made unique."""

    node: Node
    attributes: Mapping[str, Any]
    name: str

    def run(self, running: Running) -> None:
        values, graph, node = running.values, running.graph, self.node
        inputs = [values.get(tensor, tensor) for tensor in node.inputs]
        made = graph.create_node(node.op, inputs, self.attributes, self.name)
        values.update(zip(node.outputs, made.outputs, strict=False))

    def takes(self) -> list[Any]:
        return [*self.node.inputs]


@dataclass(frozen=True, slots=True)
class ReadStep(Step):
    """A variable is read."""

    variable: Variable
    output: Tensor

    def run(self, running: Running) -> None:
        variable = running.values.get(self.variable, self.variable)
        running.values[self.output] = running.graph.reading(variable)


@dataclass(frozen=True, slots=True)
class CallStep(Step):
    """A function of ours that does more than add nodes is called: a tape, an optimizer, an assignment.

    gives: what it gave when it was traced. joined: the tensors that must be there, as zeros where a branch
           that was not taken would have joined them.
    """

    function: Any
    args: Sequence[Any]
    keywords: Mapping[str, Any]
    gives: Any
    joined: Mapping[Any, Any] = field(default_factory=dict)

    def run(self, running: Running) -> None:
        arguments = running.now(list(self.args)), running.now(dict(self.keywords))
        found = running.interpreter.call(self.function, *arguments)
        self._keep(running, self.gives, found)

    def _keep(self, running: Running, given: Any, found: Any) -> None:
        if isinstance(given, IndexedSlices) and isinstance(found, IndexedSlices):
            for name in ("values", "indices", "dense_shape"):
                running.values[getattr(given, name)] = getattr(found, name)
        elif isinstance(given, dict):
            for key, one in given.items():
                self._keep(running, one, found[key])
        elif isinstance(given, (list, tuple)):
            for one, other in zip(given, found, strict=True):
                self._keep(running, one, other)
        elif isinstance(given, OWN):
            if isinstance(found, Variable):
                if given not in running.needed:
                    return
                found = found.read
            if found is None and given in self.joined:
                found = zeros_like(running.now(self.joined[given]))
            elif isinstance(found, IndexedSlices):
                found = found.densify(None)
            running.values[given] = found

    def takes(self) -> list[Any]:
        return leaves([self.args, self.keywords])


@dataclass(frozen=True, slots=True)
class OpenStep(Step):
    """A `with` block begins, of something that a step before gave."""

    manager: Any

    def run(self, running: Running) -> None:
        actual = running.now(self.manager)
        opened = CONTEXTS[type(actual)](running.interpreter, actual)
        opened.__enter__()
        running.opened[self.manager] = opened


@dataclass(frozen=True, slots=True)
class CloseStep(Step):
    """It ends."""

    manager: Any

    def run(self, running: Running) -> None:
        running.opened.pop(self.manager).__exit__(None, None, None)


@dataclass(frozen=True, slots=True)
class Branch:
    """The steps of one side, and the values that it hands on."""

    steps: Sequence[Step]
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class IfStep(Step):
    """One of two sides runs. said: where the program's text asks for it."""

    test: Any
    sides: tuple[Branch, Branch]
    gives: Sequence[Any]
    said: SaidSides | None = None

    def run(self, running: Running) -> None:
        holds = _holds(running.now(self.test))
        if self.said is not None:
            self.said.note(running.interpreter, running.now(dict(self.said.names)), holds=holds)
        side = self.sides[0 if holds else 1]
        running.steps(side.steps)
        running.values.update(zip(self.gives, running.now(list(side.values)), strict=True))

    def takes(self) -> list[Any]:
        inner = [one for side in self.sides for step in side.steps for one in step.takes()]
        return [self.test, *inner, *(one for side in self.sides for one in side.values)]


@dataclass(frozen=True, slots=True)
class LoopStep(Step):
    """Steps run again and again.

    rows:   what gives one item for each turn; None: a loop that only its test ends.
    item:   the leaves that each item is taken apart into.
    test:   the steps and the value that say whether there is a turn; None: always.
    inside: what the changing values are called in a turn; begun: what they are before the first one.
    late:   those that have no value before the first turn, so that there has to be one.
    said:   where the program's text asks for it.
    """

    rows: Callable[[Running], Iterator[Any]] | None
    item: Any
    test: Branch | None
    body: Branch
    inside: Sequence[Any]
    begun: Sequence[Any]
    gives: Sequence[Any]
    late: Mapping[Any, str]
    most: Any = None
    said: Said | None = None

    def run(self, running: Running) -> None:
        values = running.now(list(self.begun))
        turns, rows = 0, self.rows(running) if self.rows else None
        most = None if self.most is None else int(_number(running.now(self.most)))
        rounds = None if self.said is None else Rounds(running.interpreter, self.said, running.now)
        while most is None or turns < most:
            running.values.update(zip(self.inside, values, strict=True))
            at = 0 if rounds is None else rounds.place
            if not self._goes_on(running, rows):
                break
            if rounds is not None:
                rounds.turn(turns + 1, at)
            running.interpreter.budget.step()
            running.steps(self.body.steps)
            values, turns = running.now(list(self.body.values)), turns + 1
        if rounds is not None:
            is_tested = self.test is not None and (most is None or turns < most)
            rounds.end(turns, rounds.place, is_tested=is_tested)
        if not turns and self.late:
            raise mistakes.no_turn(next(iter(self.late.values())))
        running.values.update(zip(self.gives, values, strict=True))

    def _goes_on(self, running: Running, rows: Iterator[Any] | None) -> bool:
        """Whether there is another turn, whose item is there then."""
        if self.test is not None:
            running.steps(self.test.steps)
            if not _holds(running.now(self.test.values[0])):
                return False
        if rows is not None:
            row = next(rows, self)
            if row is self:
                return False
            running.values.update(zip(leaves(self.item), leaves(row), strict=True))
        return True

    def takes(self) -> list[Any]:
        sides = [self.body, *([self.test] if self.test else [])]
        inner = [one for side in sides for step in side.steps for one in step.takes()]
        return [*self.begun, *inner, *(one for side in sides for one in side.values), self.most]


def _holds(value: Any) -> bool:
    return bool(_number(value))


def _number(value: Any) -> Any:
    held = getattr(value, "array", None)
    return value if held is None else held
