"""A program as a Jupyter notebook (`GET /programs/{id}/notebook`), which runs from top to bottom.

The program, its values and gradients, numpy that computes them anew and checks them, central differences
beside them, the same for the frameworks that are installed where it runs, and the derivation in LaTeX.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.interchange.code import LANGUAGES, Computation
from engine.interchange.code.arrays import Numpy
from engine.interchange.notebook import Cell, code, markdown, to_ipynb
from engine.interchange.values import nested_json
from engine.ops.base.tensors import Array
from engine.programs.answers.code import computation_of
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import dialect_of
from engine.programs.service import tell_lesson

FRAMEWORKS = {"torch": "PyTorch", "jax": "JAX", "tf2": "TensorFlow"}
PACKAGES = {"torch": "torch", "jax": "jax", "tf2": "tensorflow"}
MOST_STEPS = 80  # of the derivation
MOST_SLOPES = 200  # that are found by central differences, each by two evaluations
MOST_DIGITS = 1500  # characters of an array in the table

DIFFERENCES = '''def central_differences(f, values, place, delta=1e-5):
    """Raise and lower each number of one input a little, and see how the sum of f changes."""
    x = np.asarray(values[place], dtype=np.float64)
    slopes = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        ends = []
        for change in (delta, -delta):
            moved = x.copy()
            moved[at] += change
            ends.append(np.sum(f(*values[:place], moved, *values[place + 1 :])))
        slopes[at] = (ends[0] - ends[1]) / (2 * delta)
    return slopes
'''


def written_notebook(request: ProgramRequest, limits: Limits) -> bytes:
    """The notebook as a file. Raises: ProgramError where the program has a mistake, or no target."""
    computation = computation_of(request, limits)
    cells = [
        *_program(request, limits),
        *_values(computation),
        *_checks(computation),
        *_frameworks(computation),
        *_derivation(request, limits, computation),
    ]
    return to_ipynb(cells)


def _program(request: ProgramRequest, limits: Limits) -> Iterator[Cell]:
    """The text as it was written; it is not run here: it may need what is not installed."""
    language = "text" if dialect_of(request) == "math" else "python"
    yield markdown(
        "# Gradlens",
        "A program, its gradients, and three ways to check them. Run the cells from top to bottom.",
        "一个程序、它的梯度，以及三种检验方法。请从上到下运行各个单元。",
        "## The program · 程序",
        fenced(request.source, language),
    )
    printed = outcome_of(request, limits).printed
    if printed:
        yield markdown("What it prints · 它打印的内容：", fenced("\n".join(printed)))


def fenced(text: str, language: str = "text") -> str:
    """A block of code in Markdown, fenced by more backticks than it holds in a row."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _values(computation: Computation) -> Iterator[Cell]:
    """A table of what Gradlens computes."""
    target = computation.target
    y = name_of_target(computation)
    rows = {item.name: item.value for item in computation.inputs.values()}
    rows[y] = computation.values.get(target.name)
    rows |= {
        f"d {y} / d {name}": computation.values.get(dx.name) for name, dx in computation.gradients.items()
    }
    lines = [f"| `{name}` | {in_table(value)} |" for name, value in rows.items()]
    table = "\n".join(["| | |", "|---|---|", *lines])
    yield markdown(
        "## Values and gradients · 值与梯度",
        "As Gradlens computes them, with every variable as it begins.",
        "由 Gradlens 计算；每个变量取它的初始值。",
        table,
    )


def name_of_target(computation: Computation) -> str:
    """What the program calls its target, else `y`."""
    return computation.names.get(computation.target.name, "y")


def in_table(value: Array | None) -> str:
    """A value's digits; of a large array its type and shape."""
    if value is None:
        return "–"
    text = json.dumps(nested_json(np.asarray(value)))
    if len(text) > MOST_DIGITS:
        text = f"{value.dtype} {list(value.shape)}"
    return f"`{text}`"


def _checks(computation: Computation) -> Iterator[Cell]:
    """The computation in numpy, compared with what Gradlens computed, and with central differences."""
    yield markdown(
        "## Computed anew with numpy · 用 numpy 重新计算",
        "The forward pass line by line, then the gradients, as reverse mode builds them.",
        "先逐行做前向计算，再按反向模式求出各个梯度。",
    )
    try:
        written = Numpy(computation).parts()
        checked = list(_assertions(computation, written.y, written.slopes))
        forward = Numpy(computation).forward_function()
    except GradlensError as error:
        yield markdown(error.message, error.message_zh)
        return
    yield code(written.text)
    yield code("\n".join([*checked, 'print("numpy and Gradlens agree.")']))
    slopes = [item for item in computation.trained if item.name in computation.gradients]
    count = sum(item.value.size for item in slopes if item.value is not None)
    if 0 < count <= MOST_SLOPES:
        yield from _differences(
            forward, {written.names[name]: slope for name, slope in written.slopes.items()}
        )


