"""The command line: `gradlens serve`, `gradlens run FILE`, `gradlens export …`, `gradlens sweep …`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from engine.version import ENGINE_VERSION

DIALECTS = ("auto", "math", "tf1", "tf2")
GRAPHS = ("json", "pbtxt", "pb", "dot", "graphml", "events")
DETAILS = ("tensorflow", "essentials")
CODE = ("math", "latex", "tf1", "tf2", "numpy", "torch", "jax")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; returns the exit code."""
    options = build_parser().parse_args(arguments)
    command: int = options.command(options)
    return command


def build_parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    parser = argparse.ArgumentParser(prog="gradlens", description="See a program's gradient graph.")
    parser.add_argument("--version", action="version", version=f"gradlens {ENGINE_VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve the page and the REST interface")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (default %(default)s)")
    serve.add_argument(
        "--port", default=8000, type=port_number, help="the port, 0 for a free one (default 8000)"
    )
    serve.set_defaults(command=run_serve)
    run = commands.add_parser("run", help="run a program and print its output and gradients")
    run.add_argument("file", metavar="FILE", help="the program, or - for standard input")
    run.add_argument("--dialect", default="auto", choices=DIALECTS, help="what it is written in")
    run.add_argument("--json", action="store_true", help="print the REST interface's answer instead")
    run.set_defaults(command=run_program)
    export = commands.add_parser("export", help="write a program's graph, or the program in another language")
    export.add_argument("file", metavar="FILE", help="the program, or - for standard input")
    export.add_argument("--format", required=True, choices=[*GRAPHS, *CODE], help="what to write")
    export.add_argument("--detail", default="tensorflow", choices=DETAILS, help="of a graph")
    export.add_argument("--dialect", default="auto", choices=DIALECTS, help="what the program is written in")
    export.add_argument("--output", metavar="PATH", help="where to write (default: standard output)")
    export.set_defaults(command=export_program)
    sweep = commands.add_parser("sweep", help="optimise a program over optimizers, rates and starts")
    sweep.add_argument("file", metavar="FILE", help="the program")
    sweep.add_argument("--optimizers", required=True, metavar="NAMES", help="such as Adam,Momentum,keras.SGD")
    sweep.add_argument("--rates", required=True, metavar="RATES", help="0.1,0.2 or 0:1:5 or 0.001:1:30log")
    sweep.add_argument("--start", action="append", default=[], metavar="X=VALUES", help="where to start from")
    sweep.add_argument("--steps", type=int, required=True, help="of each run")
    sweep.add_argument("--dialect", default="auto", choices=DIALECTS, help="what the program is written in")
    sweep.add_argument("-o", "--output", required=True, metavar="PATH", help="a .csv or .parquet file")
    sweep.set_defaults(command=sweep_program)
    return parser


def port_number(text: str) -> int:
    """A port as the operating system knows it."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; use a number from 0 to 65535")
    return int(text)


def run_serve(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from gradlens.serve import serve

    return serve(options.host, options.port)


def run_program(options: argparse.Namespace) -> int:
    """Run one program."""
    from gradlens.run import run

    return run(options.file, options.dialect, options.json)


def sweep_program(options: argparse.Namespace) -> int:
    """Carry out one sweep."""
    from gradlens.sweep import Sweep, numbers, start_of, sweep

    try:
        starts = dict(start_of(text) for text in options.start)
        wanted = Sweep(options.optimizers.split(","), numbers(options.rates), starts, options.steps)
    except ValueError as error:
        print(f"Not a list of numbers: {error}. Write 0.1,0.2 or 0:1:5 or 0.001:1:30log.", file=sys.stderr)
        return 2
    return sweep(options.file, options.dialect, wanted, options.output)


def export_program(options: argparse.Namespace) -> int:
    """Write one program's graph or code."""
    from gradlens.export import export

    return export(options.file, options.dialect, options.format, options.detail, options.output)
