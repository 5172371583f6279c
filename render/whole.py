"""Whether the file of a picture ends where its format says: what is cut off can still be decoded.

A decoder paints the rest of a photo grey, and an animation merely seems to have fewer pictures.
"""

import re

_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
"""What may follow the pixels of a JPEG; what stands for 255 and restarts don't end them."""
_END, _ALONE = 0xD9, (0x01, 0xD8)


_MOST_PARTS = 1_000_000
"""Of a file; what has more of them, each of a few bytes, is made to take long."""


def is_whole(data: bytes) -> bool:
    """Return whether a picture's file is there up to its end.

    True of formats that Pillow doesn't read where something is missing.
    """
    if data.startswith(b"\x89PNG"):
        return _png(data)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(b"GIF8"):
        return _gif(data)
    return True


def _png(data: bytes) -> bool:
    at = 8
    for _ in range(_MOST_PARTS):
        if at + 12 > len(data):
            return False
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False


def _jpeg(data: bytes) -> bool:
    at = 0
    for _ in range(_MOST_PARTS):
        marker = _MARKER.search(data, at)
        if marker is None:
            return False
        kind, at = data[marker.end() - 1], marker.end()
        if kind == _END:
            return True
        if kind not in _ALONE:
            at += int.from_bytes(data[at : at + 2], "big")
    return False


def _gif(data: bytes) -> bool:
    at, inside = 13 + _colours(data[10:11]), False
    for _ in range(_MOST_PARTS):
        if at >= len(data):
            return False
        kind = data[at]
        if inside:  # blocks, each after its length, up to one of none
            inside = kind > 0
            at += 1 + kind
        elif kind == 0x3B:
            return True
        elif kind == 0x2C:  # a picture: where it lies, its colours, the width of its codes
            at += 11 + _colours(data[at + 9 : at + 10])
            inside = True
        elif kind == 0x21:
            at += 2
            inside = True
        else:
            return False
    return False


def _colours(flags: bytes) -> int:
    """Return how many bytes a table of colours has, by the flags before it."""
    flag = flags[0] if flags else 0
    return 3 << (flag & 7) + 1 if flag & 128 else 0
