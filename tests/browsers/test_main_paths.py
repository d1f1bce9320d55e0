"""The ways that every class goes, in Firefox and in WebKit."""

from __future__ import annotations

from benchmarks.browsers import link as link_to
from tests.browsers.conftest import NewVisitor
from tests.browsers.visitor import Visitor, button, css, field, tool
from tests.engine.programs.imported.test_growing import file_of

SENTENCE = css("gl-step .sentence")
COUNT = css("gl-transport .count")
STEPS_OF_OPTIMIZER = css("gl-optimizer .count")


def test_the_first_visit_shows_the_graph_and_the_keys_go_through_the_lesson(visitor: Visitor) -> None:
    visitor.open()
    assert visitor.count(css(".graph-view .item")) > 3
    assert visitor.count(css(".too-old")) == 0
    visitor.reads(SENTENCE, "What does exp send back?")
    visitor.press(button("Next step"))
    visitor.reads(css("gl-step .result strong"), "1.152")  # exp(sin 3)
    visitor.keys("Right", "Left", "End")
    visitor.reads(COUNT, "7 / 7")
    visitor.keys("Home")
    visitor.reads(COUNT, "1 / 7")
    visitor.press(button("Last step"))
    visitor.press(tool("Table"))
    visitor.reads(css("table.nodes"), "−1.14")  # cos 3 · exp(sin 3)


def test_what_is_typed_is_drawn_and_a_mistake_is_mended_by_its_button(visitor: Visitor) -> None:
    visitor.open()
    visitor.write("y = sni(x)")
    visitor.reads(css(".message.error"), "sni")
    visitor.press(button("Write sin"))
    visitor.reads(css(".cm-content"), "y = sin(x)", exact=True)
    visitor.gone(css(".message.error"))
    visitor.write("y = x^2")
    visitor.reads(SENTENCE, "What does x² send back?")
    visitor.fill(field("Value of x"), "5")
    visitor.press(button("Last step"))
    visitor.press(tool("Table"))
    visitor.reads(css("table.nodes"), "25")


def test_an_optimizer_takes_a_step_and_a_hundred(visitor: Visitor) -> None:
    visitor.open(f"/{link_to('y = x^2')}")
    visitor.press(tool("Optimizer"))
    visitor.fill(field("Value of x"), "3")
    visitor.press(button("Step", within="gl-optimizer"))
    visitor.reads(css("gl-optimizer .update-sentence"), "x ← 3 − 0.01 × 6 = 2.94")
    visitor.press(button("×100"))
    visitor.reads(STEPS_OF_OPTIMIZER, "step 101")
    visitor.see(css(".curve canvas"))


def test_a_point_of_the_landscape_is_dragged_and_four_rates_race(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(tool("Landscape"))
    visitor.reads(css("gl-landscape table"), "maximum")
    visitor.drag(css("gl-landscape [role=application]"), (0.7, 0.5), (0.4, 0.5))
    visitor.wait("() => document.querySelector('#value-of-x').value !== '3'")
    visitor.reads(css("gl-landscape [role=status]"), "the target is")
    visitor.press(tool("Race"))
    visitor.wait("() => document.querySelectorAll('.endings tbody tr').length === 4")


def test_a_link_opens_the_same_step_for_another_visitor(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.open(f"/{link_to('y = x^2 * sin(x)')}")
    visitor.press(button("Next step"))
    visitor.press(button("Next step"))
    sentence = visitor.read(SENTENCE)
    visitor.press(button("Share"))
    link = visitor.wait("() => document.querySelector('#share-link')?.value")
    other = new_visitor()
    other.open(link)
    other.reads(SENTENCE, sentence, exact=True)


def test_a_student_sees_what_the_teacher_shows(new_visitor: NewVisitor) -> None:
    teacher, student = new_visitor(), new_visitor()
    teacher.open("/?example=g01")
    teacher.press(button("Class"))
    teacher.press(button("Start a class"))
    code = teacher.read(css(".class-code"))
    student.open(f"/j/{code}")
    student.see(css(".class-label"))
    teacher.press(button("Next step"))
    student.reads(SENTENCE, "exp(sin x) = 1.152 changes")
    teacher.reads(css(".class-bar"), "1 student")


def test_a_graph_from_a_file_is_drawn(visitor: Visitor) -> None:
    visitor.open(level="tensorflow")
    data = file_of("x = tf.Variable(3.0, name='x')\ny = tf.sin(x)")
    visitor.drop(data, "graph.pb")
    visitor.reads(css("gl-file"), "A graph from a file (GraphDef)")
    visitor.press(css('.graph-view .item[data-key="Sin"]'))
    visitor.press(button("Add the gradient of Sin by x"))
    visitor.see(css('.graph-view [data-key="gradients/Sin_grad/"]'))
