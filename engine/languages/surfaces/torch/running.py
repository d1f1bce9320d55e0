"""A PyTorch program's run: its state, and its turns shown as runs of one session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from engine.execution import Session
from engine.execution.eager.repeating_graph import now
from engine.languages.surfaces.tf1.program_session import ProgramSession
from engine.languages.surfaces.torch.autograd.calls import with_last_values
from engine.languages.surfaces.torch.state import State, running
from engine.languages.workspace import Workspace


@contextmanager
def torch_run(workspace: Workspace) -> Iterator[State]:
    """Run a program inside: every pass backward with what led to it is a run of one session."""
    graph: Any = workspace.graph
    session = ProgramSession(Session(graph))
    workspace.sessions.append(session)
    graph.observe = session.keep
    graph.begin()
    with running(State(graph, workspace=workspace)) as state:
        try:
            yield state
        finally:
            graph.finish()
            workspace.gradient_calls = [with_last_values(call, now) for call in workspace.gradient_calls]
            last = {call.train_op: call for call in workspace.updates}
            workspace.updates = [
                replace(call, pairs=tuple((now(g), variable) for g, variable in call.pairs))
                for call in last.values()
            ]
            if not graph.passes:
                workspace.sessions.remove(session)
