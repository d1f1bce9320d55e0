"""A PostgreSQL and a Redis of a test's own, which may be paused and killed; no other ones are touched."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

START_S = 60
UNSAFE_BUT_QUICK = ["-c", "fsync=off", "-c", "full_page_writes=off"]  # the machine does not go down here


def program(name: str) -> str | None:
    """Where a program of PostgreSQL's or Redis's is; Debian keeps the former in a folder by version."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return shutil.which(name) or (str(versions[-1]) if versions else None)


def needed(*names: str) -> None:
    """Skip the test where one of these programs is missing."""
    for name in names:
        if program(name) is None:
            pytest.skip(f"{name} is not installed (Debian: postgresql, redis-server)")


def somebody() -> str | None:
    """Who the servers run as: PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Server:
    """A server in processes of its own."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.command = command
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, user=somebody())

    def send(self, signum: int) -> None:
        """Send a signal to all of it, what it has started included."""
        assert self.process is not None
        for pid in (self.process.pid, *children(self.process.pid)):
            try:
                os.kill(pid, signum)
            except ProcessLookupError:
                continue

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It neither answers nor goes away."""
        self.send(signal.SIGSTOP)
        try:
            yield
        finally:
            self.send(signal.SIGCONT)

    def kill(self) -> None:
        """End it at once."""
        if self.process is not None:
            self.send(signal.SIGKILL)
            self.process.wait()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in found.read_text().split()] if found.exists() else []


class Postgres(Server):
    """A PostgreSQL on a socket in its own folder."""

    def __init__(self, folder: Path) -> None:
        postgres = program("postgres")
        assert postgres is not None
        data = str(folder / "data")
        options = ["-k", str(folder), "-c", "listen_addresses=", *UNSAFE_BUT_QUICK]
        super().__init__([postgres, "-D", data, *options], folder)
        self.databases = 0

    def url(self, name: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def wait(self) -> None:
        """Until it answers."""
        until = time.monotonic() + START_S
        while True:
            try:
                self.execute("SELECT 1")
                return
            except OperationalError:
                if time.monotonic() > until:
                    raise

    def execute(self, statement: str) -> None:
        """Do something outside of any transaction."""
        url = self.url().replace("postgresql:", "postgresql+psycopg:")
        engine = create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 2})
        try:
            with engine.connect() as connection:
                connection.execute(text(statement))
        finally:
            engine.dispose()

    def database(self) -> str:
        """The address of a new, empty database."""
        self.databases += 1
        name = f"test_{self.databases}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL; the test is skipped where there is none."""
    needed("postgres", "initdb")
    with folder() as path:
        initdb = [
            str(program("initdb")),
            "-D",
            str(path / "data"),
            "-U",
            "postgres",
            "--auth=trust",
            "--no-sync",
        ]
        subprocess.run(
            [*initdb, "--no-locale", "--encoding=UTF8"],
            check=True,
            user=somebody(),
            stdout=subprocess.DEVNULL,
            cwd="/",
        )
        server = Postgres(path)
        server.start()
        try:
            server.wait()
            yield server
        finally:
            server.kill()


class Redis(Server):
    """A Redis on a socket in its own folder, which keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "redis.sock"
        options = ["--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "777"]
        super().__init__([str(program("redis-server")), *options, "--save", "", "--dir", str(folder)], folder)

    @property
    def url(self) -> str:
        """Its address."""
        return f"unix://{self.socket}"

    def wait(self) -> None:
        """Until it answers."""
        until = time.monotonic() + START_S
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as asking:
                    asking.connect(str(self.socket))
                    asking.sendall(b"PING\r\n")
                    if asking.recv(16).startswith(b"+PONG"):
                        return
            except OSError:
                if time.monotonic() > until:
                    raise


@contextmanager
def redis() -> Iterator[Redis]:
    """A Redis; the test is skipped where there is none."""
    needed("redis-server")
    with folder() as path:
        server = Redis(path)
        server.start()
        try:
            server.wait()
            yield server
        finally:
            server.kill()


@contextmanager
def folder() -> Iterator[Path]:
    """A folder of whoever the servers run as, whose name is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="gl-", ignore_cleanup_errors=True) as name:
        if (user := somebody()) is not None:
            shutil.chown(name, user)
        yield Path(name)
