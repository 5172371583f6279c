"""What is asked of the service in a test, and refusals looked at."""

import asyncio
from typing import Any

import pytest

from oracle.errors import Refused
from oracle.messages import Start
from oracle.service import Service
from oracle.session import Opening
from tests.oracle.solving import CELL, CORRIDOR


def of_corridor(**more: Any) -> Start:
    return Start(family="maze", board=CORRIDOR, cell=CELL, **more)


def refused(kind: type[Refused], asked: Any, *words: str) -> None:
    async def wait() -> None:
        await asked

    with pytest.raises(kind) as error:
        asyncio.run(wait())
    assert type(error.value) is kind
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


async def begun(service: Service, opening: Opening) -> str:
    return (await service.episodes.begin(opening))[0]
