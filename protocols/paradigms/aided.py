"""gta and vr: a second picture, drawn by the model or had from elsewhere, stands by the question.

In gta, generate then answer, it is the board with a grid and coordinates; in vr, visual reasoning,
the board with a solution drawn on it.
"""

from protocols import prompts
from protocols.episode import Play, Script
from protocols.messages import Image, Purpose, Request, user


def gta(play: Play) -> Script:
    """Ask with the visual aid."""
    instance = play.instance
    return _aided(play, "aid", prompts.draw_aid(instance), prompts.question_with_aid(instance))


def vr(play: Play) -> Script:
    """Ask with the drawn solution."""
    instance = play.instance
    return _aided(
        play, "drawing", prompts.draw_solution(instance), prompts.question_with_drawing(instance)
    )


def _aided(play: Play, purpose: Purpose, to_draw: str, question: str) -> Script:
    """Ask with a second picture; one that the model should have drawn and hasn't ends the episode.

    to_draw
        What is said where the model draws it.
    """
    board = play.aids.board(play.instance, play.state)
    if play.protocol.source == "self":
        drawn = play.drawn((yield Request((user(board, to_draw),), "image", purpose)))
        if drawn is None:
            return ""
        second = Image(drawn)
    else:
        second = play.aids.aid(play.instance, play.protocol)
    reply = yield Request((user(board, second, question),), "text", "answer")
    return reply.text
