"""What the interpreter asks while a function is traced: which calls and which control flow become steps."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from engine import ops
from engine.graph import Tensor, Variable
from engine.languages.interpreter.decisions import names_in
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.assignment import assign
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.tf2.datasets.data import Dataset
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.effects import deferred
from engine.languages.surfaces.tf2.functions.flow import Flow, common_shape, in_body, read_after
from engine.languages.surfaces.tf2.functions.lowering import RETURN_VALUE, RETURNED, has_flags, lowered
from engine.languages.surfaces.tf2.functions.said import SaidSides
from engine.languages.surfaces.tf2.functions.signature import shape_of
from engine.languages.surfaces.tf2.functions.steps import Running
from engine.languages.surfaces.tf2.functions.symbols import changed_by
from engine.languages.surfaces.tf2.functions.traced import TracedGraph, outside
from engine.ops.base.tensors import Shape, name_of

LOOKED_AT = 1000  # elements of a data set whose shapes are compared

if TYPE_CHECKING:
    from engine.languages.surfaces.tf2.functions.function import Function


@dataclass(slots=True)
class FunctionStaging:
    """The trace of one function that is under way.

    converts:        whether AutoGraph takes part.
    makes_variables: whether `tf.Variable` may still be made; made: how many were.
    """

    interpreter: Interpreter
    graph: TracedGraph
    function: Function
    converts: bool
    makes_variables: bool
    made: int = 0
    flow: Flow = field(init=False)

    def __post_init__(self) -> None:
        self.flow = Flow(self.interpreter, self.graph)

    def takes(self, value: Any) -> bool:
        """Whether a test or a sequence is a tensor, so that the trace decides on it."""
        return self.converts and isinstance(value, (Tensor, Variable, Dataset))

    def explain_missing(self, name: str) -> None:
        """Raises: ProgramError where a name has no value, as not every way through gives it one."""
        if name in self.flow.missing:
            raise self.flow.missing[name]

    def call(self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """What a call gives that becomes a step of the trace; MISSING where it is a call like any other."""
        rule = deferred(function, args, self.converts)
        return MISSING if rule is None else rule(self, function, args, keywords)

    # -- functions -------------------------------------------------------------------------------

    def returned(self, body: list[ast.stmt]) -> Any:
        """Run the body of a function; what it returns."""
        known = self.function.lowered
        if id(body) not in known:
            known[id(body)] = lowered(body), body
        statements = known[id(body)][0]
        with in_body(self.flow, statements):
            self.interpreter.execute(statements)
            names = self.interpreter.scope.names
            if RETURN_VALUE in names:
                return names[RETURN_VALUE]
            self.explain_missing(RETURN_VALUE)
        return None

    # -- branches --------------------------------------------------------------------------------

    def if_(self, node: ast.If, test: Any) -> None:
        """Both sides of an `if`."""
        sides = [self._side(node.body), self._side(node.orelse)]
        with self.interpreter.building(node.test):
            changed = changed_by(self.interpreter, [*node.body, *node.orelse])
            self.flow.branch(test, sides, changed, self._said(node))

    def _side(self, body: Sequence[ast.stmt]) -> Callable[[], None]:
        def run() -> None:
            self.interpreter.execute(body)

        return run

    def choose(self, test: Any, sides: Sequence[Callable[[], Any]], node: ast.IfExp | None = None) -> Any:
        """What one of two expressions gives. node: `a if test else b`."""
        return self.flow.branch(test, sides, said=None if node is None else self._said(node))

    def _said(self, node: ast.If | ast.IfExp) -> SaidSides | None:
        """A branch as it stands in the text; None where it tests a flag that `lowered` has made."""
        return None if has_flags(node.test) else SaidSides(node, names_in(self.interpreter, node.test))

    def invert(self, value: Any) -> Any:
        """`not value`."""
        return ops.logical_not(self.flow.tensor(value))

    # -- loops -----------------------------------------------------------------------------------

    def while_(self, node: ast.While) -> bool:
        """A `while` whose test is a tensor; False where it is none."""
        if not self.converts:
            return False
        with self.graph.block():
            first = self.interpreter.evaluate(node.test)
        if not self.takes(first):
            self._plain_while(node, first)
            return True
        self._no_return(node)
        self.flow.loop(
            self._side(node.body),
            test=lambda: self.interpreter.evaluate(node.test),
            parts=[ast.Expr(node.test), *node.body],
            wanted=read_after(self.flow, node),
            shapes=self._shapes(node),
            node=node,
        )
        return True

    def _plain_while(self, node: ast.While, test: Any) -> None:
        """A loop that Python decides on, its jumps flags. Raises: ProgramError where a tensor takes over."""
        while truth(test):
            self.interpreter.execute(node.body)
            test = self.interpreter.evaluate(node.test)
            if self.takes(test):
                error = mistakes.became_tensor()
                error.where = self.interpreter.source.span(node.test)
                raise error

    def _no_return(self, node: ast.stmt) -> None:
        """Raises: ProgramError where a loop of the trace holds a `return`."""
        inside = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if RETURN_VALUE in inside or RETURNED in inside:
            error = mistakes.return_in_loop()
            error.where = self.interpreter.source.span(node)
            raise error

    def for_(self, node: ast.For, values: Any) -> None:
        """A `for` over the rows of a tensor or the elements of a data set."""
        self._no_return(node)
        item, rows = self._elements(values)

        def turn() -> None:
            assign(self.interpreter, node.target, item)
            self.interpreter.execute(node.body)

        goes_on = getattr(node, "goes_on", None)
        test = None if goes_on is None else lambda: self.interpreter.evaluate(goes_on)
        tests = [] if goes_on is None else [ast.Expr(goes_on)]
        parts = [*tests, ast.copy_location(ast.Assign([node.target], ast.Constant(0)), node), *node.body]
        self.flow.loop(
            turn,
            test=test,
            parts=parts,
            rows=rows,
            item=item,
            wanted=read_after(self.flow, node),
            may_begin_late=not isinstance(values, Dataset),
            shapes=self._shapes(node),
            node=node,
        )

    def _shapes(self, node: ast.While | ast.For) -> dict[str, Shape]:
        """What `set_loop_options` in a loop says of shapes."""
        found: dict[str, Shape] = {}
        for statement in node.body:
            call = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "set_loop_options":
                pairs = next((one.value for one in call.keywords if one.arg == "shape_invariants"), None)
                for pair in getattr(pairs, "elts", ()):
                    name, shape = getattr(pair, "elts", (None, None))
                    if isinstance(name, ast.Name) and shape is not None:
                        found[name.id] = shape_of(self.interpreter.evaluate(shape))
        return found

    def _elements(self, values: Any) -> tuple[Any, Callable[[Running], Iterator[Any]]]:
        """What stands for one item, and what gives the items at a call."""
        if isinstance(values, Dataset):
            with outside():
                elements = [*islice(values.elements(), LOOKED_AT)]
            return self._element(elements), lambda running: iter(running.now(values))
        tensor = self.flow.tensor(values)
        shape = None if tensor.shape is None else tensor.shape[1:]
        if tensor.shape == ():
            raise mistakes.not_allowed("Iterating over a scalar `tf.Tensor`", "对标量张量的遍历")
        (item,) = self.graph.passed([tensor], [(tensor.dtype, shape)], "item")
        return item, lambda running: _rows(running.now(tensor))

    def _element(self, parts: Sequence[Any]) -> Any:
        """What stands for every one of these elements: a length in which they differ is left open."""
        if not parts:
            return None
        if isinstance(parts[0], tuple):
            return tuple(self._element(column) for column in zip(*parts, strict=True))
        shape: Shape = parts[0].shape
        for part in parts[1:]:
            shape = common_shape(shape, part.shape)
        (made,) = self.graph.passed([], [(name_of(parts[0].dtype), shape)], "IteratorGetNext")
        return made


def _rows(tensor: Any) -> Iterator[Any]:
    for index in range(len(tensor.array)):
        yield tensor[index]
