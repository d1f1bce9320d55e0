"""The drawing: what it shows at first, how scopes open, how the keyboard moves in it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import (
    AT_TENSORFLOW,
    OpenPage,
    another_drawing,
    answers_held,
    menu,
    next_frame,
    type_program,
)

pytestmark = AT_TENSORFLOW

SIN_GRAD = "gradients/Sin_grad/"

RESIZED_WHILE_DRAWING = """() => {
  const now = performance.now.bind(performance);
  let late = 0;
  performance.now = () => now() + (late += 100);  // ms; one part a frame
  const [stage, plane] = [".graph-stage", ".graph-view .plane"].map((each) => document.querySelector(each));
  new MutationObserver((_, self) => {
    self.disconnect();
    stage.style.width = "600px";
  }).observe(plane, { subtree: true, childList: true });
}"""


def part(page: Page, key: str) -> Locator:
    """The drawn op ("Sin") or scope ("x/")."""
    return page.locator(f'.graph-view [data-key="{key}"]')


def top_middle(page: Page, key: str) -> tuple[float, float]:
    """Where the middle of a part's top is on screen."""
    box = part(page, key).locator(".body").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"]


def cut(page: Page) -> list[str]:
    """The drawn parts that are not whole in sight."""
    stage = page.locator(".graph-stage").bounding_box()
    assert stage is not None
    found = []
    for item in page.locator(".graph-view .item").all():
        box = item.locator(".body").first.bounding_box()
        assert box is not None
        across = stage["x"] <= box["x"] and box["x"] + box["width"] <= stage["x"] + stage["width"]
        down = stage["y"] <= box["y"] and box["y"] + box["height"] <= stage["y"] + stage["height"]
        if not (across and down):
            found.append(item.get_attribute("data-key") or "")
    return found


def test_the_count_is_of_the_ops_and_scopes_drawn(page: Page) -> None:
    # x, Sin, Exp; gradients with Exp_grad, Sin_grad and Fill; Fill's two constants
    expect(page.locator("html")).to_have_attribute("data-graph-drawn", "9")


def test_labels_are_large_enough_to_read_at_first(open_page: OpenPage) -> None:
    for size in ("wide", "middle", "small"):
        page = open_page(size)
        scale = page.locator(".graph-view .plane").evaluate("(plane) => plane.getScreenCTM().a")
        assert 13 * scale >= 10.99, size  # labels are set at 13 px


def test_the_whole_default_graph_is_in_sight_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("small")
    for box in (each.bounding_box() for each in page.locator(".graph-view .item").all()):
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_an_opened_scope_stays_under_the_pointer_once_a_hand_has_moved_the_picture(page: Page) -> None:
    x, y = top_middle(page, SIN_GRAD)
    page.mouse.move(x, y + 20)
    page.mouse.wheel(0, 1)
    x, y = top_middle(page, SIN_GRAD)
    page.mouse.dblclick(x, y + 20)
    expect(part(page, "gradients/Sin_grad/Cos")).to_be_visible()
    opened = top_middle(page, SIN_GRAD)
    assert abs(opened[0] - x) < 2
    assert abs(opened[1] - y) < 2
    part(page, SIN_GRAD).locator(".toggle").click()
    expect(part(page, "gradients/Sin_grad/Cos")).to_have_count(0)


def test_opening_a_scope_fits_the_picture_again_where_no_hand_has_moved_it(page: Page) -> None:
    with another_drawing(page):
        part(page, SIN_GRAD).dblclick()
    expect(part(page, "gradients/Sin_grad/Cos")).to_be_visible()
    assert not cut(page)
    before = top_middle(page, SIN_GRAD)
    page.get_by_role("button", name="Fit the whole graph").click()
    x, y = top_middle(page, SIN_GRAD)
    assert abs(x - before[0]) < 1
    assert abs(y - before[1]) < 1


def test_arrow_keys_follow_the_edges_and_enter_opens_a_scope(page: Page) -> None:
    part(page, "Sin").focus()
    for key, reached in [
        ("ArrowRight", "Exp"),
        ("ArrowDown", "gradients/Exp_grad/"),
        ("ArrowRight", SIN_GRAD),
    ]:
        page.keyboard.press(key)
        expect(part(page, reached)).to_be_focused()
    page.keyboard.press("Enter")
    expect(part(page, "gradients/Sin_grad/mul")).to_be_visible()
    expect(part(page, SIN_GRAD)).to_be_focused()
    expect(part(page, SIN_GRAD)).to_have_attribute("aria-expanded", "true")


