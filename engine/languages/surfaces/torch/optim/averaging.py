"""`torch.optim.swa_utils`: a model whose parameters are the mean of those of another one in training.

Source: Izmailov et al. (2018), Averaging weights leads to wider optima and better generalization.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.python.typing import deep
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.classes import call_method, library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.init import put
from engine.languages.surfaces.torch.nn.module import (
    MODULE,
    begin,
    gathered,
    modules_of,
    own_buffers,
    own_parameters,
)
from engine.languages.surfaces.torch.optim.lr_scheduler.base import LR_SCHEDULER, groups_of, per_group
from engine.languages.surfaces.torch.optim.lr_scheduler.base import begin as begin_schedule
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

HERE = "optim.swa_utils."


def _begin_averaged(
    interpreter: Interpreter,
    self: UserObject,
    model: UserObject,
    device: Any = None,
    avg_fn: Any = None,
    multi_avg_fn: Any = None,
    use_buffers: Any = False,
) -> None:
    if avg_fn is not None and multi_avg_fn is not None:
        raise torch_error(
            "Only one of avg_fn and multi_avg_fn should be provided",
            "avg_fn 与 multi_avg_fn 只能给出一个。",
            kind="AssertionError",
        )
    begin(self)
    self.fields["module"] = deep(interpreter, model)
    self.fields["_buffers"]["n_averaged"] = True
    self.fields["n_averaged"] = of_numbers(np.zeros((), np.int64))
    self.fields.update(avg_fn=avg_fn, multi_avg_fn=multi_avg_fn, use_buffers=bool(use_buffers))


def _held(module: UserObject, also_buffers: bool) -> list[Tensor]:
    found = gathered(module, own_parameters) + (gathered(module, own_buffers) if also_buffers else [])
    return [OPERATORS["detach"](value) for _, value in found]


def _update(interpreter: Interpreter, self: UserObject, model: UserObject) -> None:
    """Take the parameters of a model into the mean; the first ones are copied."""
    facts = self.fields
    own, new = _held(facts["module"], facts["use_buffers"]), _held(model, facts["use_buffers"])
    with recording(False):
        if not facts["n_averaged"].array.item():
            for mine, its in zip(own, new, strict=True):
                change(mine, its)
        else:
            _average(interpreter, self, own, new)
        if not facts["use_buffers"]:
            buffers = (gathered(one, own_buffers) for one in (facts["module"], model))
            for (_, mine), (_, its) in zip(*buffers, strict=True):
                put(mine, its.array)
    put(facts["n_averaged"], facts["n_averaged"].array + 1)


def _average(interpreter: Interpreter, self: UserObject, own: list[Tensor], new: list[Tensor]) -> None:
    facts, count = self.fields, OPERATORS["clone"](self.fields["n_averaged"])
    if facts["multi_avg_fn"] is not None:
        interpreter.call(facts["multi_avg_fn"], [own, new, count], {})
        return
    for mine, its in zip(own, new, strict=True):
        given = [mine, its, count]
        mean = _equally(*given) if facts["avg_fn"] is None else interpreter.call(facts["avg_fn"], given, {})
        change(mine, mean)


def _equally(mine: Any, its: Any, count: Any) -> Any:
    return mine + (its - mine) / (count + 1)


AVERAGED = library_class(
    "AveragedModel",
    MODULE,
    __init__=_begin_averaged,
    forward=lambda interpreter, self, *args, **kwargs: interpreter.call(
        self.fields["module"], list(args), kwargs
    ),
    update_parameters=_update,
)
torch_value(AVERAGED, f"{HERE}AveragedModel")

# -- rules of averaging ----------------------------------------------------------------------------------


def _check_decay(decay: Any) -> float:
    share = float(decay)
    if not 0 <= share <= 1:
        raise torch_error(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.",
            f"decay={decay} 必须在 0 和 1 之间。",
            kind="ValueError",
        )
    return share


def _rule(name: str, mean: Callable[[Any, Any, Any], Any]) -> Native:
    """A function of one parameter, the model's and the count."""

    def call(averaged: Any, current: Any, num_averaged: Any) -> Any:
        with recording(False):
            return mean(averaged, current, num_averaged)

    return Native(name, call)


