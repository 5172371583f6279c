"""Drawing waits for nothing heavy: neither Pillow nor scikit-image nor numba is imported for it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted(f"render.{p.stem}" for p in (ROOT / "render").glob("[a-z]*.py"))
MODULES += ["render.fidelity.lpips", "render.fidelity.lpips_fetch", "render.drawings.flaws"]
HEAVY = {"PIL", "skimage", "scipy", "numba", "torch"}
READERS = {f"render.{name}" for name in ("decode", "overlay", "read", "read_torch")}


def test_drawing_imports_nothing_heavy() -> None:
    lines = [f"import {module}" for module in MODULES if module not in READERS]
    lines += ["import sys", "print(*sorted({name.split('.')[0] for name in sys.modules}))"]
    command = [sys.executable, "-c", "\n".join(lines)]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "render" in loaded.stdout.split()
    assert not HEAVY & set(loaded.stdout.split())
