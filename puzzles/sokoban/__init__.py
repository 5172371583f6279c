"""Sokoban: push every box onto a target."""

from puzzles.family import Bucket, Family, Late
from puzzles.sokoban import rules, text
from puzzles.walking import format_directions, parse_directions
from solvers import System

kernels = Late("puzzles.sokoban.kernels")
packing = Late("puzzles.sokoban.packing")
sample = Late("puzzles.sokoban.sample")
view = Late("puzzles.sokoban.view")

FAMILY: Family[rules.State, str] = Family(
    name="sokoban",
    generator="sokoban-1",
    words=text.words,
    answer_format=text.ANSWER,
    buckets={"easy": Bucket(1, 8), "medium": Bucket(10, 16), "hard": Bucket(20, 39)},
    size=(10, 10),
    parse=rules.parse,
    format=rules.format,
    canonical=rules.canonical,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    is_solved=rules.is_solved,
    parse_answer=parse_directions,
    format_answer=format_directions,
    replay=rules.replay,
    systems={"cell": System(kernels.expand, kernels.is_goal, kernels.branching, kernels.ample)},
    pack=packing.pack,
    unpack=packing.unpack,
    decode=packing.decode,
    sample=sample.sample,
    stats=sample.stats,
    draw=view.draw,
    draw_aid=view.draw_aid,
    draw_solution=view.draw_solution,
    rule_options=rules.RULE_OPTIONS,
    block=20,
)
