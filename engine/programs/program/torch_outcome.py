"""The end of a PyTorch program's run, while its state is still there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from engine.errors import GradlensError
from engine.languages.surfaces.torch.autograd.history import more_passes
from engine.languages.surfaces.torch.first_values import notes_on_given_values
from engine.languages.surfaces.torch.result import add_gradients, autograd_graphs, passes_of, plain_values
from engine.programs.program.outcome import Outcome


def finish_torch(outcome: Outcome) -> None:
    """Differentiate where the program did not, keep its autograd graphs, and its tensors as plain values."""
    names = outcome.names
    outcome.diagnostics += notes_on_given_values()
    try:
        add_gradients(names)
        outcome.workspace.autograd = autograd_graphs(names)
        outcome.workspace.passes = passes_of(names)
        outcome.workspace.more_passes = more_passes()
    except GradlensError:  # a budget that the program itself has used up
        pass
    outcome.names = dict(_as_plain_values(names.items()))
    outcome.result = dict(_as_plain_values([("", outcome.result)])).get("")


def _as_plain_values(named: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Names with plain values; once a budget is used up, those whose values are there already."""
    for name, value in named:
        with suppress(GradlensError):
            yield name, plain_values(value)
