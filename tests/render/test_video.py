"""The pictures of videos and animations: all of them, upright, or a sentence on what is wrong."""

import io
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from render import decode, video
from render.decode import UnusablePicture
from render.video import frames, is_video

av = pytest.importorskip("av", reason="needs the extra video")

COLOURS = [(230, 20, 20), (20, 200, 30), (30, 40, 220), (240, 240, 240)]
VIDEOS = [("mp4", "libx264"), ("mov", "mpeg4"), ("webm", "libvpx-vp9"), ("matroska", "libx264")]
ANIMATIONS = ["GIF", "WEBP", "PNG"]


def plain(colour: Any, height: int = 48, width: int = 80) -> Any:
    """Return a picture of one colour with a white corner, top left."""
    picture = np.full((height, width, 3), colour, np.uint8)
    picture[: height // 2, : width // 2] = 255
    return picture


def film(
    pictures: Any,
    kind: str = "mp4",
    codec: str = "libx264",
    times: Any = None,
    turned: int = 0,
    aspect: int = 1,
    **options: str,
) -> bytes:
    """Return a video; ``times`` are those of its pictures, in tenths of a second."""
    out = io.BytesIO()
    with av.open(out, "w", format=kind, container_options=options) as opened:
        track = opened.add_stream(codec, rate=10)
        track.height, track.width = pictures[0].shape[:2]
        track.pix_fmt = "yuv420p"
        track.codec_context.sample_aspect_ratio = Fraction(aspect)
        if turned:
            track.set_display_rotation(turned)
        for at, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = times[at] if times else at, Fraction(1, 10)
            opened.mux(track.encode(frame))
        opened.mux(track.encode())
    return out.getvalue()


def animation(pictures: Any, kind: str, **how: Any) -> bytes:
    out = io.BytesIO()
    first, *rest = map(Image.fromarray, pictures)
    lossless = {"lossless": True} if kind == "WEBP" else {}
    first.save(out, kind, save_all=True, append_images=rest, duration=100, **lossless, **how)
    return out.getvalue()


def sound(*, cover: bool = False) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as opened:
        track = opened.add_stream("aac", rate=8000)
        if cover:
            art = opened.add_stream("mjpeg", rate=1)
            art.height, art.width, art.pix_fmt = 48, 80, "yuvj420p"
            art.disposition = av.stream.Disposition.attached_pic
            picture = av.VideoFrame.from_ndarray(plain(COLOURS[0]), format="rgb24")
            opened.mux(art.encode(picture))
            opened.mux(art.encode())
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 8000), np.float32), "fltp", "mono")
        frame.sample_rate = 8000
        opened.mux(track.encode(frame))
        opened.mux(track.encode())
    return out.getvalue()


def colours(data: Any) -> list[Any]:
    """Return the colour of the lower right corner of each picture."""
    return [frame[-3, -3].astype(int) for frame in frames(data)]


def until_refused(data: Any) -> tuple[int, str]:
    """Return how many pictures came, and what was said then."""
    count = 0
    with pytest.raises(UnusablePicture) as refused:
        for _ in frames(data):
            count += 1
    return count, str(refused.value)


@pytest.mark.parametrize(("kind", "codec"), VIDEOS)
def test_all_pictures_of_a_video_come_in_order_and_in_their_colours(kind: str, codec: str) -> None:
    data = film([plain(colour) for colour in COLOURS], kind, codec)
    for frame in frames(data):
        assert frame.shape == (48, 80, 3)
        assert frame.dtype == np.uint8
    assert np.abs(np.array(colours(data)) - COLOURS).max() <= 12


@pytest.mark.parametrize("kind", ANIMATIONS)
def test_all_pictures_of_an_animation_come_as_they_are(kind: str) -> None:
    data = animation([plain(colour) for colour in COLOURS], kind)
    assert not is_video(data)
    assert np.abs(np.array(colours(data)) - COLOURS).max() <= (8 if kind == "GIF" else 0)


def test_a_still_picture_is_one_frame(tmp_path: Path) -> None:
    file = tmp_path / "still.png"
    Image.fromarray(plain(COLOURS[0])).save(file)
    for source in (file, str(file), file.read_bytes()):
        (only,) = frames(source)
        assert (only == plain(COLOURS[0])).all()


def test_repeated_pictures_and_uneven_times_are_kept(tmp_path: Path) -> None:
    shown = [COLOURS[at] for at in (0, 0, 0, 1, 1, 2)]
    file = tmp_path / "uneven.mp4"
    file.write_bytes(film([plain(one) for one in shown], times=[0, 1, 2, 9, 30, 31]))
    assert np.abs(np.array(colours(file)) - shown).max() <= 12


