"""What a picture cannot be made of, and why."""

from __future__ import annotations

from engine.errors import LimitError, ValueRefused


def too_large(count: int, most: int) -> LimitError:
    """The graph has more nodes than a picture is made of."""
    return LimitError(
        f"The graph has {count:,} nodes; a picture is made of at most {most:,}.",
        hint="Ask for detail=essentials, or take GraphML or DOT into a program for large graphs.",
        message_zh=f"该图有 {count:,} 个节点；图片最多画 {most:,} 个。",
        hint_zh="请使用 detail=essentials，或用 GraphML、DOT 导出到适合大图的软件。",
        code="picture_limit",
    )


def too_much_in_sight(count: int, most: int) -> LimitError:
    """More marks are in sight than a PDF is made of."""
    return LimitError(
        f"What is in sight consists of {count:,} marks; a PDF of it is made of at most {most:,}.",
        hint="Zoom in, close some scopes, or save it as SVG.",
        message_zh=f"当前画面由 {count:,} 个图元组成；PDF 最多包含 {most:,} 个。",
        hint_zh="请放大、收起一些作用域，或保存为 SVG。",
        code="picture_limit",
    )


def takes_too_long() -> LimitError:
    """The layout was stopped by its clock or its memory bound."""
    return LimitError(
        "This graph takes too long to be laid out as a picture.",
        hint="Ask for detail=essentials, or take GraphML or DOT into a program for large graphs.",
        message_zh="该图的布局计算时间过长，无法生成图片。",
        hint_zh="请使用 detail=essentials，或用 GraphML、DOT 导出到适合大图的软件。",
        code="picture_limit",
    )


def without_letters(missing: str) -> ValueRefused:
    """A name has letters that the typeface of a PNG has not."""
    return ValueRefused(
        f"A PNG made here has no letters for {missing!r}.",
        hint="Ask for format=svg or format=pdf, or make the PNG in the page.",
        message_zh=f"这里生成的 PNG 没有 {missing!r} 的字形。",
        hint_zh="请使用 format=svg 或 format=pdf，或在页面中生成 PNG。",
        code="no_such_letters",
    )
