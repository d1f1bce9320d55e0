"""Typing: other expressions, programs from articles, and mistakes shown at their place."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    AT_TENSORFLOW,
    answers_held,
    expect_value,
    next_frame,
    node_value,
    open_tool,
    type_program,
    wait_until,
)

pytestmark = AT_TENSORFLOW


@pytest.mark.parametrize(
    ("source", "node", "value"),
    [("sin(x)", "gradients/Sin_grad/Cos", "0.5403"), ("x^2", "gradients/pow_grad/mul", "2")],
)
def test_another_expression_is_drawn_as_it_is_typed(page: Page, source: str, node: str, value: str) -> None:
    type_program(page, source)
    page.get_by_role("textbox", name="Value of x").fill("1")
    page.keyboard.press("Enter")
    open_tool(page, "Table")
    expect(page.locator('.graph-view [data-key="Exp"]')).to_have_count(
        0
    )  # the last step is that of this graph
    expect(node_value(page, node)).to_be_visible()
    page.get_by_role("button", name="Last step").click()
    expect_value(page, node, value)


def test_a_slider_changes_every_value(page: Page) -> None:
    open_tool(page, "Table")
    page.get_by_role("slider", name="Slide x").fill("0")
    expect_value(page, "Exp", "1")  # exp(sin 0)
    expect(page.get_by_role("textbox", name="Value of x")).to_have_value("0")


def test_a_number_being_typed_stays_as_an_answer_arrives(page: Page) -> None:
    field = page.get_by_role("textbox", name="Value of x")
    with answers_held(page):
        type_program(page, "y = log(x)")
        field.fill("0.05")
    expect(page.locator('.graph-view [data-key="Log"]')).to_be_visible()
    expect(field).to_have_value("0.05")
    page.keyboard.press("Tab")
    open_tool(page, "Table")
    expect_value(page, "x", "0.05")


def test_escape_gives_back_what_stood_there(page: Page) -> None:
    field = page.get_by_role("textbox", name="Value of x")
    field.fill("0.05")
    page.keyboard.press("Escape")
    expect(field).to_have_value("3")


def test_what_is_no_number_stays_in_its_field_with_the_reason(page: Page) -> None:
    field = page.get_by_role("textbox", name="Value of x")
    field.fill("three")
    page.keyboard.press("Tab")
    expect(field).to_have_value("three")
    expect(field).to_have_accessible_description(re.compile("“three” is no number here"))
    field.press("Escape")
    expect(field).to_have_value("3")
    expect(page.locator("gl-input .mistake")).to_have_count(0)
    rate = page.get_by_role("textbox", name="Learning rate")
    for text, reason in (("1e400", "is no number here"), ("-1", "is not above 0")):
        rate.fill(text)
        page.keyboard.press("Tab")
        expect(rate).to_have_value(text)
        expect(page.locator("gl-optimizer .mistake")).to_contain_text(reason)
    page.get_by_role("slider", name="Slide the learning rate").fill("-1")  # set elsewhere: 10⁻¹
    expect(rate).to_have_value("0.1")
    expect(page.locator("gl-optimizer .mistake")).to_have_count(0)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("pi/2", "1.571"), ("1e-3", "0.001"), ("√2", "1.414"), ("2/3", "0.6667"), ("-π", "−3.142")],
)
def test_a_value_is_typed_as_on_paper(page: Page, typed: str, shown: str) -> None:
    page.get_by_role("textbox", name="Value of x").fill(typed)
    page.keyboard.press("Enter")
    open_tool(page, "Table")
    expect_value(page, "x", shown)


def test_a_long_formula_is_broken_into_lines(page: Page) -> None:
    type_program(page, "y = (x - 2)^2 * sin(3 * x) + 0.1 * x^4 + exp(-x^2) * cos(2 * x)")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does mul_")
    assert page.locator(".cm-scroller").evaluate("(box) => box.scrollWidth - box.clientWidth") == 0


@pytest.mark.folded
@pytest.mark.parametrize("size", [(1024, 768), (1440, 700)])
def test_in_a_low_panel_a_mistake_is_told_in_sight(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.reload()  # as a visitor with such a window finds it
    expect(page.locator(".editor.ready")).to_be_visible()
    type_program(page, "import tensorflow as tf\nx = tf.Variable(2.0)\nfor i in range(3)\n    print(x)\n")
    expect(page.locator(".message.error")).to_be_in_viewport(ratio=1)
    if size[0] < 1200:
        page.get_by_role("button", name="Show the tools").click()
        expect(page.locator(".message.error")).to_be_in_viewport(ratio=1)
        type_program(page, "y = exp(sin(x)) + foo(3,")
        expect(page.locator(".message.error")).to_contain_text("foo")
        expect(page.locator(".message.error")).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Hide the tools").click()
    type_program(page, "y = log(x)")
    slider = page.get_by_role("slider", name="Slide x")
    expect(page.locator(".message.error")).to_have_count(0)
    slider.focus()
    before = slider.bounding_box()
    slider.fill("-1")
    expect(page.locator(".message").first).to_be_attached()
    assert slider.bounding_box() == before  # it stays under the pointer


def test_in_a_low_panel_a_warning_about_a_program_is_told_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.reload()
    expect(page.locator(".editor.ready")).to_be_visible()
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(-1.0)\nwith tf.GradientTape() as t:\n"
        "    y = tf.math.log(x) * x\nprint(t.gradient(y, x))\n",
    )
    expect(page.locator(".message.warning")).to_be_in_viewport(ratio=1)


TWO_MISTAKES = """import tensorflow as tf
x = tf.placeholder(tf.float32, [32, 784])
w = tf.Variable(tf.zeros([128, 10]), name="w")
y = tf.matmul(x, w)
with tf.Seesion() as sess:
    pass
