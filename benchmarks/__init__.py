"""Speed, measured on one core: numpy takes a thread, as in the commands and their workers."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read as numpy is loaded
