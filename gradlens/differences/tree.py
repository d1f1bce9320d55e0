"""What differs between two programs, as trees: + what came, - what went, ~ what changed; then gradients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gradlens.terminal.graph_tree import short

MOST_ROWS = 200  # nodes of one kind that are listed
MARKS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "same": ("=", "dim")}
TITLES = {"forward": "Forward", "gradient": "Gradient", "other": "Optimizer and the rest"}
PLAIN = "dim"

Row = Mapping[str, Any]


def print_differences(console: Console, body: Row, before: str, after: str) -> None:
    """Print an answer of `POST /differences` about two files."""
    console.print(Text(f"--- {before}", style=MARKS["removed"][1]))
    console.print(Text(f"+++ {after}", style=MARKS["added"][1]))
    for tree in trees(body):
        console.print(tree, no_wrap=True, overflow="ellipsis")
    if body["renamed"]:
        console.print(Text(f"{len(body['renamed'])} nodes have other names.", style=PLAIN))
    if body["gradients"]:
        console.print(gradient_table(body["gradients"]))
    for line in result_lines(body):
        console.print(line)
    console.print(Text(body["says"]["en"], style="bold"))


def trees(body: Row) -> Iterator[Tree]:
    """For forward, gradient and the rest what differs, each node above what it is joined to."""
    changes = {one["after"]: one["changes"] for one in body["changed"]}
    for phase, title in TITLES.items():
        nodes = [
            node
            for node in body["graph"]["nodes"]
            if node["difference"] in ("added", "removed", "changed") and _phase(node) == phase
        ]
        if nodes:
            tree = Tree(Text(title, style="bold"), guide_style=PLAIN)
            for node in nodes[:MOST_ROWS]:
                branch = tree.add(label(node))
                for line in details(node, changes.get(node["name"], [])):
                    branch.add(line)
            if len(nodes) > MOST_ROWS:
                tree.add(Text(f"… and {len(nodes) - MOST_ROWS} more; --json has all of them.", style=PLAIN))
            yield tree


def _phase(node: Row) -> str:
    return node["phase"] if node["phase"] in TITLES else "other"


def label(node: Row) -> Text:
    """`+ Neg  Neg = -0.1411`."""
    mark, style = MARKS[node["difference"]]
    name = node["was"] if node["difference"] == "removed" else node["name"]
    text = Text(f"{mark} {name}", style=style)
    facts = node["op"] if name != node["op"] else ""
    value = "" if node["value"] is None else f"= {short(node['value'])}"
    return text.append(f"  {' '.join(filter(None, [facts, value]))}".rstrip(), style=PLAIN)


def details(node: Row, changes: Sequence[Row]) -> Iterator[Text]:
    """What a node takes, where it came or went; what changed of one that stayed."""
    if node["difference"] != "changed":
        if node["inputs"]:
            yield Text(f"of {', '.join(node['inputs'])}", style=PLAIN)
        return
    for change in changes:
        name = change["name"] if change["kind"] == "attribute" else change["kind"].replace("_", " ")
        yield Text(f"{name}: {written(change['before'])} → {written(change['after'])}")


def written(value: Any) -> str:
    """A value of a change: a tensor's numbers, names with commas, else as it is."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return short(value) if isinstance(value, Mapping) else str(value)


def gradient_table(rows: Sequence[Row]) -> Table:
    """Each gradient, = where its numbers are equal, ~ where they are not, ? where that is not known."""
    table = Table(
        "", "gradient", "before", "after", "largest difference", "relative", box=None, pad_edge=False
    )
    for row in rows:
        mark, style = {True: MARKS["same"], False: MARKS["changed"], None: ("?", PLAIN)}[row["equal"]]
        said = [digits(row["absolute"]), digits(row["relative"])]
        if row["reason"]:
            said = [row["reason"]["en"], ""]
        values = [shown(row["value"][part]) for part in ("before", "after")]
        table.add_row(
            Text(mark, style=style), *map(Text, [title(row), *values, *said])
        )  # no markup in a name
    return table


def title(row: Row) -> str:
    """`d/d x`; two names where it has two."""
    before, after = row["name"]["before"], row["name"]["after"]
    names = [name for name in (before, after) if name is not None]
    return f"d/d {names[0]}" if len(set(names)) == 1 else f"d/d {names[0]} → d/d {names[1]}"


def shown(value: Any) -> str:
    """A gradient's numbers, short; a dash for none."""
    return "–" if value is None else short(value)


def digits(number: Any) -> str:
    """Three digits; of what is no finite number its name."""
    return f"{number:.3g}" if isinstance(number, (int, float)) else str(number or "–")


def result_lines(body: Row) -> Iterator[Text]:
    """The target where its value differs, and the first line of the output that does."""
    target, printed = body["target"], body["printed"]
    if target and target["equal"] is False:
        values = [shown(target["value"][part]) for part in ("before", "after")]
        yield Text(f"~ target: {values[0]} → {values[1]}", style=MARKS["changed"][1])
    if printed and printed["first_difference"]:
        first = printed["first_difference"]
        yield Text(f"~ output, line {first['line']}:", style=MARKS["changed"][1])
        for part, mark in (("before", "-"), ("after", "+")):
            if first[part] is not None:
                yield Text(f"  {mark} {first[part]}")
