"""One formula in several spellings is one graph, and its value is the one that numpy computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.programs import ProgramRequest, run_program

pytestmark = [
    pytest.mark.slow,  # draws hundreds of formulas
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # a nan is a value like any other
]

AT = {"x": 0.7, "y": 1.3, "z_1": -0.4}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "tanh": np.tanh,
    "cosh": np.cosh,
    "arctan": np.arctan,
    "ln": np.log,
    "floor": np.floor,
}
ORDERS = {"<": np.less, ">": np.greater}


@dataclass(frozen=True, slots=True)
class Tree:
    """A formula: what it is made of, how it is spelt, and its value."""

    plain: str
    typed: str
    latex: str
    value: Any


def leaf(plain: str, latex: str, value: float) -> Tree:
    return Tree(plain, plain, latex, np.float64(value))


def binary(a: Tree, b: Tree, signs: tuple[str, str, str], compute: Callable[..., Any]) -> Tree:
    plain, typed, latex = signs
    return Tree(
        f"({a.plain}) {plain} ({b.plain})",
        f"（{a.typed}）{typed}（{b.typed}）",
        rf"\left({a.latex}\right){latex}\left({b.latex}\right)",
        compute(a.value, b.value),
    )


def product(a: Tree, b: Tree) -> Tree:
    return binary(a, b, ("*", "", r"\,"), np.multiply)  # without a sign, too


def fraction(a: Tree, b: Tree) -> Tree:
    made = binary(a, b, ("/", "÷", "/"), np.divide)
    return Tree(made.plain, made.typed, rf"\frac{{{a.latex}}}{{{b.latex}}}", made.value)


def call(name: str, a: Tree) -> Tree:
    latex = rf"\lfloor {a.latex} \rfloor" if name == "floor" else rf"\{name}\left({a.latex}\right)"
    return Tree(f"{name}({a.plain})", f"{name}（{a.typed}）", latex, FUNCTIONS[name](a.value))


def square(a: Tree) -> Tree:
    return Tree(f"({a.plain})**2", f"（{a.typed}）²", rf"\left({a.latex}\right)^{{2}}", np.power(a.value, 2))


def root(a: Tree) -> Tree:
    return Tree(f"sqrt({a.plain})", f"√（{a.typed}）", rf"\sqrt{{{a.latex}}}", np.sqrt(a.value))


def absolute(a: Tree) -> Tree:
    return Tree(f"abs({a.plain})", f"| {a.typed} |", rf"\left|{a.latex}\right|", np.abs(a.value))


def negative(a: Tree) -> Tree:
    return Tree(f"-({a.plain})", f"−（{a.typed}）", rf"-\left({a.latex}\right)", np.negative(a.value))


def choice(order: str, a: Tree, b: Tree) -> Tree:
    rows = rf"{a.latex} & {a.latex} {order} {b.latex} \\ {b.latex} & \text{{otherwise}}"
    return Tree(
        f"if(({a.plain}) {order} ({b.plain}), {a.plain}, {b.plain})",
        f"if（（{a.typed}）{order}（{b.typed}），{a.typed}，{b.typed}）",
        rf"\left(\begin{{cases}} {rows} \end{{cases}}\right)",
        np.where(ORDERS[order](a.value, b.value), a.value, b.value)[()],
    )


LEAVES = st.sampled_from(
    [
        leaf("x", "x", AT["x"]),
        leaf("y", "{y}", AT["y"]),
        leaf("z_1", "z_{1}", AT["z_1"]),
        leaf("2", "2", 2),
        leaf("0.5", "0.5", 0.5),
    ]
)
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda a, b: binary(a, b, ("+", "＋", "+"), np.add), inner, inner),
        st.builds(lambda a, b: binary(a, b, ("-", "−", "-"), np.subtract), inner, inner),
        st.builds(product, inner, inner),
        st.builds(fraction, inner, inner),
        st.builds(call, st.sampled_from(sorted(FUNCTIONS)), inner),
        st.builds(square, inner),
        st.builds(root, inner),
        st.builds(absolute, inner),
        st.builds(negative, inner),
        st.builds(choice, st.sampled_from(sorted(ORDERS)), inner, inner),
    ),
    max_leaves=10,
)


def drawn(text: str) -> tuple[Any, ...]:
    """The graph, or what was said instead of one."""
    answer = run_program(ProgramRequest(text, dialect="math", at=AT, gradients=False))
    nodes = [(n["name"], n["op"], n["inputs"]) for n in answer["graph"]["nodes"]]
    return answer["status"], nodes, [d["code"] for d in answer["diagnostics"] if d["severity"] == "error"]


def with_numbers(tree: Tree) -> tuple[Tree, Any]:
    """The formula with every number beside a variable, so that the graph computes it."""
    zero = leaf("x - x", "x - x", 0.0)
    return binary(tree, zero, ("+", "+", "+"), np.add), tree.value


@given(FORMULAS)
def test_every_spelling_of_a_formula_is_the_same_graph(tree: Tree) -> None:
    plain = drawn(f"r = {tree.plain}")
    assert drawn(f"r ＝ {tree.typed}") == plain
    assert drawn(rf"$r = {tree.latex}$") == plain


@given(FORMULAS)
def test_the_value_is_the_one_that_numpy_computes(tree: Tree) -> None:
    whole, wanted = with_numbers(tree)
    answer = run_program(ProgramRequest(whole.plain, dialect="math", at=AT))
    if answer["status"] != "ok":  # a division by zero of plain numbers
        assert not np.isfinite(wanted)
        return
    target = answer["target"].removesuffix(":0")
    found = next(n["value"]["data"] for n in answer["graph"]["nodes"] if n["name"] == target)
    np.testing.assert_allclose(float(found), wanted, rtol=1e-9, atol=1e-12)
