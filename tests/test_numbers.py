"""A packed set of 64-bit numbers, against Python's own."""

from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from puzzles.numbers import Numbers

WHOLE = st.integers(0, 2**64 - 1)


@given(st.lists(st.one_of(WHOLE, st.integers(0, 5), WHOLE.map(lambda k: k >> 54 << 54))))
def test_it_holds_what_was_added(numbers: list[int]) -> None:
    held, plain = Numbers(), set[int]()
    for number in numbers:
        assert (number in held) == (number in plain)
        held.add(number)
        plain.add(number)
        assert number in held
    assert len(held) == len(plain)


def test_it_grows() -> None:
    hashes = [int.from_bytes(blake2b(k.to_bytes(4), digest_size=8).digest()) for k in range(40_000)]
    held = Numbers()
    for number in hashes[::2]:
        held.add(number)
        held.add(number)
    assert len(held) == 20_000
    assert all(number in held for number in hashes[::2])
    assert not any(number in held for number in hashes[1::2])
