"""``boards.settle`` for many pictures at once, on any device."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from render.boards.align_torch import fitted, grey, register
from render.boards.decode_torch import resized, size_of
from render.boards.looks_torch import TorchLooks, cut, lab
from render.boards.place_torch import bent, inside, warped
from render.boards.settle import BENDS, BLURS, GAIN, ROUNDS, SOFTER, within_rim
from render.boards.views import CLEAN, FOREIGN, UNLIKE, Size
from render.boards.views_torch import Marks, Places, Views


class Settler:
    """Boards of one size and their pictures, brought into line in place, colour and softness."""

    def __init__(self, looks: TorchLooks, size: Size):
        self.looks, self.size = looks, size
        self.shape = size[0] * looks.detail, size[1] * looks.detail
        self.marks = Marks(looks, size)

    def within(self, pictures: Tensor) -> Tensor:
        """Return pictures as (N, 3, H, W) with at most two pixels for one of the board."""
        size, most = size_of(pictures), (2 * self.shape[0], 2 * self.shape[1])
        return resized(pictures, most if size[0] > most[0] else size)

    def settled(self, pictures: Tensor, views: Views) -> Views:
        """Return views of boards that lie anywhere near, as they lie, and as soft as they are."""
        return self.eased(pictures, self.registered(pictures, views), BENDS)

    def refined(self, pictures: Tensor, rough: Views) -> Views:
        """Return views of this detail from where those of half of it have led."""
        target = self.looks.mosaic(rough.look, self.size)
        place = rough.place._replace(blur=torch.zeros_like(rough.blur))
        return self.eased(pictures, self.view(pictures, place, target), 1)

    def registered(self, pictures: Tensor, views: Views) -> Views:
        """Return the best views of boards that lie straight in their pictures."""
        dim = grey(resized(pictures, self.shape))
        inner = torch.as_tensor(within_rim(self.shape, self.looks.detail)).to(dim)
        best, rows = views, torch.arange(len(pictures), device=pictures.device)
        for step in range(ROUNDS):
            some = best.at(rows)
            matrix = register(
                dim[rows], grey(some.mosaic), inner * self._shown(some), some.matrix, step > 0
            )
            place = some.place._replace(matrix=matrix)
            after = self.view(pictures[rows], place, some.mosaic)
            gained = after.misfit < GAIN * some.misfit
            best = best.put(rows, some.better(after))
            rows = rows[(gained | (step == 0)) & ~best.at(rows).clean]
            if not len(rows):
                break
        return best

    def eased(self, pictures: Tensor, views: Views, bends: int) -> Views:
        """Return the views after the parts of boards have moved to where they belong."""
        alike = (views.misfit <= FOREIGN**2).nonzero()[:, 0]  # else there is nothing to be gained
        if not len(alike):
            return views
        best = views.put(alike, self.softened(views.at(alike)))
        rows = alike
        for _ in range(bends):
            rows = rows[~best.at(rows).clean]
            if not len(rows):
                break
            some = best.at(rows)
            bend = bent(grey(some.board), grey(some.mosaic), self._shown(some), some.bend)
            after = self.view(pictures[rows], some.place._replace(bend=bend), some.mosaic)
            best = best.put(rows, some.better(after))
            rows = rows[after.misfit <= GAIN * some.misfit]
        return best.put(alike, self.softened(best.at(alike)))

    def softened(self, views: Views) -> Views:
        """Return the views of looks as soft as the pictures are."""
        patches, misfits = cut(views.colours, self.looks.detail), []
        for number in range(len(BLURS)):
            gap = self.looks.softened(number).gap(patches, views.look)
            misfits.append(gap.clamp_max_(FOREIGN).square_().mean(1))
        misfits[0] = SOFTER * misfits[0]
        blur = torch.stack(misfits, dim=1).argmin(1)
        rows = (blur != views.blur).nonzero()[:, 0]
        if not len(rows):
            return views
        some = views.at(rows)
        place = some.place._replace(blur=blur[rows])
        return views.put(rows, self._viewed(place, some.board, some.colours))

    def unfitted(self, boards: Tensor, place: Places) -> Views:
        """Return boards (N, 3, h, w) that are cut out already, in their own colours."""
        return self._viewed(place, boards, lab(boards))

    def gridded(self, views: Views) -> Tensor:
        """Return in which views (N,) the boards lie beneath a grid, as far as they are boards."""
        some = (views.gap.amax(1) > CLEAN) & (views.gap.median(1).values < UNLIKE)
        return some & self.marks.gridded(views)

    def view(self, pictures: Tensor, place: Places, target: Tensor | None = None) -> Views:
        """Return boards that lie so, in the colours of their looks.

        target
            A first guess at what they show.
        """
        raw = warped(pictures, place.matrix, self.shape, place.bend)
        for _ in range(2 if target is None else 1):
            board = raw if target is None else fitted(raw, target)
            patches = cut(lab(board), self.looks.detail)
            (look,) = self._through(place.blur, lambda looks, some: (looks.look(some),), patches)
            target = self._mosaic(look, place.blur)
        assert target is not None
        board = fitted(raw, target)
        return self._viewed(place, board, lab(board))

    def _viewed(self, place: Places, board: Tensor, colours: Tensor) -> Views:
        patches = cut(colours, self.looks.detail)
        seen = self._through(place.blur, lambda looks, some: looks.nearest(some), patches)
        return Views(*place, board, colours, self._mosaic(seen[0], place.blur), *seen)

    def _mosaic(self, look: Tensor, blur: Tensor) -> Tensor:
        (out,) = self._through(blur, lambda looks, some: (looks.mosaic(some, self.size),), look)
        return out

    def _through(
        self, blur: Tensor, ask: Callable[[TorchLooks, Tensor], tuple[Tensor, ...]], of: Tensor
    ) -> tuple[Tensor, ...]:
        """Return what looks through the blurs (N,) of pictures answer about them."""
        numbers = blur.unique().tolist()
        if len(numbers) == 1:
            return ask(self.looks.softened(numbers[0]), of)
        rows = [(blur == number).nonzero()[:, 0] for number in numbers]
        answers = [
            ask(self.looks.softened(n), of[some]) for n, some in zip(numbers, rows, strict=True)
        ]
        order = torch.cat(rows).argsort()
        return tuple(torch.cat(parts)[order] for parts in zip(*answers, strict=True))

    def _shown(self, views: Views) -> Tensor:
        """Return which pixels (N, h, w) of boards show what is drawn there."""
        within = inside(views.matrix, views.bend, self.shape)
        return (within & ~self.marks(views)).float()
