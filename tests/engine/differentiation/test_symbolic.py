"""Formulas: what the rules give, and how expressions swell (gallery example G18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy

from engine import ops
from engine.differentiation import gradients
from engine.differentiation.expression import Expression, evaluate, number, variable
from engine.differentiation.symbolic import (
    element_rule,
    expression_of,
    naive_derivative,
    sympy_derivative,
    sympy_size,
)
from engine.differentiation.walk import kernel, walk
from engine.errors import ProgramError
from engine.graph import Graph, Variable
from engine.ops import REGISTRY
from tests.engine.ops.differences import Laboratory
from tests.engine.ops.samples import SAMPLES, Sample


def formula(build: Callable[..., Any], at: Any) -> tuple[Expression, list[str]]:
    with Graph(default_float="float64").as_default():
        x = Variable(at)
        return expression_of(build(x), {"x": x.ref}, {x.ref: np.asarray(at)})


def iterate_map(k: int) -> Callable[[Any], Any]:
    """l_1 = x, l_{k+1} = 4 l_k (1 - l_k)."""

    def build(x: Any) -> Any:
        value = x.as_tensor()
        for _ in range(k - 1):
            value = 4.0 * value * (1.0 - value)
        return value

    return build


@pytest.mark.parametrize(
    ("k", "size"), [(1, 1), (2, 13), (3, 51), (4, 151), (5, 399), (6, 991), (7, 2367), (8, 5503)]
)
def test_the_naive_derivative_swells_while_the_graph_grows_by_a_few_nodes(k: int, size: int) -> None:
    expression, _ = formula(iterate_map(k), 0.3)
    assert naive_derivative(expression, "x").size == size
    with Graph(default_float="float64").as_default() as graph:
        x = Variable(0.3)
        gradients(iterate_map(k)(x), [x])
    assert len(graph.nodes) <= 4 + 15 * k


def test_forty_stages_are_counted_without_being_written_out() -> None:
    expression, _ = formula(iterate_map(40), 0.3)
    derivative = naive_derivative(expression, "x")
    assert derivative.size > 10**12
    assert np.isfinite(evaluate(derivative, {"x": 0.3}))


def test_the_rules_of_a_calculus_book() -> None:
    x, c = variable("x"), number(5)
    assert repr(naive_derivative(c, "x")) == "0.0"
    assert repr(naive_derivative(x * x, "x")) == "+(x, x)"
    assert repr(naive_derivative(c * x, "x")) == "5.0"
    assert repr(naive_derivative(x**3, "x")) == "*(3.0, **(x, 2.0))"
    assert repr(naive_derivative(np.sin(x**2), "x")) == "*(cos(**(x, 2.0)), *(2.0, x))"  # type: ignore[call-overload]
    assert repr(naive_derivative(c / x, "x")) == "/(-(0.0, 5.0), **(x, 2.0))"


def test_sympy_gives_the_formula_that_one_would_write() -> None:
    expression, _ = formula(lambda x: ops.exp(ops.sin(x)), 3.0)
    derivative = sympy_derivative(expression, "x")
    x = sympy.Symbol("x", real=True)
    assert derivative == sympy.exp(sympy.sin(x)) * sympy.cos(x)
    assert sympy_size(derivative) == 6  # a product of exp(sin(x)) and cos(x)


def test_an_expression_that_is_too_large_is_not_given_to_sympy() -> None:
    expression, _ = formula(iterate_map(12), 0.3)
    assert sympy_derivative(expression, "x") is None


def test_elements_of_an_array_are_letters_with_indices() -> None:
    expression, letters = formula(lambda x: ops.reduce_sum(ops.square(x)), [1.0, 2.0])
    assert letters == ["x_0", "x_1"]
    assert evaluate(naive_derivative(expression, "x_1"), {"x_0": 1.0, "x_1": 2.0}) == 4.0


def test_a_matrix_product_is_multiplied_out() -> None:
    def build(x: Any) -> Any:
        return ops.matrix_product(ops.constant([[1.0, 2.0], [3.0, 4.0]]), x)

    expression, letters = formula(build, [[5.0], [6.0]])
    slopes = [
        evaluate(naive_derivative(expression, letter), {"x_0_0": 5.0, "x_1_0": 6.0}) for letter in letters
    ]
    assert slopes == [4.0, 6.0]  # the column sums


def test_an_op_that_is_no_formula_is_named() -> None:
    with pytest.raises(ProgramError) as caught:
        formula(ops.floor, 3.5)
    assert caught.value.message == "Floor is not written as a formula here."


ELEMENTWISE = [name for name, op in REGISTRY.items() if element_rule(op) is not None]
BY_KERNEL = [name for name, op in REGISTRY.items() if op.symbolic == "kernel"]
ONE_INPUT = [
    name for name in ELEMENTWISE if name not in ("Cast", "AddN") and len(REGISTRY[name].input_names) == 1
]
AT = {"Acosh": 1.7}


@pytest.mark.parametrize("name", ONE_INPUT)
def test_the_formula_of_every_function_agrees_with_reverse_mode(name: str) -> None:
    at = AT.get(name, 0.3)
    with Graph(default_float="float64").as_default():
        x = Variable(at)
        y = REGISTRY[name](x)
        slope: Any = gradients(y, [x])[0]
        known = {x.ref: np.asarray(at)}
        expression, _ = expression_of(y, {"x": x.ref}, known)
    derivative = naive_derivative(expression, "x")
    assert evaluate(expression, {"x": at}) == pytest.approx(walk([y], known, kernel)[y])
    assert evaluate(derivative, {"x": at}) == pytest.approx(walk([slope], known, kernel)[slope])


@pytest.mark.parametrize("name", ONE_INPUT)
def test_sympy_has_every_function_too(name: str) -> None:
    at = AT.get(name, 0.3)
    expression, _ = formula(REGISTRY[name], at)
    value = sympy_derivative(expression, "x").subs(sympy.Symbol("x", real=True), at)
    assert float(value) == pytest.approx(evaluate(naive_derivative(expression, "x"), {"x": at}))


READ = [
    pytest.param(name, sample, id=f"{name}-{place}")
    for name in sorted({*ELEMENTWISE, *BY_KERNEL} & set(SAMPLES))
    for place, sample in enumerate(SAMPLES[name])
]


@pytest.mark.parametrize(("name", "sample"), READ)
def test_what_is_read_as_a_formula_has_the_value_of_the_graph(name: str, sample: Sample) -> None:
    laboratory = Laboratory(name, sample)
    known = {x: np.asarray(value) for x, value in laboratory.points.items()}
    letters = {f"x{place}": x for place, x in enumerate(laboratory.xs)}
    y: Any = laboratory.y
    expression, names = expression_of(y, letters, known)
    point = dict(zip(names, (float(n) for x in letters.values() for n in np.ravel(known[x])), strict=True))
    assert evaluate(expression, point) == pytest.approx(walk([y], known, kernel)[y])
