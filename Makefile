# Everything runs in an environment of its own, .venv, made from the lock files in requirements/.
# Needed: Python 3.11 or newer, make, and a package index that pip can reach.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_OPTIONS := --quiet --disable-pip-version-check --no-input
PIP := $(BIN)/python -m pip $(PIP_OPTIONS)
# The adjudicators that `make bench` races against stay out of .venv.
BENCH := .venv-bench
# Neither does what `make mutation` makes mutants with.
MUTATION := .venv-mutation
# What `make release` looks at packages with.
RELEASE := .venv-release
# One more than the processor has cores: tests wait for each other's processes.
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# What `make test` and its sisters hand to pytest on top, for instance TESTS=tests/adjudicator.
TESTS ?=
# Compiled modules are kept, whatever the shell says: else each process compiles all anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv test slow test-postgres coverage demo games ladder faults simulate fuzz neighbours bench load pictures browser mutation wheel release lock clean

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

venv: $(VENV)/.dev ## make .venv with all that developing needs

# Lines are counted in the adjudicator's own tests only: counting takes all others twice as long.
OWN := tests/adjudicator tests/formats
# These are about what databases do; `make test` runs them on SQLite or in memory, and on PostgreSQL.
ON_BOTH := tests/judge/intake tests/judge/session tests/judge/limits \
	tests/journeys/test_crashes.py tests/journeys/test_deadlines.py tests/app/test_rounds.py
# The order of files is that of tests/conftest.py: long ones first, not those with many tests.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
	--ignore=tests/mutation

test: $(VENV)/.dev ## run all tests and checks but the slow ones; takes some twelve minutes
ifeq ($(TESTS),)
	$(PYTEST) $(OWN) --cov=machjudge.adjudicator --cov-report= -p tests.covered
	$(PYTEST) $(OWN:%=--ignore=%)
	$(PYTEST) $(ON_BOTH) --database postgresql
else
	$(PYTEST) $(TESTS)
endif

slow: $(VENV)/.dev ## run the tests that take long, and find more than those of `make test`
	$(PYTEST) -m slow $(TESTS)

coverage: $(VENV)/.dev ## list the lines that tests should run, and do not
	$(BIN)/python -m pytest -n auto --dist loadfile \
	  --cov --cov-report= -p tests.covered

test-postgres: $(VENV)/.dev ## run all that has to do with a database on PostgreSQL; on MACHJUDGE_TEST_POSTGRES, if set
ifeq ($(TESTS),)
	$(PYTEST) -m postgresql
	$(PYTEST) --database postgresql -m "not games" tests/judge tests/journeys tests/app
else
	$(PYTEST) --database postgresql $(TESTS)
endif

demo: $(VENV)/.run ## watch a judge play by mail, bribes and all, in less than a minute
	$(BIN)/machjudge demo

games: $(VENV)/.dev ## play whole games at random (pytest -m games)
	$(BIN)/python -m pytest -m games $(TESTS)

ladder: $(VENV)/.dev ## let the policies of bots play each other, 200 games a pair; takes some minutes
	$(BIN)/python -m tests.bots

faults: $(VENV)/.dev ## kill a judge and cut its power, hundreds of times; takes a quarter of an hour
	$(BIN)/python -m tests.faults
	$(BIN)/python -m tests.faults --database postgresql --kills 150

# More of it: make simulate SIMULATE="--seed 101 --seeds 100 --games 50 --years 3"
SIMULATE ?= --seeds 100
simulate: $(VENV)/.dev ## tell what a judge lives through, a seed a story; a seed that fails is told again
	$(BIN)/python -m tests.simulation $(SIMULATE)

# More of it: make fuzz FUZZ="--seed 2 --inputs 1000000"
FUZZ ?= --inputs 100000
fuzz: $(VENV)/.dev ## feed odd inputs to all that reads what strangers write; takes ten minutes
	$(BIN)/python -m tests.fuzz $(FUZZ)

neighbours: $(VENV)/.dev ## play behind Postfix, Exim and OpenSMTPD and on Dovecot, which have to be installed; as root
	$(BIN)/python -m tests.neighbours

bench: $(BENCH)/.bench ## race against two other adjudicators
	$(BENCH)/bin/python -m tests.bench

# A part of it, beside an older checkout: make load LOAD="--part serving --old ../older"
LOAD ?=
load: $(BENCH)/.bench ## measure what the way of a mail through a judge costs; takes ten minutes
	$(BENCH)/bin/python -m tests.load $(LOAD)

