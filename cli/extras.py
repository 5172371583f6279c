"""What a command needs that is not installed with the rest, said in one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

_OURS = ("oracle", "protocols", "puzzles", "solvers", "render", "cli")


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Say how to get the packages of the extra ``name``, which only its command needs."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in _OURS:
            raise
        raise ValueError(
            f"puzzles {name} needs more packages ({error.name}): pip install 'puzzles[{name}]'"
        ) from None
