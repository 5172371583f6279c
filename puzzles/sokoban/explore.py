"""The states of a board that are nearest to its goals, explored backward from all goals at once.

A goal has a box on every target, wherever the player is; the move before is a push, so the search
begins where the player has just made one. States are numbers: the player's cell in the lowest
``bits``, then those of the boxes in ascending order. Cells are numbered by their distance from the
targets, which come first. A direction is an index: up, right, down, left.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def number_floor(wall, columns, targets, far):
    """Number the floor within ``far`` steps of a target.

    Returns (order, number, near): the cell of each number, the number of each cell or -1, and the
    numbers of the four neighbours, -1 where there is none.
    """
    steps = (-columns, 1, columns, -1)
    number, order = np.empty(wall.shape[0], np.int64), np.empty(wall.shape[0], np.int64)
    for cell in range(wall.shape[0]):
        number[cell] = -1
    count = targets.shape[0]
    for i in range(count):
        order[i], number[targets[i]] = targets[i], i
    done, last = 0, count
    while done < count and far > 0:
        while done < last:
            for step in steps:
                to = order[done] + step
                if not wall[to] and number[to] < 0:
                    order[count], number[to] = to, count
                    count += 1
            done += 1
        last = count
        far -= 1
    near = np.empty((count, 4), np.int64)
    for i in range(count):
        for direction in range(4):
            near[i, direction] = number[order[i] + steps[direction]]
    return order[:count], number, near


@njit(cache=True)
def _unpack(state, bits, boxes):
    """Write the boxes; return the player's cell."""
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for i in range(boxes.shape[0]):
        boxes[i] = np.int64(state >> np.uint64(bits * (i + 1)) & mask)
    return np.int64(state & mask)


@njit(cache=True)
def _pack(player, boxes, bits, at, to):
    """Return the state in which box ``at`` has gone ``to``; at -1: none has."""
    state, place, pending = np.uint64(player), np.int64(1), at >= 0
    for i in range(boxes.shape[0]):
        if pending and to < boxes[i]:
            state |= np.uint64(to) << np.uint64(bits * place)
            place, pending = place + 1, False
        if i != at:
            state |= np.uint64(boxes[i]) << np.uint64(bits * place)
            place += 1
    if pending:
        state |= np.uint64(to) << np.uint64(bits * place)
    return state


@njit(cache=True)
def _box_at(boxes, cell):
    for i in range(boxes.shape[0]):
        if boxes[i] == cell:
            return i
    return -1


@njit(cache=True)
def _slot(slots, store, state):
    """Return the slot of ``state``, or the free one where it would be."""
    mask = slots.shape[0] - 1
    slot = np.int64(state * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(33)) & mask
    while slots[slot] >= 0 and store[slots[slot]] != state:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def _enter(slots, store, count, state):
    """Add ``state`` where it is new; return how many states there are."""
    slot = _slot(slots, store, state)
    if slots[slot] >= 0:
        return count
    slots[slot], store[count] = count, state
    return count + 1


@njit(cache=True)
def _room(store, count, states):
    """Return room for so many ``states``, those of ``store`` at its beginning, and their slots."""
    larger, slots = np.empty(states, np.uint64), np.empty(2 * states, np.int32)
    for slot in range(2 * states):
        slots[slot] = -1
    for i in range(count):
        larger[i] = store[i]
        slots[_slot(slots, larger, store[i])] = i
    return larger, slots


