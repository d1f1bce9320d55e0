"""The optimizer: y = x² from 3 with rate 0.01, whose k-th x is 3 · 0.98^k."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import (
    AT_TENSORFLOW,
    OpenPage,
    expect_value,
    menu,
    open_tool,
    type_program,
    wait_until,
)
from tests.browser.graph.test_gallery_drawings import OPEN

pytestmark = AT_TENSORFLOW


@pytest.fixture
def square(page: Page) -> Page:
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does pow send back?")
    page.get_by_role("button", name="Last step").click()
    expect(page.locator("table.pairs tbody td").first).to_have_text("6")
    return page


def expect_row(page: Page, row: int, cells: list[str]) -> None:
    """The row shown, and the pair's four cells: gradient, processed, old, new."""
    expect(page.locator("gl-optimizer .count")).to_have_text(f"step {row}")
    expect(page.locator("table.pairs tbody td:not(.gap)")).to_have_text(cells)


def test_one_step_moves_x_to_2_94(square: Page) -> None:
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 1, ["6", "6", "3", "2.94"])
    expect(square.locator("gl-optimizer .update-sentence")).to_have_text("x ← 3 − 0.01 × 6 = 2.94")


@pytest.mark.modules
def test_the_lesson_of_a_program_that_has_trained_has_the_numbers_of_its_first_update(page: Page) -> None:
    page.evaluate(OPEN, "g12")  # 200 updates, to w = 2 and b = 1
    page.get_by_role("button", name="Last step").click()
    expect(page.locator("gl-step .sentence")).to_have_text("b ← 0 − 0.1 × −8 = 0.8.")
    open_tool(page, "Table")
    expect_value(page, "gradients/add_grad/tuple/control_dependency_1", "−8")
    open_tool(page, "Optimizer")
    expect(page.locator("table.pairs tbody td")).to_have_text(["−17", "?", "0", "?", "−8", "?", "0", "?"])


def test_the_table_has_the_gradients_of_the_step_that_is_shown(square: Page) -> None:
    square.get_by_role("button", name="Step", exact=True).click()
    expect(square.locator("gl-optimizer .count")).to_have_text("step 1")
    square.wait_for_load_state("networkidle")  # the update's lesson has come
    square.get_by_role("tab", name="Table").click()
    row = square.locator("table.nodes tr").filter(has_text="VariableV2").locator("td.number")
    expect(row).to_have_text(["3", "6"])  # d(x²)/dx = 2x before the update
    square.get_by_role("button", name="Back", exact=True).first.click()  # into the update
    expect(square.locator("gl-step .count")).to_contain_text("Update 1")
    expect(square.get_by_role("textbox", name="Value of x")).to_have_value("3")


def test_the_essentials_stay_essential_in_a_run_which_adds_the_update(square: Page) -> None:
    menu(square, "The essentials")
    drawn = square.locator(".graph-view .item:not(.tag)")
    expect(drawn.and_(square.locator('[data-key="x"]'))).to_be_visible()  # with its read it would be a scope
    square.get_by_role("button", name="Step", exact=True).click()
    expect(square.locator('.graph-view [data-key^="GradientDescent/update"]').first).to_be_visible()
    expect(drawn.and_(square.locator('[data-key="x"]'))).to_be_visible()


def test_a_hundred_steps_reach_0_3979_and_back_is_a_view(square: Page) -> None:
    square.get_by_role("button", name="×100").click()
    expect_row(square, 100, ["0.812", "0.812", "0.406", "0.3979"])
    square.get_by_role("button", name="×10", exact=True).click()
    expect(square.locator("gl-optimizer .count")).to_have_text("step 110")
    for _ in range(10):
        square.locator("gl-optimizer").get_by_role("button", name="Back").click()
    expect_row(square, 100, ["0.812", "0.812", "0.406", "0.3979"])
    expect(square.locator(".curve .plot")).to_have_attribute(
        "aria-label", "Loss from 9 to 0.1057 over 110 steps; at step 100 it is 0.1583."
    )


