"""Text to syntax tree, with Python's own complaints put in words for a learner."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace

from engine.errors import GradlensError, ProgramError, RefusedError, Span
from engine.execution.budget import Limits
from engine.graph.names import MAX_NAME
from engine.languages.interpreter.reading.notebooks import code_alone, is_notebook_file
from engine.languages.interpreter.reading.python_2 import PRINT_STATEMENT, with_print_calls
from engine.languages.interpreter.reading.source import Source, read_source

LONG_NAME = re.compile(rf"\w{{{MAX_NAME + 1}}}")
NAMING = ("id", "attr", "arg", "name", "asname", "module", "rest")  # fields that hold names

# Spaces that web pages put into code; Python takes only the plain one.
WEB_SPACES = str.maketrans({"\u00a0": " ", "\u3000": " ", "\u2009": " ", "\u202f": " ", "\u200b": " "})

FULL_WIDTH = dict(zip("（）［］｛｝，：；＝＋－＊／．“”‘’＂＇", "()[]{},:;=+-*/.\"\"''\"'", strict=True))

# What Python says, and the same for a reader of Chinese with what to try, most particular first.
COMPLAINTS: tuple[tuple[str, str, str, str], ...] = (
    (
        r"Missing parentheses in call to 'print'",
        "调用 print 缺少括号",
        "Write print(...).",
        "请写成 print(...)。",
    ),
    (r"'(.)' was never closed", "“{0}”没有配对的右括号", "Add the closing bracket.", "请补上右括号。"),
    (
        r"unmatched '(.)'",
        "“{0}”没有配对的左括号",
        "Remove it or open it earlier.",
        "请删去它，或在前面补上左括号。",
    ),
    (r"closing parenthesis '(.)' does not match.*'(.)'", "括号“{1}”与“{0}”不配对", "", ""),
    (
        r"expected an indented block after .* on line (\d+)",
        "第 {0} 行之后应有缩进的代码块",
        "Indent the lines that belong to it by four spaces.",
        "请把属于它的行缩进四个空格。",
    ),
    (r"unexpected indent", "多余的缩进", "Start the line where the others start.", "请与其他行左对齐。"),
    (
        r"inconsistent use of tabs and spaces in indentation",
        "缩进混用了制表符和空格",
        "Indent with spaces only.",
        "请只用空格缩进。",
    ),
    (
        r"unindent does not match any outer indentation level",
        "缩进与外层的任何一级都不一致",
        "Line it up with the block it belongs to.",
        "请与它所属的代码块对齐。",
    ),
    (
        r"unterminated (?:triple-quoted |f-)?string literal",
        "字符串没有结束引号",
        "Close the quote.",
        "请补上引号。",
    ),
    (
        r"invalid syntax\. Perhaps you forgot a comma\?",
        "语法错误，可能漏了逗号",
        "Add the comma.",
        "请补上逗号。",
    ),
    (r"expected ':'", "这里应有冒号“:”", "End the line with a colon.", "请在行尾加上冒号。"),
    (
        r"expected 'except' or 'finally' block",
        "try 之后应有 except 或 finally",
        "Add an except block.",
        "请补上 except 代码块。",
    ),
    (r"expected '(.*)'", "这里应有“{0}”", "", ""),
    (
        r"positional argument follows keyword argument",
        "没有名字的参数不能放在有名字的参数之后",
        "Put the arguments without a name first.",
        "请把没有名字的参数写在前面。",
    ),
    (r"f-string", "f 字符串写法不正确", "Look at its braces.", "请检查其中的花括号。"),
    (
        r"invalid syntax\. Maybe you meant '==' or ':=' instead of '='\?",
        "这里不能用“=”",
        "Write == to compare.",
        "比较请写 ==。",
    ),
    (
        r"cannot assign to .*",
        "等号左边应是一个名字",
        "Put the name on the left of =.",
        "请把名字写在 = 的左边。",
    ),
    (r"invalid decimal literal", "数字写法不正确", "Write the product with *.", "乘法请写 *。"),
    (
        r"leading zeros in decimal integer literals.*",
        "整数不能以 0 开头",
        "Drop the leading zero.",
        "请去掉开头的 0。",
    ),
    (
        r"unexpected character after line continuation character",
        "反斜杠后面不能再有字符",
        "A backslash only ends a line that goes on. LaTeX is read in the math dialect.",
        "反斜杠只能放在续行的行尾。LaTeX 公式请选择数学语言。",
    ),
    (r"'(\w+)' outside (?:loop|function)", "“{0}”用在了循环或函数之外", "", ""),
    (r"", "这里读不懂", "Look at this place and just before it.", "请检查此处和它前面的部分。"),
)


def parse_program(text: str, limits: Limits) -> tuple[Source, ast.Module]:
    """Parse a Python program, or raise an error that points at the place.

    Spaces from web pages, prompts, the commands of a notebook and Python 2's print statements are mended;
    nothing else is.
    """
    source = read_source(text, limits)
    if is_notebook_file(source.text):
        source = replace(read_source(code_alone(source.text), limits), is_notebook=True)
    source, tree = _mended(source, limits)
    check_nesting(tree, source, limits)
    check_names(tree, source)
    return source, tree


def _mended(source: Source, limits: Limits) -> tuple[Source, ast.Module]:
    """The text that can be read, and its tree."""
    try:
        return source, _parse(source.text)
    except SyntaxError as error:
        mistake = error
    spaced = source.text.translate(WEB_SPACES)
    plain = code_alone(spaced)
    if plain != source.text:
        source = replace(read_source(plain, limits), is_notebook=plain != spaced)
        try:
            return source, _parse(source.text)
        except SyntaxError as error:
            mistake = error
    if PRINT_STATEMENT.match(mistake.msg or ""):
        called = with_print_calls(source.text)
        source = replace(source, text=called, lines=tuple(called.split("\n")), is_python_2=True, spans={})
        try:
            return source, _parse(source.text)
        except SyntaxError as error:
            mistake = error
    raise syntax_error(mistake, source) from None


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a plain string is the student's business
            return ast.parse(text, filename="<program>")
    except (RecursionError, MemoryError):
        raise nesting_error(None) from None
    except ValueError:
        raise ProgramError(
            "The text cannot be read as a program.",
            message_zh="无法把这段文本当作程序读取。",
            code="syntax_error",
        ) from None


def syntax_error(error: SyntaxError, source: Source) -> GradlensError:
    """Python's syntax error, in our words, at its line and column."""
    message = error.msg or "invalid syntax"
    if "too many nested" in message or "too many statically nested" in message:
        return nesting_error(_place(error, source))
    full_width = re.match(r"invalid (?:non-printable )?character '?(.)", message)
    if full_width and full_width[1] in FULL_WIDTH:
        return _full_width_error(full_width[1], _place(error, source))
    english, chinese, hint, hint_zh = _complaint(message)
    return ProgramError(
        f"Syntax error: {english}.",
        message_zh=f"语法错误：{chinese}。",
        code="syntax_error",
        hint=hint,
        hint_zh=hint_zh,
        where=_place(error, source),
    )


