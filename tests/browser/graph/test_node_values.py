"""What the drawing and the card tell of values: strips, what is not finite, a gradient's factors."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, type_program
from tests.browser.graph.test_drawing import SIN_GRAD, part

pytestmark = AT_TENSORFLOW

LOGARITHMS = """import tensorflow as tf
w = tf.Variable([[1., 2.], [-3., 4.]], name='w')
y = tf.reduce_sum(tf.log(w, name='logs'))
"""


def test_a_tensor_has_a_cell_for_each_element_and_nan_is_marked(page: Page) -> None:
    type_program(page, LOGARITHMS)
    logs = part(page, "logs")
    expect(logs.locator(".strip rect")).to_have_count(4)
    expect(logs.locator(".strip .bad")).to_have_count(1)  # log(-3)
    expect(logs.locator(".value")).to_contain_text("⚠")
    expect(part(page, "w/").locator(".strip .minus")).to_have_count(1)  # -3
    expect(part(page, "w/").locator(".bad")).to_have_count(0)


def test_the_card_tells_how_far_a_tensor_reaches(page: Page) -> None:
    type_program(page, LOGARITHMS)
    part(page, "w/").click()
    name = "w 2×2, scope, nodes inside: 4, from −3 to 4, mean 1"
    expect(part(page, "w/")).to_have_attribute("aria-label", name)
    expect(page.get_by_role("region", name="Selected")).to_contain_text("from −3 to 4, mean 1")


def test_a_gradients_card_has_its_two_factors_once_they_are_told(page: Page) -> None:
    part(page, SIN_GRAD).click()
    card = page.get_by_role("region", name="Selected")
    expect(card).to_contain_text(re.compile(r"upstream gradient\?\s*local derivative\?"))
    page.get_by_role("button", name="Last step").click()
    part(page, SIN_GRAD).click()
    expect(card).to_contain_text(re.compile(r"upstream gradient1\.152\s*local derivative−0\.99"))
