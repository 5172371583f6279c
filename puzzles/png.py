"""PNG files: whether one is whole, by the checksums of its chunks; and how wide it is."""

from zlib import crc32

_SIGNATURE, _FIRST, _LAST = b"\x89PNG\r\n\x1a\n", b"IHDR", b"IEND"


def is_damaged(data: bytes) -> bool:
    """Whether this is a PNG file that has been changed or cut off; never of other formats."""
    known = data.startswith(_SIGNATURE) or data[12:16] == _FIRST  # one of them, where one is hit
    return not _is_whole(data) if known else _SIGNATURE.startswith(data)


def _is_whole(data: bytes) -> bool:
    """Whether every chunk up to the last is there, unchanged, and nothing comes behind it."""
    if not data.startswith(_SIGNATURE):
        return False
    view, at, kind = memoryview(data), len(_SIGNATURE), b""
    while kind != _LAST:
        length, kind = int.from_bytes(view[at : at + 4]), bytes(view[at + 4 : at + 8])
        end = at + 8 + length
        said = view[end : end + 4]
        if len(said) < 4 or crc32(view[at + 4 : end]) != int.from_bytes(said):
            return False
        at = end + 4
    return at == len(data)


def width(data: bytes) -> int | None:
    """Return how many pixels wide a PNG file says it is; None for other formats."""
    said = data.startswith(_SIGNATURE) and data[12:16] == _FIRST
    return int.from_bytes(data[16:20]) if said else None
