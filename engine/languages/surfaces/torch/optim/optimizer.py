"""`torch.optim.Optimizer`: parameter groups with their settings, the state of each parameter, and `step`.

A program may write an optimizer of its own that inherits from it; those of PyTorch stand in `catalogue.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.classes import call_method, library_class
from engine.languages.surfaces.torch.dtypes import BFLOAT16
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.optim.hooks import register_after, register_before
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

Group = dict[str, Any]


def begin(interpreter: Interpreter, self: UserObject, params: Any, defaults: Any) -> None:
    """`Optimizer.__init__`: the groups, each with its settings. Raises: in PyTorch's words."""
    self.fields.update(defaults=dict(defaults), state=defaultdict(dict), param_groups=[])
    if isinstance(params, Tensor):
        raise torch_error(
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
            f"torch.{params.dtype.scalar_name}Tensor",
            "优化器的 params 应是张量或字典的列表，而不是单个张量。",
            kind="TypeError",
            hint="Write [w] instead of w.",
            hint_zh="请写 [w] 而不是 w。",
        )
    groups = list(iterate(params))
    if not groups:
        raise torch_error(
            "optimizer got an empty parameter list",
            "优化器得到的参数列表是空的。",
            kind="ValueError",
            hint="A generator gives its parameters once; call model.parameters() again.",
            hint_zh="生成器只能用一次；请重新调用 model.parameters()。",
        )
    if not isinstance(groups[0], dict):
        groups = [{"params": groups}]
    for group in groups:
        call_method(interpreter, self, "add_param_group", group)


def add_param_group(self: UserObject, param_group: Any) -> None:
    """One group more: its parameters, and what differs from the defaults."""
    if not isinstance(param_group, dict):
        raise torch_error(
            f"param_group must be a dict, but got <class '{python_name(param_group)}'>",
            f"参数组必须是字典，不能是 {python_name(param_group)}。",
            kind="TypeError",
        )
    if "params" not in param_group:
        raise missing_key("params")
    given = param_group["params"]
    params = [given] if isinstance(given, Tensor) else list(iterate(given))
    names = [one[0] for one in params if isinstance(one, tuple)]
    params = [one[1] if isinstance(one, tuple) else one for one in params]
    for one in params:
        _check_parameter(one)
    param_group["params"] = params
    if names:
        param_group["param_names"] = names
    for name, default in self.fields["defaults"].items():
        param_group.setdefault(name, default)
    there = {id(one) for group in self.fields["param_groups"] for one in group["params"]}
    if any(id(one) in there for one in params):
        raise torch_error(
            "some parameters appear in more than one parameter group",
            "有参数出现在了多个参数组里。",
            kind="ValueError",
        )
    self.fields["param_groups"].append(param_group)


def missing_key(name: str) -> Exception:
    """A dict of a program lacks what PyTorch reads from it."""
    return torch_error(f"'{name}'", f"字典中没有 '{name}'。", kind="KeyError")


def _check_parameter(value: Any) -> None:
    if not isinstance(value, Tensor):
        raise torch_error(
            f"optimizer can only optimize Tensors, but one of the params is {python_name(value)}",
            f"优化器只能优化张量，但有一个参数是 {python_name(value)}。",
            kind="TypeError",
        )
    if value.dtype is BFLOAT16:
        raise not_here(
            "An optimizer of parameters of bfloat16",
            "对 bfloat16 参数的优化",
            "Train in float32 and convert afterwards: model.to(torch.bfloat16).",
            "请用 float32 训练，之后再转换：model.to(torch.bfloat16)。",
        )
    if not value.is_leaf and not value.retains:
        raise torch_error(
            "can't optimize a non-leaf Tensor",
            "不能优化由运算得到的张量（非叶子）。",
            kind="ValueError",
            hint="Make it with requires_grad=True, or call .detach().requires_grad_().",
            hint_zh="请在创建时写 requires_grad=True，或调用 .detach().requires_grad_()。",
        )


