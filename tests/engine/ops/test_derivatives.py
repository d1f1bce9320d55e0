"""Each op's local derivative: one for each input, and, where it is a formula, its number is the slope."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np
import pytest

import engine.optimizers  # noqa: F401 - its ops are in the registry, too
from engine.ops import REGISTRY, OpDef
from engine.ops.networks.activations import SELU_ALPHA, SELU_SCALE
from tests.engine.languages.mathematics.reading import value

pytestmark = pytest.mark.slow  # holds every derivative to differences

DIFFERENTIABLE = [op for op in REGISTRY.values() if op.gradient_rule is not None]

# Where the formula is read: away from kinks, on both sides of one, and inside the domain.
POINTS: Mapping[str, list[tuple[float, ...]]] = {
    "Acosh": [(1.7,)],
    "Digamma": [],  # ψ⁽¹⁾ has no name in the notation that Gradlens reads
    "Polygamma": [],
    "FloorMod": [(7.3, 2.0), (-7.3, 2.2)],
    "Log": [(0.3,), (2.5,)],
    "MultiplyAdd": [(0.3, 0.7, -1.2), (1.6, -0.9, 0.4)],
    "Pow": [(1.3, 2.5), (0.4, -1.2)],
    "Relu6": [(-0.5,), (2.5,), (7.0,)],
    "Relu6Grad": [(0.6, -0.5), (0.6, 2.5), (0.6, 7.0)],
    "Xlogy": [(0.7, 0.4), (-1.2, 2.5)],
}
ONE: list[tuple[float, ...]] = [(0.3,), (0.8,)]
TWO: list[tuple[float, ...]] = [(0.3, 0.7), (1.6, 0.9), (-0.7, 0.4)]
BOTH_SIDES = {"Abs", "Elu", "LeakyRelu", "Relu", "Selu", "Sigmoid", "Softplus", "Softsign", "Tanh"}


def is_formula(op: OpDef) -> bool:
    """Whether an op works number by number, so that its derivatives are formulas of numbers."""
    folder, file = op.kernel.__module__.split(".")[-2:]
    by_element = folder == "elementwise" or file == "activations"
    return by_element and op.is_simple and op.name not in ("Select", "Cast")


FORMULAS = [op for op in DIFFERENTIABLE if is_formula(op)]


def points(op: OpDef) -> list[tuple[float, ...]]:
    if op.name in POINTS:
        return POINTS[op.name]
    if len(op.input_names) == 2:
        return TWO
    return [*ONE, (-0.6,)] if op.name in BOTH_SIDES else ONE


CASES = [pytest.param(op, at, id=f"{op.name} at {at}") for op in FORMULAS for at in points(op)]


def computed(op: OpDef, at: tuple[float, ...]) -> float:
    return float(op.forward(*(np.float64(x) for x in at)))


def difference(op: OpDef, at: tuple[float, ...], place: int, h: float = 1e-6) -> float:
    """(f(x + h) - f(x - h)) / 2h along one input."""
    ahead, behind = ([*at[:place], at[place] + d, *at[place + 1 :]] for d in (h, -h))
    return (computed(op, tuple(ahead)) - computed(op, tuple(behind))) / (2 * h)


def read(formula: str, op: OpDef, at: tuple[float, ...]) -> float:
    """The number of a formula, as Gradlens reads it where the inputs and the output have these values."""
    numbers = {**dict(zip(op.input_names, at, strict=True)), "out": computed(op, at)}
    letters = dict(zip(numbers, "pqrs", strict=False))
    text = re.sub(r"\{(\w+)\}", lambda m: f"{{{letters[m[1]]}}}" if m[1] in letters else m[0], formula)
    text = text.replace(r"\psi", r"\operatorname{digamma}")
    given = {letters[name]: number for name, number in numbers.items()}
    given |= {r"\lambda": SELU_SCALE, r"\alpha": op.attributes.get("alpha", SELU_ALPHA)}
    lines = [f"{letter} = {number!r}" for letter, number in given.items() if letter in text]
    return float(value("\n".join([*lines, f"y = {text} + 0 \\cdot 1"])))


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_every_op_with_a_gradient_has_a_local_derivative_for_each_input(op: OpDef) -> None:
    assert len(op.derivative) == len(op.derivative_zh) == len(op.input_names)
    assert all(op.derivative)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_what_a_derivative_says_in_words_it_says_in_both_languages(op: OpDef) -> None:
    for english, chinese in zip(op.derivative, op.derivative_zh, strict=True):
        assert english.isascii()
        assert chinese.isascii() == (r"\text" not in english)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_a_derivative_names_only_inputs_of_its_op(op: OpDef) -> None:
    known = {name.lstrip("*") for name in op.input_names} | {"out"}
    for formula in (*op.derivative, *op.derivative_zh):
        words = re.sub(r"(\\\w+|_)\{[^{}]*\}", "", formula)  # \text{…}, \begin{cases}, \hat{x}, indices
        assert set(re.findall(r"\{([a-z_]{2,})\}", words)) <= known


@pytest.mark.parametrize(("op", "at"), CASES)
def test_the_number_of_a_derivative_is_the_slope(op: OpDef, at: tuple[float, ...]) -> None:
    for place, (english, chinese) in enumerate(zip(op.derivative, op.derivative_zh, strict=True)):
        slope = difference(op, at, place)
        assert math.isfinite(slope)
        assert read(english, op, at) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        if chinese != english:
            assert read(chinese, op, at) == pytest.approx(slope, rel=1e-6, abs=1e-7)
