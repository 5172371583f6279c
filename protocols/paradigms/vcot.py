"""vcot, visual chain of thought: one action a round, and a picture of the state after each."""

from collections.abc import Generator, Sequence

from protocols import prompts
from protocols.episode import Play, Script, Step
from protocols.messages import (
    UNASKED,
    Image,
    Message,
    Reply,
    Request,
    assistant,
    user,
    with_latest_image,
)
from protocols.stepwise import Walk
from puzzles.reply import visible


def vcot(play: Play) -> Script:
    """Play round by round: an action, the next state's picture, the number of remaining steps.

    The question for the remaining steps and requests for drawings don't enter the history.
    """
    walk = play.walk = Walk(play.instance, play.protocol)
    image = play.image = play.aids.board(play.instance, walk.state, aug=play.protocol.aug)
    history: list[Message] = []
    own = play.protocol.source == "self"
    while walk.end is None:
        number = walk.rounds + 1
        said = prompts.next_action(play.instance, number, own=own)
        parts = (image, said) if history else (image, _introduction(play, walk), said)
        history = list(_shown(play, (*history, user(*parts))))  # what is gone stays so
        reply = yield Request(tuple(history), "text", "action", number)
        history.append(assistant(visible(reply.text)[0].strip()))
        step = _acted(play, walk, reply)
        if walk.end is not None:
            break
        drawn = yield from _next_image(play, walk, step, image)
        if drawn is None:
            walk.lost(play.problem or "")
            break
        image = play.image = drawn
        if play.protocol.budget:
            walk.claim(None)
        else:
            asked = (*history, user(image, prompts.remaining(own=own)))
            reply = yield Request(_shown(play, asked), "text", "probe", number)
            step.probe = None if reply is UNASKED else reply.text
            step.remaining = walk.claim(step.probe)
    return str(play.room.format_answer(walk.answer))


def _introduction(play: Play, walk: Walk) -> str:
    protocol = play.protocol
    return prompts.rounds(
        play.instance,
        aug=protocol.aug,
        own=protocol.source == "self",
        budget=walk.cap if protocol.budget else None,
        probed=not protocol.budget,
    )


def _shown(play: Play, history: Sequence[Message]) -> tuple[Message, ...]:
    return with_latest_image(history) if play.protocol.last else tuple(history)


def _acted(play: Play, walk: Walk, reply: Reply) -> Step:
    """Take the action of ``reply``, and note the round."""
    items, taken = len(walk.items), len(walk.actions)
    action = walk.act(reply.text)
    text = None
    if action is not None:
        text = play.room.step.format(action, walk.items[items:])
    step = Step(reply.text, text, len(walk.actions) > taken)
    play.steps.append(step)
    return step


def _next_image(
    play: Play, walk: Walk, step: Step, image: Image
) -> Generator[Request, Reply, Image | None]:
    """Return the picture that is shown next; None where the model should have drawn it."""
    if play.protocol.source != "self":
        return play.aids.frame(play.instance, play.protocol, walk.state, walk.rounds)
    action = play.room.step.format(walk.actions[-1], None)
    asked = prompts.draw_next(play.instance, action, aug=play.protocol.aug)
    reply = yield Request((user(image, asked),), "image", "frame", walk.rounds)
    drawn = play.drawn(reply)
    if drawn is None:
        return None
    step.image = len(play.drawings) - 1
    return Image(drawn)
