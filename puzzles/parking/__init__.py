"""Parking: slide the vehicles aside and bring the red car to the exit."""

from puzzles.family import Bucket, Family, Late
from puzzles.parking import rules, text
from solvers import System

room = Late("puzzles.parking")

FAMILY: Family[rules.State, rules.Slide] = Family(
    name="parking",
    generator="parking-1",
    words=text.words,
    answer_format=text.ANSWER,
    buckets={"easy": Bucket(1, 5), "medium": Bucket(8, 16), "hard": Bucket(18, 34)},
    size=(8, 8),
    parse=rules.parse,
    format=rules.format,
    canonical=rules.canonical,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    is_solved=rules.is_solved,
    parse_answer=rules.parse_answer,
    format_answer=rules.format_answer,
    replay=rules.replay,
    systems={"cell": System(room.kernels.expand, room.kernels.is_goal, room.kernels.branching)},
    pack=room.packing.pack,
    unpack=room.packing.unpack,
    decode=room.packing.decode,
    sample=room.sample.sample,
    stats=room.sample.stats,
    draw=room.view.draw,
    draw_aid=room.view.draw_aid,
    draw_solution=room.view.draw_solution,
    rule_options=rules.RULE_OPTIONS,
    sample_options={},
    block=17,
)
