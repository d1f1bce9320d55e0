"""Take the pictures of docs/images: the page, and the graphs that docs/images/tensorboard shows too.

Each is taken in a window of TensorBoard's size, from the program that its picture was made of. A Chromium
that the tests use is needed. Run by `make pictures`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.server.service import running

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
WINDOW: ViewportSize = {"width": 1400, "height": 900}
START = "import tensorflow as tf\n\n"
SINE = START + "x = tf.Variable(3.0)\ny = tf.sin(x)\ngradient = tf.gradients(y, x)\n"
CHAIN = START + "x = tf.Variable(3.0)\ny = tf.exp(tf.sin(x))\ngradient = tf.gradients(y, x)\n"
PRODUCT = START + "x = tf.Variable(3.0)\ny = x * x\ngradient = tf.gradients(y, x)\n"
DESCENT = START + (
    "x = tf.Variable(3.0)\ny = tf.square(x)\ntrain = tf.train.GradientDescentOptimizer(0.01).minimize(y)\n"
)
GRAPHS = {  # file -> program, whether every scope is open
    "exp_sin_grad_0": (CHAIN, False),
    "exp_sin_grad_1": (CHAIN, True),
    "mul_x_x_1": (PRODUCT, True),
    "sin_grad_1": (SINE, True),
    "square_sgd_1": (DESCENT, True),
}
AT_TENSORFLOW = "localStorage.setItem('gradlens.level', 'tensorflow')"
LANGUAGES = {"page": "en-US", "page.zh-CN": "zh-CN"}


def main() -> None:
    """Start the service, open the page, save what it shows."""
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data)) as client,
        sync_playwright() as playwright,
    ):
        address = str(client.base_url).split("/api/")[0]
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, locale in LANGUAGES.items():
            page = opened(browser.new_page(viewport={"width": 1440, "height": 900}, locale=locale), address)
            page.screenshot(path=IMAGES / f"{name}.png")
        for name, (program, is_open) in GRAPHS.items():
            page = browser.new_page(viewport=WINDOW, locale="en-US")
            page.add_init_script(AT_TENSORFLOW)
            show(opened(page, address), program, is_open)
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


def opened(page: Page, address: str) -> Page:
    """The page with its first graph drawn."""
    page.goto(address)
    page.wait_for_selector("html[data-graph-drawn]")
    page.wait_for_timeout(300)
    return page


def show(page: Page, program: str, is_open: bool) -> None:
    """Draw a program's graph with all its values, the dock folded away."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(program)
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="Hide the tools").click()
    if is_open:
        page.get_by_role("button", name="View", exact=True).click()
        page.get_by_role("button", name="Open all scopes").click()
    page.get_by_role("button", name="Fit the whole graph").click()
    page.mouse.move(5, 5)
    page.wait_for_timeout(800)


if __name__ == "__main__":
    main()
