"""gta, generate then answer: a grid with coordinates is drawn first and shown with the question."""

from protocols import prompts
from protocols.episode import Play, Script
from protocols.messages import Image, Request, user


def gta(play: Play) -> Script:
    """Ask with the aid; an aid that the model should have drawn and hasn't ends the episode."""
    board = play.aids.board(play.instance, play.state)
    if play.protocol.source == "self":
        asked = user(board, prompts.draw_aid(play.instance))
        drawn = play.drawn((yield Request((asked,), "image", "aid")))
        if drawn is None:
            return ""
        aid = Image(drawn)
    else:
        aid = play.aids.aid(play.instance, play.protocol)
    asked = user(board, aid, prompts.question_with_aid(play.instance))
    reply = yield Request((asked,), "text", "answer")
    return reply.text
