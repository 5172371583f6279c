"""draw-own and draw-true: a solution that is told in words is drawn onto the board."""

from protocols import prompts
from protocols.episode import Play, Script
from protocols.messages import Request, user
from puzzles.answers import extract
from puzzles.replay import optimal_actions


def draw(play: Play) -> Script:
    """Have a solution drawn: the model's own, which is asked for first, or the true one.

    An answer that can't be read isn't drawn.
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
    else:
        answer = room.answer_of(start, optimal_actions(play.instance))
    told = prompts.draw_solution(play.instance, room.format_answer(answer))
    play.drawn((yield Request((user(board, told),), "image", "drawing")))
    return response
