"""Schedules by a rule of one line: steps, factors, lines, powers and the cosine.

Each gives the rates of a step from those of the step before, as PyTorch does, so that several can work on the
same rates; the closed form gives them from the number of the step alone.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.optim.lr_scheduler.base import (
    LR_SCHEDULER,
    REQUIRED,
    begin,
    check_optimizer,
    groups_of,
    rates,
    scaled,
    schedule,
)

THIRD = 1.0 / 3


def _facts(self: UserObject, *names: str) -> list[Any]:
    return [self.fields[name] for name in names]


# -- functions of the program ---------------------------------------------------------------------------


def _begin_with_functions(
    interpreter: Interpreter, self: UserObject, optimizer: Any, lr_lambda: Any, last_epoch: Any = -1
) -> None:
    check_optimizer(optimizer)
    count = len(optimizer.fields["param_groups"])
    given = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
    if len(given) != count:
        raise torch_error(
            f"Expected {count} lr_lambdas, but got {len(given)}",
            f"需要 {count} 个 lr_lambda，但给了 {len(given)} 个。",
            kind="ValueError",
        )
    self.fields["lr_lambdas"] = given
    begin(interpreter, self, optimizer, last_epoch)


def _factors(interpreter: Interpreter, self: UserObject) -> list[Any]:
    """What the program's functions give at this step, one for each group."""
    return [interpreter.call(one, [self.fields["last_epoch"]], {}) for one in self.fields["lr_lambdas"]]


def _lambda(interpreter: Interpreter, self: UserObject) -> list[Any]:
    """initial rate * f(t)."""
    factors = _factors(interpreter, self)
    return [base * factor for factor, base in zip(factors, self.fields["base_lrs"], strict=True)]


def _multiplicative(interpreter: Interpreter, self: UserObject) -> list[Any]:
    """rate * f(t)."""
    if self.fields["_is_initial"]:
        return rates(self)
    return [rate * factor for factor, rate in zip(_factors(interpreter, self), rates(self), strict=True)]


LAMBDA = library_class("LambdaLR", LR_SCHEDULER, __init__=_begin_with_functions, get_lr=_lambda)
MULTIPLICATIVE = library_class(
    "MultiplicativeLR", LR_SCHEDULER, __init__=_begin_with_functions, get_lr=_multiplicative
)


# -- steps ----------------------------------------------------------------------------------------------


def _step(self: UserObject) -> list[Any]:
    """rate * gamma at every step_size-th step."""
    t, size, gamma = _facts(self, "last_epoch", "step_size", "gamma")
    return rates(self) if t == 0 or t % size != 0 else scaled(self, gamma)


