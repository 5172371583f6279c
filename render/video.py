"""The pictures of a video or an animation, one after the other, as a viewer sees them."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from os import PathLike
from typing import IO, TYPE_CHECKING, Any

from render.decode import MOST_BYTES, UnusablePicture, check_size, file_of, held, played, rgb, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Frame = NDArray[np.uint8]
    """(H, W, 3), RGB."""

MOST_FRAMES, MOST_FRAME_PIXELS = 3600, 1 << 32
"""Of a video: its pictures, and their pixels taken together; an animation has those of decode."""
MOST_SECONDS = 300
HEAD = 64
"""Bytes from the start of a file that tell what it is."""
EXTRA = "reading a video needs PyAV: pip install 'puzzles[video]'"

_EBML, _SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"
_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
_STILL = (b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")
"""Brands of the same container that are pictures."""
_CLOSED = {"protocol_whitelist": ""}
"""What the file names in turn, no one opens."""
_STRICT = {"err_detect": "crccheck+bitstream+buffer+explode"}
"""Damage is an error: a decoder would rather paint over it what it guesses."""


class NoVideoReader(RuntimeError):
    """PyAV isn't installed; the message says how to get it."""


def is_video(source: bytes | str | PathLike[str]) -> bool:
    """Return whether a file, given by its path or its bytes, is a video.

    The first HEAD bytes are enough. An animation is a picture; ``decode.header`` tells whether it
    moves. A file that can't be read is no video.
    """
    if isinstance(source, bytes):
        return _container(source) is not None
    try:
        with file_of(source) as file:
            return _container(file.read(HEAD)) is not None
    except UnusablePicture:
        return False


def frames(source: bytes | str | PathLike[str]) -> Iterator[Frame]:
    """Yield the pictures of a video (MP4, MOV, WebM, Matroska) or an animation (GIF, WebP, APNG).

    All that are shown, in the order of time, one in memory at a time: however long each stays, and
    also those that repeat the one before. A still picture is one. They are upright, in the shape
    that they are shown in where pixels aren't square, of at most ``decode.LONGEST_SIDE`` a side,
    and what is transparent lies on white.

    Of a file that is damaged or cut off, the pictures before the damage come, then UnusablePicture
    says after how many it is; so it does where there is no video in it, or too much of it. There
    are no checksums: damage that a decoder can't notice shows in the picture, and what is lost in
    the midst of a Matroska file is passed over. Nothing that the file refers to is opened. Raises
    NoVideoReader for a video without the extra ``video``.
    """
    with BytesIO(source) if isinstance(source, bytes) else file_of(source) as file:
        size = file.seek(0, 2)
        if size > MOST_BYTES:
            raise UnusablePicture(f"the file has {size:,} bytes, more than {MOST_BYTES:,}")
        file.seek(0)
        container = _container(file.read(HEAD))
        file.seek(0)
        yield from _of_video(file, container) if container else _of_animation(file.read())


def _container(head: bytes) -> str | None:
    """Return the one reader that a file is given to, by how it begins; None for no video.

    A reader is never tried: some (HLS, concat) open what a text names, also over the network.
    """
    if head.startswith(_EBML):
        return "matroska"
    if head[4:8] in _BOXES and not (head[4:8] == _BOXES[0] and head[8:12] in _STILL):
        return "mov"
    return None


def _of_animation(data: bytes) -> Iterator[Frame]:
    import numpy as np

    with held(data) as image:
        apart = getattr(image, "default_image", False)  # for viewers that can't show an APNG
        for number, picture in enumerate(played(image)):
            if number or not apart:
                yield np.asarray(shown(picture))


def _of_video(file: IO[bytes], container: str) -> Iterator[Frame]:
    try:
        import av
    except ImportError:
        raise NoVideoReader(EXTRA) from None
    count = 0
    try:
        with av.open(file, format=container, options=_CLOSED) as opened:
            for frame in _decoded(opened):
                yield frame
                count += 1
    except UnusablePicture as error:
        raise UnusablePicture(f"{error}{_after(count)}") from None
    except Exception as error:  # decoders raise whatever they stumble over
        reason = getattr(error, "strerror", None) or str(error)
        raise UnusablePicture(f"the video is damaged: {reason}{_after(count)}") from None
    if _cut_off(file, container):
        raise UnusablePicture(f"the video is cut off{_after(count)}")
    if not count:
        raise UnusablePicture("the video holds no picture")


