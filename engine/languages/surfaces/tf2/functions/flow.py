"""Branches and loops that tensors decide: both sides and one turn are traced, and each call takes its way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.graph import Tensor, Variable
from engine.languages.interpreter.builtins.records import like
from engine.languages.interpreter.decisions import names_in, written
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import NUMBERS
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.lowering import (
    RETURN_VALUE,
    RETURNED,
    read_first,
    without_flags,
)
from engine.languages.surfaces.tf2.functions.said import Said, SaidSides, said_while
from engine.languages.surfaces.tf2.functions.steps import (
    Branch,
    Handle,
    IfStep,
    LoopStep,
    Running,
    Step,
    leaves,
    mapped,
)
from engine.languages.surfaces.tf2.functions.symbols import Symbol, changed_by
from engine.languages.surfaces.tf2.functions.traced import TracedGraph, TracedTensor
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Shape

TENSORS = (Tensor, Variable, np.ndarray, *NUMBERS)


@dataclass(slots=True)
class Ways:
    """What two ways through the code give, put together leaf by leaf."""

    flow: Flow
    name: str
    blocks: tuple[list[Step], list[Step]]
    pairs: list[tuple[Any, Any]] = field(default_factory=list)
    gives: list[Any] = field(default_factory=list)

    def together(self, a: Any, b: Any) -> Any:
        """One structure in place of two. Raises: ProgramError where they are not alike."""
        if self.name == RETURNED and a is b:
            return a
        if isinstance(a, TENSORS) and isinstance(b, TENSORS):
            return self._tensor(a, b)
        if isinstance(a, (list, tuple)) and type(a) is type(b) and len(a) == len(b):
            return like(a, [self.together(x, y) for x, y in zip(a, b, strict=True)])
        if type(a) is dict and type(b) is dict and a.keys() == b.keys():
            return {key: self.together(a[key], b[key]) for key in a}
        if isinstance(a, Handle) and type(a) is type(b):
            return self._give(a, b, a.another())
        if a is b:
            return a
        raise mistakes.other_structure(shown(self.name), a, b)

    def _tensor(self, a: Any, b: Any) -> Any:
        first, second = (self.flow.tensor(one, steps) for one, steps in zip((a, b), self.blocks, strict=True))
        if first.dtype != second.dtype:
            raise mistakes.other_dtype_in_branch(shown(self.name), first.dtype, second.dtype)
        shape = common_shape(first.shape, second.shape)
        (made,) = self.flow.graph.passed([first, second], [(first.dtype, shape)], "cond")
        return self._give(first, second, made)

    def _give(self, a: Any, b: Any, made: Any) -> Any:
        self.pairs.append((a, b))
        self.gives.append(made)
        return made


def shown(name: str) -> str:
    """A name as TensorFlow shows it: the value of `return` is its own."""
    return "retval_" if name == RETURN_VALUE else name


def common_shape(a: Shape, b: Shape) -> Shape:
    """What is known of a shape that may be one or the other."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(m if m == n else None for m, n in zip(a, b, strict=True))


def fits(shape: Shape, before: Shape) -> bool:
    """Whether what is known of a shape after a turn says no less than what was known before."""
    if before is None:
        return True
    return (
        shape is not None
        and len(shape) == len(before)
        and all(n is None or m == n for m, n in zip(shape, before, strict=True))
    )