pictures: $(VENV)/.dev ## draw messages of the demo at two widths into docs/pictures; needs Chromium
	$(BIN)/python -m tests.pictures

browser: $(VENV)/.dev ## use replays and pages in headless Chromium, which has to be installed
	$(BIN)/python -m pytest -m browser tests/browser

mutation: $(MUTATION)/.mutation ## test the tests of the adjudicator; takes twenty minutes or more
	rm -rf mutants
	$(MUTATION)/bin/python tests/mutation/run.py
	$(MUTATION)/bin/python -m tests.mutation

wheel: $(VENV)/.dev ## build dist/machjudge-*.whl
	$(BIN)/python -m build --wheel --no-isolation --outdir dist

release: $(VENV)/.dev $(RELEASE)/.release ## build what is published into dist, and try it: contents, installation, container, upgrades
	$(BIN)/python -m tests.release --twine $(RELEASE)/bin/twine

clean: ## remove .venv and everything else that was made
	rm -rf $(VENV) $(BENCH) $(MUTATION) $(RELEASE) mutants dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "There is no $(PYTHON) here. machjudge needs Python 3.11 or newer;" \
	       "name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "machjudge needs Python 3.11 or newer, and this is $$($(PYTHON) --version 2>&1);" \
	       "name another one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make a virtual environment." \
	       "On Debian and Ubuntu, install the package python3-venv." >&2; exit 1; }

# The stamps are younger than the lock files that were installed.
$(VENV)/.run: requirements/run.txt requirements/build.txt pyproject.toml | $(BIN)/python
	@echo "Installing what machjudge needs ..."
	@$(PIP) install --require-hashes -r requirements/run.txt -r requirements/build.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.run
	@echo "Installing what its tests need ..."
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

# machjudge itself is not installed there: the tests find the mutants, and nothing else.
$(MUTATION)/.mutation: requirements/run.txt requirements/mutation.txt | $(BIN)/python
	@echo "Installing what makes mutants ..."
	@test -x $(MUTATION)/bin/python || $(BIN)/python -m venv $(MUTATION)
	@$(MUTATION)/bin/python -m pip $(PIP_OPTIONS) install --require-hashes -r requirements/run.txt
	@$(MUTATION)/bin/python -m pip $(PIP_OPTIONS) install --require-hashes -r requirements/mutation.txt
	@touch $@

$(RELEASE)/.release: requirements/release.txt | $(BIN)/python
	@echo "Installing what looks at packages ..."
	@test -x $(RELEASE)/bin/python || $(BIN)/python -m venv $(RELEASE)
	@$(RELEASE)/bin/python -m pip $(PIP_OPTIONS) install --require-hashes -r requirements/release.txt
	@touch $@

$(BENCH)/.bench: requirements/run.txt requirements/build.txt requirements/bench.txt pyproject.toml | $(BIN)/python
	@echo "Installing the other adjudicators ..."
	@test -x $(BENCH)/bin/python || $(BIN)/python -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip $(PIP_OPTIONS) install --require-hashes -r requirements/run.txt -r requirements/build.txt
	@$(BENCH)/bin/python -m pip $(PIP_OPTIONS) install --require-hashes -r requirements/bench.txt
	@$(BENCH)/bin/python -m pip $(PIP_OPTIONS) install --no-deps --no-build-isolation --editable .
	@touch $@

# Versions that still fit stay as they are; UPGRADE=--upgrade takes the newest of all.
UPGRADE ?=
COMPILE = CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --no-config $(UPGRADE) \
	--generate-hashes --allow-unsafe --no-strip-extras --no-emit-options \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

lock: | $(VENV)/.dev ## write the lock files anew after pyproject.toml has changed
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { \
	  echo "Lock with Python 3.11, the oldest that counts: newer ones leave packages out." >&2; \
	  exit 1; }
	$(COMPILE) --output-file requirements/run.txt pyproject.toml
	$(COMPILE) --only-build-deps --build-deps-for editable --output-file requirements/build.txt pyproject.toml
	known="--constraint requirements/run.txt --constraint requirements/build.txt"; \
	for group in dev bench mutation release; do \
	  $(BIN)/python -c 'import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb")) \
	  ["dependency-groups"][sys.argv[1]], sep="\n")' $$group | \
	  $(COMPILE) $$known --output-file requirements/$$group.txt - || exit 1; \
	  known="$$known --constraint requirements/$$group.txt"; \
	done
