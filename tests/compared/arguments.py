"""The values that functions are tried with, by the names of their parameters, or by function."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "compared"
TOGETHER = "together"  # the key of arguments that are chosen for each other

Table = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Arguments:
    """One library's tables: expressions apart by ` | `, the first ones allowed beside each other.

    unary, pairs, reductions: for functions whose parameters begin with these.
    together: pairs of arguments, apart by ` & `.
    """

    parameters: Table
    unary: Table
    pairs: Table
    together: str
    functions: Mapping[str, Table]
    reductions: Table

    @classmethod
    def of(cls, library: str) -> Arguments:
        tables = json.loads((FOLDER / f"arguments_{library}.json").read_text())
        functions = {name: table for names, table in tables["functions"].items() for name in names.split()}
        reductions = tables.get("reductions", {})
        return cls(
            tables["parameters"], tables["unary"], tables["pairs"], tables["together"], functions, reductions
        )

    def choices(self, function: str, parameters: list[str], most: int) -> dict[str, list[str]]:
        """The values that each parameter of a function is tried with, so many at most."""
        special = self._special(function.rpartition(".")[2], parameters)
        table = {**self.parameters, **special}
        found = {name: table[name].split(" | ")[:most] for name in parameters if name in table}
        if special is self.pairs:
            found[TOGETHER] = self.together.split(" | ")[:most]
        return found

    def _special(self, function: str, parameters: list[str]) -> Table:
        if function in self.functions:
            return self.functions[function]
        for table in (self.pairs, self.reductions):
            if table and parameters[: len(table)] == list(table):
                return table
        return self.unary if parameters and parameters[0] in self.unary else {}
