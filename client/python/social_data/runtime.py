"""Sends requests: key, time limit, retries, pages and errors. It knows nothing of a contract, and needs no other package."""

from __future__ import annotations

import datetime
import email.utils
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

Item = TypeVar("Item")
Page = TypeVar("Page")

_TRANSIENT = {429, 502, 503, 504}
_BASE_SECONDS, _CAP_SECONDS, _BUDGET_SECONDS = 0.25, 8.0, 60.0
#: The part of an error response that is read for its text.
_ERROR_BYTES = 65_536


class NotGiven:
    """The type of `NOT_GIVEN`."""


#: The default of members that can be None: nothing is sent for them, and the service changes nothing.
NOT_GIVEN: Final = NotGiven()


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
    """A success response is not what the contract says, or its pages form a ring; the usual cause is a proxy or a wrong URL."""


class StreamError(SocialDataError):
    """A stream cannot continue. `cursor` is where another one can."""


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


def _text(value: Any) -> str:
    """A value in a URL. A list is one value with commas between its items, as the contract has all of them."""
    if isinstance(value, list):
        return ",".join(_text(each) for each in value)
    return urllib.parse.quote(str(value).lower() if isinstance(value, bool) else str(value), safe="")


def _query(given: Mapping[str, Any]) -> str:
    return "&".join(f"{urllib.parse.quote(name, safe='')}={_text(value)}" for name, value in given.items())


def _sent(values: Mapping[str, Any], nullable: tuple[str, ...] = ()) -> dict[str, Any]:
    """The values that are sent: None is sent only where the contract has it."""
    return {
        name: value
        for name, value in values.items()
        if value is not NOT_GIVEN and (value is not None or name in nullable)
    }


def flag(value: bool | str | None) -> str | None:
    """True and False for a parameter that is `1` or `0`."""
    return ("1" if value else "0") if isinstance(value, bool) else value


