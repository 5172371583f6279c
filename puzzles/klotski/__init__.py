"""Klotski: slide the blocks of a tray until the target stands at its goal."""

from puzzles.family import Bucket, Family, Late
from puzzles.klotski import rules, text, tray
from solvers import System

kernels = Late("puzzles.klotski.kernels")
packing = Late("puzzles.klotski.packing")
sample = Late("puzzles.klotski.sample")
view = Late("puzzles.klotski.view")

FAMILY: Family[rules.State, rules.Slide] = Family(
    name="klotski",
    generator="klotski-1",
    words=text.words,
    answer_format=text.ANSWER,
    buckets={"easy": Bucket(1, 4), "medium": Bucket(6, 10), "hard": Bucket(15, 20)},
    size=(6, 6),
    parse=rules.parse,
    format=rules.format,
    canonical=rules.canonical,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    is_solved=rules.is_solved,
    parse_answer=rules.parse_answer,
    format_answer=rules.format_answer,
    replay=tray.replay,
    systems={"cell": System(kernels.expand, kernels.is_goal, kernels.branching)},
    pack=packing.pack,
    unpack=packing.unpack,
    decode=packing.decode,
    sample=sample.sample,
    stats=sample.stats,
    draw=view.draw,
    draw_aid=view.draw_aid,
    draw_solution=view.draw_solution,
    rule_options=rules.RULE_OPTIONS,
    rules_of=rules.rules_of,
)
