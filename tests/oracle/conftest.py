"""What tests share: a store of their own and one workshop for all, and a page to play on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from oracle.limits import Limits
from oracle.service import Service
from oracle.store import Store
from oracle.workshop import Workshop
from tests.oracle.playing import INSTANCES, served
from tests.protocols.playing import save as save_data


@pytest.fixture(scope="session")
def workshop() -> Iterator[Workshop]:
    workshop = Workshop(Limits(seconds=60))
    yield workshop
    workshop.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "e.db")
    yield store
    store.close()


@pytest.fixture
def service(store: Store, workshop: Workshop) -> Service:
    return Service(store, workshop, Limits())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("page") / "data"
    save_data(folder, INSTANCES)
    return folder


@pytest.fixture
def client(tmp_path: Path, folder: Path) -> Iterator[Any]:
    with TestClient(served(tmp_path, folder)) as client:
        yield client
