"""Schedules that go up and down: warm restarts, cycles, one cycle; the last two move the momentum, too."""

from __future__ import annotations

import math
from typing import Any

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method, library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.optim.lr_scheduler.base import (
    LR_SCHEDULER,
    begin,
    check_optimizer,
    groups_of,
    per_group,
    set_rates,
)

# -- warm restarts --------------------------------------------------------------------------------------


def _begin_restarts(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    T_0: Any,  # PyTorch's names
    T_mult: Any = 1,
    eta_min: Any = 0.0,
    last_epoch: Any = -1,
) -> None:
    if type(T_0) is not int or T_0 <= 0:
        raise _not_positive("integer T_0", T_0)
    if type(T_mult) is not int or T_mult < 1:
        raise torch_error(
            f"Expected integer T_mult >= 1, but got {to_str(T_mult)}",
            f"T_mult 必须是不小于 1 的整数，但得到 {to_str(T_mult)}。",
            kind="ValueError",
        )
    self.fields.update(T_0=T_0, T_i=T_0, T_mult=T_mult, eta_min=eta_min, T_cur=last_epoch)
    begin(interpreter, self, optimizer, last_epoch)


def _restarts(self: UserObject) -> list[Any]:
    """Half a wave of the cosine from the initial rate to eta_min over T_i steps."""
    low = self.fields["eta_min"]
    share = (1 + math.cos(math.pi * self.fields["T_cur"] / self.fields["T_i"])) / 2
    return [low + (base - low) * share for base in self.fields["base_lrs"]]


def _step_restarts(interpreter: Interpreter, self: UserObject, epoch: Any = None) -> None:
    """One step further, or to an epoch (which may have a fraction); T_i grows by T_mult at each restart."""
    facts = self.fields
    facts["_step_count"] = facts.get("_step_count", 0) + 1
    if epoch is None and facts["last_epoch"] < 0:
        epoch = 0
    if epoch is None:
        epoch = facts["last_epoch"] + 1
        facts["T_cur"] += 1
        if facts["T_cur"] >= facts["T_i"]:
            facts["T_cur"] = facts["T_cur"] % facts["T_i"]
            facts["T_i"] *= facts["T_mult"]
    else:
        _go_to(facts, epoch)
    facts["last_epoch"] = math.floor(epoch)
    set_rates(self, call_method(interpreter, self, "get_lr"))


def _go_to(facts: dict[str, Any], epoch: Any) -> None:
    first, factor = facts["T_0"], facts["T_mult"]
    if epoch < first:
        facts["T_i"], facts["T_cur"] = first, epoch
    elif factor == 1:
        facts["T_cur"] = epoch % first
    else:
        n = int(math.log(epoch / first * (factor - 1) + 1, factor))
        facts["T_cur"] = epoch - first * (factor**n - 1) / (factor - 1)
        facts["T_i"] = first * factor**n


WARM_RESTARTS = library_class(
    "CosineAnnealingWarmRestarts",
    LR_SCHEDULER,
    __init__=_begin_restarts,
    get_lr=_restarts,
    step=_step_restarts,
)


# -- the momentum beside the rate -----------------------------------------------------------------------


def _begin_momentum(self: UserObject, base_momentum: Any, max_momentum: Any, first: bool) -> None:
    """Remember the bounds of the momentum, and begin at the larger. Raises: where the optimizer has none."""
    optimizer = self.fields["optimizer"]
    defaults = optimizer.fields["defaults"]
    if "momentum" not in defaults and "betas" not in defaults:
        raise torch_error(
            "optimizer must support momentum or beta1 with `cycle_momentum` option enabled",
            "这个优化器没有 momentum 或 beta1，不能循环动量。",
            kind="ValueError",
            hint="Write cycle_momentum=False.",
            hint_zh="请写 cycle_momentum=False。",
        )
    self.fields["use_beta1"] = "betas" in defaults
    small = per_group(optimizer, "base_momentum", base_momentum)
    large = per_group(optimizer, "max_momentum", max_momentum)
    for group, low, high in zip(groups_of(self), small, large, strict=True):
        if first:
            _set_momentum(self, group, high)
            group["max_momentum"], group["base_momentum"] = high, low
    self.fields["base_momentums"], self.fields["max_momentums"] = small, large


def _set_momentum(self: UserObject, group: dict[str, Any], value: Any) -> None:
    if self.fields["use_beta1"]:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