def _after(count: int) -> str:
    return f" (after {count:,} picture{'s' * (count != 1)})" if count else ""


def _decoded(opened: Any) -> Iterator[Frame]:
    """Yield the pictures of an open video; raise UnusablePicture, and what the decoder raises."""
    tracks = [one for one in opened.streams.video if not _is_cover(one)]
    if not tracks:
        raise UnusablePicture("the file holds no video" + ", only sound" * bool(opened.streams))
    track = tracks[0]
    check_size(track.codec_context.width, track.codec_context.height)
    _check_time((opened.duration or 0) / 1e6)
    track.codec_context.options = _STRICT
    pixels = 0
    for number, frame in enumerate(opened.decode(track)):
        pixels += frame.width * frame.height
        if number >= MOST_FRAMES or pixels > MOST_FRAME_PIXELS:
            raise UnusablePicture(f"the video has more than {number:,} pictures of its size")
        if frame.is_corrupt:
            raise UnusablePicture("the video is damaged: a picture is not whole")
        _check_time(frame.time or 0)
        yield rgb(_upright(_pixels(frame, track.sample_aspect_ratio or 1), frame))


def _is_cover(track: Any) -> bool:
    """Whether a track is the picture on the cover of a piece of music."""
    return bool(track.disposition & type(track.disposition).attached_pic)


def _check_time(seconds: float) -> None:
    if seconds > MOST_SECONDS:
        raise UnusablePicture(f"the video is longer than {MOST_SECONDS} seconds")


def _pixels(frame: Any, aspect: float) -> Frame:
    """Return a decoded frame; ``aspect`` is how wide a pixel is for its height."""
    width, height = frame.width, frame.height
    if aspect > 1:
        width = round(width * aspect)
    else:
        height = round(height / aspect)
    check_size(frame.width, frame.height)
    check_size(width, height)
    clear = any(component.is_alpha for component in frame.format.components)
    kind = "rgba" if clear else "rgb24"
    pixels: Frame = frame.to_ndarray(format=kind, width=width, height=height)
    return pixels


def _upright(pixels: Frame, frame: Any) -> Frame:
    """Return ``pixels`` turned and mirrored as the frame's display matrix says."""
    import numpy as np

    data = frame.side_data.get("DISPLAYMATRIX")
    if data is None:
        return pixels
    (a, b, _), (c, d, _), _ = np.frombuffer(bytes(data), np.int32).reshape(3, 3).tolist()
    if a and d and not (b or c):
        across, down = a, d
    elif b and c and not (a or d):
        pixels, across, down = pixels.swapaxes(0, 1), c, b
    else:
        raise UnusablePicture("the video is turned by other than quarter turns")
    return pixels[:: -1 if down < 0 else 1, :: -1 if across < 0 else 1]


def _cut_off(file: IO[bytes], container: str) -> bool:
    """Whether the file is shorter than its outermost parts say."""
    size = file.seek(0, 2)
    return (_boxes_end if container == "mov" else _segment_end)(file, size) > size


def _boxes_end(file: IO[bytes], size: int) -> int:
    """Return where the last box of an MP4 ends."""
    end = 0
    while end + 8 <= size:
        file.seek(end)
        head = file.read(16)
        length = int.from_bytes(head[:4], "big")
        if length == 1:
            length = int.from_bytes(head[8:16], "big")
        if length < 8:  # to the end of the file, or something else that follows
            return size
        end += length
    return end


def _segment_end(file: IO[bytes], size: int) -> int:
    """Return where the segment of a Matroska file ends; of a live one, which doesn't say, 0."""
    file.seek(0)
    head = file.read(4096)
    length, used = _number(head[4:])
    at = 4 + used + length
    if head[at : at + 4] != _SEGMENT:
        return size
    length, used = _number(head[at + 4 :])
    unknown = length == (1 << 7 * used) - 1
    return 0 if unknown else at + 4 + used + length


def _number(data: bytes) -> tuple[int, int]:
    """Return a length as EBML writes it, and how many bytes it took."""
    used = 9 - data[0].bit_length() if data else 1
    return int.from_bytes(data[:used], "big") & ((1 << 7 * used) - 1), used