def seconds(value: datetime.datetime | int | None) -> int | None:
    """A time in Unix seconds."""
    if not isinstance(value, datetime.datetime):
        return value
    if value.tzinfo is None:
        raise UsageError("a datetime needs a time zone: datetime.now(timezone.utc), or int(value.timestamp())")
    return int(value.timestamp())


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
    :param api_key: The key, or a function that returns it, which is called for each request. Default: SOCIAL_DATA_API_KEY.
    :param timeout: The time limit of one attempt in seconds, default 30. Operations with a longer limit in the contract keep theirs.
    :param retries: The maximum number of retries of a call, default 3, within 60 seconds.
    """

    _errors: dict[int, type[ApiError]] = {}

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | Callable[[], str] | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
    ) -> None:
        url = base_url or os.environ.get("SOCIAL_DATA_BASE_URL")
        if not url or not url.startswith(("http://", "https://")):
            raise UsageError("base_url must be an http(s) URL: pass it, or set SOCIAL_DATA_BASE_URL")
        self._url = url.rstrip("/")
        self._api_key = api_key or os.environ.get("SOCIAL_DATA_API_KEY")
        self._timeout = timeout
        self._retries = retries
        self._event_cursor: str | None = None
        self._opener = urllib.request.build_opener(_NoRedirects)
        if not callable(self._api_key):
            self._key()

    def _key(self) -> str:
        key = self._api_key() if callable(self._api_key) else self._api_key
        if not isinstance(key, str) or not key or not key.isprintable() or not key.isascii():
            raise UsageError("api_key is missing or cannot be sent: pass it, or set SOCIAL_DATA_API_KEY")
        return key

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

    def _address(self, path: str, values: Mapping[str, Any]) -> str:
        """The URL of a call. The values whose names are in the path are not in the query."""
        given = _sent(values)
        for name in [name for name in given if "{" + name + "}" in path]:
            path = path.replace("{" + name + "}", _text(given.pop(name)))
        return self._url + path + ("?" + _query(given) if given else "")

    def _request(
        self,
        method: str,
        path: str,
        values: dict[str, Any],
        *,
        body: dict[str, Any] | None = None,
        nullable: tuple[str, ...] = (),
        answers: Mapping[str, str] | None = None,
        is_repeatable: bool = True,
        timeout: float = 0.0,
    ) -> Any:
        """
        Sends a call, with retries: after a 429, and what may be repeated also after a lost connection, 502, 503 and 504.
        `answers` are the media types of the response and their kinds; None for one object in JSON.
        """
        data = None if body is None else json.dumps(_sent(body, nullable)).encode()
        url, limit = self._address(path, values), max(self._timeout, timeout)
        start = time.monotonic()
        for attempt in range(self._retries + 1):
            try:
                return self._attempt(method, url, data, limit, answers)
            except (ApiError, ConnectionFailed) as error:
                status = error.status if isinstance(error, ApiError) else None
                asked = (error.retry_after if isinstance(error, ApiError) else None) or 0.0
                may_repeat = status == 429 or (is_repeatable and (status is None or status in _TRANSIENT))
                delay = asked + jitter(attempt, _CAP_SECONDS)
                spent = time.monotonic() - start
                if not may_repeat or attempt == self._retries or spent + delay > _BUDGET_SECONDS:
                    raise
                time.sleep(delay)
        raise AssertionError("unreachable")

    def _attempt(
        self, method: str, url: str, data: bytes | None, timeout: float, answers: Mapping[str, str] | None
    ) -> Any:
        deadline = time.monotonic() + timeout
        accept = ", ".join(answers or ()) or "application/json"
        with self._open(method, url, data, timeout, {"accept": accept}) as response:
            text = b"".join(_chunks(response, deadline, timeout))
            self._event_cursor = response.headers.get("x-event-cursor") or self._event_cursor
            kind = "json" if answers is None else answers.get(response.headers.get_content_type())
        if answers == {}:
            return None
        if kind is None:
            raise DecodeError("the response has a media type that the contract does not have")
        try:
            return json.loads(text) if kind == "json" else text.decode() if kind == "text" else text
        except ValueError as error:
            raise DecodeError("the response body is not JSON" if kind == "json" else "the response body is not UTF-8") from error

    def _open(self, method: str, url: str, data: bytes | None, timeout: float, headers: dict[str, str]) -> Any:
        """The response of a request whose status is a success. Raises an error of this package for any other result."""
        sent = {"x-api-key": self._key(), "user-agent": "social-data-client-python", **headers}
        if data is not None:
            sent["content-type"] = "application/json"
        if self._event_cursor is not None:
            sent["x-event-cursor"] = self._event_cursor
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            raise self._error(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise connection_error(error, url, timeout) from error

    def _error(self, response: urllib.error.HTTPError) -> ApiError:
        try:
            with response:
                message = json.loads(response.read(_ERROR_BYTES))["error"]
        except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
            message = f"error {response.code}"
        return self._error_of(response.code, str(message), response.headers)

    def _error_of(self, status: int, message: str, headers: Any) -> ApiError:
        return self._errors.get(status, ApiError)(status, message, headers)


def jitter(attempt: int, cap: float) -> float:
    """The delay before an attempt in seconds. Full jitter, so that clients that fail together do not retry together."""
    return random.uniform(0, min(cap, _BASE_SECONDS * 2 ** min(attempt, 16)))


def connection_error(error: Exception, url: str, timeout: float) -> ConnectionFailed:
    """The error of a request without a complete response."""
    reason = getattr(error, "reason", error)
    if isinstance(error, TimeoutError) or isinstance(reason, TimeoutError):
        return RequestTimeout(f"no complete response within {timeout:g} s")
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    return ConnectionFailed(f"the connection to {host}{f':{parts.port}' if parts.port else ''} failed: {reason}")


def _chunks(response: Any, deadline: float, timeout: float) -> Iterator[bytes]:
    """The parts of a body. The time limit of the socket is for each part; this one is for all."""
    while True:
        try:
            chunk = response.read1(65_536)
        except (OSError, http.client.HTTPException) as error:
            raise connection_error(error, response.url, timeout) from error
        if not chunk:
            break
        if time.monotonic() > deadline:
            raise RequestTimeout(f"no complete response within {timeout:g} s")
        yield chunk
    # `read1` does not report a body that is shorter than its length.
    if response.length:
        raise ConnectionFailed("the connection broke before the response was complete")