# -- cycles ---------------------------------------------------------------------------------------------

MODES = ("triangular", "triangular2", "exp_range")


def _begin_cycles(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    base_lr: Any,
    max_lr: Any,
    step_size_up: Any = 2000,
    step_size_down: Any = None,
    mode: Any = "triangular",
    gamma: Any = 1.0,
    scale_fn: Any = None,
    scale_mode: Any = "cycle",
    cycle_momentum: Any = True,
    base_momentum: Any = 0.8,
    max_momentum: Any = 0.9,
    last_epoch: Any = -1,
) -> None:
    check_optimizer(optimizer)
    if mode not in MODES and scale_fn is None:
        raise torch_error(
            "mode is invalid and scale_fn is None",
            "mode 无效，而且没有给出 scale_fn。",
            kind="ValueError",
            hint='mode is one of "triangular", "triangular2", "exp_range".',
            hint_zh='mode 可以是 "triangular"、"triangular2"、"exp_range"。',
        )
    self.fields["optimizer"] = optimizer
    bases = per_group(optimizer, "base_lr", base_lr)
    if last_epoch == -1:
        for group, rate in zip(groups_of(self), bases, strict=True):
            group["lr"] = rate
    up = float(step_size_up)
    down = up if step_size_down is None else float(step_size_down)
    if scale_fn is None:
        scale_mode = "iterations" if mode == "exp_range" else "cycle"
    self.fields.update(
        max_lrs=per_group(optimizer, "max_lr", max_lr),
        total_size=up + down,
        step_ratio=up / (up + down),
        mode=mode,
        gamma=gamma,
        _scale_fn_custom=scale_fn,
        scale_mode=scale_mode,
        cycle_momentum=cycle_momentum,
    )
    if cycle_momentum:
        _begin_momentum(self, base_momentum, max_momentum, last_epoch == -1)
    begin(interpreter, self, optimizer, last_epoch)
    self.fields["base_lrs"] = bases


def _scale(interpreter: Interpreter, self: UserObject, x: Any) -> Any:
    """How high a cycle goes: by the program's function, or by the mode."""
    facts = self.fields
    if facts["_scale_fn_custom"] is not None:
        return interpreter.call(facts["_scale_fn_custom"], [x], {})
    if facts["mode"] == "triangular2":
        return 1 / 2.0 ** (x - 1)
    return facts["gamma"] ** x if facts["mode"] == "exp_range" else 1.0


def _cycles(interpreter: Interpreter, self: UserObject) -> list[Any]:
    """Between base_lr and max_lr along straight lines; the momentum the other way round."""
    facts = self.fields
    cycle = math.floor(1 + facts["last_epoch"] / facts["total_size"])
    x = 1.0 + facts["last_epoch"] / facts["total_size"] - cycle
    ratio = facts["step_ratio"]
    height = x / ratio if x <= ratio else (x - 1) / (ratio - 1)
    by_cycle = facts["scale_mode"] == "cycle"
    scale = _scale(interpreter, self, cycle if by_cycle else facts["last_epoch"])
    if facts["cycle_momentum"]:
        bounds = zip(groups_of(self), facts["base_momentums"], facts["max_momentums"], strict=True)
        for group, low, high in bounds:
            _set_momentum(self, group, high - (high - low) * height * scale)
    return [
        low + (high - low) * height * scale
        for low, high in zip(facts["base_lrs"], facts["max_lrs"], strict=True)
    ]


CYCLIC = library_class("CyclicLR", LR_SCHEDULER, __init__=_begin_cycles, get_lr=_cycles, scale_fn=_scale)


# -- one cycle ------------------------------------------------------------------------------------------


