"""A program that takes a while shows how far it is and what it printed so far, and can be stopped."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from benchmarks.browsers import link
from tests.browser.actions import AT_TENSORFLOW, type_program
from tests.browser.page.test_accessibility import serious_issues

pytestmark = AT_TENSORFLOW

WALKING = """import numpy as np
print('begun')
a = np.ones(100000)
for _ in range(10**9):
    a = np.sin(a)
"""


def test_a_long_program_is_watched_and_stopped(page: Page) -> None:
    type_program(page, WALKING)
    card = page.get_by_role("region", name="The program", exact=True)
    expect(card.get_by_role("status")).to_have_text("The program is running…")
    expect(card.locator(".note")).to_have_text(re.compile(r"^line [45] · \d.* steps · \d.* s$"))
    expect(card.locator(".printed")).to_have_text("begun")
    card.get_by_role("button", name="Stop").click()
    expect(card.get_by_role("status")).to_have_text("The program was stopped")
    expect(card.locator(".printed")).to_have_text("begun")
    assert serious_issues(page) == []
    expect(page.locator("gl-input .working")).to_have_count(0)
    expect(page.locator(".graph-notice")).to_have_text("Drawn from the last text that could be read")
    card.get_by_role("button", name="Run it again").click()
    expect(card.get_by_role("status")).to_have_text("The program is running…")
    type_program(page, "y = x^2")  # another text stops it, too
    expect(card).to_have_count(0)
    expect(page.locator('.graph-view [data-key="pow"], .graph-view [data-key="Pow"]')).to_have_count(1)


def test_a_long_program_of_a_link_is_watched_and_stopped(page: Page, server: str) -> None:
    page.goto(f"{server}/?long{link(WALKING.replace('begun', 'linked'))}")
    card = page.get_by_role("region", name="The program", exact=True)
    expect(card.locator(".printed")).to_have_text("linked")
    card.get_by_role("button", name="Stop").click()
    card.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)
    expect(page.locator(".cm-content")).to_contain_text("linked")