@pytest.mark.modules
def test_a_loss_that_ends_at_once_shows_its_one_number_and_where_it_ended_and_why(page: Page) -> None:
    page.evaluate(OPEN, "g28")  # y = log(x) at 0.05
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".stages .message")).to_contain_text("Stopped at step 1: not finite.")
    expect(page.locator(".curve .plot")).to_have_attribute(
        "aria-label", re.compile("^Loss from −2.996 to NaN")
    )
    expect(page.locator(".curve canvas")).to_be_visible()
    wait_until(page, f"['--update', '--error'].every({PAINTED})")  # the number, and the line where they end


PAINTED = """(name) => {
  const canvas = document.querySelector(".curve canvas");
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  probe.remove();
  const { width, height } = canvas;
  const sheet = Object.assign(document.createElement("canvas"), { width, height });
  const copy = sheet.getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const isWanted = (at) => wanted.every((part, i) => Math.abs(data[at + i] - part) < 8);
  for (let at = 0; at < data.length; at += 4) if (isWanted(at)) return true;
  return false;
}"""


def test_clipping_shows_the_gradient_before_and_after(square: Page) -> None:
    square.get_by_role("combobox", name="Process").select_option("clip_by_norm")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 1, ["6", "5", "3", "2.95"])  # 3 − 0.01 · 5


def test_what_is_done_to_the_gradient_from_now_on_is_told_from_now_on(square: Page) -> None:
    square.get_by_role("button", name="Step", exact=True).click()
    square.get_by_role("combobox", name="Process").select_option("scale")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 2, ["5.88", "29.4", "2.94", "2.646"])  # 2.94 − 0.01 · 5 · 5.88
    expect(square.locator("gl-optimizer .update-sentence")).to_have_text("x ← 2.94 − 0.01 × 29.4 = 2.646")


def test_a_gradient_within_the_limit_is_called_unchanged(square: Page) -> None:
    square.get_by_role("combobox", name="Process").select_option("clip_by_norm")
    square.get_by_role("textbox", name="Largest norm").fill("7")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect(square.locator("table.pairs tbody td").nth(1)).to_have_text("6 unchanged")


def test_a_new_rate_acts_on_the_next_step(square: Page) -> None:
    square.get_by_role("button", name="Step", exact=True).click()
    square.get_by_role("textbox", name="Learning rate").fill("0.5")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 2, ["5.88", "5.88", "2.94", "0"])  # 2.94 − 0.5 · 5.88


def test_a_rate_that_is_being_typed_stays_while_an_answer_arrives(square: Page) -> None:
    square.get_by_role("textbox", name="Learning rate").fill("0.5")
    square.get_by_role("button", name="Step", exact=True).dispatch_event("click")  # the field keeps its focus
    expect(square.locator("gl-optimizer .count")).to_have_text("step 1")
    expect(square.get_by_role("textbox", name="Learning rate")).to_have_value("0.5")


def test_a_rate_that_is_too_large_says_where_it_ended(square: Page) -> None:
    square.get_by_role("textbox", name="Learning rate").fill("1.1")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="×100").click()
    expect(square.locator("gl-optimizer .message")).to_contain_text("learning rate")


def test_the_rate_that_is_offered_instead_converges(square: Page) -> None:
    rate = square.get_by_role("textbox", name="Learning rate")
    rate.fill("1.1")
    square.keyboard.press("Tab")
    square.locator("button.step-1000").click()
    told = square.locator("gl-optimizer .message")
    expect(told).to_contain_text("Diverged at step 190.")  # 1.44^190 is beyond 1e30
    told.get_by_role("button", name="Begin again with η = 0.5").click()  # 1/L, as the note says
    expect(told).to_contain_text("Converged at step 1.")
    expect(square.get_by_role("button", name="Stop")).to_be_focused()
    expect(rate).to_have_value("0.5")
    expect(square.locator(".curve .plot")).to_have_attribute("aria-label", re.compile("^Loss from 9 to 0 "))