@dataclass(slots=True)
class Flow:
    """What traces control flow.

    missing: why names have no value, where only some ways through the code give them one.
    bodies:  the functions that are being traced, each with its whole body.
    """

    interpreter: Interpreter
    graph: TracedGraph
    missing: dict[str, ProgramError] = field(default_factory=dict)
    bodies: list[Sequence[ast.stmt]] = field(default_factory=list)

    def tensor(self, value: Any, steps: list[Step] | None = None) -> Tensor:
        """A value as a tensor, made where these steps end; left out, here."""
        if isinstance(value, Tensor):
            return value
        with self.graph.block(self.graph.steps if steps is None else steps):
            return convert_to_tensor(value)

    # -- branches --------------------------------------------------------------------------------

    def branch(
        self,
        test: Any,
        sides: Sequence[Callable[[], Any]],
        changed: Sequence[Symbol] = (),
        said: SaidSides | None = None,
    ) -> Any:
        """Trace two sides of which one runs; what they give, and what they bind, is one or the other.

        said: what stands in the program's text.
        """
        test = self.tensor(test)
        before = [one.read(self.interpreter) for one in changed]
        blocks, given, after = [], [], []
        for side in sides:
            self._restore(changed, before)
            with self.graph.block() as steps:
                given.append(side())
            blocks.append(steps)
            after.append([one.read(self.interpreter) for one in changed])
        two = (blocks[0], blocks[1])
        ways = [Ways(self, "", two)]
        result = None if given[0] is None and given[1] is None else ways[0].together(*given)
        for symbol, a, b in zip(changed, *after, strict=True):
            ways.append(Ways(self, symbol.name, two))
            self._merge(symbol, a, b, ways[-1])
        pairs = [pair for way in ways for pair in way.pairs]
        sides_made = (Branch(blocks[0], [a for a, _ in pairs]), Branch(blocks[1], [b for _, b in pairs]))
        gives = [one for way in ways for one in way.gives]
        self.graph.add(IfStep(self.graph.trail, test, sides_made, gives, said))
        return result

    def _restore(self, symbols: Sequence[Symbol], values: Sequence[Any]) -> None:
        for symbol, value in zip(symbols, values, strict=True):
            symbol.write(self.interpreter, value)

    def _merge(self, symbol: Symbol, a: Any, b: Any, ways: Ways) -> None:
        if a is MISSING and b is MISSING:
            return
        try:
            if a is MISSING or b is MISSING:
                raise mistakes.not_in_branch(shown(symbol.name), "main" if a is MISSING else "else")
            if (a is None) != (b is None):
                raise mistakes.none_in_branch(shown(symbol.name), "main" if a is None else "else")
            symbol.write(self.interpreter, ways.together(a, b))
            self.missing.pop(symbol.name, None)
        except ProgramError as error:
            del ways.pairs[:], ways.gives[:]
            self.missing[symbol.name] = error
            symbol.write(self.interpreter, MISSING)

    # -- loops -----------------------------------------------------------------------------------

    def loop(
        self,
        body: Callable[[], None],
        *,
        test: Callable[[], Any] | None = None,
        parts: Sequence[ast.AST],
        rows: Callable[[Running], Iterator[Any]] | None = None,
        item: Any = None,
        wanted: set[str],
        may_begin_late: bool = True,
        shapes: Mapping[str, Shape] | None = None,
        node: ast.While | ast.For,
    ) -> None:
        """Trace one turn of a loop.

        node:   that stands in the program's text.
        parts:  what of the text is gone through in a turn. wanted: the names that are read after the loop.
        may_begin_late: whether those may get their first value in the loop. shapes: what is known of a name's
                shape in every turn, where the program says so.
        """
        changed = changed_by(self.interpreter, parts)
        needs, _ = read_first(parts)
        carried = [one for one in changed if one.owner is not None or one.name in needs | wanted]
        begun = [one.read(self.interpreter) for one in carried]
        begun = [MISSING if value is None else value for value in begun]
        turn = Turn(self, needs, shapes or {})
        late = [one.name for one, value in zip(carried, begun, strict=True) if value is MISSING]
        if late and not may_begin_late:
            raise mistakes.not_before_loop(late[0])
        for symbol, value in zip(carried, begun, strict=True):
            if value is not MISSING:
                symbol.write(self.interpreter, turn.begin(symbol.name, value))
        said, tested = self._said_loop(node, item, carried), None
        if test is not None:
            with self.graph.block() as steps:
                value = self.tensor(test())
            tested = Branch(steps, [value])
        with self.graph.block() as steps:
            body()
            after = [one.read(self.interpreter) for one in carried]
            for symbol, first, last in zip(carried, begun, after, strict=True):
                self._carry(turn, symbol, first, last)
        others = [one for one in changed if one not in carried]
        for symbol in others:
            symbol.write(self.interpreter, MISSING)
        with self.interpreter.building(node.iter if isinstance(node, ast.For) else node.test):
            self.graph.add(turn.step(rows, item, tested, steps, said=said))

    def _said_loop(self, node: ast.While | ast.For, item: Any, carried: Sequence[Symbol]) -> Said:
        """A loop as it stands in the text, with what it carries as it is in a turn."""
        named = {one.name: one.read(self.interpreter) for one in carried if one.owner is None}
        own = {name: value for name, value in named.items() if value is not MISSING and " " not in name}
        if isinstance(node, ast.For):
            target = {node.target.id: item} if isinstance(node.target, ast.Name) else {}
            return Said(node.lineno, "", target, own)
        test = without_flags(node.test)
        names = names_in(self.interpreter, test)
        return Said(node.lineno, written(self.interpreter, test), names, own)

    def while_loop(self, test: Any, body: Any, values: Any, most: Any) -> Any:
        """`tf.while_loop`: the values go round, in lists as they are given."""
        call, turn = self.interpreter.call, Turn(self, {"loop_vars"})
        inside = turn.begin("loop_vars", list(values))
        said = said_while(self.interpreter, test, body, inside)
        with self.graph.block() as test_steps:
            tested = self.tensor(call(test, inside, {}))
        with self.graph.block() as steps:
            given = call(body, inside, {})
            result = turn.end("loop_vars", list(given) if isinstance(given, (list, tuple)) else [given])
        self.graph.add(turn.step(None, None, Branch(test_steps, [tested]), steps, most, said))
        return tuple(result) if isinstance(values, tuple) else result

    def _carry(self, turn: Turn, symbol: Symbol, first: Any, last: Any) -> None:
        try:
            if last is MISSING:
                return
            if first is MISSING:
                symbol.write(self.interpreter, turn.made(symbol.name, last))
            else:
                symbol.write(self.interpreter, turn.end(symbol.name, last))
        except ProgramError as error:
            if symbol.name in turn.needs:
                raise
            self.missing[symbol.name] = error
            symbol.write(self.interpreter, MISSING)


