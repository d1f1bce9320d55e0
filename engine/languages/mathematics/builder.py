"""Lines of formulas to the graph of the TensorFlow 1 program that says the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine import ops
from engine.errors import GradlensError, ProgramError, Span
from engine.graph import Graph, Variable
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.operators import apply_binary, apply_unary
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.mathematics import arrays
from engine.languages.mathematics.ambiguity_notes import AmbiguityNotes
from engine.languages.mathematics.characters import SUBSCRIPTS, greek_spelling
from engine.languages.mathematics.conditions import combined, compared
from engine.languages.mathematics.functions import CONSTANTS, function_named
from engine.languages.mathematics.names import Names, is_literal
from engine.languages.mathematics.roles import data_names
from engine.languages.mathematics.tree import (
    Call,
    Comparison,
    Element,
    Expression,
    Line,
    Logical,
    Name,
    Negative,
    Number,
    Operation,
    Repeated,
    Transposed,
    Vector,
)
from engine.languages.request_values import request_array

OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "^": ast.Pow,
    "@": ast.MatMult,
}
EMPTY = {"+": 0, "*": 1}  # a sum, a product of nothing

DEFAULT_VALUE = 1.0  # of a free name
NODE_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-]*")

Local = Mapping[str, Any]  # the indices of the sums around and the arguments of the function called


class Builder:
    """One build: variables first, then a node for each operation, line after line.

    at:   the values of free names.
    wrt:  those of them that are trained; where it is None, all but what is data in a loss.
    notes: takes what there is to say about how the text was read.
    """

    def __init__(
        self,
        graph: Graph,
        at: Mapping[str, Any],
        budget: Budget,
        notes: AmbiguityNotes,
        wrt: Sequence[str] | None = None,
    ) -> None:
        self.graph = graph
        self.at = at
        self.wrt = wrt
        self.budget = budget
        self.names: dict[str, Any] = {}
        self.target: Any = None
        self.notes = notes
        self._known = Names((), at, budget)
        self._calling: tuple[str, ...] = ()

    def build(self, lines: Sequence[Line]) -> None:
        """Add the nodes of all lines; `target` is then the last line's value."""
        self._known = known = Names(lines, self.at, self.budget)
        self.names.update(known.counts)
        _check_order(lines)
        free = dict(known.free(lines))
        constant = self._constants(free, lines)
        for name, span in free.items():
            if name == "i" and known.value_of(name, None) is None:
                self.notes.explain_i(span)
            self._add_variable(name, span, name not in constant)
        formulas = [line for line in lines if not is_literal(line) or line.name is None]
        for line in formulas:
            if line.name not in known.functions:
                self._add_line(line)
        if self.target is None and lines and lines[-1].name in self.names:
            self.target = self.names[lines[-1].name]

    def _constants(self, free: Mapping[str, Span], lines: Sequence[Line]) -> frozenset[str]:
        """The free names that are not trained: as the request says, else what is data in a loss."""
        if self.wrt is not None:
            return frozenset(name for name in free if not {name, node_name(name)} & set(self.wrt))
        data = data_names(free, [line.value for line in lines])
        if data:
            trained = [name for name in free if name not in data]
            held = [name for name in free if name in data]
            self.notes.explain_data(held, trained, free[held[0]])
        return data

    def _add_variable(self, name: str, span: Span, trainable: bool) -> None:
        value = request_array(name, self._known.value_of(name, DEFAULT_VALUE), "float64")
        with self.graph.at(span):
            self.names[name] = Variable(value, name=node_name(name), trainable=trainable)

    def _add_line(self, line: Line) -> None:
        value = self.value(line.value, {})
        if isinstance(value, list):
            with self.graph.at(line.value.span):
                value = _operand(value)
        if not hasattr(value, "as_tensor"):  # only numbers: still something to look at
            with self.graph.at(line.value.span):
                value = ops.constant(value, dtype="float64", name=node_name(line.name or "Const"))
        if line.name:
            self.names[line.name] = value
        self.target = value

    # -- expressions -----------------------------------------------------------------------------

    def value(self, expression: Expression, local: Local) -> Any:
        """The tensor or number of an expression; an error in it gets its place."""
        self.budget.step()
        try:
            return self._value(expression, local)
        except GradlensError as error:
            if error.where is None:
                error.where = expression.span
            raise

    def _value(self, expression: Expression, local: Local) -> Any:
        match expression:
            case Number(value):
                return value
            case Name(name):
                return self._named(name, local)
            case Operation():
                return self._operation(expression, local)
            case Negative(operand):
                value = self.value(operand, local)
                with self.graph.at(expression.span):
                    return apply_unary(ast.USub, _operand(value), self.budget)
            case Call():
                return self._call(expression, local)
            case Repeated():
                return self._repeated(expression, local)
            case Vector(items):
                return [self.value(item, local) for item in items]
            case Element():
                return self._element(expression, local)
            case Transposed(operand):
                value = self.value(operand, local)
                with self.graph.at(expression.span):
                    return arrays.transposed(value)
            case Comparison(operands, symbols):
                values = [_operand(_float(self.value(operand, local))) for operand in operands]
                with self.graph.at(expression.span):
                    return compared(values, symbols)
            case Logical(word, operands):
                values = [self.value(operand, local) for operand in operands]
                with self.graph.at(expression.span):
                    return combined(word, values)

    def _named(self, name: str, local: Local) -> Any:
        if name in local:
            return local[name]
        found = self._known.element_of(name, _indices(local))
        if found is not None:
            return self._subscripted(*found, local)
        if name in self.names:
            return self.names[name]
        if name in self._known.defined or name in self._known.functions:
            raise _used_too_early(name)
        return CONSTANTS[name]

    def _operation(self, expression: Operation, local: Local) -> Any:
        left, right = self.value(expression.left, local), self.value(expression.right, local)
        if expression.implicit:
            self.notes.explain_product(expression)
        with self.graph.at(expression.span):
            left, right = _operand(left), _operand(right)
            matrix = self._matrix_operation(expression, left, right)
            if matrix is not None:
                return matrix
            return apply_binary(OPERATORS[expression.symbol], left, right, self.budget)

    def _matrix_operation(self, expression: Operation, left: Any, right: Any) -> Any:
        """What mathematics means by a product or a power of vectors and matrices, or None for numbers."""
        ranks = arrays.rank(left), arrays.rank(right)
        if ranks == (0, 0):
            return None
        outer = arrays.is_row(expression.right) and not arrays.is_row(expression.left)
        if expression.symbol == "@" and ranks != (2, 2):
            return arrays.product(left, right, outer)
        if expression.symbol == "*" and 0 not in ranks:
            row = arrays.is_row(expression.left) or outer
            if expression.implicit and (2 in ranks or row):
                self.notes.explain_matrix_product(expression.span)
                return arrays.product(left, right, outer)
            self.notes.explain_elementwise(expression.span)
        if expression.symbol == "^" and ranks[0] == 2:
            if right == -1:
                return ops.matrix_inverse(left)
            self.notes.explain_elementwise(expression.span)
        return None

    # -- functions and sums ----------------------------------------------------------------------

    def _call(self, call: Call, local: Local) -> Any:
        arguments = [self.value(argument, local) for argument in call.arguments]
        line = self._known.functions.get(call.function)
        if line is not None:
            return self._call_of_line(call, line, arguments)
        function = function_named(call.function)
        if len(arguments) < function.least or (function.most and len(arguments) > function.most):
            raise _wrong_count(call, function.least, function.most)
        if call.function == "log":
            self.notes.explain_logarithm(call.function_span)
        with self.graph.at(call.span):
            return function.build(*(_float(argument) for argument in arguments))

    def _call_of_line(self, call: Call, line: Line, arguments: Sequence[Any]) -> Any:
        """`f(3)`, where a line says what f(x) is."""
        if len(arguments) != len(line.parameters):
            raise _wrong_count(call, len(line.parameters), len(line.parameters))
        if call.function in self._calling:
            raise _calls_itself(call.function)
        outer, self._calling = self._calling, (*self._calling, call.function)
        try:
            return self.value(line.value, dict(zip(line.parameters, arguments, strict=True)))
        finally:
            self._calling = outer

    def _repeated(self, repeated: Repeated, local: Local) -> Any:
        """The body for each value of the index, one after the other, with + or * between."""
        total: Any = None
        for index in self._known.span_of(repeated, _indices(local)):
            value = self.value(repeated.body, {**local, repeated.index.text: index})
            with self.graph.at(repeated.span):
                symbol = OPERATORS[repeated.symbol]
                total = (
                    value
                    if total is None
                    else apply_binary(symbol, _operand(total), _operand(value), self.budget)
                )
        return EMPTY[repeated.symbol] if total is None else total

    def _element(self, element: Element, local: Local) -> Any:
        places = tuple(self._known.whole(place, _indices(local)) for place in element.places)
        if element.subscript and isinstance(element.base, Name):
            return self._subscripted(element.base.text, places, local)
        self.notes.explain_places(element.span)
        value = self.value(element.base, local)
        with self.graph.at(element.span):
            return arrays.element(_float(value), places)

    def _subscripted(self, name: str, places: tuple[int, ...], local: Local) -> Any:
        """`x_2`: an element where x is a list or a vector, else a name of its own."""
        if self._known.is_row_of_values(name):
            return arrays.element(self._named(name, local), places)
        return self._named("_".join([name, *map(str, places)]), local)


