"""Writing the same computation as mathematics or for another framework."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, OpenPage, type_program

pytestmark = AT_TENSORFLOW


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Write as").click()


def test_one_click_puts_another_language_in_place_of_the_text_and_undo_brings_it_back(page: Page) -> None:
    open_menu(page)
    page.get_by_role("button", name="TensorFlow 1", exact=True).click()
    editor = page.locator(".cm-content")
    expect(editor).to_contain_text("y = tf.exp(tf.sin(x))")
    expect(page.get_by_role("combobox", name="Read as")).to_contain_text("TensorFlow 1")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(editor).to_have_text("y = exp(sin(x))")
    expect(page.get_by_role("textbox", name="Value of x")).to_have_value("3")


def test_the_editors_own_undo_brings_the_text_back(page: Page) -> None:
    open_menu(page)
    page.keyboard.press("Tab")  # the menu follows its button
    page.get_by_role("button", name="LaTeX", exact=True).press("Enter")
    editor = page.locator(".cm-content")
    expect(editor).to_contain_text(r"\exp\left(\sin\left(x\right)\right)")
    page.keyboard.press("Escape")
    editor.click()
    page.keyboard.press("ControlOrMeta+z")
    expect(editor).to_have_text("y = exp(sin(x))")


def test_a_program_is_saved_under_a_name_of_its_own(page: Page) -> None:
    open_menu(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save: numpy").click()
    assert saving.value.suggested_filename == "program_numpy.py"
    assert "d_x = 1.0 * y * np.cos(x)" in saving.value.path().read_text()


def test_what_the_page_does_not_read_is_shown_in_the_menu_the_function_by_which_it_runs_too(
    page: Page,
) -> None:
    open_menu(page)
    shown = page.locator("#writing pre")
    page.get_by_role("button", name="numpy", exact=True).click()
    expect(shown).to_contain_text("d_x = 1.0 * y * np.cos(x)")
    page.get_by_role("button", name="How it runs (generated Python)", exact=True).click()
    expect(shown).to_contain_text("v3 = cos(x0)  # gradients/Sin_grad/Cos")
    expect(page.get_by_label("How it runs (generated Python):")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    expect(page.locator(".cm-content")).to_have_text("y = exp(sin(x))")


def test_how_it_runs_is_told_of_the_optimizer_whose_steps_are_shown(page: Page) -> None:
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does pow send back?")
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 1")
    open_menu(page)
    page.get_by_role("button", name="How it runs (generated Python)", exact=True).click()
    expect(page.locator("#writing pre")).to_contain_text("# GradientDescent/update_x/ApplyGradientDescent")
    page.keyboard.press("Escape")
    type_program(page, "y = sin(x)")  # which no optimizer has run
    expect(page.locator("gl-step .sentence")).to_contain_text("sin")
    open_menu(page)
    page.get_by_role("button", name="How it runs (generated Python)", exact=True).click()
    expect(page.locator("#writing pre")).to_contain_text("sin(x0)")
    expect(page.locator("#writing pre")).not_to_contain_text("ApplyGradientDescent")


def test_what_has_no_words_is_told_in_the_menu(page: Page) -> None:
    type_program(
        page, "import tensorflow as tf\nA = tf.Variable([[1., 2.], [3., 4.]])\ny = tf.reduce_sum(A, 1)"
    )
    expect(page.get_by_role("combobox", name="Read as")).to_contain_text("TensorFlow 1")
    open_menu(page)
    page.get_by_role("button", name="mathematics", exact=True).click()
    expect(page.locator("#writing .trouble")).to_contain_text("Sum cannot be written in mathematics")


def test_the_menu_fits_a_phone_and_speaks_chinese(open_page: OpenPage) -> None:
    page = open_page("small", locale="zh-CN")
    page.get_by_role("button", name="输入", exact=True).click()
    page.get_by_role("button", name="改写为").click()
    box = page.locator("#writing").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.get_by_role("button", name="TensorFlow 2", exact=True).click()
    expect(page.locator("#writing .note")).to_contain_text("文本已改写为 TensorFlow 2。")
    expect(page.locator(".cm-content")).to_contain_text("GradientTape")


def test_reading_the_text_in_another_language_by_hand_loses_nothing(page: Page) -> None:
    page.get_by_role("combobox", name="Read as").select_option("tf1")
    expect(page.locator(".message.error")).to_be_visible()
    page.get_by_role("combobox", name="Read as").select_option("math")
    expect(page.locator(".message.error")).to_have_count(0)
    expect(page.locator(".cm-content")).to_have_text("y = exp(sin(x))")
    expect(page.get_by_role("textbox", name="Value of x")).to_have_value("3")
