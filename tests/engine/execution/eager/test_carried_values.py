"""What one turn of a training loop leaves for the next begins there as numbers, so that turns replay."""

from __future__ import annotations

import json

import pytest

from engine.programs import ProgramRequest, run_program
from tests.engine.execution.eager.test_repeated_passes import answer
from tests.engine.execution.eager.test_replayed_turns import NEVER, sections
from tests.limits import ROOMY

LOOPS = """\
## the state of a recurrent network
rnn, out, h = nn.RNN(3, 2), nn.Linear(2, 1), None
optimizer = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=0.05)
for i in range(N):
    y, h = rnn(X.unsqueeze(1), h)
    h = h.detach()
    loss = ((out(y[:, 0]) - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss, h)

## a running mean of the loss
w, mean = torch.ones(3, 1, requires_grad=True), torch.zeros(())
optimizer = torch.optim.SGD([w], lr=0.05)
for i in range(N):
    loss = ((X @ w - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = 0.9 * mean + 0.1 * loss.detach()
print(w, mean)

## numbers of numpy, new in each turn
w = torch.ones(3, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.05)
for i in range(N):
    x = torch.from_numpy(np.sin(np.arange(i, i + 6, dtype=np.float32)).reshape(2, 3).T)
    loss = ((x.T @ w - torch.from_numpy(np.ones((2, 1), np.float32))) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w, loss)
"""
OFF_THE_PATH = """\
## a state that is changed in place, and one that is kept
w, state, kept = torch.tensor([0.5, 0.5], requires_grad=True), torch.ones(2), []
for i in range(N):
    (w * state).sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
    state = (state * w.detach() * 2).clamp(0, 3)
    kept.append(state)
    if i == 20:
        state += 1.0
    if i == 30:
        state[1] = -2.0
print(w, state, kept[0], kept[20] is kept[21], torch.stack(kept)[::7])

## memory of numpy that changes between turns
data = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
x, w = torch.from_numpy(data), torch.ones(3, requires_grad=True)
rows = x[1]
for i in range(N):
    loss = ((x @ w) ** 2).sum() + (rows * w).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
    if i % 9 == 8:
        data *= 0.5
print(w, loss, rows)

## a state through which a gradient goes two turns back
w, before = torch.tensor([0.9, 1.1], requires_grad=True), torch.ones(2)
for i in range(N):
    state = before * w
    if i % 2:
        state.sum().backward()
        with torch.no_grad():
            w -= 0.01 * w.grad
        w.grad = None
        state = state.detach()
    before = state
print(w, state)
"""
GO_ON = sections(LOOPS)
PROGRAMS = {**GO_ON, **sections(OFF_THE_PATH)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_replayed_turns_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, found = (answer(monkeypatch, PROGRAMS[name], turns)[0] for turns in (NEVER, 2))
    assert expected["status"] == "ok", expected["diagnostics"]
    assert json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize("name", GO_ON)
def test_a_turn_that_goes_on_from_the_one_before_is_replayed_to_its_end(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = answer(monkeypatch, PROGRAMS[name], 2)[1]
    assert len(turns) > 30
    assert all(turn.position == len(turn.recorded.calls) for turn in turns)


STATES = """
import torch, torch.nn as nn
import numpy as np
torch.manual_seed(0)
rnn, out = nn.GRU(2, 3), nn.Linear(3, 1)
optimizer = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=0.05)
h, mean = torch.zeros(1, 1, 3), torch.zeros(())
data = np.linspace(-1, 1, 8, dtype=np.float32).reshape(4, 1, 2)
x = torch.from_numpy(data)
for step in range(30):
    o, h = rnn(x, h)
    h = h.detach()
    loss = (out(o) - 0.5).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = 0.9 * mean + 0.1 * loss.detach()
    if step == 9:
        first = h
    if step == 14:
        data *= 0.5
    if step == 19:
        h += 1.0
    if step == 24:
        h[0, 0, 1] = -2.0
for number in (loss.item(), mean.item(), *first.flatten().tolist(), *h.flatten().tolist()):
    print(number)
"""


def test_states_means_and_shared_memory_come_out_as_in_pytorch() -> None:
    printed = run_program(ProgramRequest(STATES, dialect="torch"), ROOMY)["printed"]
    assert [float(line) for line in printed] == pytest.approx(
        [
            *(0.0009566075168550014, 0.009818113408982754),
            *(0.6074846982955933, 0.6649054884910583, -0.21740791201591492),
            *(0.7104988694190979, 0.7495785355567932, -0.0482221394777298),
        ],
        rel=1e-4,
    )