def _assertions(computation: Computation, y: str, slopes: Mapping[str, str]) -> Iterator[str]:
    """A line for the target and for each gradient. Raises: GradlensError for a value of too many numbers."""
    writer = Numpy(computation)
    pairs = [(y, computation.target.name)]
    pairs += [(text, computation.gradients[name].name) for name, text in slopes.items()]
    for text, name in pairs:
        value = computation.values.get(name)
        if value is not None:
            rtol = 1e-9 if value.dtype == np.float64 else 1e-4
            literal = writer.bare(np.asarray(value)).text
            yield f"np.testing.assert_allclose({text}, {literal}, rtol={rtol}, atol={rtol / 10})"


def _differences(forward: str, slopes: Mapping[str, str]) -> Iterator[Cell]:
    """The gradients beside central differences, which know nothing of derivatives."""
    names = [*slopes]
    yield markdown(
        "## By central differences · 用中心差分",
        "A derivative without any rule: raise and lower each number by 0.00001. The last column is the "
        "largest difference; at a kink, where there is no derivative, it is not small.",
        "不用任何求导规则：把每个数上下各移 0.00001。最后一列是最大的差；在没有导数的折点处它并不小。",
    )
    yield code(f"{DIFFERENCES}\n\n{forward}")
    tried = ", ".join(f"np.asarray({name}, dtype=np.float64)" for name in names)
    lines = [f"values = [{tried}]"]
    for place, (name, slope) in enumerate(slopes.items()):
        lines += [
            f"tried = central_differences(f, values, {place})",
            f'print("{name}:", tried.tolist(), np.max(np.abs(tried - {slope}), initial=0.0))',
        ]
    yield code("\n".join(lines))


def _frameworks(computation: Computation) -> Iterator[Cell]:
    """The same in each framework that can say it; left out where it is not installed."""
    texts = dict(_texts(computation, FRAMEWORKS))
    if not texts:
        return
    yield markdown(
        "## In the frameworks · 用各个框架",
        "Each derives the gradients by itself, where it is installed.",
        "已安装的框架会自己求出梯度。",
    )
    for language, text in texts.items():
        body = textwrap.indent(text.strip(), "    ", lambda line: bool(line.strip()))
        yield code(
            f"try:\n    import {PACKAGES[language]}\nexcept ModuleNotFoundError:\n"
            f'    print("{FRAMEWORKS[language]} is not installed here, so it is left out.")\n'
            f"else:\n{body}"
        )


def _texts(computation: Computation, languages: Iterable[str]) -> Iterator[tuple[str, str]]:
    for language in languages:
        try:
            yield language, LANGUAGES[language](computation).program()
        except GradlensError:
            continue


def _derivation(request: ProgramRequest, limits: Limits, computation: Computation) -> Iterator[Cell]:
    """The formula, then each step of the lesson with its rule and its numbers."""
    formula = dict(_texts(computation, ["latex"])).get("latex")
    opening = ["## The derivation · 推导"] + ([f"$$\n{formula.strip()}\n$$"] if formula else [])
    yield markdown(*opening)
    try:
        steps = tell_lesson(request, limits, "mathematics")["steps"]
    except GradlensError as error:
        yield markdown(error.message, error.message_zh)
        return
    for place, step in enumerate(steps[:MOST_STEPS], 1):
        yield markdown(f"**{place}.** {step['sentence']['en']}", step["sentence"]["zh"], *formulas(step))
    if (left := len(steps) - MOST_STEPS) > 0:
        yield markdown(f"… and {left} more steps.", f"……还有 {left} 步。")


def formulas(step: Mapping[str, object]) -> Sequence[str]:
    """The rule of a step and the same with numbers, as displayed LaTeX."""
    lines = [str(step[key]) for key in ("rule", "rule_numbers") if step.get(key)]
    if len(lines) == 2:
        lines[1] = f"= {lines[1]}"
    return [f"$${line}$$" for line in lines]
