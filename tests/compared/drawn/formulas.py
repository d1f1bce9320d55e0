"""Formulas in several spellings, drawn from a fixed seed, beside the same in SymPy's own words.

Each function is tried at points inside of its domain, on its edge and outside; then trees of operations are
drawn and spelled with signs of ASCII, as at school, in LaTeX and with the characters of Unicode.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..arguments import FOLDER

SEED = 21
DRAWN = 80  # trees, each in four spellings
POINTS = (0.7, 1.0, -0.4, 2.5, 0.0)
AT = {"x": 0.7, "y": 1.9, "t": -0.6}

PREAMBLE = """\
from sympy import *
x, y, t = symbols("x y t", real=True)

def number(expression, at):
    value = N(expression.subs(at)) if not expression.subs(at).is_number else N(expression.subs(at), 17)
    print(repr(float(value)) if value.is_real and value.is_number else "nan")

def show(expression, **at):
    expression = sympify(expression)
    point = {symbol: Rational(str(at[symbol.name])) for symbol in (x, y, t) if symbol.name in at}
    number(expression, point)
    for symbol in point:
        number(diff(expression, symbol).doit(), point)
"""

FUNCTIONS: dict[str, str] = json.loads((FOLDER / "functions_sympy.json").read_text())  # what SymPy calls them
STEPS = {"floor", "ceil", "sign"}  # SymPy's derivatives of these are no numbers
IN_LATEX = {
    **dict.fromkeys(("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sec", "csc", "cot", "log", "ln")),
    **dict.fromkeys(("arcsin", "arccos", "arctan")),
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
}  # the command of a function where it has another name


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as a person writes it, and the statement that shows its value and slopes in SymPy."""

    text: str
    sympy: str
    at: dict[str, float]


@dataclass(frozen=True, slots=True)
class Term:
    """One term in SymPy's words and in four spellings; `tight` where no bracket is needed around it."""

    sympy: str
    spelled: tuple[str, str, str, str]  # ASCII, school, LaTeX, Unicode
    tight: bool = True


def formulas() -> list[Formula]:
    """All of them, in a fixed order, none twice."""
    found = {(each.text, *each.at.items()): each for each in (*of_functions(), *drawn())}
    return list(found.values())


def of_functions() -> Iterator[Formula]:
    for name, known in FUNCTIONS.items():
        if name in STEPS:
            continue
        for point in POINTS:
            yield Formula(f"{name}(x)", f"show({known}, x={point})", {"x": point})
        doubled = f"({known}).subs(x, 2*x)"
        yield Formula(f"3{name}(2x)", f"show(3*{doubled}, x=0.3)", {"x": 0.3})
        yield Formula(f"{name} 2x + 1", f"show({doubled} + 1, x=0.3)", {"x": 0.3})
    for name, other in IN_LATEX.items():
        known, command = FUNCTIONS[name], f"\\{other or name}"
        yield Formula(f"{command} x", f"show({known}, x=0.7)", {"x": 0.7})
        yield Formula(f"{command}{{(x)}}", f"show({known}, x=0.7)", {"x": 0.7})
        yield Formula(f"{command}^2 x", f"show(({known})**2, x=0.7)", {"x": 0.7})
        yield Formula(f"\\frac{{{command} x}}{{x}}", f"show(({known})/x, x=0.7)", {"x": 0.7})


def drawn() -> Iterator[Formula]:
    draw = random.Random(SEED)
    for _ in range(DRAWN):
        term = tree(draw, 3)
        at = {name: value for name, value in AT.items() if re.search(rf"\b{name}\b", term.spelled[0])}
        given = ", ".join(f"{name}={value}" for name, value in at.items())
        for text in dict.fromkeys(term.spelled):
            yield Formula(text, f"show({term.sympy}, {given})", at)


def tree(draw: random.Random, depth: int) -> Term:
    """A term of some operations."""
    if depth == 0:
        return leaf(draw)
    make = draw.choice(
        [added, added, subtracted, multiplied, multiplied, divided, power, called, called, root, negative]
    )
    return make(draw, depth - 1)


def leaf(draw: random.Random) -> Term:
    if draw.random() < 0.6:
        name = draw.choice("xyt")
        return Term(name, (name, name, name, name))
    if draw.random() < 0.2:
        return Term("pi", ("pi", "pi", r"\pi", "π"))
    number = draw.choice(["2", "3", "5", "0.5", "1.25"])
    return Term(f"Rational('{number}')", (number, number, number, number))


