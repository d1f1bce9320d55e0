"""Expressions drawn at random: the engine's value against numpy's, its gradient against differences."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.programs import ProgramRequest, run_program

pytestmark = pytest.mark.slow  # draws hundreds of programs

Point = dict[str, float]
Meaning = Callable[[Point], float]
Term = tuple[str, Meaning]  # a formula as it is written, and what it means

SMOOTH: dict[str, Callable[[float], float]] = {
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "tanh": np.tanh,
    "arctan": np.arctan,
    "sigmoid": lambda value: 1 / (1 + np.exp(-value)),
}
POINTS = st.fixed_dictionaries(
    {name: st.floats(0.5, 2.0).map(lambda value: round(value, 3)) for name in ("x", "y")}
)


def name_of(name: str) -> Term:
    return name, lambda at: np.float64(at[name])


def number(value: float) -> Term:
    return repr(value), lambda at: np.float64(value)


def applied(name: str, inner: Term) -> Term:
    text, meaning = inner
    return f"{name}({text})", lambda at: SMOOTH[name](meaning(at))


def joined(left: Term, symbol: str, right: Term) -> Term:
    (a, first), (b, second) = left, right
    meanings: dict[str, Meaning] = {
        "+": lambda at: first(at) + second(at),
        "-": lambda at: first(at) - second(at),
        "*": lambda at: first(at) * second(at),
        "/": lambda at: first(at) / (second(at) ** 2 + 1),
        "^": lambda at: (first(at) ** 2 + 1) ** second(at),
    }
    texts = {"/": f"({a}) / (({b})^2 + 1)", "^": f"(({a})^2 + 1)^({b})"}
    return texts.get(symbol, f"({a}) {symbol} ({b})"), meanings[symbol]


TERMS = st.recursive(
    st.sampled_from(["x", "y"]).map(name_of) | st.sampled_from([0.5, 2.0, 3.0]).map(number),
    lambda inner: st.one_of(
        st.builds(applied, st.sampled_from(sorted(SMOOTH)), inner),
        st.builds(joined, inner, st.sampled_from("+-*/^"), inner),
    ),
    max_leaves=7,
)


def difference(meaning: Meaning, at: Point, name: str, h: float = 1e-3) -> float:
    """Five-point central difference: its error shrinks with the fourth power of the step."""

    def moved(steps: int) -> float:
        return float(meaning({**at, name: at[name] + steps * h}))

    return (moved(-2) - 8 * moved(-1) + 8 * moved(1) - moved(2)) / (12 * h)


@given(TERMS, POINTS)
def test_a_formula_has_the_value_and_the_gradient_that_numbers_give(term: Term, at: Point) -> None:
    text, meaning = term
    with np.errstate(all="ignore"):
        expected = float(meaning(at))
        slopes = {name: difference(meaning, at, name) for name in at if name in names_in(text)}
        closer = [difference(meaning, at, name, h=5e-4) for name in slopes]
    assume(abs(expected) < 1e4 and all(math.isfinite(s) and abs(s) < 1e4 for s in slopes.values()))
    assume(
        all(map(partial(math.isclose, rel_tol=1e-4, abs_tol=1e-4), slopes.values(), closer))
    )  # it is smooth
    answer = run_program(ProgramRequest(f"f = 1 * ({text})", dialect="math", at={n: at[n] for n in slopes}))
    value = next(item for item in answer["bindings"] if item["name"] == "f")["value"]
    shown = value["data"] if isinstance(value, dict) else value
    assert math.isclose(shown, expected, rel_tol=1e-9, abs_tol=1e-12)
    for row in answer["gradients"]:
        assert math.isclose(row["value"]["data"], slopes[row["name"]], rel_tol=1e-4, abs_tol=1e-4), text


def names_in(text: str) -> set[str]:
    """Which of x and y stand in a formula; `exp` has an x of its own."""
    return {name for name in ("x", "y") if name in text.replace("exp", "")}


@given(TERMS, POINTS)
def test_tensorflow_programs_have_the_same_values(term: Term, at: Point) -> None:
    text, meaning = term
    with np.errstate(all="ignore"):
        expected = float(meaning(at))
    assume(names_in(text) and abs(expected) < 1e4)
    lines = [f"{name} = tf.Variable({value}, dtype=tf.float64)" for name, value in at.items()]
    source = "\n".join(["import tensorflow as tf", *lines, f"f = 1 * ({as_tensorflow(text)})"])
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["status"] == "ok", (source, answer["diagnostics"])
    value = next(item for item in answer["bindings"] if item["name"] == "f")["value"]["data"]
    assert math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12)


def as_tensorflow(text: str) -> str:
    """The same formula in TensorFlow's names, its numbers as float64 constants."""
    spelled = re.sub(r"\b(sin|cos|exp|tanh|sigmoid)\(", r"tf.\1(", text.replace("^", "**"))
    spelled = spelled.replace("arctan(", "tf.atan(")
    return re.sub(r"\d\.\d", r"tf.constant(\g<0>, tf.float64)", spelled)
