"""The path puzzle in words."""

from puzzles.family import AnswerFormat, Words

WORDS = Words(
    title="Path",
    legend=(
        "Black cells are walls, light grey cells are floor. The orange triangle is the start, "
        "the blue triangle is the goal. Each letter is a label on a floor cell."
    ),
    rules=(
        "A route leads from cell to cell, up, right, down or left. It can't enter a wall, leave "
        "the board or come back to a cell. Exactly one route joins the start to the goal. "
        "It passes a label if it enters the label's cell; labels on side branches are not passed."
    ),
    goal="Name all labels that the route from the start to the goal passes, in their order.",
    answer="Write the letters in order, separated by commas: <answer>A,C,E</answer>",
)

ANSWER = AnswerFormat(tag="answer", text=True)
