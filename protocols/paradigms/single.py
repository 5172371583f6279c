"""direct and text-cot: the board and the question, once."""

from protocols import prompts
from protocols.episode import Play, Script
from protocols.messages import Request, user


def direct(play: Play) -> Script:
    return _ask(play, prompts.DIRECT)


def text_cot(play: Play) -> Script:
    return _ask(play, prompts.REASON)


def _ask(play: Play, manner: str) -> Script:
    board = play.aids.board(play.instance, play.state)
    asked = user(board, prompts.question(play.instance, manner))
    reply = yield Request((asked,), "text", "answer")
    return reply.text
