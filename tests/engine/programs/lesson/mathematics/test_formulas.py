"""Formulas of all kinds: each factor is SymPy's, each step the engine's own, and nothing is left out."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.differentiation.symbolic import expression_of, to_sympy
from engine.graph import Node, Tensor
from engine.graph.reachability import descendants
from engine.programs.program.outcome import Outcome
from tests.engine.languages.mathematics.reading import value
from tests.engine.programs.lesson.mathematics.lessons import (
    Steps,
    array,
    internal_names,
    lesson,
    of_phase,
    unequal_products,
    wrong_totals,
)

pytestmark = pytest.mark.slow  # tells hundreds of formulas

AT = {"x": 0.7, "w": 1.3, "b": -0.4, "t": 0.2, "z": 2.5, "a": 1.1}
FORMULAS = """
y = x^2
y = 1/(1+e^{-x})
y = sqrt(1+x^2)
y = x^x
y = max(x, 0)
y = sum(i, 1, 3, x^i)
y = prod(i, 1, 4, x + i)
y = e^(x^2)
y = e^{-x^2/2}/sqrt(2 pi)
y = 2^x
y = x^(-2)
y = x^(1/2)
y = x^w
y = ln x
y = ln(1 + e^x)
y = log(x^2 + 1)
y = sin(x)/x
y = sin(x) cos(x)
y = sin(x)^2 + cos(x)^2
y = tan(x/2)
y = arctan(w*x + b)
y = arcsin(x/2)
y = arccos(x/2)
y = sinh(x) - cosh(x)
y = tanh(w*x + b)
y = arsinh(x)
y = arcosh(z)
y = artanh(x/2)
y = |x - 1|
y = abs(b)
y = sqrt(x^2 + w^2)
y = 1/x
y = -1/x^2
y = x/(1 + |x|)
y = (x - w)/(x + w)
y = (t - w*x - b)^2
y = (w*x + b)^3 - 2*(w*x + b)
y = -(t*ln(x) + (1-t)*ln(1-x))
y = min(x, w)
y = max(x, min(w, z))
y = if(x > 0, x^2, -x)
y = if(x > 1, x^2, -x)
y = relu(w*x + b)
y = sigmoid(w*x + b)
y = softplus(x)
y = x*x*x
y = x + x
y = x - x/3
y = 3
y = 4x^3 - 3x^2 + 2x - 1
y = (1 + x)(1 - x)
y = e^x/(e^x + e^w)
y = a*e^{-b*x}
y = ln(x) * x
y = x * e^{-x}
y = (sin(x) + x)^2
y = sqrt(sqrt(x))
y = e^{e^{-x}}
y = sin(cos(sin(x)))
y = floor(z) * x
y = 1/(1/x + 1/w)
y = (x^2 - w^2)^2 + (x*w)^2
u = w*x + b\\nv = tanh(u)\\ny = (v - t)^2
f(x) = x^2 + 1\\ny = f(x) * f(w)
c = a + b\\nd = a*b\\ny = (c + d) + c*d
h = x\\nk = h*h\\ny = k*k + h
""".strip().split("\n")
LESSONS = [source.replace("\\n", "\n") for source in FORMULAS]


@cache  # three tests look at each lesson
def told_of(source: str) -> tuple[Outcome, Steps]:
    names = set(re.findall(r"[a-z]", source))
    return lesson(source, **{name: number for name, number in AT.items() if name in names})


def learners_operations(outcome: Outcome) -> list[Node]:
    """The operations of the formula on a path from a variable to y."""
    graph = outcome.graph
    variables = [node for node in graph.nodes if node.op.name == "VariableV2"]
    leading = descendants(graph, variables, frozenset({"float64"}))
    on_path = _gone_back(outcome.target) & leading if outcome.target is not None else set()
    return [
        node
        for node in graph.nodes
        if node in on_path and node.op.name not in ("VariableV2", "Identity") and not is_first_power(node)
    ]


def _gone_back(y: Tensor) -> set[Node]:
    """What a way back from y comes to: not what a condition alone is computed from."""
    found, waiting = set(), [y]
    while waiting:
        tensor = waiting.pop()
        if tensor.node not in found and tensor.dtype != "bool":
            found.add(tensor.node)
            waiting += tensor.node.inputs if sends_back(tensor.node) else ()
    return found


def is_first_power(node: Node) -> bool:
    """`x¹`, which is `x`: what a sum over i makes of `x^i`."""
    exponent = node.inputs[1].node if node.op.name == "Pow" else node
    return exponent.op.name == "Const" and bool(exponent.attrs["value"] == 1)


def sends_back(node: Node) -> bool:
    """Whether anything comes back through it: TensorFlow's gradient of Floor is None."""
    return node.op.gradient_rule is not None and node.op.name != "Floor"


@pytest.mark.parametrize("source", LESSONS)
def test_each_step_is_the_engines_and_no_operation_is_left_out(source: str) -> None:
    outcome, told = told_of(source)
    backward = of_phase(told, "backward")
    passing = [node for node in learners_operations(outcome) if sends_back(node)]
    assert sorted(step["of"] for step in backward) == sorted(node.name for node in passing)
    assert unequal_products(told) == []
    assert wrong_totals(told) == []
    assert internal_names(outcome, source, told) == []
    local = [one["local"] for step in backward for one in step["contributions"]]
    assert all(slope is not None for slope in local)


