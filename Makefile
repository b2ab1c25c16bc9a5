# PYTHON=python3.12 make test   chooses the Python that makes .venv.
PYTHON ?= python3
# DISCO_DATA=folder make reproduce   says where the data sets are.
DISCO_DATA ?= $(abspath $(wildcard ../shared/data))
# CASES=50000 SEED=1 make fuzz   says how many cases, and which.
CASES ?= 1000
SEED ?= 0
# Tests that reach kernels: what is marked small there runs uncompiled and with bounds checks, too.
KERNELS := $(addprefix tests/,compute density_tree distributed indices neighbors promises spanning_tree) tests/house/test_effort.py $(wildcard paper/tests/test_published.py)
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what is imported; compiling all that is installed would take twice as long.
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-compile

# Packages are installed without bytecode, so it is written as they are imported: where it may not,
# every process that is started compiles them anew, for two seconds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test browser browser-install lint types docs reproduce bench fuzz package wheel-tests oldest newest audit clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed  ## Score a good and a bad clustering of rings, say why, and write a report
	@mkdir -p .cache
	@$(BIN)/disco demo --out .cache/disco-demo.html

test: $(VENV)/.installed-for-tests  ## Run the tests; the small ones of kernels also uncompiled and with bounds checks
	$(BIN)/python -m pytest -q -n auto -m 'not browser'
	@$(BIN)/python -m coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q -n auto -m small $(KERNELS)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n auto -m small $(KERNELS)

browser: $(VENV)/.installed-for-tests  ## Run the tests of pages in Chromium, if there is one (BROWSER=/path)
	@if $(BIN)/python tests/helpers/chromium/find.py; then \
		$(BIN)/python -m pytest -q -m browser tests/browser; \
	else \
		[ "$${DISCO_BROWSER_NEEDED:-0}" = 0 ]; \
	fi

browser-install:  ## Install Chromium from Debian; needs root
	apt-get -o DPkg::Lock::Timeout=300 update
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y chromium

lint: $(VENV)/.installed-for-tests  ## Check style and formatting (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-for-tests  ## Check types (mypy)
	$(BIN)/mypy

docs: $(VENV)/.installed-for-tests  ## Build the site; a warning is an error
	@rm -rf .cache/site docs/reference/generated
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d .cache/site-made docs .cache/site
	@$(BIN)/python docs/check_site.py .cache/site
	@echo "The site: .cache/site/index.html"

reproduce: $(VENV)/.installed-for-tests  ## Compute the paper's tables and figures in short, and compare
	@if [ -d "$(DISCO_DATA)" ]; then \
		DISCO_DATA="$(DISCO_DATA)" $(BIN)/disco reproduce --all --quick --out .cache/reproduced; \
	else \
		echo "make reproduce: skipped, for there are no data sets. Set DISCO_DATA to their folder, or let"; \
		echo "$(BIN)/disco reproduce --all --quick download them."; \
	fi

bench: $(VENV)/.installed-for-tests  ## Measure speed and memory; print a table
	$(if $(DISCO_DATA),DISCO_DATA="$(DISCO_DATA)") $(BIN)/python -m benchmarks.run

fuzz: $(VENV)/.installed-for-tests  ## Call everything public with odd arguments, CASES=1000 times; SEED=0
	$(BIN)/python -m fuzz --cases $(CASES) --seed $(SEED)

package:  ## Build wheel and source archive, and try them in a fresh environment
	$(PYTHON) release/package.py

wheel-tests:  ## Run all tests against the wheel, installed outside the checkout
	$(PYTHON) release/package.py all

oldest:  ## Run the tests with the oldest versions that pyproject.toml allows
	$(PYTHON) release/versions.py oldest

newest:  ## Run the tests with the newest versions that there are
	$(PYTHON) release/versions.py newest

audit: $(VENV)/.installed-for-tests  ## Check licences of all that is installed, and advisories if there is a network
	$(BIN)/python release/audit.py

clean:  ## Remove everything that make and the tests made, .venv too
	rm -rf $(VENV) .cache .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist htmlcov docs/generated docs/reference/generated
	find src paper tests benchmarks fuzz -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# The two stamps are older than a pyproject.toml whenever it changed, so .venv follows it.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing disco-cvi into $(VENV) ..."
	@$(INSTALL) --editable '.[report]'
	@touch $@

$(VENV)/.installed-for-tests: pyproject.toml paper/pyproject.toml | $(BIN)/python
	@echo "Installing disco-cvi, disco-paper and their test tools into $(VENV) ..."
	@$(INSTALL) --editable '.[test]' --editable './paper[test]'
	@touch $(VENV)/.installed $@

$(BIN)/python:
	@command -v $(PYTHON) > /dev/null || { \
		echo "$(PYTHON) was not found. Install Python 3.11 or newer, or name one: PYTHON=python3.12 make ..."; \
		exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "disco-cvi needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name another: PYTHON=python3.12 make ..."; \
		exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) -V) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
