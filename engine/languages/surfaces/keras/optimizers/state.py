"""What a program may ask of an optimizer of Keras: its variables, its settings, its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.graph import Variable
from engine.languages.interpreter.attributes import LOOKUPS, members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import concrete, python_name
from engine.languages.surfaces.keras.optimizers.known import keep_known
from engine.languages.surfaces.keras.optimizers.optimizer import OPTIMIZER, KerasOptimizer, LearningRate
from engine.languages.surfaces.tf2.eager import EagerShape
from engine.languages.surfaces.tf2.functions.traced import tracing_now
from engine.languages.surfaces.tf2.modules import snake_case
from engine.ops.base.tensors import Array, Operators, Tensor
from engine.optimizers.rule import Rule

# Which slots Keras makes of a rule: group behind group, each for one variable after the other, by its names.
Slots = list[dict[str, str]]
SLOTS: Mapping[str, Callable[[Any], Slots]] = MappingProxyType(
    {
        "SGD": lambda rule: [{"momentum": "momentum"}] if rule.momentum else [],
        "Adam": lambda rule: _of_adam(rule),
        "AdamW": lambda rule: _of_adam(rule),
        "RMSprop": lambda rule: [
            {"velocity": "velocity"},
            *([{"momentum": "momentum"}] if rule.momentum else []),
            *([{"average_gradient": "average_gradient"}] if rule.centered else []),
        ],
        "Adagrad": lambda rule: [{"accumulator": "accumulator"}],
        "Adadelta": lambda rule: [{"accum": "accumulated_grad", "accum_update": "accumulated_delta_var"}],
        "Adamax": lambda rule: [{"m": "momentum", "u": "norm"}],
        "Lion": lambda rule: [{"m": "momentum"}],
        "Nadam": lambda rule: [{"m": "momentum", "v": "velocity"}],
        "Ftrl": lambda rule: [{"accumulator": "accumulator", "linear": "linear"}],
    }
)


def _of_adam(rule: Any) -> Slots:
    usual = {"momentum": "momentum", "velocity": "velocity"}
    return [usual, {"velocity_hat": "velocity_hat"}] if rule.amsgrad else [usual]


OTHER_SETTINGS: Mapping[str, Any] = MappingProxyType(
    {
        "weight_decay": None,
        "clipnorm": None,
        "global_clipnorm": None,
        "clipvalue": None,
        "use_ema": False,
        "ema_momentum": 0.99,
        "ema_overwrite_frequency": None,
        "loss_scale_factor": None,
        "gradient_accumulation_steps": None,
    }
)


class StateVariable(Operators):
    """One of an optimizer's variables, to be looked at: its name, and what it holds now."""

    __slots__ = ("name", "path", "read")

    def __init__(self, path: str, read: Callable[[], Array]) -> None:
        self.path = path
        self.name = path.rpartition("/")[2]
        self.read = read

    @property
    def array(self) -> Array:
        """What it holds now."""
        return self.read()

    def as_tensor(self) -> Tensor:
        """The same as a constant."""
        return ops.constant(self.array, name=self.name)


VARIABLE = members_of(StateVariable, "Variable")
VARIABLE.fact("name")(lambda variable: variable.name)
VARIABLE.fact("path")(lambda variable: variable.path)
VARIABLE.fact("shape")(lambda variable: EagerShape(variable.array.shape))
VARIABLE.fact("dtype")(lambda variable: variable.array.dtype.name)
VARIABLE.fact("trainable")(lambda variable: False)
VARIABLE.method("numpy")(lambda variable: variable.array.copy()[()])
VARIABLE.method("value", "read_value")(StateVariable.as_tensor)


def _shown(variable: StateVariable) -> str:
    array = variable.array
    return f"<Variable path={variable.path}, shape={array.shape}, dtype={array.dtype}, value={array}>"


SHOWN[StateVariable] = (_shown, _shown)


def name_of(optimizer: KerasOptimizer) -> str:
    """`sgd`, as Keras names what is given no name."""
    own = optimizer.name if optimizer.name != optimizer.rule.name else ""
    return own or optimizer.counted_name or snake_case(optimizer.rule.name)


def iterations_of(optimizer: KerasOptimizer) -> StateVariable:
    """The count of the steps that it has made."""
    return StateVariable(f"{name_of(optimizer)}/iteration", lambda: np.asarray(optimizer.taken, np.int64))


