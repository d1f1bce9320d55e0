"""`optimizer.step()`: each parameter of a group is updated by its gradient, in one node of the graph.

The update is that of the engine's optimizers, so the answer shows it as it shows `apply_gradients`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.optim.catalogue import KINDS, Kind, check_settings
from engine.languages.surfaces.torch.optim.optimizer import OPTIMIZER, begin
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.storage import Storage, renewed
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.languages.workspace import UpdateCall
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import name_of
from engine.ops.sources.state import assign
from engine.optimizers import Optimizer

BY_PARTS = (  # also of complex parameters
    *("SGD", "Adam", "AdamW", "Adamax", "RMSprop", "Adadelta", "Adagrad", "NAdam", "RAdam", "ASGD", "Rprop"),
)
PLAIN = (bool, int, float, str)
SINGLE = ("step", "mu_product", "eta", "mu")  # numbers of the state, which PyTorch keeps in float32


def optimizer_class(name: str, kind: Kind) -> UserClass:
    """The class of an optimizer."""
    return library_class(
        name,
        OPTIMIZER,
        __init__=_begin_with(kind),
        step=lambda interpreter, self, closure=None: step(interpreter, self, kind, closure),
        _load_state=lambda self, parameter, facts: _load_state(self, kind, parameter, facts),
    )


def _begin_with(kind: Kind) -> Callable[..., None]:
    """An `__init__` with the parameters of this optimizer."""
    first = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name in ("interpreter", "self", "params")
    ]
    by_place = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=kind.settings[name])
        for name in kind.positional
    ]
    by_name = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in kind.settings.items()
        if name not in kind.positional
    ]
    signature = inspect.Signature([*first, *by_place, *by_name])

    def start(*args: Any, **keywords: Any) -> None:
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        interpreter, self, params, *_ = bound.arguments.values()
        settings = {name: bound.arguments[name] for name in kind.settings}
        check_settings(settings)
        begin(interpreter, self, params, settings)

    start.__signature__ = signature  # type: ignore[attr-defined]  # the parameters that a program sees
    return start


def step(interpreter: Interpreter, self: UserObject, kind: Kind, closure: Any = None) -> Any:
    """Update every parameter that has a gradient. Returns: what the closure gives, if there is one."""
    loss = None
    if closure is not None:
        with recording(True):
            loss = interpreter.call(closure, [], {})
    with recording(False):
        for index, group in enumerate(self.fields["param_groups"]):
            _step_group(interpreter, self, kind, index, group)
    self.fields["_opt_called"] = True
    return loss


def _step_group(
    interpreter: Interpreter, self: UserObject, kind: Kind, index: int, group: dict[str, Any]
) -> None:
    params = [one for one in group["params"] if one.grad is not None]
    if not params:
        return
    _check_real(self, params)
    applied = _engine_of(self, kind, index, group)
    _move_slots(applied, params)
    for one in params:
        if self.fields["state"].get(one) and _variable_of(one) not in applied.slots:
            _load_state(self, kind, one, dict(self.fields["state"][one]))  # of an optimizer that was copied
    pairs = [(one.grad.value, _variable_of(one)) for one in params]
    call = _updated(interpreter, applied, pairs)
    for one in params:
        one.storage.writes += 1
        one.version.number += 1
        _show_state(self, kind, applied, group, one)
    _keep_update(interpreter, call)


def _check_real(self: UserObject, params: Iterable[Tensor]) -> None:
    """Raises: RefusedError for complex parameters of what is not known to go part by part."""
    if self.kind.name not in BY_PARTS and any(one.dtype.is_complex for one in params):
        raise not_here(
            f"torch.optim.{self.kind.name} of complex parameters",
            f"torch.optim.{self.kind.name} 更新复数参数",
            "Use torch.optim.Adam, or a real parameter p of shape (…, 2) and torch.view_as_complex(p).",
            "请使用 torch.optim.Adam，或用形状为 (…, 2) 的实数参数 p 和 torch.view_as_complex(p)。",
        )


def _updated(interpreter: Interpreter, applied: Optimizer, pairs: list[Any]) -> UpdateCall:
    """Apply the pairs; in a turn of a loop that is like those before, the same update again."""
    graph = state().graph
    kept: dict[Any, UpdateCall] = state().parts.setdefault("updates", {})
    key = applied, graph.place

    def make() -> None:
        train = applied.apply_gradients(pairs)
        kept[key] = UpdateCall(applied, tuple(pairs), train, interpreter.place)

    rate, *others = _settings(applied.rule)
    slots = [list(applied.slots.get(variable, {}).values()) for _, variable in pairs]
    graph.call(applied, (rate, others, pairs, slots), make)
    return kept[key]


def _settings(rule: Any) -> list[Any]:
    """The rate of a rule, which only becomes a constant, before all else that it is made with."""
    names = sorted((one.name for one in fields(rule)), key=lambda name: name != "learning_rate")
    values = [getattr(rule, name) for name in names]
    return [float(one) if isinstance(one, np.floating) else one for one in values]


def _engine_of(
    self: UserObject, kind: Kind, index: int, group: dict[str, Any], has_state: bool = False
) -> Optimizer:
    """The engine's optimizer of a group, with the group's settings as they are now."""
    made: list[Optimizer] = state().parts.setdefault("optimizers", {}).setdefault(self.serial, [])
    rule = _rule_of(kind, group, has_state or (index < len(made) and bool(made[index].rule.slots)))
    while len(made) <= index:
        made.append(Optimizer(rule, name=self.kind.name))
    if made[index].rule.slots != rule.slots:  # it begins to keep something
        made[index] = Optimizer(rule, name=self.kind.name)
    made[index].rule = rule
    return made[index]


def _rule_of(kind: Kind, group: dict[str, Any], has_state: bool) -> Any:
    """The rule with a group's settings; the same one, while the settings are the same numbers."""
    rules: dict[Any, Any] = state().parts.setdefault("rules", {})
    settings = [(name, type(one), one) for name, one in group.items() if name != "params"]
    if not all(one is None or isinstance(one, PLAIN) for _, _, one in settings):
        return kind.rule_of(group, has_state)
    key = kind.rule, has_state, repr(settings)
    if key not in rules:
        rules.clear()
        rules[key] = kind.rule_of(group, has_state)
    return rules[key]


