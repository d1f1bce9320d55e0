"""The application: middleware, routes and one place where errors become answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from engine.version import ENGINE_VERSION
from server.answers.answers import Answers
from server.answers.imports import Imports
from server.answers.store import Store
from server.classes.classes import Classes
from server.http.body_middleware import BodyMiddleware
from server.http.clients import ClientMiddleware
from server.http.headers import Headers
from server.http.hosts import HostMiddleware, known_hosts
from server.http.pages import Assets, Pages, find_folder
from server.http.problems import add_problem_handlers
from server.readiness import Readiness
from server.routes import (
    catalogues,
    classes,
    comparisons,
    imports,
    landscapes,
    links,
    programs,
    races,
    runs,
    service,
)
from server.settings import Settings
from server.store.database import Database
from server.workers.process_memory import tidy_regularly
from server.workers.workers import Workers

API = "/api/v1"


def create_app(settings: Settings, listens_on: str = "127.0.0.1") -> FastAPI:
    """Build the service; nothing starts before the server enters its lifespan.

    listens_on: the address by which it may be known, besides the names in the settings.
    """
    workers = Workers(settings)
    database = Database(settings.data_dir / "gradlens.sqlite3")
    store = Store(database, settings.store_bytes)
    answers = Answers(workers, store, settings.limits, settings.memory_bytes)
    rooms = Classes(database, answers, settings.class_students, settings.classes)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await database.open()
        await store.open()
        await workers.start()
        regular = [asyncio.ensure_future(each) for each in (tidy_regularly(), rooms.tidy_regularly())]
        yield
        for each in regular:
            each.cancel()
        await workers.stop()
        await database.close()

    app = FastAPI(
        title="Gradlens",
        summary="A program's gradient graph, with values, step by step.",
        version=ENGINE_VERSION,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.answers = answers
    app.state.imports = Imports(answers, workers, store, settings.limits)
    app.state.classes = rooms
    app.state.readiness = Readiness(store, workers)
    add_problem_handlers(app)
    app.add_middleware(
        BodyMiddleware,
        body_bytes=settings.body_bytes,
        file_bytes=settings.limits.import_bytes,
        bodies_bytes=settings.bodies_bytes,
    )
    app.add_middleware(ClientMiddleware)
    app.add_middleware(Headers)
    app.add_middleware(Pages, assets=Assets(find_folder("frontend"), modules=settings.modules))
    app.add_middleware(HostMiddleware, is_known=known_hosts(settings.hosts, listens_on))
    for noun in (
        programs,
        runs,
        races,
        landscapes,
        comparisons,
        imports,
        links,
        classes,
        catalogues,
        service,
    ):
        app.include_router(noun.router, prefix=API)
    app.include_router(links.short)
    app.include_router(classes.short)
    return app