@dataclass(slots=True)
class Turn:
    """The values that a loop carries from turn to turn, leaf by leaf.

    begun: before the first turn; inside: what stands for them in a turn; after: at its end; gives: behind the
    loop. late: those that the loop itself makes, with their names.
    """

    flow: Flow
    needs: set[str]
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    begun: list[Any] = field(default_factory=list)
    inside: list[Any] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)
    gives: list[Any] = field(default_factory=list)
    late: dict[Any, str] = field(default_factory=dict)
    _forms: dict[str, tuple[Any, list[int]]] = field(default_factory=dict)

    def step(
        self,
        rows: Any,
        item: Any,
        tested: Branch | None,
        steps: list[Step],
        most: Any = None,
        said: Said | None = None,
    ) -> Step:
        """The loop, when it has been traced."""
        return LoopStep(
            self.flow.graph.trail,
            rows,
            item,
            tested,
            Branch(steps, self.after),
            self.inside,
            self.begun,
            self.gives,
            self.late,
            most,
            said,
        )

    def begin(self, name: str, value: Any) -> Any:
        """What a name is inside of the loop."""
        places: list[int] = []
        form = mapped(value, lambda leaf: self._begin(name, leaf, places))
        self._forms[name] = (form, places)
        return form

    def _begin(self, name: str, leaf: Any, places: list[int]) -> Any:
        if isinstance(leaf, TENSORS):
            first: Any = self.flow.tensor(leaf)
            shape = self.shapes.get(name, first.shape)
            (inside,) = self.flow.graph.passed([first], [(first.dtype, shape)], name.partition(" ")[0])
        elif isinstance(leaf, Handle):
            first, inside = leaf, leaf.another()  # type: ignore[assignment]  # a handle for a handle
        else:
            return leaf
        places.append(len(self.begun))
        self.begun.append(first)
        self.inside.append(inside)
        self.after.append(inside)
        self.gives.append(inside)
        return inside

    def end(self, name: str, value: Any) -> Any:
        """What a name is behind the loop. Raises: ProgramError where a turn makes something else of it."""
        form, places = self._forms[name]
        if not places:
            return value if _same(form, value) else self._other(name, form, value)
        before, after = leaves(form), leaves(value)
        if len(before) != len(after):
            self._other(name, form, value)
        waiting = iter(places)
        made = iter([self._end(name, a, b, waiting) for a, b in zip(before, after, strict=True)])
        return mapped(form, lambda _: next(made))

    def _other(self, name: str, form: Any, value: Any) -> Any:
        raise mistakes.other_structure_in_loop(shown(name), form, value)

    def _end(self, name: str, inside: Any, value: Any, places: Iterator[int]) -> Any:
        if isinstance(inside, Handle):
            if type(value) is not type(inside):
                self._other(name, inside, value)
            place = next(places)
            self.after[place], self.gives[place] = value, inside.another()
            return self.gives[place]
        if not isinstance(inside, TracedTensor):
            return value if _same(inside, value) else self._other(name, inside, value)
        if not isinstance(value, TENSORS):
            self._other(name, inside, value)
        last, place = self.flow.tensor(value), next(places)
        if last.dtype != inside.dtype:
            raise mistakes.other_dtype_in_loop(shown(name), inside.dtype, last.dtype)
        if not fits(last.shape, inside.shape):
            raise mistakes.other_shape_in_loop(shown(name), inside.shape, last.shape)
        (made,) = self.flow.graph.passed([self.begun[place], last], [(last.dtype, inside.shape)], "while")
        self.after[place], self.gives[place] = last, made
        return made

    def made(self, name: str, value: Any) -> Any:
        """What a name is behind the loop that first gives it a value."""
        return mapped(value, lambda leaf: self._made(name, leaf))

    def _made(self, name: str, leaf: Any) -> Any:
        if isinstance(leaf, TENSORS):
            last = self.flow.tensor(leaf)
            (behind,) = self.flow.graph.passed([last], [(last.dtype, last.shape)], "while")
        elif isinstance(leaf, Handle):
            last, behind = leaf, leaf.another()  # type: ignore[assignment]  # a handle for a handle
        else:
            return leaf
        self.begun.append(None)
        self.inside.append(behind)
        self.after.append(last)
        self.gives.append(behind)
        self.late[behind] = shown(name)
        return behind


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and isinstance(a, (str, tuple, list, dict)) and a == b)


@contextmanager
def in_body(flow: Flow, body: Sequence[ast.stmt]) -> Iterator[None]:
    """A function's body is being traced; names that other functions left without a value are not its own."""
    outer, flow.missing = flow.missing, {}
    flow.bodies.append(body)
    try:
        yield
    finally:
        flow.bodies.pop()
        flow.missing = outer


def read_after(flow: Flow, loop: ast.stmt) -> set[str]:
    """The names that the function reads outside of a loop."""
    inside = set(map(id, ast.walk(loop)))
    return {
        one.id
        for statement in (flow.bodies[-1] if flow.bodies else ())
        for one in ast.walk(statement)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and id(one) not in inside
    } | ({RETURN_VALUE, RETURNED} & loaded_flags(loop))


def loaded_flags(loop: ast.stmt) -> set[str]:
    """The flags of `return` that a loop sets: they are always read after it."""
    return {one.id for one in ast.walk(loop) if isinstance(one, ast.Name) and " " in one.id}
