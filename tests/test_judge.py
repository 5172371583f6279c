"""Verdicts on answers: right, longer, illegal, short of the goal, or none."""

import pytest

from puzzles import Instance, Reason, family, verify
from puzzles.answers import extract
from puzzles.replay import WrongInstance
from puzzles.solve import solve
from tests.judged import BAD_FORMAT, CASES, NAMES, NO_ANSWER, SOLVED, UNSOLVED, judged, outcome


def test_every_family_has_a_case() -> None:
    from puzzles import NAMES as ALL

    assert set(CASES) == set(ALL)


@pytest.mark.parametrize("name", NAMES)
def test_the_optimum_is_the_optimum(name: str) -> None:
    case, room = CASES[name], family(name)
    assert len(solve(room, room.parse(case.board, case.rules)).actions) == case.optimum


@pytest.mark.parametrize("name", NAMES)
def test_right(name: str) -> None:
    verdict = judged(name, CASES[name].right)
    assert (verdict.feasible, verdict.optimal, verdict.reason) == SOLVED
    assert verdict.format_ok
    assert verdict.answer == CASES[name].right
    assert verdict.at is None
    assert verdict.legal_moves == verdict.moves


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[name].longer])
def test_right_but_longer(name: str) -> None:
    assert outcome(name, str(CASES[name].longer)) == (True, False, Reason.SOLVED)


@pytest.mark.parametrize("name", NAMES)
def test_illegal_at_a_step(name: str) -> None:
    case = CASES[name]
    verdict = judged(name, case.illegal)
    assert (verdict.feasible, verdict.optimal, verdict.reason) == (
        False,
        False,
        case.illegal_reason,
    )
    assert verdict.at == verdict.legal_moves == case.illegal_at
    assert verdict.detail


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[name].beyond])
def test_past_the_goal_and_on_is_judged_by_where_it_ends(name: str) -> None:
    assert outcome(name, str(CASES[name].beyond)) == UNSOLVED


@pytest.mark.parametrize("name", NAMES)
def test_legal_but_unsolved(name: str) -> None:
    verdict = judged(name, CASES[name].unsolved)
    expected = Reason.WRONG_LABELS if name == "path" else Reason.UNSOLVED
    assert (verdict.feasible, verdict.reason, verdict.at) == (False, expected, None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "  \n", "I can't solve this.", "up, right, A, C"])
def test_no_answer(name: str, text: str) -> None:
    assert outcome(name, text) == NO_ANSWER


@pytest.mark.parametrize("name", NAMES)
def test_cut_off(name: str) -> None:
    right = CASES[name].right
    assert outcome(name, right[: len(right) * 2 // 3]) == NO_ANSWER
    stands = judged(name, right + " No, wait: " + right[: len(right) * 2 // 3])
    assert (stands.feasible, stands.optimal, stands.reason) == SOLVED
    assert not stands.format_ok


@pytest.mark.parametrize("name", NAMES)
def test_wrong_shape(name: str) -> None:
    verdict = judged(name, CASES[name].shape)
    assert (verdict.feasible, verdict.optimal, verdict.reason) == BAD_FORMAT
    assert verdict.answer is None
    assert verdict.moves is None


@pytest.mark.parametrize("name", NAMES)
def test_the_last_complete_answer_wins(name: str) -> None:
    case = CASES[name]
    assert outcome(name, f"{case.unsolved} or rather {case.right}") == SOLVED
    assert outcome(name, f"{case.right} or rather {case.illegal}")[2] == case.illegal_reason
    assert outcome(name, f"{case.right} or rather {case.shape}") == BAD_FORMAT
    assert not judged(name, f"{case.unsolved} or rather {case.right}").format_ok


@pytest.mark.parametrize("name", NAMES)
def test_thinking_is_no_answer(name: str) -> None:
    right, unsolved = CASES[name].right, CASES[name].unsolved
    assert outcome(name, f"<think>{right}</think>") == NO_ANSWER
    assert outcome(name, f"<think>perhaps {unsolved}</think>So: {right}") == SOLVED
    assert judged(name, f"<think>perhaps {unsolved}</think>So: {right}").format_ok
    assert outcome(name, f"{unsolved}</think>{right}") == SOLVED
    assert outcome(name, f"{right}</THINK>I give up") == NO_ANSWER
    assert outcome(name, f"<think>endless {right}") == NO_ANSWER


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("path", "onet")])
def test_ten_thousand_moves(name: str) -> None:
    case, room = CASES[name], family(name)
    there = extract(case.right, room).answer
    assert there is not None
    back = extract(case.beyond or "", room).answer
    assert back is not None
    if name == "sokoban":
        walk = ["down", "up"] * 5000
        assert outcome(name, room.format_answer([*walk, "right"])) == (True, False, Reason.SOLVED)
        return
    swing = [back[-1], there[-1]] * 5000
    verdict = judged(name, room.format_answer([*there, *swing]))
    assert (verdict.feasible, verdict.optimal) == (True, False)
    assert verdict.moves == case.optimum + 10_000


@pytest.mark.parametrize("name", NAMES)
def test_distance(name: str) -> None:
    case = CASES[name]
    solved = judged(name, case.right, distance=True)
    assert (solved.distance, solved.dead) == (0, False)
    none = judged(name, "", distance=True)
    assert (none.distance, none.dead) == (case.optimum, False)
    assert judged(name, case.right).distance is None


def test_dead() -> None:
    # The box is pushed into the corner, away from its target.
    instance = Instance(family="sokoban", board="######\n#-@$-#\n#-.--#\n######", optimal_length=9)
    verdict = verify(instance, '<ANSWER_JSON>["right"]</ANSWER_JSON>', distance=True)
    assert (verdict.reason, verdict.distance, verdict.dead) == (Reason.UNSOLVED, None, True)


def test_an_instance_that_an_answer_beats_is_wrong() -> None:
    instance = Instance(family="maze", board="SG", optimal_length=3)
    with pytest.raises(WrongInstance, match="solved in 1, but the instance says that 3"):
        verify(instance, '<ANSWER_JSON>["right"]</ANSWER_JSON>')


def test_feasible_and_optimal_coincide_where_all_solutions_are_equally_long() -> None:
    instance = Instance(family="onet", board="AABB", optimal_length=1)
    with pytest.raises(WrongInstance, match="solved in 2, but the instance says that 1"):
        verify(instance, "<answer_json>[[[0,0],[0,1]],[[0,2],[0,3]]]</answer_json>")
