"""draw-own and draw-true: a solution that is told in words is drawn onto the board."""

from protocols import prompts
from protocols.episode import Play, Script
from protocols.messages import Request, user
from puzzles.answers import extract
from puzzles.replay import optimal_actions

MOST_TOLD = 100_000
"""Characters of an answer that is told to be drawn; a few repeated words can stand for megabytes
of actions."""


def draw(play: Play) -> Script:
    """Have a solution drawn: the model's own, which is asked for first, or the true one.

    An answer that can't be read, or is too long to be told, isn't drawn.
    """
    room, start = play.room, play.state
    board, response = play.aids.board(play.instance, start), ""
    if play.protocol.source == "self":
        asked = user(board, prompts.question(play.instance, prompts.REASON))
        reply = yield Request((asked,), "text", "answer")
        response = reply.text
        answer = extract(response, room).answer
        if answer is None:
            return response
        written = room.format_answer(answer)
        if len(written) > MOST_TOLD:
            play.problem = f"an answer of {len(written):,} characters is too long to be drawn"
            return response
    else:
        written = room.format_answer(room.answer_of(start, optimal_actions(play.instance)))
    told = prompts.draw_solution(play.instance, written)
    play.drawn((yield Request((user(board, told),), "image", "drawing")))
    return response
