"""Schedules made of others, and the one that looks at the loss."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.torch.classes import call_method, is_object, library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.optim.lr_scheduler.base import (
    LR_SCHEDULER,
    check_optimizer,
    groups_of,
    initial_step,
    rates,
)


def _check_parts(name: str, optimizer: Any, schedulers: Sequence[Any]) -> None:
    """Raises: ValueError or TypeError where they cannot work together."""
    if not schedulers:
        raise torch_error(
            f"{name} expects at least one scheduler, but got no scheduler.",
            f"{name} 至少需要一个调度器。",
            kind="ValueError",
        )
    for index, one in enumerate(schedulers):
        if not is_object(one, LR_SCHEDULER):
            raise torch_error(
                f"{name} at index {index} should have `optimizer` as its attribute.",
                f"{name} 的第 {index} 项不是学习率调度器。",
                kind="TypeError",
            )
        if is_object(one, PLATEAU):
            raise torch_error(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to "
                f"be specified when calling `step`, but got one at index {index} in the given schedulers "
                "sequence.",
                f"{name} 不支持 ReduceLROnPlateau，因为它的 step 需要损失值。",
                kind="ValueError",
            )
        if one.fields["optimizer"] is not optimizer:
            raise torch_error(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                f"{one.kind.name} at index {index}, which is different.",
                f"{name} 的调度器必须属于同一个优化器，但第 {index} 个不是。",
                kind="ValueError",
            )


# -- one after the other --------------------------------------------------------------------------------


def _begin_sequence(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    schedulers: Any,
    milestones: Any,
    last_epoch: Any = -1,
) -> None:
    check_optimizer(optimizer)
    parts, bounds = list(iterate(schedulers)), list(iterate(milestones))
    _check_parts(self.kind.name, optimizer, parts)
    if len(bounds) != len(parts) - 1:
        raise torch_error(
            "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
            f"milestone points, but got number of schedulers {len(parts)} and the number of milestones to be "
            f"equal to {len(bounds)}",
            f"调度器要比转折点多一个，但有 {len(parts)} 个调度器和 {len(bounds)} 个转折点。",
            kind="ValueError",
        )
    self.fields.update(_schedulers=parts, _milestones=bounds, last_epoch=last_epoch + 1, optimizer=optimizer)
    for group in groups_of(self):
        group["lr"] = group["initial_lr"]
    _undo(self)
    first = parts[bisect_right(bounds, 0)]
    initial_step(interpreter, first)
    self.fields["_last_lr"] = call_method(interpreter, first, "get_last_lr")


def _undo(self: UserObject) -> None:
    """Take back the first step that each schedule made when it was made."""
    if "_schedulers" in self.fields:
        for one in self.fields["_schedulers"]:
            _undo(one)
    elif "last_epoch" in self.fields:
        self.fields["last_epoch"] -= 1


def _step_sequence(interpreter: Interpreter, self: UserObject) -> None:
    self.fields["last_epoch"] += 1
    t, bounds = self.fields["last_epoch"], self.fields["_milestones"]
    place = bisect_right(bounds, t)
    part = self.fields["_schedulers"][place]
    if place > 0 and bounds[place - 1] == t:
        call_method(interpreter, part, "_update_lr", 0)
    else:
        call_method(interpreter, part, "step")
    self.fields["_last_lr"] = call_method(interpreter, part, "get_last_lr")


SEQUENTIAL = library_class("SequentialLR", LR_SCHEDULER, __init__=_begin_sequence, step=_step_sequence)


# -- all together ---------------------------------------------------------------------------------------


def _begin_chain(interpreter: Interpreter, self: UserObject, schedulers: Any, optimizer: Any = None) -> None:
    parts = list(iterate(schedulers))
    own = optimizer or (parts[0].fields.get("optimizer") if parts else None)
    _check_parts(self.kind.name, own, parts)
    self.fields.update(_schedulers=parts, optimizer=own)
    self.fields["_last_lr"] = rates(self)


def _step_chain(interpreter: Interpreter, self: UserObject) -> None:
    for one in self.fields["_schedulers"]:
        call_method(interpreter, one, "step")
    self.fields["_last_lr"] = rates(self)


CHAINED = library_class("ChainedScheduler", LR_SCHEDULER, __init__=_begin_chain, step=_step_chain)


# -- by the loss ----------------------------------------------------------------------------------------


def _begin_plateau(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any,
    mode: Any = "min",
    factor: Any = 0.1,
    patience: Any = 10,
    threshold: Any = 1e-4,
    threshold_mode: Any = "rel",
    cooldown: Any = 0,
    min_lr: Any = 0,
    eps: Any = 1e-8,
) -> None:
    if factor >= 1.0:
        raise torch_error("Factor should be < 1.0.", "factor 必须小于 1。", kind="ValueError")
    check_optimizer(optimizer)
    for what, word, words in (
        ("mode", mode, ("min", "max")),
        ("threshold mode", threshold_mode, ("rel", "abs")),
    ):
        if word not in words:
            raise torch_error(
                f"{what} {word} is unknown!", f"未知的 {what}：{to_str(word)}。", kind="ValueError"
            )
    count = len(optimizer.fields["param_groups"])
    listed = isinstance(min_lr, (list, tuple))
    if listed and len(min_lr) != count:
        raise torch_error(
            f"expected {count} min_lrs, got {len(min_lr)}",
            f"需要 {count} 个 min_lr，但给了 {len(min_lr)} 个。",
            kind="ValueError",
        )
    self.fields.update(
        factor=factor,
        optimizer=optimizer,
        default_min_lr=None if listed else min_lr,
        min_lrs=list(min_lr) if listed else [min_lr] * count,
        patience=patience,
        cooldown=cooldown,
        eps=eps,
        last_epoch=0,
        mode=mode,
        threshold=threshold,
        threshold_mode=threshold_mode,
        mode_worse=math.inf if mode == "min" else -math.inf,
    )
    self.fields["_last_lr"] = rates(self)
    _reset(self)


def _reset(self: UserObject) -> None:
    self.fields.update(best=self.fields["mode_worse"], cooldown_counter=0, num_bad_epochs=0)


def _step_plateau(self: UserObject, metrics: Any, epoch: Any = None) -> None:
    """Look at the loss; after more than `patience` steps without a better one, the rates get smaller."""
    facts, array = self.fields, concrete(metrics)
    current = float(metrics if array is None else array.item())
    facts["last_epoch"] = facts["last_epoch"] + 1 if epoch is None else epoch
    if _is_better(facts, current):
        facts["best"], facts["num_bad_epochs"] = current, 0
    else:
        facts["num_bad_epochs"] += 1
    if facts["cooldown_counter"] > 0:
        facts["cooldown_counter"] -= 1
        facts["num_bad_epochs"] = 0
    if facts["num_bad_epochs"] > facts["patience"]:
        _reduce(self)
        facts["cooldown_counter"], facts["num_bad_epochs"] = facts["cooldown"], 0
    facts["_last_lr"] = rates(self)


def _reduce(self: UserObject) -> None:
    groups = groups_of(self)
    if len(groups) != len(self.fields["min_lrs"]):
        self.fields["min_lrs"] = [self.fields["default_min_lr"] or 0] * len(groups)
    for group, least in zip(groups, self.fields["min_lrs"], strict=True):
        old = float(group["lr"])
        new = max(old * self.fields["factor"], least)
        if old - new > self.fields["eps"]:
            group["lr"] = new


def _is_better(facts: dict[str, Any], value: float) -> bool:
    best, threshold = facts["best"], facts["threshold"]
    if facts["mode"] == "min":
        return bool(
            value < (best * (1.0 - threshold) if facts["threshold_mode"] == "rel" else best - threshold)
        )
    return bool(value > (best * (threshold + 1.0) if facts["threshold_mode"] == "rel" else best + threshold))


PLATEAU = library_class(
    "ReduceLROnPlateau",
    LR_SCHEDULER,
    properties={"in_cooldown": lambda self: self.fields["cooldown_counter"] > 0},
    __init__=_begin_plateau,
    step=_step_plateau,
    _reset=_reset,
)
