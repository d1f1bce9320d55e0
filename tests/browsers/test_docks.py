"""Each of the tools beneath the graph."""

from __future__ import annotations

import pytest

from benchmarks.browsers import link as link_to
from tests.browsers.visitor import Visitor, button, css, field, tool

ROSENBROCK = "y = (1 - x)**2 + 100*(z - x**2)**2"
COLOURED = """(selector) => {
  const canvas = document.querySelector(selector);
  if (!canvas?.width || !canvas.height) return false;
  const { width, height } = canvas;
  const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum += Math.abs(data[i] - data[i + 2]) > 60;
  return sum > 100;
}"""


def test_a_landscape_of_two_variables_is_clicked_turned_and_saved(visitor: Visitor) -> None:
    visitor.open(f"/{link_to(ROSENBROCK)}")
    visitor.press(tool("Landscape"))
    visitor.reads(css("gl-landscape table"), "minimum")
    visitor.wait(COLOURED, "gl-plane canvas.still")
    visitor.press(css("gl-landscape [role=application]"))
    visitor.reads(css("#landscape-says"), "∂/∂z")
    visitor.press(field("3-D surface"))
    before = visitor.evaluate("() => document.querySelector('canvas.still').toDataURL()")
    visitor.on(css("gl-landscape [role=application]"), "(at) => at.focus()")
    visitor.keys("Right")
    visitor.wait("(before) => document.querySelector('canvas.still').toDataURL() !== before", before)


def test_a_race_is_run_and_a_contender_taken_over(visitor: Visitor) -> None:
    visitor.open("/?example=g04")
    visitor.press(tool("Race"))
    visitor.reads(css(".endings tbody tr:nth-child(2)"), "converged")
    visitor.wait(COLOURED, ".race-curves canvas")
    visitor.fill(field("Learning rate of contender 2"), "0.25")
    visitor.fill(field("Steps"), "7")
    visitor.reads(css(".endings tbody tr:nth-child(2)"), "η = 0.25")
    visitor.press(button("Use as the page’s own run: GradientDescent, η = 0.25"))
    visitor.reads(css("gl-optimizer .count"), "7")


def test_derivatives_are_compared(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(tool("Compare derivatives"))
    visitor.wait(COLOURED, "gl-error-figure canvas")
    visitor.on(css("gl-compare input[type=range]"), "(at) => at.focus()")
    visitor.keys("Left")
    visitor.reads(css("gl-compare .delta"), "δ = 0.0001")


def test_losses_of_two_runs_are_drawn(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(tool("Optimizer"))
    visitor.press(button("×100"))
    visitor.reads(css("gl-optimizer .count"), "step 100")
    visitor.press(tool("Loss"))
    visitor.wait(COLOURED, "gl-curves canvas")


def test_a_table_is_sorted_filtered_and_copied(visitor: Visitor) -> None:
    visitor.open(level="tensorflow")
    visitor.press(tool("Table"))
    visitor.press(css("gl-table th button.sort"))
    visitor.see(css("gl-table th[aria-sort=ascending]"))
    visitor.press(css("gl-table input.filter"))
    visitor.type("Sin")
    visitor.reads(css("gl-table output"), "of")
    visitor.press(button("Copy", within="gl-table"))
    visitor.reads(css("gl-table .said"), "Copied.", exact=True)


def test_outline_and_ops_lead_to_a_node(visitor: Visitor) -> None:
    visitor.open(level="tensorflow")
    visitor.press(tool("Outline"))
    visitor.see(css("gl-dock [role=tree] [role=treeitem]"))
    visitor.press(tool("Ops"))
    visitor.see(css("gl-ops"))
    visitor.reads(css("gl-ops"), "MatMul")


@pytest.mark.parametrize("size", ["wide", "small"])
def test_nothing_runs_out_of_the_window_at_the_sides(visitor: Visitor, size: str) -> None:
    visitor.open("/?example=g12", size)
    if size == "small":
        visitor.press(css(".tabs button:nth-child(4)"))
    for name in ("Optimizer", "Loss", "Landscape", "Race", "Compare derivatives", "Table", "Outline", "Ops"):
        visitor.press(tool(name))
        visitor.wait("() => document.documentElement.scrollWidth <= innerWidth")
