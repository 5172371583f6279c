"""The paradigms: each a generator of requests that is sent the replies."""

from protocols.episode import Play, Script
from protocols.paradigms import aided, draw, single, vcot

_SCRIPTS = {
    "direct": single.direct,
    "text-cot": single.text_cot,
    "gta": aided.gta,
    "vcot": vcot.vcot,
    "vr": aided.vr,
    "draw": draw.draw,
}


def script_of(play: Play) -> Script:
    """Return the script of the protocol of ``play``, not yet begun."""
    return _SCRIPTS[play.protocol.paradigm](play)
