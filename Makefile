# The whole day: make help
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

help: ## print these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 12

# what is installed names the folder that it was installed in: in a moved or copied one all is made anew
MADE_IN := $(shell cat .venv/run 2>/dev/null)
ifneq ($(MADE_IN),)
ifneq ($(MADE_IN),$(shell cd .venv && pwd -P))
ANEW := --clear
.PHONY: .venv/run
endif
endif

.venv/run: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tenshu needs Python 3.11 or newer: set PYTHON=python3.11")'
	$(PYTHON) -m venv $(ANEW) .venv
	$(BIN)/pip install -q -c constraints.txt -e .
	@cd .venv && pwd -P > run

.venv/test: .venv/run
	$(BIN)/pip install -q -c constraints.txt -e '.[test]'
	@touch $@

demo: .venv/run ## the whole product with no hardware, in the browser
	$(BIN)/tenshu demo $(DEMO)

walk: .venv/test ## the first-use walk, taps and seconds counted: FRESH=--fresh installs all anew
	$(BIN)/python -m tests.e2e.firstuse $(FRESH)

test: .venv/test ## everything that must hold: lint, types, rooms, tests
	@tests/system-packages
	$(MAKE) check
	@# what the many processes of the tests import is compiled once
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

check: .venv/test ## ruff, mypy and the import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

rules: .venv/test ## rules of Shogun that no test names
	$(BIN)/python -m tests.rules

scenarios: .venv/run ## scenarios of Shogun played through the rules: FILE=... for others
	$(BIN)/python -m companion.games.shogun.scenarios $(or $(FILE),tests/data/shogun/scenarios.json)

bench: .venv/test ## figures as ratios to a baseline of the same run
	$(BIN)/python -m tests.bench

load: .venv/test ## 60 devices on loopback: latencies and memory
	$(BIN)/python -m tests.load

docs: .venv/test ## pages that are made from the program itself
	$(BIN)/python -m companion.reference > docs/commands.md
	$(BIN)/python -m companion.web.openapi > docs/api/openapi.json
	$(BIN)/python -m firmware.drawings docs/drawings
	$(BIN)/python -m calibration.sheets.drawings docs/drawings

shots: .venv/test ## screenshots of every page, in build/shots; contact sheets and the README's in docs/shots
	$(BIN)/python -m tests.e2e.shots build/shots --docs docs/shots

lock: ## pin what pyproject.toml asks for, as of today
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install -q '.[test,parquet]'
	.venv-lock/bin/pip freeze --exclude tenshu > constraints.txt
	rm -rf .venv-lock

clean: ## remove what was built
	rm -rf .venv .venv-lock build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: help demo walk test check rules scenarios bench load docs shots lock clean
