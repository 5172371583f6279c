"""Plays a noisy player under some protocols, and takes docs/pictures/report.png of its report.

python docs/report_picture.py

Takes a minute or two, and needs Chromium.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

PLACE = Path(__file__).parent / "pictures" / "report.png"
PROTOCOLS = "direct,text-cot,oracle-gta,oracle-vcot,oracle-vcot+budget,oracle-aug-vcot"
MODEL = "noisy:0.1"
SIZE = (1280, 1000)


def puzzles(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "cli", *map(str, words)], check=True)


def main() -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        sys.exit("docs/report_picture.py needs chromium")
    with TemporaryDirectory() as name:
        folder = Path(name)
        data, answers, report = (folder / part for part in ("data", "answers.jsonl", "report"))
        puzzles("make", "--family", "all", "--difficulty", "all", "-n", "12", "--out", data)
        chosen = ("--protocol", PROTOCOLS, "--model", MODEL, "--runs", "2")
        puzzles("run", "--data", data, *chosen, "-o", answers)
        puzzles("verify", answers, "--data", data)
        title = ("--title", "A player that errs in one step of ten")
        verdicts = folder / "verdicts.jsonl"
        puzzles("report", verdicts, "--data", data, "-o", report, "--format", "html", *title)
        shot = folder / "page.png"
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--hide-scrollbars"),
                *(f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={shot}"),
                (report / "report.html").as_uri(),
            ],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        picture = Image.open(shot).convert("RGB").quantize(128)
        picture.save(PLACE, optimize=True)


if __name__ == "__main__":
    main()
