"""The lesson at both levels, the prediction, and the picture that goes with it."""

from __future__ import annotations

import pytest

from tests.browsers.visitor import Visitor, button, css, field, tool

COUNT = css("gl-transport .count")


@pytest.mark.parametrize("level", ["mathematics", "tensorflow"])
def test_stepping_forward_and_back_shows_the_same(visitor: Visitor, level: str) -> None:
    visitor.open(level=level)
    visitor.press(button("First step"))
    before = visitor.read(css("gl-step"))
    for _ in range(3):
        visitor.press(button("Next step"))
    visitor.reads(COUNT, "4 / 7")
    for _ in range(3):
        visitor.press(button("Back", within="gl-transport"))
    visitor.reads(css("gl-step"), before, exact=True)
    visitor.keys("Shift+Right")
    visitor.reads(COUNT, "4 / 7")


def test_the_scrubber_goes_to_a_step(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(css("gl-transport input[type=range]"))  # in its middle
    visitor.keys("Home")
    visitor.reads(COUNT, "1 / 7")
    visitor.keys("Right")
    visitor.reads(COUNT, "2 / 7")


def test_the_levels_are_switched_and_scopes_opened(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(button("TensorFlow", within=".levels"))
    visitor.press(css('.graph-view .item[data-key="Sin"]'))
    visitor.reads(css(".selection"), "Sin")
    visitor.on(css('.graph-view [data-key="gradients/Exp_grad/"]'), "(at) => at.focus()")
    visitor.keys("Enter")
    visitor.see(css('.graph-view [data-key="gradients/Exp_grad/mul"]'))
    visitor.press(button("Mathematics", within=".levels"))
    visitor.gone(css('.graph-view [data-key="gradients/Exp_grad/mul"]'))


def test_a_prediction_is_checked(visitor: Visitor) -> None:
    visitor.open()
    visitor.fill(field("Your prediction"), "1")
    visitor.reads(css("gl-step"), "You said 1. It is 1.152.")


def test_the_formula_stands_in_its_own_font(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(button("Last step"))
    visitor.see(css("gl-step gl-formula .katex"))
    visitor.wait(
        "async () => { await document.fonts.ready; return document.fonts.check('16px KaTeX_Math'); }"
    )


TORCH = b"""import torch
x = torch.tensor(3.0, requires_grad=True)
(x ** 2).backward()
print(x.grad)
"""
JAX = b"import jax\nprint(jax.grad(lambda x: x ** 2)(5.0))\n"


def test_programs_of_other_frameworks_are_dropped_and_run(visitor: Visitor) -> None:
    visitor.open()
    visitor.drop(TORCH, "program.py")
    visitor.press(tool("Output"))
    visitor.reads(css(".printed"), "tensor(6.)")
    visitor.drop(JAX, "program.py")
    visitor.reads(css(".printed"), "10.0")


def test_a_thousand_updates_stream_in_and_can_be_stopped(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(tool("Optimizer"))
    visitor.press(css("gl-optimizer .step-1000"))
    visitor.reads(css("gl-optimizer .count"), "step 1 000")
    visitor.keys("Left")
    visitor.see(css("gl-step .sentence"))
