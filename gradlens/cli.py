"""The command line: `gradlens serve`; `open`, `run`, `compare`, `export`, `sweep`; `backup`, `restore`."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from engine.version import ENGINE_VERSION
from gradlens.arguments import AddValue, port_number, step_count, tolerance, value_of_variable

# The engine's own lists, written out: to load it takes longer than to say what a command takes.
DIALECTS = ("auto", "math", "tf1", "tf2", "torch", "jax")
GRAPHS = ("json", "pbtxt", "pb", "dot", "graphml", "events")
PICTURES = ("svg", "pdf", "png", "tikz")
THEMES = ("light", "dark", "print")
DIRECTIONS = ("right", "down", "up")
DETAILS = ("tensorflow", "essentials", "mathematics", "torch", "jax")
DOCUMENTS = ("ipynb", "html", "derivation")
LANGUAGES = ("en", "zh")
CODE = ("math", "latex", "tf1", "tf2", "numpy", "torch", "jax", "generated")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; returns the exit code, 130 where Ctrl-C ended it."""
    options = build_parser().parse_args(arguments)
    try:
        code: int = options.command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever reads what we print has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def build_parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    parser = argparse.ArgumentParser(prog="gradlens", description="See a program's gradient graph.")
    parser.add_argument("--version", action="version", version=f"gradlens {ENGINE_VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_serve(commands)
    _add_open(commands)
    _add_run(commands)
    _add_compare(commands)
    _add_export(commands)
    _add_sweep(commands)
    _add_backup(commands)
    _add_restore(commands)
    return parser


def _add_serve(commands: Commands) -> None:
    serve = _add(
        commands,
        "serve",
        "serve the page and the REST interface",
        "Serve the page and the REST interface until Ctrl-C. Settings are environment variables: "
        "GRADLENS_PROFILE (what a program may use: own, the default, allows it 30 s; class, where many share "
        "one machine, 5 s), GRADLENS_DATA_DIR (where results are kept), GRADLENS_WORKERS (programs that run "
        "at once), …",
        "gradlens serve --port 8080",
    )
    _add_address(serve, port=8000)
    serve.set_defaults(command=run_serve)


def _add_open(commands: Commands) -> None:
    opened = _add(
        commands,
        "open",
        "open a graph that another program wrote",
        "Serve the page with the graph of a file: a GraphDef (.pb, .pbtxt), a saved_model.pb, a .meta file "
        "or an event file of TensorBoard, also packed with gzip or zip; at most 32 MB and 50,000 nodes. Its "
        "address is printed, and opened in the browser. Until Ctrl-C.",
        "gradlens open logs/events.out.tfevents.1500000000.host",
    )
    opened.add_argument("file", metavar="FILE", help="the file of the graph")
    _add_address(opened, port=0)
    opened.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    opened.set_defaults(command=run_open)


def _add_address(command: argparse.ArgumentParser, port: int) -> None:
    command.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)"
    )
    command.add_argument(
        "--port", default=port, type=port_number, help="the port, 0 for a free one (default: %(default)s)"
    )


def _add_run(commands: Commands) -> None:
    run = _add(
        commands,
        "run",
        "run a program and print its output and gradients",
        "Run a program, print what it prints, then its target and its gradients under the program's own "
        "names; mistakes name the file, line and column on standard error. The exit code is 0 where the "
        "program ran to its end.",
        "echo 'y = exp(sin(x))' | gradlens run - --at x=3 --graph --lesson",
    )
    _add_program(run)
    run.add_argument(
        "--at",
        action=AddValue,
        type=value_of_variable,
        default={},
        metavar="X=VALUE",
        help="a number, or lists of numbers, for a variable; may be given for several",
    )
    run.add_argument(
        "--graph", action="store_true", help="draw the forward and the gradient graph as trees, with values"
    )
    run.add_argument("--lesson", action="store_true", help="print the steps of its lesson, too")
    run.add_argument("--json", action="store_true", help="print the REST interface's answer instead")
    run.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="LINE",
        help="a line that the program's input() reads; may be given for several calls (then: standard input)",
    )
    run.add_argument("--watch", action="store_true", help="run again whenever FILE changes, until Ctrl-C")
    run.set_defaults(command=run_program)


