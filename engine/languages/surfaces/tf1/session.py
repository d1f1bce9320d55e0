"""TensorFlow 1's sessions: runs, feeds, and the record of what each run did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.execution import Run, Session
from engine.graph import Graph, Node, Tensor, Variable
from engine.languages.interpreter.arguments import BY_NAME, Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import like
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, Block, Ignored
from engine.languages.surfaces.tensors import OPERATION, TENSOR, VARIABLE
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.program_session import ProgramSession
from engine.languages.workspace import Workspace
from engine.ops.base.building import current_graph
from engine.ops.control_flow.filing import SUMMARIES


class SummaryBytes:
    """What `sess.run` gives for a summary: something for a FileWriter alone."""


SHOWN[SummaryBytes] = (lambda value: "<bytes of a summary>",) * 2
TYPE_NAMES[SummaryBytes] = lambda value: "summary"

SINGLE = frozenset({Tensor, Node, Variable})  # fetches that are one each

SESSION = members_of(ProgramSession, "Session")
SHOWN[ProgramSession] = (lambda session: "<tf.Session>", lambda session: "<tf.Session>")
BY_NAME.update(
    dict.fromkeys(
        ("session", "sess"),
        Argument(
            "a session",
            "会话",
            lambda value: isinstance(value, ProgramSession),
            "Make it with tf.Session().",
            "请用 tf.Session() 创建。",
        ),
    )
)
SESSION.fact("graph")(lambda session: session.session.graph)


@TF.function("Session")
def session(
    interpreter: Interpreter, target: Any = "", graph: Any = None, config: Any = None
) -> ProgramSession:
    """A session on a graph, its variables still without values."""
    return open_session(interpreter, graph)


@TF.function("InteractiveSession")
def interactive_session(
    interpreter: Interpreter, target: Any = "", graph: Any = None, config: Any = None
) -> ProgramSession:
    """A session that is the default one from now on."""
    opened = open_session(interpreter, graph)
    interpreter.workspace.default_sessions.append(opened)
    return opened


@TF.function("get_default_session")
def get_default_session(interpreter: Interpreter) -> ProgramSession | None:
    """The session of the innermost `with`, or None."""
    opened = interpreter.workspace.default_sessions
    return opened[-1] if opened else None


@TF.function("executing_eagerly")
def executing_eagerly() -> bool:
    """False: a graph is built first and run later."""
    return False


TF.value(Ignored("tf.ConfigProto"), "ConfigProto", "GPUOptions")


def open_session(interpreter: Interpreter, graph: Graph | None = None) -> ProgramSession:
    """A session whose runs are recorded and metered, and print where the program does."""
    workspace = interpreter.workspace
    made = ProgramSession(Session(graph or current_graph(), meter=workspace.budget, seed=workspace.seed))  # type: ignore[arg-type]  # a Graph

    def observe(run: Run) -> None:
        workspace.note_values(run)
        made.keep(run)
        workspace.budget.run(run.count)

    made.session = Session(
        made.session.graph,
        meter=workspace.budget,
        observe=observe,
        seed=workspace.seed,
        show=interpreter.print,
    )
    workspace.sessions.append(made)
    return made


@SESSION.method("run")
def run(
    interpreter: Interpreter,
    session: ProgramSession,
    fetches: Any,
    feed_dict: Any = None,
    options: Any = None,
    run_metadata: Any = None,
) -> Any:
    """Compute the fetches; nested lists, tuples and dicts come back in the same form."""
    if session.closed:
        raise ProgramError(
            "This session is closed.",
            message_zh="这个会话已经关闭。",
            hint="Move the call inside the `with tf.Session()` block.",
            hint_zh="请把调用移到 `with tf.Session()` 代码块里。",
            code="closed_session",
            said="Attempted to use a closed Session.",
        )
    if feed_dict is not None and not isinstance(feed_dict, dict):
        raise _bad_feed_dict()
    interpreter.budget.step()
    session.place = interpreter.place
    feeds = feed_dict or {}
    if interpreter.workspace.feeds:
        graph = session.session.graph
        feeds = {**request_feeds(interpreter.workspace, interpreter.program.names, graph), **feeds}
    if type(fetches) is Node:  # a step of a training loop
        session.session.do(fetches, feeds)
        return None
    is_row = type(fetches) is list and SINGLE.issuperset(map(type, fetches))
    wanted = [item for item in (fetches if is_row else _flat(fetches)) if not _is_for_files(item)]
    results = session.session.run(wanted, feeds)
    found = [
        value if _is_scalar(value) and session.session.is_fed(item, feeds) else unpacked(value)
        for item, value in zip(wanted, results, strict=True)
    ]
    return found if is_row and len(found) == len(fetches) else _in_form(fetches, iter(found))


def _flat(fetches: Any) -> Iterator[Any]:
    """The fetches one by one."""
    if isinstance(fetches, (list, tuple, dict)):
        for item in fetches.values() if isinstance(fetches, dict) else fetches:
            yield from _flat(item)
    else:
        yield fetches


def _in_form(fetches: Any, found: Iterator[Any]) -> Any:
    """The results in the form of the fetches, None for operations and for no-ops."""
    if isinstance(fetches, (list, tuple)):
        return like(fetches, [_in_form(item, found) for item in fetches])
    if isinstance(fetches, dict):
        return {key: _in_form(item, found) for key, item in fetches.items()}
    if isinstance(fetches, Tensor) and fetches.node.op.name in SUMMARIES:
        return SummaryBytes()
    return None if isinstance(fetches, Ignored) else next(found)


def _is_for_files(fetch: Any) -> bool:
    """Whether it is a no-op, or a summary, which no run computes."""
    return isinstance(fetch, Ignored) or (isinstance(fetch, Tensor) and fetch.node.op.name in SUMMARIES)


def request_feeds(workspace: Workspace, names: Mapping[str, Any], graph: Graph) -> dict[Any, Any]:
    """The request's feeds for the placeholders of a graph, by Python, node or tensor name."""
    found: dict[Any, Any] = {}
    for key, value in workspace.feeds.items():
        tensor: Any = names.get(key)
        if tensor is None and key.partition(":")[0] in graph:
            tensor = graph.tensor(key)
        if hasattr(tensor, "as_tensor") and tensor.graph is graph:
            found[tensor.as_tensor()] = value
    return found