def test_a_tenth_is_offered_where_no_bound_is_known(page: Page) -> None:
    type_program(page, "y = x^4")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does pow send back?")
    page.get_by_role("textbox", name="Learning rate").fill("0.5")
    page.keyboard.press("Tab")
    page.locator("button.step-100").click()
    told = page.locator("gl-optimizer .message")
    expect(told.get_by_role("button", name="Begin again with η = 0.05")).to_be_visible()


def test_a_loss_has_the_same_digits_wherever_it_is_told(square: Page) -> None:
    square.get_by_role("textbox", name="Learning rate").fill("0.9")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="×100", exact=True).click()
    loss = "3.735×10⁻¹⁹"  # 9 · 0.64^100
    expect(square.locator("gl-step .result strong")).to_have_text(loss)
    expect(square.locator(".curve .plot")).to_have_attribute(
        "aria-label", re.compile(f"to {loss} .* it is {loss}")
    )
    square.locator('.graph-view .item[data-key="pow"]').click()
    before = "5.835×10⁻¹⁹"  # 9 · 0.64^99, which the last update began with
    expect(square.locator("gl-step .result .from")).to_have_text(f"{before} →")
    open_tool(square, "Table")
    expect_value(square, "pow", before)


def test_a_smaller_rate_after_going_astray_begins_at_the_start(square: Page) -> None:
    rate = square.get_by_role("textbox", name="Learning rate")
    for entered, count in (("1.1", "×1\u202f000"), ("0.1", "Step")):
        rate.fill(entered)
        square.keyboard.press("Tab")
        square.locator("gl-optimizer").get_by_role("button", name=count, exact=True).click()
        expect(square.locator("gl-optimizer .count")).to_have_text(re.compile("step (190|1)$"))
    expect_row(square, 1, ["6", "6", "3", "2.4"])  # 3 − 0.1 · 6


def test_the_log_of_a_negative_number_names_its_node_and_a_remedy(page: Page) -> None:
    type_program(page, "y = log(x)")
    page.locator(".variable .value").fill("0.05")
    page.keyboard.press("Tab")
    expect(page.locator("table.pairs tbody td").nth(2)).to_have_text("0.05")
    page.get_by_role("button", name="×10", exact=True).click()
    told = page.locator("gl-optimizer .message")
    expect(told).to_contain_text("Stopped at step 1: not finite.")
    expect(told).to_contain_text(
        "The log of a negative number, −0.15, is not defined. Try a smaller learning rate"
    )
    told.get_by_role("button", name="Log").click()
    expect(page.locator(".selection")).to_contain_text("Log")


def test_momentum_shows_its_velocity_and_keeps_it_when_the_rate_changes(square: Page) -> None:
    square.get_by_role("combobox", name="Optimizer").select_option("Momentum")
    square.get_by_role("button", name="Step", exact=True).click()
    slot = square.locator("table.pairs tr.slot")
    expect(slot).to_have_text(re.compile(r"momentum\s*0\s*6"))
    expect(square.locator("gl-optimizer .update-sentence")).to_have_text("x: 3 → 2.94")
    square.get_by_role("textbox", name="Learning rate").fill("0.1")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect(slot).to_have_text(re.compile(r"momentum\s*6\s*11.28"))  # 0.9 · 6 + 5.88
    expect(square.locator("table.pairs tbody strong")).to_have_text("1.812")  # 2.94 − 0.1 · 11.28


def test_another_optimizer_begins_with_its_own_state_and_takes_another_rate(square: Page) -> None:
    choice = square.get_by_role("combobox", name="Optimizer")
    choice.select_option("keras.Adam")
    square.get_by_role("button", name="Step", exact=True).click()
    expect(square.locator("gl-optimizer .count")).to_have_text("step 1")
    choice.select_option("Momentum")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 2, ["5.98", "5.98", "2.99", "2.93", "0", "5.98"])  # a velocity of 0, then g
    square.get_by_role("textbox", name="Learning rate").fill("0.1")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 3, ["5.86", "5.86", "2.93", "1.806", "5.98", "11.24"])  # 0.9 · 5.98 + 5.86