@njit(cache=True)
def _backward(near, boxes, bits, longest, most):
    """Return (store, slots, first): the states within ``longest`` moves of a goal, nearest first.

    Those of distance d are store[first[d] : first[d + 1]]. Where there are more than ``most``,
    only distances whose states are all there; ``first`` ends there.
    """
    store, slots = _room(np.empty(0, np.uint64), 0, 1024)
    first, count = np.zeros(longest + 2, np.int64), 0
    for i in range(boxes.shape[0]):
        boxes[i] = i
    goal = _pack(0, boxes, bits, -1, 0)
    for i in range(4 * boxes.shape[0]):
        player = near[i // 4, i % 4]
        if player >= 0 and _box_at(boxes, player) < 0:
            count = _enter(slots, store, count, goal | np.uint64(player))
    first[1], done = count, 0
    for distance in range(1, longest + 1):
        while done < first[distance]:
            if count > most:
                return store, slots, first[: distance + 1]
            if count + 8 > store.shape[0]:
                store, slots = _room(store, count, 2 * store.shape[0])
            player = _unpack(store[done], bits, boxes)
            still = store[done] - np.uint64(player)
            done += 1
            for direction in range(4):
                back, ahead = near[player, direction ^ 2], near[player, direction]
                if back < 0 or _box_at(boxes, back) >= 0:
                    continue
                if still != goal:
                    count = _enter(slots, store, count, still | np.uint64(back))
                pulled = _box_at(boxes, ahead)
                if pulled >= 0:
                    state = _pack(back, boxes, bits, pulled, player)
                    if state - np.uint64(back) != goal:
                        count = _enter(slots, store, count, state)
        first[distance + 1] = count
    return store, slots, first


@njit(cache=True)
def _forward(near, slots, store, first, distance, state, bits, boxes, after):
    """Write the places of the successors that are nearer to a goal, -1 for other directions."""
    player = _unpack(state, bits, boxes)
    for direction in range(4):
        after[direction] = -1
        to = near[player, direction]
        if to < 0:
            continue
        pushed, beyond = _box_at(boxes, to), near[to, direction]
        if pushed >= 0 and (beyond < 0 or _box_at(boxes, beyond) >= 0):
            continue
        place = slots[_slot(slots, store, _pack(to, boxes, bits, pushed, beyond))]
        if first[distance - 1] <= place < first[distance]:
            after[direction] = place


@njit(cache=True)
def _tally(near, slots, store, first, distance, start, bits, boxes, solutions):
    """Count the shortest solutions of the state at place ``start``; return first moves on one.

    ``solutions`` (1, digits), zeros, receives the count in digits of base 2**62, lowest first: two
    bits a move are enough, as there are four moves at most.
    """
    after, begin = np.empty(4, np.int64), 0
    layer, ways = np.empty(1, np.int64), np.zeros((1, solutions.shape[1]), np.uint64)
    layer[0], ways[0, 0] = start, 1
    for left in range(distance, 0, -1):
        met = np.zeros(first[left] - first[left - 1], np.int64)
        room = min(4 * layer.shape[0], met.shape[0])
        following, more = np.empty(room, np.int64), np.zeros((room, ways.shape[1]), np.uint64)
        count = 0
        for i in range(layer.shape[0]):
            _forward(near, slots, store, first, left, store[layer[i]], bits, boxes, after)
            for place in after:
                if place < 0:
                    continue
                begin += left == distance
                at = place - first[left - 1]
                if met[at] == 0:
                    following[count], count = place, count + 1
                    met[at] = count
                _add(more, met[at] - 1, ways, i)
        layer, ways = following[:count], more
    for i in range(layer.shape[0]):
        _add(solutions, 0, ways, i)
    return begin


@njit(cache=True)
def _add(numbers, i, others, j):
    """Add number ``j`` of ``others`` to number ``i``, both in digits of base 2**62."""
    carry = np.uint64(0)
    for digit in range(numbers.shape[1]):
        total = numbers[i, digit] + others[j, digit] + carry
        numbers[i, digit] = total & np.uint64((1 << 62) - 1)
        carry = total >> np.uint64(62)


@njit(cache=True)
def _bits(cells, boxes):
    """Return the bits of a cell's number; 0 where a state would not fit into 64."""
    bits = 1
    while 1 << bits < cells:
        bits += 1
    return bits if bits * (boxes + 1) <= 64 else 0


@njit(cache=True)
def measure(wall, columns, player, boxes, targets, longest, most, solutions):
    """Count the solutions of a board where they have ``longest`` actions or fewer.

    wall bool (cells,), its border set; player, boxes, targets: cells. ``solutions``: see
    ``_tally``. Returns how many of the first moves begin one; -1 where more than ``most`` states
    would have to be looked at.
    """
    order, number, near = number_floor(wall, columns, targets, longest + 1)
    count = boxes.shape[0]
    bits, cells = _bits(order.shape[0], count), np.empty(count, np.int64)
    if bits == 0:
        return -1
    away, outside = 0, number[player] < 0
    for i in range(count):
        box, at = number[boxes[i]], i
        away += not 0 <= box < count
        outside = outside or box < 0
        while at > 0 and cells[at - 1] > box:
            cells[at] = cells[at - 1]
            at -= 1
        cells[at] = box
    if away == 0:
        solutions[0, 0] = 1
        return 0
    if outside:
        return 0
    start = _pack(number[player], cells, bits, -1, 0)
    store, slots, first = _backward(near, cells, bits, longest, most)
    place, distance, last = slots[_slot(slots, store, start)], 0, first.shape[0] - 2
    if place < 0 or place >= first[last + 1]:
        return 0 if last == longest else -1
    while place >= first[distance + 1]:
        distance += 1
    return _tally(near, slots, store, first, distance, place, bits, cells, solutions)


@njit(cache=True)
def _below(random, n):
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(cache=True)
def draw_start(random, wall, columns, targets, length, most, pieces, actions, solutions):
    """Draw a start of optimum ``length``, all equally likely of those with most boxes off targets.

    pieces int32 (boxes + 1,) receives the cells of the player and the boxes, actions int8
    (length,) directions, ``solutions`` what ``_tally`` counts. Returns how many boxes are off
    targets (0: there is no such start; -1: more than ``most`` states would have to be looked at),
    how many first moves begin a shortest solution, and how many states were looked at.
    """
    order, _, near = number_floor(wall, columns, targets, length + 1)
    boxes = np.empty(targets.shape[0], np.int64)
    bits = _bits(order.shape[0], boxes.shape[0])
    if bits == 0:
        return -1, 0, 0
    store, slots, first = _backward(near, boxes, bits, length, most)
    if first.shape[0] < length + 2:
        return -1, 0, first[first.shape[0] - 1]
    off, rivals, start = 0, 0, -1
    for at in range(first[length], first[length + 1]):
        _unpack(store[at], bits, boxes)
        # The targets have the lowest numbers.
        away = 0
        for box in boxes:
            away += box >= boxes.shape[0]
        if away > off:
            off, rivals = away, 0
        if away == off:
            rivals += 1
            if _below(random, rivals) == 0:
                start = at
    if start < 0:
        return 0, 0, first[length + 1]
    pieces[0] = order[_unpack(store[start], bits, boxes)]
    for i in range(boxes.shape[0]):
        pieces[i + 1] = order[boxes[i]]
    begin = _tally(near, slots, store, first, length, start, bits, boxes, solutions)
    after, at = np.empty(4, np.int64), start
    for left in range(length, 0, -1):
        _forward(near, slots, store, first, left, store[at], bits, boxes, after)
        for direction in range(3, -1, -1):
            if after[direction] >= 0:
                actions[length - left], at = direction, after[direction]
    return off, begin, first[length + 1]
