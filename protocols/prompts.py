"""What is said to a model: prompts assembled from a family's words; no family is named here."""

from __future__ import annotations

from hashlib import blake2b

from puzzles.answers import extract
from puzzles.family import Words
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family

DIRECT = "Reply with the final answer only, without any reasoning."
REASON = "Think step by step and write down your reasoning. Then end with the final answer."
_ONE_PICTURE = (
    "{first} the size and the geometry of the picture, and keep {keep} exactly as they are, in "
    "their places and colours. Add nothing else: no other text, no other arrows, no title, no "
    "legend, no frame, and make it one picture, no collage."
)


def _kept(words: Words, first: str = "Keep", *, grid: bool = False) -> str:
    keep = f"the grid, {words.keep}" if grid else words.keep
    return _ONE_PICTURE.format(first=first, keep=keep)


def words_of(instance: Instance) -> Words:
    """Return what the family says of boards with the rules of ``instance``."""
    return family(instance.family).words(instance.rules)


def puzzle(instance: Instance, *, grid: bool = False) -> str:
    """Return what is drawn, what may be done, and what is to be reached.

    grid
        Whether all pictures carry the visual aid.
    """
    words = words_of(instance)
    return f"{_drawn(words, grid=grid)}\n\n{words.rules}\n\n{words.goal}"


def _drawn(words: Words, *, grid: bool = False) -> str:
    carried = f" The picture carries a grid: {words.aid}." if grid else ""
    return f"The picture shows a puzzle. {words.legend}{carried}"


def answer_format(instance: Instance) -> str:
    """Return how the answer is written, with an example that doesn't solve the board."""
    return f"{words_of(instance).answer} For another board, for example: {example(instance)}"


def example(instance: Instance) -> str:
    """Return an example of an answer that doesn't solve the board.

    Which one it is depends on the board alone, and so evenly that it says nothing of the solution
    but that it is not this one.
    """
    room, start = family(instance.family), initial(instance)
    examples = words_of(instance).examples
    key = blake2b(instance.board.encode(), digest_size=8).digest()
    first = int.from_bytes(key, "big") % len(examples)
    for text in (*examples[first:], *examples[:first]):
        played = room.replay(start, extract(text, room).answer or [])
        if played.reason is not None or not room.is_solved(played.state):
            return text
    raise RuntimeError(f"{room.name}: every example solves the board:\n{instance.board}")


def question(instance: Instance, manner: str) -> str:
    """Return the question of the protocols that show the board alone."""
    return f"{puzzle(instance)}\n\n{answer_format(instance)}\n\n{manner}"


def question_with_aid(instance: Instance) -> str:
    """Return the question where the second picture is the visual aid."""
    words = words_of(instance)
    shown = f"The second picture is an aid: the same board with {words.aid}."
    return f"{_first(instance)}\n\n{shown}\n\n{answer_format(instance)}\n\n{REASON}"


def question_with_drawing(instance: Instance) -> str:
    """Return the question where the second picture shows a drawn solution."""
    words = words_of(instance)
    shown = (
        f"The second picture is the same board with a solution drawn on it, that is with "
        f"{words.drawing}. Use the drawing: check it against the first picture, and write down "
        "the solution."
    )
    return f"{_first(instance)}\n\n{shown}\n\n{answer_format(instance)}\n\n{REASON}"


def _first(instance: Instance) -> str:
    return puzzle(instance).replace("The picture shows", "The first picture shows", 1)


def draw_aid(instance: Instance) -> str:
    """Return the request to draw the visual aid on the board."""
    words = words_of(instance)
    return (
        f"{_drawn(words)}\n\nDraw the same picture with a grid on it. "
        f"Add {words.aid}. {_kept(words)}"
    )


def draw_solution(instance: Instance, told: str | None = None) -> str:
    """Return the request to draw a solution on the board: the model's own, or the one told."""
    words = words_of(instance)
    task = "Solve the puzzle, and draw the solution on the picture."
    if told is not None:
        task = f"Draw this solution on the picture: {told}"
    return f"{puzzle(instance)}\n\n{task}\n\nAdd {words.drawing}. {_kept(words)}"


def draw_next(instance: Instance, action: str, *, aug: bool) -> str:
    """Return the request to draw the state after ``action``, the JSON of one action."""
    words = words_of(instance)
    return (
        f"{_drawn(words, grid=aug)}\n\n{words.rules}\n\n"
        f"Draw the same picture as it looks after this action: {action}\n\n"
        f"{words.change} {_kept(words, 'Apart from that, keep', grid=aug)}"
    )


def rounds(instance: Instance, *, aug: bool, own: bool, budget: int | None, probed: bool) -> str:
    """Return the introduction of a stepwise episode.

    own
        Whether the model draws what it is shown next.
    budget
        The number of rounds, where the protocol tells it.
    probed
        Whether the model is asked after every round how many steps remain.
    """
    length = f" There are exactly {budget} rounds." if budget is not None else ""
    after = "you are shown the board after your action"
    if own:
        after = "you draw the board after your action, and are shown your drawing"
    if probed:
        after += ", and are asked how many actions remain; the answer 0 ends the puzzle"
    return (
        f"{puzzle(instance, grid=aug)}\n\nYou play it round by round. In each round you name one "
        f"action; then {after}.{length} An action that isn't legal ends the puzzle as failed."
    )


def next_action(instance: Instance, number: int, *, own: bool) -> str:
    """Return the request for the action of round ``number``, from 1."""
    shown = f" {_now(own)} shows the board now." if number > 1 else ""
    return (
        f"Round {number}.{shown} Choose the next action. {words_of(instance).step} "
        "Name exactly one action; you may reason before it."
    )


def remaining(*, own: bool) -> str:
    """Return the question for the number of remaining steps."""
    return (
        f"{_now(own)} shows the board after your action. How many more actions are needed to reach "
        "the goal from here? Reply with the number alone: <answer>N</answer>. "
        "The number 0 says that the goal is reached, and ends the puzzle."
    )


def _now(own: bool) -> str:
    return "Your drawing" if own else "The picture"
