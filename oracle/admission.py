"""Steps as they come in: within the limits, and such that they can be kept."""

from oracle.errors import Refused, TooLarge
from oracle.limits import Limits
from oracle.messages import Step
from oracle.session import decoded
from render.decode import MOST_SCANS, header


def plain(step: Step, limits: Limits) -> tuple[Step, str]:
    """Return ``step`` as it comes back from the store, and what is kept of it; raise Refused."""
    if max(len(step.reply or ""), len(str(step.remaining))) > limits.characters:
        raise TooLarge(f"a text of a step has at most {limits.characters:,} characters")
    try:
        text = step.model_dump_json()
        return Step.model_validate_json(text), text
    except (ValueError, RecursionError):
        raise Refused(
            "the step can't be kept: it holds no proper text, or is nested too deep"
        ) from None


def check_drawing(drawing: str, limits: Limits) -> None:
    """Raise TooLarge for a drawing in base64 that takes long to decode, Refused for an animation.

    What is no picture at all passes: that is for the protocol to judge.
    """
    found = header(decoded(drawing))
    if found is None:
        return
    if found.animated:
        raise Refused("the drawing is an animation; send one picture")
    if found.width * found.height > limits.drawing_pixels:
        size = f"{found.width}x{found.height}"
        raise TooLarge(f"the drawing has {size} pixels, more than {limits.drawing_pixels:,} in all")
    if found.scans > MOST_SCANS:
        raise TooLarge(f"the drawing is a JPEG of more than {MOST_SCANS} scans")