def test_a_selected_node_shows_its_full_name(page: Page) -> None:
    part(page, "Sin").click()
    expect(page.locator(".graph-caption")).to_have_text("Sin · Sin")
    expect(part(page, "Sin")).to_have_attribute("aria-pressed", "true")


def test_the_fit_button_brings_a_zoomed_graph_back(page: Page) -> None:
    before = top_middle(page, "Sin")
    page.get_by_role("button", name="Zoom in").click()
    assert top_middle(page, "Sin") != before
    page.get_by_role("button", name="Fit the whole graph").click()
    x, y = top_middle(page, "Sin")
    assert abs(x - before[0]) < 1
    assert abs(y - before[1]) < 1


def test_new_values_change_texts_and_move_nothing(page: Page) -> None:
    before = part(page, "Sin").element_handle()
    page.get_by_role("slider", name="Slide x").fill("2")
    expect(part(page, "Sin").locator(".value")).to_have_text("0.9093")
    assert before.evaluate("(node) => node.isConnected")


def test_x_times_x_shows_two_lines_into_its_product(page: Page) -> None:
    type_program(page, "y = x * x")
    expect(part(page, "mul")).to_be_visible()
    expect(page.locator('.edge[data-key*=" x/ mul "]')).to_have_count(2)


def test_a_loop_of_300_turns_is_one_series_that_opens_and_is_drawn_in_part(page: Page) -> None:
    loop = "for i in range(300):\n    y = tf.sin(y)\n"
    type_program(
        page,
        f"import tensorflow as tf\nx = tf.Variable(1.0, name='x')\ny = x\n{loop}g = tf.gradients(y, [x])\n",
    )
    series = part(page, "Sin…Sin_299/")
    expect(series).to_contain_text("Sin ×300")
    series.dblclick()
    expect(part(page, "Sin")).to_be_attached()
    assert 0 < page.locator(".graph-view .item").count() < 300
    page.get_by_role("button", name="Undo the last change of the view").click()
    expect(series).to_have_attribute("aria-expanded", "false")


def test_the_graph_runs_in_the_direction_that_is_chosen(page: Page) -> None:
    for name, axis, sign in [("Top to bottom", 1, 1), ("Bottom to top", 1, -1), ("Left to right", 0, 1)]:
        with another_drawing(page):
            menu(page, name)
        (sin, exp) = (top_middle(page, key) for key in ("Sin", "Exp"))
        assert (exp[axis] - sin[axis]) * sign > 30, name
        assert abs(exp[1 - axis] - sin[1 - axis]) < 2, name


def test_a_page_loaded_again_right_after_a_choice_has_kept_it(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    page.evaluate("globalThis.setTimeout = () => 0")  # the page is left before anything that waits
    for name in ("Top to bottom", "Bottom to top"):  # the second takes the place of the first in the address
        address = page.url
        menu(page, name)
        expect(page).not_to_have_url(address)
    page.reload()
    page.wait_for_selector("html[data-graph-drawn]")
    assert top_middle(page, "Exp")[1] < top_middle(page, "Sin")[1]


def test_a_drawing_is_told_though_the_view_is_resized_before_it_is_finished(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    page.evaluate(RESIZED_WHILE_DRAWING)
    with another_drawing(page):
        menu(page, "Bottom to top")
    expect(page.locator("html")).to_have_attribute("data-graph-drawn", "9")


def test_a_drawing_of_the_text_before_is_not_told_as_that_of_the_present_text(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    page.evaluate("addEventListener('graph-drawn', () => (document.documentElement.dataset.old = 'drawn'))")
    with another_drawing(page), answers_held(page):
        type_program(page, "f = x*y*z")
        menu(page, "Bottom to top")
        page.wait_for_selector("html[data-old]")
        next_frame(page)
        assert page.locator("html[data-graph-drawn]").count() == 0
    expect(part(page, "z/")).to_be_visible()


def test_the_arrow_key_that_points_with_the_flow_follows_the_computation(page: Page) -> None:
    with another_drawing(page):
        menu(page, "Bottom to top")
    part(page, "Sin").focus()
    for key, reached in [("ArrowUp", "Exp"), ("ArrowRight", "gradients/Exp_grad/"), ("ArrowUp", SIN_GRAD)]:
        page.keyboard.press(key)
        expect(part(page, reached)).to_be_focused()