def variables_of(optimizer: KerasOptimizer) -> list[Any]:
    """The count of steps, the learning rate, then the slots of the trained variables."""
    rule: Any = optimizer.rule
    home, owned = name_of(optimizer), optimizer.slots
    made: list[Any] = [iterations_of(optimizer)]
    made.append(LearningRate(optimizer))
    for group in SLOTS[rule.name](rule):
        for variable, slots in owned.items():
            for slot, name in group.items():
                made.append(StateVariable(f"{home}/{_owner(variable)}_{name}", _reader(slots[slot])))
    for slots in list(owned.values())[:1]:
        if "u_product" in slots:  # one number for all variables
            made.append(StateVariable(f"{home}/variable", _reader(slots["u_product"])))
    return made


def _owner(variable: Variable) -> str:
    """How Keras writes the name of the variable that a slot belongs to."""
    path = getattr(variable, "path", None) or f"{getattr(variable, 'given_name', variable.name)}:0"
    return str(path).replace("/", "_").replace(":", "_")


def _reader(slot: Variable) -> Callable[[], Array]:
    return lambda: np.asarray(slot.ref.array)  # type: ignore[attr-defined]  # a tensor of an eager graph


def config_of(optimizer: KerasOptimizer) -> dict[str, Any]:
    """All settings by their names."""
    own = {name: _plain(value) for name, value in _settings(optimizer.rule).items()}
    rate = optimizer.rule.learning_rate  # type: ignore[attr-defined]  # every rule has one
    own["learning_rate"] = float(np.float32(rate)) if isinstance(rate, (int, float)) else rate
    clipping = dict([optimizer.clipping]) if optimizer.clipping is not None else {}
    first = {"name": name_of(optimizer), "learning_rate": own["learning_rate"]}
    decay = {"weight_decay": optimizer.weight_decay or None}
    return {**first, **OTHER_SETTINGS, **decay, **clipping, **own}


def _settings(rule: Rule) -> dict[str, Any]:
    return {field.name: getattr(rule, field.name) for field in fields(rule)}  # type: ignore[arg-type]  # every rule is a dataclass


def _plain(value: Any) -> Any:
    held = concrete(value)
    return value if held is None else held.item()


def _setting(optimizer: KerasOptimizer, name: str) -> Any:
    """`optimizer.momentum`, `optimizer.beta_1`: the rule's own settings."""
    return _plain(_settings(optimizer.rule).get(name, MISSING))


def build(optimizer: KerasOptimizer, variables: Any) -> None:
    """Make the slots of these variables, unless there was a step or a `build` before."""
    listed = list(iterate(variables))
    for one in listed:
        if not isinstance(one, Variable):
            raise ValueRefused(
                f"`build` takes a list of variables, not of {python_name(one)}.",
                message_zh=f"build 需要变量的列表，而不是 {python_name(one)}。",
                hint="Write optimizer.build(model.trainable_variables).",
                hint_zh="请写 optimizer.build(model.trainable_variables)。",
            )
    if optimizer.known is None and listed:
        keep_known(optimizer, listed)
        graph = listed[0].graph
        with graph.as_default(), graph.making("update"):
            optimizer.create_state(graph, listed)


LOOKUPS[KerasOptimizer] = _setting
OPTIMIZER.method("build")(build)


def _iterations(optimizer: KerasOptimizer) -> Any:
    tracing = tracing_now()
    if tracing is not None:
        return tracing.later(lambda: _iterations(optimizer), "int64", (), "iterations")
    return optimizer.steps or iterations_of(optimizer)


OPTIMIZER.fact("iterations")(_iterations)
OPTIMIZER.fact("built")(lambda optimizer: optimizer.known is not None)
OPTIMIZER.fact("name")(name_of)
OPTIMIZER.fact("variables")(variables_of)
OPTIMIZER.method("get_config")(config_of)
RATE = members_of(LearningRate, "Variable")
RATE.fact("name")(lambda rate: "learning_rate")
RATE.fact("path")(lambda rate: f"{name_of(rate.optimizer)}/learning_rate")
RATE.fact("shape")(lambda rate: EagerShape(()))
RATE.fact("trainable")(lambda rate: False)
