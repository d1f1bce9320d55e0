"""`tf.keras.optimizers`: Keras's rules applied to a tape's gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields, replace
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.differentiation.tape import Tape, flat
from engine.errors import ProgramError, ValueRefused
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.immediate import EagerTensor
from engine.execution.eager.repeating_graph import now
from engine.graph import Node, Variable
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, Lazy, concrete
from engine.languages.surfaces.argument_kinds import SCALAR
from engine.languages.surfaces.keras.optimizers.known import keep_known
from engine.languages.surfaces.keras.optimizers.schedules import is_schedule
from engine.languages.surfaces.keras.weights import counted_name
from engine.languages.surfaces.tf2.functions.traced import tracing_now
from engine.languages.surfaces.tf2.modules import snake_case
from engine.languages.surfaces.tf2.tape import ProgramTape, asked_in_turn, remember, swept
from engine.languages.surfaces.tf2.variables import EagerVariable
from engine.languages.workspace import GradientCall, UpdateCall
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Operators, Tensor
from engine.optimizers import Optimizer
from engine.optimizers.rule import Rule
from engine.optimizers.rules import keras
from engine.optimizers.rules.keras.sgd import plain_where_it_is

CLIPPING = ("clipnorm", "clipvalue", "global_clipnorm")
LEFT_OUT: Mapping[str, Any] = MappingProxyType(
    {
        "use_ema": (None, False),
        "ema_momentum": (None, 0.99),
        "ema_overwrite_frequency": (None,),
        "loss_scale_factor": (None,),
        "gradient_accumulation_steps": (None,),
        "jit_compile": (None, False, True, "auto"),
    }
)  # arguments that are not offered, with what they may say: that nothing is done
LAST = ("weight_decay", *CLIPPING, *(name for name in LEFT_OUT if name != "jit_compile"), "name")


class KerasOptimizer(Optimizer):
    """An optimizer of Keras: it counts its steps itself, and clips gradients where it is asked to.

    steps:    the variable that a schedule follows; None where there is no schedule.
    taken:    how many steps it has made.
    clipping: one of `CLIPPING` and its bound, or None.
    weight_decay: which share of a variable is taken off with each step; of AdamW its rule knows.
    known:    the variables that it was built for; None before its first step.
    """

    def __init__(
        self, rule: Rule, name: str | None = None, clipping: tuple[str, float] | None = None
    ) -> None:
        super().__init__(rule, name=name)
        self.steps: Variable | None = None
        self.taken = 0
        self.clipping = clipping
        self.weight_decay = 0.0
        self.known: frozenset[Variable] | None = None
        self.counted_name = ""  # of one that the program gave no name: `sgd`, then `sgd_1`

    def rate_by(self, schedule: Callable[[Any], Any]) -> None:
        """Let the learning rate follow the count of steps."""
        steps = EagerVariable(np.int64(0), name="iterations", trainable=False)
        steps.given_name = "iterations"
        self.steps = steps
        self.set_rate(lambda: schedule(steps))

    def set_rate(self, rate: Any) -> None:
        """Another learning rate from the next step on; of a rate as it stands now, its number."""
        if isinstance(rate, LearningRate):
            rate = float(rate.array)
        self.rule = replace(self.rule, learning_rate=rate)  # type: ignore[type-var]  # every rule is a dataclass


class LearningRate(Operators):
    """The rate of an optimizer without a schedule, as Keras's variable: a float32, read at each look."""

    __slots__ = ("optimizer",)

    def __init__(self, optimizer: KerasOptimizer) -> None:
        self.optimizer = optimizer

    @property
    def array(self) -> Any:
        """The rate now."""
        return np.asarray(_number(self.optimizer.rule.learning_rate), np.float32)  # type: ignore[attr-defined]  # every rule has one

    def as_tensor(self) -> Tensor:
        """The rate now, as a constant."""
        tracing = tracing_now()
        if tracing is not None:
            return tracing.later(self.as_tensor, "float32", (), "learning_rate")
        return ops.constant(self.array, name="learning_rate")


