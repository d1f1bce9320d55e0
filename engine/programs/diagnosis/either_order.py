"""A warning where TensorFlow 1 may read a variable before or after an update in the same run."""

from __future__ import annotations

from collections.abc import Iterator

from engine.execution.interpreter.unordered import Unordered, unordered
from engine.graph import Node
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.surfaces.tf1.program_session import ProgramSession
from engine.programs.program.outcome import Outcome

MAX_PLANS = 50  # looked at of one session; a program that runs more of them repeats itself
MAX_WARNINGS = 5

IN_TURN = (
    "Turns of a loop may overlap in TensorFlow; here each begins when the one before it has ended.",
    "TensorFlow 中循环的各轮可能重叠；这里每一轮都在上一轮结束之后才开始。",
)


def either_order_warnings(outcome: Outcome) -> Iterator[Diagnostic]:
    """One warning for each variable that a run both read and wrote, or wrote twice, in no certain order."""
    warned: set[Node] = set()
    for session in outcome.workspace.sessions:
        for pair in _met(session):
            if pair.write.variable not in warned and len(warned) < MAX_WARNINGS:
                warned.add(pair.write.variable)
                yield _warning(outcome, pair)


def _met(session: ProgramSession) -> Iterator[Unordered]:
    """The pairs that came together in a run that is remembered; reads first, since they say more."""
    runs = [kept.run for kept in session.kept]
    pairs = [pair for plan in session.session.plans[:MAX_PLANS] for pair in unordered(plan)]
    for pair in sorted(pairs, key=lambda pair: pair.other.writes):
        if any(pair.met(run) for run in runs):
            yield pair


def _warning(outcome: Outcome, pair: Unordered) -> Diagnostic:
    variable = outcome.python_name(pair.write.variable.outputs[0]) or pair.write.variable.name
    write, other = _called(outcome, pair.write.node), _called(outcome, pair.other.node)
    span = pair.other.node.span or pair.write.node.span
    if pair.other.writes:
        return Diagnostic(
            "warning",
            "updates_in_either_order",
            f"{write} and {other} both write `{variable}` in one run, and nothing orders them: "
            "TensorFlow may run either first, so what is left may differ from run to run. "
            "Here they run in the order in which the program makes them.",
            f"{write} 和 {other} 在同一次运行中都写 `{variable}`，而它们之间没有先后关系："
            "TensorFlow 可能先运行任何一个，所以留下的值每次都可能不同。这里按程序创建它们的顺序运行。",
            *_remedy(pair),
            span,
        )
    return Diagnostic(
        "warning",
        "read_and_update_in_either_order",
        f"{other} reads `{variable}`, {write} writes it in the same run, and nothing orders the two: "
        "TensorFlow may run either first, so this number may differ from run to run. "
        + (
            IN_TURN[0]
            if pair.across_turns
            else f"Here it is computed with `{variable}` as it was before the update."
        ),
        f"{other} 读取 `{variable}`，而 {write} 在同一次运行中写它，两者之间没有先后关系："
        "TensorFlow 可能先运行任何一个，所以这个数每次都可能不同。"
        + (IN_TURN[1] if pair.across_turns else f"这里用的是更新之前的 `{variable}`。"),
        *_remedy(pair),
        span,
    )


def _remedy(pair: Unordered) -> tuple[str, str]:
    update = pair.write.node.name
    return (
        "Run the two in separate calls of sess.run, or build one under `with tf.control_dependencies([…]):` "
        f"of the other (the update is `{update}`).",
        "请分成两次 sess.run 运行，或者在 `with tf.control_dependencies([…]):` 中创建其中一个，让它等待另一个"
        f"（这个更新是 `{update}`）。",
    )


def _called(outcome: Outcome, node: Node) -> str:
    """What the program calls a node's result, else the node's own name; with its line where that is known."""
    names = [outcome.python_name(output) for output in node.outputs[:1]]
    return f"`{next(filter(None, names), None) or node.name}`"
