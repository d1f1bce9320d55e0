"""LaTeX as people paste it means what it shows."""

from __future__ import annotations

import pytest

from tests.engine.languages.mathematics.reading import run, shape_of_graph, value


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"$y = e^{\sin x}$", "y = e^(sin(x))"),
        (r"$$ e^{\sin x} $$", "e^(sin(x))"),
        (r"\( e^{\sin x} \)", "e^(sin(x))"),
        (r"\[ e^{\sin x}. \]".replace(".", ""), "e^(sin(x))"),
        ("$$\nx^2\n$$", "x^2"),
        (r"\frac{a+1}{b}", "(a+1)/b"),
        (r"\dfrac{a}{\frac{b}{2}}", "a/(b/2)"),
        (r"\frac12 x", "1/2*x"),
        (r"\frac1x", "1/x"),
        (r"\frac\pi2", "pi/2"),
        (r"\sqrt{x+1}", "sqrt(x+1)"),
        (r"\sqrt2 x", "sqrt(2)*x"),
        (r"\sqrt[4]{x}", "x^(1/4)"),
        (r"\sin^2 x + \cos^{2}x", "sin(x)^2 + cos(x)^2"),
        (r"\sin\cos x", "sin(cos(x))"),
        (r"\sin{2x}y", "sin(2*x)*y"),
        (r"\ln\frac{a}{b}", "ln(a/b)"),
        (r"\exp\left(-\frac{(x-\mu)^2}{2\sigma^2}\right)", "exp(-((x-μ)^2/(2*σ^2)))"),
        (r"\left[x + 1\right]^2".replace("[", "(").replace("]", ")"), "(x+1)^2"),
        (r"\bigl(x\bigr)\,\cdot\;y \times z \div w", "x*y*z/w"),
        (r"\operatorname{softplus}(x) + \mathrm{relu}(x)", "softplus(x) + relu(x)"),
        (r"\text{loss} = (w x - y)^2", "loss = (w*x - y)^2"),
        (r"x_1 x_{12} x_{max}", "x_1*x_12*x_max"),
        (r"\theta_1 + \theta_{12} + \alpha\beta", "θ_1 + θ_12 + α*β"),
        (r"\hat{y} - y", "y_hat - y"),
        (r"|x| + \left|y\right| + \lvert z \rvert", "abs(x) + abs(y) + abs(z)"),
        (r"\|x\| + \lVert y \rVert + \left\| z \right\|", "norm(x) + norm(y) + norm(z)"),
        (r"\lfloor x \rfloor + \lceil y \rceil", "floor(x) + ceil(y)"),
        (r"\log_2 x + \log_{10} y", "log2(x) + log10(y)"),
        (r"\max\{x, 2\} + \min(x, y)", "max(x, 2) + min(x, y)"),
        (r"\begin{cases} x^2 & x > 0 \\ -x & \text{otherwise} \end{cases}", "if(x > 0, x^2, -x)"),
        (r"\begin{cases} 1, & \text{if } x \ge 2 \\ 2, & \text{其他} \end{cases}", "if(x >= 2, 1, 2)"),
        (r"\sum_{i=1}^{3} x^i", "x^1 + x^2 + x^3"),
        (r"\prod_{k=2}^4 (x+k)", "(x+2)*(x+3)*(x+4)"),
        (r"2\sum_{i=1}^{2} x^i \cdot 3 + 1", "2*(x^1*3 + x^2*3) + 1"),
        (r"\sum_{i=1}^{3} x_i^2", "x_1^2 + x_2^2 + x_3^2"),
        (r"\begin{align} u &= x^2 \\ y &= u + 1 \end{align}", "u = x^2\ny = u + 1"),
        (r"\ln\left(\sum_{j=1}^{2} e^{x_j}\right)", "ln(e^x_1 + e^x_2)"),
    ],
)
def test_latex_builds_the_graph_of_the_plain_formula(latex: str, plain: str) -> None:
    assert shape_of_graph(run(latex)) == shape_of_graph(run(plain))


def test_matrices_and_columns() -> None:
    assert value(r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} @ \begin{bmatrix} 1 \\ 2 \end{bmatrix}") == [
        5,
        11,
    ]


@pytest.mark.parametrize(
    ("source", "code", "hint"),
    [
        (r"\foo{x}", "unknown_command", r"Did you mean `\floor`?"),
        (r"\int_0^1 x dx", "unknown_command", "Write the function itself; a sum is sum(i, 1, n, …)."),
        (
            r"\frac3. + |x|",
            "unknown_character",
            "Delete it, or write the operation in words: sqrt, abs, exp.",
        ),
        (r"\frac1.5 x", "unknown_character", "Delete it, or write the operation in words: sqrt, abs, exp."),
        (r"\frac{dy}{dx}", "derivative_notation", "Write the function itself, as in y = x^2."),
        ("dy/dx", "derivative_notation", "Write the function itself, as in y = x^2."),
        (
            r"\lim_{x \to 0} x",
            "unknown_command",
            "Write the function itself and give its variable a value close to the limit.",
        ),
        (r"x \pm 1", "unknown_command", "Write two lines, one with + and one with -."),
        (r"W^{(1)} x", "ambiguous_power", "Write W^1 for the power, or W_1 for the name."),
        (r"\sum_i x_i", "bounds_missing", r"Write \sum_{i=1}^{3} or sum(i, 1, 3, …)."),
        (r"\log_b x", "unknown_function", "To base b write ln(x) / ln(b)."),
        (r"\frac{a}{b", "syntax_error", ""),
        ("x!", "unknown_character", "Write prod(k, 1, n, k)."),
        ("x % 2", "unknown_character", "For a remainder write mod(a, b); for 5 % write 0.05."),
    ],
)
def test_what_is_left_out_says_what_to_write(source: str, code: str, hint: str) -> None:
    answer = run(source)
    assert answer["status"] == "error"
    assert (answer["diagnostics"][0]["code"], answer["diagnostics"][0]["hint"]) == (code, hint)


def test_places_are_those_of_the_text() -> None:
    (reported,) = run(r"y = \frac{a}{\foo}")["diagnostics"]
    assert (reported["line"], reported["column"], reported["end_column"]) == (1, 14, 18)
    answer = run(r"y = \frac{a}{b}")
    node = next(n for n in answer["graph"]["nodes"] if n["op"] == "RealDiv" and n["phase"] == "forward")
    assert (node["span"]["column"], node["span"]["end_column"]) == (5, 16)