OPTIMIZER = members_of(KerasOptimizer, "Optimizer")
TYPE_NAMES[KerasOptimizer] = lambda one: one.rule.name
SHOWN[KerasOptimizer] = (
    lambda one: f"<keras optimizer {one.name}>",
    lambda one: f"<keras optimizer {one.name}>",
)


def _rate(optimizer: KerasOptimizer) -> Any:
    rate = optimizer.rule.learning_rate  # type: ignore[attr-defined]  # every rule has one
    return rate() if callable(rate) else LearningRate(optimizer)


OPTIMIZER.fact("learning_rate", "lr")(_rate)
RATE = members_of(LearningRate, "Variable")
RATE.method("numpy")(lambda rate: rate.array[()])
RATE.method("value", "read_value")(LearningRate.as_tensor)
RATE.method("assign", value=SCALAR)(lambda rate, value: rate.optimizer.set_rate(_number(value)))
RATE.fact("dtype")(lambda rate: "float32")


def _rate_shown(rate: LearningRate) -> str:
    path = f"{rate.optimizer.name.lower()}/learning_rate"
    return f"<Variable path={path}, shape=(), dtype=float32, value={rate.array}>"


SHOWN[LearningRate] = (_rate_shown, _rate_shown)
OPTIMIZER.settable.update(dict.fromkeys(("learning_rate", "lr"), KerasOptimizer.set_rate))


def optimizer_maker(rule: type[Rule]) -> Callable[..., KerasOptimizer]:
    """The function that a program calls to make an optimizer with this rule."""
    names = tuple(field.name for field in fields(rule))  # type: ignore[arg-type]  # every rule is a dataclass

    def make(interpreter: Interpreter, **settings: Any) -> KerasOptimizer:
        name = settings.pop("name", None)
        if "lr" in settings:
            settings["learning_rate"] = settings.pop("lr")
            _note_lr(interpreter)
        decay = _decay(settings.pop("decay", None))
        for setting, nothing in LEFT_OUT.items():
            if settings.pop(setting, None) not in nothing:
                raise _not_offered(setting)
        clipping = [(way, float(_number(settings.pop(way)))) for way in CLIPPING if _is_set(settings, way)]
        if len(clipping) > 1:
            raise _clipped_twice([way for way, _ in clipping])
        decayed = None if "weight_decay" in names else settings.pop("weight_decay", None)
        rate = settings.get("learning_rate")
        follows = rate if is_schedule(rate) else None
        if follows is not None:
            settings["learning_rate"] = 0.0
        given = {key: _number(value) for key, value in settings.items() if value is not None}
        own = plain_where_it_is(rule(**given))
        made = KerasOptimizer(own, name, clipping[0] if clipping else None)
        if name is None:
            made.counted_name = counted_name(interpreter, snake_case(own.name))
        made.weight_decay = 0.0 if decayed is None else float(_number(decayed))
        if follows is not None:
            made.rate_by(lambda step: interpreter.call(follows, [step], {}))
        elif decay:
            made.rate_by(_falling(made.rule.learning_rate, decay))  # type: ignore[attr-defined]
        return made

    order = (*names, *(name for name in LAST if name not in names))
    positional = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None) for name in order]
    extra = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in ("lr", "decay", "jit_compile")]

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> KerasOptimizer:
        return make(interpreter, **dict(zip(order, args, strict=False)), **keywords)

    first = Parameter("interpreter", Parameter.POSITIONAL_OR_KEYWORD)
    call.__signature__ = Signature([first, *positional, *extra])  # type: ignore[attr-defined]
    return call


def _decay(value: Any) -> float:
    """By how much the rate falls. Raises: ValueRefused for what is no number."""
    number = 0.0 if value is None else _number(value)
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise ValueRefused(
            "`decay` is one number, such as 0.01.",
            message_zh="`decay` 是一个数，例如 0.01。",
            hint="Leave it out, or give a number.",
            hint_zh="请省略它，或给出一个数。",
        )
    return float(number)