"""


@pytest.mark.folded
def test_on_a_low_screen_two_mistakes_have_the_room_of_the_step(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 600})
    page.reload()
    expect(page.locator(".editor.ready")).to_be_visible()
    type_program(page, TWO_MISTAKES)
    expect(page.locator(".message.error")).to_have_count(2)
    for message in page.locator(".message.error").all():
        expect(message).to_be_in_viewport(ratio=1)
    expect(page.locator("gl-step")).to_be_hidden()
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_be_in_viewport()


COVERED = """(step) => {
  const text = document.querySelector("gl-input").getBoundingClientRect();
  return step.getBoundingClientRect().top < text.bottom && step.getBoundingClientRect().left < text.right;
}"""


@pytest.mark.parametrize("size", [(1440, 700), (1280, 540), (1024, 768)])
def test_beside_open_tools_the_first_mistake_comes_into_sight(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    type_program(page, TWO_MISTAKES)
    expect(page.locator(".message.error")).to_have_count(2)
    expect(page.locator(".message.error").first).to_be_in_viewport(ratio=1)
    type_program(page, "import tensorflow as tf\nx = tf.Variable(2.0)\ny = tf.gradients(x * x, x)\n")
    expect(page.locator(".message.error")).to_have_count(0)
    assert page.locator("gl-step").evaluate(COVERED) is False


def test_a_mistake_keeps_the_graph_and_is_shown_at_its_place(page: Page) -> None:
    drawn = page.locator("html").get_attribute("data-graph-drawn")
    type_program(page, "y = exp(sinn(x))")
    message = page.locator(".message.error")
    expect(message).to_contain_text("line 1, column 9")
    expect(message).to_contain_text("sin")
    expect(page.locator(".mark-error")).to_have_text("sinn")
    notice = page.get_by_text("Drawn from the last text that could be read")
    expect(notice).to_be_visible()
    beneath, picture = notice.bounding_box(), page.locator(".graph-stage").bounding_box()
    assert beneath
    assert picture
    assert (
        beneath["y"] >= picture["y"] + picture["height"]
    )  # it covers neither the graph nor the row above it
    assert page.locator("html").get_attribute("data-graph-drawn") == drawn
    type_program(page, "y = exp(sin(x))")
    expect(notice).to_be_hidden()


def test_a_message_selects_its_place_so_that_typing_mends_it(page: Page) -> None:
    type_program(page, "y = exp(sinn(x))")
    page.get_by_role("button", name="line 1, column 9").click()
    page.keyboard.type("sin")
    expect(page.locator(".cm-content")).to_contain_text("y = exp(sin(x))")
    expect(page.locator(".message.error")).to_have_count(0)


PAIRS = """\
a = tf.Variable(initial_value=50., dtype='float32')
b = tf.Variable(initial_value=10., dtype='float32')
pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(b * a, [b, a])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(pairs))
"""

SQUARE = """\
import tensorflow as tf
v = tf.Variable(3.)
target = tf.square(v)
opt = tf.train.GradientDescentOptimizer(learning_rate=0.01)
step_op = opt.minimize(target)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for k in range(100):
        _, target_value, v_value = session.run([step_op, target, v])
        print("step %d: x %f, y %f" % (k, v_value, target_value))
