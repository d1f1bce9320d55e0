"""`tf.GradientTape`: what it records, what it answers, and why an answer is None."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from engine.differentiation.jacobian import batch_jacobian, jacobian
from engine.differentiation.tape import Missing, Tape, flat, shaped_like
from engine.errors import ProgramError, Span, ValueRefused
from engine.execution import Session
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.repeating_graph import now
from engine.graph import Variable
from engine.languages.interpreter.arguments import BY_NAME, Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.argument_kinds import TENSOR, TENSORS
from engine.languages.surfaces.tf1.program_session import ProgramSession
from engine.languages.workspace import GradientCall, Workspace
from engine.ops.base.building import convert_to_tensor, current_graph

GRADIENT = "gradient"  # the call, as turns are recorded
REASONS: dict[Missing, tuple[str, str]] = {
    Missing.NOT_WATCHED: (
        "The tape did not watch x: only trainable variables are watched by themselves. None is not 0.",
        "GradientTape 没有监视 x：只有可训练变量会被自动监视。None 不等于 0。",
    ),
    Missing.NOT_RECORDED: (
        "The tape did not record how y was computed. None is not 0.",
        "GradientTape 没有记录 y 的计算过程。None 不等于 0。",
    ),
    Missing.NOT_CONNECTED: (
        "Nothing that the tape recorded leads from x to y. None is not 0.",
        "GradientTape 的记录中没有从 x 通向 y 的路径。None 不等于 0。",
    ),
    Missing.INTEGER: (
        "Only floats have gradients, and one of the two is no float. None is not 0.",
        "只有浮点数才有梯度，而这里有一方不是浮点数。None 不等于 0。",
    ),
}
HINTS: dict[Missing, tuple[str, str]] = {
    Missing.NOT_WATCHED: (
        "Call tape.watch(x) inside the block before x is used, or make it a tf.Variable.",
        "请在 tape 代码块中、使用 x 之前调用 tape.watch(x)，或把它写成 tf.Variable。",
    ),
    Missing.NOT_RECORDED: (
        "Compute y inside the `with` block of the tape.",
        "请在 tape 的 with 代码块内计算 y。",
    ),
    Missing.NOT_CONNECTED: (
        "Compute y from x with TensorFlow's functions, inside the tape.",
        "请在 tape 内用 TensorFlow 的函数由 x 计算 y。",
    ),
    Missing.INTEGER: (
        "Write a decimal point, or tf.cast(…, tf.float32).",
        "请写上小数点，或用 tf.cast(…, tf.float32)。",
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class ProgramTape:
    """A tape of the program, and where it was made."""

    tape: Tape
    graph: EagerGraph
    place: int
    span: Span | None


TAPE = members_of(ProgramTape, "GradientTape")


def gradient_tape(
    interpreter: Interpreter, persistent: Any = False, watch_accessed_variables: Any = True
) -> ProgramTape:
    """A tape that records what runs in its block."""
    graph: Any = current_graph()
    tape = Tape(persistent=bool(persistent), watch_accessed_variables=bool(watch_accessed_variables))
    return ProgramTape(tape, graph, graph.place, interpreter.place)


def stand_at(interpreter: Interpreter, tape: ProgramTape) -> None:
    """The run that is under way has the place of this tape."""
    for session in interpreter.workspace.sessions[:1]:
        session.place = tape.span


class OpenTape:
    """The block of a tape. (A class: every turn of a loop has one.)"""

    __slots__ = ("_interpreter", "_tape")

    def __init__(self, interpreter: Interpreter, tape: ProgramTape) -> None:
        self._interpreter = interpreter
        self._tape = tape

    def __enter__(self) -> ProgramTape:
        stand_at(self._interpreter, self._tape)
        self._tape.graph.start(self._tape.tape, self._tape.place)
        return self._tape

    def __exit__(self, *_: object) -> None:
        self._tape.graph.stop(self._tape.tape)


CONTEXTS[ProgramTape] = OpenTape


@TAPE.method("watch")
def watch(tape: ProgramTape, tensor: Any) -> None:
    """Follow what is computed from a tensor that is no trainable variable."""
    turn = tape.graph.turn
    for item in flat(tensor):
        if turn is None:
            tape.tape.watch(item)
        else:
            turn.watch(tape.tape, item)


@TAPE.method("watched_variables")
def watched_variables(tape: ProgramTape) -> tuple[Variable, ...]:
    """The variables that the tape follows."""
    return tuple(tape.tape.variables)


@TAPE.method("reset")
def reset(tape: ProgramTape) -> None:
    """Forget everything."""
    tape.tape.reset()


@TAPE.method("stop_recording")
def stop_recording(tape: ProgramTape) -> Block:
    """What runs inside this block is not recorded."""
    return Block(lambda: _paused(tape))


def _paused(tape: ProgramTape) -> AbstractContextManager[None]:
    return tape.graph.not_recording(tape.tape)


# -- turns -------------------------------------------------------------------------------------------


@contextmanager
def recorded_turns(workspace: Workspace) -> Iterator[None]:
    """Show every turn of a program as a run of one session; the gradient calls end with the last values."""
    graph: Any = workspace.graph
    session = ProgramSession(Session(graph))
    workspace.sessions.append(session)
    graph.observe = session.keep
    try:
        yield
    finally:
        graph.finish()
        workspace.gradient_calls = [_with_last_values(call) for call in workspace.gradient_calls]
        last = {call.train_op: call for call in workspace.updates}
        workspace.updates = [
            replace(call, pairs=tuple((now(g), variable) for g, variable in call.pairs))
            for call in last.values()
        ]
        if not session.runs:
            workspace.sessions.remove(session)


def _with_last_values(call: GradientCall) -> GradientCall:
    return replace(
        call,
        ys=tuple(map(now, call.ys)),
        xs=tuple(map(now, call.xs)),
        gradients=tuple(map(now, call.gradients)),
    )


# -- answers -----------------------------------------------------------------------------------------


BY_NAME["tape"] = Argument(
    "a tape",
    "梯度带",
    lambda value: isinstance(value, ProgramTape),
    "Make it with tf.GradientTape().",
    "请用 tf.GradientTape() 创建。",
)


@TAPE.method("gradient", target=TENSORS, sources=TENSORS)
def gradient(
    interpreter: Interpreter,
    tape: ProgramTape,
    target: Any,
    sources: Any,
    output_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> Any:
    """d(sum of targets)/dx for each x, in the form of the sources."""

    def make() -> tuple[Any, GradientCall]:
        return _gradient(interpreter, tape, target, sources, output_gradients, unconnected_gradients)

    return asked_in_turn(interpreter, tape, (target, sources, output_gradients, unconnected_gradients), make)


def asked_in_turn(
    interpreter: Interpreter,
    tape: ProgramTape,
    asked: tuple[Any, ...],
    make: Callable[[], tuple[Any, GradientCall]],
) -> Any:
    """Gradients, and the call kept for the answer; in a turn like those before only computed.

    asked: the targets, the sources, and all else that decides what `make` does.
    """
    turn = tape.graph.turn
    if turn is None or any(isinstance(y, Variable) for y in flat(asked[0])):
        return make()[0]
    kept: list[GradientCall] = []

    def first() -> Any:
        found, call = make()
        kept.append(call)
        return found

    def again(found: Any, own: Tape, targets: Any, *_: Any) -> None:
        own.use()
        once = kept[0]
        ys, gradients = tuple(flat(targets)), tuple(flat(found))
        call = GradientCall(ys, once.xs, gradients, once.is_loss, once.reasons)
        _keep_again(interpreter, kept, call)

    return turn.call(GRADIENT, (tape.tape, *asked), first, again)


def _gradient(
    interpreter: Interpreter,
    tape: ProgramTape,
    target: Any,
    sources: Any,
    output_gradients: Any,
    unconnected_gradients: Any,
) -> tuple[Any, GradientCall]:
    targets, xs = _asked(interpreter, tape, target, sources)
    given = None if output_gradients is None else [convert_to_tensor(one) for one in flat(output_gradients)]
    if given is not None and len(given) != len(targets):
        raise ValueRefused(
            f"There are {len(given)} output_gradients for {len(targets)} targets.",
            hint="Give one for each target.",
            message_zh=f"有 {len(targets)} 个目标，却给了 {len(given)} 个 output_gradients。",
            hint_zh="请为每个目标给出一个。",
        )
    zeros = unconnected_gradients == "zero"
    found = swept(tape, targets, xs, given, zeros=zeros)
    call = remember(interpreter, tape, targets, xs, found)
    return shaped_like(sources, iter(found)), call


def swept(
    tape: ProgramTape, targets: Sequence[Any], xs: Sequence[Any], given: Any = None, *, zeros: bool = False
) -> list[Any]:
    """The gradients; in a later turn of a loop the nodes of the first turn run again."""

    def make() -> list[Any]:
        return tape.tape.gradient(targets, xs, given, zeros=zeros)

    tape.graph.materialize()
    if not tape.tape.is_current:
        return make()
    asked = tuple((one.node.index, getattr(one, "index", 0)) for one in (*targets, *xs, *(given or ())))
    return tape.graph.repeated((tuple(tape.tape.entries), asked, zeros), make)


@TAPE.method("jacobian", target=TENSOR, sources=TENSORS)
def jacobian_of(
    interpreter: Interpreter,
    tape: ProgramTape,
    target: Any,
    sources: Any,
    unconnected_gradients: Any = "none",
    parallel_iterations: Any = None,
    experimental_use_pfor: Any = True,
) -> Any:
    """The derivative of every element of the target with respect to every element of each source."""
    (y,), xs = _asked(interpreter, tape, target, sources)
    found = jacobian(tape.tape, convert_to_tensor(y), xs, zeros=unconnected_gradients == "zero")
    remember(interpreter, tape, [y], xs, found)
    return shaped_like(sources, iter(found))


@TAPE.method("batch_jacobian", target=TENSOR, source=TENSOR)
def batch_jacobian_of(
    interpreter: Interpreter,
    tape: ProgramTape,
    target: Any,
    source: Any,
    unconnected_gradients: Any = "none",
    parallel_iterations: Any = None,
    experimental_use_pfor: Any = True,
) -> Any:
    """For each example of a batch, the derivative of its outputs with respect to its own inputs."""
    (y,), (x,) = _asked(interpreter, tape, target, source)
    found = batch_jacobian(tape.tape, convert_to_tensor(y), x)
    remember(interpreter, tape, [y], [x], [found])
    return found


def _asked(
    interpreter: Interpreter, tape: ProgramTape, target: Any, sources: Any
) -> tuple[list[Any], list[Any]]:
    """Targets and sources as flat lists; a tape that is asked inside its own block says what that means."""
    targets, xs = flat(target), flat(sources)
    for value in (*targets, *xs):
        if value is None:
            raise _none_given()
    if tape.tape in tape.graph.tapes:
        if tape.tape.persistent:
            _note_inside(interpreter)
        else:
            tape.graph.stop(tape.tape)
    tape.tape.use()
    with tape.graph.also_recording(tape.tape):
        targets = [y.as_tensor() if isinstance(y, Variable) else y for y in targets]
    return targets, xs


def _note_inside(interpreter: Interpreter) -> None:
    interpreter.note(
        "gradient_inside_tape",
        "gradient() is called inside the block of a persistent tape, so the tape records the nodes of the "
        "gradient, too. TensorFlow warns about it: it costs time and memory.",
        "在持久 tape 的代码块内部调用了 gradient()，因此求梯度的节点也会被记录。"
        "TensorFlow 会为此发出警告：这会占用更多时间和内存。",
        "Ask after the block, unless you want the gradient of a gradient.",
        "除非需要高阶导数，否则请在代码块之后再求梯度。",
    )


def remember(
    interpreter: Interpreter,
    tape: ProgramTape,
    targets: Sequence[Any],
    xs: Sequence[Any],
    found: Sequence[Any],
    *,
    is_loss: bool = False,
) -> GradientCall:
    """Keep a gradient call for the answer, and note why one is None."""
    missing = [
        tape.tape.why_missing(targets, x) if g is None else None for x, g in zip(xs, found, strict=True)
    ]
    reasons = tuple(None if reason is None else REASONS[reason] for reason in missing)
    ys = tuple(target.as_tensor() for target in targets)
    call = GradientCall(ys, tuple(xs), tuple(found), is_loss, reasons)
    _keep_call(interpreter, call)
    for reason in missing:
        if reason is not None:
            interpreter.note(f"gradient_{reason.value}", *REASONS[reason], *HINTS[reason])
    return call


def _keep_call(interpreter: Interpreter, call: GradientCall) -> None:
    """Keep a gradient call for the answer, once for all turns of a loop."""
    calls = interpreter.workspace.gradient_calls
    same = [index for index, other in enumerate(calls[-20:]) if _nodes(other) == _nodes(call)]
    if same:
        del calls[max(len(calls) - 20, 0) + same[0]]
    calls.append(call)


def _keep_again(interpreter: Interpreter, kept: list[GradientCall], call: GradientCall) -> None:
    """The same of a call in a later turn. kept: the call as it was first, and as it was last."""
    calls, last = interpreter.workspace.gradient_calls, kept[-1]
    kept[1:] = [call]
    if calls and calls[-1] is last:
        calls[-1] = call
        return
    recent = [index for index in range(max(len(calls) - 20, 0), len(calls)) if calls[index] is last]
    if recent:
        del calls[recent[0]]
        calls.append(call)
    else:
        _keep_call(interpreter, kept[0])
        calls[-1] = call


def _nodes(call: GradientCall) -> Any:
    found = [None if g is None else getattr(g, "node", None) for g in call.gradients]
    return [y.node for y in call.ys], [x.node for x in call.xs], found


def _none_given() -> ProgramError:
    return ProgramError(
        "A gradient was asked of None.",
        hint="An earlier gradient is None: nothing recorded joins its x to its y.",
        message_zh="对 None 求了梯度。",
        hint_zh="前面的某个梯度为 None：记录中没有从 x 通向 y 的路径。",
        code="gradient_of_none",
    )


__all__ = ["ProgramTape", "gradient_tape", "recorded_turns", "remember", "swept"]
