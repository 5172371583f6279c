"""Stepwise episodes judged from their records: every end, on boards to be taken in at a glance."""

import json
import time
from random import Random
from typing import Any

import pytest

from protocols.aids import Aids
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.protocol import PROTOCOLS, named
from protocols.stepwise import MalformedSteps, NoDistance, Walk, rejudged
from puzzles import Instance, Reason
from puzzles.answers import read_count
from puzzles.verdict import Stop, Verdict

# The goal is two steps to the right, or four around below. A bucket's top of 6 gives 12 rounds.
MAZE = Instance(
    family="maze",
    difficulty="easy",
    board="#####\n#S.G#\n#...#\n#####",
    optimal_length=2,
    answer='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
)
# The route passes B, then A; C lies on a side branch.
PATH = Instance(family="path", difficulty="easy", board="SBAG\n.###\nC###", optimal_length=3)
# The box goes into a corner and can't come out.
CORNER = Instance(family="sokoban", board="######\n#-@$-#\n#-.--#\n######", optimal_length=9)


def step(move: Any, left: Any = None, **more: Any) -> dict[str, Any]:
    """A round: the move named, and the number of steps that remain as the model claims."""
    probe = None if left is None else f"<answer>{left}</answer>"
    return {"reply": f'<STEP_JSON>{{"move":"{move}"}}</STEP_JSON>', "probe": probe, **more}


def moves(text: str) -> list[dict[str, Any]]:
    """Rounds as in ``r1 d0``: the first letter of a move, and the claim."""
    words = {"r": "right", "l": "left", "u": "up", "d": "down"}
    return [step(words[word[0]], word[1:] or None) for word in text.split()]


def labelled(move: str, left: int | None, *labels: str) -> dict[str, Any]:
    value = json.dumps({"move": move, "hit_labels": labels})
    return {"reply": f"<STEP_JSON>{value}</STEP_JSON>", "probe": f"<answer>{left}</answer>"}


def judged(
    steps: list[Any],
    protocol: str = "oracle-vcot",
    instance: Instance = MAZE,
    **options: bool,
) -> Verdict:
    return rejudged(instance, named(protocol), steps).verdict(**options)


def end(steps: list[Any], protocol: str = "oracle-vcot", instance: Instance = MAZE) -> Any:
    verdict = judged(steps, protocol, instance)
    assert verdict.feasible is (verdict.reason is Reason.SOLVED)
    return verdict.reason, verdict.stop, verdict.rounds


@pytest.mark.parametrize(
    ("record", "reason", "stop", "rounds"),
    [
        ("r1 r0", Reason.SOLVED, Stop.CLAIM, 2),
        ("d3 r2 r1 u0", Reason.SOLVED, Stop.CLAIM, 4),
        ("r1 r1 l1 r0", Reason.SOLVED, Stop.CLAIM, 4),  # left again, but judged by where it ends
        ("r0", Reason.CLAIM_TOO_EARLY, Stop.CLAIM, 1),
        ("r0 r0", Reason.CLAIM_TOO_EARLY, Stop.CLAIM, 1),  # what follows the end doesn't count
        ("r1 r1 l0", Reason.CLAIM_TOO_LATE, Stop.CLAIM, 3),
        ("r1 r1 r0", Reason.CLAIM_TOO_LATE, Stop.ACTION, 3),  # into the wall behind the goal
        ("r1 r1 l1 u0", Reason.CLAIM_TOO_LATE, Stop.ACTION, 4),
        ("u1", Reason.HITS_WALL, Stop.ACTION, 1),
        ("r1 u1 r0", Reason.HITS_WALL, Stop.ACTION, 2),
        ("r1 rx", Reason.PROBE_UNREADABLE, Stop.PROBE, 2),  # though it stands on the goal
        ("r1 r1 lx", Reason.CLAIM_TOO_LATE, Stop.PROBE, 3),
        ("r1", Reason.UNSOLVED, Stop.BREAK, 1),
        ("r1 r1", Reason.CLAIM_TOO_LATE, Stop.BREAK, 2),
        ("r1 r", Reason.CLAIM_TOO_LATE, Stop.BREAK, 2),  # nothing was claimed
        ("r r0", Reason.SOLVED, Stop.CLAIM, 2),
        (" ".join(["d1 u1"] * 7), Reason.ROUND_CAP, Stop.CAP, 12),
        (" ".join(["d1 u1"] * 5) + " r1 r9", Reason.SOLVED, Stop.CAP, 12),  # the end state counts
        ("r1 r1 " + " ".join(["l1 r1"] * 5), Reason.SOLVED, Stop.CAP, 12),
        ("r1 r1 l1 " + " ".join(["d1 u1"] * 5), Reason.CLAIM_TOO_LATE, Stop.CAP, 12),
    ],
)
def test_how_an_episode_ends(record: str, reason: Reason, stop: Stop, rounds: int) -> None:
    assert end(moves(record)) == (reason, stop, rounds)