def _variable_of(tensor: Tensor) -> Any:
    if tensor.steps:
        raise not_here(
            "An optimizer on a view of another tensor",
            "在另一个张量的视图上使用优化器",
            "Optimize the whole tensor, or a copy: w.clone().detach().requires_grad_().",
            "请优化整个张量，或它的副本：w.clone().detach().requires_grad_()。",
        )
    tensor.storage.make_variable()
    return tensor.storage.variable


def _move_slots(applied: Optimizer, params: Sequence[Tensor]) -> None:
    """Slots go with their parameter: where its memory is another one (`p.data = …`, `renewed`), to its
    variable; and where they were made anew themselves."""
    known: dict[Tensor, Any] = state().parts.setdefault("slots", {}).setdefault(applied, {})
    present = {one: _variable_of(one) for one in params}
    moved = [one for one in params if known.get(one) in applied.slots and known[one] is not present[one]]
    taken = [applied.slots.pop(known[one]) for one in moved]
    applied.slots.update(zip([present[one] for one in moved], taken, strict=True))
    known.update(present)
    for variable in present.values():
        slots = applied.slots.get(variable, {})
        slots.update({name: renewed(slot) for name, slot in slots.items() if slot.is_gone_over})


def _keep_update(interpreter: Interpreter, call: UpdateCall) -> None:
    """Keep an update for the answer, once for all turns of a loop."""
    updates = interpreter.workspace.updates
    updates[:] = [other for other in updates if other.train_op is not call.train_op]
    updates.append(call)