@pytest.mark.parametrize("kind", ["WEBP", "PNG"])
def test_an_animation_is_laid_on_white_and_composed(kind: str) -> None:
    clear = np.zeros((4, 6, 4), np.uint8)
    red = clear.copy()
    red[0, 0] = (255, 0, 0, 255)
    first, second = frames(animation([clear, red], kind))
    assert (first == 255).all()
    assert second[0, 0].tolist() == [255, 0, 0]
    assert (second[1:] == 255).all()


def test_the_stand_in_for_viewers_without_animations_is_no_frame() -> None:
    pictures = [plain(colour) for colour in COLOURS[:3]]
    data = animation(pictures, "PNG", default_image=True)
    assert np.array(colours(data)).tolist() == [list(colour) for colour in COLOURS[1:3]]


@pytest.mark.parametrize(
    ("turned", "corner"), [(0, (2, 2)), (90, (-3, 2)), (180, (-3, -3)), (270, (2, -3))]
)
def test_a_video_is_turned_as_its_display_matrix_says(turned: int, corner: Any) -> None:
    (frame,) = frames(film([plain(COLOURS[2])], turned=turned))
    assert frame.shape[:2] == ((80, 48) if turned in (90, 270) else (48, 80))
    white = {at: frame[at].min() > 200 for at in [(2, 2), (-3, 2), (-3, -3), (2, -3)]}
    assert [at for at, is_white in white.items() if is_white] == [corner]


def test_pixels_that_are_wider_than_high_are_shown_so() -> None:
    (frame,) = frames(film([plain(COLOURS[0])], aspect=2))
    assert frame.shape == (48, 160, 3)
    assert frame[3, 75].min() > 200 > frame[3, 85].min()


def test_a_large_video_is_made_smaller() -> None:
    (frame,) = frames(film([plain(COLOURS[0], 64, 4096)]))
    assert frame.shape == (32, decode.LONGEST_SIDE, 3)


def test_one_picture_is_in_memory_at_a_time() -> None:
    played = frames(film([plain(COLOURS[at % 4]) for at in range(60)]))
    assert isinstance(played, Iterator)
    assert len(list(islice(played, 2))) == 2


def test_what_is_a_video_shows_in_its_first_bytes(tmp_path: Path) -> None:
    for kind, codec in VIDEOS:
        assert is_video(film([plain(COLOURS[0])], kind, codec)[: video.HEAD])
    heif = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"
    others = [b"", b"\0", heif, b"#EXTM3U\n", b"ffconcat version 1.0\n", b"RIFF\0\0\0\0WEBPVP8X"]
    assert not any(map(is_video, others))
    assert not is_video(tmp_path / "absent.mp4")
    assert not is_video(tmp_path)


def test_sound_alone_is_no_video() -> None:
    assert until_refused(sound()) == (0, "the file holds no video, only sound")


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 99, b"no picture", b"\0\0\0\x08ftyp", b"\x1a\x45\xdf\xa3"]
)
def test_what_is_no_video_is_refused(data: bytes) -> None:
    assert until_refused(data)[0] == 0


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    count, said = until_refused(tmp_path / "absent.mp4")
    assert (count, said) == (0, f"{tmp_path}/absent.mp4: No such file or directory")


NOISE = np.random.default_rng(6).integers(0, 256, (12, 48, 80, 3), np.uint8)


@pytest.mark.parametrize("kind", ["webm", "matroska", "fragmented", "faststart"])
@pytest.mark.parametrize("part", [0.9, 0.6])
def test_of_a_video_cut_off_the_whole_pictures_come_first(
    kind: str, part: float, tmp_path: Path
) -> None:
    if kind == "faststart":
        data = _faststart(tmp_path)
    elif kind == "fragmented":
        data = film(NOISE, movflags="frag_keyframe+empty_moov")
    else:
        data = film(NOISE, kind, "libvpx-vp9" if kind == "webm" else "libx264")
    assert sum(1 for _ in frames(data)) == 12
    count, said = until_refused(data[: int(len(data) * part)])
    assert count < 12
    assert "cut off" in said or "damaged" in said
    assert (f"after {count} picture" in said) == (count > 0)


