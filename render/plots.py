"""State spaces as plots: the graph of a small one, a histogram of a large one. Knows no puzzle.

matplotlib and networkx draw. They are imported where they are used, because nothing else needs
them; no setting of the user's changes a pixel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.layers import layered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# From Okabe and Ito's colours, which are told apart by all kinds of sight; and greys.
STATE, GOAL, DEAD, HARDEST = "#8fb8de", "#009e73", "#d55e00", "#8a4fa3"
EDGE, BEST, INK = "#b9bec6", "#30343c", "#22252b"
_DPI = 120


class Ways(NamedTuple):
    """A state space: state i is followed by ``targets[starts[i]:starts[i + 1]]``, state 0 begins.

    ``depth`` is the distance from state 0, ``distance`` that to the nearest goal, -1 without one;
    both int32 (states,).
    """

    starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    depth: NDArray[np.int32]
    distance: NDArray[np.int32]

    def edges(self) -> NDArray[np.int64]:
        """Return source and target of every edge once, shape (edges, 2), without loops."""
        sources = np.repeat(np.arange(len(self.depth)), np.diff(self.starts))
        pairs = np.stack([sources, self.targets.astype(np.int64)], 1)
        return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


@contextmanager
def _house_style() -> Iterator[None]:
    """Draw with matplotlib's own defaults, whatever the user has set."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": "puzzles", "text.color": INK})
        yield


def _axes(size: tuple[float, float], title: str, widths: Sequence[int] = (1,)) -> tuple[Any, Any]:
    """Return a figure of ``size`` inches, and its axes side by side with one scale of heights."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(size, dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, len(widths), squeeze=False, width_ratios=widths, sharey=True)[0]
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title, fontsize=12)
    return figure, axes


def _file(figure: Figure, kind: str) -> bytes:
    """Return the file of a figure; nothing in it tells when it was made."""
    out = BytesIO()
    metadata = {"Software": None} if kind == "png" else {"Date": None, "Creator": None}
    figure.savefig(out, format=kind, metadata=metadata)
    return out.getvalue()


def histogram(
    counts: Sequence[int], dead: int, here: int | None, title: str, unit: str, kind: str
) -> bytes:
    """Plot how many states are at each distance from a goal, dead ends as a bar of their own.

    counts
        By distance; empty where there is no goal.
    here
        The distance of the state that all of them are reached from; None for a dead end.
    unit, kind
        What distances count, in the plural; png or svg.
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    with _house_style():
        figure, axes = _axes((9, 4.6), title, (14, 1) if counts and dead else (1,))
        if counts:
            _distances(axes[0], counts, here, unit)
        if dead:
            _dead_ends(axes[-1], dead, dead + sum(counts), 0.9 if counts else 6)
        most, scaled = max([*counts, 1]), axes[0]
        # The bar of dead ends would flatten all others.
        logarithmic = bool(counts) and dead > 8 * most
        scaled.set_ylabel("states (logarithmic)" if logarithmic else "states")
        if logarithmic:
            scaled.set_yscale("log")
            scaled.set_ylim(0.7, 4 * dead)
        else:
            scaled.set_ylim(0, 1.15 * max(most, dead))
            scaled.yaxis.set_major_locator(MaxNLocator(integer=True))
        scaled.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        return _file(figure, kind)


def _distances(ax: Axes, counts: Sequence[int], here: int | None, unit: str) -> None:
    from matplotlib.ticker import MaxNLocator

    last, edges = len(counts) - 1, np.arange(len(counts) + 1) - 0.5
    bars: Any = {"fill": True, "baseline": 0.1}  # a logarithm has no 0
    ax.stairs(counts, edges, color=STATE, **bars)
    ax.stairs(counts[:1], edges[:2], color=GOAL, label=f"goals: {counts[0]:,}", **bars)
    if here is not None:
        ax.axvline(here, color=BEST, linewidth=1.2, linestyle="--", label=f"the board: {here}")
    hardest = f"hardest: {last:,} ({counts[-1]:,} state{'' if counts[-1] == 1 else 's'})"
    ax.plot(last, counts[-1], "v", color=HARDEST, label=hardest)
    ax.set_xlabel(f"{unit} to the nearest goal")
    margin = 0.5 + 0.015 * len(counts)
    ax.set_xlim(-margin, last + margin)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.figure.legend(frameon=False, loc="outside lower center", ncols=3)


def _dead_ends(ax: Axes, dead: int, states: int, side: float) -> None:
    ax.bar([0], [dead], color=DEAD, width=0.7)
    ax.text(0, dead, f"{dead:,}\n{dead / states:.1%}", ha="center", va="bottom", fontsize=8)
    ax.set_xlim(-side, side)
    ax.set_xticks([0], ["dead\nends"])


