"""Which vehicles stand in which rows and columns: layouts, drawn at random, as kernels.

A line is a row or column with the vehicles that slide along it, a group its side and their
lengths, in order. Vehicles keep their line and their order in it, so a layout stands for all the
boards that moves could ever make of any of its boards.

``catalog`` (see lines) knows what a group can do:
counts int64 (groups,)
    How many configurations it has, 64 at most.
over uint64 (groups, cells)
    A bit for each configuration that covers the cell of the line.
offsets int64 (groups, configurations, vehicles)
    Where each vehicle begins; -1 where there is none.
slides int64 (groups, configurations)
    How many slides of one cell there are; then, for each (groups, configurations, slides):
    target int64, the configuration it leads to; enters int64, the cell it needs.
insert int64 (groups, 2, places)
    The group with one more vehicle, of length 2 or 3, after that many others; -1 where none is.

Group 0 is an empty row, group 1 an empty column.
"""

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
def _insert(random, catalog, group, threes, exit_row):
    """Return ``group`` with one more vehicle at a random place.

    Returns -1 where it is full or would cover ``exit_row`` (-1: none) for ever, and mostly where
    it has two vehicles already, to match the published suite.
    """
    counts, over, offsets, _, _, _, insert = catalog
    vehicles = 0
    while vehicles < offsets.shape[2] and offsets[group, 0, vehicles] >= 0:
        vehicles += 1
    if vehicles > 1 and _below(random, 4):
        return -1
    three = np.int64(_below(random, 100) < threes)
    more = insert[group, three, _below(random, vehicles + 1)]
    if more < 0 or exit_row < 0:
        return more
    every = ~np.uint64(0) >> np.uint64(64 - counts[more])
    return -1 if over[more, exit_row] == every else more


@njit(cache=True)
def _draw(random, catalog, plan, groups):
    """Draw the groups of all rows, then all columns; False where the vehicles don't fit."""
    rows, columns, exit_row, red, vehicles, tall, wide, share, threes = plan
    for line in range(rows + columns):
        groups[line] = 0 if line < rows else 1
    groups[exit_row] = red
    chosen = np.empty(rows + columns, np.int64)
    n = 0
    # The columns that R has to cross, some of them, and now and then one that it starts on.
    while n < tall:
        lane = 2 + _below(random, columns - 2) if _below(random, 8) else _below(random, columns)
        if groups[rows + lane] == 1:
            groups[rows + lane] = _insert(random, catalog, 1, threes, exit_row)
            if groups[rows + lane] < 0:
                return False
            chosen[n] = rows + lane
            n += 1
    while n < tall + wide:
        # Rows beside R's come half as often: with them solutions are seldom long.
        lane = _below(random, rows)
        if groups[lane] == 0 and (abs(lane - exit_row) > 1 or _below(random, 2)):
            groups[lane] = _insert(random, catalog, 0, threes, -1)
            if groups[lane] < 0:
                return False
            chosen[n] = lane
            n += 1
    tries = 0
    while n < vehicles:
        if wide == 0 or (tall > 0 and _below(random, 100) < share):
            line = chosen[_below(random, tall)]
        else:
            line = chosen[tall + _below(random, wide)]
        more = _insert(random, catalog, groups[line], threes, exit_row if line >= rows else -1)
        if more >= 0:
            groups[line] = more
            n += 1
        tries += 1
        if tries > 8 * vehicles:
            return False
    return True


@njit(cache=True)
def _wall_in(random, catalog, plan, lines, walls):
    """Draw cells out of R's row for ``walls`` int64 (n, 2), and take from the domains of ``lines``
    what covers one; False where a line is left with none.
    """
    across, lanes, groups, domains = lines
    rows, columns, exit_row = plan[0], plan[1], plan[2]
    for k in range(walls.shape[0]):
        drawn = True
        while drawn:
            walls[k, 0] = _below(random, rows - 1)
            walls[k, 0] += walls[k, 0] >= exit_row
            walls[k, 1] = _below(random, columns)
            drawn = False
            for j in range(k):
                drawn = drawn or (walls[j, 0] == walls[k, 0] and walls[j, 1] == walls[k, 1])
        for a in range(lanes.shape[0]):
            lane, cell = (walls[k, 0], walls[k, 1]) if across[a] else (walls[k, 1], walls[k, 0])
            if lanes[a] == lane:
                domains[a] &= ~catalog[1][groups[a], cell]
                if domains[a] == 0:
                    return False
    return True


@njit(cache=True)
def narrow(catalog, across, lanes, groups, domains):
    """Take out of ``domains`` what other vehicles, wherever they stand, never allow.

    across bool, lanes int64, groups int64, domains uint64 (lines,): the lines, and a bit for each
    configuration that a line may have. Returns False where a line is left with none.
    """
    over = catalog[1]
    lines = lanes.shape[0]
    again = True
    while again:
        again = False
        for a in range(lines):
            for b in range(lines):
                if across[a] == across[b]:
                    continue
                taken = over[groups[a], lanes[b]] & domains[a]
                if taken != 0 and domains[b] & ~over[groups[b], lanes[a]] == 0:
                    domains[a] ^= taken
                    again = True
                    if domains[a] == 0:
                        return False
    return True


