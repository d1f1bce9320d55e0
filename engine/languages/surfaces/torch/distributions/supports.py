"""`support`: the numbers that a distribution can give, and which of others are among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.classes import library_class, new_object
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

Holds = Callable[[Any], Any]  # of an array, where its numbers, or rows of them, are among those
Support = tuple[
    str, Holds, bool, int
]  # as it is written, what is in it, whether whole numbers, axes of a row
Bound = Any


def _begin(self: UserObject, text: str, holds: Holds, is_discrete: bool, event_dim: int) -> None:
    self.fields.update(_text=text, _holds=holds, is_discrete=is_discrete, event_dim=event_dim)


def _check(self: UserObject, value: Tensor) -> Tensor:
    return of_numbers(np.asarray(self.fields["_holds"](value.array)))


CONSTRAINT = library_class(
    "Constraint", __init__=_begin, __repr__=lambda self: self.fields["_text"], check=_check
)


def _end(bound: Bound) -> Any:
    """A bound as numpy reckons with it."""
    return bound.array if isinstance(bound, Tensor) else bound


def _written(bound: Bound) -> str:
    return to_str(bound.array.item() if isinstance(bound, Tensor) and bound.array.ndim == 0 else bound)


def _above(low: Bound, strictly: bool) -> Support:
    name = "GreaterThan" if strictly else "GreaterThanEq"
    return (
        f"{name}(lower_bound={_written(low)})",
        lambda x: x > _end(low) if strictly else x >= _end(low),
        False,
        0,
    )


def _between(low: Bound, high: Bound) -> Support:
    text = f"Interval(lower_bound={_written(low)}, upper_bound={_written(high)})"
    return text, lambda x: (x >= _end(low)) & (x <= _end(high)), False, 0


def _whole_between(high: Bound) -> Support:
    text = f"IntegerInterval(lower_bound=0, upper_bound={_written(high)})"
    return text, lambda x: (x % 1 == 0) & (x >= 0) & (x <= _end(high)), True, 0


REAL: Support = "Real()", lambda x: x == x, False, 0  # nan differs from itself
REAL_ROW: Support = "IndependentConstraint(Real(), 1)", lambda x: (x == x).all(-1), False, 1
POSITIVE, NOT_NEGATIVE, UNIT = _above(0.0, True), _above(0.0, False), _between(0.0, 1.0)
COUNT: Support = "IntegerGreaterThan(lower_bound=0)", lambda x: (x % 1 == 0) & (x >= 0), True, 0
BOOLEAN: Support = "Boolean()", lambda x: (x == 0) | (x == 1), True, 0
SIMPLEX: Support = "Simplex()", lambda x: (x >= 0).all(-1) & (abs(x.sum(-1) - 1) < 1e-6), False, 1
ONE_HOT: Support = "OneHot()", lambda x: ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1), True, 1

FIXED: Mapping[str, Support] = MappingProxyType(
    {
        **dict.fromkeys(("Normal", "Laplace", "Cauchy", "Gumbel", "StudentT", "VonMises"), REAL),
        **dict.fromkeys(("MultivariateNormal", "LowRankMultivariateNormal"), REAL_ROW),
        **dict.fromkeys(("Weibull", "LogNormal", "InverseGamma", "FisherSnedecor"), POSITIVE),
        **dict.fromkeys(("Exponential", "HalfNormal", "HalfCauchy", "Gamma", "Chi2"), NOT_NEGATIVE),
        **dict.fromkeys(("Beta", "RelaxedBernoulli", "Kumaraswamy", "ContinuousBernoulli"), UNIT),
        **dict.fromkeys(("Poisson", "Geometric", "NegativeBinomial"), COUNT),
        **dict.fromkeys(("Dirichlet", "RelaxedOneHotCategorical", "LogisticNormal"), SIMPLEX),
        "Bernoulli": BOOLEAN,
        "OneHotCategorical": ONE_HOT,
    }
)


def support_of(interpreter: Any, self: UserObject) -> UserObject:
    """The numbers that a distribution gives. Raises: for one of which they are not written down here."""
    return new_object(interpreter, CONSTRAINT, *_found(interpreter, self))


def _found(interpreter: Any, self: UserObject) -> Support:
    for kind in self.kind.order:  # also of a program's own that inherits from one
        if kind.name in FIXED:
            return FIXED[kind.name]
    name = self.kind.name
    if name == "Uniform":
        return _between(self.fields["low"], self.fields["high"])
    if name == "Pareto":
        return _above(self.fields["scale"], False)
    if name == "Binomial":
        return _whole_between(self.fields["total_count"])
    if name == "Categorical":
        return _whole_between(attribute_of(interpreter, self, "probs").shape[-1] - 1)
    if name == "Independent":
        return _of_rows(
            _found(interpreter, self.fields["base_dist"]), self.fields["reinterpreted_batch_ndims"]
        )
    raise not_here(f"`{name}.support`", f" `{name}.support`")


def _of_rows(each: Support, count: int) -> Support:
    text, holds, is_discrete, rank = each
    if count == 0:
        return each
    axes = tuple(range(-count, 0))
    return f"IndependentConstraint({text}, {count})", lambda x: holds(x).all(axes), is_discrete, rank + count
