"""Walls drawn at random, and boards with one box from a search backward from its target."""

import numpy as np
from numba import njit


@njit(cache=True)
def _below(random, n):
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(cache=True)
def _flood(wall, steps, cell, far, mark, order):
    """Put the floor within ``far`` steps of ``cell`` into ``order``, nearest first; count it.

    ``mark`` receives each cell's place in ``order``, -1 elsewhere.
    """
    for i in range(wall.shape[0]):
        mark[i] = -1
    mark[cell] = 0
    order[0] = cell
    count, done, last = 1, 0, 1
    while done < count and far > 0:
        while done < last:
            for direction in range(4):
                to = order[done] + steps[direction]
                if not wall[to] and mark[to] < 0:
                    mark[to] = count
                    order[count] = to
                    count += 1
            done += 1
        last = count
        far -= 1
    return count


@njit(cache=True)
def _joined(wall, steps, cell, mark, order):
    """Do the floor cells beside ``cell``, now a wall, still hang together? Search from one of them.

    ``mark`` must not hold ``cell`` as a value; it does afterwards where the search has been.
    """
    left = 0
    for direction in range(4):
        side = cell + steps[direction]
        if not wall[side]:
            left += 1
            order[0] = side
    mark[order[0]] = cell
    count, done, left = 1, 0, left - 1
    while done < count and left > 0:
        for direction in range(4):
            to = order[done] + steps[direction]
            if not wall[to] and mark[to] != cell:
                mark[to] = cell
                order[count] = to
                count += 1
                for side in range(4):
                    left -= to == cell + steps[side]
        done += 1
    return left == 0


@njit(cache=True)
def _build(random, wall, steps, ring, inner, walls, mark, order):
    """Turn ``walls`` of the cells ``inner`` into wall, the floor staying in one piece; count them.

    A cell whose floor neighbours are joined around it can go at once; else a search decides.
    """
    for i in range(inner.shape[0]):
        wall[inner[i]] = False
        mark[inner[i]] = -1
    built = 0
    for i in range(inner.shape[0]):
        if built == walls:
            break
        j = i + _below(random, inner.shape[0] - i)
        inner[i], inner[j] = inner[j], inner[i]
        cell = inner[i]
        # Floor beside the cell that no floor corner joins to the floor beside it before that.
        parts = 0
        for k in range(0, 8, 2):
            if not wall[cell + ring[k]]:
                parts += wall[cell + ring[(k + 7) % 8]] or wall[cell + ring[(k + 6) % 8]]
        wall[cell] = True
        if parts > 1 and not _joined(wall, steps, cell, mark, order):
            wall[cell] = False
        else:
            built += 1
    return built


@njit(cache=True)
def draw_walls(random, columns, inner_walls, wall, inner):
    """Turn cells of ``inner`` into wall, fewest and most; False where they could not all be built.

    wall bool (cells,), its border set, receives the walls; the floor is in one piece.
    """
    steps = np.array([-columns, 1, columns, -1])
    ring = np.array([-columns, 1 - columns, 1, 1 + columns, columns, columns - 1, -1, -1 - columns])
    mark, order = np.empty(wall.shape[0], np.int32), np.empty(wall.shape[0], np.int32)
    walls = inner_walls[0] + _below(random, inner_walls[1] - inner_walls[0] + 1)
    return _build(random, wall, steps, ring, inner, walls, mark, order) == walls


@njit(cache=True)
def _layout(random, wall, steps, ring, inner, inner_walls, far, mark, order, near):
    """Draw walls and a target; return how many floor cells are within ``far`` steps of it.

    ``order`` receives these cells, the target first, and ``near`` their four neighbours as places
    in ``order``, -1 where there is none. 0 where the walls could not all be built.
    """
    walls = inner_walls[0] + _below(random, inner_walls[1] - inner_walls[0] + 1)
    if _build(random, wall, steps, ring, inner, walls, mark, order) < walls:
        return 0
    target = inner[_below(random, inner.shape[0])]
    while wall[target]:
        target = inner[_below(random, inner.shape[0])]
    count = _flood(wall, steps, target, far, mark, order)
    for i in range(count):
        for direction in range(4):
            near[i, direction] = mark[order[i] + steps[direction]]
    return count


