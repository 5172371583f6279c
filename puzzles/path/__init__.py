"""Path: name the labels that the one route from start to goal passes."""

from operator import attrgetter

from puzzles.exchange import Format
from puzzles.family import Bucket, Family, Late, StepFormat
from puzzles.path import rules, text
from puzzles.prose import moves_in
from puzzles.reading import Reading
from puzzles.walking import controls
from solvers import System

corridors = Late("puzzles.corridors")
routes = Late("puzzles.routes")
observed = Late("puzzles.observe").observe
room = Late("puzzles.path")

FAMILY: Family[rules.State, str] = Family(
    name="path",
    generator="path-2",
    words=text.words,
    answer_format=text.ANSWER,
    buckets={"easy": Bucket(2, 5), "medium": Bucket(8, 14), "hard": Bucket(18, 25)},
    size=(10, 10),
    parse=rules.parse,
    format=rules.format,
    canonical=rules.canonical,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    is_solved=rules.is_solved,
    parse_answer=rules.parse_answer,
    format_answer=rules.format_answer,
    step=StepFormat(rules.parse_step, rules.format_step, moves_in, rules.parse_hits),
    controls=controls(attrgetter("agent"), rules.MARKS, observed, text.move),
    replay=rules.replay,
    systems={
        "cell": System(
            corridors.expand,
            corridors.is_goal,
            corridors.branching,
            heuristic=corridors.heuristic,
            direct=routes.direct,
        )
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
    block=64,
    sample_options={"border": False},
    metrics={"optimal": "path_{level}_acc"},
    formats={
        "vgau": Format(
            room.exchange.claims_vgau, room.exchange.read_vgau, room.exchange.write_vgau
        ),
    },
    answer_of=rules.answer_of,
    counts_actions=False,
    reading=Reading(
        room.read.specimens,
        room.read.parts,
        room.read.assemble,
        room.read.changed,
        detail=32,
        drawing=room.drawing.read_drawing,
        mended=room.read.mended,
    ),
)