def test_optimal_is_told_from_feasible() -> None:
    short, long = judged(moves("r1 r0")), judged(moves("d3 r2 r1 u0"))
    assert (short.feasible, short.optimal, short.moves, short.format_ok) == (True, True, 2, True)
    assert (long.feasible, long.optimal, long.moves) == (True, False, 4)
    assert short.answer == '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'


def test_the_first_illegal_action_is_named() -> None:
    verdict = judged(moves("r1 u1"))
    assert (verdict.at, verdict.legal_moves, verdict.moves) == (1, 1, 1)
    assert verdict.detail.startswith("round 2: ")
    late = judged(moves("r1 r1 r0"))
    assert (late.at, late.legal_moves) == (2, 2)
    assert late.detail.startswith(f"{Reason.CLAIM_TOO_LATE.sentence} round 3: ")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", Reason.NO_ANSWER),
        ("I give up.", Reason.NO_ANSWER),
        ('<think><STEP_JSON>{"move":"right"}</STEP_JSON>', Reason.NO_ANSWER),
        ('<STEP_JSON>{"move":"right"', Reason.NO_ANSWER),
        ('<STEP_JSON>["right","right"]</STEP_JSON>', Reason.SEVERAL_ACTIONS),
        (step("right")["reply"] + step("down")["reply"], Reason.SEVERAL_ACTIONS),
        ('<STEP_JSON>{"move":"forward"}</STEP_JSON>', Reason.UNKNOWN_ACTION),
        ("<STEP_JSON>{}</STEP_JSON>", Reason.BAD_FORMAT),
    ],
)
def test_a_reply_that_is_not_one_action_ends_the_episode(reply: str, reason: Reason) -> None:
    steps = [*moves("r1"), {"reply": reply, "probe": "<answer>0</answer>"}]
    verdict = judged(steps)
    assert (verdict.reason, verdict.stop, verdict.rounds, verdict.at) == (reason, Stop.ACTION, 2, 1)


@pytest.mark.parametrize(
    ("record", "reason", "stop"),
    [
        ("r r", Reason.SOLVED, Stop.CAP),
        ("r r r", Reason.SOLVED, Stop.CAP),  # a round too many isn't played
        ("d r", Reason.ROUND_CAP, Stop.CAP),
        ("r", Reason.UNSOLVED, Stop.BREAK),
        ("r0 r", Reason.SOLVED, Stop.CAP),  # nothing is asked, so nothing is claimed
    ],
)
def test_budget_lasts_as_many_rounds_as_the_optimum(
    record: str, reason: Reason, stop: Stop
) -> None:
    assert end(moves(record), "oracle-vcot+budget")[:2] == (reason, stop)


@pytest.mark.parametrize(
    ("record", "reason", "stop", "rounds"),
    [
        ("r1 r0", Reason.SOLVED, Stop.CLAIM, 2),
        ("r9 r0", Reason.SOLVED, Stop.CLAIM, 2),
        ("d3 r2 r1 u0", Reason.UNSOLVED, Stop.DETOUR, 1),
        ("r0 r0", Reason.CLAIM_TOO_EARLY, Stop.CLAIM, 1),
        ("r1 r1 l0", Reason.CLAIM_TOO_LATE, Stop.CLAIM, 2),
        ("r1 r r0", Reason.CLAIM_TOO_LATE, Stop.ACTION, 3),
        ("r1 r", Reason.CLAIM_TOO_LATE, Stop.BREAK, 2),
        ("u0", Reason.HITS_WALL, Stop.ACTION, 1),
        ("rx", Reason.PROBE_UNREADABLE, Stop.PROBE, 1),
    ],
)
def test_the_published_rules(record: str, reason: Reason, stop: Stop, rounds: int) -> None:
    assert end(moves(record), "oracle-vcot+vgau") == (reason, stop, rounds)


def test_a_dead_end_is_off_every_shortest_path() -> None:
    record = moves("r1")
    assert end(record, "oracle-vcot+vgau", CORNER) == (Reason.UNSOLVED, Stop.DETOUR, 1)
    verdict = judged(record, instance=CORNER, distance=True)
    assert (verdict.dead, verdict.distance, verdict.stop) == (True, None, Stop.BREAK)


def test_the_published_rules_count_actions_where_the_instance_counts_slides() -> None:
    # B goes down twice, then R goes right twice: two slides.
    board = "..B.\nRRB.\n....\n...."
    slides = Instance(family="parking", board=board, optimal_length=2, metric="slide")
    walk = Walk(slides, named("oracle-vcot+vgau"))
    assert walk.cap == 2 * 4
    assert Walk(slides, named("oracle-vcot")).cap == 16  # cells


