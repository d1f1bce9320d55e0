"""How functions run: whether they are traced at all, and what is computed outside of a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, Block
from engine.languages.surfaces.tf2.functions.traced import outside

IGNORED = (
    *("threading", "optimizer", "set_visible_devices", "set_logical_device_configuration"),
    *("get_logical_device_configuration", "LogicalDeviceConfiguration", "LogicalDevice", "PhysicalDevice"),
    *("get_soft_device_placement", "set_soft_device_placement", "experimental_connect_to_cluster"),
    *("experimental_connect_to_host", "experimental_functions_run_eagerly"),
)


def run_functions_eagerly(interpreter: Interpreter, run_eagerly: Any) -> None:
    """Whether functions run line by line like any other, for looking into them."""
    interpreter.workspace.runs_functions_eagerly = bool(run_eagerly)


def functions_run_eagerly(interpreter: Interpreter) -> bool:
    """Whether they do."""
    return bool(interpreter.workspace.runs_functions_eagerly)


def init_scope(interpreter: Interpreter) -> Block:
    """What is computed in the block has its value at once, also while a function is traced."""
    return Block(lambda: untraced(interpreter))


@contextmanager
def untraced(interpreter: Interpreter) -> Iterator[None]:
    """The program runs as it does outside of a trace."""
    outer, interpreter.staging = interpreter.staging, None
    try:
        with outside():
            yield
    finally:
        interpreter.staging = outer


def set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Shapes that change from turn to turn; a trace reads them from the text of the loop.

    Raises: ProgramError for a bound on the turns, which the loop itself can say.
    """
    if maximum_iterations is not None:
        raise ProgramError(
            "`maximum_iterations` of set_loop_options is not supported.",
            message_zh="不支持 set_loop_options 的 `maximum_iterations`。",
            hint="Count the turns in the loop, and write `break`.",
            hint_zh="请在循环中计数，并使用 `break`。",
            code="unknown_argument",
        )


class SettingsSession:
    """`tf.compat.v1.Session(config=…)` in a program of TensorFlow 2: it sets up a processor, no more."""


SESSION = members_of(SettingsSession, "Session")
TYPE_NAMES[SettingsSession] = lambda session: "Session"
SESSION.method("close")(lambda session: None)
CONTEXTS[SettingsSession] = lambda interpreter, session: nullcontext(session)


def session_of_settings(target: Any = "", graph: Any = None, config: Any = None) -> SettingsSession:
    """A session that was made for its settings."""
    return SettingsSession()


@SESSION.method("run")
def run(session: SettingsSession, fetches: Any, feed_dict: Any = None) -> Any:
    """Raises: ProgramError, as TensorFlow 2 does: its values are no nodes of the session's graph."""
    raise ProgramError(
        "A session runs nothing here: in TensorFlow 2 values are there at once.",
        message_zh="这里的会话不运行任何东西：TensorFlow 2 的数值立即可得。",
        hint="Print the tensor itself.",
        hint_zh="请直接打印张量。",
        code="wrong_arguments",
        kind="RuntimeError",
        said="The Session graph is empty. Add operations to the graph before calling run().",
    )


MEMBERS: dict[str, Callable[..., Any]] = {
    "config.run_functions_eagerly": run_functions_eagerly,
    "config.experimental_run_functions_eagerly": run_functions_eagerly,
    "config.functions_run_eagerly": functions_run_eagerly,
    "init_scope": init_scope,
    "autograph.experimental.set_loop_options": set_loop_options,
}
