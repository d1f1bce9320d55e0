"""A loop whose turns are of several kinds, as sentences of four words and of five: each kind is replayed."""

from __future__ import annotations

import json

import pytest

from tests.engine.execution.eager.test_repeated_passes import answer
from tests.engine.execution.eager.test_replayed_turns import NEVER, sections

KINDS = sections("""\
## sentences of two lengths, one after the other
embedding, rnn, out = nn.Embedding(9, 2), nn.RNN(2, 3), nn.Linear(3, 2)
optimizer = torch.optim.SGD([*embedding.parameters(), *rnn.parameters(), *out.parameters()], lr=0.1)
sentences = [([0, 1, 2], [0, 1, 0]), ([3, 4], [1, 1])]
for epoch in range(N):
    for words, tags in sentences:
        optimizer.zero_grad()
        y, _ = rnn(embedding(torch.tensor(words)).unsqueeze(1))
        loss = nn.functional.cross_entropy(out(y[:, 0]), torch.tensor(tags))
        loss.backward()
        optimizer.step()
print(loss)

## a last batch that is smaller
model = nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), batch_size=4)
for epoch in range(N):
    for x, y in loader:
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
print(loss, model.weight)
""")
IRREGULAR = sections("""\
## kinds in no order
w = torch.ones(3, 1, requires_grad=True)
for i in range(3 * N):
    rows = 2 + (i * i * 7 + i // 5) % 5
    loss = ((X[:rows] @ w - Y[:rows]) ** 2).mean()
    if i % 17 == 3:
        loss = loss + w.abs().sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w, loss)
""")
PROGRAMS = {**KINDS, **IRREGULAR}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_replayed_turns_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, found = (answer(monkeypatch, PROGRAMS[name], turns)[0] for turns in (NEVER, 2))
    assert expected["status"] == "ok", expected["diagnostics"]
    assert json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize("name", KINDS)
def test_turns_of_each_kind_are_replayed_to_their_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = answer(monkeypatch, PROGRAMS[name], 2)[1]
    assert len(turns) > 60  # of 80
    assert len({id(turn.recorded) for turn in turns}) >= 2
    assert all(turn.position == len(turn.recorded.calls) for turn in turns)