def _faststart(folder: Path) -> bytes:
    """Return a video whose index stands at its start, where a cut leaves it."""
    file = folder / "fast.mp4"
    with av.open(str(file), "w", container_options={"movflags": "faststart"}) as opened:
        track = opened.add_stream("libx264", rate=10)
        track.height, track.width, track.pix_fmt = 48, 80, "yuv420p"
        for picture in NOISE:
            opened.mux(track.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        opened.mux(track.encode())
    return file.read_bytes()


def test_an_mp4_that_lost_its_index_is_damaged() -> None:
    data = film(NOISE)
    assert until_refused(data[:-900])[1].startswith("the video is damaged: ")


@pytest.mark.parametrize(("kind", "codec"), VIDEOS[:2])
def test_damage_that_is_noticed_is_not_painted_over(kind: str, codec: str) -> None:
    data = bytearray(film(NOISE, kind, codec))
    rng = np.random.default_rng(0)
    middle = len(data) // 2
    data[middle : middle + len(data) // 4] = rng.bytes(len(data) // 4)
    count, said = until_refused(bytes(data))
    assert count < 12
    assert said.startswith("the video is damaged: ")
    assert f"(after {count} pictures)" in said


def test_the_cover_of_a_piece_of_music_is_no_video() -> None:
    data = sound(cover=True)
    assert is_video(data)
    assert until_refused(data) == (0, "the file holds no video, only sound")


@pytest.mark.parametrize("kind", ANIMATIONS)
def test_of_an_animation_cut_off_no_half_picture_comes(kind: str) -> None:
    data = animation(NOISE, kind)
    whole = list(frames(data))
    came: list[Any] = []
    with suppress(UnusablePicture):  # of a GIF cut off between two pictures nothing shows it
        came.extend(frames(data[: len(data) * 2 // 3]))
    assert len(came) < 12
    assert all((one == other).all() for one, other in zip(came, whole, strict=False))


def test_a_text_that_names_other_files_opens_none_of_them(tmp_path: Path) -> None:
    file = tmp_path / "inner.mp4"
    file.write_bytes(film([plain(COLOURS[0])]))
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.mp4"
        for text in (
            f"ffconcat version 1.0\nfile {file}\n",
            f"ffconcat version 1.0\nfile '{url}'\n",
            f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{url}\n",
            f"concat:{file}|{file}",
            f"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 9 {url}\n",
        ):
            assert "not an image" in until_refused(text.encode())[1]
            playlist = tmp_path / "list.mp4"
            playlist.write_text(text)
            assert "not an image" in until_refused(playlist)[1]
        with pytest.raises(TimeoutError):
            server.accept()
    for name in (f"concat:{file}", f"file:{file}", "http://127.0.0.1:1/x.mp4", "-", "pipe:0"):
        assert "No such file" in until_refused(name)[1]


def test_a_video_goes_to_no_other_reader_than_its_own() -> None:
    """A start like that of an MP4 gives no playlist to the reader of playlists."""
    text = b"\0\0\0\x10ftypisom\0\0\0\0\n#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n"
    assert until_refused(text)[1].startswith("the video is damaged: ")


@pytest.mark.parametrize(
    ("name", "value", "came", "said"),
    [
        ("MOST_FRAMES", 3, 3, "more than 3 pictures"),
        ("MOST_FRAME_PIXELS", 48 * 80 * 5, 5, "more than 5 pictures"),
        ("MOST_SECONDS", 1, 0, "longer than 1 second"),
        ("MOST_BYTES", 99, 0, "more than 99"),
    ],
)
def test_more_than_the_limits_is_refused(
    name: str, value: int, came: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(video, name, value)
    count, sentence = until_refused(film([plain(COLOURS[0])] * 12))
    assert count == came
    assert said in sentence


def test_pictures_with_too_many_pixels_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MOST_PIXELS", 80 * 48 - 1)
    for data in (film([plain(COLOURS[0])]), animation([plain(one) for one in COLOURS], "GIF")):
        assert until_refused(data) == (0, "the picture has 80x48 pixels, more than 3,839 in all")


def test_animations_have_the_limits_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MOST_FRAMES", 3)
    count, said = until_refused(animation([plain(one) for one in COLOURS], "GIF"))
    assert (count, said) == (3, "the animation has more than 3 pictures of its size")


def test_without_pyav_videos_name_the_extra_and_animations_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = film([plain(COLOURS[0])])
    monkeypatch.setitem(sys.modules, "av", None)
    assert is_video(data)
    with pytest.raises(video.NoVideoReader, match=r"pip install 'puzzles\[video\]'"):
        list(frames(data))
    assert len(list(frames(animation([plain(one) for one in COLOURS], "GIF")))) == 4