def test_a_search_that_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers import SearchLimit

    def too_large(*given: Any, **options: Any) -> None:
        raise SearchLimit("states", 10, 3)

    monkeypatch.setattr("protocols.stepwise.solve", too_large)
    with pytest.raises(NoDistance, match="the published rules need exact distances"):
        judged(moves("r1"), "oracle-vcot+vgau")


def test_the_cap_depends_on_family_and_difficulty_alone() -> None:
    fixed = named("oracle-vcot")
    for length in (1, 3, 6):
        assert Walk(MAZE.model_copy(update={"optimal_length": length}), fixed).cap == 12
    assert Walk(MAZE.model_copy(update={"difficulty": "custom"}), fixed).cap == 20


def test_path_is_judged_by_the_labels_named_on_the_way() -> None:
    right = [labelled("right", 2, "B"), labelled("right", 1, "A"), labelled("right", 0)]
    verdict = judged(right, instance=PATH)
    assert (verdict.reason, verdict.answer, verdict.rounds) == (
        Reason.SOLVED,
        "<answer>B,A</answer>",
        3,
    )
    early = [labelled("right", 2, "B", "A"), labelled("right", 1), labelled("right", 0)]
    assert judged(early, instance=PATH).reason is Reason.SOLVED  # the same label line
    walked = [labelled("right", 2), labelled("right", 1), labelled("right", 0)]
    for labels in (("B",), ("A", "B"), ("B", "C")):
        wrong = [labelled("right", 2, *labels), *walked[1:]]
        assert judged(wrong, instance=PATH).reason is Reason.WRONG_LABELS
    silent = judged(walked, instance=PATH)
    assert (silent.reason, silent.feasible, silent.optimal) == (Reason.WRONG_LABELS, False, False)


def test_what_a_record_says_of_legality_is_not_read() -> None:
    assert end([step("up", 0, legal=True)])[0] is Reason.HITS_WALL
    honest = [step("right", 1, legal=False), step("right", 0, legal=False)]
    assert end(honest)[0] is Reason.SOLVED


def test_words_count_before_what_a_record_makes_of_them() -> None:
    lies = [
        step("down", 1, action={"move": "right"}, remaining=1),
        step("down", 1, action={"move": "right"}, remaining=0),
    ]
    assert end(lies)[0] is Reason.HITS_WALL
    silent = [step("right", 1), {**step("right", action={"move": "right"}), "reply": ""}]
    assert end(silent)[0] is Reason.NO_ANSWER
    unclaimed = [step("right", 1), step("right", "many", remaining=0)]
    assert end(unclaimed)[0] is Reason.PROBE_UNREADABLE


def test_a_record_without_words_is_judged_by_its_actions() -> None:
    record = [
        {"action": {"move": "right"}, "remaining": 1},
        {"action": "right", "remaining": 0},
    ]
    assert end(record) == (Reason.SOLVED, Stop.CLAIM, 2)
    assert end([{"action": {"move": "</STEP_JSON>"}}])[0] is Reason.UNKNOWN_ACTION
    assert end([{}])[0] is Reason.NO_ANSWER


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("right", "round 1 is not an object"),
        (["right"], "round 1 is not an object"),
        ([*moves("r1"), None], "round 2 is not an object"),
        ([{"reply": 7}], "reply of round 1 is not text"),
        ([step("right", 1, probe=0)], "probe of round 1 is not text"),
        ([step("right", 1, image=["a.png"])], "image of round 1 is not text"),
        ([step("right", 1, remaining="0")], "remaining of round 1 is not a number"),
        ([step("right", 1, remaining=True)], "remaining of round 1 is not a number"),
        ([step("right", 1, remaining=-1)], "remaining of round 1 is not a number"),
        ([step("right", 1, remaining=0.0)], "remaining of round 1 is not a number"),
    ],
)
def test_a_record_that_is_none_is_said_to_be_none(record: Any, message: str) -> None:
    with pytest.raises(MalformedSteps, match=f"steps: {message}"):
        judged(record)


def test_what_follows_the_end_is_not_read() -> None:
    assert end([*moves("r1 r0"), "nonsense", {"reply": 7}])[0] is Reason.SOLVED


def test_a_million_rounds_take_no_longer_than_the_episode() -> None:
    record = moves("d1 u1") * 500_000
    started = time.process_time()
    assert end(record) == (Reason.ROUND_CAP, Stop.CAP, 12)
    assert time.process_time() - started < 0.5