def _rule_for_all(name: str, mean: Callable[[Any, Any, Any], Any]) -> Native:
    """The same for lists of parameters, changed in place."""

    def call(averaged: Any, current: Any, num_averaged: Any) -> None:
        with recording(False):
            for mine, its in zip(iterate(averaged), iterate(current), strict=True):
                change(mine, mean(mine, its, num_averaged))

    return Native(name, call)


@torch_function(f"{HERE}get_ema_avg_fn")
def get_ema_avg_fn(decay: Any = 0.999) -> Native:
    """decay · mean + (1 - decay) · new."""
    d = _check_decay(decay)
    return _rule("ema_update", lambda mine, its, count: d * mine + (1 - d) * its)


@torch_function(f"{HERE}get_ema_multi_avg_fn")
def get_ema_multi_avg_fn(decay: Any = 0.999) -> Native:
    """The same for a list of parameters."""
    d = _check_decay(decay)
    return _rule_for_all("ema_update", lambda mine, its, count: OPERATORS["lerp"](mine, its, 1 - d))


@torch_function(f"{HERE}get_swa_avg_fn")
def get_swa_avg_fn() -> Native:
    """The mean with equal weights."""
    return _rule("swa_update", _equally)


@torch_function(f"{HERE}get_swa_multi_avg_fn")
def get_swa_multi_avg_fn() -> Native:
    """The same for a list of parameters."""
    return _rule_for_all("swa_update", _equally)


@torch_function(f"{HERE}update_bn")
def update_bn(interpreter: Interpreter, loader: Any, model: UserObject, device: Any = None) -> None:
    """Let batch normalization see a data set anew: its memory becomes that of all of it."""
    found = [one for _, one in modules_of(model) if "running_mean" in one.fields and "momentum" in one.fields]
    shares = [one.fields["momentum"] for one in found]
    if not found:
        return
    was_training = model.fields["training"]
    call_method(interpreter, model, "train")
    with recording(False):
        for one in found:
            call_method(interpreter, one, "reset_running_stats")
            one.fields["momentum"] = None
        for batch in iterate(loader):
            interpreter.call(model, [batch[0] if isinstance(batch, (list, tuple)) else batch], {})
    for one, share in zip(found, shares, strict=True):
        one.fields["momentum"] = share
    call_method(interpreter, model, "train", was_training)


# -- the schedule ----------------------------------------------------------------------------------------


def _begin_swa(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    swa_lr: Any,
    anneal_epochs: Any = 10,
    anneal_strategy: Any = "cos",
    last_epoch: Any = -1,
) -> None:
    if anneal_strategy not in ("cos", "linear"):
        raise torch_error(
            f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}",
            f"anneal_strategy 只能是 'cos' 或 'linear'，不能是 {anneal_strategy}。",
            kind="ValueError",
        )
    for group, rate in zip(
        optimizer.fields["param_groups"], per_group(optimizer, "swa_lr", swa_lr), strict=True
    ):
        group["swa_lr"] = rate
    self.fields.update(_anneal_strategy=anneal_strategy, anneal_epochs=anneal_epochs)
    begin_schedule(interpreter, self, optimizer, last_epoch)


def _share(self: UserObject, steps: float) -> float:
    """How far the rate has come towards the last one."""
    t = max(0.0, min(1.0, steps / max(1, self.fields["anneal_epochs"])))
    return t if self.fields["_anneal_strategy"] == "linear" else (1 - math.cos(math.pi * t)) / 2


def _rates(self: UserObject) -> list[Any]:
    step = self.fields["_step_count"] - 1
    if not self.fields["anneal_epochs"]:
        step = max(1, step)
    before, now = _share(self, step - 1), _share(self, step)
    found = []
    for group in groups_of(self):
        rate, last = group["lr"], group["swa_lr"]
        first = last if before == 1 else (rate - before * last) / (1 - before)
        found.append(last * now + first * (1 - now))
    return found


SWA_RATES = library_class("SWALR", LR_SCHEDULER, __init__=_begin_swa, get_lr=_rates)
torch_value(SWA_RATES, f"{HERE}SWALR")
