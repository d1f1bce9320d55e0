"""The interpreter: compiles a program's syntax tree to closures by tables of what is allowed, and runs them.

Each node becomes one closure when it is first needed: its kind, its constants, its names and the closures of
its parts are looked up then, and not again. What a kind of node becomes stands in `nodes/` and its
neighbours, which enter themselves into `dispatch.py`.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from engine.errors import Defect, GradlensError, ProgramError, Span
from engine.languages.interpreter.budget import Budget, over_limit
from engine.languages.interpreter.builtins.nested_sizes import held
from engine.languages.interpreter.callables import BoundMethod, Check, Native, UserFunction
from engine.languages.interpreter.decisions import Decisions
from engine.languages.interpreter.dispatch import (
    CALLABLES,
    COMPILERS,
    Ended,
    Evaluation,
    Execution,
    Staging,
    refuse,
)
from engine.languages.interpreter.native_calls import call_native
from engine.languages.interpreter.reading.diagnostics import Diagnostic, Severity
from engine.languages.interpreter.reading.source import Source
from engine.languages.interpreter.scope import MISSING, Scope, builtin_scope
from engine.languages.interpreter.values import Ignored, OfRun, a_kind, python_name, type_name
from engine.ops.base.building import graph_now

log = logging.getLogger(__name__)

CALL_DEPTH = 400  # nested calls of the program's own functions


class Interpreter:
    """One run of one program.

    builtins: the names under every program.
    modules:  what `import` finds, by dotted name.
    assumed:  names that a program without its import lines means, with the module of each.
    workspace: what our functions share during the run; the interpreter itself does not look into it.
    decisions: what its own `if` statements decided.
    staging:  while a function is traced, what turns control flow on tensors into steps of the trace.
    row_numbers: what reads numbers that count the rows of a data set, where it has others than the real one.
    """

    def __init__(
        self,
        source: Source,
        budget: Budget,
        *,
        builtins: Mapping[str, Any],
        modules: Mapping[str, Any],
        assumed: Mapping[str, str],
        workspace: Any = None,
    ) -> None:
        self.source = source
        self.budget = budget
        self.modules = modules
        self.assumed = assumed
        self.workspace = workspace
        self.scope = Scope(builtin_scope(builtins))
        self.program = self.scope
        self.tree = ast.Module([], [])
        self.diagnostics: list[Diagnostic] = []
        self.output: list[str] = []
        self.result: Any = None
        self.place: Span | None = None
        self._statement: ast.AST | None = None
        self.naming: tuple[ast.AST, str] | None = None
        self.assigned_name = ""
        self._noted: set[str] = set()
        self.names_in_modules: dict[tuple[str, str], Any] = {}  # `tf.model = …`, by module and name
        self.handling: list[GradlensError] = []  # the errors whose `except` blocks are running
        self._generators: WeakValueDictionary[int, Generator[Any, None, Any]] = WeakValueDictionary()
        self.staging: Staging | None = None
        self.row_numbers: Any = None
        self.decisions = Decisions()
        self.is_over = False
        self._own: dict[OfRun, Any] = {}
        self._compiled: dict[ast.AST, Callable[[], Any]] = {}
        self._depth = 0
        self._serial = 0
        budget.weigh_held = self._held_items

    # -- compiling and running -------------------------------------------------------------------

    def run(self, tree: ast.Module) -> None:
        """Execute a whole program; its last line's value, where that is an expression, is the result."""
        self.tree = tree
        *before, last = tree.body or [ast.Pass()]
        self._run_top(before)
        if isinstance(last, ast.Expr):
            self._statement = last
            self.result = self.evaluate(last.value)
            if hasattr(self.result, "keep_text"):
                self.result.keep_text()
        else:
            self._run_top([last])

    def _run_top(self, statements: Sequence[ast.stmt]) -> None:
        ended = self.execute(statements)
        if ended is not None:
            raise ProgramError(
                "`return`, `break` and `continue` need a function or a loop around them.",
                message_zh="`return`、`break`、`continue` 必须写在函数或循环里。",
                code="syntax_error",
            )

    def call_here(self) -> ast.Call | None:
        """The call in the program's text that is being made."""
        calls = (node for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        return next((call for call in calls if self.source.span(call) == self.place), None)

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression."""
        return self.expression(node)()

    def execute(self, statements: Sequence[ast.stmt]) -> Ended:
        """Run statements in order until one leaves the block."""
        return self.block(statements)()

    def expression(self, node: ast.expr) -> Evaluation:
        """What evaluates an expression; an error in it gets its place unless it has a nearer one."""
        known = self._compiled.get(node)
        if known is None:
            known = self._compiled[node] = COMPILERS.get(type(node), _refused)(self, node)
        return known

    def step_of(self, node: ast.AST, evaluate: Evaluation) -> Evaluation:
        """The same as one step of the budget; an error in it gets the place of the node."""
        budget = self.budget

        def step() -> Any:
            budget.steps += 1  # as `Budget.step`, which would take longer to call
            if budget.steps > budget.next_look:
                budget.look()
            try:
                return evaluate()
            except GradlensError as error:
                self.locate(error, node)
                raise

        return step

    def statement(self, node: ast.stmt) -> Execution:
        """What executes a statement, without counting it."""
        known = self._compiled.get(node)
        if known is None:
            compiler = COMPILERS.get(type(node))
            known = partial(refuse, self, node) if compiler is None else compiler(self, node)
            self._compiled[node] = known
        return known

    def block(self, statements: Sequence[ast.stmt]) -> Execution:
        """What runs statements in order until one leaves the block; they are compiled when it first runs."""
        if not statements:
            return _nothing
        budget = self.budget
        compiled: list[tuple[ast.stmt, Execution]] = []

        def run() -> Ended:
            if not compiled:
                compiled.extend([(node, self.statement(node)) for node in statements])
            for node, execute in compiled:
                budget.steps += 1
                if budget.steps > budget.next_look:
                    budget.look()
                self._statement = node
                try:
                    ended = execute()
                except GradlensError as error:
                    self.locate(error, node)
                    raise
                if ended is not None:
                    return ended
            return None

        return run

    def locate(self, error: GradlensError, node: ast.AST) -> None:
        """Give an error this place, unless it has a nearer one."""
        if error.where is None:
            error.where = self.source.span(node)

    def building(self, node: ast.AST) -> Building:
        """Nodes that are added inside come from this place of the source."""
        return Building(self, self.source.span(node))

    # -- names -----------------------------------------------------------------------------------

    def read(self, name: str, node: ast.AST | None = None) -> Any:
        """The value of a name; `tf` and `np` are imported for a program that left its imports out."""
        try:
            return self.scope.read(name)
        except ProgramError as error:
            if error.code == "unknown_name" and name in self.assumed:
                return self._assume(name, node)
            if self.staging is not None:
                self.staging.explain_missing(name)
            raise

    def _assume(self, name: str, node: ast.AST | None) -> Any:
        module = self.modules[self.assumed[name]]
        self.program.write(name, module)
        self.note(
            "assumed_import",
            f"`{name}` is taken to be {self.assumed[name]}: the program has no import line for it.",
            f"程序没有导入 `{name}`，这里当作 {self.assumed[name]}。",
            f"Add `import {self.assumed[name]} as {name}` at the top.",
            f"请在开头加上 `import {self.assumed[name]} as {name}`。",
            place=self.source.span(node) if node is not None else None,
        )
        return module

    # -- calls -----------------------------------------------------------------------------------

    def call(
        self,
        function: Any,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        checks: Sequence[Check] | None = None,
    ) -> Any:
        """Call a function of the program or one of ours.

        checks: of one of ours what to check, where it is known already that the arguments fit.
        Raises: GradlensError for what the program does wrong; Defect for any other mistake.
        """
        try:
            if self.staging is not None:
                staged = self.staging.call(function, args, keywords)
                if staged is not MISSING:
                    return staged
            if isinstance(function, (Native, BoundMethod)):
                return call_native(self, function, args, keywords, checks)
            if isinstance(function, UserFunction):
                return self._call_user(function, args, keywords)
            if isinstance(function, Ignored):
                return self._ignore(function)
            if type(function) in CALLABLES:
                return CALLABLES[type(function)](self, function, args, keywords)
        except (GradlensError, RecursionError, MemoryError):
            raise
        except Exception as error:
            name = getattr(function, "name", type_name(function))
            log.exception("A mistake of the engine in %s().", name)
            raise Defect(f"{name}()") from error
        raise ProgramError(
            f"{a_kind(function, start=True)} cannot be called.",
            message_zh=f"{type_name(function)} 不能被调用。",
            hint="Is a `*` or a comma missing before the bracket?",
            hint_zh="括号前是不是漏了 `*` 或逗号？",
            code="not_callable",
            said=f"'{python_name(function)}' object is not callable",
        )

    def as_function(self, function: Any) -> Callable[..., Any]:
        """A function of the program as one that the engine calls."""
        return lambda *arguments: self.call(function, list(arguments), {})

    def _ignore(self, function: Ignored) -> Ignored:
        root = function.name.split(".")[0]
        self.note(
            function.code,
            function.note or f"`{function.name}` is accepted and does nothing here.",
            function.note_zh or f"`{function.name}` 可以保留，但在这里不起作用。",
            key=function.note or f"ignored {root}",
        )
        return function

    def _held_items(self) -> int:
        """The items of all lists, dicts and sets under the names that can be seen now."""
        scopes: list[Scope] = []
        scope: Scope | None = self.scope
        while scope is not None:
            scopes.append(scope)
            scope = scope.parent
        return held(value for one in {*scopes, self.program} for value in one.names.values())

    def _call_user(self, function: UserFunction, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if self._depth >= CALL_DEPTH:
            raise over_limit(
                "call_depth",
                f"`{function.name}` calls itself more than {CALL_DEPTH} levels deep.",
                f"`{function.name}` 的递归调用超过 {CALL_DEPTH} 层。",
                "A recursive function needs a case that returns without calling itself.",
                "递归函数需要一个不再调用自己就返回的情形。",
            )
        scope = self._arguments(function, args, keywords)
        if function.is_generator:
            return CALLABLES[UserFunction](self, function, [scope], {})  # see generators.py
        staging, body = self.staging, function.body
        if staging is not None and staging.converts and isinstance(body, list):
            return self.inside(scope, staging.returned, body)
        return self.inside(scope, function.run)

    def inside(self, scope: Scope, run: Callable[..., Any], *args: Any) -> Any:
        """Run something one call deeper, with the names of this scope."""
        outer, self.scope = self.scope, scope
        self._depth += 1
        try:
            return run(*args)
        finally:
            self.scope = outer
            self._depth -= 1

    def _arguments(self, function: UserFunction, args: Sequence[Any], keywords: Mapping[str, Any]) -> Scope:
        signature = function.signature
        try:
            bound, rest, named = signature.bind(function.name, args, keywords)
        except ProgramError as error:
            if function.owner is not None:
                error.said = f"{function.owner.name}.{error.said}"
            raise
        names = {**function.defaults, **bound} if function.defaults else bound
        scope = Scope(function.closure, function.local_names, names)
        if function.owner is not None:
            scope.names["__class__"] = function.owner
            if signature.positional:
                scope.names["__self__"] = bound.get(signature.positional[0])
        if signature.many_positional:
            scope.names[signature.many_positional] = rest
        if signature.many_keywords:
            scope.names[signature.many_keywords] = named
        return scope

    def close_at_the_end(self, steps: Generator[Any, None, Any]) -> None:
        """Take note of a generator, so that `close` ends it where the program has left it half-way."""
        self._generators[id(steps)] = steps

    def close(self) -> None:
        """End what is half-way, the last first: what its `with` blocks opened closes with its own program.

        Left to the garbage collector, a block would close while another program runs, and change the graph
        that this one adds its nodes to.
        """
        for steps in reversed(list(self._generators.values())):
            steps.close()
        self.is_over = True

    # -- prints and notes ------------------------------------------------------------------------

    def of_run(self, member: OfRun) -> Any:
        """What this run has of a member of a module that every run has for itself."""
        if member not in self._own:
            self._own[member] = member.make(self)
        return self._own[member]

    def next_serial(self) -> int:
        """A number for each object that the program makes."""
        self._serial += 1
        return self._serial

    def print(self, text: str) -> None:
        """Keep printed text, within its budget."""
        self.budget.spend_print(text)
        self.output.append(text)

    @property
    def line(self) -> int:
        """Where the program is: the line of the statement that was begun last."""
        place = None if self._statement is None else self.source.span(self._statement)
        return 1 if place is None else place.line

    @property
    def printed(self) -> list[str]:
        """The lines printed so far."""
        text = "".join(self.output)
        return text.removesuffix("\n").split("\n") if text else []

    def note(
        self,
        code: str,
        message: str,
        message_zh: str,
        hint: str = "",
        hint_zh: str = "",
        *,
        key: str = "",
        severity: Severity = "note",
        place: Span | None = None,
    ) -> None:
        """Note something for the reader once, at the place given or else the one that is being built."""
        if (key or message) not in self._noted:
            self._noted.add(key or message)
            self.diagnostics.append(
                Diagnostic(severity, code, message, message_zh, hint, hint_zh, place or self.place)
            )


def _refused(interpreter: Interpreter, node: ast.AST) -> Evaluation:
    return interpreter.step_of(node, partial(refuse, interpreter, node))


def _nothing() -> None:
    """An empty block."""


class Building:
    """While an operator or a call builds: the place that its nodes come from."""

    __slots__ = ("_graph", "_interpreter", "_outer", "_place")

    def __init__(self, interpreter: Interpreter, place: Span | None) -> None:
        self._interpreter = interpreter
        self._place = place

    def __enter__(self) -> None:
        interpreter, place = self._interpreter, self._place
        graph: Any = graph_now()  # there is one as long as a program runs
        self._graph, self._outer = graph, (interpreter.place, graph.go_to(place))
        interpreter.place = place

    def __exit__(self, *error: Any) -> None:
        self._interpreter.place, outer = self._outer
        self._graph.go_back(outer)