def test_a_hundred_steps_of_momentum_and_of_adam(square: Page) -> None:
    square.get_by_role("combobox", name="Optimizer").select_option("Momentum")
    square.get_by_role("button", name="×100").click()
    expect(square.locator("table.pairs tbody strong")).to_have_text("0.01268")
    square.get_by_role("button", name="Reset").click()
    square.get_by_role("combobox", name="Optimizer").select_option("Adam")
    square.get_by_role("button", name="×100").click()
    expect(square.locator("table.pairs tbody strong")).to_have_text(re.compile(r"2\.06\d"))


def test_optimizers_stand_by_family_and_bring_their_parameters(square: Page) -> None:
    families = square.get_by_role("combobox", name="Optimizer").locator("optgroup")
    expect(families).to_have_count(2)
    assert [family.get_attribute("label") for family in families.all()] == ["TensorFlow 1", "Keras"]
    square.get_by_role("combobox", name="Optimizer").select_option("keras.Adam")
    expect(square.get_by_role("textbox", name="beta_1")).to_have_value("0.9")
    expect(square.get_by_role("checkbox", name="amsgrad")).not_to_be_checked()
    expect(square.locator("gl-optimizer .katex-display")).to_have_count(1)


def test_a_schedule_halves_the_rate_from_step_to_step(square: Page) -> None:
    square.get_by_role("combobox", name="Schedule").select_option("exponential_decay")
    square.get_by_role("textbox", name="decay_steps").fill("1")
    square.keyboard.press("Tab")
    for _ in range(2):
        square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 2, ["5.88", "5.88", "2.94", "2.911"])  # 2.94 − 0.005 · 5.88


def test_a_list_of_numbers_is_whole_in_its_field(square: Page) -> None:
    square.get_by_role("combobox", name="Schedule").select_option("piecewise_constant")
    values = square.get_by_role("textbox", name="values")
    expect(values).to_have_value("0.1,0.01")
    assert values.evaluate("(field) => field.scrollWidth - field.clientWidth") == 0


def test_arriving_is_said_and_so_is_the_bound_on_the_rate(square: Page) -> None:
    square.get_by_role("textbox", name="Learning rate").fill("0.5")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect(square.locator("gl-optimizer .message")).to_contain_text("Converged at step 1.")
    expect(square.locator("gl-optimizer .stages .note")).to_contain_text("below 2/L = 1")


def test_the_rate_of_a_programs_own_optimizer_can_be_moved(page: Page) -> None:
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(3.)\n"
        "train = tf.train.MomentumOptimizer(0.5, 0.25).minimize(x * x)",
    )
    expect(page.get_by_role("combobox", name="Optimizer")).to_have_value("own")
    chosen = page.locator("optgroup[label='As the program builds it'] option:checked")
    expect(chosen).to_have_text("Momentum (own)")
    expect(page.locator("gl-optimizer .given")).to_contain_text("momentum 0.25")
    rate = page.get_by_role("textbox", name="Learning rate")
    expect(rate).to_have_value("0.5")
    rate.fill("0.25")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator("table.pairs tbody strong")).to_have_text("1.5")  # 3 − 0.25 · 6
    open_tool(page, "Table")
    expect_value(page, "Momentum/learning_rate", "0.25")  # and so it is drawn


def test_what_a_program_does_itself_stands_where_else_nothing_is_chosen(page: Page) -> None:
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(3.)\nstep = tf.Variable(0, trainable=False)\n"
        "opt = tf.train.GradientDescentOptimizer(tf.train.exponential_decay(0.1, step, 1, 0.5))\n"
        "pairs = [(tf.clip_by_norm(g, 2.), v) for g, v in opt.compute_gradients(x * x)]\n"
        "train = opt.apply_gradients(pairs, step)",
    )
    optimizer, *both = [
        page.get_by_role("combobox", name=name) for name in ("Optimizer", "Process", "Schedule")
    ]
    expect(optimizer).to_have_value("own")
    for choice in both:
        expect(choice.locator("option:checked")).to_have_text("as in the program")
    page.get_by_role("button", name="Step", exact=True).click()
    expect_row(page, 1, ["6", "2", "3", "2.8"])
    optimizer.select_option("Momentum")  # takes the gradients as they are
    expect(both[0].locator("option:checked")).to_have_text("none")
    expect(both[1].locator("option:checked")).to_have_text("constant rate")


