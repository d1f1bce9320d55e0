"""A uvicorn handler that does nothing but send: what any answer of a Python server takes at least.

python -m tests.reliability.bare FILE: a JSON list of [target, headers, body], the texts in Latin-1. Says its
port on standard output, and answers to each target with these headers and this body.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import uvicorn

Sent = dict[str, tuple[int, bytes, bytes]]  # status, head and body of each target's answer


@contextmanager
def bare_server(folder: Path, sent: Sent) -> Iterator[tuple[int, int]]:
    """Run it in a process of its own, sending what was sent. Returns: its port and its process id."""
    file = folder / "bare.json"
    file.write_text(json.dumps([[target, *as_texts(*answer)] for target, answer in sent.items()]))
    with Popen(
        [sys.executable, "-m", "tests.reliability.bare", str(file)], stdout=PIPE, text=True
    ) as process:
        try:
            yield int(process.stdout.readline() if process.stdout else 0), process.pid
        finally:
            process.terminate()


def as_texts(status: int, head: bytes, body: bytes) -> tuple[int, list[list[str]], str]:
    """An answer as JSON has it; the headers without those that uvicorn adds by itself."""
    lines = [line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:]]
    return (
        status,
        [line for line in lines if line[0].lower() not in ("date", "server")],
        body.decode("latin-1"),
    )


def app_of(answers: list[Any]) -> Any:
    """The handler."""
    starts, bodies = {}, {}
    for target, status, headers, body in answers:
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        starts[target] = {"type": "http.response.start", "status": status, "headers": raw}
        bodies[target] = {"type": "http.response.body", "body": body.encode("latin-1")}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        query = scope["query_string"].decode()
        target = scope["path"] + (f"?{query}" if query else "")
        await send(starts[target])
        await send(bodies[target])

    return app


def main() -> None:
    """Serve until terminated."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    app = app_of(json.loads(Path(sys.argv[1]).read_text()))
    config = uvicorn.Config(app, lifespan="off", log_level="error", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
