"""Every optimizer of `torch.optim` that is a rule from step to step: its settings, its rule, its state.

settings: in the order of the parameter groups; `positional`, in that of the constructor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.values import concrete, python_name
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.optimizers.rules import torch as rules
from engine.optimizers.rules.torch.rule import kept_of

WITHOUT_EFFECT = ("foreach", "fused", "capturable")  # other ways to the same numbers
NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "lr": ("learning_rate",),
        "eps": ("epsilon",),
        "betas": ("beta1", "beta2"),
        "etas": ("eta_minus", "eta_plus"),
        "step_sizes": ("smallest", "largest"),
    }
)
OF_ADAFACTOR: Mapping[str, tuple[str, ...]] = MappingProxyType({**NAMES, "eps": ("epsilon1", "epsilon2")})


@dataclass(frozen=True, slots=True)
class Kind:
    """One optimizer: what it takes, how it steps, and what it keeps.

    plain: its rule where none of the settings in `beyond_plain` is on, if it has such a one.
    """

    rule: type[rules.TorchRule]
    settings: Mapping[str, Any]
    positional: tuple[str, ...]
    plain: type[rules.TorchRule] | None = None
    beyond_plain: tuple[str, ...] = ()

    def rule_of(self, group: Mapping[str, Any], has_state: bool) -> rules.TorchRule:
        """The rule with the settings of a group. has_state: whether parameters have slots already."""
        given: dict[str, Any] = {}
        is_plain = not has_state and not any(number_of(group.get(name)) for name in self.beyond_plain)
        rule: Any = self.plain if self.plain is not None and is_plain else self.rule
        known = {field.name for field in fields(rule)}
        names = OF_ADAFACTOR if self.rule is rules.Adafactor else NAMES
        for key, value in group.items():
            targets = names.get(key, (key,))
            values = tuple(value) if len(targets) > 1 else (value,)
            given.update({k: v for k, v in zip(targets, values, strict=True) if k in known})
        made: rules.TorchRule = rule(**{name: _as_constant(value) for name, value in given.items()})
        return made

    def kept(self, group: Mapping[str, Any], axes: int) -> list[str]:
        """The names of a parameter's state, for a group's settings and a parameter of so many axes."""
        return kept_of(self.rule.state, lambda name: number_of(group.get(name)), axes)


def _as_constant(value: Any) -> Any:
    """A setting as the rule takes it: numbers in double precision, which None of Adafactor is below zero
    of.
    """
    number = number_of(value)
    if number is None:
        return np.float64(-1)
    return number if isinstance(number, bool) else np.float64(number)


def number_of(value: Any) -> Any:
    """A setting that may be a tensor with one number."""
    array = concrete(value)
    return value if array is None else array.item()


def _kind(rule: type[rules.TorchRule], positional: str, **settings: Any) -> Kind:
    kind = Kind(rule, MappingProxyType(settings), tuple(positional.split()))
    if rule is not rules.SGD:
        return kind
    return replace(kind, plain=rules.PlainSGD, beyond_plain=("momentum", "weight_decay", "maximize"))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "SGD": _kind(
            rules.SGD,
            "lr momentum dampening weight_decay nesterov",
            lr=0.001,
            momentum=0,
            dampening=0,
            weight_decay=0,
            nesterov=False,
            maximize=False,
            foreach=None,
            differentiable=False,
            fused=None,
        ),
        "Adam": _kind(
            rules.Adam,
            "lr betas eps weight_decay amsgrad",
            lr=0.001,
            betas=(0.9, 0.999),
            eps=1e-8,
            weight_decay=0,
            amsgrad=False,
            maximize=False,
            foreach=None,
            capturable=False,
            differentiable=False,
            fused=None,
            decoupled_weight_decay=False,
        ),
        "AdamW": _kind(
            rules.Adam,
            "lr betas eps weight_decay amsgrad",
            lr=0.001,
            betas=(0.9, 0.999),
            eps=1e-8,
            weight_decay=0.01,
            amsgrad=False,
            maximize=False,
            foreach=None,
            capturable=False,
            differentiable=False,
            fused=None,
            decoupled_weight_decay=True,
        ),
        "Adamax": _kind(
            rules.Adamax,
            "lr betas eps weight_decay foreach",
            lr=0.002,
            betas=(0.9, 0.999),
            eps=1e-8,
            weight_decay=0,
            foreach=None,
            maximize=False,
            differentiable=False,
            capturable=False,
        ),
        "NAdam": _kind(
            rules.NAdam,
            "lr betas eps weight_decay momentum_decay decoupled_weight_decay",
            lr=0.002,
            betas=(0.9, 0.999),
            eps=1e-8,
            weight_decay=0,
            momentum_decay=0.004,
            decoupled_weight_decay=False,
            maximize=False,
            foreach=None,
            capturable=False,
            differentiable=False,
        ),
        "RAdam": _kind(
            rules.RAdam,
            "lr betas eps weight_decay decoupled_weight_decay",
            lr=0.001,
            betas=(0.9, 0.999),
            eps=1e-8,
            weight_decay=0,
            maximize=False,
            foreach=None,
            capturable=False,
            decoupled_weight_decay=False,
            differentiable=False,
        ),
        "Adagrad": _kind(
            rules.Adagrad,
            "lr lr_decay weight_decay initial_accumulator_value eps foreach",
            lr=0.01,
            lr_decay=0,
            eps=1e-10,
            weight_decay=0,
            initial_accumulator_value=0,
            foreach=None,
            maximize=False,
            differentiable=False,
            fused=None,
        ),
        "Adadelta": _kind(
            rules.Adadelta,
            "lr rho eps weight_decay foreach",
            lr=1.0,
            rho=0.9,
            eps=1e-6,
            weight_decay=0,
            maximize=False,
            capturable=False,
            foreach=None,
            differentiable=False,
        ),
        "RMSprop": _kind(
            rules.RMSprop,
            "lr alpha eps weight_decay momentum centered capturable foreach maximize differentiable",
            lr=0.01,
            momentum=0,
            alpha=0.99,
            eps=1e-8,
            centered=False,
            weight_decay=0,
            capturable=False,
            foreach=None,
            maximize=False,
            differentiable=False,
        ),
        "Rprop": _kind(
            rules.Rprop,
            "lr etas step_sizes",
            lr=0.01,
            etas=(0.5, 1.2),
            step_sizes=(1e-6, 50),
            foreach=None,
            maximize=False,
            differentiable=False,
            capturable=False,
        ),
        "ASGD": _kind(
            rules.ASGD,
            "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable",
            lr=0.01,
            lambd=1e-4,
            alpha=0.75,
            t0=1e6,
            weight_decay=0,
            foreach=None,
            maximize=False,
            differentiable=False,
            capturable=False,
        ),
        "Adafactor": _kind(
            rules.Adafactor,
            "lr beta2_decay eps d weight_decay",
            lr=0.01,
            beta2_decay=-0.8,
            eps=(None, 0.001),
            d=1.0,
            weight_decay=0.0,
            foreach=None,
            maximize=False,
        ),
    }
)

LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "lr": "learning rate",
        "eps": "epsilon value",
        "weight_decay": "weight_decay value",
        "momentum": "momentum value",
        "alpha": "alpha value",
        "lr_decay": "lr_decay value",
        "momentum_decay": "momentum_decay value",
        "initial_accumulator_value": "initial_accumulator_value value",
    }
)  # what is not below zero, as PyTorch's messages call it


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raises: ValueError in PyTorch's words for a setting out of its bounds; a refusal of
    `differentiable`.
    """
    for name, what in LIMITS.items():
        value = number_of(settings.get(name, 0))
        if value is None or isinstance(value, str):
            kind = python_name(value)
            raise torch_error(
                f"'<' not supported between instances of '{kind}' and 'float'",
                f"{name} 必须是数，不能是 {kind}。",
                kind="TypeError",
            )
        if isinstance(value, (int, float)) and not value >= 0:
            raise _invalid(f"Invalid {what}: {to_str(value)}", name, value)
    for index, beta in enumerate(settings.get("betas", ())):
        if not 0 <= number_of(beta) < 1:
            raise _invalid(f"Invalid beta parameter at index {index}: {to_str(beta)}", "betas", beta)
    if "rho" in settings and not 0 <= settings["rho"] <= 1:
        raise _invalid(f"Invalid rho value: {to_str(settings['rho'])}", "rho", settings["rho"])
    if "etas" in settings:
        smaller, larger = settings["etas"]
        if not 0 < smaller < 1 < larger:
            raise _invalid(
                f"Invalid eta values: {to_str(smaller)}, {to_str(larger)}", "etas", settings["etas"]
            )
    if settings.get("nesterov") and (settings["momentum"] <= 0 or settings["dampening"] != 0):
        raise torch_error(
            "Nesterov momentum requires a momentum and zero dampening",
            "Nesterov 动量需要 momentum 大于 0，并且 dampening 为 0。",
            kind="ValueError",
        )
    if settings.get("differentiable"):
        raise not_here("differentiable=True", " differentiable=True", "Leave it out.", "请去掉它。")


def _invalid(message: str, name: str, value: Any) -> Exception:
    return torch_error(message, f"{name} 的值 {to_str(value)} 无效。", kind="ValueError")
