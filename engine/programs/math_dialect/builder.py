"""Lines of formulas to the graph of the TensorFlow 1 program that says the same."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import ops
from engine.errors import GradlensError, ProgramError, Span
from engine.graph import Graph, Variable
from engine.programs.given import numbers_given
from engine.programs.interpreter.budget import Budget
from engine.programs.interpreter.diagnostics import Diagnostic
from engine.programs.interpreter.operators import apply_binary, apply_unary
from engine.programs.interpreter.suggestions import did_you_mean

from .functions import CONSTANTS, FUNCTIONS
from .tree import Call, Expression, Line, Name, Negative, Number, Operation, Vector

OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "^": ast.Pow,
    "@": ast.MatMult,
}

DEFAULT_VALUE = 1.0  # of a free name
NODE_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-]*")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


class Builder:
    """One build: variables first, then a node for each operation, line after line.

    at: the values of free names.
    """

    def __init__(self, graph: Graph, at: Mapping[str, Any], budget: Budget) -> None:
        self.graph = graph
        self.at = at
        self.budget = budget
        self.names: dict[str, Any] = {}
        self.target: Any = None
        self.diagnostics: list[Diagnostic] = []
        self._values: dict[str, Any] = {}
        self._defined: frozenset[str] = frozenset()

    def build(self, lines: Sequence[Line]) -> None:
        """Add the nodes of all lines; `target` is then the last line's value."""
        self._values = {line.name: _literal(line.value) for line in lines if line.name and _is_literal(line)}
        self._defined = frozenset(line.name for line in lines if line.name and not _is_literal(line))
        for name, span in self._free_names(lines):
            self._add_variable(name, span)
        formulas = [line for line in lines if not (line.name and _is_literal(line))]
        for line in formulas:
            self._add_line(line)
        if not formulas and lines and lines[-1].name:
            self.target = self.names[lines[-1].name]

    def _free_names(self, lines: Sequence[Line]) -> Iterator[tuple[str, Span]]:
        """Names that no formula defines, once each, in order of first appearance."""
        seen: set[str] = set()
        for line in lines:
            if line.name and line.name_span and line.name in self._values:
                yield from _first(line.name, line.name_span, seen)
            for name in _names_in(line.value):
                if self._is_free(name.text):
                    yield from _first(name.text, name.span, seen)

    def _is_free(self, name: str) -> bool:
        if name in self._values or name in self.at:
            return name not in self._defined or name in self._values
        return name not in self._defined and name not in CONSTANTS

    def _add_variable(self, name: str, span: Span) -> None:
        value = self.at.get(name, self._values.get(name, DEFAULT_VALUE))
        with self.graph.at(span):
            self.names[name] = Variable(numbers_given(name, value, "float64"), name=node_name(name))

    def _add_line(self, line: Line) -> None:
        value = self.value(line.value)
        if not hasattr(value, "as_tensor"):  # only numbers: still something to look at
            with self.graph.at(line.value.span):
                value = ops.constant(value, dtype="float64", name=node_name(line.name or "Const"))
        if line.name:
            self.names[line.name] = value
        self.target = value

    # -- expressions -----------------------------------------------------------------------------

    def value(self, expression: Expression) -> Any:
        """The tensor or number of an expression; an error in it gets its place."""
        self.budget.step()
        try:
            return self._value(expression)
        except GradlensError as error:
            if error.where is None:
                error.where = expression.span
            raise

    def _value(self, expression: Expression) -> Any:
        if isinstance(expression, Number):
            return expression.value
        if isinstance(expression, Name):
            return self._named(expression)
        if isinstance(expression, Operation):
            return self._operation(expression)
        if isinstance(expression, Negative):
            operand = self.value(expression.operand)
            with self.graph.at(expression.span):
                return apply_unary(ast.USub, operand, self.budget)
        if isinstance(expression, Call):
            return self._call(expression)
        return [self.value(item) for item in expression.items]

    def _named(self, expression: Name) -> Any:
        name = expression.text
        if name in self.names:
            return self.names[name]
        if name in self._defined:
            raise _used_too_early(name)
        return CONSTANTS[name]

    def _operation(self, expression: Operation) -> Any:
        left, right = self.value(expression.left), self.value(expression.right)
        if expression.implicit:
            self._explain_product(expression)
        with self.graph.at(expression.span):
            return apply_binary(OPERATORS[expression.symbol], _operand(left), _operand(right), self.budget)

    def _call(self, expression: Call) -> Any:
        function = FUNCTIONS[expression.function]
        arguments = [self.value(argument) for argument in expression.arguments]
        if len(arguments) < function.least or (function.most and len(arguments) > function.most):
            raise _wrong_count(expression, function.least, function.most)
        if expression.function == "log":
            self._note(
                "natural_logarithm",
                "`log` is the natural logarithm, as in TensorFlow; log10 and log2 have their own names.",
                "`log` 是自然对数（与 TensorFlow 相同）；以 10 和 2 为底请写 log10、log2。",
                expression.function_span,
            )
        with self.graph.at(expression.span):
            return function.build(*(_float(argument) for argument in arguments))

    # -- telling ---------------------------------------------------------------------------------

    def _explain_product(self, expression: Operation) -> None:
        """`1/2x` and `e^2x` look as if x belonged to the right part: say once that it does not."""
        left = expression.left
        if not isinstance(left, Operation) or left.symbol not in "/^":
            return
        bracketed = left.span.end_column != left.right.span.end_column
        apart = left.span.end_column != expression.right.span.column
        if bracketed or (apart and left.symbol == "^"):
            return
        self._note(
            f"implicit_product_after_{left.symbol}",
            f"A product without a sign binds like `*`, from the left: "
            f"a{left.symbol}b c is (a{left.symbol}b) · c.",
            f"省略乘号的乘法与 `*` 优先级相同，从左到右：a{left.symbol}b c 即 (a{left.symbol}b) · c。",
            expression.span,
        )

    def _note(self, code: str, message: str, message_zh: str, span: Span) -> None:
        if all(diagnostic.message != message for diagnostic in self.diagnostics):
            self.diagnostics.append(Diagnostic("note", code, message, message_zh, span=span))


