"""What a form for other tools needs and is not here."""

from __future__ import annotations

from engine.errors import GradlensError, ValueRefused


def not_installed(form: str, package: str, extra: str) -> GradlensError:
    """A form needs a package that comes with an optional part of Gradlens. form: such as PDF."""
    return ValueRefused(
        f"{form} needs {package}, which is not installed here.",
        hint=f"Whoever runs Gradlens installs it with: pip install 'gradlens[{extra}]'",
        message_zh=f"{form} 需要 {package}，但这里没有安装。",
        hint_zh=f"请管理员安装：pip install 'gradlens[{extra}]'",
        code="not_installed",
    )
