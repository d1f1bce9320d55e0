"""A class in two browsers: the teacher's page, and a student's on a phone; each in a language of its own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import OpenPage

SENTENCE = "gl-step .sentence"


@pytest.fixture
def teacher(open_page: OpenPage) -> Page:
    """The page of somebody who has started a class on the chain rule's example."""
    page = open_page(path="/?example=g01")
    page.get_by_role("button", name="Class", exact=True).click()
    page.get_by_role("button", name="Start a class").click()
    expect(page.locator(".class-code")).to_have_text(re.compile("^[2-9A-Z]{4}-[2-9A-Z]{4}$"))
    return page


def join(open_page: OpenPage, teacher: Page, size: str = "wide") -> Page:
    """Somebody who opens the address that the class is shown."""
    code = teacher.locator(".class-code").inner_text()
    page = open_page(size, "zh-CN", path=f"/j/{code}")
    expect(page.locator(".class-label")).to_be_visible()
    return page


def test_a_student_sees_what_the_teacher_shows_in_a_language_of_their_own(
    open_page: OpenPage, teacher: Page
) -> None:
    student = join(open_page, teacher, "small")
    teacher.get_by_role("button", name="Next step").click()
    expect(teacher.locator(SENTENCE)).to_contain_text("exp(sin x) = 1.152 changes")
    expect(student.locator(SENTENCE)).to_contain_text("exp(sin x) = 1.152 的变化")
    teacher.get_by_role("button", name="x = π/2").click()
    expect(student.locator("gl-input .variables input").first).to_have_value("1.5707963267948966")
    expect(teacher.locator(".class-bar")).to_contain_text("1 student")


def test_who_explores_alone_is_left_alone_and_comes_back(open_page: OpenPage, teacher: Page) -> None:
    student = join(open_page, teacher)
    student.get_by_role("button", name="自己探索").click()
    before = student.locator(SENTENCE).inner_text()
    teacher.get_by_role("button", name="Next step").click()
    expect(teacher.locator(SENTENCE)).to_contain_text("exp(sin x) = 1.152 changes")
    expect(student.get_by_role("button", name="回到课堂")).to_be_visible()
    assert student.locator(SENTENCE).inner_text() == before
    student.get_by_role("button", name="回到课堂").click()
    expect(student.locator(SENTENCE)).to_contain_text("exp(sin x) = 1.152 的变化")


def test_a_question_goes_from_asking_to_revealing(open_page: OpenPage, teacher: Page) -> None:
    student = join(open_page, teacher)
    teacher.get_by_role("button", name="Ask: which number?").click()
    field = student.locator(".class-question input")
    field.fill("1")  # passed on unchanged
    field.press("Enter")
    expect(student.locator(".class-said")).to_contain_text("你的答案是 1")
    expect(teacher.locator(".class-asked")).to_contain_text("1 of 1 answered")
    expect(teacher.locator(".class-histogram")).to_have_count(0)
    teacher.locator(".class-question").get_by_role("button", name="Close").click()
    expect(teacher.locator(".class-histogram")).to_contain_text("passed on unchanged")
    expect(student.locator(".class-question input")).to_have_count(0)
    expect(student.locator(".class-histogram")).to_have_count(0)
    teacher.get_by_role("button", name="Reveal").click()
    expect(student.locator(".class-said")).to_contain_text("正确答案是 1.152")
    expect(student.locator(SENTENCE)).to_contain_text("exp(sin x) = 1.152 的变化")
    expect(student.locator(".class-histogram")).to_have_count(0)  # fewer than five have answered


def test_lost_here_is_counted_for_the_teacher(open_page: OpenPage, teacher: Page) -> None:
    student = join(open_page, teacher)
    student.get_by_role("button", name="这里没看懂").click()
    expect(student.get_by_role("button", name="老师已知道")).to_be_disabled()
    expect(teacher.locator(".class-lost")).to_have_text("1 lost here")


