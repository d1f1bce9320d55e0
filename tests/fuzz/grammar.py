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


# -- writes to whatever can be reached -----------------------------------------------------------------

REACHED = st.sampled_from(
    [
        *(
            "Exception",
            "ValueError",
            "KeyError",
            "ZeroDivisionError",
            "len",
            "print",
            "range",
            "str",
            "object",
        ),
        *(
            "tf",
            "np",
            "tf.train",
            "tf.keras",
            "tf.sin",
            "np.sin",
            "tf.float32",
            "np.float32",
            "np.pi",
            "math",
        ),
        *(
            "tf.keras.layers.Dense",
            "tf.Module",
            "tf.keras.Model",
            "tf.GraphKeys",
            "tf.AUTO_REUSE",
            "np.random",
        ),
        *(
            "tf.get_default_graph()",
            "tf.trainable_variables()",
            "tf.ones(3)",
            "tf.zeros((2, 2))",
            "np.ones(3)",
        ),
        *("x", "y", "x.shape", "x.dtype", "x.op", "x.graph", "A", "A()", "e", "e.args", "f", "kept", "gen()"),
        *("tf.zeros_initializer()", "tf.train.AdamOptimizer(0.1)", "tf.constant([1., 2.]).numpy()", "super"),
    ]
)
PARTS = st.sampled_from(
    [
        *(".__str__", ".__init__", ".stash", ".args", ".name", ".call", ".shape", ".learning_rate", ".fill"),
        *(
            "[0]",
            "[...]",
            "[:]",
            "['stash']",
            "[-1]",
            ".T",
            ".__name__",
            ".sin",
            ".members",
            ".pi",
            ".append",
        ),
    ]
)
WRITTEN = st.sampled_from(
    ["[]", "lambda *a: 'WRONG'", "7.0", "None", "{}", "print", "kept", "lambda self, *a: kept.append(a)", "A"]
)
CLASSES = st.sampled_from(
    ["Exception", "ValueError", "KeyError", "ZeroDivisionError", "tf.Module", "A", "tf.keras.Model"]
)
WRITES = st.one_of(
    st.tuples(
        CLASSES, st.sampled_from([".__str__", ".__init__", ".stash", ".args"]), st.just(" = "), WRITTEN
    ).map("".join),
    st.tuples(REACHED, PARTS, st.sampled_from([" = ", " += ", " *= "]), WRITTEN).map("".join),
    st.tuples(REACHED, st.sampled_from([".append", ".fill", ".clear", ".update", ".sort", ".seed"])).map(
        lambda call: f"{call[0]}{call[1]}(1)"
    ),
    st.tuples(REACHED, WRITTEN).map(" = ".join),
    st.tuples(REACHED).map(lambda one: f"del {one[0]}"),
)
BLOCKS = st.sampled_from(
    [
        *("tf.name_scope('a')", "tf.Graph().as_default()", "tf.variable_scope('b')", "tf.Session()"),
        *("tf.control_dependencies([y])", "tf.GradientTape() as tape", "tf.device('/cpu:0')"),
    ]
)
ENDS = st.sampled_from(
    ["1 / 0", "eval('1')", "while True:\n        pass", "tf.gradients(y, [x])", "raise ValueError(7)", "pass"]
)
CAUGHT = WRITES.map(lambda one: f"try:\n    {one}\nexcept Exception as e:\n    kept.append(e)")
LEFT_OPEN = st.tuples(BLOCKS, ENDS).map(
    lambda two: (
        f"def half():\n    with {two[0]}:\n        yield x\nkept.append(half())\n"
        f"next(kept[-1])\nkept.append(kept)\nwith {two[0]}:\n    {two[1]}"
    )
)
SPOILS = st.lists(CAUGHT | CAUGHT | LEFT_OPEN, min_size=1, max_size=3).map(
    lambda lines: "\n".join(
        [
            START + "kept = []\nclass A(ValueError):\n    pass\ndef gen():\n    yield kept\n"
            "def f(a=[]):\n    return a\ne = A(1)",
            *lines,
        ]
    )
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