def graph(ways: Ways, title: str, unit: str, kind: str) -> bytes:
    """Draw a state space with its states in layers by their distance from the start.

    What lies on a shortest path to a goal stands out; one-way edges have a head.
    """
    import networkx as nx

    edges = ways.edges()
    x, y = ways.depth.astype(float), layered(ways.depth, edges)
    with _house_style():
        layers, most = int(ways.depth[-1]) + 1, float(np.ptp(y)) + 1
        width, height = min(max(0.42 * layers + 1, 9), 20), min(max(0.28 * most + 1.8, 3.2), 11)
        figure, (ax,) = _axes((width, height), title)
        room = 72 * min((width - 0.6) / (layers + 0.6), (height - 1.6) / (most + 1))
        size = min(max(0.62 * room, 2), 15) ** 2
        space = nx.DiGraph(edges.tolist())
        space.add_nodes_from(range(len(x)))
        places = dict(enumerate(zip(x.tolist(), y.tolist(), strict=True)))
        _draw_edges(ax, ways, space, places, size)
        _draw_states(ax, ways, places, size)
        _finish_graph(ax, layers, y, unit)
        return _file(figure, kind)


def _draw_edges(ax: Axes, ways: Ways, space: Any, places: Any, size: float) -> None:
    """Draw edges within a layer as arcs, which pass by what stands between; heads on one-way."""
    import networkx as nx

    depth, distance = ways.depth.tolist(), ways.distance.tolist()
    heads = any(space.has_edge(b, a) for a, b in space.edges)  # else all go to the right
    groups: dict[tuple[bool, bool, bool], list[tuple[int, int]]] = {}
    for a, b in space.edges:
        back = space.has_edge(b, a)
        if back and (depth[a], a) > (depth[b], b):
            continue  # drawn with the other direction
        bent = depth[b] <= depth[a]
        best = not bent and distance[b] >= 0 and depth[b] + distance[b] == distance[0]
        groups.setdefault((best, bent, heads and not back), []).append((a, b))
    for (best, bent, head), pairs in sorted(groups.items()):
        style: Any = {"edge_color": BEST if best else EDGE}
        style["width"] = (0.12 if best else 0.07) * max(size**0.5, 5)
        if bent or head:
            style |= {
                "arrowstyle": "-|>" if head else "-",
                "arrowsize": 0.7 * max(size**0.5, 5),
                "connectionstyle": "arc3,rad=0.3" if bent else "arc3",
                "node_size": size,
            }
        nx.draw_networkx_edges(space, places, pairs, ax=ax, arrows=bent or head, **style)


def _draw_states(ax: Axes, ways: Ways, places: Any, size: float) -> None:
    farthest = int(ways.distance.max())
    names = {
        STATE: "other state",
        GOAL: "goal",
        DEAD: "dead end",
        HARDEST: f"hardest: {farthest} from a goal",
    }
    colours = np.full(len(ways.depth), STATE, object)
    colours[ways.distance == farthest] = HARDEST
    colours[ways.distance == 0] = GOAL
    colours[ways.distance < 0] = DEAD
    for colour, name in names.items():
        chosen = np.flatnonzero(colours == colour)
        if len(chosen):
            x, y = np.array([places[i] for i in chosen]).T
            label = f"{name} ({len(chosen)})"
            ax.scatter(x, y, s=size, c=colour, label=label, linewidths=0, zorder=3)
    board: Any = {"marker": "s", "edgecolors": INK, "linewidths": 1.6, "zorder": 4}
    x, y = places[0]
    ax.scatter(x, y, s=2.2 * size, c=colours[0], **board)
    ax.scatter([], [], s=60, c="white", label="the board", **board)


def _finish_graph(ax: Axes, layers: int, y: NDArray[np.float64], unit: str) -> None:
    ax.tick_params(left=False, labelleft=False, bottom=True, labelbottom=True)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(f"{unit} from the board")
    ax.set_xlim(-0.8, layers - 0.2)
    ax.set_ylim(y.min() - 1, y.max() + 1)
    step = next(step for step in (1, 2, 5, 10, 20, layers) if layers <= 16 * step)
    ax.set_xticks(range(0, layers, step))
    shown = ax.figure.legend(frameon=False, loc="outside lower center", ncols=5)
    for handle in shown.legend_handles:
        if handle is not None and hasattr(handle, "set_sizes"):
            handle.set_sizes([60])
