"""A loop of PyTorch or TensorFlow 2 whose turns differ is told at its last one, as the program computed it.

The numbers of weights and losses are those of PyTorch and TensorFlow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.programs import ProgramRequest, run_and_pack, run_program, tell_lesson
from engine.programs.answers.pictures import tell_lesson_at
from engine.programs.service import follow_paths
from tests.limits import ROOMY

START = "import torch\nw = torch.tensor({first}, requires_grad=True)\n"
EXAMPLES = (
    START.format(first=1.0)
    + """\
optimizer = torch.optim.SGD([w], lr=0.1)
data = [([1.0, 2.0], [2.0, 4.0]), ([3.0, 4.0], [6.0, 8.0]), ([5.0, 1.0], [10.0, 2.0])]
for x, t in data:
    optimizer.zero_grad()
    loss = ((w * torch.tensor(x) - torch.tensor(t)) ** 2).mean()
    loss.backward()
    optimizer.step()
"""
)
NUMBERS = (
    START.format(first=0.5)
    + """\
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(10):
    optimizer.zero_grad()
    loss = (w * step - 3.0) ** 2
    loss.backward()
    optimizer.step()
"""
)
RATES = (
    START.format(first=0.5)
    + """\
optimizer = torch.optim.SGD([w], lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
for step in range(5):
    optimizer.zero_grad()
    loss = (w - 3.0) ** 2
    loss.backward()
    optimizer.step()
    schedule.step()
"""
)
BY_HAND = (
    START.format(first=0.5)
    + """\
for step in range(4):
    loss = (w - 3.0) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 / (1 + step) * w.grad
    w.grad = None
"""
)
ADDED_UP = (
    START.format(first=0.5)
    + """\
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(6):
    loss = (w - 3.0) ** 2
    loss.backward()
    if step % 2 == 1:
        optimizer.step()
        optimizer.zero_grad()
"""
)
SCALED = """\
import tensorflow as tf
w = tf.Variable(0.5)
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = (w - 3.0) ** 2 * (step + 1.0)
    gradient = tape.gradient(loss, w)
    optimizer.apply_gradients([(gradient, w)])
"""
KEPT = (
    START.format(first=3.0)
    + """\
optimizer = torch.optim.{rule}
for step in range(1, 31):
    optimizer.zero_grad()
    loss = w ** 2
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(step)
"""
)
MOMENTUM, ADAM = (KEPT.format(rule=rule) for rule in ("SGD([w], lr=0.02, momentum=0.9)", "Adam([w], lr=0.1)"))


def number(value: Any) -> float:
    """A value of an answer as a number, its only one."""
    return float(np.ravel(value["data"] if isinstance(value, dict) else value)[0])


def told(source: str, level: str, **at: float) -> dict[str, Any]:
    """The loss, the last update, and what it says."""
    steps = tell_lesson(ProgramRequest(source, at=at), ROOMY, level)["steps"]
    forward = [step for step in steps if step["phase"] == "forward" and step["output"]]
    update = [step for step in steps if step["phase"] in {"update", "process"}][-1]
    return {"loss": number(forward[-1]["output"]["value"]), "update": update}


@pytest.mark.parametrize("level", ["mathematics", "tensorflow"])
@pytest.mark.parametrize(
    ("source", "loss", "new"),
    [
        (EXAMPLES, 7.3125, 0.7999999523162842),
        (NUMBERS, 42612768.0, -11024.47265625),
        (RATES, 1.6796159744262695, 1.7688000202178955),
        (BY_HAND, 2.822399854660034, 1.4040000438690186),
        (ADDED_UP, 0.8100001811981201, 2.4600000381469727),
        (SCALED, 0.9216000437736511, 2.9040000438690186),
        (MOMENTUM, 0.2641388475894928, 0.5553603768348694),
        (ADAM, 0.22872106730937958, 0.4197772443294525),
    ],
    ids=["examples", "numbers", "rates", "by hand", "added up", "scaled", "momentum", "adam"],
)
def test_loss_and_update_are_those_of_the_last_turn(source: str, loss: float, new: float, level: str) -> None:
    found = told(source, level)
    assert found["loss"] == pytest.approx(loss, rel=1e-6)
    assert number(found["update"]["output"]["value"]) == pytest.approx(new, rel=1e-6)


def test_an_update_says_the_gradient_of_its_own_turn() -> None:
    said = told(EXAMPLES, "mathematics")["update"]["sentence"]["en"]
    assert said == "w ← 2.75 − 0.1 × 19.5 = 0.8."


@pytest.mark.parametrize("source", [EXAMPLES, NUMBERS, RATES, BY_HAND, SCALED, ADAM])
def test_a_program_that_has_run_is_told_as_one_that_runs(source: str) -> None:
    _, packed = run_and_pack(ProgramRequest(source), ROOMY)
    again = tell_lesson(ProgramRequest(source, ran=packed), ROOMY, "mathematics")
    assert again["steps"] == tell_lesson(ProgramRequest(source), ROOMY, "mathematics")["steps"]


def test_it_says_that_the_last_turn_is_told() -> None:
    first = tell_lesson(ProgramRequest(RATES), ROOMY, "mathematics")["steps"][0]
    assert first["sentence"]["en"] == "The last turn begins with w = 1.704."


@pytest.mark.parametrize(("source", "slope"), [(EXAMPLES, 19.5), (RATES, -2.592)], ids=["examples", "rates"])
def test_paths_and_what_jax_would_do_are_of_the_same_turn(source: str, slope: float) -> None:
    request = ProgramRequest(source)
    assert number(follow_paths(request, ROOMY, "w")["gradient"]) == pytest.approx(slope, rel=1e-6)
    last = tell_lesson_at(request, ROOMY, "jax")["steps"][-1]
    assert number(last["output"]["value"]) == pytest.approx(slope, rel=1e-6)


def test_a_loop_whose_turns_are_alike_is_told_at_its_first_one() -> None:
    alike = RATES.replace("    schedule.step()\n", "")
    assert told(alike, "mathematics")["update"]["sentence"]["en"] == "w ← 0.5 − 0.1 × (−5) = 1."


def test_at_other_numbers_no_update_is_made_up_of_what_an_optimizer_has_kept() -> None:
    update = told(ADAM, "mathematics", w=2.0)["update"]
    assert update["output"]["value"] is None
    assert update["sentence"] == {
        "en": "Adam moves w from 2; where to depends on what it keeps of earlier steps.",
        "zh": "Adam 更新 w（原为 2）；新值取决于它在之前各步中记下的数。",
    }


def test_no_update_is_made_up_where_the_last_gradient_is_not_used() -> None:
    unused = ADAM + "optimizer.zero_grad()\nloss = w ** 2\nloss.backward()\n"
    assert told(unused, "tensorflow")["update"]["output"]["value"] is None


FITTED = """\
import numpy as np
from tensorflow import keras
keras.utils.set_random_seed(0)
x = np.linspace(-1, 1, 12).reshape(-1, 1).astype("float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(0.1), loss="mse")
model.fit(x, 2 * x + 1, epochs=3, batch_size=4, verbose=0)
kernel = float(model.get_weights()[0][0, 0])
"""
DROPPED = (
    START.format(first=0.5)
    + """\
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    loss = ((torch.dropout(w * torch.ones(6), 0.5, True) - 3.0) ** 2).mean()
    loss.backward()
    optimizer.step()
"""
)


@pytest.mark.parametrize("source", [FITTED, DROPPED, EXAMPLES], ids=["fitted", "dropped", "examples"])
def test_a_gradient_is_tried_with_the_examples_and_random_numbers_of_its_turn(source: str) -> None:
    steps = tell_lesson(ProgramRequest(source), ROOMY, "mathematics")["steps"]
    for tried in [step["tried"] for step in steps if step["phase"] == "close"]:
        assert tried["measured"] == pytest.approx(tried["predicted"], rel=0.1)


def test_what_fit_trains_ends_where_the_last_update_leads() -> None:
    request = ProgramRequest(FITTED)
    [kernel] = [one for one in run_program(request)["bindings"] if one["name"] == "kernel"]
    updates = [
        step
        for step in tell_lesson(request, ROOMY, "mathematics")["steps"]
        if step["phase"] == "update" and "kernel" in step["sentence"]["en"]
    ]
    assert number(updates[0]["output"]["value"]) == pytest.approx(kernel["value"], rel=1e-5)