def _begin_one_cycle(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    max_lr: Any,
    total_steps: Any = None,
    epochs: Any = None,
    steps_per_epoch: Any = None,
    pct_start: Any = 0.3,
    anneal_strategy: Any = "cos",
    cycle_momentum: Any = True,
    base_momentum: Any = 0.85,
    max_momentum: Any = 0.95,
    div_factor: Any = 25.0,
    final_div_factor: Any = 10000.0,
    three_phase: Any = False,
    last_epoch: Any = -1,
) -> None:
    check_optimizer(optimizer)
    self.fields["optimizer"] = optimizer
    total = _total_steps(total_steps, epochs, steps_per_epoch)
    self.fields["total_steps"] = total
    if type(pct_start) is not float or not 0 <= pct_start <= 1:
        raise torch_error(
            f"Expected float between 0 and 1 pct_start, but got {to_str(pct_start)}",
            f"pct_start 必须是 0 和 1 之间的小数，但得到 {to_str(pct_start)}。",
            kind="ValueError",
        )
    if anneal_strategy not in ("cos", "linear"):
        raise torch_error(
            f"anneal_strategy must be one of 'cos' or 'linear', instead got {to_str(anneal_strategy)}",
            f"anneal_strategy 必须是 'cos' 或 'linear'，但得到 {to_str(anneal_strategy)}。",
            kind="ValueError",
        )
    self.fields["_schedule_phases"] = _phases(total, pct_start, bool(three_phase))
    self.fields["_anneal_func_type"] = anneal_strategy
    if last_epoch == -1:
        for group, rate in zip(groups_of(self), per_group(optimizer, "max_lr", max_lr), strict=True):
            group["initial_lr"] = rate / div_factor
            group["max_lr"] = rate
            group["min_lr"] = group["initial_lr"] / final_div_factor
    self.fields["cycle_momentum"] = cycle_momentum
    if cycle_momentum:
        _begin_momentum(self, base_momentum, max_momentum, last_epoch == -1)
        del self.fields["base_momentums"], self.fields["max_momentums"]  # they stand in the groups
    begin(interpreter, self, optimizer, last_epoch)


def _total_steps(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    if total_steps is not None:
        if type(total_steps) is not int or total_steps <= 0:
            raise _not_positive("integer total_steps", total_steps)
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise torch_error(
            "You must define either total_steps OR (epochs AND steps_per_epoch)",
            "必须给出 total_steps，或者同时给出 epochs 和 steps_per_epoch。",
            kind="ValueError",
        )
    for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
        if type(value) is not int or value <= 0:
            raise _not_positive(f"integer {name}", value)
    return int(epochs * steps_per_epoch)


def _phases(total: int, share: float, three: bool) -> list[dict[str, Any]]:
    """Up, down, and down further: until which step, and between which values of the group."""
    up = _phase(float(share * total) - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    if not three:
        return [up, _phase(total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    down = _phase(float(2 * share * total) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum")
    return [up, down, _phase(total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]


def _phase(end: float, *keys: str) -> dict[str, Any]:
    names = ("start_lr", "end_lr", "start_momentum", "end_momentum")
    return {"end_step": end, **dict(zip(names, keys, strict=True))}


def _one_cycle(self: UserObject) -> list[Any]:
    """The rates of the phase that this step belongs to. Raises: ValueError after the last step."""
    t, total = self.fields["last_epoch"], self.fields["total_steps"]
    if t > total:
        raise torch_error(
            f"Tried to step {t} times. The specified number of total steps is {total}",
            f"已经走了 {t} 步，而总步数定为 {total}。",
            kind="ValueError",
            hint="Give a larger total_steps.",
            hint_zh="请给出更大的 total_steps。",
        )
    found = []
    for group in groups_of(self):
        phase, share = _place_in(self.fields["_schedule_phases"], t)
        found.append(_annealed(self, group[phase["start_lr"]], group[phase["end_lr"]], share))
        if self.fields["cycle_momentum"]:
            bounds = group[phase["start_momentum"]], group[phase["end_momentum"]]
            _set_momentum(self, group, _annealed(self, *bounds, share))
    return found


def _place_in(phases: list[dict[str, Any]], t: int) -> tuple[dict[str, Any], float]:
    """The phase of a step, and how much of it has passed."""
    start = 0.0
    for phase in phases[:-1]:
        if t <= phase["end_step"]:
            return phase, (t - start) / (phase["end_step"] - start)
        start = phase["end_step"]
    return phases[-1], (t - start) / (phases[-1]["end_step"] - start)


def _annealed(self: UserObject, start: Any, end: Any, share: float) -> Any:
    if self.fields["_anneal_func_type"] == "linear":
        return (end - start) * share + start
    return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)


ONE_CYCLE = library_class("OneCycleLR", LR_SCHEDULER, __init__=_begin_one_cycle, get_lr=_one_cycle)


def _not_positive(what: str, value: Any) -> Exception:
    return torch_error(
        f"Expected positive {what}, but got {to_str(value)}",
        f"{what.rpartition(' ')[2]} 必须是正整数，但得到 {to_str(value)}。",
        kind="ValueError",
    )
