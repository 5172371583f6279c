"""Parking: slide the vehicles aside and bring the red car to the exit."""

from puzzles.exchange import Format
from puzzles.family import Bucket, Family, Late, StepFormat
from puzzles.parking import rules, text
from puzzles.reading import Reading
from puzzles.steps import slides
from solvers import System

room = Late("puzzles.parking")

FAMILY: Family[rules.State, rules.Slide] = Family(
    name="parking",
    generator="parking-2",
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
    step=StepFormat(slides(rules.parse_answer), rules.format_step),
    controls=text.CONTROLS,
    replay=rules.replay,
    systems={
        "cell": System(
            *(room.kernels.expand, room.kernels.is_goal, room.kernels.branching),
            heuristic=room.kernels.heuristic,
            direct=room.direct.shortest_cell,
        ),
        "slide": System(
            *(room.kernels.expand_slide, room.kernels.is_goal, room.kernels.branching_slide),
            heuristic=room.kernels.heuristic_slide,
            direct=room.direct.shortest_slide,
        ),
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
    joins=rules.joins,
    unfold=room.packing.unfold,
    metrics={"feasible": "parking_solved_{level}", "optimal": "parking_optimal_{level}"},
    formats={
        "rush": Format(room.rush.claims_rush, room.rush.read_rush, room.rush.write_rush),
        "vgau": Format(
            room.exchange.claims_vgau, room.exchange.read_vgau, room.exchange.write_vgau
        ),
    },
    rule_options=rules.RULE_OPTIONS,
    sample_options={"walls": 0},
    block=17,
    reading=Reading(
        room.specimens.specimens,
        room.read.parts,
        room.read.assemble,
        room.read.changed,
        drawing=room.drawing.read_drawing,
        mended=room.mend.mended,
        goes_on=room.read.goes_on,
    ),
)
