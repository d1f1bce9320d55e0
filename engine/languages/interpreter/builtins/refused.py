"""Built-in functions that programs may not use, each with what to write instead."""

from __future__ import annotations

from typing import Any

from engine.errors import GradlensError, RefusedError
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import Ignored

REFUSED: dict[str, tuple[str, str]] = {
    "open": ("Write the numbers into the program as a list.", "请把数字以列表写进程序。"),
    "xrange": ("Python 3 calls it range.", "Python 3 中它叫 range。"),
    "raw_input": ("Python 3 calls it input.", "Python 3 中它叫 input。"),
    **dict.fromkeys(
        ("eval", "exec", "compile", "__import__"),
        ("Write the expression itself.", "请直接写出表达式。"),
    ),
    **dict.fromkeys(("globals", "locals", "help"), ("Leave it out.", "请去掉它。")),
}


def _refused(name: str, hint: str, hint_zh: str) -> Native:
    def refuse(*args: Any, **keywords: Any) -> GradlensError:
        raise RefusedError(
            f"`{name}` is not available here.",
            message_zh=f"这里不能使用 `{name}`。",
            hint=hint,
            hint_zh=hint_zh,
            code="refused_builtin",
        )

    return Native(name, refuse)


BUILTINS["get_ipython"] = Ignored("get_ipython")
BUILTINS["__file__"] = "program.py"
BUILTINS.update({name: _refused(name, *hints) for name, hints in REFUSED.items()})
