"""Sokoban: push every box onto a target."""

from operator import attrgetter

from puzzles.exchange import Format
from puzzles.family import Bucket, Family, Late
from puzzles.reading import Reading
from puzzles.sokoban import rules, text
from puzzles.walking import STEP, controls, format_directions, parse_directions
from solvers import System

room = Late("puzzles.sokoban")

FAMILY: Family[rules.State, str] = Family(
    name="sokoban",
    generator="sokoban-2",
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
    step=STEP,
    controls=controls(attrgetter("player"), "#-@+$*.", room.observe.observe),
    replay=rules.replay,
    systems={
        "cell": System(
            room.kernels.expand,
            room.kernels.is_goal,
            room.kernels.branching,
            room.kernels.ample,
            room.kernels.heuristic,
        )
    },
    pack=room.packing.pack,
    repack=room.packing.repack,
    unpack=room.packing.unpack,
    decode=room.packing.decode,
    sample=room.sample.sample,
    stats=room.stats.stats,
    draw=room.view.draw,
    draw_aid=room.view.draw_aid,
    draw_solution=room.view.draw_solution,
    narration=room.narration.narration,
    rule_options=rules.RULE_OPTIONS,
    sample_options={"boxes": 1},
    block=20,
    metrics={"feasible": "sokoban_solved_{level}", "optimal": "sokoban_optimal_{level}"},
    formats={
        "xsb": Format(room.xsb.claims, room.xsb.read, room.xsb.write),
        "vgau": Format(
            room.exchange.claims_vgau, room.exchange.read_vgau, room.exchange.write_vgau
        ),
    },
    reading=Reading(
        room.read.specimens,
        room.read.parts,
        room.read.assemble,
        room.read.changed,
        drawing=room.drawing.read_drawing,
        mended=room.read.mended,
    ),
)