def _falling(rate: float, decay: float) -> Callable[[Any], Any]:
    """rate / (1 + decay t), as the optimizers of Keras 2 had it."""
    return lambda step: rate / (1.0 + decay * ops.cast(convert_to_tensor(step), "float32"))


def _is_set(settings: dict[str, Any], name: str) -> bool:
    return settings.setdefault(name, None) is not None


def _number(value: Any) -> Any:
    array = concrete(value)
    if array is not None and array.size != 1:
        raise ValueRefused(
            f"A hyper-parameter is one number, not a tensor of shape {array.shape}.",
            message_zh=f"超参数是一个数，不能是形状为 {array.shape} 的张量。",
        )
    return value if array is None else array.item()


def _note_lr(interpreter: Interpreter) -> None:
    interpreter.note(
        "old_argument",
        "`lr` is the name that Keras 2 had; Keras 3 calls it `learning_rate`.",
        "`lr` 是 Keras 2 的写法；Keras 3 称为 `learning_rate`。",
        "Write learning_rate=….",
        "请写 learning_rate=…。",
    )


def _not_offered(setting: str) -> ProgramError:
    return ProgramError(
        f"The optimizers here have no `{setting}`.",
        message_zh=f"这里的优化器没有 `{setting}`。",
        hint="Leave it out; the steps are the same without it.",
        hint_zh="请去掉它；没有它，每一步也一样。",
        code="unknown_argument",
    )


def _clipped_twice(ways: list[str]) -> ProgramError:
    listed = " and ".join(f"`{way}`" for way in ways)
    listed_zh = " 和 ".join(f"`{way}`" for way in ways)
    return ProgramError(
        f"An optimizer clips in one way only, but {listed} are given.",
        message_zh=f"优化器只能用一种方式裁剪，但同时给出了 {listed_zh}。",
        hint="Keep one of them.",
        hint_zh="请只保留一个。",
        code="wrong_arguments",
    )


# -- steps -------------------------------------------------------------------------------------------


@OPTIMIZER.method("apply_gradients")
def apply_gradients(
    interpreter: Interpreter,
    optimizer: KerasOptimizer,
    grads_and_vars: Any,
    name: Any = None,
    experimental_aggregate_gradients: Any = True,
) -> None:
    """Update every variable by its gradient."""
    _update(interpreter, optimizer, [_pair(item) for item in iterate(grads_and_vars)])


def _update(interpreter: Interpreter, optimizer: KerasOptimizer, pairs: list[tuple[Any, Any]]) -> None:
    """Apply the pairs; an update in a turn like those before is the same update again."""
    keep_known(optimizer, [variable for _, variable in pairs])
    kept: list[UpdateCall] = []

    def make() -> None:
        kept.append(_updated(interpreter, optimizer, pairs))

    def again(*_: Any) -> None:
        optimizer.taken += 1
        _keep_update(interpreter, kept[0])

    if optimizer.weight_decay:
        _decay_weights(interpreter, optimizer, pairs)
    turn = getattr(current_graph(), "turn", None)
    if turn is None or (turn.is_recording and not _goes_on(optimizer, pairs)):
        make()
    else:
        turn.call(optimizer, (optimizer.rule, pairs), make, again)
    _constrain(interpreter, pairs)


def _decay_weights(interpreter: Interpreter, optimizer: KerasOptimizer, pairs: list[tuple[Any, Any]]) -> None:
    """Each variable becomes smaller by a share of itself, w - w decay rate, before its update."""
    rate = convert_to_tensor(_rate(optimizer))
    for _, variable in pairs:
        _assign(interpreter, variable, variable - variable * optimizer.weight_decay * rate)


def _constrain(interpreter: Interpreter, pairs: list[tuple[Any, Any]]) -> None:
    """What has a constraint is brought to it behind the update."""
    for _, variable in pairs:
        rule = getattr(variable, "constraint", None)
        if rule is not None:
            _assign(interpreter, variable, interpreter.call(rule, [variable], {}))


