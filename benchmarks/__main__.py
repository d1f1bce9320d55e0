"""`make bench`: ours beside hand-written code and other systems, workload by workload.

python -m benchmarks                      all workloads, the usual peers; nothing is written
python -m benchmarks --peers all          PyTorch and TensorFlow too
python -m benchmarks --only W1 W2 -r 3    some workloads, three rounds
python -m benchmarks --write              all, with docs/benchmarks.md and the README's tables
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.harness.entry import peer_modules
from benchmarks.harness.measure import Contender, measure
from benchmarks.harness.process import Failed, Process
from benchmarks.harness.readme import readme_table
from benchmarks.harness.report import in_terminal, page, put_between, samples_table, today, verdicts_table
from benchmarks.harness.verdict import verdicts
from benchmarks.workloads.catalogue import WORKLOADS
from benchmarks.workloads.workload import Workload

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
READMES = {"en": ROOT / "README.md", "zh": ROOT / "README.zh-CN.md"}
MARKER = "benchmarks"
ASKING = "`make bench PEERS=all`"
NOT_INSTALLED = f"not installed; PyTorch and TensorFlow are with {ASKING}"


@dataclass(slots=True)
class Field:
    """Who takes part, in which version, and what is left out and why."""

    contenders: list[Contender] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def who_takes_part(modules: Sequence[str], ask_all: bool, chosen: Sequence[Workload]) -> Field:
    """Ask every peer's module, in a process of its own, what it can do of these workloads."""
    found = Field()
    for module in modules:
        with Process(module) as process:
            try:
                described = process.ask("describe")
            except Failed as error:
                absent = not ask_all and str(error).startswith("ModuleNotFoundError")
                found.missing.append(f"{module}: {NOT_INSTALLED if absent else error}")
                continue
        if described["asked"] and not ask_all:
            found.missing.append(f"{described['name']}: only if asked ({ASKING})")
            continue
        found.versions[described["name"]] = described["version"]
        found.contenders += [
            Contender(module, name, way, tuple(what)) for name, way, what in described["entries"]
        ]
        for beginning, why in described["cannot"].items():
            if any(workload.name.startswith(beginning) for workload in chosen):
                found.missing.append(f"{described['name']}, {beginning}: {why}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, show, and write if asked."""
    options = _parser().parse_args(arguments)
    modules = options.modules or peer_modules()
    chosen = [w for w in WORKLOADS if not options.only or w.name.startswith(tuple(options.only))]
    takes_part = who_takes_part(modules, options.peers == "all", chosen)
    sections, judged = [], []
    for workload in chosen:
        measured = measure(workload, takes_part.contenders, options.rounds, options.cold_rounds)
        sections.append((workload, measured))
        judged += list(verdicts(workload, measured))
        print(f"\n{workload.name}: {workload.title}\n{in_terminal(samples_table(measured))}", flush=True)
    print(f"\n{in_terminal(verdicts_table(judged))}\n")
    print("\n".join(takes_part.missing))
    if options.write and (options.only or options.modules):
        print("\nOnly a part was measured: docs/benchmarks.md and the README stay as they are.")
    elif options.write:
        PAGE.write_text(page(sections, judged, takes_part.versions, takes_part.missing), encoding="utf-8")
        for language, path in READMES.items():
            put_between(path, MARKER, readme_table(sections, language, today()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Ours beside other systems.")
    parser.add_argument("--peers", choices=("usual", "all"), default="usual")
    parser.add_argument("--modules", nargs="+", metavar="MODULE", help="only these of benchmarks/peers")
    parser.add_argument("--only", nargs="+", metavar="W", help="workloads whose names begin so")
    parser.add_argument("-r", "--rounds", type=int, default=7, help="warm samples of each")
    parser.add_argument("-c", "--cold-rounds", type=int, default=5, help="cold samples of each")
    parser.add_argument(
        "--write", action="store_true", help="write docs/benchmarks.md and the README's tables"
    )
    return parser


if __name__ == "__main__":
    main()
