"""Transforms of random numbers, and the distributions that they make: `TransformedDistribution`.

The density of y = f(x) is that of x, less log |dy / dx|.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method, library_class, new_object
from engine.languages.surfaces.torch.distributions.base import begin, distribution
from engine.languages.surfaces.torch.registry import TORCH, F, torch_value
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

HERE = "distributions."


def _op(name: str, *args: Any) -> Any:
    return OPERATORS[name](*args)


def _softplus(x: Any) -> Any:
    return TORCH[F + "softplus"].function(x)


Rule = Callable[..., Any]


def _log_abs_power(self: UserObject, x: Any, y: Any) -> Any:
    return _op("log", _op("abs", self.fields["exponent"] * y / x))


def _affine_size(self: UserObject, x: Any, _: Any) -> Any:
    scale, count = self.fields["scale"], self.fields["event_dim"]
    size = _op("log", _op("abs", scale)) if isinstance(scale, Tensor) else math.log(abs(scale))
    wide = _op("zeros_like", x) + size
    return _op("sum", wide, tuple(range(-count, 0))) if count else wide


NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})
# name, y of x, x of y, log |dy / dx|, the settings
RULES: tuple[tuple[str, Rule, Rule, Rule, Mapping[str, Any]], ...] = (
    ("ExpTransform", lambda s, x: _op("exp", x), lambda s, y: _op("log", y), lambda s, x, y: x, NO_SETTINGS),
    (
        "SigmoidTransform",
        lambda s, x: _op("sigmoid", x),
        lambda s, y: _op("log", y) - _op("log1p", -y),
        lambda s, x, y: -_softplus(-x) - _softplus(x),
        NO_SETTINGS,
    ),
    (
        "TanhTransform",
        lambda s, x: _op("tanh", x),
        lambda s, y: _op("atanh", y),
        lambda s, x, y: 2.0 * (0.6931471805599453 - x - _softplus(-2.0 * x)),
        NO_SETTINGS,
    ),
    (
        "SoftplusTransform",
        lambda s, x: _softplus(x),
        lambda s, y: _op("log", -_op("expm1", -y)) + y,
        lambda s, x, y: -_softplus(-x),
        NO_SETTINGS,
    ),
    (
        "PowerTransform",
        lambda s, x: x ** s.fields["exponent"],
        lambda s, y: y ** (1 / s.fields["exponent"]),
        _log_abs_power,
        MappingProxyType({"exponent": None}),
    ),
    (
        "AffineTransform",
        lambda s, x: s.fields["loc"] + s.fields["scale"] * x,
        lambda s, y: (y - s.fields["loc"]) / s.fields["scale"],
        _affine_size,
        MappingProxyType({"loc": None, "scale": None, "event_dim": 0}),
    ),
)

TRANSFORM = library_class(
    "Transform",
    __init__=lambda self, cache_size=0: self.fields.update(event_dim=0),
    __repr__=lambda self: f"{self.kind.name}()",
    __call__=lambda interpreter, self, x: call_method(interpreter, self, "_call", x),
    properties={"inv": lambda interpreter, self: _inverse_of(interpreter, self)},
)


def _inverse_of(interpreter: Interpreter, transform: UserObject) -> UserObject:
    """The transform from y back to x."""
    return new_object(interpreter, INVERSE, transform)


def _rank(one: UserObject) -> int:
    return int(one.fields.get("event_dim") or 0)


INVERSE: UserClass = library_class(
    "_InverseTransform",
    TRANSFORM,
    __init__=lambda self, transform: self.fields.update(_inv=transform, event_dim=_rank(transform)),
    __repr__=lambda interpreter, self: (
        f"_InverseTransform({call_method(interpreter, self.fields['_inv'], '__repr__')})"
    ),
    _call=lambda interpreter, self, x: call_method(interpreter, self.fields["_inv"], "_inverse", x),
    _inverse=lambda interpreter, self, y: call_method(interpreter, self.fields["_inv"], "_call", y),
    log_abs_det_jacobian=lambda interpreter, self, x, y: (
        -call_method(interpreter, self.fields["_inv"], "log_abs_det_jacobian", y, x)
    ),
    properties={"inv": lambda self: self.fields["_inv"]},
)


def _enter(name: str, forward: Rule, inverse: Rule, size: Rule, settings: Mapping[str, Any]) -> None:
    names = list(settings)

    def start(self: UserObject, *args: Any, **keywords: Any) -> None:
        given = {**settings, **dict(zip(names, args, strict=False))}
        given.update({key: one for key, one in keywords.items() if key in settings})
        self.fields.update({"event_dim": 0, **given})

    kind = library_class(
        name, TRANSFORM, __init__=start, _call=forward, _inverse=inverse, log_abs_det_jacobian=size
    )
    torch_value(kind, f"{HERE}{name}", f"{HERE}transforms.{name}")


for _rules in RULES:
    _enter(*_rules)
torch_value(TRANSFORM, f"{HERE}Transform", f"{HERE}transforms.Transform")

# -- one after the other ---------------------------------------------------------------------------------


def _composed(interpreter: Interpreter, self: UserObject, x: Any) -> Any:
    for one in self.fields["parts"]:
        x = call_method(interpreter, one, "_call", x)
    return x


def _composed_back(interpreter: Interpreter, self: UserObject, y: Any) -> Any:
    for one in reversed(self.fields["parts"]):
        y = call_method(interpreter, one, "_inverse", y)
    return y


def _composed_size(interpreter: Interpreter, self: UserObject, x: Any, _: Any) -> Any:
    total: Any = 0.0
    for one in self.fields["parts"]:
        after = call_method(interpreter, one, "_call", x)
        total = total + call_method(interpreter, one, "log_abs_det_jacobian", x, after)
        x = after
    return total


COMPOSED = library_class(
    "ComposeTransform",
    TRANSFORM,
    __init__=lambda self, parts, cache_size=0: self.fields.update(
        parts=list(iterate(parts)), event_dim=max(map(_rank, iterate(parts)), default=0)
    ),
    _call=_composed,
    _inverse=_composed_back,
    log_abs_det_jacobian=_composed_size,
)
torch_value(COMPOSED, f"{HERE}ComposeTransform", f"{HERE}transforms.ComposeTransform")

# -- the distribution ------------------------------------------------------------------------------------


def _begin(
    interpreter: Interpreter,
    self: UserObject,
    base_distribution: UserObject,
    transforms: Any,
    validate_args: Any = None,
) -> None:
    listed = [transforms] if isinstance(transforms, UserObject) else list(iterate(transforms))
    event = tuple(attribute_of(interpreter, base_distribution, "event_shape"))
    batch = tuple(base_distribution.fields["_batch_shape"])
    extra = max([0, *(_rank(one) for one in listed)]) - len(event)
    self.fields.update(base_dist=base_distribution, transforms=listed, _moved=max(extra, 0))
    begin(self, batch[: len(batch) - max(extra, 0)], validate_args)


def _event_shape(interpreter: Interpreter, self: UserObject) -> Any:
    base, moved = self.fields["base_dist"], self.fields["_moved"]
    batch = base.fields["_batch_shape"]
    event = attribute_of(interpreter, base, "event_shape")
    return type(event)((*tuple(batch)[len(batch) - moved :], *event))


def _draw_by(how: str) -> Rule:
    def draw(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
        with recording(how == "rsample"):
            x = call_method(interpreter, self.fields["base_dist"], how, sample_shape)
            for one in self.fields["transforms"]:
                x = interpreter.call(one, [x], {})
        return x

    return draw


def _log_prob(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    total: Any = 0.0
    rank = len(_event_shape(interpreter, self))
    for one in reversed(self.fields["transforms"]):
        x = call_method(interpreter, one, "_inverse", value)
        size = call_method(interpreter, one, "log_abs_det_jacobian", x, value)
        total = total - _summed(size, rank - _rank(one))
        value = x
    base = self.fields["base_dist"]
    own = call_method(interpreter, base, "log_prob", value)
    return total + _summed(own, rank - len(attribute_of(interpreter, base, "event_shape")))


def _summed(value: Any, count: int) -> Any:
    return _op("sum", value, tuple(range(-count, 0))) if count > 0 else value


TRANSFORMED = distribution(
    "TransformedDistribution",
    (),
    properties={"event_shape": _event_shape},
    __init__=_begin,
    __repr__=lambda self: "TransformedDistribution()",
    sample=_draw_by("sample"),
    rsample=_draw_by("rsample"),
    log_prob=_log_prob,
)

KINDS = (TRANSFORMED,)
