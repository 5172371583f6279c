# Every target sets up what it needs in .venv; nothing has to be installed by hand.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
CORES := $(shell $(PYTHON) -c "import os; print(os.cpu_count())")

.PHONY: demo test test-bounds check test-integrations audit bench ladder race pictures clean

.venv/ready: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed')"
	$(PYTHON) -m venv .venv
	$(PIP) -e .
	touch $@

.venv/ready-dev: .venv/ready
	$(PIP) -e ".[dev]"
	touch $@

.venv/ready-browser: .venv/ready
	command -v chromium >/dev/null || { apt-get update -q && \
		apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core; }
	touch $@

.venv/ready-postgres: .venv/ready
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
		apt-get update -q && apt-get install -y -q --no-install-recommends postgresql; }
	touch $@

# Their dependencies contradict each other's and those of the other harnesses.
.venv/verifiers/ready: pyproject.toml
	$(PYTHON) -m venv .venv/verifiers
	.venv/verifiers/bin/pip install --quiet --disable-pip-version-check -e ".[verifiers]" \
		pytest hypothesis fastapi uvicorn
	touch $@

.venv/openenv/ready: pyproject.toml
	$(PYTHON) -m venv .venv/openenv
	.venv/openenv/bin/pip install --quiet --disable-pip-version-check \
		-e ".[verifiers-legacy,openenv]" pytest hypothesis
	touch $@

# torch first, as a CPU build: what asks for it later would take the one with CUDA. lmms-eval and
# verl alone, since their own dependencies weigh several GB.
.venv/ready-integrations: .venv/ready-dev
	$(PIP) torch==2.13.0
	$(PIP) -e ".[dev,integrations]"
	$(PIP) --no-deps lmms-eval==0.7.3 verl==0.9.1
	touch $@

demo: .venv/ready  ## a small set of every family, its reference answers judged
	rm -rf data/demo
	$(BIN)/puzzles make --family all --difficulty all -n 2 --out data/demo
	$(BIN)/python -m benchmarks.reference_answers data/demo > data/demo/answers.jsonl
	$(BIN)/puzzles verify data/demo/answers.jsonl

test: .venv/ready-dev  ## the test suite
	$(BIN)/python -m tests.kernels
	$(BIN)/python -m pytest -n $(CORES) -m "not integration and not audit"

test-bounds: .venv/ready-dev  ## kernels with every index checked, in a cache of their own
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.venv/bounds $(BIN)/python -m pytest -n $(CORES) \
		tests/test_perft.py tests/test_families.py tests/test_observe.py \
		-k "kernels or solver or counts or notation"

check: .venv/ready-dev  ## the checks of the house
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test-integrations: .venv/ready-integrations .venv/ready-browser .venv/ready-postgres \
		.venv/verifiers/ready .venv/openenv/ready  ## tests against other people's packages
	.venv/verifiers/bin/python -m pytest tests/integrations/test_verifiers.py
	.venv/openenv/bin/python -m pytest tests/integrations/test_verifiers_legacy.py \
		tests/integrations/test_openenv.py
	$(BIN)/python -m pytest -n $(CORES) --dist loadfile -m integration

audit: .venv/ready-dev  ## 1,000 instances a bucket re-solved by other code, 2,000 without duplicates
	$(BIN)/python -m pytest -n $(CORES) -m audit

bench: .venv/ready-dev  ## the speed table
	$(BIN)/python -m benchmarks.bench

ladder: .venv/ready-dev  ## how much of a disturbed picture is read, as a table and a picture
	$(BIN)/python -m benchmarks.reading -o benchmarks/reading.jsonl
	$(BIN)/python -m benchmarks.reading_picture benchmarks/reading.jsonl

race: .venv/ready-dev  ## our code against that of others, each in an environment of its own
	$(BIN)/python -m benchmarks.peers.race

pictures: .venv/ready-dev .venv/ready-browser  ## those of the README and of docs/
	$(BIN)/python docs/contact_sheet.py
	$(BIN)/python docs/report_picture.py
	$(BIN)/python docs/cost.py
	$(BIN)/python docs/learning.py

clean:
	rm -rf .venv data build *.egg-info
