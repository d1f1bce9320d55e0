"""Distributions of vectors, and those made of others: several variables, normal, independent, log-normal."""

from __future__ import annotations

from math import log, pi
from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.classes import call_method
from engine.languages.surfaces.torch.distributions.base import (
    begin,
    check_value,
    distribution,
    drawn_shape,
    parameters,
    without_gradients,
)
from engine.languages.surfaces.torch.distributions.continuous import get, sampled
from engine.languages.surfaces.torch.distributions.normal import POSITIVE, REAL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.random.making import normal
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

VECTOR = "IndependentConstraint(Real(), 1)", lambda x: x == x  # nan differs from itself
LOWER = "LowerCholesky()", lambda x: np.tril(x) == x
DEFINITE = "PositiveDefinite()", lambda x: np.linalg.eigvalsh(x) > 0


def _op(name: str, *args: Any) -> Any:
    return OPERATORS[name](*args)


# -- several variables -------------------------------------------------------------------------------


def _begin_several(
    self: UserObject,
    loc: Any,
    covariance_matrix: Any = None,
    precision_matrix: Any = None,
    scale_tril: Any = None,
    validate_args: Any = None,
) -> None:
    given = {
        "covariance_matrix": (covariance_matrix, DEFINITE),
        "scale_tril": (scale_tril, LOWER),
        "precision_matrix": (precision_matrix, DEFINITE),
    }
    chosen = {name: one for name, one in given.items() if one[0] is not None}
    if len(chosen) != 1:
        raise torch_error(
            "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.",
            "covariance_matrix、precision_matrix、scale_tril 必须恰好给出一个。",
            kind="ValueError",
        )
    ((name, (matrix, constraint)),) = chosen.items()
    n = matrix.shape[-1]
    batch = np.broadcast_shapes(tuple(matrix.shape[:-2]), tuple(loc.shape[:-1]))
    self.fields.update({"loc": _op("broadcast_to", loc, (*batch, n)), name: matrix})
    begin(self, batch, validate_args, loc=(self.fields["loc"], VECTOR), **{name: (matrix, constraint)})
    if name != "scale_tril":
        spread = matrix if name == "covariance_matrix" else _op("linalg.inv", matrix)
        self.fields["_factor"] = _op("linalg.cholesky", spread)
    else:
        self.fields["_factor"] = matrix


def _times(matrix: Tensor, vectors: Any) -> Any:
    """The product with each vector. Shapes: (*B, n, n), (*S, n) -> (*S, n)."""
    return _op("squeeze", _op("matmul", matrix, _op("unsqueeze", vectors, -1)), -1)


def _draw_several(self: UserObject, sample_shape: Any = ()) -> Any:
    """μ + L ε."""
    loc, factor = get(self, "loc", "_factor")
    noise = normal(0.0, 1.0, (*drawn_shape(self, sample_shape), loc.shape[-1]), dtype=loc.dtype)
    return loc + _times(factor, noise)


def _log_root(factor: Any) -> Any:
    return _op("sum", _op("log", _op("diagonal", factor, 0, -2, -1)), -1)


def _log_several(self: UserObject, value: Any) -> Any:
    """-(n log 2π + |L⁻¹ (x - μ)|²) / 2 - Σ log Lᵢᵢ."""
    check_value(self, value, VECTOR)
    loc, factor = get(self, "loc", "_factor")
    moved = _op("unsqueeze", value - loc, -1)
    m = _op("sum", _op("squeeze", _op("linalg.solve", factor, moved), -1) ** 2, -1)
    return -0.5 * (loc.shape[-1] * log(2 * pi) + m) - _log_root(factor)


def _covariance(self: UserObject) -> Any:
    if "covariance_matrix" in self.fields:
        return self.fields["covariance_matrix"]
    (factor,) = get(self, "_factor")
    return _op("matmul", factor, _op("transpose", factor, -2, -1))


def _variance_several(self: UserObject) -> Any:
    return _op("sum", self.fields["_factor"] ** 2, -1)


MULTIVARIATE = distribution(
    "MultivariateNormal",
    ("loc", "covariance_matrix", "precision_matrix", "scale_tril"),
    cached={
        "covariance_matrix": _covariance,
        "scale_tril": lambda self: self.fields["_factor"],
        "precision_matrix": lambda self: _op("linalg.inv", _covariance(self)),
    },
    properties={
        "event_shape": lambda self: Size(self.fields["loc"].shape[-1:]),
        "mean": lambda self: self.fields["loc"],
        "mode": lambda self: self.fields["loc"],
        "variance": _variance_several,
    },
    __init__=_begin_several,
    sample=sampled(_draw_several),
    rsample=_draw_several,
    log_prob=_log_several,
    entropy=lambda self: (
        0.5 * self.fields["loc"].shape[-1] * (1.0 + log(2 * pi)) + _log_root(self.fields["_factor"])
    ),
)