# -- the state of a parameter ---------------------------------------------------------------------------


def _show_state(
    self: UserObject,
    kind: Kind,
    applied: Optimizer,
    group: dict[str, Any],
    tensor: Tensor,
    loaded: Iterable[str] = (),
) -> None:
    """Let the program see a parameter's slots by PyTorch's names. loaded: those that were given to it."""
    names = kind.kept(group, tensor.form.ndim)
    slots = applied.slots[_variable_of(tensor)]
    names += [name for name in loaded if name in slots and name not in names]
    if not names:
        return
    facts = self.fields["state"][tensor]
    for name in names:
        number: Any = slots[name].ref
        if name in SINGLE and number.array.dtype != np.float32:
            facts[name] = of_numbers(np.asarray(number.array.real, dtype=np.float32))
        elif name not in facts:
            facts[name] = _tensor_of(slots[name])


def numbers_shown(self: UserObject) -> list[tuple[dict[str, Any], str, Any, Tensor]]:
    """The numbers of the state that every step makes anew: where each stands, its slot, and what it is."""
    found = []
    for applied in state().parts.get("optimizers", {}).get(self.serial, ()):
        for tensor, facts in self.fields["state"].items():
            for name, slot in applied.slots.get(tensor.storage.variable, {}).items():
                if name in SINGLE and name in facts and slot.ref.array.dtype != np.float32:
                    found.append((facts, name, slot, facts[name]))
    return found


def _tensor_of(slot: Any) -> Tensor:
    """A tensor that shows a slot as it is at each moment."""
    storage = Storage(value=slot.read)
    storage.variable = slot
    return Tensor(storage)


def _load_state(self: UserObject, kind: Kind, parameter: Any, facts: dict[str, Any]) -> None:
    """Take over the state of one parameter: its tensors are shared, so they become the slots."""
    groups = self.fields["param_groups"]
    index = next(i for i, group in enumerate(groups) if any(parameter is one for one in group["params"]))
    slots_of_kind = kind.rule_of(groups[index], True).slots
    facts = {name: value for name, value in facts.items() if name in slots_of_kind}  # others are its own
    applied = _engine_of(self, kind, index, groups[index], has_state=bool(facts))
    variable = _variable_of(parameter)
    graph = state().graph
    with graph.making("update"):
        applied.create_state(graph, [variable])
        slots = applied.slots[variable]
        for name, value in facts.items():
            slot = _slot_of(value, slots[name])
            if slot is None:
                assign(slots[name].ref, constant_node(_as_array(value, slots[name]), "loaded"))
                _share(value, slots[name])
            else:
                slots[name] = slot
        if "started" in slots and facts:
            assign(slots["started"].ref, constant_node(np.ones((), dtype=parameter.array.dtype), "loaded"))
    _show_state(self, kind, applied, groups[index], parameter, facts)


def _slot_of(value: Any, like: Any) -> Any:
    """The variable that holds a tensor of a state, where it can be a slot in place of another one."""
    if not isinstance(value, Tensor) or value.steps or value.storage.variable is None:
        return None
    return value.storage.variable if _fits(value, like) else None


def _fits(value: Tensor, slot: Any) -> bool:
    """Whether a tensor has the type and the shape of a slot."""
    return (name_of(value.form.dtype), value.form.shape) == (slot.dtype, slot.ref.array.shape)


def _share(value: Any, slot: Any) -> None:
    """A tensor whose numbers a slot has taken over shows the slot from here on, as both are one memory."""
    if not isinstance(value, Tensor) or value.steps or not _fits(value, slot):
        return
    if not value.storage.is_held and value.storage.shared is None:
        value.storage.hold(slot.read)
        value.storage.variable = slot


def _as_array(value: Any, slot: Any) -> Any:
    array = value.array if isinstance(value, Tensor) else np.asarray(value)
    return array.astype(slot.ref.array.dtype)


CLASSES = {name: optimizer_class(name, kind) for name, kind in KINDS.items()}
