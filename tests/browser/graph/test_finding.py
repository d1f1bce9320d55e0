"""Finding one's way in the graph: search, the node card, traces, the path of scopes, undo."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import AT_TENSORFLOW, OpenPage, menu, open_tool, type_program
from tests.browser.graph.test_drawing import SIN_GRAD, part
from tests.browser.graph.test_gallery_drawings import OPEN
from tests.browser.page.test_accessibility import serious_issues

pytestmark = AT_TENSORFLOW

COS = "gradients/Sin_grad/Cos"


def find(page: Page, query: str) -> None:
    """Type into the search box above the graph."""
    page.get_by_role("combobox", name="Find a node").fill(query)


def hits(page: Page) -> Locator:
    """The list under the search box."""
    return page.get_by_role("listbox", name="Find a node").get_by_role("option")


def test_a_node_inside_a_closed_scope_is_found_opened_and_focused(page: Page) -> None:
    find(page, "cos")
    expect(hits(page)).to_have_text([f"{COS}Cos"])
    page.keyboard.press("Enter")
    expect(part(page, COS)).to_be_focused()
    expect(part(page, COS)).to_have_attribute("aria-pressed", "true")
    expect(part(page, COS)).to_be_in_viewport()


SLOW_CLOCK = (
    "() => { let now = performance.now(); performance.now = () => (now += 50); }"  # one item at a time
)


def test_a_node_that_is_not_drawn_yet_gets_the_focus(page: Page) -> None:
    page.evaluate(SLOW_CLOCK)
    find(page, "cos")
    page.keyboard.press("Enter")
    expect(part(page, COS)).to_be_focused()


def test_arrow_keys_choose_among_the_hits(page: Page) -> None:
    find(page, "/_grad$/")
    expect(hits(page)).to_have_text(["gradients/Exp_gradscope", "gradients/Sin_gradscope"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(part(page, SIN_GRAD)).to_be_focused()


def test_only_values_that_are_told_are_found(page: Page) -> None:
    find(page, ">1")
    expect(hits(page).filter(has_text="Exp")).to_have_count(1)  # 1.152
    find(page, "<0")
    expect(hits(page)).to_have_count(0)  # the gradient -1.14 is still a question


def test_the_card_tells_the_formula_and_leads_to_the_neighbours(page: Page) -> None:
    part(page, "Sin").click()
    card = page.get_by_role("region", name="Selected")
    expect(card.locator("gl-formula .katex-mathml annotation")).to_contain_text(r"\sin")
    card.get_by_role("button", name="Exp", exact=True).click()
    expect(part(page, "Exp")).to_be_focused()
    card.get_by_role("button", name="Show line 1 in the text").click()
    expect(page.locator(".cm-content")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "exp(sin(x))"


def test_the_card_tells_what_the_op_computes_in_the_language_of_the_page(page: Page) -> None:
    part(page, "Sin").click()
    formula = page.locator(".facts dd:has(gl-formula)")
    expect(formula).to_have_attribute("title", re.compile("^Sine of each element"))
    page.get_by_role("button", name="中文").click()
    expect(formula).to_have_attribute("title", re.compile("^逐元素的正弦"))


@pytest.mark.modules
def test_the_card_has_the_value_that_the_node_shows_not_that_of_the_last_step(page: Page) -> None:
    page.evaluate(OPEN, "g03")  # a hundred steps from x = 3; the lesson tells the first
    expect(part(page, "Square")).to_contain_text("9")
    part(page, "Square").click()
    facts = page.get_by_role("region", name="Selected").locator(".facts dd")
    expect(facts.filter(has_text=re.compile("^9$"))).to_have_count(1)


def test_a_trace_fades_what_does_not_belong_to_it(page: Page) -> None:
    part(page, "Sin").click()
    page.get_by_role("button", name="upstream").click()
    for key, faded in [("x/", 0), ("Sin", 0), ("Exp", 1), (SIN_GRAD, 1)]:
        expect(page.locator(f'.graph-view .faded[data-key="{key}"]')).to_have_count(faded)
    page.get_by_role("button", name="upstream").click()
    expect(page.locator(".graph-view .faded")).to_have_count(0)


def test_the_path_under_the_graph_leads_to_the_scopes_around(page: Page) -> None:
    find(page, "cos")
    page.keyboard.press("Enter")
    page.locator(".graph-caption").get_by_role("button", name="Sin_grad").click()
    expect(part(page, SIN_GRAD)).to_be_focused()


def test_all_scopes_open_and_ctrl_z_closes_them_again(page: Page) -> None:
    menu(page, "Open all scopes")
    expect(part(page, COS)).to_be_visible()
    expect(part(page, "x/read")).to_be_visible()
    part(page, "Sin").focus()
    page.keyboard.press("Control+z")
    expect(part(page, COS)).to_have_count(0)
    menu(page, "Close all scopes")
    expect(part(page, SIN_GRAD)).to_have_count(0)
    page.get_by_role("button", name="Undo the last change of the view").click()
    expect(part(page, SIN_GRAD)).to_be_visible()


def test_search_and_card_have_no_serious_issue(open_page: OpenPage) -> None:
    page = open_page()
    find(page, "cos")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="downstream").click()
    find(page, "grad")
    expect(hits(page).first).to_be_visible()
    assert serious_issues(page) == []


def test_the_backward_part_by_itself_has_flags_for_what_it_borrows(page: Page) -> None:
    page.get_by_role("group", name="Part of the graph").get_by_role("button", name="Backward").click()
    expect(part(page, "Sin")).to_have_count(0)
    expect(part(page, SIN_GRAD).locator(".constant")).to_have_text(["x/readx"])  # title and flag
    page.get_by_role("button", name="Undo the last change of the view").click()
    expect(part(page, "Sin")).to_be_visible()


def test_the_essentials_have_no_reads_and_are_remembered(page: Page) -> None:
    menu(page, "The essentials")
    expect(part(page, "x")).to_be_visible()  # a scope with its initial value and its read before
    page.reload()
    expect(part(page, "x")).to_be_visible()


def test_one_flow_puts_the_gradient_behind_the_forward_part(page: Page) -> None:
    menu(page, "All in one flow, as TensorBoard")
    expect(part(page, "gradients/")).to_have_class(re.compile(r"\bopen\b"))
    forward, backward = part(page, "Exp").bounding_box(), part(page, SIN_GRAD).bounding_box()
    assert forward is not None
    assert backward is not None
    assert backward["x"] > forward["x"] + forward["width"]


def test_the_outline_opens_and_selects_with_the_keyboard_alone(page: Page) -> None:
    open_tool(page, "Outline")
    tree = page.get_by_role("tree", name="The graph as a tree of scopes and nodes")
    tree.get_by_role("treeitem").first.focus()
    page.keyboard.press("End")
    expect(tree.locator(":focus")).to_have_attribute("data-key", SIN_GRAD)
    page.keyboard.press("ArrowRight")
    expect(part(page, COS)).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(part(page, COS)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(part(page, COS)).to_have_count(0)
    assert serious_issues(page) == []


def test_paths_between_two_nodes_are_lit_and_counted(page: Page) -> None:
    card = page.get_by_role("region", name="Selected")
    part(page, "x/").click()
    card.get_by_role("button", name="Paths from here").click()
    part(page, "Exp").click()
    expect(card.get_by_role("status")).to_have_text("1 path from x to Exp, 3 edges long.")
    expect(part(page, "Sin")).not_to_have_class(re.compile("faded"))
    expect(part(page, SIN_GRAD)).to_have_class(re.compile("faded"))
    part(page, "gradients/Fill").click()
    expect(card.get_by_role("status")).to_have_text("No path joins x and gradients/Fill.")
    card.get_by_role("button", name="End", exact=True).click()
    expect(part(page, SIN_GRAD)).not_to_have_class(re.compile("faded"))


def test_a_kind_of_op_is_hidden_and_drawn_again(page: Page) -> None:
    part(page, "Sin").click()
    page.get_by_role("button", name="Hide every Sin").click()
    expect(part(page, "Sin")).to_have_count(0)
    expect(part(page, "Exp")).to_have_attribute("aria-label", re.compile("inputs: x"))
    assert serious_issues(page) == []
    page.get_by_role("button", name="Draw Sin again").click()
    expect(part(page, "Sin")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(part(page, "Sin")).to_have_count(0)


def test_what_is_searched_is_drawn_again(page: Page) -> None:
    part(page, "Sin").click()
    page.get_by_role("button", name="Hide every Sin").click()
    find(page, "sin")
    page.keyboard.press("Enter")
    expect(part(page, "Sin")).to_be_focused()


def test_the_address_is_a_link_to_the_text_and_its_look(page: Page, open_page: OpenPage) -> None:
    type_program(page, "y = x * x + sin(z)")
    expect(part(page, "Exp")).to_have_count(0)
    expect(page).to_have_url(re.compile("#v1="))
    before = page.url
    part(page, "Sin").click()
    page.get_by_role("button", name="Hide every Sin").click()
    expect(page).not_to_have_url(before)
    address = page.url.split("#")[1]
    other = open_page()
    other.evaluate("hash => { location.hash = hash }", address)
    expect(other.locator(".cm-content")).to_have_text("y = x * x + sin(z)")
    expect(other.get_by_role("button", name="Draw Sin again")).to_be_visible()
    other.reload()
    expect(other.locator(".cm-content")).to_have_text("y = x * x + sin(z)")


def middle(page: Page, key: str) -> tuple[float, float]:
    """The middle of an item on screen."""
    box = part(page, key).locator(".body").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], dx: float, dy: float) -> None:
    """Press at a point, carry it, let go."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + dx / 2, start[1] + dy / 2)
    page.mouse.move(start[0] + dx, start[1] + dy)
    page.mouse.up()