def sympy_slope(node: Node, place: int, values: list[float]) -> float:
    """What SymPy makes of one op's derivative by one of its inputs."""
    inputs = {f"p{n}": tensor for n, tensor in enumerate(node.inputs)}
    known = {tensor: np.float64(number) for tensor, number in zip(node.inputs, values, strict=True)}
    expression, _ = expression_of(node.outputs[0], inputs, {t: np.asarray(v) for t, v in known.items()})
    symbols = {f"p{n}": sympy.Symbol(f"p{n}", real=True) for n in range(len(values))}
    slope = sympy.diff(to_sympy(expression), symbols[f"p{place}"])
    return float(slope.subs({symbols[f"p{n}"]: number for n, number in enumerate(values)}).evalf())


WITHOUT_SYMPY = {"Select", "Greater", "Maximum", "Minimum", "Floor"}  # choices, and what is flat


@pytest.mark.parametrize("source", LESSONS)
def test_each_local_derivative_is_sympys(source: str) -> None:
    assert_locals_are_sympys(*told_of(source))


def assert_locals_are_sympys(outcome: Outcome, told: Steps) -> None:
    """Each local derivative by one of its inputs, where SymPy has a formula for the operation."""
    for step in of_phase(told, "backward"):
        node = outcome.graph.node(step["of"])
        if any(is_first_power(tensor.node) for tensor in node.inputs if tensor.node.op.name == "Pow"):
            continue
        if node.op.name in WITHOUT_SYMPY or len({t.name for t in node.inputs}) < len(node.inputs):
            continue
        values = {entry["tensor"]: float(array(entry["value"])) for entry in step["inputs"]}
        resolved = [_plain(tensor.name, values, node) for tensor in node.inputs]
        for one in step["contributions"]:
            place = [_same(tensor.name, one["to"]) for tensor in node.inputs].index(True)
            slope = sympy_slope(node, place, resolved)
            is_known = not math.isnan(slope)  # as SymPy's slope of a power is at 0
            assert not is_known or float(array(one["local"])) == pytest.approx(slope, rel=1e-9, abs=1e-12)


def _same(name: str, to: str) -> bool:
    return name.replace("/read:", ":") == to


def _plain(name: str, values: dict[str, float], node: Node) -> float:
    found = values.get(name.replace("/read:", ":"))
    if found is not None:
        return found
    constant = next(tensor.node for tensor in node.inputs if tensor.name == name)
    return float(constant.attrs["value"])


@pytest.mark.parametrize("source", LESSONS)
def test_each_factor_that_is_shown_is_the_local_derivative(source: str) -> None:
    """The LaTeX of a factor is read by Gradlens itself, after the learner's own lines."""
    _, told = told_of(source)
    names = set(re.findall(r"[a-z]", source))
    at = {name: number for name, number in AT.items() if name in names}
    for step in of_phase(told, "backward"):
        for one in step["contributions"]:
            if one["factor"] and "u_{" not in one["factor"]:
                shown = value(f"{source}\nq = {one['factor']} + 0 \\cdot {_any_of(at)}", **at)
                digits = (
                    1e-4 if re.search(r"\d\.\d{3}", one["factor"]) else 1e-6
                )  # a number is shown with four
                assert shown == pytest.approx(float(array(one["local"])), rel=digits), one["factor"]


def _any_of(at: dict[str, Any]) -> str:
    return next(iter(at), "1")


# -- by chance -----------------------------------------------------------------------------------------

LEAVES = st.sampled_from(["x", "w", "2", "0.5"])
FUNCTIONS = ("sin", "cos", "tanh", "exp", "sigmoid", "softplus")


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda t: f"{t[0]}({t[1]})"),
        inner.map(lambda one: f"({one})^2"),
        inner.map(lambda one: f"1/(3 + ({one})^2)"),
        inner.map(lambda one: f"max({one}, 0.3)"),
        st.tuples(inner, inner).map(lambda t: f"min({t[0]}, {t[1]} + 1)"),
        inner.map(lambda one: f"ln(2 + ({one})^2)"),
        inner.map(lambda one: f"sqrt(1 + ({one})^2)"),
        inner.map(lambda one: f"abs({one} - 0.2)"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]})/(2 + cos({t[1]}))"),
        inner.map(lambda one: f"2^({one})/4"),
        inner.map(lambda one: f"sum(i, 1, 2, ({one})^i/i)"),
        inner.map(lambda one: f"if({one} > 0.1, {one}, 0.1*({one}))"),
        st.tuples(inner, inner).map(lambda t: f"(1.5 + tanh({t[0]}))^({t[1]})"),
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.recursive(LEAVES, _grown, max_leaves=8), st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
def test_a_formula_by_chance_adds_up_to_the_engines_gradient(formula: str, x: float, w: float) -> None:
    source = f"y = {formula} + x*w"
    outcome, told = lesson(source, x=x, w=w)
    assert unequal_products(told) == []
    assert wrong_totals(told) == []
    assert internal_names(outcome, source, told) == []
    passing = [node for node in learners_operations(outcome) if sends_back(node)]
    assert sorted(step["of"] for step in of_phase(told, "backward")) == sorted(node.name for node in passing)
    assert_locals_are_sympys(outcome, told)
