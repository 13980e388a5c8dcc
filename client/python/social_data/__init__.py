"""The typed Python client of the Social Data service."""

from .contract import *  # noqa: F403
from .runtime import (  # noqa: F401
    ApiError,
    ConnectionFailed,
    DecodeError,
    Pages,
    RequestTimeout,
    SocialDataError,
    UsageError,
)
