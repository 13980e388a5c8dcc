"""Sends requests: key, time limit, retries, pages and errors. It knows nothing of a contract, and needs no other package."""

from __future__ import annotations

import email.utils
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Page = TypeVar("Page")

_TRANSIENT = {429, 502, 503, 504}
_BASE_SECONDS, _CAP_SECONDS, _BUDGET_SECONDS = 0.25, 8.0, 60.0


class SocialDataError(Exception):
    """The base class of all errors of this package. No error contains the key."""

    #: The position to resume a list from, where one page or more came before the error.
    cursor: str | None = None


class UsageError(SocialDataError):
    """The URL or the key is missing or invalid; nothing was sent."""


class ConnectionFailed(SocialDataError):
    """The service could not be reached, or the connection broke."""


class RequestTimeout(ConnectionFailed):
    """The response did not come within the time limit."""


class DecodeError(SocialDataError):
    """A success response is not JSON, or its pages form a ring; the usual cause is a proxy or a wrong URL."""


class ApiError(SocialDataError):
    """An error response of the service."""

    def __init__(self, status: int, message: str, headers: Any) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        #: The id of the request in the log of the server.
        self.request_id: str | None = headers.get("x-request-id")
        #: Seconds to wait before the next attempt; None where the service says nothing.
        self.retry_after = _retry_after(headers.get("retry-after"))


def _retry_after(text: str | None) -> float | None:
    """`Retry-After` in seconds: a number or a date (RFC 9110, 10.2.3)."""
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _query(given: dict[str, Any]) -> str:
    """The query of a request. A list is one value with commas between its items, as the contract has all of them."""

    def text(value: Any) -> str:
        return ",".join(text(each) for each in value) if isinstance(value, list) else urllib.parse.quote(str(value), safe="")

    return "&".join(f"{urllib.parse.quote(name, safe='')}={text(value)}" for name, value in given.items())


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The other host would get the key."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Pages(Generic[Item, Page]):
    """A list. A loop over it gets its items and requests pages when it needs them; `pages()` gets the pages."""

    def __init__(self, fetch: Any, items: str, cursor: str | None, max_items: int | None) -> None:
        self._fetch = fetch
        self._items = items
        self._cursor = cursor
        self._max = max_items

    def pages(self) -> Iterator[Page]:
        """The pages. To continue later, pass `next_cursor` of a page as `cursor`."""
        cursor, seen, left = self._cursor, set(), self._max
        while left is None or left > 0:
            try:
                page = self._fetch(cursor, left)
            except SocialDataError as error:
                error.cursor = error.cursor or cursor
                raise
            yield page
            if left is not None:
                left -= len(page[self._items])
            cursor = page["next_cursor"]
            if not page["has_next_page"] or not cursor:
                return
            if cursor in seen:
                raise DecodeError("a page refers to an earlier page")
            seen.add(cursor)

    def __iter__(self) -> Iterator[Item]:
        left = self._max
        for page in self.pages():
            for item in page[self._items]:  # type: ignore[index]
                if left is not None:
                    if left <= 0:
                        return
                    left -= 1
                yield item


class Runtime:
    """
    :param base_url: The URL of the service. Default: the environment variable SOCIAL_DATA_BASE_URL.
    :param api_key: Default: the environment variable SOCIAL_DATA_API_KEY.
    :param timeout: The time limit of one attempt in seconds, default 30. Operations with a longer limit in the contract keep theirs.
    :param retries: The maximum number of retries of a call, default 3, within 60 seconds.
    """

    _errors: dict[int, type[ApiError]] = {}

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, timeout: float = 30.0, retries: int = 3
    ) -> None:
        url = base_url or os.environ.get("SOCIAL_DATA_BASE_URL")
        key = api_key or os.environ.get("SOCIAL_DATA_API_KEY")
        if not url or not url.startswith(("http://", "https://")):
            raise UsageError("base_url must be an http(s) URL: pass it, or set SOCIAL_DATA_BASE_URL")
        if not key or not key.isprintable() or not key.isascii():
            raise UsageError("api_key is missing or cannot be sent: pass it, or set SOCIAL_DATA_API_KEY")
        self._url = url.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._event_cursor: str | None = None
        self._opener = urllib.request.build_opener(_NoRedirects)

    def _pages(
        self,
        method: str,
        path: str,
        values: dict[str, Any],
        *,
        items: str,
        page_size: int,
        cursor: str | None,
        max_items: int | None,
        **options: Any,
    ) -> Any:
        def fetch(position: str | None, left: int | None) -> Any:
            limit = values.get("limit") or (None if left is None else min(left, page_size))
            return self._request(method, path, {**values, "limit": limit, "cursor": position}, **options)

        return Pages(fetch, items, cursor, max_items)

    def _request(
        self,
        method: str,
        path: str,
        values: dict[str, Any],
        *,
        has_body: bool = False,
        is_repeatable: bool = True,
        timeout: float = 0.0,
    ) -> Any:
        """Sends a call, with retries: after a 429, and what may be repeated also after a lost connection, 502, 503 and 504."""
        given = {name: value for name, value in values.items() if value is not None}
        for name in [name for name in given if "{" + name + "}" in path]:
            path = path.replace("{" + name + "}", urllib.parse.quote(str(given.pop(name)), safe=""))
        body = json.dumps(given).encode() if has_body else None
        query = "" if has_body or not given else "?" + _query(given)
        start = time.monotonic()
        for attempt in range(self._retries + 1):
            try:
                return self._attempt(method, self._url + path + query, body, max(self._timeout, timeout))
            except (ApiError, ConnectionFailed) as error:
                status = error.status if isinstance(error, ApiError) else None
                asked = (error.retry_after if isinstance(error, ApiError) else None) or 0.0
                may_repeat = status == 429 or (is_repeatable and (status is None or status in _TRANSIENT))
                # Full jitter, so that clients that fail together do not retry together.
                delay = asked + random.uniform(0, min(_CAP_SECONDS, _BASE_SECONDS * 2**attempt))
                spent = time.monotonic() - start
                if not may_repeat or attempt == self._retries or spent + delay > _BUDGET_SECONDS:
                    raise
                time.sleep(delay)
        raise AssertionError("unreachable")

    def _attempt(self, method: str, url: str, body: bytes | None, timeout: float) -> Any:
        headers = {"x-api-key": self._key, "user-agent": "social-data-client-python", "accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if self._event_cursor is not None:
            headers["x-event-cursor"] = self._event_cursor
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                text = response.read()
                self._event_cursor = response.headers.get("x-event-cursor") or self._event_cursor
        except urllib.error.HTTPError as error:
            raise self._error(error) from None
        except TimeoutError as error:
            raise RequestTimeout(f"no complete response within {timeout:g} s") from error
        except OSError as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise RequestTimeout(f"no complete response within {timeout:g} s") from error
            raise ConnectionFailed(f"the connection to {urllib.parse.urlsplit(url).netloc} failed: {reason}") from error
        try:
            return json.loads(text)
        except ValueError as error:
            raise DecodeError("the response body is not JSON") from error

    def _error(self, response: urllib.error.HTTPError) -> ApiError:
        try:
            message = json.loads(response.read())["error"]
        except (ValueError, KeyError, TypeError, OSError):
            message = f"error {response.code}"
        return self._errors.get(response.code, ApiError)(response.code, str(message), response.headers)
