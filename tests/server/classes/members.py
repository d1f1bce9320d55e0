"""A class over HTTP, as its teacher and its students use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

STATE = {"source": "y = exp(sin(x)) + x", "at": {"x": 3.0}}
LAST_SUM = 8  # the step at which the two gradients of x are added


@dataclass
class Person:
    """Somebody with a token."""

    client: httpx.Client
    code: str
    token: str

    def __call__(self, method: str, path: str, **fields: Any) -> httpx.Response:
        """A request about the class."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        body = fields if fields or method == "PUT" else None
        return self.client.request(method, f"/classes/{self.code}{path}", headers=headers, json=body)

    def poll(self, after: int = 0) -> list[tuple[int, str, Any]]:
        """The events after a number."""
        found = self("GET", f"/poll?after={after}").json()["events"]
        return [(event["seq"], event["type"], event["data"]) for event in found]


def teacher(client: httpx.Client, state: Any = STATE) -> Person:
    """Somebody who has opened a class."""
    opened = client.post("/classes", json={"state": state})
    assert opened.status_code == 201, opened.text
    return Person(client, opened.json()["code"], opened.json()["teacher_token"])


def student(of: Person) -> Person:
    """Somebody who has joined it."""
    joined = of.client.post(f"/classes/{of.code}/join")
    assert joined.status_code == 201, joined.text
    return Person(of.client, of.code, joined.json()["student_token"])


def ask(of: Person, **fields: Any) -> Any:
    """A question to the class."""
    asked = of("POST", "/questions", **{"step": LAST_SUM, "kind": "number", "round": 1, **fields})
    assert asked.status_code == 201, asked.text
    return asked.json()
