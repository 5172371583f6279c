"""Watch: who looks on while episodes are opened and stepped, to count them."""

from __future__ import annotations

from typing import Any


class Watch:
    """Is told of each episode that begins and of each step that is kept; this one forgets it."""

    def opened(self, family: str, protocol: str) -> None:
        """An episode has begun."""

    def stepped(self, family: str, protocol: str, verdict: dict[str, Any] | None) -> None:
        """A step has been taken; it has brought ``verdict`` where the episode is over by it."""
