"""One choice of several as a vector: `OneHotCategorical`, and the categorical one inside of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method, new_object
from engine.languages.surfaces.torch.distributions.base import begin, check_value, distribution
from engine.languages.surfaces.torch.distributions.discrete import CATEGORICAL
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers

ONE_HOT = "OneHot()", lambda x: ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1)


def operator(name: str, *args: Any) -> Any:
    """What PyTorch's function of this name gives."""
    return OPERATORS[name](*args)


def inner_fact(name: str, inner: str = "_categorical") -> Any:
    """A fact of the distribution inside."""
    return lambda interpreter, self: attribute_of(interpreter, self.fields[inner], name)


def own_probs(interpreter: Any, self: UserObject) -> Any:
    """The probabilities of the choices, (*batch, choices)."""
    return attribute_of(interpreter, self, "probs")


def own_logits(interpreter: Any, self: UserObject) -> Any:
    """Their logarithms, up to one number for all, (*batch, choices)."""
    return attribute_of(interpreter, self, "logits")


def events_of(interpreter: Any, self: UserObject) -> Size:
    """The shape of one draw: as long as there are choices."""
    return Size((self.fields["_categorical"].fields["_num_events"],))


def begin_inside(
    interpreter: Interpreter, self: UserObject, probs: Any, logits: Any, validate: Any
) -> UserObject:
    """Set up with a categorical distribution inside, which says its range."""
    inner = new_object(interpreter, CATEGORICAL, probs, logits, validate)
    self.fields["_categorical"] = inner
    self.fields["_num_events"] = inner.fields["_num_events"]
    begin(self, inner.fields["_batch_shape"], validate)
    return inner


def _begin_one_hot(
    interpreter: Interpreter,
    self: UserObject,
    probs: Any = None,
    logits: Any = None,
    validate_args: Any = None,
) -> None:
    begin_inside(interpreter, self, probs, logits, validate_args)


def _draw_one_hot(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    drawn = call_method(interpreter, self.fields["_categorical"], "sample", sample_shape)
    probs = own_probs(interpreter, self)
    rows = np.eye(probs.shape[-1], dtype=probs.array.dtype)
    return of_numbers(rows[drawn.array])


def _log_one_hot(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    check_value(self, value, ONE_HOT)
    return call_method(interpreter, self.fields["_categorical"], "log_prob", operator("argmax", value, -1))


def _straight(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    """A choice with the gradient of its probabilities."""
    drawn, probs = _draw_one_hot(interpreter, self, sample_shape), own_probs(interpreter, self)
    return drawn + (probs - operator("detach", probs))


def _variance_one_hot(interpreter: Any, self: UserObject) -> Any:
    probs = own_probs(interpreter, self)
    return probs * (1 - probs)


def _mode_one_hot(interpreter: Any, self: UserObject) -> Any:
    probs = own_probs(interpreter, self).array
    return of_numbers(np.eye(probs.shape[-1], dtype=probs.dtype)[probs.argmax(-1)])


def _one_hot(name: str, **methods: Any) -> UserClass:
    return distribution(
        name,
        ("probs", "logits"),
        properties={
            "probs": inner_fact("probs"),
            "logits": inner_fact("logits"),
            "mean": inner_fact("probs"),
            "mode": _mode_one_hot,
            "variance": _variance_one_hot,
            "param_shape": inner_fact("param_shape"),
            "event_shape": events_of,
        },
        __init__=_begin_one_hot,
        __repr__=lambda self: f"{name}()",
        sample=_draw_one_hot,
        log_prob=_log_one_hot,
        entropy=lambda interpreter, self: call_method(interpreter, self.fields["_categorical"], "entropy"),
        **methods,
    )


ONE_HOT_CATEGORICAL = _one_hot("OneHotCategorical")
STRAIGHT_THROUGH = _one_hot("OneHotCategoricalStraightThrough", rsample=_straight)

KINDS = (ONE_HOT_CATEGORICAL, STRAIGHT_THROUGH)