def test_a_picture_that_is_due_and_missing_ends_the_episode() -> None:
    drawn = [step("right", 1, image="1.png"), step("right", 0, image="2.png")]
    assert end(drawn, "self-vcot")[0] is Reason.SOLVED
    assert end(moves("r1 r0"), "self-vcot") == (Reason.NO_IMAGE, Stop.IMAGE, 1)
    on_the_goal = [drawn[0], step("right", 0)]
    assert end(on_the_goal, "self-vcot") == (Reason.NO_IMAGE, Stop.IMAGE, 2)
    walk = rejudged(MAZE, named("self-vcot"), moves("r1"), "the picture is empty")
    assert walk.verdict().detail == "the picture is empty"


def test_strict_wants_every_reply_to_the_letter() -> None:
    sentence = [{**step("right", 1), "reply": "Next, move one step right."}, step("right", 0)]
    number = [{**step("right", 1), "probe": "1 step."}, step("right", 0)]
    for record in (sentence, number):
        assert judged(record).reason is Reason.SOLVED
        assert not judged(record).format_ok
        strict = judged(record, strict=True)
        assert (strict.reason, strict.feasible, strict.at) == (Reason.BAD_FORMAT, False, None)
    assert judged(moves("r1 r0"), strict=True).optimal


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("<answer>3</answer>", 3),
        ("0", 0),
        (" 12 \n", 12),
        ("3 more steps.", 3),
        ("1 action", 1),
        ("perhaps <answer>4</answer>, no: < Answer >5</ ANSWER >", 5),
        ("<think>0</think>2", 2),
        ('{"text": "<answer>0</answer>"}', 0),
        ("<answer>3</answer> or <answer>0", 3),
        ("<think><answer>0</answer>", None),
        ("Reply with the number alone: <answer>N</answer>. The number 0 ends the puzzle.", None),
        ("", None),
        ("-1", None),
        ("0.0", None),
        ("<answer></answer>", None),
        ("<answer>0 or 1</answer>", None),
        ("I am at the goal, so 0", None),
        ("٠", None),
        ("9" * 7, None),
    ],
)
def test_the_number_of_remaining_steps(reply: str, number: int | None) -> None:
    assert read_count(reply)[0] == number


@pytest.mark.parametrize(
    ("probe", "exact"),
    [
        ("So it is <answer>1</answer>.", True),
        ("<answer>1</answer><answer>0", False),
        ("<answer>1</answer> <ans", False),
        ("<answer>2</answer><answer>1</answer>", False),
    ],
)
def test_a_number_beside_one_that_is_cut_off_misses_the_strict_format(
    probe: str, exact: bool
) -> None:
    record = [{**step("right"), "probe": probe}, step("right", 0)]
    verdict = judged(record)
    assert (verdict.reason, verdict.format_ok) == (Reason.SOLVED, exact)


@pytest.mark.parametrize("unit", ["<answer>", "</answer>", "3 ", " ", "3", "<answer>3 ", "steps "])
def test_a_megabyte_of_claim_is_read_in_a_moment(unit: str) -> None:
    started = time.process_time()
    assert read_count(unit * (1_000_000 // len(unit)) + "x")[0] is None
    assert read_count("3" + " " * 1_000_000 + "x")[0] is None
    assert time.process_time() - started < 1


PLAYED = [name for name, it in PROTOCOLS.items() if it.stepwise and it.source != "files"]
SAID = [
    *(step(move)["reply"] for move in ("right", "right", "right", "down", "left")),
    *("<answer>0</answer>", "<answer>1</answer>", "2", "", "Next, move one step right."),
]


@pytest.mark.parametrize("protocol", PLAYED)
@pytest.mark.parametrize("variant", ["", "+budget", "+last", "+vgau"])
def test_a_record_is_judged_as_its_episode_was(protocol: str, variant: str) -> None:
    rng, ends = Random(f"{protocol}{variant}"), set()
    aids = Aids(cell=8, donor=lambda instance: instance)
    for _ in range(60):
        episode = Episode(MAZE, protocol + variant, aids)
        while episode.request is not None:
            episode.take(_random_reply(rng, episode.request.purpose))
        files = [f"{at}.png" for at, _ in enumerate(episode.play.drawings)]
        line = json.loads(json.dumps(episode.answer(files)))
        walk = rejudged(MAZE, named(line["protocol"]), line["steps"], line.get("problem"))
        assert walk.verdict(distance=True) == episode.verdict(distance=True)
        assert line["response"] == walk.room.format_answer(walk.answer)
        ends.add(walk.verdict().stop)
    assert len(ends) > 1


def _random_reply(rng: Random, purpose: str) -> Reply:
    from tests.protocols.test_episode import picture

    if purpose == "frame":
        return Reply(images=(picture(),) if rng.random() < 0.8 else (b"no image",))
    if purpose == "action":
        return Reply(rng.choice(SAID[:5] if rng.random() < 0.9 else SAID))
    return Reply(rng.choice(SAID[5:8] if rng.random() < 0.9 else SAID))
