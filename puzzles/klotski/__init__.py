"""Klotski: slide the blocks of a tray until the target stands at its goal."""

from puzzles.exchange import Format
from puzzles.family import Bucket, Family, Late, StepFormat
from puzzles.klotski import rules, text, tray
from puzzles.reading import Reading
from puzzles.steps import slides
from solvers import System

room = Late("puzzles.klotski")

FAMILY: Family[rules.State, rules.Slide] = Family(
    name="klotski",
    generator="klotski-2",
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
    step=StepFormat(slides(rules.parse_answer), rules.format_step),
    controls=text.CONTROLS,
    replay=tray.replay,
    systems={
        "cell": System(
            *(room.kernels.expand, room.kernels.is_goal, room.kernels.branching),
            heuristic=room.bounds.cell_bound,
            direct=room.direct.cell,
        ),
        "slide": System(
            *(room.kernels.expand_slide, room.kernels.is_goal, room.kernels.branching_slide),
            heuristic=room.bounds.slide_bound,
            direct=room.direct.slide,
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
    sample_options={"blocks": {}},
    rules_of=rules.rules_of,
    joins=rules.joins,
    unfold=room.packing.unfold,
    metrics={"feasible": "klotski_solved_{level}", "optimal": "klotski_optimal_{level}"},
    formats={
        "vgau": Format(
            room.exchange.claims_vgau, room.exchange.read_vgau, room.exchange.write_vgau
        ),
    },
    reading=Reading(
        room.specimens.specimens,
        room.read.parts,
        room.read.assemble,
        room.read.changed,
        rules=room.read.rules,
        drawing=room.drawing.read_drawing,
        goes_on=room.read.goes_on,
        mended=room.mend.mended,
    ),
)