def node_name(name: str) -> str:
    """A name for TensorFlow: `θ` as theta, `x₁` as x1, `Variable` where nothing fits."""
    plain = "".join(map(greek_spelling, name.translate(SUBSCRIPTS)))
    return plain if NODE_NAME.fullmatch(plain) else "Variable"


def _indices(local: Local) -> dict[str, int]:
    return {name: value for name, value in local.items() if isinstance(value, int)}


def _operand(value: Any) -> Any:
    return ops.convert_to_tensor(_float(value)) if isinstance(value, list) else value


def _float(value: Any) -> Any:
    """A function of a whole number is a function of a float."""
    if isinstance(value, list):
        return [_float(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _calls_itself(name: str) -> ProgramError:
    return ProgramError(
        f"`{name}` is defined by itself.",
        message_zh=f"`{name}` 的定义用到了它自己。",
        hint="Write out the repetition with sum(i, 1, n, …) or prod(i, 1, n, …).",
        hint_zh="请用 sum(i, 1, n, …) 或 prod(i, 1, n, …) 写出重复的部分。",
        code="defined_by_itself",
    )


def _check_order(lines: Sequence[Line]) -> None:
    """Refuse a value for a name that a line above defines by a formula: which of them is meant?"""
    formulas: set[str] = set()
    for line in lines:
        if line.name and not is_literal(line):
            formulas.add(line.name)
        elif line.name in formulas:
            error = ProgramError(
                f"`{line.name}` is defined by a formula above, and set to a value here.",
                message_zh=f"`{line.name}` 在上面由公式定义，这里又被设为一个值。",
                hint="Give one of them another name.",
                hint_zh="请给其中一个换个名称。",
                code="defined_twice",
            )
            error.where = line.name_span
            raise error


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
