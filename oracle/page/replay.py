"""The replay: verdicts to search, and every answer played again beside what was written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from oracle.errors import Refused
from oracle.page.context import PageContext
from oracle.page.facets import PAGE
from oracle.page.loading import Loading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from oracle.page.verdicts import Verdicts

_KEPT = {"Cache-Control": "private, max-age=3600"}

Text = Annotated[str, Query(max_length=400)]
Place = Annotated[int, Query(ge=0, lt=1 << 31)]


def router(context: PageContext) -> APIRouter:
    """Return the routes of the replay; none where there are no verdicts."""
    routes = APIRouter()
    if not context.verdicts:
        return routes
    loading: Loading[Verdicts] = Loading(partial(_files, context), partial(_read, context))

    @routes.get("/page/replay")
    def search(
        model: Text = "",
        protocol: Text = "",
        family: Text = "",
        difficulty: Text = "",
        outcome: Text = "",
        reason: Text = "",
        run: Text = "",
        id: Text = "",
        page: Place = 0,
    ) -> dict[str, Any]:
        """Return a page of the verdicts that fit, and what else there is to choose."""
        found = loading.get()
        if isinstance(found, float):
            return {"reading": found}
        words = {
            **{"model": model, "protocol": protocol, "family": family, "difficulty": difficulty},
            **{"outcome": outcome, "reason": reason, "run": run},
        }
        fits = found.find({name: word for name, word in words.items() if word}, id)
        return {
            **{"all": len(found), "total": len(fits.rows), "size": PAGE, "counts": fits.counts},
            "rows": [found.row(int(at)) for at in fits.page(page)],
        }

    @routes.get("/page/replay/{file}/{line}")
    def one(file: int, line: int) -> dict[str, Any]:
        """Return an episode with its verdict, to be played."""
        found = loading.whole()
        at = found.at(file, line)
        place = f"/page/replay/{file}/{line}/picture?name="
        return found.episode(at, lambda name: place + quote(name, safe="", errors="replace"))

    @routes.get("/page/replay/{file}/{line}/picture")
    def picture(file: int, line: int, name: Text) -> Response:
        """Return a picture that the model drew."""
        found = loading.whole()
        content = found.picture(found.at(file, line), name)
        return Response(content, media_type="image/png", headers=_KEPT)

    return routes


def _files(context: PageContext) -> list[Path]:
    """Return the files of verdicts, which must be there."""
    for path in context.verdicts:
        if not path.is_file():
            raise Refused(f"there is no file {path}")
    return list(context.verdicts)


def _read(context: PageContext, files: Sequence[Path], told: Callable[[int], None]) -> Verdicts:
    try:
        from oracle.page.verdicts import Verdicts
    except ModuleNotFoundError as error:
        raise Refused(
            f"the replay needs more packages ({error.name}): pip install 'puzzles[report]'"
        ) from None
    return Verdicts(files, context.data.data if context.data is not None else (), told)
