# Backstep: `make run` opens the app, `make test` checks everything. Both make .venv on a fresh machine.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: run test unit browser lint bench parity golden clean

run: $(VENV)/.run-installed
	@echo "Backstep is at http://localhost:$(PORT) (Ctrl+C ends it)"
	@$(BIN)/streamlit run app.py --server.address localhost --server.port $(PORT)

test: lint chromium
	$(BIN)/python -m pytest -n 2 --dist loadfile

unit: $(VENV)/.dev-installed
	$(BIN)/python -m pytest -n 2 --dist loadfile --ignore tests/browser

browser: chromium
	$(BIN)/python -m pytest tests/browser

.PHONY: chromium
chromium: $(VENV)/.dev-installed
	$(BIN)/python -m tests.browser.chromium

lint: $(VENV)/.dev-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m course check

bench: $(VENV)/.dev-installed
	$(BIN)/python -m benchmarks

# Compares with a live PyTorch; everything else needs none.
parity: $(VENV)/.dev-installed
	$(BIN)/python -m pip install --quiet torch==2.13.0 expecttest
	$(BIN)/python -m pytest tests/parity

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Backstep needs Python 3.11 or newer; '$(PYTHON)' is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python's venv module is missing; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }

$(VENV)/.run-installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	@touch $@

$(VENV)/.dev-installed: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	@touch $@ $(VENV)/.run-installed

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
