"""The sentences in which a walk through corridors is told."""


def phrases(walker: str) -> dict[str, tuple[str, ...]]:
    """Return the sentences, in which the walker is called so."""
    return {kind: tuple(text.replace("WALKER", walker) for text in texts) for kind, texts in _SAID}


_SAID = (
    ("offset", (
        "From there the goal is {n:# row} {down:aside} and {m:# column} {across:aside}.",
        "So the goal lies {n:# row} {down:aside} and {m:# column} {across:aside}.",
    )),
    ("offset rows", (
        "From there the goal is {n:# row} straight {down:aside}.",
        "So the goal lies in the same column, {n:# row} {down:aside}.",
    )),
    ("offset columns", (
        "From there the goal is {m:# column} straight {across:aside}.",
        "So the goal lies in the same row, {m:# column} {across:aside}.",
    )),
    ("only", (
        "From {at:cell} the only way on is {way:way}.",
        "At {at:cell} nothing but {way:way} is open.",
        "There is only one way on from {at:cell}: {way:way}.",
    )),
    ("corridor", (
        "From {at:cell} there is no choice: {legs:legs}.",
        "From {at:cell} on, one cell leads to the next without a branch: {legs:legs}.",
        "{at:cell} begins a corridor: {legs:legs}.",
    )),
    ("walled", (
        "At {at:cell} the goal is further {toward:aside}, but {wall:cell} is a wall; only "
        "{way:way} is open.",
        "Towards the goal, {toward:side} {at:cell}, stands the wall {wall:cell}, so the only way "
        "on is {way:way}.",
    )),
    ("dead", (
        "At {at:cell} the way {way:way} over {first:cell} is a dead end of {n:# cell}.",
        "Going {way:way} from {at:cell} there are {n:# cell} from {first:cell} on, and no way out.",
    )),
    ("dead cell", (
        "At {at:cell} the cell {way:beside}, {first:cell}, is a dead end.",
        "Going {way:way} from {at:cell} there is only {first:cell}, and no way out.",
    )),
    ("tempting", (
        "At {at:cell} going {way:way} over {first:cell} looks nearer to the goal, but it is a dead "
        "end of {n:# cell}.",
        "The way {way:way} from {at:cell} points to the goal, yet from {first:cell} on there are "
        "{n:# cell} and no way out.",
    )),
    ("tempting cell", (
        "At {at:cell} the cell {way:beside}, {first:cell}, looks nearer to the goal, but it is a "
        "dead end.",
        "The way {way:way} from {at:cell} points to the goal, yet it ends in {first:cell}.",
    )),
    ("longer", (
        "Going {way:way} over {first:cell} is longer: from there the goal takes {far:# step}, on "
        "this way {near:number}.",
        "{first:cell}, {way:aside}, is {far:# step} from the goal, the next cell on this way only "
        "{near:number}.",
    )),
    ("go", (
        "Go {way:way} {n:# cell}, to {to:cell}.",
        "So the WALKER goes {way:way} by {n:# cell}, to {to:cell}.",
        "Move {way:way} by {n:# step}, which leads to {to:cell}.",
        "After {n:# step} {way:way} the WALKER is at {to:cell}.",
    )),
    ("passed one", (
        "On the way it passes {cells:cells}, where a dead end begins.",
        "The opening at {cells:cells} is passed; it is a dead end.",
    )),
    ("passed", (
        "On the way it passes {cells:cells}, where dead ends begin.",
        "The openings at {cells:cells} are passed; they are dead ends.",
    )),
)  # fmt: skip