def _add_compare(commands: Commands) -> None:
    compare = _add(
        commands,
        "compare",
        "say what differs between two programs or graphs",
        "Match the nodes of two programs, or of graphs in files (.pb, .pbtxt, .meta, event files), by "
        "structure and not by name; print what was added (+), removed (-) and changed (~), and whether the "
        "gradients are numerically equal. The exit code is 0 where nothing differs, 1 where something does, "
        "and 2 where one of the two cannot be read or does not run.",
        "gradlens compare before.py after.py",
    )
    compare.add_argument("before", metavar="BEFORE", help="a program, or a file with a graph")
    compare.add_argument("after", metavar="AFTER", help="the other one; - is a program on standard input")
    compare.add_argument("--dialect", default="auto", choices=DIALECTS, help="what programs are written in")
    compare.add_argument(
        "--detail",
        default="essentials",
        choices=DETAILS,
        help="compare the mathematics alone, or TensorFlow's every node (default: %(default)s)",
    )
    for name, usual in (("relative", 1e-5), ("absolute", 1e-7)):
        compare.add_argument(
            f"--{name}",
            type=tolerance,
            default=usual,
            metavar="NUMBER",
            help=f"the {name} difference up to which numbers are equal (default: %(default)s)",
        )
    compare.add_argument("--json", action="store_true", help="print the REST interface's answer instead")
    compare.set_defaults(command=compare_files)


def _add_export(commands: Commands) -> None:
    export = _add(
        commands,
        "export",
        "write a program's graph, code in another language, a notebook or a page",
        "Write a program's graph for other tools or as a picture, the same computation in another language, "
        "its derivation for LaTeX, or a Jupyter notebook with its values and gradients, which checks them "
        "when it is run; or one HTML file in which its graph is stepped through without a server and without "
        "the internet.",
        "gradlens export chain.math --format torch --output chain.py",
    )
    _add_program(export)
    export.add_argument(
        "--format",
        required=True,
        choices=[*GRAPHS, *PICTURES, *CODE, *DOCUMENTS],
        metavar="FORMAT",
        help=f"of a graph: {', '.join(GRAPHS)}; of a picture of it: {', '.join(PICTURES)}; "
        f"of code: {', '.join(CODE)}; "
        "ipynb: a Jupyter notebook; html: a page to step through without a server; derivation: the steps of "
        "the lesson as equations, for LaTeX",
    )
    export.add_argument(
        "--detail",
        default=DETAILS[0],
        choices=DETAILS,
        help="a graph with TensorFlow's every node, or with the essential ones alone; a picture also of "
        "the mathematics as it is written, or of a framework's own graph (default: %(default)s)",
    )
    _add_looks(export)
    export.add_argument(
        "--language",
        default=LANGUAGES[0],
        choices=LANGUAGES,
        help="of the words in a derivation (default: %(default)s)",
    )
    export.add_argument("--output", metavar="PATH", help="where to write (default: standard output)")
    export.set_defaults(command=export_program)


def _add_looks(export: argparse.ArgumentParser) -> None:
    """How an exported picture looks."""
    export.add_argument(
        "--theme",
        default=THEMES[0],
        choices=THEMES,
        help="the colours of a picture; print is black and white (default: %(default)s)",
    )
    export.add_argument(
        "--direction",
        default=DIRECTIONS[0],
        choices=DIRECTIONS,
        help="in which a picture's forward graph runs (default: %(default)s)",
    )
    export.add_argument(
        "--open",
        action="append",
        metavar="SCOPE",
        help="open a scope of a picture, and no others but those named so; '*' opens all",
    )


def _add_sweep(commands: Commands) -> None:
    sweep = _add(
        commands,
        "sweep",
        "optimise a program over optimizers, rates and starts",
        "Optimise a program once for every optimizer, learning rate and start, and write how each run ended: "
        "a line for each, with its last and lowest loss and where it stood. The best runs and a chart of "
        "their losses by rate are printed. With DASK_SCHEDULER set, the work goes to that Dask cluster.",
        "gradlens sweep bowl.math --optimizers Adam,Momentum --rates 0.001:1:30log --steps 200 -o bowl.csv",
    )
    _add_program(sweep)
    sweep.add_argument(
        "--optimizers", required=True, metavar="NAMES", help="with commas between: Adam,Momentum,keras.SGD"
    )
    sweep.add_argument(
        "--rates",
        required=True,
        metavar="NUMBERS",
        help="learning rates: 0.1,0.2, or 0:1:5 for five from 0 to 1, or 0.001:1:30log in equal ratios",
    )
    sweep.add_argument(
        "--start",
        action="append",
        default=[],
        metavar="X=NUMBERS",
        help="values for a variable to start from, written like rates; may be given for several variables",
    )
    sweep.add_argument(
        "--steps", type=step_count, required=True, metavar="COUNT", help="of each run, at most 100000"
    )
    sweep.add_argument("-o", "--output", required=True, metavar="PATH", help="a .csv or .parquet file")
    sweep.set_defaults(command=sweep_program)


