"""Figures for Prometheus: how much is asked, how long it takes, and how full things are.

A route is known by its template, so that no figure has an address, a class's code or a program's id.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.http.headers import header_of

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
KNOWN, UNKNOWN = "a known answer", "none"  # where there was no route
LOOPBACK = ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128")

Gauges = Callable[[], Mapping[str, float]]
Stopped = Callable[[], Mapping[str, int]]


class Metrics:
    """All figures of one service.

    gauges:  says now how full things are, by names of `DESCRIBED`.
    stopped: how many pieces of work were stopped or turned away so far, by the reason.
    """

    def __init__(self, gauges: Gauges, stopped: Stopped) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(Now(gauges, stopped))
        self._requests = Counter(
            "gradlens_requests", "Requests answered.", ["route", "method", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "gradlens_request_seconds",
            "From a request to the beginning of its answer.",
            ["route"],
            buckets=BUCKETS_S,
            registry=self.registry,
        )

        self._found: dict[
            tuple[str, str, int], tuple[Counter, Histogram]
        ] = {}  # looking them up takes longer

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request was answered."""
        kind = route, method, status
        if (found := self._found.get(kind)) is None:
            counter = self._requests.labels(route, method, str(status))
            found = self._found[kind] = counter, self._seconds.labels(route)
        found[0].inc()
        found[1].observe(seconds)

    def written(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self.registry)


DESCRIBED = {
    "workers": "Worker processes.",
    "programs_running": "Pieces of work in workers.",
    "programs_waiting": "Pieces of work that wait for a worker.",
    "answers_bytes": "Answers in memory, with what their programs left behind.",
    "store_bytes": "What the store keeps.",
    "followers": "Those who listen to a class's events.",
}


class Now(Collector):
    """What is looked up when the figures are asked for."""

    def __init__(self, gauges: Gauges, stopped: Stopped) -> None:
        self._gauges = gauges
        self._stopped = stopped

    def collect(self) -> Iterator[Metric]:
        """The present figures."""
        for name, value in self._gauges().items():
            yield GaugeMetricFamily(f"gradlens_{name}", DESCRIBED[name], value=value)
        found = CounterMetricFamily("gradlens_stopped", "Work stopped or turned away.", labels=["reason"])
        for reason, count in self._stopped().items():
            found.add_metric([reason], count)
        yield found

    def describe(self) -> Iterable[Metric]:
        """Nothing is looked up to be registered."""
        return ()


class MetricsMiddleware:
    """ASGI middleware that counts requests to the REST interface, and times them."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()

        async def counted_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                took = time.perf_counter() - start
                self._metrics.count(route_of(scope), scope["method"], message["status"], took)
            await send(message)

        await self.app(scope, receive, counted_send)


def route_of(scope: Scope) -> str:
    """The template of the route that answers a request."""
    if scope.get("is_known"):
        return KNOWN
    return getattr(scope.get("route"), "path", UNKNOWN)


def may_read(scope: Scope, networks: str) -> bool:
    """Whether who asks is in one of these networks, with commas; `*` is everybody.

    One on this machine who asks for others, a proxy that is not among the trusted ones, is nobody.
    """
    if networks.strip() == "*":
        return True
    address = ipaddress.ip_address((scope.get("client") or ("0.0.0.0", 0))[0])
    if header_of(scope, b"x-forwarded-for") and any(address in each for each in LOOPBACK):
        return False
    listed = [name.strip() for name in networks.split(",") if name.strip()]
    return any(address in ipaddress.ip_network(name, strict=False) for name in listed)
