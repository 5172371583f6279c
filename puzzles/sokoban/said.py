"""The sentences in which pushes are told."""

PHRASES = {
    "start": (
        "The player is at {player:cell}, the box at {box:cell}, and its target at {target:cell}.",
        "The box at {box:cell} has to come to the target at {target:cell}; the player stands at "
        "{player:cell}.",
    ),
    "start several": (
        "The player is at {player:cell}. Boxes stand at {boxes:cells}, targets are at "
        "{targets:cells}.",
    ),
    "offset": (
        "So the box has to get {n:# row} {down:aside} and {m:# column} {across:aside}.",
        "From the box the target is {n:# row} {down:aside} and {m:# column} {across:aside}.",
    ),
    "offset rows": (
        "So the box has to get {n:# row} straight {down:aside}.",
        "The target is in the box's column, {n:# row} {down:aside}.",
    ),
    "offset columns": (
        "So the box has to get {m:# column} straight {across:aside}.",
        "The target is in the box's row, {m:# column} {across:aside}.",
    ),
    "ahead is wall": (
        "The box can't be pushed {way:way}, since {wall:cell} is a wall.",
        "Pushing the box {way:way} is impossible: the wall {wall:cell} is in the way.",
    ),
    "stand is wall": (
        "To push it {way:way} the player would have to stand at {wall:cell}, which is a wall.",
        "It can't be pushed {way:way}, because {wall:cell}, on its other side, is a wall.",
    ),
    "stand is cut off": (
        "To push it {way:way} the player would have to stand at {stand:cell}, and can't get there.",
        "There is no way to {stand:cell}, from where the player could push it {way:way}.",
    ),
    "corner": (
        "Pushed {way:way} once, the box would stand in the corner {cell:cell} for good.",
        "Pushing it {way:way} would leave it in the corner {cell:cell}, from where no push leads.",
    ),
    "away": (
        "So the box first goes {way:way}, which takes it further from the target.",
        "For now it has to go {way:way}, away from the target.",
    ),
    "stance": (
        "To push the box at {box:cell} {way:way}, the player has to be {side:side} it, at "
        "{stand:cell}.",
        "The box at {box:cell} is to go {way:way}, so the player is needed at {stand:cell}, "
        "{side:side} it.",
        "For a push {way:way} the player has to stand {side:side} the box at {box:cell}: at "
        "{stand:cell}.",
    ),
    "there": (
        "The player is there already.",
        "That is where the player stands.",
    ),
    "box between": (
        "A box stands in the way: without it {m:# step} would do, walking round takes {n:number}.",
        "The box itself is in the way, so the player walks round it: {n:# step} instead of "
        "{m:number}.",
    ),
    "walls between": (
        "Because of walls the walk takes {n:# step}, not {m:number} as the crow flies.",
        "Walls stand between, so it is {n:# step} rather than {m:number}.",
    ),
    "walk": (
        "Walk {legs:legs}.",
        "The player walks {legs:legs}.",
        "The way there: {legs:legs}.",
    ),
    "push": (
        "Push {way:way} {n:# time}: the box comes to {box:cell}, the player to {player:cell}.",
        "{n:# push} {way:way} bring the box to {box:cell} and the player to {player:cell}.",
        "Now push {way:way} {n:# time}; box at {box:cell}, player at {player:cell}.",
    ),
    "push once": (
        "Push {way:way} once: the box comes to {box:cell}, the player to {player:cell}.",
        "One push {way:way} brings the box to {box:cell} and the player to {player:cell}.",
    ),
    "in row": (
        "Now the box is in the row of the target.",
        "With that the row is right.",
    ),
    "in column": (
        "Now the box is in the column of the target.",
        "With that the column is right.",
    ),
    "on target": (
        "The box stands on its target.",
        "That is a target.",
    ),
    "done": (
        "All is done in {n:# move}.",
        "That makes {n:# move}, and the board is solved.",
    ),
}
