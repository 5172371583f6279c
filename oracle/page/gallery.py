"""The gallery: a data folder to look through, its boards drawn as they are asked for."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from oracle.errors import Refused
from oracle.limits import Limits
from oracle.page.catalogue import FILTERS, Catalogue
from oracle.page.context import PageContext
from oracle.page.facets import PAGE
from oracle.page.loading import Loading
from oracle.page.shown import Look, picture, words_of
from puzzles.instance import Instance
from puzzles.notation import size_of
from puzzles.records import datasets, files
from puzzles.replay import initial
from puzzles.rooms import family

_SIDES = {"small": 320, "large": 960}
"""Pixels of the longer side of a board in the list, and of one that is open; about."""
_CELLS = 8, 64
"""Pixels a cell, at least and at most."""
_KEPT = {"Cache-Control": "private, max-age=3600"}
_DETAILS = ("optimal_length", "metric", "board", "rules", "stats")
_ORIGIN = ("seed", "index", "generator", "split")
"""What is told on demand: all of it is a help to who wants to play. The solution never is."""

Text = Annotated[str, Query(max_length=200)]
Place = Annotated[int, Query(ge=0, lt=1 << 31)]


def router(context: PageContext) -> APIRouter:
    """Return the routes of the gallery; none where there are no data."""
    routes = APIRouter()
    data = context.data
    if data is None:
        return routes
    loading = Loading(
        lambda: [path for top in data.data for folder in datasets(top) for path in files(folder)],
        Catalogue,
    )

    @routes.get("/page/gallery")
    def search(
        family: Text = "", difficulty: Text = "", split: Text = "", id: Text = "", page: Place = 0
    ) -> dict[str, Any]:
        """Return a page of the instances that fit, and what else there is to choose."""
        catalogue = loading.get()
        if not isinstance(catalogue, Catalogue):
            return {"reading": catalogue}
        words = dict(zip(FILTERS, (family, difficulty, split), strict=True))
        found = catalogue.find({name: word for name, word in words.items() if word}, id)
        return {
            "all": len(catalogue.names),
            "total": len(found.rows),
            "size": PAGE,
            "counts": found.counts,
            "instances": [catalogue.row(int(at)) for at in found.page(page)],
        }

    def instance(name: str) -> Instance:
        found = loading.whole().get(name)
        try:
            initial(found)
        except ValueError as error:
            raise Refused(f"the instance {name} can't be shown: {error}") from None
        return found

    @routes.get("/page/gallery/instance")
    def one(id: Text) -> dict[str, Any]:
        """Return what may be known of an instance before it is played."""
        return _described(instance(id))

    @routes.get("/page/gallery/details")
    def details(id: Text) -> dict[str, Any]:
        """Return what else its record says, but for the solution."""
        record = instance(id).model_dump(mode="json")
        return {name: record[name] for name in (*_DETAILS, *_ORIGIN)}

    @routes.get("/page/gallery/board.png")
    def board(id: Text, size: str = "small", grid: bool = False) -> Response:
        """Draw an instance, with the grid and its coordinates if asked for."""
        found = instance(id)
        drawn = _drawn(found, _SIDES.get(size, _SIDES["small"]), grid, context.limits)
        return Response(drawn, media_type="image/png", headers=_KEPT)

    return routes


def _drawn(instance: Instance, side: int, grid: bool, limits: Limits) -> bytes:
    low, high = _CELLS
    cell = min(high, max(low, side // max(size_of(instance.board))))
    if grid:  # coordinates need room
        cell = max(cell, 24)
    return picture(family(instance.family), initial(instance), Look(cell, grid), limits)


def _described(instance: Instance) -> dict[str, Any]:
    rows, columns = size_of(instance.board)
    return {
        **{name: getattr(instance, name) for name in ("id", *FILTERS)},
        **{"rows": rows, "columns": columns},
        **words_of(instance),
    }