def _add_backup(commands: Commands) -> None:
    backup = _add(
        commands,
        "backup",
        "write all answers, links and classes to a file",
        "Write all answers, links and classes to one file, as they are at one moment, while the service "
        "goes on. The store is the one that DATABASE_URL or GRADLENS_DATA_DIR names; the file is the same "
        "for both.",
        "gradlens backup gradlens-monday.backup",
    )
    backup.add_argument("file", metavar="FILE", help="where to write; what is there is replaced")
    backup.set_defaults(command=back_up_store)


def _add_restore(commands: Commands) -> None:
    restore = _add(
        commands,
        "restore",
        "bring back what a backup holds",
        "Bring back what a backup holds, all of it or nothing, into the store that DATABASE_URL or "
        "GRADLENS_DATA_DIR names. Stop the service before, and start it afterwards.",
        "gradlens restore gradlens-monday.backup",
    )
    restore.add_argument("file", metavar="FILE", help="a file that gradlens backup has written")
    restore.add_argument("--replace", action="store_true", help="drop what is in the store now")
    restore.set_defaults(command=restore_store)


def _add(commands: Commands, name: str, short: str, long: str, example: str) -> argparse.ArgumentParser:
    """A command with what it does, in a line and at length, and an example."""
    return commands.add_parser(name, help=short, description=long, epilog=f"Example: {example}")


def _add_program(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the program, or - for standard input")
    command.add_argument(
        "--dialect",
        default="auto",
        choices=DIALECTS,
        help="what it is written in (default: seen from its text)",
    )


def run_serve(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from server.workers.fork_server import start_fork_server

    start_fork_server()  # it loads the engine beside this process, which loads the service
    gc.disable()  # until the service is loaded: a seventh of the time would go into looking for garbage
    try:
        with _without("rich"):  # structlog would load it, for a terminal
            from gradlens.serve import serve
        return serve(options.host, options.port)
    finally:
        gc.enable()


@contextmanager
def _without(library: str) -> Iterator[None]:
    """Modules imported within find the library missing, unless it is loaded already."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]  # so that importing it fails
    try:
        yield
    finally:
        del sys.modules[library]


def run_open(options: argparse.Namespace) -> int:
    """Serve one graph until interrupted."""
    from gradlens.open import open_file

    return open_file(options.file, options.host, options.port, browser=not options.no_browser)


def run_program(options: argparse.Namespace) -> int:
    """Run one program."""
    from gradlens.run import Shown, run

    shown = Shown(json=options.json, graph=options.graph, lesson=options.lesson)
    asked = (options.file, options.dialect, options.input, dict(options.at), shown)
    if not options.watch:
        return run(*asked)
    if options.file == "-":
        print("Standard input does not change; --watch takes a file.", file=sys.stderr)
        return 2
    from gradlens.terminal.watching import changes_of, run_on_change

    return run_on_change(lambda: run(*asked), changes_of(options.file))


def compare_files(options: argparse.Namespace) -> int:
    """Compare two files."""
    from engine.programs.differences import Tolerance
    from gradlens.differences.command import compare

    allowed = Tolerance(options.relative, options.absolute)
    files = options.before, options.after
    return compare(*files, options.dialect, options.detail, allowed, as_json=options.json)


def sweep_program(options: argparse.Namespace) -> int:
    """Carry out one sweep."""
    from gradlens.sweep import Sweep, numbers, starts_of, sweep

    try:
        optimizers = [name.strip() for name in options.optimizers.split(",")]
        wanted = Sweep(optimizers, numbers(options.rates), starts_of(options.start), options.steps)
    except ValueError as error:
        print(f"Not a list of numbers: {error}. Write 0.1,0.2 or 0:1:5 or 0.001:1:30log.", file=sys.stderr)
        return 2
    return sweep(options.file, options.dialect, wanted, options.output)


def back_up_store(options: argparse.Namespace) -> int:
    """Write a backup."""
    from gradlens.backup import back_up_store

    return back_up_store(options.file)


def restore_store(options: argparse.Namespace) -> int:
    """Bring a backup back."""
    from gradlens.backup import restore_store

    return restore_store(options.file, options.replace)


def export_program(options: argparse.Namespace) -> int:
    """Write one program's graph or code."""
    from engine.programs.answers.picture_files import Look
    from gradlens.export import export

    scopes = None if options.open is None else tuple(options.open)
    look = Look(options.detail, options.format, options.theme, options.direction, scopes)
    return export(options.file, options.dialect, look, options.output, options.language)