def _assign(interpreter: Interpreter, variable: Any, value: Any) -> None:
    interpreter.call(attribute_of(interpreter, variable, "assign"), [value], {})


def _updated(interpreter: Interpreter, optimizer: KerasOptimizer, pairs: list[tuple[Any, Any]]) -> UpdateCall:
    """Apply the pairs, and keep the call for the answer."""
    if optimizer.clipping is not None:
        pairs = _clipped(pairs, *optimizer.clipping)
    train = _applied(optimizer, pairs)
    optimizer.taken += 1
    call = UpdateCall(optimizer, tuple(pairs), train, interpreter.place)
    _keep_update(interpreter, call)
    return call


def _keep_update(interpreter: Interpreter, call: UpdateCall) -> None:
    """Keep an update for the answer, once for all turns of a loop."""
    updates = interpreter.workspace.updates
    if not updates or updates[-1] is not call:
        updates[:] = [other for other in updates if other.train_op is not call.train_op]
        updates.append(call)


def _applied(optimizer: KerasOptimizer, pairs: list[tuple[Any, Any]]) -> Node:
    """The train op of an update; in a later turn of a loop, the nodes of the first turn run again."""
    graph: Any = current_graph()
    if not isinstance(graph, EagerGraph) or graph.tracing is not None or not _goes_on(optimizer, pairs):
        return optimizer.apply_gradients(pairs, optimizer.steps)
    key = (optimizer, optimizer.rule, *[(_place(gradient), variable.node) for gradient, variable in pairs])
    made = graph.repeated(key, lambda: [optimizer.apply_gradients(pairs, optimizer.steps)])
    train: Node = made[0]
    return train


def _goes_on(optimizer: KerasOptimizer, pairs: list[tuple[Any, Any]]) -> bool:
    """Whether the update is that of other turns: it starts no slot, and depends on its gradients alone."""
    begun = all(variable in optimizer.slots for gradient, variable in pairs if gradient is not None)
    return begun and _is_steady(optimizer, pairs)


def _place(gradient: Any) -> Any:
    return (gradient.node, gradient.index) if isinstance(gradient, Tensor) else None


def _is_steady(optimizer: KerasOptimizer, pairs: list[tuple[Any, Any]]) -> bool:
    """Whether an update depends on its gradients alone: the rate is a number, and the gradients are new."""
    if optimizer.steps is not None:
        return False
    settings = [getattr(optimizer.rule, field.name) for field in fields(optimizer.rule)]  # type: ignore[arg-type]  # every rule is a dataclass
    numbers = all(value is None or isinstance(value, (bool, int, float, str)) for value in settings)
    return numbers and all(
        gradient is None or (isinstance(gradient, EagerTensor) and now(gradient) is gradient)
        for gradient, _ in pairs
    )


def _clipped(pairs: list[tuple[Any, Any]], way: str, bound: float) -> list[tuple[Any, Any]]:
    """The pairs with their gradients clipped; a gradient that is None stays None."""
    found = [gradient for gradient, _ in pairs]
    if way == "global_clipnorm":
        clipped = [_whole(g) for g in ops.clip_by_global_norm(found, bound)[0]]
    elif way == "clipnorm":
        clipped = [g if g is None else ops.clip_by_norm(g, bound) for g in found]
    else:
        clipped = [g if g is None else ops.clip_by_value(g, -bound, bound) for g in found]
    return [(gradient, variable) for gradient, (_, variable) in zip(clipped, pairs, strict=True)]


def _whole(gradient: Any) -> Any:
    """A gradient of rows with the gradients of each row added up, as Keras has it behind a global norm."""
    return gradient.densify() if isinstance(gradient, IndexedSlices) else gradient


def _pair(item: Any) -> tuple[Any, Any]:
    pair = tuple(item) if isinstance(item, (list, tuple, Lazy)) else ()
    if len(pair) != 2 or not isinstance(pair[1], Variable):
        raise ProgramError(
            "apply_gradients takes pairs of a gradient and its variable.",
            message_zh="apply_gradients 需要由（梯度，变量）组成的对。",
            hint="Write optimizer.apply_gradients(zip(gradients, variables)).",
            hint_zh="请写 optimizer.apply_gradients(zip(gradients, variables))。",
            code="wrong_arguments",
        )
    return pair[0], pair[1]