"""


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (PAIRS, "[(50.0, 10.0), (10.0, 50.0)]"),
        (SQUARE, "step 0: x 2.940000, y 9.000000"),
        (SQUARE, "step 99: x 0.397859, y 0.164818"),
    ],
    ids=["pairs", "square-first", "square-last"],
)
def test_a_program_from_an_article_prints_what_tensorflow_prints(page: Page, source: str, line: str) -> None:
    type_program(page, source)
    expect(page.locator(".printed")).to_contain_text(line)
    expect(page.get_by_role("combobox", name="Read as")).to_contain_text("TensorFlow 1")


def test_a_programs_own_summary_writer_is_answered_with_the_event_file(page: Page) -> None:
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(3.)\ny = tf.sin(x)\n"
        'writer = tf.summary.FileWriter("logs")\nwriter.add_graph(tf.get_default_graph())\n',
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the event file for TensorBoard").click()
    assert "events.out.tfevents" in download.value.suggested_filename


PASTE = """(editor, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def test_a_pasted_program_is_seen_from_the_beginning_of_its_lines(page: Page) -> None:
    editor, scroller = page.locator(".cm-content"), page.locator(".cm-scroller")
    type_program(page, "import tensorflow as tf\nx = tf.Variable(3.)")
    expect(page.locator("html[data-text='program']")).to_be_attached()
    editor.evaluate(PASTE, f"\nz = x {'+ x ' * 50}")
    expect(page.locator(".cm-line")).to_have_count(3)
    next_frame(page)  # as it is drawn it is scrolled
    assert scroller.evaluate("one => one.scrollLeft") == 0
    editor.evaluate(PASTE, " + x")  # within a line the place that is typed at stays in sight
    wait_until(page, "document.querySelector('.cm-scroller').scrollLeft > 0")


def test_a_formula_that_can_be_read_in_two_ways_is_written_the_other_way_with_a_button(page: Page) -> None:
    other = page.get_by_role("button", name="Read it the other way")
    type_program(page, "y = 2πr")
    expect(page.locator(".message.note")).to_contain_text("πr is read as π r.")
    with answers_held(page):
        type_program(page, "y = 3πr")
        expect(page.locator(".message.note")).to_be_visible()
        expect(other).to_have_count(0)  # it would write the text before
    other.click()
    expect(page.locator(".cm-line")).to_have_text(["πr = 1", "y = 3πr"])
    expect(page.locator(".message.note")).to_have_count(0)
    open_tool(page, "Table")
    expect_value(page, "mul", "3")
    page.locator(".cm-content").press("Control+z")
    expect(page.locator(".cm-line")).to_have_text(["y = 3πr"])
