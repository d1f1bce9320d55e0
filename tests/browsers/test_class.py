"""A class of a teacher and two students, each in a window of their own."""

from __future__ import annotations

import re

import pytest

from tests.browsers.conftest import NewVisitor
from tests.browsers.visitor import Visitor, button, css

SENTENCE = css("gl-step .sentence")


@pytest.fixture
def teacher(new_visitor: NewVisitor) -> Visitor:
    """Somebody who has started a class on the chain rule's example."""
    visitor = new_visitor()
    visitor.open("/?example=g01")
    visitor.press(button("Class"))
    visitor.press(button("Start a class"))
    assert re.fullmatch("[2-9A-Z]{4}-[2-9A-Z]{4}", visitor.read(css(".class-code")))
    return visitor


def joined(new_visitor: NewVisitor, teacher: Visitor, language: str = "en") -> Visitor:
    """Somebody who opens the address that the class is shown."""
    visitor = new_visitor()
    visitor.open(f"/j/{teacher.read(css('.class-code'))}", language=language)
    visitor.see(css(".class-label"))
    return visitor


def test_two_students_follow_answer_and_come_back(new_visitor: NewVisitor, teacher: Visitor) -> None:
    first, second = joined(new_visitor, teacher), joined(new_visitor, teacher, "zh-CN")
    teacher.reads(css(".class-bar"), "2 students")
    teacher.press(button("Ask: which number?"))
    for student, answer in ((first, "1"), (second, "2")):
        student.press(css(".class-question input"))
        student.type(answer)
        student.keys("Enter")
        student.reads(css(".class-said"), answer)
    teacher.reads(css(".class-asked"), "2 of 2 answered")
    teacher.press(button("Close", within=".class-question"))
    teacher.see(css(".class-histogram"))
    teacher.press(button("Reveal"))
    first.reads(css(".class-said"), "1.152")
    second.reads(SENTENCE, "exp(sin x) = 1.152 的变化")
    label = first.read(css(".class-label"))
    first.evaluate("() => location.reload()")
    first.reads(css(".class-label"), label)


def test_who_explores_alone_is_left_alone(new_visitor: NewVisitor, teacher: Visitor) -> None:
    student = joined(new_visitor, teacher)
    student.press(button("Explore on my own"))
    before = student.read(SENTENCE)
    teacher.press(button("Next step"))
    teacher.reads(SENTENCE, "exp(sin x) = 1.152 changes")
    student.see(button("Back to the class"))
    assert student.read(SENTENCE) == before
    student.press(button("Back to the class"))
    student.reads(SENTENCE, "exp(sin x) = 1.152 changes")


def test_the_code_is_shown_large_and_the_class_is_ended(new_visitor: NewVisitor, teacher: Visitor) -> None:
    student = joined(new_visitor, teacher)
    teacher.press(css(".class-code"))
    teacher.see(css(".class-card .class-large"))
    teacher.keys("Escape")
    teacher.gone(css(".class-card .class-large"))
    teacher.evaluate("() => { window.confirm = () => true; }")
    teacher.press(button("End class"))
    student.reads(css(".class-bar"), "This class is over.")
