"""The examples that travel with the package: an index, and a file for each program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_examples(folder: Path) -> dict[str, dict[str, Any]]:
    """Every example by its id, in the order of the index, with its source."""
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return {entry["id"]: read_example(folder, entry) for entry in index}


def read_example(folder: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """One example as it is answered."""
    source = (folder / entry["file"]).read_text(encoding="utf-8")
    fields = {name: entry[name] for name in ("id", "dialect", "title", "teaches")}
    return {**fields, "at": entry.get("at", {}), "source": source}
