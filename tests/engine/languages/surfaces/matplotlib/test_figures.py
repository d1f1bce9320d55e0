"""What a program draws with matplotlib stands in its answer as numbers, where it was shown."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest
from engine.programs.service import run_program

HEAD = "import numpy as np\nimport matplotlib.pyplot as plt\n"


def answer(lines: str, dialect: str = "tf1") -> dict[str, Any]:
    return run_program(ProgramRequest(HEAD + lines, dialect=dialect))


def figures(lines: str, dialect: str = "tf1") -> list[dict[str, Any]]:
    found = answer(lines, dialect)
    assert found["status"] == "ok", found["diagnostics"]
    drawn: list[dict[str, Any]] = found["figures"]
    return drawn


def axes_of(lines: str, dialect: str = "tf1") -> dict[str, Any]:
    (figure,) = figures(lines, dialect)
    (axes,) = figure["axes"]
    found: dict[str, Any] = axes
    return found


def series(lines: str, dialect: str = "tf1") -> dict[str, Any]:
    (one,) = axes_of(lines, dialect)["series"]
    found: dict[str, Any] = one
    return found


def refusal(lines: str) -> tuple[str, str]:
    found = answer(lines)
    assert found["status"] == "error"
    last = [one for one in found["diagnostics"] if one["severity"] == "error"][-1]
    return last["message"], last["hint"]


def test_a_line_has_its_numbers_and_its_look() -> None:
    one = series("plt.plot([0, 1, 2], [0, 1, 4], 'r--o', label='square', lw=3, alpha=0.5)")
    assert (one["x"], one["y"]) == ([0, 1, 2], [0, 1, 4])
    look = {key: one[key] for key in ("kind", "label", "colour", "dash", "marker", "width", "opacity")}
    assert look == {
        "kind": "line",
        "label": "square",
        "colour": "#ff0000",
        "dash": "dashed",
        "marker": "o",
        "width": 3.0,
        "opacity": 0.5,
    }


def test_numbers_alone_stand_above_0_1_2_and_a_matrix_is_a_line_for_each_column() -> None:
    assert series("plt.plot([5, 7])")["x"] == [0, 1]
    lines = axes_of("plt.plot(np.array([[1, 10], [2, 20]]))")["series"]
    assert [one["y"] for one in lines] == [[1, 2], [10, 20]]
    assert [one["colour"] for one in lines] == [0, 1]  # the next of the cycle


@pytest.mark.parametrize(
    ("format", "look"),
    [
        ("b", {"colour": "#0000ff"}),
        ("g.", {"colour": "#008000", "marker": ".", "dash": "none"}),
        (":", {"dash": "dotted"}),
        ("C2-.", {"colour": 2, "dash": "dashdot"}),
        ("k^-", {"colour": "#000000", "marker": "^", "dash": "solid"}),
        ("tab:orange", {"colour": "#ff7f0e"}),
    ],
)
def test_a_format_string_is_a_colour_a_marker_and_a_line(format: str, look: dict[str, Any]) -> None:
    one = series(f"plt.plot([1, 2], {format!r})")
    assert {key: one.get(key) for key in look} == look


def test_a_figure_stands_where_it_was_shown_and_the_last_one_at_the_end() -> None:
    drawn = figures("print('a')\nplt.plot([1])\nplt.show()\nprint('b')\nplt.plot([2])\nprint('c')")
    assert [(one["after"], one["axes"][0]["series"][0]["y"]) for one in drawn] == [(1, [1]), (3, [2])]


def test_titles_labels_limits_and_scales() -> None:
    axes = axes_of(
        "plt.plot([1, 10, 100])\nplt.title('Loss')\nplt.xlabel('step')\nplt.ylabel('loss')\n"
        "plt.yscale('log')\n"
        "plt.xlim(0, 5)\nplt.ylim((1, None))\nplt.grid(True)\nplt.legend(['first'])"
    )
    assert (axes["title"], axes["x_label"], axes["y_label"]) == ("Loss", "step", "loss")
    assert (axes["y_scale"], axes["x_limits"], axes["y_limits"]) == ("log", [0, 5], [1, None])
    assert (axes["grid"], axes["legend"], axes["series"][0]["label"]) == (True, True, "first")


def test_subplots_are_rows_and_columns_of_axes() -> None:
    (figure,) = figures(
        "fig, axes = plt.subplots(2, 2)\naxes[1, 0].plot([1])\nfor ax in axes.flat:\n    ax.set_title('t')\n"
        "axes[0][1].scatter([1], [2])\nfig.suptitle('all')"
    )
    places = {(one["row"], one["column"]): len(one["series"]) for one in figure["axes"]}
    assert places == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}
    assert (figure["rows"], figure["columns"], figure["title"]) == (2, 2, "all")
    (figure,) = figures("plt.subplot(211)\nplt.plot([1])\nplt.subplot(2, 1, 2)\nplt.plot([2])")
    assert [one["row"] for one in figure["axes"]] == [0, 1]


def test_a_histogram_counts() -> None:
    drawn = answer("n, edges, _ = plt.hist([1, 1, 2, 5], bins=2)\nprint(n, edges)")
    assert drawn["printed"] == ["[3. 1.] [1. 3. 5.]"]
    one = drawn["figures"][0]["axes"][0]["series"][0]
    assert (one["x"], one["y"], one["thick"]) == ([2, 4], [3, 1], 2)


def test_bars_may_stand_above_words() -> None:
    one = series("plt.bar(['a', 'b'], [3, 4], color='green')")
    assert (one["x"], one["y"], one["categories"], one["colour"]) == ([0, 1], [3, 4], ["a", "b"], "green")


def test_points_that_a_loop_draws_one_by_one_are_one_series() -> None:
    one = series("for step in range(50):\n    plt.scatter(step, step ** 2, c='b')")
    assert (one["count"], one["y"][:3]) == (50, [0, 1, 4])


def test_points_may_have_a_number_each_that_decides_their_colour() -> None:
    one = series("plt.scatter([0, 1, 2], [0, 1, 2], c=[5, 6, 7], s=[4, 9, 16], vmin=0)")
    assert (one["value"], one["size"], one["ends"]) == ([5, 6, 7], [2, 3, 4], [0, None])


def test_an_image_and_heights_above_a_mesh() -> None:
    assert series("plt.imshow(np.eye(2), cmap='gray')")["z"] == [[1, 0], [0, 1]]
    one = series(
        "x, y = np.meshgrid([0, 1, 2], [0, 1])\nplt.contour(x, y, x + y, levels=[1, 2])\nplt.colorbar()"
    )
    assert (one["x"], one["y"], one["z"], one["levels"]) == (
        [0, 1, 2],
        [0, 1],
        [[0, 1, 2], [1, 2, 3]],
        [1, 2],
    )


def test_what_is_not_finite_is_null() -> None:
    assert series("plt.plot([1, np.nan, np.inf, 2])")["y"] == [1, None, None, 2]


@pytest.mark.parametrize(
    ("dialect", "lines"),
    [
        ("tf2", "import tensorflow as tf\nplt.plot(tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0]))"),
        ("torch", "import torch\nplt.plot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]).numpy())"),
        ("jax", "import jax.numpy as jnp\nplt.plot(jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0]))"),
    ],
)
def test_tensors_of_each_framework_are_drawn(dialect: str, lines: str) -> None:
    one = series(lines, dialect)
    assert (one["x"], one["y"]) == ([1, 2], [3, 4])


def test_a_long_line_is_thinned_and_says_so() -> None:
    one = series("plt.plot(np.arange(10_000))")
    assert (one["count"], one["every"], len(one["y"]), one["y"][1]) == (10_000, 10, 1000, 10)


def test_figures_series_and_numbers_are_bounded() -> None:
    drawn = figures("for k in range(30):\n    plt.figure()\n    plt.plot([k])\nplt.show()")
    assert len(drawn) == 20
    assert axes_of("for k in range(150):\n    plt.plot([k, 1])")["left_out"] == 50
    many = axes_of("for k in range(10):\n    plt.plot(np.zeros(40_000))")
    assert len(many["series"]) + many["left_out"] == 10
    assert many["left_out"] > 0


def test_figures_that_are_closed_or_emptied_are_not_shown() -> None:
    assert figures("plt.plot([1])\nplt.close()") == []
    assert figures("plt.plot([1])\nplt.clf()\nplt.pause(0.1)") == []


def test_a_figure_that_is_saved_stands_there_once_even_if_it_is_closed() -> None:
    drawn = figures("plt.plot([1])\nplt.savefig('a.png')\nprint('a')\nplt.close()\nplt.plot([2])\nplt.show()")
    assert [one["after"] for one in drawn] == [0, 1]
    assert len(figures("plt.plot([1])\nplt.savefig('a.png')\nplt.show()")) == 1


def test_what_has_three_dimensions_is_not_drawn_flat() -> None:
    found = answer("ax = plt.figure().add_subplot(111, projection='3d')\nax.scatter([1], [2], [3])")
    assert (found["status"], found["figures"]) == ("ok", [])
    assert [one["code"] for one in found["diagnostics"]] == ["ignored_call"]


def test_words_are_kept_as_they_are_and_cut_where_they_are_long() -> None:
    axes = axes_of("plt.plot([1])\nplt.title('<script>alert(1)</script>' + 'x' * 500)")
    assert axes["title"].startswith("<script>alert(1)</script>xxx")
    assert len(axes["title"]) == 200


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("plt.plto([1])", "`matplotlib.pyplot` has no member `plto`.", "pyplot.plot`"),
        ("plt.plot([1], colour='red')", "plot() has no argument named `colour`.", "Did you mean `color`?"),
        ("plt.plot([1], color='redd')", "'redd' is no colour of matplotlib.", 'Such as "red"'),
        ("plt.plot([1], 'r?')", "'r?' is no format of matplotlib.", 'Such as "ro--"'),
        ("plt.plot([1], marker='?')", "'?' is no marker of matplotlib.", 'Such as "o"'),
        ("plt.plot([1, 2], [1, 2, 3])", "x and y must be as long as each other", ""),
        ("plt.yscale('logarithmic')", "yscale() does not take 'logarithmic'.", "It takes linear, log"),
        ("plt.subplot(2, 2, 5)", "There is no place 5 in 2 × 2 axes.", "Places are counted from 1"),
        ("plt.imshow([1, 2])", "imshow() needs a matrix", ""),
        ("plt.title('t', colr='red')", "title() has no argument named `colr`.", "`color`"),
    ],
)
def test_what_matplotlib_would_not_take_is_refused(line: str, message: str, hint: str) -> None:
    said, advice = refusal(line)
    assert message in said
    assert hint in advice


NONSENSE = (
    "None",
    "'text'",
    "{'a': 1}",
    "[[1.0], 2.0]",
    "-7",
    "(lambda q: q)",
    "plt.nonsense",
    "[]",
    "1e400",
    "np.nan",
)
CALLS = (
    *(f"plt.plot([1, 2], {name}={{}})" for name in ("label", "color", "marker", "ls", "lw", "alpha", "ms")),
    *("plt.plot({})", "plt.plot({}, [1])", "plt.plot([1], [2], {})", "plt.scatter([1], [2], c={})"),
    *("plt.scatter([1], [2], s={})", "plt.bar({}, [1])", "plt.bar([1], {})", "plt.bar([1], [1], width={})"),
    *(
        "plt.hist({})",
        "plt.hist([1, 2], bins={})",
        "plt.hist([1, 2], range={})",
        "plt.hist([1, 2], label={})",
    ),
    *(
        "plt.imshow({})",
        "plt.imshow([[1]], extent={})",
        "plt.contour({})",
        "plt.contour([[1, 2], [3, 4]], {})",
    ),
    *("plt.fill_between([1, 2], {})", "plt.axhline({})", "plt.text(1, {}, 'a')", "plt.annotate('a', {})"),
    *("plt.annotate('a', (1, 2), xytext={})", "plt.title({})", "plt.legend({})", "plt.legend(labels={})"),
    *(
        "plt.xlim({})",
        "plt.ylim({}, {})",
        "plt.axis({})",
        "plt.xscale({})",
        "plt.xticks({})",
        "plt.yticks([1], {})",
    ),
    *(
        "plt.figure({})",
        "plt.subplot({})",
        "plt.subplot({}, 1, 1)",
        "plt.subplots({}, 2)",
        "plt.subplots(2, {})",
    ),
    *("plt.close({})", "plt.sca({})", "plt.gca().set(title={})", "plt.gca().set_aspect({})", "plt.show({})"),
    *(
        "plt.subplots(2, 2)[1][{}]",
        "plt.subplots(1, 2)[1][{}].plot([1])",
        "plt.savefig({})",
        "plt.suptitle({})",
    ),
)


@pytest.mark.parametrize("call", CALLS)
def test_nonsense_is_the_programs_mistake(call: str) -> None:
    for value in NONSENSE:
        found = answer(call.replace("{}", value))
        codes = [one["code"] for one in found["diagnostics"]]
        assert "internal_error" not in codes, value


def test_a_tensor_of_a_graph_has_no_numbers_to_draw() -> None:
    said, _ = refusal("import tensorflow as tf\nplt.plot(tf.constant([1.0]))")
    assert "value" in said or "number" in said


def test_what_changes_nothing_in_the_drawing_is_accepted() -> None:
    lines = (
        "plt.style.use('ggplot')\nplt.rcParams['figure.dpi'] = 100\nfig, ax = plt.subplots(figsize=(3, 2))\n"
        "ax.plot([1, 2], zorder=3)\nax.spines['top'].set_visible(False)\nax.tick_params(labelsize=8)\n"
        "fig.tight_layout()\nplt.savefig('a.png', dpi=90)"
    )
    assert figures(lines)[0]["axes"][0]["series"][0]["y"] == [1, 2]