@njit(cache=True)
def _ones(word):
    """Return how many bits are set."""
    word -= word >> np.uint64(1) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (
        word >> np.uint64(2) & np.uint64(0x3333333333333333)
    )
    word = word + (word >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(word * np.uint64(0x0101010101010101) >> np.uint64(56))


@njit(cache=True)
def consistent(catalog, across, lanes, groups, domains, words):
    """Write every state in which no two vehicles stand on one cell; return how many.

    Arguments as for ``narrow``, the rows before the columns. Returns -1 where there are more than
    ``words`` holds: they are counted first, which is quick, because columns do not touch each
    other and those of one choice of the rows are counted by a product.
    """
    counts, over = catalog[0], catalog[1]
    lines, rows = domains.shape[0], across.sum()
    left = np.empty((lines + 1, lines), np.uint64)
    choice = np.zeros(lines + 1, np.int64)
    word = np.zeros(lines + 1, np.uint64)
    shift = np.zeros(lines + 1, np.int64)
    for m in range(lines):
        left[0, m] = domains[m]
        width = 0
        while counts[groups[m]] > 1 << width:
            width += 1
        shift[m + 1] = shift[m] + width
    n = 0
    for last in (rows, lines):
        n = depth = 0
        choice[0] = 0
        while depth >= 0:
            if depth == last:
                ways = 1
                for m in range(last, lines):
                    ways *= _ones(left[depth, m])
                if n + ways > words.shape[0]:
                    return -1
                if last == lines:
                    words[n] = word[depth]
                n += ways
                depth -= 1
                continue
            c = choice[depth]
            if c == counts[groups[depth]]:
                depth -= 1
                continue
            choice[depth] = c + 1
            bit = np.uint64(1) << np.uint64(c)
            if left[depth, depth] & bit == 0:
                continue
            possible = True
            for m in range(depth + 1, lines):
                x = left[depth, m]
                if across[m] != across[depth] and over[groups[depth], lanes[m]] & bit:
                    x &= ~over[groups[m], lanes[depth]]
                left[depth + 1, m] = x
                possible = possible and x != 0
            if possible:
                word[depth + 1] = word[depth] | np.uint64(c) << np.uint64(shift[depth])
                depth += 1
                choice[depth] = 0
    return n


@njit(cache=True)
def propose(random, catalog, plan, walls, at_exit, needed, blockers, attempts, words):
    """Draw vehicles for lines until few enough boards show R at the exit and some look hard.

    random
        uint64 (1,), the ``state`` of a stream of draws; it is carried on.
    plan
        What ``_draw`` goes by: rows, columns, exit row, group of R's row, number of vehicles,
        columns and rows to use, percent of the rest that go into columns, percent of length 3.
    walls
        int64 (n, 2): it receives the cells of so many walls, none of them in R's row.
    at_exit, needed
        A bit for each configuration of R's row that is solved, and that must be possible.
    blockers
        How many columns must be able to hold a vehicle in R's way.

    Returns across, lanes, groups, domains of the lines, and how many solved states are in
    ``words``: 0 where ``attempts`` draws found none, or more than it holds.
    """
    rows, columns, exit_row = plan[0], plan[1], plan[2]
    every = np.empty(rows + columns, np.int64)
    across = np.empty(rows + columns, np.bool_)
    lanes, groups = np.empty(rows + columns, np.int64), np.empty(rows + columns, np.int64)
    domains, solved = np.empty(rows + columns, np.uint64), np.empty(rows + columns, np.uint64)
    lines = found = 0
    for _ in range(attempts):
        if not _draw(random, catalog, plan, every):
            continue
        lines, bits = 0, 0
        for k in range(-1, rows + columns):
            line = exit_row if k < 0 else k
            if every[line] < 2 or k == exit_row:
                continue
            across[lines] = line < rows
            lanes[lines] = line if line < rows else line - rows
            groups[lines] = every[line]
            most = catalog[0][every[line]]
            domains[lines] = ~np.uint64(0) >> np.uint64(64 - most)
            lines += 1
            while most > 0:
                most >>= 1
                bits += 1
        if bits > 63:
            continue
        chosen = across[:lines], lanes[:lines], groups[:lines], domains[:lines]
        if not (_wall_in(random, catalog, plan, chosen, walls) and narrow(catalog, *chosen)):
            continue
        if domains[0] & needed != needed:
            continue
        able = 0
        for a in range(lines):
            if not across[a] and lanes[a] > 1:
                able += catalog[1][groups[a], exit_row] & domains[a] != 0
            solved[a] = domains[a]
        solved[0] &= at_exit
        if able < blockers:
            continue
        found = consistent(
            catalog, across[:lines], lanes[:lines], groups[:lines], solved[:lines], words
        )
        if found > 0:
            break
    return across[:lines], lanes[:lines], groups[:lines], domains[:lines], max(found, 0)
