"""The page in a frame of another page: only "/embed" may stand there."""

from __future__ import annotations

import re

import httpx
import pytest


def page_at(client: httpx.Client, path: str) -> httpx.Response:
    return client.get(httpx.URL(client.base_url).join(path))


def framed_by(response: httpx.Response) -> str:
    """Whose pages may show an answer in a frame."""
    found = re.search(r"frame-ancestors ([^;]+)", response.headers["content-security-policy"])
    assert found
    return found[1]


def test_anybody_may_embed_the_page_that_is_made_for_it(client: httpx.Client) -> None:
    assert framed_by(page_at(client, "/embed")) == "*"


@pytest.mark.parametrize("path", ["/", "/docs", "/api/v1/health", "/api/v1/optimizers"])
def test_nobody_else_may_embed_anything_else(client: httpx.Client, path: str) -> None:
    assert framed_by(page_at(client, path)) == "'self'"


def test_the_embedded_page_says_so_and_is_else_the_page(client: httpx.Client) -> None:
    page, embedded = page_at(client, "/"), page_at(client, "/embed")
    assert embedded.text == page.text.replace('<html lang="en">', '<html lang="en" data-embed>')
    policies = [each.headers["content-security-policy"] for each in (page, embedded)]
    assert policies[1] == policies[0].replace("frame-ancestors 'self'", "frame-ancestors *")


def test_the_embedded_page_sets_no_cookie(client: httpx.Client) -> None:
    assert "set-cookie" not in page_at(client, "/embed").headers


def test_a_browser_asks_whether_the_embedded_page_is_another_one(client: httpx.Client) -> None:
    first = page_at(client, "/embed")
    assert first.headers["cache-control"] == "no-cache"
    assert client.get(first.url, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
