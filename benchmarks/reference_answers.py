"""Print an answers.jsonl that gives every instance of a folder its own reference answer."""

import json
import sys
from pathlib import Path

from puzzles.records import METADATA, read


def main(folder: Path) -> None:
    for path in sorted(folder.rglob(METADATA)):
        for instance, _ in read(path.parent):
            answer = {"id": instance.id, "response": instance.answer, "model": "reference"}
            print(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
