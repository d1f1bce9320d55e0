"""Every optimizer and every schedule by name: what they are called, what they take, what that means."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, replace
from inspect import getdoc
from itertools import pairwise
from typing import Any

import numpy as np

from engine.errors import ProgramError, quoted
from engine.graph import Variable
from engine.optimizers.building import Optimizer
from engine.optimizers.meanings import MEANINGS
from engine.optimizers.rule import Rule
from engine.optimizers.rules import keras
from engine.optimizers.rules.adadelta import Adadelta
from engine.optimizers.rules.adagrad import Adagrad
from engine.optimizers.rules.adagrad_da import AdagradDA
from engine.optimizers.rules.adam import Adam
from engine.optimizers.rules.ftrl import Ftrl
from engine.optimizers.rules.gradient_descent import GradientDescent
from engine.optimizers.rules.momentum import Momentum
from engine.optimizers.rules.proximal_adagrad import ProximalAdagrad
from engine.optimizers.rules.proximal_gradient_descent import ProximalGradientDescent
from engine.optimizers.rules.rmsprop import RMSProp
from engine.optimizers.schedules import SCHEDULES, Schedule

TENSORFLOW_RULES: tuple[type[Rule], ...] = (
    GradientDescent,
    Momentum,
    Adagrad,
    AdagradDA,
    Adadelta,
    RMSProp,
    Adam,
    Ftrl,
    ProximalGradientDescent,
    ProximalAdagrad,
)

COUNTS = frozenset({"decay_steps", "first_decay_steps", "warmup_steps", "boundaries"})
LISTS = frozenset({"boundaries", "values"})
ABOVE_ZERO = frozenset({"decay_steps", "first_decay_steps", "warmup_steps"})  # they are divided by

RULES: Mapping[str, type[Rule]] = {rule.name: rule for rule in TENSORFLOW_RULES} | {
    f"keras.{name}": getattr(keras, name) for name in keras.__all__
}


def optimizer_named(
    name: str, settings: Mapping[str, Any], schedule: Mapping[str, Any] | None = None
) -> tuple[Optimizer, Variable | None]:
    """The optimizer that `POST /runs` asks for, made in the current graph.

    Returns: it, and the global step to hand to `apply_gradients` (None where nothing counts steps).
    Raises:  ProgramError for an unknown name or hyper-parameter, with what there is instead.
    """
    rule: Any = rule_named(name, settings)
    if schedule is None and not isinstance(rule, AdagradDA):
        return Optimizer(rule), None
    step = Variable(np.int64(0), name="global_step", trainable=False)
    changes: dict[str, Any] = {"global_step": step} if isinstance(rule, AdagradDA) else {}
    if schedule is not None:
        rate = getattr(rule, "learning_rate", None)
        changes["learning_rate"] = schedule_named(schedule, rate).build(step)
    return Optimizer(replace(rule, **changes)), step


def rule_named(name: str, settings: Mapping[str, Any]) -> Rule:
    """The rule alone, with numbers for hyper-parameters. Raises: as `optimizer_named`."""
    rule: Rule = _made(RULES, "optimizer", "优化器", name, settings)
    return rule


def schedule_named(request: Mapping[str, Any], learning_rate: Any) -> Schedule:
    """The schedule that `POST /runs` asks for, from the optimizer's rate unless it names its own."""
    if "name" not in request:
        raise _nameless_schedule()
    name = str(request["name"])
    settings = {key: value for key, value in request.items() if key != "name"}
    if name in SCHEDULES and any(field.name == "learning_rate" for field in _fields(SCHEDULES[name])):
        settings.setdefault("learning_rate", learning_rate)
    schedule: Schedule = _made(SCHEDULES, "schedule", "学习率调度", name, settings)
    return schedule


def describe_optimizers() -> list[dict[str, Any]]:
    """The body of `GET /optimizers`: names, formulas, hyper-parameters with defaults, documentation."""
    return [
        {
            **_described(name, rule),
            "family": "keras" if name.startswith("keras.") else "tensorflow1",
            "slots": list(rule().slots),
        }
        for name, rule in RULES.items()
    ]


def describe_schedules() -> list[dict[str, Any]]:
    """Every schedule, described as an optimizer is."""
    return [_described(name, schedule) for name, schedule in SCHEDULES.items()]


def _described(name: str, kind: Any) -> dict[str, Any]:
    return {
        "name": name,
        "latex": list(kind.latex),
        "doc": {"en": getdoc(kind) or "", "zh": kind.doc_zh},
        "hyper_parameters": [_parameter(field) for field in _fields(kind)],
    }


def _parameter(field: Field[Any]) -> dict[str, Any]:
    en, zh = MEANINGS[field.name]
    default = None if field.default is MISSING else field.default
    return {"name": field.name, "default": default, "doc": {"en": en, "zh": zh}}


