"""A jaxpr as JAX 0.10 writes it: names of variables, parameters, nested jaxprs, and where lines are broken.

Source: P. Wadler, A prettier printer (2003), for the layout: a group stands on one line where it fits.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.languages.surfaces.jax.core.jaxpr import Atom, Equation, Jaxpr, Literal, Var, inner_jaxprs

WIDTH = 80  # characters of a line
MANY_EQUATIONS = 10  # a longer jaxpr is written by itself, before the one that uses it


# -- documents ---------------------------------------------------------------------------------------


class Text(NamedTuple):
    """Characters."""

    text: str


class Break(NamedTuple):
    """A new line, or this text where the group fits."""

    text: str = " "


class Join(NamedTuple):
    """Documents one after the other."""

    parts: tuple[Any, ...]


class Nest(NamedTuple):
    """New lines inside begin further right."""

    document: Any
    by: int = 2


class Group(NamedTuple):
    """All breaks inside as text where it fits, else all as new lines."""

    document: Any


def joined(separator: Any, parts: Sequence[Any]) -> Join:
    """Documents with another one between them."""
    if not parts:
        return Join(())
    return Join((parts[0], *(each for part in parts[1:] for each in (separator, part))))


def laid_out(document: Any, width: int = WIDTH) -> str:
    """The text of a document."""
    pieces: list[str] = []
    column = 0
    waiting: list[tuple[int, bool, Any]] = [(0, False, document)]
    while waiting:
        indent, flat, part = waiting.pop()
        if isinstance(part, Text):
            pieces.append(part.text)
            column += len(part.text)
        elif isinstance(part, Break):
            if flat:
                pieces.append(part.text)
                column += len(part.text)
            else:
                while pieces and pieces[-1] == "":
                    pieces.pop()
                pieces.append("\n" + " " * indent)
                column = indent
        elif isinstance(part, Join):
            waiting.extend((indent, flat, each) for each in reversed(part.parts))
        elif isinstance(part, Nest):
            waiting.append((indent + part.by, flat, part.document))
        else:
            fits = flat or _fits(width - column, part.document)
            waiting.append((indent, fits, part.document))
    return "".join(pieces)


def _fits(room: int, document: Any) -> bool:
    """Whether a group has room on the line; what comes behind it is not asked."""
    parts = [document]
    while parts:
        part = parts.pop()
        if isinstance(part, (Text, Break)):
            room -= len(part.text)
            if room < 0:
                return False
        elif isinstance(part, Join):
            parts.extend(reversed(part.parts))
        else:
            parts.append(part.document)
    return True


# -- names -------------------------------------------------------------------------------------------


def letters(number: int) -> str:
    """a, b, … z, ba, bb, …"""
    text = ""
    while not text or number:
        number, rest = divmod(number, 26)
        text = chr(ord("a") + rest) + text
    return text


class Names:
    """The names of variables, in the order in which they are written, and of jaxprs that are shared."""

    def __init__(self, unused: set[Var]) -> None:
        self.of_vars: dict[Var, str] = dict.fromkeys(unused, "_")
        self.shared: dict[Jaxpr, str] = {}
        self._next = 0

    def name(self, var: Var) -> str:
        """The name of a variable, made when it is first asked for."""
        if var not in self.of_vars:
            while (made := letters(self._next)) in self.shared.values():
                self._next += 1
            self._next += 1
            self.of_vars[var] = made
        return self.of_vars[var]

    def as_outside(self, inner: Sequence[Atom], outer: Sequence[Atom]) -> None:
        """Variables of an inner jaxpr are called as those outside that they are."""
        if len(inner) != len(outer):
            return
        taken: set[Var] = set()
        for var, like in zip(inner, outer, strict=True):
            if (
                isinstance(var, Var)
                and isinstance(like, Var)
                and like not in taken
                and var not in self.of_vars
            ):
                taken.add(like)
                self.of_vars[var] = self.name(like)


def _unused(jaxpr: Jaxpr) -> set[Var]:
    """What equations give and nothing takes: `_`."""
    used = {atom for equation in jaxpr.equations for atom in equation.inputs} | set(jaxpr.results)
    return {var for equation in jaxpr.equations for var in equation.outputs if var not in used}


def _name_shared(jaxpr: Jaxpr, names: Names) -> list[tuple[str, Jaxpr]]:
    """Jaxprs that are used more than once, or long, get a name."""
    counts: Counter[Jaxpr] = Counter()
    called: dict[Jaxpr, str] = {}
    waiting = deque([jaxpr])
    while waiting:
        one = waiting.popleft()
        counts[one] += 1 + (one is not jaxpr and len(one.equations) > MANY_EQUATIONS)
        for equation in one.equations:
            name = equation.parameters.get("name")
            for inner in inner_jaxprs(equation):
                waiting.append(inner)
                if name is not None:
                    called.setdefault(inner, str(name).strip("<>"))
    taken: Counter[str] = Counter()
    shared = []
    for one, count in counts.items():
        if count > 1:
            name = called.get(one, "jaxpr")
            number = taken[name]
            taken[name] += 1
            if number:
                name = f"{name}{number}"
                taken[name] += 1
            names.shared[one] = name
            shared.append((name, one))
    return shared


# -- writing -----------------------------------------------------------------------------------------


def jaxpr_text(jaxpr: Jaxpr) -> str:
    """The text of a jaxpr, those before it that it shares."""
    return written_jaxpr(jaxpr)[0]


def written_jaxpr(jaxpr: Jaxpr) -> tuple[str, Names]:
    """The same with the names that variables have in it."""
    names = Names(_unused(jaxpr))
    shared = _name_shared(jaxpr, names)
    parts: list[Any] = []
    for name, one in shared:
        parts.append(Join((Text(f"let {name} = "), _jaxpr(one, names), Text(" in"), Break())))
    parts.append(_jaxpr_or_name(jaxpr, names) if jaxpr not in names.shared else _jaxpr(jaxpr, names))
    return laid_out(Join(tuple(parts))), names


def _jaxpr_or_name(jaxpr: Jaxpr, names: Names) -> Any:
    return Text(names.shared[jaxpr]) if jaxpr in names.shared else _jaxpr(jaxpr, names)


def _jaxpr(jaxpr: Jaxpr, names: Names) -> Any:
    constants = _bound(jaxpr.constants, names)
    arguments = _bound(jaxpr.arguments, names)
    equations = joined(Break("; "), [_equation(equation, names) for equation in jaxpr.equations])
    results = [Text(_atom(atom, names)) for atom in jaxpr.results]
    given = Join(
        (
            Text("("),
            Nest(Group(joined(Join((Text(","), Group(Break()))), results))),
            Text(",)" if len(results) == 1 else ")"),
        )
    )
    inside = Join(
        (
            Text("{ lambda "),
            constants,
            Text("; "),
            arguments,
            Text(". let"),
            Nest(Join((Break(), equations))),
            Break(),
            Text("in "),
            given,
        )
    )
    return Group(Join((Nest(inside), Text(" }"))))


def _bound(variables: Sequence[Var], names: Names) -> Any:
    written = [Text(f"{names.name(var)}:{var.aval.short()}") for var in variables]
    return Nest(Group(joined(Group(Break()), written)))


def _atom(atom: Atom, names: Names) -> str:
    if isinstance(atom, Literal):
        return literal_text(atom)
    return names.name(atom)


def literal_text(literal: Literal) -> str:
    """`2.0:f32[]`."""
    value = literal.value
    return f"{value.array.item() if value.number is None else value.number}:{literal.aval.short()}"


def _equation(equation: Equation, names: Names) -> Any:
    parameters = shown_parameters(equation)
    if equation.primitive.name == "jit":
        inner: Jaxpr = equation.parameters["jaxpr"]
        if inner not in names.shared:
            names.as_outside(inner.arguments, equation.inputs)
            names.as_outside(inner.results, equation.outputs)
    left = _bound(equation.outputs, names)
    written = [_parameter(name, value, names) for name, value in parameters.items()]
    inputs = [Text(_atom(atom, names)) for atom in equation.inputs]
    right = [
        Text(equation.primitive.name),
        _parameters(written),
        Text(" "),
        Nest(Group(joined(Group(Break()), inputs))),
    ]
    return Join((left, Text(" = "), *right)) if equation.outputs else Join(tuple(right))


def equation_text(equation: Equation) -> str:
    """One equation by itself: its results get their names first."""
    return laid_out(_equation(equation, Names(set())))


def shown_parameters(equation: Equation) -> Mapping[str, Any]:
    """The parameters of an equation that are written, in their order: a name first."""
    given = {k: v for k, v in equation.parameters.items() if not k.startswith("_")}
    if equation.primitive.shown is not None:
        given = dict(equation.primitive.shown(given))
    return dict(sorted(given.items(), key=lambda pair: (pair[0] != "name", pair[0])))


def _parameters(written: Sequence[Any]) -> Any:
    if not written:
        return Join(())
    inside = Nest(Join((Text("["), Break(""), joined(Break(), written))))
    return Group(Join((inside, Break(""), Text("]"))))


def _parameter(name: str, value: Any, names: Names) -> Any:
    if isinstance(value, Jaxpr):
        return Join((Text(f"{name}="), _jaxpr_or_name(value, names)))
    if isinstance(value, tuple) and value and all(isinstance(one, Jaxpr) for one in value):
        inside = joined(Break(), [_jaxpr_or_name(one, names) for one in value])
        several = Group(Join((Nest(Join((Text("("), Break(""), inside))), Break(""), Text(")"))))
        return Join((Text(f"{name}="), several))
    return Text(f"{name}={parameter_text(value)}")


def parameter_text(value: Any) -> str:
    """A parameter that is no jaxpr."""
    return str(value)
