"""The table of docs/differences.md: of each set how many agree, are refused, or answer otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .known import PAGE
from .verdicts import Verdicts

BEGIN, END = "<!-- table: python -m tests.compared --judge -->", "<!-- end of the table -->"
TITLES = {
    "expressions1": "expressions of TensorFlow 1.15.5",
    "expressions2": "expressions of TensorFlow 2.21",
    "numpy": "expressions of numpy",
    "formulas": "formulas, of SymPy",
    "programs1": "drawn programs of TensorFlow 1.15.5",
    "programs2": "drawn programs of TensorFlow 2.21",
    "programs_numpy": "drawn programs of numpy",
}


def lines(found: Mapping[str, Verdicts]) -> Iterator[str]:
    """The table in Markdown, a sum of all below it, and what is compared elsewhere."""
    yield "| set | asked | agree | share | refused | known | wrong |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    every = [(title, found[name]) for name, title in TITLES.items()]
    for title, one in every:
        yield _row(title, one.asked, one.agreeing, len(one.refused), len(one.known), len(one.wrong))
    columns = zip(
        *((o.asked, o.agreeing, len(o.refused), len(o.known), len(o.wrong)) for _, o in every), strict=True
    )
    asked, agreeing, *others = map(sum, columns)
    yield _row("all", asked, agreeing, *others)
    yield ""
    yield "Besides, hundreds of programs that were written by hand print what TensorFlow, numpy and Python"
    yield "printed, and the arguments of all functions stand in the libraries' own order."


def _row(title: str, asked: int, agreeing: int, *others: int) -> str:
    cells = [title, f"{asked:,}", f"{agreeing:,}", f"{agreeing / asked:.1%}", *map(str, others)]
    return f"| {' | '.join(cells)} |"


def page_with(found: Mapping[str, Verdicts]) -> str:
    """The page with this table in the place of the one that it has."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n" + "\n".join(lines(found)) + f"\n\n{END}{after}"
