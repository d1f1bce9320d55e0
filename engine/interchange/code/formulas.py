"""Ops as formulas of operators alone, for every language that has nothing shorter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from engine.interchange.code.language import Language, Rule
from engine.interchange.code.pieces import Piece


def operator(symbol: str) -> Rule:
    """An op that is an operator of the language; of two plain numbers the first gets its type."""

    def rule(language: Language, node: Any, left: Piece, right: Piece) -> Piece:
        if left.plain and right.plain:
            left = language.typed(left, node.inputs[0].dtype)
        return language.join(symbol, left, right)

    return rule


def formula(build: Any) -> Rule:
    """An op by a formula of its inputs."""
    return lambda language, node, *pieces: build(
        *(language.typed(piece, node.inputs[0].dtype) for piece in pieces)
    )


FORMULAS: Mapping[str, Rule] = {
    "Add": operator("+"),
    "AddN": formula(lambda *pieces: reduce(lambda a, b: a + b, pieces)),
    "AddV2": operator("+"),
    "BiasAdd": operator("+"),
    "Div": operator("/"),
    "Equal": operator("=="),
    "Greater": operator(">"),
    "GreaterEqual": operator(">="),
    "Less": operator("<"),
    "LessEqual": operator("<="),
    "LogicalAnd": operator("&"),
    "LogicalOr": operator("|"),
    "Mul": operator("*"),
    "Neg": formula(lambda x: -x),
    "NotEqual": operator("!="),
    "Pow": operator("**"),
    "RealDiv": operator("/"),
    "Reciprocal": formula(lambda x: 1.0 / x),
    "Square": formula(lambda x: x**2),
    "SquaredDifference": formula(lambda a, b: (a - b) ** 2),
    "Sub": operator("-"),
    # gradients that TensorFlow computes in one node; y is the output of the forward node
    "ReciprocalGrad": formula(lambda y, dy: -dy * y * y),
    "RsqrtGrad": formula(lambda y, dy: -0.5 * dy * y**3),
    "SigmoidGrad": formula(lambda y, dy: dy * y * (1.0 - y)),
    "SqrtGrad": formula(lambda y, dy: 0.5 * dy / y),
    "TanhGrad": formula(lambda y, dy: dy * (1.0 - y * y)),
}
