"""The built-in players: the solver never fails, the noisy one as often as it says."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256

import pytest

import puzzles
from protocols.aids import Aids
from protocols.episode import Episode
from protocols.models import AskError
from protocols.models.players import UnknownPlayer, player
from protocols.models.playing import Player
from protocols.protocol import PROTOCOLS
from puzzles import Instance
from puzzles.replay import initial, optimal_actions
from puzzles.solve import solve
from puzzles.verdict import Reason, Stop, Verdict
from solvers import SearchLimit

SPECS = ("solver", "random", "greedy", "noisy:0.3")


@cache
def instances(family: str, difficulty: str = "easy", n: int = 3) -> list[Instance]:
    return puzzles.make(family, difficulty, n, seed=4)


def aids(of: list[Instance]) -> Aids:
    return Aids(16, lambda instance: of[of.index(instance) - 1])


def played(
    instance: Instance, protocol: str, who: Player | str, shown: Aids | None = None
) -> Episode:
    episode = Episode(instance, protocol, shown or Aids(16))
    who = player(who) if isinstance(who, str) else who
    while not episode.done:
        episode.take(who.reply(episode))
    return episode


def verdict(*args: object) -> Verdict:
    found = played(*args).verdict()
    assert found is not None
    return found


def inline(family: str, board: str, length: int, **more: object) -> Instance:
    fields = {"family": family, "board": board, "optimal_length": length, **more}
    return Instance.model_validate(fields)


CORRIDOR = inline("maze", "#######\n#S...G#\n#.#.#.#\n#######", 4)


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if "files" not in name])
@pytest.mark.parametrize("family", puzzles.NAMES)
def test_the_solver_is_right_under_every_protocol(family: str, protocol: str) -> None:
    boards = instances(family)
    for instance in boards[:2]:
        episode = played(instance, protocol, "solver", aids(boards))
        assert episode.play.problem is None
        said = episode.verdict()
        assert (said is None) == (protocol == "draw-true")
        if said is not None:
            assert said.reason == Reason.SOLVED, said.detail
            assert said.optimal
            assert said.format_ok


@pytest.mark.parametrize("protocol", ["files-gta", "files-vcot", "files-aug-vcot", "files-vr"])
def test_the_solver_is_right_whatever_another_generator_shows(protocol, tmp_path) -> None:
    (instance, *_) = instances("maze")
    picture = Aids(16).board(instance, initial(instance)).png
    (tmp_path / instance.id).mkdir()
    for name in (f"{instance.id}.png", f"{instance.id}/1.png"):
        (tmp_path / name).write_bytes(picture)
    assert verdict(instance, protocol, "solver", Aids(16, files=tmp_path)).optimal


@pytest.mark.parametrize(
    "protocol",
    [
        "text-cot",
        "self-vr",
        "oracle-vcot",
        "oracle-vcot+budget",
        "oracle-vcot+vgau",
        "oracle-vcot+last",
        "self-aug-vcot+budget+last",
    ],
)
@pytest.mark.parametrize("family", puzzles.NAMES)
def test_the_solver_is_right_on_hard_boards_and_in_variants(family: str, protocol: str) -> None:
    said = verdict(instances(family, "hard", 1)[0], protocol, "solver")
    assert said.optimal, said.detail


@pytest.mark.parametrize("protocol", ["text-cot", "oracle-vcot", "oracle-vcot+budget"])
@pytest.mark.parametrize(
    ("family", "board", "rules", "cells"),
    [
        ("parking", "..A...\n..A...\nRRA...\n......\n......\n......", {}, 7),
        ("klotski", "TTA.\nTT..\n....\n....", {"goal": [0, 2]}, 4),
    ],
)
def test_the_solver_takes_the_fewest_slides(
    family: str, board: str, rules: dict[str, object], cells: int, protocol: str
) -> None:
    """A steps aside, by several cells, and then the target goes all the way."""
    instance = inline(family, board, 2, rules=rules, metric="slide")
    said = verdict(instance, protocol, "solver")
    assert (said.optimal, said.moves, said.legal_moves) == (True, 2, cells)


def test_the_answer_alone_is_given_where_no_reasoning_is_wanted() -> None:
    direct = played(CORRIDOR, "direct", "solver").response
    assert direct == '<ANSWER_JSON>["right","right","right","right"]</ANSWER_JSON>'
    reasoned = played(CORRIDOR, "text-cot", "solver").response
    assert reasoned == f"I have searched for a shortest solution.\n\n{direct}"


def test_a_stepwise_episode_to_the_letter() -> None:
    board = inline("path", "######\n#SA.B#\n##.#G#\n######", 4)
    episode = played(board, "oracle-vcot", "solver")
    assert [reply.text for _, reply in episode.transcript] == [
        '<STEP_JSON>{"move":"right","hit_labels":["A"]}</STEP_JSON>',
        "<answer>3</answer>",
        '<STEP_JSON>{"move":"right","hit_labels":[]}</STEP_JSON>',
        "<answer>2</answer>",
        '<STEP_JSON>{"move":"right","hit_labels":["B"]}</STEP_JSON>',
        "<answer>1</answer>",
        '<STEP_JSON>{"move":"down","hit_labels":[]}</STEP_JSON>',
        "<answer>0</answer>",
    ]


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_the_count_is_exact_off_the_shortest_way_too(family: str) -> None:
    """Random actions are played first; a plain breadth-first search says how many remain."""
    room, solver, walker = puzzles.family(family), player("solver"), player("random")
    (instance, *_) = instances(family, "medium")
    episode = Episode(instance, "oracle-vcot", Aids(16))
    for _ in range(4):
        episode.take(walker.reply(episode))
        left = solve(room, episode.play.state, algorithm="bfs").length
        assert solver.reply(episode).text == f"<answer>{left}</answer>"
        episode.take(solver.reply(episode))
    while not episode.done:
        episode.take(solver.reply(episode))
    said = episode.verdict()
    assert said is not None
    assert said.stop == Stop.CLAIM
    assert said.feasible or not room.counts_actions  # side branches may have cost a label


def test_where_the_goal_is_out_of_reach_nothing_is_claimed() -> None:
    board = inline("sokoban", "######\n#--@-#\n#-$--#\n#---.#\n######", 6)
    episode, solver = Episode(board, "oracle-vcot", Aids(16)), player("solver")
    for move in ("down", "left"):  # the box stands at the left wall, off the target's row
        reply = solver.reply(episode)
        episode.take(type(reply)(f'<STEP_JSON>{{"move":"{move}"}}</STEP_JSON>'))
        if move == "down":
            episode.take(solver.reply(episode))
    assert solver.reply(episode).text == f"<answer>{6 * 5}</answer>"
    while not episode.done:
        episode.take(solver.reply(episode))
    assert verdict_of(episode).stop == Stop.CAP


def verdict_of(episode: Episode) -> Verdict:
    found = episode.verdict()
    assert found is not None
    return found


@pytest.mark.parametrize("protocol", ["direct", "oracle-gta", "self-vr", "oracle-vcot", "draw-own"])
@pytest.mark.parametrize("family", puzzles.NAMES)
def test_who_always_errs_always_fails(family: str, protocol: str) -> None:
    for difficulty in ("easy", "medium"):
        for instance in instances(family, difficulty):
            assert not verdict(instance, protocol, "noisy:1").feasible
            assert verdict(instance, protocol, "noisy:0").optimal


def test_errors_come_as_often_as_they_should() -> None:
    """A plan of four actions without an error has the probability 0.9^4, which is 65.6%."""
    runs = [player("noisy:0.1", run) for run in range(1, 401)]
    right = sum(verdict(CORRIDOR, "direct", who).feasible for who in runs)
    assert abs(right / 400 - 0.9**4) < 3 * (0.656 * 0.344 / 400) ** 0.5


def test_who_sees_the_board_recovers_from_errors() -> None:
    (instance, *_) = instances("parking", "medium")
    runs = [player("noisy:0.15", run) for run in range(1, 31)]
    blind = [verdict(instance, "text-cot", who) for who in runs]
    seeing = [verdict(instance, "oracle-vcot+budget", who) for who in runs]
    stepwise = [verdict(instance, "oracle-vcot", who) for who in runs]
    assert all(said.feasible == said.optimal for said in [*blind, *seeing])
    assert sum(said.feasible for said in stepwise) > sum(said.optimal for said in stepwise)
    assert sum(said.feasible for said in blind) < sum(said.feasible for said in stepwise)


def test_one_draws_what_one_answers() -> None:
    (instance, *_) = instances("sokoban", "medium")
    pictures = set()
    for run in range(1, 6):
        episode = played(instance, "self-vr", player("noisy:0.3", run))
        said = verdict_of(episode)
        assert said.answer is not None
        names = said.answer.split('"')[1::2]
        shown = Aids(16).solution(instance, names[: said.legal_moves])
        assert episode.transcript[0][1].images == (shown.png,)
        pictures.add(shown.png)
    assert len(pictures) > 1


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_drawings_of_the_solver_are_the_true_ones(family: str) -> None:
    instance, shown = instances(family)[0], Aids(16)
    start = initial(instance)
    aid = played(instance, "self-gta", "solver").transcript[0][1]
    assert aid.images == (shown.board(instance, start, aug=True).png,)
    truth = played(instance, "draw-true", "solver").transcript[0][1]
    assert truth.images == (shown.solution(instance, optimal_actions(instance)).png,)
    for protocol, grid in (("self-vcot", False), ("self-aug-vcot", True)):
        first = played(instance, protocol, "solver").transcript[1]
        after = puzzles.family(family).apply(start, optimal_actions(instance)[0])
        assert first[0].purpose == "frame"
        assert first[1].images == (shown.board(instance, after, aug=grid).png,)


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_random_and_greedy_take_legal_actions_and_stop_in_time(family: str) -> None:
    most = 2 * puzzles.family(family).buckets["medium"].high
    for instance in instances(family, "medium"):
        for spec in ("random", "greedy"):
            said = verdict(instance, "text-cot", spec)
            assert said.at is None or not puzzles.family(family).counts_actions
            assert (said.moves or 0) <= most
            assert said.feasible or said.reason in (Reason.UNSOLVED, Reason.WRONG_LABELS)
            assert (verdict(instance, "oracle-vcot", spec).rounds or 0) <= most


def test_the_greedy_one_walks_straight_into_a_pocket() -> None:
    """The goal lies to the right, behind a wall; the way leads around on the left."""
    board = inline("maze", "########\n#.....G#\n#.####.#\n#...S.##\n########", 9)
    episode = played(board, "direct", "greedy")
    assert episode.response == '<ANSWER_JSON>["right"]</ANSWER_JSON>'
    stepwise = played(board, "oracle-vcot", "greedy")
    assert [reply.text for _, reply in stepwise.transcript] == [
        '<STEP_JSON>{"move":"right"}</STEP_JSON>',
        "<answer>3</answer>",
        "I know no action to take.",
    ]
    assert verdict_of(stepwise).reason == Reason.NO_ANSWER


def test_without_a_heuristic_the_first_new_state_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    room = puzzles.family("maze")
    cell = room.systems["cell"]._replace(heuristic=None)
    monkeypatch.setitem(room.systems, "cell", cell)
    board = inline("maze", "#####\n#...#\n#.S.#\n#.G.#\n#####", 1)
    order = played(board, "direct", "greedy").response
    assert order == '<ANSWER_JSON>["up","right","down","down","left"]</ANSWER_JSON>'


def transcripts(spec: str, run: int = 1) -> list[list[str]]:
    return [replies(instance, protocol, spec, run) for instance, protocol in episodes()]


def episodes() -> Iterator[tuple[Instance, str]]:
    for family in puzzles.NAMES:
        for protocol in ("direct", "self-vr", "self-vcot"):
            yield instances(family, "medium")[0], protocol


def replies(instance: Instance, protocol: str, spec: str, run: int) -> list[str]:
    episode = played(instance, protocol, player(spec, run))
    said = [reply for _, reply in episode.transcript]
    return [reply.text + "".join(sha256(png).hexdigest() for png in reply.images) for reply in said]


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_player_says_the_same_from_many_threads(spec: str) -> None:
    alone = transcripts(spec)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(replies, *episode, spec, 1) for episode in episodes()]
        assert [one.result() for one in asked] == alone


def test_runs_differ_where_there_is_chance() -> None:
    for spec in SPECS:
        differ = transcripts(spec, 1) != transcripts(spec, 2)
        assert differ == (spec.startswith(("random", "noisy")))


def test_chance_is_pinned() -> None:
    """What a control says is the same on every machine and in every version."""
    noisy = '<ANSWER_JSON>["down","right","down","right"]</ANSWER_JSON>'
    assert played(CORRIDOR, "direct", "noisy:0.5").response == noisy
    walk = played(CORRIDOR, "direct", "random").response or ""
    assert walk.startswith('<ANSWER_JSON>["right","right","down","up","down","up","left","left",')
    assert walk.count(",") == 27  # as many actions as the board has cells, and no goal


def test_two_copies_of_an_episode_go_on_alike() -> None:
    """An episode that is taken up elsewhere is answered as if it had never been put down."""
    (instance, *_) = instances("klotski", "medium")
    for spec in SPECS:
        who, episode = player(spec), Episode(instance, "self-vcot", Aids(16))
        for _ in range(5):
            episode.take(who.reply(episode))
        other = Episode.resume(episode.record(), Aids(16))
        assert other.done == episode.done
        if not episode.done:
            assert player(spec).reply(other) == who.reply(episode)


def test_an_episode_that_is_over_is_not_answered() -> None:
    with pytest.raises(ValueError, match="the episode is over"):
        player("solver").reply(played(CORRIDOR, "direct", "solver"))


def test_a_board_that_can_not_be_solved_costs_one_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object, **__: object) -> None:
        raise SearchLimit("9 states", 9, 3)

    monkeypatch.setattr("protocols.models.foresight.optimal_actions", search)
    board = CORRIDOR.model_copy(update={"id": "mine"})
    with pytest.raises(AskError, match="mine: solver has no reply: search limit of 9 states"):
        player("solver").reply(Episode(board, "direct", Aids(16)))


@pytest.mark.parametrize("spec", ["", "solve", "Solver", "solver:1", "random:0.5", "greedy:"])
def test_an_unknown_player_is_told_the_known_ones(spec: str) -> None:
    with pytest.raises(UnknownPlayer, match=r"known: solver, random, greedy, noisy:P with"):
        player(spec)


@pytest.mark.parametrize("rate", ["", ":", ":x", ":-0.1", ":1.01", ":nan", ":inf"])
def test_an_error_rate_is_a_probability(rate: str) -> None:
    with pytest.raises(UnknownPlayer, match=r"an error rate from 0 to 1, such as noisy:0\.1"):
        player(f"noisy{rate}")


def test_names_are_written_one_way() -> None:
    assert [player(f"noisy:{rate}").name for rate in ("0.10", ".1", "1", "1.0", "0")] == [
        "noisy:0.1",
        "noisy:0.1",
        "noisy:1",
        "noisy:1",
        "noisy:0",
    ]
