"""What all tests share: the profile of Hypothesis, and where the reference data lies."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The suite has a worker for each core. Threads of linear algebra beside them wait for one another
# and take twice the processor time. NumPy looks here when it is loaded, in commands we start too.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# The first call of a kernel compiles it, so a deadline would measure numba.
settings.register_profile("house", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("house")

REFERENCE = Path(os.environ.get("PUZZLES_REFERENCE", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference positions, which is not part of the repository."""
    if not REFERENCE.is_dir():
        pytest.skip(f"reference data is absent: {REFERENCE} (set PUZZLES_REFERENCE)")
    return REFERENCE