@pytest.mark.own_tab
def test_both_come_back_after_the_page_is_loaded_again(open_page: OpenPage, teacher: Page) -> None:
    student = join(open_page, teacher)
    label = student.locator(".class-label").inner_text()
    code = teacher.locator(".class-code").inner_text()
    student.reload()
    expect(student.locator(".class-label")).to_have_text(label)
    teacher.reload()
    expect(teacher.locator(".class-code")).to_have_text(code)
    teacher.get_by_role("button", name="Next step").click()
    expect(student.locator(SENTENCE)).to_contain_text("exp(sin x) = 1.152 的变化")
    teacher.on("dialog", lambda dialog: dialog.accept())
    teacher.get_by_role("button", name="End class").click()
    expect(student.locator(".class-bar")).to_contain_text("课堂已结束")


def test_the_code_is_shown_large_with_a_qr_code(teacher: Page) -> None:
    teacher.locator(".class-code").click()
    card = teacher.locator(".class-card")
    expect(card.locator(".class-large")).to_be_visible()
    expect(card.get_by_role("img")).to_be_visible()
    teacher.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_wrong_code_is_said_at_its_field(open_page: OpenPage) -> None:
    refusal = {"detail": "There is no class with this code.", "status": 422, "code": "unknown_class"}
    page = open_page()
    page.route("**/join", lambda route: route.fulfill(status=422, json=refusal))
    page.get_by_role("button", name="Class", exact=True).click()
    page.get_by_label("Class code").fill("aaaabbbb")
    expect(page.get_by_label("Class code")).to_have_value("AAAA-BBBB")
    page.get_by_label("Class code").press("Enter")
    expect(page.locator("gl-join .mistake")).to_contain_text("There is no class with this code")


def test_a_busy_service_is_asked_again_by_those_who_join(open_page: OpenPage, teacher: Page) -> None:
    busy = [503, 503]

    def answer(route: Route) -> None:
        if busy:
            route.fulfill(status=busy.pop(), headers={"Retry-After": "0.1"}, json={})
        else:
            route.continue_()

    page = open_page("small")
    page.route("**/join", answer)
    page.get_by_role("button", name="Class", exact=True).click()
    page.get_by_label("Code").fill(teacher.locator(".class-code").inner_text())
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".class-label")).to_be_visible()
    assert busy == []


def test_a_student_has_the_tools_that_the_teacher_leaves(open_page: OpenPage, teacher: Page) -> None:
    teacher.locator(".class-tools summary").click()
    for tool in ("Race", "Table", "Ops"):
        teacher.get_by_role("checkbox", name=tool, exact=True).uncheck()
    expect(teacher.locator(".class-tools summary")).to_have_text("Tools of the class: 7 of 10")
    student = join(open_page, teacher)
    expect(student.locator(".dock-tabs button")).to_have_text(
        ["优化器", "损失曲线", "损失曲面", "比较导数", "改动对比", "大纲"]
    )
    teacher.get_by_role("checkbox", name="Table", exact=True).check()
    expect(student.get_by_role("tab", name="表格")).to_be_visible()
    teacher.reload()
    expect(teacher.locator(".class-tools summary")).to_have_text("Tools of the class: 8 of 10")


def test_a_locked_code_lets_nobody_else_in(open_page: OpenPage, teacher: Page) -> None:
    student = join(open_page, teacher)
    with teacher.expect_response(lambda answer: answer.request.method == "PUT"):
        teacher.get_by_role("button", name="Let nobody else in").click()
    code = teacher.locator(".class-code").inner_text()
    api = teacher.url.split("?")[0].rstrip("/") + "/api/v1"
    assert teacher.request.post(f"{api}/classes/{code}/join").status == 409
    student.reload()  # who is in stays in
    expect(student.locator(".class-label")).to_be_visible()
    late = open_page("small", "zh-CN", path=f"/j/{code}")
    expect(late.get_by_role("alert")).to_contain_text("这个课堂已不再接受新成员")


@pytest.mark.parametrize("size", ["wide", "small"])
def test_the_menu_to_join_stands_below_its_button_with_room_for_a_code(
    open_page: OpenPage, size: str
) -> None:
    page = open_page(size)
    button = page.get_by_role("button", name="Class", exact=True)
    button.click()
    field = page.get_by_label("Class code")
    expect(field).to_be_focused()
    menu, code, opener = (one.bounding_box() for one in (page.locator("#class-menu"), field, button))
    assert menu is not None
    assert code is not None
    assert opener is not None
    assert code["width"] > menu["width"] / 2
    assert menu["x"] < opener["x"] + opener["width"] / 2 < menu["x"] + menu["width"]
