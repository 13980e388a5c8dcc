"""The typed Python client of the Social Data service."""

from .contract import *  # noqa: F403
from .runtime import (  # noqa: F401
    NOT_GIVEN,
    ApiError,
    ConnectionFailed,
    DecodeError,
    NotGiven,
    Pages,
    RequestTimeout,
    SocialDataError,
    StreamError,
    UsageError,
)
from .streams import AnswerStream, EventStream  # noqa: F401