def _complaint(message: str) -> tuple[str, str, str, str]:
    matches = ((re.match(pattern, message), texts) for pattern, *texts in COMPLAINTS)
    found, (chinese, hint, hint_zh) = next((found, texts) for found, texts in matches if found)
    english = re.sub(r"\. (Perhaps|Maybe|Did).*", "", message).rstrip(".")
    return english, chinese.format(*found.groups()), hint, hint_zh


def _full_width_error(character: str, span: Span) -> ProgramError:
    plain = FULL_WIDTH[character]
    return ProgramError(
        f"Syntax error: `{character}` is a full-width character.",
        message_zh=f"语法错误：“{character}”是全角字符。",
        code="syntax_error",
        hint=f"Type {plain} with the keyboard in English mode.",
        hint_zh=f"请切换到英文输入法输入 {plain}。",
        where=span,
        instead=(character, plain),
    )


def _place(error: SyntaxError, source: Source) -> Span:
    line = min(max(error.lineno or 1, 1), len(source.lines))
    last = len(source.lines[line - 1]) + 1
    column = min(max(error.offset or 1, 1), last)
    end_line = max(error.end_lineno or line, line)
    end = error.end_offset or 0
    if end_line == line:
        end = max(end, column + 1)
    return Span(line, column + source.indent, end_line, max(end, 1) + source.indent)


def nesting_error(span: Span | None, limit: int = 200) -> RefusedError:
    """The program is nested too deeply to be read."""
    return RefusedError(
        f"The program is nested more than {limit} levels deep.",
        message_zh=f"程序的嵌套超过 {limit} 层。",
        code="nesting_too_deep",
        hint="Give the inner parts names of their own.",
        hint_zh="请给内层部分单独命名。",
        where=span,
    )


def check_nesting(tree: ast.Module, source: Source, limits: Limits) -> None:
    """Walk the tree without recursion and refuse it where it is deeper than the limit.

    A long sum or product leans to the left and is not nested for a reader: that side counts nothing.
    """
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > limits.nesting:
            raise nesting_error(source.span(node), limits.nesting)
        for child, deeper in _children(node):
            waiting.append((child, depth + deeper))


def check_names(tree: ast.Module, source: Source) -> None:
    """Refuse the first name that is too long: answers repeat it wherever it is used."""
    if not LONG_NAME.search(source.text):
        return
    for node in ast.walk(tree):
        names = [getattr(node, field, None) for field in NAMING]
        for name in [*names, *getattr(node, "names", ())]:
            if isinstance(name, str) and len(name) > MAX_NAME:
                raise name_too_long(len(name), source.span(node))


def name_too_long(length: int, span: Span | None) -> RefusedError:
    """A name has more characters than a reader could take in."""
    return RefusedError(
        f"A name here has {length:,} characters; the limit is {MAX_NAME:,}.",
        message_zh=f"这里的名字有 {length:,} 个字符；上限是 {MAX_NAME:,}。",
        code="name_too_long",
        hint="Choose a shorter name.",
        hint_zh="请选用更短的名字。",
        where=span,
    )


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    flat = node.left if isinstance(node, ast.BinOp) else None
    for child in ast.iter_child_nodes(node):
        yield child, 0 if child is flat else 1
