"""What all schedules have: a count of steps, the rates before the first, and `step`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.classes import call_method, is_object, library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.optim.optimizer import OPTIMIZER

Groups = list[dict[str, Any]]


def begin(interpreter: Interpreter, self: UserObject, optimizer: Any, last_epoch: Any = -1) -> None:
    """`LRScheduler.__init__`: remember the rates of the groups, and make the first step.

    Raises: TypeError or KeyError in PyTorch's words.
    """
    check_optimizer(optimizer)
    self.fields["optimizer"] = optimizer
    for index, group in enumerate(groups_of(self)):
        if last_epoch == -1:
            group.setdefault("initial_lr", group["lr"])
        elif "initial_lr" not in group:
            raise _no_initial_rate(index)
    self.fields["base_lrs"] = [group["initial_lr"] for group in groups_of(self)]
    self.fields["last_epoch"] = last_epoch
    initial_step(interpreter, self)


def check_optimizer(optimizer: Any) -> None:
    """Raises: TypeError where it is none."""
    if not is_object(optimizer, OPTIMIZER):
        raise torch_error(
            f"{python_name(optimizer)} is not an Optimizer",
            f"{python_name(optimizer)} 不是优化器。",
            kind="TypeError",
            hint="Give the optimizer first: StepLR(optimizer, step_size=10).",
            hint_zh="请先给出优化器：StepLR(optimizer, step_size=10)。",
        )


def groups_of(self: UserObject) -> Groups:
    """The parameter groups whose rates it sets."""
    found: Groups = self.fields["optimizer"].fields["param_groups"]
    return found


def rates(self: UserObject) -> list[Any]:
    """The rates as they are now."""
    return [group["lr"] for group in groups_of(self)]


def scaled(self: UserObject, factor: float) -> list[Any]:
    """The rates as they are now, times a factor."""
    return [group["lr"] * factor for group in groups_of(self)]


def initial_step(interpreter: Interpreter, self: UserObject) -> None:
    """The step that a schedule makes when it is made."""
    self.fields["_step_count"] = 0
    self.fields["_is_initial"] = True
    call_method(interpreter, self, "step")
    self.fields["_is_initial"] = False


def step(interpreter: Interpreter, self: UserObject, epoch: Any = None) -> None:
    """The next rates, or those of an epoch."""
    if self.fields["_step_count"] == 1 and not self.fields["optimizer"].fields.get("_opt_called"):
        _note_order(interpreter)
    self.fields["_step_count"] += 1
    call_method(interpreter, self, "_update_lr", epoch)


def update_rates(interpreter: Interpreter, self: UserObject, epoch: Any = None) -> None:
    """Count, and set the rates that `get_lr` gives."""
    self.fields["_get_lr_called_within_step"] = False
    if epoch is None:
        self.fields["last_epoch"] += 1
        values = call_method(interpreter, self, "get_lr")
    else:
        self.fields["last_epoch"] = epoch
        closed = self.kind.find("_get_closed_form_lr") is not MISSING
        values = call_method(interpreter, self, "_get_closed_form_lr" if closed else "get_lr")
    set_rates(self, values)


def set_rates(self: UserObject, values: Any) -> None:
    """Give each group its rate."""
    for group, rate in zip(groups_of(self), values, strict=True):
        group["lr"] = rate
    self.fields["_last_lr"] = rates(self)


def _get_lr(self: UserObject) -> Any:
    raise torch_error("", "子类没有定义 get_lr。", kind="NotImplementedError")


HIDDEN = ("optimizer", "lr_lambdas", "_schedulers")


def state_dict(interpreter: Interpreter, self: UserObject) -> dict[str, Any]:
    """All it knows, but for the optimizer; of schedules inside of it the same."""
    state = {key: value for key, value in self.fields.items() if key not in HIDDEN}
    state.setdefault("_is_initial", False)
    if "lr_lambdas" in self.fields:
        state["lr_lambdas"] = [
            None if isinstance(one, UserFunction) else dict(getattr(one, "fields", {}))
            for one in self.fields["lr_lambdas"]
        ]
    if "_schedulers" in self.fields:
        inner = self.fields["_schedulers"]
        state["_schedulers"] = [call_method(interpreter, one, "state_dict") for one in inner]
    return state


def load_state_dict(interpreter: Interpreter, self: UserObject, state_dict: Mapping[str, Any]) -> None:
    """Take over what `state_dict` gave."""
    self.fields.update({key: value for key, value in state_dict.items() if key not in HIDDEN})
    for one, state in zip(
        self.fields.get("_schedulers", ()), state_dict.get("_schedulers", ()), strict=False
    ):
        call_method(interpreter, one, "load_state_dict", state)


LR_SCHEDULER = library_class(
    "LRScheduler",
    __init__=begin,
    step=step,
    _update_lr=update_rates,
    _initial_step=initial_step,
    get_lr=_get_lr,
    get_last_lr=lambda self: self.fields["_last_lr"],
    state_dict=state_dict,
    load_state_dict=load_state_dict,
)


def schedule(
    name: str,
    get_lr: Callable[..., Any],
    closed_form: Callable[..., Any] | None = None,
    *,
    check: Callable[..., None] | None = None,
    **settings: Any,
) -> UserClass:
    """A schedule that remembers its settings under their names.

    get_lr:      the rates of the groups at a step, from those of the step before.
    closed_form: the same from the step's number alone.
    settings:    its parameters in order, with their defaults; `REQUIRED` for those that have none.
    """
    methods: dict[str, Any] = {"get_lr": get_lr}
    if closed_form is not None:
        methods["_get_closed_form_lr"] = closed_form
    begin_with = _begin_with({**settings, "last_epoch": -1}, check)
    return library_class(name, LR_SCHEDULER, __init__=begin_with, **methods)


REQUIRED = inspect.Parameter.empty


def _begin_with(settings: Mapping[str, Any], check: Callable[..., None] | None) -> Callable[..., None]:
    """An `__init__` with these parameters after the optimizer."""
    kinds = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
        for name, default in {
            **dict.fromkeys(("interpreter", "self", "optimizer"), REQUIRED),
            **settings,
        }.items()
    ]
    signature = inspect.Signature(kinds)

    def start(*args: Any, **keywords: Any) -> None:
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        interpreter, self, optimizer, *_, last_epoch = bound.arguments.values()
        given = {name: bound.arguments[name] for name in settings if name != "last_epoch"}
        check_optimizer(optimizer)
        if check is not None:
            check(**given)
        self.fields.update(given)
        begin(interpreter, self, optimizer, last_epoch)

    start.__signature__ = signature  # type: ignore[attr-defined]  # the parameters that a program sees
    return start


def per_group(optimizer: UserObject, name: str, value: Any) -> list[Any]:
    """One value for each group. Raises: ValueError where a list has another length."""
    count = len(optimizer.fields["param_groups"])
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise torch_error(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
            f"param_groups has {count}.",
            f"{name} 有 {len(value)} 个值，而优化器有 {count} 个参数组。",
            kind="ValueError",
        )
    return list(value)


def _no_initial_rate(index: int) -> Exception:
    return torch_error(
        f"param 'initial_lr' is not specified in param_groups[{index}] when resuming scheduler with "
        "last_epoch >= 0.",
        f"从 last_epoch 继续时，第 {index} 个参数组没有 initial_lr。",
        kind="KeyError",
        hint="Leave last_epoch out.",
        hint_zh="请去掉 last_epoch。",
    )


def _note_order(interpreter: Interpreter) -> None:
    interpreter.note(
        "scheduler_before_optimizer",
        "`scheduler.step()` comes before `optimizer.step()`, so the first rate is skipped.",
        "`scheduler.step()` 写在了 `optimizer.step()` 之前，因此跳过了第一个学习率。",
        "Call `optimizer.step()` first.",
        "请先调用 `optimizer.step()`。",
    )