def _fields(kind: Any) -> list[Field[Any]]:
    """What a request may set; a step count is made by the engine."""
    return [field for field in fields(kind) if field.name != "global_step"]


def _made(table: Mapping[str, Any], what: str, what_zh: str, name: str, settings: Mapping[str, Any]) -> Any:
    """The rule or schedule of this name with these settings, checked."""
    if name not in table:
        message, message_zh = (
            f"There is no {what} named {quoted(name)}.",
            f"没有名为 {quoted(name)} 的{what_zh}。",
        )
        raise _unknown(f"unknown_{what}", message, message_zh, name, table)
    parameters = {field.name: field for field in _fields(table[name])}
    for key, value in settings.items():
        if key not in parameters:
            message, message_zh = (
                f"{name} has no hyper-parameter named {quoted(key)}.",
                f"{name} 没有超参数 {quoted(key)}。",
            )
            raise _unknown("unknown_argument", message, message_zh, key, parameters)
        _check(name, parameters[key], value)
    required = {key for key, field in parameters.items() if field.default is MISSING}
    if not required.issubset(settings):
        raise _missing(name, [key for key in parameters if key in required - set(settings)])
    return table[name](**{key: _as_meant(key, value) for key, value in settings.items()})


def _as_meant(key: str, value: Any) -> Any:
    """JSON writes 1.0 as 1: every number is a float but for counts of steps."""
    if isinstance(value, (list, tuple)):
        return [_as_meant(key, item) for item in value]
    return (
        float(value)
        if isinstance(value, int) and not isinstance(value, bool) and key not in COUNTS
        else value
    )


def _missing(name: str, keys: Sequence[str]) -> ProgramError:
    return ProgramError(
        f"{name} needs {', '.join(keys)}.",
        message_zh=f"{name} 需要 {'、'.join(keys)}。",
        code="wrong_arguments",
    )


def _nameless_schedule() -> ProgramError:
    return ProgramError(
        "The schedule has no name.",
        hint=f"There are: {', '.join(SCHEDULES)}.",
        message_zh="学习率调度没有名字（name）。",
        hint_zh=f"可用的有：{'、'.join(SCHEDULES)}。",
        code="wrong_arguments",
    )


def _check(name: str, field: Field[Any], value: Any) -> None:
    """Numbers, truth values where such are meant, and lists of numbers where such are: nothing else."""
    key, truth = field.name, isinstance(field.default, bool)
    meant = A_LIST if key in LISTS else TRUTH if truth else A_NUMBER
    if (key in LISTS) != isinstance(value, (list, tuple)):
        raise _misfit(name, key, value, *meant)
    values = value if key in LISTS else [value]
    if not all(_is_number(item, or_truth=truth) for item in values):
        raise _misfit(name, key, value, *meant)
    if key in ABOVE_ZERO and value <= 0:
        raise _misfit(name, key, value, *ABOVE)
    if key == "boundaries" and not all(low < high for low, high in pairwise([-math.inf, *values])):
        raise _misfit(name, key, value, *ASCENDING)
    if key == "boundaries" and not all(float(item).is_integer() for item in values):
        raise _misfit(name, key, value, *WHOLE)


def _is_number(value: Any, or_truth: bool) -> bool:
    if isinstance(value, bool):
        return or_truth
    return isinstance(value, (int, float)) and math.isfinite(value)


A_NUMBER = ("a number", "数字")
TRUTH = ("true or false", " true 或 false")
A_LIST = ("a list of numbers", "数字的列表")
ABOVE = ("above 0", "大于 0 的数")
ASCENDING = ("step numbers in ascending order", "从小到大的步数")
WHOLE = ("whole step numbers", "整数步数")


def _misfit(name: str, key: str, value: Any, meant: str, meant_zh: str) -> ProgramError:
    return ProgramError(
        f"{name}: {key} must be {meant}, but is {quoted(value)}.",
        message_zh=f"{name}：{key} 必须是{meant_zh}，但得到 {quoted(value)}。",
        code="wrong_arguments",
    )


def _unknown(code: str, message: str, message_zh: str, given: str, known: Iterable[str]) -> ProgramError:
    names = list(known)
    near = _nearest(given, names)
    return ProgramError(
        message,
        hint=f"Did you mean {near}?" if near else f"There are: {', '.join(names)}.",
        message_zh=message_zh,
        hint_zh=f"您是否想写 {near}？" if near else f"可用的有：{'、'.join(names)}。",
        code=code,
    )


def _nearest(given: str, names: Sequence[str]) -> str | None:
    """The name that was probably meant, capitals aside; SGD is keras.SGD, as there is no other."""
    alone = {name.rpartition(".")[2].casefold(): name for name in names}
    meant = {**alone, **{name.casefold(): name for name in names}}
    folded = given.casefold()
    close = [folded] if folded in meant else difflib.get_close_matches(folded, meant, n=1)
    return meant[close[0]] if close else None
