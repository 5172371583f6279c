"""Maze: walk from the start to the goal."""

from operator import attrgetter

from puzzles.exchange import Format
from puzzles.family import Bucket, Family, Late
from puzzles.maze import rules, text
from puzzles.reading import Reading
from puzzles.walking import STEP, controls, format_directions, parse_directions
from solvers import System

corridors = Late("puzzles.corridors")
routes = Late("puzzles.routes")
observed = Late("puzzles.observe").observe
room = Late("puzzles.maze")

FAMILY: Family[rules.State, str] = Family(
    name="maze",
    generator="maze-2",
    words=text.words,
    answer_format=text.ANSWER,
    buckets={
        "easy": Bucket(1, 6, cycle=(1, 1, 2, 2, 3, 4, 5, 6)),
        "medium": Bucket(7, 17),
        "hard": Bucket(18, 30),
    },
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
    controls=controls(attrgetter("agent"), "#.SG*", observed),
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
    sample_options={"border": True, "cycles": 0},
    metrics={"feasible": "maze_reach_any_{level}", "optimal": "maze_reach_optimal_{level}"},
    formats={
        "vgau": Format(
            room.exchange.claims_vgau, room.exchange.read_vgau, room.exchange.write_vgau
        ),
        "movingai": Format(room.movingai.claims, room.movingai.read, beside=room.movingai.beside),
        "text": Format(room.drawn.claims, room.drawn.read, room.drawn.write),
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