LONG_NAMES = """import tensorflow as tf
x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
start = tf.constant_initializer(0.1)
h = tf.layers.dense(x, 3, activation=tf.tanh, kernel_initializer=start, name="hidden_layer")
loss = tf.reduce_mean(tf.square(tf.layers.dense(h, 1, kernel_initializer=start) - 1.0))
train = tf.train.RMSPropOptimizer(0.1).minimize(loss)
"""


@pytest.mark.parametrize("size", ["middle", "small"])
def test_long_names_and_lists_leave_table_and_curve_on_the_screen(open_page: OpenPage, size: str) -> None:
    page = open_page(size)
    navigation = page.get_by_role("navigation")
    if size == "small":
        navigation.get_by_role("button", name="Input").click()
    type_program(page, LONG_NAMES)
    if size == "small":
        navigation.get_by_role("button", name="Tools").click()
    open_tool(page, "Optimizer")
    expect(page.locator("table.pairs tbody th").first).to_have_text("hidden_layer/kernel")
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 10")
    for part in (".dock-body", ".stages"):
        assert page.locator(part).evaluate("(part) => part.scrollWidth - part.clientWidth") <= 0, part


def test_the_gradients_of_a_programs_own_optimizer_can_be_clipped(page: Page) -> None:
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(3.)\n"
        "train = tf.train.MomentumOptimizer(0.5, 0.25).minimize(x * x)",
    )
    expect(page.get_by_role("combobox", name="Optimizer")).to_have_value("own")
    page.get_by_role("combobox", name="Process").select_option("clip_by_norm")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator("table.pairs tbody strong")).to_have_text("0.5")  # 3 − 0.5 · 5


PATIENCE_FOR_ROWS_MS = 240_000  # tens of megabytes, which pass through the test, too
MANY_NUMBERS = """import tensorflow as tf
w = tf.Variable(tf.ones([784, 40]))
loss = tf.reduce_sum(w ** 2)
train = tf.train.AdamOptimizer(0.01).minimize(loss)
"""


def blank_all_but_the_last_row(route: Route) -> None:
    """The server's rows as a run that leaves out as many as it may sends them."""
    response = route.fetch(timeout=PATIENCE_FOR_ROWS_MS)
    events = [json.loads(line) for line in response.text().splitlines()]
    chunks = [event for event in events if event["type"] == "chunk"]
    for chunk in chunks:
        tables = [chunk["variables"], chunk["gradients"], chunk["processed"], *chunk["slots"].values()]
        for table in tables:
            for column in table.values():
                blank = len(column) - 1 if chunk is chunks[-1] else len(column)
                column[:blank] = [None] * blank
    route.fulfill(response=response, body="\n".join(json.dumps(event) for event in events) + "\n")


def test_single_steps_of_a_large_variable_are_kept_and_a_long_run_says_what_it_leaves_out(page: Page) -> None:
    type_program(page, MANY_NUMBERS)
    expect(page.locator("table.pairs tbody th").first).to_have_text("w")
    cells = page.locator("table.pairs tbody tr").first.locator("td")
    note = page.locator("gl-optimizer .note").filter(has_text="not kept")
    for step in (1, 2):
        page.get_by_role("button", name="Step", exact=True).click()
        expect(page.locator("gl-optimizer .count")).to_have_text(f"step {step}")
        expect(cells).to_have_text(["784×40"] * 4)
    expect(note).to_have_count(0)
    page.route("**/api/v1/runs", blank_all_but_the_last_row)  # which rows are whole depends on the clock
    page.get_by_role("button", name="×100", exact=True).click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 102", timeout=PATIENCE_FOR_ROWS_MS)
    expect(cells).to_have_text(["–", "–", "–", "784×40"])
    expect(note).to_be_visible()


