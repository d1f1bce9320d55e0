"""A program of PyTorch at its own level: the autograd nodes are drawn, and the lesson walks through them."""

from __future__ import annotations

from playwright.sync_api import expect

from benchmarks.view import link as link_to
from tests.browser.actions import OpenPage

EXP_SIN = """\
import torch
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(torch.sin(x))
y.backward()
print(x.grad)
"""


def test_the_autograd_graph_is_drawn_and_walked(open_page: OpenPage) -> None:
    page = open_page(path=f"/{link_to(EXP_SIN)}")
    page.get_by_role("button", name="PyTorch", exact=True).click()
    drawing = page.locator("gl-graph svg.picture")
    for name in ("ExpBackward0", "SinBackward0", "AccumulateGrad x", "x.grad"):
        expect(drawing).to_contain_text(name)
    page.get_by_role("button", name="To the last step").or_(page.locator(".transport .last")).first.click()
    expect(page.locator("gl-step .sentence")).to_contain_text("x.grad was None and is −1.14 now.")
    page.get_by_role("button", name="Mathematics", exact=True).click()
    expect(drawing).to_contain_text("exp(sin x) = y")
