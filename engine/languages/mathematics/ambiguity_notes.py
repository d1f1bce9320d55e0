"""Notes about places in a formula that can be read in more than one way, each given once."""

from __future__ import annotations

from engine.errors import Span
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.mathematics.tree import Name, Operation

FUNCTION_LETTERS = frozenset("fghσφψΓ")


class AmbiguityNotes:
    """The notes of one text, none of them twice."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.diagnostics: list[Diagnostic] = []

    def note(
        self, code: str, message: str, message_zh: str, span: Span, hint: str = "", hint_zh: str = ""
    ) -> None:
        """Add a note, unless the same one is there already."""
        if all(diagnostic.message != message for diagnostic in self.diagnostics):
            self.diagnostics.append(Diagnostic("note", code, message, message_zh, hint, hint_zh, span))

    def explain_product(self, expression: Operation) -> None:
        """`1/2x` and `e^2x` look as if x belonged to the right part: say that it does not."""
        left = expression.left
        apart = left.span.end_column != expression.right.span.column
        if isinstance(left, Name) and left.text in FUNCTION_LETTERS and not apart:
            self._explain_letter(left)
        if not isinstance(left, Operation) or left.symbol not in "/^":
            return
        fraction = left.span.column != left.left.span.column  # written \frac, or in brackets
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
