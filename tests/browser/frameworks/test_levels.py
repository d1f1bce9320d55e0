"""A program at the levels of PyTorch and JAX: their own nodes are drawn and walked through."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from benchmarks.browsers import link as link_to
from tests.browser.actions import AT_TENSORFLOW, OpenPage, another_drawing, open_tool, type_program
from tests.browser.course.test_gallery import open_item
from tests.browser.page.test_accessibility import serious_issues

EXP_SIN = """\
import torch
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(torch.sin(x))
y.backward()
print(x.grad)
"""
THIRD = """\
import torch
x = torch.tensor(2.0, requires_grad=True)
y = x * x * x * x
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x, create_graph=True)
(third,) = torch.autograd.grad(second, x)
"""
VMAP = """\
import jax
import jax.numpy as jnp
slopes = jax.vmap(jax.grad(lambda w, x: (w * x - 1.0) ** 2), in_axes=(None, 0))(0.5, jnp.array([1.0, 2.0]))
average = slopes.mean()
print(average)
"""
SQUARES = """\
import torch
x = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.01)
for step in range(20):
    optimizer.zero_grad()
    y = x ** 2
    y.backward()
    optimizer.step()
"""
CHAIN = """\
import torch
w = torch.tensor(1.0, requires_grad=True)
h = torch.tensor(1.0)
for _ in range(20):
    h = torch.tanh(w * h)
