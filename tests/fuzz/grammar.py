"""Programs that follow a grammar: formulas and Python, whole or with one piece out of place."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = st.sampled_from(["x", "y", "z", "w", "x1", "theta"])
NUMBERS = st.sampled_from(["0", "1", "2", "3.5", "0.1", "1e3", "7", "1e-9", "1e308"])
FUNCTIONS = st.sampled_from(["sin", "cos", "exp", "ln", "sqrt", "abs", "tanh", "sigmoid", "relu", "erf"])

# -- formulas ----------------------------------------------------------------------------------------

FORMULAS = st.recursive(
    NAMES | NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "^", "**", " ", "·"]), inner).map("".join),
        st.tuples(FUNCTIONS, inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(FUNCTIONS, inner).map(lambda parts: f"\\{parts[0]} {parts[1]}"),
        inner.map(lambda one: f"({one})"),
        inner.map(lambda one: f"|{one}|"),
        inner.map(lambda one: f"-{one}"),
        st.tuples(inner, inner).map(lambda two: f"\\frac{{{two[0]}}}{{{two[1]}}}"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    ),
    max_leaves=12,
)
TEXTS = st.lists(st.tuples(NAMES, FORMULAS).map(" = ".join) | FORMULAS, min_size=1, max_size=4).map("\n".join)

# -- Python ------------------------------------------------------------------------------------------

ATOMS = st.sampled_from(
    [
        *(
            "x",
            "y",
            "z",
            "a",
            "rows",
            "f",
            "None",
            "True",
            "'text'",
            "0",
            "1",
            "-2.5",
            "10 ** 6",
            "[]",
            "{}",
            "()",
        ),
        *("[1., 2., 3.]", "[[1, 2], [3, 4]]", "{'a': 1}", "tf.Variable(2.)", "tf.constant([1., 2.])"),
        *("tf.zeros((2, 3))", "tf.placeholder(tf.float32)", "np.ones((2, 2))", "np.float32(1)", "tf.float32"),
        *("range(4)", "lambda q: q * 2", "float('nan')", "tf.Session()", "tf.train.AdamOptimizer(0.1)"),
    ]
)
CALLS = st.sampled_from(
    [
        *(
            "tf.square",
            "tf.reduce_sum",
            "tf.matmul",
            "tf.gradients",
            "tf.reshape",
            "tf.concat",
            "tf.where",
            "tf.add",
        ),
        *(
            "np.sum",
            "np.array",
            "np.dot",
            "np.linspace",
            "len",
            "sum",
            "list",
            "str",
            "print",
            "f",
            "sorted",
            "zip",
        ),
        *(
            "tf.cast",
            "tf.one_hot",
            "tf.nn.softmax",
            "sess.run",
            "max",
            "abs",
            "enumerate",
            "isinstance",
            "type",
        ),
    ]
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from([" + ", " - ", " * ", " / ", " ** ", " @ ", " % ", " // ", " < ", " == "]),
            inner,
        ).map("".join),
        st.tuples(CALLS, st.lists(inner, max_size=3)).map(lambda call: f"{call[0]}({', '.join(call[1])})"),
        st.tuples(inner, inner).map(lambda two: f"{two[0]}[{two[1]}]"),
        st.tuples(
            inner, st.sampled_from(["shape", "name", "T", "append(1)", "eval()", "real", "items()"])
        ).map(".".join),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} if {three[1]} else {three[2]})"),
        st.tuples(inner, inner).map(lambda two: f"[{two[0]} for a in {two[1]}]"),
        inner.map(lambda one: f"f'{{{one}!r:>4}}'" if "'" not in one else f"str({one})"),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    ),
    max_leaves=8,
)


def indented(lines: list[str]) -> str:
    """Lines as the body of a block."""
    return "\n".join(f"    {line}" for text in lines for line in text.split("\n"))


STATEMENTS = st.recursive(
    st.one_of(
        st.tuples(st.sampled_from(["x", "y", "z", "a, b", "rows[0]", "x.name"]), EXPRESSIONS).map(" = ".join),
        st.tuples(st.sampled_from(["x", "y"]), st.sampled_from([" += ", " *= "]), EXPRESSIONS).map("".join),
        EXPRESSIONS,
        EXPRESSIONS.map(lambda one: f"print({one})"),
        st.sampled_from(
            ["pass", "break", "return", "del x", "global x", "import numpy as np", "assert x", "raise x"]
        ),
    ),
    lambda inner: st.tuples(
        st.sampled_from(
            [
                *(
                    "for a in range(3):",
                    "while a:",
                    "if x:",
                    "def f(q, *r, k=1):",
                    "with tf.Session() as sess:",
                ),
                *("class A:", "try:", "with tf.GradientTape() as tape:", "for a, b in zip(x, y):"),
            ]
        ),
        st.lists(inner, min_size=1, max_size=3),
    ).map(
        lambda block: (
            f"{block[0]}\n{indented(block[1])}"
            + ("\nexcept Exception as e:\n    pass" * (block[0] == "try:"))
        )
    ),
    max_leaves=6,
)
START = "import tensorflow as tf\nimport numpy as np\nx = tf.Variable(3.)\ny = x * x\n"
PROGRAMS = (
    st.lists(STATEMENTS, min_size=1, max_size=5)
    .map("\n".join)
    .flatmap(lambda body: st.sampled_from([START + body, body]))
)


@st.composite
def broken(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """One of the texts with a stretch cut out, doubled or turned round, or a stray character put in."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 5)))
    middle = draw(
        st.sampled_from(
            ["", text[start:end] * 2, text[start:end][::-1], "\u202e", "（", "\\", "'", "\n", "\t"]
        )
    )
    return text[:start] + middle + text[end:]
