"""What we override in uvicorn and Pebble is as it was when the files that do so were written."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable

import pytest
from pebble import ProcessPool
from pebble.pool import process
from pebble.pool.channel import Channel
from pebble.pool.process import PoolManager, TaskManager, WorkerManager
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

OF_UVICORN = (HttpToolsProtocol, RequestResponseCycle, FlowControl)
OF_PEBBLE = (ProcessPool, PoolManager, TaskManager, WorkerManager, Channel)
PLACES: dict[str, object] = {
    "process": process,
    **{kind.__name__: kind for kind in (*OF_UVICORN, *OF_PEBBLE)},
}
WRITTEN_FOR = {
    "HttpToolsProtocol.__init__": "4f0899941034",
    "HttpToolsProtocol.connection_made": "6efb565ff3d3",
    "HttpToolsProtocol.connection_lost": "c91a4c9bf2e2",
    "HttpToolsProtocol.data_received": "010a7ae59a5d",
    "HttpToolsProtocol.send_400_response": "ae5a4a3782b6",
    "HttpToolsProtocol.on_message_begin": "96d377fdc7c2",
    "HttpToolsProtocol.on_url": "37be44e962b0",
    "HttpToolsProtocol.on_header": "65d62c044f61",
    "HttpToolsProtocol.on_headers_complete": "1ea8589acfad",
    "HttpToolsProtocol.on_body": "dba9c32aeba3",
    "HttpToolsProtocol.on_message_complete": "1fbad42dc31f",
    "HttpToolsProtocol.on_response_complete": "64e254f28e38",
    "HttpToolsProtocol.pause_writing": "17a8fd215d96",
    "HttpToolsProtocol.resume_writing": "7844bbaa8cce",
    "HttpToolsProtocol.timeout_keep_alive_handler": "8b53bf5f2e20",
    "RequestResponseCycle.receive": "8124ae006be7",
    "RequestResponseCycle.send": "abdd8601b326",
    "FlowControl.pause_reading": "7c27388bb984",
    "FlowControl.resume_reading": "a0429d30857e",
    "ProcessPool.__init__": "180e3e9b7482",
    "PoolManager.__init__": "af3871cb5a48",
    "PoolManager.update_status": "d32b8f5454e1",
    "PoolManager.update_tasks": "270ffef6c240",
    "PoolManager.update_workers": "45a055265218",
    "PoolManager.process_next_message": "dbcc076d575c",
    "TaskManager.task_start": "cdefd32abcb5",
    "TaskManager.timeout_tasks": "33d04495033a",
    "TaskManager.cancelled_tasks": "3662740d4d27",
    "WorkerManager.maybe_stop_worker": "94410cc2e974",
    "WorkerManager.inspect_workers": "67504632f0ab",
    "WorkerManager.new_worker": "ca46f21773a6",
    "Channel._make_poll_method": "231e30d2c69e",
    "process.worker_process": "e001418a8545",
    "process.fetch_task": "efc00e234fe9",
    "process.task_transaction": "b6b1d0d0f223",
}


def digest_of(function: Callable[..., object]) -> str:
    """A short hash of a function's text."""
    return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:12]


@pytest.mark.parametrize(("name", "digest"), WRITTEN_FOR.items())
def test_what_is_overridden_is_what_it_was(name: str, digest: str) -> None:
    place, function = name.split(".")
    found = digest_of(getattr(PLACES[place], function))
    ours = "http/connections.py" if PLACES[place] in OF_UVICORN else "workers/pool.py and worker_process.py"
    assert found == digest, f"{name} of the library has changed: read it beside server/{ours}."


def test_every_callback_of_the_parser_is_known() -> None:
    callbacks = {name for name in vars(HttpToolsProtocol) if name.startswith("on_")}
    assert callbacks == {f"on_{what}" for what in (
        "message_begin", "url", "header", "headers_complete", "body", "message_complete", "response_complete"
    )}  # fmt: skip
