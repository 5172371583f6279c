"""vr, visual reasoning: a solution is drawn onto the board, and the answer is given with it."""

from protocols import prompts
from protocols.episode import Play, Script
from protocols.messages import Image, Request, user


def vr(play: Play) -> Script:
    """Ask with the drawing; one that the model should have made and hasn't ends the episode."""
    board = play.aids.board(play.instance, play.state)
    if play.protocol.source == "self":
        asked = user(board, prompts.draw_solution(play.instance))
        drawn = play.drawn((yield Request((asked,), "image", "drawing")))
        if drawn is None:
            return ""
        drawing = Image(drawn)
    else:
        drawing = play.aids.aid(play.instance, play.protocol)
    asked = user(board, drawing, prompts.question_with_drawing(play.instance))
    reply = yield Request((asked,), "text", "answer")
    return reply.text
