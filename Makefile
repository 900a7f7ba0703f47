# `make site` and `make test` work on a fresh machine with Python 3.11 or newer; the environment is made once.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export HF_HUB_DISABLE_TELEMETRY = 1
unexport PYTHONDONTWRITEBYTECODE # containers set it, and every process that a test starts would compile the package anew

.PHONY: site serve test bench bench-site bench-check gpu-check soak clean

site: $(VENV)/site
	$(BIN)/fieldguide build

serve: $(VENV)/site
	$(BIN)/fieldguide serve

test: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --max-worker-restart 0

bench: $(VENV)/dev
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench

bench-site: $(VENV)/dev
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench.site

gpu-check: $(VENV)/dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m tests.gpu_check

bench-check: $(VENV)/dev
	$(BIN)/python -m tests.bench --check

soak: $(VENV)/dev
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(BIN)/python -m tests.soak

clean:
	rm -rf build site

$(VENV)/site: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[embedded]'
	touch $@

$(VENV)/dev: $(VENV)/site
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[embedded,dev]'
	touch $@