h.backward()
"""
AUTOGRAD = ("ExpBackward0", "SinBackward0", "AccumulateGrad x", "x.grad")


def look_at(page: Page, level: str) -> None:
    """Choose a level."""
    page.locator(".levels").get_by_role("button", name=level, exact=True).click()


def to_the_last_step(page: Page) -> None:
    """Walk to the end of the lesson."""
    page.get_by_role("button", name="To the last step").or_(page.locator(".transport .last")).first.click()


def test_the_autograd_graph_is_drawn_and_walked(open_page: OpenPage) -> None:
    page = open_page(path=f"/{link_to(EXP_SIN)}")
    look_at(page, "PyTorch")
    drawing = page.locator("gl-graph svg.picture")
    for name in AUTOGRAD:
        expect(drawing).to_contain_text(name)
    to_the_last_step(page)
    expect(page.locator("gl-step .sentence")).to_contain_text("x.grad was None and is −1.14 now.")
    look_at(page, "Mathematics")
    expect(drawing).to_contain_text("exp(sin x) = y")


def test_a_formula_has_four_pictures(page: Page) -> None:
    drawing = page.locator("gl-graph svg.picture")
    look_at(page, "PyTorch")
    for name in AUTOGRAD:
        expect(drawing).to_contain_text(name)
    look_at(page, "JAX")
    expect(page.locator("gl-step .sentence")).to_contain_text("e = mul 1.0 d = 1.152.")
    to_the_last_step(page)
    expect(page.locator("gl-step .sentence")).to_contain_text("= −1.14")
    look_at(page, "TensorFlow")
    expect(drawing).to_contain_text("Sin_grad")


def test_an_example_is_opened_in_pytorch_and_in_jax(page: Page) -> None:
    open_item(page, "The chain rule: exp(sin x)")
    forms = page.get_by_role("group", name="The same example in another language")
    forms.get_by_role("button", name="PyTorch").click()
    expect(page.locator(".cm-content")).to_contain_text("y.backward()")
    look_at(page, "PyTorch")
    expect(page.locator("gl-graph svg.picture")).to_contain_text("SinBackward0")
    forms.get_by_role("button", name="JAX").click()
    expect(page.locator(".cm-content")).to_contain_text("jax.value_and_grad")
    expect(page.locator(".levels").get_by_role("button", pressed=True)).to_have_text("JAX")
    forms.get_by_role("button", name="mathematics").click()
    expect(page.locator(".cm-content")).to_have_text("y = exp(sin(x))")


def test_a_training_loop_is_walked_update_by_update_while_its_gradients_add_up(page: Page) -> None:
    open_item(page, "A loop whose gradients add up")
    sentence = page.locator("gl-step .sentence")
    expect(sentence).to_contain_text("w is a leaf: 0.")
    for steps, grad in ((8, "w.grad was None and is −3 now."), (10, "−5.7 now.")):
        for _ in range(steps):
            page.get_by_role("button", name="Next step").click()
        expect(sentence).to_contain_text(grad)
    expect(page.locator("gl-graph svg.picture")).to_contain_text("−5.7")
    expect(sentence).to_contain_text("−2.7 is added to w.grad, which held −3 from before: −5.7 now.")


@pytest.mark.parametrize("number", [1, 8, 13, 20, 26, 32])
@pytest.mark.parametrize("framework", ["PyTorch", "JAX"])
def test_an_example_is_drawn_at_the_level_of_each_framework(
    open_page: OpenPage, framework: str, number: int
) -> None:
    page = open_page(path=f"/?example=g{number:02}")
    page.get_by_role("group", name="The same example in another language").get_by_role(
        "button", name=framework
    ).click()
    look_at(page, framework)
    expect(page.locator(".levels").get_by_role("button", pressed=True)).to_have_text(framework)
    expect(page.locator("gl-step .sentence")).not_to_be_empty()


@AT_TENSORFLOW
def test_the_gradients_of_twenty_layers_go_to_their_updates_along_one_line(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g36")
    with another_drawing(page):
        page.get_by_role("group", name="The same example in another language").get_by_role(
            "button", name="PyTorch"
        ).click()
    expect(
        page.locator('.graph-view [data-key="SGD/update_Variable_40…update_Variable_39/"]')
    ).to_be_visible()
    expect(page.locator('.graph-view .item[data-key^="d:"]')).to_have_count(1)  # of the first layer's weights
    assert page.locator(".graph-view .edge").count() < 30


JAX_PROGRAM = """import jax
import jax.numpy as jnp
print(jax.grad(lambda x: jnp.exp(jnp.sin(x)))(3.0))
"""


@pytest.mark.parametrize("tool", ["Optimizer", "Landscape", "Race", "Compare derivatives"])
def test_a_tool_that_moves_variables_says_that_jax_has_none(open_page: OpenPage, tool: str) -> None:
    page = open_page()
    with another_drawing(page):
        type_program(page, JAX_PROGRAM)
    open_tool(page, tool)
    expect(page.locator("#dock-body .note")).to_have_text(
        "JAX's arrays are no variables, which this tool moves. Choose PyTorch or TensorFlow under “Write as” "
        "above: written so, the same function has them."
    )


def test_a_third_derivative_is_drawn_at_every_level(page: Page) -> None:
    drawing = page.locator("gl-graph svg.picture")
    with another_drawing(page):
        type_program(page, THIRD)
    for level, node in (("TensorFlow", "gradients_2"), ("PyTorch", "MulBackward0"), ("JAX", "cn")):
        look_at(page, level)
        expect(page.locator(".levels").get_by_role("button", pressed=True)).to_have_text(level)
        expect(drawing).to_contain_text(node)


def test_a_series_is_called_by_what_is_written_on_it(page: Page) -> None:
    with another_drawing(page):
        type_program(page, CHAIN)
    look_at(page, "TensorFlow")
    expect(page.locator('.graph-view [data-key="Mul…Tanh_19/"]')).to_have_accessible_name(
        re.compile("^Mul … Tanh ×20 ")
    )


def test_a_training_loop_is_walked_pass_by_pass_from_the_one_with_the_same_numbers(page: Page) -> None:
    with another_drawing(page):
        type_program(page, SQUARES)
    page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="This step in PyTorch").click()
    passes = page.locator("div.ribbon .pass")
    expect(passes).to_contain_text("Pass 1 of ")
    expect(page.locator("div.ribbon .phase")).to_have_count(3)
    passes.get_by_role("button", name="Next pass").click()
    expect(passes).to_contain_text("Pass 2 of ")
    expect(page.locator("gl-step .sentence")).to_contain_text("x is a leaf: 2.94.")
    expect(page.get_by_role("button", name="Previous pass")).to_be_enabled()
    assert serious_issues(page) == []


def test_what_tensorflow_would_do_is_said_of_jax_s_programs(page: Page) -> None:
    with another_drawing(page):
        type_program(page, "import jax\njax.grad(lambda x: x * x)(3.0)\n")
    look_at(page, "Mathematics")
    page.get_by_role("button", name="First step").click()
    expect(page.locator("gl-step button.nodes")).to_have_text("TensorFlow would do this with 1 node ▸")


@pytest.mark.parametrize("size", ["wide", "small"])
def test_where_a_level_cannot_be_had_picture_and_steps_stay_and_the_page_says_why(
    open_page: OpenPage, size: str
) -> None:
    page = open_page(size, path=f"/{link_to(VMAP)}")
    if size == "small":
        page.locator(".tabs").get_by_role("button", name="Graph").click()
    look_at(page, "Mathematics")
    pressed = page.locator(".levels").get_by_role("button", pressed=True)
    expect(pressed).to_have_text("Mathematics")
    before = page.locator("gl-step .sentence").text_content()
    look_at(page, "PyTorch")
    why = page.get_by_role("alert").filter(has_text="Not drawn at level PyTorch")
    expect(why).to_contain_text("Ask for the gradient of a number by a variable.")
    expect(pressed).to_have_text("Mathematics")
    expect(page.locator("gl-step .sentence")).to_have_text(before or "")
    expect(page.locator(".message.error")).to_have_count(0)
    why.get_by_role("button", name="Close").click()
    expect(why).to_have_count(0)