def parameters_of(self: UserObject) -> list[Tensor]:
    """All parameters, group by group."""
    return [one for group in self.fields["param_groups"] for one in group["params"]]


def zero_grad(self: UserObject, set_to_none: Any = True) -> None:
    """Forget the gradients, or set them to zero."""
    for one in parameters_of(self):
        forget_gradient(one, bool(set_to_none))


def forget_gradient(tensor: Tensor, to_none: bool) -> None:
    """Forget the gradient of a tensor, or set it to zero."""
    if tensor.grad is None:
        return
    if to_none:
        tensor.grad = None
        return
    grad = tensor.grad
    if grad.steps or grad.storage.variable is not None:
        tensor.grad = of_numbers(np.zeros_like(grad.array))
        return
    grad.storage.array, grad.storage.value = np.zeros_like(grad.array), None
    grad.storage.writes += 1
    grad.node, grad.requires = None, False
    grad.version.number += 1


def _step(self: UserObject, closure: Any = None) -> Any:
    raise torch_error("", "子类没有定义 step。", kind="NotImplementedError")


def state_dict(self: UserObject) -> dict[str, Any]:
    """The state by the number of the parameter, and the groups with numbers in place of parameters."""
    numbers = {id(one): index for index, one in enumerate(parameters_of(self))}
    groups = []
    for group in self.fields["param_groups"]:
        packed = {key: value for key, value in group.items() if key != "params"}
        packed["params"] = [numbers[id(one)] for one in group["params"]]
        groups.append(packed)
    state = {
        numbers[id(key)] if isinstance(key, Tensor) else key: value
        for key, value in self.fields["state"].items()
    }
    return {"state": state, "param_groups": groups}


def load_state_dict(interpreter: Interpreter, self: UserObject, state_dict: Mapping[str, Any]) -> None:
    """Take over settings and state. Raises: ValueError where the groups differ."""
    if "param_groups" not in state_dict:
        raise missing_key("param_groups")
    groups, saved = self.fields["param_groups"], state_dict["param_groups"]
    if len(groups) != len(saved):
        raise torch_error(
            "loaded state dict has a different number of parameter groups",
            "载入的状态有不同数目的参数组。",
            kind="ValueError",
        )
    if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, saved, strict=True)):
        raise torch_error(
            "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
            "载入的某个参数组与优化器的参数组大小不同。",
            kind="ValueError",
        )
    for group, new in zip(groups, saved, strict=True):
        group.update({key: value for key, value in new.items() if key != "params"})
    numbers = [number for group in saved for number in group["params"]]
    known = dict(zip(numbers, parameters_of(self), strict=True))
    self.fields["state"].clear()
    for number, facts in state_dict["state"].items():
        call_method(interpreter, self, "_load_state", known.get(number, number), dict(facts))


def _load_state(self: UserObject, parameter: Any, facts: dict[str, Any]) -> None:
    """Take over the state of one parameter: copies of its tensors."""
    self.fields["state"][parameter] = {
        name: of_numbers(value.array.copy()) if isinstance(value, Tensor) else value
        for name, value in facts.items()
    }


def _text(self: UserObject) -> str:
    lines = [f"{self.kind.name} ("]
    for index, group in enumerate(self.fields["param_groups"]):
        lines += [*([""] if index else []), f"Parameter Group {index}"]
        lines += [f"    {key}: {to_str(group[key])}" for key in sorted(group) if key != "params"]
    return "\n".join([*lines, ")"])


OPTIMIZER = library_class(
    "Optimizer",
    __init__=begin,
    add_param_group=add_param_group,
    zero_grad=zero_grad,
    step=_step,
    state_dict=state_dict,
    load_state_dict=load_state_dict,
    _load_state=_load_state,
    register_step_pre_hook=register_before,
    register_step_post_hook=register_after,
    __repr__=_text,
)
