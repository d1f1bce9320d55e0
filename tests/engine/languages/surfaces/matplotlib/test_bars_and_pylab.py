"""What `bar` gives, looks that are not drawn, and `from matplotlib.pylab import *`."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return str(answer["printed"][0])


def test_the_bars_have_places_and_heights_and_take_colours() -> None:
    source = """import matplotlib.pyplot as plt
b = plt.bar([0, 1, 2], [3.0, 1.0, 2.0], width=0.5)
b[1].set_color("red")
print(len(b), b[0].get_height(), b[2].get_x(), [one.get_width() for one in b])"""
    assert printed(source) == "3 3.0 1.75 [0.5, 0.5, 0.5]"


def test_a_colour_of_what_is_not_drawn_is_left_to_the_cycle() -> None:
    source = """import matplotlib.pyplot as plt
colors = plt.rcParams["axes.prop_cycle"].by_key()["color"]
plt.plot([1, 2], c=colors[0])
plt.scatter([1, 2], [1, 2], c=colors[1])
print(1)"""
    assert printed(source) == "1"


def test_pylab_has_the_names_of_numpy_and_of_pyplot_and_leaves_pythons_own_alone() -> None:
    source = """from matplotlib.pylab import *
plot([1, 2])
print(pi, cos(0.0), deg2rad(180.0), max([1, 2], default=0), np.ones(1), matplotlib is not None)"""
    assert printed(source) == "3.141592653589793 1.0 3.141592653589793 2 [1.] True"


def test_pylab_draws_as_numpys_random_module_does() -> None:
    source = """from pylab import *
seed(0)
print(random(), rand(2), norm([3.0, 4.0]))"""
    assert printed(source) == "0.5488135039273248 [0.71518937 0.60276338] 5.0"


def test_colours_have_shares_of_red_green_and_blue() -> None:
    source = """from matplotlib.colors import to_rgba, to_rgb, to_hex
print(to_rgba("C1", 0.5), to_rgb("r"), to_hex("tab:green"), to_rgba("0.5"), to_rgba("#f80"))"""
    assert printed(source) == (
        "(1.0, 0.4980392156862745, 0.054901960784313725, 0.5) (1.0, 0.0, 0.0) #2ca02c (0.5, 0.5, 0.5, 1.0) "
        "(1.0, 0.5333333333333333, 0.0, 1.0)"
    )
