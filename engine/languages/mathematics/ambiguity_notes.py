"""Notes about places in a formula that can be read in more than one way, each given once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import Span
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.interpreter.reading.source import with_one_newline
from engine.languages.mathematics.roles import in_words
from engine.languages.mathematics.tree import Name, Operation

FUNCTION_LETTERS = frozenset("fghσφψΓ")
LONGEST_SHOWN = 40


class AmbiguityNotes:
    """The notes of one text, none of them twice."""

    def __init__(self, text: str) -> None:
        self._lines = with_one_newline(text).split("\n")
        self.diagnostics: list[Diagnostic] = []

    def note(
        self,
        code: str,
        message: str,
        message_zh: str,
        span: Span,
        hint: str = "",
        hint_zh: str = "",
        replacement: str | None = None,
    ) -> None:
        """Add a note, unless the same one is there already. replacement: the text read the other way."""
        if all(diagnostic.message != message for diagnostic in self.diagnostics):
            self.diagnostics.append(
                Diagnostic("note", code, message, message_zh, hint, hint_zh, span, replacement=replacement)
            )

    def _rewritten(self, span: Span, text: str) -> str:
        """The whole text with another one at a place, which lies in one line."""
        lines = list(self._lines)
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + text + line[span.end_column - 1 :]
        return "\n".join(lines)

    # -- letters ---------------------------------------------------------------------------------

    def explain_split(self, text: str, parts: Sequence[str], span: Span) -> None:
        """`sinx` is read as sin x."""
        apart = " ".join(parts)
        self.note(
            "letters_apart",
            f"`{text}` is read as {apart}.",
            f"`{text}` 按 {apart} 读取。",
            span,
            f"If it is one name, give it a value: {text} = 1.",
            f"如果它是一个名字，请给它一个值：{text} = 1。",
            "\n".join([f"{text} = 1", *self._lines]),
        )

    def explain_name(self, text: str, parts: Sequence[str], span: Span) -> None:
        """`xy` is read as one name."""
        apart = " ".join(parts)
        self.note(
            "letters_together",
            f"`{text}` is read as one name.",
            f"`{text}` 按一个名字读取。",
            span,
            f"For a product, or a function of something, put spaces between: {apart}.",
            f"如果是乘积，或函数作用于某个量，请用空格分开：{apart}。",
            self._rewritten(span, self._apart(apart, span)),
        )

    def explain_word(self, text: str, span: Span) -> None:
        """`rate x` is a product with a variable that is called `rate`."""
        self.note(
            "word_as_name",
            f"`{text}` is read as a variable, multiplied by what stands beside it.",
            f"`{text}` 按变量读取，与相邻的量相乘。",
            span,
            f"If it is a name, give it a value: {text} = 1.",
            f"如果它是一个名字，请给它一个值：{text} = 1。",
        )

    def _apart(self, text: str, span: Span) -> str:
        """A product in the place of a name: in brackets where a power or a function would part it."""
        before, after = self._around(span)
        return f"({text})" if after[:1] in ("^", "²", "³") or before[-1:].isalpha() else text

    def _around(self, span: Span) -> tuple[str, str]:
        line = self._lines[span.line - 1]
        return line[: span.column - 1], line[span.end_column - 1 :]

    def explain_root(self, function: str, number: str, span: Span) -> None:
        """`√2x` is read as √(2x)."""
        root = {"sqrt": "√", "cbrt": "∛"}.get(function, function)
        digits = replace(span, column=span.end_column, end_column=span.end_column + len(number))
        self.note(
            "root_of_a_product",
            f"`{root}{number}x` is read as the root of the product: {root}({number}x).",
            f"`{root}{number}x` 按乘积的根读取：{root}({number}x)。",
            span,
            f"For the root of {number} alone write {root}({number}) x.",
            f"如果只对 {number} 开方，请写 {root}({number}) x。",
            self._rewritten(digits, f"({number}) "),
        )

    def explain_i(self, span: Span) -> None:
        """The imaginary unit is not computed with."""
        self.note(
            "i_is_a_name",
            "`i` is a variable here; complex numbers are not computed.",
            "`i` 在这里是一个变量；不计算复数。",
            span,
        )

    def explain_data(self, held: Sequence[str], trained: Sequence[str], span: Span) -> None:
        """Data stand in a loss beside weights: they are not trained."""
        data, weights = in_words(held, ", ", " and "), in_words(trained, ", ", " and ")
        data_are, weights_are = ("is" if len(names) == 1 else "are" for names in (held, trained))
        self.note(
            "data_held_constant",
            f"{data} {data_are} taken as data and held constant; {weights} {weights_are} trained.",
            f"{in_words(held, '、', '、')} 按数据处理，保持不变；训练的是 {in_words(trained, '、', '、')}。",
            span,
            "To choose otherwise, press the lock beside a variable, or name those to train in `wrt`.",
            "如需改变，请点变量旁的锁，或在 `wrt` 中写出要训练的变量。",
        )

    def explain_derivative(self, formula: str, by: str, span: Span) -> None:
        """Words or signs that ask for the derivative were left out."""
        formula = formula if len(formula) <= LONGEST_SHOWN else "…"
        self.note(
            "derivative_of",
            f"The formula is {formula}; its derivative{f' by {by}' if by else ''} is computed with it.",
            f"公式是 {formula}；它{f'对 {by} ' if by else ''}的导数会一并计算。",
            span,
        )

    # -- products and functions ------------------------------------------------------------------

    def explain_product(self, expression: Operation) -> None:
        """`1/2x` and `e^2x` look as if x belonged to the right part: say that it does not."""
        left = expression.left
        apart = left.span.end_column != expression.right.span.column
        if isinstance(left, Name) and left.text in FUNCTION_LETTERS and not apart:
            self._explain_letter(left)
        if not isinstance(left, Operation) or left.symbol not in "/^":
            return
        sign = left.span.end_column - left.span.column == 1  # ½
        fraction = sign or left.span.column != left.left.span.column  # written \frac, or in brackets
        if fraction or self._ends_with_bracket(left.span) or (apart and left.symbol == "^"):
            return
        self.note(
            f"implicit_product_after_{left.symbol}",
            f"A product without a sign binds like `*`, from the left: "
            f"a{left.symbol}b c is (a{left.symbol}b) · c.",
            f"省略乘号的乘法与 `*` 优先级相同，从左到右：a{left.symbol}b c 即 (a{left.symbol}b) · c。",
            expression.span,
        )

    def _ends_with_bracket(self, span: Span) -> bool:
        line = self._lines[span.end_line - 1] if span.end_line <= len(self._lines) else ""
        return line[span.end_column - 2 : span.end_column - 1] in (")", "}", "]", "）")

    def _explain_letter(self, letter: Name) -> None:
        name = letter.text
        self.note(
            "letter_before_bracket",
            f"`{name}(…)` is read as a product: no line says what the function {name} is.",
            f"`{name}(…)` 按乘积读取：没有哪一行说明函数 {name} 是什么。",
            letter.span,
            f"Define it, as in {name}(x) = x^2." if name != "σ" else "For the sigmoid write sigmoid(…).",
            f"请先定义，例如 {name}(x) = x^2。" if name != "σ" else "如果是 S 型函数，请写 sigmoid(…)。",
        )

    def explain_logarithm(self, span: Span) -> None:
        self.note(
            "natural_logarithm",
            "`log` is the natural logarithm, as in TensorFlow; log10 and log2 have their own names.",
            "`log` 是自然对数（与 TensorFlow 相同）；以 10 和 2 为底请写 log10、log2。",
            span,
        )

    def explain_matrix_product(self, span: Span) -> None:
        self.note(
            "matrix_product",
            "A product without a sign of a matrix and a matrix or a vector is the matrix product; "
            "A * B multiplies element by element.",
            "矩阵与矩阵（或向量）之间省略乘号表示矩阵乘法；A * B 表示逐元素相乘。",
            span,
        )

    def explain_elementwise(self, span: Span) -> None:
        self.note(
            "elementwise",
            "This works element by element; the matrix product is A @ B, the dot product dot(a, b).",
            "这里逐元素计算；矩阵乘法请写 A @ B，点积请写 dot(a, b)。",
            span,
        )

    def explain_places(self, span: Span) -> None:
        self.note(
            "counts_from_one",
            "Elements count from 1, as in mathematics: x[1] is the first.",
            "下标从 1 开始（与数学中相同）：x[1] 是第一个元素。",
            span,
        )
