"""The text of a program: cleaned, guarded, and able to say where in it a node stands."""

from __future__ import annotations

import ast
import unicodedata
from dataclasses import dataclass, field

from engine.errors import RefusedError, Span
from engine.execution.budget import Limits

# Characters that make text read differently from what runs: directional overrides and isolates.
DIRECTION_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
TEXT_CONTROLS = frozenset("\t\n\f")


@dataclass(frozen=True, slots=True)
class Source:
    """A program's text with one kind of newline, and the columns that were cut off its left."""

    text: str
    lines: tuple[str, ...]
    indent: int = 0
    is_notebook: bool = False  # whether prompts or a notebook's commands were taken out of it
    is_python_2: bool = False  # whether print statements were made calls
    spans: dict[ast.AST, Span | None] = field(default_factory=dict, compare=False, repr=False)

    def span(self, node: ast.AST) -> Span | None:
        """Line and column of a node, from 1, in characters, the end exclusive; worked out once."""
        try:
            return self.spans[node]
        except KeyError:
            span = self.spans[node] = self._span(node)
            return span

    def _span(self, node: ast.AST) -> Span | None:
        line: int | None = getattr(node, "lineno", None)
        if line is None:
            return None
        end_line: int = getattr(node, "end_lineno", None) or line
        start = self._character(line, node.col_offset)  # type: ignore[attr-defined]  # it has a lineno
        end = self._character(end_line, getattr(node, "end_col_offset", None) or 0)
        return Span(line, start, end_line, end)

    def segment(self, node: ast.AST) -> str:
        """The text of a node as it was written.

        As `ast.get_source_segment`, which takes the whole text apart anew for each node.
        """
        end_line: int | None = getattr(node, "end_lineno", None)
        if end_line is None:
            return ""
        lines = [line.encode() for line in self.lines[node.lineno - 1 : end_line]]  # type: ignore[attr-defined]  # it has an end
        lines[-1] = lines[-1][: node.end_col_offset]  # type: ignore[attr-defined]
        lines[0] = lines[0][node.col_offset :]  # type: ignore[attr-defined]
        return b"\n".join(lines).decode()

    def _character(self, line: int, byte_offset: int) -> int:
        """The syntax tree counts UTF-8 bytes from 0; people count characters from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if not text.isascii():
            byte_offset = len(text.encode()[:byte_offset].decode(errors="ignore"))
        return byte_offset + 1 + self.indent


def read_source(text: str, limits: Limits) -> Source:
    """Check a text's size and characters and cut the indentation that all of its lines share."""
    check_size(text, limits)
    plain = with_one_newline(text)
    check_characters(plain)
    lines = plain.split("\n")
    margin = _shared_margin(lines)
    if margin:
        lines = [line[margin:] if line[:margin].isspace() else line.lstrip() for line in lines]
    return Source("\n".join(lines), tuple(lines), margin)


def with_one_newline(text: str) -> str:
    """The text as its lines and columns are counted: one kind of newline, no byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def check_size(text: str, limits: Limits) -> None:
    """Refuse a text over the limit before anything reads it."""
    size_bytes = len(text.encode(errors="surrogatepass"))
    if size_bytes > limits.source_bytes:
        raise RefusedError(
            f"The program has {size_bytes:,} bytes; the limit is {limits.source_bytes:,}.",
            message_zh=f"程序有 {size_bytes:,} 字节；上限是 {limits.source_bytes:,}。",
            code="source_too_large",
            hint="Paste only the part that builds and differentiates the graph.",
            hint_zh="请只粘贴构建计算图并求梯度的部分。",
        )


def check_characters(text: str) -> None:
    """Refuse the first character that no program needs: control characters, lone surrogates, overrides."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.isascii() and line.isprintable():
            continue
        for column, character in enumerate(line, start=1):
            if not _is_text(character):
                raise _character_error(character, Span(number, column, number, column + 1))


def _is_text(character: str) -> bool:
    if character in TEXT_CONTROLS:
        return True
    return character not in DIRECTION_CONTROLS and unicodedata.category(character) not in ("Cc", "Cs")


def _character_error(character: str, span: Span) -> RefusedError:
    name = f"U+{ord(character):04X}"
    return RefusedError(
        f"The text holds the invisible character {name}, which a program cannot contain.",
        message_zh=f"文本中有不可见字符 {name}，程序里不能出现。",
        code="invisible_character",
        hint="Delete it; retyping the line is the surest way.",
        hint_zh="请删除它；重新输入这一行最稳妥。",
        where=span,
    )


def _shared_margin(lines: list[str]) -> int:
    """How far the first statement is indented, where the lines after it are indented at least as far."""
    code = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not code:
        return 0
    margin = len(code[0]) - len(code[0].lstrip())
    prefix = code[0][:margin]
    return margin if margin and all(line.startswith(prefix) for line in code) else 0
