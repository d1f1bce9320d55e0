"""An optimizer's update in a loop: its nodes are made once and run again, each with its own record."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import tensorflow as tf\nw = tf.Variable(1.)\n"
TURN = "    with tf.GradientTape(persistent=True) as tape:\n        y = w * w\n"


def answered(source: str) -> Any:
    """The answer to a program that runs to its end."""
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return answer


def looped(turns: int, update: str = "opt.apply_gradients([(tape.gradient(y, w), w)])") -> Any:
    """So many turns of plain gradient descent."""
    return answered(
        f"opt = tf.keras.optimizers.SGD(0.25)\nfor i in range({turns}):\n{TURN}    {update}\n"
        "    print(w.numpy())"
    )


def test_a_thousand_turns_have_the_nodes_of_two_and_each_its_own_numbers() -> None:
    few, many = looped(2), looped(1000)
    assert [node["name"] for node in many["graph"]["nodes"]] == [n["name"] for n in few["graph"]["nodes"]]
    assert many["printed"][:4] == ["0.5", "0.25", "0.125", "0.0625"]  # w - 0.25 * 2 w
    for place, run in enumerate(many["sessions"][0]["kept"][:4]):
        (update,) = [one for one in run["updates"] if one["variable"] == "Variable:0"]
        assert (update["before"]["data"], update["after"]["data"]) == (0.5**place, 0.5 ** (place + 1))
        (name,) = [name for name in run["nodes"] if "ApplyKerasPlainSGD" in name]
        assert run["nodes"][name]["data"] == 0.5 ** (place + 1)


def test_two_updates_in_a_turn_have_nodes_of_their_own() -> None:
    twice = "for k in range(2):\n        opt.apply_gradients([(tape.gradient(y, w), w)])"
    answer = looped(6, twice)
    assert answer["printed"][:3] == ["0.0", "0.0", "0.0"]  # 1 - 2 * 0.25 * 2
    for run in answer["sessions"][0]["kept"]:
        assert len([name for name in run["nodes"] if "ApplyKerasPlainSGD" in name]) == 2
        assert len([name for name in run["nodes"] if name.endswith("AddN:0")]) == 2
    updates = [node for node in answer["graph"]["nodes"] if node["op"] == "ApplyKerasPlainSGD"]
    assert len(updates) == 2


def test_another_rate_holds_from_the_next_step_on() -> None:
    answer = looped(
        5, "if i == 3: opt.learning_rate.assign(0.5)\n    opt.apply_gradients([(tape.gradient(y, w), w)])"
    )
    assert answer["printed"] == ["0.5", "0.25", "0.125", "0.0", "0.0"]


def test_a_gradient_of_an_earlier_turn_is_taken_as_it_was() -> None:
    answer = looped(
        4,
        "g = tape.gradient(y, w)\n    opt.apply_gradients([(g if i == 0 else old, w)])\n    old = g",
    )
    assert answer["printed"] == ["0.5", "0.0", "-0.25", "-0.25"]  # by 2, 2, 1 and 0


@pytest.mark.parametrize("name", ["Adam", "Adagrad", "RMSprop"])
def test_slots_begin_once(name: str) -> None:
    source = (
        f"opt = tf.keras.optimizers.{name}(0.1)\nfor i in range(9):\n{TURN}"
        "    opt.apply_gradients([(tape.gradient(y, w), w)])"
    )
    begun = [
        run["index"]
        for run in answered(source)["sessions"][0]["kept"]
        if any(one.endswith("Assign:0") for one in run["nodes"])
    ]
    assert begun == [0]


def test_what_is_read_after_an_update_sees_it() -> None:
    source = (
        f"opt = tf.keras.optimizers.Adam(0.5)\nfor i in range(4):\n    a = w + 0.\n{TURN}"
        "    opt.apply_gradients([(tape.gradient(y, w), w)])\n    b = w + 0.\n"
        "    print(bool(a > b), bool(b == w.numpy()))"
    )
    assert answered(source)["printed"][:2] == ["True True", "True True"]
