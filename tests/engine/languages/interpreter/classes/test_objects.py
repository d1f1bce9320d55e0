"""Classes of the program's own."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_attributes_and_methods() -> None:
    source = (
        "class Counter:\n    '''counts'''\n    made = 0\n"
        "    def __init__(self, n=0):\n        self.n = n\n        Counter.made += 1\n"
        "    def up(self, by=1):\n        self.n += by\n        return self\n"
        "c = Counter(2).up().up(by=3)\nprint(c.n, Counter.made, Counter().n, Counter.made)\n"
        "print(type(c).__name__, isinstance(c, Counter), Counter.__name__)"
    )
    assert printed(source) == ["6 1 0 2", "Counter True Counter"]


OPERATIONS = """\
class Op(object):
    def __init__(self, name):
        self.name = name
    def forward(self):
        return 0
    def grad(self, name):
        return 1 if self.name == name else 0

class Variable(Op):
    def __init__(self, name, value):
        super(Variable, self).__init__(name)
        self.value = value
    def forward(self):
        return self.value

class AddOp(Op):
    def __init__(self, a, b):
        super().__init__("add")
        self.a, self.b = a, b
    def forward(self):
        return self.a.forward() + self.b.forward()
    def grad(self, name):
        return self.a.grad(name) + self.b.grad(name)

class PowerOp(Op):
    def __init__(self, a, power):
        super().__init__("power")
        self.a, self.power = a, power
    def forward(self):
        return self.a.forward() ** self.power
    def grad(self, name):
        return self.power * self.a.forward() ** (self.power - 1) * self.a.grad(name)
"""


def test_a_students_own_operations_run_when_the_base_class_is_given() -> None:
    source = OPERATIONS + (
        "w, b = Variable('w', 3), Variable('b', 4)\nloss = PowerOp(AddOp(w, b), 2)\n"
        "print(loss.forward(), loss.grad('w'), loss.grad('x'))"
    )
    assert printed(source) == ["49 14 0"]


def test_operators_of_ones_own_accumulate_gradients() -> None:
    source = (
        "class Value:\n"
        "    def __init__(self, data, parents=()):\n"
        "        self.data, self.grad, self.parents = data, 0.0, parents\n"
        "    def __add__(self, other):\n"
        "        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))\n"
        "    def __mul__(self, other):\n"
        "        return Value(self.data * other.data, ((self, other.data), (other, self.data)))\n"
        "    def __rmul__(self, number):\n        return self * Value(number)\n"
        "    def __neg__(self):\n        return -1 * self\n"
        "    def __str__(self):\n        return 'Value(%s)' % self.data\n"
        "    def back(self, upstream=1.0):\n        self.grad += upstream\n"
        "        for parent, local in self.parents:\n            parent.back(upstream * local)\n"
        "a, b = Value(-2.0), Value(3.0)\nf = (a * b) * (a + b)\nf.back()\n"
        "print(f, a.grad, b.grad, f'{-(2 * a)}', str(sum([a, b], Value(0.0))))"
    )
    assert printed(source) == ["Value(-6.0) -3.0 -8.0 Value(4.0) Value(1.0)"]


def test_properties_and_methods_of_the_class() -> None:
    source = (
        "class P:\n    def __init__(self, x):\n        self._x = x\n"
        "    @property\n    def x(self):\n        return 2 * self._x\n"
        "    @staticmethod\n    def twice(y):\n        return 2 * y\n"
        "    @classmethod\n    def make(cls, x):\n        return cls(x)\n"
        "    def __call__(self, y):\n        return self.x + y\n    def __len__(self):\n        return 7\n"
        "    def __getitem__(self, i):\n        return i * 10\n"
        "    def __eq__(self, other):\n        return self.x == other.x\n"
        "p = P.make(3)\nprint(p.x, P.twice(4), p(1), len(p), p[2], p == P(3), p != 3 if False else 'ok')"
    )
    assert printed(source) == ["6 8 7 7 20 True ok"]


def test_a_method_does_not_see_the_names_of_its_class() -> None:
    source = "class A:\n    n = 3\n    def f(self):\n        return n\nA().f()"
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["diagnostics"][0]["message"] == "The name `n` is not defined."


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        (
            "class A:\n    def grad(self): pass\nA().gard()",
            "`A` has no attribute `gard`.",
            "Did you mean `.grad`?",
        ),
        ("class A: pass\nA(1)", "A() takes no arguments, because the class has no __init__.", ""),
        (
            "class A(3): pass",
            "A class cannot inherit from a int.",
            "Inherit from a class of the program, or from nothing.",
        ),
        (
            "class A:\n    def __getattribute__(self, n): pass",
            "The special method `__getattribute__` is not supported.",
            None,
        ),
        ("class A: pass\nA() + 1", "`+` does not work between A and int.", ""),
        (
            "class A: pass\nA().__weakref__",
            "`__weakref__` reaches behind a value, which is not supported.",
            "",
        ),
        (
            "class A(metaclass=type): pass",
            "Metaclasses are not supported.",
            None,
        ),
        ("super()", "super() works inside a method only.", ""),
    ],
)
def test_a_mistake_with_a_class_is_reported(source: str, message: str, hint: str | None) -> None:
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["status"] == "error"
    reported = answer["diagnostics"][0]
    assert reported["message"] == message
    assert hint is None or reported["hint"] == hint


def test_sets_keep_one_order_in_every_run() -> None:
    source = "print({'pear', 'apple', 3, 1}, [v for v in {'b', 'a', 2}])"
    assert printed(source) == ["{1, 3, 'apple', 'pear'} [2, 'a', 'b']"]


def test_a_property_of_the_class_itself_is_not_computed() -> None:
    assert printed(
        "class A:\n    @property\n    def one(self):\n        return 1\nprint(A.one, A().one)"
    ) == ["<property object> 1"]


def test_an_object_is_made_without_being_initialised() -> None:
    source = """
class A:
    def __init__(self, x):
        print("init")
        self.x = x

class B(A):
    def __new__(cls, *args):
        print("new", cls.__name__)
        return super().__new__(cls)

a, b, c = object.__new__(A), A.__new__(A), B.__new__(B)
a.x = 5
print(a.x, type(b).__name__, type(c).__name__, hasattr(c, "x"), B(3).x)
"""
    assert printed(source) == ["new B", "new B", "init", "5 A B False 3"]


@pytest.mark.parametrize("kind", ["int", "Point", "3"])
def test_only_objects_of_the_programs_own_classes_are_made_so(kind: str) -> None:
    source = f"from collections import namedtuple\nPoint = namedtuple('Point', 'x y')\nobject.__new__({kind})"
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert [one["code"] for one in answer["diagnostics"] if one["severity"] == "error"] == [
        "refused_attribute"
    ]