def each(*terms: Term, ascii: str, school: str, latex: str, unicode: str) -> tuple[str, str, str, str]:
    """The four spellings, each filled with those of the parts."""
    texts = (ascii, school, latex, unicode)
    filled = [text.format(*(term.spelled[place] for term in terms)) for place, text in enumerate(texts)]
    return filled[0], filled[1], filled[2], filled[3]


def bracketed(term: Term) -> Term:
    if term.tight:
        return term
    spelled = each(term, ascii="({0})", school="({0})", latex=r"\left({0}\right)", unicode="（{0}）")
    return Term(term.sympy, spelled)


def added(draw: random.Random, depth: int) -> Term:
    a, b = tree(draw, depth), tree(draw, depth)
    b = bracketed(b) if b.spelled[0].startswith("-") else b
    spelled = each(a, b, ascii="{0} + {1}", school="{0}+{1}", latex="{0} + {1}", unicode="{0} ＋ {1}")
    return Term(f"({a.sympy} + {b.sympy})", spelled, tight=False)


def subtracted(draw: random.Random, depth: int) -> Term:
    a, b = tree(draw, depth), bracketed(tree(draw, depth))
    spelled = each(a, b, ascii="{0} - {1}", school="{0}-{1}", latex="{0} - {1}", unicode="{0} − {1}")
    return Term(f"({a.sympy} - {b.sympy})", spelled, tight=False)


def multiplied(draw: random.Random, depth: int) -> Term:
    a, b = bracketed(tree(draw, depth)), bracketed(tree(draw, depth))
    school = "{0} {1}" if b.spelled[1][0].isalpha() else "{0}*{1}"
    spelled = each(a, b, ascii="{0} * {1}", school=school, latex=r"{0} \cdot {1}", unicode="{0} × {1}")
    return Term(f"({a.sympy} * {b.sympy})", spelled, tight=False)


def divided(draw: random.Random, depth: int) -> Term:
    a, b = tree(draw, depth), tree(draw, depth)
    spelled = each(
        a,
        b,
        ascii="({0})/({1})",
        school="({0})/({1})",
        latex=r"\frac{{{0}}}{{{1}}}",
        unicode="（{0}）÷（{1}）",
    )
    return Term(f"(({a.sympy}) / ({b.sympy}))", spelled, tight=False)


def power(draw: random.Random, depth: int) -> Term:
    a, number = bracketed(tree(draw, depth)), draw.choice("23")
    a = bracketed(Term(a.sympy, a.spelled, tight=a.spelled[0] in AT))
    sign = {"2": "²", "3": "³"}[number]
    spelled = each(
        a,
        ascii=f"{{0}}^{number}",
        school=f"{{0}}**{number}",
        latex=f"{{0}}^{{{{{number}}}}}",
        unicode=f"{{0}}{sign}",
    )
    return Term(f"({a.sympy})**{number}", spelled, tight=False)


def called(draw: random.Random, depth: int) -> Term:
    name, a = draw.choice(["sin", "cos", "exp", "tanh", "arctan"]), tree(draw, depth)
    school = f"{name} {{0}}" if a.spelled[1] in AT else f"{name}({{0}})"
    spelled = each(
        a,
        ascii=f"{name}({{0}})",
        school=school,
        latex=rf"\{name}\left({{0}}\right)",
        unicode=f"{name}（{{0}}）",
    )
    return Term(f"{name.replace('arc', 'a')}({a.sympy})", spelled, tight=False)


def root(draw: random.Random, depth: int) -> Term:
    a = tree(draw, depth)
    spelled = each(
        a,
        ascii="sqrt(({0})^2 + 1)",
        school="sqrt(({0})^2+1)",
        latex=r"\sqrt{{\left({0}\right)^2 + 1}}",
        unicode="√（（{0}）² ＋ 1）",
    )
    return Term(f"sqrt(({a.sympy})**2 + 1)", spelled)


def negative(draw: random.Random, depth: int) -> Term:
    a = bracketed(tree(draw, depth))
    return Term(
        f"(-{a.sympy})", each(a, ascii="-{0}", school="-{0}", latex="-{0}", unicode="−{0}"), tight=False
    )