def node_name(name: str) -> str:
    """A name for TensorFlow: `θ` as theta, `x₁` as x1, `Variable` where nothing fits."""
    plain = "".join(_letter(character) for character in name.translate(SUBSCRIPTS))
    return plain if NODE_NAME.fullmatch(plain) else "Variable"


def _letter(character: str) -> str:
    words = unicodedata.name(character, "").split()
    if words[:1] == ["GREEK"] and words[2:3] == ["LETTER"] and len(words) > 3:
        return words[3].capitalize() if words[1] == "CAPITAL" else words[3].lower()
    return character


def _first(name: str, span: Span, seen: set[str]) -> Iterator[tuple[str, Span]]:
    if name not in seen:
        seen.add(name)
        yield name, span


def _names_in(expression: Expression) -> Iterator[Name]:
    """The names of an expression from left to right, without recursion into a long sum."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            yield node
        elif isinstance(node, Operation):
            waiting += [node.right, node.left]
        elif isinstance(node, Negative):
            waiting.append(node.operand)
        elif isinstance(node, Call):
            waiting += reversed(node.arguments)
        elif isinstance(node, Vector):
            waiting += reversed(node.items)


def _is_literal(line: Line) -> bool:
    return _literal(line.value) is not None


def _literal(expression: Expression) -> Any:
    """A number or a nested list of numbers; None for anything else."""
    if isinstance(expression, Number):
        return float(expression.value)
    if isinstance(expression, Negative) and isinstance(expression.operand, Number):
        return -float(expression.operand.value)
    if isinstance(expression, Vector):
        items = [_literal(item) for item in expression.items]
        return items if items and None not in items else None
    return None


def _operand(value: Any) -> Any:
    return ops.convert_to_tensor(_float(value)) if isinstance(value, list) else value


def _float(value: Any) -> Any:
    """A function of a whole number is a function of a float."""
    if isinstance(value, list):
        return [_float(item) for item in value]
    return float(value) if isinstance(value, int) else value


def _used_too_early(name: str) -> ProgramError:
    return ProgramError(
        f"`{name}` is used before the line that defines it.",
        message_zh=f"`{name}` 在定义它的那一行之前就被使用。",
        hint=f"Move the line `{name} = …` up, or rename one of the two.",
        hint_zh=f"请把 `{name} = …` 移到前面，或换一个名字。",
        code="used_before_definition",
    )


def _wrong_count(call: Call, least: int, most: int | None) -> ProgramError:
    wanted = f"{least}" if least == most else f"{least} or more"
    wanted_zh = f"{least} 个" if least == most else f"至少 {least} 个"
    return ProgramError(
        f"{call.function}(…) takes {wanted} arguments, but {len(call.arguments)} were given.",
        message_zh=f"{call.function}(…) 需要{wanted_zh}参数，但给了 {len(call.arguments)} 个。",
        code="wrong_arguments",
    )


def unknown_at(name: str, names: Mapping[str, Any]) -> Diagnostic:
    """A value for a name that the formula does not have."""
    hint, hint_zh = did_you_mean(name, names)
    return Diagnostic(
        "warning",
        "unknown_value_name",
        f"A value was given for `{name}`, which is not a free name of the formula.",
        f"给出了 `{name}` 的值，但它不是公式中的自由变量。",
        hint,
        hint_zh,
    )
