"""Local derivatives that several ops share: in words where an output is one of many inputs, or by cases."""

from __future__ import annotations

Words = tuple[str, str]  # LaTeX with words, in English and in Simplified Chinese

TAKEN: Words = (
    r"1 \text{ for the elements taken, else } 0",
    r"\text{取出的元素为 } 1 \text{，其余为 } 0",
)
PLACED: Words = (
    r"1 \text{ at the place of the element, else } 0",
    r"\text{在元素所到的位置为 } 1 \text{，其余为 } 0",
)
COPIED: Words = (r"1 \text{ for each copy, else } 0", r"\text{每个副本为 } 1 \text{，其余为 } 0")
SUMMED: Words = (r"1 \text{ for each summand, else } 0", r"\text{每个加数为 } 1 \text{，其余为 } 0")
AVERAGED: Words = (
    r"\frac{1}{n} \text{ for each of the } n \text{ elements, else } 0",
    r"\text{对 } n \text{ 个元素各为 } \frac{1}{n} \text{，其余为 } 0",
)
LARGEST_OF_WINDOW: Words = (
    r"1 \text{ for the largest of each window, else } 0",
    r"\text{每个窗口中最大的元素为 } 1 \text{，其余为 } 0",
)


def extreme_of(source: str) -> Words:
    """Of a largest or smallest element: those that are equal to it share the slope."""
    return (
        rf"\frac{{1}}{{\text{{number of ties}}}} \text{{ where }} {source} = {{out}} \text{{, else }} 0",
        rf"{source} = {{out}} \text{{ 时为 }} \frac{{1}}{{\text{{并列个数}}}} \text{{，其余为 }} 0",
    )


def cases(condition: str, then: str = "1", otherwise: str = "0") -> Words:
    """One formula where the condition holds, and another elsewhere."""
    rows = rf"{then} & {condition} \\ {otherwise} & "
    return tuple(  # type: ignore[return-value]  # two words make two formulas
        rf"\begin{{cases}} {rows}\text{{{word}}} \end{{cases}}" for word in ("otherwise", "其他")
    )