@OPTIMIZER.method("apply")
def apply(interpreter: Interpreter, optimizer: KerasOptimizer, grads: Any, trainable_variables: Any) -> None:
    """Update every variable by its gradient, the two given as lists."""
    gradients, variables = list(iterate(grads)), list(iterate(trainable_variables))
    if len(gradients) != len(variables):
        raise ProgramError(
            f"There are {len(gradients)} gradients for {len(variables)} variables.",
            message_zh=f"有 {len(variables)} 个变量，却给了 {len(gradients)} 个梯度。",
            hint="Give the gradients of the same variables, in their order.",
            hint_zh="请按顺序给出这些变量的梯度。",
            code="wrong_arguments",
        )
    _update(interpreter, optimizer, [_pair(pair) for pair in zip(gradients, variables, strict=True)])


@OPTIMIZER.method("minimize")
def minimize(
    interpreter: Interpreter,
    optimizer: KerasOptimizer,
    loss: Any,
    var_list: Any,
    tape: Any = None,
    grad_loss: Any = None,
    name: Any = None,
) -> None:
    """Compute the loss on a tape of its own, then its gradients, then the update (as Keras 2 had it)."""
    interpreter.note(
        "old_minimize",
        "`minimize(loss, var_list)` is Keras 2's; Keras 3 has apply_gradients only.",
        "`minimize(loss, var_list)` 是 Keras 2 的写法；Keras 3 只有 apply_gradients。",
    )

    def variables() -> Any:
        listed = interpreter.call(var_list, [], {}) if isinstance(var_list, Native) else var_list
        return flat(list(listed) if isinstance(listed, (tuple, set)) else listed)

    take_step(interpreter, optimizer, loss, variables, tape, grad_loss)


def take_step(
    interpreter: Interpreter,
    optimizer: KerasOptimizer,
    loss: Any,
    variables: Callable[[], Sequence[Any]],
    tape: Any = None,
    grad_loss: Any = None,
    *,
    is_fitting: bool = False,
) -> None:
    """The loss on a tape, its gradients by the variables (asked for when the loss is there), the update.

    is_fitting: whether a model without variables to train is noted only.
    """
    recorded, value = _recorded(interpreter, loss, tape)
    xs = variables()
    if is_fitting and not xs:
        interpreter.note(
            "nothing_to_train",
            "The model does not have any trainable weights, so no step changes it.",
            "模型没有可训练的权重，因此训练不会改变它。",
        )
        return
    upstream = None if grad_loss is None else [convert_to_tensor(grad_loss)]

    def make() -> tuple[Any, GradientCall]:
        recorded.tape.use()
        found = swept(recorded, [value], xs, upstream)
        return found, remember(interpreter, recorded, [value], xs, found, is_loss=True)

    found = asked_in_turn(interpreter, recorded, ([value], list(xs), upstream), make)
    _update(interpreter, optimizer, list(zip(found, xs, strict=True)))


def _recorded(interpreter: Interpreter, loss: Any, tape: ProgramTape | None) -> tuple[ProgramTape, Any]:
    """The tape and the loss: computed by calling it on a tape of its own, or given with its tape."""
    if tape is not None:
        return tape, loss
    graph: Any = current_graph()
    own = ProgramTape(Tape(), graph, graph.place, interpreter.place)
    with _open(own):
        return own, interpreter.call(loss, [], {})


def _open(tape: ProgramTape) -> AbstractContextManager[Any]:
    return tape.graph.recording(tape.tape, tape.place)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found: dict[str, Any] = {}
    for name in keras.__all__:
        maker = Native(f"tf.keras.optimizers.{name}", optimizer_maker(getattr(keras, name)))
        for home in ("keras.optimizers", "optimizers", "keras.optimizers.legacy"):
            found[f"{home}.{name}"] = maker
    return found