def _step_closed(self: UserObject) -> list[Any]:
    t, size, gamma = _facts(self, "last_epoch", "step_size", "gamma")
    return [base * gamma ** (t // size) for base in self.fields["base_lrs"]]


def _begin_milestones(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    milestones: Any,
    gamma: Any = 0.1,
    last_epoch: Any = -1,
) -> None:
    self.fields.update(milestones=Counter(iterate(milestones)), gamma=gamma)
    begin(interpreter, self, optimizer, last_epoch)


def _multi_step(self: UserObject) -> list[Any]:
    """rate * gamma at each milestone."""
    t, milestones, gamma = _facts(self, "last_epoch", "milestones", "gamma")
    return rates(self) if t not in milestones else scaled(self, gamma ** milestones[t])


def _multi_step_closed(self: UserObject) -> list[Any]:
    t, milestones, gamma = _facts(self, "last_epoch", "milestones", "gamma")
    passed = bisect_right(sorted(milestones.elements()), t)
    return [base * gamma**passed for base in self.fields["base_lrs"]]


STEP = schedule("StepLR", _step, _step_closed, step_size=REQUIRED, gamma=0.1)
MULTI_STEP = library_class(
    "MultiStepLR",
    LR_SCHEDULER,
    __init__=_begin_milestones,
    get_lr=_multi_step,
    _get_closed_form_lr=_multi_step_closed,
)


# -- constants, lines, powers ---------------------------------------------------------------------------


def _check_constant(factor: Any, total_iters: Any) -> None:
    if factor > 1.0 or factor < 0:
        raise torch_error(
            "Constant multiplicative factor expected to be between 0 and 1.",
            "常数因子必须在 0 和 1 之间。",
            kind="ValueError",
        )


def _constant(self: UserObject) -> list[Any]:
    """rate * factor until total_iters, then the rate itself."""
    t, factor, last = _facts(self, "last_epoch", "factor", "total_iters")
    if t == 0:
        return scaled(self, factor)
    return rates(self) if t != last else scaled(self, 1.0 / factor)


def _constant_closed(self: UserObject) -> list[Any]:
    t, factor, last = _facts(self, "last_epoch", "factor", "total_iters")
    return [base * (factor + (t >= last) * (1 - factor)) for base in self.fields["base_lrs"]]


def _check_linear(start_factor: Any, end_factor: Any, total_iters: Any) -> None:
    if start_factor > 1.0 or start_factor <= 0:
        raise torch_error(
            "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.",
            "起始因子必须大于 0 且不大于 1。",
            kind="ValueError",
        )
    if end_factor > 1.0 or end_factor < 0:
        raise torch_error(
            "Ending multiplicative factor expected to be between 0 and 1.",
            "终止因子必须在 0 和 1 之间。",
            kind="ValueError",
        )


def _linear(self: UserObject) -> list[Any]:
    """rate * (a straight line from start_factor to end_factor over total_iters steps)."""
    t, start, end, last = _facts(self, "last_epoch", "start_factor", "end_factor", "total_iters")
    if t == 0:
        return scaled(self, start)
    if self.fields["_is_initial"] or t > last:
        return rates(self)
    return scaled(self, 1.0 + (end - start) / (last * start + (t - 1) * (end - start)))


def _linear_closed(self: UserObject) -> list[Any]:
    t, start, end, last = _facts(self, "last_epoch", "start_factor", "end_factor", "total_iters")
    return [base * (start + (end - start) * min(last, t) / last) for base in self.fields["base_lrs"]]


def _exponential(self: UserObject) -> list[Any]:
    """rate * gamma."""
    return rates(self) if self.fields["_is_initial"] else scaled(self, self.fields["gamma"])


def _exponential_closed(self: UserObject) -> list[Any]:
    return [base * self.fields["gamma"] ** self.fields["last_epoch"] for base in self.fields["base_lrs"]]


def _polynomial(self: UserObject) -> list[Any]:
    """initial rate * (1 - t / total_iters) ** power."""
    t, last, power = _facts(self, "last_epoch", "total_iters", "power")
    if self.fields["_is_initial"] or t > last:
        return rates(self)
    return scaled(self, ((1.0 - t / last) / (1.0 - (t - 1) / last)) ** power)


def _polynomial_closed(self: UserObject) -> list[Any]:
    t, last, power = _facts(self, "last_epoch", "total_iters", "power")
    return [base * (1.0 - min(last, t) / last) ** power for base in self.fields["base_lrs"]]


CONSTANT = schedule(
    "ConstantLR", _constant, _constant_closed, check=_check_constant, factor=THIRD, total_iters=5
)
LINEAR = schedule(
    "LinearLR",
    _linear,
    _linear_closed,
    check=_check_linear,
    start_factor=THIRD,
    end_factor=1.0,
    total_iters=5,
)
EXPONENTIAL = schedule("ExponentialLR", _exponential, _exponential_closed, gamma=REQUIRED)
POLYNOMIAL = schedule("PolynomialLR", _polynomial, _polynomial_closed, total_iters=5, power=1.0)


# -- the cosine -----------------------------------------------------------------------------------------


def _cosine(self: UserObject) -> list[Any]:
    """Half a wave of the cosine from the initial rate to eta_min over T_max steps, and back."""
    t, last, low = _facts(self, "last_epoch", "T_max", "eta_min")
    if self.fields["_is_initial"]:
        return rates(self)
    if self.fields["_step_count"] == 1 and t > 0:
        return _cosine_closed(self)
    bases = self.fields["base_lrs"]
    if (t - 1 - last) % (2 * last) == 0:
        rise = (1 - math.cos(math.pi / last)) / 2
        return [rate + (base - low) * rise for base, rate in zip(bases, rates(self), strict=True)]
    ratio = (1 + math.cos(math.pi * t / last)) / (1 + math.cos(math.pi * (t - 1) / last))
    return [ratio * (group["lr"] - low) + low for group in groups_of(self)]


def _cosine_closed(self: UserObject) -> list[Any]:
    t, last, low = _facts(self, "last_epoch", "T_max", "eta_min")
    share = (1 + math.cos(math.pi * t / last)) / 2
    return [low + (base - low) * share for base in self.fields["base_lrs"]]


COSINE = schedule("CosineAnnealingLR", _cosine, _cosine_closed, T_max=REQUIRED, eta_min=0.0)