def test_the_selected_node_is_dragged_and_nothing_else_moves(page: Page) -> None:
    part(page, "Exp").click()
    exp, sin = middle(page, "Exp"), middle(page, "Sin")
    drag(page, exp, 30, -40)
    assert middle(page, "Exp") == pytest.approx((exp[0] + 30, exp[1] - 40), abs=1.5)
    assert middle(page, "Sin") == pytest.approx(sin, abs=0.5)
    expect(part(page, "Exp")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+z")
    assert middle(page, "Exp") == pytest.approx(exp, abs=0.5)


def test_dragging_what_is_not_selected_moves_the_picture(page: Page) -> None:
    exp, sin = middle(page, "Exp"), middle(page, "Sin")
    drag(page, exp, 30, -40)
    assert middle(page, "Sin") == pytest.approx((sin[0] + 30, sin[1] - 40), abs=1.5)


def test_alt_and_an_arrow_key_move_the_focused_node_and_the_link_keeps_it(page: Page) -> None:
    part(page, "Sin").click()
    before = middle(page, "Sin")
    for _ in range(4):
        page.keyboard.press("Alt+ArrowUp")
    after = middle(page, "Sin")
    assert after[1] < before[1] - 20
    expect(part(page, "Sin")).to_be_focused()
    expect(page).to_have_url(re.compile("#v1="))
    page.reload()
    expect(part(page, "Sin")).to_be_visible()
    page.get_by_role("button", name="View", exact=True).click()
    expect(page.get_by_role("button", name="Put moved nodes back")).to_be_visible()


def test_nodes_are_coloured_by_device_with_a_legend(page: Page) -> None:
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(3.)\nwith tf.device('/gpu:0'):\n    y = tf.sin(x)\n",
    )
    expect(part(page, "Sin")).to_be_visible()
    menu(page, "Device")
    expect(page.get_by_role("note", name="Device")).to_contain_text("/device:GPU:0")
    expect(part(page, "Sin")).to_have_class(re.compile("tinted"))
    assert serious_issues(page) == []
    menu(page, "Scopes built alike")
    expect(page.get_by_role("note")).to_have_text("No two scopes here are built alike.")
    expect(part(page, "Sin")).not_to_have_class(re.compile("tinted"))


def test_what_waits_for_many_is_set_aside_with_a_word_and_brought_back(page: Page) -> None:
    lines = [f"v{i} = tf.Variable({i}.)" for i in range(20)]
    type_program(
        page, "\n".join(["import tensorflow as tf", *lines, "init = tf.global_variables_initializer()"])
    )
    aside = page.get_by_role("group", name="Set aside:")
    expect(aside).to_contain_text("It computes nothing and waits for 20 nodes.")
    expect(part(page, "init")).to_have_count(0)
    aside.get_by_role("button", name="Draw init").click()
    expect(part(page, "init")).to_have_count(1)
    expect(aside).to_have_count(0)
    page.get_by_role("button", name="Undo the last change of the view").click()
    expect(aside).to_be_visible()
