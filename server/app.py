"""The application: middleware, routes and one place where errors become answers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.util import find_spec

from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from engine.version import ENGINE_VERSION
from server.answers.answers import Answers
from server.answers.differences import Differences
from server.answers.imports import Imports
from server.answers.store import Store
from server.classes.bus import Bus, LocalBus
from server.classes.classes import Classes
from server.http.access import AccessMiddleware
from server.http.body_middleware import BodyMiddleware
from server.http.clients import ClientMiddleware
from server.http.headers import Headers
from server.http.hosts import HostMiddleware, known_hosts
from server.http.pages import Assets, Pages
from server.http.problems import add_problem_handlers
from server.http.repeats import Repeats
from server.metrics import Metrics, MetricsMiddleware
from server.page_folder import find_folder
from server.readiness import Readiness
from server.routes import (
    catalogues,
    classes,
    comparisons,
    differences,
    imports,
    landscapes,
    links,
    pictures,
    programs,
    races,
    runs,
    service,
)
from server.settings import Settings, UnusableAddress
from server.store.database import Database
from server.store.engines import store_url
from server.store.schema import SchemaTooNew
from server.workers.process_memory import tidy_regularly
from server.workers.workers import Workers

API = "/api/v1"
NOUNS = (
    programs,
    runs,
    races,
    landscapes,
    comparisons,
    differences,
    imports,
    pictures,
    links,
    classes,
    catalogues,
    service,
)


def create_app(settings: Settings, listens_on: str = "127.0.0.1") -> FastAPI:
    """Build the service; nothing starts before the server enters its lifespan.

    listens_on: the address by which it may be known, besides the names in the settings.
    """
    workers = Workers(settings)
    database = Database(store_url(settings.database_url, settings.data_dir))
    store = Store(database, settings.store_bytes, settings.link_bytes, settings.keep_s)
    answers = Answers(workers, store, settings.limits, settings.memory_bytes)
    rooms = Classes(database, answers, settings.class_students, settings.classes, bus_of(settings))
    app = FastAPI(
        title="Gradlens",
        summary="A program's gradient graph, with values, step by step.",
        version=ENGINE_VERSION,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "auto_configure": False,
        },  # to other hosts
        lifespan=lifespan_of(database, store, workers, rooms),
    )
    app.state.answers = answers
    app.state.imports = imports_kept = Imports(answers, workers, store, settings.limits)
    app.state.differences = Differences(answers, imports_kept, workers, settings.limits)
    app.state.classes = rooms
    app.state.readiness = Readiness(store, workers)
    gauges = gauges_of(settings, database, workers, answers, rooms)
    app.state.metrics = Metrics(gauges, lambda: workers.stopped)
    app.state.metrics_from = settings.metrics_from
    add_problem_handlers(app)
    add_middleware(app, settings, listens_on)
    add_routes(app)
    return app


def lifespan_of(
    database: Database, store: Store, workers: Workers, rooms: Classes
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """What starts before the first request, and stops after the last."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await opened(database)
        await store.open()
        await workers.start()
        await rooms.following.start()
        regular = [
            asyncio.ensure_future(each)
            for each in (
                tidy_regularly(),
                store.tidy_regularly(),
                rooms.tidy_regularly(),
                rooms.following.look_regularly(),
            )
        ]
        yield
        for each in regular:
            each.cancel()
        await rooms.following.stop()
        await workers.stop()
        await database.close()

    return lifespan


def gauges_of(
    settings: Settings, database: Database, workers: Workers, answers: Answers, rooms: Classes
) -> Callable[[], dict[str, float]]:
    """What the service is doing at a moment, in numbers, for Prometheus."""
    return lambda: {
        "workers": settings.workers,
        "programs_running": workers.running,
        "programs_waiting": workers.waiting,
        "answers_bytes": answers.memory_bytes,
        "store_bytes": database.writer.size_bytes,
        "followers": rooms.followers,
    }


def add_middleware(app: FastAPI, settings: Settings, listens_on: str) -> None:
    """What a request goes through on its way to a route: the last one added is the first that it meets."""
    app.add_middleware(ClientMiddleware)
    app.add_middleware(Repeats, limit_bytes=settings.memory_bytes // 4)
    app.add_middleware(
        BodyMiddleware,
        body_bytes=settings.body_bytes,
        file_bytes=settings.limits.import_bytes,
        bodies_bytes=settings.bodies_bytes,
    )
    if settings.access_key is not None:
        app.add_middleware(AccessMiddleware, key=settings.access_key.get_secret_value())
    app.add_middleware(MetricsMiddleware, metrics=app.state.metrics)
    app.add_middleware(Headers)
    app.add_middleware(Pages, assets=Assets(find_folder("frontend"), modules=settings.modules))
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=settings.trusted_proxies)
    app.add_middleware(HostMiddleware, is_known=known_hosts(settings.hosts, listens_on))


def add_routes(app: FastAPI) -> None:
    """The nouns of the REST interface, and short addresses of links and classes."""
    for noun in NOUNS:
        app.include_router(noun.router, prefix=API)
    app.include_router(links.short)
    app.include_router(classes.short)


async def opened(database: Database) -> None:
    """Open the database; where that fails, whoever starts the service reads why."""
    try:
        await database.open_patiently()
    except (SchemaTooNew, SQLAlchemyError) as error:
        unusable = "The store cannot be opened: look at DATABASE_URL or GRADLENS_DATA_DIR."
        print(error if isinstance(error, SchemaTooNew) else unusable, file=sys.stderr, flush=True)
        raise


def bus_of(settings: Settings) -> Bus:
    """How events reach other replicas: by Redis where it is set. Raises: UnusableAddress."""
    if settings.redis_url is None:
        return LocalBus()
    if not settings.redis_url.startswith(("redis://", "rediss://", "unix://")):
        raise UnusableAddress("REDIS_URL is no address of a Redis. Write redis://host:6379.")
    if find_spec("redis") is None:
        raise UnusableAddress("REDIS_URL: Redis needs its client: pip install 'gradlens[scale]'.")
    from server.classes.redis_bus import RedisBus  # whose client only replicas need

    return RedisBus(settings.redis_url)