@njit(cache=True)
def _label(near, cells, longest, label, queue, first):
    """Label every (box, player) with its distance to the target, cell 0, up to ``longest``.

    ``queue`` receives the pairs box * cells + player, nearest first, and ``first[d]`` where those
    of distance d start in it; returns the greatest distance found.
    """
    for i in range(cells * cells):
        label[i] = -1
    for player in range(1, cells):
        label[player] = 0
        queue[player - 1] = player
    first[0], count, done, distance = 0, cells - 1, 0, 0
    while True:
        first[distance + 1] = count
        if count == done or distance == longest:
            return distance - (count == done)
        distance += 1
        while done < first[distance]:
            box, player = queue[done] // cells, queue[done] % cells
            done += 1
            for direction in range(4):
                back = near[player, direction ^ 2]
                if back < 0 or back == box:
                    continue
                if label[box * cells + back] < 0:
                    label[box * cells + back] = distance
                    queue[count] = box * cells + back
                    count += 1
                pulled = player * cells + back
                if near[player, direction] == box and label[pulled] < 0:
                    label[pulled] = distance
                    queue[count] = pulled
                    count += 1


@njit(cache=True)
def _walk(near, cells, label, box, player, actions):
    """Write a shortest solution: down the labels, the first direction that leads there."""
    left = label[box * cells + player]
    for at in range(left):
        for direction in range(4):
            to = near[player, direction]
            if to < 0:
                continue
            moved = near[to, direction] if to == box else box
            if moved >= 0 and label[moved * cells + to] == left - at - 1:
                actions[at] = direction
                box, player = moved, to
                break


@njit(cache=True)
def sample(random, lengths, columns, inner_walls, floor, work, wall, inner, pieces, actions):
    """Fill in boards of the exact ``lengths``, each on walls of its own; return how many.

    All starts of such a length, over all walls, are meant to be equally likely, so each length
    keeps one start while layouts come by: a new layout takes its place with the share that its
    starts have among all seen so far (a reservoir of one). A layout goes to one length only.

    random uint64 (1,); lengths int64 (n,); inner_walls: fewest and most; floor: at most so many
    cells matter; work: pairs to label in any case, and before giving up (two layouts a length
    are tried at least); wall bool (n + 1, cells), its border set, receives the walls; inner
    int32: the cells within the border; pieces int32 (n, 3) receives the cells of player, box and
    target, zeros stay where nothing was found; actions int8 (n, longest) receives directions.
    """
    n, cells, longest = lengths.shape[0], wall.shape[1], lengths.max()
    steps = np.array([-columns, 1, columns, -1])
    ring = np.array([-columns, 1 - columns, 1, 1 + columns, columns, columns - 1, -1, -1 - columns])
    mark, order = np.empty(cells, np.int32), np.empty(cells, np.int32)
    near = np.empty((floor, 4), np.int32)
    label, queue = np.empty(floor * floor, np.int32), np.empty(floor * floor, np.int32)
    first, seen = np.empty(longest + 2, np.int64), np.zeros(n, np.int64)
    found = tried = done = 0
    while done < work[0] or (found < n and (done < work[1] or tried < 2 * n)):
        tried += 1
        done += cells
        count = _layout(
            random, wall[n], steps, ring, inner, inner_walls, longest + 1, mark, order, near
        )
        if count == 0:
            continue
        greatest = _label(near, count, longest, label, queue, first)
        done += count * count
        chosen, rivals = -1, 0
        for k in range(n):
            if lengths[k] <= greatest:
                starts = first[lengths[k] + 1] - first[lengths[k]]
                seen[k] += starts
                if pieces[k, 0] == 0 or _below(random, seen[k]) < starts:
                    rivals += 1
                    if _below(random, rivals) == 0:
                        chosen = k
        if chosen >= 0:
            found += pieces[chosen, 0] == 0
            at = first[lengths[chosen]]
            at = queue[at + _below(random, first[lengths[chosen] + 1] - at)]
            box, player = at // count, at % count
            _walk(near, count, label, box, player, actions[chosen])
            pieces[chosen, 0], pieces[chosen, 1] = order[player], order[box]
            pieces[chosen, 2] = order[0]
            for i in range(cells):
                wall[chosen, i] = wall[n, i]
    return found