def test_reset_returns_to_the_lesson(square: Page) -> None:
    square.get_by_role("button", name="×10", exact=True).click()
    square.get_by_role("button", name="Reset").click()
    expect_row(square, 0, ["6", "?", "3", "?"])
    expect(square.get_by_role("button", name="Reset")).to_be_disabled()


def test_a_loss_that_hardly_changes_is_drawn_level(page: Page) -> None:
    type_program(page, "w = [1, 2, 3]\ny = sum(w^2) * 1e-7")
    expect(page.locator("table.pairs tbody th")).to_have_text("w")
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".curve canvas")).to_be_visible()
    assert page.evaluate(f"({PAINTED})('--update')")


def test_long_numbers_leave_the_curve_within_its_panel(open_page: OpenPage) -> None:
    page = open_page("middle")
    page.get_by_role("button", name="Show the tools").click()
    type_program(page, "y = x^2")
    page.get_by_role("textbox", name="Learning rate").fill("1.1")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="×100", exact=True).click()
    expect(page.locator("table.pairs tbody td").last).to_have_text("2.485×10⁸")
    body = page.locator(".dock-body")
    assert body.evaluate("(body) => body.scrollWidth - body.clientWidth") == 0


def test_the_table_and_the_curve_stand_apart_on_a_narrow_window(open_page: OpenPage) -> None:
    page = open_page("middle")
    page.get_by_role("button", name="Show the tools").click()
    page.get_by_role("combobox", name="Optimizer").select_option("Adam")
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".pairs .slot").first).to_be_visible()
    table, curve = page.locator(".pairs").bounding_box(), page.locator("gl-curve").bounding_box()
    assert table
    assert curve
    assert table["x"] + table["width"] + 12 <= curve["x"]


def test_a_row_has_the_formula_of_the_optimizer_that_made_it(square: Page) -> None:
    step = square.get_by_role("button", name="Step", exact=True)
    formula = square.locator("gl-step gl-formula annotation")
    step.click()
    expect_row(square, 1, ["6", "6", "3", "2.94"])
    expect(formula).to_contain_text(r"\theta_{t-1} - \eta\, g_t")
    square.get_by_role("combobox", name="Optimizer").select_option("Adam")
    expect(square.get_by_role("textbox", name="beta1")).to_be_visible()
    expect(formula).to_contain_text(r"\theta_{t-1} - \eta\, g_t")  # row 1 was made by gradient descent
    step.click()
    expect(square.locator("gl-optimizer .count")).to_have_text("step 2")
    expect(formula).to_contain_text(r"\beta_1")


def test_the_formula_is_that_of_the_variant_which_is_chosen_and_stays_that_of_its_rows(square: Page) -> None:
    optimizer = square.get_by_role("combobox", name="Optimizer")
    optimizer.focus()  # fetches the catalogue
    optimizer.select_option("Momentum")
    source = square.locator("gl-step gl-formula annotation").first
    square.get_by_role("button", name="Step", exact=True).click()
    expect(source).to_contain_text(r"\theta_{t-1} - \eta\, v_t")
    square.get_by_role("checkbox", name="use_nesterov").check()
    square.get_by_role("button", name="Step", exact=True).click()
    expect(source).to_contain_text(r"\theta_{t-1} - \eta\,(g_t + \mu\, v_t)")
    expect(source).not_to_contain_text("Nesterov")
    square.locator("gl-optimizer").get_by_role("button", name="Back").click()
    expect(source).to_contain_text(r"\theta_{t-1} - \eta\, v_t")


@pytest.mark.parametrize("name", ["Momentum", "RMSProp", "keras.Adam", "keras.Nadam"])
def test_the_formula_of_an_update_is_whole_in_its_full_size(square: Page, name: str) -> None:
    optimizer = square.get_by_role("combobox", name="Optimizer")
    optimizer.focus()
    optimizer.select_option(name)
    square.get_by_role("button", name="Step", exact=True).click()
    formula = square.locator("gl-step gl-formula").first
    expect(formula.locator(".katex")).to_be_visible()
    assert formula.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0
    assert formula.evaluate("({ style }) => style.fontSize") == ""
