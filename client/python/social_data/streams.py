"""Streams: events over HTTP, which resume after a lost connection, and answers of the assistant in parts."""

from __future__ import annotations

import http.client
import json
import secrets
import socket
import threading
from collections.abc import Generator, Iterator, Mapping
from types import TracebackType
from typing import Any, Generic, TypeVar

from .runtime import (
    ApiError,
    ConnectionFailed,
    DecodeError,
    Runtime,
    StreamError,
    UsageError,
    connection_error,
    jitter,
)

Message = TypeVar("Message")
Answer = TypeVar("Answer")

_CAP_SECONDS = 30.0
#: The service sends a line after 20 seconds without an event.
_SILENCE_SECONDS = 45.0
#: The statuses after which a stream opens again: the cause may pass.
_PASSING = {408, 429, 500, 502, 503, 504}


class EventStream(Generic[Message]):
    """
    The messages of a channel, in the order of the event log. It connects at the first read. After a lost connection it resumes behind the
    last message that the loop has got, without loss and without duplicates; 30 consecutive failures end it. `cursor` is that position: pass it
    to continue later.
    `close()`, or the end of a `with` block, ends the connection.
    """

    def __init__(
        self, client: Runtime, path: str, values: dict[str, Any], cursor: str | None, *, kind: str | None, retries: int = 30
    ) -> None:
        self._client = client
        self._url = client._address(path, values)
        self._kind = kind
        self._retries = retries
        self._response: Any = None
        self._closed = threading.Event()
        #: The position behind the last message.
        self.cursor = cursor
        self._messages = self._read()

    def __iter__(self) -> Iterator[Message]:
        return self

    def __next__(self) -> Message:
        return next(self._messages)

    def __enter__(self) -> EventStream[Message]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the stream, also while another thread reads it."""
        self._closed.set()
        response, self._response = self._response, None
        if response is None:
            return
        try:
            # A read holds the lock of the response that its `close` needs; this ends the read.
            with socket.fromfd(response.fileno(), socket.AF_INET, socket.SOCK_STREAM) as connection:
                connection.shutdown(socket.SHUT_RDWR)
        except (OSError, ValueError, AttributeError):
            pass  # It is closed already.
        response.close()

    def _read(self) -> Iterator[Message]:
        failures = 0
        while not self._closed.is_set():
            delay = 0.0
            try:
                for message in self._connection():
                    failures = 0
                    kind = message["type"]
                    if kind == "going_away":
                        delay = message["reconnect_after_ms"] / 1000
                    if self._kind is None or kind == self._kind:
                        yield message
                    if kind == "unsubscribed":
                        return self.close()
            except ApiError as error:
                if error.status not in _PASSING or failures >= self._retries:
                    raise self._ended(error)
                delay = error.retry_after or 0.0
            except ConnectionFailed as error:
                if failures >= self._retries:
                    raise self._ended(error)
            self._closed.wait(delay + jitter(failures, _CAP_SECONDS))
            failures += 1

    def _ended(self, error: Any) -> Any:
        self.close()
        error.cursor = self.cursor
        return error

    def _connection(self) -> Iterator[Any]:
        """The messages of one connection."""
        headers = {"accept": "text/event-stream"}
        if self.cursor is not None:
            headers["last-event-id"] = self.cursor
        self._response = response = self._client._open("GET", self._url, None, _SILENCE_SECONDS, headers)
        if response.headers.get_content_type() != "text/event-stream":
            raise self._ended(DecodeError("the response is no event stream"))
        data: list[str] = []
        position: str | None = None
        try:
            for line in response if not self._closed.is_set() else ():
                name, _, value = line.decode().rstrip("\r\n").partition(":")
                value = value.removeprefix(" ")
                if name == "data":
                    data.append(value)
                elif name == "id":
                    position = value
                elif not line.strip():
                    # Also of an event without data, which a comment with the current position is.
                    self.cursor = position or self.cursor
                    if data:
                        yield json.loads("\n".join(data))
                    data = []
        except ValueError as error:
            if not self._closed.is_set():
                raise self._ended(DecodeError("a message of the stream is not JSON")) from error
        except (OSError, http.client.HTTPException, AttributeError) as error:
            # A response that another thread closes fails in one of these ways.
            if not self._closed.is_set():
                raise connection_error(error, self._url, _SILENCE_SECONDS) from error
        finally:
            response.close()


class AnswerStream(Generic[Answer]):
    """
    The parts of an answer as text; together they are its `summary`. `answer()` is the complete answer. After a lost connection the
    question is sent again with its idempotency key, which costs nothing more. `close()`, or the end of a `with` block, cancels the
    question; a question that the service has started counts.
    """

    def __init__(self, client: Runtime, path: str, params: Mapping[str, Any], *, retries: int = 5) -> None:
        self._client = client
        self._url = client._url.replace("http", "ws", 1) + path
        self._params = {name: value for name, value in params.items() if value is not None}
        self._key = secrets.token_urlsafe(16)
        self._retries = retries
        self._socket: Any = None
        self._closed = threading.Event()
        self._text = ""
        self._answer: Any = None
        self._parts = self._read()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._parts)

    def __enter__(self) -> AnswerStream[Answer]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self) -> Answer:
        """The complete answer. The parts need not be read."""
        for _ in self:
            pass
        if self._answer is None:
            raise StreamError("the question was cancelled")
        answer: Answer = self._answer
        return answer

    def close(self) -> None:
        """Ends the stream, also while another thread reads it. Cancels the question if its answer is not complete."""
        self._closed.set()
        try:
            self._parts.close()
        except ValueError:
            # Another thread reads: its read ends when the connection closes.
            if self._socket is not None:
                self._cancel(self._socket)
                self._socket.close()

    def _read(self) -> Generator[str, None, None]:
        try:
            from websockets.exceptions import ConnectionClosed, WebSocketException
            from websockets.sync.client import connect
        except ImportError as error:
            raise UsageError("answers in parts need the package websockets: pip install 'websockets>=13'") from error
        for attempt in range(self._retries + 1):
            try:
                with connect(
                    self._url,
                    # A redirect to another host is followed without this header.
                    additional_headers={"authorization": f"Bearer {self._client._key()}"},
                    user_agent_header="social-data-client-python",
                    open_timeout=self._client._timeout,
                    close_timeout=1.0,
                    max_size=2**24,
                ) as self._socket:
                    yield from self._ask(self._socket, is_repeated=attempt > 0)
                    return
            except ConnectionClosed as error:
                if self._closed.is_set():
                    return
                code, reason = (error.rcvd.code, error.rcvd.reason) if error.rcvd else (1006, "the connection broke")
                if code == 4001:
                    raise self._client._error_of(401, reason, {}) from None
                if 4000 <= code < 4100 or attempt == self._retries:
                    raise StreamError(f"{code}: {reason}") from None
                delay = 1.0 if 4100 <= code < 4200 else 0.0
            except (OSError, WebSocketException) as error:
                status = getattr(getattr(error, "response", None), "status_code", 0)
                if attempt == self._retries or 300 <= status < 500:
                    raise connection_error(error, self._url, self._client._timeout) from error
                delay = 0.0
            if self._closed.wait(delay + jitter(attempt, _CAP_SECONDS)):
                return

    def _ask(self, connection: Any, *, is_repeated: bool) -> Iterator[str]:
        """The parts of the answer that one connection sends. The parts of a repeated question are not read, but for the end."""
        silence = 2.25 * json.loads(connection.recv(timeout=self._client._timeout))["heartbeat_interval_ms"] / 1000
        connection.send(json.dumps({"type": "ask", "id": "q", "params": self._params, "idempotency_key": self._key}))
        try:
            while True:
                message = json.loads(connection.recv(timeout=silence))
                if message.get("id") != "q":
                    continue
                if message["type"] == "error":
                    raise self._client._error_of(
                        message["status"], message["error"], {"retry-after": str(message.get("retry_after_s", ""))}
                    )
                if message["type"] == "answer" and not is_repeated:
                    self._text += message["delta"]
                    yield message["delta"]
                if message["type"] == "answered":
                    self._answer = message["result"]
                    summary = self._answer["summary"]
                    if summary.startswith(self._text) and summary != self._text:
                        yield summary[len(self._text) :]
                    return
        except GeneratorExit:
            self._cancel(connection)
            raise

    def _cancel(self, connection: Any) -> None:
        """Cancels the question. Without this, the service keeps its answer for a connection that asks again."""
        try:
            connection.send(json.dumps({"type": "cancel", "id": "q"}))
        except Exception:  # The connection is lost, so nothing can be sent.
            pass