def unknown_feeds(workspace: Workspace, names: Mapping[str, Any], graph: Graph) -> list[str]:
    """The request's feeds that name no tensor of the program."""
    return [
        key
        for key in workspace.feeds
        if not hasattr(names.get(key), "as_tensor") and key.partition(":")[0] not in graph
    ]


def usual_feeds(workspace: Workspace, names: Mapping[str, Any], graph: Graph) -> dict[Any, Any]:
    """The request's feeds, and for what it leaves out the ones of the program's own last runs."""
    found: dict[Any, Any] = {}
    for session in workspace.sessions:
        if session.session.graph is graph:
            found.update(session.last_feeds)
    return {**found, **request_feeds(workspace, names, graph)}


def unpacked(value: Any) -> Any:
    """A number of its own for an array without axes, as TensorFlow returns what it computed."""
    if isinstance(value, np.ndarray):
        return value[()] if value.ndim == 0 else np.array(value)
    return value


def _is_scalar(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 0


@SESSION.method("close")
def close(session: ProgramSession) -> None:
    """No more runs."""
    session.closed = True


@SESSION.method("as_default")
def as_default(interpreter: Interpreter, session: ProgramSession) -> Block:
    """The default session inside the block; it stays open after it."""
    return Block(lambda: _entered(interpreter, session, closes=False))


@contextmanager
def _entered(interpreter: Interpreter, session: ProgramSession, closes: bool) -> Iterator[ProgramSession]:
    opened = interpreter.workspace.default_sessions
    opened.append(session)
    try:
        with session.session.graph.as_default():
            yield session
    finally:
        opened.remove(session)
        session.closed = session.closed or closes


CONTEXTS[ProgramSession] = lambda interpreter, session: _entered(interpreter, session, closes=True)


def _evaluate(interpreter: Interpreter, value: Any, feed_dict: Any = None, session: Any = None) -> Any:
    """The value in the default session."""
    return run(interpreter, session or _default(interpreter), value, feed_dict)


def _initialised(interpreter: Interpreter, value: Any, session: Any = None) -> Any:
    """The variable's value in the default session."""
    return run(interpreter, session or _default(interpreter), value)


TENSOR.method("eval")(_evaluate)
VARIABLE.method("eval")(_initialised)


@OPERATION.method("run")
def run_operation(interpreter: Interpreter, node: Node, feed_dict: Any = None, session: Any = None) -> None:
    """Run the operation in the default session."""
    run(interpreter, session or _default(interpreter), node, feed_dict)


def _default(interpreter: Interpreter) -> ProgramSession:
    opened: list[ProgramSession] = interpreter.workspace.default_sessions
    if opened:
        return opened[-1]
    raise ProgramError(
        "There is no default session to evaluate in.",
        message_zh="没有默认会话可用于求值。",
        hint="Do it inside `with tf.Session() as sess:`, or write sess.run(…).",
        hint_zh="请写在 `with tf.Session() as sess:` 里面，或用 sess.run(…)。",
        code="no_default_session",
        kind="ValueError",
        said="Cannot evaluate tensor using `eval()`: No default session is registered. Use `with "
        "sess.as_default()` or pass an explicit session to `eval(session=sess)`",
    )


def _bad_feed_dict() -> ProgramError:
    return ProgramError(
        "feed_dict must be a dict of placeholders and their values.",
        message_zh="feed_dict 必须是由占位符及其值组成的字典。",
        hint="Write feed_dict={x: 3.0}.",
        hint_zh="请写 feed_dict={x: 3.0}。",
        code="bad_feed",
    )