# -- independent variables ---------------------------------------------------------------------------


def _begin_independent(
    self: UserObject, base_distribution: Any, reinterpreted_batch_ndims: Any, validate_args: Any = None
) -> None:
    count, batch = int(reinterpreted_batch_ndims), base_distribution.fields["_batch_shape"]
    if count > len(batch):
        raise torch_error(
            "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
            f"actual {count} vs {len(batch)}",
            f"reinterpreted_batch_ndims（{count}）不能超过批的维数（{len(batch)}）。",
            kind="ValueError",
        )
    self.fields.update(base_dist=base_distribution, reinterpreted_batch_ndims=count)
    begin(self, tuple(batch)[: len(batch) - count], validate_args)


def _of_base(name: str) -> Any:
    return lambda interpreter, self: attribute_of(interpreter, self.fields["base_dist"], name)


def _call_base(name: str) -> Any:
    def call(interpreter: Any, self: UserObject, sample_shape: Any = ()) -> Any:
        return call_method(interpreter, self.fields["base_dist"], name, sample_shape)

    return call


def _summed(name: str) -> Any:
    """What the base gives, summed over the axes that belong together."""

    def call(interpreter: Any, self: UserObject, *args: Any) -> Any:
        found = call_method(interpreter, self.fields["base_dist"], name, *args)
        count = self.fields["reinterpreted_batch_ndims"]
        return _op("sum", found, tuple(range(-count, 0))) if count else found

    return call


def _event_shape(interpreter: Any, self: UserObject) -> Size:
    base, count = self.fields["base_dist"], self.fields["reinterpreted_batch_ndims"]
    batch = tuple(base.fields["_batch_shape"])
    return Size((*batch[len(batch) - count :], *attribute_of(interpreter, base, "event_shape")))


INDEPENDENT = distribution(
    "Independent",
    (),
    properties={
        "mean": _of_base("mean"),
        "variance": _of_base("variance"),
        "mode": _of_base("mode"),
        "event_shape": _event_shape,
    },
    __init__=_begin_independent,
    __repr__=lambda interpreter, self: (
        f"Independent({_text(interpreter, self.fields['base_dist'])}, "
        f"{self.fields['reinterpreted_batch_ndims']})"
    ),
    sample=_call_base("sample"),
    rsample=_call_base("rsample"),
    log_prob=_summed("log_prob"),
    entropy=_summed("entropy"),
)


def _text(interpreter: Any, value: UserObject) -> str:
    found: str = call_method(interpreter, value, "__repr__")
    return found


# -- log-normal --------------------------------------------------------------------------------------


def _begin_log_normal(self: UserObject, loc: Any, scale: Any, validate_args: Any = None) -> None:
    loc, scale = parameters(loc, scale)
    self.fields.update(loc=loc, scale=scale)
    begin(self, loc.shape, validate_args, loc=(loc, REAL), scale=(scale, POSITIVE))


def _rsample_log_normal(self: UserObject, sample_shape: Any = ()) -> Any:
    loc, scale = get(self, "loc", "scale")
    return _op("exp", loc + normal(0.0, 1.0, drawn_shape(self, sample_shape), dtype=loc.dtype) * scale)


def _draw_log_normal(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    wide = [_op("broadcast_to", one, shape) for one in get(self, "loc", "scale")]
    return _op("exp", normal(*wide))


def _log_log_normal(self: UserObject, value: Any) -> Any:
    """The density of log x, less log x."""
    check_value(self, value, POSITIVE)
    loc, scale = get(self, "loc", "scale")
    y = _op("log", value)
    return -((y - loc) ** 2) / (2 * scale**2) - _op("log", scale) - 0.5 * log(2 * pi) - y


LOG_NORMAL = distribution(
    "LogNormal",
    ("loc", "scale"),
    properties={
        "mean": lambda self: _op("exp", self.fields["loc"] + self.fields["scale"] ** 2 / 2),
        "variance": lambda self: (
            _op("expm1", self.fields["scale"] ** 2)
            * _op("exp", 2 * self.fields["loc"] + self.fields["scale"] ** 2)
        ),
    },
    __init__=_begin_log_normal,
    __repr__=lambda self: "LogNormal()",
    sample=without_gradients(_draw_log_normal),
    rsample=_rsample_log_normal,
    log_prob=_log_log_normal,
)

KINDS = (MULTIVARIATE, INDEPENDENT, LOG_NORMAL)
