"""Texts that are not ours, such as names in files, made safe to print."""


def printable(text: str) -> str:
    """Return ``text`` with an escape for each character that moves a cursor or shows nothing."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
