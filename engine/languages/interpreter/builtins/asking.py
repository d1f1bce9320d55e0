"""`input()`: the next of the lines that come with a request. Nobody waits for one that is not there."""

from __future__ import annotations

from typing import Any

from engine.errors import RefusedError
from engine.languages.interpreter.builtins.functions import builtin
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.questions import Question


@builtin("input")
def input_(interpreter: Interpreter, prompt: Any = "", /) -> str:
    """Show the prompt, and read the next line. Raises: RefusedError where the request has none left.

    No `except` of the program sees that: it would go on without having asked.
    """
    workspace, asked = interpreter.workspace, to_str(prompt)
    if asked:
        interpreter.print(asked)
    count = len(workspace.questions)
    line = workspace.lines[count] if count < len(workspace.lines) else None
    workspace.questions.append(Question(asked, line, interpreter.place))
    if line is None:
        raise _not_answered(count)
    return str(line)


def _not_answered(count: int) -> RefusedError:
    given = "no line was given" if count == 0 else f"only {count} given before it"
    given_zh = "没有给出任何一行" if count == 0 else f"此前只给了 {count} 行"
    return RefusedError(
        f"The program waits for a line: this is call {count + 1} of input(), and {given}.",
        message_zh=f"程序在等待输入：这是第 {count + 1} 次调用 input()，而{given_zh}。",
        hint="Type the line into the field below the program (elsewhere: `inputs` of a request, `--input`).",
        hint_zh="请在程序下方的输入框中填写这一行（别处：请求中的 `inputs`，或 `--input`）。",
        code="input_needed",
    )
