"""Onet: remove all tiles, two linked tiles of a kind at a time."""

from puzzles.exchange import Format
from puzzles.family import Bucket, Family, Late, StepFormat
from puzzles.onet import rules, text
from puzzles.reading import Reading
from solvers import System

room = Late("puzzles.onet")

FAMILY: Family[rules.State, rules.Pair] = Family(
    name="onet",
    generator="onet-2",
    words=text.words,
    answer_format=text.ANSWER,
    buckets={"easy": Bucket(4, 6), "medium": Bucket(7, 10), "hard": Bucket(12, 16)},
    size=(6, 6),
    parse=rules.parse,
    format=rules.format,
    canonical=rules.canonical,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    is_solved=rules.is_solved,
    parse_answer=rules.parse_answer,
    format_answer=rules.format_answer,
    step=StepFormat(rules.parse_step, rules.format_step, same=sorted),  # of two cells, either first
    controls=text.CONTROLS,
    replay=rules.replay,
    systems={
        "cell": System(
            room.kernels.expand,
            room.kernels.is_goal,
            room.kernels.branching,
            ample=room.kernels.ample,
            heuristic=room.kernels.heuristic,
            direct=room.partners.clear,
        ),
    },
    pack=room.packing.pack,
    repack=room.packing.repack,
    unpack=room.packing.unpack,
    decode=room.packing.decode,
    sample=room.sample.sample,
    stats=room.sample.stats,
    draw=room.view.draw,
    draw_aid=room.view.draw_aid,
    draw_solution=room.view.draw_solution,
    narration=room.narration.narration,
    rule_options=rules.RULE_OPTIONS,
    rules_of=rules.rules_of,
    one_length=True,
    sample_options={"copies": 2},
    metrics={"optimal": "onet_acc_{level}"},
    formats={
        "vgau": Format(room.exchange.claims_vgau, room.exchange.read_vgau, room.exchange.write_vgau)
    },
    reading=Reading(
        room.read.specimens,
        room.read.parts,
        room.read.assemble,
        room.read.changed,
        drawing=room.drawing.read_drawing,
    ),
)
