"""Programs of several statements, drawn from pieces that stand in files: what one does, the next ones find.

A piece uses names that pieces before it have made, so that views, in-place changes, functions, tapes,
optimizers and sessions meet each other in ways that nobody thought of.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PIECES = Path(__file__).parents[2] / "data" / "compared" / "pieces"
PLACE = re.compile(r"\$([a-z]+)(2?)")
LEAST, MOST = 4, 9  # pieces of one program
# The kinds of names, and those that every program begins with.
STARTS = {
    "numpy": {"m": ["a", "b"], "v": ["u"], "s": ["z"], "k": ["q"], "l": ["p"], "w": ["t"]},
    "tf1": {"m": ["m"], "s": ["s"], "w": ["w"], "b": ["b"], "g": [], "t": []},
    "tf2": {"m": ["x"], "w": ["w"], "b": ["b"], "v": ["v"], "s": ["s"]},
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines, and the kind of the name that they make, or where they stand."""

    kind: str
    text: str

    def fits(self, names: dict[str, list[str]]) -> bool:
        """Whether each name that it uses is there."""
        return all(names.get(kind, ["yes"]) for kind, _ in PLACE.findall(self.text))


def pieces_of(family: str) -> list[Piece]:
    """The pieces of one family, in the file's order."""
    _, *blocks = re.split(r"(?m)^=[ ]?", (PIECES / f"{family}.txt").read_text(encoding="utf-8"))
    parts = (block.partition("\n") for block in blocks)
    return [Piece(kind.strip(), text) for kind, _, text in parts]


@dataclass
class Draft:
    """One program while it is drawn."""

    family: str
    seed: int
    names: dict[str, list[str]] = field(init=False)
    made: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(f"{self.family} {self.seed}")
        self.names = {kind: list(names) for kind, names in STARTS[self.family].items()}
        self.r, self.c = self.random.randint(2, 3), self.random.randint(2, 4)

    def written(self, piece: Piece) -> str:
        """The piece with names and numbers in their places; what it makes can be used from here on."""
        fixed = {"r": str(self.r), "c": str(self.c), "size": str(self.r * self.c)}
        fixed["i"], fixed["j"] = (str(self.random.randrange(n)) for n in (self.r, self.c))
        if len(piece.kind) == 1:
            self.made += 1
            fixed["new"] = f"{piece.kind}{self.made}"
        text = PLACE.sub(lambda place: self._filled(place, fixed), piece.text)
        if "new" in fixed:
            self.names[piece.kind].append(fixed["new"])
        return text

    def _filled(self, place: re.Match[str], fixed: dict[str, str]) -> str:
        name = place.group(1)
        if name in self.names:
            return fixed.setdefault(place.group(), self.random.choice(self.names[name]))
        return fixed[name] + place.group(2) if name in fixed else self._number(name) + place.group(2)

    def _number(self, name: str) -> str:
        """A number, or several in brackets."""
        if name == "n":
            return str(self.random.randint(2, 5))
        if name == "rate":
            return self.random.choice(["0.1", "0.01", "0.5"])
        if name == "matrix":
            return f"[{', '.join(self._vector(self.c) for _ in range(self.r))}]"
        return self._vector({"vector": self.c, "list": 4}.get(name, 0))

    def _vector(self, count: int) -> str:
        numbers = [str(self.random.randint(-30, 30) / 10) for _ in range(count or 1)]
        return f"[{', '.join(numbers)}]" if count else numbers[0]


def program(family: str, seed: int) -> str:
    """The program of that number."""
    draft, pieces = Draft(family, seed), pieces_of(family)
    (first,), last = ([each for each in pieces if each.kind == kind] for kind in ("begin", "end"))
    middle = [each for each in pieces if each.kind not in ("begin", "between", "end", "run")]
    text = [draft.written(first), *_drawn(draft, middle)]
    for between in (each for each in pieces if each.kind == "between"):
        text += [draft.written(between), *_drawn(draft, [each for each in pieces if each.kind == "run"])]
    return "".join([*text, *map(draft.written, last)])


def _drawn(draft: Draft, pieces: list[Piece]) -> Iterator[str]:
    """Some of the pieces, each at most once, those whose names are there."""
    left, count = list(pieces), draft.random.randint(LEAST, MOST)
    while count and left:
        piece = left.pop(draft.random.randrange(len(left)))
        if piece.fits(draft.names):
            count -= 1
            yield draft.written(piece)


def programs(family: str, count: int) -> list[str]:
    """So many programs, none twice."""
    return list(dict.fromkeys(program(family, seed) for seed in range(count)))
