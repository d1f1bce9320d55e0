"""Routes that take a body: it is read and checked in one go, a large one beside the event loop.

FastAPI would read the JSON and check it against the schema on the loop, which a large body holds up for
everybody. Here the framework receives the request's model, which it takes as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from server.http.strict_json import LARGE_BODY_BYTES, read_json

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class BodyRoute(APIRoute):
    """A route whose body comes as a checked model."""

    def get_route_handler(self) -> Handler:
        """The framework's own handler, given the model instead of the body."""
        handle, field = super().get_route_handler(), self.body_field
        if field is None:
            return handle

        def model_of(body: bytes) -> Any:
            """The model. Raises: Problem or RequestValidationError, which say what does not fit."""
            found, errors = field.validate(read_json(body), {}, loc=("body",))
            if errors:
                raise RequestValidationError(errors[:1])
            return found

        async def handle_model(request: Request) -> Response:
            body = await request.body()
            if not body:
                return await handle(request)  # which says that a body is missing
            large = len(body) > LARGE_BODY_BYTES
            model = await asyncio.to_thread(model_of, body) if large else model_of(body)
            return await handle(ModelRequest(request, model))

        return handle_model


class ModelRequest(Request):
    """A request whose body has been read and checked."""

    def __init__(self, request: Request, model: Any) -> None:
        super().__init__(request.scope, request.receive)
        self._model = model

    async def body(self) -> bytes:
        """A sign that there was a body; it is not needed any more."""
        return b"{}"

    async def json(self) -> Any:
        """The model."""
        return self._model
